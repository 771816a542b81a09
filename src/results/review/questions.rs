//! `Review`: selects the pairs of a result nearest to the threshold, alternately above and below it, and shows them as
//! questions.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::path::Path;

use super::answer::{Answer, AnswerRecord};
use super::answers::Answers;
use super::cuts::Cuts;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::compare::verify::Threshold;
use crate::records::{Name, PairCounts, PairRecord, PairSide, Source};
use crate::results::saved::{PairFilter, ResultHeader, SavedResult, each_document};

/// A pair to be judged by a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The names of the two documents, as in the pair. They may not be UTF-8.
    pub names: [Vec<u8>; 2],
    /// The numbers of the pair, all exact.
    pub counts: PairCounts,
    /// Whether the pair reaches the threshold.
    pub is_above: bool,
    /// A remark about the pair in the file of answers.
    pub note: Option<String>,
    /// The names of the documents when only their files are read: a path, `archive!member`, or `file:line`.
    pub(super) places: [Vec<u8>; 2],
    /// The paths of the indexes that store the documents.
    pub(super) indexes: [Option<Vec<u8>>; 2],
}

/// The questions about a result, and their answers. Stores the names of the pairs in questions and of the answered
/// pairs.
#[derive(Debug)]
pub struct Review {
    threshold: Threshold,
    questions: Vec<Question>,
    /// The answers about pairs of the result, including pairs that are not among the questions.
    answered: HashMap<[Vec<u8>; 2], (PairCounts, Answer)>,
    /// The indices of answered questions, in the order of the answers.
    history: Vec<usize>,
    num_pairs: u64,
    num_below: u64,
    num_foreign: u64,
}

/// The pairs nearest to a threshold on one side of it.
struct Nearest {
    most: usize,
    /// The pairs, with the farthest on top.
    kept: BinaryHeap<NearPair>,
}

struct NearPair {
    distance: f64,
    number: u64,
    question: Question,
}

impl Question {
    fn new(pair: &PairRecord, is_above: bool) -> Self {
        let names = [pair.a.to_bytes(), pair.b.to_bytes()];
        let place = |source: &Option<Source>, name: &Vec<u8>| source.as_ref().map_or_else(|| name.clone(), place_of);
        let places = [place(&pair.source_a, &names[0]), place(&pair.source_b, &names[1])];
        let indexes = [&pair.source_a, &pair.source_b].map(|source| index_of(source.as_ref()?));
        Self { names, counts: pair.into(), is_above, note: None, places, indexes }
    }

    /// The line of the answer file for an answer to this question.
    pub fn record(&self, answer: Answer) -> AnswerRecord<'_> {
        let [a, b] = self.names.each_ref().map(|name| Name::new(name));
        AnswerRecord { a, b, jaccard: self.counts.jaccard(), answer, note: None }
    }
}

impl Review {
    /// Reads a result.
    ///
    /// * `answers`: the earlier answers. Answers about pairs of other results are only counted.
    /// * `threshold`: default the threshold of the result, or 0.8 if the result does not contain it.
    /// * `most`: the maximum number of questions, half of them on each side of the threshold if there are enough pairs.
    ///
    /// # Errors
    /// When the result cannot be read, or was saved with a higher threshold; or when answers exist and none of them is
    /// about a pair of the result.
    pub fn of(
        result: &mut SavedResult,
        answers: &Answers,
        threshold: Option<Threshold>,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<Self> {
        result.check(&PairFilter { threshold, ..PairFilter::default() })?;
        let saved = result.header().map(ResultHeader::threshold).transpose()?.map(Threshold::new).transpose()?;
        let threshold = threshold.or(saved).unwrap_or_default();
        let [mut above, mut below] = [(); 2].map(|()| Nearest { most, kept: BinaryHeap::new() });
        let (mut answered, mut num_pairs, mut num_below) = (HashMap::new(), 0, 0);
        result.for_each_pair(observer, &mut |_, pair| {
            let counts = PairCounts::from(pair);
            if !answers.is_empty() {
                let names = [pair.a.to_bytes(), pair.b.to_bytes()];
                answers.of(&names).map(|answer| answered.insert(names, (counts, answer)));
            }
            let is_above = counts.reaches(threshold);
            let side = if is_above { &mut above } else { &mut below };
            let distance = (counts.jaccard() - threshold.value()).abs();
            side.add(distance, num_pairs, || Question::new(pair, is_above));
            num_pairs += 1;
            num_below += u64::from(!is_above);
            Ok(())
        })?;
        if answered.is_empty() && !answers.is_empty() {
            return Err(foreign(result.path(), answers.len()));
        }
        let mut questions = alternate(above.into_questions(), below.into_questions(), most);
        find_places(result, &mut questions)?;
        for question in &mut questions {
            question.note = answers.note_of(&question.names).map(str::to_owned);
        }
        let numbers: HashMap<&[Vec<u8>; 2], usize> =
            questions.iter().enumerate().map(|(number, question)| (&question.names, number)).collect();
        let history = answers.in_order().iter().filter_map(|names| numbers.get(names).copied()).collect();
        let num_foreign = (answers.len() - answered.len()) as u64;
        Ok(Self { threshold, questions, answered, history, num_pairs, num_below, num_foreign })
    }

    /// The questions, the nearest to the threshold first.
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }

