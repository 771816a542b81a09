//! `AnswerEncoding`: the encoding of a file of answers: UTF-8, or UTF-16 with a byte order mark, as some spreadsheets and shells
//! write it.

use std::borrow::Cow;

/// The byte order mark of UTF-8.
pub(super) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The encoding of a file. The decoded text begins with the byte order mark if the file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerEncoding {
    Utf8,
    Utf16 { is_big_endian: bool },
}

impl AnswerEncoding {
    /// The encoding of a file, by its first bytes.
    pub(super) fn of(file: &[u8]) -> Self {
        match file {
            [0xFF, 0xFE, ..] => Self::Utf16 { is_big_endian: false },
            [0xFE, 0xFF, ..] => Self::Utf16 { is_big_endian: true },
            _ => Self::Utf8,
        }
    }

    /// The content of a file as UTF-8. Where UTF-16 is not valid, it has U+FFFD; an odd last byte is dropped.
    pub(super) fn decode(self, file: &[u8]) -> Cow<'_, [u8]> {
        let Self::Utf16 { is_big_endian } = self else { return file.into() };
        let unit =
            |bytes: &[u8; 2]| if is_big_endian { u16::from_be_bytes(*bytes) } else { u16::from_le_bytes(*bytes) };
        let characters = char::decode_utf16(file.as_chunks().0.iter().map(unit));
        let text: String = characters.map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        text.into_bytes().into()
    }

    /// The bytes of a text in the file.
    pub(super) fn encode(self, text: &[u8]) -> Cow<'_, [u8]> {
        let Self::Utf16 { is_big_endian } = self else { return text.into() };
        let bytes = |unit: u16| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        String::from_utf8_lossy(text).encode_utf16().flat_map(bytes).collect::<Vec<u8>>().into()
    }

    /// The number of bytes that a text has in the file.
    pub(super) fn len_of(self, text: &[u8]) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 { .. } => 2 * String::from_utf8_lossy(text).encode_utf16().count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_in_each_encoding() {
        let text = "\u{FEFF}a;b;answer\r\nö;\u{1F600};yes\r\n".as_bytes();
        for encoding in [
            AnswerEncoding::Utf8,
            AnswerEncoding::Utf16 { is_big_endian: false },
            AnswerEncoding::Utf16 { is_big_endian: true },
        ] {
            let file = encoding.encode(text);
            assert_eq!(AnswerEncoding::of(&file), encoding);
            assert_eq!((encoding.decode(&file), encoding.len_of(text)), (text.into(), file.len()));
        }
        let big = AnswerEncoding::Utf16 { is_big_endian: true };
        assert_eq!(big.decode(b"\xFE\xFF\0a\0"), "\u{FEFF}a".as_bytes(), "half of a character is dropped");
    }
}
