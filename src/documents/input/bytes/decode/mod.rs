//! Decodes a document's bytes to valid UTF-8 in the same buffer, or reports why they are not text.

mod not_text;
mod convert;
mod declared;
mod dos;
mod detect;
mod offsets;
mod utf32;
mod advice;

use std::borrow::Cow;

use encoding_rs::{ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

pub(in crate::documents::input) use self::advice::how_to_take_record;
pub(in crate::documents::input) use self::convert::decoded;
use self::declared::declared;
use self::detect::{is_text, likely_charsets};
use self::not_text::control_characters;
pub(in crate::documents::input) use self::not_text::{
    BINARY_PREFIX, BinaryGuess, NotText, certain_kind, check_binary, detected_note, how_to_take, markup_note,
    with_article,
};
use self::offsets::trace_decoded;
pub(in crate::documents::input) use self::utf32::Utf32;
use crate::base::flat::offset_map::{NoTrace, Trace};
use crate::documents::input::charset::Charset;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::settings::{Inputs, InvalidBytes, TextEncoding};

/// The encoding of bytes without a byte order mark, and the treatment of invalid bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decoding {
    encoding: Charset,
    /// Whether the encoding overrides a declaration in the document, and is used even if the bytes are valid UTF-8.
    is_forced: bool,
    /// Whether the encoding of a whole document that is not UTF-8 and declares no encoding is detected.
    detects: bool,
    replace: bool,
}

/// How a document became a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecodedBy {
    /// It is UTF-8, or was decoded by an encoding that was given or declared.
    Rule,
    /// It was decoded by such an encoding, with U+FFFD for invalid bytes.
    Replacement,
    /// It was decoded by an encoding that was detected.
    Detection(Charset),
}

impl DecodedBy {
    fn replaced(is_faulty: bool) -> Self {
        if is_faulty { Self::Replacement } else { Self::Rule }
    }
}

impl Decoding {
    pub(crate) fn new(inputs: Inputs) -> Self {
        let TextEncoding { encoding, is_forced, is_detected } = inputs.encoding;
        Self { encoding, is_forced, detects: is_detected, replace: inputs.invalid == InvalidBytes::Replace }
    }

    /// Decodes as UTF-8, with the same treatment of invalid bytes.
    pub(crate) fn of_utf8(self) -> Self {
        Self { encoding: Charset::UTF_8, is_forced: true, ..self }
    }

    /// The encoding if its line ends and commas are not the bytes of ASCII, so that bytes must be decoded before they
    /// are cut into records.
    pub(crate) fn wide(self) -> Option<Charset> {
        Some(self.encoding).filter(|encoding| !encoding.is_ascii_compatible())
    }

    /// The encoding if it is not UTF-8.
    pub(crate) fn given(self) -> Option<Charset> {
        Some(self.encoding).filter(|_| !self.is_plain())
    }

    /// Whether texts without a byte order mark are UTF-8.
    pub(crate) fn is_plain(self) -> bool {
        self.encoding == UTF_8
    }

    pub(crate) fn replaces(self) -> bool {
        self.replace
    }

    /// Whether bytes are UTF-8 although another encoding was given. Always `false` if that encoding is forced, or if
    /// the bytes look like text in it.
    pub(crate) fn is_utf8_instead(self, bytes: &[u8]) -> bool {
        if self.is_forced || !is_valid(bytes) {
            return false;
        }
        let may_be_ascii = !self.encoding.is_ascii_compatible();
        let start = &bytes[..bytes.len().min(BINARY_PREFIX)];
        match may_be_ascii {
            // The escape sequences of ISO-2022-JP consist of ASCII.
            true if self.encoding == ISO_2022_JP => !has_escapes(bytes),
            true => memchr::memchr(0, start).is_none(),
            false => true,
        }
    }

