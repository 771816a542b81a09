//! `Reports`: writes pairs or groups in all formats of `--format`, to files or to the output of the command.

use std::io::{self, IsTerminal, Write};
use std::time::SystemTime;

use anstream::AutoStream;
use dedup_scan::Error;
use dedup_scan::base::Problem;
use dedup_scan::documents::OwnFiles;
use dedup_scan::records::{ClusterRecord, PairRecord};
use dedup_scan::results::report::{
    self, FORMATS, Involved, ReportFormat, ReportPair, ReportSettings, ReportTotals, ReportWriter,
};

use super::destination::LineOutput;
use super::replaced_file::{FORMAT, ReplacedFile};
use super::report_of::ReportOf;
use super::views::Views;
use crate::cli::flags::{FormatArg, columns, rows};
use crate::cli::messages::{self, Failure, Result};

/// Number of bytes after which a report is written.
const CHUNK: usize = 1 << 16;

/// Maximum number of documents without a text that are listed.
const NAMED: usize = 20;

/// Number of columns if neither a terminal nor `COLUMNS` sets a limit.
const WIDE: usize = 200;

/// The reports of a run.
pub(crate) struct Reports<'a> {
    reports: Vec<OpenReport<'a>>,
    /// Documents of all pairs, including pairs that `--top` hides.
    involved: Involved,
    num_pairs: u64,
    of_groups: bool,
    num_groups: u64,
    num_members: u64,
    /// Number of pairs or groups in the reports.
    num_shown: u64,
    /// Maximum number of pairs in a report that shows texts.
    max_pairs: usize,
    /// Whether a pair without passages is in a report that shows its lines.
    lacks_passages: bool,
    has_sides: bool,
    /// Documents whose texts could not be read as they were compared.
    lost: Vec<Problem>,
    /// The failure of a report.
    failure: Option<Failure>,
}

struct OpenReport<'a> {
    format: &'static ReportFormat,
    report: Box<dyn ReportWriter>,
    /// Bytes that are not written yet.
    waiting: Vec<u8>,
    /// `None` for the output of the command.
    file: Option<ReplacedFile<'a>>,
}

impl<'a> Reports<'a> {
    /// Opens the files of reports.
    ///
    /// * `output`: the output of the command.
    ///
    /// # Errors
    /// When a file cannot be written, or belongs to another flag.
    pub(crate) fn open(
        formats: &'a [FormatArg],
        output: &LineOutput<'a>,
        own_files: &mut OwnFiles,
        of: ReportOf,
        quiet: bool,
    ) -> Result<Self> {
        let mut reports: Vec<OpenReport> = Vec::new();
        // Each written file is reported on a line.
        let lines_below = of.lines_below + formats.iter().filter(|format| format.file.is_some()).count();
        let of = ReportOf { lines_below, has_summary: of.has_summary && !quiet, ..of };
        // Plain lines are not a report.
        for FormatArg { format, file } in formats.iter().filter(|format| !format.format.is_lines()) {
            if of.settings.of_groups && !format.shows_groups {
                return Err(Failure::of_value(
                    "--format",
                    format.name,
                    format!("shows pairs, not groups; use it with dedup scan, or choose {}", formats_of_groups()),
                ));
            }
            let file = file.as_deref().map(|file| ReplacedFile::open(file, &FORMAT, own_files, quiet)).transpose()?;
            let others = reports.iter().filter_map(|report| report.file.as_ref()).chain(output.file());
            for (file, other) in others.flat_map(|other| file.as_ref().map(|file| (file, other))) {
                other.check_other(file)?;
            }
            let is_on_stdout = file.is_none() && output.file().is_none();
            check_terminal(format, is_on_stdout && io::stdout().is_terminal())?;
            let report = (format.report)(&settings_of(&of, is_on_stdout));
            reports.push(OpenReport { format, report, waiting: Vec::new(), file });
        }
        let mut reports = Self {
            reports,
            involved: Involved::default(),
            num_pairs: 0,
            of_groups: of.settings.of_groups,
            num_groups: 0,
            num_members: 0,
            num_shown: 0,
            max_pairs: of.settings.max_pairs,
            lacks_passages: false,
            has_sides: of.settings.has_sides,
            lost: Vec::new(),
            failure: None,
        };
        for report in &mut reports.reports {
            report.report.begin(&mut report.waiting).map_err(Failure::output)?;
        }
        Ok(reports)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.reports.is_empty()
    }

    /// Whether a report replaces the lines of the command: a report without a file, or any report if the lines go to a
    /// terminal.
    pub(crate) fn take_output(&self, output: &LineOutput) -> bool {
        self.reports.iter().any(|report| report.file.is_none() || output.is_terminal())
    }

