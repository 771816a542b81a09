//! `dedup cluster`: turns the pairs of a run, or of a saved result, into groups of documents.

use std::path::{Path, PathBuf};

use clap::{Arg, Args};
use dedup_scan::compare::Linkage;
use dedup_scan::exchange::{ClusterBy, cluster_edges};
use dedup_scan::results::report::{ReportMethod, ReportSearch, ReportSettings, ReportTotals};
use dedup_scan::results::{PairFilter, ResultHeader, SavedDocuments, ViewReader, cluster_result};
use dedup_scan::search::{FoundClusters, Search};
use dedup_scan::unique::KeptOrder;
use dedup_scan::{ClusterSettings, Documents, Error, Settings, Summary, Threshold};

use super::cluster_by::OverlapRun;
use super::command_line::command_of_result;
use super::exclusions::{not_with_from, not_with_from_or_here};
use super::forecast;
use super::group_printer::{GroupPrinter, ShownGroups};
use super::printed_search::{PrintedSearch, print_found};
use super::publication::{OutputFiles, Publication, Published, totals_of};
use super::reading::reading_of;
use super::report_of::{ReportOf, STATS_LINES};
use super::saved_pairs::{self, files_of_result, note_of_errors, note_of_threshold, open_for_reports};
use super::saved_reading::SavedReading;
use super::scan::search_of;
use super::views::{Views, summary_and_reader};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::{choice, whole};
use crate::cli::flags::{
    ForecastFlags, FormatFlags, GroupFilterFlags, GroupFlags, LINKAGES, OldFlags, OverlapFlags, PipeFlags,
    RepresentativeFlags, ResourceFlags, RunFlags, UnitFlags, VerbosityFlags,
};
use crate::cli::messages::{self, Failure, Reporter, Result};
use crate::cli::stream_writer::count_output;

/// Print groups of near-duplicate documents, one JSON line each
#[derive(Debug, Args)]
#[command(mut_args(for_cluster), after_help = ExitCode::help(Some("a group was found")))]
pub(crate) struct ClusterCommand {
    #[command(flatten)]
    run: RunFlags,

    #[command(flatten)]
    unit: UnitFlags,

    #[command(flatten)]
    old: OldFlags,

    #[command(flatten)]
    groups: GroupFlags,

    /// Which verified pairs make a group
    #[arg(long, value_parser = choice(LINKAGES), default_value = "components", help_heading = "Groups")]
    linkage: Linkage,

    #[command(flatten)]
    keep: RepresentativeFlags,

    /// Print the name and the group of every document instead, one JSON line each; documents without text have no group
    #[arg(long, conflicts_with_all = ["singletons", "format"], help_heading = "Groups")]
    labels: bool,

    /// Print documents without a duplicate too, after the others, as groups of one
    #[arg(long, help_heading = "Groups")]
    singletons: bool,

    /// Compute the lowest similarity of two members in groups of at most N documents. A group is a loose chain when it
    /// is below half of the threshold. Reads the documents once more
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=1 << 20), allow_negative_numbers = true,
        default_value_t = ClusterSettings::DEFAULT_CHECKED, help_heading = "Groups")]
    check_groups: usize,

    #[command(flatten)]
    overlaps: OverlapFlags,

    /// Group the pairs of a saved result instead of reading documents: a folder of --save, a file of pairs, or `-`
    #[arg(long, value_name = "RESULT", help_heading = "Groups")]
    from: Option<PathBuf>,

    /// Read edges as rows a, b from standard input, and write rows node, root: each node and the first node of its
    /// component, by bytes. A filter for other programs; other flags are not accepted
    #[arg(long, help_heading = "Rows")]
    edges: bool,

    /// With --edges: read rows key, node. Nodes that share a key belong together; other nodes are not written
    #[arg(long, requires = "edges", help_heading = "Rows")]
    by_key: bool,

    /// With --edges: read rows block, as `dedup sign --blocks` writes them. Texts that share a key belong together. A
    /// text of several documents is listed too, with a negative number for each id that several documents may have
    #[arg(long, requires = "edges", conflicts_with = "by_key", help_heading = "Rows")]
    by_block: bool,

    /// With --edges: end with two rows without a root, the number of rows read and the number of nodes written
    #[arg(long, requires = "edges", help_heading = "Rows")]
    ends: bool,

    #[command(flatten)]
    pipe: PipeFlags,

    #[command(flatten)]
    filters: GroupFilterFlags,

    #[command(flatten)]
    formats: FormatFlags,

    #[command(flatten)]
    forecast: ForecastFlags,

    /// Write the lines to a file instead of standard output, when the run is complete. Replaces files like --summary, and
    /// compresses by the name: .gz, .zst, .bz2, .xz
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Exit with 1 when any group is found, as --fail-over 0 does for pairs
    #[arg(long, help_heading = "Output")]
    exit_code: bool,

    /// Write the summary to a file as one JSON object, when the run is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    #[command(flatten)]
    verbosity: VerbosityFlags,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// Rewords the help of flags that work differently for groups, and sets which flags exclude each other.
