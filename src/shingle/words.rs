//! Shingles of words: tokens by UAX #29, cut into clusters where a script has no spaces, in a window over the text.

use std::collections::VecDeque;

use unicode_script::{Script, ScriptExtension, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::stop_words::Lexicon;
use super::{Blocks, Cut};

/// Bytes of words after which those that left the window are dropped.
const COMPACT_AT: usize = 1 << 16;

/// The last words of a text, one behind another with a space between.
#[derive(Debug, Clone, Default)]
pub(super) struct WordWindow {
    joined: Vec<u8>,
    /// Where each word starts, and whether a shingle may.
    words: VecDeque<(usize, bool)>,
}

impl WordWindow {
    /// The shingles of `size` words; with a lexicon those that begin with one of its stop words.
    ///
    /// A text with fewer words than a shingle, or none that begins with a stop word, is one shingle: all its words; a text
    /// without any word is one as it stands.
    pub(super) fn shingles(
        &mut self,
        text: &str,
        size: usize,
        mut lexicon: Option<&mut Lexicon>,
        blocks: &mut Blocks,
    ) -> Cut {
        self.joined.clear();
        self.words.clear();
        if let Some(lexicon) = &mut lexicon {
            lexicon.enter(text);
        }
        let mut cut = Cut::default();
        for_each_word(text, &mut |word| {
            cut.num_tokens += 1;
            let may_start = lexicon.as_mut().is_none_or(|lexicon| lexicon.contains(word));
            self.push(word, may_start, size);
            if self.words.len() == size
                && let (start, true) = self.words[0]
            {
                cut.num_shingles += 1;
                blocks.push(&self.joined[start..]);
            }
        });
        if cut.num_shingles == 0 {
            self.push_whole(text, blocks);
        }
        cut
    }

    fn push(&mut self, word: &str, may_start: bool, size: usize) {
        if self.words.len() == size {
            self.words.pop_front();
        }
        if self.joined.len() >= COMPACT_AT {
            let dropped = self.words.front().map_or(self.joined.len(), |&(start, _)| start);
            if dropped * 2 >= self.joined.len() {
                self.joined.drain(..dropped);
                self.words.iter_mut().for_each(|(start, _)| *start -= dropped);
            }
        }
        if !self.joined.is_empty() {
            self.joined.push(b' ');
        }
        self.words.push_back((self.joined.len(), may_start));
        self.joined.extend_from_slice(word.as_bytes());
    }

    /// Once more from the start: without a single shingle, a long text may have left the window.
    fn push_whole(&mut self, text: &str, blocks: &mut Blocks) {
        self.joined.clear();
        for_each_word(text, &mut |word| {
            if !self.joined.is_empty() {
                self.joined.push(b' ');
            }
            self.joined.extend_from_slice(word.as_bytes());
        });
        blocks.push(if self.joined.is_empty() { text.as_bytes() } else { &self.joined });
        if self.joined.capacity() > COMPACT_AT {
            self.joined = Vec::new();
        }
    }
}

/// The words of a text by UAX #29; where one holds characters of a script without spaces, each of these is a word, and so
/// is what stands between them.
pub(super) fn for_each_word(text: &str, visit: &mut dyn FnMut(&str)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut words = Vec::new();
        for_each_word(text, &mut |word| words.push(word.to_owned()));
        assert_eq!(words.join("|"), expected);
    }

    #[test]
    fn words_are_those_of_uax_29() {
        check("Don't pay $3.50, Señor — it's 3,000!", "Don't|pay|3.50|Señor|it's|3,000");
        check("русские слова և հայերեն 한국어 단어", "русские|слова|և|հայերեն|한국어|단어");
        check("العربية، हिन्दी।", "العربية|हिन्दी");
        check("👩‍👩‍👧 !?", "");
    }

    #[test]
    fn scripts_without_spaces_fall_back_to_characters() {
        check("天地玄黄，宇宙", "天|地|玄|黄|宇|宙");
        check("カタカナ・コーヒー ｺｰﾋｰ", "カ|タ|カ|ナ|コ|ー|ヒ|ー|ｺ|ｰ|ﾋ|ｰ");
        check("ひらがなと漢字々", "ひ|ら|が|な|と|漢|字|々");
        // With the marks that belong to them.
        check("ภาษาไทยที่", "ภ|า|ษ|า|ไ|ท|ย|ที่");
        check("ພາສາ ភាសាខ្មែរ မြန်မာ", "ພ|າ|ສ|າ|ភា|សា|ខ\u{17d2}|មែ|រ|မြ|န\u{103a}|မ|ာ");
    }

    #[test]
    fn mixed_texts_fall_back_within_the_run_only() {
        check("Rust 1.89の新機能とUSBケーブル", "Rust|1.89|の|新|機|能|と|USB|ケ|ー|ブ|ル");
        check("foo_カタ_bar x", "foo_|カ|タ|_bar|x");
        check("ห้อง 101 ๑๒", "ห้|อ|ง|101|๑|๒");
    }
}
