//! `FamilyCounter`: counts the pairs of a family in blocks, with all threads.
//!
//! The documents of a family are cut into ranges, and each range is read by one thread into one block, or into several if
//! it does not fit one. Only the classes of its shingles stay in memory. Then the pairs of each two blocks are
//! counted. If the classes of all blocks, or one set, do not fit the memory, counting begins again, with one slice of the
//! range of hashes at a time.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::add_set::{AddedSet, add_set};
use super::family::Family;
use super::shared_counts::SharedCounts;
use super::slice::Slice;
use crate::compare::block::{Block, MOST_TEXTS, ShingleClasses, ShingleCounts};
use crate::search::pairs::plan::SearchLimits;
use crate::search::pairs::sets::{PassingBytes, SetMemory, SetSource};

/// The maximum number of shingles, repeats counted, of the sets of a range that one thread reads, unless it is one set.
const RANGE_SHINGLES: usize = 1 << 26;
/// A slice of a family with at most this many shingles, repeats counted, is counted whatever the memory: it needs some
/// hundreds of kilobytes.
const LEAST_SHINGLES: u64 = 1 << 12;

/// Counts families.
#[derive(Clone, Copy)]
pub(in crate::search::pairs) struct FamilyCounter<'s> {
    pub(in crate::search::pairs) sets: &'s dyn SetSource,
    pub(in crate::search::pairs) memory: &'s SetMemory,
    pub(in crate::search::pairs) limits: &'s SearchLimits,
    /// Whether sets are signed where they are in memory.
    pub(in crate::search::pairs) signs: bool,
}

/// Some documents of a family whose shingles are in memory, in classes.
struct FamilyBlock<'m> {
    positions: Range<usize>,
    classes: ShingleClasses,
    /// The size of each set; `None` for a document that can no longer be read.
    sizes: Vec<Option<ShingleCounts>>,
    /// The signature of each set; empty if sets are not signed.
    signatures: Vec<Box<[u32]>>,
    _in_use: PassingBytes<'m>,
}

/// The sets do not fit the memory: this many times as many slices are needed.
struct TooLarge(f64);

