//! White-space folding: each run of Unicode `White_Space` becomes one U+0020, or one U+000A where line ends count.
//!
//! The result is never longer than the text, so the text is folded in place, without additional memory.

pub(super) mod kernel;
mod line_ends;
mod spaces;

use std::sync::LazyLock;

use self::kernel::FoldSpaces;
pub(super) use self::line_ends::drop_line_ends;
use self::spaces::{CHUNK, white_space_len};
pub(super) use self::spaces::{is_ascii_space, split_line};
use crate::base::flat::offset_map::Trace;

/// Replaces each run of `White_Space` by one space and trims both ends. `text` must be valid UTF-8 and remains so.
pub(super) fn fold_spaces(text: &mut Vec<u8>) {
    static BEST: LazyLock<FoldSpaces> = LazyLock::new(kernel::best);
    BEST(text);
}

/// Same as [`fold_spaces`], slower, and reports the changes to `trace`.
pub(super) fn fold_spaces_traced<T: Trace>(text: &mut Vec<u8>, trace: &mut T) {
    fold_runs(text, trace, |_| Some(b' '));
}

/// Same as [`fold_spaces`], but a run that contains a line end becomes U+000A. No line of the result is empty, and each
/// line is folded and trimmed.
pub(super) fn fold_lines<T: Trace>(text: &mut Vec<u8>, trace: &mut T) {
    fold_runs(text, trace, |run| if split_line(run).1 > 0 { Some(b'\n') } else { Some(b' ') });
}

/// Replaces each run of white space that contains line ends: by U+000A where a paragraph ends, at a blank line or
/// U+2029, and by a space elsewhere. Other runs stay unchanged with `keep`, otherwise they become a space.
pub(super) fn fold_paragraphs<T: Trace>(text: &mut Vec<u8>, keep: bool, trace: &mut T) {
    fold_runs(text, trace, |run| {
        let (mut rest, mut num_ends) = (run, 0);
        while let (line, end @ 1..) = split_line(rest) {
            num_ends += if rest[line..].starts_with("\u{2029}".as_bytes()) { 2 } else { 1 };
            rest = &rest[line + end..];
        }
        match num_ends {
            0 if keep => None,
            0 | 1 => Some(b' '),
            _ => Some(b'\n'),
        }
    });
}

/// Removes lines that contain only white space, and joins the others, unchanged, with U+000A.
pub(super) fn join_lines<T: Trace>(text: &mut Vec<u8>, trace: &mut T) {
    // The text after `kept` has not been written yet.
    let (mut read, mut write, mut kept) = (0, 0, 0);
    while read < text.len() {
        let (line, end) = split_line(&text[read..]);
        if !is_blank(&text[read..read + line]) {
            if write > 0 {
                // At least one line end was read but not written, so there is space for this byte.
                text[write] = b'\n';
                write += 1;
                trace.replaced(read - kept, 1);
            } else {
                trace.left_out(read);
            }
            text.copy_within(read..read + line, write);
            write += line;
            trace.copied(line);
            kept = read + line;
        }
        read += line + end;
    }
    trace.left_out(text.len() - kept);
    trace.end_step();
    text.truncate(write);
}

fn is_blank(text: &[u8]) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        match white_space_len(rest) {
            0 => return false,
            len => rest = &rest[len..],
        }
    }
    true
}

/// Replaces each run of white space by one byte, or keeps the run for `None`. A run at either end that a byte would
/// replace is dropped.
fn fold_runs<T: Trace>(text: &mut Vec<u8>, trace: &mut T, replacement: impl Fn(&[u8]) -> Option<u8>) {
    let (mut read, mut write) = (0, 0);
    while read < text.len() {
        // `read` is never in the middle of a run, because runs are read to their ends below.
        if let Some(&chunk) = text[read..].first_chunk()
            && write > 0
            && is_folded(&chunk)
        {
            text[write..write + CHUNK].copy_from_slice(&chunk);
            read += CHUNK;
            write += CHUNK;
            trace.copied(CHUNK);
            continue;
        }
        let chunk_end = (read + CHUNK).min(text.len());
        while read < chunk_end {
            let start = read;
            // For nearly all bytes the first test is enough.
            while read < chunk_end && (text[read].is_ascii_graphic() || white_space_len(&text[read..]) == 0) {
                text[write] = text[read];
                (read, write) = (read + 1, write + 1);
            }
            trace.copied(read - start);
            if read == chunk_end {
                break;
            }
            let mut end = read;
            loop {
                match white_space_len(&text[end..]) {
                    0 => break,
                    len => end += len,
                }
            }
            match replacement(&text[read..end]) {
                None => {
                    text.copy_within(read..end, write);
                    write += end - read;
                    trace.copied(end - read);
                }
                Some(byte) if write > 0 && end < text.len() => {
                    text[write] = byte;
                    write += 1;
                    match end - read {
                        1 => trace.copied(1),
                        len => trace.replaced(len, 1),
                    }
                }
                Some(_) => trace.left_out(end - read),
            }
            read = end;
        }
    }
    text.truncate(write);
    trace.end_step();
}

