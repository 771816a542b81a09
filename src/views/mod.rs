//! Views: pairs of a run or of a saved result in; their texts as people read them, with the passages that they share, out.
//!
//! `key` says which document is meant, `reader` reads the documents once more and aligns them, `found` keeps the documents of a run
//! for it. A text is shown when it is the one that was compared, by the hash of what was compared of it, and named otherwise.

mod found;
mod key;
mod reader;
mod text_view;

pub use self::found::{ViewedRun, find_clusters_to_view, find_duplicates_to_view};
pub use self::key::ViewKey;
pub use self::reader::ViewReader;
pub use self::text_view::{PairView, TextView, ViewedPassage};
