//! A fast writer of pairs as JSON Lines: the same bytes as [`push_json`] writes for a
//! [`PairRecord`](super::PairRecord), in a third of the time.
//!
//! The start of a line is formatted once for all pairs with the same first document, and each of the few estimates
//! once. Most names need no escapes, and are copied.

use serde::Serialize;

use super::{Name, push_json};
use crate::compare::passages::LocatedPassages;
use crate::compare::verify::{DuplicatePair, PairWeights};
use crate::documents::document::{DocId, Documents};
use crate::documents::document::{Origin, Place};
use crate::sign::banding::MAX_HASHES;
use crate::text::weights::to_number;

/// The `estimate` part of a line, formatted once for each number of equal signature values.
#[derive(Debug, Default)]
pub(super) struct Estimates {
    num_hashes: u32,
    written: Vec<Box<[u8]>>,
}

impl Estimates {
    /// Formats the estimates for signatures of the first pair's length.
    pub(super) fn prepare(&mut self, pairs: &[DuplicatePair]) {
        if let Some(&DuplicatePair { num_hashes, .. }) = pairs.first()
            && self.num_hashes != num_hashes
        {
            let most = (num_hashes as usize).min(MAX_HASHES) as u32;
            self.written = (0..=most).map(|equal_values| estimate(equal_values, num_hashes)).collect();
            self.num_hashes = num_hashes;
        }
    }

    fn get(&self, pair: &DuplicatePair) -> Option<&[u8]> {
        let is_same_length = pair.num_hashes == self.num_hashes;
        self.written.get(pair.equal_values as usize).filter(|_| is_same_length).map(|written| &**written)
    }
}

fn estimate(equal_values: u32, num_hashes: u32) -> Box<[u8]> {
    let mut estimate = b",\"estimate\":".to_vec();
    push(&mut estimate, f64::from(equal_values) / f64::from(num_hashes));
    estimate.into()
}

/// Appends one line for each pair.
///
/// * `passages`: the passages of each pair; an empty slice writes lines without passages.
/// * `estimates`: prepared estimates are copied, others are formatted.
/// * `with_source`: whether lines contain the known sources of documents.
pub(super) fn append(
    documents: &Documents,
    pairs: &[DuplicatePair],
    passages: &[Option<LocatedPassages>],
    estimates: &Estimates,
    with_source: bool,
    lines: &mut Vec<u8>,
) {
    let origin = |document| documents.origin(document).filter(|_| with_source);
    let mut first: Option<DocId> = None;
    let (mut start, mut source_a) = (Vec::new(), Vec::new());
    for (number, pair) in pairs.iter().enumerate() {
        if first != Some(pair.a) {
            first = Some(pair.a);
            start.clear();
            start.extend_from_slice(b"{\"a\":");
            push_name(&mut start, documents.name(pair.a));
            start.extend_from_slice(b",\"b\":");
            if let Some(origin) = origin(pair.a) {
                source_a.clear();
                push_source(&mut source_a, b",\"source_a\":", origin);
            }
        }
        lines.extend_from_slice(&start);
        push_name(lines, documents.name(pair.b));
        lines.extend_from_slice(b",\"jaccard\":");
        push(lines, pair.similarity());
        lines.extend_from_slice(b",\"containment_a\":");
        push(lines, pair.containment_a());
        lines.extend_from_slice(b",\"containment_b\":");
        push(lines, pair.containment_b());
        lines.extend_from_slice(b",\"shared\":");
        push(lines, pair.shared);
        lines.extend_from_slice(b",\"shingles_a\":");
        push(lines, pair.shingles_a);
        lines.extend_from_slice(b",\"shingles_b\":");
        push(lines, pair.shingles_b);
        match estimates.get(pair) {
            Some(written) => lines.extend_from_slice(written),
            None => lines.extend_from_slice(&estimate(pair.equal_values, pair.num_hashes)),
        }
        if let Some(raw) = pair.raw_similarity() {
            lines.extend_from_slice(b",\"jaccard_raw\":");
            push(lines, raw);
        }
        if let Some(kept) = pair.kept_similarity() {
            lines.extend_from_slice(b",\"jaccard_kept\":");
            push(lines, kept);
        }
        if let Some(origin) = origin(pair.b) {
            lines.extend_from_slice(&source_a);
            push_source(lines, b",\"source_b\":", origin);
        }
        if let Some(passages) = passages.get(number) {
            push_passages(lines, passages.as_ref());
        }
        if let Some(weights) = pair.weights {
            push_weights(lines, weights);
        }
        if let Some(index) = documents.index(pair.b) {
            lines.extend_from_slice(b",\"index\":");
            push_name(lines, index);
        }
        if documents.scope().is_old(pair.b) {
            lines.extend_from_slice(b",\"old_b\":true");
        }
        lines.extend_from_slice(b"}\n");
    }
}

