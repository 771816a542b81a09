//! `build_index`: builds a new index from the inputs; if it fails, it leaves no file.
//!
//! Workers read and sign documents; other threads compress texts, and one thread writes texts and documents as they
//! arrive. The rows of the sorted runs are sorted by the storage module, within the memory limit of the run, and
//! written at the end.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::Receiver;

use xxhash_rust::xxh3::xxh3_64;

use super::numbering::{Numbering, samples_of};
use crate::base::error::{Error, IndexError, Result};
use crate::base::hand_over::{PassOn, hand_over};
use crate::base::observe::{Observer, Stage};
use crate::base::storage::{RecordSorter, SortRecord};
use crate::documents::input::Sources;
use crate::index::blocks::run_block::{KEY_BITS, RunRow, key_of};
use crate::index::database::file::IndexFile;
use crate::index::database::meta;
use crate::index::database::meta::StoredParts;
use crate::index::database::pending::PendingIndex;
use crate::index::database::read_settings::referable;
use crate::index::database::result_settings::ResultSettings;
use crate::index::database::sampling::{IndexSettings, SampleRate, TextStorage};
use crate::index::database::state::{IndexState, RunKind};
use crate::index::key_runs::packed_run::write_run;
use crate::index::places::text_place::PlaceFinder;
use crate::index::texts::docs::{DocRow, DocWriter};
use crate::index::texts::text_writer::{MOST_PACKERS, TextWriter};
use crate::search::corpus;
use crate::search::corpus::{SignedDocument, SignedParts};
use crate::search::run::{Settings, Summary};

/// The maximum number of documents, and of their bytes, that are sent to the writing thread at a time.
const BATCH: (usize, usize) = (1 << 10, 1 << 20);
/// The maximum number of batches that may wait for the writing thread.
const MOST_BATCHES_AHEAD: u64 = 8;
/// The divisor of the memory limit for batches that wait: half of what the other shares leave.
const BATCHES_SHARE: u64 = 12;
/// The divisor of the memory limit for the page cache.
const CACHE_SHARE: u64 = 16;
/// The divisor of the memory limit for hashes of texts.
const TEXT_HASHES_SHARE: u64 = 8;
/// The divisors of the memory limit for the rows of runs: band keys, names, hashes of texts and samples. With the
/// hashes of names ([`MemoryPlan::streamed_names`](crate::base::memory::MemoryPlan::streamed_names)) these shares are five
/// sixths of the memory; the rest is for documents in queues.
const ROWS_SHARES: [u64; 4] = [3, 16, 16, 8];

/// Builds an index from the inputs. If it fails, there is no index file; an existing file is never replaced.
///
/// * `index`: the path of the new file.
/// * `built`: the optional parts of the index.
///
/// The summary counts neither candidates nor pairs.
///
/// # Errors
/// When the inputs cannot be read, when the file exists, or when a setting depends on documents that are added later.
pub fn build_index(
    index: &Path,
    built: IndexSettings,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Summary> {
    settings.check()?;
    // Refuses unsuitable settings before anything is read.
    ResultSettings::of(settings, built, None)?;
    let refers = built.texts == TextStorage::Refer;
    let read_settings = refers.then(|| referable(settings).map(|settings| vec![settings])).transpose()?;
    let mut places = refers.then(|| PlaceFinder::new(0));
    let pending = PendingIndex::create(index)?;
    let pool = settings.thread_pool()?;
    let sources = Sources::read_once(settings.cancel.clone());
    observer.begin(Stage::Read);
    let templates = corpus::read_templates(settings.corpus(), sources.cancel(), observer, &pool)?;
    let kept_size = settings.pairs.kept_names.map(NonZeroUsize::get);
    let read_kept = |size| corpus::read_kept_templates(settings.corpus(), size, sources.cancel(), observer, &pool);
    let kept = kept_size.map(read_kept).transpose()?.flatten();
    let samples = built.containment.map(SampleRate::most);
    let parts = SignedParts { texts: true, samples, ..SignedParts::default() };
    let read = |sink: DocumentSink<'_>| {
        let mut pass_on = |document: &SignedDocument| {
            sink(document, places.as_mut().map(|places| places.place_of(document)).transpose()?)
        };
        let corpus = settings.corpus();
        let read = corpus::read_signed(corpus, templates.as_ref(), parts, &sources, observer, &pool, &mut pass_on)?;
        read.check_read().map(|()| read)
    };
    let stored =
        StoredParts { shingles: templates.as_ref(), kept: kept.as_ref(), read_settings: read_settings.as_deref() };
    let result_settings = ResultSettings::of(settings, built, templates.as_ref().map(meta::templates_hash))?;
    let read = write_index(pending, index, settings, &result_settings, stored, &pool, read)?;
    Ok(Summary::of_reading(settings, read))
}