/// Whether a chunk needs no folding: it is ASCII, its only white space is single spaces, and it does not end in a
/// space.
#[inline]
fn is_folded(chunk: &[u8; CHUNK]) -> bool {
    let (mut bits, mut others, mut runs) = (0, 0, 0);
    for i in 0..CHUNK {
        bits |= chunk[i];
        others |= u8::from(is_ascii_space(chunk[i])) & u8::from(chunk[i] != b' ');
        runs |= u8::from(chunk[i] == b' ') & u8::from(i + 1 == CHUNK || chunk[i + 1] == b' ');
    }
    bits.is_ascii() && others | runs == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::flat::offset_map::NoTrace;

    fn folded(text: &str, fold: impl Fn(&mut Vec<u8>)) -> String {
        let mut bytes = text.as_bytes().to_vec();
        fold(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    fn normalize(text: &str) -> String {
        folded(text, fold_spaces)
    }

    fn lines(text: &mut Vec<u8>) {
        fold_lines(text, &mut NoTrace);
    }

    fn kept_lines(text: &mut Vec<u8>) {
        join_lines(text, &mut NoTrace);
    }

    /// The definition, in terms of the standard library.
    fn naive(text: &str) -> String {
        text.split(char::is_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    const LINE_ENDS: [char; 7] = ['\n', '\u{B}', '\u{C}', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

    fn naive_lines(text: &str) -> String {
        text.split(LINE_ENDS).map(naive).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn naive_kept_lines(text: &str) -> String {
        text.split(LINE_ENDS).filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn white_space_is_exactly_the_unicode_property() {
        for scalar in '\0'..=char::MAX {
            let mut bytes = [0; 4];
            let text = scalar.encode_utf8(&mut bytes).as_bytes();
            let expected = if scalar.is_whitespace() { text.len() } else { 0 };
            assert_eq!(white_space_len(text), expected, "U+{:04X}", scalar as u32);
        }
    }

    #[test]
    fn the_ascii_path_knows_every_ascii_space() {
        for byte in 0..0x80u8 {
            let text = format!("a{}b", byte as char);
            assert_eq!(normalize(&text), naive(&text), "byte {byte:#04x}");
        }
    }

    #[test]
    fn every_newline_function_ends_a_line() {
        for end in ["\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text = format!("aé{end}b");
            assert_eq!(split_line(text.as_bytes()), (3, end.len()), "{end:?}");
        }
        assert_eq!(split_line("a \t\u{3000}".as_bytes()), (6, 0));
    }

    #[test]
    fn paragraphs_end_at_blank_lines() {
        let text = " One\nline.\r\n  \r\nTwo \t three\u{2029}four\u{2028}five\n\n";
        assert_eq!(folded(text, |text| fold_paragraphs(text, false, &mut NoTrace)), "One line.\nTwo three\nfour five");
        assert_eq!(
            folded(text, |text| fold_paragraphs(text, true, &mut NoTrace)),
            " One line.\nTwo \t three\nfour five"
        );
    }

    #[test]
    fn only_white_space_is_empty() {
        for fold in [fold_spaces, lines, kept_lines] {
            assert_eq!(folded(" \r\n\u{85}\u{2029}\u{3000} ", fold), "");
            assert_eq!(folded("", fold), "");
        }
    }

    proptest! {
        #[test]
        fn equals_split_and_join(text in r"([a-z]{0,3}|[a-z ]{20,70}|[ \t\r\n]{0,4}|\u{85}|\u{3000}|\u{2028}|é|文|🙂|\u{301}){0,120}") {
            prop_assert_eq!(normalize(&text), naive(&text));
            prop_assert_eq!(folded(&text, lines), naive_lines(&text));
            prop_assert_eq!(folded(&text, kept_lines), naive_kept_lines(&text));
        }

        #[test]
        fn any_text_equals_split_and_join(text in any::<String>()) {
            prop_assert_eq!(normalize(&text), naive(&text));
            prop_assert_eq!(folded(&text, lines), naive_lines(&text));
        }
    }
}
