//! `common_words`: collects the words that many texts share, as a dictionary for compression.
//!
//! A block of texts is small, so that reading one of its texts is fast, and most words of a block would be new to the
//! compressor; a dictionary provides them. Removed texts are erased from the index, but the dictionary stays, so it
//! contains nothing that only a few texts have.

use std::cmp::Reverse;
use std::collections::HashMap;

/// The minimum number of texts that contain a word of the dictionary.
const LEAST_TEXTS: u32 = 16;
/// The minimum and maximum bytes of a word with the following white space. Shorter words do not improve compression.
const WORD: [usize; 2] = [4, 64];
/// The maximum bytes of a dictionary.
const MOST_BYTES: usize = 112 << 10;

/// Concatenates the words that many texts share, the most useful ones last; empty when there are none.
///
/// A word ends with white space; the end of a text without white space is not a word.
pub(crate) fn common_words<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Vec<u8> {
    // For each word: the number of texts that contain it, and the last of these texts.
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
    // The compressor refers to the end of the dictionary with the fewest bits.
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
