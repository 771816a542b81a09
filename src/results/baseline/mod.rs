//! Baselines: files of accepted pairs, by which later results show only new pairs.
//!
//! The file has one JSON object per line, sorted, so that git can merge it. An entry accepts a pair if each of its
//! documents has the name or the normalised text of a document of the entry. The pair may be at most slightly more
//! similar than the entry says. A text counts only if no document has the name any more.

mod accepted;
mod entry;
mod file;
mod keys;

pub use self::entry::{AcceptedPair, AcceptedRecord};
pub use self::file::{BASELINE_FORM, Baseline};
