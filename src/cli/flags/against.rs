//! The flags of `dedup compare` for the second side of the comparison.

use std::path::PathBuf;

use clap::Args;
use dedup_scan::documents::PathGlob;

/// The documents to compare with, on the other side.
#[derive(Debug, Args)]
pub(crate) struct AgainstFlags {
    /// Compare the documents of PATH with the documents of these paths, and not with each other. Accepts several paths
    /// up to the next flag; repeatable. A file on both sides is a document on both
    #[arg(long, value_name = "PATH", num_args = 1..,
        help_heading = "Input")]
    pub(crate) against: Vec<PathBuf>,

    /// Read more paths of --against from a file, as --files-from does for PATH
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) against_files_from: Option<PathBuf>,

    /// Read only files that match on the side of --against, instead of --include; repeatable
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub(crate) against_include: Vec<PathGlob>,

    /// Skip files and folders that match on the side of --against, instead of --exclude; repeatable
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub(crate) against_exclude: Vec<PathGlob>,
}

impl AgainstFlags {
    /// These flags, if there is anything to compare with.
    pub(crate) fn given(&self) -> Option<&Self> {
        Some(self).filter(|_| !self.against.is_empty() || self.against_files_from.is_some())
    }
}
