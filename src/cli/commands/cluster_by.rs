//! `OverlapRun`: `dedup cluster --by`, which prints the groups of documents that copy each other.

use std::io::Write;
use std::path::Path;

use dedup_scan::documents::{GroupBy, OwnFiles};
use dedup_scan::records::OverlapRecord;
use dedup_scan::results::report::{OverlapFormat, ReportTotals, write_overlaps};
use dedup_scan::results::{PairFilter, SavedDocuments, overlap_result};
use dedup_scan::search::{GroupOverlaps, OverlapSort, OverlapSummary, find_overlaps};
use dedup_scan::{Settings, Summary, Threshold};

use super::printed_search::{PrintedSearch, Printer, print_found};
use super::publication::{OutputFiles, Printed, Publication, Published};
use super::reading::inputs_of;
use super::replaced_file::{FORMAT, ReplacedFile};
use super::report_of::ReportOf;
use super::saved_pairs::{files_of_result, note_of_errors, note_of_threshold, open_for_reports};
use super::views::Views;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{FormatArg, ReportLook, RunFlags};
use crate::cli::messages::{self, Failure, Reporter, Result};

/// A run that compares groups of documents.
pub(super) struct OverlapRun<'a> {
    pub(super) by: &'a GroupBy,
    pub(super) min_share: f64,
    pub(super) sort: OverlapSort,
    pub(super) top: Option<usize>,
    pub(super) min_containment: Option<Threshold>,
    pub(super) files: OutputFiles<'a>,
    pub(super) look: ReportLook,
    pub(super) stats: bool,
    pub(super) exit_code: bool,
}

impl OverlapRun<'_> {
    /// Compares the groups of the inputs.
    pub(super) fn print(self, run: &RunFlags, mut settings: Settings) -> Result<ExitCode> {
        run.check_passages(&settings)?;
        let printer = self.printer(&mut settings.input.own_files)?;
        run.warn_of_banding()?;
        print_found(printer, Vec::new(), |printer| {
            let find = |reporter: &Reporter| find_overlaps(&settings, self.by, self.min_containment, reporter);
            let (found, summary) = Reporter::watch(self.files.quiet, find)?;
            let numbers = summary.overlaps.expect("the run compares groups");
            printer.found = Some((found, numbers));
            Ok(OverlapsOfRun { of: &self, run, settings: &settings, summary, numbers })
        })
    }

    /// Compares the groups of a saved result.
    pub(super) fn print_saved(self, from: &Path, filter: PairFilter) -> Result<ExitCode> {
        let mut own_files = files_of_result(from);
        let mut saved = open_for_reports(from, &[])?;
        let filter = PairFilter { min_containment: self.min_containment, ..filter };
        let is_by_folder = matches!(self.by, GroupBy::Folder { .. });
        let roots = if is_by_folder { inputs_of(saved.header())? } else { Vec::new() };
        let printer = self.printer(&mut own_files)?;
        print_found(printer, Vec::new(), |printer| {
            let compare = |reporter: &Reporter| overlap_result(&mut saved, self.by, &roots, filter, reporter);
            let (found, numbers) = Reporter::watch(self.files.quiet, compare)?;
            note_of_threshold(&saved, filter.threshold, self.files.quiet);
            note_of_errors(&saved, self.files.quiet);
            printer.found = Some((found, numbers));
            Ok(OverlapsOfResult { of: &self, numbers, errors: saved.header().map_or(0, |header| header.errors) })
        })
    }

    /// Opens all outputs.
    fn printer(&self, own_files: &mut OwnFiles) -> Result<OverlapPrinter<'_>> {
        // The formats are tables of this command, and not reports of pairs or groups.
        let files = OutputFiles { formats: &[], ..self.files };
        let publication = Publication::open(&files, own_files, ReportOf::new(self.look.clone()))?;
        let (output, quiet) = (&publication.output, self.files.quiet);
        let mut tables: Vec<(OverlapFormat, Option<ReplacedFile>)> = Vec::new();
        for FormatArg { format, file } in self.files.formats.iter().filter(|format| !format.format.is_lines()) {
            let Some(table) = OverlapFormat::of_name(format.name) else {
                return Err(Failure::of_value(
                    "--format",
                    format.name,
                    format!(
                        "does not show groups that copy each other; remove --by, or choose {}",
                        messages::one_of(&OverlapFormat::NAMES)
                    ),
                ));
            };
            let file = file.as_deref().map(|file| ReplacedFile::open(file, &FORMAT, own_files, quiet)).transpose()?;
            let others = tables.iter().filter_map(|(_, file)| file.as_ref()).chain(output.file());
            for (file, other) in others.flat_map(|other| file.as_ref().map(|file| (file, other))) {
                other.check_other(file)?;
            }
            tables.push((table, file));
        }
        Ok(OverlapPrinter { of: self, publication, tables, found: None })
    }

    /// Reports how many pairs of groups were printed, if a flag hid some.
    fn report_hidden(&self, num_printed: u64, numbers: OverlapSummary) {
        if num_printed < numbers.group_pairs && !self.files.quiet {
            messages::line(&messages::overlaps_printed(num_printed, numbers));
        }
    }
}

