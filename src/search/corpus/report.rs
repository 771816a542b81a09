//! `Report`: passes problems and documents of the first pass to the observer, the summary and the list, in order.

use super::piece_documents::DocumentSizes;
use super::summary::ReadSummary;
use crate::base::error::{Error, Result};
use crate::base::memory::reserve;
use crate::base::observe::Observer;
use crate::base::problem::{Problem, Reason};
use crate::documents::document::DocId;

/// Receives the problems and documents of the first pass.
pub(super) struct Report<'a> {
    strict: bool,
    observer: &'a dyn Observer,
    pub(super) summary: ReadSummary,
    lists: bool,
    /// The list of documents; empty unless documents are listed.
    pub(super) list: Vec<Listed>,
}

/// An entry of the list: a document, or an input that was skipped.
pub(crate) enum Listed {
    Document(DocId, DocumentSizes),
    Skipped(Problem),
    /// The following entries are on the other side of a comparison.
    Against,
}

impl<'a> Report<'a> {
    /// * `lists`: whether documents are listed.
    pub(super) fn new(strict: bool, observer: &'a dyn Observer, lists: bool) -> Self {
        Self { strict, observer, summary: ReadSummary::default(), lists, list: Vec::new() }
    }

    /// Begins the other side of a comparison.
    pub(super) fn begin_against(&mut self) {
        if self.lists {
            self.list.push(Listed::Against);
        }
    }

    /// Lists a document.
    ///
    /// # Errors
    /// When memory is too small for it.
    pub(super) fn list(&mut self, document: DocId, sizes: DocumentSizes) -> Result<()> {
        reserve(&mut self.list, 1, "documents")?;
        self.list.push(Listed::Document(document, sizes));
        Ok(())
    }

    /// Reports a problem.
    ///
    /// # Errors
    /// When the run is strict and the problem is an error.
    pub(super) fn report_problem(&mut self, problem: Problem) -> Result<()> {
        if self.strict && problem.is_error {
            return Err(Error::Strict(problem.ending_the_run()));
        }
        if self.strict && matches!(problem.reason, Reason::Binary | Reason::Missing) {
            self.summary.strict_errors += 1;
        }
        self.summary.problems.count(&problem);
        self.observer.problem(&problem);
        if self.lists && problem.is_skip() {
            self.list.push(Listed::Skipped(problem));
        }
        Ok(())
    }
}
