//! `Sources`: numbers what holds many documents (a file of records, an archive member), and keeps the spool.
//!
//! The spool is one unlinked temporary file for the run. It keeps decoded texts whose source cannot be read twice, one after
//! another; where offsets in the original are asked for, it keeps the original of those that were decoded from other bytes. The second read of such a document is one read at its offset, however the document was packed.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::document::{Kept, Located};
use crate::error::{Error, Result};
use crate::input::cancel::Cancel;
use crate::input::decode::{BINARY_PREFIX, check_binary};
use crate::input::faults::{LFS_DETAIL, LFS_POINTER};
use crate::input::format::Format;
use crate::input::marks::utf16_of_mark;
use crate::input::paths::{path_bytes, path_of, unusable};
use crate::input::unpack::compression::Codec;
use crate::problem::{Problem, Reason};
use crate::storage::{read_at, temporary_file, write_at};

/// What holds many documents: a file, standard input, or a member of an archive.
#[derive(Debug)]
pub(super) struct RecordSource {
    /// How it is named; the path of a file that can be read at any place.
    pub(super) name: PathBuf,
    /// Whether its lines are sets of fields, not JSON.
    pub(super) is_sets: bool,
    /// Whether its records are counted as rows, and not by the lines that they stand on.
    has_rows: bool,
    /// Whether what is read of it was decoded before.
    pub(super) is_decoded: bool,
}

/// All sources of a run, by number; grows while the paths are walked and the first pieces are read.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    sources: Mutex<Vec<Arc<RecordSource>>>,
    spool: Mutex<Option<Arc<File>>>,
    spool_end: AtomicU64,
    /// Whether inputs are read once only, so that nothing is kept of those that cannot be read again.
    are_read_once: bool,
    /// Whether any source held records, and fields that a delimiter separates.
    has_records: AtomicBool,
    has_delimited: AtomicBool,
    /// Files that git would ignore.
    num_ignored: AtomicU64,
    /// What the walk has found so far: bytes of files that hold documents, and files that are documents.
    expected_bytes: AtomicU64,
    expected_files: AtomicU64,
    /// What ends the run.
    failure: Mutex<Option<Error>>,
    cancel: Cancel,
}

impl Sources {
    /// None yet, of a run that `cancel` ends.
    pub(crate) fn new(cancel: Cancel) -> Self {
        Self { cancel, ..Self::default() }
    }

    /// None yet, of a run that reads its inputs once only: what is kept for a second read is nowhere.
    pub(crate) fn read_once(cancel: Cancel) -> Self {
        Self { are_read_once: true, ..Self::new(cancel) }
    }

    /// What ends the run from outside.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Adds a source that is read in this format.
    ///
    /// * `is_decoded`: whether what is read of it was decoded before.
    pub(super) fn add(&self, name: &[u8], format: Format, is_decoded: bool) -> u32 {
        self.has_records.fetch_or(format != Format::SetLines, Ordering::Relaxed);
        let mut sources = self.sources.lock().expect("no holder panics");
        let (is_sets, has_rows) = (format == Format::SetLines, format == Format::Parquet);
        sources.push(Arc::new(RecordSource { name: path_of(name).to_owned(), is_sets, has_rows, is_decoded }));
        u32::try_from(sources.len() - 1).ok().filter(|&number| number < Located::SPOOL).expect("fewer than documents")
    }

    /// A source has fields that a delimiter separates.
    pub(super) fn see_delimited(&self) {
        self.has_delimited.store(true, Ordering::Relaxed);
    }

    /// A file is read that git would ignore.
    pub(super) fn see_ignored(&self) {
        self.num_ignored.fetch_add(1, Ordering::Relaxed);
    }

    /// The files so far that git would ignore.
    pub(crate) fn num_ignored(&self) -> u64 {
        self.num_ignored.load(Ordering::Relaxed)
    }

    /// Whether any source so far held records, and whether any held fields that a delimiter separates.
    pub(crate) fn kinds(&self) -> (bool, bool) {
        (self.has_records.load(Ordering::Relaxed), self.has_delimited.load(Ordering::Relaxed))
    }

    /// A file of so many bytes holds documents.
    pub(super) fn expect_bytes(&self, num_bytes: u64) {
        self.expected_bytes.fetch_add(num_bytes, Ordering::Relaxed);
    }

    /// A file is a document.
    pub(super) fn expect_file(&self) {
        self.expected_files.fetch_add(1, Ordering::Relaxed);
    }

    /// A file of so many bytes, which was expected to hold documents, is one.
    pub(super) fn expect_file_instead(&self, num_bytes: u64) {
        self.expected_bytes.fetch_sub(num_bytes, Ordering::Relaxed);
        self.expect_file();
    }

