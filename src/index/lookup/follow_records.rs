//! The input and output types of `follow_index`: lines and results.

use serde::{Serialize, Serializer};

use super::details::MatchDetail;
use crate::base::problem::Problem;
use crate::compare::passages::LocatedPassage;
use crate::compare::verify::KeptNames;
use crate::index::read::index_match::IndexMatch;
use crate::records::Name;

/// The next input of `follow_index`.
#[derive(Debug)]
pub enum FollowedLine {
    /// A line, without its line end.
    Line(Vec<u8>),
    /// The next line has not arrived yet.
    Waiting,
    /// The input has ended.
    End,
}

/// The result of a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FollowedResult<'a> {
    /// The result of a document.
    Found {
        /// The id of the document; null when it has none.
        id: Option<Name<'a>>,
        /// The similar documents of the index, in its order, or the best ones first.
        matches: Vec<FollowedMatch>,
        /// Whether the document was added. It may be lost with the open batch, unless `durable` is true.
        added: bool,
        /// True if `sync` was requested and the document is on the disk, also when the index already had it with this
        /// text.
        #[serde(skip_serializing_if = "Option::is_none")]
        durable: Option<bool>,
        /// The names of documents that may be similar but were not compared, because their texts have changed or are
        /// missing. Omitted when there are none.
        #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "names_of")]
        stale: Vec<Problem>,
    },
    /// The error of an invalid line.
    Failed {
        /// The number of the line, from 1.
        line: u64,
        /// The fault of the line, and what to do.
        error: String,
    },
}

/// A similar document of the index; the keys are the keys of a pair, without `a`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FollowedMatch {
    /// The name of the document.
    pub b: Name<'static>,
    /// |A ∩ B| / |A ∪ B|, exact up to collisions of 64-bit shingle hashes; the nearest `f64`.
    pub jaccard: f64,
    /// |A ∩ B| / |A|.
    pub containment_a: f64,
    /// |A ∩ B| / |B|.
    pub containment_b: f64,
    /// |A ∩ B|.
    pub shared: u64,
    /// |A|.
    pub shingles_a: u64,
    /// |B|.
    pub shingles_b: u64,
    /// The share of equal values in the two signatures.
    pub estimate: f64,
    /// The similarity of programs with identifiers kept, if the index was built for it or it is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_kept: Option<f64>,
    /// With passages: the share of the tokens of the query that the passages cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_a: Option<f64>,
    /// With passages: the share of the tokens of the document that the passages cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_b: Option<f64>,
    /// In a search by passages: the number of tokens in the passages, equal on both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// In a search by passages: the number of tokens in the longest of the passages' runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// With passages: the shared passages and their positions; null, and without coverages, if a document is too long
    /// for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<Option<Vec<LocatedPassage>>>,
    /// The path of the index that contains the document, as given, if several are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<Name<'static>>,
}

/// The counts of a run of `follow_index`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FollowSummary {
    /// The number of lines with a result, including errors.
    pub lines: u64,
    /// The number of lines with errors.
    pub errors: u64,
    /// The number of documents that were added.
    pub added: u64,
    /// The number of lines whose results may be incomplete, because texts that an index refers to have changed or are
    /// missing.
    pub stale: u64,
}

fn names_of<S: Serializer>(stale: &[Problem], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(stale.iter().map(|problem| &problem.place))
}

impl FollowedMatch {
    /// Creates the record of a result.
    ///
    /// * `index`: the path of the index, if several are searched.
    /// * `detail`: the requested details.
    /// * `has_passages`: whether passages are requested.
    pub(crate) fn new(
        matched: &IndexMatch,
        name: Name<'static>,
        num_hashes: f64,
        index: Option<Name<'static>>,
        detail: MatchDetail,
        has_passages: bool,
    ) -> Self {
        let totals = detail.passages.as_ref().and_then(|passages| passages.totals);
        let [shared, a, b] = [matched.shared, matched.shingles_a, matched.shingles_b].map(|number| number as f64);
        Self {
            b: name,
            jaccard: shared / (a + b - shared),
            containment_a: shared / a,
            containment_b: shared / b,
            shared: matched.shared,
            shingles_a: matched.shingles_a,
            shingles_b: matched.shingles_b,
            estimate: f64::from(matched.equal_values) / num_hashes,
            jaccard_kept: detail.kept_names.map(KeptNames::similarity),
            coverage_a: detail.passages.as_ref().map(|passages| passages.coverage_a),
            coverage_b: detail.passages.as_ref().map(|passages| passages.coverage_b),
            matched: totals.map(|totals| totals.matched),
            longest: totals.map(|totals| totals.longest),
            passages: has_passages.then(|| detail.passages.map(|passages| passages.passages)),
            index,
        }
    }
}
