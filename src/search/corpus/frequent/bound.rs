//! `Tally`: upper bounds of document frequencies, counted during the first reading of the documents.
//!
//! Each thread has a table of small counters, and the highest bits of a shingle choose its counter (a count-min sketch
//! of one row, Cormode and Muthukrishnan 2005). Shingles that share a counter can only increase it, so a counter is
//! never too low. A full table doubles: each counter is copied into two, so still none is too low. Thus the tables of
//! small corpora stay in the processor's cache. A counter at its maximum stays there, and is no longer a bound. The
//! bytes of the tables are limited; in addition, each distinct text needs 20 to 40 bytes.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::base::flat::bit_set::BitSet;
use crate::base::flat::per_thread::PerThread;
use crate::text::removal::MaxDf;
use crate::text::shingle::ShingleHashes;

/// The number of counters in a new table, as a power of 2.
const FIRST_BITS: u32 = 20;
/// A table doubles once its counters have grown, on average, by this fraction of the limit (1/16 for all threads
/// together). With a larger fraction, shingles that share a counter would exceed the limit together; with a smaller
/// one, tables would become large.
const LOAD_SHARE: usize = 16;
/// The maximum number of shingles per counter before a table doubles, since a counter is full at 255.
const MOST_LOAD: usize = 8;
/// The number of sets of seen texts, each with its own lock.
const SHARDS: usize = 64;

/// Counts, from any thread of a pool, how many texts contain each shingle.
pub(crate) struct Tally {
    tables: PerThread<Table>,
    seen: Vec<Mutex<HashSet<u128>>>,
    num_texts: AtomicU64,
    max_df: MaxDf,
    most_bits: u32,
}

struct Table {
    /// The counters; their number is a power of 2.
    counts: Vec<u8>,
    /// The number of shingles counted since the table was last doubled.
    num_new: usize,
}

impl Tally {
    /// * `most_bytes`: the maximum bytes of all tables.
    pub(crate) fn new(max_df: MaxDf, num_threads: usize, most_bytes: u64) -> Self {
        let most_bits = (most_bytes / num_threads as u64).max(2).ilog2();
        let counts = || vec![0; 1 << FIRST_BITS.min(most_bits)];
        Self {
            tables: PerThread::new(num_threads, || Table { counts: counts(), num_new: 0 }),
            seen: (0..SHARDS).map(|_| Mutex::default()).collect(),
            num_texts: AtomicU64::new(0),
            max_df,
            most_bits,
        }
    }

    /// Visits the shingles of a text, and counts them unless a text with this content was already counted.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn add(&self, content: u128, shingles: &mut dyn ShingleHashes) {
        let shard = &self.seen[content as usize % SHARDS];
        let is_new = shard.lock().expect("no holder panics").insert(content);
        let num_texts = self.num_texts.fetch_add(is_new.into(), Ordering::Relaxed) + 1;
        let load = self.max_df.most(num_texts) as usize / (LOAD_SHARE * self.tables.len());
        let mut table = self.tables.get();
        shingles.for_each_block(&mut |block| {
            if is_new {
                table.add(block, load, self.most_bits);
            }
        });
    }

    /// The bytes of the tables and of the set of seen texts, which has a hash and a control byte per slot.
    pub(crate) fn num_bytes(&self) -> usize {
        let slot = size_of::<u128>() + 1;
        let mut counts = 0;
        self.tables.for_each(|table| counts += table.counts.len());
        let seen = |seen: &Mutex<HashSet<u128>>| seen.lock().expect("no holder panics").capacity() * 8 / 7 * slot;
        counts + self.seen.iter().map(seen).sum::<usize>()
    }

    /// The shingles that may be in more than `limit` texts.
    pub(super) fn into_candidates(self, limit: u64) -> FrequentCandidates {
        let tables: Vec<Vec<u8>> = self.tables.into_values().map(|table| table.counts).collect();
        let bits = tables.iter().map(|counts| counts.len().ilog2()).max().unwrap_or(0);
        let mut slots = BitSet::new(1 << bits);
        for slot in 0..1usize << bits {
            let (mut sum, mut is_full) = (0u64, false);
            for counts in &tables {
                let count = counts[slot >> (bits - counts.len().ilog2())];
                sum += u64::from(count);
                is_full |= count == u8::MAX;
            }
            if is_full || sum > limit {
                slots.insert(slot);
            }
        }
        FrequentCandidates { shift: 64 - bits, is_empty: slots.is_empty(), slots }
    }
}

impl Table {
    /// * `load`: how much counters may grow, on average, before the table doubles.
    fn add(&mut self, hashes: &[u64], load: usize, most_bits: u32) {
        let len = self.counts.len();
        if self.num_new > (len * load.min(MOST_LOAD)).max(len / 2) && len.ilog2() < most_bits {
            self.counts = self.counts.iter().flat_map(|&count| [count; 2]).collect();
            self.num_new = 0;
        }
        let shift = 64 - self.counts.len().ilog2();
        for hash in hashes {
            let count = &mut self.counts[(hash >> shift) as usize];
            *count = count.saturating_add(1);
        }
        self.num_new += hashes.len();
    }
}

/// A superset of the shingles that are in too many texts, by their highest bits.
pub(super) struct FrequentCandidates {
    shift: u32,
    slots: BitSet,
    is_empty: bool,
}

impl FrequentCandidates {
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    #[inline]
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.slots.contains((hash >> self.shift) as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_shingle_in_too_many_texts_is_missed(
            texts in prop::collection::vec(prop::collection::vec(0u64..50, 1..60), 1..40),
            copies in 1usize..3,
            limit in 0u64..12,
            most_bits in 1u32..12,
        ) {
            let spread = |value: u64| value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let tally = Tally::new(MaxDf::Documents(limit), 2, 2 << most_bits);
            let mut counts: HashMap<u64, HashSet<usize>> = HashMap::new();
            for (number, text) in texts.iter().enumerate() {
                let hashes: Vec<u64> = text.iter().copied().map(spread).collect();
                hashes.iter().for_each(|&hash| { counts.entry(hash).or_default().insert(number); });
                (0..copies).for_each(|_| pool.install(|| tally.add(number as u128, &mut hashes.as_slice())));
            }
            let candidates = tally.into_candidates(limit);
            for (hash, texts) in counts {
                let is_frequent = texts.len() as u64 > limit;
                prop_assert!(!is_frequent || candidates.contains(hash) && !candidates.is_empty());
            }
        }
    }

    #[test]
    fn tables_double_up_to_their_limit_and_full_counters_bound_nothing() {
        let mut table = Table { counts: vec![0; 4], num_new: 0 };
        let hashes: Vec<u64> = (0..64u64).map(|slot| slot << 58).collect();
        (0..20).for_each(|_| table.add(&hashes, 0, 5));
        // A slot gets 16 of the first block, 8 and 4 of the next two, then 2 each.
        assert_eq!((table.counts.len(), table.counts[7]), (32, 16 + 8 + 4 + 17 * 2));
        (0..200).for_each(|_| table.add(&hashes, 0, 5));
        let tables = PerThread::new(1, || Table { counts: table.counts.clone(), num_new: 0 });
        let tally = Tally { tables, ..Tally::new(MaxDf::Documents(1), 1, 32) };
        assert!(tally.into_candidates(1 << 40).contains(hashes[3]));
    }
}
