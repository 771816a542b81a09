//! `Planes`: rows of bits in which each bit has a value, so that two rows share the sum of some values.
//!
//! A column is a class of shingles with a number: how many shingles are in it, or their weight. A text has a column if it
//! has the class. The numbers are written in binary: plane p has the columns whose numbers contain 2ᵖ, so the sum of the
//! columns that two texts have is Σ 2ᵖ · |bits of plane p in both rows|.
//!
//! A column of few texts has no bits. Its number is added to a sum for each of their pairs, which costs less than a bit in
//! each row.

use super::kernel::overlap_of_parts;
use super::mask::{Mask, bits_of, transpose};

/// Classes of the texts on both sides that have some shingles in common, and the number or the weight of these.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClassColumn {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) value: u64,
}

/// Texts of one side, with the masks of their classes.
#[derive(Debug, Clone, Copy)]
pub(super) struct MaskedTexts<'m> {
    pub(super) masks: &'m [Mask],
    pub(super) num_texts: usize,
}

/// The rows of the texts of two sides, or of one side for both.
#[derive(Debug, Default)]
pub(super) struct Planes {
    a: Vec<u64>,
    /// Empty if both sides are the same.
    b: Vec<u64>,
    /// The number of words of a row.
    num_words: usize,
    /// The end of each plane in a row.
    ends: Vec<usize>,
    /// The sums of the columns of few texts for each pair, one text of the first side after another; empty if there are
    /// none.
    sums: Vec<u64>,
    /// The number of texts of the second side.
    num_others: usize,
}

/// The maximum number of pairs of the texts of a column that has no bits. A bit in each row of 512 texts on both sides costs
/// about as much as this many additions.
const MOST_PAIRS: u32 = 128;

/// The number of words by which planes are padded, so that the instructions of every processor read whole planes.
const PADDING: usize = 8;

impl Planes {
    /// * `b`: `None` if both sides are the same.
    pub(super) fn new(columns: &[ClassColumn], a: MaskedTexts<'_>, b: Option<MaskedTexts<'_>>) -> Self {
        let others = b.unwrap_or(a);
        let num_pairs = |column: &ClassColumn| {
            let num_texts = |mask: &Mask| mask.iter().map(|word| word.count_ones()).sum::<u32>();
            num_texts(&a.masks[column.a as usize]) * num_texts(&others.masks[column.b as usize])
        };
        let (few, columns): (Vec<ClassColumn>, Vec<ClassColumn>) =
            columns.iter().copied().partition(|column| num_pairs(column) <= MOST_PAIRS);
        let mut sums = if few.is_empty() { Vec::new() } else { vec![0; a.num_texts * others.num_texts] };
        for column in &few {
            for a in bits_of(a.masks[column.a as usize].into_iter()) {
                for b in bits_of(others.masks[column.b as usize].into_iter()) {
                    sums[a * others.num_texts + b] += column.value;
                }
            }
        }
        let num_planes = columns.iter().map(|column| 64 - column.value.leading_zeros()).max().unwrap_or(0);
        let of_plane = |plane| columns.iter().filter(move |column| column.value >> plane & 1 == 1);
        let planes: Vec<Vec<ClassColumn>> = (0..num_planes).map(|plane| of_plane(plane).copied().collect()).collect();
        let mut num_words = 0;
        let mut end = |plane: &Vec<ClassColumn>| {
            num_words += plane.len().div_ceil(64 * PADDING) * PADDING;
            num_words
        };
        let ends: Vec<usize> = planes.iter().map(&mut end).collect();
        let rows = |side: MaskedTexts<'_>, class: fn(&ClassColumn) -> u32| {
            let mut rows = vec![0; num_words * side.num_texts];
            let mut start = 0;
            for (plane, &end) in planes.iter().zip(&ends) {
                for (word, columns) in (start..).zip(plane.chunks(64)) {
                    for first in (0..side.num_texts).step_by(64) {
                        let mut square = [0; 64];
                        for (target, column) in square.iter_mut().zip(columns) {
                            *target = side.masks[class(column) as usize][first / 64];
                        }
                        transpose(&mut square);
                        for (text, bits) in (first..side.num_texts).zip(square) {
                            rows[text * num_words + word] = bits;
                        }
                    }
                }
                start = end;
            }
            rows
        };
        let b = b.map_or_else(Vec::new, |side| rows(side, |column| column.b));
        Self { a: rows(a, |column| column.a), b, num_words, ends, sums, num_others: others.num_texts }
    }

    /// The sum of the columns that a text of one side and a text of the other side have.
    #[inline]
    pub(super) fn shared(&self, a: usize, b: usize) -> u64 {
        let sum = self.sums.get(a * self.num_others + b).copied().unwrap_or(0);
        if self.ends.is_empty() {
            return sum;
        }
        let rows_of_b = if self.b.is_empty() { &self.a } else { &self.b };
        let row = |text: usize| text * self.num_words..(text + 1) * self.num_words;
        sum + overlap_of_parts(&self.a[row(a)], &rows_of_b[row(b)], &self.ends)
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        8 * (self.a.len() + self.b.len() + self.sums.len())
    }
}
