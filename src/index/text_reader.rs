//! `TextReader`: documents in, their stored texts out; keeps the block of the last text unpacked.

use super::docs::DocRow;
use super::file::IndexFile;
use super::texts::{StoredBlock, find_block, text_of};
use crate::error::Result;

/// Reads the texts of an index, which takes the least work in the order of their numbers.
#[derive(Default)]
pub(super) struct TextReader {
    /// A block that is one part of a huge text is not unpacked.
    last: Option<(StoredBlock, Option<Vec<u8>>)>,
}

impl TextReader {
    /// The text of a document, before it was normalised.
    ///
    /// # Errors
    /// When its block is damaged.
    pub(super) fn read(&mut self, file: &IndexFile, row: &DocRow) -> Result<Vec<u8>> {
        if row.len == 0 {
            return Ok(Vec::new());
        }
        if !self.last.as_ref().is_some_and(|(block, _)| block.may_hold(row.text)) {
            let block = find_block(file, row.text)?;
            let unpacked = if block.num_parts() == 1 { block.unpack() } else { None };
            self.last = Some((block, unpacked));
        }
        let (block, unpacked) = self.last.as_ref().expect("just read");
        match (unpacked, block.range_of(row.text)) {
            (Some(unpacked), Some(range)) => Ok(unpacked[range].to_vec()),
            _ => text_of(file, block, row.text),
        }
    }
}