fn push_weights(line: &mut Vec<u8>, weights: PairWeights) {
    let PairWeights { shared, a, b } = weights;
    let keys: [(&[u8], u64); 3] = [(b",\"weight_shared\":", shared), (b",\"weight_a\":", a), (b",\"weight_b\":", b)];
    for (key, weight) in keys {
        line.extend_from_slice(key);
        push(line, to_number(weight));
    }
}

fn push_passages(line: &mut Vec<u8>, passages: Option<&LocatedPassages>) {
    if let Some(passages) = passages {
        line.extend_from_slice(b",\"coverage_a\":");
        push(line, passages.coverage_a);
        line.extend_from_slice(b",\"coverage_b\":");
        push(line, passages.coverage_b);
        if let Some(totals) = passages.totals {
            line.extend_from_slice(b",\"matched\":");
            push(line, totals.matched);
            line.extend_from_slice(b",\"longest\":");
            push(line, totals.longest);
        }
    }
    line.extend_from_slice(b",\"passages\":");
    push(line, passages.map(|passages| &passages.passages));
}

fn push_source(line: &mut Vec<u8>, key: &[u8], origin: Origin) {
    line.extend_from_slice(key);
    line.extend_from_slice(b"{\"file\":");
    push_name(line, origin.file);
    if let Some(offset) = origin.offset {
        line.extend_from_slice(b",\"offset\":");
        push(line, offset);
    }
    let number: Option<(&[u8], u64)> = origin.place.map(|place| match place {
        Place::Line(number) => (b",\"line\":".as_slice(), number),
        Place::Row(number) => (b",\"row\":".as_slice(), number),
    });
    if let Some((key, number)) = number {
        line.extend_from_slice(key);
        push(line, number);
    }
    if let Some(index) = origin.index {
        line.extend_from_slice(b",\"index\":");
        push_name(line, index);
    }
    line.push(b'}');
}

fn push(line: &mut Vec<u8>, value: impl Serialize) {
    push_json(line, &value);
}

