//! `Frequencies`: an upper bound of the number of texts that contain each shingle.
//!
//! A shingle's hash chooses its counter (a count-min sketch of one row, Cormode and Muthukrishnan 2005). Shingles that
//! share a counter can only increase it. So a counter is never too low, and a counter of 1 proves that only one text
//! contains its shingle. The result does not depend on the order in which threads add texts.

use std::hint::black_box;
use std::sync::atomic::{AtomicU16, Ordering};

use crate::base::error::Result;
use crate::base::memory::reserve_share;

/// The value at which a counter stops. Each thread may exceed it by one.
const MOST: u16 = u16::MAX - 2048;
/// Shingles for each counter; a shingle counts once for each text that contains it. A higher number makes more shingles
/// share counters, a lower number needs more memory.
const SHINGLES: u64 = 4;
/// Shingles whose counters are loaded into the processor's cache together.
const AT_A_TIME: usize = 64;
/// The minimum number of counters, as a power of 2.
const LEAST_BITS: u32 = 10;

/// Counters of texts, 2 bytes each.
pub(super) struct Frequencies {
    counters: Vec<AtomicU16>,
    shift: u32,
}

impl Frequencies {
    /// * `num_shingles`: about how many shingles all texts have, each counted once for each text that contains it.
    /// * `most_bytes`: the maximum size of the counters; they need at least 2 KiB.
    ///
    /// # Errors
    /// When memory is too small for them.
    pub(super) fn new(num_shingles: u64, most_bytes: u64) -> Result<Self> {
        let wanted = num_shingles.div_ceil(SHINGLES).max(1).next_power_of_two().ilog2();
        let most = (most_bytes / size_of::<AtomicU16>() as u64).max(1).ilog2();
        let bits = wanted.min(most).max(LEAST_BITS);
        let mut counters = Vec::new();
        reserve_share(&mut counters, 1 << bits, "document frequencies")?;
        counters.resize_with(1 << bits, AtomicU16::default);
        Ok(Self { counters, shift: 64 - bits })
    }

    /// Counts one more text for each of these distinct shingles.
    pub(super) fn add(&self, hashes: &[u64]) {
        for hashes in hashes.chunks(AT_A_TIME) {
            // Plain loads do not wait for each other, unlike atomic additions, so they fill the cache first.
            black_box(hashes.iter().fold(0, |all, &hash| all | self.counter(hash).load(Ordering::Relaxed)));
            for &hash in hashes {
                let counter = self.counter(hash);
                if counter.load(Ordering::Relaxed) < MOST {
                    counter.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    /// An upper bound of the number of texts that contain a shingle, capped at [`MOST`].
    #[inline]
    pub(super) fn of(&self, hash: u64) -> u16 {
        self.counter(hash).load(Ordering::Relaxed).min(MOST)
    }

    #[inline]
    fn counter(&self, hash: u64) -> &AtomicU16 {
        &self.counters[(hash >> self.shift) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u64) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes())
    }

    #[test]
    fn a_counter_is_never_too_low_and_a_roomy_one_is_exact() {
        for most_bytes in [1 << 30, 0] {
            let frequencies = Frequencies::new(1 << 22, most_bytes).unwrap();
            for text in 1..=40 {
                let hashes: Vec<u64> = (0..100u64).filter(|number| number % text == 0).map(hash).collect();
                frequencies.add(&hashes);
            }
            let texts_with = |number: u64| (1..=40).filter(|&text| number.is_multiple_of(text)).count() as u16;
            let counts: Vec<(u16, u16)> =
                (0..100).map(|number| (frequencies.of(hash(number)), texts_with(number))).collect();
            assert!(counts.iter().all(|(counted, exact)| counted >= exact));
            assert!(most_bytes == 0 || counts.iter().all(|(counted, exact)| counted == exact));
        }
    }

    #[test]
    fn a_full_counter_stays_where_it_is() {
        let frequencies = Frequencies::new(1, 0).unwrap();
        (0..MOST as u32 + 70).for_each(|_| frequencies.add(&[5]));
        assert_eq!(frequencies.of(5), MOST);
    }
}
