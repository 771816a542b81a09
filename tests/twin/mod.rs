//! The passages of two texts by the definitions, word by word: slow, and sharing nothing with the library.

use std::collections::HashMap;

/// What counts as a passage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lengths {
    pub(crate) min_run: usize,
    pub(crate) anchor: usize,
    pub(crate) max_gap: usize,
}

/// The defaults for words.
pub(crate) const WORDS: Lengths = Lengths { min_run: 5, anchor: 8, max_gap: 10 };

/// Places of a run of tokens that seed runs in one text.
const PLACES: usize = 64;

/// What two texts share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Shared {
    /// Tokens of all passages.
    pub(crate) matched: usize,
    /// Tokens of the longest tile.
    pub(crate) longest: usize,
    /// Of each passage its tokens, and whether it is one tile; in the order of the first text.
    pub(crate) passages: Vec<(usize, bool)>,
}

/// A run of equal tokens: its places, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct EqualRun {
    i: usize,
    j: usize,
    len: usize,
}

/// The passages of two sequences of tokens.
pub(crate) fn share(a: &[String], b: &[String], lengths: Lengths) -> Shared {
    if a == b {
        let passages = if a.is_empty() { Vec::new() } else { vec![(a.len(), true)] };
        return Shared { matched: a.len(), longest: a.len(), passages };
    }
    let is_swapped = a > b;
    let (first, second) = if is_swapped { (b, a) } else { (a, b) };
    let mut tiles = tiles(runs(first, second, lengths.min_run), first.len(), second.len(), lengths.min_run);
    if is_swapped {
        tiles.iter_mut().for_each(|tile| (tile.i, tile.j) = (tile.j, tile.i));
    }
    tiles.sort_unstable();
    for one in [&tiles, &tiles.iter().map(|tile| EqualRun { i: tile.j, ..*tile }).collect()] {
        let mut places: Vec<(usize, usize)> = one.iter().map(|tile| (tile.i, tile.i + tile.len)).collect();
        places.sort_unstable();
        assert!(places.windows(2).all(|pair| pair[0].1 <= pair[1].0), "tiles overlap");
    }
    let passages = passages(&tiles, lengths);
    Shared {
        matched: passages.iter().map(|passage| passage.0).sum(),
        longest: tiles.iter().map(|tile| tile.len).max().unwrap_or(0),
        passages,
    }
}

/// How often each run of `k` tokens stands before the place where it begins.
fn ranks(text: &[String], k: usize) -> Vec<usize> {
    let mut seen: HashMap<&[String], usize> = HashMap::new();
    let rank = |run| {
        let number = seen.entry(run).or_default();
        *number += 1;
        *number - 1
    };
    text.windows(k).map(rank).collect()
}

/// All runs that cannot be made longer, and of which a seed is among the first places of its tokens in both texts: along each
/// diagonal of the table of all pairs of places.
fn runs(a: &[String], b: &[String], k: usize) -> Vec<EqualRun> {
    let (ranks_a, ranks_b) = (ranks(a, k), ranks(b, k));
    // Equal tokens have equal numbers, which are compared faster.
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let [a, b] = [a, b].map(|text| -> Vec<usize> {
        let number = |token| {
            let next = numbers.len();
            *numbers.entry(token).or_insert(next)
        };
        text.iter().map(String::as_str).map(number).collect()
    });
    let mut runs = Vec::new();
    let starts = (0..a.len()).map(|i| (i, 0)).chain((1..b.len()).map(|j| (0, j)));
    for (start_i, start_j) in starts {
        let mut len = 0;
        for at in 0.. {
            let (i, j) = (start_i + at, start_j + at);
            let is_inside = i < a.len() && j < b.len();
            if is_inside && a[i] == b[j] {
                len += 1;
                continue;
            }
            if len >= k {
                let run = EqualRun { i: i - len, j: j - len, len };
                if (0..=len - k).any(|at| ranks_a[run.i + at] < PLACES && ranks_b[run.j + at] < PLACES) {
                    runs.push(run);
                }
            }
            if !is_inside {
                break;
            }
            len = 0;
        }
    }
    runs
}

/// The longest run first, then by places; what meets tiles is cut to what is between them and waits for its turn again.
fn tiles(mut runs: Vec<EqualRun>, len_a: usize, len_b: usize, k: usize) -> Vec<EqualRun> {
    let (mut taken_a, mut taken_b) = (vec![false; len_a], vec![false; len_b]);
    let mut tiles = Vec::new();
    while let Some(next) = (0..runs.len()).min_by_key(|&at| (std::cmp::Reverse(runs[at].len), runs[at].i, runs[at].j)) {
        let run = runs.swap_remove(next);
        let is_free: Vec<bool> = (0..run.len).map(|at| !taken_a[run.i + at] && !taken_b[run.j + at]).collect();
        if is_free.iter().all(|&is_free| is_free) {
            taken_a[run.i..run.i + run.len].fill(true);
            taken_b[run.j..run.j + run.len].fill(true);
            tiles.push(run);
            continue;
        }
        let mut at = 0;
        for span in is_free.chunk_by(|a, b| a == b) {
            let part = EqualRun { i: run.i + at, j: run.j + at, len: span.len() };
            if span[0] && part.len >= k && !runs.contains(&part) {
                runs.push(part);
            }
            at += span.len();
        }
    }
    tiles
}

/// Tiles that are near in both texts hang together; of each component with an anchor its tokens, and whether it is one tile.
fn passages(tiles: &[EqualRun], lengths: Lengths) -> Vec<(usize, bool)> {
    let gap = |x: usize, x_len: usize, y: usize, y_len: usize| {
        if x <= y { y.saturating_sub(x + x_len) } else { x.saturating_sub(y + y_len) }
    };
    let are_linked = |x: &EqualRun, y: &EqualRun| {
        gap(x.i, x.len, y.i, y.len) <= lengths.max_gap && gap(x.j, x.len, y.j, y.len) <= lengths.max_gap
    };
    let mut is_seen = vec![false; tiles.len()];
    let mut passages = Vec::new();
    for first in 0..tiles.len() {
        if is_seen[first] {
            continue;
        }
        is_seen[first] = true;
        let (mut waiting, mut component) = (vec![first], Vec::new());
        while let Some(tile) = waiting.pop() {
            component.push(tiles[tile].len);
            for other in 0..tiles.len() {
                if !is_seen[other] && are_linked(&tiles[tile], &tiles[other]) {
                    is_seen[other] = true;
                    waiting.push(other);
                }
            }
        }
        if component.iter().any(|&len| len >= lengths.anchor) {
            passages.push((component.iter().sum(), component.len() == 1));
        }
    }
    passages
}
