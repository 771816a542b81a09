//! `IdfWeights`: computes the weight of each shingle from its document frequency.
//!
//! Most shingles of a corpus are in a single text and have the same weight. Only the others are listed, in the order of
//! their hashes. The highest bits of a hash determine where it would be in the list.

use super::fixed::weight_of_frequency;

/// Average number of listed shingles for each start of a search.
const SHINGLES: usize = 2;

/// The weights of the shingles of a corpus: 18 to 20 bytes for each shingle that is in several texts.
#[derive(Debug)]
pub(crate) struct IdfWeights {
    /// Hashes and weights, ascending by hash.
    listed: Vec<(u64, u32)>,
    /// For each value of the highest bits, the index of the first hash with these bits; followed by the end of the
    /// list.
    starts: Box<[u32]>,
    shift: u32,
    /// The weight of all other shingles, which are in a single text.
    alone: u32,
}

impl IdfWeights {
    /// Creates the weights.
    ///
    /// * `frequencies`: the hash and the frequency of each shingle that is in at least two texts, ascending by hash.
    ///   Their memory is reused for the weights.
    /// * `num_texts`: the number of distinct texts.
    ///
    /// # Panics
    /// When 2³² shingles or more are in several texts.
    pub(crate) fn new(mut frequencies: Vec<(u64, u32)>, num_texts: u64) -> Self {
        assert!(u32::try_from(frequencies.len()).is_ok(), "fewer than 2^32 shingles in several texts");
        let num_starts = (frequencies.len() / SHINGLES).next_power_of_two().max(2);
        let shift = 64 - num_starts.ilog2();
        let mut starts = vec![0u32; num_starts + 1];
        frequencies.iter().for_each(|&(hash, _)| starts[(hash >> shift) as usize + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        frequencies.iter_mut().for_each(|(_, texts)| *texts = weight_of_frequency(num_texts, (*texts).into()));
        frequencies.shrink_to_fit();
        Self { listed: frequencies, starts: starts.into(), shift, alone: weight_of_frequency(num_texts, 1) }
    }

    /// The weight of a shingle, in units of 2⁻¹⁶.
    #[inline]
    pub(crate) fn of(&self, hash: u64) -> u32 {
        let start = (hash >> self.shift) as usize;
        let listed = &self.listed[self.starts[start] as usize..self.starts[start + 1] as usize];
        listed.iter().find(|&&(other, _)| other == hash).map_or(self.alone, |&(_, weight)| weight)
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        self.listed.capacity() * size_of::<(u64, u32)>() + size_of_val(&*self.starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shingle_has_the_weight_of_its_frequency_and_others_that_of_one() {
        for len in [0u64, 1, 2, 3, 100, 5000] {
            let hash = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
            let mut frequencies: Vec<(u64, u32)> =
                (0..len).map(|number| (hash(number), 2 + number as u32 % 900)).collect();
            frequencies.extend([(0, 7), (u64::MAX, 8)]);
            frequencies.sort_unstable();
            let weights = IdfWeights::new(frequencies.clone(), 1000);
            for &(hash, frequency) in &frequencies {
                assert_eq!(weights.of(hash), weight_of_frequency(1000, frequency.into()));
            }
            for number in len..len + 500 {
                assert_eq!(weights.of(hash(number)), weight_of_frequency(1000, 1));
            }
            assert!(weights.num_bytes() <= 20 * frequencies.len() + 64);
        }
    }
}
