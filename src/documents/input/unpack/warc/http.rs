//! The response of a server in a record: its header, and its body without chunks and compression (RFC 9110 and 9112).

use std::io::{self, ErrorKind, Read};

use brotli_decompressor::BrotliDecoderParameter;
use encoding_rs::Encoding;

use super::super::meter::Meter;
use crate::documents::input::codec::Codec;
use crate::documents::input::panic_guard::contain;

/// Maximum bytes of a header.
pub(super) const MOST_HEADER: usize = 64 << 10;
/// Maximum number of compressions of a body.
const MOST_CODINGS: usize = 4;

/// The type of a page according to its header.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct ContentType {
    /// The type and subtype in small letters; empty if they are not known.
    pub(super) essence: String,
    pub(super) charset: Option<&'static Encoding>,
}

impl ContentType {
    /// Parses the value of a header field.
    pub(super) fn of(value: &str) -> Self {
        let mut parts = value.split(';');
        // Some servers repeat the type, or forget the semicolon.
        let first = parts.next().unwrap_or_default();
        let essence =
            first.split([',', ' ', '\t']).find(|word| !word.is_empty()).unwrap_or_default().to_ascii_lowercase();
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let label = value.trim().trim_matches(['"', '\'']);
            name.trim()
                .eq_ignore_ascii_case("charset")
                .then(|| Encoding::for_label_no_replacement(label.as_bytes()))
                .flatten()
        });
        Self { essence, charset }
    }

    pub(super) fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }

    /// Whether the type is one of pictures, sound, films or fonts, which have no text.
    pub(super) fn is_media(&self) -> bool {
        ["image/", "audio/", "video/", "font/"].iter().any(|kind| self.essence.starts_with(kind))
    }
}

/// The parsed header of a response.
#[derive(Debug, Default)]
pub(super) struct HttpHeader {
    pub(super) content_type: ContentType,
    is_chunked: bool,
    /// The compressions, in the order in which they were applied.
    codings: Vec<Coding>,
    /// Bytes of the header.
    pub(super) len: usize,
}

/// The compression of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Gzip,
    /// Deflate, with the header of zlib or without.
    Deflate,
    Zstd,
    Brotli,
}

impl Coding {
    fn of(name: &str) -> Option<Self> {
        match name {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "zstd" => Some(Self::Zstd),
            "br" => Some(Self::Brotli),
            _ => None,
        }
    }
}

/// A body without chunks and compression.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Body {
    pub(super) bytes: Vec<u8>,
    /// Whether it ends before its last chunk.
    pub(super) is_cut: bool,
}

