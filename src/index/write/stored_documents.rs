//! `DocumentCopier`: reads the documents of several indexes in chunks; a text that is unreadable in one index is taken
//! from another.

use std::collections::{BTreeSet, HashMap};

use xxhash_rust::xxh3::xxh3_128;

use crate::base::error::{Error, IndexError, Result};
use crate::base::observe::Observer;
use crate::base::problem::Problem;
use crate::documents::input::ReadSettings;
use crate::index::blocks::sealed::IndexTable;
use crate::index::read::reader::IndexReader;
use crate::index::read::stale::problem_of;
use crate::index::read::text_reader::TextReader;
use crate::index::texts::docs::DocRow;

/// The maximum number of documents of a chunk, and the maximum bytes of their texts.
const CHUNK: (usize, usize) = (1 << 12, 16 << 20);

/// For the hash of each name: the position of the index, and the number of the document that is kept.
pub(crate) type KeptByName = HashMap<u128, (usize, u32)>;

/// A document that is copied from one index to another.
pub(crate) struct CopiedDocument {
    pub(crate) row: DocRow,
    pub(crate) text: Vec<u8>,
    /// The place of the text, if the index refers to texts.
    pub(crate) place: Option<Box<[u8]>>,
}

/// The documents of several indexes, in chunks.
pub(crate) struct DocumentCopier<'a> {
    readers: &'a [IndexReader],
    winners: &'a KeptByName,
    /// For each index, the positions of its reading settings in the list of the new index.
    settings_numbers: Vec<Vec<u32>>,
    /// The numbers of the documents to copy; `None` for all.
    pub(crate) only: Option<BTreeSet<u32>>,
    place: usize,
    number: u32,
    /// The document numbers that were processed since the last report.
    pub(crate) num_passed: u64,
    /// The text reader of each index.
    texts: Vec<TextReader<'a>>,
    pub(crate) damage: Vec<IndexError>,
    pub(crate) stale: Vec<Problem>,
}

impl<'a> DocumentCopier<'a> {
    /// Creates a reader.
    ///
    /// * `winners`: the document that is kept for each name; empty when all documents are kept.
    pub(crate) fn of(readers: &'a [IndexReader], winners: &'a KeptByName) -> Self {
        Self {
            readers,
            winners,
            settings_numbers: read_settings_of(readers).1,
            only: None,
            place: 0,
            number: 0,
            num_passed: 0,
            texts: readers.iter().map(TextReader::new).collect(),
            damage: Vec::new(),
            stale: Vec::new(),
        }
    }

    /// Returns the next documents; an empty chunk after the last one.
    pub(crate) fn next(&mut self) -> Result<Vec<CopiedDocument>> {
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
            if self.only.as_ref().is_some_and(|only| !only.contains(&number)) {
                continue;
            }
            let read = match reader.is_removed(number) {
                Ok(true) => continue,
                Ok(false) => self.read(reader, number).or_else(|error| self.read_elsewhere(reader, number, error)),
                Err(error) => Err(error),
            };
            match read {
                Ok(Some(document)) => {
                    num_bytes += document.text.len();
                    chunk.push(document);
                }
                Ok(None) => {}
                Err(Error::Index(IndexError::Stale { name, fault })) => self.stale.push(problem_of(name, &fault)),
                Err(Error::Index(fault @ IndexError::Damaged { .. })) => {
                    if self.damage.last() != Some(&fault) {
                        self.damage.push(fault);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(chunk)
    }

    /// Returns the next documents, and reports them and the skipped ones to `observer`; a unit is a document number.
    pub(crate) fn next_observed(&mut self, observer: &dyn Observer) -> Result<Vec<CopiedDocument>> {
        let chunk = self.next()?;
        let num_bytes = chunk.iter().map(|document| document.text.len() as u64).sum();
        observer.advance(std::mem::take(&mut self.num_passed), chunk.len() as u64, num_bytes);
        Ok(chunk)
    }

    fn read(&mut self, reader: &IndexReader, number: u32) -> Result<Option<CopiedDocument>> {
        let row = reader.document(number)?;
        if self.winners.get(&xxh3_128(&row.name)).is_some_and(|&winner| winner != (self.place, number)) {
            return Ok(None);
        }
        self.taken(self.place, row).map(Some)
    }

    /// Reads the same document from another index.
    ///
    /// * `error`: the error of the first index, which is returned if no other index has the document.
    fn read_elsewhere(&mut self, reader: &IndexReader, number: u32, error: Error) -> Result<Option<CopiedDocument>> {
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

    /// Reads the text and the place of a document.
    fn taken(&mut self, index: usize, row: DocRow) -> Result<CopiedDocument> {
        let text = self.texts[index].read(&row)?;
        let mut place = self.texts[index].place(&row)?;
        if let Some(place) = &mut place {
            let number = self.settings_numbers[index].get(place.settings_number as usize);
            let damaged = || self.readers[index].file.damaged(IndexTable::Texts, i64::from(row.text) << 16);
            place.settings_number = *number.ok_or_else(damaged)?;
        }
        Ok(CopiedDocument { row, text, place: place.map(|place| place.to_bytes()) })
    }
}

/// The distinct reading settings of all indexes, and for each index the positions of its settings among them. `None` if
/// the indexes store texts.
pub(super) fn read_settings_of(readers: &[IndexReader]) -> (Option<Vec<ReadSettings>>, Vec<Vec<u32>>) {
    let mut read_settings: Option<Vec<ReadSettings>> = None;
    let mut numbers = Vec::with_capacity(readers.len());
    for reader in readers {
        let of_index = reader.referred.as_ref().map_or(&[][..], |referred| &referred.read_settings);
        let mut number_of = |settings: &ReadSettings| {
            let read_settings = read_settings.get_or_insert_default();
            let position = read_settings.iter().position(|other| other == settings).unwrap_or_else(|| {
                read_settings.push(settings.clone());
                read_settings.len() - 1
            });
            position as u32
        };
        numbers.push(of_index.iter().map(&mut number_of).collect());
    }
    (read_settings, numbers)
}
