//! The flags of passages: whether they are printed, and what counts as one.

use clap::Args;
use dedup_scan::ShingleKind;
use dedup_scan::passages::PassageSettings;

use super::values::whole;
use crate::cli::messages::{Failure, Result};

/// Whether passages are printed, and what counts as one.
#[derive(Debug, Args)]
pub(crate) struct PassageFlags {
    /// Add to each line the passages that its documents share, by lines and bytes of the originals, and the share of each
    /// document that they cover, as coverage_a and coverage_b. This reads the documents of pairs once more
    #[arg(long, help_heading = "Passages")]
    passages: bool,

    #[command(flatten)]
    lengths: PassageLengthFlags,
}

/// What counts as a passage.
#[derive(Debug, Args)]
pub(crate) struct PassageLengthFlags {
    /// Least tokens of a run that is the same in both documents [default: 20 characters, 5 words, 12 tokens of code, 1 line or sentence]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>(1..=u32::MAX as u64), allow_negative_numbers = true,
        help_heading = "Passages")]
    min_run: Option<usize>,

    /// Least tokens of the longest run of a passage, --min-run or more [default: 40 characters, 8 words, 17 tokens of code, 3
    /// lines, 1 sentence, or --min-run if that is more]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>(1..=u32::MAX as u64), allow_negative_numbers = true,
        help_heading = "Passages")]
    anchor: Option<usize>,

    /// Most tokens between two runs of a passage, in either document [default: 50 characters, 10 words, 6 tokens of code, 2
    /// lines, 1 sentence]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>(0..=u32::MAX as u64), allow_negative_numbers = true,
        help_heading = "Passages")]
    max_gap: Option<usize>,
}

impl PassageFlags {
    /// What counts as a passage of texts that are cut into shingles of `kind`; `None` when passages are not asked for.
    ///
    /// * `are_matched`: whether pairs match by passages, which asks for them.
    ///
    /// # Errors
    /// When an anchor is shorter than a run, when the tokens have no order, or when flags have no effect.
    pub(crate) fn settings(&self, kind: ShingleKind, are_matched: bool) -> Result<Option<PassageSettings>> {
        if self.passages || are_matched {
            return Ok(Some(self.lengths.settings(kind)?));
        }
        self.lengths.given().map_or(Ok(None), |flag| Err(Failure::WithoutPassages { flag }))
    }

    /// What would count as a passage.
    ///
    /// # Errors
    /// As [`settings`](Self::settings) has them.
    pub(crate) fn lengths(&self, kind: ShingleKind) -> Result<PassageSettings> {
        Ok(self.lengths.settings(kind)?)
    }
}

impl PassageLengthFlags {
    /// What counts as a passage of texts that are cut into shingles of `kind`.
    ///
    /// # Errors
    /// When an anchor is shorter than a run, or when the tokens have no order.
    pub(crate) fn settings(&self, kind: ShingleKind) -> dedup_scan::Result<PassageSettings> {
        let default = PassageSettings::of(kind)?;
        let min_run = self.min_run.unwrap_or(default.min_run());
        let anchor = self.anchor.unwrap_or(default.anchor().max(min_run));
        PassageSettings::new(min_run, anchor, self.max_gap.unwrap_or(default.max_gap()))
    }

    /// Whether any of the flags is given.
    pub(crate) fn is_given(&self) -> bool {
        self.given().is_some()
    }

    /// The first of the flags that is given.
    fn given(&self) -> Option<&'static str> {
        let given = [
            ("--min-run", self.min_run.is_some()),
            ("--anchor", self.anchor.is_some()),
            ("--max-gap", self.max_gap.is_some()),
        ];
        given.into_iter().find(|&(_, is_given)| is_given).map(|(flag, _)| flag)
    }
}
