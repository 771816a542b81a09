//! Complete linkage: makes groups in which every pair of texts is an edge.
//!
//! Edges are read in descending order of similarity, and two groups join if every pair across them is an edge. Each
//! group keeps its common neighbours: the texts with an edge to all its members. Two groups may join if all members of
//! one are among the common neighbours of the other.
//!
//! The joined group keeps the common neighbours of both groups, so these lists only shrink, and all joins together need
//! no more time than reading the edges. Defays 1977 describes complete linkage.

use rayon::prelude::*;

use super::edge::VerifiedEdge;
use crate::base::memory::table;
use crate::documents::document::DocId;

/// The label of each text that has an edge: one text of its group.
///
/// * `edges`: sorted here by descending similarity; at most one edge between the same texts.
///
/// In addition to the edges it needs 8 bytes per edge and 32 bytes per document.
pub(super) fn complete(edges: &mut [VerifiedEdge], num_documents: usize) -> Vec<Option<u32>> {
    let mut groups = CompleteGroups::new(edges, num_documents);
    edges.par_sort_unstable_by(VerifiedEdge::by_strength);
    edges.iter().for_each(|edge| groups.try_join(edge.a, edge.b));
    let mut labels = table(|| vec![None; num_documents]);
    for end in edges.iter().flat_map(|edge| [edge.a, edge.b]) {
        labels[end.index()] = Some(groups.labels[end.index()]);
    }
    labels
}

struct CompleteGroups {
    /// For each text, the text whose index has the data of the group in the other fields.
    labels: Vec<u32>,
    /// The next member of the group, in a ring.
    next: Vec<u32>,
    sizes: Vec<u32>,
    /// Start of the common neighbours of a group in `neighbours`; `lens` has their number. They ascend.
    starts: Vec<usize>,
    lens: Vec<u32>,
    neighbours: Vec<u32>,
}

impl CompleteGroups {
    /// Puts every text into a separate group.
    fn new(edges: &mut [VerifiedEdge], num_documents: usize) -> Self {
        let mut lens = table(|| vec![0u32; num_documents]);
        edges.iter().flat_map(|edge| [edge.a, edge.b]).for_each(|end| lens[end.index()] += 1);
        let mut starts = table(|| Vec::with_capacity(num_documents));
        let mut end = 0;
        for len in &mut lens {
            starts.push(end);
            // The lengths are counted again while the neighbours are written.
            end += std::mem::take(len) as usize;
        }
        let mut neighbours = vec![0; end];
        let mut write = |text: DocId, neighbour: DocId| {
            let len = &mut lens[text.index()];
            neighbours[starts[text.index()] + *len as usize] = neighbour.get();
            *len += 1;
        };
        // In this order, a text's earlier neighbours are written before its later ones, and all of them ascend.
        edges.par_sort_unstable_by_key(|edge| (edge.b, edge.a));
        edges.iter().for_each(|edge| write(edge.b, edge.a));
        edges.par_sort_unstable_by_key(VerifiedEdge::ends);
        edges.iter().for_each(|edge| write(edge.a, edge.b));
        let all: Vec<u32> = (0..num_documents as u32).collect();
        Self { labels: all.clone(), next: all, sizes: table(|| vec![1; num_documents]), starts, lens, neighbours }
    }

    fn try_join(&mut self, a: DocId, b: DocId) {
        let (a, b) = (self.labels[a.index()], self.labels[b.index()]);
        if a == b {
            return;
        }
        let (small, large) = if self.sizes[a as usize] < self.sizes[b as usize] { (a, b) } else { (b, a) };
        let common = self.common(large);
        if self.members(small).all(|member| common.binary_search(&member).is_ok()) {
            self.join(small, large);
        }
    }

    fn join(&mut self, small: u32, large: u32) {
        let [small_at, large_at] = [small as usize, large as usize];
        // The common neighbours of both groups overwrite the shorter list.
        let (short, long) =
            if self.lens[small_at] < self.lens[large_at] { (small_at, large) } else { (large_at, small) };
        let long = self.starts[long as usize]..self.starts[long as usize] + self.lens[long as usize] as usize;
        let (start, mut kept) = (self.starts[short], 0);
        for at in start..start + self.lens[short] as usize {
            let neighbour = self.neighbours[at];
            if self.neighbours[long.clone()].binary_search(&neighbour).is_ok() {
                self.neighbours[start + kept] = neighbour;
                kept += 1;
            }
        }
        (self.starts[large_at], self.lens[large_at]) = (start, kept as u32);
        let mut member = small;
        loop {
            self.labels[member as usize] = large;
            member = self.next[member as usize];
            if member == small {
                break;
            }
        }
        // Swapping the successors of two members joins their rings.
        self.next.swap(small_at, large_at);
        self.sizes[large_at] += self.sizes[small_at];
    }

    fn common(&self, label: u32) -> &[u32] {
        let start = self.starts[label as usize];
        &self.neighbours[start..start + self.lens[label as usize] as usize]
    }

    fn members(&self, label: u32) -> impl Iterator<Item = u32> + '_ {
        let after = move |&member: &u32| Some(self.next[member as usize]).filter(|&next| next != label);
        std::iter::successors(Some(label), after)
    }
}
