//! Candidates: keys of questions in, the texts of an index out that share one with each.

use rayon::prelude::*;

use super::reader::IndexReader;
use super::runs::{MANY_KEYS, look_up};
use super::state::RunKind;
use crate::error::Result;

/// Candidates that there is room for before what was found again is dropped.
const ROOM: usize = 1 << 20;

/// A text of the index, and a question that it may be an answer to.
pub(super) type Candidate = (u32, u32);

/// The candidates of questions: the number of a text and of a question, ascending, each pair once.
///
/// Keys are looked up in order, so that each block of a run is read once for all questions.
///
/// * `kind`: the runs that have such keys.
/// * `wanted`: the keys, each with the number of its question.
/// * `pool`: threads that do nothing else.
///
/// # Errors
/// When a block is damaged.
pub(super) fn candidates_by(
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
    look_up(file, runs, &wanted, Some(pool), &mut |question, text| {
        make_room(&mut candidates, pool);
        candidates.push((text, question));
        Ok(())
    })?;
    match candidates.len() {
        ..MANY_KEYS => candidates.sort_unstable(),
        _ => pool.install(|| candidates.par_sort_unstable()),
    }
    candidates.dedup();
    Ok(candidates)
}

/// Texts share several keys; what is found again is dropped before it takes room.
fn make_room(candidates: &mut Vec<Candidate>, pool: &rayon::ThreadPool) {
    if candidates.len() >= candidates.capacity().max(ROOM) {
        pool.install(|| candidates.par_sort_unstable());
        candidates.dedup();
        candidates.reserve(candidates.len() + 1);
    }
}
