//! Tiles: runs in, those stretches of them out that share no token, the longest first (greedy string tiling, Wise 1993).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::runs::TokenRun;
use crate::flat::bit_set::BitSet;

/// Chooses tiles; keeps its buffers from one pair to the next.
///
/// Takes runs in rounds, and keeps those of the earliest turns when they are too many. Then it has the tiles of these turns
/// after the round, and the runs must be offered again for the others.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiler {
    min_run: u32,
    most_runs: usize,
    /// In which of the texts runs hide others.
    hidden_in: Option<usize>,
    /// Tokens of tiles, of each text.
    marked: [BitSet; 2],
    /// What is left of the runs of this round.
    runs: Vec<TokenRun>,
    /// The last turn of this round; runs of later ones were not kept.
    last: Option<Turn>,
    pub(super) tiles: Vec<TokenRun>,
}

/// What came of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// The tiles are complete, in the order of the first text.
    Complete,
    /// The same runs must be offered once more.
    OfferAgain,
    /// The runs do not fit, and those that hide others cannot be dropped: begin again without.
    HidesTooMuch,
}

/// Finds runs that others hide.
pub(super) trait HiddenRuns {
    /// Passes on the runs that have a seed at one of these places of the text in which runs are hidden, some of them several
    /// times; returns whether they are all known.
    ///
    /// * `run`: one that has a seed at each of the places.
    /// * `is_free`: whether no token of a seed at a place of the other text is in a tile; other seeds are of no use.
    fn with_seeds(
        &self,
        run: TokenRun,
        places: Range<usize>,
        is_free: impl Fn(usize) -> bool,
        visit: impl FnMut(TokenRun),
    ) -> bool;

    /// Passes on the parts of other runs that have the same tokens there as this one; returns whether they are all known.
    fn like(&self, run: TokenRun, visit: impl FnMut(TokenRun)) -> bool;

    /// Passes on all runs that a run hides, some of them several times, and some others.
    ///
    /// * `run`: a part of it.
    fn all(&self, run: TokenRun, visit: impl FnMut(TokenRun));
}

impl Tiler {
    /// Begins with a pair of texts.
    ///
    /// * `lens`: tokens of both texts.
    /// * `most_runs`: kept in a round, at least 1; there is room for twice as many.
    /// * `hidden_in`: the text in which runs may hide others, 0 or 1.
    pub(super) fn begin(&mut self, lens: [usize; 2], min_run: usize, most_runs: usize, hidden_in: Option<usize>) {
        (self.min_run, self.most_runs, self.hidden_in, self.last) = (min_run as u32, most_runs, hidden_in, None);
        self.marked.iter_mut().zip(lens).for_each(|(marked, len)| marked.reset(len));
        self.runs.clear();
        self.tiles.clear();
    }

    /// Takes a run of the texts.
    pub(super) fn offer(&mut self, run: TokenRun) {
        if self.last.is_some_and(|last| turn(run) < last) {
            return;
        }
        // Before the first round, nothing is marked.
        let left = if self.tiles.is_empty() { run } else { unmarked(run, &self.marked) };
        if left.len < self.min_run || self.last.is_some_and(|last| turn(left) < last) {
            return;
        }
        if self.runs.len() == 2 * self.most_runs {
            let (_, &mut least, _) =
                self.runs.select_nth_unstable_by_key(self.most_runs - 1, |&run| Reverse(turn(run)));
            self.runs.truncate(self.most_runs);
            self.last = Some(turn(least));
        }
        self.runs.push(left);
    }

