//! The index: documents in, a file out that stays; questions in, the similar documents of it out, each proved.
//!
//! ```text
//! inputs -signed-> documents -build-> index file <-add, remove-> index file
//! questions -signed-> band keys -candidates-> texts -answers-> pairs, proved by an exact count
//! ```
//!
//! An index is one file of SQLite, for its transactions: what was acknowledged stays. Its rows are blocks of our own, which are
//! packed, sorted and sealed with a checksum (`sealed`), so that SQLite sees few and large values.
//!
//! - `file` is all access to SQLite, `file_faults` what goes wrong with it. `meta` has the rows that say what an index is: its
//!   `meaning` and its `state`.
//! - `runs` are sorted rows of keys and numbers, in blocks of `run_block`: band keys, hashes of names, hashes of texts.
//! - `texts` are compressed blocks of texts as they were before normalisation, which `text_writer` makes, each as large as
//!   `block_room` says, with the `common_words` of some of them as dictionaries. `docs` is what is known of documents, which `doc_reader` reads, `marks` which of them are removed.
//! - An index that refers to texts has blocks of their places in place of them. `text_place` is such a place, and `reading_way` how
//!   its file is read; `place_reader` reads there again, by `packed_file` where a file is read from its beginning. `text_reader`
//!   and `referred_texts` check what they read, and `stale` reads all.
//! - `build` makes an index, which is `pending` until it is whole.
//! - `writing` adds and removes in transactions, and `merging` keeps the runs few. `there_already` is what an index has of texts
//!   that come.
//! - `restore` makes an index of the texts of others, which `stored_documents` reads.
//! - `reader` is an index as of one generation. `candidates` finds texts by band keys, `answers` verifies them, `details` finds the
//!   passages of answers, `query` asks one index or several.

mod adding;
mod answer;
mod answer_table;
mod answers;
mod asked;
mod block_room;
mod build;
mod candidates;
mod check;
mod common_words;
mod compression;
mod containment;
mod copies;
mod details;
mod doc_reader;
mod docs;
mod export;
mod file;
mod file_faults;
mod follow;
mod followed;
mod found;
mod info;
mod loaded_text;
mod marks;
mod meaning;
mod merging;
mod meta;
mod numbering;
mod open_batch;
mod open_index;
mod packed_file;
mod packed_run;
mod packing;
mod part_merging;
mod pending;
mod place;
mod place_reader;
mod query;
mod query_run;
mod query_settings;
mod question;
mod question_sets;
mod read_ahead;
mod reader;
mod reading_way;
mod referred_texts;
mod removing;
mod restore;
mod run_block;
mod runs;
mod sampling;
mod sealed;
mod source;
mod stale;
mod state;
mod stored_documents;
mod text_blocks;
mod text_place;
mod text_reader;
mod text_writer;
mod texts;
mod there_already;
mod writing;

pub use self::adding::{AddSettings, add_to_index, compact_index, names_in_index, remove_from_index};
pub use self::build::build_index;
pub use self::check::check_index;
pub use self::containment::{ContainmentRecall, ContainmentSummary};
pub use self::export::{ExportedRecord, export_index};
pub use self::follow::follow_index;
pub use self::followed::{FollowSummary, FollowedAnswer, FollowedLine, FollowedMatch};
pub use self::info::{IndexInfo, IndexParts, check_meaning, index_info, index_settings};
pub(crate) use self::meaning::Meaning;
pub use self::open_index::{OpenAnswer, OpenIndex};
pub use self::query::{QuerySummary, query_index};
pub use self::query_settings::{AddWhat, QuerySettings};
pub use self::restore::{Restored, merge_indexes, rebuild_index};
pub use self::sampling::{IndexSettings, SampleRate, TextStorage};
pub use self::stale::stale_documents;
pub use self::writing::{Added, KnownName};
