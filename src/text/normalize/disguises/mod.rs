//! Disguises: undoes the tricks that hide a copy from a comparison.
//!
//! Each step undoes one kind of disguise and counts what it undid:
//!
//! 1. `hyphens`: words that are divided at a line end;
//! 2. `marks`: invisible characters (see `invisible`), ligatures, punctuation that looks like other punctuation;
//! 3. `homoglyphs`: letters of another script within a word that look like letters of the word's script;
//! 4. `spacing`: words with spaces between their letters.
//!
//! A later step sees the result of the earlier ones. White space, full-width letters and the like are handled
//! elsewhere: white space is always folded, and NFKC folds the others.

mod edits;
mod homoglyphs;
mod hyphens;
mod invisible;
mod marks;
mod spacing;

use serde::{Deserialize, Serialize};

use self::edits::TracedEdits;
use super::settings::as_str;
use crate::base::flat::offset_map::Trace;

/// Number of disguises of each kind that were undone in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Disguises {
    /// Number of letters of another script that looked like letters of the word's own script.
    pub homoglyphs: u32,
    /// Number of invisible characters: zero-width spaces and joiners, soft hyphens, direction marks, variation
    /// selectors, tags, fillers.
    pub invisible: u32,
    /// Number of words with spaces between their letters.
    pub spaced: u32,
    /// Number of words that were divided at a line end.
    pub divided: u32,
    /// Number of ligatures.
    pub ligatures: u32,
    /// Number of punctuation marks that looked like others.
    pub punctuation: u32,
}

impl Disguises {
    /// Whether no disguise was undone.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the numbers of another text.
    pub(super) fn add(&mut self, other: Self) {
        self.homoglyphs += other.homoglyphs;
        self.invisible += other.invisible;
        self.spaced += other.spaced;
        self.divided += other.divided;
        self.ligatures += other.ligatures;
        self.punctuation += other.punctuation;
    }

    /// Each kind of disguise by its name in records, with its number.
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

/// Undoes disguises in `text`, which must be valid UTF-8 and remains so; returns their numbers.
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
    // The UTF-8 check reads the entire text, so do it once.
    let original = as_str(text);
    let mut edits = TracedEdits::new(original, scratch, trace);
    step(original, &mut edits);
    if edits.finish() {
        std::mem::swap(text, scratch);
    }
}

#[cfg(test)]
mod tests;
