//! `Grower`: grows a group from its representative along the edges of a tree, the strongest edge first. Prim 1957.
//!
//! In a tree of the strongest edges of a group, it chooses the edges in the same order as among all edges of the group.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::edge::{Joined, VerifiedEdge};
use crate::documents::document::DocId;

/// Buffers for growing groups, kept from group to group.
#[derive(Default)]
pub(super) struct Grower {
    /// The ends of each member's edges in `edges`, by the member's position in the group.
    ends: Vec<usize>,
    edges: Vec<VerifiedEdge>,
    heap: BinaryHeap<Reached>,
}

/// An edge from a member that is in the group to another one; the strongest is the greatest.
struct Reached {
    edge: VerifiedEdge,
    /// Whether `edge.b` is the member that is not in the group yet.
    to_b: bool,
}

impl Grower {
    /// Appends the edge that added each member except the first one.
    ///
    /// * `members`: the members of the group, ascending.
    /// * `tree`: edges that connect all members, one fewer than members.
    pub(super) fn grow(&mut self, members: &[DocId], tree: &[VerifiedEdge], from: DocId, joins: &mut Vec<Joined>) {
        debug_assert_eq!(tree.len() + 1, members.len());
        let position = |document: DocId| members.binary_search(&document).expect("edges join members");
        self.ends.clear();
        self.ends.resize(members.len() + 1, 0);
        for end in tree.iter().flat_map(|edge| [edge.a, edge.b]) {
            self.ends[position(end) + 1] += 1;
        }
        for at in 1..self.ends.len() {
            self.ends[at] += self.ends[at - 1];
        }
        // Filled from the back, so that ends become starts.
        self.edges.clear();
        self.edges.resize(2 * tree.len(), VerifiedEdge { a: from, b: from, similarity: 0.0 });
        let starts = &mut self.ends[1..];
        for edge in tree {
            for end in [edge.a, edge.b] {
                let start = &mut starts[position(end)];
                *start -= 1;
                self.edges[*start] = *edge;
            }
        }
        self.heap.clear();
        let mut next = Some((from, None));
        while let Some((document, by)) = next {
            let at = position(document);
            let end = self.ends.get(at + 2).copied().unwrap_or(2 * tree.len());
            for &edge in &self.edges[self.ends[at + 1]..end] {
                let to_b = edge.a == document;
                let other = if to_b { edge.b } else { edge.a };
                if Some(other) != by {
                    self.heap.push(Reached { edge, to_b });
                }
            }
            next = self.heap.pop().map(|Reached { edge: VerifiedEdge { a, b, similarity }, to_b }| {
                let (by, document) = if to_b { (a, b) } else { (b, a) };
                joins.push(Joined { document, by, similarity });
                (document, Some(by))
            });
        }
    }
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.edge.by_strength(&self.edge)
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Reached {}
