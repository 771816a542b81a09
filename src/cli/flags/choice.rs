//! The flags of a choice among duplicates: `--keep` and `--linkage`.

use std::str::FromStr;

use clap::Args;
use dedup_scan::UniqueSettings;
use dedup_scan::search::KeptOccurrence;
use dedup_scan::unique::Keep;

use super::linkage::LinkageFlag;
use crate::cli::messages::{Failure, Result};

/// The document of each group of duplicates that is kept.
#[derive(Debug, Args)]
pub(crate) struct ChoiceFlags {
    /// Which document of each group is kept: first, last (in document order), longest, shortest (by shingles, including
    /// repeats), newest, oldest (by the time of its file, or of the member of an archive), path-order (by name), max:FIELD, min:FIELD (by a field of the
    /// record) or matching:GLOB (its file matches). Of equal documents the first is kept. `unique --cut` accepts only first and
    /// none; none cuts every occurrence of a repeated part
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Choice")]
    keep: KeepFlag,

    /// How pairs are combined into groups; one document of each group is kept
    #[arg(long, value_enum, default_value_t = LinkageFlag::Star, help_heading = "Choice")]
    linkage: LinkageFlag,
}

/// The value of `--keep`.
#[derive(Debug, Clone)]
enum KeepFlag {
    /// One document of each group.
    One(Keep),
    /// No occurrence of a part that is cut.
    None,
}

impl FromStr for KeepFlag {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" { Ok(Self::None) } else { text.parse().map(Self::One) }
    }
}

impl ChoiceFlags {
    /// The choice among similar documents.
    pub(crate) fn settings(&self) -> Result<UniqueSettings> {
        let KeepFlag::One(keep) = &self.keep else {
            return Err(Failure::new("--keep none: only applies to dedup unique --cut; choose another value"));
        };
        Ok(UniqueSettings { keep: keep.clone(), linkage: self.linkage.into() })
    }

    /// The occurrence of a repeated part that is kept.
    pub(crate) fn kept_occurrence(&self) -> Result<KeptOccurrence> {
        match &self.keep {
            KeepFlag::One(Keep::First) => Ok(KeptOccurrence::First),
            KeepFlag::None => Ok(KeptOccurrence::None),
            KeepFlag::One(_) => {
                Err(Failure::new("--keep: --cut keeps the first occurrence, or none; give first or none"))
            }
        }
    }
}
