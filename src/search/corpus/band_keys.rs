//! `BandKeys`: stores band keys between signing and the bucket table, and the bits of signatures for the filter of
//! candidates.
//!
//! A worker appends the keys of one piece of documents at a time. Keys are stored by band, and the keys of a band are freed
//! when its table is built. The bits of signatures contain some bits of every value, so they are a part of each key: 20 bits
//! with bands of five values. Only as many bits of a band's hash are stored as are missing to [`LEAST_BITS`], or
//! [`UNFILTERED_WORDS`] words if no bits of signatures are stored. So the keys of 20 bands need 40 bytes, in addition to the
//! 52 bytes of the bits. Different bands with one key make a false candidate, which the filter or verification excludes.
//!
//! Pieces for which the share of memory is too small go to the disk (`spilled_keys`). Which ones these are depends on the
//! threads; the keys do not.

use std::ops::Range;
use std::sync::{Mutex, RwLock, RwLockReadGuard};

use super::spilled_keys::SpilledKeys;
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

/// The keys of a piece of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct KeyRun {
    position: KeyPosition,
    len: usize,
}

/// The location of the keys of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyPosition {
    /// The position of the first document in memory.
    Memory(usize),
    /// The offset in the spilled keys.
    Disk(u64),
}

impl Default for KeyPosition {
    fn default() -> Self {
        Self::Memory(0)
    }
}

impl KeyRun {
    /// The number of documents.
    pub(super) fn len(self) -> usize {
        self.len
    }
}

/// The numbers of documents whose keys were appended.
#[derive(Debug, Clone, Copy, Default)]
struct KeyCounts {
    in_memory: usize,
    spilled: usize,
}

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
    /// The maximum number of documents whose keys are in memory.
    pub(super) most_in_memory: usize,
    pub(super) spilled: SpilledKeys,
    counts: Mutex<KeyCounts>,
}

/// The keys of one band, which are freed with it.
pub(super) struct KeysOfBand<'k> {
    band: usize,
    /// The number of bits of signatures in a spilled key; `None` where they are not kept.
    spilled_bits: Option<usize>,
    spilled: &'k SpilledKeys,
    words: Vec<ChunkedRows<Word>>,
    /// The bits of each signature, where they are kept.
    bits: Option<(RwLockReadGuard<'k, ChunkedRows<u8>>, BandBits, usize)>,
}

impl BandKeys {
    /// * `filter`: the filter for which bits of each signature are kept.
    /// * `memory_bytes`: the bytes that keys and bits may use in memory.
    pub(super) fn new(banding: Banding, filter: Option<SignatureFilter>, memory_bytes: u64) -> Self {
        let bytes_of_bits = filter.map_or(0, |filter| bytes_of_bits(filter.num_hashes()));
        let words = match filter {
            Some(_) => LEAST_BITS.saturating_sub(BandBits::num_bits(banding.rows())).div_ceil(WORD_BITS).max(1),
            None => UNFILTERED_WORDS,
        };
        let spilled_bits = filter.map_or(0, |_| BandBits::num_bits(banding.rows()));
        let mut keys = Self {
            banding,
            words,
            bands: (0..banding.bands() * words).map(|_| Mutex::new(ChunkedRows::new(1))).collect(),
            bits: RwLock::new(ChunkedRows::new(bytes_of_bits)),
            bytes_of_bits,
            most_in_memory: 0,
            spilled: SpilledKeys::new(banding.bands(), words * WORD_BITS + spilled_bits, bytes_of_bits),
            counts: Mutex::default(),
        };
        let most = memory_bytes / keys.bytes_of_document() as u64;
        keys.most_in_memory = usize::try_from(most).unwrap_or(usize::MAX);
        keys
    }

    /// Adds the keys of some documents, one document after another.
    ///
    /// * `bits`: the bits of their signatures, where they are kept.
    ///
    /// # Errors
    /// When memory is too small for the keys, or they cannot be written to the disk.
    pub(super) fn append(&self, keys: &[u64], bits: &[u8]) -> Result<KeyRun> {
        let len = keys.len() / self.banding.bands();
        let start = {
            let mut counts = self.counts.lock().expect("no holder panics");
            let has_room = self.most_in_memory - counts.in_memory >= len;
            let count = if has_room { &mut counts.in_memory } else { &mut counts.spilled };
            *count += len;
            has_room.then(|| counts.in_memory - len)
        };
        let position = match start {
            Some(start) => {
                self.write(start..start + len, keys, bits)?;
                KeyPosition::Memory(start)
            }
            None => KeyPosition::Disk(self.spill(keys, bits)?),
        };
        Ok(KeyRun { position, len })
    }

