//! `PairRecord`: a duplicate pair as one line of output, with its keys in a fixed order.

use std::time::SystemTime;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde::{Deserialize, Deserializer, Serialize};

use super::utc::utc;
use crate::compare::passages::{LocatedPassage, LocatedPassages};
use crate::compare::verify::{DuplicatePair, PairWeights};
use crate::documents::document::{Documents, Origin, Place};
use crate::text::weights::{to_number, to_units};

/// One duplicate pair of the output. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRecord<'a> {
    /// Name of the document that comes first in document order.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// Name of the document that comes second in document order.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// Jaccard similarity |A ∩ B| / |A ∪ B|, the nearest `f64`; exact up to collisions of 64-bit shingle hashes. If
    /// shingles have weights, the similarity of the weights.
    pub jaccard: f64,
    /// Containment |A ∩ B| / |A|.
    pub containment_a: f64,
    /// Containment |A ∩ B| / |B|.
    pub containment_b: f64,
    /// |A ∩ B|: number of distinct shingles in both documents.
    pub shared: u64,
    /// |A|: number of distinct shingles of the first document.
    pub shingles_a: u64,
    /// |B|: number of distinct shingles of the second document.
    pub shingles_b: u64,
    /// Share of equal signature values: an estimate of `jaccard` that never decides about a pair.
    pub estimate: f64,
    /// Exact Jaccard similarity before shingles were removed; absent if the run removes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_raw: Option<f64>,
    /// Exact Jaccard similarity of programs with identifiers kept; absent if it is not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_kept: Option<f64>,
    /// File and place of the first document; only with
    /// [`InputSettings::with_source`](crate::documents::InputSettings::with_source).
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub source_a: Option<Source<'a>>,
    /// File and place of the second document; only with
    /// [`InputSettings::with_source`](crate::documents::InputSettings::with_source).
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub source_b: Option<Source<'a>>,
    /// Share of the first document's tokens that passages cover, from 0 to 1; absent without passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_a: Option<f64>,
    /// Share of the second document's tokens that passages cover, from 0 to 1; absent without passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_b: Option<f64>,
    /// With `--match passages`: number of tokens in the passages, equal on both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// With `--match passages`: number of tokens in the longest of the passages' runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// The shared passages and their places; null, and then without coverages, if a document changed or could not be
    /// read again. Absent if passages are not requested.
    #[serde(default, deserialize_with = "null_or_some", skip_serializing_if = "Option::is_none")]
    pub passages: Option<Option<Vec<LocatedPassage>>>,
    /// Weight of the shingles in both documents, if shingles have weights; `jaccard` and the containments then use
    /// weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_shared: Option<f64>,
    /// Weight of the first document's shingles, if shingles have weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_a: Option<f64>,
    /// Weight of the second document's shingles, if shingles have weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_b: Option<f64>,
    /// Path, as given, of the index that contains the second document; only when several indexes are searched.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub index: Option<Name<'a>>,
    /// Whether the second document is old (`--old`); absent if it is not. The first document never is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_b: Option<bool>,
    /// Time of the first document, such as `2026-11-27T09:30:00Z`; absent without `--times`, or if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_a: Option<String>,
    /// Time of the second document; absent without `--times`, or if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_b: Option<String>,
}

/// Distinguishes null from an absent key.
pub(super) fn null_or_some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// File and place that a document comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source<'a> {
    /// Path of the file as given, `-` for standard input, or `archive!member`.
    #[serde(borrow)]
    pub file: Name<'a>,
    /// Line of the file on which the record begins, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Row of the record in its file, from 1, for formats without lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// Offset of the record in the unpacked file, from 0, for pages of web crawls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Path, as given, of the index that stores the document. The file is then the file that was indexed.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub index: Option<Name<'a>>,
}

impl<'a> Source<'a> {
    /// The record of an origin.
    pub fn new(origin: Origin<'a>) -> Self {
        let (line, row) = match origin.place {
            None => (None, None),
            Some(Place::Line(line)) => (Some(line), None),
            Some(Place::Row(row)) => (None, Some(row)),
        };
        Self { file: Name::new(origin.file), line, row, offset: origin.offset, index: origin.index.map(Name::new) }
    }
}

