//! The flags of a choice among duplicates: `--keep` and `--linkage`.

use clap::Args;
use dedup_scan::{Keep, UniqueSettings};

use super::linkage::LinkageFlag;

/// Which documents stay.
#[derive(Debug, Args)]
pub(crate) struct ChoiceFlags {
    /// Which document of a group stays: first, last (in document order), longest, shortest (by shingles, repeats counted), newest (by the
    /// time of its file), path-order (by name), max:FIELD, min:FIELD (by a field of the record) or matching:GLOB (its file
    /// matches). Ties go to the first
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Choice")]
    keep: Keep,

    /// What a group is, of which one document stays
    #[arg(long, value_enum, default_value_t = LinkageFlag::Star, help_heading = "Choice")]
    linkage: LinkageFlag,
}

impl ChoiceFlags {
    pub(crate) fn settings(&self) -> UniqueSettings {
        UniqueSettings { keep: self.keep.clone(), linkage: self.linkage.into() }
    }
}
