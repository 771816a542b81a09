//! What `follow_index` takes and gives: lines in, answers out.

use serde::Serialize;

use super::answer::IndexAnswer;
use crate::output::Name;

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
        /// Whether it is on the disk; only where that is asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        durable: Option<bool>,
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
}

impl FollowedMatch {
    /// * `index`: where several are asked.
    pub(super) fn new(
        answer: &IndexAnswer,
        name: Name<'static>,
        num_hashes: f64,
        index: Option<Name<'static>>,
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
            index,
        }
    }
}
