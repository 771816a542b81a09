//! Sorted runs: written once as blocks, searched by keys, and read in order for merging.

use rayon::prelude::*;

use crate::base::error::Result;
use crate::base::storage::SortedSource;
use crate::index::blocks::read_ahead::read_ahead;
use crate::index::blocks::run_block::{BlockPacker, OpenBlock, PackedBlock, RunRow, key_of};
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::IndexFile;
use crate::index::database::state::{RunKind, Segment};

/// The row number of a block of a run.
fn row_id(run: u32, block: u32) -> i64 {
    i64::from(run) << 32 | i64::from(block)
}

/// The first and last possible row number of a block of a run.
pub(crate) fn row_ids(run: u32) -> (i64, i64) {
    (row_id(run, 0), row_id(run, u32::MAX))
}

/// The number of runs of a tier that are merged into one; also the size ratio of adjacent tiers.
pub(crate) const RUNS_OF_TIER: u32 = 8;
/// The minimum number of keys for parallel sorting or searching.
pub(crate) const MANY_KEYS: usize = 1 << 14;
/// The number of blocks that are read before they are searched: 1 MB.
const BLOCKS_AT_A_TIME: usize = 64;
/// Bytes of a key among the fences.
const FENCE: usize = 6;

/// Writes a run row by row.
pub(crate) struct RunWriter<'f> {
    file: &'f IndexFile,
    run: PausedRun,
}

/// A run that is not complete; it may be written in several transactions.
pub(crate) struct PausedRun {
    segment: Segment,
    packer: BlockPacker,
    fences: Vec<u8>,
}

impl PausedRun {
    /// Creates a run without rows.
    pub(crate) fn new(id: u32, kind: RunKind) -> Self {
        let segment = Segment { id, kind, tier: 0, rows: 0, blocks: 0 };
        Self { segment, packer: BlockPacker::default(), fences: Vec::new() }
    }
}

impl<'f> RunWriter<'f> {
    pub(crate) fn new(file: &'f IndexFile, id: u32, kind: RunKind) -> Self {
        Self::resume(file, PausedRun::new(id, kind))
    }

    /// Continues a paused run.
    pub(crate) fn resume(file: &'f IndexFile, run: PausedRun) -> Self {
        Self { file, run }
    }

    /// Pauses the run; the blocks that were written are not part of the index yet.
    pub(crate) fn pause(self) -> PausedRun {
        self.run
    }

    /// The number of blocks that were written.
    pub(crate) fn num_blocks(&self) -> u32 {
        self.run.segment.blocks
    }

    /// Adds a row, which must be greater than the previous one.
    pub(crate) fn push(&mut self, row: RunRow) -> Result<()> {
        self.run.packer.push(row).map_or(Ok(()), |full| self.put(full))
    }

    /// Writes the next block.
    pub(crate) fn put(&mut self, block: PackedBlock) -> Result<()> {
        let PausedRun { segment, fences, .. } = &mut self.run;
        self.file.put(IndexTable::Runs, row_id(segment.id, segment.blocks), &block.bytes)?;
        fences.extend_from_slice(&block.first_key.to_le_bytes()[..FENCE]);
        segment.rows += block.num_rows;
        segment.blocks += 1;
        Ok(())
    }

    /// Completes the run; returns `None`, and writes nothing, when it has no rows.
    pub(crate) fn finish(mut self) -> Result<Option<Segment>> {
        while let Some(block) = self.run.packer.finish() {
            self.put(block)?;
        }
        let PausedRun { mut segment, fences, .. } = self.run;
        if segment.rows == 0 {
            return Ok(None);
        }
        self.file.put(IndexTable::Fences, segment.id.into(), &fences)?;
        segment.tier = segment.blocks.ilog(RUNS_OF_TIER);
        Ok(Some(segment))
    }
}

/// Deletes a run.
pub(crate) fn delete_run(file: &IndexFile, id: u32) -> Result<()> {
    let (from, to) = row_ids(id);
    file.delete(IndexTable::Runs, from, to)?;
    file.delete(IndexTable::Fences, id.into(), id.into())
}

/// A run that is open for reading.
pub(crate) struct SortedRun {
    pub(crate) segment: Segment,
    /// The first key of each block.
    fences: Vec<u64>,
}

