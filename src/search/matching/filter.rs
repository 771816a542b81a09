//! `MatchFilter`: excludes pairs of texts that cannot match, without aligning them.
//!
//! The common hashes of two texts bound the number of tokens that can match ([`CommonRuns`]). There are two methods to
//! compute this bound. One goes through the shorter text of each pair, with a table of the longer one ([`RunFilter`]).
//! The other goes through each text once, with lists of the texts that have each hash ([`HashLists`]). Its cost depends
//! on what texts have in common and not on their length, but the lists have to be built first. In a cluster with a
//! common header many pairs share a line, and the lists are many times faster.

use rayon::prelude::*;

use super::hash_lists::{HashLists, ListTally, TextHashes};
use super::settings::MatchSettings;
use crate::base::flat::per_thread::PerThread;
use crate::compare::passages::{CommonRuns, RunFilter, RunLimits};

/// The number of hashes that the first method goes through in the time that the second method needs to add one hash to its
/// lists.
const LIST_COST: u64 = 24;

/// A pair by the numbers of its texts: the shorter text first.
pub(super) type NumberedPair = [u32; 2];

/// Finds the pairs that may match; keeps its buffers.
pub(super) struct MatchFilter {
    settings: MatchSettings,
    limits: RunLimits,
    tools: PerThread<(RunFilter, ListTally)>,
}

impl MatchFilter {
    pub(super) fn new(settings: MatchSettings, num_threads: usize) -> Self {
        let limits = RunLimits::new(settings.passages);
        Self { settings, limits, tools: PerThread::new(num_threads, Default::default) }
    }

