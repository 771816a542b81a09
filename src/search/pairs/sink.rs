//! `PairSink`: receives the pairs of a search.

use crate::base::error::Result;
use crate::compare::passages::LocatedPassages;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;

/// Receives pairs in document order, in batches.
pub type Sink<'a> = &'a mut (dyn FnMut(&Documents, &[DuplicatePair]) -> Result<()> + Send);

/// Receives the documents and the pairs of a search, from one thread.
///
/// A closure with the arguments of [`pairs`](Self::pairs) is a sink that ignores the beginning.
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
    /// * `passages`: the passages of each pair; empty if the search finds no passages, and `None` for a document that could
    ///   not be read again.
    ///
    /// # Errors
    /// When the sink fails. The search then ends with this error.
    fn pairs(
        &mut self,
        documents: &Documents,
        pairs: &[DuplicatePair],
        passages: &[Option<LocatedPassages>],
    ) -> Result<()>;
}

impl<F> PairSink for F
where
    F: FnMut(&Documents, &[DuplicatePair], &[Option<LocatedPassages>]) -> Result<()> + Send,
{
    fn pairs(
        &mut self,
        documents: &Documents,
        pairs: &[DuplicatePair],
        passages: &[Option<LocatedPassages>],
    ) -> Result<()> {
        self(documents, pairs, passages)
    }
}
