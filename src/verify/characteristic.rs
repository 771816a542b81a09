//! The characteristic matrix of a block of documents, its equal rows collapsed into classes.
//!
//! The matrix has a row for each distinct shingle and a column for each document of the block (MMDS 3.3.1). Among relatives
//! most rows are equal: forty releases of a page have ten thousand shingles and a few hundred different rows. Rows that are
//! equal form a *class*, whose weight is their number, so
//!
//! ```text
//! |A ∩ B| = sum of the weights of the classes that hold both A and B
//! ```
//!
//! The classes come from partition refinement (Hopcroft 1971; Paige and Tarjan 1987), one document after another: when a
//! document has shingles of a class, these move to a child of that class, which holds the parent's documents and this
//! one.
//!
//! Shingles are not looked up one by one where that can be helped. The stream of a text's shingles is cut into *chunks*
//! where the content says so (Muthitacharoen, Chen and Mazières 2001, on files), and the matrix remembers which shingles
//! each chunk holds, as runs of places. A passage that any earlier text of the block has had is entered by its chunks.

use std::ops::Range;

use super::chunks::Chunker;
use super::kernel::tally::add_weights;
use crate::shingle::{BLOCK_LEN, ShingleHashes, ShingleIndex, prefetch};

/// The class of shingles that no document has (any more); the parent of all.
const NOBODY: u32 = 0;

/// Distinct shingles whose table no longer fits a processor's second-level cache, at 16 to 32 bytes each.
const LEAST_PREFETCHED: usize = 1 << 15;

/// The shingles of a block of documents: 20 to 30 bytes for each distinct one, 16 and up for each class.
#[derive(Debug, Default)]
pub(crate) struct CharacteristicMatrix {
    /// The distinct shingles, in the order of their first occurrence.
    hashes: Vec<u64>,
    index: ShingleIndex,
    /// The class of each.
    class_of: Vec<u32>,
    classes: Vec<Class>,
    columns: Vec<Column>,
    /// The distinct shingles of all columns as runs of `hashes`, column after column.
    runs: Vec<Range<u32>>,
    /// Where the next shingle stands when it follows the last one as it did before.
    next: usize,
    chunker: Chunker,
    /// The chunks so far by their ids, and the places of the shingles of each as runs, chunk after chunk.
    chunk_ids: Vec<u64>,
    chunk_index: ShingleIndex,
    chunk_ends: Vec<u32>,
    chunk_runs: Vec<Range<u32>>,
    /// What `seal` makes: words of a row of the collapsed matrix, the rows of all classes, and their weights.
    num_words: usize,
    masks: Vec<u64>,
    weights: Vec<u32>,
    /// The classes of each column that at least one other column has too, and where those of each column end.
    shared_classes: Vec<u32>,
    shared_ends: Vec<u32>,
}

/// A class: the documents of its parent, and one more.
#[derive(Debug, Clone, Copy)]
struct Class {
    parent: u32,
    /// The column that it has and its parent has not.
    column: u32,
    /// The last column for which it got a child, and that child.
    child_column: u32,
    child: u32,
}

/// No column: more than any block has.
const NO_COLUMN: u32 = u32::MAX;

impl Class {
    fn new(parent: u32, column: u32) -> Self {
        Self { parent, column, child_column: NO_COLUMN, child: 0 }
    }
}

#[derive(Debug, Clone, Copy)]
struct Column {
    /// The number of distinct shingles.
    len: u32,
    runs_end: u32,
}

/// What a text outside of the block shares with its classes. Reusable.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// A bit for each distinct shingle that the text has had, and the runs that they stand in.
    seen: Vec<u64>,
    seen_runs: Vec<Range<u32>>,
    /// By class; 0 for those that are not touched.
    counts: Vec<u32>,
    touched: Vec<u32>,
    next: usize,
    chunker: Chunker,
}

impl CharacteristicMatrix {
    /// Forgets everything but the memory, of which no more is kept than `most_kept` shingles take.
    pub(crate) fn clear(&mut self, most_kept: usize) {
        if self.hashes.capacity() > most_kept {
            *self = Self::default();
        }
        self.hashes.clear();
        self.index.clear();
        self.class_of.clear();
        self.classes.clear();
        self.classes.push(Class::new(NOBODY, NO_COLUMN));
        self.columns.clear();
        self.runs.clear();
        self.next = 0;
        self.chunk_ids.clear();
        self.chunk_index.clear();
        self.chunk_ends.clear();
        self.chunk_runs.clear();
    }

