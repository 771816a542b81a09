//! The records of groups: one JSON object for each group, or the label of each document.

use serde::{Deserialize, Serialize};

use super::{Name, PairSide};
use crate::clusters::{Cluster, Linkage};
use crate::document::{DocId, Documents};

/// A group of documents. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterRecord<'a> {
    /// Its number, from 1: groups of two and more by their first members, then single documents, in document order.
    pub group: u64,
    /// The names of its documents, in document order.
    #[serde(borrow)]
    pub members: Vec<Name<'a>>,
    /// The one that stands for all: the first in document order, and with star linkage the centre.
    #[serde(borrow)]
    pub representative: Name<'a>,
    /// The number of members.
    pub size: u64,
    /// The least Jaccard similarity of its edges; none of a single document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_min: Option<f64>,
    /// The mean of the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_mean: Option<f64>,
    /// Which edges those are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<EdgesOver>,
    /// How each member but the representative came in.
    #[serde(borrow)]
    pub joined_by: Vec<JoinedRecord<'a>>,
    /// The least Jaccard similarity of any two members, also of those that are no edge, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jaccard_least: Option<f64>,
    /// Whether that is far below the threshold: less than half of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loose: Option<bool>,
    /// The side of each member, in a result of two sides: a name may be on both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Vec<PairSide>>,
}

/// The edges that similarities of a group are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgesOver {
    /// Those in `joined_by`.
    JoinedBy,
    /// All verified edges of the group.
    Verified,
}

/// The edge that brought a member in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinedRecord<'a> {
    /// The member.
    #[serde(borrow)]
    pub name: Name<'a>,
    /// The member that was there before.
    #[serde(borrow)]
    pub by: Name<'a>,
    /// Their exact similarity.
    pub jaccard: f64,
    /// Where documents match by their passages: the share of the member's tokens that these cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_name: Option<f64>,
    /// The same of the one that was there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_by: Option<f64>,
    /// The side of the member, in a result of two sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<PairSide>,
    /// The side of the one that was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_side: Option<PairSide>,
}

/// The label of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelRecord<'a> {
    /// Its name.
    #[serde(borrow)]
    pub name: Name<'a>,
    /// The number of its group, as [`ClusterRecord::group`]; none of a document that is not compared.
    pub group: Option<u64>,
    /// Its side, in a result of two sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<PairSide>,
}

impl<'a> LabelRecord<'a> {
    /// * `group`: the number of its group, from 0.
    pub fn new(documents: &'a Documents, document: DocId, group: Option<usize>) -> Self {
        let group = group.map(|group| group as u64 + 1);
        Self { name: Name::new(documents.name(document)), group, side: side(documents, document) }
    }
}

/// The side of a document, if there are sides.
fn side(documents: &Documents, document: DocId) -> Option<PairSide> {
    documents.scope().side(document).map(|side| if side == 0 { PairSide::A } else { PairSide::B })
}

impl<'a> ClusterRecord<'a> {
    /// The record of a group.
    ///
    /// * `number`: of the group, from 0.
    /// * `least`: the least similarity of any two members, and whether the group is loose, where they are known.
    /// * `coverages`: of each of the joins, where they are known.
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
        }
    }

    /// The record of a document that is alone.
    ///
    /// * `number`: of its group, from 0.
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
        }
    }
}
