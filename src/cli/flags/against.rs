//! The flags of the second side of a comparison, and of old documents.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::base::{IndexError, shown};
use dedup_scan::documents::{PathGlob, StoredInput};
use dedup_scan::index::{check_index_reading, documents_of_index, index_settings};
use dedup_scan::{Error, Settings};

use crate::cli::messages::{Failure, Result, line};

/// The documents to compare with, on the other side.
#[derive(Debug, Args)]
pub(crate) struct AgainstFlags {
    /// Compare the documents of PATH with the documents of these paths, which may be indexes, and not with each other. Accepts
    /// several paths up to the next flag; repeatable. A file on both sides is a document on both
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

    /// The paths that are indexes, whose documents are read.
    ///
    /// # Errors
    /// When this version cannot read an index.
    pub(crate) fn indexes(&self) -> Result<Vec<StoredInput>> {
        let mut indexes = Vec::new();
        for path in self.against.iter().filter(|path| path.is_file()) {
            match index_settings(path) {
                Ok(_) => indexes.push(documents_of_index(path)),
                Err(error @ Error::Index(IndexError::OtherFormat { .. } | IndexError::Damaged { .. })) => {
                    return Err(error.into());
                }
                // A file that cannot be read is reported when it is read as a document.
                Err(_) => {}
            }
        }
        Ok(indexes)
    }

    /// The paths that are indexes this version can read, as seen from a folder.
    pub(crate) fn indexes_in(&self, folder: &Path) -> Vec<StoredInput> {
        let paths = self.against.iter().map(|path| folder.join(path));
        let indexes = paths.filter(|path| path.is_file() && index_settings(path).is_ok());
        indexes.map(|path| documents_of_index(&path)).collect()
    }
}

/// The indexes whose documents a run reads.
fn indexes_of(settings: &Settings) -> &[StoredInput] {
    settings.input.against.as_ref().map_or(&[], |against| &against.stored)
}

/// Checks that a run reads documents as the indexes did, and notes other settings that differ, and flags that do not apply to
/// the documents of an index.
///
/// * `of_files`: the given flags about files and records.
pub(super) fn check_indexes(settings: &Settings, of_files: &[&str], quiet: bool) -> Result<()> {
    for index in indexes_of(settings).iter().map(StoredInput::path) {
        if !of_files.is_empty() && !quiet {
            let (apply, index) =
                (if of_files.len() == 1 { "applies" } else { "apply" }, shown(&index.to_string_lossy()));
            line(&format!(
                "dedup: note: {}: {apply} to files and records, and not to the documents of the index {index}, which are compared as they were stored",
                of_files.join(", ")
            ));
        }
        if let Some([own, given]) = check_index_reading(index, settings)?.filter(|_| !quiet) {
            line(&format!(
                "dedup: note: {}: the index was made with {own}, and this run compares texts with {given}",
                shown(&index.to_string_lossy())
            ));
        }
    }
    Ok(())
}

/// Refuses a flag that needs more of a document than an index stores, if the run reads the documents of one.
///
/// * `what`: what is missing, and what to do instead.
pub(super) fn refuse_with_index(settings: &Settings, flag: &str, what: &str) -> Result<()> {
    if indexes_of(settings).is_empty() { Ok(()) } else { Err(Failure::of_flag(flag, what).and("--old")) }
}

/// The documents that are not compared with one another.
#[derive(Debug, Args)]
pub(crate) struct OldFlags {
    /// Old documents, such as last year's or a published archive: compared with the documents of PATH,
    /// which are compared with each other too, but not with one another. Accepts several paths up to the next flag, also
    /// indexes; repeatable. Files of PATH that are below an old path are old
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Input")]
    old: Vec<PathBuf>,
}

impl OldFlags {
    /// The old documents as the second side of a comparison; `None` without old documents.
    ///
    /// # Errors
    /// When other documents are missing.
    pub(crate) fn given(&self, new: &[PathBuf], new_list: Option<&Path>) -> Result<Option<AgainstFlags>> {
        if self.old.is_empty() {
            return Ok(None);
        }
        if new.is_empty() && new_list.is_none() {
            return Err(Failure::new(
                "PATH: missing, since --old accepts all paths up to the next flag; write the new documents before it: dedup PATH --old PATH",
            ));
        }
        let old = AgainstFlags {
            against: self.old.clone(),
            against_files_from: None,
            against_include: Vec::new(),
            against_exclude: Vec::new(),
            is_old: true,
        };
        Ok(Some(old))
    }
}
