//! `Shares`: counts the similarities of pairs and draws them as the bars of a histogram and the points of an S-curve.

use serde::Serialize;

use crate::results::report::words::{counted, percent};
use crate::sign::banding::Banding;

/// The number of counters: one for each thousandth below 1, and one for exactly 1.
const PARTS: usize = 1001;
/// The maximum number of bars, without the bar of equal documents.
const MOST_BARS: usize = 20;
/// The possible widths of a bar, in thousandths.
const WIDTHS: [usize; 4] = [5, 10, 20, 50];
/// The number of line segments of the curve.
const POINTS: usize = 128;
/// The size of a chart without its labels.
pub(super) const WIDTH: f64 = 600.0;
pub(super) const HEIGHT: f64 = 200.0;

/// The number of pairs by similarity.
pub(super) struct Shares {
    counts: Vec<u64>,
}

/// A bar of a histogram; `x` and `y` are its upper left corner.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct HistogramBar {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    /// The label of the bar.
    label: String,
    /// The range of similarities of the bar, as text.
    of: String,
    count: u64,
    is_equal: bool,
}

/// A tick of an axis.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Tick {
    at: f64,
    label: String,
}

/// A histogram of similarities.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Histogram {
    bars: Vec<HistogramBar>,
    ticks: Vec<Tick>,
    pub(super) most: u64,
}

/// An S-curve and the pairs that were found.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct RecallCurve {
    /// The curve as the `d` attribute of an SVG path.
    path: String,
    /// The points on the curve; each represents the pairs of one bar.
    points: Vec<CurvePoint>,
    /// The threshold, and the chance of finding a pair there.
    threshold: Option<CurvePoint>,
    /// The similarity at the left end, as text.
    least: String,
    bands: usize,
    rows: usize,
}

/// A point on the curve.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct CurvePoint {
    x: f64,
    y: f64,
    radius: f64,
    label: String,
}

impl Default for Shares {
    fn default() -> Self {
        Self { counts: vec![0; PARTS] }
    }
}

impl Shares {
    pub(super) fn add(&mut self, share: f64) {
        // Rounded down, so that only equal documents are in the last part.
        self.counts[((share * 1000.0 + 1e-9).floor() as usize).min(PARTS - 1)] += 1;
    }

    /// The number of pairs that were added.
    pub(super) fn num_pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn is_empty(&self) -> bool {
        self.num_pairs() == 0
    }

    /// The lower end of the first bar and the width of bars, in thousandths.
    fn bounds(&self) -> (usize, usize) {
        let least = self.counts.iter().position(|&count| count > 0).unwrap_or(0).min(PARTS - 2);
        let width = WIDTHS.into_iter().find(|width| (1000 - least).div_ceil(*width) <= MOST_BARS);
        let width = width.unwrap_or(WIDTHS[WIDTHS.len() - 1]);
        (least / width * width, width)
    }

    /// Bars from the smallest similarity to 1, and one bar for equal documents; `None` without pairs.
    pub(super) fn histogram(&self) -> Option<Histogram> {
        if self.is_empty() {
            return None;
        }
        let (least, width) = self.bounds();
        let mut parts: Vec<(usize, u64)> =
            (least..1000).step_by(width).map(|from| (from, self.sum(from, from + width))).collect();
        parts.push((1000, self.counts[1000]));
        let most = parts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        let step = WIDTH / parts.len() as f64;
        let label = |thousandths: usize| percent(thousandths as f64 / 1000.0);
        let bars = parts.iter().enumerate().map(|(at, &(from, count))| {
            let is_equal = from == 1000;
            let of = match is_equal {
                true => label(1000),
                false => format!("{} to {}", label(from), label(from + width)),
            };
            // A bar that is not empty stays visible.
            let height = if count == 0 { 0.0 } else { (HEIGHT * count as f64 / most as f64).max(2.0) };
            HistogramBar {
                x: rounded(step * at as f64 + 1.0),
                y: rounded(HEIGHT - height),
                width: rounded(step - 2.0),
                height: rounded(height),
                label: format!("{of}: {}", counted(count, "pair")),
                of,
                count,
                is_equal,
            }
        });
        let every = parts.len().div_ceil(6);
        let mut ticks: Vec<Tick> = (0..parts.len() - 1)
            .step_by(every)
            .filter(|at| at + 2 < parts.len() || parts.len() < 3)
            .map(|at| Tick { at: rounded(step * at as f64), label: label(parts[at].0) })
            .collect();
        ticks.push(Tick { at: rounded(WIDTH - step / 2.0), label: label(1000) });
        Some(Histogram { bars: bars.collect(), ticks, most })
    }

