//! The prefix of a text: enough of its rarest shingles that any two texts at the threshold share a shingle that is in
//! the prefixes of both.
//!
//! All shingles have one order: by the number of texts that contain them, rare ones first, then by their hashes. The
//! *rest* of a text at a shingle is the number of its shingles from there to the end of the order, that shingle
//! included; where shingles have weights, it is their total weight. Two sets of sizes a and b that reach the threshold
//! share at least o shingles, so at the first one that they share, both have a rest of at least o. That shingle is
//! therefore among the first a - o + 1 of one text and the first b - o + 1 of the other (AllPairs: Bayardo, Ma and
//! Srikant 2007; PPJoin: Xiao et al. 2011).

use super::frequencies::Frequencies;
use super::shingle_parts::ShingleParts;
use crate::compare::verify::Threshold;

/// The number of shingles in the prefix of a text of `size` shingles, whatever the size of the other text.
pub(super) fn prefix_len(size: u64, threshold: Threshold) -> u64 {
    size - least_rest(size, threshold) + 1
}

/// The minimum rest at a shingle of the prefix.
fn least_rest(size: u64, threshold: Threshold) -> u64 {
    // The other text has at least this size, and may share all of its shingles.
    threshold.least_size(size).max(1).min(size)
}

/// Finds the prefixes of texts, one after another, in the same buffers.
#[derive(Default)]
pub(super) struct PrefixFinder {
    /// The shingles that other texts may contain, each with its frequency.
    common: Vec<(u16, u64)>,
    /// The shingles that other texts may contain, with frequency, hash and weight.
    weighted: Vec<(u16, u64, u32)>,
}

impl PrefixFinder {
    /// Calls `visit` with the hash of each prefix shingle that another text may contain, and with the rest at it. For a
    /// text in several parts there may be more shingles, and the rest may be greater than it is.
    ///
    /// * `size`: the number of the text's distinct shingles, or their weight where they have weights.
    /// * `look`: receives all shingles of the text, in parts.
    pub(super) fn find_in(
        &mut self,
        parts: &mut ShingleParts<'_, '_>,
        size: u64,
        frequencies: &Frequencies,
        threshold: Threshold,
        mut look: impl FnMut(&[u64]),
        mut visit: impl FnMut(u64, u64),
    ) {
        if parts.is_whole() {
            return parts.for_each(|hashes, weights| {
                look(hashes);
                match weights {
                    [] => self.find(hashes, frequencies, threshold, &mut visit),
                    weights => self.find_by_weight((hashes, weights), size, frequencies, threshold, &mut visit),
                }
            });
        }
        // Shingles of the same frequency are not sorted here. Each gets the rest of the first of them, so no pair is
        // lost.
        let mut before = vec![0; 1 + usize::from(u16::MAX)];
        parts.for_each(|hashes, weights| {
            look(hashes);
            for (position, &hash) in hashes.iter().enumerate() {
                before[usize::from(frequencies.of(hash))] += weights.get(position).map_or(1, |&weight| weight.into());
            }
        });
        let mut sum = 0u64;
        for before in &mut before {
            sum += std::mem::replace(before, sum);
        }
        let least = least_rest(size, threshold);
        parts.for_each(|hashes, _| {
            for &hash in hashes {
                let frequency = frequencies.of(hash);
                let rest = size - before[usize::from(frequency)];
                if frequency > 1 && rest >= least {
                    visit(hash, rest);
                }
            }
        });
    }

    /// Does the work of [`find_in`](Self::find_in) for a whole text, by weight and in the order of shingles.
    fn find_by_weight(
        &mut self,
        (hashes, weights): (&[u64], &[u32]),
        size: u64,
        frequencies: &Frequencies,
        threshold: Threshold,
        mut visit: impl FnMut(u64, u64),
    ) {
        let least = least_rest(size, threshold);
        let common = &mut self.weighted;
        common.clear();
        let all = hashes.iter().zip(weights).map(|(&hash, &weight)| (frequencies.of(hash), hash, weight));
        common.extend(all.filter(|&(frequency, ..)| frequency > 1));
        // Shingles that only this text contains come first in the order, and are skipped because they make no pair.
        let mut rest: u64 = common.iter().map(|&(_, _, weight)| u64::from(weight)).sum();
        debug_assert!(rest <= size, "a size is the weight of all");
        common.sort_unstable();
        for &(_, hash, weight) in common.iter() {
            if rest < least {
                return;
            }
            visit(hash, rest);
            rest -= u64::from(weight);
        }
    }

