//! Families of locality-sensitive functions for several distances: compute keys of points, so that near points tend to
//! share a key.
//!
//! ```text
//! family -and, or-> amplified family -draw-> function -keys-> bucket table -candidates-> pairs to be compared exactly
//! ```
//!
//! A family is *(d1, d2, p1, p2)-sensitive* if a random function of it declares points at a distance of at most d1 a candidate pair
//! with a probability of at least p1, and points at a distance of at least d2 with a probability of at most p2 (MMDS 3.6).
//!
//! | Family | Points | Distance | Probability that one function agrees |
//! | --- | --- | --- | --- |
//! | [`JaccardFamily`] | sets of 64-bit hashes | Jaccard distance, 0 to 1 | 1 − d |
//! | [`HyperplaneFamily`] | vectors | angle in degrees, 0 to 180 | 1 − d / 180 |
//! | [`SketchFamily`] | vectors of many dimensions | angle in degrees, 0 to 180 | 1 − d / 180 in the limit of many dimensions |
//! | [`EuclideanFamily`] | points of a space | Euclidean distance | 2 ∫ φ(u)·(1 − u·d/a) du over 0..a/d, for buckets of width a |
//! | [`HammingFamily`] | vectors of bits | number of different bits | 1 − d / bits |
//! | [`EditFamily`] | texts | edit distance | at least (n − k·d) / (n + k·d), for n shingles of k characters |
//!
//! - A sketch is cheaper than a hyperplane: it needs one bit and one addition for each dimension.
//! - A line cut into buckets of width a is (a/2, 2a, 1/2, 1/3)-sensitive; the exact probabilities are 0.610 and 0.195.
//! - One edit changes at most k shingles of k characters, so the probability has a lower bound. It has no upper bound, because
//!   texts can have the same shingles in another order; [`edit_distance`] compares candidates exactly.
//! - `family.and(5)` requires five functions to agree: p becomes p⁵. `family.or(20)` requires one of twenty: p becomes
//!   1 − (1 − p)²⁰. The result is a family too, so AND and OR nest in any order.
//!
//! `examples/families.rs` draws a thousand functions of each family and compares how often they agree with the formulas;
//! `tests/lecture` has the numbers of the book.
//!
//! MMDS 3.5 to 3.8. A function of any family fills a `BucketTable` of the library by [`bucket_table`].

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "each program that includes the module uses a part of it"
)]

mod cosine;
mod draws;
mod edit;
mod euclidean;
mod family;
mod hamming;
mod jaccard;

pub use self::cosine::{Hyperplane, HyperplaneFamily, SignVector, SketchFamily, angle};
pub use self::draws::Draws;
pub use self::edit::{EditFamily, edit_distance};
pub use self::euclidean::{BucketedLine, EuclideanFamily};
pub use self::family::{AllOf, And, AnyOf, HashFamily, HashFunction, MAX_KEYS, Or, Sensitivity};
pub use self::hamming::{BitAt, HammingFamily};
pub use self::jaccard::{JaccardFamily, LeastBy, LeastHash};
use dedup_scan::DocId;
use dedup_scan::sign::banding::BucketTable;

/// Builds the bucket table of points by the keys of a function. The n-th point is the document with number n, from 0.
///
/// Building it needs 8 bytes per point and key.
pub fn bucket_table<'p, H: HashFunction>(function: &H, points: impl Iterator<Item = &'p H::Point>) -> BucketTable
where
    H::Point: 'p,
{
    let mut keys = Vec::new();
    let num_points = points.map(|point| function.push_keys(point, &mut keys)).count();
    let num_keys = function.num_keys();
    BucketTable::build(num_keys, num_points, |place, out| {
        let of_place = keys.iter().skip(place).step_by(num_keys).enumerate();
        out.extend(of_place.map(|(point, &key)| (key, DocId::new(point))));
    })
}
