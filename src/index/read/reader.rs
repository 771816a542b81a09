//! `IndexReader`: one generation of an index, with the data that searches need.

use std::cell::RefCell;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::doc_reader::{DocReader, documents_together};
use crate::base::error::Result;
use crate::index::blocks::run_block::key_of;
use crate::index::database::file::{IndexFile, OpenFor};
use crate::index::database::meta;
use crate::index::database::result_settings::ResultSettings;
use crate::index::database::state::{IndexState, RunKind};
use crate::index::database::tombstones::{TombstoneKind, Tombstones};
use crate::index::key_runs::sorted_runs::{SortedRun, keys_of, look_up};
use crate::index::places::place_reader::ReferredInputs;
use crate::index::texts::docs::DocRow;
use crate::text::removal::Removal;

/// The maximum number of documents that are sorted at a time when keys are looked up.
const MOST_FOUND: usize = 1 << 20;

/// The minimum number of documents for parallel work.
pub(crate) const MANY_DOCUMENTS: usize = 256;

/// An index that is open for reading.
pub(crate) struct IndexReader {
    pub(crate) file: IndexFile,
    pub(crate) result_settings: ResultSettings,
    pub(crate) templates: Option<Removal>,
    /// The inputs that contain its texts, if the index refers to texts.
    pub(crate) referred: Option<ReferredInputs>,
    pub(crate) state: IndexState,
    runs: Vec<SortedRun>,
    pub(crate) marks: Tombstones,
    docs: RefCell<DocReader>,
}

impl IndexReader {
    /// Opens an index and begins a read transaction.
    ///
    /// # Errors
    /// When the file is not an index, or the description of the index is damaged.
    pub(crate) fn open(path: &Path, purpose: OpenFor, cache_bytes: u64) -> Result<Self> {
        let file = IndexFile::open(path, purpose, cache_bytes)?;
        file.begin_reading()?;
        let result_settings = meta::result_settings(&file)?;
        let templates = meta::templates(&file, &result_settings)?;
        let mut reader = Self {
            file,
            result_settings,
            templates,
            referred: None,
            state: IndexState::default(),
            runs: Vec::new(),
            marks: Tombstones::default(),
            docs: RefCell::new(DocReader::new(0)),
        };
        reader.load()?;
        Ok(reader)
    }

    /// Moves to the newest generation: ends the read transaction and begins another one.
    ///
    /// # Errors
    /// When the state of the index is damaged.
    pub(crate) fn refresh(&mut self) -> Result<()> {
        self.file.end();
        self.file.begin_reading()?;
        self.load()
    }

    /// Loads the state that the open transaction sees.
    pub(crate) fn load(&mut self) -> Result<()> {
        let state = meta::state(&self.file)?;
        if state == self.state { Ok(()) } else { self.take(state) }
    }

    fn take(&mut self, state: IndexState) -> Result<()> {
        // Reading settings are only ever added, never changed.
        if self.referred.is_some() || self.state.next_run == 0 {
            let read_settings = meta::read_settings(&self.file)?;
            if read_settings.as_ref().map(Vec::len)
                != self.referred.as_ref().map(|referred| referred.read_settings.len())
            {
                self.referred = read_settings.map(ReferredInputs::new);
            }
        }
        let mut kept = std::mem::take(&mut self.runs);
        for segment in &state.segments {
            // A run never changes.
            let run = match kept.iter().position(|run| run.segment == *segment) {
                Some(place) => kept.swap_remove(place),
                None => SortedRun::open(&self.file, segment)?,
            };
            self.runs.push(run);
        }
        self.runs.sort_by_key(|run| (run.segment.kind, run.segment.id));
        self.marks = Tombstones::new(&state.marks);
        self.docs = RefCell::new(DocReader::new(state.next));
        self.state = state;
        Ok(())
    }

    /// The runs of a kind.
    pub(crate) fn runs(&self, kind: RunKind) -> &[SortedRun] {
        let start = self.runs.partition_point(|run| run.segment.kind < kind);
        let end = self.runs.partition_point(|run| run.segment.kind <= kind);
        &self.runs[start..end]
    }

    /// The row of a document.
    ///
    /// # Errors
    /// When the block of the document is damaged.
    pub(crate) fn document(&self, number: u32) -> Result<DocRow> {
        self.docs.borrow_mut().get(&self.file, number)
    }

    /// Whether a document is removed.
    pub(crate) fn is_removed(&self, number: u32) -> Result<bool> {
        self.marks.has(&self.file, TombstoneKind::Removed, number)
    }

    /// Discards all cached state, because the transaction that changed it has failed.
    pub(crate) fn forget(&mut self) {
        self.state = IndexState::default();
        self.runs = Vec::new();
        self.file.dictionaries.take();
    }