fn for_cluster(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "paths" => not_with_from_or_here(arg),
        "pipe" => arg.requires("edges").help("With --edges: format of the rows, in and out [default: tsv]"),
        "params" => arg.requires("edges").help(
            "With --edges: refuse to run unless this is the version; the string or the hash that `dedup params` prints",
        ),
        "edges" | "by_key" | "by_block" | "ends" => arg,
        _ => not_with_from(arg),
    }
}

impl ClusterCommand {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(mut self, given: &[String]) -> Result<ExitCode> {
        if self.edges {
            return self.filter(given);
        }
        let old = self.old.given(&self.run.input.paths, self.run.input.files_from.as_deref())?;
        if self.from.is_none() {
            self.run.input.read_by_default();
        }
        let overlaps = self.overlap_run()?;
        if let Some(from) = &self.from {
            return match overlaps {
                Some(overlaps) => overlaps.print_saved(from, self.run.filter()?),
                None => self.print_saved(from),
            };
        }
        if self.exit_code {
            count_output();
        }
        let mut settings = self.run.settings(old.as_ref(), &self.resources, self.verbosity.quiet)?;
        self.run.check_passages(&settings)?;
        if let Some(overlaps) = overlaps {
            self.unit.apply(&mut settings, Some((overlaps.by, "--by")))?;
            return overlaps.print(&self.run, settings);
        }
        self.groups.apply(&self.unit, &mut settings)?;
        if let Some(share) = self.forecast.share() {
            return forecast::print(&settings, share, self.summary.as_deref(), self.verbosity.quiet);
        }
        let of = self.report_of(settings.pairs.source.matching().is_some(), Some(search_of(&settings)));
        let publication = Publication::open(&self.files()?, &mut settings.input.own_files, of)?;
        self.run.warn_of_banding()?;
        let keep = self.keep.of_run(&mut settings, self.unit.is_given())?;
        let printer = GroupPrinter::new(publication, self.shown_groups());
        print_found(printer, Vec::new(), |printer| {
            let (summary, reader) = self.find(&settings, &keep, printer)?;
            Ok(FoundGroups { command: &self, settings: &settings, summary, reader })
        })
    }

    /// Finds the groups of a run, and prints them.
    fn find(
        &self,
        settings: &Settings,
        keep: &KeptOrder,
        printer: &mut GroupPrinter<'_>,
    ) -> Result<(Summary, Option<ViewReader>)> {
        let mut order = |documents: &Documents| keep.of(documents);
        let clustering = ClusterSettings {
            linkage: self.linkage,
            most_checked: self.check_groups,
            min_containment: self.filters.min_containment()?,
        };
        let mut print =
            |documents: &Documents, found: &FoundClusters| printer.print(documents, found, keep).map_err(Error::Output);
        let viewed = self.formats.show_texts().then(|| self.run.viewed_passages(settings)).transpose()?;
        let find = |reporter: &Reporter| {
            let search = Search::new(settings, reporter).with_views(viewed.is_some());
            search.run_clusters(clustering, &mut order, &mut print)
        };
        Ok(summary_and_reader(Reporter::watch(self.verbosity.quiet, find)?, viewed))
    }

