//! Records: the JSON lines of pairs, groups, documents and signatures.
//!
//! The record types define the lines and read them back; `lines` writes the lines of pairs by hand, which is faster. Keys that a
//! record type does not have are ignored, since later versions add keys; the schemas in `cli/commands/schema` allow none, so
//! tests find a key that is not documented. Baselines and indexes are strict: an older version would lose a key when it
//! writes them again.
//!
//! A new key of a pair is a field of [`PairRecord`], the same place in `lines` (a test compares both), and a property in
//! `cli/commands/schema/pair.json`. It is also a column at the end of `results/report/table` and a line in `guide/output.md`. A value
//! that is computed from documents comes from a step in `search/run/pair_steps`.

mod clusters;
mod documents;
mod json;
mod json_lines;
mod lines;
mod output_file;
mod overlap;
mod pending;
mod ranking;
mod record;
mod removed;
mod signature;
mod spreadsheet;
mod unfinished;
mod utc;

pub use self::clusters::{ClusterRecord, EdgesOver, JoinedRecord, LabelRecord};
pub use self::documents::{DocumentRecord, PairSide, Treatment};
pub use self::json::push_json;
pub use self::json_lines::JsonLines;
pub use self::output_file::{OutputFile, start_of};
pub use self::overlap::OverlapRecord;
pub use self::pending::PendingFile;
pub use self::ranking::{PairCounts, PairSort, Ranking};
pub use self::record::{Name, PairRecord, Source};
pub use self::removed::{DroppedRecord, RemovedRecord};
pub use self::signature::SignatureRecord;
pub(crate) use self::spreadsheet::{harmless_cell, text_of_cell};
pub(crate) use self::unfinished::{UnfinishedFolder, delete_left, folder_of, unfinished_path};
