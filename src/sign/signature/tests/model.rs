//! An exact model of signatures with perfectly random hash functions, with which `statistics` compares.
//!
//! A value of the two signatures is equal if the element of the union that attains it is in the intersection. The
//! values of a classic signature are independent. The values of a fast signature are not: in a round an element goes to
//! one slot only, so the winners of one round are drawn from the union without replacement. Two values are then
//! negatively correlated, which halves the variance for small sets and makes the S-curve slightly steeper.

use super::{BANDS, NUM_HASHES, ROWS, SignatureMethod};

/// A pair of sets: a union of `union` elements, `shared` of them in both sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) union: u32,
    pub(super) shared: u32,
}

impl Pair {
    pub(super) fn similarity(self) -> f64 {
        f64::from(self.shared) / f64::from(self.union)
    }
}

/// The expected statistics of a pair's signatures of `NUM_HASHES` values.
#[derive(Debug)]
pub(super) struct Expected {
    /// The variance of the share of equal values.
    pub(super) variance: f64,
    /// The probability of an equal band.
    pub(super) candidate_rate: f64,
}

impl Expected {
    pub(super) fn new(method: SignatureMethod, pair: Pair) -> Self {
        let s = pair.similarity();
        let all_agree = match method {
            SignatureMethod::Fast if pair.union <= 2_000 => fast_all_agree(pair),
            // In a larger union the slots are practically independent: the error of `all_agree[r]` is r²(1 − s) / (2 s
            // union).
            _ => (0..=NUM_HASHES).map(|values| s.powi(values as i32)).collect(),
        };
        let n = NUM_HASHES as f64;
        let variance = (s - s * s) / n + (n - 1.0) / n * (all_agree[2] - s * s);
        // Inclusion and exclusion over the bands; all sets of `k` bands have the same probability.
        let mut candidate_rate = 0.0;
        let mut choices = 1.0;
        for k in 1..=BANDS {
            choices *= (BANDS + 1 - k) as f64 / k as f64;
            let sign = if k % 2 == 1 { 1.0 } else { -1.0 };
            candidate_rate += sign * choices * all_agree[k * ROWS];
        }
        Self { variance, candidate_rate }
    }
}

/// The probability that `u` given slots of a fast signature are all equal, for each `u`.
fn fast_all_agree(pair: Pair) -> Vec<f64> {
    let (t, s) = (NUM_HASHES, pair.similarity());
    // winners_shared[j]: the probability that the winners of j slots in one round, distinct elements of the union, are
    // all shared.
    let mut winners_shared = vec![1.0];
    for j in 0..t as u32 {
        let next = f64::from(pair.shared.saturating_sub(j)) / f64::from(pair.union.saturating_sub(j).max(1));
        winners_shared.push(winners_shared[j as usize] * next);
    }
    // hits[u][j]: the probability that one round reaches exactly j of u given slots.
    let hits: Vec<Vec<f64>> = (0..=t)
        .map(|u| {
            let mut hits = vec![0.0; u + 1];
            hits[0] = 1.0;
            for _ in 0..pair.union {
                for j in (0..=u).rev() {
                    let from_below = if j == 0 { 0.0 } else { hits[j - 1] * (u - j + 1) as f64 };
                    hits[j] = (hits[j] * (t - u + j) as f64 + from_below) / t as f64;
                }
            }
            hits
        })
        .collect();
    // From the last rounds, which serve one slot each and are independent, back to the first.
    let mut all_agree: Vec<f64> = (0..=t).map(|u| s.powi(u as i32)).collect();
    for _ in 0..t {
        for u in (1..=t).rev() {
            all_agree[u] = (0..=u).map(|j| hits[u][j] * winners_shared[j] * all_agree[u - j]).sum();
        }
    }
    all_agree
}
