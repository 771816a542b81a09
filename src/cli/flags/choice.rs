//! The flags of a choice among duplicates: `--keep` and `--linkage`. Commands that remove nothing have `--keep` too.

use std::str::FromStr;

use clap::Args;
use dedup_scan::compare::Linkage;
use dedup_scan::results::SavedResult;
use dedup_scan::search::KeptOccurrence;
use dedup_scan::unique::{Keep, KeptOrder};
use dedup_scan::{Settings, UniqueSettings};

use super::linkage::LINKAGES;
use super::values::choice;
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
    #[arg(long, value_parser = choice(LINKAGES), default_value = "star", help_heading = "Choice")]
    linkage: Linkage,
}

/// The member of each group that represents it.
#[derive(Debug, Args)]
pub(crate) struct RepresentativeFlags {
    /// Which member of each group represents it, and with --linkage star becomes a centre: first, last, longest,
    /// shortest, newest, oldest, path-order, max:FIELD, min:FIELD or matching:GLOB, as for `dedup unique`. Repeatable: the
    /// first rule decides, and each other one between members that are equal by the rules before it. newest and oldest
    /// add the times of the members
    #[arg(long, value_name = "WHICH", default_value = "first", help_heading = "Groups")]
    keep: Vec<Keep>,
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

impl RepresentativeFlags {
    /// Whether another rule than the default is given.
    pub(crate) fn are_given(&self) -> bool {
        self.keep.iter().any(|keep| !matches!(keep, Keep::First))
    }

    /// The order of the documents of a run.
    ///
    /// * `settings`: the settings of the run, which are changed so that it collects what the rules need.
    /// * `has_units`: whether documents are joined from files.
    ///
    /// # Errors
    /// When a rule needs something that documents of several files do not have.
    pub(crate) fn of_run(&self, settings: &mut Settings, has_units: bool) -> Result<KeptOrder> {
        let is_of_files =
            |keep: &&Keep| !matches!(keep, Keep::First | Keep::Last | Keep::Longest | Keep::Shortest | Keep::PathOrder);
        if let Some(keep) = self.keep.iter().find(is_of_files).filter(|_| has_units) {
            return Err(Failure::of_value(
                "--keep",
                keep,
                "with --unit, documents are joined from files; give first, last, longest, shortest or path-order",
            )
            .and("--unit"));
        }
        Ok(KeptOrder::of_run(self.keep.clone(), settings))
    }

    /// The order of the documents of a saved result.
    ///
    /// # Errors
    /// When the result does not have what a rule needs, or cannot be read.
    pub(crate) fn of_result(&self, result: &SavedResult) -> Result<KeptOrder> {
        let (order, other) = KeptOrder::of_result(self.keep.clone(), result)?;
        let Some(keep) = other else { return Ok(order) };
        let why = match keep {
            Keep::Max(_) | Keep::Min(_) => "needs the fields of the records, which a saved result does not have",
            _ if result.header().is_none() => {
                "needs a folder of --save, since a file of pairs does not list the documents"
            }
            _ => {
                "needs what the documents of this result do not have, since they are joined from files or an earlier version saved it"
            }
        };
        let what = format!("{why}; give the inputs instead of --from: dedup cluster PATH --keep {keep}");
        Err(Failure::of_value("--keep", keep, what).and("--from"))
    }
}

impl ChoiceFlags {
    /// The choice among similar documents.
    pub(crate) fn settings(&self) -> Result<UniqueSettings> {
        let rule = |keep: &KeepFlag| match keep {
            KeepFlag::One(keep) => Ok(keep.clone()),
            KeepFlag::None => {
                Err(Failure::of_value("--keep", "none", "only applies to dedup unique --cut; choose another value"))
            }
        };
        let keep = self.keep.iter().map(rule).collect::<Result<_>>()?;
        Ok(UniqueSettings { keep, linkage: self.linkage, preserve: None })
    }

    /// Whether documents are joined to stars.
    pub(crate) fn is_of_stars(&self) -> bool {
        self.linkage == Linkage::Star
    }

    /// The occurrence of a repeated part that is kept.
    pub(crate) fn kept_occurrence(&self) -> Result<KeptOccurrence> {
        match self.keep.as_slice() {
            [KeepFlag::One(Keep::First)] => Ok(KeptOccurrence::First),
            [KeepFlag::None] => Ok(KeptOccurrence::None),
            _ => Err(Failure::of_flag("--keep", "--cut keeps the first occurrence, or none; give first or none")
                .and("--cut")),
        }
    }
}
