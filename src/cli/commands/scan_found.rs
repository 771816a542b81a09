//! `ScanFound`: what a scan found, and how the scan saves and reports it.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use dedup_scan::results::report::ReportTotals;
use dedup_scan::results::{ResultWriter, ViewReader};
use dedup_scan::search::{PairBatch, PairSink};
use dedup_scan::{Documents, Settings, Summary, Threshold};
use serde::Serialize;

use super::gate::{GateSummary, Limits};
use super::printed_search::PrintedSearch;
use super::printer::PairPrinter;
use super::publication::{Published, num_compared, totals_of};
use super::views::Views;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::RunFlags;
use crate::cli::interrupt::uninterrupted;
use crate::cli::messages::{self, Result};

/// The finished search of a scan.
pub(super) struct ScanFound<'a> {
    pub(super) run: &'a RunFlags,
    pub(super) settings: &'a Settings,
    pub(super) summary: Summary,
    /// Reads the texts of the run, if a report shows them.
    pub(super) reader: Option<ViewReader>,
    /// The result to save, with its pairs, and its folder.
    pub(super) saved: Option<(ResultWriter, &'a Path)>,
    /// Whether the command compares documents with each other only.
    pub(super) is_scan: bool,
    /// Whether pairs are hidden regardless of their similarity.
    pub(super) leaves_out: bool,
    pub(super) stats: bool,
    pub(super) quiet: bool,
    /// Whether the output is for people even if it does not go to a terminal.
    pub(super) for_people: bool,
}

/// The summary of a run, with the numbers of known and new pairs.
#[derive(Serialize)]
struct GatedSummary<'a> {
    #[serde(flatten)]
    scan: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<GateSummary>,
}

impl ScanFound<'_> {
    /// The minimum similarity of the pairs; `None` if they match by passages.
    fn threshold(&self) -> Option<f64> {
        self.settings.pairs.min_similarity().map(Threshold::value)
    }

    /// The limits of the pairs, for the gate.
    fn limits(&self) -> Limits {
        let Self { settings, summary, leaves_out, .. } = self;
        Limits {
            threshold: self.threshold(),
            coverage: settings.pairs.source.matching().map(|matching| matching.coverage.value()),
            errors: summary.errors,
            compared: Some(num_compared(summary)),
            lines: summary.duplication.as_ref().map(|found| found.lines),
            has_records: summary.has_records,
            leaves_out: *leaves_out,
        }
    }
}

impl PrintedSearch for ScanFound<'_> {
    fn totals(&self) -> ReportTotals {
        totals_of(&self.summary, self.threshold())
    }

    fn views(&self) -> Views<'_> {
        self.reader.as_ref().map_or(Views::None, Views::Run)
    }

    fn save(&mut self) -> Result<()> {
        let Some((saved, folder)) = self.saved.take() else { return Ok(()) };
        uninterrupted(|| saved.finish(self.settings, &self.summary))?;
        if !self.quiet {
            let files = fs::read_dir(folder).into_iter().flatten().flatten();
            let num_bytes = files.filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum();
            messages::wrote(folder, &messages::counted(self.summary.pairs, "pair"), num_bytes);
        }
        Ok(())
    }

    fn report(&self, mut published: Published<'_>) -> Result<ExitCode> {
        let Self { run, settings, summary, .. } = self;
        run.warn(summary);
        published.hint(self.is_scan);
        if !self.quiet {
            messages::line(&messages::summary(summary, settings.resources.threads.get(), self.stats));
            run.to_try(summary, self.for_people).iter().for_each(|try_it| messages::line(try_it));
        }
        published.report_hidden();
        let gate = published.gate_summary();
        published.write_summary(&GatedSummary { scan: summary, gate })?;
        published.end(self.limits())
    }
}

/// Saves pairs, and prints them.
pub(super) struct SavingPrinter<'s, 'w, 'a> {
    pub(super) saved: &'s Mutex<&'w mut ResultWriter>,
    pub(super) printer: &'s mut PairPrinter<'a>,
}

impl PairSink for SavingPrinter<'_, '_, '_> {
    fn begin(&mut self, documents: &Documents) -> dedup_scan::Result<()> {
        self.printer.begin(documents)
    }

    fn pairs(&mut self, batch: PairBatch<'_>) -> dedup_scan::Result<()> {
        self.saved.lock().expect("no holder panics").add_pairs(batch, self.printer.times())?;
        self.printer.pairs(batch)
    }
}
