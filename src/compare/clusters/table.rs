//! `Clusters`: the groups of documents, in flat arrays.

use super::edge::Joined;
use crate::documents::document::DocId;

/// Groups of documents that belong together, each of at least two documents, in the order of their first members.
///
/// 4 bytes per document, and 20 bytes per member of a group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clusters {
    /// The number of each document's group, or `ALONE`.
    pub(super) group_of: Vec<u32>,
    /// The members of all groups, group by group, ascending in each.
    pub(super) members: Vec<DocId>,
    /// The end of each group's members in `members`.
    pub(super) ends: Vec<usize>,
    pub(super) heads: Vec<GroupHead>,
    /// The joins of all groups, group by group, one fewer than members in each.
    pub(super) joins: Vec<Joined>,
}

/// The representative of a group, and the statistics of its similarities.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GroupHead {
    pub(super) representative: DocId,
    pub(super) least: f64,
    pub(super) mean: f64,
}

/// A group of at least two documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster<'c> {
    /// Documents of the group, in document order.
    pub members: &'c [DocId],
    /// The first member in the order of centres; with star linkage the centre.
    pub representative: DocId,
    /// For each other member, the edge that added it. With star linkage each member was added by the representative,
    /// and they are in document order. Otherwise they are in the order in which the group grows from its representative
    /// along the strongest edge that leads out of it.
    pub joined: &'c [Joined],
    /// Lowest similarity of the verified edges of the group; with [`Linkage::Components`](super::Linkage::Components),
    /// of the edges in `joined`.
    pub similarity_min: f64,
    /// Mean similarity of the same edges.
    pub similarity_mean: f64,
}

impl Clusters {
    /// Marks a document that is not in a group.
    pub(super) const ALONE: u32 = u32::MAX;

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of documents in groups.
    pub fn num_grouped(&self) -> usize {
        self.members.len()
    }

    /// The group with the given number.
    ///
    /// # Panics
    /// When the number is out of range.
    pub fn group(&self, number: usize) -> Cluster<'_> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = self.ends[number];
        let GroupHead { representative, least, mean } = self.heads[number];
        Cluster {
            members: &self.members[start..end],
            representative,
            joined: &self.joins[self.joins_of(number)],
            similarity_min: least,
            similarity_mean: mean,
        }
    }

    /// The joins of all groups, group by group, each group in the order of [`Cluster::joined`].
    pub fn joins(&self) -> &[Joined] {
        &self.joins
    }

    /// The range of a group's joins in [`joins`](Self::joins).
    ///
    /// # Panics
    /// When the number is out of range.
    pub fn joins_of(&self, number: usize) -> std::ops::Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        // Each group before it has one fewer joins than members.
        start - number..self.ends[number] - number - 1
    }

    /// All groups, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cluster<'_>> {
        (0..self.len()).map(|number| self.group(number))
    }

    /// The number of a document's group; `None` if it is not in a group.
    ///
    /// # Panics
    /// When the document is out of range.
    pub fn group_of(&self, document: DocId) -> Option<usize> {
        Some(self.group_of[document.index()]).filter(|&group| group != Self::ALONE).map(|group| group as usize)
    }

    /// Bytes in memory.
    pub fn num_bytes(&self) -> usize {
        size_of_val(&*self.group_of)
            + size_of_val(&*self.members)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.heads)
            + size_of_val(&*self.joins)
    }
}
