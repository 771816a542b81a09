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
    /// repeats), newest, oldest (by the time of its file, or of the member of an archive), path-order (by name), max:FIELD,
    /// min:FIELD, newest:FIELD, oldest:FIELD (by a field of the record) or matching:GLOB (its file matches). Repeatable: the first rule decides, and each
    /// other one between documents that are equal by the rules before it. Otherwise the first document is kept. `unique --cut` accepts only first and
    /// none; none cuts every occurrence of a repeated part
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Choice")]
    keep: Vec<KeepFlag>,

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
        let rule = |keep: &KeepFlag| match keep {
            KeepFlag::One(keep) => Ok(keep.clone()),
            KeepFlag::None => {
                Err(Failure::new("--keep none: only applies to dedup unique --cut; choose another value"))
            }
        };
        let keep = self.keep.iter().map(rule).collect::<Result<_>>()?;
        Ok(UniqueSettings { keep, linkage: self.linkage.into(), preserve: None })
    }

    /// Whether documents are joined to stars.
    pub(crate) fn is_of_stars(&self) -> bool {
        matches!(self.linkage, LinkageFlag::Star)
    }

    /// The occurrence of a repeated part that is kept.
    pub(crate) fn kept_occurrence(&self) -> Result<KeptOccurrence> {
        match self.keep.as_slice() {
            [KeepFlag::One(Keep::First)] => Ok(KeptOccurrence::First),
            [KeepFlag::None] => Ok(KeptOccurrence::None),
            _ => Err(Failure::new("--keep: --cut keeps the first occurrence, or none; give first or none")),
        }
    }
}
