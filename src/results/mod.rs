//! Saved results: the pairs and documents of a run in, a folder out; and read again, without a scan.
//!
//! A folder holds `pairs.jsonl`, the very lines of `dedup scan`, `documents.jsonl`, a line for each document and each input that
//! is none, and `header.json`: version, settings, and every input file, and the two others of the folder, with size and hash. It
//! is written beside its place and renamed. A file of pairs alone, or a pipe, is a result too; it says less.

mod documents;
mod filter;
mod hashed;
mod header;
mod inputs;
mod pair_order;
mod reader;
mod reading;
mod saved_documents;
mod writer;

pub use self::documents::cluster_result;
pub(crate) use self::documents::{GroupedResult, each_document, group_result};
pub use self::filter::PairFilter;
pub use self::header::{InputRecord, ResultHeader};
pub(crate) use self::inputs::file_of;
pub use self::reader::SavedResult;
pub use self::reading::ReadingRecord;
pub use self::saved_documents::SavedDocuments;
pub use self::writer::ResultWriter;
