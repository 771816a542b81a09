//! `add_to_index` and `remove_from_index`: add or remove documents batch by batch; a batch succeeds or fails as a
//! whole.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::numbering::NewDocument;
use super::writing::{Added, IndexWriter, KnownName};
use crate::base::error::{Error, Result};
use crate::base::hand_over::{PassOn, hand_over};
use crate::base::observe::{Observer, Stage};
use crate::documents::input::Sources;
use crate::index::database::file::{OpenFor, add_own_files};
use crate::index::database::read_settings::referable;
use crate::index::database::sampling::SampleRate;
use crate::index::places::text_place::PlaceFinder;
use crate::index::read::reader::IndexReader;
use crate::index::read::text_reader::TextReader;
use crate::search::corpus;
use crate::search::corpus::{SignedDocument, SignedParts};
use crate::search::run::{Settings, Summary};

/// The maximum number of documents of a batch, and the maximum bytes of the documents with their texts.
const BATCH: (usize, usize) = (100_000, 64 << 20);
/// The share of the memory for a batch: one is read while one waits and one is written, which sorts copies of its keys.
const BATCH_SHARE: u64 = 16;
/// The number of names that are removed in one transaction.
const NAMES: usize = 100_000;
/// The size of the page cache in bytes.
const CACHE_BYTES: u64 = 32 << 20;

/// The settings for adding documents to an index.
#[derive(Debug, Clone, Default)]
pub struct AddSettings {
    /// The file of the index.
    pub index: PathBuf,
    /// The handling of a document whose name another text in the index has.
    pub known: KnownName,
    /// How long to wait for another process that writes to the index. Default: not at all.
    pub wait: Duration,
}

/// Adds the inputs to an index, in batches of 100,000 documents or 64 MiB, or a sixteenth of the memory if that is less. When
/// `done` is called, the batch is on the disk and stays, whatever happens afterwards; other batches are not in the index at
/// all. To finish after an interruption, repeat the call: it skips documents that the index contains with the same text.
///
/// * `settings`: the inputs and how to read them. The settings of texts, shingles and signatures are ignored; the index
///   has its own.
/// * `done`: called after each batch with its counts.
///
/// # Errors
/// When inputs or the index cannot be read, or the index cannot be written.
pub fn add_to_index(
    add: &AddSettings,
    settings: &Settings,
    observer: &dyn Observer,
    done: &mut dyn FnMut(Added) -> Result<()>,
) -> Result<(Added, Summary)> {
    let mut writer = IndexWriter::open(&add.index, add.wait, CACHE_BYTES)?;
    let mut settings = settings.clone();
    writer.reader.result_settings.apply(&mut settings)?;
    add_own_files(&add.index, &mut settings.input.own_files);
    let settings = &settings;
    settings.check()?;
    writer.threads = settings.resources.threads;
    let templates = writer.reader.templates.take();
    let rate = writer.reader.result_settings.containment;
    let settings_number = match &writer.reader.referred {
        Some(_) => Some(writer.read_settings_number(&referable(settings)?)?),
        None => None,
    };
    let pool = settings.thread_pool()?;
    let sources = Sources::read_once(settings.cancel.clone());
    observer.begin(Stage::Read);
    let mut all = Added::default();
    let most_bytes =
        usize::try_from(settings.resources.memory_bytes / BATCH_SHARE).map_or(BATCH.1, |share| share.min(BATCH.1));
    let read = |pass_on: PassOn<'_, Vec<NewDocument>>| {
        let (mut batch, mut num_bytes) = (Vec::new(), 0);
        let mut places = settings_number.map(PlaceFinder::new);
        let mut sink = |document: &SignedDocument| {
            let place = places.as_mut().map(|places| places.place_of(document)).transpose()?;
            let document = NewDocument::of(document, rate, place);
            num_bytes += size_of::<NewDocument>() + document.stored().map_or(0, <[u8]>::len);
            batch.push(document);
            if batch.len() < BATCH.0 && num_bytes < most_bytes {
                return Ok(());
            }
            num_bytes = 0;
            pass_on(std::mem::take(&mut batch))
        };
        let parts = SignedParts { texts: true, samples: rate.map(SampleRate::most), ..SignedParts::default() };
        let corpus = settings.corpus();
        let read = corpus::read_signed(corpus, templates.as_ref(), parts, &sources, observer, &pool, &mut sink)?;
        if !batch.is_empty() {
            pass_on(batch)?;
        }
        Ok(read)
    };
    let write = |batches: Receiver<Vec<NewDocument>>| {
        batches.into_iter().try_for_each(|batch| {
            if settings.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let added = writer.add(batch, add.known)?;
            all.add(added);
            done(added)
        })
    };
    let (read, ()) = hand_over(1, read, write)?;
    read.check_read()?;
    Ok((all, Summary::of_reading(settings, read)))
}

/// Removes documents from an index by name, and erases texts that no document uses any more. Returns the number of
/// removed documents, and the names that are not in the index. A repeated name counts once.
///
/// * `wait`: how long to wait for another process that writes to the index.
///
/// # Errors
/// When the index cannot be read or written. Up to 100,000 names are removed in one transaction, all or none of them.
pub fn remove_from_index(index: &Path, names: &[Vec<u8>], wait: Duration) -> Result<(u64, Vec<Vec<u8>>)> {
    let mut writer = IndexWriter::open(index, wait, CACHE_BYTES)?;
    let (mut num_removed, mut unknown) = (0, Vec::new());
    let mut seen: HashSet<&[u8]> = HashSet::new();
    let distinct = names.iter().map(Vec::as_slice).filter(|&name| seen.insert(name));
    let names: Vec<&[u8]> = distinct.collect();
    for names in names.chunks(NAMES) {
        let (removed, not_there) = writer.remove(names)?;
        num_removed += removed;
        unknown.extend(not_there);
    }
    Ok((num_removed, unknown))
}

/// Lists the names of the documents of an index that begin with `prefix`, in the order of the index.
///
/// # Errors
/// When the index cannot be read.
pub fn names_in_index(index: &Path, prefix: &[u8]) -> Result<Vec<Vec<u8>>> {
    let reader = IndexReader::open(index, OpenFor::Read, CACHE_BYTES)?;
    let mut names = Vec::new();
    for number in 0..reader.state.next {
        if !reader.is_removed(number)? {
            let document = reader.document(number)?;
            if document.name.starts_with(prefix) {
                names.push(document.name.clone());
            }
        }
    }
    Ok(names)
}

/// The text of the document of an index with this name, before normalisation; `None` if the index has no such document.
///
/// # Errors
/// When the index cannot be read, and when it refers to a text that has changed or is missing.
pub fn text_in_index(index: &Path, name: &[u8]) -> Result<Option<Vec<u8>>> {
    let reader = IndexReader::open(index, OpenFor::Read, CACHE_BYTES)?;
    let found = reader.with_names(&[name], None)?.pop().flatten();
    found.map(|(_, document)| TextReader::new(&reader).read(&document)).transpose()
}

/// Merges all sorted runs of an index into one per kind, without rows of removed documents, and returns free pages to
/// the system.
///
/// * `wait`: how long to wait for another process that writes to the index.
/// * `observer`: receives progress; a unit is a block of a run.
///
/// # Errors
/// When the index cannot be read or written.
pub fn compact_index(index: &Path, wait: Duration, observer: &dyn Observer) -> Result<()> {
    IndexWriter::open(index, wait, CACHE_BYTES)?.compact(observer)
}
