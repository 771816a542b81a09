//! `print_pairs`: the steps of every command that prints pairs, from the search to the exit code.

use dedup_scan::results::SavedDocuments;
use dedup_scan::results::report::ReportTotals;

use super::gate::Limits;
use super::printer::PairPrinter;
use super::publication::PublishedPairs;
use super::views::Views;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{FilterFlags, GateFlags};
use crate::cli::messages::Result;

/// A finished search whose pairs a printer has received.
pub(crate) trait PrintedSearch {
    /// The documents of a saved result; `None` for a run.
    fn documents(&self) -> Option<&SavedDocuments> {
        None
    }

    /// The numbers that reports show.
    fn totals(&self) -> ReportTotals;

    /// The source of the texts that reports show.
    fn views(&self) -> Views<'_>;

    /// Completes other results of the search. All pairs are printed by then, but no file has its name yet.
    ///
    /// # Errors
    /// When a result cannot be written.
    fn save(&mut self) -> Result<()> {
        Ok(())
    }

    /// Reports the search on stderr, and writes its summary. All files have their names by then.
    ///
    /// # Errors
    /// When the summary cannot be written.
    fn report(&self, published: &mut PublishedPairs) -> Result<()>;

    /// The limits of the pairs, for the gate.
    fn limits(&self) -> Limits;
}

/// Searches for pairs, prints them, completes and reports all outputs, and returns the exit code.
///
/// * `filters`, `gate`: the flags that may hide pairs.
/// * `search`: passes pairs on to the printer.
///
/// # Errors
/// When the search fails or an output cannot be written.
pub(crate) fn print_pairs<'a, S: PrintedSearch>(
    mut printer: PairPrinter<'a>,
    filters: &FilterFlags,
    gate: &GateFlags,
    search: impl FnOnce(&mut PairPrinter<'a>) -> Result<S>,
) -> Result<ExitCode> {
    let mut found = match search(&mut printer) {
        Ok(found) => found,
        Err(failure) => return Err(printer.failure(failure)),
    };
    let no_documents = SavedDocuments::default();
    let printed = printer.finish(found.documents().unwrap_or(&no_documents), found.totals(), &found.views())?;
    found.save()?;
    let mut published = printed.complete(filters, gate)?;
    found.report(&mut published)?;
    published.end(found.limits())
}
