//! Records of groups: one JSON object for each group, or one label for each document.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::utc::utc;
use super::{Name, PairSide};
use crate::compare::clusters::{Cluster, Linkage};
use crate::documents::document::{DocId, Documents};

/// One group of documents. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClusterRecord<'a> {
    /// Number of the group, from 1: groups of two and more documents in the order of their first members, then single
    /// documents, in document order.
    pub group: u64,
    /// Names of the group's documents, in document order.
    #[serde(borrow)]
    pub members: Vec<Name<'a>>,
    /// Name of the member that represents the group: the centre with star linkage, otherwise the first in document
    /// order, or by `--keep`.
    #[serde(borrow)]
    pub representative: Name<'a>,
    /// Number of members.
    pub size: u64,
    /// Lowest Jaccard similarity of the group's edges; absent for a single document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_min: Option<f64>,
    /// Mean Jaccard similarity of the group's edges; absent for a single document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_mean: Option<f64>,
    /// The edges that `jaccard_min` and `jaccard_mean` cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<EdgesOver>,
    /// For each member except the representative, the edge that added it to the group.
    #[serde(borrow)]
    pub joined_by: Vec<JoinedRecord<'a>>,
    /// Lowest Jaccard similarity of any two members, including pairs that are not edges; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_least: Option<f64>,
    /// Whether `jaccard_least` is less than half of the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loose: Option<bool>,
    /// Side of each member, in a result of two sides, where both sides may have a document of the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Vec<PairSide>>,
    /// Names of the members that are old (`--old`); absent if none is.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub old: Option<Vec<Name<'a>>>,
    /// Time of each member, if `--keep newest` or `oldest` compared times: such as `2026-11-27T09:30:00Z`, or null if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Vec<Option<String>>>,
}

/// The edges that the similarities of a group cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgesOver {
    /// The edges in `joined_by`.
    JoinedBy,
    /// All verified edges of the group.
    Verified,
}

/// The edge that added a member to its group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JoinedRecord<'a> {
    /// Name of the added member.
    #[serde(borrow)]
    pub name: Name<'a>,
    /// Name of the earlier member that it was added for.
    #[serde(borrow)]
    pub by: Name<'a>,
    /// Exact Jaccard similarity of the two members.
    pub jaccard: f64,
    /// With `--match passages`: share of the added member's tokens in the pair's passages, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_name: Option<f64>,
    /// With `--match passages`: share of the earlier member's tokens in the pair's passages, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_by: Option<f64>,
    /// Side of the added member, in a result of two sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<PairSide>,
    /// Side of the earlier member, in a result of two sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_side: Option<PairSide>,
}

/// The group label of one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelRecord<'a> {
    /// Name of the document.
    #[serde(borrow)]
    pub name: Name<'a>,
    /// Number of the document's group, as in [`ClusterRecord::group`]; null for a document that is not compared.
    pub group: Option<u64>,
    /// Side of the document, in a result of two sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<PairSide>,
    /// Whether the document is old (`--old`); absent if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<bool>,
}

impl<'a> LabelRecord<'a> {
    /// Creates the label of a document.
    ///
    /// * `group`: the number of its group, from 0.
    pub fn new(documents: &'a Documents, document: DocId, group: Option<usize>) -> Self {
        let group = group.map(|group| group as u64 + 1);
        let old = documents.scope().is_old(document).then_some(true);
        Self { name: Name::new(documents.name(document)), group, side: side(documents, document), old }
    }
}

/// The side of a document, if there are sides.
fn side(documents: &Documents, document: DocId) -> Option<PairSide> {
    documents.scope().side(document).map(|side| if side == 0 { PairSide::A } else { PairSide::B })
}

/// The names of the members that are old; `None` if none is.
fn old<'a>(documents: &'a Documents, members: &[DocId]) -> Option<Vec<Name<'a>>> {
    let old = members.iter().filter(|&&member| documents.scope().is_old(member));
    let old: Vec<_> = old.map(|&member| Name::new(documents.name(member))).collect();
    (!old.is_empty()).then_some(old)
}

impl<'a> ClusterRecord<'a> {
    /// Creates the record of a group.
    ///
    /// * `number`: the number of the group, from 0.
    /// * `least`: the lowest similarity of any two members and whether the group is loose, where they are known.
    /// * `coverages`: for each joined member, the coverages of it and of the earlier member, where they are known.
    pub fn new(
        documents: &'a Documents,
        number: usize,
        cluster: &Cluster<'_>,
        linkage: Linkage,
        least: Option<(f64, bool)>,
        coverages: &[Option<[f64; 2]>],
    ) -> Self {
        let name = |document| Name::new(documents.name(document));
        Self {
            group: number as u64 + 1,
            members: cluster.members.iter().map(|&member| name(member)).collect(),
            representative: name(cluster.representative),
            size: cluster.members.len() as u64,
            jaccard_min: Some(cluster.similarity_min),
            jaccard_mean: Some(cluster.similarity_mean),
            over: Some(match linkage {
                Linkage::Components => EdgesOver::JoinedBy,
                Linkage::Star | Linkage::Complete => EdgesOver::Verified,
            }),
            joined_by: cluster
                .joined
                .iter()
                .enumerate()
                .map(|(at, joined)| {
                    let coverages = coverages.get(at).copied().flatten();
                    JoinedRecord {
                        name: name(joined.document),
                        by: name(joined.by),
                        jaccard: joined.similarity,
                        coverage_name: coverages.map(|[coverage, _]| coverage),
                        coverage_by: coverages.map(|[_, coverage]| coverage),
                        side: side(documents, joined.document),
                        by_side: side(documents, joined.by),
                    }
                })
                .collect(),
            jaccard_least: least.map(|(least, _)| least),
            loose: least.map(|(_, is_loose)| is_loose),
            sides: cluster.members.iter().map(|&member| side(documents, member)).collect(),
            old: old(documents, cluster.members),
            times: None,
        }
    }

    /// Adds the times of the members.
    pub fn with_times(self, times: impl Iterator<Item = Option<SystemTime>>) -> Self {
        Self { times: Some(times.map(|time| time.and_then(utc)).collect()), ..self }
    }

    /// Creates the record of a group with a single document.
    ///
    /// * `number`: the number of the group, from 0.
    pub fn alone(documents: &'a Documents, number: usize, document: DocId) -> Self {
        let name = Name::new(documents.name(document));
        Self {
            group: number as u64 + 1,
            members: vec![name.clone()],
            representative: name,
            size: 1,
            jaccard_min: None,
            jaccard_mean: None,
            over: None,
            joined_by: Vec::new(),
            jaccard_least: None,
            loose: None,
            sides: side(documents, document).map(|side| vec![side]),
            old: old(documents, &[document]),
            times: None,
        }
    }
}
