//! `FoundAnswer`: an answer with where it was found: in one of the indexes that are asked, or in the open batch.

use super::answer::IndexAnswer;
use super::docs::DocRow;

/// An answer to a question: a document of an index, or one that is to be added to the first index.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundAnswer {
    pub(super) answer: IndexAnswer,
    /// The place of the index among those that are asked.
    pub(super) index: usize,
    /// Whether it is a document of the open batch.
    pub(super) is_open: bool,
}

/// The document of an answer.
pub(super) enum AnswerRow<'r> {
    Stored(DocRow),
    Open(&'r DocRow),
}

impl AnswerRow<'_> {
    pub(super) fn get(&self) -> &DocRow {
        match self {
            Self::Stored(row) => row,
            Self::Open(row) => row,
        }
    }
}

/// Leaves the best answers, the best first, where only these are asked for. Equally good answers keep their order.
///
/// * `by_containment`: whether the best is the one most contained, and only then the most similar.
pub(super) fn keep_best<T>(
    found: &mut Vec<T>,
    best: Option<usize>,
    by_containment: bool,
    answer: impl Fn(&T) -> &IndexAnswer,
) {
    if let Some(best) = best {
        let compare = |a: &IndexAnswer, b: &IndexAnswer| match by_containment {
            true => a.compare_containment(b).then_with(|| a.compare_similarity(b)),
            false => a.compare_similarity(b),
        };
        found.sort_by(|a, b| compare(answer(b), answer(a)));
        found.truncate(best);
    }
}
