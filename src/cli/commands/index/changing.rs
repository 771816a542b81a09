//! `dedup index add`, `remove` and `compact`: add documents to an index, remove them, and reclaim their space.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use dedup_scan::Error;
use dedup_scan::base::shown;
use dedup_scan::index::{AddSettings, Added, add_to_index, compact_index, names_in_index, remove_from_index};

use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{KnownFlags, ResultSettingsFlags, WaitFlags, for_using};
use crate::cli::interrupt::{Left, cancelled_by_signals, signal_leaves};
use crate::cli::messages::index::NAMED;
use crate::cli::messages::{self, Failure, Reporter, Result};

/// Add documents to an index
///
/// A document that the index already has under the same name with the same text is skipped, so the same command can be
/// run again. Batches of 100,000 documents or 64 MiB, or a sixteenth of --memory, are added completely or not at all.
#[derive(Debug, Args)]
#[command(mut_args(for_using), after_help = ExitCode::help(None))]
pub(crate) struct IndexAdd {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    flags: ResultSettingsFlags,

    #[command(flatten)]
    known: KnownFlags,

    #[command(flatten)]
    wait: WaitFlags,

    /// Print only errors and warnings on stderr, for records only the first 20 of a kind
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl IndexAdd {
    pub(crate) fn run(self, given: &[String]) -> Result<ExitCode> {
        let settings = self.flags.settings_for(&self.index, given, self.quiet)?;
        let add = AddSettings { index: self.index, known: self.known.known, wait: self.wait.duration() };
        let mut done = |batch: Added| {
            if !self.quiet {
                messages::line(&messages::index::added(batch));
            }
            Ok(())
        };
        signal_leaves(Left::Added);
        let add = || Reporter::watch(self.quiet, |reporter| add_to_index(&add, &settings, reporter, &mut done));
        let (_, summary) = cancelled_by_signals(add)?;
        self.flags.warn(&summary);
        Ok(if summary.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
    }
}

/// Remove documents from an index by their names
///
/// A text is removed with its last document. Names without a document are reported on stderr, and the exit code is 3.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexRemove {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// The names of documents
    #[arg(value_name = "NAME", required_unless_present_any = ["ids_from", "where_prefix"])]
    names: Vec<String>,

    /// Read more names from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Index")]
    ids_from: Option<PathBuf>,

    /// Remove all documents whose names begin with these characters, at least one
    #[arg(long, value_name = "PREFIX", value_parser = NonEmptyStringValueParser::new(), help_heading = "Index")]
    where_prefix: Option<String>,

    #[command(flatten)]
    wait: WaitFlags,

    /// Print only errors and warnings on stderr
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

impl IndexRemove {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut names: Vec<Vec<u8>> = self.names.iter().map(|name| name.as_bytes().to_vec()).collect();
        if let Some(path) = &self.ids_from {
            let list = read_list(path).map_err(|source| Error::FilesFrom { path: path.clone(), source })?;
            let lines = list.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            names.extend(lines.filter(|line| !line.is_empty()).map(<[u8]>::to_vec));
        }
        if let Some(prefix) = &self.where_prefix {
            names.extend(names_in_index(&self.index, prefix.as_bytes())?);
        }
        let (removed, unknown) = remove_from_index(&self.index, &names, self.wait.duration())?;
        for name in unknown.iter().take(NAMED) {
            let name = shown(&String::from_utf8_lossy(name)).to_string();
            messages::line(&format!("dedup: {name}: no such document in the index; dedup index list prints the names"));
        }
        if unknown.len() > NAMED {
            messages::line(&format!("dedup: {} more names are not in the index", unknown.len() - NAMED));
        }
        if !self.quiet {
            messages::line(&format!("removed    {removed}"));
        }
        Ok(if unknown.is_empty() { ExitCode::Complete } else { ExitCode::Incomplete })
    }
}

fn read_list(path: &Path) -> std::io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut list = Vec::new();
    std::io::stdin().lock().read_to_end(&mut list).map(|_| list)
}

/// Merge what was added into one sorted run, and free unused space
///
/// Queries are faster afterwards, and possible during the command.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexCompact {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    wait: WaitFlags,
}

impl IndexCompact {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let compact = |reporter: &Reporter| compact_index(&self.index, self.wait.duration(), reporter);
        Reporter::watch(false, compact).map_err(Failure::from)?;
        Ok(ExitCode::Complete)
    }
}
