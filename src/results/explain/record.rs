//! `ExplanationRecord`: an explanation as one JSON object, for scripts.

use serde::{Deserialize, Serialize};

use super::explanation::{BandAgreement, Explanation, Verdict};
use crate::compare::passages::LocatedPassage;
use crate::records::{Name, PairRecord};
use crate::text::normalize::Disguises;
use crate::text::weights::to_number;

/// The object that `dedup explain --json` prints. Later versions only add keys. The numbers are the same as in a line
/// of `dedup scan`; they are omitted when one of the documents has no shingle to compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExplanationRecord<'a> {
    /// The name of the document that was given first.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// The name of the document that was given second.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// Whether the pair is reported.
    pub reported: bool,
    /// `reported`, or the reason why the pair is not reported.
    pub reason: Verdict,
    /// The reason why the first input is not a document; omitted for a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail_a: Option<String>,
    /// The reason why the second input is not a document; omitted for a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail_b: Option<String>,
    /// How often each kind of disguise was undone in the first text; omitted if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disguises_a: Option<Disguises>,
    /// How often each kind of disguise was undone in the second text; omitted if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disguises_b: Option<Disguises>,
    /// The threshold; omitted if the run matches by passages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// If the run matches by passages: the minimum share of the shorter document's tokens that they must cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// If the run matches by passages: the minimum number of tokens that they must cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_matched: Option<u64>,
    /// |A|: the number of distinct shingles of the first document that are compared.
    pub shingles_a: u64,
    /// |B|: the number of distinct shingles of the second document that are compared.
    pub shingles_b: u64,
    /// |A ∩ B|: the number of distinct shingles in both documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<u64>,
    /// The Jaccard similarity, |A ∩ B| / |A ∪ B|.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jaccard: Option<f64>,
    /// The containment of the first document in the second, |A ∩ B| / |A|.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment_a: Option<f64>,
    /// The containment of the second document in the first, |A ∩ B| / |B|.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub containment_b: Option<f64>,
    /// The share of equal signature values, an estimate of the similarity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
    /// If shingles are removed before the comparison: the similarity with all shingles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jaccard_raw: Option<f64>,
    /// If program sources are also compared with their identifiers kept: the similarity of these shingle sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jaccard_kept: Option<f64>,
    /// The number of further shared shingles that the threshold requires; omitted when it is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<u64>,
    /// The bands in which the signatures agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bands: Option<BandAgreement>,
    /// The share of the first document's tokens that passages cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_a: Option<f64>,
    /// The share of the second document's tokens that passages cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_b: Option<f64>,
    /// If the run matches by passages: the number of tokens that they cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// If the run matches by passages: the number of tokens in the longest run that is the same in both documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// The passages that the documents share. Omitted for sets, whose elements have no order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passages: Option<Vec<LocatedPassage>>,
    /// If shingles have weights: the total weight of the shingles in both documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_shared: Option<f64>,
    /// If shingles have weights: the total weight of the first document's shingles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_a: Option<f64>,
    /// If shingles have weights: the total weight of the second document's shingles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_b: Option<f64>,
}

impl Explanation {
    /// The pair as a line of `dedup scan` has it, whether or not a run reports it, without sources. `None` when one of
    /// the documents has nothing to compare.
    pub fn pair_record(&self) -> Option<PairRecord<'_>> {
        let comparison = self.comparison.as_ref()?;
        let passages = self.passages.as_ref();
        let by_passages = passages.filter(|_| self.source.matching().is_some());
        Some(PairRecord {
            coverage_a: passages.map(|passages| passages.coverage_a),
            coverage_b: passages.map(|passages| passages.coverage_b),
            matched: by_passages.map(|passages| passages.matched),
            longest: by_passages.map(|passages| passages.longest),
            ..PairRecord::of([&self.a.name, &self.b.name].map(|name| Name::new(name)), &comparison.pair)
        })
    }
}

impl<'a> ExplanationRecord<'a> {
    /// The record of an explanation.
    pub fn new(explanation: &'a Explanation) -> Self {
        let Explanation { a, b, verdict, comparison, passages, source, .. } = explanation;
        let (comparison, passages, matching) = (comparison.as_ref(), passages.as_ref(), source.matching());
        let by_similarity = comparison.filter(|_| matching.is_none());
        let by_passages = passages.filter(|_| matching.is_some());
        let pair = comparison.map(|comparison| comparison.pair);
        let weights = pair.and_then(|pair| pair.weights);
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
            shared: pair.map(|pair| pair.shared),
            jaccard: pair.map(|pair| pair.similarity()),
            containment_a: pair.map(|pair| pair.containment_a()),
            containment_b: pair.map(|pair| pair.containment_b()),
            estimate: pair.map(|pair| pair.estimate()),
            jaccard_raw: pair.and_then(|pair| pair.raw_similarity()),
            jaccard_kept: pair.and_then(|pair| pair.kept_similarity()),
            missing: by_similarity.map(|comparison| comparison.missing).filter(|&missing| missing > 0),
            bands: comparison.filter(|_| source.is_banded()).map(|comparison| comparison.bands.clone()),
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
