//! A block: the shared shingles of some texts with each other and with their candidates, counted in one characteristic
//! matrix.
//!
//! The texts of the block are entered as columns. What two of them share is in the matrix; a candidate outside of the
//! block is read once and counted against all columns. A text whose shingles may not fit is a block by itself, counted
//! slice by slice of the hashes' range, each of which reads it and its candidates again.

use std::ops::Range;

use super::PairSearch;
use super::found::Sizes;
use super::plan::Plan;
use crate::document::DocId;
use crate::pipeline::reread::{Slice, Tools};
use crate::verify::{CharacteristicMatrix, Tally};

/// What is known of the texts and edges of a run of texts, in their order.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// `None` for texts that can no longer be read.
    pub(super) sizes: Vec<Option<Sizes>>,
    /// Shingles that the texts of each edge share.
    pub(super) shared: Vec<u32>,
    /// Removed shingles that they share; empty when none are ever removed.
    pub(super) shared_removed: Vec<u32>,
    /// Of each text, when they were asked for.
    pub(super) signatures: Vec<Option<Box<[u32]>>>,
}

impl Counted {
    /// Nothing yet, of so many texts and edges.
    fn reset(&mut self, num_texts: usize, num_edges: usize, removes: bool) {
        self.sizes.clear();
        self.sizes.resize(num_texts, Some(Sizes::default()));
        self.shared.clear();
        self.shared.resize(num_edges, 0);
        self.shared_removed.clear();
        self.shared_removed.resize(if removes { num_edges } else { 0 }, 0);
        self.signatures.clear();
    }
}

/// The memory of a thread for one block after another.
#[derive(Debug, Default)]
pub(super) struct BlockMemory {
    pub(super) counted: Counted,
    kept: Columns,
    removed: Columns,
    /// The edges to texts outside of the matrix: the partner, the edge, and the column.
    outside: Vec<(u32, u32, u32)>,
    /// Whether the matrix holds all shingles of its columns, not a slice.
    is_whole: bool,
}

/// A text has more shingles than a matrix has room for; so many slices of them may have room.
#[derive(Debug, Clone, Copy)]
struct TooLarge {
    slice_bits: u32,
}

/// A matrix, and what it takes to count in it.
#[derive(Debug, Default)]
struct Columns {
    matrix: CharacteristicMatrix,
    tally: Tally,
    /// What one text shares with each column.
    shared: Vec<u32>,
}

impl Columns {
    /// Makes the counts of all columns 0.
    fn begin_counts(&mut self) {
        self.shared.clear();
        self.shared.resize(self.matrix.num_columns().next_multiple_of(64), 0);
    }
}

