//! `ReviewRecord`: what the answers say of thresholds as one JSON object, for scripts.

use serde::{Deserialize, Serialize};

use super::cuts::ThresholdCut;
use super::questions::Review;

/// The object that `dedup review --json` prints. Keys are only ever added. All numbers are of the answered pairs alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRecord {
    /// The threshold that is reviewed.
    pub threshold: f64,
    /// Pairs of the result.
    pub pairs: u64,
    /// Pairs that were answered with yes or no.
    pub answered: u64,
    /// Those that are duplicates.
    pub yes: u64,
    /// Those that are not.
    pub no: u64,
    /// Pairs that were left open.
    pub skipped: u64,
    /// Answers that are of no pair of the result.
    pub foreign: u64,
    /// The best of the cuts; null when all answers are of one kind.
    pub suggested: Option<CutRecord>,
    /// The threshold that is reviewed.
    pub present: CutRecord,
    /// Every threshold that could be the best, the highest first.
    pub cuts: Vec<CutRecord>,
}

/// A threshold and what it makes of the answered pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutRecord {
    /// The threshold.
    pub threshold: f64,
    /// The share of duplicates among the pairs at or above; null when there are none.
    pub precision: Option<f64>,
    /// The share of the duplicates that are at or above; null when there are no duplicates.
    pub recall: Option<f64>,
    /// The harmonic mean of both.
    pub f1: f64,
    /// Duplicates at or above.
    pub yes_above: u64,
    /// Other pairs at or above.
    pub no_above: u64,
    /// Duplicates below.
    pub yes_below: u64,
}

impl ReviewRecord {
    /// The record of a review.
    pub fn new(review: &Review) -> Self {
        let cuts = review.cuts();
        Self {
            threshold: review.threshold().value(),
            pairs: review.num_pairs(),
            answered: cuts.yes + cuts.no,
            yes: cuts.yes,
            no: cuts.no,
            skipped: review.num_skipped(),
            foreign: review.num_foreign(),
            suggested: cuts.suggested().map(CutRecord::new),
            present: CutRecord::new(&cuts.present),
            cuts: cuts.cuts.iter().map(CutRecord::new).collect(),
        }
    }
}

impl CutRecord {
    fn new(cut: &ThresholdCut) -> Self {
        let ThresholdCut { threshold, yes_above, no_above, yes_below } = *cut;
        let (precision, recall, f1) = (cut.precision(), cut.recall(), cut.f1());
        Self { threshold: threshold.value(), precision, recall, f1, yes_above, no_above, yes_below }
    }
}
