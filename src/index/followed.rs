//! What `follow_index` takes and gives: lines in, answers out.

use serde::{Serialize, Serializer};

use super::answer::IndexAnswer;
use super::details::AnswerDetail;
use crate::output::Name;
use crate::passages::LocatedPassage;
use crate::problem::Problem;
use crate::verify::KeptNames;

/// What comes next.
#[derive(Debug)]
pub enum FollowedLine {
    /// A line, without its end.
    Line(Vec<u8>),
    /// None yet.
    Waiting,
    /// No more lines.
    End,
}

/// The answer to a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FollowedAnswer<'a> {
    /// To a document.
    Found {
        /// Its id; null when it has none.
        id: Option<Name<'a>>,
        /// The similar documents of the index, in its order, or the best ones first.
        matches: Vec<FollowedMatch>,
        /// Whether it was added. It may be lost with the open batch, unless `durable` is true.
        added: bool,
        /// True where that is asked for and it is on the disk, also where it was there before with this text.
        #[serde(skip_serializing_if = "Option::is_none")]
        durable: Option<bool>,
        /// Documents that may be similar, and were not compared: their texts are no longer those that the index refers to. Only where
        /// there are any, each by its name.
        #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "names_of")]
        stale: Vec<Problem>,
    },
    /// To a line that cannot be answered.
    Failed {
        /// Its number, from 1.
        line: u64,
        /// What is wrong, and what to do.
        error: String,
    },
}

/// A document of the index that is similar; the keys are those of a pair, without `a`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FollowedMatch {
    /// Its name.
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
    /// The share of equal signature values.
    pub estimate: f64,
    /// The similarity of programs with their names kept, where the index was made for that or it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_kept: Option<f64>,
    /// With passages: the share of the question's tokens that they cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_a: Option<f64>,
    /// The same of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_b: Option<f64>,
    /// With passages: what both share and where; null, and then without coverages, where one of them is too long for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<Option<Vec<LocatedPassage>>>,
    /// Where several indexes are asked: the one that the document is in, as given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<Name<'static>>,
}

/// What was asked and added line by line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FollowSummary {
    /// Lines that were answered.
    pub lines: u64,
    /// Lines that could not be.
    pub errors: u64,
    /// Documents that were added.
    pub added: u64,
    /// Lines that documents may be missing from the answers to, since their texts are no longer those that the index refers to.
    pub stale: u64,
}

fn names_of<S: Serializer>(stale: &[Problem], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(stale.iter().map(|problem| &problem.place))
}

impl FollowedMatch {
    /// * `index`: where several are asked.
    /// * `detail`: what else was asked for.
    /// * `has_passages`: whether passages were.
    pub(super) fn new(
        answer: &IndexAnswer,
        name: Name<'static>,
        num_hashes: f64,
        index: Option<Name<'static>>,
        detail: AnswerDetail,
        has_passages: bool,
    ) -> Self {
        let [shared, a, b] = [answer.shared, answer.shingles_a, answer.shingles_b].map(|number| number as f64);
        Self {
            b: name,
            jaccard: shared / (a + b - shared),
            containment_a: shared / a,
            containment_b: shared / b,
            shared: answer.shared,
            shingles_a: answer.shingles_a,
            shingles_b: answer.shingles_b,
            estimate: f64::from(answer.equal_values) / num_hashes,
            jaccard_kept: detail.kept_names.map(KeptNames::similarity),
            coverage_a: detail.passages.as_ref().map(|passages| passages.coverage_a),
            coverage_b: detail.passages.as_ref().map(|passages| passages.coverage_b),
            passages: has_passages.then(|| detail.passages.map(|passages| passages.passages)),
            index,
        }
    }
}
