//! The flags of filters: the format of rows, and the parameters that both ends must share.

use std::fs::File;
use std::io::BufReader;

use clap::{Args, ValueEnum};
use dedup_scan::Settings;
use dedup_scan::exchange::{RowFormat, RowParams};

use crate::cli::interrupt::Uninterrupted;
use crate::cli::messages::{Failure, Result};
use crate::cli::streams::{raw_stdin, raw_stdout, stdin_is_open};

/// Number of bytes of rows that are read at a time.
const READ_BYTES: usize = 1 << 16;

/// The format of the rows that a filter reads and writes.
#[derive(Debug, Args)]
pub(crate) struct PipeFlags {
    /// Read rows from standard input and write rows to standard output, both in this format: a filter for other programs
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Rows")]
    pipe: Option<RowFormatFlag>,

    /// Stop unless the version and the settings are these: the string or the hash that `dedup params` prints
    #[arg(long, value_name = "STRING", help_heading = "Rows")]
    params: Option<String>,
}

/// The format of rows.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum RowFormatFlag {
    /// Fields separated by tabs; \\, \t, \n and \r represent a backslash, a tab and line ends in a text
    Tsv,
    /// A JSON object a line
    Jsonl,
    /// A stream of Arrow IPC
    Arrow,
}

impl PipeFlags {
    /// Whether `--pipe` is given.
    pub(crate) fn is_given(&self) -> bool {
        self.pipe.is_some()
    }

    /// The format of rows that `--pipe` chooses; TSV without `--pipe`.
    ///
    /// # Errors
    /// When this program was built without the format.
    pub(crate) fn format(&self) -> Result<RowFormat> {
        match self.pipe {
            None | Some(RowFormatFlag::Tsv) => Ok(RowFormat::Tsv),
            Some(RowFormatFlag::Jsonl) => Ok(RowFormat::JsonLines),
            #[cfg(feature = "arrow")]
            Some(RowFormatFlag::Arrow) => Ok(RowFormat::Arrow),
            #[cfg(not(feature = "arrow"))]
            Some(RowFormatFlag::Arrow) => Err(Failure::of_value(
                "--pipe",
                "arrow",
                "this program was built without the feature `arrow`; install a package of dedup, or build it with --features full",
            )),
        }
    }

    /// The format of rows that hold blocks of bytes.
    ///
    /// * `flag`: the flag that asks for blocks.
    ///
    /// # Errors
    /// When the format cannot hold bytes, or this program was built without it.
    pub(crate) fn format_of_blocks(&self, flag: &str) -> Result<RowFormat> {
        match self.format()? {
            RowFormat::JsonLines => Err(Failure::of_flag(
                flag,
                "a block consists of bytes, which JSON Lines cannot hold; use --pipe tsv or --pipe arrow",
            )),
            format => Ok(format),
        }
    }

    /// Refuses settings that differ from `--params`.
    pub(crate) fn check(&self, settings: &Settings) -> Result<()> {
        let own = RowParams::of(settings)?;
        Ok(self.params.as_deref().map_or(Ok(()), |wanted| own.check(wanted))?)
    }

    /// Refuses a version that differs from `--params`, for rows that do not depend on settings.
    pub(crate) fn check_version(&self) -> Result<()> {
        Ok(self.params.as_deref().map_or(Ok(()), RowParams::check_version)?)
    }

    /// Refuses flags that do not apply to a filter.
    ///
    /// * `given`: the ids of the flags on the command line.
    /// * `used`: the flags that the command uses in addition to the flags of filters.
    pub(crate) fn refuse_others(given: &[String], used: &[&str]) -> Result<()> {
        match other_flag(given, &[&["pipe", "params", "quiet", "no_config"], used]) {
            None => Ok(()),
            Some(flag) => {
                Err(Failure::of_flag(&flag, "does not apply to rows, which are read from standard input; remove it"))
            }
        }
    }

    /// Opens the standard input and output for rows.
    pub(crate) fn open() -> Result<(BufReader<File>, Uninterrupted<File>)> {
        if !stdin_is_open() {
            return Err(Failure::input_closed());
        }
        let input = raw_stdin().map_err(Failure::input)?;
        let output = raw_stdout().map_err(Failure::output)?;
        Ok((BufReader::with_capacity(READ_BYTES, input), Uninterrupted(output)))
    }
}

/// The first flag or argument on the command line that is not in a list, as users write it.
///
/// * `given`: the ids of the flags on the command line.
/// * `used`: lists of the ids that may be given.
pub(crate) fn other_flag(given: &[String], used: &[&[&str]]) -> Option<String> {
    let is_other = |id: &&String| !used.iter().any(|ids| ids.contains(&id.as_str()));
    let id = given.iter().find(is_other)?;
    Some(if id == "paths" { "PATH".to_owned() } else { format!("--{}", id.replace('_', "-")) })
}
