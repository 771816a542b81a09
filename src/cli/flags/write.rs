//! `WriteFlags`: where and how a clean corpus is written, for the commands that write one.

use std::path::PathBuf;

use clap::Args;

/// The place of a clean corpus, and the treatment of files.
#[derive(Debug, Args)]
pub(crate) struct WriteFlags {
    /// Write the corpus to PATH when it is complete: a file if the only input is a file, otherwise a folder; `-` is standard
    /// output, for one file. A name such as clean.parquet or clean.csv.gz writes the records of all inputs to one file of this
    /// format
    #[arg(short, long, value_name = "PATH", required_unless_present = "dry_run", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write nothing, and print the number of documents that would be written
    #[arg(short = 'n', long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Replace a file or an empty folder at --output, and an older list at --removed. A folder that is not empty is
    /// never replaced
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// Do not write documents that were not compared either: empty, binary, malformed or skipped by a flag such as
    /// --min-tokens
    #[arg(long, help_heading = "Output")]
    pub(crate) drop_skipped: bool,

    /// Make hard links instead of copies of files that lose nothing
    #[arg(long, help_heading = "Output")]
    pub(crate) link: bool,

    /// Renumber files such as train-00002-of-00010.parquet by the number that remains
    #[arg(long, help_heading = "Output")]
    pub(crate) renumber: bool,
}
