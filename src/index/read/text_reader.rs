//! `TextReader`: reads the texts of documents, stored ones and referenced ones.

use xxhash_rust::xxh3::xxh3_64;

use super::reader::IndexReader;
use crate::base::error::{Error, IndexError, Result};
use crate::index::blocks::sealed::IndexTable;
use crate::index::places::place_reader::PlaceReader;
use crate::index::places::text_place::TextPlace;
use crate::index::texts::docs::DocRow;
use crate::index::texts::stored_texts::{StoredBlock, find_block, text_of};

/// Reads the texts of an index; the order of their numbers is fastest.
pub(crate) struct TextReader<'r> {
    reader: &'r IndexReader,
    /// The last block, and its unpacked texts; a block that is a part of a huge text stays packed.
    last: Option<(StoredBlock, Option<Vec<u8>>)>,
    places: Option<PlaceReader<'r>>,
}

impl<'r> TextReader<'r> {
    pub(crate) fn new(reader: &'r IndexReader) -> Self {
        Self { reader, last: None, places: reader.referred.as_ref().map(PlaceReader::new) }
    }

    /// Reads the text of a document, before normalisation.
    ///
    /// # Errors
    /// When its block is damaged, or the text has changed or is missing at its place ([`IndexError::Stale`]).
    pub(crate) fn read(&mut self, row: &DocRow) -> Result<Vec<u8>> {
        if row.len == 0 {
            return Ok(Vec::new());
        }
        let Some(place) = self.place(row)? else { return self.stored(row.text).map_err(|error| named(error, row)) };
        let places = self.places.as_mut().expect("there are places");
        checked(places.read(&place)?, row).map_err(|fault| stale(row, fault))
    }

    /// The place of the text of a document; `None` when the index stores texts, or the text is empty.
    ///
    /// # Errors
    /// When the block of the place is damaged.
    pub(crate) fn place(&mut self, row: &DocRow) -> Result<Option<TextPlace>> {
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
    /// When a thread cannot be started.
    ///
    /// # Panics
    /// When the index does not refer to texts.
    pub(crate) fn read_at(&mut self, place: &TextPlace) -> Result<Result<Vec<u8>, String>> {
        self.places.as_mut().expect("the index refers to texts").read(place)
    }

    /// The bytes that are stored under a number.
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

/// Adds the name of the document to an error about a damaged text.
fn named(error: Error, row: &DocRow) -> Error {
    match error {
        Error::Index(IndexError::Damaged { path, part }) => {
            let part = format!("the text of {:?} ({part})", String::from_utf8_lossy(&row.name));
            Error::Index(IndexError::Damaged { path, part })
        }
        error => error,
    }
}

/// Checks that a text that was read again is unchanged; otherwise returns its fault.
pub(crate) fn checked(read: Result<Vec<u8>, String>, row: &DocRow) -> Result<Vec<u8>, String> {
    let text = read?;
    let is_same = text.len() as u64 == row.len && xxh3_64(&text) == row.raw;
    if is_same { Ok(text) } else { Err("changed".to_owned()) }
}

/// The error for a text that has changed or is missing.
pub(crate) fn stale(row: &DocRow, fault: String) -> Error {
    Error::Index(IndexError::Stale { name: String::from_utf8_lossy(&row.name).into_owned(), fault })
}
