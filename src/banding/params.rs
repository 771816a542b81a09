//! Bands and rows: the S-curve 1 − (1 − s^rows)^bands and the choice of both for a threshold (MMDS 3.4.2).

use crate::error::{Error, Result};

/// Most values in one signature.
pub const MAX_HASHES: usize = 4096;

/// How a signature is cut: `bands` bands of `rows` values each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Banding {
    bands: usize,
    rows: usize,
}

impl Default for Banding {
    /// 20 × 5: a pair at similarity 0.8 is found with probability 0.9996.
    fn default() -> Self {
        Self { bands: 20, rows: 5 }
    }
}

impl Banding {
    /// The least recall at the threshold that is chosen, and below which a scan warns.
    pub const GOOD_RECALL: f64 = 0.95;
    /// The signature's length when none is given.
    pub const DEFAULT_HASHES: usize = 100;

    /// Bands × rows.
    ///
    /// # Errors
    /// When either is 0 or their product exceeds [`MAX_HASHES`].
    pub fn new(bands: usize, rows: usize) -> Result<Self> {
        match bands.checked_mul(rows) {
            Some(1..=MAX_HASHES) => Ok(Self { bands, rows }),
            _ => Err(Error::Banding { bands, rows, most: MAX_HASHES }),
        }
    }

    /// The number of bands.
    pub fn bands(self) -> usize {
        self.bands
    }

    /// The number of rows in a band.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// The length of a signature.
    pub fn num_hashes(self) -> usize {
        self.bands * self.rows
    }

    /// The S-curve: the chance that a pair of this similarity becomes a candidate pair.
    pub fn recall(self, similarity: f64) -> f64 {
        // 1 − (1 − s^r)^b by logarithms, since s^r may be far below the precision of 1.
        let same_band = similarity.powi(self.rows as i32);
        -(self.bands as f64 * (-same_band).ln_1p()).exp_m1()
    }

    /// The similarity at which a pair becomes a candidate with this chance; the inverse of [`recall`](Self::recall).
    pub fn similarity_at(self, recall: f64) -> f64 {
        let same_band = -((-recall).ln_1p() / self.bands as f64).exp_m1();
        same_band.powf(1.0 / self.rows as f64)
    }

    /// The cheapest banding within `num_hashes` that finds at least 95 % of the pairs at `threshold`.
    ///
    /// Verification takes care of precision, so recall comes first; among the bandings that reach it, the one with the
    /// most rows sends the fewest pairs below the threshold to verification. When even single rows do not reach it,
    /// the signature grows, up to [`MAX_HASHES`]; at threshold 0 no banding finds anything, and single rows are returned.
    ///
    /// # Panics
    /// When `num_hashes` is not in 1..=[`MAX_HASHES`].
    pub fn for_threshold(threshold: f64, num_hashes: usize) -> Self {
        assert!((1..=MAX_HASHES).contains(&num_hashes), "num_hashes out of range");
        let within = (1..=num_hashes)
            .rev()
            .map(|rows| Self { bands: num_hashes / rows, rows })
            .find(|banding| banding.recall(threshold) >= Self::GOOD_RECALL);
        let longer = || {
            if threshold <= 0.0 {
                return Self { bands: num_hashes, rows: 1 };
            }
            let needed = (1.0 - Self::GOOD_RECALL).ln() / (-threshold).ln_1p();
            Self { bands: (needed.ceil() as usize).clamp(num_hashes, MAX_HASHES), rows: 1 }
        };
        within.unwrap_or_else(longer)
    }