    /// Writes keys and bits to some positions in memory.
    fn write(&self, positions: Range<usize>, keys: &[u64], bits: &[u8]) -> Result<()> {
        let num_bands = self.banding.bands();
        for (number, rows) in self.bands.iter().enumerate() {
            let (band, word) = (number / self.words, number % self.words);
            let shift = u64::BITS as usize - (word + 1) * WORD_BITS;
            let mut rows = rows.lock().expect("no holder panics");
            let words = keys.iter().skip(band).step_by(num_bands).map(|&key| (key >> shift) as Word);
            // The error reports the bytes of all bands.
            asking(|| rows.write(positions.clone(), words))
                .map_err(|len| no_room::<Word>(len * self.bands.len(), "band keys"))?;
        }
        if self.bytes_of_bits > 0 {
            let mut rows = self.bits.write().expect("no holder panics");
            let written = asking(|| rows.write(positions, bits.iter().copied()));
            written.map_err(|len| no_room::<u8>(len, "the bits of signatures"))?;
        }
        Ok(())
    }

    /// Writes keys and bits to the disk.
    fn spill(&self, keys: &[u64], bits: &[u8]) -> Result<u64> {
        let (num_bands, num_bits) = (self.banding.bands(), BandBits::num_bits(self.banding.rows()));
        let bands: Vec<BandBits> = (0..num_bands).map(|band| self.bits_of_band(band)).collect();
        let key = |band: usize, document: usize| {
            let hash = keys[document * num_bands + band] >> (u64::BITS as usize - self.words * WORD_BITS);
            match self.bytes_of_bits {
                0 => hash,
                len => hash << num_bits | bands[band].of(&bits[document * len..(document + 1) * len]),
            }
        };
        self.spilled.append(keys.len() / num_bands, key, bits)
    }

    fn bits_of_band(&self, band: usize) -> BandBits {
        BandBits::new(self.banding.num_hashes(), self.banding.rows(), band)
    }

    /// The number of documents that have keys.
    pub(super) fn len(&self) -> usize {
        let counts = self.counts();
        counts.in_memory + counts.spilled
    }

    fn counts(&self) -> KeyCounts {
        *self.counts.lock().expect("no holder panics")
    }

    /// The bytes of the keys and bits of a document in memory.
    pub(super) fn bytes_of_document(&self) -> usize {
        size_of::<Word>() * self.bands.len() + self.bytes_of_bits
    }

    /// The bytes of all keys and bits in memory that were appended.
    pub(super) fn num_bytes(&self) -> usize {
        self.bytes_of_document() * self.counts().in_memory
    }

    /// Takes the keys of one band. The bits of signatures must not have been taken.
    pub(super) fn take(&self, band: usize) -> KeysOfBand<'_> {
        let lists = &self.bands[band * self.words..(band + 1) * self.words];
        let words = lists.iter().map(|rows| std::mem::take(&mut *rows.lock().expect("no holder panics"))).collect();
        let bits = || (self.bits.read().expect("no holder panics"), self.bits_of_band(band), self.bytes_of_bits);
        KeysOfBand {
            band,
            spilled_bits: (self.bytes_of_bits > 0).then(|| BandBits::num_bits(self.banding.rows())),
            spilled: &self.spilled,
            words,
            bits: (self.bytes_of_bits > 0).then(bits),
        }
    }

    /// The bits of the signatures in memory, by their positions; `None` where they are not kept.
    pub(super) fn take_bits(&self) -> Option<ChunkedRows<u8>> {
        let bits = || std::mem::take(&mut *self.bits.write().expect("no holder panics"));
        (self.bytes_of_bits > 0).then(bits)
    }

    /// The number of documents whose keys and bits are in memory.
    pub(super) fn num_in_memory(&self) -> usize {
        self.counts().in_memory
    }

    /// Passes on the bits of each document of a piece: their position in memory, or the bits themselves if they are on the
    /// disk.
    ///
    /// # Errors
    /// When they cannot be read from the disk, or `visit` fails.
    pub(super) fn visit_bits(
        &self,
        run: KeyRun,
        buffer: &mut Vec<u8>,
        mut visit: impl FnMut(StoredBits) -> Result<()>,
    ) -> Result<()> {
        match run.position {
            KeyPosition::Memory(start) => {
                (start..start + run.len).try_for_each(|position| visit(StoredBits::Memory(position)))
            }
            KeyPosition::Disk(offset) => {
                let bits = self.spilled.bits(offset, run.len, buffer)?;
                bits.chunks_exact(self.bytes_of_bits).try_for_each(|bits| visit(StoredBits::Disk(bits)))
            }
        }
    }
}

/// The kept bits of a signature.
pub(super) enum StoredBits<'b> {
    /// Their position in memory.
    Memory(usize),
    /// The bits, read from the disk.
    Disk(&'b [u8]),
}

