//! Exchange: filters over the rows of another program, so that a distributed engine can do the work of one run.
//!
//! ```text
//! id, text -sign-> id, size, hash of the text, band keys
//! order, id, text -sign-> the same without keys, and blocks of keys -cluster-> node, least node of its component
//! group, order, id, text -verify-> a, b, their orders, the line of the pair
//! a, b -cluster-> node, least node of its component
//! ```
//!
//! The engine moves rows; this module makes all decisions. A group that consists of whole components of the bucket
//! graph yields the pairs that a run over all documents finds in it. So the pairs of all groups are the pairs of the
//! run.
//!
//! - `columns` defines the columns of rows. `rows` reads rows and `row_writer` writes them, as TSV and JSON Lines;
//!   `arrow_reader` and `arrow_writer` do this for Arrow IPC. `params` makes the one string of all settings that change
//!   results.
//! - `sign` signs row by row. `group` verifies the documents of a group, `pair` verifies the two documents of a row,
//!   and `verify` passes rows to one of them. `edges` finds components, and `nodes` stores their names.
//! - `sign_blocks` also signs, and writes keys in blocks: `key_blocks` makes the blocks, `key_merge` finds what they
//!   share.
//!
//! A row that cannot be used ends the filter, so the output is never silently incomplete.

#[cfg(feature = "arrow")]
mod arrow_reader;
#[cfg(feature = "arrow")]
mod arrow_writer;
mod columns;
mod edges;
mod group;
mod key_blocks;
mod key_merge;
mod nodes;
mod pair;
mod params;
mod row_writer;
mod rows;
mod sign;
mod sign_blocks;
mod verified_rows;
mod verify;

pub use self::columns::RowFormat;
pub use self::edges::{ClusterBy, ComponentRecord, cluster_edges};
pub use self::params::RowParams;
pub use self::sign::sign_rows;
pub use self::sign_blocks::sign_blocks;
pub use self::verified_rows::{GroupEndRecord, VerifiedRecord};
pub use self::verify::{VerifyBy, verify_rows};
