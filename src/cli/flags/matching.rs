//! The flags of matching by similarity or passages.

use clap::Args;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::results::PairFilter;
use dedup_scan::{Error, MatchSettings, ShingleKind, Threshold};

use super::preset::{MatchBy, Preset};
use super::values::{coverage, whole};
use crate::cli::messages::{Failure, Result};

/// How two documents become a pair.
#[derive(Debug, Args)]
pub(crate) struct MatchFlags {
    /// The criterion for a pair. `passages` without a preset is the same as `--preset prose` [default: jaccard]
    #[arg(long = "match", value_enum, value_name = "BY", help_heading = "Matching")]
    match_by: Option<MatchBy>,

    /// Settings for a kind of document; other flags override single settings. `--preset NAME --help` shows them
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Matching")]
    preset: Option<Preset>,

    /// With --match passages: the minimum share of the shorter document's tokens that passages cover, from 0 to 1
    /// [default: 0.1; 0.3 with --preset code, 0 with --preset clones]
    #[arg(long, value_name = "SHARE", value_parser = coverage, allow_negative_numbers = true, help_heading = "Matching")]
    coverage: Option<f64>,

    /// With --match passages: the minimum number of tokens that passages cover. Documents with the same tokens are
    /// always printed, but with --copied-blocks only from --anchor tokens on [default: 20 words or tokens of code, 100
    /// characters, 3 lines, 2 sentences; 0 with --preset clones]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Matching")]
    min_matched: Option<u64>,

    /// With --match passages: ignore hashes that occur in more than N documents. Passages with only such hashes are not
    /// found; the summary counts them [default: no limit]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(2..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Matching")]
    max_key_df: Option<u64>,

    /// Find copied blocks by --match passages, also within one document, which is then a pair with itself. The summary
    /// has the share of duplicated lines, and --fail-over P% is a limit of this share
    #[arg(long, help_heading = "Matching")]
    copied_blocks: bool,
}

impl MatchFlags {
    /// The given preset; without one, matching by passages implies `prose`.
    pub(crate) fn preset(&self) -> Option<Preset> {
        self.preset.or((self.match_by == Some(MatchBy::Passages)).then_some(Preset::Prose))
    }

    /// The filter for the pairs of a saved result.
    pub(crate) fn filter(&self) -> dedup_scan::Result<PairFilter> {
        let coverage = self.coverage.map(Threshold::new).transpose()?;
        Ok(PairFilter { coverage, min_matched: self.min_matched, ..PairFilter::default() })
    }

    /// Whether pairs match by their passages.
    pub(crate) fn is_by_passages(&self) -> bool {
        let by = self.match_by.or(self.preset.map(Preset::match_by));
        by == Some(MatchBy::Passages)
    }

    /// Whether pairs are copied blocks.
    pub(crate) fn finds_blocks(&self) -> bool {
        self.is_by_passages() && (self.copied_blocks || self.is_of_clones())
    }

    fn is_of_clones(&self) -> bool {
        self.preset.and_then(Preset::min_block).is_some()
    }

    /// Removes the limits on passages.
    pub(crate) fn forget_limits(&mut self) {
        (self.coverage, self.min_matched) = (None, None);
    }

    /// The settings of matching by passages; `None` for matching by similarity.
    ///
    /// * `kind`: the kind of tokens.
    /// * `passages`: computes the minimum lengths of passages.
    ///
    /// # Errors
    /// When a flag has no effect.
    pub(crate) fn settings(
        &self,
        kind: ShingleKind,
        passages: impl FnOnce() -> dedup_scan::Result<PassageSettings>,
    ) -> Result<Option<MatchSettings>> {
        if !self.is_by_passages() {
            let given = [
                ("--coverage", self.coverage.is_some()),
                ("--min-matched", self.min_matched.is_some()),
                ("--max-key-df", self.max_key_df.is_some()),
                ("--copied-blocks", self.copied_blocks),
            ];
            return match given.into_iter().find(|&(_, is_given)| is_given) {
                Some((flag, _)) => Err(Failure::without_matching(flag)),
                None => Ok(None),
            };
        }
        let default = passages().and_then(|passages| Ok(MatchSettings { passages, ..MatchSettings::of(kind)? }));
        let default = default.map_err(|error| match error {
            Error::PassagesOfSets => Failure::of_value(
                "--match",
                "passages",
                "the elements of a set have no order; choose another --shingle",
            )
            .and("--shingle"),
            error => error.into(),
        })?;
        let coverage = self.preset().map(Preset::coverage);
        Ok(Some(MatchSettings {
            coverage: self.coverage.map(Threshold::new).transpose()?.or(coverage).unwrap_or(default.coverage),
            min_matched: self.min_matched.unwrap_or(if self.is_of_clones() { 0 } else { default.min_matched }),
            blocks: self.finds_blocks(),
            max_key_df: self.max_key_df,
            ..default
        }))
    }
}
