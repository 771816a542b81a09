//! Runs: what two texts have in common, as long as it can be made at both ends; grown from seeds.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::seeds::{SeedIndex, TokenId, for_each_hash};

/// The same `len` tokens at place `a` of the first text and at place `b` of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenRun {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) len: u32,
}

/// Finds the runs of two texts; keeps its buffers from one pair to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct RunFinder {
    index: SeedIndex,
    diagonals: Diagonals,
    pub(super) runs: Vec<TokenRun>,
    pub(super) seeds_capped: u64,
}

impl RunFinder {
    /// Finds the runs of at least `min_run` tokens, in no particular order.
    ///
    /// * `most_places`: of one text in the index. A text with more is indexed in several parts, by hash.
    ///
    /// Time is linear in the tokens, the seeds and the lengths of the runs. A seed that an earlier run holds is passed over.
    pub(super) fn find<T: TokenId>(&mut self, a: &[T], b: &[T], min_run: usize, most_places: usize) {
        self.runs.clear();
        self.seeds_capped = 0;
        let num_places = (b.len() + 1).saturating_sub(min_run);
        if num_places == 0 || a.len() < min_run {
            return;
        }
        let num_parts = num_places.div_ceil(most_places.max(1)) as u64;
        for part in 0..num_parts {
            // Hashes are spread evenly over the parts, the places of a frequent one are kept no more than 64 times.
            let is_in_part = |hash: u64| num_parts == 1 || (hash >> 32) % num_parts == part;
            self.find_part(a, b, min_run, num_places.min(most_places.saturating_mul(5) / 4), is_in_part);
        }
        if num_parts > 1 {
            // Seeds of several parts may have led to one run.
            self.runs.sort_unstable();
            self.runs.dedup();
        }
    }

    fn find_part<T: TokenId>(
        &mut self,
        a: &[T],
        b: &[T],
        min_run: usize,
        room: usize,
        is_in_part: impl Fn(u64) -> bool,
    ) {
        let Self { index, diagonals, runs, seeds_capped } = self;
        index.reset(room);
        diagonals.clear();
        for_each_hash(b, min_run, |at, hash| {
            if is_in_part(hash) {
                index.insert(hash, at);
            }
        });
        let mut last = TokenRun { a: 0, b: 0, len: 0 };
        for_each_hash(a, min_run, |at, hash| {
            if !is_in_part(hash) {
                return;
            }
            let Some(found) = index.find(hash) else { return };
            *seeds_capped += found.num_capped;
            if found.is_capped {
                return;
            }
            for place in index.places(found) {
                let seed = TokenRun { a: at, b: place, len: min_run as u32 };
                let is_in_last = seed.diagonal() == last.diagonal() && at < last.a + last.len;
                if is_in_last || diagonals.end(seed) > at || !seed.is_equal(a, b) {
                    continue;
                }
                last = seed.grown(a, b);
                diagonals.insert(last);
                runs.push(last);
            }
        });
    }

    /// Frees what takes more bytes than this.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        let runs_bytes = self.runs.capacity() * size_of::<TokenRun>();
        if self.index.num_bytes() + self.diagonals.num_bytes() + runs_bytes > kept_bytes {
            *self = Self::default();
        }
    }
}

impl TokenRun {
    fn diagonal(self) -> i64 {
        i64::from(self.a) - i64::from(self.b)
    }

    fn is_equal<T: TokenId>(self, a: &[T], b: &[T]) -> bool {
        let Self { a: at_a, b: at_b, len } = self;
        a[at_a as usize..][..len as usize] == b[at_b as usize..][..len as usize]
    }

    /// The same run, as long as it can be made at both ends.
    fn grown<T: TokenId>(self, a: &[T], b: &[T]) -> Self {
        let (at_a, at_b, len) = (self.a as usize, self.b as usize, self.len as usize);
        let before = a[..at_a].iter().rev().zip(b[..at_b].iter().rev()).take_while(|(a, b)| a == b).count();
        let behind = a[at_a + len..].iter().zip(&b[at_b + len..]).take_while(|(a, b)| a == b).count();
        Self { a: (at_a - before) as u32, b: (at_b - before) as u32, len: (before + len + behind) as u32 }
    }
}

/// Where the last run of each diagonal ends in the first text.
#[derive(Debug, Clone, Default)]
struct Diagonals {
    ends: HashMap<i64, u32, BuildHasherDefault<SpreadDiagonal>>,
}

impl Diagonals {
    /// A map of more entries is freed when it is cleared, which takes time by its room.
    const KEPT: usize = 1 << 12;

    fn clear(&mut self) {
        if self.ends.capacity() > Self::KEPT {
            self.ends = HashMap::default();
        }
        self.ends.clear();
    }

    fn end(&self, seed: TokenRun) -> u32 {
        self.ends.get(&seed.diagonal()).copied().unwrap_or(0)
    }

    fn insert(&mut self, run: TokenRun) {
        self.ends.insert(run.diagonal(), run.a + run.len);
    }

    fn num_bytes(&self) -> usize {
        self.ends.capacity() * 2 * size_of::<(i64, u32)>()
    }
}

/// Spreads a number by one multiplication.
#[derive(Debug, Clone, Copy, Default)]
struct SpreadDiagonal(u64);

impl Hasher for SpreadDiagonal {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are i64");
    }

    fn write_i64(&mut self, number: i64) {
        let product = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = product ^ product >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
