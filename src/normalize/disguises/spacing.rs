//! Words whose letters stand apart: `s p a c i n g`.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};

use super::edits::TracedEdits;
use crate::flat::offset_map::Trace;

/// Fewest letters that make a word. Three, as in `a b c`, are more often what they look like.
const LEAST_LETTERS: usize = 4;

/// Joins letters that stand apart to words; returns how many words.
///
/// A run is at least four single letters with one space between any two of them; two spaces or a line end are outside of it.
/// It is one word. Where a run has ordinary spaces and no fewer of other ones, the ordinary ones are between words.
pub(super) fn undo<T: Trace>(text: &str, edits: &mut TracedEdits<T>) -> u32 {
    let mut found = 0u32;
    let mut end = |spaces: &mut Vec<Range<usize>>, num_letters: usize| {
        if num_letters >= LEAST_LETTERS {
            spaces.truncate(num_letters - 1);
            for word in words(text, spaces).filter(|word| !word.is_empty()) {
                word.iter().for_each(|space| edits.replace(space.clone(), ""));
                found = found.saturating_add(1);
            }
        }
        spaces.clear();
    };
    // The spaces behind the letters of a run, the last one included where one is there.
    let mut spaces: Vec<Range<usize>> = Vec::new();
    let mut state = Spelling::Outside;
    for (at, c) in text.char_indices() {
        let is_letter = is_letter(c);
        state = match state {
            Spelling::Outside | Spelling::Between if is_letter => Spelling::Letter,
            Spelling::Outside if is_in_word(c) => Spelling::Inside,
            Spelling::Outside => Spelling::Outside,
            Spelling::Inside if is_in_word(c) => Spelling::Inside,
            Spelling::Inside => Spelling::Outside,
            // A mark belongs to its letter.
            Spelling::Letter if !c.is_ascii() && c.script() == Script::Inherited && !is_space(c) => Spelling::Letter,
            Spelling::Letter if is_space(c) => {
                spaces.push(at..at + c.len_utf8());
                Spelling::Between
            }
            Spelling::Letter if is_in_word(c) => {
                // The last letter begins a longer word.
                let num_letters = spaces.len();
                end(&mut spaces, num_letters);
                Spelling::Inside
            }
            Spelling::Letter => {
                let num_letters = spaces.len() + 1;
                end(&mut spaces, num_letters);
                Spelling::Outside
            }
            Spelling::Between => {
                let num_letters = spaces.len();
                end(&mut spaces, num_letters);
                if is_in_word(c) { Spelling::Inside } else { Spelling::Outside }
            }
        };
    }
    let num_letters = spaces.len() + usize::from(matches!(state, Spelling::Letter));
    end(&mut spaces, num_letters);
    found
}

/// The spaces within each word of a run.
fn words<'s>(text: &str, spaces: &'s [Range<usize>]) -> impl Iterator<Item = &'s [Range<usize>]> {
    let is_ordinary = |space: &Range<usize>| &text[space.clone()] == " ";
    let num_ordinary = spaces.iter().filter(|space| is_ordinary(space)).count();
    let has_words = num_ordinary <= spaces.len() - num_ordinary;
    spaces.split(move |space| has_words && is_ordinary(space))
}

#[derive(Clone, Copy)]
enum Spelling {
    /// Behind something that is no part of a word.
    Outside,
    /// In a word of several letters.
    Inside,
    /// Behind a single letter.
    Letter,
    /// Behind a single letter and a space.
    Between,
}

/// Whether words are written with this letter and with spaces around them.
fn is_letter(c: char) -> bool {
    const SCRIPTS: [Script; 4] = [Script::Latin, Script::Cyrillic, Script::Greek, Script::Armenian];
    c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_alphabetic() && SCRIPTS.contains(&c.script()))
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'')
}

/// A space that is no line end and no tabulator; U+2800 is braille without a dot.
fn is_space(c: char) -> bool {
    matches!(
        c,
        ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{2800}' | '\u{3000}'
    )
}
