//! The ways to count the shingles that pairs share.
//!
//! Two of them verify texts against all their candidates and return what they [found](super::found::VerifiedTexts):
//!
//! - [`SmallComponents`]: handles components of few texts independently of one another. One thread does a whole
//!   component, from loading to counting, or several threads do where texts are long.
//! - [`LargeComponents`]: handles blocks of texts with all threads, against one tile of candidates after another.
//!
//! A block counts each pair by the first of three [strategies](Strategy) that can:
//!
//! - [`PivotCounter`](pivot::PivotCounter): both texts are near to the same pivot.
//! - [`FullCounter`](in_full::FullCounter): both sets are in memory.
//! - [`SliceStrategy`](in_slices::SliceStrategy): one of the sets is too large for the memory.
//!
//! Each borrows the [`VerifyContext`](super::context::VerifyContext). All return the same counts, and differ only in cost.

mod in_full;
mod in_slices;
mod large;
mod pivot;
mod small;
mod strategy;
mod tile;

pub(super) use self::large::LargeComponents;
pub(super) use self::small::{LongTextRoom, SmallComponents};
