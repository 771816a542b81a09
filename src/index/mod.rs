//! The index: a persistent file of documents that can be searched for similar documents; every result is proved.
//!
//! ```text
//! inputs -signed-> documents -build-> index file <-add, remove-> index file
//! queries -signed-> band keys -candidates-> texts -verified-> pairs, proved by an exact count
//! ```
//!
//! An index is one SQLite file, for its transactions: committed documents are never lost. Its rows are blocks that this
//! layer packs, sorts and seals with a checksum, so SQLite stores few and large values.
//!
//! In order; a part imports only from the parts above it:
//!
//! | Part | Contents |
//! | --- | --- |
//! | `blocks` | Rows and texts as packed and compressed bytes with a checksum. |
//! | `database` | The SQLite file and its faults; the rows that describe an index: its result settings, its state, its removed documents. |
//! | `key_runs` | Sorted runs of keys and numbers: band keys, hashes of names, hashes of texts. |
//! | `texts` | Compressed texts before normalisation, with dictionaries of common words, and the table of documents. |
//! | `places` | The places of texts that an index only refers to, and reading there again. |
//! | `read` | One generation of an index: its documents and texts, each checked. |
//! | `write` | Building, adding, removing, merging runs, restoring from other indexes, checking, exporting. |
//! | `lookup` | Queries: candidates by band keys, verification, passages of results, one query after another or in batches. |

mod blocks;
mod database;
mod key_runs;
mod texts;
mod places;
mod read;
mod write;
mod lookup;

pub(crate) use self::database::result_settings::ResultSettings;
pub use self::database::sampling::{IndexSettings, SampleRate, TextStorage};
pub use self::lookup::containment::{ContainmentRecall, ContainmentSummary};
pub use self::lookup::follow::follow_index;
pub use self::lookup::follow_records::{FollowSummary, FollowedLine, FollowedMatch, FollowedResult};
pub use self::lookup::open_index::{OpenIndex, OpenResult};
pub use self::lookup::query::{QuerySummary, query_index};
pub use self::lookup::query_settings::{AddWhat, QuerySettings};
pub use self::read::stale::stale_documents;
pub use self::write::adding::{
    AddSettings, add_to_index, compact_index, names_in_index, remove_from_index, text_in_index,
};
pub use self::write::build::build_index;
pub use self::write::check::check_index;
pub use self::write::export::{ExportedRecord, export_index};
pub use self::write::info::{
    IndexInfo, IndexParts, check_index_reading, check_index_settings, finds_contained, index_info, index_settings,
};
pub use self::write::restore::{Restored, merge_indexes, rebuild_index};
pub use self::write::search_input::documents_of_index;
pub use self::write::writing::{Added, KnownName};
