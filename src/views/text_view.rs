//! `PairView`: two texts as people read them, and the passages that they share.

use std::ops::Range;
use std::sync::Arc;

use crate::corpus::DecodedText;

/// Two documents as people read them.
#[derive(Debug, Clone)]
pub struct PairView {
    /// Both texts; `None` for one that could not be read as it was compared.
    pub texts: [Option<Arc<TextView>>; 2],
    /// What they share, in the order of the first text; none where a text is missing, or nothing was looked for.
    pub passages: Vec<ViewedPassage>,
}

/// A text as a person reads it: decoded, a page without its markup, and not folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextView {
    /// The text.
    pub text: String,
    /// The line of the original, from 1, that each line of the text begins on; `None` where these are 1, 2, 3 and so on.
    pub lines: Option<Vec<u64>>,
    /// Bytes of the text that were removed before it was compared, such as what all authors were handed out; ascending.
    pub removed: Vec<Range<usize>>,
    /// What people read of these parts.
    pub removed_words: &'static str,
}

/// A passage in the texts of a [`PairView`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewedPassage {
    /// Its bytes in the first text.
    pub a: Range<usize>,
    /// Its bytes in the second text.
    pub b: Range<usize>,
    /// Tokens that are the same on both sides.
    pub matched: u64,
    /// Whether the same tokens are in both texts without a gap.
    pub exact: bool,
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