impl SortedRun {
    /// Reads the first keys of the blocks of a run.
    ///
    /// # Errors
    /// When the first keys are damaged.
    pub(crate) fn open(file: &IndexFile, segment: &Segment) -> Result<Self> {
        let fences = file.need(IndexTable::Fences, segment.id.into(), |bytes| {
            let fences: Vec<u64> = bytes
                .chunks_exact(FENCE)
                .map(|fence| fence.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte)))
                .collect();
            (bytes.len() == FENCE * segment.blocks as usize && fences.is_sorted()).then_some(fences)
        })?;
        Ok(Self { segment: segment.clone(), fences })
    }

    /// The blocks that may contain rows with some keys, each with these keys.
    ///
    /// * `keys`: the keys, ascending.
    fn wanted_blocks<'k>(&self, keys: &'k [(u64, u32)]) -> impl Iterator<Item = (u32, &'k [(u64, u32)])> {
        (0..).zip(&self.fences).filter_map(move |(number, &fence)| {
            let start = keys.partition_point(|&(key, _)| key < fence);
            // The rows of the first key of the next block may begin in this block.
            let next = self.fences.get(number as usize + 1);
            let len = keys[start..].partition_point(|&(key, _)| next.is_none_or(|&next| key <= next));
            (len > 0).then(|| (number, &keys[start..start + len]))
        })
    }

    /// Creates a cursor to look up keys; ascending order is fastest.
    pub(crate) fn cursor<'r>(&'r self, file: &'r IndexFile) -> RunCursor<'r> {
        RunCursor { run: self, file, number: None, block: OpenBlock::default(), found: Vec::new() }
    }

    /// All rows, ascending.
    pub(crate) fn rows<'r>(&'r self, file: &'r IndexFile) -> RunRows<'r> {
        RunRows { cursor: self.cursor(file), next_block: 0, group: None, next_row: 0 }
    }
}

/// Finds rows of a run by their keys; caches the last block.
pub(crate) struct RunCursor<'r> {
    run: &'r SortedRun,
    file: &'r IndexFile,
    number: Option<u32>,
    block: OpenBlock,
    found: Vec<u32>,
}

impl RunCursor<'_> {
    /// Passes on the number of each row with a key, ascending.
    ///
    /// # Errors
    /// When a block is damaged, or `visit` fails.
    pub(crate) fn find(&mut self, key: u64, visit: &mut dyn FnMut(u32) -> Result<()>) -> Result<()> {
        // The rows of a key may begin in the block before the first one that starts with this key.
        let first = self.run.fences.partition_point(|&fence| fence < key).saturating_sub(1);
        for number in first..self.run.fences.len() {
            if self.run.fences[number] > key {
                break;
            }
            self.load(number as u32)?;
            self.found.clear();
            let (at, found) = (self.at(), &mut self.found);
            let searched = self.block.find(key, |number| found.push(number));
            searched.ok_or_else(|| self.file.damaged(IndexTable::Runs, at))?;
            self.found.iter().try_for_each(|&number| visit(number))?;
        }
        Ok(())
    }

    fn load(&mut self, number: u32) -> Result<()> {
        if self.number != Some(number) {
            let (at, block) = (row_id(self.run.segment.id, number), &mut self.block);
            self.number = None;
            self.file.need(IndexTable::Runs, at, |payload| block.open(payload))?;
            self.number = Some(number);
        }
        Ok(())
    }

    /// The rows of a group of the loaded block.
    fn rows_of(&mut self, group: usize) -> Result<&[RunRow]> {
        let at = self.at();
        self.block.rows_of(group).ok_or_else(|| self.file.damaged(IndexTable::Runs, at))
    }

    /// The row number of the loaded block.
    fn at(&self) -> i64 {
        row_id(self.run.segment.id, self.number.expect("a block is loaded"))
    }
}

/// Reads the rows of a run in order.
pub(crate) struct RunRows<'r> {
    cursor: RunCursor<'r>,
    next_block: u32,
    /// The current group of the block before `next_block`.
    group: Option<usize>,
    next_row: usize,
}

impl RunRows<'_> {
    /// Moves to the first row after a given one. Must be called before the first row is read.
    ///
    /// # Errors
    /// When a block is damaged.
    pub(crate) fn skip_past(&mut self, last: RunRow) -> Result<()> {
        let (key, _) = last;
        self.next_block = self.cursor.run.fences.partition_point(|&fence| fence < key).saturating_sub(1) as u32;
        while let Some(row) = self.next()? {
            if row > last {
                // The row is returned again: its group is still loaded.
                self.next_row -= 1;
                break;
            }
        }
        Ok(())
    }
}

impl SortedSource for RunRows<'_> {
    type Item = RunRow;

    fn next(&mut self) -> Result<Option<RunRow>> {
        loop {
            if let Some(group) = self.group {
                if let Some(&row) = self.cursor.rows_of(group)?.get(self.next_row) {
                    self.next_row += 1;
                    return Ok(Some(row));
                }
                self.group = Some(group + 1).filter(|&group| group < self.cursor.block.num_groups());
                self.next_row = 0;
                continue;
            }
            if self.next_block == self.cursor.run.segment.blocks {
                return Ok(None);
            }
            self.cursor.load(self.next_block)?;
            self.next_block += 1;
            self.group = (self.cursor.block.num_groups() > 0).then_some(0);
        }
    }
}