    /// The number of distinct shingles.
    pub(crate) fn num_shingles(&self) -> usize {
        self.hashes.len()
    }

    /// Bytes in use.
    pub(crate) fn num_bytes(&self) -> usize {
        12 * self.hashes.capacity()
            + self.index.num_bytes()
            + size_of::<Class>() * self.classes.capacity()
            + size_of::<Range<u32>>() * (self.runs.capacity() + self.chunk_runs.capacity())
            + 12 * self.chunk_ids.capacity()
            + self.chunk_index.num_bytes()
            + 8 * self.masks.capacity()
            + 4 * (self.weights.capacity() + self.shared_classes.capacity())
    }

    /// Begins the next column.
    pub(crate) fn begin_column(&mut self) {
        self.columns.push(Column { len: 0, runs_end: small(self.runs.len()) });
        self.next = 0;
    }

    /// Adds shingles to the last column; repeats do not matter.
    ///
    /// # Panics
    /// When there is no column yet.
    pub(crate) fn add(&mut self, block: &[u64]) {
        let mut chunker = std::mem::take(&mut self.chunker);
        chunker.cut(block, &mut |id, chunk| self.add_chunk(id, chunk));
        self.chunker = chunker;
    }

    /// Ends the last column.
    pub(crate) fn end_column(&mut self) {
        let mut chunker = std::mem::take(&mut self.chunker);
        chunker.end(&mut |id, chunk| self.add_chunk(id, chunk));
        self.chunker = chunker;
    }

    fn add_chunk(&mut self, id: u64, shingles: &[u64]) {
        self.chunk_index.reserve(&self.chunk_ids, self.chunk_ids.len() + 1);
        let column = small(self.columns.len() - 1);
        let chunk = self.chunk_index.find_or_insert(&mut self.chunk_ids, id);
        if chunk == self.chunk_ends.len() {
            self.place(shingles);
            self.chunk_ends.push(small(self.chunk_runs.len()));
        }
        for run in self.runs_of(chunk) {
            let run = self.chunk_runs[run].clone();
            self.move_run(run.start as usize..run.end as usize, column);
        }
    }

    /// Where the runs of a chunk stand.
    fn runs_of(&self, chunk: usize) -> Range<usize> {
        let start = chunk.checked_sub(1).map_or(0, |before| self.chunk_ends[before]);
        start as usize..self.chunk_ends[chunk] as usize
    }

    /// Appends the places of the shingles of a chunk as runs.
    fn place(&mut self, shingles: &[u64]) {
        self.index.reserve(&self.hashes, self.hashes.len() + shingles.len());
        self.prefetch(shingles);
        let start = self.chunk_runs.len();
        let mut rest = shingles;
        while let Some(&hash) = rest.first() {
            if self.hashes.get(self.next) != Some(&hash) {
                self.next = self.index.find_or_insert(&mut self.hashes, hash);
                if self.next == self.class_of.len() {
                    self.class_of.push(NOBODY);
                }
            }
            let len = common_prefix_len(&self.hashes[self.next..], rest);
            let run = small(self.next)..small(self.next + len);
            match self.chunk_runs[start..].last_mut() {
                Some(last) if last.end == run.start => last.end = run.end,
                _ => self.chunk_runs.push(run),
            }
            self.next += len;
            rest = &rest[len..];
        }
    }

    /// Brings what looking up these shingles needs nearer, when it is not near anyhow.
    fn prefetch(&self, shingles: &[u64]) {
        if self.hashes.len() < LEAST_PREFETCHED {
            return;
        }
        shingles.iter().for_each(|&hash| self.index.prefetch(hash));
        for position in shingles.iter().filter_map(|&hash| self.index.likely_position(hash)) {
            prefetch(&self.hashes, position);
            prefetch(&self.class_of, position);
        }
    }

    /// Moves a run of shingles, which the column has, to classes that hold it.
    fn move_run(&mut self, run: Range<usize>, column: u32) {
        let mut start = run.start;
        while start < run.end {
            let class = self.class_of[start];
            let end = start + equal_prefix_len(&self.class_of[start..run.end], class);
            let Class { column: last, child_column, child, .. } = self.classes[class as usize];
            // Else the document has had them before.
            if last != column {
                let child = if child_column == column { child } else { self.new_class(class, column) };
                self.class_of[start..end].fill(child);
                self.push_run(start as u32..end as u32);
            }
            start = end;
        }
    }

