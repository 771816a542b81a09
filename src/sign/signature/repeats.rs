//! A filter before signing: removes recent repeats from the residues of a text. A repeat lowers no minimum.
//!
//! A small table keeps the last residue of each of its slots. It may forget a residue, but never mistakes a new one for
//! a repeat. It halves the time to sign texts with many repeats, such as program sources. On other texts it checks only
//! some blocks.

/// 128 KiB, which fit into the L2 cache.
const SLOTS: usize = 1 << 14;
/// Number of blocks that are not checked after a block with few repeats.
const BLOCKS_PASSED: u32 = 5;
/// A block has few repeats if fewer than one in `LEAST_SHARE` residues is a repeat. Checking a residue costs about a
/// seventh of evaluating a hundred hash functions.
const LEAST_SHARE: usize = 5;

/// The recent residues of the current text.
#[derive(Debug, Clone)]
pub(super) struct Repeats {
    /// Residues in the low 32 bits, the number of their text in the high bits, so that a new text needs no clearing.
    slots: Box<[u64]>,
    text: u64,
    blocks_to_pass: u32,
}

impl Repeats {
    pub(super) fn new() -> Self {
        Self { slots: vec![0; SLOTS].into(), text: 0, blocks_to_pass: 0 }
    }

    /// Starts another text.
    pub(super) fn begin(&mut self) {
        self.text = self.text.wrapping_add(1 << 32);
        // The numbers of texts start over after 2³² texts.
        if self.text == 0 {
            self.slots.fill(0);
            self.text = 1 << 32;
        }
    }

    /// Removes residues of this text that are still in the table; the others keep their order.
    pub(super) fn remove_repeats(&mut self, residues: &mut Vec<u32>) {
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
            // No branch here, because processors could not predict it.
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
                    repeats.remove_repeats(&mut block);
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
            repeats.remove_repeats(&mut block);
            block.len()
        };
        assert_eq!(kept(&mut repeats, (0..1000).map(|i| i % 100).collect()), 100);
        assert_eq!(kept(&mut repeats, (0..100).collect()), 0);
        // The same residues are new in another text, and then some blocks are not checked.
        repeats.begin();
        assert_eq!(kept(&mut repeats, (0..100).collect()), 100);
        for _ in 0..BLOCKS_PASSED {
            assert_eq!(kept(&mut repeats, vec![7; 10]), 10);
        }
        assert_eq!(kept(&mut repeats, vec![7; 10]), 0);
        // The numbers of texts start over, and the residue 0 is not special.
        repeats.text = u64::MAX << 32;
        repeats.begin();
        assert_eq!(kept(&mut repeats, vec![0, 0, 7]), 2);
    }
}