    /// Does the work of [`find_in`](Self::find_in) for a whole text without weights, in the order of shingles.
    ///
    /// * `hashes`: the distinct shingles of the text.
    fn find(
        &mut self,
        hashes: &[u64],
        frequencies: &Frequencies,
        threshold: Threshold,
        mut visit: impl FnMut(u64, u64),
    ) {
        let len = prefix_len(hashes.len() as u64, threshold) as usize;
        let common = &mut self.common;
        common.clear();
        common.extend(hashes.iter().map(|&hash| (frequencies.of(hash), hash)).filter(|&(frequency, _)| frequency > 1));
        // Shingles that only this text contains come first in the order, and are skipped because they make no pair.
        let num_alone = hashes.len() - common.len();
        let Some(wanted) = len.checked_sub(num_alone).filter(|&wanted| wanted > 0) else { return };
        if wanted < common.len() {
            common.select_nth_unstable(wanted);
            common.truncate(wanted);
        }
        common.sort_unstable();
        for (position, &(_, hash)) in (num_alone..).zip(common.iter()) {
            visit(hash, (hashes.len() - position) as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pairs_at_the_threshold_share_a_shingle_of_both_prefixes_with_enough_behind_it(
            sets in prop::collection::vec(prop::collection::btree_set(0u64..60, 1..50), 2..12),
            percent in 1u32..=100,
            most_bytes in prop_oneof![Just(0), Just(1 << 20)],
        ) {
            let hash = |number: &u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
            let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
            let frequencies = Frequencies::new(1 << 14, most_bytes).unwrap();
            let hashes: Vec<Vec<u64>> = sets.iter().map(|set| set.iter().map(hash).collect()).collect();
            hashes.iter().for_each(|hashes| frequencies.add(hashes));
            let mut finder = PrefixFinder::default();
            let prefixes: Vec<Vec<(u64, u64)>> = hashes.iter().map(|hashes| {
                let mut prefix = Vec::new();
                finder.find(hashes, &frequencies, threshold, |hash, rest| prefix.push((hash, rest)));
                prefix
            }).collect();
            for a in 0..sets.len() {
                for b in 0..a {
                    let shared = sets[a].intersection(&sets[b]).count() as u64;
                    let (len_a, len_b) = (sets[a].len() as u64, sets[b].len() as u64);
                    if !threshold.is_met(shared, len_a + len_b - shared) {
                        continue;
                    }
                    let least = threshold.least_shared(len_a, len_b);
                    let enough = |prefix: &[(u64, u64)]| -> BTreeSet<u64> {
                        let enough = prefix.iter().filter(|&&(_, rest)| rest >= least);
                        enough.map(|&(hash, _)| hash).collect()
                    };
                    prop_assert!(!enough(&prefixes[a]).is_disjoint(&enough(&prefixes[b])));
                }
            }
        }

        #[test]
        fn pairs_at_the_threshold_by_weight_share_a_shingle_of_both_prefixes_with_enough_behind_it(
            sets in prop::collection::vec(prop::collection::btree_set(0u64..60, 1..50), 2..12),
            percent in 1u32..=100,
            most_bytes in prop_oneof![Just(0), Just(1 << 20)],
        ) {
            let hash = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
            let weight = |number: u64| [1u32, 500, 70_000, 3, 9_000_000][number as usize % 5];
            let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
            let frequencies = Frequencies::new(1 << 14, most_bytes).unwrap();
            let hashes: Vec<Vec<u64>> = sets.iter().map(|set| set.iter().copied().map(hash).collect()).collect();
            hashes.iter().for_each(|hashes| frequencies.add(hashes));
            let weigh = |set: &BTreeSet<u64>| set.iter().map(|&number| u64::from(weight(number))).sum::<u64>();
            let mut finder = PrefixFinder::default();
            let prefixes: Vec<Vec<(u64, u64)>> = sets.iter().zip(&hashes).map(|(set, hashes)| {
                let (weights, mut prefix) = (set.iter().copied().map(weight).collect::<Vec<_>>(), Vec::new());
                let visit = |hash, rest| prefix.push((hash, rest));
                finder.find_by_weight((hashes, &weights), weigh(set), &frequencies, threshold, visit);
                prefix
            }).collect();
            for a in 0..sets.len() {
                for b in 0..a {
                    let shared = weigh(&sets[a].intersection(&sets[b]).copied().collect());
                    let (of_a, of_b) = (weigh(&sets[a]), weigh(&sets[b]));
                    if !threshold.is_met(shared, of_a + of_b - shared) || shared == 0 {
                        continue;
                    }
                    let least = threshold.least_shared(of_a, of_b);
                    let enough = |prefix: &[(u64, u64)]| -> BTreeSet<u64> {
                        let enough = prefix.iter().filter(|&&(_, rest)| rest >= least);
                        enough.map(|&(hash, _)| hash).collect()
                    };
                    prop_assert!(!enough(&prefixes[a]).is_disjoint(&enough(&prefixes[b])));
                }
            }
        }
    }
}
