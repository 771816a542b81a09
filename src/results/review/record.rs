//! `ReviewRecord`: the measured thresholds of a review as one JSON object, for scripts.

use serde::{Deserialize, Serialize};

use super::cuts::ThresholdCut;
use super::questions::Review;

/// The object that `dedup review --json` prints. Later versions only add keys. The measures refer only to answered
/// pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewRecord {
    /// The threshold that is reviewed.
    pub threshold: f64,
    /// The number of pairs of the result.
    pub pairs: u64,
    /// The number of pairs that were answered with yes or no.
    pub answered: u64,
    /// The number of pairs that are duplicates, by the answers.
    pub yes: u64,
    /// The number of pairs that are not duplicates, by the answers.
    pub no: u64,
    /// The number of pairs that were skipped.
    pub skipped: u64,
    /// The number of answers about pairs that are not in the result.
    pub foreign: u64,
    /// The cut with the best F1; null when all answers are the same.
    pub suggested: Option<CutRecord>,
    /// The cut at the threshold that is reviewed.
    pub present: CutRecord,
    /// The cuts at every threshold that could be the best, the highest first.
    pub cuts: Vec<CutRecord>,
}

/// A threshold, and how it classifies the answered pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CutRecord {
    /// The threshold.
    pub threshold: f64,
    /// The share of duplicates among the pairs at or above the threshold; null without such pairs.
    pub precision: Option<f64>,
    /// The share of the duplicates that are at or above the threshold; null without duplicates.
    pub recall: Option<f64>,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
    /// The number of duplicates at or above the threshold.
    pub yes_above: u64,
    /// The number of other pairs at or above the threshold.
    pub no_above: u64,
    /// The number of duplicates below the threshold.
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
