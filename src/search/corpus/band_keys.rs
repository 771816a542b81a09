//! `BandKeys`: stores band keys between signing and the bucket table, in exactly 8 bytes per signed document and band, and
//! the bits of signatures for the filter of candidates.
//!
//! A worker appends the keys of one piece of documents at a time. Keys are stored by band, and the keys of a band are freed
//! when its table is built.

use std::sync::Mutex;

use crate::base::error::Result;
use crate::base::flat::chunked_rows::ChunkedRows;
use crate::base::memory::{asking, no_room};

/// The band keys of all signed documents, in the order in which they were appended.
pub(super) struct BandKeys {
    bands: Vec<Mutex<ChunkedRows<u64>>>,
    /// The bits of each signature, where they are kept.
    bits: Mutex<ChunkedRows<u8>>,
    bytes_of_bits: usize,
    len: Mutex<usize>,
}

impl BandKeys {
    /// * `bytes_of_bits`: the bytes of the bits that are kept of each signature; 0 for none.
    pub(super) fn new(num_bands: usize, bytes_of_bits: usize) -> Self {
        Self {
            bands: (0..num_bands).map(|_| Mutex::new(ChunkedRows::new(1))).collect(),
            bits: Mutex::new(ChunkedRows::new(bytes_of_bits)),
            bytes_of_bits,
            len: Mutex::default(),
        }
    }

    /// Adds the keys of some documents, one document after another; returns the place of the first document.
    ///
    /// * `bits`: the bits of their signatures, where they are kept.
    ///
    /// # Errors
    /// When memory is too small for the keys.
    pub(super) fn append(&self, keys: &[u64], bits: &[u8]) -> Result<usize> {
        let num_bands = self.bands.len();
        let num_documents = keys.len() / num_bands;
        let start = {
            let mut len = self.len.lock().expect("no holder panics");
            *len += num_documents;
            *len - num_documents
        };
        let places = start..start + num_documents;
        for (band, rows) in self.bands.iter().enumerate() {
            let mut rows = rows.lock().expect("no holder panics");
            let keys = keys.iter().skip(band).step_by(num_bands).copied();
            // The error reports the bytes of all bands.
            asking(|| rows.write(places.clone(), keys)).map_err(|len| no_room::<u64>(len * num_bands, "band keys"))?;
        }
        if self.bytes_of_bits > 0 {
            let mut rows = self.bits.lock().expect("no holder panics");
            let written = asking(|| rows.write(places, bits.iter().copied()));
            written.map_err(|len| no_room::<u8>(len, "the bits of signatures"))?;
        }
        Ok(start)
    }

    /// The bytes of all keys and bits that were appended.
    pub(super) fn num_bytes(&self) -> usize {
        (8 * self.bands.len() + self.bytes_of_bits) * *self.len.lock().expect("no holder panics")
    }

    /// Passes the keys of one band to `visit`, one run of documents after another, and frees them.
    ///
    /// * `runs`: the place of the first document and the number of documents of each run.
    pub(super) fn take(&self, band: usize, runs: impl Iterator<Item = (usize, usize)>, visit: &mut dyn FnMut(u64)) {
        let rows = std::mem::take(&mut *self.bands[band].lock().expect("no holder panics"));
        runs.for_each(|(start, len)| rows.for_each(start..start + len, visit));
    }

    /// The bits of each signature, by its place; `None` where they are not kept.
    pub(super) fn take_bits(&self) -> Option<ChunkedRows<u8>> {
        let bits = || std::mem::take(&mut *self.bits.lock().expect("no holder panics"));
        (self.bytes_of_bits > 0).then(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_arrive_in_any_order_come_out_as_asked() {
        let keys = BandKeys::new(3, 2);
        // The key of a document is 10 times its number plus the band. The runs cross the ends of chunks.
        let lens = [5, 1017, 1, 0, 900, 3072];
        let mut number = 0;
        let runs: Vec<(usize, usize, u64)> = lens
            .iter()
            .map(|&len| {
                let first = number;
                number += len as u64;
                let rows: Vec<u64> = (first..number).flat_map(|n| [10 * n, 10 * n + 1, 10 * n + 2]).collect();
                let bits: Vec<u8> = (first..number).flat_map(|n| [n as u8, (n >> 8) as u8]).collect();
                (keys.append(&rows, &bits).unwrap(), len, first)
            })
            .collect();
        assert_eq!(keys.num_bytes(), (3 * 8 + 2) * number as usize);
        for band in [2, 0] {
            let mut taken = Vec::new();
            let backwards = runs.iter().rev();
            keys.take(band, backwards.clone().map(|&(start, len, _)| (start, len)), &mut |key| taken.push(key));
            let expected = backwards.flat_map(|&(_, len, first)| first..first + len as u64);
            assert!(taken.iter().copied().eq(expected.map(|n| 10 * n + band as u64)), "band {band}");
        }
        let bits = keys.take_bits().expect("they are kept");
        for &(start, len, first) in &runs {
            assert!((0..len).all(|at| bits.row(start + at) == ((first as usize + at) as u16).to_le_bytes()));
        }
    }
}
