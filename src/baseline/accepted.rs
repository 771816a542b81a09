//! `Accepted`: how alike the pairs of one key may be.

use super::entry::AcceptedPair;

/// How much more alike a pair may be than the accepted one.
const MOST_ABOVE: f64 = 0.05;
/// Sums of decimals such as 0.8 and 0.05 are not exact.
const ROUNDING: f64 = 1e-9;

/// The most that entries of one key accept. So a pair costs the same for one entry and for thousands of copies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accepted {
    /// The largest similarity of an entry without coverage.
    similar: f64,
    /// The largest similarity of an entry with one.
    covered_similar: f64,
    /// The largest coverage.
    coverage: f64,
}

impl Accepted {
    /// What no entry accepts.
    pub(super) const NOTHING: Self =
        Self { similar: f64::NEG_INFINITY, covered_similar: f64::NEG_INFINITY, coverage: f64::NEG_INFINITY };

    /// Adds what an entry accepts.
    pub(super) fn add(&mut self, entry: &AcceptedPair) {
        let Some(coverage) = entry.coverage else {
            self.similar = self.similar.max(entry.jaccard);
            return;
        };
        self.covered_similar = self.covered_similar.max(entry.jaccard);
        self.coverage = self.coverage.max(coverage);
    }

    /// Whether a pair is hardly more alike than one that is accepted. Coverages are compared where both have one.
    pub(super) fn covers(&self, pair: &AcceptedPair) -> bool {
        let hardly_above = |found: f64, accepted: f64| found <= accepted + MOST_ABOVE + ROUNDING;
        let of_covered = match pair.coverage {
            Some(coverage) => hardly_above(coverage, self.coverage),
            None => hardly_above(pair.jaccard, self.covered_similar),
        };
        of_covered || hardly_above(pair.jaccard, self.similar)
    }
}
