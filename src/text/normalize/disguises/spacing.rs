//! Words with a space between any two letters: `s p a c i n g`.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};

use super::edits::TracedEdits;
use crate::base::flat::offset_map::Trace;

/// Minimum number of letters of such a word. Three letters, as in `a b c`, are usually meant as separate letters.
const LEAST_LETTERS: usize = 4;

/// Joins the letters of words written with spaces between them; returns the number of words.
///
/// A run is at least four single letters with one space between any two of them; two spaces or a line end are not part
/// of it. It counts as one word, unless it contains at least as many other spaces as ordinary ones. Then its ordinary
/// spaces separate words.
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
    // The spaces after the letters of a run, including the one after the last letter if there is one.
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
            // A combining mark belongs to its letter.
            Spelling::Letter if !c.is_ascii() && c.script() == Script::Inherited && !is_space(c) => Spelling::Letter,
            Spelling::Letter if is_space(c) => {
                spaces.push(at..at + c.len_utf8());
                Spelling::Between
            }
            Spelling::Letter if is_in_word(c) => {
                // The last letter is the start of a longer word.
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
    /// After a character that is not part of a word.
    Outside,
    /// Within a word of several letters.
    Inside,
    /// After a single letter.
    Letter,
    /// After a single letter and a space.
    Between,
}

/// Whether a letter belongs to a script that separates words by spaces.
fn is_letter(c: char) -> bool {
    const SCRIPTS: [Script; 4] = [Script::Latin, Script::Cyrillic, Script::Greek, Script::Armenian];
    c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_alphabetic() && SCRIPTS.contains(&c.script()))
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'')
}

/// Whether a character is a space other than a line end or a tab; U+2800 is the braille pattern without a dot.
fn is_space(c: char) -> bool {
    matches!(
        c,
        ' ' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{2800}' | '\u{3000}'
    )
}
