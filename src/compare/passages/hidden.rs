//! Hidden runs: finds the runs that [`RunFinder::find`] skipped, when the run that hides them is cut.
//!
//! A run within a longer one in the text that is not indexed is useless while the longer one is whole: it is shorter,
//! and all its tokens there are in a tile when its turn comes.

use std::ops::Range;

use super::rolling_hash::TokenId;
use super::runs::{RunFinder, TokenRun, common_prefix};

impl RunFinder {
    /// Passes on the runs that have a seed at one of `positions` in the other text, some of them several times. The runs
    /// of these texts must have been searched before. Returns whether all such runs are known, which is not the case if
    /// seeds are capped.
    ///
    /// * `run`: a run that has a seed at each of the positions.
    /// * `is_free`: whether a seed at a position of the indexed text is useful.
    pub(super) fn find_with_seeds<A: TokenId, B: TokenId>(
        &self,
        run: TokenRun,
        positions: Range<usize>,
        a: &[A],
        indexed: &[B],
        is_free: impl Fn(usize) -> bool,
        mut visit: impl FnMut(TokenRun),
    ) -> bool {
        // Whether an earlier seed belongs to the same run as this seed.
        let has_begun = |seed: TokenRun| {
            let (mut at, mut position) = (seed.a as usize, seed.b as usize);
            while at > positions.start
                && position > 0
                && a[at - 1].number() == indexed[position - 1].number()
                && is_free(position - 1)
            {
                (at, position) = (at - 1, position - 1);
                if !self.capped.contains(at) && !self.index.is_capped(position) {
                    return true;
                }
            }
            false
        };
        let mut are_all_known = true;
        for at in positions.clone() {
            let position = at - run.a as usize + run.b as usize;
            let is_capped = self.capped.contains(at);
            are_all_known &= !is_capped && self.index.has_all(position);
            if is_capped {
                continue;
            }
            for position in self.index.positions_like(position).filter(|&position| is_free(position as usize)) {
                let seed = self.seed(at, position);
                if !has_begun(seed) && seed.is_equal(a, indexed) {
                    visit(seed.grown(a, indexed));
                }
            }
        }
        are_all_known
    }

    /// Passes on all runs that have a seed within the whole run that contains `run`, some of them several times.
    pub(super) fn find_within<A: TokenId, B: TokenId>(
        &self,
        run: TokenRun,
        a: &[A],
        indexed: &[B],
        visit: impl FnMut(TokenRun),
    ) {
        let whole = run.grown(a, indexed);
        let positions = whole.a as usize..whole.end_a() as usize + 1 - self.min_run;
        self.find_with_seeds(whole, positions, a, indexed, |_| true, visit);
    }

    /// Passes on the parts of other runs that have the same tokens of the other text as `run`, which may be a part of a
    /// run. Returns whether they are known, which is not the case if no position of `run` has all its seeds.
    pub(super) fn find_like<A: TokenId, B: TokenId>(
        &self,
        run: TokenRun,
        a: &[A],
        indexed: &[B],
        mut visit: impl FnMut(TokenRun),
    ) -> bool {
        let (start, position, len) = (run.a as usize, run.b as usize, run.len as usize);
        let has_all = |&offset: &usize| !self.capped.contains(start + offset) && self.index.has_all(position + offset);
        let Some(offset) = (0..=len - self.min_run).find(has_all) else { return false };
        let others =
            self.index.positions_like(position + offset).filter_map(|other| (other as usize).checked_sub(offset));
        for other in others.filter(|&other| other != position && other + len <= indexed.len()) {
            if common_prefix(&a[start..start + len], &indexed[other..]) == len {
                visit(TokenRun { b: other as u32, hides: false, ..run });
            }
        }
        true
    }
}
