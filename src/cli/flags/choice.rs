//! The flags of a choice among duplicates: `--keep` and `--linkage`.

use clap::Args;
use dedup_scan::UniqueSettings;
use dedup_scan::unique::Keep;

use super::linkage::LinkageFlag;

/// The document of each group of duplicates that is kept.
#[derive(Debug, Args)]
pub(crate) struct ChoiceFlags {
    /// Which document of each group is kept: first, last (in document order), longest, shortest (by shingles, including
    /// repeats), newest, oldest (by the time of its file, or of the member of an archive), path-order (by name), max:FIELD, min:FIELD (by a field of the
    /// record) or matching:GLOB (its file matches). Of equal documents the first is kept
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Choice")]
    keep: Keep,

    /// How pairs are combined into groups; one document of each group is kept
    #[arg(long, value_enum, default_value_t = LinkageFlag::Star, help_heading = "Choice")]
    linkage: LinkageFlag,
}

impl ChoiceFlags {
    pub(crate) fn settings(&self) -> UniqueSettings {
        UniqueSettings { keep: self.keep.clone(), linkage: self.linkage.into() }
    }
}
