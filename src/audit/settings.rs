//! `AuditSettings`: how many documents are drawn.

use std::num::NonZeroU64;

/// How the recall of a run is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditSettings {
    /// Draws so many texts, or all when there are fewer. Default: as many as have [`ENOUGH_PAIRS`](Self::ENOUGH_PAIRS) found pairs,
    /// or all.
    pub num_texts: Option<NonZeroU64>,
}

impl AuditSettings {
    /// From so many pairs on, a recall of 0.999 is known to within 0.0007.
    pub const ENOUGH_PAIRS: usize = 10_000;
}