impl<'s> FamilyCounter<'s> {
    /// Counts all pairs of a family.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(in crate::search::pairs) fn count(self, family: &Family) -> SharedCounts {
        let mut bits = 0;
        loop {
            match self.count_in_slices(family, bits) {
                Ok(counts) => return counts,
                Err(TooLarge(factor)) => bits += factor.log2().ceil().clamp(1.0, 10.0) as u32,
            }
        }
    }

    fn count_in_slices(self, family: &Family, bits: u32) -> Result<SharedCounts, TooLarge> {
        let mut counts = SharedCounts::new(family.documents().len(), family.num_pairs(), self.sets.is_plain());
        let _in_use = self.memory.pass(counts.num_bytes() as u64);
        let texts = family.texts_by_position();
        for slice in Slice::all(bits) {
            let mut blocks = self.blocks(family, slice)?;
            for block in &mut blocks {
                let sizes = block.positions.clone().zip(&block.sizes);
                sizes.for_each(|(position, &size)| counts.add_size(position, size));
                let signatures = block.positions.clone().zip(std::mem::take(&mut block.signatures));
                signatures.for_each(|(position, signature)| counts.set_signature(position, signature));
            }
            if blocks.len() > 1 {
                blocks.par_iter_mut().with_max_len(1).for_each(|block| block.classes.sort());
            }
            let all = (0..blocks.len()).flat_map(|a| (a..blocks.len()).map(move |b| (a, b)));
            let tasks: Vec<(usize, usize)> = all.collect();
            let count = |&(a, b): &(usize, usize)| self.count_pairs(family, &texts, &blocks[a], &blocks[b], &counts);
            tasks.par_iter().with_max_len(1).for_each(count);
        }
        Ok(counts)
    }

    /// The ranges of documents that are read by one thread each.
    fn ranges(self, family: &Family) -> Vec<Range<usize>> {
        let (mut ranges, mut start, mut num_shingles) = (Vec::new(), 0, 0);
        for (position, &document) in family.documents().iter().enumerate() {
            let more = self.sets.most_shingles(document);
            if position - start == MOST_TEXTS || (position > start && num_shingles + more > RANGE_SHINGLES) {
                ranges.push(start..position);
                (start, num_shingles) = (position, 0);
            }
            num_shingles += more;
        }
        ranges.push(start..family.documents().len());
        ranges
    }

    /// Reads the part of all sets that is in a slice.
    fn blocks(self, family: &Family, slice: Slice) -> Result<Vec<FamilyBlock<'s>>, TooLarge> {
        let num_shingles = self.num_shingles(family, 0..family.documents().len());
        let most = |bytes| if slice.share_of(num_shingles) > LEAST_SHINGLES { bytes } else { u64::MAX };
        let ranges = self.ranges(family);
        // Fewer ranges than threads share the memory of all threads.
        let num_threads = self.limits.num_threads as u64;
        let block_bytes = self.limits.block_bytes * num_threads / num_threads.min(ranges.len() as u64);
        let pool = Pool {
            most_block_bytes: most(block_bytes),
            most_kept_bytes: most(self.limits.kept_bytes),
            num_shingles,
            signs: self.signs && slice.is_whole(),
            num_done: AtomicU64::new(0),
            kept_bytes: AtomicU64::new(0),
        };
        let read = |positions: Range<usize>| self.blocks_of(family, positions, slice, &pool);
        let read: Result<Vec<_>, _> = ranges.into_par_iter().with_max_len(1).map(read).collect();
        Ok(read?.into_iter().flatten().collect())
    }

    /// Reads a range of documents into one block or several.
    fn blocks_of(
        self,
        family: &Family,
        positions: Range<usize>,
        slice: Slice,
        pool: &Pool,
    ) -> Result<Vec<FamilyBlock<'s>>, TooLarge> {
        let (mut blocks, mut block, mut sizes, mut start) = (Vec::new(), Block::default(), Vec::new(), positions.start);
        let mut position = positions.start;
        while position < positions.end {
            let document = family.documents()[position];
            if block.len() == 0 {
                // Half of a text may be repeated, and most of the others is known.
                block.clear(
                    slice.share_of(self.sets.most_shingles(document) as u64 / 2) as usize,
                    pool.most_block_bytes,
                );
            }
            let size = match add_set(self.sets, document, slice, &mut block, pool.most_block_bytes) {
                AddedSet::Added(size) => Some(size),
                AddedSet::Lost => None,
                AddedSet::Full(times) if block.len() == 0 => return Err(TooLarge(times)),
                AddedSet::Full(_) => {
                    blocks.push(self.finish(family, start..position, &block, std::mem::take(&mut sizes), pool)?);
                    block.clear(0, 0);
                    start = position;
                    continue;
                }
            };
            sizes.push(size);
            position += 1;
        }
        blocks.push(self.finish(family, start..position, &block, sizes, pool)?);
        Ok(blocks)
    }

    /// Makes the classes of a block.
    fn finish(
        self,
        family: &Family,
        positions: Range<usize>,
        block: &Block,
        sizes: Vec<Option<ShingleCounts>>,
        pool: &Pool,
    ) -> Result<FamilyBlock<'s>, TooLarge> {
        let _in_use = self.memory.pass(block.num_bytes() as u64);
        let classes = block.classes();
        let num_shingles = self.num_shingles(family, positions.clone());
        let num_bytes = classes.num_bytes() as u64;
        let num_done = pool.num_done.fetch_add(num_shingles, Ordering::Relaxed) + num_shingles;
        let kept_bytes = pool.kept_bytes.fetch_add(num_bytes, Ordering::Relaxed) + num_bytes;
        if kept_bytes > pool.most_kept_bytes {
            return Err(TooLarge(pool.num_shingles as f64 / num_done.max(1) as f64));
        }
        let sign = |set: usize| {
            let (hashes, weights) = block.set(set);
            self.sets.sign(&hashes, &weights)
        };
        let signatures = if pool.signs { (0..block.len()).map(sign).collect() } else { Vec::new() };
        Ok(FamilyBlock { positions, classes, sizes, signatures, _in_use: self.memory.pass(num_bytes) })
    }

    /// The number of shingles of some documents, repeats counted.
    fn num_shingles(self, family: &Family, positions: Range<usize>) -> u64 {
        family.documents()[positions].iter().map(|&document| self.sets.most_shingles(document) as u64).sum()
    }

    /// Counts the pairs of the texts of two blocks, or of one block.
    ///
    /// * `texts`: the number of the text at each position.
    fn count_pairs(
        self,
        family: &Family,
        texts: &[Option<u32>],
        a: &FamilyBlock<'_>,
        b: &FamilyBlock<'_>,
        counts: &SharedCounts,
    ) {
        let is_same = std::ptr::eq(a, b);
        let counter = OnceCell::new();
        let make = || if is_same { a.classes.within() } else { a.classes.join(&b.classes) };
        // A pair is listed by one of its texts, which is in either block.
        for (own, theirs) in [(a, b), (b, a)].into_iter().take(if is_same { 1 } else { 2 }) {
            let is_turned = !std::ptr::eq(own, a);
            for (at, position) in own.positions.clone().enumerate() {
                let Some(text) = texts[position].filter(|_| own.sizes[at].is_some()) else { continue };
                let (_, list, first_pair) = family.text(text as usize);
                let from = list.partition_point(|&other| (other as usize) < theirs.positions.start);
                for (pair, &other) in (first_pair + from..).zip(&list[from..]) {
                    if other as usize >= theirs.positions.end {
                        break;
                    }
                    let other = other as usize - theirs.positions.start;
                    if theirs.sizes[other].is_some() {
                        let (a, b) = if is_turned { (other, at) } else { (at, other) };
                        counts.add(pair, counter.get_or_init(make).shared(a, b));
                    }
                }
            }
        }
    }
}

/// The room for the blocks of a slice, shared by all threads.
struct Pool {
    most_block_bytes: u64,
    most_kept_bytes: u64,
    /// The number of shingles of all sets, repeats counted.
    num_shingles: u64,
    signs: bool,
    /// The number of shingles of the sets that were read.
    num_done: AtomicU64,
    /// The bytes of the classes that are kept.
    kept_bytes: AtomicU64,
}
