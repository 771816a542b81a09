//! `check_index`: reads a whole index and reports its faults.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::build::{content_key, name_key};
use crate::base::error::{Error, IndexError, Result};
use crate::base::observe::{Observer, Stage};
use crate::base::storage::SortedSource;
use crate::index::database::file::OpenFor;
use crate::index::database::meta;
use crate::index::database::state::RunKind;
use crate::index::database::tombstones::TombstoneKind;
use crate::index::read::reader::IndexReader;
use crate::index::read::text_reader::TextReader;
use crate::index::texts::docs::{BLOCK, DocRow, read_block};

/// The size of the page cache in bytes.
const CACHE_BYTES: u64 = 4 << 20;
/// The maximum number of reported faults.
const MOST: usize = 1000;

/// Finds the faults of an index: reads every block, looks up every number, and compares all counts. Returns the first
/// thousand faults. Does not read texts that the index refers to: [`stale_documents`](crate::index::stale_documents) does
/// that.
///
/// # Errors
/// When the file is not an index, or the description of the index is damaged.
pub fn check_index(index: &Path, observer: &dyn Observer) -> Result<Vec<Error>> {
    let reader = IndexReader::open(index, OpenFor::Salvage, CACHE_BYTES)?;
    observer.begin(Stage::Read);
    observer.total(reader.state.next.into());
    let mut check = Check { reader: &reader, texts: TextReader::new(&reader), faults: Vec::new() };
    let faults = reader.file.integrity_faults();
    if let Some(faults) = check.sound(faults) {
        check.faults.extend(faults.into_iter().map(|fault| unsound(format!("SQLite: {fault}"))));
    }
    for number in 0..reader.state.dictionaries.number {
        if check.is_enough() {
            break;
        }
        for copy in meta::dictionary_copies(&reader.file, number) {
            check.sound(copy);
        }
    }
    let mut counts = ReferenceCounts::default();
    for block in 0..reader.state.next.div_ceil(BLOCK) {
        if check.is_enough() {
            break;
        }
        let rows = read_block(&reader.file, block, reader.state.next);
        let Some(rows) = check.sound(rows) else { continue };
        observer.advance(rows.len() as u64, rows.len() as u64, rows.iter().map(|row| row.len).sum());
        for (number, row) in (block * BLOCK..).zip(&rows) {
            check.document(number, row, &mut counts);
        }
    }
    check.runs(&counts);
    let state = &reader.state;
    check.equal("documents", counts.documents, state.documents);
    check.equal("texts", counts.texts, state.texts);
    check.equal("bytes of texts", counts.text_bytes, state.text_bytes);
    check.faults.truncate(MOST);
    Ok(check.faults)
}

fn unsound(what: String) -> Error {
    Error::Index(IndexError::Unsound(what))
}

/// Counts of the table of documents, to be compared with the rest of the index.
#[derive(Default)]
struct ReferenceCounts {
    documents: u64,
    texts: u64,
    text_bytes: u64,
    /// Sums over keys and numbers, to compare the rows of a run with the documents.
    names: u64,
    hashes: u64,
}

/// A hash of a row; sums of these hashes do not depend on the order of the rows.
fn sum_of(key: u64, number: u32) -> u64 {
    let mut bytes = [0; 12];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..].copy_from_slice(&number.to_le_bytes());
    xxh3_64(&bytes)
}

struct Check<'a> {
    reader: &'a IndexReader,
    texts: TextReader<'a>,
    faults: Vec<Error>,
}

impl Check<'_> {
    fn is_enough(&self) -> bool {
        self.faults.len() >= MOST
    }

    /// The value, if it could be read; otherwise records the fault.
    fn sound<T>(&mut self, read: Result<T>) -> Option<T> {
        read.map_err(|error| self.faults.push(error)).ok()
    }

    fn equal(&mut self, what: &str, found: u64, stated: u64) {
        if found != stated && self.faults.is_empty() {
            self.faults.push(unsound(format!("found {found} {what}, expected {stated}")));
        }
    }

    fn document(&mut self, number: u32, row: &DocRow, counts: &mut ReferenceCounts) {
        let reader = self.reader;
        let is_removed = self.sound(reader.is_removed(number)).unwrap_or(true);
        let is_erased = self.sound(reader.marks.has(&reader.file, TombstoneKind::Erased, number)).unwrap_or(true);
        counts.documents += u64::from(!is_removed);
        if !is_removed {
            counts.names = counts.names.wrapping_add(sum_of(name_key(&row.name), number));
            if row.has_text() {
                counts.hashes = counts.hashes.wrapping_add(sum_of(content_key(row.content), number));
            }
        }
        if row.text != number || row.len == 0 || is_erased {
            return;
        }
        (counts.texts, counts.text_bytes) = (counts.texts + 1, counts.text_bytes + row.len);
        if let Some(referred) = &reader.referred {
            // The texts themselves are checked by `stale_documents`.
            let place = self.texts.place(row);
            if self
                .sound(place)
                .flatten()
                .is_some_and(|place| place.settings_number as usize >= referred.read_settings.len())
            {
                self.faults
                    .push(unsound(format!("the place of {:?} is not valid", String::from_utf8_lossy(&row.name))));
            }
            return;
        }
        let text = self.texts.read(row);
        if let Some(text) = self.sound(text)
            && (text.len() as u64 != row.len || xxh3_64(&text) != row.raw)
        {
            self.faults.push(unsound(format!("the text of {:?} differs", String::from_utf8_lossy(&row.name))));
        }
    }

    /// Reads all runs, and compares the runs of names and hashes with the documents.
    fn runs(&mut self, counts: &ReferenceCounts) {
        for kind in RunKind::ALL {
            let mut sum = 0u64;
            for run in self.reader.runs(kind) {
                let (mut rows, mut num_rows, mut last) = (run.rows(&self.reader.file), 0, None);
                while let Some(Some(row)) = self.sound(rows.next()) {
                    if last.is_some_and(|last| row < last) || row.1 >= self.reader.state.next {
                        self.faults.push(unsound(format!("run {} is out of order", run.segment.id)));
                        return;
                    }
                    let is_removed = self.sound(self.reader.is_removed(row.1)).unwrap_or(true);
                    sum = sum.wrapping_add(if is_removed { 0 } else { sum_of(row.0, row.1) });
                    (last, num_rows) = (Some(row), num_rows + 1);
                }
                let what = format!("rows of run {}", run.segment.id);
                self.equal(&what, num_rows, run.segment.rows);
            }
            let (what, expected) = match kind {
                RunKind::Bands | RunKind::Samples => continue,
                RunKind::Names => ("the run of names is not that of the documents", counts.names),
                RunKind::Hashes => ("the run of hashes is not that of the documents", counts.hashes),
            };
            if sum != expected && self.faults.is_empty() {
                self.faults.push(unsound(what.to_owned()));
            }
        }
    }
}
