//! A generator of test data (SplitMix64): a seed in, the same numbers out every time.

/// The generator; its state is the seed.
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

#[allow(dead_code, reason = "each test program uses some of it")]
impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end`, which is above 0 and left out.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A number from 0 to `end`, small ones more often, as words are in a text.
    pub(crate) fn skewed(&mut self, end: usize) -> usize {
        self.below(end) * self.below(end) / end
    }

    /// A number from 0 to `end`, small ones much more often.
    pub(crate) fn mostly_small(&mut self, end: usize) -> usize {
        let below = self.below(end) + 1;
        self.below(below)
    }

    /// Whether something happens that happens this often in a thousand times.
    pub(crate) fn per_mille(&mut self, chance: usize) -> bool {
        self.below(1000) < chance
    }

    /// Whether something happens that happens this often in a hundred times.
    pub(crate) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub(crate) fn pick<'t, T: ?Sized>(&mut self, items: &[&'t T]) -> &'t T {
        items[self.below(items.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
