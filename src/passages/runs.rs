//! Runs: what two texts have in common, as long as it can be made at both ends; grown from seeds.

use std::ops::Range;

use super::rolling_hash::{RollingHash, TokenId};
use super::seeds::SeedIndex;
use crate::flat::bit_set::BitSet;

/// The same `len` tokens at place `a` of the first text and at place `b` of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenRun {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) len: u32,
    /// Whether runs that lie within it in the other text than the indexed one may not have been passed on.
    pub(super) hides: bool,
}

/// Finds the runs of one text with others; keeps its buffers.
///
/// A run is found at its first seed alone. Where the token before a seed is the same in both texts, so is the run of tokens
/// there, and it is an earlier seed of the same run unless one of its places is capped; so no run has to be remembered.
#[derive(Debug, Clone)]
pub(super) struct RunFinder {
    /// Of one hash in one text that have seeds.
    most_seeds: u32,
    pub(super) min_run: usize,
    pub(super) index: SeedIndex,
    /// Parts in which the text is indexed, by hash.
    pub(super) num_parts: u64,
    /// Most places in a part.
    part_room: usize,
    /// Places of the other text that have no seeds.
    pub(super) capped: BitSet,
    /// Their number, and that of those of the indexed text.
    pub(super) seeds_capped: [u64; 2],
}

impl RunFinder {
    /// * `most_seeds`: places of one hash in one text that have seeds.
    pub(super) fn new(most_seeds: u32) -> Self {
        Self {
            most_seeds,
            min_run: 1,
            index: SeedIndex::new(most_seeds),
            num_parts: 1,
            part_room: 0,
            capped: BitSet::default(),
            seeds_capped: [0; 2],
        }
    }

    /// Indexes a text, for runs of at least `min_run` tokens with others; at most about `most_places` places at once.
    pub(super) fn index<T: TokenId>(&mut self, indexed: &[T], min_run: usize, most_places: usize) {
        let num_places = (indexed.len() + 1).saturating_sub(min_run);
        self.min_run = min_run;
        self.num_parts = num_places.div_ceil(most_places).max(1) as u64;
        // Hashes are spread evenly over the parts, but frequent ones are not.
        self.part_room = num_places.min(most_places.saturating_mul(5) / 4);
        self.index.reset_capped(num_places);
        if self.num_parts == 1 {
            self.index_part(indexed, 0);
        }
    }

    /// Passes on the runs of another text, as `a`, with the one that was indexed, as `b`: each once, in no particular order.
    ///
    /// Time is linear in the tokens, the seeds and the lengths of the runs, and those of the indexed text once more for each
    /// part but one.
    ///
    /// * `hides`: leave out runs that lie within a longer one in the other text. Nothing of them is left where the longer one is
    ///   a tile; where it is cut, [`find_with_seeds`](Self::find_with_seeds), [`find_like`](Self::find_like) and
    ///   [`find_within`](Self::find_within) find them. A place within the run that reaches the furthest then costs next to
    ///   nothing, however repetitive the texts are. Not for an index in parts.
    pub(super) fn find<A: TokenId, B: TokenId>(
        &mut self,
        a: &[A],
        indexed: &[B],
        hides: bool,
        mut visit: impl FnMut(TokenRun),
    ) {
        self.seeds_capped = [0; 2];
        if a.len().min(indexed.len()) < self.min_run {
            return;
        }
        self.capped.reset(a.len() + 1 - self.min_run);
        if self.num_parts == 1 {
            self.index.forget_found();
            self.find_part(a, indexed, 0, hides, visit);
            return;
        }
        // What is capped in one part tells runs of the others where their first seeds are.
        for part in 0..self.num_parts {
            self.index_part(indexed, part);
            self.count_part(a, part);
        }
        let seeds_capped = self.seeds_capped;
        for part in 0..self.num_parts {
            self.index_part(indexed, part);
            self.find_part(a, indexed, part, false, &mut visit);
        }
        self.seeds_capped = seeds_capped;
    }

    fn index_part<T: TokenId>(&mut self, indexed: &[T], part: u64) {
        let num_places = (indexed.len() + 1).saturating_sub(self.min_run);
        self.index.reset(num_places, self.part_room);
        if num_places == 0 {
            return;
        }
        let mut hashes = RollingHash::new(indexed, self.min_run);
        for place in 0..num_places {
            let hash = hashes.at(place);
            if self.is_in_part(hash, part) {
                let before = place.checked_sub(1).map(|before| indexed[before].number());
                let same_before =
                    |other: u32| other.checked_sub(1).map(|before| indexed[before as usize].number()) == before;
                self.index.insert(hash, place as u32, same_before);
            }
        }
        self.index.finish();
    }

