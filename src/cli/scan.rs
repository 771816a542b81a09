//! `dedup scan`: flags to settings, pairs to stdout, the summary to stderr and to a file.

mod input;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use dedup::output::JsonLines;
use dedup::{
    Banding, Config, Error, InputConfig, Result, SignatureMethod, Summary, Threshold, find_duplicates, list_documents,
};

use self::input::InputFlags;
use super::ExitCode;
use super::banding::{Choice, recall_warning};
use super::groups::GroupFlags;
use super::interrupt::Uninterrupted;
use super::report::{self, Reporter};
use super::shingles::Shingles;
use super::templates::TemplateFlags;
use super::warnings::warnings;

/// Bytes of listed documents that are written at a time.
const LISTED_BYTES: usize = 1 << 16;

/// Print every pair of near-duplicate documents as one JSON line
#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// Least Jaccard similarity printed, inclusive, from 0 to 1 [default: 0.8]. Given without --bands and --rows, it
    /// also chooses these, for a recall of at least 95 %
    #[arg(long, value_name = "SIMILARITY", allow_negative_numbers = true, help_heading = "Method")]
    threshold: Option<f64>,

    /// Bands of a signature; more find more [default: 20]
    #[arg(long, help_heading = "Method")]
    bands: Option<usize>,

    /// Rows in a band; more leave fewer pairs to verify. Bands x rows is at most 4096 [default: 5]
    #[arg(long, help_heading = "Method")]
    rows: Option<usize>,

    /// How signatures are made: one universal hash function for each value, or Fast Similarity Sketching
    #[arg(long, value_enum, default_value_t = Signature::Classic, help_heading = "Method")]
    signature: Signature,

    /// Where the hash functions come from; the pairs found depend on it, their numbers do not
    #[arg(long, default_value_t = Config::DEFAULT_SEED, help_heading = "Method")]
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

    /// Print every document with its size and what became of it as one JSON line, and compare nothing
    #[arg(long, conflicts_with_all = ["summary", "exit_code", "collapse_exact"], help_heading = "Output")]
    list_documents: bool,

    /// Exit with 1 when any pair is found
    #[arg(long, help_heading = "Output")]
    exit_code: bool,

    /// Write the summary to a file, as one JSON object
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    /// No progress, summary or notes on stderr; errors and warnings stay
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    /// Worker threads [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", help_heading = "Resources")]
    threads: Option<usize>,

    /// Most memory for the shingle sets of candidates, such as 512MiB or 4GB; at least 16MiB. Less is slower and prints the
    /// same [default: a quarter of what the machine, its control group or `ulimit -v` allows]
    #[arg(long, value_name = "SIZE", help_heading = "Resources")]
    memory: Option<ByteSize>,
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
        self.run_against(Vec::new())
    }

    /// Compares the documents with those of `against` when there are any, and with each other when there are none.
    pub(crate) fn run_against(self, against: Vec<PathBuf>) -> Result<ExitCode> {
        let config = self.config(against)?;
        if self.list_documents {
            return self.list(&config);
        }
        let summary_file = self.summary.as_deref().map(SummaryFile::create).transpose()?;
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
        warn(&summary);
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

    fn list(&self, config: &Config) -> Result<ExitCode> {
        let reporter = Reporter::new(self.quiet);
        let mut stdout = Uninterrupted(raw_stdout().map_err(Error::Output)?);
        // Whole lines at a time, also when the run is interrupted.
        let mut lines = Vec::new();
        let listed = list_documents(config, &reporter, &mut |document| {
            serde_json::to_writer(&mut lines, document).expect("a Vec takes every line");
            lines.push(b'\n');
            if lines.len() < LISTED_BYTES {
                return Ok(());
            }
            let written = stdout.write_all(&lines);
            lines.clear();
            written.map_err(Error::Output)
        });
        reporter.end();
        let summary = listed?;
        stdout.write_all(&lines).map_err(Error::Output)?;
        warn(&summary);
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    fn config(&self, against: Vec<PathBuf>) -> Result<Config> {
        let threshold = self.threshold.map(Threshold::new).transpose()?;
        let choice = Choice::new(self.bands, self.rows, threshold, Banding::DEFAULT_HASHES)?;
        let memory_bytes = match self.memory {
            Some(memory) => Config::checked_memory_bytes(memory.as_u64())?,
            None => Config::default_memory_bytes(),
        };
        let mut config = Config {
            banding: choice.banding(),
            threshold: threshold.unwrap_or_default(),
            signature: match self.signature {
                Signature::Classic => SignatureMethod::Classic,
                Signature::Fast => SignatureMethod::Fast,
            },
            seed: self.seed,
            collapse_exact: self.collapse_exact,
            templates: self.templates.template.clone(),
            max_df: self.templates.max_df,
            within_groups: self.groups.within_groups,
            input: InputConfig {
                group_by: self.groups.group_by.clone(),
                ..self.input.config(against, &self.templates.template)?
            },
            ..Config::with_memory_bytes(memory_bytes)
        };
        self.shingles.apply(&mut config)?;
        if let Some(threads) = self.threads {
            config.threads = Config::checked_threads(threads)?;
        }
        Ok(config)
    }
}

fn warn(summary: &Summary) {
    for warning in warnings(summary) {
        report::line(&warning);
    }
}

/// Stdout without the line buffer of the standard library, which would copy every batch.
fn raw_stdout() -> io::Result<File> {
    #[cfg(unix)]
    let owned = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let owned = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(File::from(owned))
}

/// The file of `--summary`: tried before the work begins, so that a wrong path costs no run, and written at the end, so that
/// nothing is lost when there is none.
struct SummaryFile<'a> {
    path: &'a Path,
    /// Whether the trial made the file; then it goes again when the run fails.
    is_new: bool,
}

impl<'a> SummaryFile<'a> {
    fn create(path: &'a Path) -> Result<Self> {
        let is_new = !path.exists();
        File::options()
            .append(true)
            .create(true)
            .open(path)
            .map_err(|source| Error::Summary { path: path.to_owned(), source })?;
        Ok(Self { path, is_new })
    }

    fn write(mut self, summary: &Summary) -> Result<()> {
        self.is_new = false;
        let mut line = serde_json::to_vec(summary).expect("numbers and strings");
        line.push(b'\n');
        // Where the pairs went, perhaps by the name of /dev/stdout, the summary follows them.
        let is_stdout = raw_stdout().is_ok_and(|stdout| is_same_file(&stdout, self.path));
        let file = if is_stdout { raw_stdout() } else { File::create(self.path) };
        let written = file.and_then(|mut file| file.write_all(&line));
        written.map_err(|source| Error::Summary { path: self.path.to_owned(), source })
    }
}

impl Drop for SummaryFile<'_> {
    fn drop(&mut self) {
        if self.is_new {
            // It was empty; that it stays is a blemish, no failure.
            let _ = std::fs::remove_file(self.path);
        }
    }
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: &std::fs::Metadata| (metadata.dev(), metadata.ino());
    matches!((file.metadata(), std::fs::metadata(path)), (Ok(a), Ok(b)) if id(&a) == id(&b))
}

#[cfg(not(unix))]
fn is_same_file(_: &File, _: &Path) -> bool {
    false
}