    /// Converts a whole document to UTF-8 without a byte order mark. A mark overrides the given encoding. Unless that
    /// encoding is forced, a document that is valid UTF-8 is UTF-8, and any other document has the encoding that it
    /// declares, or else the given encoding, or else the detected encoding.
    ///
    /// * `is_page`: whether the document's name says that it is an HTML page.
    /// * `limit`: maximum bytes of UTF-8.
    /// * `trace`: records which bytes of the text come from which stored bytes.
    pub(crate) fn document<T: Trace>(
        self,
        bytes: &mut Vec<u8>,
        is_page: bool,
        limit: u64,
        trace: &mut T,
    ) -> Result<DecodedBy, NotText> {
        BinaryGuess::check(bytes)?;
        if let Some(order) = Utf32::of_mark(bytes) {
            return self.utf32(order, utf32::UNIT, bytes, limit, trace);
        }
        match bytes.as_slice() {
            [0xFF, 0xFE, ..] => return self.encoded(UTF_16LE, 2, NotText::Utf16, bytes, limit, trace),
            [0xFE, 0xFF, ..] => return self.encoded(UTF_16BE, 2, NotText::Utf16, bytes, limit, trace),
            marked if marked.starts_with(UTF8_MARK) => {
                let mark = UTF8_MARK.len();
                bytes.drain(..mark);
                trace.left_out(mark);
                trace.copied(bytes.len());
                trace.end_step();
                check_binary(bytes)?;
                return self.utf8(bytes, limit, trace);
            }
            _ => {}
        }
        if self.is_forced {
            return match self.encoding == UTF_8 {
                true => check_binary(bytes).and_then(|()| self.utf8(bytes, limit, trace)),
                false => self.encoded(self.encoding, 0, NotText::Given(self.encoding), bytes, limit, trace),
            };
        }
        let is_utf8 = self.is_utf8_instead(bytes);
        let nul = memchr::memchr(0, &bytes[..bytes.len().min(BINARY_PREFIX)]);
        if is_utf8 && nul.is_none() && !has_escapes(bytes) {
            // Without a NUL, only control characters can show that it is not a text.
            if control_characters(bytes).is_some() {
                check_binary(bytes)?;
            }
            return Ok(DecodedBy::Rule);
        }
        if nul.is_some()
            && let Some(order) = Utf32::of_units(bytes)
        {
            return self.utf32(order, 0, bytes, limit, trace);
        }
        let declared = declared(bytes, is_page).filter(|&charset| charset != UTF_8);
        // ISO-2022-JP is the only declared encoding whose text is valid UTF-8 as well.
        let declared = declared.filter(|&charset| !is_utf8 || charset == ISO_2022_JP || nul.is_some());
        let given = Some(self.encoding).filter(|&charset| charset != UTF_8 && !is_utf8);
        let Some(encoding) = declared.or(given) else {
            check_binary(bytes)?;
            return match self.detects && !is_utf8 {
                true => self.detected(bytes, limit, trace),
                false => self.utf8(bytes, limit, trace),
            };
        };
        let fault = if declared.is_some() { NotText::Declared(encoding) } else { NotText::Given(encoding) };
        match (self.encoded(encoding, 0, fault, bytes, limit, trace), given) {
            (Err(NotText::Declared(_)), Some(given)) if given != encoding => {
                self.encoded(given, 0, NotText::Given(given), bytes, limit, trace)
            }
            (made, _) => made,
        }
    }

    /// Decodes in place a text whose encoding is declared outside of it, as in the header of a message.
    ///
    /// * `limit`: maximum bytes of UTF-8.
    pub(crate) fn declared(
        self,
        charset: impl Into<Charset>,
        bytes: &mut Vec<u8>,
        limit: u64,
    ) -> Result<DecodedBy, NotText> {
        let charset = charset.into();
        self.encoded(charset, 0, NotText::Declared(charset), bytes, limit, &mut NoTrace)
    }

    /// Decodes a document in place that is not UTF-8, by the encoding that is detected, or else as UTF-8.
    fn detected<T: Trace>(self, bytes: &mut Vec<u8>, limit: u64, trace: &mut T) -> Result<DecodedBy, NotText> {
        let found = likely_charsets(bytes).find_map(|charset| match decoded(charset, bytes, limit) {
            Ok((text, false)) if is_text(&text, bytes.len(), charset) => Some(Ok((charset, text.into_owned()))),
            Ok(_) => None,
            Err(fault) => Some(Err(fault)),
        });
        let Some(found) = found else { return self.utf8(bytes, limit, trace) };
        let (charset, text) = found?;
        trace_decoded(charset, bytes, &text, trace);
        *bytes = text;
        Ok(DecodedBy::Detection(charset))
    }

    /// Decodes a document in place, skipping its byte order mark of `mark` bytes.
    fn encoded<T: Trace>(
        self,
        charset: impl Into<Charset>,
        mark: usize,
        fault: NotText,
        bytes: &mut Vec<u8>,
        limit: u64,
        trace: &mut T,
    ) -> Result<DecodedBy, NotText> {
        let charset = charset.into();
        let (text, is_faulty) = decoded(charset, &bytes[mark..], limit)?;
        if is_faulty && !self.replace {
            return Err(fault);
        }
        trace.left_out(mark);
        trace_decoded(charset, &bytes[mark..], &text, trace);
        *bytes = text.into_owned();
        check_binary(bytes).map(|()| DecodedBy::replaced(is_faulty))
    }

