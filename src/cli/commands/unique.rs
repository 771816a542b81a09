//! `dedup unique`: flags to settings, the corpus without its duplicates to a file or folder, numbers to stderr.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::output::{RemovedRecord, push_json};
use dedup_scan::{Keep, Summary, UniqueCorpus, UniqueSettings, WriteSettings, Written, find_unique};
use serde::Serialize;
use tempfile::NamedTempFile;

use super::scan::{summary_file, write_summary};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{LinkageFlag, ResourceFlags, RunFlags};
use crate::cli::interrupt::{self, Uninterrupted};
use crate::cli::messages::{self, Failure, Reporter, Result};
use crate::cli::streams::{folder_of, raw_stdout};

/// Bytes of lines that are written at a time.
const LINE_BYTES: usize = 1 << 16;

/// Write the corpus without its duplicates, in the format in which it came
#[derive(Debug, Args)]
pub(crate) struct Unique {
    #[command(flatten)]
    run: RunFlags,

    /// Which document of a group stays: first, last (in document order), longest, shortest (by shingles), newest (by the
    /// time of its file), path-order (by name), max:FIELD, min:FIELD (by a field of the record) or matching:GLOB (its file
    /// matches). Ties go to the first
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Choice")]
    keep: Keep,

    /// What a group is, of which one document stays
    #[arg(long, value_enum, default_value_t = LinkageFlag::Star, help_heading = "Choice")]
    linkage: LinkageFlag,

    /// Where the corpus goes: a file when the only PATH is a file, else a folder. It appears when it is whole
    #[arg(short, long, value_name = "PATH", required_unless_present = "dry_run", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Write nothing, and print the numbers of what would be written
    #[arg(short = 'n', long, help_heading = "Output")]
    dry_run: bool,

    /// Replace what is at --output and --removed
    #[arg(long, help_heading = "Output")]
    force: bool,

    /// Leave out what was not compared too: what is empty, binary, malformed or left out by a flag such as --min-tokens
    #[arg(long, help_heading = "Output")]
    drop_skipped: bool,

    /// Make hard links of files that lose nothing, in place of copies
    #[arg(long, help_heading = "Output")]
    link: bool,

    /// Number files such as train-00002-of-00010.parquet anew, as many as remain
    #[arg(long, help_heading = "Output")]
    renumber: bool,

    /// Write a JSON line for each removed document, with what stands for it and their similarity; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    removed: Option<PathBuf>,

    /// Write the summary to a file, as one JSON object, when the run is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    /// No progress, summary or notes on stderr; errors and warnings stay
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// The summary of a run that writes a corpus.
#[derive(Serialize)]
struct UniqueSummary<'a> {
    #[serde(flatten)]
    scan: &'a Summary,
    unique: Written,
}

impl Unique {
    pub(crate) fn run(self) -> Result<ExitCode> {
        interrupt::output_is_whole_or_none();
        let mut settings = self.run.settings(None, &self.resources, self.quiet)?;
        settings.pairs.collapse_exact = true;
        let write = WriteSettings {
            output: self.output.clone().unwrap_or_default(),
            force: self.force,
            link: self.link,
            drop_skipped: self.drop_skipped,
            renumber: self.renumber,
            dry_run: self.dry_run,
        };
        let removed_file = self.removed_file()?;
        // A wrong place is better found before the run than behind it.
        UniqueCorpus::check(&settings, &write)?;
        let open_summary = |path| summary_file(path, None, &mut settings.input.own_files, self.quiet);
        let summary_file = self.summary.as_deref().map(open_summary).transpose()?;
        self.run.warn_of_banding()?;
        let choice = UniqueSettings { keep: self.keep.clone(), linkage: self.linkage.into() };
        let corpus = Reporter::watch(self.quiet, |reporter| find_unique(&settings, &choice, reporter))?;
        let summary = corpus.summary();
        self.run.warn(summary);
        let written = interrupt::cancelled_by_signals(|| corpus.write(&write))?;
        match removed_file {
            None => {}
            Some(RemovedFile::Stdout) => {
                let stdout = raw_stdout().map_err(Failure::output)?;
                write_removed(&corpus, &mut Uninterrupted(stdout)).map_err(Failure::output)?;
            }
            Some(RemovedFile::File(path)) => {
                let write = || {
                    let mut file = beside(&path)?;
                    write_removed(&corpus, &mut file)?;
                    file.as_file().sync_all()?;
                    file.persist(&path).map(drop).map_err(|failed| failed.error)
                };
                interrupt::uninterrupted(write).map_err(|source| Failure::Removed { path, source })?;
            }
        }
        if !self.quiet {
            messages::line(&messages::summary(summary, settings.resources.threads.get()));
            messages::line(&messages::written(&written, self.dry_run));
        }
        if let Some(file) = summary_file {
            write_summary(file, &UniqueSummary { scan: summary, unique: written })?;
        }
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    /// Where the removed documents are listed. A file is written beside its place, and takes its name at the end.
    fn removed_file(&self) -> Result<Option<RemovedFile>> {
        let Some(path) = &self.removed else { return Ok(None) };
        if path == Path::new("-") {
            return Ok(Some(RemovedFile::Stdout));
        }
        if self.dry_run {
            return Err(Failure::RemovedDryRun);
        }
        if path.symlink_metadata().is_ok() && !(self.force && is_list(path)) {
            return Err(Failure::RemovedTaken { path: path.clone() });
        }
        // The temporary file is removed at once, so that no interrupt can leave it behind.
        beside(path).map_err(|source| Failure::Removed { path: path.clone(), source })?;
        Ok(Some(RemovedFile::File(path.clone())))
    }
}

/// A temporary file in the folder of `path`, with the permissions of any new file.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dedup-removed-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path))
}

enum RemovedFile {
    Stdout,
    File(PathBuf),
}

/// Whether a file is a list of an earlier run, or empty.
fn is_list(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|list| list.is_empty() || list.starts_with(b"{\"removed\":"))
}

fn write_removed(corpus: &UniqueCorpus, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Vec::new();
    for joined in corpus.removed() {
        push_json(&mut lines, &RemovedRecord::new(corpus.documents(), joined));
        lines.push(b'\n');
        if lines.len() >= LINE_BYTES {
            out.write_all(&lines)?;
            lines.clear();
        }
    }
    out.write_all(&lines)
}
