//! `PairSink`: receives the pairs of a search, in batches.

use std::time::SystemTime;

use crate::base::error::Result;
use crate::compare::passages::LocatedPassages;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;
use crate::records::PairRecord;

/// Receives pairs in document order, in batches.
pub type Sink<'a> = &'a mut (dyn FnMut(&Documents, &[DuplicatePair]) -> Result<()> + Send);

/// Some pairs in document order.
#[derive(Debug, Clone, Copy)]
pub struct PairBatch<'b> {
    /// The documents of the search.
    pub documents: &'b Documents,
    /// The pairs, by `a`, then by `b`.
    pub pairs: &'b [DuplicatePair],
    /// The passages of each pair; empty if the search finds no passages, and `None` for a document that could not be read
    /// again.
    pub passages: &'b [Option<LocatedPassages>],
}

impl<'b> PairBatch<'b> {
    /// The record of a pair.
    ///
    /// * `number`: the number of the pair in the batch, from 0.
    pub fn record(&self, number: usize) -> PairRecord<'b> {
        let record = PairRecord::new(self.documents, &self.pairs[number]);
        match self.passages.get(number) {
            Some(passages) => record.with_passages(passages.as_ref()),
            None => record,
        }
    }

    /// The record of a pair, with the times of its documents.
    ///
    /// * `times`: the time of each document; empty if records have no times.
    pub fn record_with_times(&self, number: usize, times: &[Option<SystemTime>]) -> PairRecord<'b> {
        let record = self.record(number);
        if times.is_empty() {
            return record;
        }
        let DuplicatePair { a, b, .. } = self.pairs[number];
        record.with_times([a, b].map(|document| times.get(document.index()).copied().flatten()))
    }
}

/// Receives the documents and the pairs of a search, from one thread.
///
/// A closure with the parts of a [`PairBatch`] as arguments is a sink that ignores the beginning.
pub trait PairSink: Send {
    /// Receives all documents, once, before the first pair. A query of an index does not call this method, since its documents
    /// are not known before the last pair.
    ///
    /// # Errors
    /// When the sink fails. The search then ends with this error.
    fn begin(&mut self, _documents: &Documents) -> Result<()> {
        Ok(())
    }

    /// Receives pairs in document order: by `a`, then by `b`.
    ///
    /// # Errors
    /// When the sink fails. The search then ends with this error.
    fn pairs(&mut self, batch: PairBatch<'_>) -> Result<()>;
}

impl<F> PairSink for F
where
    F: FnMut(&Documents, &[DuplicatePair], &[Option<LocatedPassages>]) -> Result<()> + Send,
{
    fn pairs(&mut self, batch: PairBatch<'_>) -> Result<()> {
        self(batch.documents, batch.pairs, batch.passages)
    }
}
