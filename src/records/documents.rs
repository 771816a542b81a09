//! Record of `--list-documents`: one JSON object for each document, and for each input that is not a document.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Name, Source};
use crate::base::problem::Reason;
use crate::text::normalize::Disguises;

/// Content and treatment of one input. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentRecord<'a> {
    /// Name of the document, as in pairs; the place of an input that is not a document.
    #[serde(borrow)]
    pub name: Name<'a>,
    /// How the program treated the input.
    #[serde(rename = "treated")]
    pub treatment: Treatment,
    /// Size in bytes as stored: the size of the file, of the record, or of the unpacked content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Number of tokens in the normalised text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Number of distinct shingles that remain after removal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shingles: Option<u64>,
    /// Number of disguises of each kind that were undone in the text; absent if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disguises: Option<Disguises>,
    /// Language of a program; null where the language is not known, absent for other documents.
    #[serde(
        borrow,
        default,
        deserialize_with = "super::record::null_or_some",
        skip_serializing_if = "Option::is_none"
    )]
    pub syntax: Option<Option<Cow<'a, str>>>,
    /// Number of strings and comments of a program that have no end; absent if it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unclosed: Option<u64>,
    /// Whether a program is so short that others match it by chance; absent if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub few_tokens: Option<bool>,
    /// Name of the first document with the same text.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<Name<'a>>,
    /// Side of the comparison that the document is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<PairSide>,
    /// Whether the document is old (`--old`); absent if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<bool>,
    /// Why the input is not a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Why the input is not a document, in the words of the message on stderr.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Cow<'a, str>>,
    /// Place that the document comes from; only with [`InputSettings::with_source`](crate::documents::InputSettings::with_source).
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source<'a>>,
    /// Hash of the normalised text in a saved result: `xxh3_128` in 32 hexadecimal digits; absent for an empty text.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub text_hash: Option<Cow<'a, str>>,
    /// Number of shingles of the text in a saved result, repeats counted; `--keep longest` orders documents by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<u32>,
}

/// A side of a comparison, named after the key of its documents in pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairSide {
    /// The documents that are compared.
    A,
    /// The documents that side A is compared against.
    B,
}

/// How the program treated an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Treatment {
    /// The document is compared.
    Used,
    /// The document is compared, and has a single shingle: all of its text.
    Short,
    /// The document has no token, such as a word when shingles are made of words, and is in no pair.
    Empty,
    /// All shingles of the document are removed, and it is in no pair.
    Emptied,
    /// The document has the text of an earlier document, and is listed in that document's pairs.
    Copy,
    /// The input is binary, not text.
    Binary,
    /// The input could not be used.
    Skipped,
}
