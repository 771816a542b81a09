//! `dedup query`: finds the documents of an index that are similar to the inputs, and prints them like `dedup
//! compare`.

mod follow;

use std::path::{Path, PathBuf};

use clap::{Arg, Args};
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::OwnUse;
use dedup_scan::index::{AddWhat, QuerySettings, QuerySummary, index_settings, query_index};
use dedup_scan::results::report::ReportTotals;
use dedup_scan::{Settings, Threshold};

use self::follow::follow;
use super::gate::{Gate, Limits};
use super::printed_search::{PrintedSearch, print_found};
use super::printer::PairPrinter;
use super::publication::{OutputFiles, Publication, Published, num_compared, totals_of};
use super::report_of::ReportOf;
use super::scan::search_of;
use super::views::Views;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::{Choices, choice, similarity, whole};
use crate::cli::flags::{
    FilterFlags, FormatFlags, GateFlags, KeptNamesFlags, KnownFlags, PassageLengthFlags, ResultSettingsFlags,
    SortableNumbers, VerbosityFlags, WaitFlags, for_using,
};
use crate::cli::messages::{self, Failure, Reporter, Result};
use crate::cli::stream_writer::count_output;

/// Print the documents of an index that are similar to given ones
///
/// Prints the lines that `dedup compare PATH --against CORPUS` would print with the settings of the index: `a` is a
/// document of PATH, `b` a document of the index.
#[derive(Debug, Args)]
#[command(mut_args(for_query), after_help = ExitCode::help(Some("more documents were found than --fail-over allows, or any")))]
pub(crate) struct Query {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// Search this index too, which must have the same settings; repeatable. Each line has the index of its document as
    /// index; --add adds only to INDEX
    #[arg(long = "index", value_name = "INDEX", help_heading = "Input")]
    others: Vec<PathBuf>,

    #[command(flatten)]
    flags: ResultSettingsFlags,

    /// Find contained documents instead of similar ones: one of the two documents contains at least this part of the
    /// other, from 0 to 1. The index must be built with --for-containment
    #[arg(long, value_name = "PART", value_parser = similarity, allow_negative_numbers = true,
        conflicts_with_all = ["threshold", "add"], help_heading = "Pairs")]
    containment: Option<f64>,

    /// Print only the K most similar documents for each document of PATH, the most similar first
    #[arg(long, value_name = "K", value_parser = whole::<usize>(1..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Pairs")]
    best: Option<usize>,

    /// Hide the document of the index that has the name of the given document
    #[arg(long, help_heading = "Pairs")]
    skip_self: bool,

    /// Read documents as JSON lines from standard input, and print one line for each before reading the next: its id
    /// and the similar documents, or an error
    #[arg(long, alias = "follow", conflicts_with_all = ["paths", "files_from", "input_format", "delimiter", "no_quoting", "quoted", "csv_escape", "id_prefix", "html", "markup", "mail_quotes", "mail_subject", "filter", "encoding", "invalid", "max_document_bytes", "max_unpacked", "max_window", "strict", "include", "exclude", "gitignore", "output", "summary", "with_source", "sort", "top", "min_containment", "format", "baseline", "changed_since", "fail_over", "exit_code"],
        help_heading = "Input")]
    stdin: bool,

    /// Add documents of PATH to the index: all, or documents without a similar document in the index or earlier in this
    /// run. A document never matches itself
    #[arg(long, value_parser = choice(ADD), value_name = "WHICH", default_value = "none", help_heading = "Index")]
    add: AddWhat,

    /// With --stdin: write each document to the disk before its line is printed, which has "durable":true, also for a
    /// document that the index has already
    #[arg(long, help_heading = "Index")]
    sync: bool,

    #[command(flatten)]
    known: KnownFlags,

    #[command(flatten)]
    wait: WaitFlags,

    /// Add the passages that both documents contain to each line, by lines and bytes of the originals, and the share of
    /// each document that they cover as coverage_a and coverage_b. For a document whose original bytes are not in the
    /// index, such as an HTML page, places are in its text, and have "of":"text"
    #[arg(long, alias = "passages", help_heading = "Passages")]
    show_passages: bool,

    #[command(flatten)]
    lengths: PassageLengthFlags,

    #[command(flatten)]
    kept_names: KeptNamesFlags,

    /// Add the source of each document to each line, as source_a and source_b: the file, and the line or row in it
    #[arg(long, help_heading = "Output")]
    with_source: bool,

    #[command(flatten)]
    filters: FilterFlags,

    #[command(flatten)]
    formats: FormatFlags,

    #[command(flatten)]
    gate: GateFlags,

    /// Write the lines to a file instead of standard output, when the run is complete. Replaces files like --summary, and
    /// compresses by the name: .gz, .zst, .bz2, .xz
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Write the summary to a file as one JSON object, when the run is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    #[command(flatten)]
    verbosity: VerbosityFlags,
}