    /// Counts a pair, whether or not the reports include it.
    pub(crate) fn count(&mut self, a: &[u8], b: &[u8]) {
        self.involved.add(a, b, self.has_sides);
        self.num_pairs += 1;
    }

    /// Counts a group, whether or not the reports include it.
    pub(crate) fn count_group(&mut self, num_members: u64) {
        self.num_groups += 1;
        self.num_members += num_members;
    }

    /// Adds a pair to all reports; [`count`](Self::count) counts it separately.
    ///
    /// * `is_about_b`: whether the pair is reported on its second document.
    pub(crate) fn pair(
        &mut self,
        record: &PairRecord,
        is_about_b: bool,
        output: &mut LineOutput<'a>,
    ) -> io::Result<()> {
        let pair = ReportPair::new(record, is_about_b);
        self.num_shown += 1;
        self.lacks_passages |= record.passages.is_none();
        for report in &mut self.reports {
            let (writer, mut chunks) = report.parts(output);
            let written = writer.pair(&pair, &mut chunks);
            Self::keep(&mut self.failure, report, written)?;
        }
        Ok(())
    }

    /// Adds a group to all reports; [`count_group`](Self::count_group) counts it separately.
    pub(crate) fn group(&mut self, group: &ClusterRecord, output: &mut LineOutput<'a>) -> io::Result<()> {
        self.num_shown += 1;
        for report in &mut self.reports {
            let (writer, mut chunks) = report.parts(output);
            let written = writer.group(group, &mut chunks);
            Self::keep(&mut self.failure, report, written)?;
        }
        Ok(())
    }

    /// Ends all reports.
    ///
    /// * `totals`: the totals, without the numbers that the reports count themselves.
    /// * `views`: provides the texts for reports that show texts.
    pub(crate) fn end(
        &mut self,
        totals: ReportTotals,
        views: &Views<'_>,
        output: &mut LineOutput<'a>,
    ) -> io::Result<()> {
        for report in self.reports.iter_mut().filter(|report| report.format.shows_texts) {
            let wanted = report.report.wanted_views();
            let read = views.read(wanted, &mut |pair, view| report.report.take_view(pair, view));
            self.lost = read.map_err(|error| {
                self.failure = Some(error.into());
                io::Error::from(io::ErrorKind::Other)
            })?;
        }
        let (all, documents, groups) = match self.of_groups {
            true => (self.num_groups, self.num_members, self.num_groups),
            false => (self.num_pairs, self.involved.num_documents(), self.involved.num_groups()),
        };
        let (of_groups, shown) = (self.of_groups, Some(self.num_shown).filter(|&shown| shown < all));
        let totals = ReportTotals { pairs: self.num_pairs, documents, groups, shown, of_groups, ..totals };
        for report in &mut self.reports {
            let (writer, mut chunks) = report.parts(output);
            let written = writer.end(&totals, &mut chunks).and_then(|()| chunks.flush());
            Self::keep(&mut self.failure, report, written)?;
        }
        Ok(())
    }

    /// Whether any report shows texts.
    pub(crate) fn show_texts(&self) -> bool {
        self.reports.iter().any(|report| report.format.shows_texts)
    }

    /// The number of documents whose texts could not be read as they were compared.
    pub(crate) fn num_lost(&self) -> u64 {
        self.lost.len() as u64
    }

    /// Lists the documents whose texts are missing, and gives the files their final names.
    pub(crate) fn finish(self, quiet: bool) -> Result<()> {
        for problem in self.lost.iter().take(NAMED) {
            messages::line(&format!("dedup: {problem}"));
        }
        if let Some(more) = self.lost.len().checked_sub(NAMED).filter(|&more| more > 0) {
            messages::line(&format!(
                "dedup: {} more could not be read as they were compared",
                messages::counted(more as u64, "document")
            ));
        }
        let of_lines = self.reports.iter().find(|report| report.format.shows_lines).map(|report| report.format.name);
        if let Some(name) = of_lines.filter(|_| self.lacks_passages && !quiet) {
            messages::line(&format!(
                "dedup: note: --format {name}: the pairs have no passages, so documents are shown by their first lines; scan with \
                 --show-passages"
            ));
        }
        let (num_shown, most, of_groups) = (self.num_shown, self.max_pairs as u64, self.of_groups);
        self.reports.into_iter().try_for_each(|OpenReport { format, file, .. }| {
            let Some(file) = file else { return Ok(()) };
            let what = match format.shows_texts && !of_groups && num_shown > most {
                true => format!(
                    "the first {} of {}; --max-pairs {num_shown} writes all",
                    messages::counted(most, "pair"),
                    messages::counted(num_shown, "pair")
                ),
                false => messages::counted(num_shown, if of_groups { "group" } else { "pair" }),
            };
            file.finish_with(&what)
        })
    }