    /// Bytes of the files found so far that hold documents, as stored, and the number of files that are documents.
    pub(crate) fn expected(&self) -> (u64, u64) {
        (self.expected_bytes.load(Ordering::Relaxed), self.expected_files.load(Ordering::Relaxed))
    }

    /// The name of a source, as bytes.
    pub(crate) fn name(&self, source: u32) -> Vec<u8> {
        path_bytes(&self.get(source).name).to_vec()
    }

    /// Whether the records of a source are counted as rows, and not by the lines that they stand on.
    pub(crate) fn has_rows(&self, source: u32) -> bool {
        self.get(source).has_rows
    }

    /// Whether the lines of a source are sets of fields, not JSON.
    pub(crate) fn has_set_lines(&self, source: u32) -> bool {
        self.get(source).is_sets
    }

    /// Adds a plain file whose lines are records, and read where they lie; returns its number.
    ///
    /// * `are_sets`: whether they are sets of fields, not JSON.
    pub(crate) fn add_lines(&self, path: &[u8], are_sets: bool) -> u32 {
        self.add(path, if are_sets { Format::SetLines } else { Format::JsonLines }, false)
    }

    /// The names of all sources.
    pub(crate) fn names(&self) -> HashSet<Vec<u8>> {
        let sources = self.sources.lock().expect("no holder panics");
        sources.iter().map(|source| path_bytes(&source.name).to_vec()).collect()
    }

    pub(super) fn get(&self, source: u32) -> Arc<RecordSource> {
        Arc::clone(&self.sources.lock().expect("no holder panics")[source as usize])
    }

    /// Keeps a text of less than 4 GiB for the second read. When that fails, so does the run, and the text is nowhere.
    ///
    /// * `text`: it, or the bytes that it is made of.
    /// * `place`: what it comes from, for the message.
    pub(crate) fn keep(&self, text: &[u8], kept: Kept, place: impl FnOnce() -> Vec<u8>) -> Located {
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
        Located::kept(offset, len, kept)
    }

    /// Makes the spool, where anything is kept.
    pub(super) fn prepare(&self) -> io::Result<()> {
        if self.are_read_once { Ok(()) } else { self.spool().map(drop) }
    }

    /// The spool, which is there from the first text on.
    pub(super) fn spool(&self) -> io::Result<Arc<File>> {
        let mut spool = self.spool.lock().expect("no holder panics");
        if let Some(file) = &*spool {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(temporary_file()?);
        *spool = Some(Arc::clone(&file));
        Ok(file)
    }

    /// Ends the run, since what comes from `place` cannot be kept.
    pub(super) fn fail_to_keep(&self, place: &[u8], source: io::Error) {
        let place = String::from_utf8_lossy(place).into_owned();
        let what = if place == "-" { "standard input" } else { "its text" };
        self.fail(Error::Spool { place, what, dir: std::env::temp_dir(), source });
    }

    /// Ends the run.
    pub(crate) fn fail(&self, error: Error) {
        self.failure.lock().expect("no holder panics").get_or_insert(error);
    }

    /// Whether the run has failed; nothing needs to be read any more.
    pub(crate) fn has_failed(&self) -> bool {
        self.cancel.is_cancelled() || self.failure.lock().expect("no holder panics").is_some()
    }

    /// What ended the run, if anything did.
    ///
    /// # Errors
    /// That.
    pub(crate) fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.failure.lock().expect("no holder panics").take().map_or(Ok(()), Err)
    }
}

impl RecordSource {
    /// Whether the file may hold JSON Lines: it can be read, and its start is not binary. Returns whether it is UTF-16, or
    /// compressed, so that it cannot be cut as it lies.
    pub(super) fn check_records(&self) -> Result<bool, Problem> {
        let mut start = Vec::new();
        let read = self.open().and_then(|file| read_at(&file, 0, BINARY_PREFIX, &mut start));
        read.map_err(|error| unusable(&self.name, &error))?;
        let is_other = utf16_of_mark(&start).is_some() || Codec::of_magic(&start).is_some();
        if is_other { Ok(true) } else { check_start(&self.name, &start).map(|()| false) }
    }

    /// The file, opened for one reader.
    pub(super) fn open(&self) -> io::Result<File> {
        File::open(&self.name)
    }
}

/// Whether records may begin with these bytes, which are all that are looked at.
pub(super) fn check_start(name: &Path, start: &[u8]) -> Result<(), Problem> {
    if start.starts_with(LFS_POINTER) {
        return Err(Problem::error(name.to_string_lossy(), Reason::Missing, LFS_DETAIL));
    }
    check_binary(start).map_err(|fault| fault.problem(&name.to_string_lossy()))
}
