//! `IndexWriter`: an index that is written: batches of documents in and out, each in one transaction.

use std::collections::HashMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::build::{content_key, name_key};
use super::docs::{DocRow, DocWriter};
use super::file::{OpenFor, wal_of};
use super::merging::{DueMerge, merge, merge_tiers};
use super::meta;
use super::numbering::NewDocument;
use super::packed_run::{BatchKeys, beside};
use super::reader::{IndexReader, MANY_DOCUMENTS};
use super::reading_way::ReadingWay;
use super::removing::remove_documents;
use super::state::RunKind;
use super::text_writer::TextWriter;
use super::texts::change_texts;
use super::there_already::there_already;
use crate::error::{Error, IndexError, Result};
use crate::memory::Resources;
use crate::observe::{Observer, Stage};

/// Bytes of the write-ahead log from which on nothing is added until a reader is done.
const MOST_LOG_BYTES: u64 = 1 << 30;
/// Blocks of runs that are written or deleted in one transaction: 64 MiB of the log.
const MOST_BLOCKS: u32 = 1 << 12;
/// Pages that are given back in one transaction.
const MOST_PAGES: u32 = 1 << 12;
/// How long to wait before looking for readers again.
const PAUSE: Duration = Duration::from_millis(20);

/// What becomes of a document whose name another text has in the index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KnownName {
    /// It ends the run; its batch is not added.
    #[default]
    Error,
    /// It takes the place of the other.
    Replace,
    /// It is left out.
    Skip,
}

/// What became of the documents of a batch, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Added {
    /// New ones.
    pub added: u64,
    /// Documents that were there under the same name with the same text.
    pub unchanged: u64,
    /// Documents that took the place of another text under their name.
    pub replaced: u64,
    /// Documents left out, since another text has their name.
    pub skipped: u64,
}

impl Added {
    pub(super) fn add(&mut self, other: Self) {
        self.added += other.added;
        self.unchanged += other.unchanged;
        self.replaced += other.replaced;
        self.skipped += other.skipped;
    }
}

/// An index that is written.
pub(super) struct IndexWriter {
    pub(super) reader: IndexReader,
    wait: Duration,
    /// What shares the work on many documents.
    pub(super) threads: NonZeroUsize,
    /// Blocks of runs that are written in one transaction, and deleted.
    pub(super) most_blocks: u32,
    /// Bytes of the log from which on nothing is written.
    most_log: u64,
}

impl IndexWriter {
    /// Opens an index to write to it.
    ///
    /// * `wait`: how long to wait for another process that writes.
    pub(super) fn open(path: &Path, wait: Duration, cache_bytes: u64) -> Result<Self> {
        let reader = IndexReader::open(path, OpenFor::Write(wait), cache_bytes)?;
        reader.file.end();
        let threads = Resources::default().threads;
        Ok(Self { reader, wait, threads, most_blocks: MOST_BLOCKS, most_log: MOST_LOG_BYTES })
    }

    /// Threads that share the work on many documents. Where none can be started it takes longer.
    fn pool_for(&self, num_documents: usize) -> Option<rayon::ThreadPool> {
        let threads = self.threads.get();
        let is_shared = num_documents >= MANY_DOCUMENTS && threads > 1;
        is_shared.then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten()
    }

