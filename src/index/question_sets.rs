//! `QuestionSets`: questions in rounds, so that the sets of each round fit the memory.

use std::ops::Range;

use super::candidates::Candidate;
use super::loaded_text::StoredSet;
use super::question::IndexQuestion;

/// Bytes of the set of a question for each byte of its text: a record of 280 bytes took 16 kB.
pub(super) const SET_BYTES: usize = 57;
/// Least and most bytes of the sets of a round, which are otherwise a quarter of the memory of a run.
const MOST_BYTES: [u64; 2] = [1 << 20, 512 << 20];

/// The questions of a round, with the sets of those that have candidates.
pub(super) struct QuestionSets<'q> {
    pub(super) first: u32,
    pub(super) questions: &'q [IndexQuestion],
    pub(super) sets: Vec<Option<StoredSet>>,
}

impl<'q> QuestionSets<'q> {
    /// Most bytes of the sets of a round.
    ///
    /// * `memory_bytes`: of a run.
    pub(super) fn most_bytes(memory_bytes: u64) -> u64 {
        (memory_bytes / 4).clamp(MOST_BYTES[0], MOST_BYTES[1])
    }

    /// Cuts questions into rounds; one is alone where its set is too large.
    pub(super) fn rounds(questions: &[IndexQuestion], candidates: &[Candidate], most_bytes: u64) -> Vec<Range<u32>> {
        let mut has_set = vec![false; questions.len()];
        candidates.iter().for_each(|&(_, question)| has_set[question as usize] = true);
        let (mut rounds, mut start, mut num_bytes) = (Vec::new(), 0, 0);
        for (number, (question, has_set)) in (0..).zip(questions.iter().zip(has_set)) {
            let of_set = if has_set { (SET_BYTES * question.text.len()) as u64 } else { 0 };
            if num_bytes > 0 && num_bytes + of_set > most_bytes {
                rounds.push(start..number);
                (start, num_bytes) = (number, 0);
            }
            num_bytes += of_set;
        }
        rounds.push(start..questions.len() as u32);
        rounds
    }

    /// A question that has candidates, and its set.
    pub(super) fn get(&self, question: u32) -> (&'q IndexQuestion, &StoredSet) {
        let at = (question - self.first) as usize;
        (&self.questions[at], self.sets[at].as_ref().expect("it has candidates"))
    }
}
