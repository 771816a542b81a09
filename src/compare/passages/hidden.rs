//! Hidden runs: finds the runs that [`RunFinder::find`] skipped, when the run that hides them is cut.
//!
//! A run within a longer one in the text that is not indexed is useless while the longer one is whole: it is shorter,
//! and all its tokens there are in a tile when its turn comes.

use std::ops::Range;

use super::rolling_hash::TokenId;
use super::runs::{RunFinder, TokenRun, common_prefix};

impl RunFinder {
    /// Passes on the runs that have a seed at one of `places` in the other text, some of them several times. The runs
    /// of these texts must have been searched before. Returns whether all such runs are known, which is not the case if
    /// seeds are capped.
    ///
    /// * `run`: a run that has a seed at each of the positions.
    /// * `is_free`: whether a seed at a position of the indexed text is useful.
    pub(super) fn find_with_seeds<A: TokenId, B: TokenId>(
        &self,
        run: TokenRun,
        places: Range<usize>,
        a: &[A],
        indexed: &[B],
        is_free: impl Fn(usize) -> bool,
        mut visit: impl FnMut(TokenRun),
    ) -> bool {
        // Whether an earlier seed belongs to the same run as this seed.
        let has_begun = |seed: TokenRun| {
            let (mut at, mut place) = (seed.a as usize, seed.b as usize);
            while at > places.start
                && place > 0
                && a[at - 1].number() == indexed[place - 1].number()
                && is_free(place - 1)
            {
                (at, place) = (at - 1, place - 1);
                if !self.capped.contains(at) && !self.index.is_capped(place) {
                    return true;
                }
            }
            false
        };
        let mut are_all_known = true;
        for at in places.clone() {
            let place = at - run.a as usize + run.b as usize;
            let is_capped = self.capped.contains(at);
            are_all_known &= !is_capped && self.index.has_all(place);
            if is_capped {
                continue;
            }
            for place in self.index.places_like(place).filter(|&place| is_free(place as usize)) {
                let seed = self.seed(at, place);
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
        let places = whole.a as usize..whole.end_a() as usize + 1 - self.min_run;
        self.find_with_seeds(whole, places, a, indexed, |_| true, visit);
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
        let (start, place, len) = (run.a as usize, run.b as usize, run.len as usize);
        let has_all = |&offset: &usize| !self.capped.contains(start + offset) && self.index.has_all(place + offset);
        let Some(offset) = (0..=len - self.min_run).find(has_all) else { return false };
        let others = self.index.places_like(place + offset).filter_map(|other| (other as usize).checked_sub(offset));
        for other in others.filter(|&other| other != place && other + len <= indexed.len()) {
            if common_prefix(&a[start..start + len], &indexed[other..]) == len {
                visit(TokenRun { b: other as u32, hides: false, ..run });
            }
        }
        true
    }
}
