//! `SignatureBits`: the kept bits of all signatures, and the test of candidates by them.
//!
//! Four bits of a hash of each value are kept, as planes: the first bits of all values, then the second bits,
//! and so on. Values whose planes differ nowhere are equal, so a comparison is a few XORs and a count of bits. The bits of
//! one text stay in registers while they are compared with the bits of all its candidates.

mod kernel;

use super::signature_filter::{BITS, SignatureFilter};
use crate::base::error::Result;
use crate::base::flat::chunked_rows::ChunkedRows;
use crate::base::flat::prefetch::prefetch;
use crate::base::memory::{asking, no_room, reserve_exact};
use crate::documents::document::DocId;

/// The number of a text whose signature has no bits.
const NOWHERE: u32 = u32::MAX;

/// The bytes of a plane, which is read in words of 8 bytes.
fn bytes_of_plane(num_hashes: usize) -> usize {
    num_hashes.div_ceil(8).max(8)
}

/// The bytes of the bits that are kept of a signature with `num_hashes` values.
pub(crate) fn bytes_of_bits(num_hashes: usize) -> usize {
    BITS * bytes_of_plane(num_hashes)
}

/// Appends the bits that are kept of a signature.
pub(crate) fn append_bits(signature: &[u32], bits: &mut Vec<u8>) {
    let (start, plane_len) = (bits.len(), bytes_of_plane(signature.len()));
    bits.resize(start + BITS * plane_len, 0);
    let planes = &mut bits[start..];
    for (at, values) in signature.chunks(8).enumerate() {
        // A byte for each value, with its bits.
        let bytes = (0..).step_by(8).zip(values).fold(0u64, |bytes, (shift, &value)| bytes | mixed(value) << shift);
        for plane in 0..BITS {
            // Collects the lowest bit of each byte in the highest byte.
            let lowest = bytes >> plane & 0x0101_0101_0101_0101;
            planes[plane * plane_len + at] = (lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        }
    }
}

/// The kept bits of the values of one band, which are a part of its key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BandBits {
    plane_len: usize,
    /// The first of the four bytes of each plane that contain the bits.
    byte: usize,
    /// The position of the first bit in these bytes.
    shift: usize,
    /// The number of values whose bits are used.
    num_values: usize,
}

impl BandBits {
    /// Only the first values of a long band are used.
    const MOST_VALUES: usize = 8;

    /// * `num_hashes`: the number of values of a signature.
    /// * `rows`: the number of values of each band.
    pub(crate) fn new(num_hashes: usize, rows: usize, band: usize) -> Self {
        let plane_len = bytes_of_plane(num_hashes);
        let byte = (rows * band / 8).min(plane_len - 4);
        Self { plane_len, byte, shift: rows * band - 8 * byte, num_values: Self::used_values(rows) }
    }

    /// The number of bits that are used of a band.
    pub(crate) fn num_bits(rows: usize) -> usize {
        BITS * Self::used_values(rows)
    }

    fn used_values(rows: usize) -> usize {
        rows.min(Self::MOST_VALUES)
    }

    /// The bits of the band in the row of a signature; the same for equal bands.
    #[inline(always)]
    pub(crate) fn of(&self, row: &[u8]) -> u64 {
        let of_plane = |plane: usize| {
            let start = plane * self.plane_len + self.byte;
            let bytes = row[start..start + 4].try_into().expect("four bytes");
            u64::from(u32::from_le_bytes(bytes)) >> self.shift & ((1 << self.num_values) - 1)
        };
        (0..BITS).fold(0, |bits, plane| bits << self.num_values | of_plane(plane))
    }
}

/// A hash of a value, of four bits. Small values, such as the minima of very large sets, are spread like all others.
#[inline]
fn mixed(value: u32) -> u64 {
    let hash = (value ^ value >> 15).wrapping_mul(0x2C1B_3C6D);
    u64::from((hash ^ hash >> 12).wrapping_mul(0x297A_2D39) >> (32 - BITS))
}

/// The kept bits of all signatures, and the filter that uses them.
#[derive(Debug)]
pub(crate) struct SignatureBits {
    filter: SignatureFilter,
    rows: ChunkedRows<u8>,
    /// The row of each document that is the first of its text and has bits; `NOWHERE` for any other.
    positions: Box<[u32]>,
    num_rows: usize,
}

impl SignatureBits {
    /// Creates the bits of a corpus. No text has a row yet.
    ///
    /// * `rows`: the bits of signatures, as [`append_bits`] makes them.
    /// * `num_rows`: the number of these rows.
    ///
    /// # Errors
    /// When memory is too small for the position of each document's row.
    pub(crate) fn new(
        filter: SignatureFilter,
        num_documents: usize,
        rows: ChunkedRows<u8>,
        num_rows: usize,
    ) -> Result<Self> {
        let mut positions = Vec::new();
        reserve_exact(&mut positions, num_documents, "the positions of signatures")?;
        positions.resize(num_documents, NOWHERE);
        Ok(Self { filter, rows, positions: positions.into_boxed_slice(), num_rows })
    }

    /// Gives a text one of the rows.
    ///
    /// * `first`: the first document of the text.
    pub(crate) fn set_row(&mut self, first: DocId, row: usize) {
        self.positions[first.index()] = row as u32;
    }

    /// Adds a row for a text.
    ///
    /// # Errors
    /// When memory is too small for it.
    pub(crate) fn add_row(&mut self, first: DocId, bits: &[u8]) -> Result<()> {
        let row = self.num_rows;
        let written = asking(|| self.rows.write(row..row + 1, bits.iter().copied()));
        written.map_err(|len| no_room::<u8>(len, "the bits of signatures"))?;
        self.num_rows += 1;
        self.set_row(first, row);
        Ok(())
    }

    /// Removes the candidates of a text that the filter excludes.
    ///
    /// * `start`: the position of the first candidate in the list.
    pub(crate) fn retain(&self, text: DocId, candidates: &mut Vec<DocId>, start: usize) {
        if start < candidates.len() {
            kernel::retain(self, text, candidates, start);
        }
    }

    /// Removes the pairs of texts that the filter excludes from a list.
    pub(crate) fn retain_pairs(&self, pairs: &mut Vec<(DocId, DocId)>) {
        let mut candidate = Vec::new();
        pairs.retain(|&(a, b)| {
            candidate.clear();
            candidate.push(b);
            self.retain(a, &mut candidate, 0);
            !candidate.is_empty()
        });
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        self.rows.num_bytes() + size_of_val(&*self.positions)
    }

    /// The bits of the signature of a text.
    #[inline(always)]
    fn row(&self, text: DocId) -> &[u8] {
        self.rows.row(self.positions[text.index()] as usize)
    }

    /// Starts to load the bits of a text, which may be in two lines of the cache.
    #[inline(always)]
    fn prefetch(&self, text: DocId) {
        let row = self.row(text);
        prefetch(row, 0);
        prefetch(row, row.len() - 1);
    }

    fn bytes_of_plane(&self) -> usize {
        bytes_of_plane(self.filter.num_hashes())
    }

    /// The maximum number of different values of a pair that is kept.
    fn most_different(&self) -> u32 {
        (self.filter.num_hashes() - self.filter.least_equal()) as u32
    }
}

/// The number of values of two signatures that are equal in the kept bits.
pub(crate) fn equal_bits(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).filter(|&(&a, &b)| mixed(a) == mixed(b)).count()
}

#[cfg(test)]
mod tests;