    /// The index of the first question without an answer.
    pub fn next(&self) -> Option<usize> {
        (0..self.questions.len()).find(|&number| self.is_open(number))
    }

    /// Whether a question has no answer yet.
    ///
    /// # Panics
    /// When `number` is not below the number of questions.
    pub fn is_open(&self, number: usize) -> bool {
        !self.answered.contains_key(&self.questions[number].names)
    }

    /// Answers a question.
    ///
    /// # Panics
    /// When `number` is not below the number of questions.
    pub fn answer(&mut self, number: usize, answer: Answer) {
        let question = &self.questions[number];
        self.history.retain(|&other| other != number);
        if answer == Answer::Undone {
            self.answered.remove(&question.names);
        } else {
            self.answered.insert(question.names.clone(), (question.counts, answer));
            self.history.push(number);
        }
    }

    /// The index of the question that was answered last.
    pub fn last(&self) -> Option<usize> {
        self.history.last().copied()
    }

    /// The threshold near which the pairs were selected.
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// The number of pairs of the result.
    pub fn num_pairs(&self) -> u64 {
        self.num_pairs
    }

    /// The number of pairs below the threshold.
    pub fn num_below(&self) -> u64 {
        self.num_below
    }

    /// The number of answers about pairs that are not in the result.
    pub fn num_foreign(&self) -> u64 {
        self.num_foreign
    }

    /// The number of pairs that were skipped.
    pub fn num_skipped(&self) -> u64 {
        self.answered.values().filter(|(_, answer)| *answer == Answer::Skip).count() as u64
    }

    /// How well thresholds classify all answered pairs of the result.
    pub fn cuts(&self) -> Cuts {
        let said = self.answered.values().filter_map(|&(counts, answer)| match answer {
            Answer::Yes => Some((counts, true)),
            Answer::No => Some((counts, false)),
            Answer::Skip | Answer::Undone => None,
        });
        Cuts::new(said.collect(), self.threshold)
    }
}

/// Alternates between the two sides, starting above. When one side has no more pairs, the rest come from the other.
fn alternate(above: Vec<Question>, below: Vec<Question>, most: usize) -> Vec<Question> {
    let (mut above, mut below) = (above.into_iter(), below.into_iter());
    let mut questions = Vec::new();
    loop {
        let before = questions.len();
        questions.extend(above.next());
        questions.extend(below.next());
        if questions.len() == before || questions.len() >= most {
            questions.truncate(most);
            return questions;
        }
    }
}

/// Sets the places of the documents in questions, if the result has a list of documents.
fn find_places(result: &SavedResult, questions: &mut [Question]) -> Result<()> {
    if result.header().is_none() {
        return Ok(());
    }
    let mut wanted: HashMap<(PairSide, Vec<u8>), Vec<usize>> = HashMap::new();
    for (number, question) in questions.iter().enumerate() {
        for (side, name) in [PairSide::A, PairSide::B].into_iter().zip(&question.names) {
            wanted.entry((side, name.clone())).or_default().push(number);
        }
    }
    each_document(result, &mut |document| {
        let Some(source) = &document.source else { return Ok(()) };
        let name = document.name.to_bytes();
        for (index, side) in [PairSide::A, PairSide::B].into_iter().enumerate() {
            if document.side.is_none_or(|own| own == side) {
                for &number in wanted.get(&(side, name.clone())).into_iter().flatten() {
                    questions[number].places[index] = place_of(source);
                    questions[number].indexes[index] = index_of(source);
                }
            }
        }
        Ok(())
    })
}

fn place_of(source: &Source) -> Vec<u8> {
    let mut place = source.file.to_bytes();
    if let Some(number) = source.line.or(source.row) {
        place.extend_from_slice(format!(":{number}").as_bytes());
    }
    place
}

fn index_of(source: &Source) -> Option<Vec<u8>> {
    source.index.as_ref().map(Name::to_bytes)
}

fn foreign(path: &Path, answers: usize) -> Error {
    let fault = format!("none of the answers ({answers}) is of one of its pairs; name the file of its own answers");
    Error::SavedResult { path: path.to_owned(), fault }
}

