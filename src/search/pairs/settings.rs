//! `PairSettings`: the rule that decides which pairs are reported, and `PairSource`: how they are found.

use std::num::NonZeroUsize;

use crate::compare::passages::PassageSettings;
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
    /// How the pairs are found. Default: by the bands of signatures.
    pub source: PairSource,
    /// Also compares the programs of each pair with their identifiers kept, by shingles of this many tokens. Default:
    /// no such comparison.
    pub kept_names: Option<NonZeroUsize>,
}

impl PairSettings {
    /// The minimum similarity of a pair; `None` if passages decide which pairs are reported, whatever their similarity.
    pub fn min_similarity(&self) -> Option<Threshold> {
        match self.source {
            PairSource::Bands | PairSource::AllPairs => Some(self.threshold),
            PairSource::Passages(_) => None,
        }
    }
}

/// How a run finds its pairs.
///
/// The `match` expressions over it have no wildcard, so the compiler finds every position that a new source concerns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum PairSource {
    /// The bands of signatures find candidates, and those that reach the threshold are pairs. A pair is missing if no band
    /// of its signatures agrees.
    #[default]
    Bands,
    /// An exhaustive join finds candidates, and those that reach the threshold are pairs. No pair is missing. The
    /// threshold must be above 0.
    AllPairs,
    /// Documents that share enough passages are pairs, whatever their similarity.
    Passages(MatchSettings),
}

impl PairSource {
    /// Whether signatures and their bands find the candidates.
    pub fn is_banded(self) -> bool {
        match self {
            Self::Bands => true,
            Self::AllPairs | Self::Passages(_) => false,
        }
    }

    /// Whether all documents are read again to find the pairs, so that it is faster to keep their texts in memory.
    pub(crate) fn reads_again(self) -> bool {
        match self {
            Self::Bands => false,
            Self::AllPairs | Self::Passages(_) => true,
        }
    }

    /// The requirements of pairs that match by their passages; `None` if similarity decides.
    pub fn matching(self) -> Option<MatchSettings> {
        match self {
            Self::Bands | Self::AllPairs => None,
            Self::Passages(matching) => Some(matching),
        }
    }

    /// The definition of a passage, for pairs that match by their passages.
    pub(crate) fn passages(self) -> Option<PassageSettings> {
        self.matching().map(|matching| matching.passages)
    }

    /// Whether pairs are copied blocks, also within one document.
    pub fn finds_blocks(self) -> bool {
        self.matching().is_some_and(|matching| matching.blocks)
    }
}