/// Prints the groups that copy each other as lines and tables, when all of them are found.
struct OverlapPrinter<'a> {
    of: &'a OverlapRun<'a>,
    publication: Publication<'a>,
    /// The tables, each with its file; `None` for the output of the command.
    tables: Vec<(OverlapFormat, Option<ReplacedFile<'a>>)>,
    /// The groups, and their numbers; `None` until they are found.
    found: Option<(GroupOverlaps, OverlapSummary)>,
}

impl<'a> Printer<'a> for OverlapPrinter<'a> {
    fn finish(self, _: &SavedDocuments, _: ReportTotals, _: &Views<'_>) -> Result<Printed<'a>> {
        let Self { of, mut publication, tables, found } = self;
        let (found, numbers) = found.expect("the search passes on what it found");
        let overlaps = found.sorted(of.sort, of.min_share);
        let top = of.top.unwrap_or(usize::MAX);
        let records: Vec<OverlapRecord> = overlaps.iter().take(top).map(|overlap| found.record(overlap)).collect();
        let output = &mut publication.output;
        let prints_lines = tables.iter().all(|(_, file)| file.is_some());
        if prints_lines {
            output.write_records(|lines| records.iter().try_for_each(|record| lines.push(record)))?;
        }
        let title = messages::overlaps(numbers, &of.by.to_string());
        let num_printed = records.len() as u64;
        let what = messages::group_pairs(num_printed);
        for (format, file) in tables {
            let mut table = Vec::new();
            write_overlaps(format, &title, &records, &mut table).expect("a Vec takes every byte");
            match file {
                Some(mut file) => {
                    file.write_all(&table).map_err(|error| file.failure(error))?;
                    file.finish_with(&what)?;
                }
                None => output.write_all(&table).map_err(|error| output.failure(Failure::output(error)))?,
            }
        }
        let on_terminal = prints_lines && num_printed > 0 && output.is_terminal();
        Ok(Printed { publication, gate: None, num_printed, what, on_terminal })
    }

    fn failure(mut self, failure: Failure) -> Failure {
        self.publication.failure(failure)
    }
}

/// The finished search for the groups of a run that copy each other.
struct OverlapsOfRun<'a> {
    of: &'a OverlapRun<'a>,
    run: &'a RunFlags,
    settings: &'a Settings,
    summary: Summary,
    numbers: OverlapSummary,
}

impl PrintedSearch for OverlapsOfRun<'_> {
    fn report(&self, mut published: Published<'_>) -> Result<ExitCode> {
        let Self { of, run, settings, summary, numbers } = self;
        run.warn(summary);
        published.hint(false);
        if !of.files.quiet {
            messages::line(&messages::summary(summary, settings.resources.threads.get(), of.stats));
        }
        of.report_hidden(published.num_printed(), *numbers);
        published.write_summary(summary)?;
        let is_found = of.exit_code && published.num_printed() > 0;
        Ok(published.end_of_groups(summary.errors, is_found))
    }
}

/// The groups of a saved result that copy each other, after they were found.
struct OverlapsOfResult<'a> {
    of: &'a OverlapRun<'a>,
    numbers: OverlapSummary,
    errors: u64,
}

impl PrintedSearch for OverlapsOfResult<'_> {
    fn report(&self, published: Published<'_>) -> Result<ExitCode> {
        let num_printed = published.num_printed();
        self.of.report_hidden(num_printed, self.numbers);
        Ok(published.end_of_groups(self.errors, self.of.exit_code && num_printed > 0))
    }
}
