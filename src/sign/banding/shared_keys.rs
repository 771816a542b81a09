//! `shared_keys`: passes on the keys of a band that may make a bucket.
//!
//! In a corpus of short records nearly every key occurs once, and makes no bucket. A key has a position in two sets of bits: the
//! first contains the positions that a key has reached, the second those that a further key has reached. A key at a position
//! that only one has reached occurs once.

use crate::base::flat::bit_set::BitSet;
use crate::base::memory::table;
use crate::documents::document::DocId;

/// The number of positions for each key, before rounding to a power of two: one in eight to sixteen keys that occur once has
/// a position with another key and stays.
const POSITIONS: usize = 8;
/// The number of keys whose positions are loaded at the same time. The sets of a million keys have 4 MB, which
/// exceed the second-level cache.
const BATCH: usize = 64;

/// Appends the keys that occur more than once to a list, and about one in ten of the others; 2 to 4 bytes for each key are
/// needed for the sets of bits.
///
/// * `num_keys`: the number of keys, at most.
/// * `visit`: passes on all keys with their documents; the same ones, in the same order, each time. It is called twice.
pub(crate) fn shared_keys(
    num_keys: usize,
    visit: impl Fn(&mut dyn FnMut(u64, DocId)),
    shared_keys: &mut Vec<(u64, DocId)>,
) {
    let num_positions = (POSITIONS * num_keys).next_power_of_two().max(64);
    // The sort uses the highest bits, so the keys that are left are still spread evenly.
    let position = |key: u64| key as usize & (num_positions - 1);
    let mut shared = BitSet::new(num_positions);
    let mut num_shared = 0;
    let mut batch = Vec::with_capacity(BATCH);
    {
        let mut reached = BitSet::new(num_positions);
        let mut add = |batch: &mut Vec<(u64, DocId)>, reached: &mut BitSet| {
            for (key, _) in batch.drain(..) {
                if !reached.insert_new(position(key)) {
                    num_shared += 1 + usize::from(shared.insert_new(position(key)));
                }
            }
        };
        visit(&mut |key, document| {
            reached.prefetch(position(key));
            batch.push((key, document));
            if batch.len() == BATCH {
                add(&mut batch, &mut reached);
            }
        });
        add(&mut batch, &mut reached);
    }
    table(|| shared_keys.reserve_exact(num_shared));
    let mut append = |batch: &mut Vec<(u64, DocId)>| {
        shared_keys.extend(batch.drain(..).filter(|&(key, _)| shared.contains(position(key))));
    };
    visit(&mut |key, document| {
        shared.prefetch(position(key));
        batch.push((key, document));
        if batch.len() == BATCH {
            append(&mut batch);
        }
    });
    append(&mut batch);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_that_occur_twice_stay_in_order_and_most_others_go(numbers in prop::collection::vec(0u64..3000, 0..3000)) {
            let key = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
            let all: Vec<(u64, DocId)> =
                numbers.iter().enumerate().map(|(at, &number)| (key(number), DocId::new(at))).collect();
            let occurs_once = |&(key, _): &(u64, DocId)| all.iter().filter(|other| other.0 == key).count() == 1;
            let mut left = vec![(7, DocId::new(7))];
            let visit = |pass: &mut dyn FnMut(u64, DocId)| all.iter().for_each(|&(key, document)| pass(key, document));
            shared_keys(all.len(), visit, &mut left);
            prop_assert_eq!(left.remove(0), (7, DocId::new(7)));
            prop_assert!(left.capacity() <= left.len() + 2);
            let (single, repeated): (Vec<_>, Vec<_>) = left.iter().copied().partition(occurs_once);
            let expected: Vec<_> = all.iter().copied().filter(|row| !occurs_once(row)).collect();
            prop_assert_eq!(repeated, expected);
            prop_assert!(single.len() <= all.len() / 4 + 10, "{} of {}", single.len(), all.len());
        }
    }
}
