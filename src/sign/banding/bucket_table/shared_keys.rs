//! `SharedKeys`: removes keys that occur once before the keys of a band are sorted.
//!
//! In a corpus of short records nearly every key occurs once, and makes no bucket. A key has a place in two sets of bits: the
//! first contains the places that a key has reached, the second those that a further key has reached. A key at a place
//! that only one has reached occurs once.

use crate::base::flat::bit_set::BitSet;
use crate::documents::document::DocId;

/// The number of places for each key, before rounding to a power of two: one in eight to sixteen keys that occur once has
/// a place with another key and stays.
const PLACES: usize = 8;

/// The sets of bits, whose memory is used for one band after another: 2 to 4 bytes for each key.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedKeys {
    reached: BitSet,
    shared: BitSet,
}

impl SharedKeys {
    /// Removes the keys that occur once, except for about one in ten. The order stays.
    pub(super) fn retain(&mut self, keys: &mut Vec<(u64, DocId)>) {
        let Self { reached, shared } = self;
        let num_places = (PLACES * keys.len()).next_power_of_two().max(64);
        // The sort uses the highest bits, so the keys that are left are still spread evenly.
        let place = |key: u64| key as usize & (num_places - 1);
        reached.reset(num_places);
        shared.reset(num_places);
        for &(key, _) in keys.iter() {
            if !reached.insert_new(place(key)) {
                shared.insert(place(key));
            }
        }
        keys.retain(|&(key, _)| shared.contains(place(key)));
    }
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
            let mut left = all.clone();
            // The sets are used again.
            let mut shared = SharedKeys::default();
            shared.retain(&mut vec![(7, DocId::new(0)); 5000]);
            shared.retain(&mut left);
            let (single, repeated): (Vec<_>, Vec<_>) = left.iter().copied().partition(occurs_once);
            let expected: Vec<_> = all.iter().copied().filter(|row| !occurs_once(row)).collect();
            prop_assert_eq!(repeated, expected);
            prop_assert!(single.len() <= all.len() / 4 + 10, "{} of {}", single.len(), all.len());
        }
    }
}
