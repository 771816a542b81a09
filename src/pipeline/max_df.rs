//! Document frequencies: which shingles are in more than so many documents, counted exactly in bounded memory.
//!
//! The hashes are counted range by range. A range begins as all that is not counted yet; whenever its counts would no longer
//! fit the memory, its upper half is given up, counts and all, and what is left of it is counted on. So at the end of a
//! reading the counts of the range are complete, whatever it has become, and the next reading counts those above it. A
//! corpus whose distinct shingles fit the memory is read once.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use crate::config::{Config, MaxDf};
use crate::input::{Item, Piece, Reader, Sources};
use crate::shingle::{ShingleHashes, ShingleSetBuilder, Shingler};

/// Tables of counts, each with a lock of its own.
const SHARDS: usize = 64;
/// Bytes of a count, at most: a hash, a number and a byte of control, in a table that has just grown.
const COUNT_BYTES: u64 = 40;

/// The shingles that are in more documents than `max_df` allows, each text counted once however many copies it has.
///
/// * `pieces`: all inputs; what cannot be used is passed over, to be told when it is read again.
pub(super) fn frequent_shingles(config: &Config, max_df: MaxDf, sources: &Sources, pieces: &[Piece]) -> Vec<u64> {
    let most_counts = (config.memory_bytes / COUNT_BYTES).max(1) as usize;
    let mut frequent = Vec::new();
    let (mut start, mut width) = (0u64, u64::MAX);
    loop {
        let range = Range::new(start, start.saturating_add(width), most_counts);
        let num_texts = range.count(config, sources, pieces);
        let last = range.last.load(Ordering::Relaxed);
        for shard in range.shards {
            let counts = shard.into_inner().expect("no holder panics");
            let is_frequent =
                |&(&hash, &count): &(&u64, &u32)| hash <= last && max_df.is_exceeded(count.into(), num_texts);
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

    /// Counts the documents of each hash in the range; returns the number of distinct texts.
    fn count(&self, config: &Config, sources: &Sources, pieces: &[Piece]) -> u64 {
        let seen: Mutex<HashSet<u128>> = Mutex::default();
        let new_worker = || {
            let shingler = Shingler::new(config.shingle_kind, config.shingle_size.get());
            let sorted: Vec<Vec<u64>> = vec![Vec::new(); SHARDS];
            (Reader::new(&config.input, sources), shingler, ShingleSetBuilder::default(), sorted)
        };
        pieces.par_iter().for_each_init(new_worker, |(reader, shingler, builder, sorted), piece| {
            reader.read_piece(piece.kind.clone(), &mut |item| {
                let Item::Document(document) = item else { return };
                let is_new = || seen.lock().expect("no holder panics").insert(xxh3_128(document.text));
                if document.text.is_empty() || !is_new() {
                    return;
                }
                shingler.shingles_utf8(document.text).for_each_block(&mut |block| builder.extend(block));
                self.add(builder.take().hashes(), sorted);
            });
        });
        seen.into_inner().expect("no holder panics").len() as u64
    }

    /// Counts one more document for each of these hashes that is in the range.
    fn add(&self, hashes: &[u64], sorted: &mut [Vec<u64>]) {
        let last = self.last.load(Ordering::Relaxed);
        for &hash in hashes.iter().filter(|&&hash| hash >= self.start && hash <= last) {
            sorted[(hash >> 32) as usize % SHARDS].push(hash);
        }
        for (shard, hashes) in self.shards.iter().zip(sorted) {
            let mut counts = shard.lock().expect("no holder panics");
            let before = counts.len();
            hashes.drain(..).for_each(|hash| *counts.entry(hash).or_default() += 1);
            // While the shard is locked, so that nobody gives up counts that are not in the number yet.
            self.num_counts.fetch_add(counts.len() - before, Ordering::Relaxed);
        }
        if self.num_counts.load(Ordering::Relaxed) > self.most_counts {
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::input::walk;
    use crate::shingle::ShingleSet;

    /// All texts of the example corpus, and their pieces.
    fn corpus(config: &mut Config, sources: &Sources) -> (Vec<Piece>, HashSet<Vec<u8>>) {
        config.input.paths.push("examples/corpus".into());
        let (mut pieces, mut texts) = (Vec::new(), HashSet::new());
        walk(&config.input, sources, &mut |piece| {
            pieces.push(piece);
            true
        })
        .unwrap();
        let mut reader = Reader::new(&config.input, sources);
        for piece in &pieces {
            reader.read_piece(piece.kind.clone(), &mut |item| {
                if let Item::Document(document) = item {
                    texts.insert(document.text.to_vec());
                }
            });
        }
        texts.remove(&Vec::new());
        (pieces, texts)
    }

    #[test]
    fn frequencies_equal_the_naive_twin_in_any_memory() {
        let (mut config, sources) = (Config::default(), Sources::default());
        let (pieces, texts) = corpus(&mut config, &sources);
        let mut shingler = Shingler::new(config.shingle_kind, config.shingle_size.get());
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for text in &texts {
            for &hash in ShingleSet::new(shingler.shingles_utf8(text)).hashes() {
                *counts.entry(hash).or_default() += 1;
            }
        }
        assert!(counts.len() > 20_000 && texts.len() > 50);
        let limits = [MaxDf::Documents(1), MaxDf::Documents(3), MaxDf::Percent(5.0), MaxDf::Percent(100.0)];
        for max_df in limits {
            let is_frequent = |&(_, &count): &(&u64, &u64)| match max_df {
                MaxDf::Documents(most) => count > most,
                MaxDf::Percent(most) => count as f64 / texts.len() as f64 > most / 100.0,
            };
            let expected: Vec<u64> = counts.iter().filter(is_frequent).map(|(&hash, _)| hash).collect();
            assert_eq!(expected.is_empty(), max_df == MaxDf::Percent(100.0));
            // Room for all counts, for a tenth, and for a fiftieth of them.
            for most_counts in [1 << 20, 3000, 500] {
                config.memory_bytes = most_counts * COUNT_BYTES;
                for threads in [1, 3] {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                    let frequent = pool.install(|| frequent_shingles(&config, max_df, &sources, &pieces));
                    assert!(frequent == expected, "{max_df:?}, {most_counts} counts, {threads} threads");
                }
            }
        }
    }

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
    fn limits_are_read_as_numbers_or_shares() {
        assert_eq!("3".parse(), Ok(MaxDf::Documents(3)));
        assert_eq!("2.5%".parse(), Ok(MaxDf::Percent(2.5)));
        for wrong in ["0", "-1", "1.5", "", "%", "101%", "-1%", "NaN%", "x"] {
            assert!(wrong.parse::<MaxDf>().is_err(), "{wrong}");
        }
        assert!(!MaxDf::Percent(7.0).is_exceeded(7, 100) && MaxDf::Percent(7.0).is_exceeded(8, 100));
    }
}
