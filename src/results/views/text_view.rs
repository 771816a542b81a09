//! `PairView`: two texts as people read them, and the passages that they share.

use std::ops::Range;
use std::sync::Arc;

use crate::results::explain::Explanation;
use crate::search::corpus::DecodedText;

/// The texts of two documents as people read them, and the passages that they share.
#[derive(Debug, Clone)]
pub struct PairView {
    /// Both texts; `None` for a text that could not be read as it was compared.
    pub texts: [Option<Arc<TextView>>; 2],
    /// The shared passages, in the order of the first text. Empty when a text is missing, or when passages were not
    /// looked for.
    pub passages: Vec<ViewedPassage>,
}

/// A text as people read it: decoded, without HTML markup, and not folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextView {
    /// The decoded text.
    pub text: String,
    /// For each line of the text, the line of the original on which it begins, from 1; `None` when these are 1, 2, 3
    /// and so on.
    pub lines: Option<Vec<u64>>,
    /// Byte ranges of the text that were removed before the comparison, such as text that all authors were given;
    /// ascending.
    pub removed: Vec<Range<usize>>,
    /// The label that people see on these parts.
    pub removed_words: &'static str,
}

/// A passage in the texts of a [`PairView`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewedPassage {
    /// The passage's byte range in the first text.
    pub a: Range<usize>,
    /// The passage's byte range in the second text.
    pub b: Range<usize>,
    /// The number of tokens that are the same on both sides.
    pub matched: u64,
    /// Whether both texts contain the same tokens without a gap.
    pub exact: bool,
}

impl PairView {
    /// The texts and passages of an explanation.
    pub fn of_explanation(explanation: &Explanation) -> Self {
        let Explanation { a, b, passages, .. } = explanation;
        let text = |side: usize| {
            let document = [a, b][side];
            let view = TextView::new(&mut document.decoded().clone());
            let view = passages
                .iter()
                .fold(view, |view, passages| view.with_removed(passages.removed[side].clone(), passages.removed_words));
            document.detail.is_none().then(|| Arc::new(view))
        };
        let passages = passages.iter().flat_map(|passages| &passages.passages).map(|passage| ViewedPassage {
            a: passage.a.clone(),
            b: passage.b.clone(),
            matched: passage.located.matched,
            exact: passage.located.exact,
        });
        Self { texts: [text(0), text(1)], passages: passages.collect() }
    }
}

impl TextView {
    pub(super) fn new(decoded: &mut DecodedText) -> Self {
        let text = std::mem::take(&mut decoded.text);
        let end = if text.contains('\n') { b'\n' } else { b'\r' };
        let starts = std::iter::once(0).chain(memchr::memchr_iter(end, text.as_bytes()).map(|at| at + 1));
        let lines: Vec<u64> = starts.map(|start| decoded.line_of(start)).collect();
        let is_plain = (1..).zip(&lines).all(|(number, &line)| line == number);
        Self { text, lines: (!is_plain).then_some(lines), removed: Vec::new(), removed_words: "" }
    }

    pub(super) fn with_removed(self, removed: Vec<Range<usize>>, removed_words: &'static str) -> Self {
        Self { removed, removed_words, ..self }
    }
}
