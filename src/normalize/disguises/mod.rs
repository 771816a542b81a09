//! Disguises: a text in, the same without the tricks that hide a copy from a comparison out.
//!
//! Each step undoes one kind of trick and counts what it undid:
//!
//! 1. `hyphens`: words that are divided at a line end;
//! 2. `marks`: invisible characters (`invisible` says which), ligatures, punctuation that looks like other punctuation;
//! 3. `homoglyphs`: letters of another script within a word, which look like those of its own;
//! 4. `spacing`: words whose letters stand apart.
//!
//! A later step sees what an earlier one made. White space, full-width letters and the like are not its business: white space
//! is folded in any case, and NFKC folds the others.

mod edits;
mod homoglyphs;
mod hyphens;
mod invisible;
mod marks;
mod spacing;

use serde::{Deserialize, Serialize};

use self::edits::TracedEdits;
use super::settings::as_str;
use crate::flat::offset_map::Trace;

/// How often each kind of disguise was undone in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disguises {
    /// Letters of another script that look like those of the word's own.
    pub homoglyphs: u32,
    /// Characters that take no room: zero-width spaces and joiners, soft hyphens, marks of direction, selectors of variants,
    /// tags, fillers.
    pub invisible: u32,
    /// Words whose letters stood apart.
    pub spaced: u32,
    /// Words that were divided at a line end.
    pub divided: u32,
    /// Ligatures.
    pub ligatures: u32,
    /// Punctuation marks of another shape.
    pub punctuation: u32,
}

impl Disguises {
    /// Whether nothing was undone.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Each kind with the number of times that it was undone, by the name it has in records.
    pub fn by_kind(&self) -> [(&'static str, u32); 6] {
        let Self { homoglyphs, invisible, spaced, divided, ligatures, punctuation } = *self;
        [
            ("homoglyphs", homoglyphs),
            ("invisible", invisible),
            ("spaced", spaced),
            ("divided", divided),
            ("ligatures", ligatures),
            ("punctuation", punctuation),
        ]
    }
}

/// Undoes disguises in `text`, which must be valid UTF-8 and is afterwards; returns how many.
pub(super) fn undo<T: Trace>(text: &mut Vec<u8>, scratch: &mut Vec<u8>, trace: &mut T) -> Disguises {
    let mut found = Disguises::default();
    apply(text, scratch, trace, |text, edits| found.divided = hyphens::undo(text, edits));
    if !text.is_ascii() {
        apply(text, scratch, trace, |text, edits| marks::undo(text, edits, &mut found));
        apply(text, scratch, trace, |text, edits| found.homoglyphs = homoglyphs::undo(text, edits));
    }
    apply(text, scratch, trace, |text, edits| found.spaced = spacing::undo(text, edits));
    found
}

fn apply<T: Trace>(
    text: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
    trace: &mut T,
    step: impl FnOnce(&str, &mut TracedEdits<T>),
) {
    // Once, as it looks at all of the text.
    let original = as_str(text);
    let mut edits = TracedEdits::new(original, scratch, trace);
    step(original, &mut edits);
    if edits.finish() {
        std::mem::swap(text, scratch);
    }
}

#[cfg(test)]
mod tests;
