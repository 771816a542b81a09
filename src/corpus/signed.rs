//! `Signed`: what signing finds in a text beside its signature.

use crate::shingle::Cut;

/// What signing found in a text with shingles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) cut: Cut,
    /// Shingles removed, repeats counted.
    pub(super) num_removed: u64,
    /// Whether any shingle remains, and so there is a signature.
    pub(super) has_remaining: bool,
}
