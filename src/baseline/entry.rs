//! `AcceptedPair`: one entry of a baseline, and the keys by which pairs are found to be known.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::output::{Name, PairCounts, PairRecord};

/// A line of a baseline. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedRecord<'a> {
    /// The name of one document, the lesser one by its bytes.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// The name of the other.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// The Jaccard similarity that is accepted.
    pub jaccard: f64,
    /// Where the documents match by their passages: the larger coverage, which is accepted in place of the similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// The hash of the normalised text of `a`, `xxh3_128` in 32 hexadecimal digits; left out where it is not known.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub text_a: Option<Cow<'a, str>>,
    /// The same of `b`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub text_b: Option<Cow<'a, str>>,
}

/// A pair as a baseline knows it: by the names and texts of its documents, in the order of their names.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedPair {
    /// The names, which may not be UTF-8.
    pub names: [Vec<u8>; 2],
    /// The hashes of the normalised texts, where they are known.
    pub texts: [Option<u128>; 2],
    /// Their Jaccard similarity.
    pub jaccard: f64,
    /// Where they match by their passages: the larger coverage.
    pub coverage: Option<f64>,
}

impl AcceptedPair {
    /// How much more alike a pair may be than the accepted one.
    const MOST_ABOVE: f64 = 0.05;
    /// Sums of decimals such as 0.8 and 0.05 are not exact.
    const ROUNDING: f64 = 1e-9;

    /// * `texts`: the hashes of the normalised texts, where they are known.
    pub fn new(pair: &PairRecord, texts: [Option<u128>; 2]) -> Self {
        let coverage = pair.matched.map(|_| PairCounts::from(pair).coverage);
        Self { names: [pair.a.to_bytes(), pair.b.to_bytes()], texts, jaccard: pair.jaccard, coverage }.in_order()
    }

    /// With the lesser name first.
    pub(super) fn in_order(mut self) -> Self {
        if self.names[0] > self.names[1] {
            self.names.swap(0, 1);
            self.texts.swap(0, 1);
        }
        self
    }

    /// Whether a pair is hardly more alike than this accepted one.
    pub(super) fn covers(&self, pair: &Self) -> bool {
        let (accepted, found) = match (self.coverage, pair.coverage) {
            (Some(accepted), Some(found)) => (accepted, found),
            _ => (self.jaccard, pair.jaccard),
        };
        found <= accepted + Self::MOST_ABOVE + Self::ROUNDING
    }

    /// The key of both names, and the keys that have a text in place of a name; either order of the documents gives the same.
    pub(super) fn keys(&self) -> (u128, Vec<u128>) {
        let names = self.names.each_ref().map(|name| xxh3_128(&[b"name", name.as_slice()].concat()));
        let texts =
            self.texts.map(|text| text.map(|text| xxh3_128(&[b"text".as_slice(), &text.to_le_bytes()].concat())));
        let key = |a: u128, b: u128| xxh3_128(&[a.min(b).to_le_bytes(), a.max(b).to_le_bytes()].concat());
        let [text_a, text_b] = texts;
        let others = [
            text_a.map(|text| key(text, names[1])),
            text_b.map(|text| key(names[0], text)),
            text_a.zip(text_b).map(|(a, b)| key(a, b)),
        ];
        (key(names[0], names[1]), others.into_iter().flatten().collect())
    }

    pub(super) fn record(&self) -> AcceptedRecord<'_> {
        let [text_a, text_b] = self.texts.map(|text| text.map(|text| format!("{text:032x}").into()));
        AcceptedRecord {
            a: Name::new(&self.names[0]),
            b: Name::new(&self.names[1]),
            jaccard: self.jaccard,
            coverage: self.coverage,
            text_a,
            text_b,
        }
    }
}

impl From<&AcceptedRecord<'_>> for AcceptedPair {
    fn from(record: &AcceptedRecord) -> Self {
        let text = |text: &Option<Cow<str>>| text.as_deref().and_then(|text| u128::from_str_radix(text, 16).ok());
        Self {
            names: [record.a.to_bytes(), record.b.to_bytes()],
            texts: [text(&record.text_a), text(&record.text_b)],
            jaccard: record.jaccard,
            coverage: record.coverage,
        }
        .in_order()
    }
}
