//! `IndexWriter`: adds and removes batches of documents, each batch in one transaction.

use std::collections::HashMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::build::{content_key, name_key};
use super::known_texts::there_already;
use super::merging::{PendingMerge, merge, merge_tiers};
use super::numbering::NewDocument;
use super::removing::remove_documents;
use crate::base::error::{Error, IndexError, Result};
use crate::base::hand_over::run_both;
use crate::base::memory::Resources;
use crate::base::observe::{Observer, Stage};
use crate::documents::input::ReadSettings;
use crate::index::database::file::{OpenFor, wal_of};
use crate::index::database::meta;
use crate::index::database::state::RunKind;
use crate::index::key_runs::packed_run::BatchKeys;
use crate::index::read::reader::{IndexReader, MANY_DOCUMENTS};
use crate::index::texts::docs::{DocRow, DocWriter};
use crate::index::texts::stored_texts::change_texts;
use crate::index::texts::text_writer::TextWriter;

/// The size of the write-ahead log above which nothing is added until a reader ends.
const MOST_LOG_BYTES: u64 = 1 << 30;
/// The number of blocks of runs that are written or deleted in one transaction: 64 MiB of the log.
const MOST_BLOCKS: u32 = 1 << 12;
/// The number of free pages that are returned to the system in one transaction.
const MOST_PAGES: u32 = 1 << 12;
/// How long to wait before checking for readers again.
const PAUSE: Duration = Duration::from_millis(20);

/// The handling of a document whose name another text in the index has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KnownName {
    /// The run ends with an error, and the batch is not added.
    #[default]
    Error,
    /// The new document replaces the existing one.
    Replace,
    /// The new document is skipped.
    Skip,
}

/// The counts of the documents of a batch, or of all batches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Added {
    /// The number of new documents.
    pub added: u64,
    /// The number of documents that existed with the same name and text.
    pub unchanged: u64,
    /// The number of documents that replaced another text with the same name.
    pub replaced: u64,
    /// The number of skipped documents whose name another text has.
    pub skipped: u64,
}

impl Added {
    pub(crate) fn add(&mut self, other: Self) {
        self.added += other.added;
        self.unchanged += other.unchanged;
        self.replaced += other.replaced;
        self.skipped += other.skipped;
    }
}

/// An index that is open for writing.
pub(crate) struct IndexWriter {
    pub(crate) reader: IndexReader,
    wait: Duration,
    /// The number of threads that share the work on many documents.
    pub(crate) threads: NonZeroUsize,
    /// The number of blocks of runs that are written or deleted in one transaction.
    pub(crate) most_blocks: u32,
    /// The size of the log above which nothing is written.
    most_log: u64,
}

impl IndexWriter {
    /// Opens an index for writing.
    ///
    /// * `wait`: how long to wait for another process that writes to the index.
    pub(crate) fn open(path: &Path, wait: Duration, cache_bytes: u64) -> Result<Self> {
        let reader = IndexReader::open(path, OpenFor::Write(wait), cache_bytes)?;
        reader.file.end();
        let threads = Resources::default().threads;
        Ok(Self { reader, wait, threads, most_blocks: MOST_BLOCKS, most_log: MOST_LOG_BYTES })
    }

    /// A pool for the work on many documents. If it cannot be created, the work is done by one thread.
    fn pool_for(&self, num_documents: usize) -> Option<rayon::ThreadPool> {
        let threads = self.threads.get();
        let is_shared = num_documents >= MANY_DOCUMENTS && threads > 1;
        is_shared.then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten()
    }

