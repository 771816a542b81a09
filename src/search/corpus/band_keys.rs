//! `BandKeys`: stores band keys between signing and the bucket table, and the bits of signatures for the filter of
//! candidates.
//!
//! A worker appends the keys of one piece of documents at a time. Keys are stored by band, and the keys of a band are freed
//! when its table is built. The bits of signatures contain some bits of every value, so they are a part of each key: 20 bits
//! with bands of five values. Only as many bits of a band's hash are stored as are missing to [`LEAST_BITS`], or
//! [`UNFILTERED_WORDS`] words if no bits of signatures are stored. So the keys of 20 bands need 40 bytes, in addition to the
//! 52 bytes of the bits. Different bands with one key make a false candidate, which the filter or verification excludes.

use std::sync::{Mutex, RwLock, RwLockReadGuard};

use crate::base::error::Result;
use crate::base::flat::chunked_rows::ChunkedRows;
use crate::base::memory::{asking, no_room};
use crate::sign::banding::{BandBits, Banding, SignatureFilter, bytes_of_bits};

/// The minimum number of bits of a key where bits of signatures are stored. Ten million documents have about
/// 15,000 false candidates, which the filter excludes in some nanoseconds each.
const LEAST_BITS: usize = 36;
/// The number of words of a key where no bits of signatures are stored: ten million documents have four false candidates.
const UNFILTERED_WORDS: usize = 3;

/// A part of a key.
type Word = u16;
const WORD_BITS: usize = Word::BITS as usize;

/// The band keys of all signed documents, in the order in which they were appended.
pub(super) struct BandKeys {
    banding: Banding,
    /// The number of words of a key.
    words: usize,
    /// For each band, lists of the first words of all keys, the second words, and so on.
    bands: Vec<Mutex<ChunkedRows<Word>>>,
    /// The bits of each signature, where they are kept.
    bits: RwLock<ChunkedRows<u8>>,
    /// The bytes of the bits that are kept of each signature; 0 for none.
    bytes_of_bits: usize,
    len: Mutex<usize>,
}

/// The keys of one band, which are freed with it.
pub(super) struct KeysOfBand<'k> {
    words: Vec<ChunkedRows<Word>>,
    /// The bits of each signature, where they are kept.
    bits: Option<(RwLockReadGuard<'k, ChunkedRows<u8>>, BandBits, usize)>,
}

impl BandKeys {
    /// * `filter`: the filter for which bits of each signature are kept.
    pub(super) fn new(banding: Banding, filter: Option<SignatureFilter>) -> Self {
        let bytes_of_bits = filter.map_or(0, |filter| bytes_of_bits(filter.num_hashes()));
        let words = match filter {
            Some(_) => LEAST_BITS.saturating_sub(BandBits::num_bits(banding.rows())).div_ceil(WORD_BITS).max(1),
            None => UNFILTERED_WORDS,
        };
        Self {
            banding,
            words,
            bands: (0..banding.bands() * words).map(|_| Mutex::new(ChunkedRows::new(1))).collect(),
            bits: RwLock::new(ChunkedRows::new(bytes_of_bits)),
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
        let num_bands = self.banding.bands();
        let num_documents = keys.len() / num_bands;
        let start = {
            let mut len = self.len.lock().expect("no holder panics");
            *len += num_documents;
            *len - num_documents
        };
        let places = start..start + num_documents;
        for (number, rows) in self.bands.iter().enumerate() {
            let (band, word) = (number / self.words, number % self.words);
            let shift = u64::BITS as usize - (word + 1) * WORD_BITS;
            let mut rows = rows.lock().expect("no holder panics");
            let words = keys.iter().skip(band).step_by(num_bands).map(|&key| (key >> shift) as Word);
            // The error reports the bytes of all bands.
            asking(|| rows.write(places.clone(), words))
                .map_err(|len| no_room::<Word>(len * self.bands.len(), "band keys"))?;
        }
        if self.bytes_of_bits > 0 {
            let mut rows = self.bits.write().expect("no holder panics");
            let written = asking(|| rows.write(places, bits.iter().copied()));
            written.map_err(|len| no_room::<u8>(len, "the bits of signatures"))?;
        }
        Ok(start)
    }

    /// The number of documents that have keys.
    pub(super) fn len(&self) -> usize {
        *self.len.lock().expect("no holder panics")
    }

    /// The bytes of the keys and bits of a document.
    pub(super) fn bytes_of_document(&self) -> usize {
        size_of::<Word>() * self.bands.len() + self.bytes_of_bits
    }

    /// The bytes of all keys and bits that were appended.
    pub(super) fn num_bytes(&self) -> usize {
        self.bytes_of_document() * self.len()
    }

    /// Takes the keys of one band. The bits of signatures must not have been taken.
    pub(super) fn take(&self, band: usize) -> KeysOfBand<'_> {
        let lists = &self.bands[band * self.words..(band + 1) * self.words];
        let words = lists.iter().map(|rows| std::mem::take(&mut *rows.lock().expect("no holder panics"))).collect();
        let of_band = || BandBits::new(self.banding.num_hashes(), self.banding.rows(), band);
        let bits = || (self.bits.read().expect("no holder panics"), of_band(), self.bytes_of_bits);
        KeysOfBand { words, bits: (self.bytes_of_bits > 0).then(bits) }
    }