    /// Ends a round.
    ///
    /// The longest run becomes a tile first; of equal ones the first in the first text, then in the second. A run that meets
    /// tokens of tiles is cut to what is left of it, which waits for its turn by its new length.
    ///
    /// A tile is at least as long as what is left of every run that is still to come. So one that meets it covers an end of
    /// it, and what is left of a run stays one stretch.
    ///
    /// A hidden run is shorter than the one that hides it. So it is early enough to look for it where that one is cut: where
    /// tokens are free again that are no longer within what is left, and where it has all the tokens that are left.
    pub(super) fn end_round(&mut self, hidden: &impl HiddenRuns) -> Round {
        let Self { marked, runs, tiles, last, min_run, most_runs, hidden_in } = self;
        if hidden_in.is_some() && last.is_some() {
            return Round::HidesTooMuch;
        }
        runs.sort_unstable_by_key(|&run| Reverse(turn(run)));
        let mut whole = runs.iter().copied().peekable();
        // What was cut is rarely much, and waits in a heap beside the sorted runs.
        let mut cut: BinaryHeap<Turn> = BinaryHeap::new();
        while let Some(run) = match cut.peek() {
            Some(&next) if whole.peek().is_none_or(|&run| turn(run) < next) => cut.pop().map(of_turn),
            _ => whole.next(),
        } {
            if last.is_some_and(|last| turn(run) < last) {
                break;
            }
            let left = unmarked(run, marked);
            if left == run {
                marked[0].insert_range(run.a as usize..(run.a + run.len) as usize);
                marked[1].insert_range(run.b as usize..(run.b + run.len) as usize);
                tiles.push(run);
                continue;
            }
            let is_left = left.len >= *min_run;
            let mut still_hides = run.hides;
            if let Some(text) = hidden_in.filter(|_| run.hides) {
                let mut offer = |found| {
                    // What is beyond its ends was no longer hidden, and may have tiles in its middle.
                    let left = unmarked(clipped(found, range_in(run, text), text), marked);
                    if left.len >= *min_run && cut.len() <= *most_runs {
                        cut.push(turn(left));
                    }
                };
                // A tile has as many tokens as a seed, so that it covers an end of one that it meets.
                let (other, seed_len) = (&marked[1 - text], *min_run as usize);
                let is_free = |place: usize| !other.contains(place) && !other.contains(place + seed_len - 1);
                let mut freed = freed(range_in(run, text), range_in(left, text), &marked[text], seed_len);
                still_hides = freed.all(|places| hidden.with_seeds(run, places, is_free, &mut offer))
                    && (!is_left || hidden.like(left, &mut offer));
                if !still_hides {
                    hidden.all(run, &mut offer);
                }
                if cut.len() > *most_runs {
                    return Round::HidesTooMuch;
                }
            }
            if is_left {
                cut.push(turn(TokenRun { hides: still_hides, ..left }));
            }
        }
        runs.clear();
        if last.take().is_some() {
            return Round::OfferAgain;
        }
        tiles.sort_unstable();
        Round::Complete
    }

    /// Frees what takes more bytes than this.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        let num_runs = self.tiles.capacity() + self.runs.capacity();
        let bits: usize = self.marked.iter().map(BitSet::num_bytes).sum();
        if bits + num_runs * size_of::<TokenRun>() > kept_bytes {
            *self = Self::default();
        }
    }
}

/// The turn of a run; the greatest comes first.
type Turn = (u32, Reverse<u32>, Reverse<u32>, bool);

fn turn(run: TokenRun) -> Turn {
    (run.len, Reverse(run.a), Reverse(run.b), run.hides)
}

fn of_turn((len, Reverse(a), Reverse(b), hides): Turn) -> TokenRun {
    TokenRun { a, b, len, hides }
}

/// The places of seeds in one text that are within a run, not within what is left of it, and touch no tile.
///
/// * `marked`: the tokens of tiles in this text.
fn freed(
    run: Range<usize>,
    left: Range<usize>,
    marked: &BitSet,
    seed_len: usize,
) -> impl Iterator<Item = Range<usize>> + '_ {
    let places = move |tokens: Range<usize>| tokens.start..(tokens.end + 1).saturating_sub(seed_len).max(tokens.start);
    let mut start = run.start;
    let free = std::iter::from_fn(move || {
        let first = marked.first_not_in(start..run.end)?;
        start = marked.first_in(first..run.end).unwrap_or(run.end);
        Some(places(first..start))
    });
    let kept = places(left);
    let without_kept = move |free: Range<usize>| {
        if kept.is_empty() {
            [free.clone(), free.end..free.end]
        } else {
            [free.start..kept.start.clamp(free.start, free.end), kept.end.clamp(free.start, free.end)..free.end]
        }
    };
    free.flat_map(without_kept).filter(|places| !places.is_empty())
}

/// The tokens of a run in one of the texts.
fn range_in(run: TokenRun, text: usize) -> Range<usize> {
    let start = [run.a, run.b][text] as usize;
    start..start + run.len as usize
}

/// The part of a run that is within a range of one of the texts.
fn clipped(run: TokenRun, range: Range<usize>, text: usize) -> TokenRun {
    let whole = range_in(run, text);
    let before = range.start.saturating_sub(whole.start) as u32;
    let behind = whole.end.saturating_sub(range.end) as u32;
    TokenRun { a: run.a + before, b: run.b + before, len: run.len.saturating_sub(before + behind), ..run }
}

/// What is left of a run between the marked tokens at its two ends.
fn unmarked(run: TokenRun, marked: &[BitSet; 2]) -> TokenRun {
    let (a, b, len) = (run.a as usize, run.b as usize, run.len as usize);
    // From one unmarked token of a text to the next, until both have one at the same place of the run.
    let (mut start, mut end) = (0, len);
    while start < len {
        let in_a = marked[0].first_not_in(a + start..a + len).map_or(len, |at| at - a);
        let in_b = marked[1].first_not_in(b + in_a..b + len).map_or(len, |at| at - b);
        start = in_b;
        if in_a == in_b {
            break;
        }
    }
    while start < end {
        let in_a = marked[0].last_not_in(a + start..a + end).map_or(start, |at| at + 1 - a);
        let in_b = marked[1].last_not_in(b + start..b + in_a).map_or(start, |at| at + 1 - b);
        end = in_b;
        if in_a == in_b {
            break;
        }
    }
    TokenRun { a: run.a + start as u32, b: run.b + start as u32, len: (end - start) as u32, ..run }
}
