//! The inner loop of the default normalisation: replaces each run of white space in a text by one space.

use super::spaces::{CHUNK, is_ascii_space, white_space_len};

#[cfg(target_arch = "x86_64")]
mod x86_64;

/// Replaces each run of `White_Space` by one space and trims both ends of a text. The text must be valid UTF-8 and
/// remains so.
pub(in crate::text::normalize) type FoldSpaces = fn(&mut Vec<u8>);

/// The fastest implementation that this processor can run.
pub(super) fn best() -> FoldSpaces {
    available().last().expect("the portable kernel runs everywhere").1
}

/// Every implementation that this processor can run, with its name, the fastest last.
pub(in crate::text::normalize) fn available() -> Vec<(&'static str, FoldSpaces)> {
    let mut kernels: Vec<(&'static str, FoldSpaces)> = vec![("portable", portable)];
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::available());
    kernels
}

/// Portable implementation. The compiler vectorises chunks that are ASCII only or contain no run of white space.
fn portable(text: &mut Vec<u8>) {
    let mut read = 0;
    let mut write = 0;
    // A run at the start is dropped because the text counts as following a space.
    let mut after_space = true;
    while read < text.len() {
        // The written text ends before `read`, or includes a byte that is white space exactly if the original byte was.
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

/// Returns the chunk with each white-space character replaced by a space. Returns `None` if the chunk is not ASCII, or
/// contains or continues a run of white space.
///
/// `before` is the text one byte earlier. No step depends on an earlier result within the chunk, so the compiler
/// vectorises this function.
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

/// Folds one ASCII chunk without a branch on the bytes. Returns the new write position and whether the chunk ends in a
/// space.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks every kernel against a definition that uses the standard library.
    fn check(text: &str) -> Result<(), TestCaseError> {
        let expected = text.split(char::is_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        for (name, fold_spaces) in available() {
            let mut bytes = text.as_bytes().to_vec();
            fold_spaces(&mut bytes);
            prop_assert!(bytes == expected.as_bytes(), "{} {:?}", name, text);
        }
        Ok(())
    }

    #[test]
    fn every_character_is_known_everywhere_in_a_chunk() {
        for scalar in ('\0'..='\u{3100}').chain(['\u{D7FF}', '\u{FEFF}', '\u{E1A85}', '\u{10FFFF}']) {
            let step = if (scalar as u32) < 0x100 || scalar.is_whitespace() { 1 } else { 61 };
            for at in (55..66).step_by(step) {
                let before = "a".repeat(at);
                check(&format!("{before}{scalar}b")).unwrap();
                check(&format!("{before}{scalar} {scalar}{before}{before}\u{E9} ")).unwrap();
            }
        }
    }

    proptest! {
        #[test]
        fn every_kernel_equals_split_and_join(
            text in r"([a-z]{0,3}|[a-z ]{20,150}|[ \t\r\n]{0,4}|\u{85}|\u{A0}|\u{1680}|\u{3000}|\u{2028}|\u{205F}|[—“”]|[、。文]{1,9}|é|🙂|\u{301}){0,120}",
        ) {
            check(&text)?;
        }

        #[test]
        fn every_kernel_folds_any_text(text in any::<String>()) {
            check(&text)?;
        }
    }
}