impl HttpHeader {
    /// Parses the header at the beginning of a block; `None` for a block that does not begin with a header.
    ///
    /// # Errors
    /// The detail of the problem with a header that is too long, or lists too many compressions.
    pub(super) fn of(block: &[u8]) -> Result<Option<Self>, &'static str> {
        if !block.starts_with(b"HTTP/") && !block.starts_with(b"ICY ") {
            return Ok(None);
        }
        let mut header = Self::default();
        let mut transfer_codings = Vec::new();
        loop {
            let rest = &block[header.len..];
            // A header without an end has no body.
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let line = &rest[..end];
            header.len += end;
            if header.len > MOST_HEADER {
                return Err("its HTTP header has more than 64KiB; skipped");
            }
            if line.trim_ascii().is_empty() {
                break;
            }
            let Some(colon) = memchr::memchr(b':', line) else { continue };
            let value = String::from_utf8_lossy(line[colon + 1..].trim_ascii()).to_ascii_lowercase();
            let codings = value.split(',').filter_map(|name| Coding::of(name.trim()));
            match line[..colon].trim_ascii().to_ascii_lowercase().as_slice() {
                b"content-type" if header.content_type.essence.is_empty() => {
                    header.content_type = ContentType::of(&value);
                }
                b"transfer-encoding" => {
                    header.is_chunked |= value.split(',').any(|name| name.trim() == "chunked");
                    transfer_codings.extend(codings);
                }
                b"content-encoding" => header.codings.extend(codings),
                _ => {}
            }
        }
        // They are applied to the body that is already compressed.
        header.codings.append(&mut transfer_codings);
        if header.codings.len() > MOST_CODINGS {
            return Err("its HTTP header lists more than 4 compressions; skipped");
        }
        Ok(Some(header))
    }

    /// The body without chunks and compression.
    ///
    /// * `body`: the bytes after the header.
    /// * `is_cut`: whether the crawler stored only a part of it.
    /// * `limit`: maximum bytes of the result; a longer one is returned with one byte more.
    ///
    /// # Errors
    /// When the body cannot be decompressed. A body that is cut is decompressed as far as possible.
    pub(super) fn body(
        &self,
        body: &[u8],
        is_cut: bool,
        limit: u64,
        meter: &Meter,
        max_window: u64,
    ) -> io::Result<Body> {
        let whole = || Body { bytes: body.to_vec(), is_cut: false };
        let Body { mut bytes, is_cut: ends_early } =
            Some(body).filter(|_| self.is_chunked).and_then(unchunked).unwrap_or_else(whole);
        let is_cut = is_cut || ends_early;
        for &coding in self.codings.iter().rev() {
            // Some crawlers store pages without their compression, and keep the header.
            if is_plain(&bytes) && std::str::from_utf8(&bytes).is_ok() {
                continue;
            }
            let mut page = Vec::new();
            let unpacked = contain(|| unpack(coding, &bytes, limit, meter, max_window, &mut page))?;
            match unpacked {
                Ok(()) => bytes = page,
                Err(error) if is_cut && error.kind() == ErrorKind::UnexpectedEof && !page.is_empty() => bytes = page,
                Err(_) if !meter.is_stopped() && is_plain(&bytes) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Body { bytes, is_cut })
    }
}

/// Decompresses a body, at most `limit + 1` bytes of it.
fn unpack(
    coding: Coding,
    body: &[u8],
    limit: u64,
    meter: &Meter,
    max_window: u64,
    page: &mut Vec<u8>,
) -> io::Result<()> {
    let decoder: Box<dyn Read + '_> = match coding {
        Coding::Gzip => Box::new(Codec::Gzip.decoder(body, max_window)?),
        Coding::Zstd => Box::new(Codec::Zstd.decoder(body, max_window)?),
        Coding::Deflate => {
            let is_zlib =
                body.len() > 2 && body[0] & 0x0F == 8 && u16::from_be_bytes([body[0], body[1]]).is_multiple_of(31);
            Box::new(Codec::Deflate.decoder(if is_zlib { &body[2..] } else { body }, max_window)?)
        }
        Coding::Brotli => {
            let mut decoder = brotli_decompressor::Decompressor::new(body, 4096);
            // A window of RFC 7932 has up to 16 MiB; an extension allows 1 GiB.
            decoder.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
            Box::new(decoder)
        }
    };
    meter.unpacked(decoder).take(limit + 1).read_to_end(page).map(|_| ())
}

/// Whether bytes begin like a text.
fn is_plain(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(256)];
    start.iter().all(|&byte| byte >= b' ' || byte.is_ascii_whitespace())
}

/// A body without its chunks, up to a chunk that is broken. `None` for a body that does not begin with a chunk, because
/// the crawler stored it without chunks.
fn unchunked(body: &[u8]) -> Option<Body> {
    let (mut rest, mut whole) = (body, Vec::with_capacity(body.len()));
    loop {
        let is_first = rest.len() == body.len();
        let cut = |bytes| (!is_first).then_some(Body { bytes, is_cut: true });
        let Some(end) = memchr::memchr(b'\n', &rest[..rest.len().min(1024)]) else { return cut(whole) };
        let Some(len) = chunk_len(&rest[..end]) else { return cut(whole) };
        let has_return = rest[..end].ends_with(b"\r");
        rest = &rest[end + 1..];
        if len == 0 {
            // Only fields may follow the last chunk.
            let is_last = rest.trim_ascii().is_empty() || !is_first;
            return is_last.then_some(Body { bytes: whole, is_cut: false });
        }
        if len > rest.len() {
            // The first line of a text may look like a number.
            if is_first && !has_return {
                return None;
            }
            whole.extend_from_slice(rest);
            return Some(Body { bytes: whole, is_cut: true });
        }
        let (chunk, after) = rest.split_at(len);
        let next = after.strip_prefix(b"\r").unwrap_or(after);
        match next.strip_prefix(b"\n") {
            Some(next) => rest = next,
            None if is_first && !next.is_empty() => return None,
            None => rest = next,
        }
        whole.extend_from_slice(chunk);
    }
}

