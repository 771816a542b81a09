//! `Transcoder`: decodes a stream in any encoding to a stream of UTF-8.
//!
//! Records need it in encodings such as UTF-16, where a line end is not the single byte of ASCII.

use std::io::{self, Read};

use encoding_rs::{CoderResult, Decoder, DecoderResult};

use super::decode::Decoding;
use crate::base::setting::Setting;
use crate::documents::input::charset::{Charset, CodePage};
use crate::documents::input::panic_guard::contain;

/// Bytes decoded at a time.
const CHUNK: usize = 64 << 10;

/// A reader that decodes the bytes of another encoding to UTF-8.
pub(crate) struct Transcoder<'a> {
    input: &'a mut dyn Read,
    decoder: StreamDecoder,
    replaces: bool,
    raw: Vec<u8>,
    /// Decoded text; the first `done` bytes were read.
    text: Vec<u8>,
    done: usize,
    is_over: bool,
    /// Whether bytes that are invalid in the encoding follow `text`.
    is_faulty: bool,
    /// Decides whether the stream is UTF-8 instead; `None` once that is decided.
    undecided: Option<Decoding>,
}

impl<'a> Transcoder<'a> {
    /// A reader that decodes `input` from `encoding`.
    ///
    /// * `replaces`: whether invalid bytes become U+FFFD; otherwise they are an error.
    pub(crate) fn new(input: &'a mut dyn Read, charset: impl Into<Charset>, replaces: bool) -> Self {
        let decoder = StreamDecoder::of(charset.into());
        Self {
            input,
            decoder,
            replaces,
            raw: Vec::new(),
            text: Vec::new(),
            done: 0,
            is_over: false,
            is_faulty: false,
            undecided: None,
        }
    }

    /// Makes the reader switch to UTF-8 if the first bytes beyond ASCII are UTF-8, unless the encoding is forced.
    pub(crate) fn or_utf8(self, decoding: Decoding) -> Self {
        Self { undecided: Some(decoding), ..self }
    }

    /// Decides between UTF-8 and the encoding by the next bytes.
    fn decide(&mut self, count: usize) {
        let Some(decoding) = self.undecided else { return };
        let raw = &self.raw[..count];
        if raw.is_ascii() && self.decoder.charset().is_ascii_compatible() {
            return;
        }
        let len = match std::str::from_utf8(raw) {
            // The chunk may end within a character.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => raw.len(),
        };
        if len > 0 && decoding.is_utf8_instead(&raw[..len]) {
            self.decoder = StreamDecoder::of(Charset::UTF_8);
        }
        self.undecided = None;
    }
}

impl Read for Transcoder<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.done == self.text.len() && !self.is_over {
            if self.is_faulty {
                let name = self.decoder.charset().name();
                let fault = format!("not valid {name}; read it with {} replace", Setting::Invalid);
                return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
            }
            self.raw.resize(CHUNK, 0);
            let count = match self.undecided {
                None => self.input.read(&mut self.raw)?,
                // A stream may return a few bytes at a time.
                Some(_) => {
                    self.raw.clear();
                    (&mut *self.input).take(CHUNK as u64).read_to_end(&mut self.raw)?
                }
            };
            self.decide(count);
            let (raw, text, is_last) = (&self.raw[..count], &mut self.text, count == 0);
            self.is_faulty = contain(|| self.decoder.decode(raw, text, is_last, self.replaces))?;
            self.done = 0;
            self.is_over = is_last && !self.is_faulty;
        }
        let count = buffer.len().min(self.text.len() - self.done);
        buffer[..count].copy_from_slice(&self.text[self.done..self.done + count]);
        self.done += count;
        Ok(count)
    }
}

/// Decodes the bytes of a stream, which may end within a character.
enum StreamDecoder {
    Web(Decoder),
    Dos(&'static CodePage),
}

impl StreamDecoder {
    fn of(charset: Charset) -> Self {
        match charset {
            Charset::Web(encoding) => Self::Web(encoding.new_decoder_with_bom_removal()),
            Charset::Dos(page) => Self::Dos(page),
        }
    }

    fn charset(&self) -> Charset {
        match self {
            Self::Web(decoder) => decoder.encoding().into(),
            Self::Dos(page) => Charset::Dos(page),
        }
    }

    /// Replaces `text` by the text of `raw`. Returns whether bytes that are invalid in the encoding follow it.
    ///
    /// * `is_last`: whether the stream ends after `raw`.
    /// * `replaces`: whether invalid bytes become U+FFFD instead.
    fn decode(&mut self, raw: &[u8], text: &mut Vec<u8>, is_last: bool, replaces: bool) -> bool {
        let decoder = match self {
            Self::Web(decoder) => decoder,
            Self::Dos(page) => {
                text.clear();
                return page.append(raw, replaces, text) < raw.len() && !replaces;
            }
        };
        text.resize(decoder.max_utf8_buffer_length(raw.len()).unwrap_or(4 * CHUNK), 0);
        let (written, is_faulty) = if replaces {
            let (result, _, written, _) = decoder.decode_to_utf8(raw, text, is_last);
            debug_assert_eq!(result, CoderResult::InputEmpty, "there is room for all");
            (written, false)
        } else {
            let (result, _, written) = decoder.decode_to_utf8_without_replacement(raw, text, is_last);
            (written, matches!(result, DecoderResult::Malformed(..)))
        };
        text.truncate(written);
        is_faulty
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A stream that returns at most as many bytes per read as the next number in its list.
    struct Drops<'a>(&'a [u8], Vec<usize>);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.pop().unwrap_or(7).clamp(1, buffer.len()).min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    proptest! {
        #[test]
        fn a_stream_becomes_the_text_however_it_comes(text in any::<String>(), drops in prop::collection::vec(1usize..9, 0..40)) {
            // Without the `x` a leading byte order mark would be dropped.
            let text = format!("x{text}");
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let mut decoded = String::new();
            let mut drops = Drops(&bytes, drops);
            Transcoder::new(&mut drops, encoding_rs::UTF_16LE, false).read_to_string(&mut decoded).unwrap();
            prop_assert_eq!(decoded, text);
        }
    }

    #[test]
    fn what_is_not_of_the_encoding_is_an_error_or_replaced() {
        let decoded = |replaces| {
            let mut text = String::new();
            let mut bytes: &[u8] = b"a\0\x00\xDEb";
            let read = Transcoder::new(&mut bytes, encoding_rs::UTF_16LE, replaces).read_to_string(&mut text);
            read.map(|_| text).map_err(|error| error.to_string())
        };
        assert_eq!(decoded(true), Ok("a\u{FFFD}\u{FFFD}".into()));
        assert_eq!(decoded(false), Err("not valid UTF-16LE; read it with input.invalid replace".into()));
        // The text before the invalid bytes is returned first.
        let mut bytes: &[u8] = b"a\0\x00\xDEb";
        let mut text = [0; 9];
        assert_eq!(Transcoder::new(&mut bytes, encoding_rs::UTF_16LE, false).read(&mut text).unwrap(), 1);
    }
}
