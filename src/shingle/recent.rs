//! Leaves out shingles that a text has just had, as far as a small table remembers.
//!
//! Half of the shingles of program sources, and more of web pages, are repeats from close by. A set has no use for them,
//! and to look one up in a large table costs several times what this does. The table forgets some and never takes a new
//! shingle for an old one, so what passes has the same set.

/// Of a large text: 2 MiB.
const MOST_SLOTS: usize = 1 << 18;
const LEAST_SLOTS: usize = 1 << 6;
/// Shingles of a large block that are looked at together.
const AT_A_TIME: usize = 4096;
/// Such blocks that pass unlooked at after one with hardly a repeat.
const BLOCKS_PASSED: u32 = 5;
/// A block with fewer repeats than one in so many hardly has any: to look at a shingle costs about as much as to sign it.
const LEAST_SHARE: usize = 5;

/// The shingles that the text at hand has had of late.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecentShingles {
    /// The last hash of each slot; what no hash of the slot equals as long as there was none.
    slots: Vec<u64>,
    passed: Vec<u64>,
    blocks_to_pass: u32,
}

impl RecentShingles {
    /// Another text begins, of about so many shingles.
    pub(crate) fn begin(&mut self, num_shingles: usize) {
        let num_slots = (num_shingles.next_power_of_two() / 2).clamp(LEAST_SLOTS, MOST_SLOTS);
        self.slots.clear();
        // The lowest bits of a hash are its slot's number, those of its complement are not.
        self.slots.extend((0..num_slots as u64).map(|slot| !slot));
        self.blocks_to_pass = 0;
    }

    /// Passes on the shingles of a block that are not remembered, in their order.
    pub(crate) fn leave_out(&mut self, block: &[u64], visit: &mut dyn FnMut(&[u64])) {
        for some in block.chunks(AT_A_TIME) {
            if self.blocks_to_pass > 0 {
                self.blocks_to_pass -= 1;
                visit(some);
            } else {
                visit(self.new_of(some));
            }
        }
    }

    fn new_of(&mut self, block: &[u64]) -> &[u64] {
        let Self { slots, passed, blocks_to_pass } = self;
        passed.resize(block.len().max(passed.len()), 0);
        let mask = slots.len() - 1;
        let mut num_passed = 0;
        for &hash in block {
            let slot = &mut slots[hash as usize & mask];
            // Whether it was seen no processor can foresee, so that takes no branch.
            passed[num_passed] = hash;
            num_passed += usize::from(*slot != hash);
            *slot = hash;
        }
        if (block.len() - num_passed) * LEAST_SHARE < block.len() {
            *blocks_to_pass = BLOCKS_PASSED;
        }
        &passed[..num_passed]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_passes_has_the_same_set_in_the_order_of_first_occurrence(
            texts in prop::collection::vec(prop::collection::vec(0u64..3000, 0..2000), 1..4),
            shift in 0u32..60,
            cut in 1usize..500,
        ) {
            let mut recent = RecentShingles::default();
            for text in texts {
                let text: Vec<u64> = text.iter().map(|hash| hash << shift).collect();
                recent.begin(text.len());
                let mut passed = Vec::new();
                text.chunks(cut).for_each(|block| recent.leave_out(block, &mut |block| passed.extend_from_slice(block)));
                let firsts = |list: &[u64]| {
                    let mut seen = std::collections::HashSet::new();
                    list.iter().copied().filter(|&hash| seen.insert(hash)).collect::<Vec<u64>>()
                };
                prop_assert_eq!(firsts(&passed), firsts(&text));
            }
        }
    }

    #[test]
    fn repeats_from_close_by_do_not_pass() {
        let mut recent = RecentShingles::default();
        let new_of = |recent: &mut RecentShingles, block: &[u64]| {
            let mut passed = Vec::new();
            recent.leave_out(block, &mut |block| passed.extend_from_slice(block));
            passed
        };
        recent.begin(1000);
        assert_eq!(new_of(&mut recent, &[0, 5, 0, 5, 7]), [0, 5, 7]);
        assert_eq!(new_of(&mut recent, &[7, 7, 9]), [9]);
        recent.begin(1000);
        assert_eq!(new_of(&mut recent, &[7, u64::MAX, 0]), [7, u64::MAX, 0]);
        // Hardly a repeat there, so the next blocks pass.
        assert_eq!(new_of(&mut recent, &[7, 7]), [7, 7]);
    }
}
