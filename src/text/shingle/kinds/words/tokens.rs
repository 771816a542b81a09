//! Cuts a text into words, by UAX #29 and by grapheme clusters in scripts without spaces.

use unicode_segmentation::UnicodeSegmentation;

use crate::base::scripts::is_spaceless;

/// Decides which words begin a shingle.
pub(in crate::text::shingle) trait FirstWords {
    /// Starts a text.
    fn enter(&mut self, text: &str);

    /// Whether a word of the current text begins a shingle.
    fn contains(&mut self, word: &str) -> bool;
}

/// Calls `visit` with the words of a text by UAX #29. Each grapheme cluster of a script without spaces is a separate
/// word, and so is the text between such clusters.
pub(in crate::text::shingle) fn for_each_word(text: &str, visit: &mut dyn FnMut(&str)) {
    for word in text.unicode_words() {
        // The first characters of scripts without spaces are Thai, whose first byte is 0xE0.
        if word.bytes().all(|byte| byte < 0xE0) || word.chars().nth(1).is_none() {
            visit(word);
            continue;
        }
        let mut start = 0;
        for (at, cluster) in word.grapheme_indices(true) {
            if cluster.chars().next().is_some_and(is_spaceless) {
                if start < at {
                    visit(&word[start..at]);
                }
                visit(cluster);
                start = at + cluster.len();
            }
        }
        if start < word.len() {
            visit(&word[start..]);
        }
    }
}
