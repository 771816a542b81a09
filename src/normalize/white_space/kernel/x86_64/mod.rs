//! The loops for the vector instructions of x86-64.
//!
//! ```text
//! kept = !(spaces & (spaces << 1 | after_space))
//! ```
//!
//! The bytes of a chunk that are kept are stored at once. A chunk ends before the first wide white-space character in it,
//! which is folded by itself.

mod avx2;
mod avx512;

use super::{FoldSpaces, white_space_len};

/// Those that this processor can run, the fastest last.
pub(super) fn available() -> Vec<(&'static str, FoldSpaces)> {
    avx2::available().into_iter().chain(avx512::available()).collect()
}
