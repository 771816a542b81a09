//! `print_found`: the steps of every command that prints pairs or groups, from the search to the exit code.

use dedup_scan::results::SavedDocuments;
use dedup_scan::results::report::ReportTotals;

use super::publication::{Printed, Published};
use super::views::Views;
use crate::cli::exit_code::ExitCode;
use crate::cli::messages::{Failure, Result};

/// Prints what a search finds as lines and reports.
pub(crate) trait Printer<'a>: Sized {
    /// Prints what was kept until the end of the search, and ends the reports.
    ///
    /// * `documents`: the documents of a saved result; empty for a run.
    /// * `totals`: the numbers of the whole result.
    /// * `views`: provides the texts of reports.
    ///
    /// # Errors
    /// When an output cannot be written.
    fn finish(self, documents: &SavedDocuments, totals: ReportTotals, views: &Views<'_>) -> Result<Printed<'a>>;

    /// Rewords a failure of the output as a failure of the file or report that it concerns.
    fn failure(self, failure: Failure) -> Failure;
}

/// A finished search whose pairs or groups a printer has received.
pub(crate) trait PrintedSearch {
    /// The documents of a saved result; `None` for a run.
    fn documents(&self) -> Option<&SavedDocuments> {
        None
    }

    /// The numbers that reports show.
    fn totals(&self) -> ReportTotals {
        ReportTotals::default()
    }

    /// The source of the texts that reports show; none if no report shows texts.
    fn views(&self) -> Views<'_> {
        Views::None
    }

    /// Completes other results of the search. Everything is printed by then, but no file has its name yet.
    ///
    /// # Errors
    /// When a result cannot be written.
    fn save(&mut self) -> Result<()> {
        Ok(())
    }

    /// Reports the search on stderr, writes its summary, and returns the exit code. All files have their names by then.
    ///
    /// # Errors
    /// When the summary cannot be written.
    fn report(&self, published: Published<'_>) -> Result<ExitCode>;
}

/// Searches, prints what is found, completes and reports all outputs, and returns the exit code.
///
/// * `left_out_by`: the given flags that may hide pairs.
/// * `search`: passes on to the printer what it finds.
///
/// # Errors
/// When the search fails or an output cannot be written.
pub(crate) fn print_found<'a, P: Printer<'a>, S: PrintedSearch>(
    mut printer: P,
    left_out_by: Vec<&'static str>,
    search: impl FnOnce(&mut P) -> Result<S>,
) -> Result<ExitCode> {
    let mut found = match search(&mut printer) {
        Ok(found) => found,
        Err(failure) => return Err(printer.failure(failure)),
    };
    let no_documents = SavedDocuments::default();
    let printed = printer.finish(found.documents().unwrap_or(&no_documents), found.totals(), &found.views())?;
    found.save()?;
    found.report(printed.complete(left_out_by)?)
}
