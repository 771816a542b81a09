//! `Publication`: the outputs of a command that prints pairs or groups, from opening them to the exit code.
//!
//! A command opens its outputs before the run, so that a file that cannot be written fails at once. After the run, the
//! files of a complete result get their names, then come the messages, and at the end the summary and the exit code.

use std::path::Path;

use dedup_scan::Summary;
use dedup_scan::documents::OwnFiles;
use dedup_scan::results::report::{ReportMethod, ReportTotals};
use serde::Serialize;

use super::destination::LineOutput;
use super::gate::{Gate, GateSummary, Limits};
use super::replaced_file::ReplacedFile;
use super::report_of::ReportOf;
use super::reports::Reports;
use super::summary::{summary_file, write_summary};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::FormatArg;
use crate::cli::messages::{self, Failure, Result};

/// The files and formats that a command writes.
pub(crate) struct OutputFiles<'a> {
    /// The file of `--output`.
    pub(crate) output: Option<&'a Path>,
    /// The file of `--summary`.
    pub(crate) summary: Option<&'a Path>,
    pub(crate) formats: &'a [FormatArg],
    pub(crate) quiet: bool,
}

/// The open outputs of a command.
pub(crate) struct Publication<'a> {
    pub(super) output: LineOutput<'a>,
    pub(super) reports: Reports<'a>,
    pub(super) files: CompleteFiles<'a>,
}

/// The part of a publication that is left when lines and reports are written.
pub(crate) struct CompleteFiles<'a> {
    summary: Option<ReplacedFile<'a>>,
    quiet: bool,
    /// The number of documents whose texts are missing in a report.
    num_lost: u64,
}

/// A publication of pairs or groups whose lines and reports are written.
pub(crate) struct Published<'a> {
    files: CompleteFiles<'a>,
    gate: Option<Gate<'a>>,
    left_out_by: Vec<&'static str>,
    num_printed: u64,
    /// Whether lines of JSON were printed on a terminal.
    on_terminal: bool,
}

/// The pairs or groups are printed, and the outputs are still open.
pub(crate) struct Printed<'a> {
    pub(super) publication: Publication<'a>,
    /// Decides which pairs are new; `None` for groups.
    pub(super) gate: Option<Gate<'a>>,
    pub(super) num_printed: u64,
    /// The content of the lines, such as `23 pairs`; empty if the number of bytes is enough.
    pub(super) what: String,
    /// Whether lines of JSON were printed on a terminal.
    pub(super) on_terminal: bool,
}

impl<'a> Publication<'a> {
    /// Opens all outputs.
    ///
    /// # Errors
    /// When an output cannot be written, or two of them are the same file.
    pub(crate) fn open(files: &OutputFiles<'a>, own_files: &mut OwnFiles, of: ReportOf) -> Result<Self> {
        let OutputFiles { output, summary, formats, quiet } = *files;
        let output = LineOutput::open(output, own_files, quiet)?;
        let summary = summary.map(|path| summary_file(path, Some(&output), own_files, quiet)).transpose()?;
        let reports = Reports::open(formats, &output, own_files, of, quiet)?;
        Ok(Self { output, reports, files: CompleteFiles { summary, quiet, num_lost: 0 } })
    }

    /// Rewords a failure of the output as a failure of the file or report that it concerns.
    pub(crate) fn failure(&mut self, failure: Failure) -> Failure {
        self.reports.failure().unwrap_or_else(|| self.output.failure(failure))
    }

    /// Gives the files of lines and reports their names.
    ///
    /// * `what`: the content of the lines, such as `23 pairs`; empty if the number of bytes is enough.
    ///
    /// # Errors
    /// When a file cannot be renamed.
    pub(crate) fn complete(self, what: &str) -> Result<CompleteFiles<'a>> {
        let Self { output, reports, files } = self;
        let num_lost = reports.num_lost();
        output.finish_with(what)?;
        reports.finish(files.quiet)?;
        Ok(CompleteFiles { num_lost, ..files })
    }
}

impl CompleteFiles<'_> {
    /// Writes the file of `--summary`, if the flag is given.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write_summary(&mut self, summary: &impl Serialize) -> Result<()> {
        self.summary.take().map_or(Ok(()), |file| write_summary(file, summary))
    }
}

impl<'a> Printed<'a> {
    /// Gives the files of lines and reports their names.
    ///
    /// * `left_out_by`: the given flags that may hide pairs.
    ///
    /// # Errors
    /// When a file cannot be renamed.
    pub(crate) fn complete(self, left_out_by: Vec<&'static str>) -> Result<Published<'a>> {
        Ok(Published {
            files: self.publication.complete(&self.what)?,
            gate: self.gate,
            left_out_by,
            num_printed: self.num_printed,
            on_terminal: self.on_terminal,
        })
    }
}

impl Published<'_> {
    /// On a terminal, mentions the view for people if lines of JSON were printed.
    ///
    /// * `is_scan`: whether the command is the one that people run without a name.
    pub(crate) fn hint(&self, is_scan: bool) {
        if self.on_terminal && !self.files.quiet {
            messages::line(messages::for_people(is_scan));
        }
    }

    /// Reports how many pairs were printed if a flag may have hidden some.
    pub(crate) fn report_hidden(&self) {
        if !self.left_out_by.is_empty() && !self.files.quiet {
            messages::line(&messages::printed(self.num_printed, &self.left_out_by));
        }
    }

    /// The number of pairs or groups that were printed.
    pub(crate) fn num_printed(&self) -> u64 {
        self.num_printed
    }

    /// The numbers of known and new pairs.
    pub(crate) fn gate_summary(&self) -> Option<GateSummary> {
        self.gate.as_ref()?.summary()
    }

    /// Writes the file of `--summary`, if the flag is given.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write_summary(&mut self, summary: &impl Serialize) -> Result<()> {
        self.files.write_summary(summary)
    }

    /// Reports known pairs and the limit of the gate, and returns the exit code.
    ///
    /// # Errors
    /// When the baseline cannot be written, or a share of documents is the limit and their number is not known.
    pub(crate) fn end(self, limits: Limits) -> Result<ExitCode> {
        let quiet = self.files.quiet;
        let is_too_much = self.gate.map_or(Ok(false), |gate| gate.finish(limits, quiet))?;
        Ok(ExitCode::of(limits.errors + self.files.num_lost, is_too_much))
    }

    /// Returns the exit code of groups.
    ///
    /// * `errors`: the number of inputs that could not be used because of an error.
    /// * `is_found`: whether groups were found that the exit code reports.
    pub(crate) fn end_of_groups(self, errors: u64, is_found: bool) -> ExitCode {
        ExitCode::of(errors + self.files.num_lost, is_found)
    }
}

/// The numbers of a run for its reports.
///
/// * `threshold`: the minimum similarity of the pairs; `None` if they are found otherwise.
pub(crate) fn totals_of(summary: &Summary, threshold: Option<f64>) -> ReportTotals {
    ReportTotals {
        compared: Some(num_compared(summary)),
        threshold,
        errors: summary.errors,
        method: ReportMethod::of(&summary.settings),
        ..ReportTotals::default()
    }
}

/// The number of compared documents; with two sides, only the first side counts, but old documents count.
pub(crate) fn num_compared(summary: &Summary) -> u64 {
    let (documents, empty) = summary
        .sides
        .as_ref()
        .filter(|sides| !sides.old)
        .map_or((summary.documents, summary.empty), |sides| (sides.a.documents, sides.a.empty));
    documents - empty
}
