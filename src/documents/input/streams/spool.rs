//! `Sources`: numbers everything that holds several documents (a file of records, an archive member), and owns the
//! spool.
//!
//! The spool is a single unlinked temporary file for the run. It stores, one after another, decoded texts whose source
//! cannot be read twice. If offsets in the original are requested and the text was decoded from other bytes, the spool
//! stores the original bytes. Reading such a document again is one read at its offset, however it was packed.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::base::error::{Error, Result};
use crate::base::problem::{Problem, Reason};
use crate::base::storage::{read_at, temporary_file, write_at};
use crate::documents::document::{DocumentLocation, Kept};
use crate::documents::input::bytes::decode::{BINARY_PREFIX, check_binary};
use crate::documents::input::cancel::Cancel;
use crate::documents::input::codec::Codec;
use crate::documents::input::formats::format::Format;
use crate::documents::input::marks::utf16_of_mark;
use crate::documents::input::messages::{LFS_DETAIL, LFS_POINTER};
use crate::documents::input::paths::{path_bytes, path_of, unusable};

/// A source of several documents: a file, standard input, or a member of an archive.
#[derive(Debug)]
pub(crate) struct RecordSource {
    /// The name of the source; for a file that supports random access, its path.
    pub(crate) name: PathBuf,
    /// The form of its lines.
    pub(crate) lines: LineForm,
    /// Whether its records are counted as rows instead of by line number.
    has_rows: bool,
    /// Whether its bytes were decoded to UTF-8 before they were cut into records.
    pub(crate) is_decoded: bool,
}

/// The form of the lines of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LineForm {
    /// Each line is a record of JSON.
    Json,
    /// Each line is a set of fields.
    Set,
    /// Each line is a text.
    Text,
}

/// All sources of a run, by number. The list grows while paths are walked and the first pieces are read.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    sources: Mutex<Vec<Arc<RecordSource>>>,
    spool: Mutex<Option<Arc<File>>>,
    spool_end: AtomicU64,
    /// Whether the run reads its inputs only once, so that the spool need not store anything.
    are_read_once: bool,
    /// Whether any source so far held records. `has_delimited`: whether any held fields separated by a delimiter.
    has_records: AtomicBool,
    has_delimited: AtomicBool,
    /// The number of files that git would ignore.
    num_ignored: AtomicU64,
    /// The number of documents whose text was extracted, by the extension of their format.
    extracted: Mutex<BTreeMap<&'static str, u64>>,
    /// The bytes of files that hold documents and the number of files that are documents, as far as the walk has come.
    expected_bytes: AtomicU64,
    expected_files: AtomicU64,
    /// The error that ends the run.
    failure: Mutex<Option<Error>>,
    cancel: Cancel,
}

impl Sources {
    /// An empty list of sources, for a run that `cancel` can stop.
    pub(crate) fn new(cancel: Cancel) -> Self {
        Self { cancel, ..Self::default() }
    }

    /// An empty list of sources, for a run that reads its inputs only once. Nothing is written to the spool.
    pub(crate) fn read_once(cancel: Cancel) -> Self {
        Self { are_read_once: true, ..Self::new(cancel) }
    }

    /// The handle by which a caller stops the run.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Adds a source in this format.
    ///
    /// * `is_decoded`: whether its bytes were decoded to UTF-8 before they are cut into records.
    pub(crate) fn add(&self, name: &[u8], format: Format, is_decoded: bool) -> u32 {
        let lines = match format {
            Format::SetLines => LineForm::Set,
            Format::TextLines => LineForm::Text,
            _ => LineForm::Json,
        };
        self.has_records.fetch_or(lines == LineForm::Json, Ordering::Relaxed);
        let mut sources = self.sources.lock().expect("no holder panics");
        let has_rows = matches!(format, Format::Parquet | Format::Arrow);
        sources.push(Arc::new(RecordSource { name: path_of(name).to_owned(), lines, has_rows, is_decoded }));
        u32::try_from(sources.len() - 1)
            .ok()
            .filter(|&number| number < DocumentLocation::SPOOL)
            .expect("fewer than documents")
    }