impl Nearest {
    fn add(&mut self, distance: f64, number: u64, question: impl FnOnce() -> Question) {
        if self.kept.len() == self.most {
            // Pairs added later follow earlier ones at the same distance.
            if self.kept.peek().is_none_or(|last| last.distance <= distance) {
                return;
            }
            self.kept.pop();
        }
        self.kept.push(NearPair { distance, number, question: question() });
    }

    fn into_questions(self) -> Vec<Question> {
        self.kept.into_sorted_vec().into_iter().map(|pair| pair.question).collect()
    }
}

impl Ord for NearPair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for NearPair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for NearPair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for NearPair {}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::base::observe::Unwatched;

    /// A file of pairs with these numbers of shared shingles and a union of 100 shingles.
    fn result_of(shared: &[u64]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for (number, &shared) in shared.iter().enumerate() {
            let share = shared as f64 / 100.0;
            writeln!(
                file,
                r#"{{"a":"{number}","b":"x","jaccard":{share},"containment_a":{share},"containment_b":1.0,"shared":{shared},"shingles_a":100,"shingles_b":{shared},"estimate":1.0}}"#
            )
            .unwrap();
        }
        file
    }

    fn review_of(shared: &[u64], answers: &Answers, threshold: f64, most: usize) -> Result<Review> {
        let file = result_of(shared);
        let mut result = SavedResult::open(file.path()).unwrap();
        Review::of(&mut result, answers, Some(Threshold::new(threshold).unwrap()), most, &Unwatched)
    }

    fn numbers(review: &Review) -> Vec<usize> {
        let number = |question: &Question| String::from_utf8_lossy(&question.names[0]).parse().unwrap();
        review.questions().iter().map(number).collect()
    }

    #[test]
    fn the_nearest_of_each_side_come_in_turn() {
        let none = Answers::default();
        let shared = [90, 70, 80, 79, 80, 60];
        assert_eq!(numbers(&review_of(&shared, &none, 0.8, 9).unwrap()), [2, 3, 4, 1, 0, 5]);
        assert_eq!(numbers(&review_of(&shared, &none, 0.8, 3).unwrap()), [2, 3, 4]);
        assert_eq!(numbers(&review_of(&shared, &none, 0.5, 9).unwrap()), [5, 1, 3, 2, 4, 0]);
        let review = review_of(&shared, &none, 0.8, 3).unwrap();
        assert_eq!((review.num_pairs(), review.num_below()), (6, 3));
    }

    #[test]
    fn answers_go_on_where_they_ended_and_the_last_one_can_be_undone() {
        let key = |number: &str| [number.into(), b"x".to_vec()];
        let mut answers = Answers::default();
        answers.add(key("3"), Answer::No);
        answers.add(key("2"), Answer::Yes);
        answers.add(key("9"), Answer::Yes);
        let mut review = review_of(&[90, 70, 80, 79], &answers, 0.8, 9).unwrap();
        assert_eq!((numbers(&review), review.next(), review.num_foreign()), (vec![2, 3, 0, 1], Some(2), 1));
        review.answer(2, Answer::Skip);
        assert_eq!((review.next(), review.last(), review.num_skipped()), (Some(3), Some(2), 1));
        for last in [2, 0, 1] {
            assert_eq!(review.last(), Some(last));
            review.answer(last, Answer::Undone);
            assert!(review.is_open(last));
        }
        assert_eq!((review.next(), review.last()), (Some(0), None));
        let mut foreign = Answers::default();
        foreign.add(key("9"), Answer::Yes);
        assert!(matches!(review_of(&[90], &foreign, 0.8, 9), Err(Error::SavedResult { .. })));
    }

    #[test]
    fn answers_count_beyond_the_pairs_that_are_asked() {
        let mut answers = Answers::default();
        answers.add([b"0".to_vec(), b"x".to_vec()], Answer::Yes);
        let review = review_of(&[100, 81, 80], &answers, 0.8, 1).unwrap();
        assert_eq!((numbers(&review), review.cuts().yes, review.last()), (vec![2], 1, None));
    }

    proptest! {
        #[test]
        fn questions_are_those_of_a_sort(shared in prop::collection::vec(1u64..=100, 0..40), most in 1usize..50) {
            let review = review_of(&shared, &Answers::default(), 0.55, most).unwrap();
            let mut sides = [true, false].map(|above| {
                let mut side: Vec<usize> = (0..shared.len()).filter(|&at| (shared[at] >= 55) == above).collect();
                side.sort_by_key(|&at| shared[at].abs_diff(55));
                side.into_iter()
            });
            let mut expected = Vec::new();
            while expected.len() < shared.len() {
                sides.iter_mut().for_each(|side| expected.extend(side.next()));
            }
            expected.truncate(most);
            prop_assert_eq!(numbers(&review), expected);
        }
    }
}
