//! `dedup scan`: finds similar pairs, or reads them from a saved result, and prints them to stdout or a file.
//!
//! The summary goes to stderr and, with `--summary`, to a file.

use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::Args;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::OwnUse;
use dedup_scan::records::DocumentRecord;
use dedup_scan::results::report::ReportSearch;
use dedup_scan::results::{ResultWriter, ViewReader};
use dedup_scan::search::{Search, list_documents};
use dedup_scan::{AuditSettings, PairSource, Settings, Summary};

use super::destination::LineOutput;
use super::exclusions::{not_with_forecast, not_with_from_or_here};
use super::forecast;
use super::gate::Gate;
use super::printed_search::print_found;
use super::printer::PairPrinter;
use super::publication::{OutputFiles, Publication};
use super::report_of::{ReportOf, STATS_LINES};
use super::saved_pairs::SavedPairs;
use super::saved_reading::ReadingOf;
use super::scan_found::{SavingPrinter, ScanFound};
use super::spaced_value::refuse_value;
use super::views::summary_and_reader;
use crate::cli::config;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::whole;
use crate::cli::flags::{
    AgainstFlags, FilterFlags, ForecastFlags, FormatArg, FormatFlags, GateFlags, GroupFlags, KeptNamesFlags, OldFlags,
    ResourceFlags, RunFlags, SortableNumbers, TimesFlags, UnitFlags, VerbosityFlags,
};
use crate::cli::messages::{Failure, Reporter, Result};
use crate::cli::stream_writer::count_output;

/// Print every pair of near-duplicate documents, one JSON line each
#[derive(Debug, Args)]
#[command(mut_args(not_with_from_or_here), mut_args(not_with_forecast), after_help = ExitCode::help(Some("more pairs were found than --fail-over allows, or any")))]
pub(crate) struct Scan {
    #[command(flatten)]
    pub(super) run: RunFlags,

    #[command(flatten)]
    pub(super) unit: UnitFlags,

    #[command(flatten)]
    pub(super) old: OldFlags,

    #[command(flatten)]
    groups: GroupFlags,

    /// Add the passages that both documents contain to each line, by lines and bytes of the originals, and the share of
    /// each document that they cover as coverage_a and coverage_b. Reads the documents of pairs once more
    #[arg(long, alias = "passages", help_heading = "Passages")]
    pub(super) show_passages: bool,

    #[command(flatten)]
    kept_names: KeptNamesFlags,

    /// Measure the recall: sample N documents, or enough for 10,000 pairs, find all their partners by an exhaustive
    /// join, and report how many of these the run found and the stated recall. Reads the documents twice more
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, value_parser = whole::<u64>(1..=u64::MAX),
        conflicts_with_all = ["all_pairs", "forecast"], help_heading = "Method")]
    audit: Option<Option<u64>>,

    /// Print each exact copy once, paired with the first document with its text, and other pairs only between distinct
    /// texts
    #[arg(long, help_heading = "Output")]
    collapse_exact: bool,

    /// Add the source of each document to each line, as source_a and source_b: the file, and the line or row in it
    #[arg(long, help_heading = "Output")]
    pub(super) with_source: bool,

    #[command(flatten)]
    times: TimesFlags,

    #[command(flatten)]
    filters: FilterFlags,

    #[command(flatten)]
    formats: FormatFlags,

    #[command(flatten)]
    gate: GateFlags,

    /// Print the pairs of a saved result instead of a run: a folder of --save, a file of pairs, or `-`. --threshold,
    /// --coverage and --min-matched exclude pairs, and no document is read
    #[arg(long, value_name = "RESULT", help_heading = "Output")]
    from: Option<PathBuf>,

    /// Print every document with its size and its status as one JSON line, and compare nothing
    #[arg(long, conflicts_with_all = ["summary", "exit_code", "collapse_exact", "save", "sort", "top", "min_containment", "show_passages", "jaccard_kept", "format", "baseline", "changed_since", "fail_over", "audit", "forecast", "times"],
        help_heading = "Output")]
    list_documents: bool,

    #[command(flatten)]
    forecast: ForecastFlags,

    /// Write the lines to a file instead of standard output, when the run is complete. Replaces files like --summary, and
    /// compresses by the name: .gz, .zst, .bz2, .xz
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Save all pairs and documents in a new folder for --from. The inputs are read once more for their hashes; --sort,
    /// --top and --min-containment do not change what is saved
    #[arg(long, value_name = "DIR", conflicts_with = "forecast", help_heading = "Output")]
    save: Option<PathBuf>,

    /// Let --save replace a saved result
    #[arg(long, requires = "save", help_heading = "Output")]
    force: bool,

    /// Write the summary to a file as one JSON object, when the run is complete. An existing file is replaced, unless
    /// the run reads or writes it otherwise
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    #[command(flatten)]
    verbosity: VerbosityFlags,

    /// Print text where no other format is given, as `dedup PATH` without a command does
    #[arg(long, hide = true)]
    for_people: bool,

    #[command(flatten)]
    pub(super) resources: ResourceFlags,
}

