//! `AcceptedPair`: one entry of a baseline, and the keys by which pairs are recognised.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::records::{Name, PairCounts, PairRecord};

/// A line of a baseline. Later versions only add keys. An unknown key is an error, because a program that writes the baseline
/// again would lose it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedRecord<'a> {
    /// The name of one document: the name that sorts first by its bytes; in a comparison of two sides, the document of
    /// the first side.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// The name of the other document.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// Whether the two documents are on different sides of a comparison.
    #[serde(default, skip_serializing_if = "is_false")]
    pub against: bool,
    /// The accepted Jaccard similarity.
    pub jaccard: f64,
    /// For documents that match by their passages: the larger coverage, which is accepted instead of the similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// The hash of the normalised text of `a`, `xxh3_128` in 32 hexadecimal digits; omitted if unknown.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub text_a: Option<Cow<'a, str>>,
    /// The hash of the normalised text of `b`, in the same form.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub text_b: Option<Cow<'a, str>>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A pair in a baseline: the names and texts of its documents, in the order of their names, or of the sides.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedPair {
    /// The names, which may not be UTF-8.
    pub names: [Vec<u8>; 2],
    /// The hashes of the normalised texts, if known.
    pub texts: [Option<u128>; 2],
    /// Whether the documents are on different sides of a comparison, where a name may belong to two documents.
    pub against: bool,
    /// The Jaccard similarity of the documents.
    pub jaccard: f64,
    /// For documents that match by their passages: the larger coverage.
    pub coverage: Option<f64>,
}

impl AcceptedPair {
    /// * `texts`: the hashes of the normalised texts, if known.
    /// * `against`: whether the documents are on different sides of a comparison.
    pub fn new(pair: &PairRecord, texts: [Option<u128>; 2], against: bool) -> Self {
        let coverage = pair.matched.map(|_| PairCounts::from(pair).coverage);
        Self { names: [pair.a.to_bytes(), pair.b.to_bytes()], texts, against, jaccard: pair.jaccard, coverage }
            .in_order()
    }

    /// Puts the name that sorts first in front, unless the documents are on different sides.
    pub(super) fn in_order(mut self) -> Self {
        if !self.against && self.names[0] > self.names[1] {
            self.names.swap(0, 1);
            self.texts.swap(0, 1);
        }
        self
    }

    /// The key made of both names.
    pub(super) fn name_key(&self) -> u128 {
        self.key(self.name_hashes())
    }

    /// The keys in which one or both texts replace the names.
    ///
    /// * `may_be`: for each document, whether another document with the same text may replace it.
    pub(super) fn text_keys(&self, may_be: [bool; 2]) -> impl Iterator<Item = u128> + use<> {
        let [a, b] = self.name_hashes();
        let texts =
            self.texts.map(|text| text.map(|text| xxh3_128(&[b"text".as_slice(), &text.to_le_bytes()].concat())));
        let [text_a, text_b] = [0, 1].map(|side| texts[side].filter(|_| may_be[side]));
        let keys = [
            text_a.map(|text| self.key([text, b])),
            text_b.map(|text| self.key([a, text])),
            text_a.zip(text_b).map(|(text_a, text_b)| self.key([text_a, text_b])),
        ];
        keys.into_iter().flatten()
    }

    /// The hashes of both names.
    pub(super) fn name_hashes(&self) -> [u128; 2] {
        self.names.each_ref().map(|name| name_hash(name))
    }

    /// The key made of the hashes of both documents. It is the same in either order, unless they are on different
    /// sides.
    fn key(&self, [a, b]: [u128; 2]) -> u128 {
        let [a, b] = if self.against { [a, b] } else { [a.min(b), a.max(b)] };
        xxh3_128(&[[a, b].map(u128::to_le_bytes).as_flattened(), &[u8::from(self.against)]].concat())
    }

    pub(super) fn record(&self) -> AcceptedRecord<'_> {
        let [text_a, text_b] = self.texts.map(|text| text.map(|text| format!("{text:032x}").into()));
        AcceptedRecord {
            a: Name::new(&self.names[0]),
            b: Name::new(&self.names[1]),
            against: self.against,
            jaccard: self.jaccard,
            coverage: self.coverage,
            text_a,
            text_b,
        }
    }
}

impl TryFrom<&AcceptedRecord<'_>> for AcceptedPair {
    type Error = &'static str;

    fn try_from(record: &AcceptedRecord) -> Result<Self, Self::Error> {
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        if !is_share(record.jaccard) || !record.coverage.is_none_or(is_share) {
            return Err("similarities are from 0 to 1");
        }
        let text = |text: &Option<Cow<str>>| {
            let parse = |text: &str| u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32);
            text.as_deref().map(|text| parse(text).ok_or("hashes have 32 hexadecimal digits")).transpose()
        };
        let pair = Self {
            names: [record.a.to_bytes(), record.b.to_bytes()],
            texts: [text(&record.text_a)?, text(&record.text_b)?],
            against: record.against,
            jaccard: record.jaccard,
            coverage: record.coverage,
        };
        Ok(pair.in_order())
    }
}

/// The hash of a document's name.
pub(super) fn name_hash(name: &[u8]) -> u128 {
    xxh3_128(&[b"name", name].concat())
}
