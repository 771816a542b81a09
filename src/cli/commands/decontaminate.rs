//! `dedup decontaminate`: writes a corpus without the documents that contain passages of benchmarks.

use std::io::Write;
use std::path::PathBuf;

use clap::{Arg, Args};
use dedup_scan::search::{ContaminationSettings, ContaminationSummary};
use dedup_scan::unique::{ContaminatedCorpus, ContaminationAction, Written, find_contaminated};
use dedup_scan::{Error, Settings, Summary, Threshold};
use serde::Serialize;

use super::corpus_lists::{CorpusLists, ListRun, list_output};
use super::destination::GatheredLines;
use super::replaced_file::HITS;
use super::summary::{summary_file, write_summary};
use super::written_corpus::{CorpusDestination, check_places};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::{Choices, choice, coverage, whole};
use crate::cli::flags::{AgainstFlags, InputFlags, ResourceFlags, WriteFlags, own_files};
use crate::cli::interrupt::{self, Left};
use crate::cli::messages::{self, Reporter, Result};

/// Write a corpus without the documents that contain benchmarks
///
/// Every run of --min-run words that a document and a benchmark have in common is found for certain. Line breaks, case,
/// punctuation, accents, Unicode forms, HTML character references and escapes of JSON strings make no difference. Only the benchmarks are
/// in memory; the corpus is read once to search it, and once more where a document is removed.
#[derive(Debug, Args)]
#[command(mut_args(for_benchmarks),
    after_help = ExitCode::help(Some("a document contains enough of a benchmark")))]
pub(crate) struct Decontaminate {
    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    against: AgainstFlags,

    /// Search for this field of a benchmark's records; repeatable, and each field is searched for separately, so that a prompt
    /// is found without its answer [default: the fields of --text-field, as one text]
    #[arg(long, value_name = "FIELD", help_heading = "Input")]
    against_field: Vec<String>,

    /// Minimum number of consecutive words in common. 13 is the length in the report on GPT-3 and in lm-evaluation-harness; 8
    /// finds more copies with changed words, and more quotations
    #[arg(long, value_name = "WORDS", default_value_t = ContaminationSettings::DEFAULT_MIN_RUN,
        value_parser = whole::<usize>(1..=ContaminationSettings::MAX_MIN_RUN as u64), allow_negative_numbers = true,
        help_heading = "Matching")]
    min_run: usize,

    /// A benchmark text that is shorter than --min-run is found as a whole if it has at least this many words; shorter ones are
    /// not searched for, and the summary counts them
    #[arg(long, value_name = "WORDS", default_value_t = ContaminationSettings::DEFAULT_MIN_WHOLE,
        value_parser = whole::<usize>(1..=ContaminationSettings::MAX_MIN_RUN as u64), allow_negative_numbers = true,
        help_heading = "Matching")]
    min_whole: usize,

    /// A document is contaminated if it contains at least this share of a benchmark text's words, in runs. Half of a prompt is
    /// enough to recognise it
    #[arg(long, value_name = "SHARE", value_parser = coverage, default_value_t = ContaminationSettings::DEFAULT_COVERAGE,
        allow_negative_numbers = true, help_heading = "Matching")]
    coverage: f64,

    /// A document is also contaminated if it contains at least this many words of a benchmark text, in runs: a part of a long
    /// text can be a leak. Models repeat passages of 50 words from their training data
    #[arg(long, value_name = "WORDS", value_parser = whole::<u64>(1..=u64::MAX),
        default_value_t = ContaminationSettings::DEFAULT_MIN_MATCHED, allow_negative_numbers = true,
        help_heading = "Matching")]
    min_matched: u64,

    /// The treatment of a contaminated document
    #[arg(long, value_parser = choice(ACTIONS), value_name = "HOW", default_value = "drop", help_heading = "Output")]
    action: ContaminationAction,

    #[command(flatten)]
    write: WriteFlags,

    /// Write a JSON line for each benchmark document in which a run was found: how much, in which documents, and where; `-` is
    /// standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    hits: Option<PathBuf>,

    /// Exit with 1 when a document is contaminated
    #[arg(long, help_heading = "Output")]
    exit_code: bool,

    /// Write the summary to a file as one JSON object, when the run is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    /// Print only errors and warnings on stderr, for records only the first 20 of a kind
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// The treatment of a contaminated document.
const ACTIONS: Choices<ContaminationAction> = &[
    ("drop", ContaminationAction::Drop, "It is not written"),
    ("cut", ContaminationAction::Cut, "It is written without the words of its common runs"),
    (
        "mark",
        ContaminationAction::Mark,
        "It is written with a last field dedup_contaminated; only for records of JSON and JSON Lines",
    ),
];

