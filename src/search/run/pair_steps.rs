//! `PairSteps`: the steps that verified pairs pass on their way to the sink of the caller.
//!
//! To add something to pairs, or to look at all of them, implement [`PairStep`] and add the step to the list in `Pass::verify`.

use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;
use crate::documents::input::Cancel;
use crate::search::estimate::audit::TextSampler;
use crate::search::pairs::{IdentifierSearch, PairBatch, PairSink, PassageSearch, SearchSummary};

/// Receives the batches of a step.
pub(super) type Next<'n> = &'n mut (dyn FnMut(PairBatch<'_>) -> Result<()> + 'n);

/// A step between the verification of pairs and the sink. It runs in the thread pool of the run.
pub(super) trait PairStep: Send {
    /// Passes the pairs of a batch on in the same order, in one part or several.
    ///
    /// # Errors
    /// When `next` fails.
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()>;

    /// Adds the numbers of this step to the summary after the last pair, and reports its problems.
    fn finish(self: Box<Self>, summary: &mut SearchSummary, observer: &dyn Observer);
}

/// All steps, in the order in which pairs pass them, followed by the sink.
pub(super) struct PairSteps<'a, 's> {
    pub(super) steps: Vec<Box<dyn PairStep + 'a>>,
    pub(super) cancel: &'a Cancel,
    /// The pairs of documents with themselves that did not pass yet, in document order.
    pub(super) own: std::vec::IntoIter<DuplicatePair>,
    pub(super) sink: &'s mut dyn PairSink,
}

impl PairSteps<'_, '_> {
    /// Gives the documents to the sink, before the first pair.
    ///
    /// # Errors
    /// When the sink fails, or the run was cancelled.
    pub(super) fn begin(&mut self, documents: &Documents) -> Result<()> {
        if self.cancel.is_cancelled() { Err(Error::Cancelled) } else { self.sink.begin(documents) }
    }

    /// Passes pairs, and the pairs of documents with themselves that belong between them, through all steps to the sink.
    ///
    /// # Errors
    /// When the sink fails, or the run was cancelled.
    pub(super) fn pass_on(&mut self, documents: &Documents, pairs: &[DuplicatePair]) -> Result<()> {
        let Some(last) = pairs.last() else { return self.pass_merged(documents, pairs) };
        let num_own = self.own.as_slice().partition_point(|own| own.a <= last.a);
        if num_own == 0 {
            return self.pass_merged(documents, pairs);
        }
        let mut merged: Vec<DuplicatePair> = self.own.by_ref().take(num_own).chain(pairs.iter().copied()).collect();
        merged.sort_by_key(|pair| (pair.a, pair.b));
        self.pass_merged(documents, &merged)
    }

    /// Passes on the pairs of documents with themselves after all other pairs.
    ///
    /// # Errors
    /// When the sink fails, or the run was cancelled.
    pub(super) fn pass_rest(&mut self, documents: &Documents) -> Result<()> {
        let rest: Vec<DuplicatePair> = self.own.by_ref().collect();
        if rest.is_empty() { Ok(()) } else { self.pass_merged(documents, &rest) }
    }

    fn pass_merged(&mut self, documents: &Documents, pairs: &[DuplicatePair]) -> Result<()> {
        let Self { steps, cancel, sink, .. } = self;
        pass_through(steps, PairBatch { documents, pairs, passages: &[] }, &mut |batch| deliver(cancel, *sink, batch))
    }

    /// Ends all steps.
    pub(super) fn finish(self, summary: &mut SearchSummary, observer: &dyn Observer) {
        self.steps.into_iter().for_each(|step| step.finish(summary, observer));
    }
}

/// Gives a batch to the sink, unless the run was cancelled.
fn deliver(cancel: &Cancel, sink: &mut dyn PairSink, batch: PairBatch<'_>) -> Result<()> {
    match cancel.is_cancelled() {
        true => Err(Error::Cancelled),
        false => sink.pairs(batch),
    }
}

fn pass_through(steps: &mut [Box<dyn PairStep + '_>], batch: PairBatch<'_>, last: Next<'_>) -> Result<()> {
    match steps.split_first_mut() {
        None => last(batch),
        Some((step, rest)) => step.pass_on(batch, &mut |batch| pass_through(rest, batch, last)),
    }
}

/// Adds the passages of each pair.
impl PairStep for PassageSearch<'_> {
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()> {
        let documents = batch.documents;
        PassageSearch::pass_on(self, batch.pairs, |pairs, passages| next(PairBatch { documents, pairs, passages }))
    }

    fn finish(self: Box<Self>, summary: &mut SearchSummary, observer: &dyn Observer) {
        PassageSearch::finish(*self, summary, observer);
    }
}

/// Keeps the pairs of the texts that are drawn for an audit.
pub(super) struct AuditStep<'s, 'd>(pub(super) &'s mut TextSampler<'d>);

impl PairStep for AuditStep<'_, '_> {
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()> {
        self.0.add(batch.pairs);
        next(batch)
    }

    fn finish(self: Box<Self>, _: &mut SearchSummary, _: &dyn Observer) {}
}

/// Adds the similarity of programs with their identifiers kept.
impl PairStep for IdentifierSearch<'_> {
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()> {
        next(PairBatch { pairs: &self.compared(batch.pairs), ..batch })
    }

    fn finish(self: Box<Self>, summary: &mut SearchSummary, observer: &dyn Observer) {
        IdentifierSearch::finish(*self, summary, observer);
    }
}
