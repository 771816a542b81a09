//! `IndexSource`: an index that is asked, and perhaps added to.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use super::file::OpenFor;
use super::numbering::NewDocument;
use super::reader::IndexReader;
use super::reading_way::ReadingWay;
use super::writing::{Added, IndexWriter, KnownName};
use crate::error::Result;
use crate::run::Settings;

/// An index that is asked, and added to where that is wanted.
pub(super) enum IndexSource {
    Asked(Box<IndexReader>),
    Added(Box<IndexWriter>),
}

impl IndexSource {
    /// Opens an index.
    ///
    /// * `wait`: how long to wait for another writer; `None` where nothing is added.
    pub(super) fn open(path: &Path, wait: Option<Duration>, cache_bytes: u64) -> Result<Self> {
        Ok(match wait {
            None => Self::Asked(IndexReader::open(path, OpenFor::Read, cache_bytes)?.into()),
            Some(wait) => Self::Added(IndexWriter::open(path, wait, cache_bytes)?.into()),
        })
    }

    pub(super) fn reader(&self) -> &IndexReader {
        match self {
            Self::Asked(reader) => reader,
            Self::Added(writer) => &writer.reader,
        }
    }

    pub(super) fn reader_mut(&mut self) -> &mut IndexReader {
        match self {
            Self::Asked(reader) => reader,
            Self::Added(writer) => &mut writer.reader,
        }
    }

    /// Lets so many threads pack what is written.
    pub(super) fn set_threads(&mut self, threads: NonZeroUsize) {
        if let Self::Added(writer) = self {
            writer.threads = threads;
        }
    }

    /// The number of the way that questions are read, where they are added to an index that refers to texts; `None` elsewhere.
    ///
    /// # Errors
    /// When they cannot be read again, or the index cannot be written.
    pub(super) fn way_of(&mut self, settings: &Settings) -> Result<Option<u32>> {
        match self {
            Self::Added(writer) if writer.reader.referred.is_some() => {
                writer.way_of(&ReadingWay::of(settings)?).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Adds documents, in one transaction; from then on the reader sees them.
    ///
    /// # Panics
    /// When it was not opened for that.
    pub(super) fn add(&mut self, documents: Vec<NewDocument>, known: KnownName) -> Result<Added> {
        let Self::Added(writer) = self else { panic!("it was opened to be asked") };
        if documents.is_empty() {
            return Ok(Added::default());
        }
        writer.add(documents, known)
    }
}
