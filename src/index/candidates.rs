//! Candidates: the band keys of questions in, the texts of an index out that share a band with each.

use rayon::prelude::*;

use super::reader::IndexReader;
use super::run_block::key_of;
use super::runs::{look_up, look_up_together};
use super::state::RunKind;
use crate::error::Result;

/// Keys from which on all threads look them up, or sort them.
const MANY_KEYS: usize = 1 << 14;

/// A text of the index, and a question that it may be an answer to.
pub(super) type Candidate = (u32, u32);

/// The candidates of questions: the number of a text and of a question, ascending, each pair once.
///
/// Keys are looked up in order, so that each block of a run is read once for all questions.
///
/// * `pool`: threads that do nothing else.
/// * `keys`: the band keys of each question.
///
/// # Errors
/// When a block is damaged.
pub(super) fn candidates<'q>(
    reader: &IndexReader,
    pool: &rayon::ThreadPool,
    keys: impl Iterator<Item = &'q [u64]>,
) -> Result<Vec<Candidate>> {
    let mut wanted: Vec<(u64, u32)> =
        (0..).zip(keys).flat_map(|(question, keys)| keys.iter().map(move |&key| (key_of(key), question))).collect();
    let mut candidates = if wanted.len() < MANY_KEYS {
        wanted.sort_unstable();
        let mut candidates = Vec::new();
        look_up(&reader.file, reader.runs(RunKind::Bands), &wanted, &mut |question, text| {
            candidates.push((text, question));
            Ok(())
        })?;
        candidates
    } else {
        pool.install(|| wanted.par_sort_unstable());
        look_up_together(&reader.file, reader.runs(RunKind::Bands), &wanted, pool)?
    };
    match candidates.len() {
        ..MANY_KEYS => candidates.sort_unstable(),
        _ => pool.install(|| candidates.par_sort_unstable()),
    }
    candidates.dedup();
    Ok(candidates)
}
