//! `Accepted`: the maximum similarity of pairs with one key.

use super::entry::AcceptedPair;

/// Maximum difference by which a pair may be more similar than the accepted one.
const MOST_ABOVE: f64 = 0.05;
/// Tolerance because sums of decimals such as 0.8 and 0.05 are not exact.
const ROUNDING: f64 = 1e-9;

/// The maximum values that the entries with one key accept. So the lookup of a pair costs the same for one entry and
/// for thousands of copies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accepted {
    /// The maximum similarity of an entry without coverage.
    similar: f64,
    /// The maximum similarity of an entry with coverage.
    covered_similar: f64,
    /// The maximum coverage of an entry.
    coverage: f64,
}

impl Accepted {
    /// The values without any entry, which accept nothing.
    pub(super) const NOTHING: Self =
        Self { similar: f64::NEG_INFINITY, covered_similar: f64::NEG_INFINITY, coverage: f64::NEG_INFINITY };

    /// Raises the maximum values to the values of an entry.
    pub(super) fn add(&mut self, entry: &AcceptedPair) {
        let Some(coverage) = entry.coverage else {
            self.similar = self.similar.max(entry.jaccard);
            return;
        };
        self.covered_similar = self.covered_similar.max(entry.jaccard);
        self.coverage = self.coverage.max(coverage);
    }

    /// Whether a pair is at most slightly more similar than an accepted one. Coverages are compared if both have one.
    pub(super) fn covers(&self, pair: &AcceptedPair) -> bool {
        let hardly_above = |found: f64, accepted: f64| found <= accepted + MOST_ABOVE + ROUNDING;
        let of_covered = match pair.coverage {
            Some(coverage) => hardly_above(coverage, self.coverage),
            None => hardly_above(pair.jaccard, self.covered_similar),
        };
        of_covered || hardly_above(pair.jaccard, self.similar)
    }
}