    fn utf32<T: Trace>(
        self,
        order: Utf32,
        mark: usize,
        bytes: &mut Vec<u8>,
        limit: u64,
        trace: &mut T,
    ) -> Result<DecodedBy, NotText> {
        trace.left_out(mark);
        let (text, is_faulty) = order.decode(&bytes[mark..], trace);
        if is_faulty && !self.replace {
            return Err(NotText::Utf32);
        }
        if text.len() as u64 > limit {
            return Err(NotText::TooLarge { limit });
        }
        *bytes = text;
        check_binary(bytes).map(|()| DecodedBy::replaced(is_faulty))
    }

    /// Decodes one field of a record in place. A field has no byte order mark and may hold any character.
    ///
    /// * `limit`: maximum bytes of UTF-8.
    pub(crate) fn field(self, bytes: &mut Vec<u8>, limit: u64) -> Result<bool, NotText> {
        if self.is_utf8() {
            return Ok(self.utf8(bytes, limit, &mut NoTrace)? == DecodedBy::Replacement);
        }
        if self.is_utf8_instead(bytes) {
            return Ok(false);
        }
        match decoded(self.encoding, bytes, limit)? {
            (_, true) if !self.replace => Err(NotText::Given(self.encoding)),
            (Cow::Borrowed(_), is_faulty) => Ok(is_faulty),
            (Cow::Owned(text), is_faulty) => {
                *bytes = text;
                Ok(is_faulty)
            }
        }
    }

    /// Decodes a line of records for the JSON parser, which checks UTF-8 itself; also whether bytes were replaced.
    ///
    /// * `limit`: maximum bytes of UTF-8.
    pub(crate) fn line(self, line: &[u8], limit: u64) -> Result<(Cow<'_, [u8]>, bool), NotText> {
        if self.is_utf8() && (!self.replace || is_valid(line)) {
            return Ok((line.into(), false));
        }
        if self.is_utf8_instead(line) {
            return Ok((line.into(), false));
        }
        match decoded(self.encoding_of_lines(), line, limit)? {
            (_, true) if !self.replace => Err(NotText::Given(self.encoding)),
            decoded => Ok(decoded),
        }
    }

    fn encoding_of_lines(self) -> Charset {
        // Sources in wide encodings were decoded before they were cut into lines.
        if self.encoding.is_ascii_compatible() { self.encoding } else { Charset::UTF_8 }
    }

    fn is_utf8(self) -> bool {
        self.encoding_of_lines() == UTF_8
    }

    fn utf8<T: Trace>(self, bytes: &mut Vec<u8>, limit: u64, trace: &mut T) -> Result<DecodedBy, NotText> {
        if is_valid(bytes) {
            return Ok(DecodedBy::Rule);
        }
        match std::str::from_utf8(bytes) {
            Ok(_) => Ok(DecodedBy::Rule),
            Err(_) if self.replace => {
                let text = decoded(UTF_8, bytes, limit)?.0.into_owned();
                trace_decoded(UTF_8, bytes, &text, trace);
                *bytes = text;
                Ok(DecodedBy::Replacement)
            }
            Err(error) => Err(NotText::Utf8 { at: error.valid_up_to() }),
        }
    }
}

fn has_escapes(bytes: &[u8]) -> bool {
    memchr::memchr(0x1B, bytes).is_some()
}

