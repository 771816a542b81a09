//! `Explanation`: how two documents compare as a pair.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::base::problem::{Problem, Reason};
use crate::compare::passages::LocatedPassage;
use crate::compare::verify::{DuplicatePair, Threshold};
use crate::search::corpus::DecodedText;
use crate::search::pairs::PairSource;
use crate::sign::banding::Banding;
use crate::text::normalize::Disguises;

/// How two documents compare, and why a run does or does not report them.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The document that was given first.
    pub a: ExplainedDocument,
    /// The document that was given second.
    pub b: ExplainedDocument,
    /// Whether the pair is reported, and why not.
    pub verdict: Verdict,
    /// The numbers of the pair; `None` when one of the documents has no shingle to compare.
    pub comparison: Option<Comparison>,
    /// The passages that the texts share; `None` when they were not requested, or when one input is not a document.
    pub passages: Option<ExplainedPassages>,
    /// The bands and rows of the run.
    pub banding: Banding,
    /// The threshold of the run.
    pub threshold: Threshold,
    /// How the run finds its pairs. The bands only matter if they find the pairs, and the threshold does not matter to pairs
    /// that match by their passages.
    pub source: PairSource,
    /// The number of inputs that were skipped because of an error. Above 0 the corpus is incomplete.
    pub errors: u64,
}

/// One document of an explanation.
#[derive(Debug, Clone)]
pub struct ExplainedDocument {
    /// The name of the document in pairs. It may not be UTF-8.
    pub name: Vec<u8>,
    /// The number of distinct shingles that are compared.
    pub shingles: u64,
    /// The number of distinct shingles that are removed before the comparison.
    pub removed: u64,
    /// The reason why the input is not a document; `None` for a document.
    pub detail: Option<String>,
    /// How often each kind of disguise was undone in the document's text.
    pub disguises: Disguises,
    pub(super) decoded: DecodedText,
}

impl ExplainedDocument {
    /// The text as people read it: decoded, without HTML markup, and not folded. Empty if the input is not a document.
    pub fn text(&self) -> &str {
        &self.decoded.text
    }

    /// Byte ranges of [`text`](Self::text) where disguises were undone, ascending.
    pub fn disguised_parts(&self) -> &[Range<usize>] {
        &self.decoded.disguised
    }

    pub(crate) fn decoded(&self) -> &DecodedText {
        &self.decoded
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
    /// The pair is reported.
    Reported,
    /// The similarity is below the threshold.
    BelowThreshold,
    /// The passages cover too little of the documents.
    BelowCoverage,
    /// The similarity reaches the threshold, but the signatures agree in no band, so the pair is never compared.
    NotFound,
    /// The similarity reaches the threshold, but the signatures differ too much, so the pair is never compared.
    Excluded,
    /// Both documents are in one group, and only different groups are compared.
    SameGroup,
    /// The documents are in different groups, and only documents of the same group are compared.
    OtherGroup,
    /// Both documents are on one side of a comparison.
    SameSide,
    /// Both documents are old, and old documents are not compared with one another.
    BothOld,
    /// One document is an exact copy, and only pairs of the first document with that text are reported.
    Copy,
    /// One document has no text.
    Empty,
    /// All shingles of one document are removed.
    Emptied,
    /// One document has fewer tokens than the minimum.
    Short,
    /// One input could not be used as a document.
    Skipped,
}

impl Verdict {
    /// The verdict about an input that is not a document.
    pub(super) fn of_skipped(problem: &Problem) -> Self {
        if problem.reason == Reason::FewTokens { Self::Short } else { Self::Skipped }
    }

    /// Whether the pair is reported.
    pub fn is_reported(self) -> bool {
        self == Self::Reported
    }
}

/// The numbers of two documents as a pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The numbers that a run reports of a pair, whether or not it reaches the threshold.
    pub pair: DuplicatePair,
    /// The bands in which the signatures agree.
    pub bands: BandAgreement,
    /// The number of further shingles of these documents that would have to be equal to reach the threshold. 0 when it
    /// is reached, and when shingles have weights.
    pub missing: u64,
    /// Whether the signatures differ too much, so that the run does not compare the documents.
    pub is_excluded: bool,
    /// Whether the normalised texts are equal.
    pub same_text: bool,
}

/// The bands in which two signatures agree; serialised as `bands` of the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BandAgreement {
    /// The number of bands in a signature.
    pub bands: usize,
    /// The number of rows in a band.
    pub rows: usize,
    /// The bands that are equal in both signatures, numbered from 1, ascending.
    pub agree: Vec<usize>,
    /// The probability that a pair of this similarity agrees in at least one band, over all seeds (MMDS 3.4.2).
    pub chance: f64,
}

/// The passages that two texts share.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedPassages {
    /// The passages in the order of their places in the first document.
    pub passages: Vec<ExplainedPassage>,
    /// The share of the first document's tokens that passages cover, from 0 to 1.
    pub coverage_a: f64,
    /// The share of the second document's tokens that passages cover, from 0 to 1.
    pub coverage_b: f64,
    /// The number of tokens that passages cover, equal in both documents.
    pub matched: u64,
    /// The number of tokens in the longest run that is the same in both documents.
    pub longest: u64,
    /// Byte ranges of both texts that were removed before the comparison, such as text that all authors were given;
    /// ascending.
    pub removed: [Vec<Range<usize>>; 2],
    /// The label that people see on these parts.
    pub removed_words: &'static str,
}

/// A passage, with its places in the originals and in the texts that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedPassage {
    /// The places of the passage in the originals.
    pub located: LocatedPassage,
    /// The passage's byte range in the [`text`](ExplainedDocument::text) of the first document.
    pub a: Range<usize>,
    /// The passage's byte range in the [`text`](ExplainedDocument::text) of the second document.
    pub b: Range<usize>,
}
