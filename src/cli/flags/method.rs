//! The flags of the search: threshold, recall, bands, rows, signatures and seed.

use clap::Args;
use dedup_scan::sign::banding::MAX_HASHES;
use dedup_scan::{MatchSettings, PairSource, Result, SignatureMethod, SignatureSettings, Threshold};

use super::banding::Choice;
use super::preset::Preset;
use super::values::{Choices, choice, recall, similarity, whole};
use crate::cli::messages::Failure;

/// How candidates are found, and which similarity a pair needs.
#[derive(Debug, Args)]
pub(crate) struct MethodFlags {
    /// Minimum Jaccard similarity of a pair, such as 0.7 or 70% [default: 0.8; with --preset revisions 0.15,
    /// code and records 0.5, sentences and mail 0.6, logs 0.65, web 0.7]
    #[arg(short, long, value_name = "SIMILARITY", value_parser = similarity, allow_negative_numbers = true, help_heading = "Method")]
    threshold: Option<f64>,

    /// Minimum chance that a pair at the threshold is found, above 0 and below 1 [default: 0.999]. Chooses --bands and
    /// --rows for the threshold: 20 and 5 for 0.8
    #[arg(
        long,
        value_name = "CHANCE",
        value_parser = recall,
        allow_negative_numbers = true,
        conflicts_with_all = ["bands", "rows"],
        help_heading = "Method"
    )]
    recall: Option<f64>,

    /// Bands of a signature; more bands find more pairs [default: chosen by --recall, or 20 with --rows]
    #[arg(long, value_parser = whole::<usize>(1..=MAX_HASHES as u64), allow_negative_numbers = true, help_heading = "Method")]
    bands: Option<usize>,

    /// Rows in a band; with more rows fewer candidates are verified. Bands x rows is at most 4096 [default: chosen by
    /// --recall, or 5 with --bands]
    #[arg(long, value_parser = whole::<usize>(1..=MAX_HASHES as u64), allow_negative_numbers = true, help_heading = "Method")]
    rows: Option<usize>,

    /// Find every pair above the threshold, by an exhaustive join instead of signatures: recall 1. Reads the documents
    /// twice more, and is slower, the more so the lower the threshold; --forecast estimates the time
    #[arg(long, conflicts_with_all = ["recall", "bands", "rows", "signature"], help_heading = "Method")]
    all_pairs: bool,

    /// How signatures are computed: by Fast Similarity Sketching, or by one universal hash function for each value.
    /// With --weights signatures are weighted [default: fast]
    #[arg(long, value_parser = choice(SIGNATURES), conflicts_with = "weights", help_heading = "Method")]
    signature: Option<SignatureMethod>,

    /// The seed of the hash functions. Which candidates are found depends on it; the similarity of a pair does not
    #[arg(long, default_value_t = SignatureSettings::DEFAULT_SEED, value_parser = whole::<u64>(0..=u64::MAX),
        allow_negative_numbers = true, help_heading = "Method")]
    seed: u64,
}

const SIGNATURES: Choices<SignatureMethod> = &[
    (
        "fast",
        SignatureMethod::Fast,
        "Fast Similarity Sketching: the same guarantees as classic, with about one hash evaluation a shingle",
    ),
    ("classic", SignatureMethod::Classic, "The minimum of each of bands x rows hash functions, as in textbooks"),
];

impl MethodFlags {
    /// The threshold on the command line, of the preset, or by default.
    ///
    /// * `preset`: supplies the threshold if the flag is not given.
    pub(crate) fn threshold(&self, preset: Option<Preset>) -> Result<Threshold> {
        Ok(self.given_threshold()?.or(preset.and_then(Preset::threshold)).unwrap_or_default())
    }

    /// The first given flag that does not apply to matching by passages.
    pub(crate) fn of_similarity(&self) -> Option<&'static str> {
        let given = [
            ("--threshold", self.threshold.is_some()),
            ("--recall", self.recall.is_some()),
            ("--bands", self.bands.is_some()),
            ("--rows", self.rows.is_some()),
            ("--all-pairs", self.all_pairs),
        ];
        given.into_iter().find(|&(_, is_given)| is_given).map(|(flag, _)| flag)
    }

    /// Whether candidates are found by an exhaustive join.
    ///
    /// * `preset`: may choose an exhaustive join, unless flags choose bands.
    pub(crate) fn is_exhaustive(&self, preset: Option<Preset>) -> bool {
        let chooses_bands = self.recall.is_some() || self.bands.is_some() || self.rows.is_some();
        self.all_pairs || !chooses_bands && preset.is_some_and(Preset::is_exhaustive)
    }

    /// How the pairs are found.
    ///
    /// * `preset`: as in [`is_exhaustive`](Self::is_exhaustive).
    /// * `matching`: the requirements of pairs that match by their passages.
    pub(crate) fn source(
        &self,
        preset: Option<Preset>,
        matching: Option<MatchSettings>,
    ) -> Result<PairSource, Failure> {
        match (self.is_exhaustive(preset), matching) {
            (false, None) => Ok(PairSource::Bands),
            (true, None) => Ok(PairSource::AllPairs),
            (false, Some(matching)) => Ok(PairSource::Passages(matching)),
            (true, Some(_)) => Err(Failure::of_flag(
                "--all-pairs",
                "finds pairs by similarity, but pairs match by passages; choose one of them",
            )),
        }
    }

    /// Refuses `--signature` if the search uses no signatures, or weighted ones.
    pub(crate) fn check_signature(&self, preset: Option<Preset>, is_weighted: bool) -> Result<(), Failure> {
        let why = match self.is_exhaustive(preset) {
            _ if self.signature.is_none() => return Ok(()),
            true => "every pair is looked for here, without signatures",
            false if is_weighted => "shingles have weights here, and so have signatures",
            false => return Ok(()),
        };
        Err(Failure::of_flag("--signature", format!("{why}; remove the flag")))
    }

    /// The threshold on the command line.
    pub(crate) fn given_threshold(&self) -> Result<Option<Threshold>> {
        self.threshold.map(Threshold::new).transpose()
    }

    /// The given bands and rows, or the choice for threshold and recall.
    pub(crate) fn banding(&self, preset: Option<Preset>) -> Result<Choice> {
        Choice::new(self.bands, self.rows, self.threshold(preset)?, self.recall)
    }

    pub(crate) fn signature(&self) -> SignatureSettings {
        SignatureSettings { method: self.signature.unwrap_or(SignatureMethod::Fast), seed: self.seed }
    }
}
