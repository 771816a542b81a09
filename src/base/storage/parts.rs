//! `SpilledParts`: byte strings in the spill, which are written a few at a time and read back one by one.

use super::spill::{CHECKSUM_BYTES, Spill, push_checksum};
use crate::base::error::Result;

/// Byte strings on the disk, each with a checksum. Any thread may add and read them.
#[derive(Debug)]
pub(crate) struct SpilledParts {
    spill: Spill,
}

impl SpilledParts {
    /// Creates an empty store, which makes its file with the first write.
    ///
    /// * `what`: the kind of data, in the singular, for messages.
    pub(crate) fn new(what: &'static str) -> Self {
        Self { spill: Spill::new(what) }
    }

    /// The bytes on the disk.
    pub(crate) fn num_bytes(&self) -> u64 {
        self.spill.num_bytes()
    }

    /// Writes some parts, which follow one another, and returns the offset of the first one.
    ///
    /// * `lens`: the number of bytes of each part.
    /// * `fill`: appends the bytes of a part, by its number.
    ///
    /// # Errors
    /// When the parts cannot be written to the disk.
    pub(crate) fn write(&self, lens: &[usize], mut fill: impl FnMut(usize, &mut Vec<u8>)) -> Result<u64> {
        let num_bytes = lens.iter().map(|&len| Self::stored_len(len)).sum();
        let offset = self.spill.reserve(num_bytes);
        let mut bytes = Vec::with_capacity(num_bytes as usize);
        for (number, &len) in lens.iter().enumerate() {
            let start = bytes.len();
            fill(number, &mut bytes);
            debug_assert_eq!(bytes.len() - start, len, "a part has the length that was reserved");
            push_checksum(&mut bytes, start, offset + start as u64);
        }
        self.spill.write(offset, &bytes)?;
        Ok(offset)
    }

    /// Reads a part into `buffer`, whose content it replaces.
    ///
    /// * `offset`: the offset of the part. [`write`](Self::write) returns the offset of the first part, and each further part
    ///   begins after the [stored bytes](Self::stored_len) of the one before it.
    /// * `len`: the number of bytes of the part.
    ///
    /// # Errors
    /// When the part cannot be read, or has changed since it was written.
    pub(crate) fn read<'b>(&self, offset: u64, len: usize, buffer: &'b mut Vec<u8>) -> Result<&'b [u8]> {
        buffer.clear();
        self.spill.read(offset, Self::stored_len(len) as usize, buffer)?;
        self.spill.checked(offset, buffer)
    }

    /// The bytes on the disk of a part of `len` bytes.
    pub(crate) fn stored_len(len: usize) -> u64 {
        (len + CHECKSUM_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_back_one_by_one_and_a_change_is_noticed() {
        let parts = SpilledParts::new("a part");
        let contents: [&[u8]; 3] = [b"first", b"", b"the third part"];
        let lens = contents.map(<[u8]>::len);
        let write = || parts.write(&lens, |number, bytes| bytes.extend_from_slice(contents[number])).unwrap();
        let offsets = [write(), write()];
        assert_eq!(offsets[1], lens.iter().map(|&len| SpilledParts::stored_len(len)).sum::<u64>());
        let mut buffer = vec![7];
        for mut offset in offsets {
            for content in contents {
                assert_eq!(parts.read(offset, content.len(), &mut buffer).unwrap(), content);
                offset += SpilledParts::stored_len(content.len());
            }
        }
        parts.spill.write(offsets[1] + 2, b"!").unwrap();
        assert!(parts.read(offsets[0], 5, &mut buffer).is_ok());
        let error = parts.read(offsets[1], 5, &mut buffer).unwrap_err();
        assert!(error.to_string().contains("a part is damaged on the disk"), "{error}");
    }
}
