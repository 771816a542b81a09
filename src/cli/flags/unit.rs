//! The flag that joins files to documents.

use clap::Args;
use dedup_scan::documents::{GroupBy, UnitBy};
use dedup_scan::text::Weighting;
use dedup_scan::{Settings, ShingleKind};

use super::against::refuse_with_index;
use crate::cli::messages::{Failure, Result};

/// The files that are one document.
#[derive(Debug, Args)]
pub(crate) struct UnitFlags {
    /// Compare folders, archives or people instead of single files: all files with the same KEY are one document, and no
    /// shingle contains text of two files. KEY is `dir:DEPTH`, the first DEPTH folders below PATH, in an archive too;
    /// `dir`, the folder; `path`, the PATH itself, as in `dedup students/* --unit path`; `archive`, the archive;
    /// `field:NAME`, a field of the record; `moodle` or `canvas`, the person in the names of these systems; or a regular
    /// expression for the name of a file, as for --group-by. Any other file is a document
    #[arg(long, value_name = "KEY", help_heading = "Input")]
    unit: Option<UnitBy>,
}

impl UnitFlags {
    /// Whether files are joined.
    pub(crate) fn is_given(&self) -> bool {
        self.unit.is_some()
    }

    /// Sets the rule that joins files.
    ///
    /// * `group_by`: the groups of the documents, and the flag that gives them.
    ///
    /// # Errors
    /// When the settings compare something that has no files, or group by a property of single files.
    pub(crate) fn apply(&self, settings: &mut Settings, group_by: Option<(&GroupBy, &str)>) -> Result<()> {
        settings.input.unit.clone_from(&self.unit);
        if self.unit.is_none() {
            return Ok(());
        }
        if settings.shingles.kind() == ShingleKind::Set {
            return Err(Failure::of_flag(
                "--unit",
                "joins texts, and the documents are sets (--shingle set); remove the flag",
            )
            .and("--shingle"));
        }
        refuse_with_index(
            settings,
            "--unit",
            "joins files, and the documents of an index are not files; give the files of the index to --old, or remove the flag",
        )?;
        if matches!(settings.weights, Some(Weighting::Tokens(_))) {
            return Err(Failure::of_flag(
                "--unit",
                "cannot be used with weights of tokens; use --weights idf, or remove the flag",
            )
            .and("--weights"));
        }
        match group_by {
            Some((GroupBy::Folder { .. } | GroupBy::Archive | GroupBy::Field(_), flag)) => Err(Failure::of_flag(flag, "with --unit, documents are joined from files, and have no folder, archive or field; give a regular expression for their names").and("--unit")),
            _ => Ok(()),
        }
    }

    /// Refuses joined files in a run that looks for files that changed in git.
    ///
    /// * `is_by_git`: whether `--changed-since` is given.
    pub(crate) fn check_git(&self, is_by_git: bool) -> Result<()> {
        if !is_by_git || !self.is_given() {
            return Ok(());
        }
        Err(Failure::of_flag(
            "--changed-since",
            "with --unit, documents are joined from files, and git knows only files; remove one of the flags",
        )
        .and("--unit"))
    }
}
