//! Tiles: runs in, those stretches of them out that share no token, the longest first (greedy string tiling, Wise 1993).

use std::collections::BTreeMap;

use super::runs::Run;
use crate::flat::bit_set::BitSet;

/// Chooses tiles; keeps its buffers from one pair to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Tiler {
    /// Tokens of tiles, of each text.
    marked: [BitSet; 2],
    pub(super) tiles: Vec<Run>,
}

impl Tiler {
    /// The tiles among some runs, in the order of the first text.
    ///
    /// * `lens`: tokens of both texts.
    ///
    /// The longest run becomes a tile first; of equal ones the first in the first text, then in the second. A run that meets
    /// tokens of tiles is cut to what is left of it, which waits for its turn by its new length.
    ///
    /// A tile is at least as long as every run that is still to come. So one that meets a run covers an end of it, and what
    /// is left of a run is one stretch.
    pub(super) fn choose(&mut self, runs: &[Run], lens: [usize; 2], min_run: usize) {
        let Self { marked, tiles } = self;
        tiles.clear();
        marked.iter_mut().zip(lens).for_each(|(marked, len)| marked.reset(len));
        let mut waiting: BTreeMap<u32, Vec<Run>> = BTreeMap::new();
        runs.iter().for_each(|&run| waiting.entry(run.len).or_default().push(run));
        while let Some((_, mut longest)) = waiting.pop_last() {
            longest.sort_unstable();
            for run in longest {
                let left = unmarked(run, marked);
                if left == run {
                    marked[0].insert_range(run.a as usize..(run.a + run.len) as usize);
                    marked[1].insert_range(run.b as usize..(run.b + run.len) as usize);
                    tiles.push(run);
                } else if left.len as usize >= min_run {
                    waiting.entry(left.len).or_default().push(left);
                }
            }
        }
        tiles.sort_unstable();
    }

    /// Frees what takes more bytes than this.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        let num_bits: usize = self.marked.iter().map(BitSet::limit).sum();
        if num_bits / 8 + self.tiles.capacity() * size_of::<Run>() > kept_bytes {
            *self = Self::default();
        }
    }
}

/// What is left of a run between the marked tokens at its two ends.
fn unmarked(run: Run, marked: &[BitSet; 2]) -> Run {
    let is_marked =
        |offset: u32| marked[0].contains((run.a + offset) as usize) || marked[1].contains((run.b + offset) as usize);
    let before = (0..run.len).take_while(|&offset| is_marked(offset)).count() as u32;
    let behind = (before..run.len).rev().take_while(|&offset| is_marked(offset)).count() as u32;
    Run { a: run.a + before, b: run.b + before, len: run.len - before - behind }
}
