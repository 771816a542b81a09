//! Finds invisible characters without meaning in their context, so that a text without them reads the same.
//!
//! These are Unicode's `Default_Ignorable_Code_Point`, except where writing systems need them: letters that join or
//! have variants, syllables with an empty position, emoji.

use unicode_script::{Script, UnicodeScript};

/// Whether a character is invisible and has no meaning in its context.
///
/// * `base`: the last visible character before it that is not a combining mark; a space if there is none.
/// * `rest`: the text after it.
pub(super) fn is_invisible(c: char, base: char, rest: &str) -> bool {
    match c {
        // Soft hyphen, grapheme joiner, direction marks, word joiner, invisible operators, deprecated controls, BOM,
        // and code points that Unicode reserves for more of them.
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' => true,
        '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFF8}' => true,
        '\u{E0080}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}' => true,
        '\u{200B}'..='\u{200D}' => base.is_ascii() || base.script() == Script::Han || has_plain_letters(base.script()),
        // Variation selectors and the vowel separator of Mongolian; inherent vowels of Khmer.
        '\u{180B}'..='\u{180F}' => base.script() != Script::Mongolian,
        '\u{17B4}' | '\u{17B5}' => base.script() != Script::Khmer,
        '\u{FE0E}' | '\u{FE0F}' => !(is_symbol(base) || rest.starts_with('\u{20E3}')),
        // Variation selectors of ideographs and of a few letters and signs.
        '\u{FE00}'..='\u{FE0D}' => base.is_ascii() || base.is_whitespace() || has_plain_letters(base.script()),
        '\u{E0100}'..='\u{E01EF}' => base.script() != Script::Han,
        // An emoji flag of a region is followed by the region's name in tag characters.
        '\u{E0000}'..='\u{E007F}' => base != '\u{1F3F4}',
        '\u{115F}' | '\u{1160}' => !has_neighbour(base, rest, is_jamo),
        '\u{3164}' | '\u{FFA0}' => !has_neighbour(base, rest, is_compatible_jamo),
        _ => false,
    }
}

/// Whether a character is a mark on the preceding one, or an invisible one that is kept. Such a character is not the
/// base of the next one.
pub(super) fn is_attached(c: char) -> bool {
    c.script() == Script::Inherited
        || is_filler(c)
        || matches!(c, '\u{180B}'..='\u{180F}' | '\u{17B4}' | '\u{17B5}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether the letters of a script neither join nor have variants.
fn has_plain_letters(script: Script) -> bool {
    use Script::{Armenian, Cyrillic, Georgian, Greek, Hangul, Hebrew, Hiragana, Katakana, Latin};
    [Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Hiragana, Katakana, Hangul].contains(&script)
}

/// Whether a character is a sign without a script, such as an emoji.
fn is_symbol(c: char) -> bool {
    !c.is_ascii() && !c.is_whitespace() && c.script() == Script::Common
}

/// Whether a part of the same syllable is next to a filler, which represents a missing part.
fn has_neighbour(base: char, rest: &str, is_part: fn(char) -> bool) -> bool {
    /// Maximum number of fillers in between: a syllable has three parts.
    const MOST_BETWEEN: usize = 2;
    is_part(base) || rest.chars().take(MOST_BETWEEN + 1).find(|&c| !is_filler(c)).is_some_and(is_part)
}

fn is_filler(c: char) -> bool {
    matches!(c, '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}')
}

fn is_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{D7B0}'..='\u{D7FF}')
}

fn is_compatible_jamo(c: char) -> bool {
    matches!(c, '\u{3131}'..='\u{318E}' | '\u{FFA1}'..='\u{FFDC}')
}