    /// The pairs that may match, in no particular order; in the thread pool.
    ///
    /// * `texts`: in ascending order of their numbers of hashes.
    pub(super) fn left(&self, pairs: Vec<NumberedPair>, texts: &[TextHashes<'_>]) -> Vec<NumberedPair> {
        let len = |text: &TextHashes| text.hashes.len() as u64;
        let of_pairs: u64 = pairs.iter().map(|&[shorter, _]| len(&texts[shorter as usize])).sum();
        let of_lists: u64 = texts.iter().map(len).sum();
        if of_pairs > LIST_COST * of_lists {
            self.left_by_lists(pairs, texts)
        } else {
            self.left_by_pairs(pairs, texts)
        }
    }

    fn left_by_pairs(&self, mut pairs: Vec<NumberedPair>, texts: &[TextHashes<'_>]) -> Vec<NumberedPair> {
        pairs.par_sort_unstable_by_key(|&[shorter, longer]| (longer, shorter));
        let same_longer: Vec<_> = pairs.chunk_by(|pair, next| pair[1] == next[1]).collect();
        let left = |pairs: &&[NumberedPair]| {
            let filter = &mut self.tools.get().0;
            filter.index(texts[pairs[0][1] as usize].hashes);
            let may_match = |&&[shorter, longer]: &&NumberedPair| {
                let [shorter, longer] = [shorter, longer].map(|number| &texts[number as usize]);
                self.may_match(filter.common_runs(shorter.hashes, self.limits), shorter, longer)
            };
            pairs.iter().filter(may_match).copied().collect::<Vec<_>>()
        };
        same_longer.par_iter().with_max_len(16).flat_map_iter(left).collect()
    }

    fn left_by_lists(&self, mut pairs: Vec<NumberedPair>, texts: &[TextHashes<'_>]) -> Vec<NumberedPair> {
        let lists = HashLists::new(texts);
        pairs.par_sort_unstable();
        let same_shorter: Vec<_> = pairs.chunk_by(|pair, next| pair[0] == next[0]).collect();
        let left = |pairs: &&[NumberedPair]| {
            let tally = &mut self.tools.get().1;
            let number = pairs[0][0];
            let shorter = &texts[number as usize];
            tally.count(&lists, number, shorter, texts.len(), self.limits);
            let may_match = |&&[_, longer]: &&NumberedPair| {
                self.may_match(tally.common_runs(longer), shorter, &texts[longer as usize])
            };
            pairs.iter().filter(may_match).copied().collect::<Vec<_>>()
        };
        same_shorter.par_iter().with_max_len(16).flat_map_iter(left).collect()
    }

    /// Whether two texts may match, according to their common hashes.
    fn may_match(&self, common: CommonRuns, shorter: &TextHashes, longer: &TextHashes) -> bool {
        let most_tokens = common.most_tokens().into();
        // Texts shorter than an anchor have no passage, so their hashes cannot exclude that they are equal.
        let is_short = shorter.num_tokens < self.settings.passages.anchor() as u64;
        let may_be_equal = longer.num_tokens == shorter.num_tokens && (is_short || most_tokens == shorter.num_tokens);
        may_be_equal || self.settings.is_enough(most_tokens, shorter.num_tokens)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::compare::passages::PassageSettings;
    use crate::compare::verify::Threshold;
    use crate::text::shingle::ShingleKind;

    /// The common runs of two texts, found hash by hash of the shorter one.
    fn common_runs(shorter: &TextHashes, longer: &TextHashes, limits: RunLimits) -> CommonRuns {
        let mut common = CommonRuns::default();
        let is_common = |at: &usize| longer.hashes.contains(&shorter.hashes[*at]);
        (0..shorter.hashes.len()).filter(is_common).for_each(|at| common.add(at as u32, limits));
        common
    }

    proptest! {
        #[test]
        fn both_ways_leave_the_pairs_that_share_enough(
            texts in prop::collection::vec((prop::collection::vec((0u32..30, any::<bool>()), 0..60), 0u32..2), 1..14),
            min_run in 1usize..6,
            more in 0usize..4,
            min_matched in 0u64..20,
        ) {
            let spread = |&(hash, is_own): &(u32, bool)| (hash + 2 + u32::from(is_own) * 1000).wrapping_mul(0x9E37_79B1);
            let mut hashes: Vec<(Vec<u32>, u32)> =
                texts.iter().map(|(text, salt)| (text.iter().map(spread).collect(), *salt << 9)).collect();
            hashes.sort_by_key(|(hashes, _)| hashes.len());
            let texts: Vec<TextHashes> = hashes
                .iter()
                .enumerate()
                .map(|(number, (hashes, salt))| {
                    let more = if hashes.is_empty() { number % min_run } else { hashes.len() + min_run - 1 };
                    TextHashes { hashes, num_tokens: more as u64, salt: *salt }
                })
                .collect();
            let settings = MatchSettings {
                coverage: Threshold::new(0.3).unwrap(),
                min_matched,
                passages: PassageSettings::new(min_run, min_run + more, 3).unwrap(),
                ..MatchSettings::of(ShingleKind::Word).unwrap()
            };
            let numbers = || 0..texts.len() as u32;
            let pairs: Vec<NumberedPair> = numbers()
                .flat_map(|shorter| (shorter + 1..texts.len() as u32).map(move |longer| [shorter, longer]))
                .filter(|pair| texts[pair[0] as usize].salt == texts[pair[1] as usize].salt)
                .collect();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let filter = MatchFilter::new(settings, 2);
            let is_expected = |pair: &&NumberedPair| {
                let [shorter, longer] = pair.map(|number| &texts[number as usize]);
                filter.may_match(common_runs(shorter, longer, filter.limits), shorter, longer)
            };
            let expected: Vec<NumberedPair> = pairs.iter().filter(is_expected).copied().collect();
            for round in 0..2 {
                let [mut by_pairs, mut by_lists] = pool.install(|| {
                    [filter.left_by_pairs(pairs.clone(), &texts), filter.left_by_lists(pairs.clone(), &texts)]
                });
                by_pairs.sort_unstable();
                by_lists.sort_unstable();
                prop_assert_eq!(&by_pairs, &expected, "{}", round);
                prop_assert_eq!(&by_lists, &expected, "{}", round);
            }
        }
    }
}
