//! The bytes of a part and its text: undoes its transfer encoding (RFC 2045, 6) and decodes its charset.
//!
//! The library finds the parts, but does not decode them, because it replaces all that it cannot decode.

use std::borrow::Cow;

use encoding_rs::{ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use mail_parser::decoders::charsets::DecoderFnc;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::{HeaderName, MessagePart, MimeHeaders};

use super::super::batch_writer::BatchWriter;
use super::seven_bits::SevenBits;
use crate::base::flat::offset_map::NoTrace;
use crate::base::problem::Reason;
use crate::base::setting::Setting;
use crate::documents::input::bytes::decode::{DecodedBy, Decoding, NotText, certain_kind};
use crate::documents::input::charset::Charset;
use crate::documents::input::codec::Codec;
use crate::documents::input::formats::format::{FORMAT_PREFIX, Format};
use crate::documents::input::marks::{UTF8_MARK, utf16_of_mark};
use crate::documents::input::panic_guard::contain;

/// The bytes of a part, without its transfer encoding.
pub(super) struct PartBytes<'m> {
    pub(super) bytes: Cow<'m, [u8]>,
    /// Whether all of them could be decoded.
    pub(super) is_whole: bool,
}

impl PartBytes<'_> {
    /// The bytes of a part as they are in the message.
    pub(super) fn stored<'m>(part: &MessagePart, raw: &'m [u8]) -> PartBytes<'m> {
        let bytes = raw.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
        PartBytes { bytes: bytes.into(), is_whole: true }
    }

    /// * `raw`: the message.
    pub(super) fn of<'m>(part: &MessagePart, raw: &'m [u8]) -> PartBytes<'m> {
        let stored = raw.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default();
        let field = part.headers.iter().rev().find(|field| field.name == HeaderName::ContentTransferEncoding);
        let value = field.and_then(|field| raw.get(field.offset_start as usize..field.offset_end as usize));
        let value = value.unwrap_or_default();
        let name = value.split(|&byte| matches!(byte, b';' | b'(')).next().unwrap_or_default().trim_ascii();
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        let (bytes, is_whole) = match () {
            () if is("base64") => of_base64(stored),
            () if is("quoted-printable") => of_quoted_printable(stored),
            () => return Self::stored(part, raw),
        };
        // The library marks a part whose end was not found.
        PartBytes { bytes: bytes.into(), is_whole: is_whole && !part.is_encoding_problem }
    }

    /// Whether the part is the noise of its transfer encoding.
    pub(super) fn is_damaged(&self) -> bool {
        self.bytes.is_empty() && !self.is_whole
    }
}

/// Decodes base64, and returns whether all of it could be decoded. A line with a few other characters is decoded without
/// them; a line that consists of others is the first after the data, such as the footer of a mailing list.
fn of_base64(stored: &[u8]) -> (Vec<u8>, bool) {
    /// One of this many bytes of a line may be another character.
    const FEW: usize = 8;
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let is_other = |&byte: &u8| value(byte).is_none() && byte != b'=' && !byte.is_ascii_whitespace();
    let (mut bytes, mut is_whole) = (Vec::with_capacity(stored.len() / 4 * 3), true);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for line in stored.split(|&byte| byte == b'\n') {
        let num_others = line.iter().filter(|byte| is_other(byte)).count();
        is_whole &= num_others == 0;
        if num_others * FEW > line.len() {
            break;
        }
        for &byte in line {
            if let Some(value) = value(byte) {
                (bits, count) = (bits << 6 | u32::from(value), count + 6);
                if count >= 8 {
                    count -= 8;
                    bytes.push((bits >> count) as u8);
                }
            } else if byte == b'=' {
                (bits, count) = (0, 0);
            }
        }
    }
    (bytes, is_whole)
}

