//! Escapes text for XML.

use std::borrow::Cow;

/// Text for an element or an attribute between double quotation marks. Characters that XML 1.0 does not allow, and
/// white space that readers would change, are written as in messages: `\u{1b}`, `\n`.
pub(super) fn xml(text: &str) -> Cow<'_, str> {
    if !text.contains(needs_escape) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&apos;",
            c if needs_escape(c) => escaped.extend(c.escape_default()),
            c => escaped.push(c),
        }
    }
    escaped.into()
}

fn needs_escape(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\'' | '\u{FFFE}' | '\u{FFFF}') || c.is_control()
}
