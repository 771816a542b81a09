//! `Explanation`: what is known of two documents as a pair.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::banding::Banding;
use crate::corpus::DecodedText;
use crate::matching::MatchSettings;
use crate::normalize::Disguises;
use crate::passages::LocatedPassage;
use crate::problem::{Problem, Reason};
use crate::verify::{PairWeights, Threshold};

/// How two documents compare, and why a run does or does not report them.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The document that was named first.
    pub a: ExplainedDocument,
    /// The document that was named second.
    pub b: ExplainedDocument,
    /// Whether the pair is reported, and why not.
    pub verdict: Verdict,
    /// The numbers of the pair; `None` when one of them has no shingle to compare.
    pub comparison: Option<Comparison>,
    /// What the texts share and where; `None` when that was not asked for, or when one of them is no document.
    pub passages: Option<ExplainedPassages>,
    /// The bands and rows of the run.
    pub banding: Banding,
    /// The threshold of the run.
    pub threshold: Threshold,
    /// Whether the run finds every pair at the threshold, so that its bands have no part in it.
    pub all_pairs: bool,
    /// What a run wants that matches by passages; the threshold and the bands have no part in it.
    pub matching: Option<MatchSettings>,
    /// Inputs that were skipped for an error, so that the corpus is incomplete.
    pub errors: u64,
}

/// A document of an explanation.
#[derive(Debug, Clone)]
pub struct ExplainedDocument {
    /// The document's name, as pairs have it. It may not be UTF-8.
    pub name: Vec<u8>,
    /// Distinct shingles that are compared.
    pub shingles: u64,
    /// Distinct shingles that are removed before.
    pub removed: u64,
    /// Why the input is no document, where it is none.
    pub detail: Option<String>,
    /// How often each kind of disguise was undone in its text.
    pub disguises: Disguises,
    pub(super) decoded: DecodedText,
}

impl ExplainedDocument {
    /// The text as a person reads it: decoded, a page without its markup, and not folded. Empty for what is no document.
    pub fn text(&self) -> &str {
        &self.decoded.text
    }

    /// Where disguises were undone in [`text`](Self::text): ranges of bytes, ascending.
    pub fn disguised_parts(&self) -> &[Range<usize>] {
        &self.decoded.disguised
    }

    /// The line of the original, from 1, that a byte of the [`text`](Self::text) comes from.
    pub fn line_of(&self, offset: usize) -> u64 {
        self.decoded.line_of(offset)
    }
}

/// Whether a run reports two documents as a pair, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It does.
    Reported,
    /// The similarity is below the threshold.
    BelowThreshold,
    /// The passages cover too little.
    BelowCoverage,
    /// The similarity reaches the threshold, and no band agrees, so the pair is never looked at.
    NotFound,
    /// Both are in one group, and documents of different groups are compared.
    SameGroup,
    /// They are in different groups, and documents of one group are compared.
    OtherGroup,
    /// Both are on one side of a comparison.
    SameSide,
    /// One is an exact copy, and another document stands for it.
    Copy,
    /// One has no text.
    Empty,
    /// All shingles of one are removed.
    Emptied,
    /// One has fewer tokens than asked for.
    Short,
    /// One could not be used as a document.
    Skipped,
}

impl Verdict {
    /// That of an input which is no document.
    pub(super) fn of_skipped(problem: &Problem) -> Self {
        if problem.reason == Reason::FewTokens { Self::Short } else { Self::Skipped }
    }

    /// Whether the pair is reported.
    pub fn is_reported(self) -> bool {
        self == Self::Reported
    }
}

/// The numbers of a pair; exact but for the estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Distinct shingles in both.
    pub shared: u64,
    /// Distinct shingles of the first.
    pub shingles_a: u64,
    /// Distinct shingles of the second.
    pub shingles_b: u64,
    /// Equal values of the signatures.
    pub equal_values: u32,
    /// Values of a signature.
    pub num_hashes: u32,
    /// The similarity before shingles were removed; `None` when the run removes none.
    pub raw_similarity: Option<f64>,
    /// The similarity of programs with their names kept; `None` unless the run looks for it.
    pub kept_similarity: Option<f64>,
    /// Which bands agree.
    pub bands: BandAgreement,
    /// How many more shingles of these documents would have to be the same for the threshold; 0 when it is reached, and where
    /// shingles have weights.
    pub missing: u64,
    /// Whether the texts are equal as they are compared.
    pub same_text: bool,
    /// What the shingles weigh, where they have weights; then these say how similar the documents are.
    pub weights: Option<PairWeights>,
}

impl Comparison {
    /// |A ∩ B| / |A ∪ B|, exact up to collisions of 64-bit shingle hashes; the nearest `f64`.
    pub fn similarity(&self) -> f64 {
        let (shared, a, b) = self.sizes();
        shared as f64 / (a + b - shared) as f64
    }

    /// What both have, and each: in shingles, or in the weight of these.
    pub(super) fn sizes(&self) -> (u64, u64, u64) {
        let counts = (self.shared, self.shingles_a, self.shingles_b);
        self.weights.map_or(counts, |weights| (weights.shared, weights.a, weights.b))
    }

    /// |A ∩ B| / |A|.
    pub fn containment_a(&self) -> f64 {
        let (shared, a, _) = self.sizes();
        shared as f64 / a as f64
    }

    /// |A ∩ B| / |B|.
    pub fn containment_b(&self) -> f64 {
        let (shared, _, b) = self.sizes();
        shared as f64 / b as f64
    }

    /// The share of equal signature values: an estimate of the similarity.
    pub fn estimate(&self) -> f64 {
        f64::from(self.equal_values) / f64::from(self.num_hashes)
    }
}

/// Which bands of two signatures agree; serialised, it is `bands` of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BandAgreement {
    /// Bands of a signature.
    pub bands: usize,
    /// Rows of a band.
    pub rows: usize,
    /// The bands that are equal in both, numbered from 1, ascending.
    pub agree: Vec<usize>,
    /// The chance that a pair of this similarity agrees in at least one band, over all seeds (MMDS 3.4.2).
    pub chance: f64,
}

/// What two texts share and where.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedPassages {
    /// In the order of their places in the first document.
    pub passages: Vec<ExplainedPassage>,
    /// The share of the first document's tokens that are in passages, from 0 to 1.
    pub coverage_a: f64,
    /// The same of the second document.
    pub coverage_b: f64,
    /// The tokens that they cover, the same number in both.
    pub matched: u64,
    /// The tokens of the longest run that is the same in both.
    pub longest: u64,
    /// Bytes of the texts of both documents that were removed before they were compared, such as what all authors were handed
    /// out; ascending.
    pub removed: [Vec<Range<usize>>; 2],
    /// What people read of these parts.
    pub removed_words: &'static str,
}

/// A passage, in the originals and in the texts that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedPassage {
    /// Where it is in the originals.
    pub located: LocatedPassage,
    /// Its bytes in the [`text`](ExplainedDocument::text) of the first document.
    pub a: Range<usize>,
    /// Its bytes in that of the second.
    pub b: Range<usize>,
}
