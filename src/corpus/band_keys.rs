//! `BandKeys`: stores band keys between signing and the bucket table, in exactly 8 bytes a signed document and
//! band.
//!
//! Workers append the keys of a piece of documents at a time, band by band. The keys lie in chunks that are allocated as a
//! whole and never move. Each chunk is as large as all before it, so most keys of a large corpus lie in chunks that the
//! allocator returns to the system one by one. The unused end of the last chunk is never touched, so it takes no memory. A
//! band's chunks are freed when its table is built.

use std::ops::Range;
use std::sync::Mutex;

use crate::error::Result;
use crate::memory::{asking, no_room};

/// Documents in each of the first two chunks: 8 KiB a band, so that a small corpus does not pay for a large one.
const FIRST: usize = 1 << 10;

/// The chunk that a place is in.
fn chunk_of(place: usize) -> usize {
    (place / FIRST).checked_ilog2().map_or(0, |log| log as usize + 1)
}

/// The places of a chunk.
fn places(chunk: usize) -> Range<usize> {
    let end = FIRST << chunk;
    if chunk == 0 { 0..end } else { end / 2..end }
}

/// Cuts places where chunks end.
fn pieces(mut run: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> {
    std::iter::from_fn(move || {
        let chunk = chunk_of(run.start);
        let places = places(chunk);
        let piece = run.start..run.end.min(places.end);
        run.start = piece.end;
        (!piece.is_empty()).then(|| (chunk, piece.start - places.start..piece.end - places.start))
    })
}

/// The band keys of all signed documents, in the order of their arrival.
pub(super) struct BandKeys {
    /// The chunks of each band, each with all of its room, and filled up to the last key that has arrived.
    bands: Vec<Mutex<Vec<Vec<u64>>>>,
    len: Mutex<usize>,
}

impl BandKeys {
    pub(super) fn new(num_bands: usize) -> Self {
        Self { bands: (0..num_bands).map(|_| Mutex::default()).collect(), len: Mutex::default() }
    }

    /// Adds the keys of some documents, those of one document after another; returns the place of the first.
    ///
    /// # Errors
    /// When there is no room for them.
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
                    // The error names the bytes of all bands.
                    asking(|| room.try_reserve_exact(len)).map_err(|_| no_room::<u64>(len * num_bands, "band keys"))?;
                    chunks.push(room);
                }
                let chunk = &mut chunks[chunk];
                // Earlier keys of the chunk may still be on their way.
                if chunk.len() < piece.end {
                    chunk.resize(piece.end, 0);
                }
                chunk[piece].iter_mut().zip(&mut keys).for_each(|(place, key)| *place = *key);
            }
        }
        Ok(start)
    }

    /// Bytes of all keys that have arrived.
    pub(super) fn num_bytes(&self) -> usize {
        8 * self.bands.len() * *self.len.lock().expect("no holder panics")
    }

    /// Passes the keys of one band to `visit`, run by run, and frees them.
    ///
    /// * `runs`: place of the first and number of documents of each run.
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
        // Documents whose keys are 10 times their number plus the band; the runs cross the chunks' borders.
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
