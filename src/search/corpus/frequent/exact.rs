//! Counts the exact document frequencies of candidate shingles, in bounded memory.
//!
//! Each reading of the documents counts one range of the hashes. The range begins as everything that is not yet
//! counted. Whenever its counts no longer fit the memory, its upper half is dropped with its counts, and counting
//! continues with the rest. So at the end of a reading the counts of the remaining range are complete, and the next
//! reading begins above it. Candidates that fit the memory need one reading.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::bound::FrequentCandidates;
use crate::base::flat::spread::SpreadMap;
use crate::documents::document::DocId;
use crate::search::corpus::reread::Rereader;
use crate::text::shingle::ShingleHashes;

/// The number of tables of counts, each with its own lock.
const SHARDS: usize = 64;
/// The number of shingles of one text from which on repeats are dropped before the text ends.
const LEAST_COMPACTED: usize = 1 << 16;
/// The maximum bytes of a count: a hash, a number and a control byte, in a table that has just grown.
pub(super) const COUNT_BYTES: u64 = 40;

/// The candidates that are in more than `limit` of the texts, ascending, each with its number of texts.
///
/// * `texts`: the first documents of distinct texts. A text that can no longer be read is skipped.
pub(super) fn frequent(
    candidates: &FrequentCandidates,
    limit: u64,
    texts: &[DocId],
    rereader: &Rereader,
    memory_bytes: u64,
) -> Vec<(u64, u32)> {
    let most_counts = (memory_bytes / COUNT_BYTES).max(1) as usize;
    let mut frequent = Vec::new();
    let (mut start, mut width) = (0u64, u64::MAX);
    loop {
        let range = Range::new(start, start.saturating_add(width), most_counts);
        range.count(candidates, texts, rereader);
        let last = range.last.load(Ordering::Relaxed);
        for shard in range.shards {
            let counts = shard.into_inner().expect("no holder panics");
            let is_frequent = |&(&hash, &count): &(&u64, &u32)| hash <= last && u64::from(count) > limit;
            frequent.extend(counts.iter().filter(is_frequent).map(|(&hash, &count)| (hash, count)));
        }
        let Some(next) = last.checked_add(1) else { break };
        // If a range ends half empty, the candidates have become sparser, so the next range is wider.
        let is_half_empty = range.num_counts.into_inner() <= most_counts / 2;
        width = (last - start).saturating_mul(if is_half_empty { 2 } else { 1 }).saturating_add(is_half_empty.into());
        start = next;
    }
    // The order of a map differs from run to run.
    frequent.sort_unstable();
    frequent
}

/// The counts of the hashes from `start` to `last`.
struct Range {
    start: u64,
    /// The end of the range, which never increases.
    last: AtomicU64,
    shards: Vec<Mutex<SpreadMap<u32>>>,
    num_counts: AtomicUsize,
    most_counts: usize,
}

impl Range {
    fn new(start: u64, last: u64, most_counts: usize) -> Self {
        Self {
            start,
            last: AtomicU64::new(last),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            num_counts: AtomicUsize::new(0),
            most_counts,
        }
    }

    /// Counts the texts of each candidate in the range.
    fn count(&self, candidates: &FrequentCandidates, texts: &[DocId], rereader: &Rereader) {
        let buffers = || (Vec::new(), vec![Vec::new(); SHARDS]);
        texts.par_iter().for_each_init(buffers, |(found, sorted), &text| {
            found.clear();
            let _unreadable = rereader.read_again(text, &mut |text, tools| {
                let mut compact_at = self.most_counts.max(LEAST_COMPACTED);
                tools.shingles_of(text).for_each_block(&mut |block| {
                    let last = self.last.load(Ordering::Relaxed);
                    let in_range = |&hash: &u64| hash >= self.start && hash <= last && candidates.contains(hash);
                    found.extend(block.iter().copied().filter(in_range));
                    if found.len() > compact_at {
                        self.compact(found);
                        compact_at = compact_at.max(2 * found.len());
                    }
                });
            });
            self.compact(found);
            self.add(found, sorted);
        });
    }

    /// Removes repeats, since a text counts once. Drops upper halves of the range until the rest fits.
    fn compact(&self, found: &mut Vec<u64>) {
        found.sort_unstable();
        found.dedup();
        while found.len() > self.most_counts {
            let last = self.last.load(Ordering::Relaxed);
            found.truncate(found.partition_point(|&hash| hash <= last));
            if found.len() <= self.most_counts || last == self.start {
                return;
            }
            self.halve(last);
        }
    }

    /// Counts one more text for each of these hashes that is in the range.
    fn add(&self, hashes: &[u64], sorted: &mut [Vec<u64>]) {
        let last = self.last.load(Ordering::Relaxed);
        for &hash in hashes.iter().filter(|&&hash| hash >= self.start && hash <= last) {
            sorted[(hash >> 32) as usize % SHARDS].push(hash);
        }
        for (shard, hashes) in self.shards.iter().zip(sorted) {
            let mut counts = shard.lock().expect("no holder panics");
            let before = counts.len();
            hashes.drain(..).for_each(|hash| *counts.entry(hash).or_default() += 1);
            // This happens while the shard is locked, so that no thread subtracts counts before they are added.
            self.num_counts.fetch_add(counts.len() - before, Ordering::Relaxed);
        }
        self.narrow();
    }

    /// Drops upper halves of the range until the counts of the rest fit.
    fn narrow(&self) {
        let fits = || self.num_counts.load(Ordering::Relaxed) <= self.most_counts;
        while !fits() {
            let last = self.last.load(Ordering::Relaxed);
            // Other threads may have added counts above `last` just before it was lowered.
            for shard in &self.shards {
                let mut counts = shard.lock().expect("no holder panics");
                let before = counts.len();
                counts.retain(|&hash, _| hash <= last);
                self.num_counts.fetch_sub(before - counts.len(), Ordering::Relaxed);
            }
            if fits() || last == self.start {
                return;
            }
            self.halve(last);
        }
    }

    /// Drops the upper half of the range, unless another thread has already moved its end from `last`.
    fn halve(&self, last: u64) {
        let middle = self.start + (last - self.start) / 2;
        let _halved = self.last.compare_exchange(last, middle, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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

    #[test]
    fn texts_of_more_shingles_than_fit_are_counted_by_many_threads_at_a_time() {
        for round in 0..200u64 {
            let range = Range::new(0, u64::MAX, 100);
            let hashes_of = |document: u64| -> Vec<u64> {
                (0..2000).map(|i| (round + document * 1000 + i).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect()
            };
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let range = &range;
                    scope.spawn(move || {
                        let mut sorted = vec![Vec::new(); SHARDS];
                        for document in 0..3 {
                            let mut hashes = hashes_of(thread + 4 * document);
                            range.compact(&mut hashes);
                            assert!(hashes.len() <= 100);
                            range.add(&hashes, &mut sorted);
                        }
                    });
                }
            });
            let last = range.last.load(Ordering::Relaxed);
            let counts: BTreeMap<u64, u32> = range
                .shards
                .iter()
                .flat_map(|shard| shard.lock().unwrap().clone())
                .filter(|&(hash, _)| hash <= last)
                .collect();
            let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
            for hash in (0..12).flat_map(hashes_of).filter(|&hash| hash <= last) {
                *expected.entry(hash).or_default() += 1;
            }
            assert_eq!(counts, expected);
            // The range is halved no more often than necessary: all 13,000 hashes are spread evenly.
            assert!(expected.len() > 5 && range.num_counts.load(Ordering::Relaxed) <= 100, "{}", expected.len());
        }
    }
}
