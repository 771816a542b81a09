//! White-space folding: text in, normalised text out, nothing else.
//!
//! Each run of Unicode `White_Space` becomes one U+0020 and both ends are trimmed. The result is never longer than
//! the text, so the folding happens in the buffer the text was read into and costs no memory.

/// Bytes looked at together. Half a line: most chunks of prose and code hold no run of white space.
const CHUNK: usize = 32;

/// Folds the white space of `text`: each run of `White_Space` becomes one space, both ends are trimmed.
///
/// ```
/// assert_eq!(dedup::normalize("  one\r\n\ttwo\u{3000}three\u{85}"), "one two three");
/// ```
pub fn normalize(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    normalize_utf8(&mut bytes);
    String::from_utf8(bytes).expect("folding white space keeps UTF-8 valid")
}

/// As [`normalize`], in place. `text` must be valid UTF-8, and is afterwards.
pub(crate) fn normalize_utf8(text: &mut Vec<u8>) {
    let mut read = 0;
    let mut write = 0;
    // A run at the start is dropped because the text counts as following a space.
    let mut after_space = true;
    while read < text.len() {
        // What was written never reaches beyond the byte before `read`, and there it was white space if that still is.
        let before = text[read.saturating_sub(1)..].first_chunk();
        if let (Some(before), Some(chunk)) = (before, text[read..].first_chunk())
            && read > 0
            && !(after_space && is_ascii_space(chunk[0]))
            && let Some(folded) = fold_chunk(before, chunk)
        {
            text[write..write + CHUNK].copy_from_slice(&folded);
            after_space = folded[CHUNK - 1] == b' ';
            read += CHUNK;
            write += CHUNK;
            continue;
        }
        let end = (read + CHUNK).min(text.len());
        if text[read..end].is_ascii() {
            (write, after_space) = fold_ascii(text, read..end, write, after_space);
            read = end;
        } else {
            while read < end {
                let space = white_space_len(&text[read..]);
                if space > 0 {
                    read += space;
                    if !after_space {
                        text[write] = b' ';
                        write += 1;
                    }
                } else {
                    text[write] = text[read];
                    write += 1;
                    read += 1;
                }
                after_space = space > 0;
            }
        }
    }
    if after_space && write > 0 {
        write -= 1;
    }
    text.truncate(write);
}

/// The chunk with each white-space character as a space, unless it is not ASCII or holds, or goes on with, a run of them.
///
/// `before` is the text one byte earlier. Nothing depends on what was found before within the chunk, so this becomes
/// vector code.
#[inline]
fn fold_chunk(before: &[u8; CHUNK], chunk: &[u8; CHUNK]) -> Option<[u8; CHUNK]> {
    let mut folded = [0; CHUNK];
    let (mut bits, mut runs) = (0, 0);
    for i in 0..CHUNK {
        let space = u8::from(is_ascii_space(chunk[i]));
        runs |= space & u8::from(is_ascii_space(before[i]));
        bits |= chunk[i];
        folded[i] = if space != 0 { b' ' } else { chunk[i] };
    }
    (bits.is_ascii() && runs == 0).then_some(folded)
}

#[inline(always)]
fn is_ascii_space(byte: u8) -> bool {
    (byte == b' ') | (byte.wrapping_sub(b'\t') < 5)
}

/// Folds one ASCII chunk without a branch on the bytes; returns the new write position and whether it ends in a space.
#[inline]
fn fold_ascii(
    text: &mut [u8],
    chunk: std::ops::Range<usize>,
    mut write: usize,
    mut after_space: bool,
) -> (usize, bool) {
    for read in chunk {
        let byte = text[read];
        let space = is_ascii_space(byte);
        text[write] = if space { b' ' } else { byte };
        write += usize::from(!(space & after_space));
        after_space = space;
    }
    (write, after_space)
}

/// Bytes of the white-space character that `text` starts with; 0 when it starts with anything else.
#[inline]
fn white_space_len(text: &[u8]) -> usize {
    match *text {
        [b' ' | b'\t'..=b'\r', ..] => 1,
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..] => 3,
        [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..] => 3,
        [0xE2, 0x81, 0x9F, ..] => 3,
        [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, in the library's own words.
    fn naive(text: &str) -> String {
        text.split(char::is_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
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
    fn only_white_space_is_empty() {
        assert_eq!(normalize(" \r\n\u{85}\u{2029}\u{3000} "), "");
        assert_eq!(normalize(""), "");
    }

    proptest! {
        #[test]
        fn equals_split_and_join(text in r"([a-z]{0,3}|[ \t\r\n]{0,4}|\u{85}|\u{3000}|\u{2028}|é|文|🙂|\u{301}){0,120}") {
            prop_assert_eq!(normalize(&text), naive(&text));
        }

        #[test]
        fn any_text_equals_split_and_join(text in any::<String>()) {
            prop_assert_eq!(normalize(&text), naive(&text));
        }
    }
}