impl Scan {
    /// Compares the documents with each other.
    ///
    /// * `reading_of`: finds how the texts of a saved result are read again.
    pub(crate) fn run(self, reading_of: ReadingOf) -> Result<ExitCode> {
        let new_list = self.run.input.files_from.as_deref();
        let old = self.old.given(&self.run.input.paths, new_list)?;
        self.run_against(old.as_ref(), reading_of)
    }

    /// Compares the documents with the documents of `against`, or with each other.
    pub(crate) fn run_against(mut self, against: Option<&AgainstFlags>, reading_of: ReadingOf) -> Result<ExitCode> {
        if let Some(from) = &self.from {
            return self.print_saved(from, reading_of);
        }
        let has_sides = against.is_some_and(|against| !against.is_old);
        let mut settings = self.search_settings(against)?;
        if let Some(share) = self.forecast.share() {
            return forecast::print(&settings, share, self.summary.as_deref(), self.verbosity.quiet);
        }
        if self.audit == Some(None) {
            refuse_value(&settings, "--audit", "a number of texts", |text| text.parse::<u64>().is_ok())?;
        }
        settings.audit = self.audit.map(|num_texts| AuditSettings { num_texts: num_texts.and_then(NonZeroU64::new) });
        let matching = settings.pairs.source.matching();
        if settings.audit.is_some() && matching.is_some() {
            return Err(Failure::not_of_matching("--audit"));
        }
        let passages = self.passage_settings(&settings)?;
        self.filters.set_view(matching.is_some(), settings.pairs.kept_names.is_some());
        self.filters.check_sort(sortable_numbers(&settings, passages.is_some()))?;
        let formats = self.formats_of_output()?;
        settings.input.with_source = self.with_source
            || self.times.source().is_some()
            || self.save.is_some()
            || !formats.is_empty()
            || self.gate.leaves_out();
        self.gate.add_files(&mut settings.input.own_files);
        if self.list_documents {
            return self.list(&mut settings);
        }
        let mut saved = self.save.as_deref().map(|save| self.begin_saving(save, &mut settings)).transpose()?;
        let (output, summary, quiet) = (self.output.as_deref(), self.summary.as_deref(), self.verbosity.quiet);
        let (files, of) =
            (OutputFiles { output, summary, formats: &formats, quiet }, self.report_of(&settings, has_sides));
        let publication = Publication::open(&files, &mut settings.input.own_files, of)?;
        self.run.warn_of_banding()?;
        let gate = Gate::open(&self.gate, Path::new("."), &settings.input.paths, has_sides)?
            .of_blocks(self.run.matching.finds_blocks());
        let are_saved = self.save.is_some() && publication.output.is_terminal();
        let printer = PairPrinter::new(publication, &self.filters, gate, self.with_source, !are_saved)?
            .with_times(self.times.source(), &settings.input.member_times);
        let left_out_by = self.filters.leave_out().chain(self.gate.leave_out()).collect();
        print_found(printer, left_out_by, |printer| {
            let (summary, reader) = self.find(&settings, passages, printer, saved.as_mut())?;
            Ok(ScanFound {
                run: &self.run,
                settings: &settings,
                summary,
                reader,
                saved: saved.zip(self.save.as_deref()),
                is_scan: against.is_none(),
                leaves_out: self.collapse_exact || settings.input.groups.is_some() || against.is_some() && !has_sides,
                stats: self.verbosity.stats,
                quiet: self.verbosity.quiet,
                for_people: self.for_people,
            })
        })
    }

    /// The settings of the search.
    pub(super) fn search_settings(&mut self, against: Option<&AgainstFlags>) -> Result<Settings> {
        self.run.input.read_by_default();
        let mut settings = self.run.settings(against, &self.resources, self.verbosity.quiet)?;
        self.groups.apply(&self.unit, &mut settings)?;
        self.times.apply(&mut settings)?;
        self.unit.check_git(self.gate.changed_since.is_some())?;
        settings.pairs.collapse_exact = self.collapse_exact;
        settings.pairs.kept_names = self.kept_names.size(self.run.matching.preset(), settings.shingles.kind());
        Ok(settings)
    }

    /// The formats of the run. A scan for people adds text on standard output, unless other output goes to files and
    /// stdout is a terminal.
    fn formats_of_output(&self) -> Result<Vec<FormatArg>> {
        let formats = self.formats.formats()?;
        let goes_to_files = self.save.is_some() || !formats.is_empty();
        let is_on_terminal = self.output.is_none() && io::stdout().is_terminal();
        let is_text = self.for_people && !(goes_to_files && is_on_terminal);
        if is_text { self.formats.formats_and_text() } else { Ok(formats.to_vec()) }
    }

