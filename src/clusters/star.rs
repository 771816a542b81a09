//! Star linkage: edges in, centres and what each took out.
//!
//! In the order of centres each text that is not taken becomes a centre and takes every text with an edge to it that is not
//! taken. A text that stands before a centre is taken or a centre itself, and no neighbour of this one. So each edge
//! matters in one direction only, and sorted edges are read once.

use rayon::prelude::*;

use super::edge::{Joined, VerifiedEdge};
use crate::document::DocId;

/// The texts that were taken, by the texts that took them, and the label of each: the centre. The taken ones ascend.
///
/// * `edges`: turned around here, so that the text that stands first in the order of centres is `a`.
/// * `places`: of texts in the order of centres; `None` for document order.
pub(super) fn star(
    edges: &mut [VerifiedEdge],
    places: Option<&[u32]>,
    num_documents: usize,
) -> (Vec<Joined>, Vec<Option<u32>>) {
    let place = |document: DocId| places.map_or(document.get(), |places| places[document.index()]);
    for edge in &mut *edges {
        if place(edge.a) > place(edge.b) {
            (edge.a, edge.b) = (edge.b, edge.a);
        }
    }
    edges.par_sort_unstable_by_key(|edge| (place(edge.a), place(edge.b)));
    let (mut taken, mut labels) = (Vec::new(), vec![None; num_documents]);
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