    pub(super) fn seed(&self, at: usize, place: u32) -> TokenRun {
        TokenRun { a: at as u32, b: place, len: self.min_run as u32, hides: false }
    }

    fn is_in_part(&self, hash: u64, part: u64) -> bool {
        self.num_parts == 1 || (hash >> 32) % self.num_parts == part
    }

    /// Looks every place of a text up, to know which are capped.
    fn count_part<T: TokenId>(&mut self, a: &[T], part: u64) {
        let mut hashes = RollingHash::new(a, self.min_run);
        for at in 0..=a.len() - self.min_run {
            let hash = hashes.at(at);
            if self.is_in_part(hash, part) {
                self.look_up(hash, at);
            }
        }
    }

    #[inline]
    fn look_up(&mut self, hash: u64, at: usize) -> Option<(u32, bool)> {
        let Self { index, capped, seeds_capped, .. } = self;
        index.find(hash, |num_capped, is_here| {
            seeds_capped[usize::from(!is_here)] += num_capped;
            if is_here {
                capped.insert(at);
            }
        })
    }

    fn find_part<A: TokenId, B: TokenId>(
        &mut self,
        a: &[A],
        b: &[B],
        part: u64,
        hides: bool,
        mut visit: impl FnMut(TokenRun),
    ) {
        let min_run = self.min_run;
        let num_places = a.len() + 1 - min_run;
        let mut hashes = RollingHash::new(a, min_run);
        // The run that reaches the furthest.
        let mut furthest = TokenRun { a: 0, b: 0, len: 0, hides: false };
        // Whether all places of the last hash have seeds.
        let mut all_before = false;
        // Hashes of earlier places were counted.
        let mut counted_to = 0;
        let mut at = 0;
        while at < num_places {
            let rest = (furthest.end_a() as usize + 1).saturating_sub(at + min_run);
            if rest > 0 && at >= counted_to {
                // Runs that began before have passed the last place, and were found there at the latest.
                let may_hide = hides && all_before;
                let Self { index, capped, seeds_capped, .. } = self;
                let place = at - furthest.a as usize + furthest.b as usize;
                let passed = index.pass_over(place, rest, may_hide, |offset, num_capped, is_here| {
                    seeds_capped[usize::from(!is_here)] += num_capped;
                    if is_here {
                        capped.insert(at + offset);
                    }
                });
                counted_to = at + passed;
                if !may_hide && passed > 0 {
                    at = counted_to;
                    all_before = !self.capped.contains(at - 1);
                    continue;
                }
                if let Some(last) = self.last_with_all_seeds(at..counted_to, place).filter(|_| may_hide) {
                    furthest = self.find_across(furthest, at..last, a, b, &mut visit);
                    at = last + 1;
                    continue;
                }
            }
            let hash = hashes.at(at);
            let found = if at < counted_to {
                self.index.peek(hash).filter(|_| !self.capped.contains(at))
            } else if self.is_in_part(hash, part) {
                self.look_up(hash, at)
            } else {
                None
            };
            // Where all places have the token before them that this one has, the runs of all have begun before.
            let have_begun = |last: u32| {
                let same_before = last > 0 && at > 0 && a[at - 1].number() == b[last as usize - 1].number();
                same_before && self.num_parts == 1 && all_before && self.index.has_one_before(last)
            };
            if let Some((last, _)) = found.filter(|&(last, _)| !have_begun(last)) {
                let seeds = self.index.places(last).map(|place| self.seed(at, place));
                let runs = seeds.filter(|&seed| self.is_first_of_run(seed, a, b)).map(|seed| seed.grown(a, b));
                furthest = visit_each(runs, furthest, hides, &mut visit);
            }
            all_before = found.is_some_and(|(_, all)| all);
            at += 1;
        }
    }

    /// The last of some places that has seeds at all places of its hash in the indexed text.
    ///
    /// * `place`: where the first of them is there, in one run.
    fn last_with_all_seeds(&self, places: Range<usize>, place: usize) -> Option<usize> {
        let mut end = places.end;
        while let Some(last) = self.capped.last_not_in(places.start..end) {
            if self.index.has_all(place + last - places.start) {
                return Some(last);
            }
            end = last;
        }
        None
    }

