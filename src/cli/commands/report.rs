//! `dedup report`: turns a saved result into reports for people, CI and other programs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use dedup_scan::documents::Filter;

use super::publication::OutputFiles;
use super::reading::reading_of;
use super::saved_pairs::SavedPairs;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::filter;
use crate::cli::flags::{FilterFlags, FormatFlags, GateFlags, SavedFlags};
use crate::cli::messages::{Failure, Result};

/// Write a saved result for people, CI, spreadsheets or graphs
///
/// The default format is `text`. Reports that show lines need the passages of pairs, so scan with --show-passages;
/// without them they show the first line of each document. Files have the names that the scan gave them: for CI, scan
/// `.` in the root of the repository.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(Some("more pairs were found than --fail-over allows, or any")))]
pub(crate) struct ReportCommand {
    #[command(flatten)]
    saved: SavedFlags,

    /// Only the pairs of this document, or of the documents in this folder or archive: the report of one person. It
    /// shows the other document of each of these pairs, and no other document. Repeatable
    #[arg(long, value_name = "NAME")]
    only: Vec<OsString>,

    #[command(flatten)]
    filters: FilterFlags,

    #[command(flatten)]
    formats: FormatFlags,

    /// Show the answers and notes in this file, which `dedup review` or a page of --format html has saved, with their
    /// pairs, in text and html
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    answers: Option<PathBuf>,

    /// With --format html: convert files with this extension to text by a command, as the scan did; repeatable. The
    /// commands of the scan are not run unless they are given here
    #[arg(long, value_name = "EXT=CMD", value_parser = filter, help_heading = "Output")]
    filter: Vec<Filter>,

    #[command(flatten)]
    gate: GateFlags,

    /// Write a report that has no =FILE to this file instead of standard output, when it is complete
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Print only errors and warnings on stderr
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl ReportCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if !self.filter.is_empty() && !self.formats.show_texts() {
            return Err(Failure::of_flag(
                "--filter",
                "only applies to HTML reports; add --format html, or remove the flag",
            ));
        }
        let formats = self.formats.formats_or_text()?;
        if let (Some(_), Some(other)) = (&self.answers, formats.iter().find(|arg| !arg.format.shows_answers())) {
            return Err(Failure::of_flag(
                "--answers",
                format!(
                    "--format {} does not show answers; choose text or html, or remove the flag",
                    other.format.name
                ),
            ));
        }
        SavedPairs {
            from: self.saved.path(),
            files: OutputFiles { output: self.output.as_deref(), summary: None, formats, quiet: self.quiet },
            filter: self.saved.filter()?,
            filters: &self.filters,
            only: &self.only,
            look: self.formats.look(),
            answers: self.answers.as_deref(),
            text_filters: &self.filter,
            lines: formats.iter().any(|arg| arg.format.is_lines()),
            gate: &self.gate,
            reading_of,
        }
        .print()
    }
}
