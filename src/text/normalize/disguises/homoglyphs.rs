//! Homoglyphs: letters of another script that look like letters of the word's own script.
//!
//! Only words with letters of several scripts are changed, so that a text in a single script stays as it is. The
//! letters are Unicode's confusable characters (UTS #39) that look alike in most typefaces.

use std::cmp::Reverse;
use std::ops::Range;

use unicode_script::{Script, UnicodeScript};

use super::edits::TracedEdits;
use crate::base::flat::offset_map::Trace;

/// Scripts with letters that look alike. If two scripts have equally many letters in a word, the first counts as the
/// word's own script.
const SCRIPTS: [Script; 4] = [Script::Latin, Script::Cyrillic, Script::Greek, Script::Armenian];

/// For Cyrillic, Greek and Armenian: letters, and the Latin letters that they look like, in the same order.
const LIKE_LATIN: [(&str, &str); 3] = [
    ("асԁеһіјкӏорԛѕуѵԝхүёїАВСЕНІЈКӀМОРԚЅТѴԜХУҮԌЁЇ", "acdehijklopqsyvwxyëïABCEHIJKIMOPQSTVWXYYGËÏ"),
    ("αικνορυγχϲϳωόάίύΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "aikvopuyxcjwóáíúABEZHIKMNOPTYXCJ"),
    ("օսոհյցզՕՍՏ", "ounhjgqOUS"),
];

/// Rewrites each word of several scripts in the letters of one script, if all its letters exist there. Returns the
/// number of changed letters.
pub(super) fn undo<T: Trace>(text: &str, edits: &mut TracedEdits<T>) -> u32 {
    let mut found = 0u32;
    let mut word = Word::default();
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_alphabetic() {
            word.push(at, c);
        } else if c.is_ascii() || c.script() != Script::Inherited {
            if let Some(script) = word.own_script(text) {
                for (at, c) in word.letters(text) {
                    if let Some(like) = in_script(c, script).filter(|&like| like != c) {
                        edits.replace(at..at + c.len_utf8(), like.encode_utf8(&mut [0; 4]));
                        found = found.saturating_add(1);
                    }
                }
            }
            word = Word::default();
        }
    }
    found
}

/// A word: its byte range up to its last letter, and its number of letters in each script.
#[derive(Default)]
struct Word {
    bytes: Range<usize>,
    num_letters: [u32; 4],
}

impl Word {
    fn push(&mut self, at: usize, c: char) {
        if self.bytes.is_empty() {
            self.bytes.start = at;
        }
        self.bytes.end = at + c.len_utf8();
        if let Some(script) = script_of(c) {
            self.num_letters[script] += 1;
        }
    }

    /// The script that has a look-alike for every letter of the word; `None` for a word in one script, or if there is
    /// no such script.
    fn own_script(&self, text: &str) -> Option<usize> {
        if self.num_letters.iter().filter(|&&number| number > 0).count() < 2 {
            return None;
        }
        // A Greek letter next to one other letter is probably a formula.
        if self.num_letters.iter().sum::<u32>() < 3 && self.letters(text).any(|(_, c)| is_sign_of_formulas(c)) {
            return None;
        }
        let mut scripts = [0, 1, 2, 3];
        scripts.sort_by_key(|&script| Reverse(self.num_letters[script]));
        scripts.into_iter().find(|&script| {
            let fits = |(_, c)| script_of(c).is_none() || in_script(c, script).is_some();
            self.num_letters[script] > 0 && self.letters(text).all(fits)
        })
    }

    fn letters<'t>(&self, text: &'t str) -> impl Iterator<Item = (usize, char)> + use<'t> {
        let start = self.bytes.start;
        text[self.bytes.clone()].char_indices().map(move |(at, c)| (start + at, c))
    }
}

/// Whether a Greek letter is common in formulas: not omicron, and not a capital that looks like a Latin one.
fn is_sign_of_formulas(c: char) -> bool {
    c.script() == Script::Greek && c != 'ο' && (c.is_lowercase() || like_latin(c).is_none())
}

fn script_of(c: char) -> Option<usize> {
    if c.is_ascii() {
        return c.is_ascii_alphabetic().then_some(0);
    }
    let script = c.script();
    SCRIPTS.iter().position(|&one| one == script)
}

/// The letter of a script that looks like `c`: `c` itself, if it belongs to that script.
fn in_script(c: char, script: usize) -> Option<char> {
    if script_of(c) == Some(script) {
        return Some(c);
    }
    let latin = like_latin(c)?;
    match script {
        0 => Some(latin),
        _ => pairs(script).find(|&(_, like)| like == latin).map(|(other, _)| other),
    }
}

/// The Latin letter that looks like `c`: `c` itself, if it is Latin.
fn like_latin(c: char) -> Option<char> {
    match script_of(c)? {
        0 => Some(c),
        script => pairs(script).find(|&(other, _)| other == c).map(|(_, like)| like),
    }
}

/// Pairs of a letter of the script and the Latin letter that it looks like.
fn pairs(script: usize) -> impl Iterator<Item = (char, char)> {
    let (others, latin) = LIKE_LATIN[script - 1];
    others.chars().zip(latin.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_pairs_of_letters_of_their_scripts() {
        for script in 1..SCRIPTS.len() {
            let (others, latin) = LIKE_LATIN[script - 1];
            assert_eq!(others.chars().count(), latin.chars().count(), "{others}");
            for (other, like) in pairs(script) {
                assert_eq!((other.script(), like.script()), (SCRIPTS[script], Script::Latin), "{other} {like}");
                assert_eq!(other.is_lowercase(), like.is_lowercase(), "{other} {like}");
            }
        }
    }
}
