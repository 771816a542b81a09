//! Removal: the shingles of a document in, those that remain out, such as a form's answers without the form.
//!
//! A [`Removal`] is one fixed set of shingles. Every document loses these before it is signed or compared; where documents match
//! by their passages, it loses the tokens that they cover.

mod settings;
mod shingles;
mod tokens;

pub use self::settings::{MaxDf, RemovalSettings};
pub(crate) use self::shingles::{Remaining, Removal};
pub(crate) use self::tokens::{remaining_and_removed, remaining_tokens};
