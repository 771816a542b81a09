//! The flags of `dedup cluster` that compare groups of documents.

use clap::Args;
use dedup_scan::documents::GroupBy;

use super::values::similarity;

/// The groups that are compared with each other.
#[derive(Debug, Args)]
pub(crate) struct OverlapFlags {
    /// Print which groups copy each other, one JSON line for each two: the number and the share of the documents of each
    /// that have a partner in the other, both ways. KEY is as for --group-by: `dir:1` compares the first folders, `host` the
    /// sites of a crawl
    #[arg(long = "by", id = "overlaps_by", value_name = "KEY", help_heading = "Groups",
        conflicts_with_all = ["labels", "singletons", "linkage", "check_groups", "group_by", "forecast"])]
    by: Option<GroupBy>,

    /// With --by: print two groups only if one of them has at least this share of its documents in the other
    #[arg(long, value_name = "SHARE", value_parser = similarity, allow_negative_numbers = true,
        requires = "overlaps_by", default_value_t = 0.0, hide_default_value = true, help_heading = "Groups")]
    pub(crate) min_share: f64,
}

impl OverlapFlags {
    /// The rule that puts documents into the groups that are compared.
    pub(crate) fn by(&self) -> Option<&GroupBy> {
        self.by.as_ref()
    }
}
