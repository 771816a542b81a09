//! `PairSettings`: the rule that decides which pairs are reported.

use std::num::NonZeroUsize;

use crate::compare::verify::Threshold;
use crate::search::matching::MatchSettings;

/// The rule that decides which pairs are reported.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSettings {
    /// The minimum Jaccard similarity, inclusive. Default: 0.8.
    pub threshold: Threshold,
    /// Reports each exact copy once, paired with the first document of its text. Default: all pairs.
    pub collapse_exact: bool,
    /// Skips pairs of documents that other pairs already connect, where that saves verifying them; exact copies are
    /// collapsed, too. The reported pairs connect the same documents as all pairs do. They come in document order
    /// within each of a few rounds. Has no effect with sides or groups. Default: all pairs.
    pub spanning: bool,
    /// Finds the candidates by an exhaustive join instead of signatures, so that no pair is missing. Needs a threshold
    /// above 0. Default: by signatures.
    pub all_pairs: bool,
    /// Reports the pairs that share enough passages, whatever their similarity, instead of the pairs that reach the
    /// threshold. Default: by similarity.
    pub by_passages: Option<MatchSettings>,
    /// Also compares the programs of each pair with their identifiers kept, by shingles of this many tokens. Default:
    /// no such comparison.
    pub kept_names: Option<NonZeroUsize>,
}
