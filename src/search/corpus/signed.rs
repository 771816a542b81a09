//! `Signed`: the facts about a text that signing finds in addition to its signature.

use crate::text::shingle::Cut;

/// The facts about a text with shingles that signing finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) cut: Cut,
    /// The number of removed shingles, repeats counted.
    pub(super) num_removed: u64,
    /// Whether any shingle remains, so that the text has a signature.
    pub(super) has_remaining: bool,
}
