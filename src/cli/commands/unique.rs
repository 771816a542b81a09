//! `dedup unique`: writes the corpus without its duplicates to a file or folder, and the numbers to stderr.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Arg, Args};
use dedup_scan::base::{CorpusError, shown};
use dedup_scan::documents::{OwnFiles, OwnUse};
use dedup_scan::records::{RemovedRecord, push_json};
use dedup_scan::results::{PairFilter, SavedResult};
use dedup_scan::unique::{CopiedWhole, StandIn, UniqueCorpus, Written, find_unique_saved};
use dedup_scan::{Error, InputSettings, Settings, Summary, WriteSettings, find_unique};
use serde::Serialize;
use tempfile::TempDir;

use super::destination::LINE_BYTES;
use super::replaced_file::{REMOVED, ReplacedFile, same_place};
use super::summary::{summary_file, write_summary};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{ChoiceFlags, ResourceFlags, RunFlags};
use crate::cli::interrupt::{self, Left};
use crate::cli::messages::{self, Failure, Reporter, Result};
use crate::cli::registry::FlagEntry;
use crate::cli::stream_writer::{StreamWriter, count_output};
use crate::cli::streams::{folder_of, raw_stdout};

/// Write a corpus without its duplicates, in the format of the input
#[derive(Debug, Args)]
#[command(mut_args(not_of_the_method), after_help = ExitCode::help(None))]
pub(crate) struct Unique {
    #[command(flatten)]
    run: RunFlags,

    #[command(flatten)]
    choice: ChoiceFlags,

    /// Use the pairs of a saved result, a folder of --save, instead of a run. PATHs and input flags must be the same as
    /// in that run; --threshold, --coverage and --min-matched exclude pairs
    #[arg(long, value_name = "DIR", help_heading = "Choice")]
    from: Option<PathBuf>,

    /// Where the corpus is written, when it is complete: a file if the only PATH is a file, otherwise a folder; `-` is standard
    /// output, for one file. A name such as clean.parquet or clean.csv.gz writes the records of all PATHs to one file of this
    /// format
    #[arg(short, long, value_name = "PATH", required_unless_present = "dry_run", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Write nothing, and print the number of documents that would be written
    #[arg(short = 'n', long, help_heading = "Output")]
    dry_run: bool,

    /// Replace a file or an empty folder at --output, and an older list at --removed. A folder that is not empty is
    /// never replaced
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Do not write documents that were not compared either: empty, binary, malformed or skipped by a flag such as
    /// --min-tokens
    #[arg(long, help_heading = "Output")]
    drop_skipped: bool,

    /// Make hard links instead of copies of files that lose nothing
    #[arg(long, help_heading = "Output")]
    link: bool,

    /// Renumber files such as train-00002-of-00010.parquet by the number that remains
    #[arg(long, help_heading = "Output")]
    renumber: bool,

    /// Write a JSON line for each removed document, with the document that is kept and their similarity; `-` is
    /// standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,

    /// Write the summary to a file as one JSON object, when the run is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    /// Report all numbers of the run on stderr: candidates, memory, seconds by stage
    #[arg(long, help_heading = "Output")]
    stats: bool,

    /// Print only errors and warnings on stderr, for records only the first 20 of a kind
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// The number of side files that are reported one by one.
const MOST_SIDE_FILES: usize = 20;

/// The summary of a run that writes a corpus.
#[derive(Serialize)]
struct UniqueSummary<'a> {
    #[serde(flatten)]
    scan: Option<&'a Summary>,
    unique: &'a Written,
}

/// Makes flags that control the search for pairs exclude `--from`, which brings its own pairs.
fn not_of_the_method(arg: Arg) -> Arg {
    let is_of_it =
        matches!(arg.get_help_heading(), Some("Method" | "Matching" | "Passages" | "Shingles" | "Folding" | "Pairs"));
    if is_of_it && !FlagEntry::of(arg.get_id().as_str()).filters_result { arg.conflicts_with("from") } else { arg }
}

