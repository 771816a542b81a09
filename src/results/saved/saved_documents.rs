//! `SavedDocuments`: looks up documents of a saved folder by their names.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use super::documents::each_document;
use super::reader::SavedResult;
use crate::base::error::Result;
use crate::records::{Name, PairSide, Source, Treatment};

/// The origins of documents, and the hashes of their texts.
///
/// About 50 bytes for each record of a file; with hashes, for each document.
#[derive(Debug, Default)]
pub struct SavedDocuments {
    entries: HashMap<(bool, u128), DocumentEntry>,
    files: Vec<Vec<u8>>,
    /// The paths of the indexes that store documents.
    indexes: Vec<Vec<u8>>,
    num_compared: Option<u64>,
    has_sides: bool,
    has_records: bool,
}

#[derive(Debug, Clone, Copy)]
struct DocumentEntry {
    text_hash: Option<u128>,
    /// The number of the document's file; `OWN` for a document that is a file with the same name.
    file: u32,
    line: Option<u32>,
    row: Option<u32>,
    /// The offset of a page in its web crawl.
    offset: Option<u64>,
    /// The number of the index that stores the document.
    index: Option<u32>,
}

const OWN: u32 = u32::MAX;

impl DocumentEntry {
    /// Whether the origin says more than the document's name.
    fn has_source(&self) -> bool {
        self.file != OWN || self.offset.is_some() || self.index.is_some()
    }
}

impl SavedDocuments {
    /// Reads the list of documents of a folder; empty for a result of only pairs.
    ///
    /// * `with_hashes`: whether to keep the hashes of texts.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub fn read(result: &SavedResult, with_hashes: bool) -> Result<Self> {
        let mut documents = Self::default();
        if result.header().is_none() {
            return Ok(documents);
        }
        let mut num_compared = 0;
        each_document(result, &mut |record| {
            let is_b = record.side == Some(PairSide::B);
            documents.has_sides |= record.side.is_some();
            let is_compared = matches!(record.treatment, Treatment::Used | Treatment::Short | Treatment::Copy);
            num_compared += u64::from(is_compared && !is_b);
            if !is_compared {
                return Ok(());
            }
            let name = record.name.to_bytes();
            let hash = record.text_hash.as_deref().filter(|_| with_hashes);
            let mut entry = DocumentEntry {
                text_hash: hash.and_then(|hash| u128::from_str_radix(hash, 16).ok()),
                file: OWN,
                line: None,
                row: None,
                offset: record.source.as_ref().and_then(|source| source.offset),
                index: None,
            };
            if let Some(source) = &record.source {
                documents.has_records |= source.line.is_some() || source.row.is_some();
                let small = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
                (entry.line, entry.row) = (small(source.line), small(source.row));
                let file = source.file.to_bytes();
                if file != name {
                    entry.file = number_of(&mut documents.files, file);
                }
                entry.index = source.index.as_ref().map(|index| number_of(&mut documents.indexes, index.to_bytes()));
            }
            if with_hashes || entry.has_source() {
                documents.entries.insert((is_b, xxh3_128(&name)), entry);
            }
            Ok(())
        })?;
        documents.num_compared = Some(num_compared);
        Ok(documents)
    }

    /// The number of documents that were compared; with two sides, only the first side counts. `None` without a list.
    pub fn num_compared(&self) -> Option<u64> {
        self.num_compared
    }

    /// Whether documents belong to two sides.
    pub fn has_sides(&self) -> bool {
        self.has_sides
    }

    /// Whether documents are records of files.
    pub fn has_records(&self) -> bool {
        self.has_records
    }

    /// Whether a document has this name, on either side. Needs `with_hashes`.
    pub fn has(&self, name: &[u8]) -> bool {
        let hash = xxh3_128(name);
        [false, true].iter().any(|&is_b| self.entries.contains_key(&(is_b, hash)))
    }

    /// The origin of a document, unless it is a file with the same name and neither a page of a web crawl nor stored in an
    /// index.
    ///
    /// * `side`: the document's position in its pair.
    pub fn source(&self, name: &[u8], side: PairSide) -> Option<Source<'_>> {
        let entry = self.entry(name, side).filter(|entry| entry.has_source())?;
        let file =
            self.files.get(entry.file as usize).map_or_else(|| Name::new(name).into_owned(), |file| Name::new(file));
        let (line, row) = (entry.line.map(u64::from), entry.row.map(u64::from));
        let index = entry.index.map(|index| Name::new(&self.indexes[index as usize]));
        Some(Source { file, line, row, offset: entry.offset, index })
    }

    /// The hash of a document's normalised text, if known.
    ///
    /// * `side`: the document's position in its pair.
    pub fn text_hash(&self, name: &[u8], side: PairSide) -> Option<u128> {
        self.entry(name, side)?.text_hash
    }

    fn entry(&self, name: &[u8], side: PairSide) -> Option<DocumentEntry> {
        self.entries.get(&(self.has_sides && side == PairSide::B, xxh3_128(name))).copied()
    }
}

/// The number of a path. Documents with one path must be added consecutively.
fn number_of(paths: &mut Vec<Vec<u8>>, path: Vec<u8>) -> u32 {
    if paths.last() != Some(&path) {
        paths.push(path);
    }
    paths.len() as u32 - 1
}
