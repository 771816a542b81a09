//! Views: show the texts of pairs of a run or of a saved result to people, with the passages that they share.
//!
//! `key` identifies a document, `reader` reads the documents again and aligns them, `found` keeps the documents of a
//! run for it. A text is shown if the hash of its normalised form shows that it is the text that was compared;
//! otherwise the document is reported.

mod found;
mod key;
mod reader;
mod text_view;

pub use self::found::ViewedRun;
pub use self::key::ViewKey;
pub use self::reader::ViewReader;
pub use self::text_view::{PairView, TextView, ViewedPassage};