impl PairSearch<'_> {
    /// Counts the texts of a block and their edges; the result is in `memory.counted`.
    ///
    /// * `signs`: whether to make the signatures of all its texts.
    pub(super) fn count_block(&self, plan: &Plan, block: &Range<usize>, signs: bool, memory: &mut BlockMemory) {
        memory.counted.reset(block.len(), plan.edges_of(block).len(), self.removes);
        if signs {
            memory.counted.signatures.resize(block.len(), None);
        }
        let mut rest = block.clone();
        while !rest.is_empty() {
            rest.start = match self.count_columns(plan, block, rest.clone(), Slice::ALL, signs, memory) {
                Ok(end) => end,
                Err(TooLarge { slice_bits }) => {
                    self.count_slices(plan, block, rest.start, slice_bits, signs, memory);
                    rest.start + 1
                }
            };
        }
    }

    /// Counts a text slice by slice.
    fn count_slices(
        &self,
        plan: &Plan,
        block: &Range<usize>,
        text: usize,
        mut slice_bits: u32,
        signs: bool,
        memory: &mut BlockMemory,
    ) {
        let mut slice = 0;
        while slice < 1 << slice_bits {
            match self.count_columns(plan, block, text..text + 1, Slice { bits: slice_bits, slice }, false, memory) {
                Ok(_) => slice += 1,
                // What was counted so far are whole slices of this width too.
                Err(_) => (slice_bits, slice) = (slice_bits + 1, 2 * slice),
            }
        }
        if signs {
            let signature = self.rereader.read_again(plan.texts[text], &mut |text, tools| tools.signature_of(text));
            memory.counted.signatures[text - block.start] = signature;
        }
    }

    /// Counts as many of some texts as the matrix has room for; returns the first that it has not.
    ///
    /// # Errors
    /// When it has no room for the first of them; nothing is counted.
    fn count_columns(
        &self,
        plan: &Plan,
        block: &Range<usize>,
        texts: Range<usize>,
        slice: Slice,
        signs: bool,
        memory: &mut BlockMemory,
    ) -> Result<usize, TooLarge> {
        let BlockMemory { counted, kept, removed, outside, is_whole } = memory;
        *is_whole = slice.bits == 0;
        let end = self.enter(plan, block, texts.clone(), slice, counted, [&mut *kept, &mut *removed])?;
        let texts = texts.start..end;
        if block.len() > 50 { eprintln!("DBG block of {} entered {} shingles distinct {} ", block.len(), texts.len(), kept.matrix.num_shingles()); }
        kept.matrix.seal();
        removed.matrix.seal();
        // What columns share with each other, and which edges lead out of the matrix.
        outside.clear();
        let first_edge = plan.edges_of(block).start;
        for (column, text) in texts.clone().enumerate() {
            let edges = plan.edges(text);
            let num_inside = plan.partners[edges.clone()].partition_point(|&partner| (partner as usize) < end);
            let (inside, out) = (edges.start..edges.start + num_inside, edges.start + num_inside..edges.end);
            outside.extend(out.map(|edge| (plan.partners[edge], (edge - first_edge) as u32, column as u32)));
            if inside.is_empty() {
                continue;
            }
            for (columns, shared) in [(&mut *kept, &mut counted.shared), (&mut *removed, &mut counted.shared_removed)] {
                if shared.is_empty() {
                    continue;
                }
                columns.begin_counts();
                columns.matrix.shared_with_column(column, &mut columns.shared);
                for edge in inside.clone() {
                    shared[edge - first_edge] += columns.shared[plan.partners[edge] as usize - texts.start];
                }
            }
        }
        if block.len() > 50 { let mut o: Vec<u32> = outside.iter().map(|o| o.0).collect(); o.sort(); o.dedup(); eprintln!("DBG   edges inside {} outside {} texts outside {}", texts.clone().map(|t| plan.edges(t).len()).sum::<usize>() - outside.len(), outside.len(), o.len()); }
        self.count_outside(plan, slice, outside, counted, [&mut *kept, &mut *removed]);
        if signs {
            for (column, text) in texts.enumerate() {
                if counted.sizes[text - block.start].is_some() {
                    let signature = self.rereader.sign(&mut kept.matrix.shingles(column));
                    counted.signatures[text - block.start] = Some(signature);
                }
            }
        }
        self.count_memory(kept.matrix.num_bytes() + removed.matrix.num_bytes());
        Ok(end)
    }

    /// Makes columns of as many texts as there is room for; returns the first that has none.
    ///
    /// # Errors
    /// When there is no room for the first of them.
    fn enter(
        &self,
        plan: &Plan,
        block: &Range<usize>,
        texts: Range<usize>,
        slice: Slice,
        counted: &mut Counted,
        [kept, removed]: [&mut Columns; 2],
    ) -> Result<usize, TooLarge> {
        kept.matrix.clear(self.most_shingles);
        removed.matrix.clear(self.most_shingles);
        for text in texts.clone() {
            let document = plan.texts[text];
            let num_shingles = self.documents.num_shingles(document) as usize;
            let num_entered = kept.matrix.num_shingles() + removed.matrix.num_shingles();
            if text > texts.start && num_entered + num_shingles > self.most_shingles {
                return Ok(text);
            }
            let text_is_later = text > texts.start;
            kept.matrix.begin_column();
            removed.matrix.begin_column();
            let most = self.most_shingles;
            // Blocks that were passed on, and those of them that there was room for.
            let (mut num_blocks, mut num_fitting) = (0u64, 0u64);
            let read = self.rereader.read_again(document, &mut |text: &[u8], tools: &mut Tools| {
                let mut add = |matrix: &mut CharacteristicMatrix, block: &[u64]| {
                    num_blocks += 1;
                    if text_is_later || matrix.num_shingles() <= most {
                        num_fitting += 1;
                        matrix.add(block);
                    }
                };
                let add = std::cell::RefCell::new(&mut add);
                tools.for_each_block(
                    text,
                    slice,
                    &mut |block| add.borrow_mut()(&mut kept.matrix, block),
                    &mut |block| add.borrow_mut()(&mut removed.matrix, block),
                );
            });
            kept.matrix.end_column();
            removed.matrix.end_column();
            if num_fitting < num_blocks {
                // Were all that did not fit new, this many slices would be full.
                let num_slices = (num_blocks.div_ceil(num_fitting)).next_power_of_two();
                return Err(TooLarge { slice_bits: num_slices.ilog2().max(1) });
            }
            let column = text - texts.start;
            let sizes = &mut counted.sizes[text - block.start];
            *sizes = sizes.filter(|_| read.is_some()).map(|sizes| Sizes {
                shingles: sizes.shingles + kept.matrix.len(column),
                removed: sizes.removed + removed.matrix.len(column),
            });
        }
        Ok(texts.end)
    }

    /// Counts texts that are not in the matrix, each once against all columns.
    fn count_outside(
        &self,
        plan: &Plan,
        slice: Slice,
        outside: &mut [(u32, u32, u32)],
        counted: &mut Counted,
        [kept, removed]: [&mut Columns; 2],
    ) {
        outside.sort_unstable();
        for edges in outside.chunk_by(|a, b| a.0 == b.0) {
            let document: DocId = plan.texts[edges[0].0 as usize];
            kept.matrix.begin_text(&mut kept.tally);
            removed.matrix.begin_text(&mut removed.tally);
            // A text that cannot be read has no size either, and so no pairs.
            let _ = self.rereader.read_again(document, &mut |text: &[u8], tools: &mut Tools| {
                tools.for_each_block(
                    text,
                    slice,
                    &mut |block| kept.matrix.count(block, &mut kept.tally),
                    &mut |block| removed.matrix.count(block, &mut removed.tally),
                );
            });
            for (columns, shared) in [(&mut *kept, &mut counted.shared), (&mut *removed, &mut counted.shared_removed)] {
                if shared.is_empty() {
                    continue;
                }
                columns.begin_counts();
                columns.matrix.shared_with_text(&mut columns.tally, &mut columns.shared);
                for &(_, edge, column) in edges {
                    shared[edge as usize] += columns.shared[column as usize];
                }
            }
        }
    }

    /// The signature of a text that is still in the matrix, when it and its component are one block; reads it again when it
    /// was counted in slices.
    pub(super) fn signature_in_block(
        &self,
        plan: &Plan,
        block: &Range<usize>,
        text: usize,
        memory: &BlockMemory,
    ) -> Option<Box<[u32]>> {
        if memory.is_whole && memory.kept.matrix.num_columns() == block.len() {
            return Some(self.rereader.sign(&mut memory.kept.matrix.shingles(text - block.start)));
        }
        self.rereader.read_again(plan.texts[text], &mut |text, tools| tools.signature_of(text))
    }
}
