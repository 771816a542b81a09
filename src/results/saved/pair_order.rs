//! `PairOrder`: derives an order of documents from the lines of a file of pairs.
//!
//! A file of pairs does not say in which order its documents were read, but its lines show part of that order. The
//! first document of a pair precedes the second. The first documents ascend from line to line, and so do the second
//! documents of the same first one. Any order with these properties gives the same groups as the run. The order of two
//! documents matters only if they are a pair, if both are first documents, or if both are second documents of the same
//! first one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::base::flat::ragged::Ragged;
use crate::base::memory::table;
use crate::documents::document::DocId;

/// The pairs in the order of their lines. 8 bytes per pair.
#[derive(Debug, Default)]
pub(super) struct PairOrder {
    pairs: Vec<(DocId, DocId)>,
}

impl PairOrder {
    /// Adds the pair of the next line, in its order.
    pub(super) fn push(&mut self, a: DocId, b: DocId) {
        self.pairs.push((a, b));
    }

    /// The documents in an order that agrees with all lines. When several documents may be next, the one with the
    /// lowest number is. `None` when the lines contradict each other, for example because they were sorted in another
    /// way.
    ///
    /// O(n log n) time for n documents, and linear in the pairs, which need 24 bytes each during the call.
    pub(super) fn documents(self, num_documents: usize) -> Option<Vec<DocId>> {
        let mut before = self.constraints();
        before.sort_unstable();
        before.dedup();
        let mut after = Ragged::default();
        let mut num_before = table(|| vec![0u32; num_documents]);
        let mut rest = before.as_slice();
        for document in (0..num_documents).map(DocId::new) {
            let len = rest.partition_point(|&(first, _)| first == document);
            let (own, others) = rest.split_at(len);
            after.open_row().extend(own.iter().map(|&(_, second)| second));
            after.end_row();
            own.iter().for_each(|&(_, second)| num_before[second.index()] += 1);
            rest = others;
        }
        let mut next: BinaryHeap<Reverse<DocId>> = (0..num_documents)
            .map(DocId::new)
            .filter(|document| num_before[document.index()] == 0)
            .map(Reverse)
            .collect();
        let mut order = table(|| Vec::with_capacity(num_documents));
        while let Some(Reverse(document)) = next.pop() {
            order.push(document);
            for &second in after.row(document.index()) {
                num_before[second.index()] -= 1;
                if num_before[second.index()] == 0 {
                    next.push(Reverse(second));
                }
            }
        }
        (order.len() == num_documents).then_some(order)
    }

    /// The pairs (earlier, later) of documents whose order the lines show.
    fn constraints(&self) -> Vec<(DocId, DocId)> {
        let of_lines = self.pairs.windows(2).map(|lines| match (lines[0], lines[1]) {
            ((a, b), (next_a, next_b)) if a == next_a => (b, next_b),
            ((a, _), (next_a, _)) => (a, next_a),
        });
        self.pairs.iter().copied().chain(of_lines).filter(|(first, second)| first != second).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order(pairs: &[(usize, usize)], num_documents: usize) -> Option<Vec<usize>> {
        let mut order = PairOrder::default();
        pairs.iter().for_each(|&(a, b)| order.push(DocId::new(a), DocId::new(b)));
        order.documents(num_documents).map(|order| order.into_iter().map(DocId::index).collect())
    }

    #[test]
    fn lines_that_contradict_each_other_have_no_order() {
        assert_eq!(order(&[(0, 1), (1, 2)], 3), Some(vec![0, 1, 2]));
        assert_eq!(order(&[(0, 2), (1, 2), (0, 1)], 3), None, "0 comes again");
        assert_eq!(order(&[], 0), Some(vec![]));
    }

    proptest! {
        #[test]
        fn the_order_of_a_run_is_kept_wherever_it_counts(
            pairs in prop::collection::btree_set((0usize..30, 0usize..30), 0..60),
        ) {
            // Documents by their true positions; they are numbered in the order in which the lines mention them.
            let pairs: Vec<(usize, usize)> = pairs.into_iter().filter(|(a, b)| a < b).collect();
            let mut names: Vec<usize> = Vec::new();
            let mut number = |name: usize| {
                names.iter().position(|&known| known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                })
            };
            let numbered: Vec<(usize, usize)> = pairs.iter().map(|&(a, b)| (number(a), number(b))).collect();
            let found = order(&numbered, names.len()).expect("the lines are in document order");
            let position = |name: usize| found.iter().position(|&number| names[number] == name).unwrap();
            let firsts: Vec<usize> = pairs.iter().map(|&(a, _)| position(a)).collect();
            prop_assert!(firsts.is_sorted());
            prop_assert!(pairs.iter().all(|&(a, b)| position(a) < position(b)));
            for lines in pairs.windows(2).filter(|lines| lines[0].0 == lines[1].0) {
                prop_assert!(position(lines[0].1) < position(lines[1].1));
            }
        }
    }
}