    /// Notes that a source has fields separated by a delimiter.
    pub(crate) fn see_delimited(&self) {
        self.has_delimited.store(true, Ordering::Relaxed);
    }

    /// Notes the kinds of sources that another collection has seen.
    pub(crate) fn see_kinds(&self, of: &Self) {
        let (has_records, has_delimited) = of.kinds();
        self.has_records.fetch_or(has_records, Ordering::Relaxed);
        self.has_delimited.fetch_or(has_delimited, Ordering::Relaxed);
        of.extracted().into_iter().for_each(|(format, number)| self.see_extracted(format, number));
    }

    /// Counts documents whose text was extracted.
    ///
    /// * `format`: the extension of their format, such as `docx`.
    pub(crate) fn see_extracted(&self, format: &'static str, number: u64) {
        *self.extracted.lock().expect("no holder panics").entry(format).or_default() += number;
    }

    /// The number of documents so far whose text was extracted, by the extension of their format.
    pub(crate) fn extracted(&self) -> BTreeMap<&'static str, u64> {
        self.extracted.lock().expect("no holder panics").clone()
    }

    /// Counts a file that git would ignore.
    pub(crate) fn see_ignored(&self) {
        self.num_ignored.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of files so far that git would ignore.
    pub(crate) fn num_ignored(&self) -> u64 {
        self.num_ignored.load(Ordering::Relaxed)
    }

    /// Whether any source so far held records, and whether any held fields that a delimiter separates.
    pub(crate) fn kinds(&self) -> (bool, bool) {
        (self.has_records.load(Ordering::Relaxed), self.has_delimited.load(Ordering::Relaxed))
    }

    /// Adds a file of `num_bytes` bytes that holds documents to the expected input.
    pub(crate) fn expect_bytes(&self, num_bytes: u64) {
        self.expected_bytes.fetch_add(num_bytes, Ordering::Relaxed);
    }

    /// Adds a file that is a document to the expected input.
    pub(crate) fn expect_file(&self) {
        self.expected_files.fetch_add(1, Ordering::Relaxed);
    }

    /// Corrects the expected input: a file of `num_bytes` bytes that was expected to hold documents is one document.
    pub(crate) fn expect_file_instead(&self, num_bytes: u64) {
        self.expected_bytes.fetch_sub(num_bytes, Ordering::Relaxed);
        self.expect_file();
    }

    /// The expected input so far: bytes, as stored, of files that hold documents, and the number of files that are
    /// documents.
    pub(crate) fn expected(&self) -> (u64, u64) {
        (self.expected_bytes.load(Ordering::Relaxed), self.expected_files.load(Ordering::Relaxed))
    }

    /// The name of a source, as bytes.
    pub(crate) fn name(&self, source: u32) -> Vec<u8> {
        path_bytes(&self.get(source).name).to_vec()
    }

    /// Whether the records of a source are counted as rows instead of by line number.
    pub(crate) fn has_rows(&self, source: u32) -> bool {
        self.get(source).has_rows
    }

    /// Whether the lines of a source are sets of fields, not JSON.
    pub(crate) fn has_set_lines(&self, source: u32) -> bool {
        self.get(source).lines == LineForm::Set
    }

    /// Adds an uncompressed file with one record per line, and returns its number. Its records are read from the file
    /// itself.
    pub(crate) fn add_lines(&self, path: &[u8], lines: LineForm) -> u32 {
        let format = match lines {
            LineForm::Json => Format::JsonLines,
            LineForm::Set => Format::SetLines,
            LineForm::Text => Format::TextLines,
        };
        self.add(path, format, false)
    }

    /// The names of all sources.
    pub(crate) fn names(&self) -> HashSet<Vec<u8>> {
        let sources = self.sources.lock().expect("no holder panics");
        sources.iter().map(|source| path_bytes(&source.name).to_vec()).collect()
    }

    pub(crate) fn get(&self, source: u32) -> Arc<RecordSource> {
        Arc::clone(&self.sources.lock().expect("no holder panics")[source as usize])
    }

    /// Writes a text of less than 4 GiB to the spool. A failure to write ends the run; the returned place is then
    /// unusable.
    ///
    /// * `text`: the text, or the bytes that it is decoded from.
    /// * `place`: the origin of the text, for the error message.
    pub(crate) fn keep(&self, text: &[u8], kept: Kept, place: impl FnOnce() -> Vec<u8>) -> DocumentLocation {
        let offset = self.spool_end.fetch_add(text.len() as u64, Ordering::Relaxed);
        let written = match text {
            [] => Ok(()),
            _ if self.are_read_once => Ok(()),
            text => self.spool().and_then(|file| write_at(&file, offset, text)),
        };
        if let Err(source) = written {
            self.fail_to_keep(&place(), source);
        }
        let len = u32::try_from(text.len()).expect("a text that is unpacked is below 4 GiB");
        DocumentLocation::kept(offset, len, kept)
    }

    /// Creates the spool, unless the run reads its inputs only once.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        if self.are_read_once { Ok(()) } else { self.spool().map(drop) }
    }

    /// The spool, which is created on the first call.
    pub(crate) fn spool(&self) -> io::Result<Arc<File>> {
        let mut spool = self.spool.lock().expect("no holder panics");
        if let Some(file) = &*spool {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(temporary_file()?);
        *spool = Some(Arc::clone(&file));
        Ok(file)
    }

    /// Ends the run with the error that content from `place` cannot be stored.
    pub(crate) fn fail_to_keep(&self, place: &[u8], source: io::Error) {
        let place = String::from_utf8_lossy(place).into_owned();
        let what = if place == "-" { "standard input" } else { "its text" };
        self.fail(Error::Spool { place, what, dir: std::env::temp_dir(), source });
    }

    /// Ends the run with an error. The first error counts.
    pub(crate) fn fail(&self, error: Error) {
        self.failure.lock().expect("no holder panics").get_or_insert(error);
    }

    /// Whether the run has failed or was cancelled, so that reading can stop.
    pub(crate) fn has_failed(&self) -> bool {
        self.cancel.is_cancelled() || self.failure.lock().expect("no holder panics").is_some()
    }

    /// Checks that the run has not failed.
    ///
    /// # Errors
    /// The error that ended the run.
    pub(crate) fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.failure.lock().expect("no holder panics").take().map_or(Ok(()), Err)
    }
}

impl RecordSource {
    /// Checks that the file may contain JSON Lines: it is readable, and its start is not binary. Returns whether it is
    /// UTF-16 or compressed, so that its bytes cannot be cut into lines without decoding.
    pub(crate) fn check_records(&self) -> Result<bool, Problem> {
        let mut start = Vec::new();
        let read = self.open().and_then(|file| read_at(&file, 0, BINARY_PREFIX, &mut start));
        read.map_err(|error| unusable(&self.name, &error))?;
        let is_other = utf16_of_mark(&start).is_some() || Codec::of_magic(&start).is_some();
        if is_other { Ok(true) } else { check_start(&self.name, &start).map(|()| false) }
    }

    /// The file, opened for one reader.
    pub(crate) fn open(&self) -> io::Result<File> {
        File::open(&self.name)
    }
}

/// Checks that records may begin with these bytes, which are the only ones examined.
pub(crate) fn check_start(name: &Path, start: &[u8]) -> Result<(), Problem> {
    if start.starts_with(LFS_POINTER) {
        return Err(Problem::error(name.to_string_lossy(), Reason::Missing, LFS_DETAIL));
    }
    check_binary(start).map_err(|fault| fault.problem(&name.to_string_lossy()))
}
