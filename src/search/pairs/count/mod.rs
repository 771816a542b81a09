//! Counts the shingles that the texts of a family share.
//!
//! A [`Family`] is some texts with all their candidates. Its sets are read into [blocks](crate::compare::block::Block),
//! which number the shingles, and pairs are counted from rows of bits:
//!
//! - [`SmallFamilies`]: one thread reads a family of up to 512 texts into one block.
//! - [`LargeFamilies`]: all threads read a family into several blocks, and count the pairs of each two blocks by the
//!   classes of their shingles. A family of few candidates for its size is cut into small families. A family that does
//!   not fit the memory, which may be two huge texts, is counted in [slices](slice::Slice) of the range of hashes.
//!
//! Each borrows the [`VerifyContext`](super::context::VerifyContext). Both return the same counts.

mod add_set;
mod blocks;
mod family;
mod large;
mod shared_counts;
mod slice;
mod small;

pub(super) use self::blocks::FamilyCounter;
pub(super) use self::family::Family;
pub(super) use self::large::LargeFamilies;
pub(super) use self::small::SmallFamilies;