impl KeysOfBand<'_> {
    /// The bytes that are freed with the keys.
    pub(super) fn num_bytes(&self) -> usize {
        self.words.iter().map(ChunkedRows::num_bytes).sum()
    }

    /// Passes the keys to `visit`, one run of documents after another.
    ///
    /// # Errors
    /// When keys cannot be read from the disk.
    pub(super) fn for_each(&self, runs: impl Iterator<Item = KeyRun>, mut visit: impl FnMut(u64)) -> Result<()> {
        let mut buffer = Vec::new();
        for run in runs {
            match run.position {
                KeyPosition::Memory(start) => self.for_each_in_memory(start..start + run.len, &mut visit),
                KeyPosition::Disk(offset) => self.spilled.for_each(offset, run.len, self.band, &mut buffer, |key| {
                    visit(spread(match self.spilled_bits {
                        None => key,
                        Some(num_bits) => key >> num_bits << 32 | key & ((1 << num_bits) - 1),
                    }))
                })?,
            }
        }
        Ok(())
    }

    fn for_each_in_memory(&self, positions: Range<usize>, visit: &mut impl FnMut(u64)) {
        let mut lists: Vec<_> = self.words.iter().map(|rows| rows.slices(positions.clone())).collect();
        let bits = self.bits.as_ref();
        let mut bits = bits.map(|(rows, of_band, row_len)| (rows.slices(positions), of_band, *row_len));
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
        for (num_bands, rows, threshold, in_memory) in [
            (20, 5, Some(0.8), usize::MAX),
            (20, 5, Some(0.8), 0),
            (9, 13, Some(0.9), 1930),
            (40, 2, Some(0.5), usize::MAX),
            (25, 3, Some(0.6), 1023),
            (30, 1, None, usize::MAX),
            (20, 5, None, 1024),
        ] {
            let banding = Banding::new(num_bands, rows).unwrap();
            let filter = threshold.map(|threshold| SignatureFilter::new(banding, threshold).expect("a filter"));
            let bytes_of_document = BandKeys::new(banding, filter, 0).bytes_of_document();
            let keys = BandKeys::new(banding, filter, in_memory.saturating_mul(bytes_of_document) as u64);
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
                (keys.append(&of_run, if filter.is_some() { &bits } else { &[] }).unwrap(), number - len)
            });
            assert!(runs.iter().map(|(run, _)| run.len()).eq(LENS) && keys.len() == number);
            // A piece is in memory if it fits there as a whole.
            let expected = match in_memory {
                0 => 0,
                1023 => LENS[0] + LENS[1] + LENS[2],
                1024 => LENS[0] + LENS[1] + LENS[2],
                1930 => number - LENS[5],
                _ => number,
            };
            assert_eq!(keys.num_bytes(), bytes_of_document * expected);
            for band in [num_bands - 1, 0, num_bands / 2] {
                let mut taken = Vec::new();
                let of_band = keys.take(band);
                of_band.for_each(runs.iter().rev().map(|&(run, _)| run), |key| taken.push(key)).unwrap();
                drop(of_band);
                let documents: Vec<usize> =
                    runs.iter().rev().flat_map(|&(run, first)| first..first + run.len()).collect();
                assert_eq!(taken.len(), documents.len());
                let (mut of_values, mut of_key) = (HashMap::new(), HashMap::new());
                for (key, &document) in taken.into_iter().zip(&documents) {
                    let values = signature(document)[band * rows..(band + 1) * rows].to_vec();
                    assert_eq!(*of_values.entry(values.clone()).or_insert(key), key);
                    assert_eq!(*of_key.entry(key).or_insert(values.clone()), values);
                }
            }
            let Some(in_memory) = keys.take_bits() else { continue };
            let mut buffer = Vec::new();
            for &(run, first) in &runs {
                let mut document = first;
                let check = |stored: StoredBits| {
                    let mut expected = Vec::new();
                    append_bits(&signature(document), &mut expected);
                    document += 1;
                    assert_eq!(
                        match stored {
                            StoredBits::Memory(position) => in_memory.row(position),
                            StoredBits::Disk(bits) => bits,
                        },
                        expected
                    );
                    Ok(())
                };
                keys.visit_bits(run, &mut buffer, check).unwrap();
                assert_eq!(document, first + run.len());
            }
        }
    }

    #[test]
    fn a_key_has_forty_bytes_besides_the_bits_by_default() {
        let banding = Banding::default();
        let filter = SignatureFilter::new(banding, 0.8);
        assert!(filter.is_some() && BandKeys::new(banding, filter, 0).bytes_of_document() == 92);
        assert_eq!(BandKeys::new(banding, None, 0).bytes_of_document(), 120);
    }
}
