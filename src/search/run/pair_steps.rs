//! `PairSteps`: the steps that verified pairs pass on their way to the sink of the caller.
//!
//! To add something to pairs, or to compute something from all of them, implement [`PairStep`], and add the step to the list
//! in `Pass::steps`.

use std::time::Instant;

use super::common_frame::PairSample;
use super::duplicated_lines::{DuplicatedLines, count_lines};
use super::summary::Summary;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::compare::verify::{DuplicatePair, Threshold};
use crate::documents::document::Documents;
use crate::documents::input::Cancel;
use crate::search::corpus::ReadCorpus;
use crate::search::estimate::audit::{Audit, TextSampler};
use crate::search::pairs::{IdentifierSearch, PairBatch, PairSettings, PairSink, PassageSearch};

/// Receives the batches of a step.
pub(super) type Next<'n> = &'n mut (dyn FnMut(PairBatch<'_>) -> Result<()> + 'n);

/// A step between the verification of pairs and the sink. It runs in the thread pool of the run.
pub(super) trait PairStep: Send {
    /// Passes the pairs of a batch on in the same order, in one part or several.
    ///
    /// # Errors
    /// When `next` fails.
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()>;

    /// Completes the step after the last pair: computes what needs all pairs, adds it to the summary, and reports the
    /// problems of the step.
    ///
    /// # Errors
    /// When the run was cancelled, or needs more memory than there is.
    fn finish(self: Box<Self>, summary: &mut Summary, observer: &dyn Observer) -> Result<()>;
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

    /// Completes all steps, in their order.
    ///
    /// # Errors
    /// The error of the first step that fails.
    pub(super) fn finish(self, summary: &mut Summary, observer: &dyn Observer) -> Result<()> {
        self.steps.into_iter().try_for_each(|step| step.finish(summary, observer))
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

    fn finish(self: Box<Self>, summary: &mut Summary, observer: &dyn Observer) -> Result<()> {
        let (seeds_capped, problems) = PassageSearch::finish(*self);
        // The search for matching passages has counted the positions that it skipped.
        summary.seeds_capped.get_or_insert(seeds_capped);
        summary.report(problems, observer);
        Ok(())
    }
}

/// Adds the similarity of programs with their identifiers kept.
impl PairStep for IdentifierSearch<'_> {
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()> {
        next(PairBatch { pairs: &self.compared(batch.pairs), ..batch })
    }

    fn finish(self: Box<Self>, summary: &mut Summary, observer: &dyn Observer) -> Result<()> {
        summary.report(self.into_problems(), observer);
        Ok(())
    }
}

/// Computes the share of lines that lie in copied blocks.
pub(super) struct LineStep<'d> {
    pub(super) corpus: ReadCorpus<'d>,
    pub(super) duplicated: DuplicatedLines,
}

impl PairStep for LineStep<'_> {
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()> {
        self.duplicated.add_pairs(&batch);
        next(batch)
    }

    fn finish(self: Box<Self>, summary: &mut Summary, observer: &dyn Observer) -> Result<()> {
        let Self { corpus, duplicated } = *self;
        let (lines, problems) = count_lines(corpus)?;
        summary.report(problems, observer);
        summary.duplication = Some(duplicated.duplication(corpus.documents, &lines));
        Ok(())
    }
}

/// Measures the recall of the run by texts that are drawn while the pairs pass.
pub(super) struct AuditStep<'d> {
    pub(super) corpus: ReadCorpus<'d>,
    pub(super) pairs: PairSettings,
    pub(super) drawing: TextSampler<'d>,
}

impl PairStep for AuditStep<'_> {
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()> {
        self.drawing.add(batch.pairs);
        next(batch)
    }

    fn finish(self: Box<Self>, summary: &mut Summary, observer: &dyn Observer) -> Result<()> {
        let Self { corpus, pairs, drawing } = *self;
        let start = Instant::now();
        let (measured, problems, reported) = Audit { corpus, pairs }.run(drawing)?;
        summary.add(reported);
        summary.report(problems, observer);
        summary.audit = Some(measured);
        summary.seconds.audit = start.elapsed().as_secs_f64();
        corpus.sources.check()
    }
}

/// Compares the main texts of a sample of the pairs, if they may be web pages.
pub(super) struct FrameStep<'d> {
    pub(super) corpus: ReadCorpus<'d>,
    pub(super) threshold: Threshold,
    pub(super) sample: PairSample,
}

impl PairStep for FrameStep<'_> {
    fn pass_on(&mut self, batch: PairBatch<'_>, next: Next<'_>) -> Result<()> {
        self.sample.add_pairs(batch.pairs);
        next(batch)
    }

    fn finish(self: Box<Self>, summary: &mut Summary, _: &dyn Observer) -> Result<()> {
        summary.common_frame = Some(self.sample.measure(self.corpus, self.threshold));
        Ok(())
    }
}
