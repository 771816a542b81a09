//! `BatchKeys` and `PackedRun`: keys of documents in, in any order; blocks of runs out, to be written by the thread that has the index.

use std::sync::mpsc;

use rayon::prelude::*;

use super::file::IndexFile;
use super::run_block::{BlockPacker, PackedBlock, RunRow, key_of};
use super::runs::RunWriter;
use super::state::{RunKind, Segment};
use crate::error::{Error, Result};

/// Blocks that wait for the thread that writes: 1 MB.
const BLOCKS_AHEAD: usize = 64;

/// What the documents of a batch are looked up by, each with its number.
#[derive(Default)]
pub(super) struct BatchKeys {
    pub(super) bands: Vec<(Box<[u64]>, u32)>,
    pub(super) names: Vec<RunRow>,
    pub(super) hashes: Vec<RunRow>,
    pub(super) samples: Vec<(Box<[u64]>, u32)>,
}

impl BatchKeys {
    /// The run of each kind, in the order of [`RunKind::ALL`].
    pub(super) fn pack(self) -> [PackedRun; 4] {
        let bands = rows_of(self.bands, key_of);
        let samples = rows_of(self.samples, |key| key);
        [bands, self.names, self.hashes, samples].map(PackedRun::of)
    }
}

/// A row for each key of documents.
fn rows_of(documents: Vec<(Box<[u64]>, u32)>, key_of: impl Fn(u64) -> u64) -> Vec<RunRow> {
    let mut rows = Vec::with_capacity(documents.iter().map(|(keys, _)| keys.len()).sum());
    for (keys, number) in documents {
        rows.extend(keys.iter().map(|&key| (key_of(key), number)));
    }
    rows
}

/// The blocks of a run.
pub(super) struct PackedRun {
    blocks: Vec<PackedBlock>,
}

impl PackedRun {
    /// Sorts rows and packs each once; by all threads of a pool where this is one of them.
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

    /// Writes the run; `None` when it has no row, and then nothing was written.
    pub(super) fn write(self, file: &IndexFile, id: u32, kind: RunKind) -> Result<Option<Segment>> {
        let mut writer = RunWriter::new(file, id, kind);
        self.blocks.into_iter().try_for_each(|block| writer.put(block))?;
        writer.finish()
    }
}

/// Packs rows on a thread of a pool, and writes their blocks on this thread meanwhile; `None` when there is no row.
///
/// * `rows`: passes them on, ascending.
///
/// # Errors
/// Those of `rows`, and when the index cannot be written.
pub(super) fn write_run(
    file: &IndexFile,
    (id, kind): (u32, RunKind),
    pool: &rayon::ThreadPool,
    rows: impl FnOnce(&mut dyn FnMut(RunRow) -> Result<()>) -> Result<()> + Send,
) -> Result<Option<Segment>> {
    let (send, receive) = mpsc::sync_channel(BLOCKS_AHEAD);
    let pack = move || {
        let mut packer = BlockPacker::default();
        // When the writing thread has ended, its error is the one that counts.
        let put = |block: PackedBlock| send.send(block).map_err(|_| Error::Cancelled);
        rows(&mut |row| packer.push(row).map_or(Ok(()), put))?;
        std::iter::from_fn(|| packer.finish()).try_for_each(put)
    };
    let mut writer = RunWriter::new(file, id, kind);
    let (packed, written) = beside(Some(pool), pack, || receive.into_iter().try_for_each(|block| writer.put(block)));
    written?;
    packed?;
    writer.finish()
}

/// Does two things and returns both results: the first one on a thread of a pool where there is one, the second one on this thread.
pub(super) fn beside<A: Send, B>(
    pool: Option<&rayon::ThreadPool>,
    there: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    let Some(pool) = pool else { return (there(), here()) };
    let mut done = None;
    let here = pool.in_place_scope(|scope| {
        scope.spawn(|_| done = Some(there()));
        here()
    });
    (done.expect("the scope waits for it"), here)
}
