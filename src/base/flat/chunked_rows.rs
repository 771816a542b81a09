//! `ChunkedRows`: rows of one length in chunks that are allocated as a whole and never move.
//!
//! Each chunk is as large as all chunks before it together. So the rows of a long list are in chunks that the allocator
//! returns to the system individually, and growing never copies a row. The unused end of the last chunk is never touched,
//! so it needs no memory.

use std::ops::Range;

/// The number of rows in each of the first two chunks.
const FIRST: usize = 1 << 10;

/// The chunk that contains a row.
#[inline(always)]
fn chunk_of(row: usize) -> usize {
    (usize::BITS - (row / FIRST).leading_zeros()) as usize
}

/// The rows in a chunk.
#[inline(always)]
fn rows_in(chunk: usize) -> Range<usize> {
    let end = FIRST << chunk;
    if chunk == 0 { 0..end } else { end / 2..end }
}

/// Splits a range of rows at the ends of chunks, into pairs of a chunk and a range within it.
fn pieces(mut run: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    std::iter::from_fn(move || {
        let chunk = chunk_of(run.start);
        let rows = rows_in(chunk);
        let piece = run.start..run.end.min(rows.end);
        run.start = piece.end;
        (!piece.is_empty()).then(|| (chunk, piece.start - rows.start..piece.end - rows.start))
    })
}

/// Rows of `row_len` values each, which are written in any order.
#[derive(Debug, Default)]
pub(crate) struct ChunkedRows<T> {
    row_len: usize,
    /// The chunks, each with its full capacity, and filled up to the last row that was written.
    chunks: Vec<Vec<T>>,
}

impl<T: Copy + Default> ChunkedRows<T> {
    pub(crate) fn new(row_len: usize) -> Self {
        Self { row_len, chunks: Vec::new() }
    }

    /// Writes consecutive rows. Rows before them that are not written yet are zero.
    ///
    /// * `rows`: the numbers of the rows.
    /// * `values`: the values of the rows, one row after another.
    ///
    /// # Errors
    /// The number of values of a chunk for which memory is too small.
    pub(crate) fn write(&mut self, rows: Range<usize>, values: impl Iterator<Item = T>) -> Result<(), usize> {
        let Self { row_len, chunks } = self;
        let mut values = values.into_iter();
        for (chunk, piece) in pieces(rows) {
            while chunks.len() <= chunk {
                let mut room = Vec::new();
                let len = rows_in(chunks.len()).len() * *row_len;
                room.try_reserve_exact(len).map_err(|_| len)?;
                chunks.try_reserve(1).map_err(|_| len)?;
                chunks.push(room);
            }
            let chunk = &mut chunks[chunk];
            let piece = piece.start * *row_len..piece.end * *row_len;
            if chunk.len() < piece.end {
                chunk.resize(piece.end, T::default());
            }
            chunk[piece].iter_mut().zip(&mut values).for_each(|(kept, value)| *kept = value);
        }
        Ok(())
    }

    /// The values of a row that was written.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        let chunk = chunk_of(row);
        let start = (row - rows_in(chunk).start) * self.row_len;
        &self.chunks[chunk][start..start + self.row_len]
    }

    /// The values of consecutive rows, in a few slices. Lists of rows of any length are cut at the same rows.
    pub(crate) fn slices(&self, rows: Range<usize>) -> impl Iterator<Item = &[T]> {
        pieces(rows).map(|(chunk, piece)| &self.chunks[chunk][piece.start * self.row_len..piece.end * self.row_len])
    }

    /// The bytes of all rows up to the last one that was written.
    pub(crate) fn num_bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| size_of_val(chunk.as_slice())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_written_in_any_order_are_read_back() {
        let mut rows = ChunkedRows::new(3);
        // The runs cross the ends of chunks.
        let runs = [FIRST + 5..4 * FIRST + 2, 0..7, 7..FIRST + 5, 4 * FIRST + 2..4 * FIRST + 2];
        let values = |rows: Range<usize>| rows.flat_map(|row| [row, row + 1, 2 * row]);
        for run in runs {
            rows.write(run.clone(), values(run)).unwrap();
        }
        for row in [0, 6, 7, FIRST - 1, FIRST, 2 * FIRST, 4 * FIRST - 1, 4 * FIRST, 4 * FIRST + 1] {
            assert_eq!(rows.row(row), [row, row + 1, 2 * row]);
        }
        let seen = rows.slices(FIRST - 2..2 * FIRST + 3).flatten().copied();
        assert!(seen.eq(values(FIRST - 2..2 * FIRST + 3)));
        assert_eq!(rows.num_bytes(), 3 * 8 * (4 * FIRST + 2));
    }
}
