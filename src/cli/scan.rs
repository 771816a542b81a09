//! `dedup scan`: flags to settings, pairs to stdout, the summary to stderr and to a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use dedup::output::JsonLines;
use dedup::{
    Banding, Config, Error, InputConfig, InputFormat, PathGlob, Result, ShingleKind, SignatureMethod, Summary,
    Threshold, find_duplicates, read_path_list,
};

use super::ExitCode;
use super::banding::{Choice, recall_warning};
use super::groups::GroupFlags;
use super::interrupt::Uninterrupted;
use super::report::{self, Reporter};
use super::templates::TemplateFlags;

/// Print every pair of near-duplicate documents as one JSON line
#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// Files, folders and JSON Lines files (.jsonl, .ndjson); `-` is standard input
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<PathBuf>,

    /// Least Jaccard similarity printed, inclusive, from 0 to 1 [default: 0.8]. Given without --bands and --rows, it
    /// also chooses these, for a recall of at least 95 %
    #[arg(long, value_name = "SIMILARITY", allow_negative_numbers = true, help_heading = "Method")]
    threshold: Option<f64>,

    /// Tokens in a shingle [default: 9 characters or 5 words]
    #[arg(long, value_name = "TOKENS", help_heading = "Method")]
    k: Option<usize>,

    /// What a shingle is made of
    #[arg(long, value_enum, default_value_t = Shingle::Char, help_heading = "Method")]
    shingle: Shingle,

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
    groups: GroupFlags,

    #[command(flatten)]
    templates: TemplateFlags,

    /// How files are read: by extension, all as one text each, or all as JSON Lines
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Auto, help_heading = "Input")]
    input_format: Format,

    /// Field of a record that names it; records without it are named `file:line`
    #[arg(long, value_name = "NAME", default_value = "id", help_heading = "Input")]
    id_field: String,

    /// Field of a record that holds its text
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    text_field: String,

    /// Read more paths from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    files_from: Option<PathBuf>,

    /// The paths of --files-from are separated by NUL bytes, as by `find -print0`
    #[arg(short = '0', long, requires = "files_from", help_heading = "Input")]
    null: bool,

    /// Read only files that match; repeatable. Without `/` the file name is matched, else the path inside the folder
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    include: Vec<PathGlob>,

    /// Leave out files and folders that match; repeatable
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    exclude: Vec<PathGlob>,

    /// Read hidden files and folders too
    #[arg(long, help_heading = "Input")]
    hidden: bool,

    /// Follow symbolic links inside folders
    #[arg(long, help_heading = "Input")]
    follow: bool,

    /// Print each exact copy once, with the first document of its text, and other pairs between distinct texts only
    #[arg(long, help_heading = "Output")]
    collapse_exact: bool,

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
    /// same [default: a quarter of the machine's memory]
    #[arg(long, value_name = "SIZE", help_heading = "Resources")]
    memory: Option<ByteSize>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shingle {
    /// Unicode characters
    Char,
    /// Words by UAX #29
    Word,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Signature {
    /// The least value of each of bands x rows hash functions
    Classic,
    /// Fast Similarity Sketching: the same guarantees, one hash evaluation a shingle
    Fast,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// By extension
    Auto,
    /// One text a file
    Text,
    /// One document a line
    Jsonl,
}

impl Scan {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.run_against(Vec::new())
    }

    /// Compares the documents with those of `against` when there are any, and with each other when there are none.
    pub(crate) fn run_against(self, against: Vec<PathBuf>) -> Result<ExitCode> {
        let config = self.config(against)?;
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
        for warning in nothing_found(&summary) {
            report::line(&warning);
        }
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

    fn config(&self, against: Vec<PathBuf>) -> Result<Config> {
        let shingle_kind = match self.shingle {
            Shingle::Char => ShingleKind::Char,
            Shingle::Word => ShingleKind::Word,
        };
        let threshold = self.threshold.map(Threshold::new).transpose()?;
        let choice = Choice::new(self.bands, self.rows, threshold, Banding::DEFAULT_HASHES)?;
        let mut config = Config {
            shingle_kind,
            shingle_size: Config::checked_shingle_size(self.k.unwrap_or(shingle_kind.default_size()))?,
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
            input: self.input(against)?,
            ..Config::default()
        };
        if let Some(threads) = self.threads {
            config.threads = Config::checked_threads(threads)?;
        }
        if let Some(memory) = self.memory {
            config.memory_bytes = Config::checked_memory_bytes(memory.as_u64())?;
        }
        Ok(config)
    }

    fn input(&self, against: Vec<PathBuf>) -> Result<InputConfig> {
        let stdin = Path::new("-");
        let format = match self.input_format {
            Format::Auto => InputFormat::Auto,
            Format::Text => InputFormat::Text,
            Format::Jsonl => InputFormat::JsonLines,
        };
        let check_stdin = |listed: &[PathBuf]| {
            let num_sources = self
                .paths
                .iter()
                .chain(listed)
                .chain(&against)
                .chain(&self.templates.template)
                .filter(|path| *path == stdin)
                .count();
            if num_sources + usize::from(self.files_from.as_deref() == Some(stdin)) > 1 {
                return Err(Error::StdinTwice);
            }
            if num_sources > 0 && format == InputFormat::Auto { Err(Error::StdinFormat) } else { Ok(()) }
        };
        // Before standard input is read as a list, and again with what a list names.
        check_stdin(&[])?;
        let listed = self.files_from.as_deref().map(|list| read_path_list(list, self.null)).transpose()?;
        check_stdin(listed.as_deref().unwrap_or_default())?;
        Ok(InputConfig {
            paths: self.paths.clone(),
            listed: listed.unwrap_or_default(),
            against,
            format,
            id_field: self.id_field.clone(),
            text_field: self.text_field.clone(),
            group_by: self.groups.group_by.clone(),
            hidden: self.hidden,
            follow: self.follow,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
        })
    }
}

/// Warnings of a corpus, or a side of a comparison, without documents for which no problem was told.
fn nothing_found(summary: &Summary) -> Vec<String> {
    let warning =
        |which| format!("dedup: warning: no documents were found{which}; check the paths, --include and --exclude");
    if !summary.skipped.is_empty() {
        return Vec::new();
    }
    let Some(sides) = &summary.sides else {
        return (summary.documents == 0).then(|| warning("")).into_iter().collect();
    };
    let sides = [(sides.a, " to compare"), (sides.b, " to compare against")];
    sides.into_iter().filter(|(side, _)| side.documents == 0).map(|(_, which)| warning(which)).collect()
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
