//! Merging in parts: merges large runs in several transactions, so that the write-ahead log stays short.
//!
//! The new run is invisible to readers until the last transaction adds it to the index and drops the old runs. The
//! blocks of the old runs are then deleted, also in parts. The next merge deletes the blocks that a killed process
//! left.

use super::merging::{PendingMerge, gone_of, merged_rows};
use super::writing::IndexWriter;
use crate::base::error::Result;
use crate::base::observe::{Observer, Unwatched};
use crate::index::blocks::run_block::RunRow;
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::IndexFile;
use crate::index::database::state::{RunInProgress, RunKind};
use crate::index::key_runs::sorted_runs::{PausedRun, RunWriter, SortedRun, row_ids};
use crate::index::read::reader::IndexReader;

/// The outcome of one part of a merge.
enum MergedPart {
    /// There are rows left, after this one.
    Unfinished(PausedRun, RunRow),
    Finished,
    /// Another process has changed the runs, or has taken over the merge.
    Overtaken,
}

impl IndexWriter {
    /// Merges the tiers that have enough runs and whose runs are large.
    pub(crate) fn merge_large_tiers(&mut self) -> Result<()> {
        for kind in RunKind::ALL {
            while let Some(due) = PendingMerge::of_tier(&self.reader, kind) {
                if !self.merge_in_parts(&due, &Unwatched)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Merges several runs into one; returns whether this succeeded, without interference from another process.
    ///
    /// * `observer`: receives progress; a unit is a block that is written, or dropped at the end.
    pub(crate) fn merge_in_parts(&mut self, due: &PendingMerge, observer: &dyn Observer) -> Result<bool> {
        self.delete_left()?;
        let Some(run) = self.transact(|writer| Ok(begin(&mut writer.reader)))? else { return Ok(false) };
        let most_blocks = self.most_blocks;
        let (mut paused, mut last) = (PausedRun::new(run, due.kind), None);
        let mut num_left = due.num_blocks();
        loop {
            let part = self.transact(|writer| merge_part(&mut writer.reader, due, run, paused, last, most_blocks))?;
            match part {
                MergedPart::Unfinished(next, row) => {
                    (paused, last) = (next, Some(row));
                    let num_written = num_left.min(most_blocks.into());
                    observer.advance(num_written, 0, 0);
                    num_left -= num_written;
                }
                MergedPart::Finished => break,
                MergedPart::Overtaken => return Ok(false),
            }
        }
        observer.advance(num_left, 0, 0);
        self.delete_left().map(|()| true)
    }

    /// Deletes the blocks of runs that are not part of the index, in several transactions.
    pub(crate) fn delete_left(&mut self) -> Result<()> {
        while left_run(&self.reader)?.is_some() {
            let most_blocks = self.most_blocks;
            let is_left = self.transact(|writer| {
                // The transaction sees the changes of other processes, so it checks again.
                let Some((run, last)) = left_run(&writer.reader)? else { return Ok(false) };
                let file = &writer.reader.file;
                file.delete(IndexTable::Fences, run.into(), run.into())?;
                let (first, _) = row_ids(run);
                file.delete(IndexTable::Runs, first.max(last - i64::from(most_blocks)), last).map(|()| true)
            })?;
            if !is_left {
                break;
            }
        }
        Ok(())
    }
}

/// Registers a run that will be written; `None` when another process is merging.
fn begin(reader: &mut IndexReader) -> Option<u32> {
    let own = std::process::id();
    if reader.state.merging.is_some_and(|merging| merging.process != own && is_running(merging.process)) {
        return None;
    }
    let run = reader.state.next_run;
    reader.state.next_run += 1;
    reader.state.merging = Some(RunInProgress { run, process: own });
    Some(run)
}

/// Writes some blocks of a run; the last part also adds the run to the index.
fn merge_part(
    reader: &mut IndexReader,
    due: &PendingMerge,
    run: u32,
    paused: PausedRun,
    last: Option<RunRow>,
    most_blocks: u32,
) -> Result<MergedPart> {
    let state = &reader.state;
    let is_own = state.merging == Some(RunInProgress { run, process: std::process::id() });
    if !is_own || !due.segments.iter().all(|segment| state.segments.contains(segment)) {
        return Ok(MergedPart::Overtaken);
    }
    let file = &reader.file;
    let runs = due.segments.iter().map(|segment| SortedRun::open(file, segment)).collect::<Result<Vec<_>>>()?;
    let mut rows = merged_rows(runs.iter().map(|run| run.rows(file)).collect(), last)?;
    let mut writer = RunWriter::resume(file, paused);
    let most = writer.num_blocks() + most_blocks;
    let gone = gone_of(due.kind);
    while let Some((row, _)) = rows.next()? {
        if !reader.marks.has(file, gone, row.1)? {
            writer.push(row)?;
        }
        if writer.num_blocks() == most {
            return Ok(MergedPart::Unfinished(writer.pause(), row));
        }
    }
    let merged = writer.finish()?;
    reader.state.segments.retain(|segment| !due.segments.contains(segment));
    reader.state.segments.extend(merged);
    reader.state.merging = None;
    Ok(MergedPart::Finished)
}

/// Finds a run that is not part of the index and that no process is writing, with the row number of its last block.
fn left_run(reader: &IndexReader) -> Result<Option<(u32, i64)>> {
    let (file, state): (&IndexFile, _) = (&reader.file, &reader.state);
    let is_kept = |run: u32| {
        let is_written = |merging: RunInProgress| merging.run == run && is_running(merging.process);
        state.segments.iter().any(|segment| segment.id == run) || state.merging.is_some_and(is_written)
    };
    let mut row = file.row_up_to(IndexTable::Runs, i64::MAX)?;
    while let Some(last) = row {
        let run = (last >> 32) as u32;
        if !is_kept(run) {
            return Ok(Some((run, last)));
        }
        row = file.row_up_to(IndexTable::Runs, row_ids(run).0 - 1)?;
    }
    Ok(None)
}

/// Whether a process is running, as far as this process can see.
#[cfg(unix)]
fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    // A process that may not be signalled exists.
    process.is_some_and(|process| rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_process: u32) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::documents::input::InputSettings;
    use crate::index::database::file::{OpenFor, wal_of};
    use crate::index::{AddSettings, IndexSettings, add_to_index, build_index, check_index, export_index};
    use crate::search::run::Settings;

    const BLOCKS: u32 = 8;

    fn write_records(path: &Path, from: usize, to: usize) -> Settings {
        let record = |number: usize| {
            let words: String = (0..12).map(|word| format!("w{} ", number * 7919 * (word + 3) % 1_000_003)).collect();
            format!("{{\"id\":\"d{number}\",\"text\":\"{words}\"}}\n")
        };
        std::fs::write(path, (from..to).map(record).collect::<String>()).unwrap();
        Settings::of(InputSettings::of(vec![path.to_owned()]))
    }

    /// An index with several runs of each kind.
    fn index_of_runs(folder: &Path) -> std::path::PathBuf {
        let (index, records) = (folder.join("x.index"), folder.join("r.jsonl"));
        let settings = write_records(&records, 0, 3000);
        build_index(&index, IndexSettings::default(), &settings, &Unwatched).unwrap();
        for round in 1..4 {
            let settings = write_records(&records, 3000 * round, 3000 * (round + 1));
            let add = AddSettings { index: index.clone(), ..AddSettings::default() };
            add_to_index(&add, &settings, &Unwatched, &mut |_| Ok(())).unwrap();
        }
        index
    }

    fn writer(index: &Path) -> IndexWriter {
        let mut writer = IndexWriter::open(index, Duration::ZERO, 1 << 20).unwrap();
        writer.most_blocks = BLOCKS;
        writer
    }

    fn rows_of(index: &Path, kind: RunKind) -> Vec<RunRow> {
        let reader = IndexReader::open(index, OpenFor::Read, 1 << 20).unwrap();
        let runs = reader.runs(kind);
        let mut rows = merged_rows(runs.iter().map(|run| run.rows(&reader.file)).collect(), None).unwrap();
        std::iter::from_fn(|| rows.next().unwrap().map(|(row, _)| row)).collect()
    }

    fn exported(index: &Path) -> Vec<String> {
        let mut lines = Vec::new();
        export_index(index, &Unwatched, &mut |record| {
            lines.push(record.text.to_owned());
            Ok(())
        })
        .unwrap();
        lines
    }

    #[test]
    fn parts_make_the_run_that_one_transaction_makes_with_a_short_log() {
        let folder = tempfile::tempdir().unwrap();
        let index = index_of_runs(folder.path());
        let before = (RunKind::ALL.map(|kind| rows_of(&index, kind)), exported(&index));
        let mut writer = writer(&index);
        let mut most_log = 0;
        for kind in RunKind::ALL {
            let Some(due) = PendingMerge::of_all(&writer.reader, kind) else { continue };
            if kind == RunKind::Bands {
                assert!(due.segments.len() == 4 && !due.is_small(4 * BLOCKS), "{due:?}");
            }
            assert!(writer.merge_in_parts(&due, &Unwatched).unwrap());
            most_log = most_log.max(std::fs::metadata(wal_of(&index)).map_or(0, |log| log.len()));
            assert_eq!(writer.reader.state.segments_of(kind).count(), 1);
        }
        // The log is emptied after each part, so it is as long as one part: its blocks, the fences and some pages of
        // the tree.
        assert!(most_log < u64::from(BLOCKS + 8) * 17_000, "{most_log}");
        assert_eq!(left_run(&writer.reader).unwrap(), None);
        drop(writer);
        assert!(check_index(&index, &Unwatched).unwrap().is_empty());
        assert!((RunKind::ALL.map(|kind| rows_of(&index, kind)), exported(&index)) == before);
    }

    #[test]
    fn a_merge_that_was_left_is_done_again_and_what_it_wrote_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let index = index_of_runs(folder.path());
        let before = rows_of(&index, RunKind::Bands);
        let mut first = writer(&index);
        let due = PendingMerge::of_all(&first.reader, RunKind::Bands).unwrap();
        let run = first.transact(|writer| Ok(begin(&mut writer.reader))).unwrap().unwrap();
        let part = first
            .transact(|writer| {
                let paused = PausedRun::new(run, due.kind);
                merge_part(&mut writer.reader, &due, run, paused, None, BLOCKS)
            })
            .unwrap();
        let MergedPart::Unfinished(paused, last) = part else { panic!("there is more than a part") };
        // Readers do not see the new run, and neither does a check.
        assert!(rows_of(&index, RunKind::Bands) == before);
        assert!(check_index(&index, &Unwatched).unwrap().is_empty());
        // No process deletes a run while it is being written. Then another process starts a merge, as if the first one
        // was killed.
        assert_eq!(left_run(&first.reader).unwrap(), None);
        let mut second = writer(&index);
        let next = second.transact(|writer| Ok(begin(&mut writer.reader))).unwrap().unwrap();
        assert!(next > run && left_run(&second.reader).unwrap().is_some_and(|(left, _)| left == run));
        second.delete_left().unwrap();
        assert_eq!(left_run(&second.reader).unwrap(), None);
        // The first process detects this.
        let overtaken =
            first.transact(|writer| merge_part(&mut writer.reader, &due, run, paused, Some(last), BLOCKS)).unwrap();
        assert!(matches!(overtaken, MergedPart::Overtaken));
        assert!(second.merge_in_parts(&due, &Unwatched).unwrap());
        drop((first, second));
        assert!(check_index(&index, &Unwatched).unwrap().is_empty());
        assert!(rows_of(&index, RunKind::Bands) == before);
    }

    #[test]
    fn a_process_that_has_ended_is_not_waited_for() {
        assert!(is_running(std::process::id()));
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        assert!(!is_running(ended.id()));
    }
}
