//! `BatchKeys` and `PackedRun`: sort the keys of documents and pack them into blocks of runs, for the thread that
//! writes the index.

use std::sync::mpsc::Receiver;

use rayon::prelude::*;

use super::sorted_runs::RunWriter;
use crate::base::error::Result;
use crate::base::hand_over::{PassOn, hand_over};
use crate::index::blocks::run_block::{BlockPacker, PackedBlock, RunRow, key_of};
use crate::index::database::file::IndexFile;
use crate::index::database::state::{RunKind, Segment};

/// The number of blocks that may wait for the writing thread: 1 MB.
const BLOCKS_AHEAD: usize = 64;

/// The keys of the documents of a batch, each with the number of its document.
#[derive(Default)]
pub(crate) struct BatchKeys {
    pub(crate) bands: Vec<(Box<[u64]>, u32)>,
    pub(crate) names: Vec<RunRow>,
    pub(crate) hashes: Vec<RunRow>,
    pub(crate) samples: Vec<(Box<[u64]>, u32)>,
}

impl BatchKeys {
    /// Packs the run of each kind, in the order of [`RunKind::ALL`].
    pub(crate) fn pack(self) -> [PackedRun; 4] {
        let bands = rows_of(self.bands, key_of);
        let samples = rows_of(self.samples, |key| key);
        [bands, self.names, self.hashes, samples].map(PackedRun::of)
    }
}

/// A row for each key of each document.
fn rows_of(documents: Vec<(Box<[u64]>, u32)>, key_of: impl Fn(u64) -> u64) -> Vec<RunRow> {
    let mut rows = Vec::with_capacity(documents.iter().map(|(keys, _)| keys.len()).sum());
    for (keys, number) in documents {
        rows.extend(keys.iter().map(|&key| (key_of(key), number)));
    }
    rows
}

/// The blocks of a run.
pub(crate) struct PackedRun {
    blocks: Vec<PackedBlock>,
}

impl PackedRun {
    /// Sorts rows and packs each once; in parallel when the calling thread belongs to a pool.
    fn of(mut rows: Vec<RunRow>) -> Self {
        match rayon::current_thread_index() {
            Some(_) => rows.par_sort_unstable(),
            None => rows.sort_unstable(),
        }
        rows.dedup();
        let (mut packer, mut blocks) = (BlockPacker::default(), Vec::new());
        rows.into_iter().for_each(|row| blocks.extend(packer.push(row)));
        blocks.extend(std::iter::from_fn(|| packer.finish()));
        Self { blocks }
    }

    /// Writes the run; returns `None`, and writes nothing, when it has no rows.
    pub(crate) fn write(self, file: &IndexFile, id: u32, kind: RunKind) -> Result<Option<Segment>> {
        let mut writer = RunWriter::new(file, id, kind);
        self.blocks.into_iter().try_for_each(|block| writer.put(block))?;
        writer.finish()
    }
}

/// Packs rows on another thread, while the calling thread writes their blocks; returns `None` without rows.
///
/// * `rows`: passes the rows on, ascending.
///
/// # Errors
/// When `rows` fails, or the index cannot be written.
pub(crate) fn write_run(
    file: &IndexFile,
    (id, kind): (u32, RunKind),
    rows: impl FnOnce(&mut dyn FnMut(RunRow) -> Result<()>) -> Result<()> + Send,
) -> Result<Option<Segment>> {
    let pack = |pass_on: PassOn<'_, PackedBlock>| {
        let mut packer = BlockPacker::default();
        rows(&mut |row| packer.push(row).map_or(Ok(()), &mut *pass_on))?;
        std::iter::from_fn(|| packer.finish()).try_for_each(pass_on)
    };
    let mut writer = RunWriter::new(file, id, kind);
    let write = |blocks: Receiver<PackedBlock>| blocks.into_iter().try_for_each(|block| writer.put(block));
    hand_over(BLOCKS_AHEAD, pack, write)?;
    writer.finish()
}
