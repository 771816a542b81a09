//! `PairRecord`: a duplicate pair as one line of output, with its keys in a fixed order.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde::{Deserialize, Deserializer, Serialize};

use crate::document::{Documents, Origin, Place};
use crate::passages::{LocatedPassage, LocatedPassages};
use crate::verify::{DuplicatePair, PairWeights};
use crate::weights::{to_number, to_units};

/// One line of output. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairRecord<'a> {
    /// The name of the document that comes first in document order.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// The name of the other.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// |A ∩ B| / |A ∪ B|, exact up to collisions of 64-bit shingle hashes; the nearest `f64`. Where shingles have weights, of
    /// these.
    pub jaccard: f64,
    /// |A ∩ B| / |A|.
    pub containment_a: f64,
    /// |A ∩ B| / |B|.
    pub containment_b: f64,
    /// |A ∩ B|: distinct shingles in both.
    pub shared: u64,
    /// |A|.
    pub shingles_a: u64,
    /// |B|.
    pub shingles_b: u64,
    /// The share of equal signature values: an estimate of `jaccard`, never what decides.
    pub estimate: f64,
    /// When shingles are removed before the comparison: the similarity of the whole sets, exact as `jaccard` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_raw: Option<f64>,
    /// Of programs that are also compared with their names kept: the similarity of these sets, exact as `jaccard` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_kept: Option<f64>,
    /// With [`InputSettings::with_source`](crate::InputSettings::with_source): where the document that comes first comes from.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub source_a: Option<Source<'a>>,
    /// Where the other comes from.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub source_b: Option<Source<'a>>,
    /// With passages: the share of the first document's tokens that they cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_a: Option<f64>,
    /// The same of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_b: Option<f64>,
    /// Of documents that match by their passages: the tokens of these, which are the same number on both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// The tokens of the longest run of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// With passages: what the documents share and where; null, and then without coverages, when one of them could no longer
    /// be read as it was.
    #[serde(default, deserialize_with = "null_or_some", skip_serializing_if = "Option::is_none")]
    pub passages: Option<Option<Vec<LocatedPassage>>>,
    /// Where shingles have weights: what those in both weigh. `jaccard` and the containments are of weights then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_shared: Option<f64>,
    /// What those of `a` weigh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_a: Option<f64>,
    /// What those of `b` weigh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_b: Option<f64>,
    /// Where several indexes are asked: the one that the other document is in, as given.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub index: Option<Name<'a>>,
}

/// Tells null from what is not there at all.
pub(super) fn null_or_some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Where a document comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source<'a> {
    /// The path of its file as given, `-`, or `archive!member`.
    #[serde(borrow)]
    pub file: Name<'a>,
    /// The line of the file that a record begins on, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The row of the file that a record is, from 1, where there are no lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
}

impl<'a> Source<'a> {
    /// The record of an origin.
    pub fn new(origin: Origin<'a>) -> Self {
        let (line, row) = match origin.place {
            None => (None, None),
            Some(Place::Line(line)) => (Some(line), None),
            Some(Place::Row(row)) => (None, Some(row)),
        };
        Self { file: Name::new(origin.file), line, row }
    }
}

/// A document's name: a string, or base64 of its bytes when they are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Name<'a> {
    /// A UTF-8 name.
    Text(#[serde(borrow)] std::borrow::Cow<'a, str>),
    /// Any other.
    Bytes {
        /// Standard base64 with padding.
        bytes: String,
    },
}

impl<'a> Name<'a> {
    /// The name with these bytes.
    pub fn new(name: &'a [u8]) -> Self {
        match std::str::from_utf8(name) {
            Ok(name) => Self::Text(name.into()),
            Err(_) => Self::Bytes { bytes: BASE64_STANDARD.encode(name) },
        }
    }

    /// The same name, which borrows nothing.
    pub fn into_owned(self) -> Name<'static> {
        match self {
            Self::Text(name) => Name::Text(name.into_owned().into()),
            Self::Bytes { bytes } => Name::Bytes { bytes },
        }
    }

    /// The bytes that the name stands for.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(name) => name.as_bytes().to_vec(),
            // What is not base64 was not written by this program, and stands for itself.
            Self::Bytes { bytes } => BASE64_STANDARD.decode(bytes).unwrap_or_else(|_| bytes.as_bytes().to_vec()),
        }
    }
}

impl<'a> PairRecord<'a> {
    /// The record of a pair.
    pub fn new(documents: &'a Documents, pair: &DuplicatePair) -> Self {
        Self {
            a: Name::new(documents.name(pair.a)),
            b: Name::new(documents.name(pair.b)),
            jaccard: pair.similarity(),
            containment_a: pair.containment_a(),
            containment_b: pair.containment_b(),
            shared: pair.shared,
            shingles_a: pair.shingles_a,
            shingles_b: pair.shingles_b,
            estimate: pair.estimate(),
            jaccard_raw: pair.raw_similarity(),
            jaccard_kept: pair.kept_similarity(),
            source_a: documents.origin(pair.a).map(Source::new),
            source_b: documents.origin(pair.b).map(Source::new),
            coverage_a: None,
            coverage_b: None,
            matched: None,
            longest: None,
            passages: None,
            weight_shared: pair.weights.map(|weights| to_number(weights.shared)),
            weight_a: pair.weights.map(|weights| to_number(weights.a)),
            weight_b: pair.weights.map(|weights| to_number(weights.b)),
            index: documents.index(pair.b).map(Name::new),
        }
    }

    /// What its shingles weigh, where they have weights.
    pub fn weights(&self) -> Option<PairWeights> {
        let [shared, a, b] = [self.weight_shared, self.weight_a, self.weight_b].map(|weight| weight.map(to_units));
        Some(PairWeights { shared: shared?, a: a?, b: b? })
    }

    /// With the passages of the pair, or null in their place.
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