/// Decodes quoted-printable, and returns whether all of it could be decoded. The rest stays as it is.
fn of_quoted_printable(stored: &[u8]) -> (Vec<u8>, bool) {
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| (byte as char).to_digit(16));
    let (mut bytes, mut is_whole) = (Vec::with_capacity(stored.len()), true);
    for line in stored.split_inclusive(|&byte| byte == b'\n') {
        let end = if line.ends_with(b"\r\n") { 2 } else { usize::from(line.ends_with(b"\n")) };
        let (line, end) = line.split_at(line.len() - end);
        // Spaces at the end of a line were added on the way.
        let mut rest = line.trim_ascii_end();
        let is_joined = rest.ends_with(b"=");
        rest = rest.strip_suffix(b"=").unwrap_or(rest);
        while let Some(at) = memchr::memchr(b'=', rest) {
            bytes.extend_from_slice(&rest[..at]);
            match (digit(rest.get(at + 1)), digit(rest.get(at + 2))) {
                (Some(high), Some(low)) => {
                    bytes.push((high * 16 + low) as u8);
                    rest = &rest[at + 3..];
                }
                _ => {
                    is_whole = false;
                    bytes.push(b'=');
                    rest = &rest[at + 1..];
                }
            }
        }
        bytes.extend_from_slice(rest);
        if !is_joined {
            bytes.extend_from_slice(end);
        }
    }
    (bytes, is_whole)
}

/// The meaning of the label of a charset.
enum HeaderCharset {
    Known(Charset),
    /// Bytes with seven bits, which `encoding_rs` does not decode.
    SevenBits(SevenBits),
    /// Known only to the library of mail.
    OfMail(DecoderFnc),
    /// Known to exist, but not decoded.
    NotRead,
    /// No charset, such as `unknown-8bit`.
    None,
}

impl HeaderCharset {
    /// * `label`: the charset in the header of a part, if any.
    fn of(label: Option<&str>) -> Self {
        /// Starts of names of charsets that are not decoded, or that are a kind of ASCII with another meaning.
        const OTHERS: [&str; 6] = ["iso-2022-", "hz", "cp", "ibm", "utf-7", "csiso2022"];
        let Some(label) = label.map(|label| label.trim_matches(['"', '\'', ' ']).to_ascii_lowercase()) else {
            return Self::None;
        };
        if let Some(charset) = Charset::of_label(&label) {
            // Text of ASCII is UTF-8, so a text that is not UTF-8 is not ASCII either.
            let is_ascii = label.contains("ascii") || label.starts_with("ansi_x3.4");
            return if is_ascii || charset == UTF_8 { Self::None } else { Self::Known(charset) };
        }
        if let Some(charset) = SevenBits::of_label(&label) {
            return Self::SevenBits(charset);
        }
        match charset_decoder(label.as_bytes()) {
            Some(decoder) => Self::OfMail(decoder),
            None if OTHERS.iter().any(|start| label.starts_with(start)) => Self::NotRead,
            None => Self::None,
        }
    }
}

/// The charset in the header of a part.
pub(super) fn charset_of<'p>(part: &'p MessagePart) -> Option<&'p str> {
    part.content_type().and_then(|kind| kind.attribute("charset"))
}

