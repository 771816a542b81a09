//! Leaves out shingles that a text has just had: they lower no minimum a second time.
//!
//! A small table remembers the last residue of each of its slots, so it forgets some and never takes a new one for an old
//! one. Texts with many repeats, such as program sources, are signed in half the time for it; on others it is tried now
//! and then only.

/// 128 KiB, which the second-level cache holds.
const SLOTS: usize = 1 << 14;
/// Blocks that go unlooked at after one with hardly a repeat.
const BLOCKS_PASSED: u32 = 5;
/// A block with fewer repeats than one in so many hardly has any: to look at a residue costs about a seventh of what it
/// costs to evaluate a hundred hash functions of it.
const LEAST_SHARE: usize = 5;

/// The residues that the text at hand has had of late.
#[derive(Debug, Clone)]
pub(super) struct Repeats {
    /// Residues, with the number of the text they were in above them, so that no text's need be cleared.
    slots: Box<[u64]>,
    text: u64,
    blocks_to_pass: u32,
}

impl Repeats {
    pub(super) fn new() -> Self {
        Self { slots: vec![0; SLOTS].into(), text: 0, blocks_to_pass: 0 }
    }

    /// Another text begins.
    pub(super) fn begin(&mut self) {
        self.text = self.text.wrapping_add(1 << 32);
        // After 2³² texts the numbers begin anew.
        if self.text == 0 {
            self.slots.fill(0);
            self.text = 1 << 32;
        }
    }

    /// Leaves out residues that the text has had, as far as that is remembered; the others keep their order.
    pub(super) fn leave_out(&mut self, residues: &mut Vec<u32>) {
        if self.blocks_to_pass > 0 {
            self.blocks_to_pass -= 1;
            return;
        }
        let len = residues.len();
        let mut kept = 0;
        for at in 0..len {
            let residue = residues[at];
            let slot = &mut self.slots[residue as usize % SLOTS];
            let seen = self.text | u64::from(residue);
            // Whether it was seen no processor can foresee, so that takes no branch.
            residues[kept] = residue;
            kept += usize::from(*slot != seen);
            *slot = seen;
        }
        residues.truncate(kept);
        if (len - kept) * LEAST_SHARE < len {
            self.blocks_to_pass = BLOCKS_PASSED;
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
        fn a_text_keeps_one_of_each_residue(
            texts in prop::collection::vec(prop::collection::vec(prop::collection::vec(0u32..9000, 0..300), 0..5), 0..6),
        ) {
            let mut repeats = Repeats::new();
            for text in texts {
                repeats.begin();
                let mut kept = Vec::new();
                for block in &text {
                    let mut block = block.clone();
                    repeats.leave_out(&mut block);
                    kept.extend(block);
                }
                let all: HashSet<u32> = text.into_iter().flatten().collect();
                prop_assert_eq!(kept.into_iter().collect::<HashSet<u32>>(), all);
            }
        }
    }

    #[test]
    fn repeats_are_left_out_and_what_hardly_has_any_is_passed() {
        let mut repeats = Repeats::new();
        repeats.begin();
        let kept = |repeats: &mut Repeats, mut block: Vec<u32>| {
            repeats.leave_out(&mut block);
            block.len()
        };
        assert_eq!(kept(&mut repeats, (0..1000).map(|i| i % 100).collect()), 100);
        assert_eq!(kept(&mut repeats, (0..100).collect()), 0);
        // Another text has them anew, and then no block is looked at for a while.
        repeats.begin();
        assert_eq!(kept(&mut repeats, (0..100).collect()), 100);
        for _ in 0..BLOCKS_PASSED {
            assert_eq!(kept(&mut repeats, vec![7; 10]), 10);
        }
        assert_eq!(kept(&mut repeats, vec![7; 10]), 0);
        // The numbers of texts begin anew, and a residue of 0 is one like any other.
        repeats.text = u64::MAX << 32;
        repeats.begin();
        assert_eq!(kept(&mut repeats, vec![0, 0, 7]), 2);
    }
}