    /// Updates the cached data after a commit of the state that this reader has.
    pub(crate) fn renew(&mut self) -> Result<()> {
        let state = std::mem::take(&mut self.state);
        self.take(state)
    }

    /// The rows of documents, in the given order; documents of one block are read together.
    ///
    /// * `pool`: unpacks the rows, if there are many.
    ///
    /// # Errors
    /// When a block is damaged.
    pub(crate) fn documents(&self, numbers: &[u32], pool: Option<&rayon::ThreadPool>) -> Result<Vec<DocRow>> {
        let mut places: Vec<(u32, usize)> = numbers.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let mut rows: Vec<(usize, DocRow)> = match pool.filter(|_| places.len() >= MANY_DOCUMENTS) {
            Some(pool) => documents_together(&self.file, self.state.next, &places, pool)?,
            None => {
                let read = |&(number, place): &(u32, usize)| Ok((place, self.document(number)?));
                places.iter().map(read).collect::<Result<Vec<_>>>()?
            }
        };
        rows.sort_unstable_by_key(|&(place, _)| place);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// The hash of a document's normalised text.
    ///
    /// # Errors
    /// When the block of the document is damaged.
    pub(crate) fn content(&self, number: u32) -> Result<u128> {
        self.docs.borrow_mut().content(&self.file, number)
    }

    /// The documents with the given names that are not removed, each with its number.
    ///
    /// * `pool`: unpacks the rows, if there are many.
    ///
    /// # Errors
    /// When a block is damaged.
    pub(crate) fn with_names(
        &self,
        names: &[&[u8]],
        pool: Option<&rayon::ThreadPool>,
    ) -> Result<Vec<Option<(u32, DocRow)>>> {
        let mut keys: Vec<(u64, u32)> = (0..).zip(names).map(|(tag, name)| (key_of(xxh3_64(name)), tag)).collect();
        keys.sort_unstable();
        let (mut tags, mut numbers) = (Vec::new(), Vec::new());
        self.for_each_document(RunKind::Names, &keys, pool, &mut |tag, number| {
            tags.push(tag);
            numbers.push(number);
            Ok(())
        })?;
        let mut found = vec![None; names.len()];
        for ((tag, number), document) in tags.into_iter().zip(&numbers).zip(self.documents(&numbers, pool)?) {
            if document.name == names[tag as usize] {
                found[tag as usize] = Some((*number, document));
            }
        }
        Ok(found)
    }

    /// The documents with the given normalised texts that are not removed, in ascending order for each text.
    ///
    /// * `contents`: hashes of normalised texts, without repeats.
    /// * `pool`: shares large amounts of work.
    ///
    /// # Errors
    /// When a block is damaged.
    pub(crate) fn with_contents(&self, contents: &[u128], pool: Option<&rayon::ThreadPool>) -> Result<Vec<Vec<u32>>> {
        let mut numbers = vec![Vec::new(); contents.len()];
        self.for_each_document(RunKind::Hashes, &keys_of(contents), pool, &mut |tag, number| {
            if self.content(number)? == contents[tag as usize] {
                numbers[tag as usize].push(number);
            }
            Ok(())
        })?;
        numbers.iter_mut().for_each(|numbers| numbers.sort_unstable());
        Ok(numbers)
    }

    /// Visits the documents with the given keys that are not removed, in ascending order, so that each block of
    /// documents is read once if `visit` reads no other ones. More than a million documents come in several ascending
    /// sequences.
    ///
    /// * `keys`: the keys, ascending, each with a tag.
    /// * `pool`: shares large amounts of work.
    /// * `visit`: receives the tag of a key and the number of a document.
    ///
    /// # Errors
    /// When a block is damaged, or `visit` fails.
    pub(crate) fn for_each_document(
        &self,
        kind: RunKind,
        keys: &[(u64, u32)],
        pool: Option<&rayon::ThreadPool>,
        visit: &mut dyn FnMut(u32, u32) -> Result<()>,
    ) -> Result<()> {
        let mut pass_on = |found: &mut Vec<(u32, u32)>| -> Result<()> {
            found.sort_unstable();
            for (number, tag) in found.drain(..) {
                if !self.is_removed(number)? {
                    visit(tag, number)?;
                }
            }
            Ok(())
        };
        let mut found: Vec<(u32, u32)> = Vec::new();
        look_up(&self.file, self.runs(kind), keys, pool, &mut |tag, number| {
            found.push((number, tag));
            if found.len() < MOST_FOUND { Ok(()) } else { pass_on(&mut found) }
        })?;
        pass_on(&mut found)
    }
}
