//! Saved results: writes the pairs and documents of a run to a folder, and reads them again without a scan.
//!
//! A folder contains `pairs.jsonl`, the same lines that `dedup scan` prints; `documents.jsonl`, a line for each
//! document and each input that is not one; and `header.json`, with the version, the settings, and the sizes and hashes
//! of every input file and of the two other files. It is written next to its place and renamed at the end. A file of
//! pairs, or a pipe, is a result too, with less information.

mod documents;
mod filter;
mod hashed;
mod header;
mod inputs;
mod overlaps;
mod pair_order;
mod reader;
mod reading;
mod saved_documents;
mod stored_texts;
mod writer;

pub use self::documents::cluster_result;
pub(crate) use self::documents::{GroupedResult, each_document, group_result};
pub use self::filter::PairFilter;
pub(crate) use self::header::{DOCUMENTS, HEADER, PAIRS};
pub use self::header::{InputRecord, ResultHeader};
pub(crate) use self::inputs::{changed_files, changed_inputs, file_of};
pub use self::overlaps::overlap_result;
pub use self::reader::SavedResult;
pub(crate) use self::reader::{BUFFER, cannot_read, open_pairs};
pub use self::reading::ReadingRecord;
pub use self::saved_documents::SavedDocuments;
pub(crate) use self::stored_texts::{name_in_index, only_documents};
pub use self::writer::ResultWriter;
