//! `IndexSource`: an index that is searched, and to which documents may be added.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use crate::base::error::Result;
use crate::index::database::file::OpenFor;
use crate::index::database::read_settings::referable;
use crate::index::read::reader::IndexReader;
use crate::index::write::numbering::NewDocument;
use crate::index::write::writing::{Added, IndexWriter, KnownName};
use crate::search::run::Settings;

/// An index that is open for searching, or for searching and adding.
pub(crate) enum IndexSource {
    Searched(Box<IndexReader>),
    Added(Box<IndexWriter>),
}

impl IndexSource {
    /// Opens an index.
    ///
    /// * `wait`: how long to wait for another process that writes; `None` when nothing is added.
    pub(crate) fn open(path: &Path, wait: Option<Duration>, cache_bytes: u64) -> Result<Self> {
        Ok(match wait {
            None => Self::Searched(IndexReader::open(path, OpenFor::Read, cache_bytes)?.into()),
            Some(wait) => Self::Added(IndexWriter::open(path, wait, cache_bytes)?.into()),
        })
    }

    pub(crate) fn reader(&self) -> &IndexReader {
        match self {
            Self::Searched(reader) => reader,
            Self::Added(writer) => &writer.reader,
        }
    }

    pub(crate) fn reader_mut(&mut self) -> &mut IndexReader {
        match self {
            Self::Searched(reader) => reader,
            Self::Added(writer) => &mut writer.reader,
        }
    }

    /// Sets the number of threads for writing.
    pub(crate) fn set_threads(&mut self, threads: NonZeroUsize) {
        if let Self::Added(writer) = self {
            writer.threads = threads;
        }
    }

    /// The position of the reading settings of queries, if they are added to an index that refers to texts; otherwise
    /// `None`.
    ///
    /// # Errors
    /// When the queries cannot be read again, or the index cannot be written.
    pub(crate) fn read_settings_number(&mut self, settings: &Settings) -> Result<Option<u32>> {
        match self {
            Self::Added(writer) if writer.reader.referred.is_some() => {
                writer.read_settings_number(&referable(settings)?).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Adds documents in one transaction; the reader sees them afterwards.
    ///
    /// # Panics
    /// When the index was not opened for adding.
    pub(crate) fn add(&mut self, documents: Vec<NewDocument>, known: KnownName) -> Result<Added> {
        let Self::Added(writer) = self else { panic!("it was opened for searching") };
        if documents.is_empty() {
            return Ok(Added::default());
        }
        writer.add(documents, known)
    }
}
