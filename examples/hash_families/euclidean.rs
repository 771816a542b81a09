//! `EuclideanFamily`: hashes points by the buckets of a random line that they are projected into.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use super::draws::Draws;
use super::family::{HashFamily, HashFunction};

/// Projections onto random lines cut into buckets, with the Euclidean distance (Datar, Immorlica, Indyk and Mirrokni 2004; MMDS
/// 3.7.4).
///
/// A line has a direction of independent normal components, and its buckets begin at a random offset. With c for the
/// distance divided by the width, two points share a bucket with probability 2 ∫₀^{1/c} φ(u)·(1 − c·u) du, where φ is
/// the density of the standard normal distribution. So the family is (a/2, 2a, 1/2, 1/3)-sensitive for width a, as in
/// MMDS for lines in the plane; the exact probabilities are 0.610 and 0.195.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EuclideanFamily {
    dimensions: usize,
    width: f64,
}

/// A function of [`EuclideanFamily`]; 8 bytes per dimension.
#[derive(Debug, Clone)]
pub struct BucketedLine {
    direction: Box<[f64]>,
    /// Offset of the buckets, from 0 to 1 bucket.
    start: f64,
    width: f64,
}

impl EuclideanFamily {
    /// Creates the family over points of `dimensions` coordinates.
    ///
    /// * `width`: the width of a bucket, in the unit of the points.
    ///
    /// # Panics
    /// Unless the width is above 0 and finite.
    pub fn new(dimensions: usize, width: f64) -> Self {
        assert!(width > 0.0 && width.is_finite(), "a bucket has a width");
        Self { dimensions, width }
    }
}

impl HashFamily for EuclideanFamily {
    /// The finite coordinates of a point.
    type Point = [f32];
    type Function = BucketedLine;

    fn draw(&self, draws: &mut Draws) -> BucketedLine {
        BucketedLine { direction: draws.normals(self.dimensions).into(), start: draws.unit(), width: self.width }
    }

    fn max_distance(&self) -> f64 {
        f64::INFINITY
    }

    /// Exact to about 10⁻¹⁰.
    fn chance(&self, distance: f64) -> f64 {
        let ratio = self.width / distance;
        if ratio.is_infinite() {
            return 1.0;
        }
        if ratio == 0.0 {
            return 0.0;
        }
        // Beyond 10 the density is below 10⁻²².
        let end = ratio.min(10.0);
        let value = |u: f64| (-u * u / 2.0).exp() * (1.0 - u / ratio);
        2.0 * simpson(value, end) * FRAC_1_SQRT_2 / PI.sqrt()
    }
}

/// The integral of a smooth function from 0 to `end`, by Simpson's rule.
fn simpson(value: impl Fn(f64) -> f64, end: f64) -> f64 {
    /// An even number of steps; the error decreases with its fourth power.
    const STEPS: u32 = 1 << 10;
    let step = end / f64::from(STEPS);
    let inner: f64 = (1..STEPS).map(|at| f64::from(2 + 2 * (at % 2)) * value(f64::from(at) * step)).sum();
    (value(0.0) + inner + value(end)) * step / 3.0
}

impl HashFunction for BucketedLine {
    type Point = [f32];

    fn num_keys(&self) -> usize {
        1
    }

    fn push_keys(&self, point: &[f32], keys: &mut Vec<u64>) {
        assert_eq!(point.len(), self.direction.len(), "a point of as many dimensions");
        let place: f64 = self.direction.iter().zip(point).map(|(direction, &at)| direction * f64::from(at)).sum();
        // Buckets far from the origin keep their own numbers: the conversion saturates only 2⁶³ widths away.
        keys.push((place / self.width + self.start).floor() as i64 as u64);
    }
}
