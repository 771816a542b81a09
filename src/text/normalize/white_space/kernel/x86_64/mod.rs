//! Loops for the vector instructions of x86-64.
//!
//! ```text
//! kept = !(spaces & (spaces << 1 | after_space))
//! ```
//!
//! The kept bytes of a chunk are stored at once. A chunk ends before its first multi-byte white-space character, which
//! is folded separately.

mod avx2;
mod avx512;

use super::{FoldSpaces, white_space_len};

/// Every implementation that this processor can run, with its name, the fastest last.
pub(super) fn available() -> Vec<(&'static str, FoldSpaces)> {
    avx2::available().into_iter().chain(avx512::available()).collect()
}
