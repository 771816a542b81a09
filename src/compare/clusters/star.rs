//! Star linkage: chooses centres, and joins other texts to them.
//!
//! In the order of centres, each free text becomes a centre, and every free text with an edge to it joins its group. A
//! text before a centre in that order is in a group already: if it were a free neighbour, it would have become the
//! centre. So each edge matters in one direction only, and sorted edges are read once.

use rayon::prelude::*;

use super::edge::{Joined, VerifiedEdge};
use crate::base::memory::table;
use crate::documents::document::DocId;

/// The texts that joined a centre, ascending, each with its centre; and the label of each text, which is its centre.
///
/// * `edges`: reordered here, so that `a` is the text that comes first in the order of centres.
/// * `positions`: positions of texts in the order of centres; `None` for document order.
pub(super) fn star(
    edges: &mut [VerifiedEdge],
    positions: Option<&[u32]>,
    num_documents: usize,
) -> (Vec<Joined>, Vec<Option<u32>>) {
    let position = |document: DocId| positions.map_or(document.get(), |positions| positions[document.index()]);
    for edge in &mut *edges {
        if position(edge.a) > position(edge.b) {
            (edge.a, edge.b) = (edge.b, edge.a);
        }
    }
    edges.par_sort_unstable_by_key(|edge| (position(edge.a), position(edge.b)));
    let (mut taken, mut labels) = (Vec::new(), table(|| vec![None; num_documents]));
    for edges in edges.chunk_by(|a, b| a.a == b.a) {
        let centre = edges[0].a;
        if labels[centre.index()].is_some() {
            continue;
        }
        labels[centre.index()] = Some(centre.get());
        for edge in edges {
            let label = &mut labels[edge.b.index()];
            if label.is_none() {
                *label = Some(centre.get());
                taken.push(Joined { document: edge.b, by: centre, similarity: edge.similarity });
            }
        }
    }
    taken.par_sort_unstable_by_key(|joined| joined.document);
    (taken, labels)
}
