//! Words: what a text is cut into, and which of them may start a shingle.

use unicode_script::{Script, ScriptExtension, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

/// Which words start a shingle.
pub(in crate::shingle) trait FirstWords {
    /// Begins a text.
    fn enter(&mut self, text: &str);

    /// Whether a word of the text starts a shingle.
    fn contains(&mut self, word: &str) -> bool;
}

/// The words of a text by UAX #29; where one holds characters of a script without spaces, each of these is a word, and so
/// is what stands between them.
pub(in crate::shingle) fn for_each_word(text: &str, visit: &mut dyn FnMut(&str)) {
    for word in text.unicode_words() {
        // No such character comes before the Thai ones.
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
    /// Han stands for Hiragana as well, which UAX #29 takes apart, too.
    const SCRIPTS: [Script; 7] =
        [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];
    let of_scripts = cluster.chars().next().map_or(ScriptExtension::default(), |c| c.script_extension());
    // What is common to all scripts is of none; the sign that draws out a vowel of Kana is common to two.
    let is_common = of_scripts.is_common() || of_scripts.is_inherited();
    !is_common && SCRIPTS.iter().any(|&script| of_scripts.contains_script(script))
}
