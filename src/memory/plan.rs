//! `MemoryPlan`: shares out `--memory`: the bytes that a run may take besides the tables that grow with its documents.
//!
//! | Pass | Share | What it holds |
//! | --- | --- | --- |
//! | first, with a document frequency | 1/4 | [`tally`](MemoryPlan::tally): counters that bound how many texts each shingle is in |
//! | between both, with a document frequency | all | [`counts`](MemoryPlan::counts): exact counts of what may be in too many texts |
//! | first, of documents that leave as they come | 1/16 | [`streamed_names`](MemoryPlan::streamed_names): hashes of their names |
//! | second | 6/16 | [`kept_sets`](MemoryPlan::kept_sets): shingle sets that later candidates need again |
//! | second | 1/16 | [`pivot_groups`](MemoryPlan::pivot_groups): sets near to one, by how they differ from it |
//! | second | 1/16 | [`waiting_pairs`](MemoryPlan::waiting_pairs): pairs that wait for their turn |
//! | second | 2 × 1/4 | [`block_side`](MemoryPlan::block_side): sets of each side of a block |
//! | second | or 1/2 | [`small_components`](MemoryPlan::small_components): the same half, when threads verify small components |
//! | second | or 1/2 | [`passages`](MemoryPlan::passages): the same half again, while pairs leave: texts of pairs and their tokens |
//! | matching, and second | 1/4 | [`kept_texts`](MemoryPlan::kept_texts): normalised texts that are needed again |
//! | second | and of that 1/8 | [`kept_names`](MemoryPlan::kept_names): sets of programs with names kept; passages have less |
//! | matching | 1/2, then 1/4 | [`postings`](MemoryPlan::postings): kept hashes of all texts, to be sorted |
//! | matching | 1/4, then 1/8 | [`candidate_pairs`](MemoryPlan::candidate_pairs): pairs of texts, to be sorted |
//! | matching | 1/4 | [`stored_texts`](MemoryPlan::stored_texts): all texts with their tokens, or none |
//! | matching | or 3/8 | [`aligned_texts`](MemoryPlan::aligned_texts): tokens of texts that are aligned, when the hashes are gone |
//! | matching | 1/8 | [`aligners`](MemoryPlan::aligners): the indexes of them |
//! | matching | 1/16 | [`matched_pairs`](MemoryPlan::matched_pairs): pairs that match, to be sorted |
//! | matching, and second | 1/16 | [`kept_alignments`](MemoryPlan::kept_alignments): passages of pairs that match |
//! | joining | 1/8 | [`document_frequencies`](MemoryPlan::document_frequencies): how many texts each shingle is in |
//! | joining | 1/4, then 1/8 | [`prefixes`](MemoryPlan::prefixes): rare shingles of all texts, to be sorted |
//! | joining | 1/8 | [`join_sketches`](MemoryPlan::join_sketches): sketches of all texts, to rule out pairs |
//! | joining | 1/4 | [`joined_texts`](MemoryPlan::joined_texts): shingles of the texts that are read |
//! | joining | 1/4 | [`prefix_lists`](MemoryPlan::prefix_lists): the texts of rare shingles, when the frequencies are gone |
//! | joining | 1/8, then 1/16 | [`joined_pairs`](MemoryPlan::joined_pairs): pairs of texts, to be sorted |
//! | second, of a join | 1/16 | [`joined_candidates`](MemoryPlan::joined_candidates): pairs of texts, to be verified |
//! | second, of matches | 1/16 | [`kept_sets_of_matches`](MemoryPlan::kept_sets_of_matches): in place of [`kept_sets`](MemoryPlan::kept_sets) |
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

    /// Hashes of names, where documents leave as they come, as for an index; what does not fit goes to the disk.
    pub fn streamed_names(self) -> u64 {
        self.bytes / 16
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

    /// Normalised texts that are needed again, of a run that matches documents by their passages.
    pub fn kept_texts(self) -> u64 {
        self.bytes / 4
    }

    /// All texts with their tokens, from the first look at these on until they are aligned, in place of
    /// [`aligned_texts`](Self::aligned_texts); texts that do not all fit are not kept.
    pub fn stored_texts(self) -> u64 {
        self.bytes / 4
    }

    /// Tokens of texts that are aligned.
    pub fn aligned_texts(self) -> u64 {
        self.bytes / 8 * 3
    }

    /// Indexes of texts that are aligned.
    pub fn aligners(self) -> u64 {
        self.bytes / 8
    }

    /// Pairs that match, while they are sorted.
    pub fn matched_pairs(self) -> u64 {
        self.bytes / 16
    }

    /// Passages of pairs that match.
    pub fn kept_alignments(self) -> u64 {
        self.bytes / 16
    }

    /// How many texts each shingle is in, for an exhaustive join.
    pub fn document_frequencies(self) -> u64 {
        self.bytes / 8
    }

    /// Rare shingles of all texts while they are sorted; half of it while texts are joined by them.
    pub fn prefixes(self) -> u64 {
        self.bytes / 4
    }

    /// Sketches of all texts, by which an exhaustive join rules out pairs.
    pub fn join_sketches(self) -> u64 {
        self.bytes / 8
    }

    /// Shingles of the texts that an exhaustive join looks at. A text with more is looked at part by part.
    pub fn joined_texts(self) -> u64 {
        self.bytes / 4
    }

    /// The texts of rare shingles that are joined at a time.
    pub fn prefix_lists(self) -> u64 {
        self.bytes / 4
    }

    /// Pairs of an exhaustive join while they are sorted; half of it in the end.
    pub fn joined_pairs(self) -> u64 {
        self.bytes / 8
    }

    /// Pairs of an exhaustive join that are to be verified; of the share of [`kept_alignments`](Self::kept_alignments), which a
    /// join does not have.
    pub fn joined_candidates(self) -> u64 {
        self.kept_alignments()
    }

    /// Shingle sets that are kept, of a run that matches documents by their passages.
    pub fn kept_sets_of_matches(self) -> u64 {
        self.kept_sets().saturating_sub(self.kept_texts() + self.kept_alignments())
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
            let kept = plan.kept_texts() + plan.kept_alignments() + plan.kept_sets_of_matches();
            assert!(kept <= plan.kept_sets());
            let matching = plan.all() - plan.kept_texts();
            let pairing = plan.postings() / 2 + plan.candidate_pairs();
            assert!(pairing.max(plan.postings()) + plan.stored_texts() <= matching);
            assert!(plan.stored_texts() <= plan.aligned_texts());
            let aligning = plan.aligned_texts() + plan.aligners() + plan.matched_pairs() + plan.kept_alignments();
            assert!(plan.candidate_pairs() / 2 + aligning <= matching);
            let sketching = plan.join_sketches() + plan.join_sketches().max(plan.joined_texts());
            let reading = plan.document_frequencies() + plan.prefixes() + sketching;
            let joining = plan.prefixes() / 2 + plan.join_sketches() + plan.prefix_lists() + plan.joined_pairs();
            assert!(reading.max(joining) <= plan.all() - plan.kept_texts());
            assert!(plan.passages() / 4 * 3 + plan.kept_names() <= plan.passages());
            assert!(plan.tally() <= plan.all() && plan.counts() <= plan.all());
        }
    }
}
