//! `BandKeys`: stores band keys between signing and the bucket table, in exactly 8 bytes per signed document and band.
//!
//! A worker appends the keys of one piece of documents at a time. Keys are stored by band, in chunks that are allocated
//! as a whole and never move. Each chunk is as large as all chunks before it together, so most keys of a large corpus
//! are in chunks that the allocator returns to the system individually. The unused end of the last chunk is never
//! touched, so it needs no memory. The chunks of a band are freed when its table is built.

use std::ops::Range;
use std::sync::Mutex;

use crate::base::error::Result;
use crate::base::memory::{asking, no_room};

/// The number of documents in each of the first two chunks: 8 KiB per band, so that a small corpus needs little memory.
const FIRST: usize = 1 << 10;

/// The chunk that contains a place.
fn chunk_of(place: usize) -> usize {
    (place / FIRST).checked_ilog2().map_or(0, |log| log as usize + 1)
}

/// The places in a chunk.
fn places(chunk: usize) -> Range<usize> {
    let end = FIRST << chunk;
    if chunk == 0 { 0..end } else { end / 2..end }
}

/// Splits a range of places at the ends of chunks, into pairs of a chunk and a range within it.
fn pieces(mut run: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    std::iter::from_fn(move || {
        let chunk = chunk_of(run.start);
        let places = places(chunk);
        let piece = run.start..run.end.min(places.end);
        run.start = piece.end;
        (!piece.is_empty()).then(|| (chunk, piece.start - places.start..piece.end - places.start))
    })
}

/// The band keys of all signed documents, in the order in which they were appended.
pub(super) struct BandKeys {
    /// The chunks of each band, each with its full capacity, and filled up to the last key that was written.
    bands: Vec<Mutex<Vec<Vec<u64>>>>,
    len: Mutex<usize>,
}

impl BandKeys {
    pub(super) fn new(num_bands: usize) -> Self {
        Self { bands: (0..num_bands).map(|_| Mutex::default()).collect(), len: Mutex::default() }
    }

    /// Adds the keys of some documents, one document after another; returns the place of the first document.
    ///
    /// # Errors
    /// When memory is too small for the keys.
    pub(super) fn append(&self, keys: &[u64]) -> Result<usize> {
        let num_bands = self.bands.len();
        let num_documents = keys.len() / num_bands;
        let start = {
            let mut len = self.len.lock().expect("no holder panics");
            *len += num_documents;
            *len - num_documents
        };
        for (band, chunks) in self.bands.iter().enumerate() {
            let mut chunks = chunks.lock().expect("no holder panics");
            let mut keys = keys.iter().skip(band).step_by(num_bands);
            for (chunk, piece) in pieces(start..start + num_documents) {
                while chunks.len() <= chunk {
                    let mut room = Vec::new();
                    let len = places(chunks.len()).len();
                    // The error reports the bytes of all bands.
                    asking(|| room.try_reserve_exact(len)).map_err(|_| no_room::<u64>(len * num_bands, "band keys"))?;
                    chunks.push(room);
                }
                let chunk = &mut chunks[chunk];
                // Another thread may not have written earlier keys of the chunk yet.
                if chunk.len() < piece.end {
                    chunk.resize(piece.end, 0);
                }
                chunk[piece].iter_mut().zip(&mut keys).for_each(|(place, key)| *place = *key);
            }
        }
        Ok(start)
    }

    /// The bytes of all keys that were appended.
    pub(super) fn num_bytes(&self) -> usize {
        8 * self.bands.len() * *self.len.lock().expect("no holder panics")
    }

    /// Passes the keys of one band to `visit`, one run of documents after another, and frees them.
    ///
    /// * `runs`: the place of the first document and the number of documents of each run.
    pub(super) fn take(&self, band: usize, runs: impl Iterator<Item = (usize, usize)>, visit: &mut dyn FnMut(u64)) {
        let chunks = std::mem::take(&mut *self.bands[band].lock().expect("no holder panics"));
        for (start, len) in runs {
            for (chunk, piece) in pieces(start..start + len) {
                chunks[chunk][piece].iter().for_each(|&key| visit(key));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_arrive_in_any_order_come_out_as_asked() {
        let keys = BandKeys::new(3);
        // The key of a document is 10 times its number plus the band. The runs cross the ends of chunks.
        let lens = [5, FIRST - 7, 1, 0, 900, 3 * FIRST];
        let mut number = 0;
        let runs: Vec<(usize, usize, u64)> = lens
            .iter()
            .map(|&len| {
                let first = number;
                number += len as u64;
                let rows: Vec<u64> = (first..number).flat_map(|n| [10 * n, 10 * n + 1, 10 * n + 2]).collect();
                (keys.append(&rows).unwrap(), len, first)
            })
            .collect();
        for band in [2, 0] {
            let mut taken = Vec::new();
            let backwards = runs.iter().rev();
            keys.take(band, backwards.clone().map(|&(start, len, _)| (start, len)), &mut |key| taken.push(key));
            let expected = backwards.flat_map(|&(_, len, first)| first..first + len as u64);
            assert!(taken.iter().copied().eq(expected.map(|n| 10 * n + band as u64)), "band {band}");
        }
    }
}
