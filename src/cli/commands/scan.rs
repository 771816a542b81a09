//! `dedup scan`: flags to settings, pairs to stdout, the summary to stderr and to a file.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dedup_scan::output::{DocumentRecord, JsonLines, push_json};
use dedup_scan::passages::LocatedPassages;
use dedup_scan::{
    Documents, DuplicatePair, Error, InputSettings, OwnFiles, OwnUse, PairSettings, Settings, Summary, find_duplicates,
    find_passages, list_documents,
};

use super::summary_file::SummaryFile;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{
    AgainstFlags, GroupFlags, InputFlags, MethodFlags, PassageFlags, RemovalFlags, ResourceFlags, ShingleFlags,
};
use crate::cli::interrupt::{self, Uninterrupted};
use crate::cli::messages::{self, Failure, Reporter, Result, warnings};
use crate::cli::streams::{raw_stderr, raw_stdout};

/// Bytes of listed documents that are written at a time.
const LISTED_BYTES: usize = 1 << 16;

/// Print every pair of near-duplicate documents as one JSON line
#[derive(Debug, Args)]
pub(crate) struct Scan {
    #[command(flatten)]
    method: MethodFlags,

    #[command(flatten)]
    shingles: ShingleFlags,

    #[command(flatten)]
    groups: GroupFlags,

    #[command(flatten)]
    removal: RemovalFlags,

    #[command(flatten)]
    passages: PassageFlags,

    #[command(flatten)]
    input: InputFlags,

    /// Print each exact copy once, with the first document of its text, and other pairs between distinct texts only
    #[arg(long, help_heading = "Output")]
    collapse_exact: bool,

    /// Add to each line where its documents come from, as source_a and source_b: the file, and in it the line or row
    #[arg(long, help_heading = "Output")]
    with_source: bool,

    /// Print every document with its size and what became of it as one JSON line, and compare nothing
    #[arg(long, conflicts_with_all = ["summary", "exit_code", "collapse_exact", "passages"], help_heading = "Output")]
    list_documents: bool,

    /// Exit with 1 when any pair is found
    #[arg(long, help_heading = "Output")]
    exit_code: bool,

    /// Write the summary to a file, as one JSON object, when the run is complete. A file that is there is replaced, also one that
    /// flags such as --exclude leave out, but none that the run reads or writes otherwise
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    /// No progress, summary or notes on stderr; errors and warnings stay
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    resources: ResourceFlags,
}

impl Scan {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.run_against(None)
    }

    /// Compares the documents with those of `against`, or with each other.
    pub(crate) fn run_against(self, against: Option<&AgainstFlags>) -> Result<ExitCode> {
        let mut settings = self.settings(against)?;
        let passages = self.passages.settings(settings.shingles.kind())?;
        if self.list_documents {
            return self.list(&settings);
        }
        let open_summary = |path| SummaryFile::open(path, &mut settings.input.own_files, self.quiet);
        let summary_file = self.summary.as_deref().map(open_summary).transpose()?;
        if let Some(warning) = self.method.banding()?.warning() {
            messages::line(&warning);
        }
        let mut output = JsonLines::new(Uninterrupted(raw_stdout().map_err(Failure::output)?));
        let mut sink = |documents: &Documents, pairs: &[DuplicatePair], passages: &[Option<LocatedPassages>]| {
            output.write_passages(documents, pairs, passages).map_err(Error::Output)
        };
        let summary = Reporter::watch(self.quiet, |reporter| match passages {
            Some(passages) => find_passages(&settings, passages, reporter, &mut sink),
            None => find_duplicates(&settings, reporter, &mut |documents, pairs| sink(documents, pairs, &[])),
        })?;
        self.warn(&summary);
        if !self.quiet {
            messages::line(&messages::summary(&summary, settings.resources.threads.get()));
        }
        if let Some(file) = summary_file {
            file.write(&summary)?;
        }
        Ok(if summary.errors > 0 {
            ExitCode::Incomplete
        } else if self.exit_code && summary.pairs > 0 {
            ExitCode::PairsFound
        } else {
            ExitCode::Complete
        })
    }

    /// Warns of settings that had no effect, also with `--quiet`.
    fn warn(&self, summary: &Summary) {
        for warning in warnings(summary).into_iter().chain(self.input.without_effect(summary)) {
            messages::line(&format!("dedup: warning: {warning}"));
        }
    }

    fn list(&self, settings: &Settings) -> Result<ExitCode> {
        let mut stdout = Uninterrupted(raw_stdout().map_err(Failure::output)?);
        // Written in whole lines, so that an interrupt leaves none incomplete.
        let mut lines = Vec::new();
        let mut sink = |document: &DocumentRecord| {
            push_json(&mut lines, document);
            lines.push(b'\n');
            if lines.len() < LISTED_BYTES {
                return Ok(());
            }
            let written = stdout.write_all(&lines);
            lines.clear();
            written.map_err(Error::Output)
        };
        let summary = Reporter::watch(self.quiet, |reporter| list_documents(settings, reporter, &mut sink));
        // The lines are written also when the run fails, as when nothing could be read.
        stdout.write_all(&lines).map_err(Failure::output)?;
        let summary = summary?;
        self.warn(&summary);
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    fn settings(&self, against: Option<&AgainstFlags>) -> Result<Settings> {
        let mut settings = Settings {
            pairs: PairSettings { threshold: self.method.threshold()?, collapse_exact: self.collapse_exact },
            banding: self.method.banding()?.banding(),
            signature: self.method.signature(),
            resources: self.resources.settings()?,
            removal: self.removal.settings(),
            input: InputSettings {
                groups: self.groups.settings(),
                with_source: self.with_source,
                own_files: self.own_files(against),
                ..self.input.settings(against, &self.removal.template, self.quiet)?
            },
            shingles: self.shingles.settings()?,
            normalization: self.shingles.normalization()?,
            cancel: interrupt::cancel(),
        };
        if self.resources.threads.is_some() {
            settings.resources.threads = settings.useful_threads();
        }
        Ok(settings)
    }

    /// The files behind the standard streams, and the lists.
    fn own_files(&self, against: Option<&AgainstFlags>) -> OwnFiles {
        let lists = [
            ("--files-from", self.input.files_from.as_deref()),
            ("--against-files-from", against.and_then(|against| against.against_files_from.as_deref())),
            ("--stopwords", self.shingles.stopwords.as_deref()),
        ];
        let lists = lists.into_iter().filter_map(|(flag, list)| Some((list?.metadata(), OwnUse::List(flag))));
        let streams = [(raw_stdout(), OwnUse::Output), (raw_stderr(), OwnUse::Messages)];
        let streams = streams.into_iter().map(|(stream, own)| (stream.and_then(|stream| stream.metadata()), own));
        let mut own_files = OwnFiles::default();
        for (metadata, own) in streams.chain(lists) {
            if let Ok(metadata) = metadata {
                own_files.add(&metadata, own);
            }
        }
        own_files
    }
}
