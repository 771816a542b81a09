//! `PairSettings`: which pairs are reported.

use crate::verify::Threshold;

/// Which pairs are reported.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSettings {
    /// Least Jaccard similarity, inclusive. Default: 0.8.
    pub threshold: Threshold,
    /// Report each exact copy once, paired with the first document of its text. Default: all pairs.
    pub collapse_exact: bool,
}
