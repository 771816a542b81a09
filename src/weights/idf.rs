//! `IdfWeights`: the document frequencies of shingles in, the weight of each shingle out.
//!
//! Most shingles of a corpus are in one text alone and weigh the same; only the others are listed, in order of their hashes. The
//! highest bits of a hash say where it would be.

use super::fixed::weight_of_frequency;

/// Listed shingles for each place where a search begins, on average.
const SHINGLES: usize = 2;

/// What each shingle of a corpus weighs: 18 to 20 bytes for each that is in several texts.
#[derive(Debug)]
pub(crate) struct IdfWeights {
    /// Hashes and what they weigh, ascending.
    listed: Vec<(u64, u32)>,
    /// Where the hashes begin that have these highest bits; one more at the end.
    starts: Box<[u32]>,
    shift: u32,
    /// The weight of all others.
    alone: u32,
}

impl IdfWeights {
    /// * `frequencies`: of the shingles in two texts and more, ascending by hash. Their memory becomes that of the weights.
    /// * `num_texts`: the number of distinct texts.
    ///
    /// # Panics
    /// When there are 2³² shingles or more.
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
