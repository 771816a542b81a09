//! Sorted runs: written once as blocks, looked up by keys, read through when they are merged.

use super::file::IndexFile;
use super::run_block::{BlockPacker, PackedBlock, RowGroups, RunRow, key_of, unpack_group};
use super::sealed::IndexTable;
use super::state::{RunKind, Segment};
use crate::error::Result;

/// The place of a block of a run.
fn place(run: u32, block: u32) -> i64 {
    i64::from(run) << 32 | i64::from(block)
}

/// The places of all blocks of a run.
pub(super) fn places(run: u32) -> (i64, i64) {
    (place(run, 0), place(run, u32::MAX))
}

/// Runs of one tier that are merged into one; also how many times larger the runs of the next tier are.
pub(super) const RUNS_OF_TIER: u32 = 8;
/// Bytes of a key among the fences.
const FENCE: usize = 6;

/// Writes a run, row by row.
pub(super) struct RunWriter<'f> {
    file: &'f IndexFile,
    segment: Segment,
    packer: BlockPacker,
    fences: Vec<u8>,
}

/// A run that is written in several transactions, between two of them.
pub(super) struct PausedRun {
    segment: Segment,
    packer: BlockPacker,
    fences: Vec<u8>,
}

impl PausedRun {
    /// A run without any row yet.
    pub(super) fn new(id: u32, kind: RunKind) -> Self {
        let segment = Segment { id, kind, tier: 0, rows: 0, blocks: 0 };
        Self { segment, packer: BlockPacker::default(), fences: Vec::new() }
    }
}

impl<'f> RunWriter<'f> {
    /// Goes on with a run.
    pub(super) fn resume(file: &'f IndexFile, paused: PausedRun) -> Self {
        let PausedRun { segment, packer, fences } = paused;
        Self { file, segment, packer, fences }
    }

    /// Stops for now; what was written so far is not part of the index yet.
    pub(super) fn pause(self) -> PausedRun {
        let Self { segment, packer, fences, .. } = self;
        PausedRun { segment, packer, fences }
    }

    /// Blocks that were written.
    pub(super) fn num_blocks(&self) -> u32 {
        self.segment.blocks
    }

    pub(super) fn new(file: &'f IndexFile, id: u32, kind: RunKind) -> Self {
        Self::resume(file, PausedRun::new(id, kind))
    }

    /// Adds a row, which is greater than the one before.
    pub(super) fn push(&mut self, row: RunRow) -> Result<()> {
        self.segment.rows += 1;
        self.packer.push(row).map_or(Ok(()), |full| self.put(full))
    }

    fn put(&mut self, block: PackedBlock) -> Result<()> {
        self.file.put(IndexTable::Runs, place(self.segment.id, self.segment.blocks), &block.bytes)?;
        self.fences.extend_from_slice(&block.first_key.to_le_bytes()[..FENCE]);
        self.segment.blocks += 1;
        Ok(())
    }

    /// Ends the run; `None` when it has no row, and then nothing was written.
    pub(super) fn finish(mut self) -> Result<Option<Segment>> {
        while let Some(block) = self.packer.finish() {
            self.put(block)?;
        }
        if self.segment.rows == 0 {
            return Ok(None);
        }
        self.file.put(IndexTable::Fences, self.segment.id.into(), &self.fences)?;
        self.segment.tier = self.segment.blocks.ilog(RUNS_OF_TIER);
        Ok(Some(self.segment))
    }
}

/// Deletes a run.
pub(super) fn delete_run(file: &IndexFile, id: u32) -> Result<()> {
    let (from, to) = places(id);
    file.delete(IndexTable::Runs, from, to)?;
    file.delete(IndexTable::Fences, id.into(), id.into())
}

/// A run that is read.
pub(super) struct SortedRun {
    pub(super) segment: Segment,
    /// The first key of each block.
    fences: Vec<u64>,
}

impl SortedRun {
    /// Reads where the blocks of a run begin.
    ///
    /// # Errors
    /// When that is damaged.
    pub(super) fn open(file: &IndexFile, segment: &Segment) -> Result<Self> {
        let fences = file.need(IndexTable::Fences, segment.id.into(), |bytes| {
            let fences: Vec<u64> = bytes
                .chunks_exact(FENCE)
                .map(|fence| fence.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte)))
                .collect();
            (bytes.len() == FENCE * segment.blocks as usize && fences.is_sorted()).then_some(fences)
        })?;
        Ok(Self { segment: segment.clone(), fences })
    }

    /// Looks up keys, from now on in ascending order for the least work.
    pub(super) fn cursor<'r>(&'r self, file: &'r IndexFile) -> RunCursor<'r> {
        RunCursor {
            run: self,
            file,
            block: None,
            bytes: Vec::new(),
            groups: RowGroups::default(),
            group: None,
            rows: Vec::new(),
        }
    }

    /// All rows, ascending.
    pub(super) fn rows<'r>(&'r self, file: &'r IndexFile) -> RunRows<'r> {
        RunRows { cursor: self.cursor(file), next_block: 0, next_group: 0, next_row: 0 }
    }
}