    /// The S-curve of a banding, with points for the pairs.
    pub(super) fn curve(&self, banding: Banding, threshold: Option<f64>) -> RecallCurve {
        // The curve starts where about 1 % of pairs are found, or at the smallest similarity or the threshold if that
        // is lower; rounded down to a tenth.
        let seen = self.counts.iter().position(|&count| count > 0).map_or(1.0, |least| least as f64 / 1000.0);
        let seen = seen.min(threshold.unwrap_or(1.0)).min(banding.similarity_at(0.01));
        let left = ((seen * 10.0).floor() / 10.0).clamp(0.0, 0.9);
        let place = |similarity: f64, chance: f64| {
            (rounded(WIDTH * (similarity - left) / (1.0 - left)), rounded(HEIGHT * (1.0 - chance)))
        };
        let mut path = String::new();
        for point in 0..=POINTS {
            let similarity = left + (1.0 - left) * point as f64 / POINTS as f64;
            let (x, y) = place(similarity, banding.recall(similarity));
            path += &format!("{}{x} {y}", if point == 0 { "M" } else { "L" });
        }
        let (least, width) = if self.is_empty() { (1000, 1000) } else { self.bounds() };
        let parts = (least..1000).step_by(width).map(|from| (from, width)).chain([(1000, 1)]);
        let counts: Vec<(f64, u64)> = parts
            .map(|(from, width)| ((from as f64 + (width as f64 - 1.0) / 2.0) / 1000.0, self.sum(from, from + width)))
            .filter(|(_, count)| *count > 0)
            .collect();
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(1) as f64;
        let points = counts.into_iter().map(|(similarity, count)| {
            let chance = banding.recall(similarity);
            let (x, y) = place(similarity, chance);
            let radius = rounded(2.5 + 5.5 * (count as f64 / most).sqrt());
            let label = format!(
                "{} at about {}, each found with a chance of {}",
                counted(count, "pair"),
                percent(similarity),
                percent(chance)
            );
            CurvePoint { x, y, radius, label }
        });
        let threshold = threshold.map(|threshold| {
            let (x, y) = place(threshold, banding.recall(threshold));
            CurvePoint { x, y, radius: 0.0, label: percent(threshold) }
        });
        let least = percent(left);
        RecallCurve { path, points: points.collect(), threshold, least, bands: banding.bands(), rows: banding.rows() }
    }

    /// The estimated recall: the found pairs divided by the estimated number of existing pairs. Each found pair
    /// counts as 1 / (its chance of being found) existing pairs.
    pub(super) fn recall(&self, banding: Banding) -> Option<f64> {
        let (mut found, mut all) = (0.0, 0.0);
        for (part, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            found += count as f64;
            all += count as f64 / banding.recall(part as f64 / 1000.0).max(1e-9);
        }
        (found > 0.0).then(|| found / all)
    }

    fn sum(&self, from: usize, end: usize) -> u64 {
        self.counts[from..end.min(PARTS)].iter().sum()
    }
}

/// A coordinate of a chart, rounded to a tenth.
fn rounded(place: f64) -> f64 {
    (place * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_in_one_bar_and_equal_ones_are_in_the_last() {
        let mut shares = Shares::default();
        assert_eq!(shares.histogram(), None);
        for share in [0.8, 0.8049, 0.95, 0.9999, 1.0, 1.0] {
            shares.add(share);
        }
        let histogram = shares.histogram().unwrap();
        let counts: Vec<u64> = histogram.bars.iter().map(|bar| bar.count).collect();
        assert_eq!(counts.len(), 21);
        assert_eq!((counts[0], counts[15], counts[19], counts[20], histogram.most), (2, 1, 1, 2, 2));
        assert_eq!(histogram.bars[0].label, "80 % to 81 %: 2 pairs");
        assert!(histogram.bars[20].is_equal && histogram.bars[19].height == HEIGHT / 2.0);
        assert!(histogram.bars.iter().all(|bar| bar.x + bar.width <= WIDTH && bar.y + bar.height <= HEIGHT));
    }

    #[test]
    fn points_stand_on_the_curve_and_the_recall_is_that_of_their_chances() {
        let banding = Banding::new(20, 5).unwrap();
        let mut shares = Shares::default();
        assert_eq!(shares.recall(banding), None);
        shares.add(0.5);
        let chance = banding.recall(0.5);
        assert!((shares.recall(banding).unwrap() - chance).abs() < 1e-12);
        let curve = shares.curve(banding, Some(0.5));
        let threshold = curve.threshold.unwrap();
        // At a similarity of 0.22, one pair in a hundred is found, so the left end is 0.2.
        assert_eq!((curve.least.as_str(), threshold.x), ("20 %", 225.0));
        assert_eq!(threshold.y, rounded(HEIGHT * (1.0 - chance)));
        assert_eq!(curve.points.len(), 1);
        assert!(curve.path.starts_with("M0 19") && curve.path.ends_with("L600 0"));
    }
}