/// Receives the documents of a new index, each with the place of its text if the index refers to texts.
pub(crate) type DocumentSink<'a> = &'a mut (dyn FnMut(&SignedDocument, Option<Box<[u8]>>) -> Result<()> + Send);

/// Writes an index with the documents that `read` passes on, in their order.
///
/// * `stored`: the parts of the index other than documents.
/// * `pool`: the pool in which the documents are passed on.
pub(crate) fn write_index<T: Send>(
    pending: PendingIndex,
    index: &Path,
    settings: &Settings,
    result_settings: &ResultSettings,
    stored: StoredParts,
    pool: &rayon::ThreadPool,
    read: impl FnOnce(DocumentSink<'_>) -> Result<T> + Send,
) -> Result<T> {
    let memory = settings.resources.memory_bytes;
    let file = IndexFile::create(pending.path(), index, memory / CACHE_SHARE)?;
    file.begin_writing()?;
    meta::put_result_settings(&file, result_settings)?;
    meta::put_parts(&file, stored)?;

    let rows = RowSorters::new(memory, pool.current_num_threads(), result_settings.containment);
    let rows_of = &rows;
    // The reading threads would wait for the writing thread. If the pool for compression cannot be created, writing is
    // slower.
    let num_packers = settings.resources.threads.get().min(MOST_PACKERS);
    let has_packers = stored.read_settings.is_none() && num_packers > 1;
    let packers = has_packers.then(|| rayon::ThreadPoolBuilder::new().num_threads(num_packers).build().ok()).flatten();
    let read_batches = |pass_on: PassOn<'_, DocumentBatch>| {
        let mut batch = DocumentBatch::default();
        let mut numbering = Numbering::new(memory / TEXT_HASHES_SHARE);
        let full = || Error::Index(IndexError::Full { path: index.to_owned() });
        let mut sink = |document: &SignedDocument, place: Option<Box<[u8]>>| {
            let row = numbering.take(document, place.is_some())?.ok_or_else(full)?;
            let number = numbering.next - 1;
            rows_of.push(document, &row, number)?;
            let stored = place.as_deref().unwrap_or(document.text);
            batch.push(row, number, stored).map_or(Ok(()), &mut *pass_on)
        };
        let read = read(&mut sink)?;
        pass_on(batch)?;
        Ok(read)
    };
    let write = |batches| write_documents(&file, stored.read_settings.is_none(), batches, packers.as_ref());
    let ahead = (memory / BATCHES_SHARE / BATCH.1 as u64).clamp(1, MOST_BATCHES_AHEAD) as usize;
    let (read, state) = hand_over(ahead, read_batches, write)?;
    let state = IndexState { generation: 1, ..rows.write(&file, state, pool)? };
    meta::put_state(&file, &state)?;
    file.commit()?;
    file.finish(pending.path())?;
    if settings.cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    pending.persist()?;
    Ok(read)
}

/// Documents that are sent to the writing thread together.
#[derive(Default)]
struct DocumentBatch {
    rows: Vec<DocRow>,
    /// The stored data of the documents that store their own text, one after another.
    stored: Vec<u8>,
    lens: Vec<usize>,
}

impl DocumentBatch {
    /// Adds a document; returns the batch when it is full.
    ///
    /// * `stored`: the text of the document, or the place of the text.
    fn push(&mut self, row: DocRow, number: u32, stored: &[u8]) -> Option<Self> {
        if row.stores_text(number) {
            self.stored.extend_from_slice(stored);
            self.lens.push(stored.len());
        }
        self.rows.push(row);
        (self.rows.len() == BATCH.0 || self.stored.len() >= BATCH.1).then(|| std::mem::take(self))
    }
}

/// Writes documents and their texts as they arrive.
///
/// * `has_texts`: whether the index stores texts instead of places of texts.
/// * `packers`: threads that compress texts, if there are any.
fn write_documents(
    file: &IndexFile,
    has_texts: bool,
    receive: Receiver<DocumentBatch>,
    packers: Option<&rayon::ThreadPool>,
) -> Result<IndexState> {
    let mut state = IndexState::default();
    let mut texts = TextWriter::new(file, has_texts, state.dictionaries, packers)?;
    let mut docs = DocWriter::open(file, 0)?;
    for DocumentBatch { rows, stored, lens } in receive {
        let (mut rest, mut lens) = (stored.as_slice(), lens.into_iter());
        for row in rows {
            if row.stores_text(state.next) {
                let text;
                (text, rest) = rest.split_at(lens.next().expect("each such document has a length"));
                texts.push(file, state.next, text)?;
                (state.texts, state.text_bytes) = (state.texts + 1, state.text_bytes + row.len);
            }
            docs.push(file, row)?;
            (state.next, state.documents) = (state.next + 1, state.documents + 1);
        }
    }
    texts.flush(file)?;
    docs.flush(file)?;
    state.dictionaries = texts.dictionaries;
    Ok(state)
}

/// A row of a run, for sorting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortedRow(u64, u32);

