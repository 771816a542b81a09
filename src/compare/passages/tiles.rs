//! Tiles: cuts runs to spans that share no token, the longest first (greedy string tiling, Wise 1993).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::runs::TokenRun;
use crate::base::flat::bit_set::BitSet;

/// Chooses tiles; keeps its buffers from one pair of texts to the next.
///
/// Runs are offered in rounds. If there are too many, only the runs with the earliest turns are kept. After the round
/// the tiles of these turns are known, and the runs must be offered again for the others.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiler {
    min_run: u32,
    most_runs: usize,
    /// The text in which runs hide others.
    hidden_in: Option<usize>,
    /// Tokens that are in tiles, for each text.
    marked: [BitSet; 2],
    /// The remaining parts of the runs of this round.
    runs: Vec<TokenRun>,
    /// The last turn of this round; runs with later turns were not kept.
    last: Option<Turn>,
    pub(super) tiles: Vec<TokenRun>,
}

/// The result of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// The tiles are complete, in the order of the first text.
    Complete,
    /// Another round is necessary: the same runs must be offered again.
    OfferAgain,
    /// The runs do not fit, and runs that hide others cannot be dropped: begin again without hiding.
    HidesTooMuch,
}

/// Finds runs that other runs hide.
pub(super) trait HiddenRuns {
    /// Passes on the runs that have a seed at one of `positions` in the text in which runs are hidden, some of them
    /// several times. Returns whether all such runs are known.
    ///
    /// * `run`: a run that has a seed at each of the positions.
    /// * `is_free`: whether no token of a seed at a position of the other text is in a tile; other seeds are useless.
    fn with_seeds(
        &self,
        run: TokenRun,
        positions: Range<usize>,
        is_free: impl Fn(usize) -> bool,
        visit: impl FnMut(TokenRun),
    ) -> bool;

    /// Passes on the parts of other runs that have the same tokens there as `run`; returns whether all are known.
    fn like(&self, run: TokenRun, visit: impl FnMut(TokenRun)) -> bool;

    /// Passes on all runs that a run hides, some of them several times, and possibly further runs.
    ///
    /// * `run`: a part of the hiding run.
    fn all(&self, run: TokenRun, visit: impl FnMut(TokenRun));
}

impl Tiler {
    /// Starts a pair of texts.
    ///
    /// * `lens`: the numbers of tokens of both texts.
    /// * `most_runs`: number of runs that are kept when a round has more than twice as many; at least 1.
    /// * `hidden_in`: the text in which runs may hide others, 0 or 1.
    pub(super) fn begin(&mut self, lens: [usize; 2], min_run: usize, most_runs: usize, hidden_in: Option<usize>) {
        (self.min_run, self.most_runs, self.hidden_in, self.last) = (min_run as u32, most_runs, hidden_in, None);
        self.marked.iter_mut().zip(lens).for_each(|(marked, len)| marked.reset(len));
        self.runs.clear();
        self.tiles.clear();
    }

    /// Receives a run of the two texts.
    pub(super) fn offer(&mut self, run: TokenRun) {
        if self.last.is_some_and(|last| turn(run) < last) {
            return;
        }
        // Before the first tile is chosen, no token is marked.
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
    /// The longest run becomes a tile first; of equally long ones the first in the first text, then in the second. A
    /// run that overlaps tiles is cut to its remaining part, which waits for its turn by its new length.
    ///
    /// A tile is at least as long as the remaining part of every later run. So a tile that overlaps a run covers an end
    /// of it, and the remaining part of a run is contiguous.
    ///
    /// A hidden run is shorter than the run that hides it. So it is early enough to search for it when that run is cut.
    /// It can be where tokens of the run are free but outside the remaining part, or it contains all remaining tokens.
    pub(super) fn end_round(&mut self, hidden: &impl HiddenRuns) -> Round {
        let Self { marked, runs, tiles, last, min_run, most_runs, hidden_in } = self;
        if hidden_in.is_some() && last.is_some() {
            return Round::HidesTooMuch;
        }
        runs.sort_unstable_by_key(|&run| Reverse(turn(run)));
        let mut whole = runs.iter().copied().peekable();
        // Few runs are cut; they wait in a heap in addition to the sorted runs.
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
                    // Tokens beyond the ends of the hiding run were not hidden, and may have tiles in their middle.
                    let left = unmarked(clipped(found, range_in(run, text), text), marked);
                    if left.len >= *min_run && cut.len() <= *most_runs {
                        cut.push(turn(left));
                    }
                };
                // A tile is at least as long as a seed, so it covers an end of a seed that it overlaps.
                let (other, seed_len) = (&marked[1 - text], *min_run as usize);
                let is_free = |position: usize| !other.contains(position) && !other.contains(position + seed_len - 1);
                let mut freed = freed(range_in(run, text), range_in(left, text), &marked[text], seed_len);
                still_hides = freed.all(|positions| hidden.with_seeds(run, positions, is_free, &mut offer))
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

    /// Frees the buffers if they need more than `kept_bytes`.
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

/// The positions of seeds in one text that are within a run, but not within its remaining part, and do not overlap a
/// tile.
///
/// * `marked`: the tokens of this text that are in tiles.
fn freed(
    run: Range<usize>,
    left: Range<usize>,
    marked: &BitSet,
    seed_len: usize,
) -> impl Iterator<Item = Range<usize>> + '_ {
    let positions =
        move |tokens: Range<usize>| tokens.start..(tokens.end + 1).saturating_sub(seed_len).max(tokens.start);
    let mut start = run.start;
    let free = std::iter::from_fn(move || {
        let first = marked.first_not_in(start..run.end)?;
        start = marked.first_in(first..run.end).unwrap_or(run.end);
        Some(positions(first..start))
    });
    let kept = positions(left);
    let without_kept = move |free: Range<usize>| {
        if kept.is_empty() {
            [free.clone(), free.end..free.end]
        } else {
            [free.start..kept.start.clamp(free.start, free.end), kept.end.clamp(free.start, free.end)..free.end]
        }
    };
    free.flat_map(without_kept).filter(|positions| !positions.is_empty())
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

/// The remaining part of a run between the marked tokens at its two ends.
fn unmarked(run: TokenRun, marked: &[BitSet; 2]) -> TokenRun {
    let (a, b, len) = (run.a as usize, run.b as usize, run.len as usize);
    // Moves from one unmarked token of a text to the next, until both texts have one at the same position of the run.
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
