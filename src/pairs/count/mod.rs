//! The ways to count what pairs share.
//!
//! Two of them verify texts against all their candidates and return what they [found](super::found::Found):
//!
//! - [`SmallComponents`]: components of few texts side by side, each from loading to counting by one thread, or by more where
//!   texts are long.
//! - [`LargeComponents`]: blocks of texts, by all threads, against one tile of candidates after another.
//!
//! A block counts each pair by the first of three [strategies](Strategy) that can:
//!
//! - [`InPivotGroup`](pivot::InPivotGroup): both texts are near to one pivot.
//! - [`InFull`](in_full::InFull): both sets are in memory.
//! - [`InSlices`](in_slices::InSlices): a set is too large for the memory.
//!
//! Each borrows the [`Core`](super::core::Core), and all return the same counts: they differ in cost alone.

mod in_full;
mod in_slices;
mod large;
mod pivot;
mod small;
mod strategy;
mod tile;

pub(super) use self::large::LargeComponents;
pub(super) use self::small::{LongTextRoom, SmallComponents};
