//! `GateFlags`: which pairs count as new, and how many new pairs make the exit code 1.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::documents::{OwnFiles, OwnUse};

use super::values::whole;

/// Which pairs are new, and how many new pairs are too many.
#[derive(Debug, Args)]
pub(crate) struct GateFlags {
    /// Hide the pairs that are accepted in this file of `dedup baseline`, and report entries that no longer occur
    #[arg(long, value_name = "FILE", help_heading = "New pairs")]
    pub(crate) baseline: Option<PathBuf>,

    /// Rewrite the file of --baseline without the entries that no longer occur
    #[arg(long, requires = "baseline", help_heading = "New pairs")]
    pub(crate) prune: bool,

    /// Hide pairs whose files were both unchanged in git since HEAD diverged from this revision, in commits and in the
    /// working tree. A renamed file is unchanged. All files are compared
    #[arg(long, value_name = "REV", help_heading = "New pairs")]
    pub(crate) changed_since: Option<String>,

    /// Exit with 1 when more than N pairs remain, or when more than P% of the compared documents (on the first side of
    /// a comparison) are in a pair; with --preset clones or --copied-blocks, when more than P% of the lines are in a block
    #[arg(long, value_name = "N|P%", value_parser = fail_over, allow_negative_numbers = true, help_heading = "New pairs")]
    pub(crate) fail_over: Option<FailOver>,

    /// Exit with 1 when any pair remains: the same as --fail-over 0
    #[arg(long, conflicts_with = "fail_over", help_heading = "New pairs")]
    exit_code: bool,
}

/// The limit of `--fail-over` on new pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FailOver {
    /// More than this number of pairs.
    Pairs(u64),
    /// New pairs that contain more than this share of the compared documents, or new blocks that contain more than this
    /// share of the lines, in millionths.
    Share(u64),
}

impl GateFlags {
    /// The limit that makes the exit code 1, if there is one.
    pub(crate) fn limit(&self) -> Option<FailOver> {
        self.fail_over.or(self.exit_code.then_some(FailOver::Pairs(0)))
    }

    /// Whether the flags may hide pairs.
    pub(crate) fn leaves_out(&self) -> bool {
        self.leave_out().next().is_some()
    }

    /// The given flags that may hide pairs.
    pub(crate) fn leave_out(&self) -> impl Iterator<Item = &'static str> {
        let given = [("--baseline", self.baseline.is_some()), ("--changed-since", self.changed_since.is_some())];
        given.into_iter().filter_map(|(flag, is_given)| is_given.then_some(flag))
    }

    /// Adds the file of the baseline, which is not a document and which no output may replace.
    pub(crate) fn add_files(&self, own_files: &mut OwnFiles) {
        if let Some(Ok(metadata)) = self.baseline.as_deref().map(Path::metadata) {
            own_files.add(&metadata, OwnUse::List("--baseline"));
        }
    }
}

impl FailOver {
    /// Whether new pairs exceed the limit.
    ///
    /// * `pairs`: the number of new pairs.
    /// * `documents`: the number of documents in new pairs, or of lines in new blocks.
    /// * `compared`: the number of compared documents, or of all lines.
    pub(crate) fn is_met(self, pairs: u64, documents: u64, compared: u64) -> bool {
        match self {
            Self::Pairs(most) => pairs > most,
            // In integers, so that exactly P % does not exceed P %.
            Self::Share(millionths) => {
                u128::from(documents) * 1_000_000 > u128::from(millionths) * u128::from(compared)
            }
        }
    }
}

fn fail_over(text: &str) -> Result<FailOver, String> {
    let Some(percent) = text.strip_suffix('%') else {
        return whole::<u64>(0..=u64::MAX)(text)
            .map(FailOver::Pairs)
            .map_err(|_| "give a number of pairs, such as 0, or a share of the documents, such as 5%".to_owned());
    };
    let percent = percent.trim_end();
    let is_decimal = percent.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let percent = percent.parse::<f64>().ok().filter(|percent| is_decimal && (0.0..=100.0).contains(percent));
    let percent = percent.ok_or("give a share of the documents from 0% to 100%, such as 5% or 0.1%")?;
    Ok(FailOver::Share((percent * 10_000.0).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_pairs_or_shares() {
        assert_eq!((fail_over("0"), fail_over("12")), (Ok(FailOver::Pairs(0)), Ok(FailOver::Pairs(12))));
        assert_eq!(fail_over("2.5%"), Ok(FailOver::Share(25_000)));
        assert_eq!(fail_over("100 %"), Ok(FailOver::Share(1_000_000)));
        for wrong in ["", "%", "-1", "1.5", "101%", "-1%", "NaN%", "1e1%", "x"] {
            assert!(fail_over(wrong).is_err(), "{wrong}");
        }
        let half = FailOver::Share(500_000);
        assert!(!half.is_met(9, 2, 4) && half.is_met(1, 3, 4) && !half.is_met(0, 0, 0));
        assert!(FailOver::Pairs(1).is_met(2, 4, 4) && !FailOver::Pairs(1).is_met(1, 4, 4));
    }
}
