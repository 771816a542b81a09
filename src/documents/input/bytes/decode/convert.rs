//! `decoded`: converts bytes of an encoding to UTF-8 within a limit.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::not_text::NotText;
use crate::documents::input::charset::{Charset, CodePage};
use crate::documents::input::panic_guard::contain;

/// Input bytes that are decoded at a time.
const PART: usize = 1 << 20;

/// Decodes bytes to UTF-8, with U+FFFD for invalid bytes. Returns also whether there were any.
///
/// * `limit`: maximum bytes of UTF-8; longer text is an error.
pub(in crate::documents::input) fn decoded<'b>(
    charset: impl Into<Charset>,
    bytes: &'b [u8],
    limit: u64,
) -> Result<(Cow<'b, [u8]>, bool), NotText> {
    let encoding = match charset.into() {
        Charset::Web(encoding) => encoding,
        Charset::Dos(page) => return of_page(page, bytes, limit),
    };
    contain(|| {
        // A byte becomes at most three bytes of UTF-8.
        if bytes.len() as u64 > limit / 3 {
            return decoded_in_parts(encoding, bytes, limit);
        }
        let (text, is_faulty) = encoding.decode_without_bom_handling(bytes);
        let text = match text {
            Cow::Borrowed(_) => bytes.into(),
            Cow::Owned(text) => text.into_bytes().into(),
        };
        Ok((text, is_faulty))
    })
    .map_err(|_| NotText::Inconsistent)
    .flatten()
}

/// Decodes bytes of a code page, in parts of at most 1 MiB.
fn of_page<'b>(page: &CodePage, bytes: &'b [u8], limit: u64) -> Result<(Cow<'b, [u8]>, bool), NotText> {
    if bytes.is_ascii() && bytes.len() as u64 <= limit {
        return Ok((bytes.into(), false));
    }
    let (mut text, mut is_faulty) = (Vec::with_capacity(bytes.len()), false);
    for part in bytes.chunks(PART) {
        is_faulty |= page.append(part, true, &mut text) < part.len();
        if text.len() as u64 > limit {
            return Err(NotText::TooLarge { limit });
        }
    }
    Ok((text.into(), is_faulty))
}

/// Like [`decoded`], but holds at most `limit` bytes and one part of the text in memory.
fn decoded_in_parts<'b>(
    encoding: &'static Encoding,
    bytes: &'b [u8],
    limit: u64,
) -> Result<(Cow<'b, [u8]>, bool), NotText> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut text, mut is_faulty) = (Vec::with_capacity(bytes.len()), false);
    let mut rest = bytes;
    loop {
        let (part, behind) = rest.split_at(rest.len().min(PART));
        let start = text.len();
        text.resize(start + decoder.max_utf8_buffer_length(part.len()).expect("a part is small"), 0);
        let (_, _, num_written, part_is_faulty) = decoder.decode_to_utf8(part, &mut text[start..], behind.is_empty());
        text.truncate(start + num_written);
        is_faulty |= part_is_faulty;
        if text.len() as u64 > limit {
            return Err(NotText::TooLarge { limit });
        }
        if behind.is_empty() {
            return Ok((text.into(), is_faulty));
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_16LE;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_decoded_in_parts_is_what_is_decoded_at_once_unless_it_is_too_large(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            label in prop::sample::select(vec!["utf-8", "latin1", "shift_jis", "utf-16le", "big5", "iso-2022-jp"]),
            limit in 0..180u64,
        ) {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let (whole, is_faulty) = decoded(encoding, &bytes, u64::MAX).unwrap();
            let expected = match whole.len() as u64 > limit {
                true => Err(NotText::TooLarge { limit }),
                false => Ok((whole, is_faulty)),
            };
            prop_assert_eq!(decoded_in_parts(encoding, &bytes, limit), expected.clone());
            prop_assert_eq!(decoded(encoding, &bytes, limit), expected);
        }
    }

    #[test]
    fn parts_are_cut_between_any_bytes() {
        let text = "añ😀".repeat(700_000);
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (parts, is_faulty) = decoded_in_parts(UTF_16LE, &bytes[..bytes.len() - 1], u64::MAX).unwrap();
        assert!(is_faulty && parts[..] == *format!("{}\u{FFFD}", &text[..text.len() - 4]).as_bytes());
    }
}