/// The documents that a query adds to the index.
const ADD: Choices<AddWhat> = &[
    ("none", AddWhat::None, "Add no document"),
    ("all", AddWhat::All, "Add all documents"),
    ("unseen", AddWhat::Unseen, "Add documents without a similar document"),
];

/// Rewords the help of flags that work differently for a query.
fn for_query(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "paths" => arg.required_unless_present("stdin"),
        // In this command, `--follow` is the old name of `--stdin`.
        "follow_links" => arg.alias(None),
        "threshold" => arg.help(
            "Minimum Jaccard similarity of a document, such as 0.7 or 70% [default: the threshold of the index]",
        ),
        "jaccard_kept" => arg.help(
            "Add jaccard_kept to each pair of programs: their similarity with names kept, by shingles of this size; 0 adds none. \
             It distinguishes copies from coincidence [default: as in the index]",
        ),
        "stats" => arg.help("Report all numbers of the run on stderr, such as the numbers of skipped documents and candidates"),
        "preset" => arg.hide(false).help(
            "Read and search as a preset does: `prose` finds documents with copied passages, if the index was built with \
             --preset prose or --for-containment. Texts are compared as in the index",
        ),
        _ => for_using(arg),
    }
}

impl Query {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(mut self, given: &[String]) -> Result<ExitCode> {
        // A query may use a different threshold than the index.
        let of_index: Vec<String> = given.iter().filter(|flag| *flag != "threshold").cloned().collect();
        let mut settings = self.flags.settings_for(&self.index, &of_index, self.verbosity.quiet)?;
        let of_index = index_settings(&self.index)?;
        let query = self.query_settings(&of_index)?;
        if self.add != AddWhat::None {
            count_output();
        }
        if self.stdin {
            return follow(&query, &settings, self.sync);
        }
        if self.sync {
            return Err(Failure::of_flag(
                "--sync",
                "only applies to --stdin; add --stdin, or remove the flag (other commands write to the disk before they end)",
            ));
        }
        settings.resources.threads = self.flags.resources()?.threads.min(settings.useful_threads());
        let have_kept = query.kept_names.map_or(of_index.pairs.kept_names.is_some(), |size| size > 0);
        self.filters.set_view(query.matching.is_some(), have_kept);
        let passages = query.passages.is_some();
        self.filters.check_sort(SortableNumbers { passages, kept: have_kept, raw: true, weights: false })?;
        let formats = self.formats.formats()?;
        settings.input.with_source = self.with_source || !formats.is_empty() || self.gate.leaves_out();
        for index in std::iter::once(&self.index).chain(&self.others) {
            if let Ok(metadata) = index.metadata() {
                let own = OwnUse::Replaced { path: index.clone(), by: "the index", is_own: true };
                settings.input.own_files.add(&metadata, own);
            }
        }
        self.gate.add_files(&mut settings.input.own_files);
        let mut of = ReportOf::of_pairs(&self.filters, self.formats.look());
        of.settings.has_sides = true;
        of.settings.of_passages = query.matching.is_some();
        of.settings.search = Some(search_of(&of_index));
        of.settings.texts_are_known = false;
        let (output, summary, quiet) = (self.output.as_deref(), self.summary.as_deref(), self.verbosity.quiet);
        let files = OutputFiles { output, summary, formats, quiet };
        let publication = Publication::open(&files, &mut settings.input.own_files, of)?;
        let gate = Gate::open(&self.gate, Path::new("."), &settings.input.paths, true)?;
        let printer = PairPrinter::new(publication, &self.filters, gate, self.with_source, true)?;
        let left_out_by = self.filters.leave_out().chain(self.gate.leave_out()).collect();
        print_found(printer, left_out_by, |printer| {
            let search = |reporter: &Reporter| query_index(&query, &settings, reporter, printer);
            Ok(QueryFound { query: &self, summary: Reporter::watch(self.verbosity.quiet, search)? })
        })
    }

