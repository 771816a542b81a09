//! Turns one text into shingles.
//!
//! In order; a module imports only from the modules above it:
//!
//! | Module | Comes in, goes out |
//! | --- | --- |
//! | `code` | The source text of a program and its language in; its tokens out. |
//! | `joined` | The texts of several files in; one text with a mark before each file out. |
//! | `normalize` | A text in; the text that is compared out. |
//! | `shingle` | The normalised text in; its shingle hashes out. Each kind of shingle has its own file. |
//! | `removal` | Shingle hashes in; those that are not removed as boilerplate out. |
//! | `weights` | Shingle hashes in; the same hashes with their weights out. |
//! | `plain_words` | A decoded text in; its words without typography out, with their bytes in the text. |

pub(crate) mod code;
pub(crate) mod joined;
pub(crate) mod normalize;
pub(crate) mod shingle;
pub(crate) mod removal;
pub(crate) mod weights;
pub(crate) mod plain_words;

pub use self::code::Syntax;
pub use self::normalize::{
    CodeText, Disguises, LinePattern, Markers, Normalization, Normalizer, UnicodeForm, Units, normalize,
};
pub use self::removal::{MaxDf, RemovalSettings};
pub use self::shingle::{
    Language, ShingleHashes, ShingleKind, ShingleSet, ShingleSettings, Shingler, StopWords, TextShingles, Tokens,
};
pub use self::weights::{TokenWeights, WeightTableRecord, Weighting, weight_of_frequency};
