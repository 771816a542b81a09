//! Verification: the exact Jaccard similarity of two shingle sets, compared with the threshold in integers.

use std::cmp::Ordering;

use crate::document::DocId;
use crate::error::{Error, Result};
use crate::shingle::ShingleSet;

/// The least Jaccard similarity reported, inclusive: an exact decimal fraction of at most 18 places.
///
/// ```
/// let threshold = dedup::Threshold::new(0.8).unwrap();
/// assert!(threshold.is_met(4, 5) && !threshold.is_met(7_999, 10_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// In units of 10⁻¹⁸.
    units: u64,
}

impl Default for Threshold {
    /// 0.8.
    fn default() -> Self {
        Self { units: Self::ONE / 10 * 8 }
    }
}

impl Threshold {
    const ONE: u64 = 1_000_000_000_000_000_000;

    /// The decimal fraction that `value` is written as: 0.8 means four fifths, not the nearest binary number.
    ///
    /// # Errors
    /// When `value` is not in 0..=1.
    pub fn new(value: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&value) {
            return Err(Error::Threshold(value));
        }
        // `Display` prints the shortest decimal that reads back as `value`, without an exponent.
        // Adding 0 makes a plain zero of a negative one.
        let shortest = format!("{}", value + 0.0);
        let (whole, fraction) = shortest.split_once('.').unwrap_or((&shortest, ""));
        let kept = &fraction[..fraction.len().min(18)];
        let mut units: u64 = format!("{whole}{kept:0<18}").parse().expect("decimal digits");
        // Digits beyond the 18th round up, so that nothing below the threshold passes.
        units += u64::from(fraction[kept.len()..].bytes().any(|digit| digit != b'0'));
        Ok(Self { units })
    }

    /// The nearest `f64`.
    pub fn value(self) -> f64 {
        self.units as f64 / Self::ONE as f64
    }

    /// Whether a pair that shares `shared` shingles of `union` reaches the threshold.
    pub fn is_met(self, shared: u64, union: u64) -> bool {
        u128::from(shared) * u128::from(Self::ONE) >= u128::from(self.units) * u128::from(union)
    }

    /// The least number of shared shingles with which sets of these two sizes reach the threshold.
    pub fn least_shared(self, len_a: u64, len_b: u64) -> u64 {
        // s / (a + b - s) >= t, solved for s.
        let total = u128::from(len_a) + u128::from(len_b);
        let least = (u128::from(self.units) * total).div_ceil(u128::from(Self::ONE) + u128::from(self.units));
        u64::try_from(least).expect("at most half of the total")
    }
}

/// A pair of documents whose exact Jaccard similarity reaches the threshold; `a` stands before `b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicatePair {
    /// The document that comes first in document order.
    pub a: DocId,
    /// The document that comes second.
    pub b: DocId,
    /// Shingles in both.
    pub shared: u64,
    /// Distinct shingles of `a`.
    pub shingles_a: u64,
    /// Distinct shingles of `b`.
    pub shingles_b: u64,
    /// Equal values of the two signatures.
    pub equal_values: u32,
    /// Values in a signature.
    pub num_hashes: u32,
}

impl DuplicatePair {
    /// |A ∩ B| / |A ∪ B|: exact, up to collisions of 64-bit shingle hashes; the nearest `f64`.
    pub fn similarity(&self) -> f64 {
        self.shared as f64 / (self.shingles_a + self.shingles_b - self.shared) as f64
    }

    /// |A ∩ B| / |A|.
    pub fn containment_a(&self) -> f64 {
        self.shared as f64 / self.shingles_a as f64
    }

    /// |A ∩ B| / |B|.
    pub fn containment_b(&self) -> f64 {
        self.shared as f64 / self.shingles_b as f64
    }

    /// The share of equal signature values.
    pub fn estimate(&self) -> f64 {
        f64::from(self.equal_values) / f64::from(self.num_hashes)
    }
}

