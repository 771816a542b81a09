//! The flags of `dedup compare` for its second side: which paths the documents are compared against.

use std::path::PathBuf;

use clap::Args;
use dedup_scan::PathGlob;

/// The flags of the second side.
#[derive(Debug, Args)]
pub(crate) struct AgainstFlags {
    /// What the documents of PATH are compared against, and not among themselves, up to the next flag; repeatable. Each
    /// side is a corpus of its own: a file on both sides is a document of both
    #[arg(long, value_name = "PATH", required_unless_present = "against_files_from", num_args = 1..,
        help_heading = "Input")]
    pub(crate) against: Vec<PathBuf>,

    /// Read more paths of --against from a file, as --files-from does for PATH
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) against_files_from: Option<PathBuf>,

    /// On the side of --against, read only files that match, in the place of --include; repeatable
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub(crate) against_include: Vec<PathGlob>,

    /// On the side of --against, leave out files and folders that match, in the place of --exclude; repeatable
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub(crate) against_exclude: Vec<PathGlob>,
}
