//! Shingles: turns a normalised text into 64-bit shingle hashes, as a stream of blocks or as a set.
//!
//! A shingle is `shingle_size` consecutive tokens; its hash is `xxh3_64` (seed 0) of its UTF-8 bytes (Broder 1997, MMDS
//! 3.2). Hashes are passed on in blocks, so a text of any length is signed in constant memory.
//!
//! `kinds` has a file for each way to cut a text; `bag` numbers the occurrences of a shingle; `tokens` contains the
//! tokens of a text with their byte ranges.

mod bag;
mod hashes;
mod kinds;
mod set;
mod settings;
mod shingler;
mod tokens;

pub use self::hashes::ShingleHashes;
pub(crate) use self::hashes::{BLOCK_LEN, Cut};
pub use self::kinds::{Language, ShingleKind, StopWords};
pub use self::set::ShingleSet;
pub(crate) use self::set::{ShingleNumbers, ShingleSetBuilder};
pub use self::settings::ShingleSettings;
pub use self::shingler::{Shingler, TextShingles};
pub(crate) use self::tokens::Ids;
pub use self::tokens::Tokens;

/// Names of the kernels that this processor runs for shingles.
pub(crate) fn kernels() -> [(&'static str, &'static str); 2] {
    self::kinds::kernels()
}

#[cfg(test)]
mod tests;