    /// The bits of each signature, by its place; `None` where they are not kept.
    pub(super) fn take_bits(&self) -> Option<ChunkedRows<u8>> {
        let bits = || std::mem::take(&mut *self.bits.write().expect("no holder panics"));
        (self.bytes_of_bits > 0).then(bits)
    }
}

impl KeysOfBand<'_> {
    /// The bytes that are freed with the keys.
    pub(super) fn num_bytes(&self) -> usize {
        self.words.iter().map(ChunkedRows::num_bytes).sum()
    }

    /// Passes the keys to `visit`, one run of documents after another.
    ///
    /// * `runs`: the place of the first document and the number of documents of each run.
    pub(super) fn for_each(&self, runs: impl Iterator<Item = (usize, usize)>, mut visit: impl FnMut(u64)) {
        for (start, len) in runs {
            let mut lists: Vec<_> = self.words.iter().map(|rows| rows.slices(start..start + len)).collect();
            let bits = self.bits.as_ref();
            let mut bits = bits.map(|(rows, of_band, row_len)| (rows.slices(start..start + len), of_band, *row_len));
            loop {
                let words: Vec<&[Word]> = lists.iter_mut().filter_map(Iterator::next).collect();
                let Some((first, others)) = words.split_first() else { break };
                let hash = |at: usize| {
                    others.iter().fold(u64::from(first[at]), |hash, words| hash << WORD_BITS | u64::from(words[at]))
                };
                match &mut bits {
                    None => (0..first.len()).for_each(|at| visit(spread(hash(at)))),
                    Some((slices, of_band, row_len)) => {
                        let rows = slices.next().expect("bits are cut like keys").chunks_exact(*row_len);
                        rows.enumerate().for_each(|(at, row)| visit(spread(hash(at) << 32 | of_band.of(row))));
                    }
                }
            }
        }
    }
}

/// A key as a hash whose bits are all used. Different keys have different hashes.
#[inline(always)]
fn spread(key: u64) -> u64 {
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::sign::banding::{append_bits, band_keys};

    #[test]
    fn equal_bands_have_equal_keys_and_others_do_not() {
        const LENS: [usize; 6] = [5, 1017, 1, 0, 900, 3072];
        for (num_bands, rows, threshold) in [
            (20, 5, Some(0.8)),
            (9, 13, Some(0.9)),
            (40, 2, Some(0.5)),
            (25, 3, Some(0.6)),
            (30, 1, None),
            (20, 5, None),
        ] {
            let banding = Banding::new(num_bands, rows).unwrap();
            let filter = threshold.map(|threshold| SignatureFilter::new(banding, threshold).expect("a filter"));
            let keys = BandKeys::new(banding, filter);
            // Many bands are equal, and many others differ in one value. The runs cross the ends of chunks.
            let signature = |document: usize| -> Vec<u32> {
                let value =
                    |at: usize| (document % 97 * (at % 7) + (document % 89 + at).is_multiple_of(11) as usize) as u32;
                (0..banding.num_hashes()).map(value).collect()
            };
            let mut number = 0;
            let runs = LENS.map(|len| {
                let (mut of_run, mut bits) = (Vec::new(), Vec::new());
                for document in number..number + len {
                    let mut of_document = vec![0; num_bands];
                    band_keys(&signature(document), &mut of_document);
                    of_run.extend(of_document);
                    append_bits(&signature(document), &mut bits);
                }
                number += len;
                (keys.append(&of_run, &bits).unwrap(), len, number - len)
            });
            assert!(keys.num_bytes() == keys.bytes_of_document() * number && keys.len() == number);
            for band in [num_bands - 1, 0, num_bands / 2] {
                let mut taken = Vec::new();
                let of_band = keys.take(band);
                of_band.for_each(runs.iter().rev().map(|&(start, len, _)| (start, len)), |key| taken.push(key));
                drop(of_band);
                let documents: Vec<usize> = runs.iter().rev().flat_map(|&(_, len, first)| first..first + len).collect();
                assert_eq!(taken.len(), documents.len());
                let (mut of_values, mut of_key) = (HashMap::new(), HashMap::new());
                for (key, &document) in taken.into_iter().zip(&documents) {
                    let values = signature(document)[band * rows..(band + 1) * rows].to_vec();
                    assert_eq!(*of_values.entry(values.clone()).or_insert(key), key);
                    assert_eq!(*of_key.entry(key).or_insert(values.clone()), values);
                }
            }
            let Some(bits) = keys.take_bits() else { continue };
            for &(start, len, first) in &runs {
                for at in 0..len {
                    let mut expected = Vec::new();
                    append_bits(&signature(first + at), &mut expected);
                    assert_eq!(bits.row(start + at), expected);
                }
            }
        }
    }

    #[test]
    fn a_key_has_forty_bytes_besides_the_bits_by_default() {
        let banding = Banding::default();
        let filter = SignatureFilter::new(banding, 0.8);
        assert!(filter.is_some() && BandKeys::new(banding, filter).bytes_of_document() == 92);
        assert_eq!(BandKeys::new(banding, None).bytes_of_document(), 120);
    }
}
