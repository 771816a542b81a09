//! Sorting by a 64-bit key that is a hash: most-significant-digit radix sort, the core of shingle sets and buckets.
//!
//! Hashes are spread evenly, so one counting pass over enough leading bits leaves groups of a few items, which an
//! insertion sort finishes. Other keys are sorted correctly too: a large group is split by its next bits.

/// Below this length a comparison sort is faster than counting.
const SMALL: usize = 24;
/// The maximum number of bits of one counting pass; 2¹¹ counters and as many write positions stay in the first-level
/// cache.
const MAX_BITS: u32 = 11;

/// Sorts `items` by `key`, ascending; items with equal keys end up in any order.
///
/// `scratch` grows to `items.len()` and can be reused. O(n) for keys that are spread evenly.
pub(crate) fn sort_by_hash<T: Copy>(items: &mut [T], scratch: &mut Vec<T>, key: impl Fn(&T) -> u64 + Copy) {
    if let Some(&first) = items.first() {
        if scratch.len() < items.len() {
            scratch.resize(items.len(), first);
        }
        let scratch = &mut scratch[..items.len()];
        sort_digits(items, scratch, key, 64);
    }
}

/// Sorts `items`, whose keys agree above bit `bits`, by the `bits` lowest bits.
fn sort_digits<T: Copy>(items: &mut [T], scratch: &mut [T], key: impl Fn(&T) -> u64 + Copy, bits: u32) {
    if items.len() <= SMALL {
        return insertion_sort(items, key);
    }
    let first = key(&items[0]);
    if items.iter().all(|item| key(item) == first) {
        // All keys are equal, as in a bucket of near-duplicates: no digit can split them.
        return;
    }
    let digit_bits = (items.len().ilog2() - 2).clamp(1, MAX_BITS).min(bits);
    let shift = bits - digit_bits;
    let mask = (1usize << digit_bits) - 1;
    let digit = |item: &T| (key(item) >> shift) as usize & mask;

    let mut ends = [0u32; 1 << MAX_BITS];
    let ends = &mut ends[..=mask];
    if u32::try_from(items.len()).is_err() {
        // 2³² items or more are far beyond the rows of a table, so a simple and slow sort will do.
        return items.sort_unstable_by_key(key);
    }
    for item in items.iter() {
        ends[digit(item)] += 1;
    }
    let mut start = 0;
    for end in ends.iter_mut() {
        start += std::mem::replace(end, start);
    }
    for item in items.iter() {
        let position = &mut ends[digit(item)];
        scratch[*position as usize] = *item;
        *position += 1;
    }
    items.copy_from_slice(scratch);
    let mut start = 0;
    for &end in ends.iter() {
        let end = end as usize;
        if end - start > 1 {
            sort_digits(&mut items[start..end], &mut scratch[start..end], key, shift);
        }
        start = end;
    }
}

#[inline]
fn insertion_sort<T: Copy>(items: &mut [T], key: impl Fn(&T) -> u64) {
    for next in 1..items.len() {
        let item = items[next];
        let mut hole = next;
        while hole > 0 && key(&items[hole - 1]) > key(&item) {
            items[hole] = items[hole - 1];
            hole -= 1;
        }
        items[hole] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(mut items: Vec<(u64, u32)>) {
        let mut expected = items.clone();
        expected.sort_unstable();
        sort_by_hash(&mut items, &mut Vec::new(), |item| item.0);
        assert!(items.is_sorted_by_key(|item| item.0));
        items.sort_unstable();
        assert_eq!(items, expected, "the sort must only move items");
    }

    proptest! {
        #[test]
        fn spread_keys_are_sorted(keys in prop::collection::vec(any::<u64>(), 0..5000)) {
            check(keys.into_iter().zip(0..).collect());
        }

        #[test]
        fn crowded_keys_are_sorted(keys in prop::collection::vec(prop_oneof![0u64..40, Just(u64::MAX)], 0..500)) {
            check(keys.into_iter().zip(0..).collect());
        }
    }
}
