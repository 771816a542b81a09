//! Escapes names, sizes and other foreign text for messages and JSON.
//!
//! A name may contain control characters that move the cursor, or marks that reverse the writing direction so that it
//! looks like another name. Such characters are escaped wherever a person may see them.

use std::borrow::Cow;
use std::io;

/// Maximum number of characters of a name in a message; longer names are cut in the middle.
const SHOWN: usize = 1000;

/// Whether a character can disturb a terminal or a program that reads lines: controls (C0, DEL and C1), marks of the
/// writing direction, and separators of lines and paragraphs.
pub(crate) fn is_treacherous(c: char) -> bool {
    let is_direction =
        matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    c.is_control() || is_direction || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a character has no width, so that two names with and without it look the same.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// Escapes a name or other foreign text for a message: on one line, without effect on a terminal, and cut in the middle
/// when it is very long.
pub fn shown(text: &str) -> String {
    let mut ends = text.char_indices().map(|(at, _)| at);
    let half = SHOWN / 2;
    let Some(end_of_first) = ends.nth(half).filter(|_| ends.nth(half).is_some()) else { return escaped(text, false) };
    let (start_of_last, _) = text.char_indices().rev().nth(half - 1).expect("there are more characters");
    format!("{}…{}", escaped(&text[..end_of_first], false), escaped(&text[start_of_last..], false))
}

/// Escapes foreign lines for a terminal; line ends stay, and nothing is cut.
pub fn shown_lines(lines: &str) -> String {
    escaped(lines, true)
}

/// * `are_lines`: whether the text is lines, where line ends and invisible characters stay, and not a name.
fn escaped(text: &str, are_lines: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_treacherous(c) && !(are_lines && c == '\n') || is_invisible(c) && !are_lines {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Rewords the messages of the system in a text, as people read them: without `(os error N)`, and with advice for a
/// process that has reached its limit of open files.
pub fn system_words(text: &str) -> Cow<'_, str> {
    const CODE: &str = " (os error ";
    /// The number of the error about too many open files.
    const TOO_MANY_FILES: i32 = 24;
    let mut text = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(at) = text[from..].find(CODE).map(|at| from + at) {
        let digits = &text[at + CODE.len()..];
        let code = digits.split_once(')').and_then(|(digits, _)| Some((digits.len(), digits.parse().ok()?)));
        let advice = if code.is_some_and(|(_, code)| cfg!(unix) && code == TOO_MANY_FILES) {
            " (raise the limit with ulimit -n)"
        } else {
            ""
        };
        // Only the message of the system with this number is reworded, and not a name that looks like it.
        let is_said = |code| text[..at + CODE.len()].ends_with(&words_of_code(code));
        from = match code.filter(|&(_, code)| is_said(code)) {
            Some((len, _)) => {
                text.to_mut().replace_range(at..at + CODE.len() + len + 1, advice);
                at + advice.len()
            }
            None => at + CODE.len(),
        };
    }
    text
}

/// The message of the system for an error, with the beginning of its number.
fn words_of_code(code: i32) -> String {
    let message = std::io::Error::from_raw_os_error(code).to_string();
    let end = message.rfind(" (os error ").unwrap_or(message.len());
    format!("{} (os error ", &message[..end])
}

/// A number and the noun that it counts.
///
/// * `one`: the noun in the singular; the plural adds an s.
pub(crate) fn counted(number: impl Into<u64>, one: &str) -> String {
    let number = number.into();
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// Formats a number of bytes for a message, in the form that flags accept: in the largest unit that divides it.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 7] = [
        (1 << 40, "TiB"),
        (1_000_000_000_000, "TB"),
        (1 << 30, "GiB"),
        (1_000_000_000, "GB"),
        (1 << 20, "MiB"),
        (1_000_000, "MB"),
        (1 << 10, "KiB"),
    ];
    let unit = UNITS.into_iter().find(|&(unit, _)| bytes > 0 && bytes.is_multiple_of(unit));
    unit.map_or_else(|| counted(bytes, "byte"), |(unit, name)| format!("{}{name}", bytes / unit))
}

/// Formats like [`size`], rounded down to whole mebibytes; for sizes that no user has given.
pub(crate) fn rounded_size(bytes: u64) -> String {
    const MEBIBYTE: u64 = 1 << 20;
    size(if bytes < MEBIBYTE { bytes } else { bytes - bytes % MEBIBYTE })
}

/// The room that data needs on a full disk, before its name, such as `12MiB of `; nothing for other errors.
pub(crate) fn needed_room(bytes: u64, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!("{} of ", rounded_size(bytes)),
        _ => String::new(),
    }
}

/// Describes the fault of a regular expression on one line.
pub(crate) fn regex_fault(error: &regex::Error) -> String {
    if let regex::Error::CompiledTooBig(_) = error {
        return "it is too large".to_owned();
    }
    // The last line of a syntax error is the sentence; the lines before it draw the place.
    let text = error.to_string();
    let sentence = text.lines().last().unwrap_or_default().trim();
    sentence.strip_prefix("error: ").unwrap_or(sentence).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_effect_and_is_cut_in_the_middle() {
        assert_eq!((shown("a\u{AD}b"), shown_lines("a\u{AD}b")), (r"a\u{ad}b".to_owned(), "a\u{AD}b".to_owned()));
        assert_eq!(shown("a\nb\u{1B}[31m\u{7F}\u{9B}\u{202E}é"), r"a\nb\u{1b}[31m\u{7f}\u{9b}\u{202e}é");
        assert_eq!(shown_lines("a\nb\r\u{2066}\n"), "a\nb\\r\\u{2066}\n");
        let short = "é".repeat(SHOWN);
        assert_eq!(shown(&short), short);
        let long = shown(&format!("{}{}", "a".repeat(9000), "é".repeat(9000)));
        assert_eq!(long, format!("{}…{}", "a".repeat(500), "é".repeat(500)));
    }

    #[test]
    #[cfg(unix)]
    fn messages_of_the_system_have_no_numbers() {
        let error = std::io::Error::from_raw_os_error;
        let text = format!("a: {}; b: {}; c: {}", error(2), error(20), error(24));
        assert!(text.contains("(os error 2)"), "{text}");
        assert_eq!(
            system_words(&text),
            "a: No such file or directory; b: Not a directory; c: Too many open files (raise the limit with ulimit -n)"
        );
        assert_eq!(system_words(&format!("{}é", error(2))), "No such file or directoryé");
        for name in ["x (os error 2)", "x (os error 2", "x (os error é)", " (os error ", "é (os error 99999999999)"] {
            assert_eq!(system_words(name), name);
        }
    }

    #[test]
    fn sizes_are_written_as_flags_take_them() {
        for (bytes, written) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1000, "1000 bytes"),
            (1024, "1KiB"),
            (256 << 20, "256MiB"),
            (1536 << 20, "1536MiB"),
            (4 << 30, "4GiB"),
            (4_000_000_000, "4GB"),
            (10_000_000, "10MB"),
        ] {
            assert_eq!(size(bytes), written);
        }
        assert_eq!([1000, (5 << 20) + 7].map(rounded_size), ["1000 bytes", "5MiB"]);
    }
}