impl Unique {
    pub(crate) fn run(mut self) -> Result<ExitCode> {
        interrupt::signal_leaves(Left::Nothing);
        let filter = self.from.is_some().then(|| self.run.take_filter()).transpose()?;
        let mut settings = self.run.settings(None, &self.resources, self.quiet)?;
        self.run.check_passages(&settings)?;
        if self.from.is_none() {
            self.run.input.keep_mail_quotes(&mut settings.input);
        }
        settings.pairs.collapse_exact = true;
        let to_stdout = self.stdout_folder()?;
        let output = match &to_stdout {
            Some(folder) => folder.path().join("-"),
            None => self.output.clone().unwrap_or_default(),
        };
        let write = WriteSettings {
            output,
            one_file: to_stdout.is_some(),
            force: self.force,
            link: self.link,
            drop_skipped: self.drop_skipped,
            renumber: self.renumber,
            dry_run: self.dry_run,
        };
        self.check_places(&settings.input)?;
        let removed_output = self.removed_output(&mut settings.input.own_files)?;
        // The check reports a wrong destination before the run. It creates and removes a folder, so a signal waits for
        // it.
        interrupt::uninterrupted(|| UniqueCorpus::check(&settings, &write))?;
        let open_summary = |path| summary_file(path, None, &mut settings.input.own_files, self.quiet);
        let summary_file = self.summary.as_deref().map(open_summary).transpose()?;
        let (corpus, errors) = self.find(&mut settings, filter)?;
        for warning in messages::hardly_covered(&corpus).into_iter().chain(messages::without_value(&corpus)) {
            messages::line(&format!("dedup: warning: {warning}"));
        }
        let summary = corpus.summary();
        let written = interrupt::cancelled_by_signals(|| corpus.write(&write))?;
        interrupt::signal_leaves(Left::Part);
        for path in written.side_files.iter().take(MOST_SIDE_FILES) {
            let path = shown(&path.to_string_lossy());
            messages::line(&format!(
                "dedup: warning: {path}: describes a file that changes; not written, make it again"
            ));
        }
        if written.side_files.len() > MOST_SIDE_FILES {
            let more = written.side_files.len() - MOST_SIDE_FILES;
            messages::line(&format!("dedup: warning: {more} more files that describe files that change; not written"));
        }
        if let Some(folder) = to_stdout.filter(|_| !self.dry_run) {
            // The file is unlinked, so it disappears even if the program is killed.
            let mut file = File::open(&write.output).map_err(Failure::output)?;
            drop(folder);
            let stdout = raw_stdout().map_err(Failure::output)?;
            io::copy(&mut file, &mut StreamWriter::new(stdout)).map_err(Failure::output)?;
        }
        messages::copied_whole(&written).iter().for_each(|line| messages::line(line));
        let errors = errors + written.copied_whole.len() as u64;
        match removed_output {
            None => {}
            Some(RemovedOutput::Stdout) => {
                // The corpus, which is another output, is complete here.
                count_output();
                let stdout = raw_stdout().map_err(Failure::output)?;
                write_removed(&corpus, &written, &mut StreamWriter::new(stdout)).map_err(Failure::output)?;
            }
            Some(RemovedOutput::File(mut file)) => {
                write_removed(&corpus, &written, &mut file).map_err(|source| file.failure(source))?;
                file.finish()?;
            }
        }
        if !self.quiet {
            if let Some(summary) = summary {
                messages::line(&messages::summary_without_copies(
                    summary,
                    settings.resources.threads.get(),
                    self.stats,
                ));
            }
            messages::line(&messages::written(&written, self.dry_run));
            if !self.dry_run && !write.one_file {
                messages::wrote(&write.output, &messages::counted(written.files, "file"), written.bytes);
            }
        }
        if let Some(file) = summary_file {
            write_summary(file, &UniqueSummary { scan: summary, unique: &written })?;
        }
        Ok(if errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    /// Finds the duplicates, or reads them from a saved result. Also returns the number of inputs that could not be
    /// used because of an error.
    ///
    /// * `filter`: the filter for the pairs of a saved result.
    fn find(&self, settings: &mut Settings, filter: Option<PairFilter>) -> Result<(UniqueCorpus, u64)> {
        let choice = self.choice.settings();
        let (Some(from), Some(filter)) = (&self.from, filter) else {
            self.run.warn_of_banding()?;
            let corpus = Reporter::watch(self.quiet, |reporter| find_unique(settings, &choice, reporter))?;
            let summary = corpus.summary().expect("of a run");
            self.run.warn(summary);
            let errors = summary.errors;
            return Ok((corpus, errors));
        };
        for file in SavedResult::files_of(from) {
            // A result may lie in a folder that is an input.
            if let Ok(metadata) = fs::metadata(file) {
                settings.input.own_files.add(&metadata, OwnUse::List("--from"));
            }
        }
        let find = |reporter: &Reporter| find_unique_saved(settings, from, &choice, filter, reporter);
        Ok(Reporter::watch(self.quiet, find)?)
    }

    /// The temporary folder for a corpus that goes to standard output when it is complete.
    fn stdout_folder(&self) -> Result<Option<TempDir>> {
        if self.output.as_deref() != Some(Path::new("-")) {
            return Ok(None);
        }
        tempfile::Builder::new().prefix("dedup-unique-").tempdir().map(Some).map_err(Failure::output)
    }

    /// Refuses two flags with the same file, and a list in a folder that is an input, which the next run would read.
    fn check_places(&self, input: &InputSettings) -> Result<()> {
        let places = [
            ("--output", "the clean corpus goes to", self.output.as_deref()),
            ("--removed", "the list of removed documents goes to", self.removed.as_deref()),
            ("--summary", "the summary goes to", self.summary.as_deref()),
        ];
        let given: Vec<_> = places.into_iter().filter_map(|(flag, what, path)| Some((flag, what, path?))).collect();
        for (at, &(flag, _, path)) in given.iter().enumerate() {
            for &(_, what, other) in &given[..at] {
                if same_place(&place_of(path), &place_of(other)) {
                    return Err(Failure::file_taken(flag, path, &format!("what {what}")));
                }
            }
        }
        let folders = || input.paths.iter().chain(&input.listed).filter(|path| path.is_dir());
        for path in [&self.removed, &self.summary].into_iter().flatten().filter(|path| *path != Path::new("-")) {
            let place = place_of(path);
            let is_around = |folder: &&PathBuf| folder.canonicalize().is_ok_and(|folder| place.starts_with(folder));
            if let Some(folder) = folders().find(is_around) {
                return Err(Error::Corpus(CorpusError::Overlaps { inner: path.clone(), outer: folder.clone() }).into());
            }
        }
        Ok(())
    }

    /// The destination of the list of removed documents. An older list that is replaced is not an input.
    fn removed_output(&self, own_files: &mut OwnFiles) -> Result<Option<RemovedOutput<'_>>> {
        let Some(path) = &self.removed else { return Ok(None) };
        if path == Path::new("-") {
            return Ok(Some(RemovedOutput::Stdout));
        }
        if self.dry_run {
            return Err(Failure::new("--removed: --dry-run writes no file; give --removed - to print the list"));
        }
        if path.metadata().is_ok_and(|found| found.is_file()) && !(self.force && is_list(path)) {
            return Err(Failure::new(format!(
                "{}: already exists; choose another file for --removed, or give --force to replace an older list",
                shown(&path.to_string_lossy())
            )));
        }
        Ok(Some(RemovedOutput::File(ReplacedFile::open(path, &REMOVED, own_files, self.quiet)?)))
    }
}

/// The canonical path of a file that may not exist yet.
fn place_of(path: &Path) -> PathBuf {
    let folder = folder_of(path).canonicalize();
    path.canonicalize()
        .or_else(|_| folder.map(|folder| folder.join(path.file_name().unwrap_or_default())))
        .unwrap_or_else(|_| path.to_owned())
}

enum RemovedOutput<'a> {
    Stdout,
    File(ReplacedFile<'a>),
}

/// Whether a file is empty, or is a list that an earlier run wrote.
fn is_list(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|list| list.is_empty() || list.starts_with(b"{\"removed\":"))
}

fn write_removed(corpus: &UniqueCorpus, written: &Written, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Vec::new();
    for (at, &StandIn { document, by, similarity }) in corpus.removed().iter().enumerate() {
        let stays = |copied: &CopiedWhole| {
            let origin = corpus.documents().origin(document).expect("a corpus keeps where documents come from");
            copied.holds(origin.file)
        };
        if written.copied_whole.iter().any(stays) {
            continue;
        }
        let coverages = corpus.coverages().get(at).copied().flatten();
        push_json(&mut lines, &RemovedRecord::new(corpus.documents(), document, by, similarity, coverages));
        lines.push(b'\n');
        if lines.len() >= LINE_BYTES {
            out.write_all(&lines)?;
            lines.clear();
        }
    }
    out.write_all(&lines)
}
