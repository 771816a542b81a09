//! A strict run ends at the first input that cannot be used, which must be the same one every time.

use std::sync::atomic::{AtomicU64, Ordering};

use super::part::Part;

/// Ends a strict run early, at the same place every time: the first piece with an error.
pub(super) struct Strict {
    is_strict: bool,
    first: AtomicU64,
}

impl Strict {
    pub(super) fn new(is_strict: bool) -> Self {
        Self { is_strict, first: AtomicU64::new(u64::MAX) }
    }

    /// Whether the piece is not behind all errors so far.
    pub(super) fn wants(&self, number: u64) -> bool {
        number <= self.first.load(Ordering::Relaxed)
    }

    pub(super) fn see(&self, part: &Part) {
        if self.is_strict && part.has_error() {
            self.first.fetch_min(part.number, Ordering::Relaxed);
        }
    }
}
