//! `dedup scan`: flags to settings, pairs to stdout, the summary to stderr and to a file.

mod input;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dedup::banding::MAX_HASHES;
use dedup::output::{JsonLines, push_json};
use dedup::{
    Banding, Config, Error, InputConfig, OwnFiles, OwnUse, Result, SignatureMethod, Summary, Threshold,
    find_duplicates, list_documents, useful_threads,
};

use self::input::InputFlags;
use super::ExitCode;
use super::banding::{Choice, recall_warning};
use super::compare::AgainstFlags;
use super::groups::GroupFlags;
use super::interrupt::Uninterrupted;
use super::report::{self, Reporter};
use super::shingles::Shingles;
use super::streams::{raw_stderr, raw_stdout};
use super::summary_file::SummaryFile;
use super::templates::TemplateFlags;
use super::values::{similarity, size, whole};
use super::warnings::warnings;

/// Bytes of listed documents that are written at a time.
const LISTED_BYTES: usize = 1 << 16;

/// Print every pair of near-duplicate documents as one JSON line
#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// Least Jaccard similarity printed, inclusive, from 0 to 1 [default: 0.8]. Without --bands and --rows it also
    /// chooses these, for a recall of at least 95 %; 0.8 chooses 20 and 5
    #[arg(long, value_name = "SIMILARITY", value_parser = similarity, allow_negative_numbers = true, help_heading = "Method")]
    threshold: Option<f64>,

    /// Bands of a signature; more find more [default: 20]
    #[arg(long, value_parser = whole::<usize>(1..=MAX_HASHES as u64), allow_negative_numbers = true, help_heading = "Method")]
    bands: Option<usize>,

    /// Rows in a band; more leave fewer pairs to verify. Bands x rows is at most 4096 [default: 5]
    #[arg(long, value_parser = whole::<usize>(1..=MAX_HASHES as u64), allow_negative_numbers = true, help_heading = "Method")]
    rows: Option<usize>,

    /// How signatures are made: one universal hash function for each value, or Fast Similarity Sketching
    #[arg(long, value_enum, default_value_t = Signature::Classic, help_heading = "Method")]
    signature: Signature,

    /// Where the hash functions come from; the pairs found depend on it, their numbers do not
    #[arg(long, default_value_t = Config::DEFAULT_SEED, value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Method")]
    seed: u64,

    #[command(flatten)]
    shingles: Shingles,

    #[command(flatten)]
    groups: GroupFlags,

    #[command(flatten)]
    templates: TemplateFlags,

    #[command(flatten)]
    input: InputFlags,

    /// Print each exact copy once, with the first document of its text, and other pairs between distinct texts only
    #[arg(long, help_heading = "Output")]
    collapse_exact: bool,

    /// Add to each line where its documents come from, as source_a and source_b: the file, and in it the line or row
    #[arg(long, help_heading = "Output")]
    with_source: bool,

    /// Print every document with its size and what became of it as one JSON line, and compare nothing
    #[arg(long, conflicts_with_all = ["summary", "exit_code", "collapse_exact"], help_heading = "Output")]
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

    /// Worker threads; no more are started than there is work for [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=Config::MOST_THREADS as u64), allow_negative_numbers = true,
        help_heading = "Resources")]
    threads: Option<usize>,

    /// Most memory for the shingle sets of candidates, such as 512MiB or 4GB; at least 16MiB. Less is slower and prints the
    /// same [default: a quarter of what the machine, its control group or `ulimit -v` allows]
    #[arg(long, value_name = "SIZE", value_parser = size(Config::LEAST_MEMORY_BYTES..=1 << 60, "from 16MiB to 1EiB"),
        allow_negative_numbers = true, help_heading = "Resources")]
    memory: Option<u64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Signature {
    /// The least value of each of bands x rows hash functions
    Classic,
    /// Fast Similarity Sketching: the same guarantees, one hash evaluation a shingle
    Fast,
}

impl Scan {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.run_against(None)
    }

    /// Compares the documents with those of `against`, or with each other.
    pub(crate) fn run_against(self, against: Option<&AgainstFlags>) -> Result<ExitCode> {
        let mut config = self.config(against)?;
        if self.list_documents {
            return self.list(&config);
        }
        let open_summary = |path| SummaryFile::open(path, &mut config.input.own_files, self.quiet);
        let summary_file = self.summary.as_deref().map(open_summary).transpose()?;
        let reporter = Reporter::new(self.quiet);
        if let Some(warning) = recall_warning(config.banding, config.threshold) {
            reporter.line(&warning);
        }
        let mut output = JsonLines::new(Uninterrupted(raw_stdout().map_err(Error::Output)?));
        let summary = find_duplicates(&config, &reporter, &mut |documents, pairs| {
            output.write(documents, pairs).map_err(Error::Output)
        });
        reporter.end();
        let summary = summary?;
        self.warn(&summary);
        if !self.quiet {
            report::line(&report::summary(&summary, config.threads.get()));
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

    /// Of settings that came to nothing, whatever `--quiet` says.
    fn warn(&self, summary: &Summary) {
        for warning in warnings(summary).into_iter().chain(self.input.without_effect(summary)) {
            report::line(&format!("dedup: warning: {warning}"));
        }
    }

    fn list(&self, config: &Config) -> Result<ExitCode> {
        let reporter = Reporter::new(self.quiet);
        let mut stdout = Uninterrupted(raw_stdout().map_err(Error::Output)?);
        // Whole lines at a time, also when the run is interrupted.
        let mut lines = Vec::new();
        let summary = list_documents(config, &reporter, &mut |document| {
            push_json(&mut lines, document);
            lines.push(b'\n');
            if lines.len() < LISTED_BYTES {
                return Ok(());
            }
            let written = stdout.write_all(&lines);
            lines.clear();
            written.map_err(Error::Output)
        });
        reporter.end();
        // Also when nothing could be read.
        stdout.write_all(&lines).map_err(Error::Output)?;
        let summary = summary?;
        self.warn(&summary);
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    fn config(&self, against: Option<&AgainstFlags>) -> Result<Config> {
        let threshold = self.threshold.map(Threshold::new).transpose()?.unwrap_or_default();
        let choice = Choice::new(self.bands, self.rows, threshold, Banding::DEFAULT_HASHES)?;
        let memory_bytes = match self.memory {
            Some(memory) => Config::checked_memory_bytes(memory)?,
            None => Config::default_memory_bytes(),
        };
        let mut config = Config {
            banding: choice.banding(),
            threshold,
            signature: match self.signature {
                Signature::Classic => SignatureMethod::Classic,
                Signature::Fast => SignatureMethod::Fast,
            },
            seed: self.seed,
            collapse_exact: self.collapse_exact,
            with_source: self.with_source,
            templates: self.templates.template.clone(),
            max_df: self.templates.max_df,
            within_groups: self.groups.within_groups,
            input: InputConfig {
                group_by: self.groups.group_by.clone(),
                own_files: self.own_files(against),
                ..self.input.config(against, &self.templates.template, self.quiet)?
            },
            ..Config::with_memory_bytes(memory_bytes)
        };
        self.shingles.apply(&mut config)?;
        if let Some(threads) = self.threads {
            config.threads = Config::checked_threads(threads)?;
            config.threads = useful_threads(&config);
        }
        Ok(config)
    }
}

impl Scan {
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
