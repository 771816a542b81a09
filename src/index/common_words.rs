//! `common_words`: texts in; the words that many of them have out, of which a dictionary is made.
//!
//! A block of texts is small, so that a text of it is read fast. Most words of a block come for the first time there; with a
//! dictionary they have been there before. What is removed of an index is erased, but its dictionary stays: so it has nothing that
//! only a few texts have.

use std::cmp::Reverse;
use std::collections::HashMap;

/// Texts that have a word, at least.
const LEAST_TEXTS: u32 = 16;
/// Least and most bytes of a word, with the character behind it. A shorter one is compressed no better.
const WORD: [usize; 2] = [4, 64];
/// Most bytes of words.
const MOST_BYTES: usize = 112 << 10;

/// Words that many texts have, one after another, the most useful ones last; nothing without any.
///
/// A word ends with white space; what a text ends with is none without it.
pub(super) fn common_words<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Vec<u8> {
    // For each word the texts that have it, and the last one of them.
    let mut counts: HashMap<&[u8], (u32, u32)> = HashMap::new();
    for (number, text) in (1..).zip(texts) {
        for word in text.split_inclusive(u8::is_ascii_whitespace) {
            let is_whole = word.last().is_some_and(u8::is_ascii_whitespace);
            if is_whole && (WORD[0]..=WORD[1]).contains(&word.len()) {
                let (count, last) = counts.entry(word).or_default();
                *count += u32::from(*last != number);
                *last = number;
            }
        }
    }
    let common = counts.into_iter().filter(|&(_, (count, _))| count >= LEAST_TEXTS);
    let saved = |word: &[u8], count: u32| (word.len() - WORD[0] + 1) * count as usize;
    let mut common: Vec<(usize, &[u8])> = common.map(|(word, (count, _))| (saved(word, count), word)).collect();
    common.sort_unstable_by_key(|&(saved, word)| (Reverse(saved), word));
    let mut room = MOST_BYTES;
    common.retain(|(_, word)| {
        let fits = word.len() <= room;
        room -= if fits { word.len() } else { 0 };
        fits
    });
    // What is nearest to a block is what it names in the fewest bits.
    common.iter().rev().flat_map(|(_, word)| *word).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_many_texts_are_there_and_the_most_useful_ones_are_last() {
        let text = |number: usize| {
            let rare = if number < 15 { "rarely seen" } else { "" };
            let often = if number < 20 { "sometimes" } else { "" };
            format!("everywhere a {often} {rare} secret{number} everywhere everywhere footer")
        };
        let texts: Vec<String> = (0..40).map(text).collect();
        let words = |texts: &[String]| common_words(texts.iter().map(String::as_bytes));
        assert_eq!(String::from_utf8_lossy(&words(&texts)), "sometimes everywhere ");
        assert!(words(&texts[..15]).is_empty());
    }

    #[test]
    fn words_have_bounds() {
        let text: String = (0..30_000).map(|number| format!("number-{number:05} ")).collect();
        let texts = vec![format!("{text}{} end", "x".repeat(100)); 16];
        let words = common_words(texts.iter().map(String::as_bytes));
        assert_eq!(words.len(), MOST_BYTES / 13 * 13, "{}", &String::from_utf8_lossy(&words)[..100]);
    }
}