/// The length of a chunk by the line before it.
fn chunk_len(line: &[u8]) -> Option<usize> {
    let line = std::str::from_utf8(line).ok()?;
    let digits = line.split(';').next()?.trim();
    // `from_str_radix` accepts a sign.
    if digits.starts_with('+') {
        return None;
    }
    usize::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_of(block: &[u8]) -> HttpHeader {
        HttpHeader::of(block).unwrap().unwrap()
    }

    #[test]
    fn a_header_says_what_a_page_is() {
        let block = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; x=1; Charset=\"windows-1251\"\r\nTransfer-Encoding: chunked\r\n\r\nbody";
        let header = header_of(block);
        assert_eq!(
            header.content_type,
            ContentType { essence: "text/html".into(), charset: Some(encoding_rs::WINDOWS_1251) }
        );
        assert!(header.content_type.is_html() && header.is_chunked && &block[header.len..] == b"body");
        assert!(HttpHeader::of(b"<html>").unwrap().is_none());
        assert_eq!(header_of(b"HTTP/1.0 404 Not found\n").len, 23);
        assert!(ContentType::of("image/png").is_media() && !ContentType::of("").is_media());
        assert!(ContentType::of("text/html, text/html").is_html() && ContentType::of("text/html x").is_html());
        assert_eq!(ContentType::of("text/html; charset=iso-2022-kr").charset, None, "it is not decoded");
        let codings = b"HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\nContent-Encoding: identity, br,utf-8\n";
        assert_eq!(header_of(codings).codings, [Coding::Brotli, Coding::Gzip]);
    }

    #[test]
    fn long_headers_are_refused() {
        let of =
            |line: &str| HttpHeader::of(format!("HTTP/1.1 200 OK\n{line}\n\n").as_bytes()).map(|it| it.unwrap().len);
        assert_eq!(of(&"x".repeat(MOST_HEADER - 18)), Ok(MOST_HEADER));
        assert!(of(&"x".repeat(MOST_HEADER - 17)).unwrap_err().contains("64KiB"));
        assert!(of(&"x\n".repeat(MOST_HEADER)).unwrap_err().contains("64KiB"));
        assert!(of("Content-Encoding: gzip,gzip,br,zstd").is_ok());
        assert!(
            of("Content-Encoding: gzip,gzip\nContent-Encoding: gzip,br,zstd").unwrap_err().contains("4 compressions")
        );
    }

    #[test]
    fn chunks_are_joined() {
        let of = |body: &str| unchunked(body.as_bytes()).map(|it| (String::from_utf8(it.bytes).unwrap(), it.is_cut));
        let whole = |text: &str| Some((text.to_owned(), false));
        let cut = |text: &str| Some((text.to_owned(), true));
        assert_eq!(of("3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n"), whole("abc0123456789"));
        assert_eq!(of("3\nabc\n0\nExpires: x\n\n"), whole("abc"));
        assert_eq!(of("0\r\n\r\n"), whole(""));
        assert_eq!(of("3\nabc\n9\nde"), cut("abcde"));
        assert_eq!(of("9\r\nabc"), cut("abc"));
        assert_eq!(of("3\r\nabc\r\n"), cut("abc"));
        assert_eq!(of("3\r\nabc\r\nnonsense\r\n"), cut("abc"));
        // A body without chunks may begin with a number.
        for body in ["<html>\r\n", "", "add\nsome milk", "2\r\ncats and a dog\r\n", "0\nis a number", "+3\r\nabc\r\n"] {
            assert_eq!(of(body), None, "{body:?}");
        }
    }
}