    /// * `of_index`: the settings of the index.
    fn query_settings(&self, of_index: &Settings) -> Result<QuerySettings> {
        let passages = self.passage_settings(of_index)?;
        let matching = self.flags.matching(&self.index, of_index, passages, self.verbosity.quiet)?;
        if matching.is_some() && self.add != AddWhat::None {
            let what =
                "documents are added by what is similar to them, but --preset prose finds passages; remove one of them";
            return Err(Failure::of_flag("--add", what).and("--preset"));
        }
        Ok(QuerySettings {
            index: self.index.clone(),
            others: self.others.clone(),
            passages,
            matching,
            kept_names: self.kept_names.given(),
            threshold: self.flags.texts.method.given_threshold()?,
            containment: self.containment.map(Threshold::new).transpose()?,
            best: self.best,
            skip_self: self.skip_self,
            add: self.add,
            known: self.known.known,
            wait: self.wait.duration(),
        })
    }

    /// The minimum lengths of passages; `None` without `--show-passages` or a preset that shows them.
    ///
    /// # Errors
    /// When a flag about passages is given, but they are not shown.
    fn passage_settings(&self, of_index: &Settings) -> Result<Option<PassageSettings>> {
        if self.show_passages || self.flags.texts.is_by_passages() {
            let preset = self.flags.texts.preset();
            return Ok(Some(self.lengths.settings(of_index.shingles.kind(), preset)?));
        }
        self.lengths.given().map_or(Ok(None), |flag| Err(Failure::without_passages(flag)))
    }
}

/// The finished search of a query.
struct QueryFound<'a> {
    query: &'a Query,
    summary: QuerySummary,
}

impl QueryFound<'_> {
    /// The minimum similarity of the pairs; `None` for contained documents and passages.
    fn threshold(&self) -> Option<f64> {
        Some(self.summary.queries.settings.threshold).filter(|_| self.summary.containment.is_none())
    }

    /// The limits of the pairs, for the gate.
    fn limits(&self) -> Limits {
        let QuerySummary { queries, damage, stale, .. } = &self.summary;
        Limits {
            threshold: self.threshold(),
            coverage: None,
            errors: queries.errors + damage.len() as u64 + stale,
            compared: Some(num_compared(queries)),
            lines: None,
            has_records: queries.has_records,
            // The index contains documents that are in no pair of the result.
            leaves_out: true,
        }
    }
}

impl PrintedSearch for QueryFound<'_> {
    fn totals(&self) -> ReportTotals {
        totals_of(&self.summary.queries, self.threshold())
    }

    fn views(&self) -> Views<'_> {
        Views::None
    }

    fn report(&self, mut published: Published<'_>) -> Result<ExitCode> {
        let Self { query, summary } = self;
        query.flags.warn(&summary.queries);
        messages::index::low_recall(summary).into_iter().for_each(|warning| messages::line(&warning));
        messages::index::damage(&summary.damage);
        published.hint(false);
        if !query.verbosity.quiet {
            messages::line(&messages::index::found(summary, query.verbosity.stats));
            // A search by passages has noted already what an index of whole documents does not find.
            let note = messages::index::nothing_found(summary).filter(|_| !query.flags.texts.is_by_passages());
            note.into_iter().for_each(|note| messages::line(&note));
        }
        published.report_hidden();
        published.write_summary(summary)?;
        published.end(self.limits())
    }
}