/// Decodes a text in place: UTF-8 if the bytes are valid, or else by the charset of the header, or else as a file is
/// decoded. Also whether the charset decided.
///
/// * `is_page`: whether it is an HTML page, which may declare its encoding itself.
pub(super) fn decode(
    out: &BatchWriter,
    bytes: &mut Vec<u8>,
    charset: Option<&str>,
    is_page: bool,
) -> Result<(DecodedBy, bool), (Reason, String)> {
    let (inputs, limit) = (out.inputs(), out.inputs().unpacked_bytes());
    let decoding = Decoding::new(inputs);
    let fault = |fault: NotText| (fault.reason(), fault.to_string());
    let has_mark = bytes.starts_with(UTF8_MARK) || utf16_of_mark(bytes).is_some();
    let charset = if has_mark || inputs.encoding.is_forced { HeaderCharset::None } else { HeaderCharset::of(charset) };
    let is_utf8 = simdutf8::basic::from_utf8(bytes).is_ok();
    let has_escapes = memchr::memchr(0x1B, bytes).is_some();
    let is_ascii = bytes.is_ascii();
    match charset {
        HeaderCharset::Known(charset) if !is_utf8 || is_wide(charset) || charset == ISO_2022_JP && has_escapes => {
            return decoding.declared(charset, bytes, limit).map(|by| (by, true)).map_err(fault);
        }
        HeaderCharset::SevenBits(charset) if is_ascii => {
            let (made, encoding) = charset.with_eight_bits(bytes).ok_or_else(not_read)?;
            *bytes = made;
            return decoding.declared(encoding, bytes, limit).map(|by| (by, true)).map_err(fault);
        }
        // Such a text may consist of ASCII with another meaning.
        HeaderCharset::OfMail(decoder) if !is_utf8 || is_ascii => {
            let text = contain(|| decoder(bytes)).unwrap_or_else(|_| char::REPLACEMENT_CHARACTER.to_string());
            let is_faulty = text.contains(char::REPLACEMENT_CHARACTER);
            if is_faulty && !decoding.replaces() {
                return Err(not_read());
            }
            *bytes = text.into_bytes();
            return Ok((if is_faulty { DecodedBy::Replacement } else { DecodedBy::Rule }, true));
        }
        HeaderCharset::NotRead
            if !is_utf8 || is_ascii && (has_escapes || memchr::memmem::find(bytes, b"~{").is_some()) =>
        {
            return Err(not_read());
        }
        _ => {}
    }
    if is_utf8 && !has_mark && !has_escapes && !inputs.encoding.is_forced {
        return Ok((DecodedBy::Rule, false));
    }
    decoding.document(bytes, is_page, limit, &mut NoTrace).map(|by| (by, false)).map_err(fault)
}

fn not_read() -> (Reason, String) {
    let setting = Setting::Encoding;
    let detail = format!(
        "not valid in the charset of its header, or that is not known; give its encoding with {setting} LABEL!"
    );
    (Reason::NotUtf8, detail)
}

fn is_wide(charset: Charset) -> bool {
    charset == UTF_16LE || charset == UTF_16BE
}

/// The bytes of an attachment as they are, or as UTF-8 if it is a text and the header has its charset. The reader of the
/// attachment decodes any other text in the same way as a file.
pub(super) fn attached<'m>(out: &BatchWriter, part: &MessagePart, bytes: Cow<'m, [u8]>) -> Cow<'m, [u8]> {
    let is_text = part.content_type().is_none_or(|kind| kind.ctype() == "text");
    let start = &bytes[..bytes.len().min(FORMAT_PREFIX)];
    let is_other =
        Codec::of_magic(start).is_some() || Format::of_magic(start).is_some() || certain_kind(start).is_some();
    let Some(charset) = charset_of(part).filter(|_| is_text && !is_other) else { return bytes };
    let mut text = bytes.to_vec();
    match decode(out, &mut text, Some(charset), false) {
        Ok((DecodedBy::Rule, true)) => text.into(),
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_up_to_other_text() {
        let decode = |stored: &str| {
            let (bytes, is_whole) = of_base64(stored.as_bytes());
            (String::from_utf8(bytes).unwrap(), is_whole)
        };
        let whole = |text: &str| (text.to_owned(), true);
        assert_eq!(decode("SGVsbG8sIHdv\r\ncmxkLg==\r\n"), whole("Hello, world."));
        assert_eq!(decode("SGVsbG8=\nSGVsbG8"), whole("HelloHello"));
        assert_eq!(decode(""), whole(""));
        let part = |text: &str| (text.to_owned(), false);
        assert_eq!(decode("SGVsbG8s*IHdvcmxkLg=="), part("Hello, world."));
        assert_eq!(decode("SGVsbG8=\n____________\nThe list\n"), part("Hello"));
        assert_eq!(decode("*** no data ***"), part(""));
    }

    #[test]
    fn quoted_printable_is_decoded_as_far_as_it_can_be() {
        let decode = |stored: &str| {
            let (bytes, is_whole) = of_quoted_printable(stored.as_bytes());
            (String::from_utf8_lossy(&bytes).into_owned(), is_whole)
        };
        assert_eq!(decode("caf=C3=a9 =\r\nau lait \r\nend="), ("café au lait\r\nend".to_owned(), true));
        assert_eq!(decode("a=b=\nc=3D=zz"), ("a=bc==zz".to_owned(), false));
    }
}
