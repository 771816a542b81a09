//! Words that are divided at a line end: `exam-`, with `ple` on the next line.

use memchr::memchr3_iter;

use super::edits::TracedEdits;
use crate::base::flat::offset_map::Trace;

/// Joins divided words; returns their number.
///
/// A word is divided if a hyphen or soft hyphen follows a letter and the next line begins with a lower-case letter. So
/// a compound that is divided at its own hyphen loses it.
pub(super) fn undo<T: Trace>(text: &str, edits: &mut TracedEdits<T>) -> u32 {
    let mut found = 0u32;
    // The first bytes of `-`, of U+00AD and of U+2010.
    for at in memchr3_iter(b'-', 0xC2, 0xE2, text.as_bytes()) {
        let Some(hyphen) = text[at..].chars().next().filter(|c| matches!(c, '-' | '\u{AD}' | '\u{2010}')) else {
            continue;
        };
        let behind = at + hyphen.len_utf8();
        if let Some(len) = line_end_before_small_letter(&text[behind..])
            && text[..at].ends_with(char::is_alphabetic)
        {
            edits.replace(at..behind + len, "");
            found = found.saturating_add(1);
        }
    }
    found
}

/// Length of the text before the lower-case letter that begins the next line.
fn line_end_before_small_letter(text: &str) -> Option<usize> {
    const INDENT: [char; 2] = [' ', '\t'];
    let end = text.trim_start_matches(INDENT);
    let next = end.strip_prefix("\r\n").or_else(|| end.strip_prefix(['\n', '\r']))?;
    let next = next.trim_start_matches(INDENT);
    next.starts_with(char::is_lowercase).then(|| text.len() - next.len())
}
