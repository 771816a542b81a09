//! `OverlapRun`: `dedup cluster --by`, which prints the groups of documents that copy each other.

use std::io::Write;
use std::path::Path;

use dedup_scan::documents::{GroupBy, OwnFiles};
use dedup_scan::records::OverlapRecord;
use dedup_scan::results::report::{OverlapFormat, write_overlaps};
use dedup_scan::results::{PairFilter, overlap_result};
use dedup_scan::search::{GroupOverlaps, OverlapSort, OverlapSummary, find_overlaps};
use dedup_scan::{Settings, Threshold};

use super::destination::LineOutput;
use super::publication::OutputFiles;
use super::reading::inputs_of;
use super::replaced_file::{FORMAT, ReplacedFile};
use super::saved_pairs::{files_of_result, note_of_errors, note_of_threshold, open_for_reports};
use super::summary::{summary_file, write_summary};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{FormatArg, RunFlags};
use crate::cli::messages::{self, Failure, Reporter, Result};

/// A run that compares groups of documents.
pub(super) struct OverlapRun<'a> {
    pub(super) by: &'a GroupBy,
    pub(super) min_share: f64,
    pub(super) sort: OverlapSort,
    pub(super) top: Option<usize>,
    pub(super) min_containment: Option<Threshold>,
    pub(super) files: OutputFiles<'a>,
    pub(super) stats: bool,
    pub(super) exit_code: bool,
}

/// The open outputs of a run.
struct Outputs<'a> {
    output: LineOutput<'a>,
    summary: Option<ReplacedFile<'a>>,
    reports: Vec<(OverlapFormat, Option<ReplacedFile<'a>>)>,
}

impl OverlapRun<'_> {
    /// Compares the groups of the inputs.
    pub(super) fn print(self, run: &RunFlags, mut settings: Settings) -> Result<ExitCode> {
        run.check_passages(&settings)?;
        let mut outputs = self.open(&mut settings.input.own_files)?;
        run.warn_of_banding()?;
        let find = |reporter: &Reporter| find_overlaps(&settings, self.by, self.min_containment, reporter);
        let (found, summary) = Reporter::watch(self.files.quiet, find)?;
        let overlaps = summary.overlaps.expect("the run compares groups");
        let summary_file = outputs.summary.take();
        let on_terminal = outputs.reports.iter().all(|(_, file)| file.is_some()) && outputs.output.is_terminal();
        let num_printed = self.write(outputs, &found, overlaps)?;
        run.warn(&summary);
        if !self.files.quiet {
            if on_terminal && num_printed > 0 {
                messages::line(messages::for_people(false));
            }
            messages::line(&messages::summary(&summary, settings.resources.threads.get(), self.stats));
            self.report_hidden(num_printed, overlaps);
        }
        summary_file.map_or(Ok(()), |file| write_summary(file, &summary))?;
        Ok(ExitCode::of(summary.errors, self.exit_code && num_printed > 0))
    }

    /// Compares the groups of a saved result.
    pub(super) fn print_saved(self, from: &Path, filter: PairFilter) -> Result<ExitCode> {
        let mut own_files = files_of_result(from);
        let mut saved = open_for_reports(from, &[])?;
        let filter = PairFilter { min_containment: self.min_containment, ..filter };
        let is_by_folder = matches!(self.by, GroupBy::Folder { .. });
        let roots = if is_by_folder { inputs_of(saved.header())? } else { Vec::new() };
        let outputs = self.open(&mut own_files)?;
        let compare = |reporter: &Reporter| overlap_result(&mut saved, self.by, &roots, filter, reporter);
        let (found, overlaps) = Reporter::watch(self.files.quiet, compare)?;
        note_of_threshold(&saved, filter.threshold, self.files.quiet);
        note_of_errors(&saved, self.files.quiet);
        let num_printed = self.write(outputs, &found, overlaps)?;
        if !self.files.quiet {
            self.report_hidden(num_printed, overlaps);
        }
        Ok(ExitCode::of(saved.header().map_or(0, |header| header.errors), self.exit_code && num_printed > 0))
    }

    fn open(&self, own_files: &mut OwnFiles) -> Result<Outputs<'_>> {
        let OutputFiles { output, summary, formats, quiet } = self.files;
        let output = LineOutput::open(output, own_files, quiet)?;
        let summary = summary.map(|path| summary_file(path, Some(&output), own_files, quiet)).transpose()?;
        let mut reports: Vec<(OverlapFormat, Option<ReplacedFile>)> = Vec::new();
        for FormatArg { format, file } in formats.iter().filter(|format| !format.format.is_lines()) {
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
            let others = reports.iter().filter_map(|(_, file)| file.as_ref()).chain(output.file());
            for (file, other) in others.flat_map(|other| file.as_ref().map(|file| (file, other))) {
                other.check_other(file)?;
            }
            reports.push((table, file));
        }
        Ok(Outputs { output, summary, reports })
    }

    /// Writes the groups to all outputs, and returns the number of pairs of groups that were written.
    fn write(&self, outputs: Outputs, found: &GroupOverlaps, summary: OverlapSummary) -> Result<u64> {
        let Outputs { mut output, reports, .. } = outputs;
        let overlaps = found.sorted(self.sort, self.min_share);
        let top = self.top.unwrap_or(usize::MAX);
        let records: Vec<OverlapRecord> = overlaps.iter().take(top).map(|overlap| found.record(overlap)).collect();
        let title = messages::overlaps(summary, &self.by.to_string());
        if reports.iter().all(|(_, file)| file.is_some()) {
            output.write_records(|lines| records.iter().try_for_each(|record| lines.push(record)))?;
        }
        let what = messages::group_pairs(records.len() as u64);
        for (format, file) in reports {
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
        output.finish_with(&what)?;
        Ok(records.len() as u64)
    }

    /// Reports how many pairs of groups were printed, if a flag hid some.
    fn report_hidden(&self, num_printed: u64, summary: OverlapSummary) {
        if num_printed < summary.group_pairs {
            messages::line(&messages::overlaps_printed(num_printed, summary));
        }
    }
}
