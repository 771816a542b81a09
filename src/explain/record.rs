//! `ExplanationRecord`: an explanation as one JSON object, for scripts.

use serde::{Deserialize, Serialize};

use super::explanation::{BandAgreement, Explanation, Verdict};
use crate::normalize::Disguises;
use crate::output::Name;
use crate::passages::LocatedPassage;
use crate::weights::to_number;

/// The object that `dedup explain --json` prints. Keys are only ever added. The numbers are those of a line of `dedup scan`;
/// they are left out when one of the documents has no shingle to compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplanationRecord<'a> {
    /// The name of the document that was named first.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// The name of the other.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// Whether the pair is reported.
    pub reported: bool,
    /// That it is, or why it is not.
    pub reason: Verdict,
    /// Why the first input is no document, where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail_a: Option<String>,
    /// The same of the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail_b: Option<String>,
    /// How often each kind of disguise was undone in the first text; only where some was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disguises_a: Option<Disguises>,
    /// The same of the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disguises_b: Option<Disguises>,
    /// The threshold; left out of a run that matches by passages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Of a run that matches by passages: the least share of the shorter document's tokens that they have to cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// Of the same: the least number of tokens that they have to cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_matched: Option<u64>,
    /// |A|: distinct shingles of the first that are compared.
    pub shingles_a: u64,
    /// |B|.
    pub shingles_b: u64,
    /// |A ∩ B|.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<u64>,
    /// |A ∩ B| / |A ∪ B|.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jaccard: Option<f64>,
    /// |A ∩ B| / |A|.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment_a: Option<f64>,
    /// |A ∩ B| / |B|.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment_b: Option<f64>,
    /// The share of equal signature values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// When shingles are removed before the comparison: the similarity of the whole sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jaccard_raw: Option<f64>,
    /// Of programs that are also compared with their names kept: the similarity of these sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jaccard_kept: Option<f64>,
    /// How many more shared shingles the threshold needs; left out when it is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<u64>,
    /// Which bands agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bands: Option<BandAgreement>,
    /// The share of the first document's tokens that passages cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_a: Option<f64>,
    /// The same of the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_b: Option<f64>,
    /// Of a run that matches by passages: the tokens that they cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// The tokens of the longest run that is the same in both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// What the documents share and where. Left out for sets, whose elements have no order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passages: Option<Vec<LocatedPassage>>,
    /// Where shingles have weights: what those in both weigh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_shared: Option<f64>,
    /// What those of the first weigh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_a: Option<f64>,
    /// What those of the other weigh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_b: Option<f64>,
}

impl<'a> ExplanationRecord<'a> {
    /// The record of an explanation.
    pub fn new(explanation: &'a Explanation) -> Self {
        let Explanation { a, b, verdict, comparison, passages, matching, .. } = explanation;
        let (comparison, passages) = (comparison.as_ref(), passages.as_ref());
        // Neither threshold nor bands decide about pairs that match by their passages.
        let by_similarity = comparison.filter(|_| matching.is_none());
        let by_passages = passages.filter(|_| matching.is_some());
        let weights = comparison.and_then(|comparison| comparison.weights);
        Self {
            a: Name::new(&a.name),
            b: Name::new(&b.name),
            reported: verdict.is_reported(),
            reason: *verdict,
            detail_a: a.detail.clone(),
            detail_b: b.detail.clone(),
            disguises_a: Some(a.disguises).filter(|disguises| !disguises.is_none()),
            disguises_b: Some(b.disguises).filter(|disguises| !disguises.is_none()),
            threshold: matching.is_none().then(|| explanation.threshold.value()),
            coverage: matching.map(|matching| matching.coverage.value()),
            min_matched: matching.map(|matching| matching.min_matched),
            shingles_a: a.shingles,
            shingles_b: b.shingles,
            shared: comparison.map(|comparison| comparison.shared),
            jaccard: comparison.map(|comparison| comparison.similarity()),
            containment_a: comparison.map(|comparison| comparison.containment_a()),
            containment_b: comparison.map(|comparison| comparison.containment_b()),
            estimate: comparison.map(|comparison| comparison.estimate()),
            jaccard_raw: comparison.and_then(|comparison| comparison.raw_similarity),
            jaccard_kept: comparison.and_then(|comparison| comparison.kept_similarity),
            missing: by_similarity.map(|comparison| comparison.missing).filter(|&missing| missing > 0),
            bands: by_similarity.filter(|_| !explanation.all_pairs).map(|comparison| comparison.bands.clone()),
            coverage_a: passages.map(|passages| passages.coverage_a),
            coverage_b: passages.map(|passages| passages.coverage_b),
            matched: by_passages.map(|passages| passages.matched),
            longest: by_passages.map(|passages| passages.longest),
            passages: passages
                .map(|passages| passages.passages.iter().map(|passage| passage.located.clone()).collect()),
            weight_shared: weights.map(|weights| to_number(weights.shared)),
            weight_a: weights.map(|weights| to_number(weights.a)),
            weight_b: weights.map(|weights| to_number(weights.b)),
        }
    }
}
