//! Exact document frequencies of some shingles, counted in bounded memory.
//!
//! The hashes are counted range by range. A range begins as all that is not counted yet; whenever its counts would no longer
//! fit the memory, its upper half is given up, counts and all, and what is left of it is counted on. So at the end of a
//! reading the counts of the range are complete, whatever it has become, and the next reading counts those above it.
//! Candidates that fit the memory are read once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::bound::Candidates;
use crate::document::DocId;
use crate::pipeline::set_cache::SetLoader;
use crate::shingle::ShingleHashes;

/// Tables of counts, each with a lock of its own.
const SHARDS: usize = 64;
/// Bytes of a count, at most: a hash, a number and a byte of control, in a table that has just grown.
pub(super) const COUNT_BYTES: u64 = 40;

/// The candidates that are in more than `limit` of the texts, ascending.
///
/// * `texts`: distinct ones; what can no longer be read is passed over.
pub(super) fn frequent(
    candidates: &Candidates,
    limit: u64,
    texts: &[DocId],
    loader: &SetLoader,
    memory_bytes: u64,
) -> Vec<u64> {
    let most_counts = (memory_bytes / COUNT_BYTES).max(1) as usize;
    let mut frequent = Vec::new();
    let (mut start, mut width) = (0u64, u64::MAX);
    loop {
        let range = Range::new(start, start.saturating_add(width), most_counts);
        range.count(candidates, texts, loader);
        let last = range.last.load(Ordering::Relaxed);
        for shard in range.shards {
            let counts = shard.into_inner().expect("no holder panics");
            let is_frequent = |&(&hash, &count): &(&u64, &u32)| hash <= last && u64::from(count) > limit;
            frequent.extend(counts.iter().filter(is_frequent).map(|(&hash, _)| hash));
        }
        let Some(next) = last.checked_add(1) else { break };
        (start, width) = (next, last - start);
    }
    // The order of a map is no order.
    frequent.sort_unstable();
    frequent
}

type Counts = HashMap<u64, u32, BuildHasherDefault<Spread>>;

/// Shingle hashes are hashes already; those of one range and shard differ in some of the bits only, which this spreads
/// (Knuth, 6.4).
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, _: &[u8]) {
        unreachable!("hashes are u64");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The counts of the hashes from `start` to `last`.
struct Range {
    start: u64,
    /// Only ever comes down.
    last: AtomicU64,
    shards: Vec<Mutex<Counts>>,
    num_counts: AtomicUsize,
    most_counts: usize,
    /// Held while the range is made narrower.
    narrowing: Mutex<()>,
}

impl Range {
    fn new(start: u64, last: u64, most_counts: usize) -> Self {
        Self {
            start,
            last: AtomicU64::new(last),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            num_counts: AtomicUsize::new(0),
            most_counts,
            narrowing: Mutex::default(),
        }
    }

    /// Counts the texts of each candidate in the range.
    fn count(&self, candidates: &Candidates, texts: &[DocId], loader: &SetLoader) {
        let buffers = || (Vec::new(), vec![Vec::new(); SHARDS]);
        texts.par_iter().for_each_init(buffers, |(found, sorted), &text| {
            found.clear();
            let _unreadable = loader.read_again(text, &mut |text, tools| {
                let last = self.last.load(Ordering::Relaxed);
                let in_range = |&hash: &u64| hash >= self.start && hash <= last && candidates.contains(hash);
                tools
                    .shingles_of(text)
                    .for_each_block(&mut |block| found.extend(block.iter().copied().filter(in_range)));
            });
            // A text counts once, however often it has the shingle.
            found.sort_unstable();
            found.dedup();
            self.add(found, sorted);
        });
    }

    /// Counts one more document for each of these hashes that is in the range.
    fn add(&self, hashes: &[u64], sorted: &mut [Vec<u64>]) {
        let last = self.last.load(Ordering::Relaxed);
        for &hash in hashes.iter().filter(|&&hash| hash >= self.start && hash <= last) {
            sorted[(hash >> 32) as usize % SHARDS].push(hash);
        }
        let mut num_new = 0;
        for (shard, hashes) in self.shards.iter().zip(sorted) {
            let mut counts = shard.lock().expect("no holder panics");
            let before = counts.len();
            hashes.drain(..).for_each(|hash| *counts.entry(hash).or_default() += 1);
            num_new += counts.len() - before;
        }
        if self.num_counts.fetch_add(num_new, Ordering::Relaxed) + num_new > self.most_counts {
            self.narrow();
        }
    }

    /// Gives up upper halves of the range until the counts of the rest fit.
    fn narrow(&self) {
        let _narrowing = self.narrowing.lock().expect("no holder panics");
        loop {
            let last = self.last.load(Ordering::Relaxed);
            if self.num_counts.load(Ordering::Relaxed) <= self.most_counts || last == self.start {
                return;
            }
            let middle = self.start + (last - self.start) / 2;
            self.last.store(middle, Ordering::Relaxed);
            for shard in &self.shards {
                let mut counts = shard.lock().expect("no holder panics");
                let before = counts.len();
                counts.retain(|&hash, _| hash <= middle);
                self.num_counts.fetch_sub(before - counts.len(), Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_no_more_counts_than_it_may_but_those_of_one_document() {
        let range = Range::new(0, u64::MAX, 1000);
        let mut sorted = vec![Vec::new(); SHARDS];
        for document in 0..200u64 {
            let hashes: Vec<u64> = (0..100).map(|i| (document * 100 + i).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
            range.add(&hashes, &mut sorted);
            let num_counts: usize = range.shards.iter().map(|shard| shard.lock().unwrap().len()).sum();
            assert_eq!(num_counts, range.num_counts.load(Ordering::Relaxed));
            assert!(num_counts <= 1000);
        }
        assert!(range.last.load(Ordering::Relaxed) < u64::MAX / 8);
    }
}
