//! `StoredDocuments`: indexes in, their documents with their texts out, some at a time; what one index cannot read comes from another.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use super::docs::DocRow;
use super::reader::IndexReader;
use super::sealed::IndexTable;
use super::stale::problem_of;
use super::text_reader::TextReader;
use crate::error::{Error, IndexError, Result};
use crate::problem::Problem;

/// Documents that are signed at a time, and bytes of their texts.
const CHUNK: (usize, usize) = (1 << 12, 16 << 20);

/// By the hash of each name the place of an index and the number of the document there that has it in the end.
pub(super) type Winners = HashMap<u128, (usize, u32)>;

/// A document on its way from one index to another.
pub(super) struct RestoredDocument {
    pub(super) row: DocRow,
    pub(super) text: Vec<u8>,
    /// Where the text lies, of an index that refers to texts.
    pub(super) place: Option<Box<[u8]>>,
}

/// The documents of indexes, some at a time.
pub(super) struct StoredDocuments<'a> {
    pub(super) readers: &'a [IndexReader],
    winners: &'a Winners,
    /// By index, the ways of the new one that its own are.
    pub(super) ways: Vec<Vec<u32>>,
    place: usize,
    number: u32,
    /// Numbers that were passed since this was looked at.
    pub(super) num_passed: u64,
    /// By index.
    texts: Vec<TextReader<'a>>,
    pub(super) damage: Vec<String>,
    pub(super) stale: Vec<Problem>,
}

impl<'a> StoredDocuments<'a> {
    /// * `winners`: the document of each name; nothing where all are taken.
    pub(super) fn of(readers: &'a [IndexReader], winners: &'a Winners) -> Self {
        Self {
            readers,
            winners,
            ways: Vec::new(),
            place: 0,
            number: 0,
            num_passed: 0,
            texts: readers.iter().map(TextReader::new).collect(),
            damage: Vec::new(),
            stale: Vec::new(),
        }
    }

    /// The next documents; none behind the last.
    pub(super) fn next(&mut self) -> Result<Vec<RestoredDocument>> {
        let readers = self.readers;
        let (mut chunk, mut num_bytes) = (Vec::new(), 0);
        while chunk.len() < CHUNK.0 && num_bytes < CHUNK.1 {
            let Some(reader) = readers.get(self.place) else { break };
            if self.number == reader.state.next {
                (self.place, self.number) = (self.place + 1, 0);
                continue;
            }
            let number = self.number;
            self.number += 1;
            self.num_passed += 1;
            if reader.is_removed(number)? {
                continue;
            }
            match self.read(reader, number).or_else(|error| self.read_elsewhere(reader, number, error)) {
                Ok(Some(document)) => {
                    num_bytes += document.text.len();
                    chunk.push(document);
                }
                Ok(None) => {}
                Err(Error::Index(IndexError::Stale { name, fault })) => self.stale.push(problem_of(name, &fault)),
                Err(error @ Error::Index(IndexError::Damaged { .. })) => {
                    let fault = error.to_string();
                    if self.damage.last() != Some(&fault) {
                        self.damage.push(fault);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(chunk)
    }

    fn read(&mut self, reader: &IndexReader, number: u32) -> Result<Option<RestoredDocument>> {
        let row = reader.document(number)?;
        if self.winners.get(&xxh3_128(&row.name)).is_some_and(|&winner| winner != (self.place, number)) {
            return Ok(None);
        }
        self.taken(self.place, row).map(Some)
    }

    /// The same document of another index, where one cannot be read.
    ///
    /// * `error`: why it cannot be, which is returned where no other has it.
    fn read_elsewhere(&mut self, reader: &IndexReader, number: u32, error: Error) -> Result<Option<RestoredDocument>> {
        if !matches!(error, Error::Index(IndexError::Stale { .. } | IndexError::Damaged { .. })) {
            return Err(error);
        }
        let Ok(row) = reader.document(number) else { return Err(error) };
        let (readers, own) = (self.readers, self.place);
        for (place, other) in readers.iter().enumerate().filter(|&(place, _)| place != own) {
            let Ok(mut found) = other.with_names(&[&row.name], None) else { continue };
            let is_same = |found: &DocRow| (found.raw, found.content, found.len) == (row.raw, row.content, row.len);
            if let Some((_, found)) = found.remove(0).filter(|(_, found)| is_same(found))
                && let Ok(read) = self.taken(place, found)
            {
                return Ok(Some(read));
            }
        }
        Err(error)
    }

    /// A document of an index with its text.
    fn taken(&mut self, index: usize, row: DocRow) -> Result<RestoredDocument> {
        let text = self.texts[index].read(&row)?;
        let mut place = self.texts[index].place(&row)?;
        if let Some(place) = &mut place {
            let way = self.ways[index].get(place.way as usize);
            let damaged = || self.readers[index].file.damaged(IndexTable::Texts, i64::from(row.text) << 16);
            place.way = *way.ok_or_else(damaged)?;
        }
        Ok(RestoredDocument { row, text, place: place.map(|place| place.to_bytes()) })
    }
}
