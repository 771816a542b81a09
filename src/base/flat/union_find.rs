//! `UnionFind`: joins numbers into components, from many threads at once, and finds the smallest number of each
//! component.
//!
//! As in Anderson and Woll 1991, and Jayanti and Tarjan 2016: one compare-and-swap links a root to a smaller root, and
//! each search halves the path that it walks. So the root of a component is its smallest number, whatever the order of
//! the joins.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

/// Numbers from 0 on, each in one component, in 4 bytes per number.
#[derive(Debug)]
pub(crate) struct UnionFind {
    /// For each number, another number of its component that is smaller; a root has itself.
    parents: Box<[AtomicU32]>,
}

impl UnionFind {
    /// Creates the numbers below `len`, each in a component of its own.
    pub(crate) fn new(len: u32) -> Self {
        Self { parents: (0..len).map(AtomicU32::new).collect() }
    }

    /// Joins the components of two numbers. May be called from any thread.
    pub(crate) fn join(&self, mut a: u32, mut b: u32) {
        loop {
            (a, b) = (self.root(a), self.root(b));
            if a == b {
                return;
            }
            let (least, other) = (a.min(b), a.max(b));
            // When another thread has linked `other` in the meantime, it is no longer a root.
            let linked =
                self.parent(other).compare_exchange(other, least, Ordering::Relaxed, Ordering::Relaxed).is_ok();
            if linked {
                return;
            }
        }
    }

    /// Whether two numbers are in one component.
    pub(crate) fn are_joined(&self, a: u32, b: u32) -> bool {
        self.root(a) == self.root(b)
    }

    /// Shortens all paths to one step, in parallel. Call it after the last join and before [`least`](Self::least).
    pub(crate) fn settle(&self) {
        (0..self.parents.len() as u32).into_par_iter().for_each(|number| {
            // Path halving could overwrite the parent of a number that is settled already, so this loop does not halve.
            let mut root = number;
            loop {
                match self.parent(root).load(Ordering::Relaxed) {
                    parent if parent == root => break,
                    parent => root = parent,
                }
            }
            self.parent(number).store(root, Ordering::Relaxed);
        });
    }

    /// The smallest number of the component of `number`, after [`settle`](Self::settle).
    pub(crate) fn least(&self, number: u32) -> u32 {
        self.parent(number).load(Ordering::Relaxed)
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of_val(&*self.parents)
    }

    fn parent(&self, number: u32) -> &AtomicU32 {
        &self.parents[number as usize]
    }

    /// The smallest number of the component of `number`; may be called at any time.
    pub(crate) fn root(&self, mut number: u32) -> u32 {
        loop {
            let parent = self.parent(number).load(Ordering::Relaxed);
            let grandparent = self.parent(parent).load(Ordering::Relaxed);
            if parent == grandparent {
                return parent;
            }
            // A number that is not a root never becomes one again, and its ancestors stay its ancestors.
            self.parent(number).store(grandparent, Ordering::Relaxed);
            number = grandparent;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_least_number_of_a_component_is_the_least_that_joins_lead_to(
            joins in prop::collection::vec((0u32..300, 0u32..300), 0..400),
        ) {
            let components = UnionFind::new(300);
            joins.par_iter().for_each(|&(a, b)| components.join(a, b));
            components.settle();
            // The slow reference implementation: the smallest number spreads along all joins until nothing changes.
            let mut least: Vec<u32> = (0..300).collect();
            loop {
                let before = least.clone();
                for &(a, b) in &joins {
                    let both = least[a as usize].min(least[b as usize]);
                    (least[a as usize], least[b as usize]) = (both, both);
                }
                if least == before {
                    break;
                }
            }
            let found: Vec<u32> = (0..300).map(|number| components.least(number)).collect();
            prop_assert_eq!(found, least);
        }
    }

    #[test]
    fn threads_that_join_a_chain_from_both_ends_make_one_component() {
        let components = UnionFind::new(100_000);
        (1..100_000u32).into_par_iter().for_each(|later| {
            let later = if later % 2 == 0 { later } else { 100_000 - later };
            components.join(later, later - 1);
        });
        components.settle();
        assert!((0..100_000).all(|number| components.least(number) == 0));
    }
}