/// Looks up keys in several runs.
///
/// * `keys`: the keys, ascending, each with a tag.
/// * `pool`: searches blocks while the calling thread reads others, if there are many keys. The order of rows is the
///   same.
/// * `visit`: receives the tag of a key and the number of a row with this key.
///
/// # Errors
/// When a block is damaged, or `visit` fails.
pub(crate) fn look_up(
    file: &IndexFile,
    runs: &[SortedRun],
    keys: &[(u64, u32)],
    pool: Option<&rayon::ThreadPool>,
    visit: &mut dyn FnMut(u32, u32) -> Result<()>,
) -> Result<()> {
    if let Some(pool) = pool.filter(|_| keys.len() >= MANY_KEYS) {
        return look_up_together(file, runs, keys, pool, visit);
    }
    for run in runs {
        let mut cursor = run.cursor(file);
        for of_key in keys.chunk_by(|a, b| a.0 == b.0) {
            cursor.find(of_key[0].0, &mut |number| of_key.iter().try_for_each(|&(_, tag)| visit(tag, number)))?;
        }
    }
    Ok(())
}

fn look_up_together(
    file: &IndexFile,
    runs: &[SortedRun],
    keys: &[(u64, u32)],
    pool: &rayon::ThreadPool,
    visit: &mut dyn FnMut(u32, u32) -> Result<()>,
) -> Result<()> {
    for run in runs {
        let wanted: Vec<(u32, &[(u64, u32)])> = run.wanted_blocks(keys).collect();
        let mut parts = wanted.chunks(BLOCKS_AT_A_TIME);
        let read_one = |&(number, keys): &(u32, _)| {
            let payload = file.need(IndexTable::Runs, row_id(run.segment.id, number), |bytes| Some(bytes.to_vec()));
            payload.map(|payload| (number, payload, keys))
        };
        let read = || parts.next().map(|part| part.iter().map(read_one).collect::<Result<Vec<_>>>()).transpose();
        let search_one = |block: &mut OpenBlock, (number, payload, keys): (u32, Vec<u8>, &[(u64, u32)])| {
            let mut found = Vec::new();
            block.open(&payload).ok_or(number)?;
            for of_key in keys.chunk_by(|a, b| a.0 == b.0) {
                let add = |row| found.extend(of_key.iter().map(|&(_, tag)| (tag, row)));
                block.find(of_key[0].0, add).ok_or(number)?;
            }
            Ok(found)
        };
        let search = |blocks: Vec<_>| blocks.into_par_iter().map_init(OpenBlock::default, search_one).collect();
        let take_all = |found: Vec<std::result::Result<Vec<(u32, u32)>, u32>>| {
            found.into_iter().try_for_each(|found| {
                let found = found.map_err(|number| file.damaged(IndexTable::Runs, row_id(run.segment.id, number)))?;
                found.into_iter().try_for_each(|(tag, row)| visit(tag, row))
            })
        };
        read_ahead(pool, read, search, take_all)?;
    }
    Ok(())
}

/// The run keys of normalised texts, ascending, each with the position of its text.
pub(crate) fn keys_of(contents: &[u128]) -> Vec<(u64, u32)> {
    let mut keys: Vec<(u64, u32)> =
        (0..).zip(contents).map(|(tag, content)| (key_of((content >> 64) as u64), tag)).collect();
    keys.sort_unstable();
    keys
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn wanted_blocks_are_those_that_a_cursor_reads(
            mut fences in prop::collection::vec(0u64..30, 1..12),
            mut keys in prop::collection::vec(0u64..34, 0..20),
        ) {
            fences.sort_unstable();
            keys.sort_unstable();
            let keys: Vec<(u64, u32)> = keys.into_iter().zip(0..).collect();
            let segment = Segment { id: 0, kind: RunKind::Bands, tier: 0, rows: 1, blocks: fences.len() as u32 };
            let mut expected = vec![Vec::new(); fences.len()];
            for &key in &keys {
                let first = fences.partition_point(|&fence| fence < key.0).saturating_sub(1);
                let blocks = (first..fences.len()).take_while(|&block| fences[block] <= key.0);
                blocks.for_each(|block| expected[block].push(key));
            }
            let run = SortedRun { segment, fences };
            let mut wanted = vec![Vec::new(); expected.len()];
            run.wanted_blocks(&keys).for_each(|(block, keys)| wanted[block as usize] = keys.to_vec());
            prop_assert_eq!(wanted, expected);
        }
    }
}
