//! `Sketches`: an odd sketch of each text, which rules out nearly all candidates that only their rarest shingles make so.
//!
//! A bitmap filter (Sandes, Teodoro and Melo 2020) by the sketches of [`verify`](crate::verify): no pair that reaches the
//! threshold is ruled out.

use super::texts::RankedTexts;
use crate::error::Result;
use crate::memory::reserve_exact;
use crate::verify::{Outline, Threshold};

/// How many times as many bits as may differ at the threshold. In a sketch of sets that have nothing in common half of the bits
/// are set; more are needed to see that it is too many.
const BITS: f64 = 2.6;

/// How many bits the sketch of a text has.
#[derive(Debug, Clone, Copy)]
pub(super) struct SketchSizes {
    /// Bits for each shingle, before they are rounded up to a power of 2.
    bits_per_shingle: f64,
    /// Bits are halved so many times.
    halved: u32,
    /// Whether sizes are weights, of which a sketch of shingles says nothing.
    of_weights: bool,
}

impl SketchSizes {
    /// The sizes of sketches that take no more than so many bytes together, if one word each does.
    ///
    /// * `of_weights`: whether sizes are weights; then a word stands for each sketch.
    pub(super) fn new(texts: &RankedTexts, threshold: Threshold, most_bytes: u64, of_weights: bool) -> Self {
        let threshold = threshold.value();
        // Of two sets of n shingles, so many times n differ at the threshold: 2 (1 - t) / (1 + t).
        let bits_per_shingle = (BITS * 2.0 * (1.0 - threshold) / (1.0 + threshold)).min(2.0);
        let mut sizes = Self { bits_per_shingle, halved: 0, of_weights };
        let num_bytes = |sizes: Self| texts.sizes().map(|size| sizes.num_words(size) as u64 * 8).sum::<u64>();
        while num_bytes(sizes) > most_bytes && sizes.halved < u32::BITS {
            sizes.halved += 1;
        }
        sizes
    }

    /// The words of the sketch of a text with so many shingles.
    pub(super) fn num_words(self, size: u64) -> usize {
        if self.of_weights {
            return 1;
        }
        let bits = (size as f64 * self.bits_per_shingle).ceil() as u64;
        (bits.next_power_of_two() >> self.halved).max(64) as usize / 64
    }
}

/// The sketches of all texts, by rank: their words and 8 bytes a text.
pub(super) struct Sketches {
    words: Vec<u64>,
    ends: Vec<usize>,
    of_weights: bool,
}

impl Sketches {
    /// * `in_document_order`: the sketches of the texts one after another, in parts.
    ///
    /// # Errors
    /// When there is no room for them.
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
        reserve_exact(&mut words, end, "sketches")?;
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

    /// What the test of two texts needs of one of them.
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
