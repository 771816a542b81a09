//! The recall curves of locality-sensitive hash families, by the distance of two points.

use std::fmt::Write as _;

use clap::ValueEnum;
use dedup_scan::Banding;
use dedup_scan::sign::families::{
    EditFamily, EuclideanFamily, HammingFamily, HashFamily, HyperplaneFamily, JaccardFamily,
};
use serde::Serialize;

use super::plot::{Axis, plot_falling};
use crate::cli::messages::{banding, percent};

/// A family of locality-sensitive hash functions.
#[derive(Debug, Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FamilyFlag {
    /// MinHash, by the Jaccard distance of sets
    Jaccard,
    /// Random hyperplanes, by the angle of vectors
    Cosine,
    /// Random lines cut into buckets, by the Euclidean distance
    Euclidean,
    /// Random bits, by the share of different bits
    Hamming,
    /// MinHash of shingles, by the number of edits: a lower bound of the chance
    Edit,
}

impl FamilyFlag {
    fn axis(self) -> Axis {
        let (name, end) = match self {
            Self::Jaccard => ("Jaccard distance", 1.0),
            Self::Cosine => ("angle in degrees", 180.0),
            Self::Euclidean => ("distance in widths of a bucket", 5.0),
            Self::Hamming => ("share of different bits", 1.0),
            Self::Edit => ("edits x k / shingles", 1.0),
        };
        Axis { name, end }
    }

    /// Probability that two points at `distance` become a candidate pair.
    fn chance(self, banding: Banding, distance: f64) -> f64 {
        fn amplified(family: impl HashFamily, banding: Banding, distance: f64) -> f64 {
            family.and(banding.rows()).or(banding.bands()).chance(distance)
        }
        match self {
            Self::Jaccard => amplified(JaccardFamily, banding, distance),
            Self::Cosine => amplified(HyperplaneFamily::new(1), banding, distance),
            Self::Euclidean => amplified(EuclideanFamily::new(1, 1.0), banding, distance),
            Self::Hamming => amplified(HammingFamily::new(1), banding, distance),
            Self::Edit => amplified(EditFamily::new(1, 1), banding, distance),
        }
    }

    /// The distance at which the probability falls to `chance`, accurate to about fifteen digits; `None` if the
    /// probability exceeds `chance` on the whole axis.
    fn distance_at(self, banding: Banding, chance: f64) -> Option<f64> {
        let (mut near, mut far) = (0.0, self.axis().end);
        if self.chance(banding, far) > chance {
            return None;
        }
        for _ in 0..60 {
            let middle = (near + far) / 2.0;
            *if self.chance(banding, middle) > chance { &mut near } else { &mut far } = middle;
        }
        Some(far)
    }
}

/// The figures of an amplified hash family. `--json` prints this record; keys are only ever added.
#[derive(Debug, Serialize)]
pub(super) struct FamilyReport {
    family: FamilyFlag,
    /// Unit of the distances.
    distance: &'static str,
    /// Number of bands; two points that agree in any band are a candidate pair.
    bands: usize,
    /// Number of rows of a band; two points agree in a band if they agree in all its rows.
    rows: usize,
    /// Number of hash functions: bands × rows.
    functions: usize,
    /// Distance with a probability of 0.5; null beyond the end of the curve.
    distance_at_50: Option<f64>,
    /// Distance with a probability of 0.95; null beyond the end of the curve.
    distance_at_95: Option<f64>,
    /// Probabilities at 21 distances.
    curve: Vec<DistancePoint>,
    #[serde(skip)]
    banding: Banding,
}

/// A point of the curve.
#[derive(Debug, Serialize)]
struct DistancePoint {
    distance: f64,
    chance: f64,
}

impl FamilyReport {
    pub(super) fn new(family: FamilyFlag, banding: Banding) -> Self {
        let axis = family.axis();
        let distances = (0..=20).map(|step| axis.end * f64::from(step) / 20.0);
        Self {
            family,
            distance: axis.name,
            bands: banding.bands(),
            rows: banding.rows(),
            functions: banding.num_hashes(),
            distance_at_50: family.distance_at(banding, 0.5),
            distance_at_95: family.distance_at(banding, 0.95),
            curve: distances
                .map(|distance| DistancePoint { distance, chance: family.chance(banding, distance) })
                .collect(),
            banding,
        }
    }

    /// The report as text.
    pub(super) fn text(&self) -> String {
        let &Self { family, bands, rows, functions, .. } = self;
        let axis = family.axis();
        let mut text = String::new();
        let mut row =
            |name: &str, value: String| writeln!(text, "{name:<12}{value}").expect("a String takes every line");
        let name = family.to_possible_value().expect("all are shown").get_name().to_owned();
        row("family", format!("{name}, by {}", axis.name));
        let functions = if functions == 1 { "1 function".to_owned() } else { format!("{functions} functions") };
        row("banding", format!("{} = {functions}", banding(bands, rows)));
        for (share, distance) in [("50 % found", self.distance_at_50), ("95 % found", self.distance_at_95)] {
            row(share, distance.map_or(format!("beyond {}", axis.end), |distance| format!("at {distance:.4}")));
        }
        text.push('\n');
        text += &plot_falling(|distance| family.chance(self.banding, distance), axis);
        text.push('\n');
        text += &["  distance     found"; 3].join("     ");
        text.push('\n');
        let lines = self.curve.len() / 3;
        for line in 0..lines {
            let points = self.curve.iter().skip(line).step_by(lines);
            let points = points.map(|point| format!("{:>10.2}{:>10}", point.distance, percent(point.chance)));
            text += &points.collect::<Vec<_>>().join("     ");
            text.push('\n');
        }
        text += "Points at a distance d1 or less are found as often as d1 says, at least; those at d2 or more as d2 says, at most.\n";
        if matches!(family, FamilyFlag::Edit) {
            text += "These chances are lower bounds: texts that are more edits apart may be found as well.\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_falls_from_certain_and_has_its_distances_on_it() {
        for family in FamilyFlag::value_variants() {
            for (bands, rows) in [(1, 1), (20, 5), (4, 1), (1, 64)] {
                let report = FamilyReport::new(*family, Banding::new(bands, rows).unwrap());
                assert_eq!(report.curve[0].chance, 1.0, "{family:?}");
                assert!(report.curve.is_sorted_by(|a, b| a.chance >= b.chance && a.distance < b.distance));
                if let Some(distance) = report.distance_at_50 {
                    assert!((family.chance(report.banding, distance) - 0.5).abs() < 1e-9, "{family:?}");
                }
                for line in report.text().lines() {
                    assert!(line.chars().count() <= 120 && line == line.trim_end(), "{line:?}");
                }
            }
        }
    }

    #[test]
    fn the_curve_of_sets_is_the_s_curve_turned_round() {
        let report = FamilyReport::new(FamilyFlag::Jaccard, Banding::default());
        for point in &report.curve {
            assert!((point.chance - Banding::default().recall(1.0 - point.distance)).abs() < 1e-12);
        }
    }
}
