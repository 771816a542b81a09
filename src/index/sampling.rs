//! `SampleRate`: which shingles of a text contained texts are found by: those whose hashes are below a limit.
//!
//! The same shingle is sampled in every text or in none, so that two texts which share m shingles share about m divided by the
//! rate of the sampled ones.

use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::run_block::key_of;

/// The greatest number of shingles of which one is sampled.
const MOST: u32 = 1 << 16;

/// What an index has beside what similar texts are found by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexSettings {
    /// The shingles by which contained texts are found. Default: none, and contained texts are not found.
    pub containment: Option<SampleRate>,
    /// Whether it has texts, or the places where these lie. Default: it has them.
    pub texts: TextStorage,
}

/// What an index has of the texts of its documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TextStorage {
    /// The texts, compressed.
    #[default]
    Keep,
    /// Their places in the files that they were read from, and their hashes. A text that is no longer there is named, and compared
    /// with nothing.
    Refer,
}

/// One shingle in so many is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleRate(NonZeroU32);

impl Default for SampleRate {
    /// One in 64.
    fn default() -> Self {
        Self(NonZeroU32::new(64).expect("it is not 0"))
    }
}

impl SampleRate {
    /// One shingle in `number`; `None` for 0 and above 65,536.
    pub fn one_in(number: u32) -> Option<Self> {
        NonZeroU32::new(number).filter(|number| number.get() <= MOST).map(Self)
    }

    /// Of how many shingles one is sampled.
    pub fn number(self) -> u32 {
        self.0.get()
    }

    /// The greatest hash of a shingle that is sampled.
    pub(super) fn most(self) -> u64 {
        u64::MAX / u64::from(self.number())
    }

    /// What a sampled shingle is looked up by: its hash, spread over all values again.
    pub(super) fn key(self, hash: u64) -> u64 {
        key_of(hash * u64::from(self.number()))
    }

    /// What the sampled ones of some shingles are looked up by.
    pub(super) fn keys(self, hashes: &[u64]) -> Box<[u64]> {
        hashes.iter().filter(|&&hash| hash <= self.most()).map(|&hash| self.key(hash)).collect()
    }

    /// The chance that one of some shingles is sampled.
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
        // Five standard deviations of a binomial number.
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
