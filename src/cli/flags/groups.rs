//! The flags of groups: which documents belong together, and whether pairs are within or across groups.

use clap::Args;
use dedup_scan::{GroupBy, GroupSettings};

/// Groups of documents.
#[derive(Debug, Args)]
pub(crate) struct GroupFlags {
    /// Leave out pairs of one group, such as the versions of one author. A group is: `dir`, the folder of a file below the
    /// PATH it was found in, archives being folders; `dir:DEPTH`, the first DEPTH folders of that; `field:NAME`, a record's
    /// field, where `a.b` is the field b of a; anything else is a regular expression, whose first capture group (or all it
    /// matches) in a document's name is the group. A document without a match or field is a group of its own
    #[arg(long, value_name = "KEY", help_heading = "Pairs")]
    group_by: Option<GroupBy>,

    /// Look for pairs of one group only, in place of those of different groups
    #[arg(long, requires = "group_by", help_heading = "Pairs")]
    within_groups: bool,
}

impl GroupFlags {
    pub(crate) fn settings(&self) -> Option<GroupSettings> {
        self.group_by.clone().map(|by| GroupSettings { by, within: self.within_groups })
    }
}