    /// The comparison of groups that `--by` asks for.
    fn overlap_run(&self) -> Result<Option<OverlapRun<'_>>> {
        let Some(by) = self.overlaps.by() else {
            self.filters.check_sort()?;
            return Ok(None);
        };
        Ok(Some(OverlapRun {
            by,
            min_share: self.overlaps.min_share,
            sort: self.filters.overlap_sort()?,
            top: self.filters.top,
            min_containment: self.filters.min_containment()?,
            files: self.files()?,
            look: self.formats.look(),
            stats: self.verbosity.stats,
            exit_code: self.exit_code,
        }))
    }

    /// Finds the connected components of the rows that `--edges` reads.
    fn filter(&self, given: &[String]) -> Result<ExitCode> {
        PipeFlags::refuse_others(given, &["edges", "by_key", "by_block", "ends"])?;
        self.pipe.check_version()?;
        let by = match (self.by_key, self.by_block) {
            (true, _) => ClusterBy::Key,
            (_, true) => ClusterBy::Block,
            _ => ClusterBy::Edge,
        };
        let format = match by {
            ClusterBy::Block => self.pipe.format_of_blocks("--by-block")?,
            _ => self.pipe.format()?,
        };
        let (mut input, mut output) = PipeFlags::open()?;
        cluster_edges(by, format, self.ends, &mut input, &mut output)?;
        Ok(ExitCode::Complete)
    }

    /// Prints the groups of a saved result.
    fn print_saved(&self, from: &Path) -> Result<ExitCode> {
        let mut own_files = files_of_result(from);
        let mut saved = open_for_reports(from, self.formats.formats()?)?;
        let filter = PairFilter { min_containment: self.filters.min_containment()?, ..self.run.filter()? };
        let of_passages = saved.header().map_or(Ok(false), ResultHeader::is_by_passages)?;
        let search = saved_pairs::search_of(saved.header())?;
        let command = command_of_result(saved.header());
        let mut of = self.report_of(of_passages, search);
        of.settings.command = command;
        of.settings.texts_are_known = saved.header().is_some();
        of.has_summary = false;
        let publication = Publication::open(&self.files()?, &mut own_files, of)?;
        let keep = self.keep.of_result(&saved)?;
        let printer = GroupPrinter::new(publication, self.shown_groups());
        print_found(printer, Vec::new(), |printer| {
            let mut order = |documents: &Documents| keep.of(documents);
            let group = |reporter: &Reporter| cluster_result(&mut saved, self.linkage, filter, &mut order, reporter);
            let (documents, found) = Reporter::watch(self.verbosity.quiet, group)?;
            note_of_threshold(&saved, filter.threshold, self.verbosity.quiet);
            note_of_errors(&saved, self.verbosity.quiet);
            printer.print(&documents, &found, &keep).map_err(Failure::output)?;
            let reading = printer.shows_texts().then(|| reading_of(saved.header(), &[])).transpose()?;
            let texts = if reading.is_some() { SavedDocuments::read(&saved, true)? } else { SavedDocuments::default() };
            let totals = ReportTotals {
                errors: saved.header().map_or(0, |header| header.errors),
                method: saved.header().map(|header| ReportMethod::of(&header.settings)).unwrap_or_default(),
                ..ReportTotals::default()
            };
            let is_found = self.exit_code && !found.clusters.is_empty();
            Ok(PrintedGroups { totals, reading, texts, is_found })
        })
    }

    /// The files and formats that the flags name.
    fn files(&self) -> Result<OutputFiles<'_>> {
        Ok(OutputFiles {
            output: self.output.as_deref(),
            summary: self.summary.as_deref(),
            formats: self.formats.formats()?,
            quiet: self.verbosity.quiet,
        })
    }

    /// The groups that the flags select, and their order.
    fn shown_groups(&self) -> ShownGroups {
        ShownGroups {
            sort: self.filters.sort(self.formats.is_text()),
            top: self.filters.top.unwrap_or(usize::MAX),
            labels: self.labels,
            singletons: self.singletons,
        }
    }

    /// Describes the result to its reports.
    fn report_of(&self, of_passages: bool, search: Option<ReportSearch>) -> ReportOf {
        let mut of = ReportOf::new(self.formats.look());
        of.settings = ReportSettings {
            folder: None,
            of_groups: true,
            has_choice: self.keep.are_given(),
            is_ranked: true,
            of_passages,
            search,
            ..of.settings
        };
        ReportOf { top: self.filters.top, lines_below: if self.verbosity.stats { STATS_LINES } else { 0 }, ..of }
    }
}

/// The finished search for the groups of a run.
struct FoundGroups<'a> {
    command: &'a ClusterCommand,
    settings: &'a Settings,
    summary: Summary,
    /// Reads the texts of the run, if a report shows them.
    reader: Option<ViewReader>,
}

impl PrintedSearch for FoundGroups<'_> {
    fn totals(&self) -> ReportTotals {
        totals_of(&self.summary, self.settings.pairs.min_similarity().map(Threshold::value))
    }

    fn views(&self) -> Views<'_> {
        self.reader.as_ref().map_or(Views::None, Views::Run)
    }

    fn report(&self, mut published: Published<'_>) -> Result<ExitCode> {
        let Self { command, settings, summary, .. } = self;
        command.run.warn(summary);
        published.hint(false);
        if !command.verbosity.quiet {
            messages::line(&messages::summary(summary, settings.resources.threads.get(), command.verbosity.stats));
            command.run.to_try(summary, false).iter().for_each(|try_it| messages::line(try_it));
        }
        published.write_summary(summary)?;
        let is_grouped = summary.clusters.as_ref().is_some_and(|clusters| clusters.groups > 0);
        Ok(published.end_of_groups(summary.errors, command.exit_code && is_grouped))
    }
}

/// The groups of a saved result, after they were found.
struct PrintedGroups {
    totals: ReportTotals,
    /// Reads the texts of the result, if a report shows them.
    reading: Option<SavedReading>,
    /// The documents whose texts are read.
    texts: SavedDocuments,
    /// Whether groups were found that the exit code reports.
    is_found: bool,
}

impl PrintedSearch for PrintedGroups {
    fn totals(&self) -> ReportTotals {
        self.totals.clone()
    }

    fn views(&self) -> Views<'_> {
        self.reading.as_ref().map_or(Views::None, |reading| Views::Saved(reading, &self.texts))
    }

    fn report(&self, published: Published<'_>) -> Result<ExitCode> {
        Ok(published.end_of_groups(self.totals.errors, self.is_found))
    }
}
