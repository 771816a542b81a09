//! `MemoryPlan`: divides `--memory`. The tables that grow with the documents are not included, except for band keys. The second
//! pass divides what these tables leave.
//!
//! | Pass | Share | Contents |
//! | --- | --- | --- |
//! | first, with a document frequency | 1/4 | [`tally`](MemoryPlan::tally): counters that bound the number of texts per shingle |
//! | between both, with a document frequency | all | [`counts`](MemoryPlan::counts): exact counts of shingles that may be too frequent |
//! | first | 1/8 | [`band_keys`](MemoryPlan::band_keys): band keys and bits of signatures; the rest goes to the disk |
//! | first, of streamed documents | 1/16 | [`streamed_names`](MemoryPlan::streamed_names): hashes of their names |
//! | second | 7/16 | [`kept_classes`](MemoryPlan::kept_classes): the shingles of the blocks of a family, in classes |
//! | second | 1/16 | [`waiting_pairs`](MemoryPlan::waiting_pairs): pairs that wait to be verified |
//! | second | 1/2 | [`blocks`](MemoryPlan::blocks): the numbers and rows of the blocks that all threads read |
//! | second | or 1/2 | [`passages`](MemoryPlan::passages): the same half, while pairs are written: texts of pairs and their tokens |
//! | matching, and second | 1/4 | [`kept_texts`](MemoryPlan::kept_texts): normalised texts that are needed again |
//! | second | part: 1/8 | [`kept_names`](MemoryPlan::kept_names): sets of programs with identifiers kept, from the half of passages |
//! | matching | 1/2, then 1/4 | [`postings`](MemoryPlan::postings): kept hashes of all texts, to be sorted |
//! | matching | 1/4, then 1/8 | [`candidate_pairs`](MemoryPlan::candidate_pairs): pairs of texts, to be sorted |
//! | matching | 1/4 | [`stored_texts`](MemoryPlan::stored_texts): all texts with their tokens, or none |
//! | matching | or 3/8 | [`aligned_texts`](MemoryPlan::aligned_texts): tokens of texts that are aligned, when the hashes are gone |
//! | matching | 1/8 | [`aligners`](MemoryPlan::aligners): indexes of the aligned texts |
//! | matching | 1/16 | [`matched_pairs`](MemoryPlan::matched_pairs): pairs that match, to be sorted |
//! | matching, and second | 1/16 | [`kept_alignments`](MemoryPlan::kept_alignments): passages of pairs that match |
//! | joining | 1/8 | [`document_frequencies`](MemoryPlan::document_frequencies): the number of texts per shingle |
//! | joining | 1/4, then 1/8 | [`prefixes`](MemoryPlan::prefixes): rare shingles of all texts, to be sorted |
//! | joining | 1/8 | [`join_sketches`](MemoryPlan::join_sketches): sketches of all texts, to rule out pairs |
//! | joining | 1/4 | [`joined_texts`](MemoryPlan::joined_texts): shingles of the texts that are read |
//! | joining | 1/4 | [`prefix_lists`](MemoryPlan::prefix_lists): the texts of rare shingles, when the frequencies are gone |
//! | joining | 1/8, then 1/16 | [`joined_pairs`](MemoryPlan::joined_pairs): pairs of texts, to be sorted |
//! | second, of a join | 1/16 | [`joined_candidates`](MemoryPlan::joined_candidates): pairs of texts, to be verified |
//! | second, of matches | 1/8 | [`kept_classes_of_matches`](MemoryPlan::kept_classes_of_matches): instead of [`kept_classes`](MemoryPlan::kept_classes) |
//! | repeats | 1/8 | [`repeat_filter`](MemoryPlan::repeat_filter): bits of the hashes of all texts |
//! | repeats | 1/4 | [`kept_texts`](MemoryPlan::kept_texts): normalised texts that are needed again |
//! | repeats | 1/4 | [`repeat_records`](MemoryPlan::repeat_records): spans of texts, then their runs, to be sorted |
//! | repeats | 1/16 | [`repeat_spans`](MemoryPlan::repeat_spans): distinct spans whose runs are compared |
//! | repeats | 1/8 | [`repeat_marks`](MemoryPlan::repeat_marks): the tokens to cut, to be sorted |
//!
//! The shares of a pass add up to the whole, and the passes follow one another.

use super::resources::Resources;

/// The shares of [`Resources::memory_bytes`], in bytes; the module's documentation lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    bytes: u64,
}

impl MemoryPlan {
    /// Creates the plan of a run.
    pub fn new(resources: Resources) -> Self {
        Self { bytes: resources.memory_bytes }
    }

    /// All bytes that are divided.
    pub fn all(self) -> u64 {
        self.bytes
    }

    /// Bits of the hashes that may occur more than once.
    pub fn repeat_filter(self) -> u64 {
        self.bytes / 8
    }

    /// Spans of texts that may be repeated while they are sorted, and then their runs.
    pub fn repeat_records(self) -> u64 {
        self.bytes / 4
    }

    /// Distinct spans with a common gram, whose runs are compared one by one.
    pub fn repeat_spans(self) -> u64 {
        self.bytes / 16
    }

