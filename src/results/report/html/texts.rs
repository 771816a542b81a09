//! `PackedTexts`: packs the texts and passages of pairs into compressed blocks, as text in HTML.
//!
//! A block is JSON, compressed and encoded in base64:
//! `{"t":{DOCUMENT:{"s":TEXT,"l":LINES,"r":REMOVED,"w":WORDS}},"p":{PAIR:[[A, A_END, B, B_END, EXACT]]}}`. Positions
//! count UTF-16 code units, as JavaScript does. The same texts give the same bytes on every machine.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use base64::prelude::{BASE64_STANDARD, Engine};
use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;

use crate::results::views::{PairView, TextView};

/// The number of uncompressed bytes after which a block ends; a single text can be larger.
const BLOCK: usize = 1 << 17;
/// The compression level; higher levels are much slower and save little.
const LEVEL: u8 = 6;

/// Texts and passages in blocks.
#[derive(Default)]
pub(super) struct PackedTexts {
    max_bytes: u64,
    num_bytes: u64,
    is_full: bool,
    blocks: Vec<String>,
    filling: TextBlock,
    filling_bytes: usize,
    /// The block of each document's text.
    text_blocks: BTreeMap<usize, usize>,
    /// The block of each pair's passages.
    passage_blocks: BTreeMap<usize, usize>,
    /// Documents whose text could not be read as it was compared.
    lost: BTreeMap<usize, ()>,
}

#[derive(Default, Serialize)]
struct TextBlock {
    t: BTreeMap<usize, TextRecord>,
    p: BTreeMap<usize, Vec<[u64; 5]>>,
}

#[derive(Serialize)]
struct TextRecord {
    s: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    l: Option<Vec<u64>>,
    /// The ranges that were removed before the comparison.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    r: Vec<[u64; 2]>,
    /// The words that describe the removed ranges.
    #[serde(skip_serializing_if = "str::is_empty")]
    w: &'static str,
}

impl PackedTexts {
    pub(super) fn new(max_bytes: u64) -> Self {
        Self { max_bytes, ..Self::default() }
    }

    /// Adds a pair. Returns whether there is room for more.
    pub(super) fn add(&mut self, pair: usize, documents: [usize; 2], view: PairView) -> bool {
        if self.is_full {
            return false;
        }
        for (document, text) in documents.into_iter().zip(&view.texts) {
            match text {
                Some(text) => self.add_text(document, text),
                None => drop(self.lost.insert(document, ())),
            }
        }
        if let [Some(a), Some(b)] = &view.texts {
            let a = units(&a.text, view.passages.iter().map(|passage| &passage.a));
            let b = units(&b.text, view.passages.iter().map(|passage| &passage.b));
            let places = a.into_iter().zip(b).zip(&view.passages);
            let rows: Vec<[u64; 5]> =
                places.map(|(([a, a_end], [b, b_end]), passage)| [a, a_end, b, b_end, passage.exact.into()]).collect();
            self.filling_bytes += rows.len() * 24;
            self.filling.p.insert(pair, rows);
        }
        if self.filling_bytes >= BLOCK {
            self.end_block();
        }
        !self.is_full
    }

    fn add_text(&mut self, document: usize, text: &Arc<TextView>) {
        if self.text_blocks.contains_key(&document) || self.filling.t.contains_key(&document) {
            return;
        }
        self.filling_bytes += text.text.len() + text.lines.as_ref().map_or(0, |lines| lines.len() * 4);
        let removed = units(&text.text, text.removed.iter());
        let words = if removed.is_empty() { "" } else { text.removed_words };
        self.filling_bytes += removed.len() * 16;
        let record = TextRecord { s: text.text.clone(), l: text.lines.clone(), r: removed, w: words };
        self.filling.t.insert(document, record);
    }

    /// Ends the last block.
    pub(super) fn finish(&mut self) {
        if !self.is_full {
            self.end_block();
        }
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.filling);
        self.filling_bytes = 0;
        if block.t.is_empty() && block.p.is_empty() {
            return;
        }
        let json = serde_json::to_vec(&block).expect("it is made of plain values");
        let packed = BASE64_STANDARD.encode(compress_to_vec(&json, LEVEL));
        if self.num_bytes + packed.len() as u64 > self.max_bytes {
            self.is_full = true;
            return;
        }
        self.num_bytes += packed.len() as u64;
        let number = self.blocks.len();
        self.text_blocks.extend(block.t.into_keys().map(|document| (document, number)));
        self.passage_blocks.extend(block.p.into_keys().map(|pair| (pair, number)));
        self.blocks.push(packed);
    }

    pub(super) fn blocks(&self) -> &[String] {
        &self.blocks
    }

    pub(super) fn block_of_text(&self, document: usize) -> Option<usize> {
        self.text_blocks.get(&document).copied()
    }

    pub(super) fn block_of_passages(&self, pair: usize) -> Option<usize> {
        self.passage_blocks.get(&pair).copied()
    }

    /// Documents that could not be read as they were compared, ascending.
    pub(super) fn lost(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.lost.keys().copied()
    }

    /// The number of pairs whose texts are included.
    pub(super) fn num_pairs(&self) -> usize {
        self.passage_blocks.len()
    }

    /// Whether texts were omitted because of the size limit.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }
}

/// Converts byte ranges of a text to UTF-16 code units.
fn units<'r>(text: &str, ranges: impl Iterator<Item = &'r Range<usize>>) -> Vec<[u64; 2]> {
    let ranges: Vec<[usize; 2]> = ranges.map(|range| [range.start, range.end]).collect();
    if text.is_ascii() {
        return ranges.into_iter().map(|range| range.map(|at| at as u64)).collect();
    }
    let mut places: Vec<usize> = ranges.iter().flatten().copied().collect();
    places.sort_unstable();
    places.dedup();
    let (mut known, mut done, mut count) = (BTreeMap::new(), 0, 0);
    for place in places {
        count += text[done..place].encode_utf16().count() as u64;
        done = place;
        known.insert(place, count);
    }
    ranges.into_iter().map(|range| range.map(|at| known[&at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_units_of_scripts() {
        let text = "a😀é\u{0}b";
        let ranges = [0..text.len(), 5..7, 0..1];
        assert_eq!(units(text, ranges.iter()), [[0, 6], [3, 4], [0, 1]]);
        assert_eq!(units("abc", std::iter::once(&(1..3))), [[1, 3]]);
    }

    #[test]
    fn texts_that_do_not_fit_are_left_out_and_those_before_stay() {
        let view = |text: &str| {
            let text =
                Some(Arc::new(TextView { text: text.to_owned(), lines: None, removed: Vec::new(), removed_words: "" }));
            PairView { texts: [text.clone(), text], passages: Vec::new() }
        };
        // Pseudo-random hexadecimal digits, which compress little.
        let long: String = (0..40_000_u64).map(|n| format!("{:016x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
        let mut texts = PackedTexts::new(100_000);
        assert!(texts.add(0, [0, 1], view("short")));
        texts.end_block();
        assert!(!texts.add(1, [2, 3], view(&long)));
        assert!(!texts.add(2, [4, 5], view("short")));
        texts.finish();
        assert!(texts.is_full() && texts.blocks().len() == 1 && texts.num_pairs() == 1);
        assert_eq!([0, 2, 4].map(|document| texts.block_of_text(document)), [Some(0), None, None]);
    }
}
