//! Characters that stand for none or for others: invisible ones, ligatures, punctuation that looks like other punctuation.

use unicode_script::{Script, UnicodeScript};

use super::Disguises;
use super::edits::TracedEdits;
use crate::flat::offset_map::Trace;

/// Undoes them in a text.
pub(super) fn undo<T: Trace>(text: &str, edits: &mut TracedEdits<T>, found: &mut Disguises) {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if !c.is_ascii() {
            let range = at..at + c.len_utf8();
            let (count, by) = if is_invisible(c, before) {
                (&mut found.invisible, "")
            } else if let Some(letters) = ligature(c) {
                (&mut found.ligatures, letters)
            } else if let Some(mark) = punctuation(c) {
                (&mut found.punctuation, mark)
            } else {
                before = c;
                continue;
            };
            *count = count.saturating_add(1);
            edits.replace(range, by);
        } else {
            before = c;
        }
    }
}

/// Whether a character takes no room and means nothing where it stands.
///
/// Zero-width spaces and joiners mean something in scripts whose letters join or whose words have no spaces between them,
/// and in emoji.
fn is_invisible(c: char, before: char) -> bool {
    match c {
        '\u{200B}'..='\u{200D}' => {
            use Script::{Armenian, Cyrillic, Georgian, Greek, Han, Hangul, Hebrew, Hiragana, Katakana, Latin};
            let scripts = [Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Han, Hiragana, Katakana, Hangul];
            before.is_ascii() || scripts.contains(&before.script())
        }
        // Soft hyphen, grapheme joiner, Mongolian separator, marks of direction, word joiner, invisible operators, BOM.
        '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' => true,
        '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' => true,
        _ => false,
    }
}

fn ligature(c: char) -> Option<&'static str> {
    Some(match c {
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        'ﬓ' => "մն",
        'ﬔ' => "մե",
        'ﬕ' => "մի",
        'ﬖ' => "վն",
        'ﬗ' => "մխ",
        'ĳ' => "ij",
        'Ĳ' => "IJ",
        _ => return None,
    })
}

/// The mark on a keyboard that a character looks like.
fn punctuation(c: char) -> Option<&'static str> {
    Some(match c {
        '‘' | '’' | '‛' | '′' | 'ʼ' | '՚' => "'",
        '“' | '”' | '„' | '‟' | '″' => "\"",
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '⁃' => "-",
        '‚' => ",",
        '…' => "...",
        '․' => ".",
        '\u{37E}' => ";",
        '∶' | '꞉' => ":",
        '⁄' | '∕' | '⧸' => "/",
        '∗' => "*",
        '∼' => "~",
        _ => return None,
    })
}
