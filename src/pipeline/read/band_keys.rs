//! Band keys on their way from the signatures to the bucket table: 8 bytes a document and band, and not one more.
//!
//! Workers append the keys of a piece of documents at a time, band by band, to chunks that are allocated as a whole and
//! never move. A band's chunks are freed when its table has been built.

use std::sync::Mutex;

/// Documents in a chunk: 128 KiB a band, so that a small corpus does not pay for a large one.
const CHUNK: usize = 1 << 14;

/// The band keys of all documents that have shingles, in the order of their arrival.
pub(super) struct BandKeys {
    bands: Vec<Mutex<Vec<Box<[u64]>>>>,
    len: Mutex<usize>,
}

impl BandKeys {
    pub(super) fn new(num_bands: usize) -> Self {
        Self { bands: (0..num_bands).map(|_| Mutex::default()).collect(), len: Mutex::default() }
    }

    /// Adds the keys of some documents, those of one document after another; returns the place of the first.
    pub(super) fn append(&self, keys: &[u64]) -> usize {
        let num_bands = self.bands.len();
        let num_documents = keys.len() / num_bands;
        let start = {
            let mut len = self.len.lock().expect("no holder panics");
            *len += num_documents;
            *len - num_documents
        };
        for (band, chunks) in self.bands.iter().enumerate() {
            let mut chunks = chunks.lock().expect("no holder panics");
            let num_chunks = (start + num_documents).div_ceil(CHUNK);
            while chunks.len() < num_chunks {
                chunks.push(vec![0; CHUNK].into());
            }
            for (place, key) in (start..).zip(keys.iter().skip(band).step_by(num_bands)) {
                chunks[place / CHUNK][place % CHUNK] = *key;
            }
        }
        start
    }

    /// Bytes of all keys that have arrived.
    pub(super) fn num_bytes(&self) -> usize {
        8 * self.bands.len() * *self.len.lock().expect("no holder panics")
    }

    /// Gives away one band: passes its keys on, run by run, and forgets them.
    ///
    /// * `runs`: place of the first and number of documents of each run.
    pub(super) fn take(&self, band: usize, runs: impl Iterator<Item = (usize, usize)>, visit: &mut dyn FnMut(u64)) {
        let chunks = std::mem::take(&mut *self.bands[band].lock().expect("no holder panics"));
        for (start, len) in runs {
            (start..start + len).for_each(|place| visit(chunks[place / CHUNK][place % CHUNK]));
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
        let lens = [5, CHUNK - 7, 1, 0, 900, CHUNK];
        let mut number = 0;
        let runs: Vec<(usize, usize, u64)> = lens
            .iter()
            .map(|&len| {
                let first = number;
                number += len as u64;
                let rows: Vec<u64> = (first..number).flat_map(|n| [10 * n, 10 * n + 1, 10 * n + 2]).collect();
                (keys.append(&rows), len, first)
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
