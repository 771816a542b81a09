//! Finds the texts of an index that share a key with each query.

use rayon::prelude::*;

use crate::base::error::Result;
use crate::index::database::state::RunKind;
use crate::index::key_runs::sorted_runs::{MANY_KEYS, look_up};
use crate::index::read::reader::IndexReader;

/// The number of candidates to collect before repeated ones are removed.
const ROOM: usize = 1 << 20;

/// The number of a text in the index, and the number of a query that it may match.
pub(crate) type Candidate = (u32, u32);

/// Finds the candidates of queries: pairs of a text number and a query number, ascending, each once.
///
/// Keys are looked up in ascending order, so that each block of a run is read once for all queries.
///
/// * `kind`: the kind of runs that contain the keys.
/// * `wanted`: the keys, each with the number of its query.
/// * `pool`: threads that do no other work.
///
/// # Errors
/// When a block is damaged.
pub(crate) fn candidates_by(
    reader: &IndexReader,
    kind: RunKind,
    mut wanted: Vec<(u64, u32)>,
    pool: &rayon::ThreadPool,
) -> Result<Vec<Candidate>> {
    let (file, runs) = (&reader.file, reader.runs(kind));
    let mut candidates: Vec<Candidate> = Vec::new();
    match wanted.len() {
        ..MANY_KEYS => wanted.sort_unstable(),
        _ => pool.install(|| wanted.par_sort_unstable()),
    }
    look_up(file, runs, &wanted, Some(pool), &mut |query, text| {
        make_room(&mut candidates, pool);
        candidates.push((text, query));
        Ok(())
    })?;
    match candidates.len() {
        ..MANY_KEYS => candidates.sort_unstable(),
        _ => pool.install(|| candidates.par_sort_unstable()),
    }
    candidates.dedup();
    Ok(candidates)
}

/// Texts share several keys, so repeated candidates are removed before the list grows.
fn make_room(candidates: &mut Vec<Candidate>, pool: &rayon::ThreadPool) {
    if candidates.len() >= candidates.capacity().max(ROOM) {
        pool.install(|| candidates.par_sort_unstable());
        candidates.dedup();
        candidates.reserve(candidates.len() + 1);
    }
}
