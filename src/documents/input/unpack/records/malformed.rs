//! Malformed records: rewords the JSON parser's errors for the person who wrote the file.

use crate::base::setting::Setting;
use crate::base::shown::shown;

/// The expected value, in the words that the parser quotes.
pub(super) const OBJECT: &str = "a record";

/// The beginnings of the parser's messages, and the words that replace them.
const WORDS: [(&str, &str); 18] = [
    ("EOF while parsing a list", "it ends within an array"),
    ("EOF while parsing an object", "it ends within an object"),
    ("EOF while parsing a string", "it ends within a string"),
    ("EOF while parsing a value", "it ends where a value should be"),
    ("expected `:`", "there is no colon after the name of a field"),
    ("expected `,` or `]`", "there is neither a comma nor a ] after an element"),
    ("expected `,` or `}`", "there is neither a comma nor a } after a value"),
    ("expected ident", "a word is not true, false or null"),
    ("expected value", "a value is missing"),
    ("key must be a string", "the name of a field is not in quotation marks"),
    ("trailing comma", "there is a comma after the last field or element"),
    ("trailing characters", "there is text after the object"),
    ("invalid escape", "a backslash is before a character that cannot be escaped"),
    ("invalid number", "a number is not written as in JSON"),
    ("number out of range", "a number is too large"),
    ("invalid unicode code point", "bytes that are not UTF-8"),
    ("control character", "a control character in a string, such as a tab, is not escaped"),
    ("recursion limit exceeded", "arrays and objects are nested too deeply"),
];

/// The message about a line that begins an object or array of several lines.
pub(in crate::documents::input) fn pretty_printed() -> String {
    let setting = Setting::Format;
    format!(
        "pretty-printed JSON, where JSON Lines has each record on one line; its lines are skipped ({setting} json reads it)"
    )
}

/// Whether a line, which is not a record, begins a pretty-printed object or array.
///
/// * `following`: what follows the line, as far as it is there.
pub(in crate::documents::input) fn begins_pretty(line: &[u8], following: &[u8]) -> bool {
    let mut lines = following.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let next = lines.find(|line| !line.is_empty()).unwrap_or_default();
    match line.trim_ascii().last() {
        Some(b'{' | b',') => matches!(next.first(), Some(b'"' | b'}')),
        Some(b'[') => matches!(next.last(), Some(b'{' | b'[' | b',')),
        _ => false,
    }
}

/// The beginnings of the parser's messages to which the word or character at the error is added.
const NAME_FOUND: [&str; 4] = ["expected ident", "expected value", "invalid number", "key must be a string"];

/// The message about a malformed record. The parser counts lines within the record, which is always one, so only the
/// column is shown.
pub(super) fn reason(error: &serde_json::Error, line: &[u8]) -> String {
    let text = error.to_string();
    let text = words(&text);
    if let Some(found) = text.strip_prefix("invalid type: ").filter(|rest| rest.ends_with(OBJECT)) {
        return format!("malformed record: {}, where a JSON object is read; skipped", kind(found));
    }
    let found = found_at(line, error.column()).filter(|_| NAME_FOUND.iter().any(|theirs| text.starts_with(theirs)));
    let text = match text {
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "half a surrogate pair, which is not a character"
        }
        // Messages that are not the parser's are our own.
        text => WORDS.iter().find(|(theirs, _)| text.starts_with(theirs)).map_or(text, |&(_, ours)| ours),
    };
    let found = match found.as_deref() {
        Some(word @ ("NaN" | "Infinity" | "-Infinity")) => {
            format!(": `{word}`, which is not JSON (write null, or a number)")
        }
        Some(word) => format!(": `{}`", shown(word)),
        None => String::new(),
    };
    format!("malformed record, column {}: {text}{found}; skipped", error.column())
}

/// The word or character at which the parser stopped.
///
/// * `column`: the column in bytes, from 1.
fn found_at(line: &[u8], column: usize) -> Option<String> {
    /// Maximum bytes of a word in a message.
    const MOST: usize = 24;
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_');
    let at = column.checked_sub(1).filter(|&at| at < line.len())?;
    let before = line[..at].iter().rev().take(MOST).take_while(|byte| is_of_word(byte)).count();
    let start = if is_of_word(&line[at]) { at - before } else { at };
    let len = line[start..].iter().take(MOST).take_while(|byte| is_of_word(byte)).count();
    let text = String::from_utf8_lossy(&line[start..(start + len.max(4)).min(line.len())]);
    Some(if len > 0 { text.chars().take(len).collect() } else { text.chars().take(1).collect() })
}

/// The kind of value that the parser found instead of an object.
fn kind(found: &str) -> &'static str {
    match found.split([' ', ',']).next() {
        Some("string") => "a string",
        Some("sequence") => "an array",
        Some("boolean") => "true or false",
        Some("null") => "null",
        _ => "a number",
    }
}

/// The parser's message without the position at its end.
pub(super) fn words(error: &str) -> &str {
    error.rsplit_once(" at line ").map_or(error, |(words, _)| words)
}
