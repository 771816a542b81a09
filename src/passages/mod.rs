//! Passages: the tokens of two texts in, the passages that they share out.
//!
//! ```text
//! tokens -seeds-> runs -greedy tiling-> tiles -linking-> passages
//! ```
//!
//! - A *run* is the same `min_run` tokens or more in both texts, which cannot be made longer at either end. It is found from
//!   shared hashes of `min_run` tokens; of a hash that occurs more than 64 times in one text, from its first 64 places there.
//! - *Tiles* are runs, or what is left of them, that share no token: the longest run first (Wise 1993).
//! - Tiles are *linked* when at most `max_gap` tokens lie between them in each text, in any order in the second one. A *passage*
//!   is all tiles that hang together so, when one of them has at least `anchor` tokens. Equal texts are one passage, however short.
//!
//! The numbers are the same for either order of two texts: ties are broken in favour of the text whose sequence of tokens is
//! the lesser one. Memory is bounded: an index that does not fit is made in parts, and runs that do not fit are found again.
//! Time is linear in the tokens and the seeds, of which a text of n tokens has at most 64 n, and in the lengths of the runs;
//! the texts are gone through once more for each part or round. Equal stretches of near-duplicates cost a comparison, however
//! repetitive they are.

mod aligner;
mod alignment;
mod hidden;
mod linking;
mod located;
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
pub use self::located::{DocumentPart, LocatedPassage, LocatedPassages, PassageTotals};
#[doc(hidden)]
pub use self::run_filter::most_tokens_in_passages;
pub(crate) use self::run_filter::{CommonRuns, RunFilter, RunLimits, run_hashes};
pub use self::settings::PassageSettings;
pub use self::winnowing::Winnower;

#[cfg(test)]
mod tests;
