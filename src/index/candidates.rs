//! Candidates: the band keys of questions in, the texts of an index out that share a band with each.

use super::reader::IndexReader;
use super::run_block::key_of;
use super::runs::look_up;
use super::state::RunKind;
use crate::error::Result;

/// A text of the index, and a question that it may be an answer to.
pub(super) type Candidate = (u32, u32);

/// The candidates of questions: the number of a text and of a question, ascending, each pair once.
///
/// Keys are looked up in order, so that each block of a run is read once for all questions.
///
/// * `keys`: the band keys of each question.
///
/// # Errors
/// When a block is damaged.
pub(super) fn candidates<'q>(reader: &IndexReader, keys: impl Iterator<Item = &'q [u64]>) -> Result<Vec<Candidate>> {
    let mut wanted: Vec<(u64, u32)> =
        (0..).zip(keys).flat_map(|(question, keys)| keys.iter().map(move |&key| (key_of(key), question))).collect();
    wanted.sort_unstable();
    let mut candidates = Vec::new();
    look_up(&reader.file, reader.runs(RunKind::Bands), &wanted, &mut |question, text| {
        candidates.push((text, question));
        Ok(())
    })?;
    candidates.sort_unstable();
    candidates.dedup();
    Ok(candidates)
}
