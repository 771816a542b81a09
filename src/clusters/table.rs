//! `Clusters`: the groups of documents, in flat arrays.

use super::edge::Joined;
use crate::document::DocId;

/// Groups of documents that belong together, each of two and more, in the order of their first members.
///
/// 4 bytes a document, and 20 bytes a member of a group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clusters {
    /// The number of the group of each document, or `ALONE`.
    pub(super) group_of: Vec<u32>,
    /// Group by group, ascending in each.
    pub(super) members: Vec<DocId>,
    /// Where the members of each group end.
    pub(super) ends: Vec<usize>,
    pub(super) heads: Vec<GroupHead>,
    /// Group by group, one fewer than members.
    pub(super) joins: Vec<Joined>,
}

/// What each group has once.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GroupHead {
    pub(super) representative: DocId,
    pub(super) least: f64,
    pub(super) mean: f64,
}

/// A group of two documents and more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster<'c> {
    /// Its documents, in document order.
    pub members: &'c [DocId],
    /// The first member in the order of centres. With star linkage it is the centre.
    pub representative: DocId,
    /// How every other member came in. With star linkage each came by the representative, in document order; otherwise they
    /// are in the order in which the group grows from its representative along the strongest edge that leads out of it.
    pub joined: &'c [Joined],
    /// The least similarity of the verified edges of the group; with [`Linkage::Components`](super::Linkage::Components)
    /// that of the edges in `joined`.
    pub similarity_min: f64,
    /// The mean similarity of the same edges.
    pub similarity_mean: f64,
}

impl Clusters {
    /// In place of the number of a group.
    pub(super) const ALONE: u32 = u32::MAX;

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of documents in groups.
    pub fn num_grouped(&self) -> usize {
        self.members.len()
    }

    /// The group with this number.
    ///
    /// # Panics
    /// When there is none.
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

    /// How all members came in: those of group after group, each in the order that [`Cluster::joined`] has.
    pub fn joins(&self) -> &[Joined] {
        &self.joins
    }

    /// Where the joins of the group with this number are among [`all`](Self::joins).
    ///
    /// # Panics
    /// When there is no such group.
    pub fn joins_of(&self, number: usize) -> std::ops::Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        // Each group before it has one fewer joins than members.
        start - number..self.ends[number] - number - 1
    }

    /// All groups, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cluster<'_>> {
        (0..self.len()).map(|number| self.group(number))
    }

    /// The number of a document's group; `None` when it is in none.
    ///
    /// # Panics
    /// When there is no such document.
    pub fn group_of(&self, document: DocId) -> Option<usize> {
        Some(self.group_of[document.index()]).filter(|&group| group != Self::ALONE).map(|group| group as usize)
    }

    /// Bytes of all of it.
    pub fn num_bytes(&self) -> usize {
        size_of_val(&*self.group_of)
            + size_of_val(&*self.members)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.heads)
            + size_of_val(&*self.joins)
    }
}