    /// Does something in one transaction; it is done and on the disk afterwards, or it failed and nothing has changed. What
    /// failed with [`Gone`](IndexError::Gone) is in a file without a name.
    pub(super) fn transact<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.wait_for_readers()?;
        self.reader.file.end();
        let begun = self.reader.file.begin_writing();
        begun.map_err(|error| self.with_holder(error))?;
        let done = self.reader.load().and_then(|()| change(self)).and_then(|done| {
            self.reader.state.generation += 1;
            meta::put_state(&self.reader.file, &self.reader.state)?;
            meta::put_writer(&self.reader.file)?;
            self.reader.file.commit()?;
            Ok(done)
        });
        if done.is_err() {
            self.reader.file.end();
            // The state in memory is that of the transaction that failed.
            self.reader.forget();
        } else {
            self.reader.renew()?;
            // A log that cannot be emptied, because somebody reads, is emptied another time.
            let _ = self.reader.file.checkpoint();
        }
        done
    }

    /// Waits while the log is huge because a reader does not end.
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

    /// An error of a transaction that could not begin, with who is in its way.
    fn with_holder(&self, error: Error) -> Error {
        let Error::Index(IndexError::Busy { path, .. }) = error else { return error };
        let holder = meta::writer(&self.reader.file).map(|writer| format!(" (the last one was process {writer})"));
        Error::Index(IndexError::Busy { path, holder: holder.unwrap_or_default() })
    }

    /// The number of a way that inputs are read, in an index that refers to texts.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub(super) fn way_of(&mut self, way: &ReadingWay) -> Result<u32> {
        let place_in = |ways: &[ReadingWay]| ways.iter().position(|other| other == way).map(|place| place as u32);
        let there = self.reader.referred.as_ref().and_then(|referred| place_in(&referred.ways));
        there.map_or_else(
            || {
                self.transact(|writer| {
                    let mut ways = meta::ways(&writer.reader.file)?.unwrap_or_default();
                    if let Some(place) = place_in(&ways) {
                        return Ok(place);
                    }
                    ways.push(way.clone());
                    meta::put_ways(&writer.reader.file, &ways).map(|()| ways.len() as u32 - 1)
                })
            },
            Ok,
        )
    }

    /// Adds a batch of documents.
    ///
    /// # Errors
    /// When the index cannot be written, or a name has another text and that is an error. Nothing of the batch is added then.
    pub(super) fn add(&mut self, batch: Vec<NewDocument>, known: KnownName) -> Result<Added> {
        let added = self.transact(|writer| writer.add_batch(batch, known))?;
        // The batch is there, whatever becomes of this.
        self.merge_large_tiers().map(|()| added)
    }

    fn add_batch(&mut self, batch: Vec<NewDocument>, known: KnownName) -> Result<Added> {
        let names: Vec<&[u8]> = batch.iter().map(|document| document.row.name.as_slice()).collect();
        let pool = self.pool_for(names.len());
        let pool = pool.as_ref();
        let found = self.reader.with_names(&names, pool)?;
        let (mut added, mut replaced, mut new) = (Added::default(), Vec::new(), Vec::new());
        // Texts that are the same, and may lie elsewhere now.
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

    /// Gives documents their numbers and writes them.
    fn append(&mut self, mut new: Vec<NewDocument>, pool: Option<&rayon::ThreadPool>) -> Result<()> {
        let keys = self.number(&mut new, pool)?;
        let (runs, written) = beside(pool, move || keys.pack(), || self.write_documents(new, pool));
        written?;
        let IndexReader { file, state, .. } = &mut self.reader;
        for (kind, run) in RunKind::ALL.into_iter().zip(runs) {
            state.segments.extend(run.write(file, state.next_run, kind)?);
            state.next_run += 1;
        }
        Ok(())
    }

    /// Gives documents their numbers, and says which documents have their texts; takes from them what they are looked up by.
    fn number(&mut self, new: &mut [NewDocument], pool: Option<&rayon::ThreadPool>) -> Result<BatchKeys> {
        let reader = &mut self.reader;
        let with_text = new.iter().filter(|document| document.row.has_text());
        let there = there_already(reader, with_text.map(|document| document.row.content).collect(), pool)?;
        // Where the texts of this batch are, by normalised text, and by the text before.
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

    /// Writes documents and their texts; the last one has the last number.
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

    /// Removes the documents with these names, each given once; returns the names that no document has.
    pub(super) fn remove(&mut self, names: &[&[u8]]) -> Result<(u64, Vec<Vec<u8>>)> {
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

    /// Makes one run of all, without the rows of what is removed, and gives free pages back to the system.
    ///
    /// * `observer`: gets the blocks of the runs as units.
    pub(super) fn compact(&mut self, observer: &dyn Observer) -> Result<()> {
        self.delete_left()?;
        observer.begin(Stage::Merge);
        observer.total(self.reader.state.segments.iter().map(|segment| u64::from(segment.blocks)).sum());
        for kind in RunKind::ALL {
            let Some(due) = DueMerge::of_all(&self.reader, kind) else { continue };
            if due.is_small(self.most_blocks) {
                self.transact(|writer| match DueMerge::of_all(&writer.reader, kind) {
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
