//! Baselines: the pairs of a result that are accepted in, a file of them out; and which pairs of another result are new.
//!
//! The file has one JSON object a line, sorted, so that git merges it. A pair is known by an entry when each of its documents
//! has the name or the normalised text of a document of that entry, and when the two are hardly more alike than they were. A
//! text counts only where no document has the name any more.

mod accepted;
mod entry;
mod file;
mod keys;

pub use self::entry::{AcceptedPair, AcceptedRecord};
pub use self::file::{BASELINE_FORM, Baseline};
