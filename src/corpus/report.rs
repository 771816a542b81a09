//! The report: what a run tells while its documents are put together, to the observer, in the summary, and in the list.

use super::part::Sizes;
use crate::document::DocId;
use crate::error::{Error, Problem, Result};
use crate::observe::Observer;
use crate::run::Summary;

/// Where problems and documents are told.
pub(super) struct Report<'a> {
    strict: bool,
    observer: &'a dyn Observer,
    pub(super) summary: &'a mut Summary,
    pub(super) list: Option<&'a mut Vec<Listed>>,
}

/// A document, or an input that is none, in document order.
pub(crate) enum Listed {
    Document(DocId, Sizes),
    Skipped(Problem),
    /// What comes from here on is on the other side of a comparison.
    Against,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        strict: bool,
        observer: &'a dyn Observer,
        summary: &'a mut Summary,
        list: Option<&'a mut Vec<Listed>>,
    ) -> Self {
        Self { strict, observer, summary, list }
    }

    /// The other side of a comparison begins.
    pub(super) fn begin_against(&mut self) {
        if let Some(list) = &mut self.list {
            list.push(Listed::Against);
        }
    }

    /// Tells a problem.
    ///
    /// # Errors
    /// When the run is strict and it is an error.
    pub(super) fn tell(&mut self, problem: Problem) -> Result<()> {
        if self.strict && problem.is_error {
            return Err(Error::Strict(problem.ending_the_run()));
        }
        self.summary.count(&problem);
        self.observer.problem(&problem);
        if let Some(list) = self.list.as_mut().filter(|_| problem.is_skip()) {
            list.push(Listed::Skipped(problem));
        }
        Ok(())
    }
}
