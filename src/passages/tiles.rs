//! Tiles: runs in, those stretches of them out that share no token, the longest first (greedy string tiling, Wise 1993).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::runs::TokenRun;
use crate::flat::bit_set::BitSet;

/// Chooses tiles; keeps its buffers from one pair to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiler {
    /// Tokens of tiles, of each text.
    marked: [BitSet; 2],
    pub(super) tiles: Vec<TokenRun>,
}

impl Tiler {
    /// The tiles among some runs, in the order of the first text. Sorts the runs.
    ///
    /// * `lens`: tokens of both texts.
    ///
    /// The longest run becomes a tile first; of equal ones the first in the first text, then in the second. A run that meets
    /// tokens of tiles is cut to what is left of it, which waits for its turn by its new length.
    ///
    /// A tile is at least as long as every run that is still to come. So one that meets a run covers an end of it, and what
    /// is left of a run is one stretch.
    pub(super) fn choose(&mut self, runs: &mut [TokenRun], lens: [usize; 2], min_run: usize) {
        let Self { marked, tiles } = self;
        tiles.clear();
        marked.iter_mut().zip(lens).for_each(|(marked, len)| marked.reset(len));
        runs.sort_unstable_by_key(|&run| Reverse(turn(run)));
        let mut whole = runs.iter().copied().peekable();
        // What was cut is rarely much, and waits in a heap beside the sorted runs.
        let mut cut: BinaryHeap<Turn> = BinaryHeap::new();
        while let Some(run) = match cut.peek() {
            Some(&next) if whole.peek().is_none_or(|&run| turn(run) < next) => cut.pop().map(of_turn),
            _ => whole.next(),
        } {
            let left = unmarked(run, marked);
            if left == run {
                marked[0].insert_range(run.a as usize..(run.a + run.len) as usize);
                marked[1].insert_range(run.b as usize..(run.b + run.len) as usize);
                tiles.push(run);
            } else if left.len as usize >= min_run {
                cut.push(turn(left));
            }
        }
        tiles.sort_unstable();
    }

    /// Frees what takes more bytes than this.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        let num_bits: usize = self.marked.iter().map(BitSet::limit).sum();
        if num_bits / 8 + self.tiles.capacity() * size_of::<TokenRun>() > kept_bytes {
            *self = Self::default();
        }
    }
}

/// The turn of a run; the greatest comes first.
type Turn = (u32, Reverse<u32>, Reverse<u32>);

fn turn(run: TokenRun) -> Turn {
    (run.len, Reverse(run.a), Reverse(run.b))
}

fn of_turn((len, Reverse(a), Reverse(b)): Turn) -> TokenRun {
    TokenRun { a, b, len }
}

/// What is left of a run between the marked tokens at its two ends.
fn unmarked(run: TokenRun, marked: &[BitSet; 2]) -> TokenRun {
    let is_marked =
        |offset: u32| marked[0].contains((run.a + offset) as usize) || marked[1].contains((run.b + offset) as usize);
    let before = (0..run.len).take_while(|&offset| is_marked(offset)).count() as u32;
    let behind = (before..run.len).rev().take_while(|&offset| is_marked(offset)).count() as u32;
    TokenRun { a: run.a + before, b: run.b + before, len: run.len - before - behind }
}
