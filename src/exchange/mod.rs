//! Exchange: rows of another program in, rows out, so that an engine of many machines can do what one run does.
//!
//! ```text
//! id, text -sign-> id, size, hash of the text, band keys
//! order, id, text -sign-> the same without keys, and blocks of keys -cluster-> node, least node of its component
//! group, order, id, text -verify-> a, b, their orders, the line of the pair
//! a, b -cluster-> node, least node of its component
//! ```
//!
//! The engine moves rows, and every decision is made here. A group that holds whole components of the buckets gives the pairs
//! that a run over all documents finds in it. So the pairs of all groups are those of the run.
//!
//! - `columns` says what is in a row. `rows` reads rows and `row_writer` writes them, as TSV and JSON Lines; `arrow_reader` and
//!   `arrow_writer` do so in Arrow IPC.
//!   `params` is the one string that says what changes results.
//! - `sign` signs row by row. `group` verifies the documents of a group, `pair` the documents of a row, and `verify` takes rows
//!   to either. `edges` finds components, and `nodes` keeps their names.
//! - `sign_blocks` signs too, and gives keys in blocks: `key_blocks` makes them, `key_merge` finds what they share, and `bits` packs
//!   their numbers.
//!
//! A row that cannot be used ends the filter: no output is shorter than its input says.

#[cfg(feature = "arrow")]
mod arrow_reader;
#[cfg(feature = "arrow")]
mod arrow_writer;
mod bits;
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