    /// Adds distinct shingles to the last column.
    fn push_run(&mut self, run: Range<u32>) {
        let is_first = match self.columns.as_slice() {
            [.., before, last] => before.runs_end == last.runs_end,
            _ => self.runs.is_empty(),
        };
        let column = self.columns.last_mut().expect("begun");
        column.len += run.end - run.start;
        match self.runs.last_mut() {
            Some(last) if !is_first && last.end == run.start => last.end = run.end,
            _ => self.runs.push(run),
        }
        column.runs_end = small(self.runs.len());
    }

    fn new_class(&mut self, parent: u32, column: u32) -> u32 {
        let child = small(self.classes.len());
        self.classes.push(Class::new(parent, column));
        let parent = &mut self.classes[parent as usize];
        (parent.child_column, parent.child) = (column, child);
        child
    }

    /// The number of columns.
    pub(crate) fn num_columns(&self) -> usize {
        self.columns.len()
    }

    /// The number of distinct shingles of a column.
    pub(crate) fn len(&self, column: usize) -> u32 {
        self.columns[column].len
    }

    /// The distinct shingles of a column.
    pub(crate) fn shingles(&self, column: usize) -> ColumnShingles<'_> {
        let start = column.checked_sub(1).map_or(0, |before| self.columns[before].runs_end);
        ColumnShingles { matrix: self, runs: start as usize..self.columns[column].runs_end as usize }
    }

    /// Collapses the matrix; to be called when all columns are there, before shared shingles are counted.
    pub(crate) fn seal(&mut self) {
        let Self { classes, masks, weights, .. } = self;
        let num_words = self.columns.len().div_ceil(64);
        self.num_words = num_words;
        weights.clear();
        weights.resize(classes.len(), 0);
        self.class_of.iter().for_each(|&class| weights[class as usize] += 1);
        masks.clear();
        masks.resize(num_words * classes.len(), 0);
        for (number, class) in classes.iter().enumerate().skip(1) {
            // A parent stands before its children.
            let (before, own) = masks.split_at_mut(num_words * number);
            let parent = num_words * class.parent as usize;
            own[..num_words].copy_from_slice(&before[parent..parent + num_words]);
            own[class.column as usize / 64] |= 1 << (class.column % 64);
        }
        self.list_shared_classes();
    }

    fn list_shared_classes(&mut self) {
        let Self { masks, weights, shared_classes, shared_ends, num_words, columns, .. } = self;
        shared_ends.clear();
        shared_ends.resize(columns.len() + 1, 0);
        let shared = || {
            let rows = masks.chunks_exact(*num_words).zip(weights.iter()).enumerate();
            rows.filter(|(_, (mask, weight))| **weight > 0 && mask.iter().map(|word| word.count_ones()).sum::<u32>() > 1)
        };
        for (_, (mask, _)) in shared() {
            bits(mask).for_each(|column| shared_ends[column + 1] += 1);
        }
        for column in 0..columns.len() {
            shared_ends[column + 1] += shared_ends[column];
        }
        shared_classes.clear();
        shared_classes.resize(shared_ends[columns.len()] as usize, 0);
        // Each end starts as the column's start and moves on to it.
        for (class, (mask, _)) in shared() {
            for column in bits(mask) {
                shared_classes[shared_ends[column] as usize] = class as u32;
                shared_ends[column] += 1;
            }
        }
    }

    /// Writes how many shingles a column shares with each column of the block.
    ///
    /// * `shared`: a multiple of 64 values, at least one for each column; what it shares with itself is not defined.
    pub(crate) fn shared_with_column(&self, column: usize, shared: &mut [u32]) {
        let start = column.checked_sub(1).map_or(0, |before| self.shared_ends[before]);
        let classes = &self.shared_classes[start as usize..self.shared_ends[column] as usize];
        add_weights(&self.masks, self.num_words, classes, &self.weights, shared);
    }

    /// Begins to count a text that is not in the block.
    pub(crate) fn begin_text(&self, tally: &mut Tally) {
        tally.next = 0;
        tally.seen.resize(self.hashes.len().div_ceil(64).max(tally.seen.len()), 0);
        tally.counts.resize(self.classes.len().max(tally.counts.len()), 0);
    }

    /// Counts shingles of that text; repeats do not matter.
    pub(crate) fn count(&self, block: &[u64], tally: &mut Tally) {
        let mut chunker = std::mem::take(&mut tally.chunker);
        chunker.cut(block, &mut |id, chunk| self.count_chunk(id, chunk, tally));
        tally.chunker = chunker;
    }

    fn count_chunk(&self, id: u64, shingles: &[u64], tally: &mut Tally) {
        if self.hashes.is_empty() {
            return;
        }
        if let Some(chunk) = self.chunk_index.find(&self.chunk_ids, id) {
            for run in &self.chunk_runs[self.runs_of(chunk)] {
                tally.count_run(&self.class_of, run.start as usize..run.end as usize);
            }
            return;
        }
        self.prefetch(shingles);
        let mut rest = shingles;
        while let Some(&hash) = rest.first() {
            if self.hashes.get(tally.next) != Some(&hash) {
                let Some(position) = self.index.find(&self.hashes, hash) else {
                    rest = &rest[1..];
                    continue;
                };
                tally.next = position;
            }
            let run = common_prefix_len(&self.hashes[tally.next..], rest);
            tally.count_run(&self.class_of, tally.next..tally.next + run);
            tally.next += run;
            rest = &rest[run..];
        }
    }

    /// Writes how many shingles that text shares with each column, as [`shared_with_column`](Self::shared_with_column).
    pub(crate) fn shared_with_text(&self, tally: &mut Tally, shared: &mut [u32]) {
        let mut chunker = std::mem::take(&mut tally.chunker);
        chunker.end(&mut |id, chunk| self.count_chunk(id, chunk, tally));
        tally.chunker = chunker;
        let Tally { counts, touched, seen, seen_runs, .. } = tally;
        add_weights(&self.masks, self.num_words, touched, counts, shared);
        for class in touched.drain(..) {
            counts[class as usize] = 0;
        }
        for run in seen_runs.drain(..) {
            seen[run.start as usize / 64..(run.end as usize).div_ceil(64)].fill(0);
        }
    }
}

