//! The flags for the minimum lengths of passages.

use clap::Args;
use dedup_scan::ShingleKind;
use dedup_scan::compare::passages::PassageSettings;

use super::preset::Preset;
use super::values::whole;

/// The minimum length of a passage, and the maximum gap in it.
#[derive(Debug, Args)]
pub(crate) struct PassageLengthFlags {
    /// Minimum tokens of a run that is equal in both documents [default: 20 characters, 5 words, 12 tokens of code, 1
    /// line or sentence; 40 with --preset clones]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>(1..=u32::MAX as u64), allow_negative_numbers = true,
        help_heading = "Passages")]
    min_run: Option<usize>,

    /// Minimum tokens of the longest run of a passage, at least --min-run [default: 40 characters, 8 words, 17 tokens
    /// of code, 3 lines, 1 sentence, or --min-run if that is more or with --preset clones]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>(1..=u32::MAX as u64), allow_negative_numbers = true,
        help_heading = "Passages")]
    anchor: Option<usize>,

    /// Maximum tokens between two runs of a passage, in either document [default: 50 characters, 10 words, 6 tokens of
    /// code, 2 lines, 1 sentence; 0 with --preset clones]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<usize>(0..=u32::MAX as u64), allow_negative_numbers = true,
        help_heading = "Passages")]
    max_gap: Option<usize>,
}

impl PassageLengthFlags {
    /// The minimum lengths of passages for shingles of `kind`.
    ///
    /// * `preset`: supplies lengths that are not given, if it has its own.
    ///
    /// # Errors
    /// When an anchor is shorter than a run, or when the tokens have no order.
    pub(crate) fn settings(&self, kind: ShingleKind, preset: Option<Preset>) -> dedup_scan::Result<PassageSettings> {
        let default = PassageSettings::of(kind)?;
        if let Some(least) = preset.and_then(Preset::min_block) {
            let min_run = self.min_run.unwrap_or(least);
            return PassageSettings::new(min_run, self.anchor.unwrap_or(min_run), self.max_gap.unwrap_or(0));
        }
        let min_run = self.min_run.unwrap_or(default.min_run());
        let anchor = self.anchor.unwrap_or(default.anchor().max(min_run));
        PassageSettings::new(min_run, anchor, self.max_gap.unwrap_or(default.max_gap()))
    }

    /// The first given flag about passages.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--min-run", self.min_run.is_some()),
            ("--anchor", self.anchor.is_some()),
            ("--max-gap", self.max_gap.is_some()),
        ];
        given.into_iter().find(|&(_, is_given)| is_given).map(|(flag, _)| flag)
    }
}
