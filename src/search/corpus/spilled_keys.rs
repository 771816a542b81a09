//! `SpilledKeys`: the band keys and the bits of signatures that do not fit in memory.
//!
//! The keys of a piece of documents are written at once, band after band, and the bits of their signatures after them. So a
//! band is read with one read for each piece, and the bits are read only once. A key has no more bytes than its bits need: 5
//! in addition to the bits of signatures by default, so a document needs 152 bytes on the disk.

use crate::base::error::Result;
use crate::base::storage::SpilledParts;

/// The bytes of the keys and bits of some documents.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct KeyBytes {
    /// The bytes if all of them were in memory.
    pub(crate) all_in_memory: u64,
    /// The bytes if all of them were on the disk.
    pub(crate) all_on_disk: u64,
    /// The bytes that are in memory.
    pub(crate) in_memory: u64,
}

/// The keys and bits of the pieces that were written to the disk.
pub(super) struct SpilledKeys {
    parts: SpilledParts,
    num_bands: usize,
    /// The bytes of a key.
    key_len: usize,
    /// The bytes of the bits of a signature; 0 where they are not kept.
    bits_len: usize,
}

impl SpilledKeys {
    /// * `key_bits`: the number of bits of a key, at most 64.
    /// * `bits_len`: the bytes of the bits of a signature; 0 where they are not kept.
    pub(super) fn new(num_bands: usize, key_bits: usize, bits_len: usize) -> Self {
        Self { parts: SpilledParts::new("the band keys"), num_bands, key_len: key_bits.div_ceil(8), bits_len }
    }

    /// The bytes on the disk.
    pub(super) fn num_bytes(&self) -> u64 {
        self.parts.num_bytes()
    }

    /// The bytes of the keys and bits of a document, without the checksums of its piece.
    pub(super) fn bytes_of_document(&self) -> usize {
        self.num_bands * self.key_len + self.bits_len
    }

    /// Writes the keys of a piece; returns the offset by which they are read.
    ///
    /// * `key`: the key in a band of a document of the piece, by their numbers.
    /// * `bits`: the bits of the signatures of these documents.
    ///
    /// # Errors
    /// When they cannot be written to the disk.
    pub(super) fn append(&self, num_documents: usize, key: impl Fn(usize, usize) -> u64, bits: &[u8]) -> Result<u64> {
        let mut lens = vec![num_documents * self.key_len; self.num_bands];
        lens.push(num_documents * self.bits_len);
        self.parts.write(&lens, |band, bytes| match band < self.num_bands {
            true => (0..num_documents)
                .for_each(|document| bytes.extend_from_slice(&key(band, document).to_le_bytes()[..self.key_len])),
            false => bytes.extend_from_slice(bits),
        })
    }

    /// Reads the keys of a piece in one band, and passes them to `visit`.
    ///
    /// # Errors
    /// When they cannot be read, or have changed since they were written.
    pub(super) fn for_each(
        &self,
        offset: u64,
        num_documents: usize,
        band: usize,
        buffer: &mut Vec<u8>,
        mut visit: impl FnMut(u64),
    ) -> Result<()> {
        let len = num_documents * self.key_len;
        let keys = self.parts.read(offset + band as u64 * SpilledParts::stored_len(len), len, buffer)?;
        for bytes in keys.chunks_exact(self.key_len) {
            let mut key = [0; 8];
            key[..self.key_len].copy_from_slice(bytes);
            visit(u64::from_le_bytes(key));
        }
        Ok(())
    }

    /// Reads the bits of the signatures of a piece, one row for each document.
    ///
    /// # Errors
    /// When they cannot be read, or have changed since they were written.
    pub(super) fn bits<'b>(&self, offset: u64, num_documents: usize, buffer: &'b mut Vec<u8>) -> Result<&'b [u8]> {
        let keys = self.num_bands as u64 * SpilledParts::stored_len(num_documents * self.key_len);
        self.parts.read(offset + keys, num_documents * self.bits_len, buffer)
    }
}
