//! `SettingsRecord`: the settings that a result depends on, in its summary and in a saved result.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize, Serializer};

use super::settings::Settings;
use crate::base::error::Result;
use crate::compare::passages::PassageSettings;
use crate::compare::verify::Threshold;
use crate::search::matching::MatchSettings;
use crate::search::pairs::PairSource;
use crate::sign::banding::Banding;
use crate::sign::signature::SignatureSettings;
use crate::text::code::Syntax;
use crate::text::normalize::Markers;
use crate::text::shingle::{ShingleKind, StopWords};
use crate::text::weights::{WeightTableRecord, Weighting};

/// The settings that the result of a run depends on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingsRecord {
    /// The kind of shingle.
    pub shingle: ShingleKind,
    /// The number of tokens in a shingle.
    pub k: usize,
    /// How signatures are divided into bands.
    #[serde(flatten)]
    pub banding: Banding,
    /// The minimum similarity reported; 0 where documents match by their passages.
    pub threshold: f64,
    /// The source of the pairs, written as `all_pairs`: `true` if an exhaustive join found the candidates instead of bands,
    /// so that signatures only give `estimate`. Otherwise the key is omitted.
    #[serde(rename = "all_pairs", serialize_with = "write_true", skip_serializing_if = "is_not_exhaustive")]
    pub source: PairSource,
    /// How signatures were made.
    #[serde(flatten)]
    pub signature: SignatureSettings,
    /// The source of shingle weights, where shingles had weights: `idf` or `table`. `threshold` then applies to the
    /// weighted similarity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<&'static str>,
    /// The table of weights, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_table: Option<WeightTableRecord>,
    /// Whether multisets of shingles were compared.
    pub bag: bool,
    /// The source of stop words, when shingles begin with them: `auto`, a language code, or `list`.
    pub stop_words: Option<&'static str>,
    /// The foldings that were applied, in order.
    pub folding: Vec<&'static str>,
    /// The language of all documents, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub syntax: Option<&'static str>,
    /// The patterns of ignored lines.
    pub skip_lines: Vec<String>,
    /// The pairs of markers between which text was ignored.
    pub ignore_between: Vec<[String; 2]>,
    /// The minimum number of tokens of a document that was compared.
    pub min_tokens: u64,
    /// The number of tokens in a shingle of programs with their names kept, if they were also compared in this way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_kept: Option<NonZeroUsize>,
    /// The definition of a passage, if passages were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<PassageSettings>,
    /// The rule for reported pairs, where documents matched by their passages.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub matching: Option<MatchingRecord>,
}

impl SettingsRecord {
    /// The record of settings.
    ///
    /// * `passages`: the definition of a passage, if passages were requested.
    pub fn new(settings: &Settings, passages: Option<PassageSettings>) -> Self {
        let Settings { shingles, normalization, banding, .. } = settings;
        Self {
            shingle: shingles.kind(),
            k: shingles.size(),
            banding: *banding,
            threshold: settings.pairs.min_similarity().map_or(0.0, Threshold::value),
            source: settings.pairs.source,
            signature: settings.signature(),
            weights: settings.weights.as_ref().map(Weighting::name),
            weight_table: settings.weights.as_ref().and_then(Weighting::table),
            bag: shingles.bag(),
            stop_words: (shingles.kind() == ShingleKind::StopWord).then(|| match shingles.stop_words() {
                StopWords::Detect => "auto",
                StopWords::Language(language) => language.code(),
                StopWords::Words(_) => "list",
            }),
            folding: normalization.folding(),
            syntax: normalization.syntax.filter(|_| shingles.of_programs()).map(Syntax::name),
            skip_lines: normalization.skip_lines.iter().map(|pattern| pattern.as_str().to_owned()).collect(),
            ignore_between: normalization.ignore_between.iter().map(Markers::to_strings).collect(),
            min_tokens: shingles.min_tokens(),
            jaccard_kept: settings.pairs.kept_names,
            passages: settings.pairs.source.passages().or(passages),
            matching: settings.pairs.source.matching().map(MatchingRecord::new),
        }
    }
}

fn is_not_exhaustive(source: &PairSource) -> bool {
    match source {
        PairSource::Bands | PairSource::Passages(_) => true,
        PairSource::AllPairs => false,
    }
}

fn write_true<S: Serializer>(_: &PairSource, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(true)
}

/// The settings of a record that readers of a saved result need.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct RecordedSettings {
    pub(crate) shingle: ShingleKind,
    #[serde(flatten)]
    banding: Banding,
    /// The minimum similarity reported; 0 where documents match by their passages.
    pub(crate) threshold: f64,
    #[serde(default)]
    all_pairs: bool,
    /// The rule for reported pairs, where documents matched by their passages.
    #[serde(rename = "match")]
    pub(crate) matching: Option<MatchingRecord>,
    #[serde(default)]
    pub(crate) jaccard_kept: Option<NonZeroUsize>,
}

impl RecordedSettings {
    /// The bands and rows with which the pairs were found; `None` when every pair was compared.
    ///
    /// # Errors
    /// When the numbers of bands and rows are out of range.
    pub(crate) fn banding(&self) -> Result<Option<Banding>> {
        if self.all_pairs { Ok(None) } else { Banding::new(self.banding.bands(), self.banding.rows()).map(Some) }
    }
}

/// The rule for reported pairs where documents match by their passages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchingRecord {
    /// The minimum share of the shorter document's tokens that passages cover, inclusive.
    pub coverage: f64,
    /// The minimum number of tokens that passages cover.
    pub min_matched: u64,
    /// Hashes in more texts than this were not used to find common token runs.
    pub max_key_df: Option<u64>,
    /// Whether copied blocks were searched, also within documents.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blocks: bool,
}

impl MatchingRecord {
    pub(crate) fn new(matching: MatchSettings) -> Self {
        let MatchSettings { coverage, min_matched, max_key_df, blocks, .. } = matching;
        Self { coverage: coverage.value(), min_matched, max_key_df, blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_pairs_are_read_back_as_they_were_recorded() {
        let matching = MatchSettings { blocks: true, ..MatchSettings::of(ShingleKind::Word).unwrap() };
        for source in [PairSource::Bands, PairSource::AllPairs, PairSource::Passages(matching)] {
            let mut settings = Settings::default();
            settings.pairs.source = source;
            settings.pairs.kept_names = NonZeroUsize::new(8);
            let record = SettingsRecord::new(&settings, None);
            let read: RecordedSettings = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
            let banding = (source != PairSource::AllPairs).then_some(record.banding);
            assert_eq!(read.banding().unwrap(), banding);
            assert_eq!((read.shingle, read.threshold), (record.shingle, record.threshold));
            assert_eq!((read.matching, read.jaccard_kept), (record.matching, record.jaccard_kept));
        }
    }
}
