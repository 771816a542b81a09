//! `HyperplaneFamily` and `SketchFamily`: hash vectors by their sides of random hyperplanes.

use super::draws::Draws;
use super::family::{HashFamily, HashFunction};

/// Hashes a vector to its side of a random hyperplane; the distance is the angle between vectors in degrees (Charikar
/// 2002; MMDS 3.7.2).
///
/// Two vectors are on the same side with probability exactly 1 − d / 180, because the normal of the hyperplane has a
/// uniform direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HyperplaneFamily {
    dimensions: usize,
}

/// Same as [`HyperplaneFamily`], with normals whose components are +1 or −1: one bit and one addition per dimension
/// (MMDS 3.7.3).
///
/// The probability is 1 − d / 180 in the limit of many dimensions of about equal weight. In few dimensions it depends
/// on the vectors: for (3, 4, 5, 6) and (4, 3, 2, 1) it is 1 − 45/180, and their angle is 38 degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SketchFamily {
    dimensions: usize,
}

/// The angle between two vectors in degrees, from 0 to 180; 90 if a vector has length 0.
///
/// # Panics
/// When the vectors have different dimensions.
pub fn angle(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of as many dimensions");
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
    let lengths = product(a, a).sqrt() * product(b, b).sqrt();
    if lengths == 0.0 { 90.0 } else { (product(a, b) / lengths).clamp(-1.0, 1.0).acos().to_degrees() }
}

impl HyperplaneFamily {
    /// Creates the family over vectors of `dimensions` components.
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions }
    }
}

impl SketchFamily {
    /// Creates the family over vectors of `dimensions` components.
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions }
    }
}

/// A function of [`HyperplaneFamily`]; 8 bytes per dimension.
#[derive(Debug, Clone)]
pub struct Hyperplane(Box<[f64]>);

/// A function of [`SketchFamily`]; one bit per dimension.
#[derive(Debug, Clone)]
pub struct SignVector {
    dimensions: usize,
    /// One bit per component from the lowest bit on; set for −1.
    is_negative: Box<[u64]>,
}

impl SignVector {
    /// Creates the function of a vector of +1 and −1.
    ///
    /// # Panics
    /// When a component is another number.
    pub fn of(signs: &[i8]) -> Self {
        assert!(signs.iter().all(|sign| sign.abs() == 1), "a component is +1 or -1");
        let word = |signs: &[i8]| signs.iter().rev().fold(0, |word, &sign| word << 1 | u64::from(sign < 0));
        Self { dimensions: signs.len(), is_negative: signs.chunks(64).map(word).collect() }
    }
}

impl HashFamily for HyperplaneFamily {
    /// A vector; its length does not matter.
    type Point = [f32];
    type Function = Hyperplane;

    fn draw(&self, draws: &mut Draws) -> Hyperplane {
        Hyperplane(draws.normals(self.dimensions).into())
    }

    fn max_distance(&self) -> f64 {
        180.0
    }

    fn chance(&self, distance: f64) -> f64 {
        1.0 - distance / 180.0
    }
}

impl HashFamily for SketchFamily {
    /// A vector; its length does not matter.
    type Point = [f32];
    type Function = SignVector;

    fn draw(&self, draws: &mut Draws) -> SignVector {
        let is_negative = (0..self.dimensions.div_ceil(64)).map(|_| draws.bits()).collect();
        SignVector { dimensions: self.dimensions, is_negative }
    }

    fn max_distance(&self) -> f64 {
        180.0
    }

    fn chance(&self, distance: f64) -> f64 {
        1.0 - distance / 180.0
    }
}

impl HashFunction for Hyperplane {
    type Point = [f32];

    fn num_keys(&self) -> usize {
        1
    }

    fn push_keys(&self, point: &[f32], keys: &mut Vec<u64>) {
        assert_eq!(point.len(), self.0.len(), "a vector of as many dimensions");
        let product: f64 = self.0.iter().zip(point).map(|(normal, &component)| normal * f64::from(component)).sum();
        keys.push(u64::from(product >= 0.0));
    }
}

impl HashFunction for SignVector {
    type Point = [f32];

    fn num_keys(&self) -> usize {
        1
    }

    fn push_keys(&self, point: &[f32], keys: &mut Vec<u64>) {
        assert_eq!(point.len(), self.dimensions, "a vector of as many dimensions");
        let mut product = 0.0;
        for (word, components) in self.is_negative.iter().zip(point.chunks(64)) {
            for (at, &component) in components.iter().enumerate() {
                let component = f64::from(component);
                product += if word >> at & 1 == 1 { -component } else { component };
            }
        }
        keys.push(u64::from(product >= 0.0));
    }
}
