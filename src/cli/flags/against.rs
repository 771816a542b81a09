//! The flags of the second side of a comparison, and of old documents.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::base::shown;
use dedup_scan::documents::PathGlob;
use dedup_scan::index::index_settings;

use crate::cli::messages::{Failure, Result};

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

    /// Whether these are the paths of `--old`.
    #[arg(skip)]
    pub(crate) is_old: bool,
}

impl AgainstFlags {
    /// These flags, if there is anything to compare with.
    pub(crate) fn given(&self) -> Option<&Self> {
        Some(self).filter(|_| !self.against.is_empty() || self.against_files_from.is_some())
    }
}

/// The documents that are not compared with one another.
#[derive(Debug, Args)]
pub(crate) struct OldFlags {
    /// Old documents, such as last year's or a published archive: compared with the documents of PATH,
    /// which are compared with each other too, but not with one another. Accepts several paths up to the next flag;
    /// repeatable. Files of PATH that are below an old path are old
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Input")]
    old: Vec<PathBuf>,
}

impl OldFlags {
    /// The old documents as the second side of a comparison; `None` without old documents.
    ///
    /// # Errors
    /// When other documents are missing, and when an old path is an index.
    pub(crate) fn given(&self, new: &[PathBuf], new_list: Option<&Path>) -> Result<Option<AgainstFlags>> {
        if self.old.is_empty() {
            return Ok(None);
        }
        if new.is_empty() && new_list.is_none() {
            return Err(Failure::new(
                "PATH: missing, since --old accepts all paths up to the next flag; write the new documents before it: dedup PATH --old PATH",
            ));
        }
        if let Some(index) = self.old.iter().find(|path| path.is_file() && index_settings(path).is_ok()) {
            let index = shown(&index.to_string_lossy());
            let new = new.first().map_or_else(|| "PATH".to_owned(), |new| shown(&new.to_string_lossy()));
            return Err(Failure::of_value(
                "--old",
                &index,
                format!(
                    "is an index, whose documents are found by queries; write dedup query {index} {new}, and dedup scan {new} for pairs of new documents"
                ),
            ));
        }
        Ok(Some(AgainstFlags {
            against: self.old.clone(),
            against_files_from: None,
            against_include: Vec::new(),
            against_exclude: Vec::new(),
            is_old: true,
        }))
    }
}
