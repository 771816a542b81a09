//! The flags of groups: how documents are assigned to groups, and whether pairs are within or across groups.

use clap::Args;
use dedup_scan::Settings;
use dedup_scan::documents::{GroupBy, GroupSettings};

use super::against::refuse_with_index;
use super::unit::UnitFlags;
use crate::cli::messages::Result;

/// The groups of documents that are not compared with each other.
#[derive(Debug, Args)]
pub(crate) struct GroupFlags {
    /// Hide pairs within one group, such as the versions by one author. KEY is `dir`, the folder of a file inside its
    /// PATH (an archive is a folder); `dir:DEPTH`, the first DEPTH folders; `archive`, the archive of a file; `field:NAME`, a field
    /// of the record (`a.b` is the field b of a); `host`, the host of a document whose name is a URI; or a regular expression
    /// whose first capture group, or whole match, in the name of a document is the group. A document without one is its own group
    #[arg(long, value_name = "KEY", help_heading = "Pairs")]
    group_by: Option<GroupBy>,

    /// Find only pairs within one group, instead of pairs across groups
    #[arg(long, requires = "group_by", help_heading = "Pairs")]
    within_groups: bool,
}

impl GroupFlags {
    pub(crate) fn settings(&self) -> Option<GroupSettings> {
        self.group_by.clone().map(|by| GroupSettings { by, within: self.within_groups, with_names: false })
    }

    /// Sets the groups of documents, and the rule that joins files to documents.
    ///
    /// # Errors
    /// When documents come from an index, and like [`UnitFlags::apply`].
    pub(crate) fn apply(&self, unit: &UnitFlags, settings: &mut Settings) -> Result<()> {
        let is_by_name = |by: &GroupBy| matches!(by, GroupBy::Host | GroupBy::Name(_));
        if self.group_by.as_ref().is_some_and(|by| !is_by_name(by)) {
            refuse_with_index(
                settings,
                "--group-by",
                "an index knows only the names of its documents; group by host or by an expression, or give the files of the index to --old",
            )?;
        }
        settings.input.groups = self.settings();
        unit.apply(settings, self.group_by.as_ref().map(|by| (by, "--group-by")))
    }
}
