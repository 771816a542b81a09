//! Runs: equal spans of two texts that cannot be extended at either end, grown from seeds.

use std::ops::Range;

use super::rolling_hash::{RollingHash, TokenId};
use super::seeds::{NO_POSITION, SeedIndex};
use crate::base::flat::bit_set::BitSet;

/// A run: the same `len` tokens at position `a` of the first text and at position `b` of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenRun {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) len: u32,
    /// Whether runs within this one, in the text that is not indexed, may have been skipped.
    pub(super) hides: bool,
}

/// Finds the runs of one text with others; keeps its buffers.
///
/// A run is found only at its first seed. If the token before a seed is the same in both texts, the run of tokens there
/// is also the same. It is then an earlier seed of the same run, unless one of its positions is capped. So runs need
/// not be remembered.
#[derive(Debug, Clone)]
pub(super) struct RunFinder {
    /// Maximum number of positions of one hash in one text that have seeds.
    most_seeds: u32,
    pub(super) min_run: usize,
    pub(super) index: SeedIndex,
    /// Number of parts, by hash, in which the text is indexed; above 1 only if the text is too long for one part.
    num_parts: u64,
    /// Maximum number of positions in a part.
    part_room: usize,
    /// For each position of the other text, the last position of its hash in the indexed one, or [`NO_POSITION`]. Used if
    /// there are several parts, so that no part is needed again.
    links: Vec<u32>,
    /// Positions of the other text that have no seeds.
    pub(super) capped: BitSet,
    /// Numbers of positions without seeds in the other text and in the indexed text.
    pub(super) seeds_capped: [u64; 2],
}

/// Number of hashes that are looked up together.
const AT_A_TIME: usize = 32;

impl RunFinder {
    /// Creates a finder; `most_seeds` is the maximum number of positions of one hash in one text that have seeds.
    pub(super) fn new(most_seeds: u32) -> Self {
        Self {
            most_seeds,
            min_run: 1,
            index: SeedIndex::new(most_seeds),
            num_parts: 1,
            part_room: 0,
            links: Vec::new(),
            capped: BitSet::default(),
            seeds_capped: [0; 2],
        }
    }

    /// Indexes a text, for runs of at least `min_run` tokens with others; at most about `most_positions` positions at
    /// once.
    pub(super) fn index<T: TokenId>(&mut self, indexed: &[T], min_run: usize, most_positions: usize) {
        let num_positions = (indexed.len() + 1).saturating_sub(min_run);
        self.min_run = min_run;
        self.num_parts = num_positions.div_ceil(most_positions).max(1) as u64;
        // Hashes are distributed evenly over the parts, but frequent ones are not.
        self.part_room = num_positions.min(most_positions.saturating_mul(5) / 4);
        self.links.clear();
        if self.num_parts == 1 {
            self.index.reset(num_positions);
            self.index_part(indexed, 0);
            self.index.finish();
        }
    }

    /// Starts another text, as `a`; the indexed text is `b`.
    pub(super) fn begin<A: TokenId, B: TokenId>(&mut self, a: &[A], indexed: &[B]) {
        self.seeds_capped = [0; 2];
        self.capped.reset((a.len() + 1).saturating_sub(self.min_run));
        if self.num_parts == 1 || a.len() < self.min_run {
            return;
        }
        self.index.reset(indexed.len() + 1 - self.min_run);
        self.links.clear();
        self.links.resize(a.len() + 1 - self.min_run, NO_POSITION);
        for part in 0..self.num_parts {
            self.index_part(indexed, part);
            self.link_part(a, part);
        }
        self.index.finish();
    }

