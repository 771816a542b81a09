//! `PairSettings`: which pairs are reported.

use std::num::NonZeroUsize;

use crate::matching::MatchSettings;
use crate::verify::Threshold;

/// Which pairs are reported.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSettings {
    /// Least Jaccard similarity, inclusive. Default: 0.8.
    pub threshold: Threshold,
    /// Report each exact copy once, paired with the first document of its text. Default: all pairs.
    pub collapse_exact: bool,
    /// Leave out pairs of documents that other pairs connect already, where that saves verifying them; exact copies are
    /// collapsed, too. The pairs connect the same documents as all pairs do, and come in document order in each of a few
    /// rounds. Has no effect with sides or groups. Default: all pairs.
    pub spanning: bool,
    /// Find the candidates by an exhaustive join in place of signatures, so that no pair is missing. Needs a threshold above 0.
    /// Default: by signatures.
    pub all_pairs: bool,
    /// Report the pairs that share enough passages, whatever their similarity, in place of those that reach the threshold.
    /// Default: by similarity.
    pub by_passages: Option<MatchSettings>,
    /// Compare the programs of each pair also with their names kept, by shingles of so many tokens. Default: none.
    pub kept_names: Option<NonZeroUsize>,
}