impl SortRecord for SortedRow {
    // The 48 bits of a key and the number, to save two bytes.
    type Words = [u16; 5];

    fn words(self) -> [u16; 5] {
        let (key, number) = (self.0, self.1);
        [(key >> 32) as u16, (key >> 16) as u16, key as u16, (number >> 16) as u16, number as u16]
    }

    fn of_words([a, b, c, d, e]: [u16; 5]) -> Self {
        Self(u64::from(a) << 32 | u64::from(b) << 16 | u64::from(c), u32::from(d) << 16 | u32::from(e))
    }

    fn key(self) -> u64 {
        self.0
    }
}

/// The sorters of the rows of all kinds of runs.
struct RowSorters {
    bands: RecordSorter<SortedRow>,
    names: RecordSorter<SortedRow>,
    hashes: RecordSorter<SortedRow>,
    samples: RecordSorter<SortedRow>,
    /// The share of shingles that are sampled.
    rate: Option<SampleRate>,
}

impl RowSorters {
    fn new(memory: u64, num_threads: usize, rate: Option<SampleRate>) -> Self {
        let sorter = |share| RecordSorter::new("rows of the index", (1 << KEY_BITS) - 1, memory / share, num_threads);
        let [bands, names, hashes, samples] = ROWS_SHARES.map(sorter);
        Self { bands, names, hashes, samples, rate }
    }

    /// Adds the rows of a document; must be called in the pool of the run.
    fn push(&self, document: &SignedDocument, row: &DocRow, number: u32) -> Result<()> {
        if row.first == number {
            let samples = samples_of(document, self.rate);
            if !samples.is_empty() {
                self.samples.push(samples.iter().map(|&key| SortedRow(key, number)))?;
            }
            self.bands.push(document.keys.iter().map(|&key| SortedRow(key_of(key), number)))?;
        }
        self.names.push([SortedRow(name_key(&row.name), number)])?;
        self.hashes.push(row.has_text().then(|| SortedRow(content_key(row.content), number)))
    }

    /// Sorts the rows and writes the runs.
    fn write(self, file: &IndexFile, mut state: IndexState, pool: &rayon::ThreadPool) -> Result<IndexState> {
        let sorted = RunKind::ALL.into_iter().zip([self.bands, self.names, self.hashes, self.samples]);
        for (kind, rows) in sorted {
            let rows = pool.install(|| rows.finish());
            let pass_on = |push: &mut dyn FnMut(RunRow) -> Result<()>| {
                let mut partitions = 0..rows.num_partitions();
                partitions.try_for_each(|at| rows.for_each(at, 1, |SortedRow(key, number)| push((key, number))))
            };
            state.segments.extend(write_run(file, (state.next_run, kind), pass_on)?);
            state.next_run += 1;
        }
        Ok(state)
    }
}

/// The run key of a name.
pub(crate) fn name_key(name: &[u8]) -> u64 {
    key_of(xxh3_64(name))
}

/// The run key of the hash of a text.
pub(crate) fn content_key(content: u128) -> u64 {
    key_of((content >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::memory::Resources;
    use crate::base::observe::Unwatched;
    use crate::documents::input::InputSettings;

    #[test]
    fn the_memory_changes_no_byte_of_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let records = folder.path().join("r.jsonl");
        // Every text comes three times with different white space; ids and places are repeated too.
        let record = |number: usize| {
            let (text, blanks) = (number / 3 * 7919 % 100_003, " ".repeat(number % 3 + 1));
            let id = if number.is_multiple_of(50) { number / 2 } else { number };
            format!("{{\"id\":\"{id}\",\"text\":\"the{blanks}text of number {text} and {}\"}}\n", text * 31)
        };
        std::fs::write(&records, (0..9000).map(record).collect::<String>()).unwrap();
        for texts in [TextStorage::Keep, TextStorage::Refer] {
            let index_of = |memory: u64, threads: usize| {
                let index = folder.path().join(format!("{memory}-{threads}-{texts:?}.index"));
                let resources =
                    Resources { threads: threads.try_into().unwrap(), ..Resources::with_memory_bytes(memory) };
                let settings = Settings { resources, ..Settings::of(InputSettings::of(vec![records.clone()])) };
                let built = IndexSettings { containment: Some(SampleRate::default()), texts };
                let summary = build_index(&index, built, &settings, &Unwatched).unwrap();
                (std::fs::read(index).unwrap(), summary.documents, summary.errors)
            };
            let (bytes, documents, errors) = index_of(1 << 30, 2);
            assert_eq!((documents, errors > 0), (9000, true));
            // The hashes of 9,000 names and 3,000 texts need more memory than that.
            for (memory, threads) in [(1 << 15, 1), (1 << 18, 3)] {
                let other = index_of(memory, threads);
                assert!(
                    other == (bytes.clone(), documents, errors),
                    "{memory} {texts:?}: {} {}",
                    other.0.len(),
                    bytes.len()
                );
            }
        }
    }
}