    /// Tokens to cut while they are sorted.
    pub fn repeat_marks(self) -> u64 {
        self.bytes / 8
    }

    /// Counters, for all threads, that bound the number of texts that contain a shingle.
    pub fn tally(self) -> u64 {
        self.bytes / 4
    }

    /// Exact numbers of texts that contain a shingle.
    pub fn counts(self) -> u64 {
        self.bytes
    }

    /// Band keys and bits of signatures until the bucket table is built; the rest is written to the disk.
    pub fn band_keys(self) -> u64 {
        self.bytes / 8
    }

    /// Hashes of names where documents are streamed, as for an index; the rest is written to the disk.
    pub fn streamed_names(self) -> u64 {
        self.bytes / 16
    }

    /// The shingles of the blocks of a family, in classes.
    pub fn kept_classes(self) -> u64 {
        self.bytes / 16 * 7
    }

    /// Pairs that wait to be verified.
    pub fn waiting_pairs(self) -> u64 {
        self.bytes / 16
    }

    /// Blocks of sets that all threads read at a time.
    pub fn blocks(self) -> u64 {
        self.bytes / 2
    }

    /// Texts of pairs whose passages are searched, with their tokens and indexes. A pair whose texts need more memory
    /// is searched separately.
    pub fn passages(self) -> u64 {
        self.bytes / 2
    }

    /// Shingle sets of programs with identifiers kept. When passages are requested too, their share is smaller by this
    /// one.
    pub fn kept_names(self) -> u64 {
        self.bytes / 8
    }

    /// Kept hashes of all texts while they are sorted; half of this while texts are paired.
    pub fn postings(self) -> u64 {
        self.bytes / 2
    }

    /// Pairs of texts while they are sorted; half of this while they are aligned.
    pub fn candidate_pairs(self) -> u64 {
        self.bytes / 4
    }

    /// Normalised texts that are needed again when a run matches documents by passages.
    pub fn kept_texts(self) -> u64 {
        self.bytes / 4
    }

    /// All texts with their tokens, from their first use until they are aligned, instead of
    /// [`aligned_texts`](Self::aligned_texts). If they do not all fit, they are not kept.
    pub fn stored_texts(self) -> u64 {
        self.bytes / 4
    }

    /// Tokens of the texts that are aligned.
    pub fn aligned_texts(self) -> u64 {
        self.bytes / 8 * 3
    }

    /// Indexes of the texts that are aligned.
    pub fn aligners(self) -> u64 {
        self.bytes / 8
    }

    /// The search of each thread for blocks that a text repeats.
    pub fn own_repeats(self, threads: usize) -> u64 {
        self.aligners() / threads as u64
    }

    /// Pairs that match while they are sorted.
    pub fn matched_pairs(self) -> u64 {
        self.bytes / 16
    }

    /// Passages of pairs that match.
    pub fn kept_alignments(self) -> u64 {
        self.bytes / 16
    }

    /// The number of texts that contain a shingle, for an exhaustive join.
    pub fn document_frequencies(self) -> u64 {
        self.bytes / 8
    }

    /// Rare shingles of all texts while they are sorted; half of this while texts are joined by them.
    pub fn prefixes(self) -> u64 {
        self.bytes / 4
    }

    /// Sketches of all texts, with which an exhaustive join rules out pairs.
    pub fn join_sketches(self) -> u64 {
        self.bytes / 8
    }

    /// Shingles of the texts that an exhaustive join reads. A text with more shingles is read in parts.
    pub fn joined_texts(self) -> u64 {
        self.bytes / 4
    }

    /// The lists of texts per rare shingle that are joined at a time.
    pub fn prefix_lists(self) -> u64 {
        self.bytes / 4
    }

    /// Pairs of an exhaustive join while they are sorted; half of this afterwards.
    pub fn joined_pairs(self) -> u64 {
        self.bytes / 8
    }

    /// Pairs of an exhaustive join that wait to be verified. They use the share of
    /// [`kept_alignments`](Self::kept_alignments), which a join does not need.
    pub fn joined_candidates(self) -> u64 {
        self.kept_alignments()
    }

    /// The classes that are kept when a run matches documents by passages.
    pub fn kept_classes_of_matches(self) -> u64 {
        self.kept_classes().saturating_sub(self.kept_texts() + self.kept_alignments())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_a_pass_add_up_to_no_more_than_all() {
        for memory_bytes in [1 << 14, 100_000, 16 << 20, (1 << 40) + 7] {
            let plan = MemoryPlan::new(Resources::with_memory_bytes(memory_bytes));
            let second = plan.kept_classes() + plan.waiting_pairs();
            assert!(second + plan.blocks() <= plan.all());
            assert!(second + plan.passages() <= plan.all());
            let kept = plan.kept_texts() + plan.kept_alignments() + plan.kept_classes_of_matches();
            assert!(kept <= plan.kept_classes());
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
            let repeats = plan.repeat_filter() + plan.repeat_records() + plan.repeat_spans() + plan.repeat_marks();
            assert!(repeats + plan.kept_texts() <= plan.all());
            assert!(plan.tally() <= plan.all() && plan.counts() <= plan.all());
        }
    }
}