impl Tally {
    /// Counts a run of shingles by their classes, but for those that were counted before.
    fn count_run(&mut self, class_of: &[u32], run: Range<usize>) {
        let is_new = |at: usize| self.seen[at / 64] >> (at % 64) & 1 == 0;
        let words = &self.seen[run.start / 64..run.end.div_ceil(64)];
        if words.iter().all(|&word| word == 0) || run.clone().all(is_new) {
            let mut start = run.start;
            while start < run.end {
                let class = class_of[start];
                let len = equal_prefix_len(&class_of[start..run.end], class);
                self.add(class, len as u32);
                start += len;
            }
        } else {
            for at in run.clone() {
                if self.seen[at / 64] >> (at % 64) & 1 == 0 {
                    self.add(class_of[at], 1);
                }
            }
        }
        set_bits(&mut self.seen, run.clone());
        self.seen_runs.push(run.start as u32..run.end as u32);
    }

    fn add(&mut self, class: u32, weight: u32) {
        let count = &mut self.counts[class as usize];
        if *count == 0 {
            self.touched.push(class);
        }
        *count += weight;
    }
}

/// Sets the bits of a range.
fn set_bits(words: &mut [u64], range: Range<usize>) {
    let Range { mut start, end } = range;
    while start < end {
        let (word, bit) = (start / 64, start % 64);
        let len = (64 - bit).min(end - start);
        words[word] |= (u64::MAX >> (64 - len)) << bit;
        start += len;
    }
}

/// How many hashes two lists have in common before the first that differs.
fn common_prefix_len(a: &[u64], b: &[u64]) -> usize {
    const RUN: usize = 8;
    let (a_runs, b_runs) = (a.as_chunks::<RUN>().0, b.as_chunks::<RUN>().0);
    // Without a branch inside a run, which also keeps the compiler from calling memcmp for 64 bytes.
    let alike = |(a, b): &(&[u64; RUN], &[u64; RUN])| a.iter().zip(*b).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0;
    let whole = RUN * a_runs.iter().zip(b_runs).take_while(alike).count();
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(a, b)| a == b).count()
}

