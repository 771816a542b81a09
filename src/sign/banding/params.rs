//! Bands and rows: chooses the cheapest banding for a threshold and a recall (MMDS 3.4.2).
//!
//! Everything follows from the S-curve 1 − (1 − s^rows)^bands, the probability that a pair of similarity s becomes a
//! candidate pair.

use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};

/// Maximum number of values in a signature.
pub const MAX_HASHES: usize = 4096;

/// The chosen number of bands is a multiple of this: the table sorts four bands at a time, so up to three more cost
/// little.
const BANDS_AT_A_TIME: usize = 4;
/// Maximum number of rows that are considered.
const MAX_ROWS: usize = 64;

/// The bands of a signature: `bands` bands of `rows` values each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The recall at the threshold for which bands and rows are chosen by default.
    pub const DEFAULT_RECALL: f64 = 0.999;
    /// The recall at the threshold below which a scan with given bands and rows warns.
    pub const GOOD_RECALL: f64 = 0.95;

    /// Creates a banding of `bands` × `rows` values.
    ///
    /// # Errors
    /// When either is 0 or their product exceeds [`MAX_HASHES`].
    pub fn new(bands: usize, rows: usize) -> Result<Self> {
        match bands.checked_mul(rows) {
            Some(1..=MAX_HASHES) => Ok(Self { bands, rows }),
            _ => Err(Error::Banding { bands, rows, most: MAX_HASHES }),
        }
    }

    /// Number of bands.
    pub fn bands(self) -> usize {
        self.bands
    }

    /// Number of rows in a band.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// Number of values in a signature.
    pub fn num_hashes(self) -> usize {
        self.bands * self.rows
    }

    /// The S-curve: the probability that a pair of this similarity becomes a candidate pair.
    pub fn recall(self, similarity: f64) -> f64 {
        // 1 − (1 − s^r)^b by logarithms, since s^r may be far below the precision of 1.
        let same_band = similarity.powi(self.rows as i32);
        -(self.bands as f64 * (-same_band).ln_1p()).exp_m1()
    }

    /// The maximum probability with which the filter of signatures may exclude a pair of this similarity: 10⁻⁵, and at most
    /// a tenth of the probability that the bands miss it.
    pub(crate) fn most_loss(self, similarity: f64) -> f64 {
        let missed = (self.bands as f64 * (-similarity.powi(self.rows as i32)).ln_1p()).exp();
        most_loss(missed)
    }

    /// The similarity at which a pair becomes a candidate pair with probability `recall`; the inverse of
    /// [`recall`](Self::recall).
    pub fn similarity_at(self, recall: f64) -> f64 {
        let same_band = -((-recall).ln_1p() / self.bands as f64).exp_m1();
        same_band.powf(1.0 / self.rows as f64)
    }

    /// The cheapest banding with which a run finds a pair at `threshold` with at least the probability `recall`, in spite of
    /// the filter of signatures.
    ///
    /// The result depends only on these two numbers, never on the machine or the corpus. For each number of rows, it
    /// considers the fewest bands that reach the recall. Few rows make a short signature; many rows send fewer pairs
    /// below the threshold to verification. The cost is the sum of both. At 0.8 and
    /// [`DEFAULT_RECALL`](Self::DEFAULT_RECALL) the result is the default, 20 × 5.
    ///
    /// Below a similarity of 0.002, [`MAX_HASHES`] values do not reach the recall. The result is then [`MAX_HASHES`]
    /// bands of one row.
    ///
    /// * `threshold`: in 0..=1.
    /// * `recall`: above 0 and below 1.
    pub fn for_recall(threshold: f64, recall: f64) -> Self {
        let candidates = (1..=MAX_ROWS).filter_map(|rows| Self::fewest_bands(rows, threshold, recall));
        let costs = candidates.map(|banding| (banding, banding.cost(threshold)));
        // The first of several equal costs wins, which has the fewest rows.
        let cheapest = costs.reduce(|best, other| if other.1 < best.1 { other } else { best });
        cheapest.map_or(Self { bands: MAX_HASHES, rows: 1 }, |(banding, _)| banding)
    }

    /// The banding of `rows` rows with the fewest bands that reach the recall, rounded up to a multiple of
    /// [`BANDS_AT_A_TIME`]. `None` if that needs too many values.
    fn fewest_bands(rows: usize, threshold: f64, recall: f64) -> Option<Self> {
        let most = MAX_HASHES / rows;
        let bands: Vec<usize> = (1..=most / BANDS_AT_A_TIME).map(|times| times * BANDS_AT_A_TIME).collect();
        let of = |bands| Self { bands, rows };
        let position = bands.partition_point(|&bands| of(bands).recall(threshold) < recall);
        // The filter rarely makes a difference, and its loss takes long to compute.
        let enough = recall / (1.0 - most_loss(1.0 - recall));
        let is_enough =
            |other: &Self| other.recall(threshold) >= enough || other.recall_of_run(threshold, threshold) >= recall;
        bands[position..].iter().copied().map(of).find(is_enough)
    }

    /// The cost of a document with this banding, in units of one signature value: the values, and the false candidates.
    fn cost(self, threshold: f64) -> f64 {
        /// Cost of a false candidate. Any value from 15,000 to 36,000 selects 20 × 5 at a threshold of 0.8. At that
        /// threshold, processor time is within 15 % of the minimum from 16 × 4 to 24 × 6, measured on 46,000 source
        /// files, 17,000 web pages and a million records, with both signatures. 28 × 7 costs up to a third more.
        const FALSE_CANDIDATE: f64 = 23_000.0;
        /// Number of points of the integral.
        const STEPS: u32 = 256;
        // Most pairs of a corpus have little in common: their number falls with similarity, approximately as (1 − s)⁶.
        let false_candidates = |step: u32| {
            let similarity = threshold * (f64::from(step) + 0.5) / f64::from(STEPS);
            (1.0 - similarity).powi(6) * self.recall(similarity)
        };
        let sum: f64 = (0..STEPS).map(false_candidates).sum();
        self.num_hashes() as f64 + FALSE_CANDIDATE * sum * threshold / f64::from(STEPS)
    }

    /// The bandings for the same recall with up to two rows fewer and up to two more, including this one, in order of
    /// rows.
    ///
    /// * `threshold`, `recall`: the values for which this banding was chosen.
    pub fn neighbours(self, threshold: f64, recall: f64) -> impl Iterator<Item = Self> {
        let rows = self.rows.saturating_sub(2).max(1)..=(self.rows + 2).min(MAX_ROWS);
        rows.filter_map(
            move |rows| {
                if rows == self.rows { Some(self) } else { Self::fewest_bands(rows, threshold, recall) }
            },
        )
    }
}

