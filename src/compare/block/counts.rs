//! `ShingleCounts`: the numbers of the shingles of one set, or of those that two sets share.

/// Numbers of distinct shingles: those that are compared, and those that were removed before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ShingleCounts {
    pub(crate) shingles: u32,
    pub(crate) removed: u32,
    /// The weight of the shingles that are compared; 0 where shingles have no weights.
    pub(crate) weight: u64,
}

impl ShingleCounts {
    /// The weight, or the number of shingles if they have no weights.
    pub(crate) fn measure(self) -> u64 {
        if self.weight > 0 { self.weight } else { self.shingles.into() }
    }

    /// Adds the numbers of other shingles.
    pub(crate) fn add(&mut self, other: Self) {
        self.shingles += other.shingles;
        self.removed += other.removed;
        self.weight += other.weight;
    }
}
