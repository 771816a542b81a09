//! `SearchedIndexes`: the indexes that a query searches; documents may be added to the first one.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::query_settings::{AddWhat, QuerySettings};
use super::source::IndexSource;
use crate::base::error::{Error, IndexError, Result};
use crate::documents::input::path_bytes;
use crate::index::database::file::OpenFor;
use crate::index::database::meta;
use crate::index::read::reader::IndexReader;
use crate::index::write::numbering::NewDocument;
use crate::index::write::writing::{Added, KnownName};
use crate::search::run::Settings;
use crate::text::removal::Removal;

/// The indexes that a query searches; all have the same settings.
pub(crate) struct SearchedIndexes {
    first: IndexSource,
    others: Vec<IndexReader>,
    /// The path of each index as given; empty when there is only one index.
    names: Vec<Arc<[u8]>>,
}

impl SearchedIndexes {
    /// Opens the indexes of a query; also returns the settings of its texts, shingles and results.
    ///
    /// * `settings`: the settings of inputs and resources.
    /// * `cache_bytes`: the size of the page caches of all indexes together.
    ///
    /// # Errors
    /// When an index cannot be read, or has other settings than the first: a query is shingled and signed only once.
    pub(crate) fn open(query: &QuerySettings, settings: &Settings, cache_bytes: u64) -> Result<(Self, Settings)> {
        let wait = (query.add != AddWhat::None).then_some(query.wait);
        let indexes = Self::open_all(&query.index, &query.others, wait, cache_bytes)?;
        let mut settings = settings.clone();
        indexes.first().result_settings.apply(&mut settings)?;
        settings.pairs.threshold = query.threshold.unwrap_or(settings.pairs.threshold);
        settings.pairs.kept_names = query.kept_names.map_or(settings.pairs.kept_names, NonZeroUsize::new);
        Ok((indexes, settings))
    }

    /// The template shingles with identifiers kept, in a search that compares texts with identifiers kept.
    pub(crate) fn kept_templates(&self, settings: &Settings) -> Result<Option<Removal>> {
        let first = self.first();
        let read = |size| meta::kept_templates(&first.file, &first.result_settings, size);
        Ok(settings.pairs.kept_names.map(read).transpose()?.flatten())
    }

    /// * `wait`: how long to wait for another process that writes to the first index; `None` when nothing is added.
    fn open_all(first: &PathBuf, others: &[PathBuf], wait: Option<Duration>, cache_bytes: u64) -> Result<Self> {
        let cache_bytes = cache_bytes / (1 + others.len() as u64);
        let first_source = IndexSource::open(first, wait, cache_bytes)?;
        let open = |path: &PathBuf| IndexReader::open(path, OpenFor::Read, cache_bytes);
        let readers = others.iter().map(open).collect::<Result<Vec<_>>>()?;
        if let Some(reader) =
            readers.iter().find(|reader| !reader.result_settings.is_same_as(&first_source.reader().result_settings))
        {
            return Err(Error::Index(IndexError::CannotMerge {
                path: reader.file.path().to_owned(),
                what: format!("it has other settings than {}", first.display()),
                remedy: "query it separately, or rebuild one of them with the settings of the other".to_owned(),
            }));
        }
        let names = if others.is_empty() { Vec::new() } else { [std::slice::from_ref(first), others].concat() };
        let names = names.iter().map(|path| path_bytes(path).into()).collect();
        Ok(Self { first: first_source, others: readers, names })
    }

    /// The first index, to which documents may be added.
    pub(crate) fn first(&self) -> &IndexReader {
        self.first.reader()
    }

    /// The first index, to be changed.
    pub(crate) fn first_mut(&mut self) -> &mut IndexReader {
        self.first.reader_mut()
    }

    /// All indexes, in the order given.
    pub(crate) fn readers(&self) -> impl Iterator<Item = &IndexReader> {
        std::iter::once(self.first.reader()).chain(&self.others)
    }

    /// An index, by its position.
    pub(crate) fn reader(&self, position: usize) -> &IndexReader {
        position.checked_sub(1).map_or(self.first.reader(), |other| &self.others[other])
    }

    /// The name of an index, if there are several.
    pub(crate) fn name(&self, position: usize) -> Option<Arc<[u8]>> {
        self.names.get(position).cloned()
    }

    /// Moves to the newest generation of each index.
    pub(crate) fn refresh(&mut self) -> Result<()> {
        self.first.reader_mut().refresh()?;
        self.others.iter_mut().try_for_each(IndexReader::refresh)
    }

    /// Ends the read transactions, so that other processes need not wait for them.
    pub(crate) fn end(&self) {
        self.readers().for_each(|reader| reader.file.end());
    }

    /// Like [`IndexSource::set_threads`], for the first index.
    pub(crate) fn set_threads(&mut self, threads: NonZeroUsize) {
        self.first.set_threads(threads);
    }

    /// Like [`IndexSource::read_settings_number`], for the first index.
    pub(crate) fn read_settings_number(&mut self, settings: &Settings) -> Result<Option<u32>> {
        self.first.read_settings_number(settings)
    }

    /// Adds documents to the first index, in one transaction.
    ///
    /// # Panics
    /// When the first index was not opened for adding.
    pub(crate) fn add(&mut self, documents: Vec<NewDocument>, known: KnownName) -> Result<Added> {
        self.first.add(documents, known)
    }
}