/// How many numbers at the start of a list are this one.
fn equal_prefix_len(numbers: &[u32], number: u32) -> usize {
    const RUN: usize = 16;
    let alike = |run: &&[u32; RUN]| run.iter().fold(0, |bits, other| bits | (other ^ number)) == 0;
    let whole = RUN * numbers.as_chunks::<RUN>().0.iter().take_while(alike).count();
    whole + numbers[whole..].iter().take_while(|&&other| other == number).count()
}

/// The distinct shingles of a column, as a signer takes them.
pub(crate) struct ColumnShingles<'m> {
    matrix: &'m CharacteristicMatrix,
    runs: Range<usize>,
}

impl ShingleHashes for ColumnShingles<'_> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        // Short runs are put together, since what visits them works on many at a time.
        let mut gathered = Vec::with_capacity(BLOCK_LEN);
        for run in &self.matrix.runs[self.runs.clone()] {
            let run = &self.matrix.hashes[run.start as usize..run.end as usize];
            if gathered.len() + run.len() > BLOCK_LEN && !gathered.is_empty() {
                visit(&gathered);
                gathered.clear();
            }
            if run.len() >= BLOCK_LEN { visit(run) } else { gathered.extend_from_slice(run) }
        }
        if !gathered.is_empty() {
            visit(&gathered);
        }
    }
}

/// The places of the bits that are set.
fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(number, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| 64 * number + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            bit
        })
    })
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 shingles in a block")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// Lists that share runs, as near-duplicates do, and repeat some of their hashes.
    fn documents() -> impl Strategy<Value = Vec<Vec<u64>>> {
        let piece = (0u64..600, 1u64..40).prop_map(|(start, len)| (start..start + len).collect::<Vec<u64>>());
        let document = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
        prop::collection::vec(document, 1..140)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn shared_shingles_equal_those_of_hash_sets(documents in documents(), outside in documents(), cut in 1usize..50) {
            let sets: Vec<HashSet<u64>> = documents.iter().map(|hashes| hashes.iter().copied().collect()).collect();
            let mut matrix = CharacteristicMatrix::default();
            let mut tally = Tally::default();
            // Twice, the second time in used memory.
            for _ in 0..2 {
                matrix.clear(usize::MAX);
                for document in &documents {
                    matrix.begin_column();
                    document.chunks(cut).for_each(|block| matrix.add(block));
                    matrix.end_column();
                }
                matrix.seal();
                prop_assert_eq!(matrix.num_columns(), documents.len());
                let mut shared = vec![0; documents.len().next_multiple_of(64)];
                for (column, set) in sets.iter().enumerate() {
                    prop_assert_eq!(matrix.len(column) as usize, set.len());
                    let mut distinct = Vec::new();
                    matrix.shingles(column).for_each_block(&mut |block| distinct.extend_from_slice(block));
                    prop_assert_eq!(distinct.len(), set.len());
                    prop_assert_eq!(&distinct.into_iter().collect::<HashSet<u64>>(), set);
                    shared.fill(0);
                    matrix.shared_with_column(column, &mut shared);
                    for (other, theirs) in sets.iter().enumerate().filter(|&(other, _)| other != column) {
                        prop_assert_eq!(shared[other] as usize, set.intersection(theirs).count());
                    }
                }
                for text in &outside {
                    matrix.begin_text(&mut tally);
                    text.chunks(cut).for_each(|block| matrix.count(block, &mut tally));
                    shared.fill(0);
                    matrix.shared_with_text(&mut tally, &mut shared);
                    let text: HashSet<u64> = text.iter().copied().collect();
                    for (column, set) in sets.iter().enumerate() {
                        prop_assert_eq!(shared[column] as usize, set.intersection(&text).count());
                    }
                }
            }
        }
    }

    #[test]
    fn relatives_have_few_classes_and_runs() {
        let base: Vec<u64> = (0..10_000u64).map(|i| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes())).collect();
        let mut matrix = CharacteristicMatrix::default();
        matrix.clear(usize::MAX);
        for version in 0..7 {
            matrix.begin_column();
            let mut text = base.clone();
            text[version * 1000..version * 1000 + 9].fill(version as u64);
            matrix.add(&text);
            matrix.end_column();
        }
        matrix.seal();
        assert!(matrix.shared_classes.len() <= 7 * 16, "{}", matrix.shared_classes.len());
        assert!(matrix.runs.len() <= 7 * 4, "{}", matrix.runs.len());
    }
}