/// The maximum loss by the filter of signatures, where values are independent. The values of `classic` are not quite: for
/// sets of a few shingles its loss is up to three times as high.
///
/// * `missed`: the probability that the bands miss a pair.
fn most_loss(missed: f64) -> f64 {
    (missed / 10.0).min(1e-5)
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
    fn the_choice_at_the_default_threshold_is_the_default() {
        assert_eq!(Banding::for_recall(0.8, Banding::DEFAULT_RECALL), Banding::default());
    }

    #[test]
    fn choices_are_pinned() {
        let choices = |recall| {
            let chosen = (1..=20).map(|step| Banding::for_recall(f64::from(step) / 20.0, recall));
            chosen.map(|banding| format!("{}x{}", banding.bands, banding.rows)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            choices(0.95),
            "60x1 32x1 132x2 76x2 48x2 112x3 72x3 48x3 32x3 48x4 32x4 24x4 16x4 12x4 8x4 8x5 8x6 4x6 4x6 4x6"
        );
        assert_eq!(
            choices(0.999),
            "136x1 68x1 44x1 172x2 108x2 76x2 160x3 108x3 76x3 52x3 76x4 52x4 36x4 28x4 28x5 20x5 12x5 8x5 8x6 4x6"
        );
    }

    #[test]
    fn the_choice_reaches_the_recall_and_no_cheaper_banding_does() {
        for threshold in (1..=100).map(|percent| f64::from(percent) / 100.0) {
            for recall in [0.5, 0.95, 0.999, 0.999_999] {
                let chosen = Banding::for_recall(threshold, recall);
                let enough = recall / (1.0 - most_loss(1.0 - recall));
                let reaches = |other: &Banding| {
                    let is_sure = other.recall(threshold) >= enough;
                    is_sure || other.recall(threshold) >= recall && other.recall_of_run(threshold, threshold) >= recall
                };
                assert!(reaches(&chosen), "{threshold}, {recall}: {chosen:?}");
                for rows in 1..=10 {
                    let bands = (4..=MAX_HASHES / rows).step_by(4);
                    let others = bands.map(|bands| Banding::new(bands, rows).unwrap());
                    let other = others.into_iter().find(|other| reaches(other));
                    let is_cheaper = |other: Banding| other.cost(threshold) < chosen.cost(threshold);
                    assert!(!other.is_some_and(is_cheaper), "{threshold}, {recall}: {chosen:?} and {other:?}");
                }
            }
        }
    }

    #[test]
    fn what_no_signature_reaches_takes_the_longest() {
        for threshold in [0.0, 0.000_001, 0.001] {
            let chosen = Banding::for_recall(threshold, 0.999);
            assert_eq!((chosen.bands, chosen.rows), (MAX_HASHES, 1), "{threshold}");
            assert!(chosen.recall(threshold) < 0.999);
        }
    }

    #[test]
    fn neighbours_are_up_to_two_rows_away_and_reach_the_same_recall() {
        let chosen = Banding::for_recall(0.8, 0.999);
        let neighbours: Vec<Banding> = chosen.neighbours(0.8, 0.999).collect();
        assert_eq!(neighbours.iter().map(|other| other.rows).collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
        assert!(neighbours.contains(&chosen) && neighbours.iter().all(|other| other.recall(0.8) >= 0.999));
        let single = Banding::for_recall(0.05, 0.999);
        assert_eq!(single.neighbours(0.05, 0.999).collect::<Vec<_>>()[0].rows, 1);
    }

    #[test]
    fn bandings_out_of_range_are_refused() {
        for (bands, rows) in [(0, 5), (5, 0), (4097, 1), (64, 65), (usize::MAX, 2)] {
            assert!(Banding::new(bands, rows).is_err(), "{bands} x {rows}");
        }
        assert!(Banding::new(64, 64).is_ok());
    }
}
