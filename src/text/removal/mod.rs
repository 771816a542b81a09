//! Removal: removes given shingles from documents, for example a form from the answers in it.
//!
//! A [`Removal`] is one fixed set of shingles. Every document loses these before it is signed or compared. With
//! `--match passages`, it loses the tokens that they cover.

mod settings;
mod shingles;
mod tokens;

pub use self::settings::{MaxDf, RemovalSettings};
pub(crate) use self::shingles::{Remaining, Removal};
pub(crate) use self::tokens::{remaining_and_removed, remaining_tokens};
