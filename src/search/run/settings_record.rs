//! `SettingsRecord`: the settings that a result depends on, in its summary and in a saved result.

use std::num::NonZeroUsize;

use serde::{Serialize, Serializer};

use super::settings::Settings;
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

/// The rule for reported pairs where documents match by their passages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchingRecord {
    /// The minimum share of the shorter document's tokens that passages cover, inclusive.
    pub coverage: f64,
    /// The minimum number of tokens that passages cover.
    pub min_matched: u64,
    /// Hashes in more texts than this were not used to find common token runs.
    pub max_key_df: Option<u64>,
    /// Whether copied blocks were searched, also within documents.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blocks: bool,
}

impl MatchingRecord {
    fn new(matching: MatchSettings) -> Self {
        let MatchSettings { coverage, min_matched, max_key_df, blocks, .. } = matching;
        Self { coverage: coverage.value(), min_matched, max_key_df, blocks }
    }
}
