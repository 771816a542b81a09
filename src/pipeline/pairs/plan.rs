//! The plan of a window: its texts in an order in which relatives stand side by side, cut into blocks.
//!
//! The pairs that the sketches leave are the edges of a graph. Its components are verified apart; inside a component texts
//! are ordered breadth first, so that most edges join texts of one block. An edge is counted in the block of that of its
//! texts that comes first in this order.

use std::ops::Range;

use rayon::prelude::*;

use super::window::Window;
use crate::document::{DocId, Documents};

/// Most texts of a block: eight words of a matrix's row.
const BLOCK_TEXTS: usize = 512;
/// Shingles of a block's texts, repeats counted, beyond which it takes no further text: some tens of megabytes when all
/// differ.
const BLOCK_SHINGLES: u64 = 1 << 25;

/// The texts of a window, in the order in which they are verified.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) texts: Vec<DocId>,
    /// Where the edges of each text begin, and where those of the last one end.
    starts: Vec<usize>,
    /// The later text of each edge, by its place in the order; ascending for each earlier text.
    pub(super) partners: Vec<u32>,
    pub(super) components: Vec<Component>,
}

/// Texts that hang together by edges, and no others: a run of the order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Component {
    pub(super) texts: Range<usize>,
    /// The blocks that it is cut into, each a run of the order.
    pub(super) blocks: Vec<Range<usize>>,
}

impl Plan {
    /// * `places`: a number for each document, of any value.
    pub(super) fn new(window: &Window, documents: &Documents, places: &mut [u32]) -> Self {
        let mut nodes: Vec<DocId> = window.pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        nodes.extend_from_slice(&window.with_copies);
        nodes.par_sort_unstable();
        nodes.dedup();
        for (place, node) in (0..).zip(&nodes) {
            places[node.index()] = place;
        }
        let place = |node: DocId| places[node.index()];
        let edges = || window.pairs.iter().map(|&(a, b)| (place(a), place(b)));
        let both_ways = Adjacency::new(nodes.len(), || edges().flat_map(|(a, b)| [(a, b), (b, a)]));

        let mut plan = Self { texts: Vec::with_capacity(nodes.len()), ..Self::default() };
        const UNRANKED: u32 = u32::MAX;
        let mut ranks = vec![UNRANKED; nodes.len()];
        let mut order: Vec<u32> = Vec::with_capacity(nodes.len());
        for node in 0..nodes.len() as u32 {
            if ranks[node as usize] != UNRANKED {
                continue;
            }
            let start = order.len();
            let mut at = start;
            ranks[node as usize] = start as u32;
            order.push(node);
            while let Some(&reached) = order.get(at) {
                at += 1;
                for &neighbour in both_ways.of(reached as usize) {
                    if ranks[neighbour as usize] == UNRANKED {
                        ranks[neighbour as usize] = order.len() as u32;
                        order.push(neighbour);
                    }
                }
            }
            let blocks = blocks(start..order.len(), |rank| documents.num_shingles(nodes[order[rank] as usize]));
            plan.components.push(Component { texts: start..order.len(), blocks });
        }
        plan.texts.extend(order.iter().map(|&node| nodes[node as usize]));
        let ranked = || {
            edges().map(|(a, b)| {
                let (a, b) = (ranks[a as usize], ranks[b as usize]);
                (a.min(b), a.max(b))
            })
        };
        let Adjacency { starts, neighbours } = Adjacency::new(nodes.len(), ranked);
        (plan.starts, plan.partners) = (starts, neighbours);
        for text in 0..plan.texts.len() {
            let edges = plan.edges(text);
            plan.partners[edges].sort_unstable();
        }
        plan
    }

    /// The edges of a text to later ones.
    pub(super) fn edges(&self, text: usize) -> Range<usize> {
        self.starts[text]..self.starts[text + 1]
    }

    /// The edges of a run of texts to later ones.
    pub(super) fn edges_of(&self, texts: &Range<usize>) -> Range<usize> {
        self.starts[texts.start]..self.starts[texts.end]
    }
}

/// Cuts the texts of a component into blocks.
fn blocks(texts: Range<usize>, num_shingles: impl Fn(usize) -> u32) -> Vec<Range<usize>> {
    let mut blocks = Vec::with_capacity(1);
    let mut start = texts.start;
    let mut sum = 0;
    let most = std::env::var("DBG_BLOCK").map_or(BLOCK_SHINGLES, |v| v.parse().unwrap());
    for text in texts.clone() {
        if text > start && (text - start == std::env::var("DBG_ROWS").map_or(BLOCK_TEXTS, |v| v.parse().unwrap()) || sum >= most) {
            blocks.push(start..text);
            (start, sum) = (text, 0);
        }
        sum += u64::from(num_shingles(text));
    }
    blocks.push(start..texts.end);
    blocks
}

/// The neighbours of each node, those of one node after another.
struct Adjacency {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
}

impl Adjacency {
    fn new<I: Iterator<Item = (u32, u32)>>(num_nodes: usize, edges: impl Fn() -> I) -> Self {
        let mut starts = vec![0; num_nodes + 2];
        for (from, _) in edges() {
            starts[from as usize + 2] += 1;
        }
        for node in 2..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut neighbours = vec![0; starts[num_nodes + 1]];
        for (from, to) in edges() {
            // Each start moves on to the next one's.
            let at = &mut starts[from as usize + 1];
            neighbours[*at] = to;
            *at += 1;
        }
        starts.pop();
        Self { starts, neighbours }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.neighbours[self.starts[node]..self.starts[node + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_runs_and_every_edge_belongs_to_the_earlier_text() {
        let id = DocId::new;
        let pairs = [(0, 4), (4, 9), (1, 3), (1, 9), (2, 7)].map(|(a, b)| (id(a), id(b)));
        let window = Window { documents: 0..5, pairs: pairs.into(), with_copies: vec![id(2), id(6)], num_candidates: 5 };
        let mut documents = Documents::default();
        for text in 0..10u8 {
            let located = crate::document::Located { offset: 0, len: 0, source: 0 };
            documents.push(&[text], Some(text.into()), 10, located);
        }
        let plan = Plan::new(&window, &documents, &mut [0; 10]);
        let texts: Vec<usize> = plan.texts.iter().map(|text| text.index()).collect();
        assert_eq!(texts, [0, 4, 9, 1, 3, 2, 7, 6]);
        let components: Vec<Range<usize>> = plan.components.iter().map(|component| component.texts.clone()).collect();
        assert_eq!(components, [0..5, 5..7, 7..8]);
        let mut edges = Vec::new();
        for text in 0..texts.len() {
            for &partner in &plan.partners[plan.edges(text)] {
                assert!(partner as usize > text);
                edges.push((texts[text].min(texts[partner as usize]), texts[text].max(texts[partner as usize])));
            }
        }
        edges.sort_unstable();
        assert_eq!(edges, [(0, 4), (1, 3), (1, 9), (2, 7), (4, 9)]);
        assert_eq!(plan.edges_of(&(0..5)), 0..4);
    }

    #[test]
    fn blocks_end_by_texts_or_by_shingles() {
        assert_eq!(blocks(3..5, |_| 10), [3..5]);
        assert_eq!(blocks(0..1100, |_| 10), [0..512, 512..1024, 1024..1100]);
        let large = |text| if text == 1 { 1 << 25 } else { 5 };
        assert_eq!(blocks(0..4, large), [0..2, 2..4]);
    }
}
