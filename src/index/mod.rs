//! The index: a persistent file of documents that can be searched for similar documents; every result is proved.
//!
//! ```text
//! inputs -signed-> documents -build-> index file <-add, remove-> index file
//! questions -signed-> band keys -candidates-> texts -answers-> pairs, proved by an exact count
//! ```
//!
//! An index is one SQLite file, for its transactions: committed documents are never lost. Its rows are blocks that this
//! module packs, sorts and seals with a checksum (`sealed`), so SQLite stores few and large values.
//!
//! - `file` contains all access to SQLite, and `file_faults` its errors. `meta` has the rows that describe an index:
//!   its `meaning` and its `state`.
//! - `runs` are sorted rows of keys and numbers, in blocks of `run_block`: band keys, hashes of names, hashes of texts.
//! - `texts` are compressed blocks of texts before normalisation. `text_writer` makes them with sizes from `block_room`
//!   and dictionaries of `common_words`. `docs` is the table of documents, which `doc_reader` reads; `marks` records
//!   removed ones.
//! - An index that refers to texts stores their places instead. `text_place` is such a place, and `reading_way` the
//!   settings to read its file. `place_reader` reads texts there again, with `packed_file` for files that must be read
//!   from the beginning. `text_reader` and `referred_texts` check the texts that they read, and `stale` checks all.
//! - `build` makes an index, which is `pending` until it is complete.
//! - `writing` adds and removes documents in transactions, and `merging` limits the number of runs. `there_already`
//!   finds the texts that the index already has.
//! - `restore` makes an index from the texts of others, which `stored_documents` reads.
//! - `reader` is one generation of an index. `candidates` finds texts by band keys, `answers` verifies them, `details`
//!   finds the passages of results, and `query` searches one index or several.

mod blocks;
mod database;
mod key_runs;
mod texts;
mod places;
mod read;
mod write;
mod lookup;

pub(crate) use self::database::meaning::Meaning;
pub use self::database::sampling::{IndexSettings, SampleRate, TextStorage};
pub use self::lookup::containment::{ContainmentRecall, ContainmentSummary};
pub use self::lookup::follow::follow_index;
pub use self::lookup::followed::{FollowSummary, FollowedAnswer, FollowedLine, FollowedMatch};
pub use self::lookup::open_index::{OpenAnswer, OpenIndex};
pub use self::lookup::query::{QuerySummary, query_index};
pub use self::lookup::query_settings::{AddWhat, QuerySettings};
pub use self::read::stale::stale_documents;
pub use self::write::adding::{AddSettings, add_to_index, compact_index, names_in_index, remove_from_index};
pub use self::write::build::build_index;
pub use self::write::check::check_index;
pub use self::write::export::{ExportedRecord, export_index};
pub use self::write::info::{IndexInfo, IndexParts, check_meaning, index_info, index_settings};
pub use self::write::restore::{Restored, merge_indexes, rebuild_index};
pub use self::write::writing::{Added, KnownName};
