//! Decoding: a file's bytes in, valid UTF-8 in the same buffer out, or the reason why not.

use std::fmt;

/// How far into a file a NUL byte is looked for.
pub(super) const BINARY_PREFIX: usize = 8 * 1024;

/// Why bytes are not a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotText {
    /// A NUL byte near the start.
    Binary { at: usize },
    /// No mark of another encoding, and not UTF-8 from this byte on.
    Utf8 { at: usize },
    /// A UTF-16 mark, and a broken pair or an odd byte.
    Utf16,
    /// A UTF-32 mark.
    Utf32,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary { at } => write!(f, "binary, with a NUL at byte {at}; skipped"),
            Self::Utf8 { at } => write!(f, "not valid UTF-8 at byte {at}; convert it to UTF-8 or leave it out"),
            Self::Utf16 => write!(f, "marked as UTF-16 but not valid; convert it to UTF-8 or leave it out"),
            Self::Utf32 => write!(f, "UTF-32 is not supported; convert it to UTF-8 or leave it out"),
        }
    }
}

/// Makes UTF-8 without a byte order mark of `bytes`; UTF-16 with a mark is decoded.
pub(super) fn decode(bytes: &mut Vec<u8>) -> Result<(), NotText> {
    match bytes.as_slice() {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => return Err(NotText::Utf32),
        [0xFF, 0xFE, rest @ ..] => *bytes = utf16(rest, u16::from_le_bytes)?,
        [0xFE, 0xFF, rest @ ..] => *bytes = utf16(rest, u16::from_be_bytes)?,
        [0xEF, 0xBB, 0xBF, ..] => {
            bytes.drain(..3);
        }
        _ => {}
    }
    if let Some(at) = memchr::memchr(0, &bytes[..bytes.len().min(BINARY_PREFIX)]) {
        return Err(NotText::Binary { at });
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(()),
        Err(error) => Err(NotText::Utf8 { at: error.valid_up_to() }),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Vec<u8>, NotText> {
    let (units, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(NotText::Utf16);
    }
    let text: Result<String, _> = char::decode_utf16(units.iter().map(|&pair| unit(pair))).collect();
    text.map(String::into_bytes).map_err(|_| NotText::Utf16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<String, NotText> {
        let mut buffer = bytes.to_vec();
        decode(&mut buffer).map(|()| String::from_utf8(buffer).unwrap())
    }

    #[test]
    fn marks_are_dropped_and_utf16_is_decoded() {
        assert_eq!(decoded(b"\xEF\xBB\xBFabc"), Ok("abc".into()));
        assert_eq!(decoded(b"\xFF\xFEa\0\x3D\xD8\x00\xDE"), Ok("a😀".into()));
        assert_eq!(decoded(b"\xFE\xFF\0a\xD8\x3D\xDE\x00"), Ok("a😀".into()));
        assert_eq!(decoded(b""), Ok(String::new()));
    }

    #[test]
    fn what_is_not_text_is_told_apart() {
        assert_eq!(decoded(b"ab\0c"), Err(NotText::Binary { at: 2 }));
        assert_eq!(decoded(b"ab\xFFc"), Err(NotText::Utf8 { at: 2 }));
        assert_eq!(decoded(b"\xFF\xFEa"), Err(NotText::Utf16));
        assert_eq!(decoded(b"\xFF\xFE\x00\xDE"), Err(NotText::Utf16));
        assert_eq!(decoded(b"\xFF\xFE\0\0a\0\0\0"), Err(NotText::Utf32));
        let mut late = vec![b'a'; BINARY_PREFIX];
        late.push(0);
        assert!(decoded(&late).is_ok(), "only the first 8 KiB are looked at");
    }
}