/// The summary of a run.
#[derive(Serialize)]
struct DecontaminateSummary<'a> {
    #[serde(flatten)]
    scan: &'a Summary,
    contamination: &'a ContaminationSummary,
    decontaminate: &'a Written,
}

/// Adapts the help of shared flags.
fn for_benchmarks(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "against" => arg.required_unless_present("against_files_from").help(
            "Files and folders with the benchmarks, in any format that PATH may have. Accepts several paths up to the next flag; \
             repeatable. A benchmark in a folder of PATH is not read as a part of it, and not written",
        ),
        "force" => arg.help(
            "Replace a file or an empty folder at --output, and an older list at --hits. A folder that is not empty is never \
             replaced",
        ),
        "dry_run" => arg.help("Write no corpus, and print the number of documents that would be written"),
        "drop_skipped" => {
            arg.help("Do not write documents that were not searched either: empty, binary or malformed")
        }
        _ => arg,
    }
}

impl Decontaminate {
    pub(crate) fn run(self) -> Result<ExitCode> {
        interrupt::signal_leaves(Left::Nothing);
        let rule = ContaminationSettings {
            min_run: self.min_run,
            min_whole: self.min_whole,
            coverage: Threshold::new(self.coverage)?,
            min_matched: self.min_matched,
            fields: self.against_field.clone(),
        };
        let mut settings = self.settings()?;
        let mut destination = CorpusDestination::new(&self.write, false)?;
        let places = [
            ("--output", "the clean corpus goes to", self.write.output.as_deref()),
            ("--hits", "the list of found benchmarks goes to", self.hits.as_deref()),
            ("--summary", "the summary goes to", self.summary.as_deref()),
        ];
        check_places(&places, &settings.input)?;
        // The check may create and remove a folder, so a signal waits for it.
        let checked = interrupt::uninterrupted(|| ContaminatedCorpus::check(&settings, &destination.write));
        checked.map_err(|error| destination.failure(error))?;
        // A dry run writes no corpus, but the list.
        let list_run = ListRun { dry_run: false, force: self.write.force, quiet: self.quiet };
        let hits_output = list_output(self.hits.as_deref(), &HITS, &mut settings.input.own_files, list_run)?;
        let open_summary = |path| summary_file(path, None, &mut settings.input.own_files, self.quiet);
        let summary_file = self.summary.as_deref().map(open_summary).transpose()?;
        let corpus = Reporter::watch(self.quiet, |reporter| find_contaminated(&settings, &rule, reporter))?;
        let contamination = corpus.contamination();
        for warning in
            messages::warnings(corpus.summary()).into_iter().chain(self.input.without_effect(corpus.summary()))
        {
            messages::line(&format!("dedup: warning: {warning}"));
        }
        let hits = |_: &Written, out: &mut (dyn Write + Send)| write_hits(&corpus, out);
        let mut lists = CorpusLists::new([(hits_output, &hits)]);
        let written = interrupt::cancelled_by_signals(|| {
            corpus.write(&destination.write, self.action, &mut |written| lists.write_files(written))
        });
        let written = written.map_err(|error| lists.failure(destination.failure(error)))?;
        destination.finish(&written)?;
        lists.finish(&written)?;
        if !self.quiet {
            messages::contamination(corpus.summary(), &contamination, settings.resources.threads.get())
                .iter()
                .for_each(|line| messages::line(line));
            destination.report("written", &written);
        }
        if let Some(file) = summary_file {
            let summary =
                DecontaminateSummary { scan: corpus.summary(), contamination: &contamination, decontaminate: &written };
            write_summary(file, &summary)?;
        }
        let errors = corpus.summary().errors + contamination.benchmark_errors + written.copied_whole.len() as u64;
        Ok(ExitCode::of(errors, self.exit_code && contamination.contaminated > 0))
    }

    fn settings(&self) -> Result<Settings> {
        let mut input = self.input.settings(Some(&self.against), &[], None, self.quiet)?;
        input.own_files = own_files([
            ("--files-from", self.input.files_from.as_deref()),
            ("--against-files-from", self.against.against_files_from.as_deref()),
        ]);
        InputFlags::refuse_unwritten(&input, true)?;
        self.input.keep_mail_quotes(&mut input);
        let mut settings = Settings { cancel: interrupt::cancel(), ..Settings::of(input) };
        settings.resources = self.resources.settings()?;
        if self.resources.threads.are_given() {
            settings.resources.threads = settings.useful_threads();
        }
        Ok(settings)
    }
}

/// Writes a line for each benchmark document that was found.
fn write_hits(corpus: &ContaminatedCorpus, out: &mut (dyn Write + Send)) -> dedup_scan::Result<()> {
    let mut lines = GatheredLines::default();
    corpus.for_each_benchmark(&mut |record| lines.push(record, out).map_err(Error::Output))?;
    lines.write(out).map_err(Error::Output)
}
