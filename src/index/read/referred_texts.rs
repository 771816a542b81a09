//! `ReferredTexts`: reads the texts that an index only refers to, and checks that they are unchanged; for one query, or
//! one batch of queries.

use std::collections::HashMap;

use rayon::prelude::*;

use super::reader::IndexReader;
use super::text_reader::{TextReader, checked};
use crate::base::error::{Error, IndexError, Result};
use crate::base::flat::per_thread::PerThread;
use crate::index::places::place_reader::PlaceReader;
use crate::index::places::text_place::{TextPlace, TextSpot};
use crate::index::texts::docs::DocRow;
use crate::text::code::Syntax;

/// The maximum bytes of texts that are read at a time; a larger text is read separately.
const MOST_BYTES: u64 = 16 << 20;
/// The minimum number of texts for parallel reading.
const MANY: usize = 8;

/// A document whose text has changed or is missing at the place that the index refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StaleText {
    /// The number of the document.
    pub(crate) document: u32,
    pub(crate) name: String,
    /// The fault of the text.
    pub(crate) fault: String,
}

/// The faults of the documents that were read.
#[derive(Default)]
pub(crate) struct ReadFaults {
    pub(crate) stale: Vec<StaleText>,
    /// Damaged parts of the index.
    pub(crate) damage: Vec<Error>,
}

/// Reads the texts of documents again.
pub(crate) struct ReferredTexts<'r> {
    reader: &'r IndexReader,
    texts: TextReader<'r>,
    /// Readers for texts that can be read at any position of their file.
    workers: PerThread<PlaceReader<'r>>,
    pool: &'r rayon::ThreadPool,
    /// For each document that was read: whether its text is unchanged.
    is_same: HashMap<u32, bool>,
    pub(crate) faults: ReadFaults,
}

/// A text that was read again, with its language.
pub(crate) type ReadText = (Vec<u8>, Option<Syntax>);

impl<'r> ReferredTexts<'r> {
    /// Creates a reader; `None` for an index that stores its texts.
    ///
    /// * `pool`: threads that do no other work.
    pub(crate) fn of(reader: &'r IndexReader, pool: &'r rayon::ThreadPool) -> Option<Self> {
        let inputs = reader.referred.as_ref()?;
        let worker = || PlaceReader::new(inputs);
        Some(Self {
            reader,
            texts: TextReader::new(reader),
            workers: PerThread::new(pool.current_num_threads(), worker),
            pool,
            is_same: HashMap::new(),
            faults: ReadFaults::default(),
        })
    }

    /// The number of documents whose texts are read at a time; at least one.
    ///
    /// * `documents`: the numbers of the documents.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub(crate) fn round_len(&mut self, documents: impl Iterator<Item = u32>) -> Result<usize> {
        let (mut len, mut num_bytes) = (0, 0);
        for document in documents {
            num_bytes += self.row(document)?.map_or(0, |row| row.len);
            if len > 0 && num_bytes > MOST_BYTES {
                break;
            }
            len += 1;
        }
        Ok(len)
    }

    /// The row of a document; `None` when it is damaged, which is recorded in the faults.
    fn row(&mut self, document: u32) -> Result<Option<DocRow>> {
        let row = self.reader.document(document);
        self.unless_damaged(row)
    }

    fn unless_damaged<T>(&mut self, read: Result<T>) -> Result<Option<T>> {
        match read {
            Ok(value) => Ok(Some(value)),
            Err(error @ Error::Index(IndexError::Damaged { .. })) => {
                self.faults.damage.push(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads the texts of documents; `None` for a text that is damaged, changed or missing, which is recorded in the
    /// faults.
    ///
    /// * `documents`: the numbers of the documents; ascending order is fastest.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub(crate) fn read(&mut self, documents: &[u32]) -> Result<Vec<Option<ReadText>>> {
        let mut wanted: Vec<Option<(DocRow, Option<TextPlace>)>> = Vec::with_capacity(documents.len());
        for &document in documents {
            let row = self.row(document)?;
            wanted.push(match row {
                Some(row) => {
                    let place = self.texts.place(&row);
                    self.unless_damaged(place)?.map(|place| (row, place))
                }
                None => None,
            });
        }
        let is_inside = |place: &TextPlace| matches!(place.spot, TextSpot::Inside { .. });
        let at_place = |wanted: &Option<(DocRow, Option<TextPlace>)>| match wanted {
            Some((_, Some(place))) if !is_inside(place) => Some(self.workers.get().read(place)),
            _ => None,
        };
        let read = || match wanted.len() {
            ..MANY => wanted.iter().map(at_place).collect::<Vec<_>>(),
            _ => wanted.par_iter().map(at_place).collect(),
        };
        let read = self.pool.install(read);
        let mut texts = Vec::with_capacity(documents.len());
        for ((&document, wanted), read) in documents.iter().zip(wanted).zip(read) {
            let Some((row, place)) = wanted else {
                self.is_same.insert(document, false);
                texts.push(None);
                continue;
            };
            let read = match (read, place) {
                (Some(read), _) => read?,
                (None, Some(place)) => self.texts.read_at(&place)?,
                (None, None) => Ok(Vec::new()),
            };
            let text = checked(read, &row);
            let is_known = self.is_same.insert(document, text.is_ok()).is_some();
            texts.push(match text {
                Ok(text) => Some((text, row.syntax)),
                Err(fault) => {
                    if !is_known {
                        let name = String::from_utf8_lossy(&row.name).into_owned();
                        self.faults.stale.push(StaleText { document, name, fault });
                    }
                    None
                }
            });
        }
        Ok(texts)
    }

    /// Reads the text of any document with the same normalised text.
    ///
    /// * `first`: the first of these documents, which may be removed.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub(crate) fn read_copy(&mut self, first: u32) -> Result<Option<ReadText>> {
        let Some(row) = self.row(first)? else { return Ok(None) };
        let copies = self.reader.with_contents(&[row.content], None);
        for copy in self.unless_damaged(copies)?.into_iter().flatten().flatten() {
            // Documents whose texts are known to have changed are skipped.
            if self.is_same.get(&copy) != Some(&false)
                && let Some(text) = self.read(&[copy])?.pop().flatten()
            {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// Keeps only the documents whose texts are unchanged.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub(crate) fn retain(&mut self, documents: &mut [Vec<u32>]) -> Result<()> {
        let mut unread: Vec<u32> = documents.iter().flatten().copied().collect();
        unread.retain(|document| !self.is_same.contains_key(document));
        unread.sort_unstable();
        unread.dedup();
        let mut rest = unread.as_slice();
        while !rest.is_empty() {
            let here;
            (here, rest) = rest.split_at(self.round_len(rest.iter().copied())?);
            self.read(here)?;
        }
        let is_same = &self.is_same;
        documents.iter_mut().for_each(|documents| documents.retain(|document| is_same[document]));
        Ok(())
    }
}
