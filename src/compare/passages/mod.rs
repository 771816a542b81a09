//! Passages: finds the passages that two texts share, from their tokens.
//!
//! ```text
//! tokens -seeds-> runs -greedy tiling-> tiles -linking-> passages
//! ```
//!
//! - A *run* is a sequence of at least `min_run` equal tokens in both texts, which cannot be extended at either end. It
//!   is found from shared hashes of `min_run` tokens. A hash that occurs more than 64 times in one text counts only at
//!   its first 64 positions there.
//! - *Tiles* are runs, or remaining parts of runs, that share no token: the longest run first (Wise 1993).
//! - Tiles are *linked* if at most `max_gap` tokens are between them in each text, in any order in the second one. A
//!   *passage* is a set of connected tiles of which one has at least `anchor` tokens. Equal texts are one passage,
//!   however short.
//!
//! The results are the same for either order of two texts: ties are resolved in favour of the text with the smaller
//! token sequence. Memory is bounded: an index that does not fit is built in parts, and runs that do not fit are found
//! again.
//!
//! Time is linear in the tokens, the lengths of the runs, and the seeds; a text of n tokens has at most 64 n seeds.

mod aligner;
mod alignment;
mod hidden;
mod linking;
mod located;
mod own_repeats;
mod rolling_hash;
mod run_filter;
mod runs;
mod seed_slots;
mod seeds;
mod settings;
mod tiles;
mod winnowing;

pub use self::aligner::Aligner;
pub use self::alignment::{Alignment, Passage};
pub use self::located::{DocumentPart, LocatedPassage, LocatedPassages, PartFiles, PassageTotals};
pub(crate) use self::own_repeats::own_repeats;
#[doc(hidden)]
pub use self::run_filter::most_tokens_in_passages;
pub(crate) use self::run_filter::{CommonRuns, RunFilter, RunLimits, run_hashes};
pub use self::settings::PassageSettings;
pub use self::winnowing::Winnower;

#[cfg(test)]
mod tests;