fn push_name(line: &mut Vec<u8>, name: &[u8]) {
    // A fold without an early exit lets the compiler check many bytes at once.
    let is_plain = |&byte: &u8| (b' '..=b'~').contains(&byte) & (byte != b'"') & (byte != b'\\');
    if name.iter().fold(true, |all, byte| all & is_plain(byte)) {
        line.push(b'"');
        line.extend_from_slice(name);
        line.push(b'"');
    } else {
        push(line, Name::new(name));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::compare::passages::{DocumentPart, LocatedPassage, PassageTotals};
    use crate::compare::verify::{KeptNames, RemovedShingles};
    use crate::documents::document::DocumentLocation;
    use crate::documents::document::Origins;
    use crate::records::PairRecord;

    fn sharing(number: u64) -> LocatedPassages {
        use crate::documents::document::OffsetsOf::*;
        let part = |at: u64| DocumentPart {
            lines: [at + 1, at + number],
            parts: (number == 3).then_some([at, number]),
            bytes: [at, at + 9],
            of: [File, Field, Filter, Text][number as usize],
        };
        let passage = |at| LocatedPassage {
            a: part(at),
            b: part(number),
            matched: at,
            exact: at % 2 == 0,
            files_a: None,
            files_b: None,
        };
        let totals = (number % 2 == 1).then_some(PassageTotals { matched: number, longest: 7 });
        LocatedPassages { coverage_a: 0.1, coverage_b: 1.0, totals, passages: (0..number).map(passage).collect() }
    }

    proptest! {
        #[test]
        fn lines_are_the_json_of_the_records(
            texts in prop::collection::vec(prop_oneof!["[ -~]{0,40}", "\\PC{0,9}", "[a\u{7F}\u{1}\n\u{2028}\u{202E}\u{85}é]{0,3}"], 1..4),
            bytes in prop::collection::vec(any::<u8>(), 0..9),
            removes in any::<bool>(),
            in_indexes in any::<bool>(),
            origins in prop::option::of(prop::collection::vec(0u64..4, 5)),
            shares in prop::option::of(prop::collection::vec(prop::option::of(0u64..4), 20)),
            pairs in prop::collection::vec(
                (0usize..5, 0usize..5, (0u64..50, 1u64..99, 1u64..99), (0u32..9, prop_oneof![Just(7u32), 1u32..9])), 0..20),
        ) {
            let mut documents = Documents::default();
            let located = DocumentLocation { offset: 0, len: 0, source: 0 };
            let names: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).chain([&*bytes]).collect();
            for (number, name) in names.iter().enumerate() {
                documents.push(name, None, 0, located).unwrap();
                if in_indexes {
                    documents.push_index((number % 2 == 1).then(|| (*name).into())).unwrap();
                }
            }
            documents.set_origins(origins.map(|places| {
                let mut origins = Origins::with_capacity(places.len()).unwrap();
                for (number, (place, name)) in places.into_iter().zip(&names).enumerate() {
                    origins.begin_file(name, place == 1);
                    if place > 0 { origins.push_record(place) } else { origins.push_file(Some(b"other\xFF"), (number % 2 == 1).then_some(7)) }
                }
                origins
            }));
            let pair = |&(a, b, (shared, more_a, more_b), (equal_values, num_hashes)): &(usize, usize, (u64, u64, u64), (u32, u32))| {
                let id = |number: usize| DocId::new(number % names.len());
                let (shingles_a, shingles_b) = (shared + more_a, shared + more_b);
                let removed = removes.then(|| RemovedShingles { a: more_b, b: more_a, shared: more_a.min(more_b) });
                let kept_names = (more_a > more_b).then_some(KeptNames { shared, all: shared + more_a % 7 });
                let weights = (more_a < more_b).then_some(PairWeights { shared: shared << 13, a: 1 + (shared << 14), b: shingles_b << 16 });
                DuplicatePair { a: id(a), b: id(b), shared, shingles_a, shingles_b, equal_values, num_hashes, removed, kept_names, weights }
            };
            let pairs: Vec<DuplicatePair> = pairs.iter().map(pair).collect();
            let mut expected = Vec::new();
            let passages: Vec<Option<LocatedPassages>> = shares.map_or(vec![], |shares| {
                shares.into_iter().take(pairs.len()).map(|share| share.map(sharing)).collect()
            });
            for (number, pair) in pairs.iter().enumerate() {
                let record = PairRecord::new(&documents, pair);
                let record = match passages.get(number) {
                    Some(passages) => record.with_passages(passages.as_ref()),
                    None => record,
                };
                push_json(&mut expected, &record);
                expected.push(b'\n');
            }
            let (mut lines, mut estimates) = (Vec::new(), Estimates::default());
            estimates.prepare(&pairs);
            append(&documents, &pairs, &passages, &estimates, true, &mut lines);
            for line in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                let mut again = Vec::new();
                push_json(&mut again, &serde_json::from_slice::<PairRecord>(line).unwrap());
                prop_assert_eq!(line, again);
            }
            prop_assert_eq!(String::from_utf8_lossy(&lines), String::from_utf8_lossy(&expected));
        }
    }
}
