//! `SampleRate`: the sampling of shingles that finds contained texts: shingles with hashes below a limit are sampled.
//!
//! A shingle is sampled in every text or in no text. So if two texts share m shingles, they share about m divided by
//! the rate among the sampled ones.

use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::index::blocks::run_block::key_of;

/// The maximum rate: one shingle in this number is sampled.
const MOST: u32 = 1 << 16;

/// The optional parts of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexSettings {
    /// The sampling rate of shingles that find contained texts. Default: none, and contained texts are not found.
    pub containment: Option<SampleRate>,
    /// Whether the index stores texts, or refers to them. Default: it stores them.
    pub texts: TextStorage,
}

/// The storage of the texts of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TextStorage {
    /// The index stores compressed texts.
    #[default]
    Keep,
    /// The index stores the places of texts in the files that they were read from, and the hashes of the texts. A text
    /// that has changed or is missing is reported, and not compared.
    Refer,
}

/// A sampling rate: one shingle in a number is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleRate(NonZeroU32);

impl Default for SampleRate {
    /// The default rate is one in 64.
    fn default() -> Self {
        Self(NonZeroU32::new(64).expect("it is not 0"))
    }
}

impl SampleRate {
    /// The rate of one shingle in `number`; `None` for 0 and above 65,536.
    pub fn one_in(number: u32) -> Option<Self> {
        NonZeroU32::new(number).filter(|number| number.get() <= MOST).map(Self)
    }

    /// The number N of a rate of one shingle in N.
    pub fn number(self) -> u32 {
        self.0.get()
    }

    /// The greatest hash of a sampled shingle.
    pub(crate) fn most(self) -> u64 {
        u64::MAX / u64::from(self.number())
    }

    /// The run key of a sampled shingle: its hash, scaled to the whole range again.
    pub(crate) fn key(self, hash: u64) -> u64 {
        key_of(hash * u64::from(self.number()))
    }

    /// The run keys of the sampled shingles among some shingles.
    pub(crate) fn keys(self, hashes: &[u64]) -> Box<[u64]> {
        hashes.iter().filter(|&&hash| hash <= self.most()).map(|&hash| self.key(hash)).collect()
    }

    /// The chance that at least one of some shingles is sampled.
    ///
    /// * `shared`: the number of shingles that two texts share.
    pub fn recall(self, shared: u64) -> f64 {
        -f64::exp_m1(shared as f64 * f64::ln_1p(-1.0 / f64::from(self.number())))
    }
}

impl FromStr for SampleRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_prefix("1/").and_then(|number| number.parse().ok());
        number.and_then(Self::one_in).ok_or_else(|| format!("give a rate from 1/1 to 1/{MOST}, such as 1/64"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_that_a_shingle_is_sampled_is_the_rate() {
        let rate = SampleRate::default();
        assert_eq!(rate.recall(0), 0.0);
        assert!((rate.recall(1) - 1.0 / 64.0).abs() < 1e-12);
        assert!((rate.recall(300) - (1.0 - (63.0f64 / 64.0).powi(300))).abs() < 1e-12);
        assert_eq!(SampleRate::one_in(1).unwrap().recall(1), 1.0);
        let hashes: Vec<u64> = (1..=64_000u64).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        let sampled = rate.keys(&hashes).len();
        // Five standard deviations of a binomial distribution.
        assert!(sampled.abs_diff(1000) < 5 * 32, "{sampled}");
        assert_eq!(SampleRate::one_in(1).unwrap().keys(&[0, u64::MAX]), [0, (1 << 48) - 1].into());
    }

    #[test]
    fn a_rate_is_one_in_so_many() {
        assert_eq!("1/8".parse::<SampleRate>().unwrap().number(), 8);
        for text in ["", "8", "1/0", "1/65537", "2/3", "0.5", "1/-1"] {
            assert!(text.parse::<SampleRate>().is_err(), "{text}");
        }
    }
}
