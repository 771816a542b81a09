//! `Cuts`: measures precision and recall on answered pairs, for each threshold that could be the best one.
//!
//! F1 is the harmonic mean of precision and recall (van Rijsbergen 1979). Lowering a threshold to a pair that is not a
//! duplicate only adds an error, so the best threshold equals the similarity of a duplicate. Only such thresholds are
//! measured.

use std::cmp::Ordering;

use crate::compare::verify::Threshold;
use crate::records::PairCounts;

/// A threshold, and how it classifies the answered pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThresholdCut {
    /// The threshold. Pairs at or above it are classified as duplicates.
    pub threshold: Threshold,
    /// The number of duplicates at or above the threshold, by the answers.
    pub yes_above: u64,
    /// The number of other pairs at or above the threshold.
    pub no_above: u64,
    /// The number of duplicates below the threshold.
    pub yes_below: u64,
}

/// How well thresholds classify the answered pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cuts {
    /// The number of pairs that are duplicates.
    pub yes: u64,
    /// The number of pairs that are not duplicates.
    pub no: u64,
    /// A cut for each similarity of a duplicate, the highest threshold first.
    pub cuts: Vec<ThresholdCut>,
    /// The cut at the current threshold.
    pub present: ThresholdCut,
}

impl ThresholdCut {
    fn new(threshold: Threshold, answered: &[(PairCounts, bool)]) -> Self {
        let count = |reaches: bool, is_duplicate: bool| {
            answered.iter().filter(|(counts, is)| counts.reaches(threshold) == reaches && *is == is_duplicate).count()
                as u64
        };
        Self { threshold, yes_above: count(true, true), no_above: count(true, false), yes_below: count(false, true) }
    }

    /// The share of duplicates among the pairs at or above the threshold; `None` without such pairs.
    pub fn precision(&self) -> Option<f64> {
        let above = self.yes_above + self.no_above;
        (above > 0).then(|| self.yes_above as f64 / above as f64)
    }

    /// The share of the duplicates that are at or above the threshold; `None` without duplicates.
    pub fn recall(&self) -> Option<f64> {
        let yes = self.yes_above + self.yes_below;
        (yes > 0).then(|| self.yes_above as f64 / yes as f64)
    }

    /// The harmonic mean of precision and recall; 0 when no duplicate is at or above the threshold.
    pub fn f1(&self) -> f64 {
        let (part, whole) = self.f1_parts();
        if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
    }

    /// F1 as a fraction: 2 TP / (2 TP + FP + FN).
    fn f1_parts(&self) -> (u64, u64) {
        (2 * self.yes_above, 2 * self.yes_above + self.no_above + self.yes_below)
    }

    /// Compares F1 exactly, in integers.
    fn cmp_f1(&self, other: &Self) -> Ordering {
        let ((part, whole), (other_part, other_whole)) = (self.f1_parts(), other.f1_parts());
        (u128::from(part) * u128::from(other_whole)).cmp(&(u128::from(other_part) * u128::from(whole)))
    }
}

impl Cuts {
    /// Measures the thresholds.
    ///
    /// * `answered`: pairs, and whether they are duplicates.
    /// * `present`: the current threshold.
    ///
    /// O(n²) time for n answers; n is small because a person gave them.
    pub(super) fn new(mut answered: Vec<(PairCounts, bool)>, present: Threshold) -> Self {
        answered.sort_by(|(a, _), (b, _)| cmp_similarity(*b, *a));
        let groups: Vec<&[(PairCounts, bool)]> =
            answered.chunk_by(|(a, _), (b, _)| cmp_similarity(*a, *b) == Ordering::Equal).collect();
        let cut = |(number, group): (usize, &&[(PairCounts, bool)])| {
            group.iter().any(|(_, is_duplicate)| *is_duplicate).then(|| {
                let below = groups.get(number + 1).map(|group| group[0].0);
                ThresholdCut::new(threshold_between(group[0].0, below), &answered)
            })
        };
        let yes = answered.iter().filter(|(_, is_duplicate)| *is_duplicate).count() as u64;
        Self {
            yes,
            no: answered.len() as u64 - yes,
            cuts: groups.iter().enumerate().filter_map(cut).collect(),
            present: ThresholdCut::new(present, &answered),
        }
    }

    /// The cut with the best F1; of several, the one with the highest threshold. `None` when all answers are the same.
    pub fn suggested(&self) -> Option<&ThresholdCut> {
        if self.yes == 0 || self.no == 0 {
            return None;
        }
        // Of equal elements, `max_by` returns the last.
        self.cuts.iter().rev().max_by(|a, b| a.cmp_f1(b))
    }
}

/// Compares similarities exactly.
fn cmp_similarity(a: PairCounts, b: PairCounts) -> Ordering {
    let product = |a: PairCounts, b: PairCounts| u128::from(a.intersection()) * u128::from(b.union());
    product(a, b).cmp(&product(b, a))
}

