//! `TextReader`: documents in, their texts out: those that the index has, and those that it refers to.

use xxhash_rust::xxh3::xxh3_64;

use super::docs::DocRow;
use super::place_reader::PlaceReader;
use super::reader::IndexReader;
use super::sealed::IndexTable;
use super::text_place::TextPlace;
use super::texts::{StoredBlock, find_block, text_of};
use crate::error::{Error, IndexError, Result};

/// Reads the texts of an index, which takes the least work in the order of their numbers.
pub(super) struct TextReader<'r> {
    reader: &'r IndexReader,
    /// A block that is one part of a huge text is not unpacked.
    last: Option<(StoredBlock, Option<Vec<u8>>)>,
    places: Option<PlaceReader<'r>>,
}

impl<'r> TextReader<'r> {
    pub(super) fn new(reader: &'r IndexReader) -> Self {
        Self { reader, last: None, places: reader.referred.as_ref().map(PlaceReader::new) }
    }

    /// The text of a document, before it was normalised.
    ///
    /// # Errors
    /// When its block is damaged, or the text is no longer where the index refers to ([`IndexError::Stale`]).
    pub(super) fn read(&mut self, row: &DocRow) -> Result<Vec<u8>> {
        if row.len == 0 {
            return Ok(Vec::new());
        }
        let Some(place) = self.place(row)? else { return self.stored(row.text).map_err(|error| named(error, row)) };
        let places = self.places.as_mut().expect("there are places");
        checked(places.read(&place)?, row).map_err(|fault| stale(row, fault))
    }

    /// Where a document's text lies that the index refers to; `None` where the index has it, or it is empty.
    ///
    /// # Errors
    /// When its block is damaged.
    pub(super) fn place(&mut self, row: &DocRow) -> Result<Option<TextPlace>> {
        if self.places.is_none() || row.len == 0 {
            return Ok(None);
        }
        let place = TextPlace::read(&self.stored(row.text).map_err(|error| named(error, row))?);
        let damaged = || named(self.reader.file.damaged(IndexTable::Texts, i64::from(row.text) << 16), row);
        place.ok_or_else(damaged).map(Some)
    }

    /// Reads the text at a place.
    ///
    /// # Errors
    /// When no thread can be started.
    ///
    /// # Panics
    /// When the index does not refer to texts.
    pub(super) fn read_at(&mut self, place: &TextPlace) -> Result<Result<Vec<u8>, String>> {
        self.places.as_mut().expect("the index refers to texts").read(place)
    }

    /// What is stored under a number.
    fn stored(&mut self, number: u32) -> Result<Vec<u8>> {
        let file = &self.reader.file;
        if !self.last.as_ref().is_some_and(|(block, _)| block.may_hold(number)) {
            let block = find_block(file, number)?;
            let unpacked = if block.num_parts() == 1 { block.unpack() } else { None };
            self.last = Some((block, unpacked));
        }
        let (block, unpacked) = self.last.as_ref().expect("just read");
        match (unpacked, block.range_of(number)) {
            (Some(unpacked), Some(range)) => Ok(unpacked[range].to_vec()),
            _ => text_of(file, block, number),
        }
    }
}

/// An error that names the document too, where it is damage of its text.
fn named(error: Error, row: &DocRow) -> Error {
    match error {
        Error::Index(IndexError::Damaged { path, part }) => {
            let part = format!("the text of {:?} ({part})", String::from_utf8_lossy(&row.name));
            Error::Index(IndexError::Damaged { path, part })
        }
        error => error,
    }
}

/// A text that was read again, if it is the one that was indexed; else what is wrong with it.
pub(super) fn checked(read: Result<Vec<u8>, String>, row: &DocRow) -> Result<Vec<u8>, String> {
    let text = read?;
    let is_same = text.len() as u64 == row.len && xxh3_64(&text) == row.raw;
    if is_same { Ok(text) } else { Err("changed".to_owned()) }
}

/// The error of a text that is no longer where the index refers to.
pub(super) fn stale(row: &DocRow, fault: String) -> Error {
    Error::Index(IndexError::Stale { name: String::from_utf8_lossy(&row.name).into_owned(), fault })
}
