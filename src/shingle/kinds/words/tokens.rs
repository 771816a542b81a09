//! Cuts a text into words, by UAX #29 and by grapheme clusters in scripts without spaces.

use unicode_script::{Script, ScriptExtension, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

/// Which words start a shingle.
pub(in crate::shingle) trait FirstWords {
    /// Begins a text.
    fn enter(&mut self, text: &str);

    /// Whether a word of the text starts a shingle.
    fn contains(&mut self, word: &str) -> bool;
}

/// Calls `visit` with the words of a text by UAX #29. Within such a word, each cluster of a script without spaces is a word of
/// its own, and so is what stands between them.
pub(in crate::shingle) fn for_each_word(text: &str, visit: &mut dyn FnMut(&str)) {
    for word in text.unicode_words() {
        // The first such characters are the Thai ones, whose first byte is 0xE0.
        if word.bytes().all(|byte| byte < 0xE0) || word.chars().nth(1).is_none() {
            visit(word);
            continue;
        }
        let mut start = 0;
        for (at, cluster) in word.grapheme_indices(true) {
            if is_of_spaceless_script(cluster) {
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

fn is_of_spaceless_script(cluster: &str) -> bool {
    /// The scripts without spaces between words. UAX #29 itself already cuts Han and Hiragana into characters.
    const SCRIPTS: [Script; 7] =
        [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];
    let of_scripts = cluster.chars().next().map_or(ScriptExtension::default(), |c| c.script_extension());
    // Characters common to all scripts count for none. The sign that lengthens a vowel of Kana belongs to two scripts.
    let is_common = of_scripts.is_common() || of_scripts.is_inherited();
    !is_common && SCRIPTS.iter().any(|&script| of_scripts.contains_script(script))
}
