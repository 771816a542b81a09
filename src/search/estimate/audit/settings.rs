//! `AuditSettings`: how many texts an audit draws.

use std::num::NonZeroU64;

/// How an audit measures the recall of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditSettings {
    /// The number of texts to draw; all texts if there are fewer. Default: as many texts as have
    /// [`ENOUGH_PAIRS`](Self::ENOUGH_PAIRS) found pairs, or all texts.
    pub num_texts: Option<NonZeroU64>,
}

impl AuditSettings {
    /// The number of pairs from which on a recall of 0.999 is known to within 0.0007.
    pub const ENOUGH_PAIRS: usize = 10_000;
}