    /// This banding between those with one and two rows fewer and more, in order of rows: of each number of rows the
    /// one with the most bands within `num_hashes`, or within this banding's own length where that is greater.
    pub fn neighbours(self, num_hashes: usize) -> impl Iterator<Item = Self> {
        let num_hashes = num_hashes.max(self.num_hashes());
        let rows = self.rows.saturating_sub(2).max(1)..=(self.rows + 2).min(num_hashes);
        rows.map(move |rows| if rows == self.rows { self } else { Self { bands: num_hashes / rows, rows } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_s_curve_is_the_formula() {
        for (bands, rows) in [(20, 5), (1, 1), (50, 2), (14, 7), (512, 8)] {
            let banding = Banding::new(bands, rows).unwrap();
            for step in 0..=100 {
                let s = f64::from(step) / 100.0;
                let formula = 1.0 - (1.0 - s.powi(rows as i32)).powi(bands as i32);
                assert!((banding.recall(s) - formula).abs() < 1e-12, "{bands} x {rows} at {s}");
            }
        }
    }

    #[test]
    fn the_default_finds_what_the_documentation_says() {
        assert_eq!(format!("{:.4}", Banding::default().recall(0.8)), "0.9996");
        assert_eq!(format!("{:.2}", Banding::default().recall(0.5)), "0.47");
    }

    #[test]
    fn similarity_at_inverts_the_s_curve() {
        for (bands, rows) in [(20, 5), (1, 1), (100, 1), (7, 14)] {
            let banding = Banding::new(bands, rows).unwrap();
            for chance in [0.05, 0.5, 0.95] {
                let similarity = banding.similarity_at(chance);
                assert!((banding.recall(similarity) - chance).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_choice_is_the_best_of_all_bandings_that_reach_the_recall() {
        for threshold in (3..=100).map(|percent| f64::from(percent) / 100.0) {
            let chosen = Banding::for_threshold(threshold, 100);
            assert!(chosen.recall(threshold) >= 0.95, "{threshold}: {chosen:?}");
            assert!(chosen.num_hashes() <= 100);
            // Weight of false candidates under a uniform prior, by brute force over every banding.
            let cost = |banding: Banding| -> f64 {
                (0..1000).map(|step| banding.recall(threshold * f64::from(step) / 1000.0)).sum()
            };
            for rows in 1..=100 {
                let other = Banding::new(100 / rows, rows).unwrap();
                if other.recall(threshold) >= 0.95 {
                    assert!(cost(chosen) <= cost(other) * 1.0001, "{threshold}: {chosen:?} and {other:?}");
                }
            }
        }
    }

    #[test]
    fn low_thresholds_lengthen_the_signature() {
        let chosen = Banding::for_threshold(0.01, 100);
        assert!(chosen.recall(0.01) >= 0.95 && chosen.num_hashes() > 100);
        assert_eq!(Banding::for_threshold(0.000_001, 100).num_hashes(), MAX_HASHES);
        assert_eq!(Banding::for_threshold(0.0, 100).num_hashes(), 100);
    }

    #[test]
    fn neighbours_are_up_to_two_rows_away_within_the_signature() {
        let neighbours = |banding: Banding, num_hashes| -> Vec<(usize, usize)> {
            banding.neighbours(num_hashes).map(|other| (other.bands(), other.rows())).collect()
        };
        let banding = |bands, rows| Banding::new(bands, rows).unwrap();
        assert_eq!(neighbours(banding(20, 5), 100), [(33, 3), (25, 4), (20, 5), (16, 6), (14, 7)]);
        assert_eq!(neighbours(banding(299, 1), 100), [(299, 1), (149, 2), (99, 3)], "a lengthened signature");
        assert_eq!(neighbours(banding(1, 3), 3), [(3, 1), (1, 2), (1, 3)], "no more rows than hashes");
        assert_eq!(neighbours(banding(1, 1), 1), [(1, 1)]);
    }

    #[test]
    fn bandings_out_of_range_are_refused() {
        for (bands, rows) in [(0, 5), (5, 0), (4097, 1), (64, 65), (usize::MAX, 2)] {
            assert!(Banding::new(bands, rows).is_err(), "{bands} x {rows}");
        }
        assert!(Banding::new(64, 64).is_ok());
    }
}