/// A document's name: a string, or base64 of its bytes when they are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Name<'a> {
    /// A name that is valid UTF-8.
    Text(#[serde(borrow)] std::borrow::Cow<'a, str>),
    /// A name that is not valid UTF-8.
    Bytes {
        /// Standard base64 with padding.
        bytes: String,
    },
}

impl<'a> Name<'a> {
    /// Creates the name with these bytes.
    pub fn new(name: &'a [u8]) -> Self {
        match std::str::from_utf8(name) {
            Ok(name) => Self::Text(name.into()),
            Err(_) => Self::Bytes { bytes: BASE64_STANDARD.encode(name) },
        }
    }

    /// Converts the name to one that borrows nothing.
    pub fn into_owned(self) -> Name<'static> {
        match self {
            Self::Text(name) => Name::Text(name.into_owned().into()),
            Self::Bytes { bytes } => Name::Bytes { bytes },
        }
    }

    /// The bytes of the name.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(name) => name.as_bytes().to_vec(),
            // This program did not write a string that is not base64; such a string is used unchanged.
            Self::Bytes { bytes } => BASE64_STANDARD.decode(bytes).unwrap_or_else(|_| bytes.as_bytes().to_vec()),
        }
    }
}

impl<'a> PairRecord<'a> {
    /// Whether this is a document that repeats blocks, as a pair with itself: both sides are the same document, and not two
    /// documents of one name.
    pub fn is_of_one(&self) -> bool {
        let places = self.passages.iter().flatten().flatten().map(|passage| (passage.a, passage.b));
        self.a == self.b
            && self.source_a == self.source_b
            && self.matched.is_some()
            && [self.shingles_a, self.shingles_b] == [self.shared; 2]
            && places.clone().all(|(a, b)| a.bytes[1] <= b.bytes[0])
    }

    /// Creates the record of a pair, without passages.
    pub fn new(documents: &'a Documents, pair: &DuplicatePair) -> Self {
        let names = [pair.a, pair.b].map(|document| Name::new(documents.name(document)));
        Self {
            source_a: documents.origin(pair.a).map(Source::new),
            source_b: documents.origin(pair.b).map(Source::new),
            index: documents.index(pair.b).map(Name::new),
            old_b: documents.scope().is_old(pair.b).then_some(true),
            ..Self::of(names, pair)
        }
    }

    /// Creates the record of a pair with these names, without sources and passages.
    pub(crate) fn of([a, b]: [Name<'a>; 2], pair: &DuplicatePair) -> Self {
        Self {
            a,
            b,
            jaccard: pair.similarity(),
            containment_a: pair.containment_a(),
            containment_b: pair.containment_b(),
            shared: pair.shared,
            shingles_a: pair.shingles_a,
            shingles_b: pair.shingles_b,
            estimate: pair.estimate(),
            jaccard_raw: pair.raw_similarity(),
            jaccard_kept: pair.kept_similarity(),
            source_a: None,
            source_b: None,
            coverage_a: None,
            coverage_b: None,
            matched: None,
            longest: None,
            passages: None,
            weight_shared: pair.weights.map(|weights| to_number(weights.shared)),
            weight_a: pair.weights.map(|weights| to_number(weights.a)),
            weight_b: pair.weights.map(|weights| to_number(weights.b)),
            index: None,
            old_b: None,
            time_a: None,
            time_b: None,
        }
    }

    /// The weights of the pair's shingles, if shingles have weights.
    pub fn weights(&self) -> Option<PairWeights> {
        let [shared, a, b] = [self.weight_shared, self.weight_a, self.weight_b].map(|weight| weight.map(to_units));
        Some(PairWeights { shared: shared?, a: a?, b: b? })
    }

    /// Adds the times of both documents, where they are known.
    pub fn with_times(self, times: [Option<SystemTime>; 2]) -> Self {
        let [time_a, time_b] = times.map(|time| time.and_then(utc));
        Self { time_a, time_b, ..self }
    }

    /// Adds the passages of the pair; `None` writes null.
    pub fn with_passages(self, passages: Option<&LocatedPassages>) -> Self {
        let totals = passages.and_then(|passages| passages.totals);
        Self {
            coverage_a: passages.map(|passages| passages.coverage_a),
            coverage_b: passages.map(|passages| passages.coverage_b),
            matched: totals.map(|totals| totals.matched),
            longest: totals.map(|totals| totals.longest),
            passages: Some(passages.map(|passages| passages.passages.clone())),
            ..self
        }
    }
}
