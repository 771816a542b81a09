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
    /// The last file that could not be read.
    unreadable: Option<Problem>,
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
        Self { strict, observer, summary: ReadSummary::default(), lists, list: Vec::new(), unreadable: None }
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

    /// Reports a problem. A large file is read in pieces; if several cannot be read, the file is reported once.
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
        if problem.is_error && problem.reason == Reason::Unreadable {
            if self.unreadable.as_ref() == Some(&problem) {
                return Ok(());
            }
            self.unreadable = Some(problem.clone());
        }
        self.summary.problems.count(&problem);
        self.observer.problem(&problem);
        if self.lists && problem.is_skip() {
            self.list.push(Listed::Skipped(problem));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::observe::Unwatched;

    #[test]
    fn a_file_whose_pieces_all_fail_is_one_error() {
        let mut report = Report::new(false, &Unwatched, true);
        let problem = |place: &str, reason, fault: &str| Problem::error(place, reason, fault.to_owned());
        for (place, reason, fault) in [
            ("a", Reason::Unreadable, "Input/output error"),
            ("a:7", Reason::Malformed, "not JSON"),
            ("a", Reason::Unreadable, "Input/output error"),
            ("b", Reason::Unreadable, "Input/output error"),
            ("b", Reason::Unreadable, "Permission denied"),
            ("a:7", Reason::Malformed, "not JSON"),
        ] {
            report.report_problem(problem(place, reason, fault)).unwrap();
        }
        let skipped = &report.summary.problems.by_reason;
        assert_eq!((skipped[&Reason::Unreadable], skipped[&Reason::Malformed]), (3, 2));
        assert_eq!((report.summary.problems.errors, report.list.len()), (5, 5));
    }
}
