//! `dedup` finds the near-duplicate documents of a corpus and proves every pair it reports.
//!
//! ```text
//! paths -input-> documents -normalize-> text -shingle-> shingle hashes -signature-> signatures
//!       -banding-> candidate pairs -verify-> duplicate pairs -output-> one JSON line per pair
//! ```
//!
//! The handbook of the program is in [`guide`].
//!
//! [`find_duplicates`] joins the stages over files and folders; each stage can be used by itself. Two texts:
//!
//! ```
//! use dedup::{ShingleKind, ShingleSet, Shingler, jaccard, normalize};
//!
//! let mut shingler = Shingler::new(ShingleKind::Char, 9);
//! let mut shingles = |text: &str| ShingleSet::new(shingler.shingles(&normalize(text)));
//! let a = shingles("The quick brown fox jumps over the lazy dog.");
//! let b = shingles("The quick brown fox\njumps over the lazy cat.");
//! assert_eq!(jaccard(&a, &b), 32.0 / 40.0);
//! ```
//!
//! A [`Normalizer`] folds more than white space, and [`ShingleKind`] lists what else a text may be cut into.
//!
//! Sets of things other than text are hashed to 64 bits and given to [`Signer`] and [`ShingleSet`] as slices.
//!
//! Three programs show the library at work; run them with `cargo run --example <name>`:
//!
//! - `two_texts`: two strings or files; exact similarity, containments, and what the signatures estimate;
//! - `folder`: the pairs of a folder as a table, by [`find_duplicates`] with a sink and an [`Observer`];
//! - `baskets`: customers' baskets in place of texts, from [`Signer`] by [`banding`] to [`Verifier`].

mod config;
mod document;
mod error;
mod group_by;
mod input;
mod memory;
mod normalize;
mod origin;
mod own_files;
mod pipeline;
mod radix_sort;
mod removal;
mod scope;
mod shingle;
mod shown;
mod signature;
mod verify;

pub mod banding;
pub mod guide;
pub mod output;

pub use self::banding::Banding;
pub use self::config::{
    Against, Config, Filter, HtmlMode, InputConfig, InputFormat, InvalidBytes, MaxDf, PathGlob, TextEncoding,
};
pub use self::document::{DocId, Documents};
pub use self::error::{Error, Problem, Reason, Result};
pub use self::group_by::GroupBy;
pub use self::input::{end_filters, read_path_list, useful_threads};
pub use self::memory::is_asking_for_memory;
pub use self::normalize::{LinePattern, Markers, Normalization, Normalizer, UnicodeForm, Units, normalize};
pub use self::origin::{Origin, Place};
pub use self::own_files::{OwnFiles, OwnUse};
pub use self::pipeline::{
    GroupSummary, Memory, MemoryForecast, Observer, Removed, Seconds, Settings, Side, Sides, Sink, Stage, Summary,
    find_duplicates, list_documents,
};
pub use self::shingle::{Language, ShingleHashes, ShingleKind, ShingleSet, Shingler, StopWords, TextShingles};
pub use self::shown::{shown, shown_lines};
pub use self::signature::{SignatureMethod, Signer, estimated_similarity};
pub use self::verify::{DuplicatePair, TakenOut, Threshold, VerifiableSet, Verifier, jaccard, shared_shingles};