/// The threshold with the fewest decimals, at least two, that a pair reaches and the next pair below does not. It is
/// the pair's similarity rounded down.
fn threshold_between(pair: PairCounts, below: Option<PairCounts>) -> Threshold {
    let rounded = (2..=17u32).filter_map(|decimals| {
        let unit = 10u128.pow(decimals);
        let digits = u128::from(pair.intersection()) * unit / u128::from(pair.union());
        let value = format!("{digits}e-{decimals}").parse().expect("a decimal number");
        let threshold = Threshold::new(value).expect("a similarity is from 0 to 1");
        let separates = pair.reaches(threshold) && !below.is_some_and(|below| below.reaches(threshold));
        (separates && digits > 0).then_some(threshold)
    });
    // Beyond 17 digits two similarities are the same number.
    let nearest = || Threshold::new(pair.jaccard()).expect("a similarity is from 0 to 1");
    rounded.into_iter().next().unwrap_or_else(nearest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pair(shared: u64, union: u64) -> PairCounts {
        PairCounts {
            shared,
            shingles_a: union,
            shingles_b: shared,
            coverage: 0.0,
            matched: 0,
            longest: 0,
            kept: 0.0,
            raw: 0.0,
            estimate: 0.0,
            weights: None,
        }
    }

    fn present() -> Threshold {
        Threshold::default()
    }

    #[test]
    fn a_threshold_is_as_short_as_it_can_be() {
        for (at, below, threshold) in [
            ((9, 10), None, 0.9),
            ((2, 3), None, 0.66),
            ((2, 3), Some((662, 1000)), 0.666),
            ((2, 3), Some((66, 100)), 0.666),
            ((1, 1), Some((9_999, 10_000)), 1.0),
            ((1, 300), None, 0.003),
        ] {
            let found = threshold_between(pair(at.0, at.1), below.map(|(shared, union)| pair(shared, union)));
            assert_eq!(found, Threshold::new(threshold).unwrap(), "{at:?} {below:?}");
        }
    }

    #[test]
    fn answers_of_one_kind_suggest_nothing() {
        for answer in [true, false] {
            let cuts = Cuts::new(vec![(pair(8, 10), answer), (pair(9, 10), answer)], present());
            assert_eq!(cuts.suggested(), None);
        }
        assert_eq!(Cuts::new(Vec::new(), present()).suggested(), None);
    }

    #[test]
    fn of_equal_f1_the_highest_threshold_is_suggested() {
        // At 0.9: 1 of 2, none wrong: F1 2/3. At 0.5: both, 2 wrong: 4/6.
        let answered = vec![(pair(9, 10), true), (pair(7, 10), false), (pair(6, 10), false), (pair(5, 10), true)];
        let cuts = Cuts::new(answered, present());
        assert_eq!(cuts.cuts.iter().map(ThresholdCut::f1).collect::<Vec<_>>(), [2.0 / 3.0; 2]);
        assert_eq!(cuts.suggested().unwrap().threshold, Threshold::new(0.9).unwrap());
    }

    proptest! {
        /// The slow algorithm tries a threshold at every answered pair.
        #[test]
        fn the_suggestion_is_the_best_of_all_thresholds(
            answers in prop::collection::vec((1u64..40, 1u64..12, any::<bool>()), 0..25),
        ) {
            let answered: Vec<(PairCounts, bool)> =
                answers.iter().map(|&(shared, more, answer)| (pair(shared, shared + more), answer)).collect();
            let cuts = Cuts::new(answered.clone(), present());
            let similarity = |counts: PairCounts| counts.shared as f64 / counts.union() as f64;
            let measure = |least: f64| {
                let count = |above: bool, is: bool| answered
                    .iter()
                    .filter(|(counts, answer)| (similarity(*counts) >= least) == above && *answer == is)
                    .count() as f64;
                let (tp, fp, missed) = (count(true, true), count(true, false), count(false, true));
                (tp, fp, missed, if tp == 0.0 { 0.0 } else { 2.0 * tp / (2.0 * tp + fp + missed) })
            };
            let mut best: Option<(f64, f64)> = None;
            for &(counts, _) in &answered {
                let least = similarity(counts);
                let (.., f1) = measure(least);
                if best.is_none_or(|(best_f1, at)| f1 > best_f1 || f1 == best_f1 && least > at) {
                    best = Some((f1, least));
                }
            }
            let is_mixed = answered.iter().any(|(_, is)| *is) && answered.iter().any(|(_, is)| !*is);
            match cuts.suggested() {
                None => prop_assert!(!is_mixed),
                Some(cut) => {
                    prop_assert!(is_mixed);
                    let (f1, least) = best.unwrap();
                    let (tp, fp, missed, _) = measure(least);
                    prop_assert_eq!((cut.f1(), cut.yes_above as f64, cut.no_above as f64, cut.yes_below as f64), (f1, tp, fp, missed));
                    prop_assert_eq!(cut.precision(), Some(tp / (tp + fp)));
                    prop_assert_eq!(cut.recall(), Some(tp / (tp + missed)));
                }
            }
            // Each threshold gives the same counts after it is printed and parsed.
            for cut in &cuts.cuts {
                let read: f64 = cut.threshold.value().to_string().parse().unwrap();
                prop_assert_eq!(Threshold::new(read).unwrap(), cut.threshold);
                let (tp, fp, missed, _) = measure(cut.threshold.value());
                prop_assert_eq!((cut.yes_above as f64, cut.no_above as f64, cut.yes_below as f64), (tp, fp, missed));
            }
        }
    }
}