/// The exact Jaccard similarity of two sets: |A ∩ B| / |A ∪ B|; 0 when both are empty.
pub fn jaccard(a: &ShingleSet, b: &ShingleSet) -> f64 {
    let shared = shared_shingles(a, b);
    let union = a.len() + b.len() - shared;
    if union == 0 { 0.0 } else { shared as f64 / union as f64 }
}

/// |A ∩ B|: the number of shingles in both sets, exact up to collisions of their 64-bit hashes. Divided by the length
/// of one set it is that set's containment in the other.
pub fn shared_shingles(a: &ShingleSet, b: &ShingleSet) -> usize {
    shared_at_least(a.hashes(), b.hashes(), 0).expect("0 is always reached")
}

/// The number of shared shingles when the pair reaches the threshold, `None` when it does not.
///
/// Exact like [`jaccard`], yet a pair below the threshold costs only the part of the sets that shows it. Two empty sets
/// reach every threshold.
pub fn verify(a: &ShingleSet, b: &ShingleSet, threshold: Threshold) -> Option<usize> {
    let least = threshold.least_shared(a.len() as u64, b.len() as u64) as usize;
    shared_at_least(a.hashes(), b.hashes(), least)
}

/// The number of values in both ascending slices, or `None` as soon as it cannot reach `least`.
fn shared_at_least(a: &[u64], b: &[u64], least: usize) -> Option<usize> {
    /// Steps of the merge between two looks at the bound: few enough to stop early, enough to cost nothing.
    const STEPS: usize = 64;
    let (mut i, mut j, mut shared) = (0, 0, 0);
    loop {
        let left = (a.len() - i).min(b.len() - j);
        if shared + left < least {
            return None;
        }
        if left == 0 {
            return Some(shared);
        }
        // Each step takes at least one value of one side, so `left` steps stay within both.
        for _ in 0..left.min(STEPS) {
            let order = a[i].cmp(&b[j]);
            shared += usize::from(order == Ordering::Equal);
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn verification_equals_hash_sets(
            a in prop::collection::hash_set(0u64..400, 0..300),
            b in prop::collection::hash_set(0u64..400, 0..300),
            percent in 0u32..=100,
        ) {
            let set = |items: &HashSet<u64>| ShingleSet::new(items.iter().copied().collect::<Vec<_>>().as_slice());
            let (set_a, set_b) = (set(&a), set(&b));
            let (shared, union) = (a.intersection(&b).count(), a.union(&b).count());
            let threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
            let expected = (shared * 100 >= union * percent as usize).then_some(shared);
            prop_assert_eq!(verify(&set_a, &set_b, threshold), expected);
            prop_assert_eq!(shared_shingles(&set_a, &set_b), shared);
            prop_assert_eq!(threshold.is_met(shared as u64, union as u64), expected.is_some());
            let similarity = if union == 0 { 0.0 } else { shared as f64 / union as f64 };
            prop_assert_eq!(jaccard(&set_a, &set_b), similarity);
        }
    }

    #[test]
    fn thresholds_are_decimal_fractions() {
        // As binary numbers 0.8, 0.7 and 0.1 + 0.2 lie beside the fractions that are meant.
        assert!(Threshold::new(0.8).unwrap().is_met(4, 5));
        assert!(Threshold::new(0.7).unwrap().is_met(7, 10));
        assert!(Threshold::new(0.35).unwrap().is_met(7, 20));
        assert!(!Threshold::new(0.1 + 0.2).unwrap().is_met(3, 10));
        assert!(Threshold::new(1.0).unwrap().is_met(5, 5));
        assert!(!Threshold::new(1.0).unwrap().is_met(4_999_999, 5_000_000));
        assert!(Threshold::new(0.0).unwrap().is_met(0, 5));
        assert!(!Threshold::new(1e-300).unwrap().is_met(0, 5));
        assert_eq!(Threshold::new(0.8).unwrap(), Threshold::default());
        assert_eq!(Threshold::default().value(), 0.8);
    }

    #[test]
    fn thresholds_outside_0_to_1_are_refused() {
        for value in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Threshold::new(value).is_err(), "{value}");
        }
        assert!(Threshold::new(-0.0).is_ok());
    }
}
