//! Merging: sorted runs of a tier in, one run of the next tier out, without the rows of what is removed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::marks::GoneKind;
use super::reader::IndexReader;
use super::run_block::RunRow;
use super::runs::{RunRows, RunWriter, SortedRun, delete_run};
use super::state::{RunKind, Segment};
use crate::error::Result;

/// Runs of a tier from which on they become one.
const RUNS: usize = 8;

/// The rows of several runs, ascending.
pub(super) struct MergedRows<'r> {
    rows: Vec<RunRows<'r>>,
    next: BinaryHeap<Reverse<(RunRow, usize)>>,
}

impl<'r> MergedRows<'r> {
    pub(super) fn new(mut rows: Vec<RunRows<'r>>) -> Result<Self> {
        let mut next = BinaryHeap::with_capacity(rows.len());
        for (place, rows) in rows.iter_mut().enumerate() {
            next.extend(rows.next()?.map(|row| Reverse((row, place))));
        }
        Ok(Self { rows, next })
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<RunRow>> {
        let Some(Reverse((row, place))) = self.next.pop() else { return Ok(None) };
        self.next.extend(self.rows[place].next()?.map(|row| Reverse((row, place))));
        Ok(Some(row))
    }
}

/// Makes one run of the next tier of all runs of a tier that has enough of them, as long as there is such a tier. In a transaction
/// that writes, with the reader's state as it is there.
pub(super) fn merge_tiers(reader: &mut IndexReader) -> Result<()> {
    for kind in RunKind::ALL {
        let tiers = |reader: &IndexReader| {
            let tiers: Vec<u32> = reader.state.segments_of(kind).map(|segment| segment.tier).collect();
            tiers.iter().copied().find(|&tier| tiers.iter().filter(|&&other| other == tier).count() >= RUNS)
        };
        while let Some(tier) = tiers(reader) {
            let of_tier: Vec<Segment> =
                reader.state.segments_of(kind).filter(|segment| segment.tier == tier).cloned().collect();
            merge(reader, kind, &of_tier, tier + 1)?;
        }
    }
    Ok(())
}

/// Makes one run of all runs of each kind. In a transaction that writes.
pub(super) fn merge_all(reader: &mut IndexReader) -> Result<()> {
    for kind in RunKind::ALL {
        let segments: Vec<Segment> = reader.state.segments_of(kind).cloned().collect();
        if let Some(tier) = segments.iter().map(|segment| segment.tier).max() {
            merge(reader, kind, &segments, tier)?;
        }
    }
    Ok(())
}

fn merge(reader: &mut IndexReader, kind: RunKind, segments: &[Segment], tier: u32) -> Result<()> {
    let id = reader.state.next_run;
    let file = &reader.file;
    let runs = segments.iter().map(|segment| SortedRun::open(file, segment)).collect::<Result<Vec<SortedRun>>>()?;
    let mut rows = MergedRows::new(runs.iter().map(|run| run.rows(file)).collect())?;
    // A text is found by its bands as long as it is there, also when its first document is removed.
    let gone = if kind == RunKind::Bands { GoneKind::Erased } else { GoneKind::Removed };
    let mut writer = RunWriter::new(file, id, kind, tier);
    while let Some(row) = rows.next()? {
        if !reader.marks.has(file, gone, row.1)? {
            writer.push(row)?;
        }
    }
    let merged = writer.finish()?;
    for segment in segments {
        delete_run(file, segment.id)?;
    }
    reader.state.next_run += 1;
    reader.state.segments.retain(|segment| !segments.contains(segment));
    reader.state.segments.extend(merged);
    Ok(())
}
