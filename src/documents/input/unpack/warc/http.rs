//! The response of a server in a record: its header, and its body without chunks and compression (RFC 9110 and 9112).

use std::io::{self, Read};

use encoding_rs::Encoding;

use super::super::meter::Meter;
use crate::documents::input::codec::Codec;
use crate::documents::input::panic_guard::contain;

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
        let essence = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            let label = value.trim().trim_matches(['"', '\'']);
            name.trim().eq_ignore_ascii_case("charset").then(|| Encoding::for_label(label.as_bytes())).flatten()
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
    codings: Vec<String>,
    /// Bytes of the header.
    pub(super) len: usize,
}

impl HttpHeader {
    /// Parses the header at the beginning of a block; `None` for a block that does not begin with a header.
    pub(super) fn of(block: &[u8]) -> Option<Self> {
        if !block.starts_with(b"HTTP/") && !block.starts_with(b"ICY ") {
            return None;
        }
        let mut header = Self::default();
        loop {
            let rest = &block[header.len..];
            // A header without an end has no body.
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let line = &rest[..end];
            header.len += end;
            if line.trim_ascii().is_empty() {
                return Some(header);
            }
            let Some(colon) = memchr::memchr(b':', line) else { continue };
            let value = String::from_utf8_lossy(line[colon + 1..].trim_ascii()).into_owned();
            let list = |value: &str| -> Vec<String> {
                value.split(',').map(|item| item.trim().to_ascii_lowercase()).filter(|item| !item.is_empty()).collect()
            };
            match line[..colon].trim_ascii().to_ascii_lowercase().as_slice() {
                b"content-type" if header.content_type.essence.is_empty() => {
                    header.content_type = ContentType::of(&value);
                }
                b"transfer-encoding" => header.is_chunked |= list(&value).iter().any(|coding| coding == "chunked"),
                b"content-encoding" => header.codings.extend(list(&value)),
                _ => {}
            }
        }
    }

    /// The body without chunks and compression.
    ///
    /// * `body`: the bytes after the header.
    /// * `limit`: maximum bytes of the result; a longer one is returned with one byte more.
    ///
    /// # Errors
    /// When the body cannot be decompressed.
    pub(super) fn body(&self, body: &[u8], limit: u64, meter: &Meter, max_window: u64) -> io::Result<Vec<u8>> {
        let mut body = match unchunked(body).filter(|_| self.is_chunked) {
            Some(whole) => whole,
            None => body.to_vec(),
        };
        for coding in self.codings.iter().rev() {
            // Some crawlers store pages without their compression, and keep the header.
            let codec = match (coding.as_str(), Codec::of_magic(&body)) {
                ("gzip" | "x-gzip", Some(Codec::Gzip)) => Codec::Gzip,
                ("zstd", Some(Codec::Zstd)) => Codec::Zstd,
                ("deflate", _) => {
                    let is_zlib = body.len() > 2
                        && body[0] & 0x0F == 8
                        && u16::from_be_bytes([body[0], body[1]]).is_multiple_of(31);
                    if !is_zlib {
                        continue;
                    }
                    body.drain(..2);
                    Codec::Deflate
                }
                ("br", _) => {
                    body = match contain(|| unpacked_brotli(&body, limit, meter))? {
                        Ok(page) => page,
                        // It begins like a page.
                        Err(_) if is_plain(&body) => body,
                        Err(error) => return Err(error),
                    };
                    continue;
                }
                _ => continue,
            };
            let mut page = Vec::new();
            let decoder = codec.decoder(body.as_slice(), max_window)?;
            meter.unpacked(decoder).take(limit + 1).read_to_end(&mut page)?;
            body = page;
        }
        Ok(body)
    }
}

/// Whether bytes begin like a text.
fn is_plain(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(256)];
    start.iter().all(|&byte| byte >= b' ' || byte.is_ascii_whitespace())
}

fn unpacked_brotli(body: &[u8], limit: u64, meter: &Meter) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let decoder = brotli_decompressor::Decompressor::new(body, 4096);
    meter.unpacked(decoder).take(limit + 1).read_to_end(&mut page)?;
    Ok(page)
}

/// A body without its chunks; `None` when it has none. It ends before a chunk that is broken.
fn unchunked(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(body.len());
    let mut is_first = true;
    while let Some(end) = memchr::memchr(b'\n', &body[..body.len().min(1024)]) {
        let line = String::from_utf8_lossy(&body[..end]);
        let len = line.split(';').next().unwrap_or_default().trim();
        let len = usize::from_str_radix(len, 16).ok();
        let Some(len) = len else { break };
        is_first = false;
        body = &body[end + 1..];
        if len == 0 {
            break;
        }
        let (chunk, rest) = body.split_at(len.min(body.len()));
        whole.extend_from_slice(chunk);
        let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        body = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    (!is_first).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_says_what_a_page_is() {
        let block = b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; x=1; Charset=\"windows-1251\"\r\nTransfer-Encoding: chunked\r\n\r\nbody";
        let header = HttpHeader::of(block).unwrap();
        assert_eq!(
            header.content_type,
            ContentType { essence: "text/html".into(), charset: Some(encoding_rs::WINDOWS_1251) }
        );
        assert!(header.content_type.is_html() && header.is_chunked && &block[header.len..] == b"body");
        assert!(HttpHeader::of(b"<html>").is_none());
        assert_eq!(HttpHeader::of(b"HTTP/1.0 404 Not found\n").unwrap().len, 23);
        assert!(ContentType::of("image/png").is_media() && !ContentType::of("").is_media());
    }

    #[test]
    fn chunks_are_joined() {
        let of = |body: &str| unchunked(body.as_bytes()).map(|whole| String::from_utf8(whole).unwrap());
        assert_eq!(of("3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n").as_deref(), Some("abc0123456789"));
        assert_eq!(of("3\nabc\n9\nde").as_deref(), Some("abcde"));
        assert_eq!(of("3\r\nabc\r\nnonsense\r\n").as_deref(), Some("abc"));
        assert_eq!((of("<html>\r\n"), of("")), (None, None));
    }
}
