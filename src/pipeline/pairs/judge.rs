//! The judgement: counted pairs against the threshold, and what is reported of those that reach it.

use std::ops::Range;

use super::block::{BlockMemory, Counted};
use super::found::{Found, Neighbour, Sizes};
use super::plan::{Component, Plan};
use super::{PairSearch, Window};
use crate::document::DocId;
use crate::signature::equal_values;

/// A pair that reaches the threshold; places are those of the plan.
struct Reached {
    a: (DocId, usize),
    b: (DocId, usize),
    shared: u32,
    shared_removed: u32,
}

impl PairSearch<'_> {
    /// Verifies a component that is one block, on one thread from reading to judging.
    pub(super) fn verify_component(
        &self,
        window: &Window,
        plan: &Plan,
        block: &Range<usize>,
        memory: &mut BlockMemory,
        found: &mut Found,
    ) {
        self.count_block(plan, block, false, memory);
        let first_edge = plan.edges_of(block).start;
        let reached = self.reached(plan, block, |text| memory.counted.sizes[text - block.start], |edge| {
            let edge = edge - first_edge;
            (memory.counted.shared[edge], memory.counted.shared_removed.get(edge).copied().unwrap_or(0))
        });
        let mut signatures: Vec<Option<Box<[u32]>>> = vec![None; block.len()];
        for text in reached.iter().flat_map(|pair| [pair.a.1, pair.b.1]) {
            let signature = &mut signatures[text - block.start];
            if signature.is_none() {
                *signature = self.signature_in_block(plan, block, text, memory);
            }
        }
        let sizes = |text: usize| memory.counted.sizes[text - block.start];
        self.report(window, plan, block, &reached, sizes, |text| signatures[text - block.start].as_deref(), found);
    }

    /// Judges a component of several blocks that were counted before.
    pub(super) fn judge(
        &self,
        window: &Window,
        plan: &Plan,
        component: &Component,
        counted: &[Counted],
        found: &mut Found,
    ) {
        let block_of = |text: usize| component.blocks.partition_point(|block| block.end <= text);
        let sizes = |text: usize| {
            let block = block_of(text);
            counted[block].sizes[text - component.blocks[block].start]
        };
        let mut reached = Vec::new();
        for (block, counted) in component.blocks.iter().zip(counted) {
            let first_edge = plan.edges_of(block).start;
            reached.extend(self.reached(plan, block, sizes, |edge| {
                let edge = edge - first_edge;
                (counted.shared[edge], counted.shared_removed.get(edge).copied().unwrap_or(0))
            }));
        }
        let signature = |text: usize| {
            let block = block_of(text);
            counted[block].signatures[text - component.blocks[block].start].as_deref()
        };
        self.report(window, plan, &component.texts, &reached, sizes, signature, found);
    }

    /// The edges of some texts whose pairs reach the threshold.
    fn reached(
        &self,
        plan: &Plan,
        texts: &Range<usize>,
        sizes: impl Fn(usize) -> Option<Sizes>,
        shared: impl Fn(usize) -> (u32, u32),
    ) -> Vec<Reached> {
        let mut reached = Vec::new();
        for text in texts.clone() {
            let Some(own) = sizes(text) else { continue };
            for edge in plan.edges(text) {
                let partner = plan.partners[edge] as usize;
                let Some(theirs) = sizes(partner) else { continue };
                let (shared, shared_removed) = shared(edge);
                if u64::from(shared) >= self.threshold.least_shared(own.shingles.into(), theirs.shingles.into()) {
                    let (x, y) = ((plan.texts[text], text), (plan.texts[partner], partner));
                    reached.push(Reached { a: x.min(y), b: x.max(y), shared, shared_removed });
                }
            }
        }
        reached
    }

    /// Adds the pairs, and the texts with copies, to what was found.
    #[allow(clippy::too_many_arguments)]
    fn report<'s>(
        &self,
        window: &Window,
        plan: &Plan,
        texts: &Range<usize>,
        reached: &[Reached],
        sizes: impl Fn(usize) -> Option<Sizes>,
        signature: impl Fn(usize) -> Option<&'s [u32]>,
        found: &mut Found,
    ) {
        let mut reached: Vec<&Reached> = reached.iter().collect();
        reached.sort_unstable_by_key(|pair| (pair.a.0, pair.b.0));
        let mut reached = reached.into_iter().peekable();
        let in_window = |&(document, _): &(DocId, usize)| window.documents.contains(&document.index());
        let mut order: Vec<(DocId, usize)> =
            texts.clone().map(|text| (plan.texts[text], text)).filter(in_window).collect();
        order.sort_unstable();
        for (document, text) in order {
            let Some(own) = sizes(text) else { continue };
            while let Some(pair) = reached.next_if(|pair| pair.a.0 == document) {
                let (Some(theirs), Some(a), Some(b)) = (sizes(pair.b.1), signature(text), signature(pair.b.1)) else {
                    // Not readable any more when its signature was to be made.
                    continue;
                };
                found.push_neighbour(Neighbour {
                    first: pair.b.0,
                    shingles: theirs.shingles,
                    shared: pair.shared,
                    equal_values: equal_values(a, b) as u32,
                    removed: theirs.removed,
                    shared_removed: pair.shared_removed,
                });
            }
            found.push_text(document, own, self.has_copies(document));
        }
    }
}