/// Finds rows of a run by their keys; keeps the last block and the last group.
pub(super) struct RunCursor<'r> {
    run: &'r SortedRun,
    file: &'r IndexFile,
    block: Option<u32>,
    bytes: Vec<u8>,
    groups: RowGroups,
    group: Option<usize>,
    rows: Vec<RunRow>,
}

impl RunCursor<'_> {
    /// Passes on the number of each row with a key, ascending.
    ///
    /// # Errors
    /// When a block is damaged, or those of `visit`.
    pub(super) fn find(&mut self, key: u64, visit: &mut dyn FnMut(u32) -> Result<()>) -> Result<()> {
        // Rows of one key may begin in the block before the first one that begins with it, and so may those of a group.
        let first = self.run.fences.partition_point(|&fence| fence < key).saturating_sub(1);
        for block in first..self.run.fences.len() {
            if self.run.fences[block] > key {
                break;
            }
            self.load(block as u32)?;
            let first = self.groups.groups.partition_point(|&(first_key, _)| first_key < key).saturating_sub(1);
            for group in first..self.groups.groups.len() {
                if self.groups.groups[group].0 > key {
                    break;
                }
                self.load_group(group)?;
                let start = self.rows.partition_point(|&(other, _)| other < key);
                for &(_, number) in self.rows[start..].iter().take_while(|&&(other, _)| other == key) {
                    visit(number)?;
                }
            }
        }
        Ok(())
    }

    fn load(&mut self, block: u32) -> Result<()> {
        if self.block == Some(block) {
            return Ok(());
        }
        let Self { bytes, groups, .. } = self;
        let at = place(self.run.segment.id, block);
        self.file.need(IndexTable::Runs, at, |payload| {
            bytes.clear();
            bytes.extend_from_slice(payload);
            groups.find(bytes)
        })?;
        (self.block, self.group) = (Some(block), None);
        Ok(())
    }

    fn load_group(&mut self, group: usize) -> Result<()> {
        if self.group != Some(group) {
            let (_, at) = self.groups.groups[group];
            if unpack_group(&self.bytes[at..], &mut self.rows).is_none() {
                let block = self.block.expect("a group is of a block");
                return Err(self.file.damaged(IndexTable::Runs, place(self.run.segment.id, block)));
            }
            self.group = Some(group);
        }
        Ok(())
    }
}

/// The rows of a run, one after another.
pub(super) struct RunRows<'r> {
    cursor: RunCursor<'r>,
    next_block: u32,
    next_group: usize,
    next_row: usize,
}

impl RunRows<'_> {
    /// Passes over the blocks that have no row of a key or behind it.
    pub(super) fn skip_to(&mut self, key: u64) {
        self.next_block = self.cursor.run.fences.partition_point(|&fence| fence < key).saturating_sub(1) as u32;
    }

    /// The next row.
    ///
    /// # Errors
    /// When its block is damaged.
    pub(super) fn next(&mut self) -> Result<Option<RunRow>> {
        loop {
            if self.cursor.group.is_some()
                && let Some(&row) = self.cursor.rows.get(self.next_row)
            {
                self.next_row += 1;
                return Ok(Some(row));
            }
            self.next_row = 0;
            if self.cursor.block.is_some() && self.next_group < self.cursor.groups.groups.len() {
                self.cursor.load_group(self.next_group)?;
                self.next_group += 1;
                continue;
            }
            if self.next_block == self.cursor.run.segment.blocks {
                return Ok(None);
            }
            self.cursor.load(self.next_block)?;
            self.next_block += 1;
            self.next_group = 0;
        }
    }
}

/// Looks up many keys in all of some runs.
///
/// * `keys`: ascending, each with what tells it apart.
/// * `visit`: receives that and the number of a row.
pub(super) fn look_up(
    file: &IndexFile,
    runs: &[SortedRun],
    keys: &[(u64, u32)],
    visit: &mut dyn FnMut(u32, u32) -> Result<()>,
) -> Result<()> {
    for run in runs {
        let mut cursor = run.cursor(file);
        for of_key in keys.chunk_by(|a, b| a.0 == b.0) {
            cursor.find(of_key[0].0, &mut |number| of_key.iter().try_for_each(|&(_, tag)| visit(tag, number)))?;
        }
    }
    Ok(())
}

/// The keys of normalised texts, ascending, each with its place.
pub(super) fn keys_of(contents: &[u128]) -> Vec<(u64, u32)> {
    let mut keys: Vec<(u64, u32)> =
        (0..).zip(contents).map(|(tag, content)| (key_of((content >> 64) as u64), tag)).collect();
    keys.sort_unstable();
    keys
}
