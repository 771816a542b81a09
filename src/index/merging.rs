//! Merging: sorted runs of a tier in, one run out, without the rows of what is removed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::marks::GoneKind;
use super::reader::IndexReader;
use super::run_block::RunRow;
use super::runs::{RUNS_OF_TIER, RunRows, RunWriter, SortedRun, delete_run};
use super::state::{RunKind, Segment};
use crate::error::Result;

/// The rows of several runs, ascending.
pub(super) struct MergedRows<'r> {
    rows: Vec<RunRows<'r>>,
    next: BinaryHeap<Reverse<(RunRow, usize)>>,
}

impl<'r> MergedRows<'r> {
    /// * `last`: the row behind which the first one is; `None` for all rows.
    pub(super) fn behind(mut rows: Vec<RunRows<'r>>, last: Option<RunRow>) -> Result<Self> {
        let mut next = BinaryHeap::with_capacity(rows.len());
        for (place, rows) in rows.iter_mut().enumerate() {
            if let Some((key, _)) = last {
                rows.skip_to(key);
            }
            let mut first = rows.next()?;
            while first.is_some_and(|row| last.is_some_and(|last| row <= last)) {
                first = rows.next()?;
            }
            next.extend(first.map(|row| Reverse((row, place))));
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

/// Runs of one kind that are to become one.
#[derive(Debug, Clone)]
pub(super) struct DueMerge {
    pub(super) kind: RunKind,
    pub(super) segments: Vec<Segment>,
}

impl DueMerge {
    /// The runs of a tier that has enough of them, of a kind.
    pub(super) fn of_tier(reader: &IndexReader, kind: RunKind) -> Option<Self> {
        let tiers: Vec<u32> = reader.state.segments_of(kind).map(|segment| segment.tier).collect();
        let num_runs = |tier: u32| tiers.iter().filter(|&&other| other == tier).count();
        let tier = tiers.iter().copied().find(|&tier| num_runs(tier) >= RUNS_OF_TIER as usize)?;
        let of_tier = reader.state.segments_of(kind).filter(|segment| segment.tier == tier);
        Some(Self { kind, segments: of_tier.cloned().collect() })
    }

    /// All runs of a kind.
    pub(super) fn of_all(reader: &IndexReader, kind: RunKind) -> Option<Self> {
        let segments: Vec<Segment> = reader.state.segments_of(kind).cloned().collect();
        (!segments.is_empty()).then_some(Self { kind, segments })
    }

    /// Whether it is done in one transaction with what is added, and not in several of its own.
    pub(super) fn is_small(&self, most_blocks: u32) -> bool {
        self.num_blocks() <= most_blocks.into()
    }

    /// Blocks of the runs.
    pub(super) fn num_blocks(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.blocks)).sum()
    }
}

/// Makes one run of all runs of a tier that has enough of them, as long as there is such a tier and they are small. In a transaction
/// that writes, with the reader's state as it is there.
pub(super) fn merge_tiers(reader: &mut IndexReader, most_blocks: u32) -> Result<()> {
    for kind in RunKind::ALL {
        while let Some(due) = DueMerge::of_tier(reader, kind).filter(|due| due.is_small(most_blocks)) {
            merge(reader, kind, &due.segments)?;
        }
    }
    Ok(())
}

/// Makes one run of several. In a transaction that writes.
pub(super) fn merge(reader: &mut IndexReader, kind: RunKind, segments: &[Segment]) -> Result<()> {
    let id = reader.state.next_run;
    let file = &reader.file;
    let runs = segments.iter().map(|segment| SortedRun::open(file, segment)).collect::<Result<Vec<SortedRun>>>()?;
    let mut rows = MergedRows::behind(runs.iter().map(|run| run.rows(file)).collect(), None)?;
    let gone = gone_of(kind);
    let mut writer = RunWriter::new(file, id, kind);
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

/// Which rows of a run go. A text is found by its bands and shingles as long as it is there, also when its first document is removed.
pub(super) fn gone_of(kind: RunKind) -> GoneKind {
    let is_of_texts = matches!(kind, RunKind::Bands | RunKind::Samples);
    if is_of_texts { GoneKind::Erased } else { GoneKind::Removed }
}