    /// Passes on the runs of the other text with the indexed one, each once, in no particular order. It can be called
    /// repeatedly.
    ///
    /// The time is linear in the tokens, the seeds and the lengths of the runs.
    ///
    /// * `hides`: skip runs within a longer one in the other text. They are useless if the longer one becomes a tile.
    ///   If it is cut, [`find_with_seeds`](Self::find_with_seeds), [`find_like`](Self::find_like) and
    ///   [`find_within`](Self::find_within) find them. A position within the run with the furthest end then costs very
    ///   little, however repetitive the texts are.
    pub(super) fn find<A: TokenId, B: TokenId>(
        &mut self,
        a: &[A],
        indexed: &[B],
        hides: bool,
        mut visit: impl FnMut(TokenRun),
    ) {
        let min_run = self.min_run;
        if a.len().min(indexed.len()) < min_run {
            return;
        }
        let num_positions = a.len() + 1 - min_run;
        let is_linked = self.num_parts > 1;
        if !is_linked {
            self.seeds_capped = [0; 2];
            self.capped.reset(num_positions);
            self.index.forget_found();
        }
        let mut hashes = RollingHash::new(a, min_run);
        // The run with the furthest end.
        let mut furthest = TokenRun { a: 0, b: 0, len: 0, hides: false };
        // Whether all positions of the last hash have seeds.
        let mut all_before = false;
        // The hashes of positions before this one were counted.
        let mut counted_to = 0;
        let mut at = 0;
        while at < num_positions {
            let rest = (furthest.end_a() as usize + 1).saturating_sub(at + min_run);
            if rest > 0 && at >= counted_to {
                // Runs that began earlier contain the preceding position, and were found there at the latest.
                let may_hide = hides && all_before;
                let position = at - furthest.a as usize + furthest.b as usize;
                let passed = if may_hide {
                    self.index.num_to_last_uncrowded(position..position + rest)
                } else {
                    self.index.num_unrepeated(position..position + rest)
                };
                if !is_linked {
                    self.count_all(position..position + passed, at);
                }
                counted_to = at + passed;
                if !may_hide && passed > 0 {
                    at = counted_to;
                    all_before = !self.capped.contains(at - 1);
                    continue;
                }
                if let Some(last) = self.last_with_all_seeds(at..counted_to, position).filter(|_| may_hide) {
                    furthest = self.find_across(furthest, at..last, a, indexed, &mut visit);
                    at = last + 1;
                    continue;
                }
            }
            let found = if is_linked {
                self.linked(at)
            } else if at < counted_to {
                self.index.peek(hashes.at(at)).filter(|_| !self.capped.contains(at))
            } else {
                self.look_up(hashes.at(at), at)
            };
            // If all positions have the same preceding token as this one, their runs have begun earlier.
            let have_begun = |last: u32| {
                let same_before = last > 0 && at > 0 && a[at - 1].number() == indexed[last as usize - 1].number();
                same_before && all_before && self.index.has_one_before(last)
            };
            if let Some((last, _)) = found.filter(|&(last, _)| !have_begun(last)) {
                let seeds = self.index.positions(last).map(|position| self.seed(at, position));
                let runs =
                    seeds.filter(|&seed| self.is_first_of_run(seed, a, indexed)).map(|seed| seed.grown(a, indexed));
                furthest = visit_each(runs, furthest, hides, &mut visit);
            }
            all_before = found.is_some_and(|(_, all)| all);
            at += 1;
        }
    }

    fn index_part<T: TokenId>(&mut self, indexed: &[T], part: u64) {
        self.index.begin_part(self.part_room);
        let (min_run, num_parts) = (self.min_run, self.num_parts);
        each_hash(indexed, min_run, part, num_parts, |hashes, positions| {
            self.index.fetch(hashes);
            for (&hash, &position) in hashes.iter().zip(positions) {
                let before = position.checked_sub(1).map(|before| indexed[before as usize].number());
                let same_before =
                    |other: u32| other.checked_sub(1).map(|before| indexed[before as usize].number()) == before;
                self.index.insert(hash, position, same_before);
            }
        });
    }

    /// Looks up the positions of a text whose hashes are in a part.
    fn link_part<T: TokenId>(&mut self, a: &[T], part: u64) {
        let (min_run, num_parts) = (self.min_run, self.num_parts);
        each_hash(a, min_run, part, num_parts, |hashes, positions| {
            self.index.fetch(hashes);
            for (&hash, &at) in hashes.iter().zip(positions) {
                if let Some((last, _)) = self.look_up(hash, at as usize) {
                    self.links[at as usize] = last;
                }
            }
        });
    }

    /// The result of [`look_up`](Self::look_up) for a position of a text that was linked.
    #[inline]
    fn linked(&self, at: usize) -> Option<(u32, bool)> {
        let last = self.links[at];
        (last != NO_POSITION).then(|| (last, self.index.has_all(last as usize)))
    }