    /// Runs `change` in one transaction: afterwards its changes are on the disk, or it failed and nothing has changed.
    /// Only a failure with [`Gone`](IndexError::Gone) leaves the changes in a file that no longer has the index's name.
    pub(crate) fn transact<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.wait_for_readers()?;
        self.reader.file.end();
        let transaction = self.reader.file.begin_writing();
        transaction.map_err(|error| self.with_holder(error))?;
        let done = self.reader.load().and_then(|()| change(self)).and_then(|done| {
            self.reader.state.generation += 1;
            meta::put_state(&self.reader.file, &self.reader.state)?;
            meta::put_writer(&self.reader.file)?;
            self.reader.file.commit()?;
            Ok(done)
        });
        if done.is_err() {
            self.reader.file.end();
            // The state in memory comes from the failed transaction.
            self.reader.forget();
        } else {
            self.reader.renew()?;
            // A log that cannot be truncated because of a reader is truncated another time.
            let _ = self.reader.file.checkpoint();
        }
        done
    }

    /// Waits while a reader keeps the log huge.
    fn wait_for_readers(&self) -> Result<()> {
        let (path, started) = (self.reader.file.path(), Instant::now());
        let is_huge = || fs::metadata(wal_of(path)).is_ok_and(|log| log.len() > self.most_log);
        while is_huge() {
            let _ = self.reader.file.checkpoint();
            if is_huge() && started.elapsed() >= self.wait {
                let fault = "another process has been reading it for a long time, so its log cannot shrink; end that process, and \
                             run the same command again";
                return Err(Error::Index(IndexError::Storage {
                    path: path.to_owned(),
                    doing: "write",
                    fault: fault.to_owned(),
                }));
            }
            if is_huge() {
                thread::sleep(PAUSE);
            }
        }
        Ok(())
    }

    /// Adds the process that holds the lock to the error of a transaction that could not begin.
    fn with_holder(&self, error: Error) -> Error {
        let Error::Index(IndexError::Busy { path, .. }) = error else { return error };
        let holder = meta::writer(&self.reader.file).map(|writer| format!(" (the last one was process {writer})"));
        Error::Index(IndexError::Busy { path, holder: holder.unwrap_or_default() })
    }

    /// The position of some reading settings in the list of an index that refers to texts; adds them if they are new.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub(crate) fn read_settings_number(&mut self, settings: &ReadSettings) -> Result<u32> {
        let position_in =
            |all: &[ReadSettings]| all.iter().position(|other| other == settings).map(|position| position as u32);
        let there = self.reader.referred.as_ref().and_then(|referred| position_in(&referred.read_settings));
        there.map_or_else(
            || {
                self.transact(|writer| {
                    let mut read_settings = meta::read_settings(&writer.reader.file)?.unwrap_or_default();
                    if let Some(position) = position_in(&read_settings) {
                        return Ok(position);
                    }
                    read_settings.push(settings.clone());
                    meta::put_read_settings(&writer.reader.file, &read_settings)
                        .map(|()| read_settings.len() as u32 - 1)
                })
            },
            Ok,
        )
    }

    /// Adds a batch of documents.
    ///
    /// # Errors
    /// When the index cannot be written, or a name has another text and `known` makes that an error. Then no document
    /// of the batch is added.
    pub(crate) fn add(&mut self, batch: Vec<NewDocument>, known: KnownName) -> Result<Added> {
        let added = self.transact(|writer| writer.add_batch(batch, known))?;
        // The batch is committed, whatever the result of this merge.
        self.merge_large_tiers().map(|()| added)
    }

    fn add_batch(&mut self, batch: Vec<NewDocument>, known: KnownName) -> Result<Added> {
        let names: Vec<&[u8]> = batch.iter().map(|document| document.row.name.as_slice()).collect();
        let pool = self.pool_for(names.len());
        let pool = pool.as_ref();
        let found = self.reader.with_names(&names, pool)?;
        let (mut added, mut replaced, mut new) = (Added::default(), Vec::new(), Vec::new());
        // Unchanged texts whose place may have changed.
        let mut places: Vec<(u32, Box<[u8]>)> = Vec::new();
        for (document, there) in batch.into_iter().zip(found) {
            let Some((number, there)) = there else {
                added.added += 1;
                new.push(document);
                continue;
            };
            if (there.raw, there.content, there.len) == (document.row.raw, document.row.content, document.row.len) {
                added.unchanged += 1;
                places.extend(document.place.filter(|_| there.len > 0).map(|place| (there.text, place)));
                continue;
            }
            match known {
                KnownName::Error => {
                    let name = String::from_utf8_lossy(&document.row.name).into_owned();
                    let path = self.reader.file.path().to_owned();
                    return Err(Error::Index(IndexError::Known { path, name }));
                }
                KnownName::Skip => added.skipped += 1,
                KnownName::Replace => {
                    added.replaced += 1;
                    replaced.push((number, there));
                    new.push(document);
                }
            }
        }
        places.sort_unstable();
        places.dedup_by_key(|&mut (number, _)| number);
        let places: Vec<(u32, Option<&[u8]>)> =
            places.iter().map(|(number, place)| (*number, Some(&**place))).collect();
        change_texts(&self.reader.file, pool, &places)?;
        replaced.sort_unstable_by_key(|&(number, _)| number);
        remove_documents(&mut self.reader, pool, &replaced)?;
        self.append(new, pool)?;
        merge_tiers(&mut self.reader, self.most_blocks)?;
        Ok(added)
    }

    /// Numbers documents and writes them.
    fn append(&mut self, mut new: Vec<NewDocument>, pool: Option<&rayon::ThreadPool>) -> Result<()> {
        let keys = self.number(&mut new, pool)?;
        let (runs, written) = run_both(pool, move || keys.pack(), || self.write_documents(new, pool));
        written?;
        let IndexReader { file, state, .. } = &mut self.reader;
        for (kind, run) in RunKind::ALL.into_iter().zip(runs) {
            state.segments.extend(run.write(file, state.next_run, kind)?);
            state.next_run += 1;
        }
        Ok(())
    }

    /// Numbers documents, finds the documents that have their texts, and collects their keys.
    fn number(&mut self, new: &mut [NewDocument], pool: Option<&rayon::ThreadPool>) -> Result<BatchKeys> {
        let reader = &mut self.reader;
        let with_text = new.iter().filter(|document| document.row.has_text());
        let there = there_already(reader, with_text.map(|document| document.row.content).collect(), pool)?;
        // The texts of this batch: first documents by normalised text, and stored texts by normalised and original
        // text.
        let mut firsts: HashMap<u128, u32> = HashMap::new();
        let mut stored: HashMap<(u128, u64), u32> = HashMap::new();
        let mut looked_up = BatchKeys::default();
        for NewDocument { row, keys, samples, place, .. } in new {
            let number = reader.state.next;
            let full = || Error::Index(IndexError::Full { path: reader.file.path().to_owned() });
            reader.state.next = number.checked_add(1).ok_or_else(full)?;
            (row.first, row.text) = (number, number);
            if row.has_text() {
                if let Some(there) = there.get(&row.content) {
                    firsts.entry(row.content).or_insert(there.first);
                    for &(raw, at) in &there.stored {
                        stored.entry((row.content, raw)).or_insert(at);
                    }
                }
                row.first = *firsts.entry(row.content).or_insert(number);
                if place.is_none() {
                    row.text = *stored.entry((row.content, row.raw)).or_insert(number);
                }
                looked_up.hashes.push((content_key(row.content), number));
            }
            if row.first == number {
                looked_up.bands.push((std::mem::take(keys), number));
                looked_up.samples.push((std::mem::take(samples), number));
            }
            looked_up.names.push((name_key(&row.name), number));
        }
        Ok(looked_up)
    }

    /// Writes documents and their texts; the last document has the last number.
    fn write_documents(&mut self, new: Vec<NewDocument>, pool: Option<&rayon::ThreadPool>) -> Result<()> {
        let IndexReader { file, state, referred, .. } = &mut self.reader;
        let first = state.next - new.len() as u32;
        let mut docs = DocWriter::open(file, first)?;
        let mut texts = TextWriter::new(file, referred.is_none(), state.dictionaries, pool)?;
        for (number, document) in (first..).zip(new) {
            if document.row.stores_text(number) {
                texts.push(file, number, document.stored().expect("a text comes with its document"))?;
                state.texts += 1;
                state.text_bytes += document.row.len;
            }
            docs.push(file, document.row)?;
            state.documents += 1;
        }
        texts.flush(file)?;
        state.dictionaries = texts.dictionaries;
        docs.flush(file)
    }

    /// Removes the documents with these names, which must be distinct. Returns the number of removed documents, and the
    /// names that are not in the index.
    pub(crate) fn remove(&mut self, names: &[&[u8]]) -> Result<(u64, Vec<Vec<u8>>)> {
        self.transact(|writer| {
            let pool = writer.pool_for(names.len());
            let found = writer.reader.with_names(names, pool.as_ref())?;
            let unknown = names.iter().zip(&found).filter(|(_, there)| there.is_none());
            let unknown: Vec<Vec<u8>> = unknown.map(|(name, _)| name.to_vec()).collect();
            let mut removed: Vec<(u32, DocRow)> = found.into_iter().flatten().collect();
            removed.sort_unstable_by_key(|&(number, _)| number);
            remove_documents(&mut writer.reader, pool.as_ref(), &removed)?;
            Ok((removed.len() as u64, unknown))
        })
    }

    /// Merges all runs of each kind into one, without the rows of removed documents, and returns free pages to the
    /// system.
    ///
    /// * `observer`: receives progress; a unit is a block of a run.
    pub(crate) fn compact(&mut self, observer: &dyn Observer) -> Result<()> {
        self.delete_left()?;
        observer.begin(Stage::Merge);
        observer.total(self.reader.state.segments.iter().map(|segment| u64::from(segment.blocks)).sum());
        for kind in RunKind::ALL {
            let Some(due) = PendingMerge::of_all(&self.reader, kind) else { continue };
            if due.is_small(self.most_blocks) {
                self.transact(|writer| match PendingMerge::of_all(&writer.reader, kind) {
                    Some(due) => merge(&mut writer.reader, kind, &due.segments),
                    None => Ok(()),
                })?;
                observer.advance(due.num_blocks(), 0, 0);
            } else {
                self.merge_in_parts(&due, observer)?;
            }
        }
        self.reader.file.end();
        while self.reader.file.give_back_free(MOST_PAGES)? {
            self.wait_for_readers()?;
            let _ = self.reader.file.checkpoint();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