    /// The failure of a report, if one ended the run.
    pub(crate) fn failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    /// Keeps the failure of a report with its own or a temporary file, which the caller cannot describe.
    fn keep(kept: &mut Option<Failure>, report: &OpenReport, written: io::Result<()>) -> io::Result<()> {
        written.map_err(|error| {
            let kind = error.kind();
            *kept = match (error.downcast::<Error>(), &report.file) {
                (Ok(error), _) => Some(error.into()),
                (Err(error), Some(file)) => Some(file.failure(error)),
                (Err(error), None) => return error,
            };
            kind.into()
        })
    }
}

impl<'a> OpenReport<'a> {
    /// The writer of the report and its destination.
    fn parts<'r>(&'r mut self, output: &'r mut LineOutput<'a>) -> (&'r mut dyn ReportWriter, LineChunks<'r>) {
        let to: &mut dyn Write = match &mut self.file {
            Some(file) => file,
            None => output,
        };
        (&mut *self.report, LineChunks { waiting: &mut self.waiting, to })
    }
}

/// The settings of a report, with the properties of the terminal that it is written to.
fn settings_of(of: &ReportOf, is_on_stdout: bool) -> ReportSettings {
    let stdout = io::stdout();
    let is_terminal = is_on_stdout && stdout.is_terminal();
    let has_width = is_terminal || std::env::var_os("COLUMNS").is_some();
    let terminal = is_terminal.then(|| terminal_size::terminal_size_of(&stdout)).flatten();
    ReportSettings {
        columns: if has_width { columns(terminal) } else { WIDE },
        rows: match of.top {
            None if is_terminal => rows(terminal).saturating_sub(of.lines_below),
            _ => usize::MAX,
        },
        has_numbers: !is_terminal || !of.has_summary,
        on_terminal: is_terminal,
        next_step: is_terminal.then_some("dedup explain A B shows two of them side by side"),
        is_coloured: is_on_stdout && of.color.is_on(AutoStream::choice(&stdout)),
        date: Some(report::date(SystemTime::now())).filter(|date| !date.is_empty()),
        links: (is_on_stdout && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout)).then(host_name),
        ..of.settings.clone()
    }
}

/// Refuses to print a format for programs on a terminal.
pub(super) fn check_terminal(format: &ReportFormat, is_terminal: bool) -> Result<()> {
    let is_refused = is_terminal && format.is_for_programs();
    if !is_refused {
        return Ok(());
    }
    let format = format.name;
    Err(Failure::of_value(
        "--format",
        format,
        format!("made for programs, not for a terminal; write it to a file, as in --format {format}=report.{format}"),
    ))
}

/// A list of the formats that show groups.
fn formats_of_groups() -> String {
    let mut names: Vec<&str> = FORMATS.iter().filter(|format| format.shows_groups).map(|format| format.name).collect();
    names.sort_unstable();
    messages::one_of(&names)
}

/// Buffers a report, and writes it in whole lines.
struct LineChunks<'r> {
    waiting: &'r mut Vec<u8>,
    to: &'r mut dyn Write,
}

impl Write for LineChunks<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= CHUNK {
            // Output without line ends is written as it comes.
            let end = self.waiting.iter().rposition(|&byte| byte == b'\n').map_or(self.waiting.len(), |at| at + 1);
            self.to.write_all(&self.waiting[..end])?;
            self.waiting.drain(..end);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

/// The host name of this machine for links to files, so that other machines do not follow the links.
fn host_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return String::new();
}

#[cfg(test)]
mod tests {
    use dedup_scan::results::report::FORMATS;

    use super::*;

    #[test]
    fn a_terminal_gets_no_format_for_programs() {
        let mut refused = Vec::new();
        for format in FORMATS {
            assert!(check_terminal(format, false).is_ok());
            if let Err(failure) = check_terminal(format, true) {
                let name = format.name;
                let says = format!(
                    "--format {name}: made for programs, not for a terminal; write it to a file, as in --format {name}=report.{name}"
                );
                assert_eq!(failure.to_string(), says);
                refused.push(name);
            }
        }
        refused.retain(|&name| name != "parquet");
        assert_eq!(refused, ["gitlab", "sarif", "junit", "html", "graphml"]);
    }
}
