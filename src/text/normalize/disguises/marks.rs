//! Characters that look like nothing or like others: invisible characters, ligatures, punctuation that looks like other
//! punctuation.

use super::Disguises;
use super::edits::TracedEdits;
use super::invisible::{is_attached, is_invisible};
use crate::base::flat::offset_map::Trace;

/// Removes or replaces these characters in a text.
pub(super) fn undo<T: Trace>(text: &str, edits: &mut TracedEdits<T>, found: &mut Disguises) {
    let mut base = ' ';
    for (at, c) in text.char_indices() {
        if c.is_ascii() {
            base = c;
            continue;
        }
        let range = at..at + c.len_utf8();
        let (count, by) = if is_invisible(c, base, &text[range.end..]) {
            (&mut found.invisible, "")
        } else if let Some(letters) = ligature(c) {
            (&mut found.ligatures, letters)
        } else if let Some(mark) = punctuation(c) {
            (&mut found.punctuation, mark)
        } else {
            base = if is_attached(c) { base } else { c };
            continue;
        };
        *count = count.saturating_add(1);
        edits.replace(range, by);
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

/// The ASCII punctuation that a character looks like.
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