    /// The minimum lengths of passages; `None` if the run computes no passages.
    ///
    /// # Errors
    /// When a flag about passages has no effect.
    fn passage_settings(&self, settings: &Settings) -> Result<Option<PassageSettings>> {
        if self.show_passages || settings.pairs.source.matching().is_some() {
            return Ok(Some(self.run.passage_lengths(settings.shingles.kind())?));
        }
        self.run.passages.given().map_or(Ok(None), |flag| Err(Failure::without_passages(flag)))
    }

    /// Describes the result to its reports.
    ///
    /// * `has_sides`: whether the two documents of a pair come from different inputs.
    fn report_of(&self, settings: &Settings, has_sides: bool) -> ReportOf {
        let mut of = ReportOf::of_pairs(&self.filters, self.formats.look());
        of.settings.has_sides = has_sides;
        of.settings.of_passages = settings.pairs.source.matching().is_some();
        of.settings.search = Some(search_of(settings));
        of.lines_below = if self.verbosity.stats { STATS_LINES } else { 0 };
        of
    }

    /// Finds the pairs, and prints and saves them.
    fn find(
        &self,
        settings: &Settings,
        passages: Option<PassageSettings>,
        printer: &mut PairPrinter<'_>,
        saved: Option<&mut ResultWriter>,
    ) -> Result<(Summary, Option<ViewReader>)> {
        let viewed = self.formats.show_texts().then(|| self.run.viewed_passages(settings)).transpose()?;
        let find = |reporter: &Reporter| {
            let search = Search::new(settings, reporter).printed().with_passages(passages).with_views(viewed.is_some());
            let Some(saved) = saved else { return search.run(printer) };
            let saved = Mutex::new(saved);
            let mut list = |document: &DocumentRecord| saved.lock().expect("no holder panics").add_document(document);
            let mut sink = SavingPrinter { saved: &saved, printer };
            search.with_list(&mut list).run(&mut sink)
        };
        Ok(summary_and_reader(Reporter::watch(self.verbosity.quiet, find)?, viewed))
    }

    /// Creates the saved result; the files of a result that it replaces are not inputs.
    fn begin_saving(&self, save: &Path, settings: &mut Settings) -> Result<ResultWriter> {
        let mut writer = ResultWriter::new(save, self.with_source, self.force)?;
        count_output();
        for path in writer.replaced_files() {
            if let Ok(metadata) = fs::metadata(&path) {
                let own = OwnUse::Replaced { path: path.clone(), by: "the saved result", is_own: true };
                settings.input.own_files.add(&metadata, own);
            }
        }
        let lists = [self.run.shingles.stopwords.as_deref(), self.run.shingles.weights_file()];
        lists.into_iter().flatten().for_each(|list| writer.add_input(list));
        writer.set_arguments(config::arguments());
        Ok(writer)
    }

    /// Prints the pairs of a saved result.
    fn print_saved(&self, from: &Path, reading_of: ReadingOf) -> Result<ExitCode> {
        let formats = self.formats_of_output()?;
        SavedPairs {
            from,
            files: OutputFiles {
                output: self.output.as_deref(),
                summary: None,
                formats: &formats,
                quiet: self.verbosity.quiet,
            },
            filter: self.run.filter()?,
            filters: &self.filters,
            only: &[],
            look: self.formats.look(),
            answers: None,
            text_filters: &[],
            lines: true,
            gate: &self.gate,
            reading_of,
        }
        .print()
    }

    fn list(&self, settings: &mut Settings) -> Result<ExitCode> {
        let mut output = LineOutput::open(self.output.as_deref(), &mut settings.input.own_files, self.verbosity.quiet)?;
        let summary = output.write_records(|lines| {
            let mut sink = |document: &DocumentRecord| lines.push(document);
            Reporter::watch(self.verbosity.quiet, |reporter| list_documents(settings, reporter, &mut sink))
        })?;
        output.finish()?;
        self.run.warn(&summary);
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }
}

/// The numbers of pairs by which they can be sorted.
fn sortable_numbers(settings: &Settings, has_passages: bool) -> SortableNumbers {
    SortableNumbers {
        passages: has_passages,
        kept: settings.pairs.kept_names.is_some(),
        raw: settings.removal.max_df.is_some() || !settings.removal.templates.is_empty(),
        weights: settings.weights.is_some(),
    }
}

/// The search that finds the pairs of a run.
pub(crate) fn search_of(settings: &Settings) -> ReportSearch {
    match settings.pairs.source {
        PairSource::AllPairs => ReportSearch::EveryPair,
        // A report of passages has no line about bands.
        PairSource::Bands | PairSource::Passages(_) => ReportSearch::Banded(settings.banding),
    }
}
