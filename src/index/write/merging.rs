//! Merges the sorted runs of a tier into one run, without the rows of removed documents.

use crate::base::error::Result;
use crate::base::storage::Merge;
use crate::index::blocks::run_block::RunRow;
use crate::index::database::state::{RunKind, Segment};
use crate::index::database::tombstones::TombstoneKind;
use crate::index::key_runs::sorted_runs::{RUNS_OF_TIER, RunRows, RunWriter, SortedRun, delete_run};
use crate::index::read::reader::IndexReader;

/// Merges the rows of several runs, beginning with the first one after `last`; `None` for all rows.
pub(crate) fn merged_rows(mut runs: Vec<RunRows<'_>>, last: Option<RunRow>) -> Result<Merge<RunRows<'_>>> {
    if let Some(last) = last {
        runs.iter_mut().try_for_each(|rows| rows.skip_past(last))?;
    }
    Merge::new(runs)
}

/// Runs of one kind that should be merged into one.
#[derive(Debug, Clone)]
pub(crate) struct PendingMerge {
    pub(crate) kind: RunKind,
    pub(crate) segments: Vec<Segment>,
}

impl PendingMerge {
    /// The runs of a tier with enough runs for a merge, if there is one.
    pub(crate) fn of_tier(reader: &IndexReader, kind: RunKind) -> Option<Self> {
        let tiers: Vec<u32> = reader.state.segments_of(kind).map(|segment| segment.tier).collect();
        let num_runs = |tier: u32| tiers.iter().filter(|&&other| other == tier).count();
        let tier = tiers.iter().copied().find(|&tier| num_runs(tier) >= RUNS_OF_TIER as usize)?;
        let of_tier = reader.state.segments_of(kind).filter(|segment| segment.tier == tier);
        Some(Self { kind, segments: of_tier.cloned().collect() })
    }

    /// All runs of a kind.
    pub(crate) fn of_all(reader: &IndexReader, kind: RunKind) -> Option<Self> {
        let segments: Vec<Segment> = reader.state.segments_of(kind).cloned().collect();
        (!segments.is_empty()).then_some(Self { kind, segments })
    }

    /// Whether the merge is done in the transaction that adds documents, and not in separate transactions.
    pub(crate) fn is_small(&self, most_blocks: u32) -> bool {
        self.num_blocks() <= most_blocks.into()
    }

    /// The number of blocks of the runs.
    pub(crate) fn num_blocks(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.blocks)).sum()
    }
}

/// Merges the runs of every tier that has enough runs, as long as the merges are small. Needs a write transaction, and
/// the reader's state must be the state in that transaction.
pub(crate) fn merge_tiers(reader: &mut IndexReader, most_blocks: u32) -> Result<()> {
    for kind in RunKind::ALL {
        while let Some(due) = PendingMerge::of_tier(reader, kind).filter(|due| due.is_small(most_blocks)) {
            merge(reader, kind, &due.segments)?;
        }
    }
    Ok(())
}

/// Merges several runs into one. Needs a write transaction.
pub(crate) fn merge(reader: &mut IndexReader, kind: RunKind, segments: &[Segment]) -> Result<()> {
    let id = reader.state.next_run;
    let file = &reader.file;
    let runs = segments.iter().map(|segment| SortedRun::open(file, segment)).collect::<Result<Vec<SortedRun>>>()?;
    let mut rows = merged_rows(runs.iter().map(|run| run.rows(file)).collect(), None)?;
    let gone = gone_of(kind);
    let mut writer = RunWriter::new(file, id, kind);
    while let Some((row, _)) = rows.next()? {
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

/// The mark that removes rows from a kind of run. Bands and samples of a text stay until the text is erased, also when
/// its first document is removed.
pub(crate) fn gone_of(kind: RunKind) -> TombstoneKind {
    let is_of_texts = matches!(kind, RunKind::Bands | RunKind::Samples);
    if is_of_texts { TombstoneKind::Erased } else { TombstoneKind::Removed }
}