    /// Passes on the runs that begin within the run that reaches the furthest and go beyond its end; returns the run that
    /// reaches the furthest then.
    ///
    /// * `within`: from the first place at which such a run can begin to the last place that has all its seeds.
    fn find_across<A: TokenId, B: TokenId>(
        &self,
        furthest: TokenRun,
        within: Range<usize>,
        a: &[A],
        b: &[B],
        visit: &mut impl FnMut(TokenRun),
    ) -> TokenRun {
        let at = within.end;
        let place = at - furthest.a as usize + furthest.b as usize;
        let len = furthest.end_a() as usize - at;
        let goes_on = |&other: &u32| {
            let other = other as usize;
            other != place
                && a.len() > at + len
                && b.len() > other + len
                && a[at + len].number() == b[other + len].number()
                && common_prefix(&a[at..at + len], &b[other..]) == len
        };
        let across = self.index.places_like(place).filter(goes_on);
        let runs = across.map(|place| self.seed(at, place).grown(a, b)).filter(|run| run.a as usize >= within.start);
        visit_each(runs, furthest, true, visit)
    }

    /// Whether the tokens of a seed are equal, and no seed of the same run comes before.
    #[inline]
    fn is_first_of_run<A: TokenId, B: TokenId>(&self, seed: TokenRun, a: &[A], b: &[B]) -> bool {
        let (mut at, mut place) = (seed.a as usize, seed.b as usize);
        let mut is_checked = false;
        while at > 0 && place > 0 && a[at - 1].number() == b[place - 1].number() {
            (at, place) = (at - 1, place - 1);
            if !self.capped.contains(at) && !self.index.is_capped(place) {
                return false;
            }
            is_checked = is_checked || seed.is_equal(a, b);
            if !is_checked {
                return false;
            }
        }
        is_checked || seed.is_equal(a, b)
    }

    /// Frees what takes more bytes than this.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        if self.index.num_bytes() + self.capped.num_bytes() > kept_bytes {
            *self = Self::new(self.most_seeds);
        }
    }
}

impl TokenRun {
    /// The run with the texts exchanged.
    pub(super) fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, ..self }
    }

    pub(super) fn end_a(self) -> u32 {
        self.a + self.len
    }

    pub(super) fn end_b(self) -> u32 {
        self.b + self.len
    }

    pub(super) fn is_equal<A: TokenId, B: TokenId>(self, a: &[A], b: &[B]) -> bool {
        let (a, b) = (&a[self.a as usize..][..self.len as usize], &b[self.b as usize..][..self.len as usize]);
        a.iter().zip(b).all(|(a, b)| a.number() == b.number())
    }

    /// The same run, as long as it can be made at both ends.
    pub(super) fn grown<A: TokenId, B: TokenId>(self, a: &[A], b: &[B]) -> Self {
        let (at_a, at_b, len) = (self.a as usize, self.b as usize, self.len as usize);
        let is_equal = |(a, b): &(&A, &B)| a.number() == b.number();
        let before = a[..at_a].iter().rev().zip(b[..at_b].iter().rev()).take_while(is_equal).count();
        let behind = common_prefix(&a[at_a + len..], &b[at_b + len..]);
        Self { a: (at_a - before) as u32, b: (at_b - before) as u32, len: (before + len + behind) as u32, ..self }
    }
}

/// Passes runs on; returns the one that reaches the furthest. When it is one of them, it `hides` others from now on, or not.
fn visit_each(
    runs: impl Iterator<Item = TokenRun>,
    mut furthest: TokenRun,
    hides: bool,
    visit: &mut impl FnMut(TokenRun),
) -> TokenRun {
    let mut new = None;
    for run in runs {
        if run.end_a() > furthest.end_a() {
            furthest = TokenRun { hides, ..run };
            if let Some(other) = new.replace(run) {
                visit(other);
            }
        } else {
            visit(run);
        }
    }
    if new.is_some() {
        visit(furthest);
    }
    furthest
}

/// How many tokens two texts have in common at their beginning.
pub(super) fn common_prefix<A: TokenId, B: TokenId>(a: &[A], b: &[B]) -> usize {
    /// Tokens that are compared together, without a branch for each.
    const AT_ONCE: usize = 32;
    let is_equal = |(a, b): (&A, &B)| a.number() == b.number();
    let blocks = a.chunks_exact(AT_ONCE).zip(b.chunks_exact(AT_ONCE));
    let equal = blocks.take_while(|(a, b)| a.iter().zip(*b).map(is_equal).fold(true, |all, one| all & one)).count();
    let start = AT_ONCE * equal;
    start + a[start..].iter().zip(&b[start..]).take_while(|&pair| is_equal(pair)).count()
}
