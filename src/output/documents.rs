//! The record of `--list-documents`: one JSON object for each document, and for each input that is not a document.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Name, Source};
use crate::normalize::Disguises;
use crate::problem::Reason;

/// What the program saw of an input, and what became of it. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentRecord<'a> {
    /// The document's name, as pairs have it; of an input that is not a document, its place.
    #[serde(borrow)]
    pub name: Name<'a>,
    /// What became of it.
    #[serde(rename = "treated")]
    pub treatment: Treatment,
    /// Bytes as stored: of a file, of a record, or of what was unpacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Tokens of the normalised text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Distinct shingles that remain after removal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shingles: Option<u64>,
    /// How often each kind of disguise was undone in its text; only where some was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disguises: Option<Disguises>,
    /// Of a program: its language, or null where that is not known.
    #[serde(
        borrow,
        default,
        deserialize_with = "super::record::null_or_some",
        skip_serializing_if = "Option::is_none"
    )]
    pub syntax: Option<Option<Cow<'a, str>>>,
    /// The strings and comments of a program that have no end; only where there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unclosed: Option<u64>,
    /// Whether a program is so short that others agree with it by chance; only where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub few_tokens: Option<bool>,
    /// The first document with the same text.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<Name<'a>>,
    /// The side of a comparison that it is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<PairSide>,
    /// Why the input is no document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The same, as the message on stderr has it.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Cow<'a, str>>,
    /// With [`InputSettings::with_source`](crate::InputSettings::with_source): where the document comes from.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source<'a>>,
    /// In a saved result: the hash of the normalised text, `xxh3_128` in 32 hexadecimal digits; none of an empty text.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub text_hash: Option<Cow<'a, str>>,
    /// In a saved result: the shingles of a text, repeats counted, as `--keep longest` orders documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<u32>,
}

/// A side of a comparison, by the key that its documents have in pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairSide {
    /// What is compared.
    A,
    /// What it is compared against.
    B,
}

/// What became of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Treatment {
    /// It is compared.
    Used,
    /// It is compared, and has a single shingle: all of its text.
    Short,
    /// It has no token, such as a word where shingles are made of words, and is in no pair.
    Empty,
    /// All of its shingles are removed, and it is in no pair.
    Emptied,
    /// It has the text of an earlier document, and is in the pairs of that one.
    Copy,
    /// It is no text.
    Binary,
    /// It could not be used.
    Skipped,
}
