//! `Sketches`: an odd sketch of each text, which rules out nearly all candidates that share nothing but rare shingles.
//!
//! This is a bitmap filter (Sandes, Teodoro and Melo 2020) with the sketches of [`verify`](crate::compare::verify). It never
//! rules out a pair that reaches the threshold.

use super::texts::RankedTexts;
use crate::base::error::Result;
use crate::base::memory::reserve_share;
use crate::compare::verify::{Outline, Threshold};

/// The ratio of sketch bits to the bits that may differ at the threshold. The sketches of unrelated texts differ in
/// about half of their bits, so a ratio well above 2 shows that too many differ.
const BITS: f64 = 2.6;

/// The number of bits in the sketch of each text.
#[derive(Debug, Clone, Copy)]
pub(super) struct SketchSizes {
    /// Bits for each shingle, before they are rounded up to a power of 2.
    bits_per_shingle: f64,
    /// How often the number of bits is halved to fit the memory.
    halved: u32,
    /// Whether sizes are weights, which a sketch of shingles cannot bound.
    of_weights: bool,
}

impl SketchSizes {
    /// Chooses sketch sizes that need no more than `most_bytes` together, provided that one word for each text fits.
    ///
    /// * `of_weights`: whether sizes are weights; then each sketch is a single unused word.
    pub(super) fn new(texts: &RankedTexts, threshold: Threshold, most_bytes: u64, of_weights: bool) -> Self {
        let threshold = threshold.value();
        // Two sets of n shingles differ in 2 n (1 - t) / (1 + t) shingles at the threshold t.
        let bits_per_shingle = (BITS * 2.0 * (1.0 - threshold) / (1.0 + threshold)).min(2.0);
        let mut sizes = Self { bits_per_shingle, halved: 0, of_weights };
        let num_bytes = |sizes: Self| texts.sizes().map(|size| sizes.num_words(size) as u64 * 8).sum::<u64>();
        while num_bytes(sizes) > most_bytes && sizes.halved < u32::BITS {
            sizes.halved += 1;
        }
        sizes
    }

    /// The number of words in the sketch of a text with `size` shingles.
    pub(super) fn num_words(self, size: u64) -> usize {
        if self.of_weights {
            return 1;
        }
        let bits = (size as f64 * self.bits_per_shingle).ceil() as u64;
        (bits.next_power_of_two() >> self.halved).max(64) as usize / 64
    }
}

/// The sketches of all texts, by rank: their words and 8 bytes for each text.
pub(super) struct Sketches {
    words: Vec<u64>,
    ends: Vec<usize>,
    of_weights: bool,
}

impl Sketches {
    /// * `in_document_order`: the sketches of the texts, one after another, in parts.
    ///
    /// # Errors
    /// When memory is too small for them.
    pub(super) fn new(
        texts: &RankedTexts,
        sizes: SketchSizes,
        in_document_order: impl IntoIterator<Item = Vec<u64>>,
    ) -> Result<Self> {
        let mut end = 0;
        let end_of = |size| {
            end += sizes.num_words(size);
            end
        };
        let ends: Vec<usize> = texts.sizes().map(end_of).collect();
        let mut words = Vec::new();
        reserve_share(&mut words, end, "sketches")?;
        words.resize(end, 0);
        let mut sketches = Self { words, ends, of_weights: sizes.of_weights };
        let mut ranks = texts.in_document_order().iter();
        for part in in_document_order {
            let mut rest = part.as_slice();
            while !rest.is_empty() {
                let &rank = ranks.next().expect("a text for each sketch");
                let words = sketches.range(rank);
                let sketch = rest.split_off(..words.len()).expect("a sketch is whole");
                sketches.words[words].copy_from_slice(sketch);
            }
        }
        Ok(sketches)
    }

    /// The sketch and the size of a text, for the test that rules out pairs.
    #[inline]
    pub(super) fn outline(&self, texts: &RankedTexts, rank: u32) -> Outline<'_> {
        let (size, sketch) = (texts.size(rank), &self.words[self.range(rank)]);
        if self.of_weights {
            Outline { len: 0, sketch, weight: size }
        } else {
            Outline { len: size as usize, sketch, weight: 0 }
        }
    }

    #[inline]
    fn range(&self, rank: u32) -> std::ops::Range<usize> {
        let rank = rank as usize;
        rank.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[rank]
    }
}