    pub(super) fn seed(&self, at: usize, position: u32) -> TokenRun {
        TokenRun { a: at as u32, b: position, len: self.min_run as u32, hides: false }
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

    /// Counts that the hashes at a range of positions of the indexed text were found.
    ///
    /// * `at`: the corresponding start in the other text.
    #[inline]
    fn count_all(&mut self, positions: Range<usize>, at: usize) {
        let Self { index, capped, seeds_capped, .. } = self;
        let start = positions.start;
        index.count_all(positions, |position, num_capped, is_here| {
            seeds_capped[usize::from(!is_here)] += num_capped;
            if is_here {
                capped.insert(at + position - start);
            }
        });
    }

    /// The last of some positions that has seeds at all positions of its hash in the indexed text.
    ///
    /// * `position`: the position in the indexed text that corresponds to the first of them, in one run.
    fn last_with_all_seeds(&self, positions: Range<usize>, position: usize) -> Option<usize> {
        let mut end = positions.end;
        while let Some(last) = self.capped.last_not_in(positions.start..end) {
            if self.index.has_all(position + last - positions.start) {
                return Some(last);
            }
            end = last;
        }
        None
    }

    /// Passes on the runs that begin within the run with the furthest end and continue beyond its end; returns the run
    /// that then has the furthest end.
    ///
    /// * `within`: from the first position at which such a run can begin to the last position that has all its seeds.
    fn find_across<A: TokenId, B: TokenId>(
        &self,
        furthest: TokenRun,
        within: Range<usize>,
        a: &[A],
        b: &[B],
        visit: &mut impl FnMut(TokenRun),
    ) -> TokenRun {
        let at = within.end;
        let position = at - furthest.a as usize + furthest.b as usize;
        let len = furthest.end_a() as usize - at;
        let goes_on = |&other: &u32| {
            let other = other as usize;
            other != position
                && a.len() > at + len
                && b.len() > other + len
                && a[at + len].number() == b[other + len].number()
                && common_prefix(&a[at..at + len], &b[other..]) == len
        };
        let across = self.index.positions_like(position).filter(goes_on);
        let runs =
            across.map(|position| self.seed(at, position).grown(a, b)).filter(|run| run.a as usize >= within.start);
        visit_each(runs, furthest, true, visit)
    }

    /// Whether the tokens of a seed are equal, and no earlier seed belongs to the same run.
    #[inline]
    fn is_first_of_run<A: TokenId, B: TokenId>(&self, seed: TokenRun, a: &[A], b: &[B]) -> bool {
        let (mut at, mut position) = (seed.a as usize, seed.b as usize);
        let mut is_checked = false;
        while at > 0 && position > 0 && a[at - 1].number() == b[position - 1].number() {
            (at, position) = (at - 1, position - 1);
            if !self.capped.contains(at) && !self.index.is_capped(position) {
                return false;
            }
            is_checked = is_checked || seed.is_equal(a, b);
            if !is_checked {
                return false;
            }
        }
        is_checked || seed.is_equal(a, b)
    }

    /// Frees the buffers if they need more than `kept_bytes`.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        if self.index.num_bytes() + self.capped.num_bytes() + 4 * self.links.capacity() > kept_bytes {
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

    /// The run extended as far as possible at both ends.
    pub(super) fn grown<A: TokenId, B: TokenId>(self, a: &[A], b: &[B]) -> Self {
        let (at_a, at_b, len) = (self.a as usize, self.b as usize, self.len as usize);
        let is_equal = |(a, b): &(&A, &B)| a.number() == b.number();
        let before = a[..at_a].iter().rev().zip(b[..at_b].iter().rev()).take_while(is_equal).count();
        let behind = common_prefix(&a[at_a + len..], &b[at_b + len..]);
        Self { a: (at_a - before) as u32, b: (at_b - before) as u32, len: (before + len + behind) as u32, ..self }
    }
}

/// Passes on the hashes of a part of a text's positions, with these positions, several at a time and in order.
fn each_hash<T: TokenId>(
    tokens: &[T],
    min_run: usize,
    part: u64,
    num_parts: u64,
    mut visit: impl FnMut(&[u64], &[u32]),
) {
    if tokens.len() < min_run {
        return;
    }
    let mut rolling = RollingHash::new(tokens, min_run);
    let (mut hashes, mut positions) = ([0; AT_A_TIME], [0; AT_A_TIME]);
    let mut len = 0;
    for position in 0..=tokens.len() - min_run {
        let hash = rolling.at(position);
        if num_parts == 1 || (u64::from(hash as u32) * num_parts) >> 32 == part {
            (hashes[len], positions[len]) = (hash, position as u32);
            len += 1;
            if len == AT_A_TIME {
                visit(&hashes, &positions);
                len = 0;
            }
        }
    }
    visit(&hashes[..len], &positions[..len]);
}

/// Passes on runs; returns the one with the furthest end. If that is a new one, its field `hides` is set to the
/// argument.
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

/// Length of the common prefix of two texts in tokens.
pub(super) fn common_prefix<A: TokenId, B: TokenId>(a: &[A], b: &[B]) -> usize {
    /// Number of tokens that are compared together, without a branch for each.
    const AT_ONCE: usize = 32;
    let is_equal = |(a, b): (&A, &B)| a.number() == b.number();
    let blocks = a.chunks_exact(AT_ONCE).zip(b.chunks_exact(AT_ONCE));
    let equal = blocks.take_while(|(a, b)| a.iter().zip(*b).map(is_equal).fold(true, |all, one| all & one)).count();
    let start = AT_ONCE * equal;
    start + a[start..].iter().zip(&b[start..]).take_while(|&pair| is_equal(pair)).count()
}
