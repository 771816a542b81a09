//! `MemoryPlan`: shares out `--memory`: the bytes that a run may take besides the tables that grow with its documents.
//!
//! | Pass | Share | What it holds |
//! | --- | --- | --- |
//! | first, with a document frequency | 1/4 | [`tally`](MemoryPlan::tally): counters that bound how many texts each shingle is in |
//! | between both, with a document frequency | all | [`counts`](MemoryPlan::counts): exact counts of what may be in too many texts |
//! | second | 6/16 | [`kept_sets`](MemoryPlan::kept_sets): shingle sets that later candidates need again |
//! | second | 1/16 | [`pivot_groups`](MemoryPlan::pivot_groups): sets near to one, by how they differ from it |
//! | second | 1/16 | [`waiting_pairs`](MemoryPlan::waiting_pairs): pairs that wait for their turn |
//! | second | 2 × 1/4 | [`block_side`](MemoryPlan::block_side): sets of each side of a block |
//! | second | or 1/2 | [`small_components`](MemoryPlan::small_components): the same half, when threads verify small components |
//! | second | or 1/2 | [`passages`](MemoryPlan::passages): the same half again, while pairs leave: texts of pairs and their tokens |
//! | second | and of that 1/8 | [`kept_names`](MemoryPlan::kept_names): sets of programs with names kept; passages have less |
//! | matching | 1/2, then 1/4 | [`postings`](MemoryPlan::postings): kept hashes of all texts, to be sorted |
//! | matching | 1/4, then 1/8 | [`candidate_pairs`](MemoryPlan::candidate_pairs): pairs of texts, to be sorted |
//! | matching | 1/2 | [`aligned_texts`](MemoryPlan::aligned_texts): tokens of texts that are aligned, when the hashes are gone |
//! | matching | 1/8 | [`aligners`](MemoryPlan::aligners): the indexes of them |
//! | matching | 1/8 | [`matched_pairs`](MemoryPlan::matched_pairs): pairs that match, to be sorted |
//!
//! The shares of a pass add up to all, and the passes follow one another.

use super::resources::Resources;

/// The shares of [`Resources::memory_bytes`], in bytes; this file's first lines say what each holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    bytes: u64,
}

impl MemoryPlan {
    /// The plan of a run.
    pub fn new(resources: Resources) -> Self {
        Self { bytes: resources.memory_bytes }
    }

    /// All there is to share out.
    pub fn all(self) -> u64 {
        self.bytes
    }

    /// Counters that bound how many texts each shingle is in, of all threads.
    pub fn tally(self) -> u64 {
        self.bytes / 4
    }

    /// Exact counts of the texts of a shingle.
    pub fn counts(self) -> u64 {
        self.bytes
    }

    /// Shingle sets that are kept.
    pub fn kept_sets(self) -> u64 {
        self.bytes / 16 * 6
    }

    /// Pivot groups: sets near to one, the pivot, by how they differ from it.
    pub fn pivot_groups(self) -> u64 {
        self.bytes / 16
    }

    /// Pairs that wait for their turn.
    pub fn waiting_pairs(self) -> u64 {
        self.bytes / 16
    }

    /// Sets of one side of a block.
    pub fn block_side(self) -> u64 {
        self.bytes / 4
    }

    /// Sets of the small components that all threads verify at a time.
    pub fn small_components(self) -> u64 {
        self.bytes / 2
    }

    /// Texts of pairs whose passages are searched, with their tokens, and the indexes of them. A pair whose texts take more is
    /// searched alone.
    pub fn passages(self) -> u64 {
        self.bytes / 2
    }

    /// Sets of programs with names kept; the share of passages is smaller by it, where both are asked for.
    pub fn kept_names(self) -> u64 {
        self.bytes / 8
    }

    /// Kept hashes of all texts while they are sorted; half of it while their texts are paired.
    pub fn postings(self) -> u64 {
        self.bytes / 2
    }

    /// Pairs of texts while they are sorted; half of it while they are aligned.
    pub fn candidate_pairs(self) -> u64 {
        self.bytes / 4
    }

    /// Tokens of texts that are aligned.
    pub fn aligned_texts(self) -> u64 {
        self.bytes / 2
    }

    /// Indexes of texts that are aligned.
    pub fn aligners(self) -> u64 {
        self.bytes / 8
    }

    /// Pairs that match, while they are sorted.
    pub fn matched_pairs(self) -> u64 {
        self.bytes / 8
    }

    /// Most shingles of a set that is held as a whole: with its index and sketch one of this size takes about all.
    pub fn set_shingles(self) -> usize {
        (self.bytes >> 4).max(1 << 10) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_a_pass_add_up_to_no_more_than_all() {
        for memory_bytes in [1 << 14, 100_000, 16 << 20, (1 << 40) + 7] {
            let plan = MemoryPlan::new(Resources::with_memory_bytes(memory_bytes));
            let second = plan.kept_sets() + plan.pivot_groups() + plan.waiting_pairs();
            assert!(second + 2 * plan.block_side() <= plan.all() && second + plan.small_components() <= plan.all());
            assert!(second + plan.passages() <= plan.all());
            assert!(plan.passages() / 4 * 3 + plan.kept_names() <= plan.passages());
            assert!(plan.postings() / 2 + plan.candidate_pairs() <= plan.all() && plan.postings() <= plan.all());
            let aligning = plan.aligned_texts() + plan.aligners() + plan.matched_pairs();
            assert!(plan.candidate_pairs() / 2 + aligning <= plan.all());
            assert!(plan.tally() <= plan.all() && plan.counts() <= plan.all());
        }
    }
}