/// Whether bytes are valid UTF-8. For scripts other than Latin this is several times as fast as the standard library,
/// which is needed only to locate an error.
fn is_valid(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::settings::InputSettings;

    fn decoded_as(label: &str, invalid: InvalidBytes, bytes: &[u8]) -> Result<(String, bool), NotText> {
        let settings = InputSettings { encoding: label.parse().unwrap(), invalid, ..InputSettings::default() };
        let mut buffer = bytes.to_vec();
        let replaced = Decoding::new(Inputs { settings: &settings, sets: false }).document(
            &mut buffer,
            false,
            u64::MAX,
            &mut NoTrace,
        )?;
        Ok((String::from_utf8(buffer).unwrap(), replaced == DecodedBy::Replacement))
    }

    fn text_of(bytes: &[u8]) -> Result<String, NotText> {
        decoded_as("utf-8", InvalidBytes::Skip, bytes).map(|(text, _)| text)
    }

    #[test]
    fn marks_are_dropped_and_utf16_is_decoded() {
        assert_eq!(text_of(b"\xEF\xBB\xBFabc"), Ok("abc".into()));
        assert_eq!(text_of(b"\xFF\xFEa\0\x3D\xD8\x00\xDE"), Ok("a😀".into()));
        assert_eq!(text_of(b"\xFE\xFF\0a\xD8\x3D\xDE\x00"), Ok("a😀".into()));
        assert_eq!(text_of(b""), Ok(String::new()));
    }

    #[test]
    fn binary_data_is_distinguished_from_text() {
        assert_eq!(text_of(b"ab\0c"), Err(NotText::Binary { at: 2, looks: BinaryGuess::Unknown }));
        assert_eq!(text_of(b"ab\xFFc"), Err(NotText::Utf8 { at: 2 }));
        assert_eq!(text_of(b"\xFF\xFEa"), Err(NotText::Utf16));
        assert_eq!(text_of(b"\xFF\xFE\x00\xDE"), Err(NotText::Utf16));
        assert_eq!(text_of(b"\xFF\xFE\0\0a\0\0\0"), Ok("a".into()));
        assert_eq!(text_of(b"\0\0\xFE\xFF\0\x01\xF6\0"), Ok("😀".into()));
        assert_eq!(text_of(b"\0\0\0a\0\0\0b"), Ok("ab".into()));
        assert_eq!(text_of(b"a\0\0\0b\0\0\0"), Ok("ab".into()));
        assert_eq!(text_of(b"\xFF\xFE\0\0a\0\0"), Err(NotText::Utf32));
        let mut late = vec![b'a'; BINARY_PREFIX];
        late.push(0);
        assert!(text_of(&late).is_ok(), "only the first 8 KiB are looked at");
    }

    #[test]
    fn binary_data_is_reported_with_the_setting_that_reads_it() {
        let shown = |bytes: &[u8]| text_of(bytes).unwrap_err().to_string();
        let utf16 = |unit: fn(u16) -> [u8; 2]| "Käse\n日本語".encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        assert!(shown(&utf16(u16::to_le_bytes)).ends_with("(input.encoding utf-16le reads it)"));
        assert!(shown(&utf16(u16::to_be_bytes)).ends_with("(input.encoding utf-16be reads it)"));
        let long: Vec<u8> = "a😀".repeat(4000).encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(shown(&long).ends_with("(input.encoding utf-16le reads it)"));
        assert!(shown(b"PK\x03\x04\x14\0\0\0").ends_with("(input.format zip reads it)"));
        for other in [&b"\0"[..], b"a\0", b"id,text\n1,\0\n"] {
            assert!(shown(other).contains("; skipped") && !shown(other).contains("input."), "{other:?}");
        }
    }

    #[test]
    fn a_label_says_what_bytes_without_a_mark_are() {
        let plain = |label, bytes| decoded_as(label, InvalidBytes::Skip, bytes).map(|(text, _)| text);
        assert_eq!(plain("latin1", b"caf\xE9"), Ok("café".into()));
        assert_eq!(plain("shift_jis", b"\x93\xFA\x96\x7B"), Ok("日本".into()));
        assert_eq!(plain("utf-16le", b"a\0b\0"), Ok("ab".into()));
        assert_eq!(plain("latin1", "\u{FEFF}é".as_bytes()), Ok("é".into()), "a mark counts for more");
        for label in ["latin1", "shift_jis", "utf-16le", "iso-2022-jp"] {
            assert_eq!(plain(label, "é日本".as_bytes()), Ok("é日本".into()), "{label} is for other texts than UTF-8");
        }
        assert_eq!(plain("latin1!", "é".as_bytes()), Ok("Ã©".into()), "it is forced");
        assert_eq!(plain("iso-2022-jp", b"\x1B$BF|K\\\x1B(B"), Ok("日本".into()));
        let page = b"<meta charset=windows-1251>\xC0\xC1";
        assert_eq!(plain("latin1", page), Ok("<meta charset=windows-1251>АБ".into()));
        assert_eq!(plain("latin1!", page), Ok("<meta charset=windows-1251>ÀÁ".into()));
        assert_eq!(plain("latin1", b"# coding: shift_jis\n\x93"), Ok("# coding: shift_jis\n“".into()));
        let error = plain("shift_jis", b"\x93").unwrap_err();
        assert_eq!(
            error.to_string(),
            "not valid Shift_JIS; check input.encoding, or read it with input.invalid replace"
        );
    }

    #[test]
    fn what_is_invalid_is_replaced_on_request() {
        let replaced = |label, bytes| decoded_as(label, InvalidBytes::Replace, bytes);
        assert_eq!(replaced("utf-8", b"a\xFFb"), Ok(("a\u{FFFD}b".into(), true)));
        assert_eq!(replaced("utf-8", b"ab"), Ok(("ab".into(), false)));
        assert_eq!(replaced("utf-8", b"\xFF\xFEa\0b"), Ok(("a\u{FFFD}".into(), true)));
        assert_eq!(replaced("shift_jis", b"a\x93"), Ok(("a\u{FFFD}".into(), true)));
        assert_eq!(replaced("utf-8", b"a\0\xFF"), Err(NotText::Binary { at: 1, looks: BinaryGuess::Unknown }));
    }
}
