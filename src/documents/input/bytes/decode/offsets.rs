//! `trace_decoded`: determines which bytes of a decoded text come from which original bytes.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::base::flat::offset_map::Trace;
use crate::documents::input::charset::Charset;

/// Reports from which bytes each character of `text` comes, and the end of the step.
///
/// * `bytes`: the bytes that were decoded, without a byte order mark.
pub(super) fn trace_decoded<T: Trace>(charset: impl Into<Charset>, bytes: &[u8], text: &[u8], trace: &mut T) {
    if !T::IS_ON {
        return;
    }
    let charset = charset.into();
    let mut units = CheckedUnits { bytes: bytes.len(), text: text.len(), trace };
    if bytes == text {
        units.copied(text.len());
    } else if charset == UTF_8 {
        for chunk in bytes.utf8_chunks() {
            units.copied(chunk.valid().len());
            if !chunk.invalid().is_empty() {
                units.replaced(chunk.invalid().len(), char::REPLACEMENT_CHARACTER.len_utf8());
            }
        }
    } else if charset == UTF_16LE || charset == UTF_16BE {
        // A character beyond U+FFFF has four bytes in UTF-8 and two units in UTF-16.
        for lead in text.iter().filter(|&&byte| !is_continuation(byte)) {
            match lead {
                0..0x80 => units.replaced(2, 1),
                0x80..0xE0 => units.replaced(2, 2),
                0xE0..0xF0 => units.replaced(2, 3),
                _ => units.replaced(4, 4),
            }
        }
    } else if charset.is_single_byte() {
        let lens = lens_of_single_bytes(charset);
        for &byte in bytes {
            match lens[usize::from(byte)] {
                1 => units.copied(1),
                len => units.replaced(1, len),
            }
        }
    } else if let Charset::Web(encoding) = charset {
        trace_bytes(encoding, bytes, &mut units);
    }
    units.finish();
}

/// The number of bytes of UTF-8 for each byte of a single-byte encoding.
fn lens_of_single_bytes(charset: Charset) -> [usize; 256] {
    std::array::from_fn(|byte| charset.decode(&[byte as u8]).0.len())
}

/// Decodes byte by byte: the output at a byte comes from all bytes since the previous output.
fn trace_bytes<T: Trace>(encoding: &'static Encoding, bytes: &[u8], units: &mut CheckedUnits<T>) {
    /// More than the maximum output at a time.
    const ROOM: usize = 64;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut made, mut taken, mut at) = ([0; ROOM], 0, 0);
    while at < bytes.len() {
        if taken == 0 && encoding.is_ascii_compatible() {
            // Between characters, ASCII bytes represent themselves.
            let len = Encoding::ascii_valid_up_to(&bytes[at..]);
            units.copied(len);
            at += len;
        }
        let Some(&byte) = bytes.get(at) else { break };
        let (_, _, len, _) = decoder.decode_to_utf8(&[byte], &mut made, false);
        (at, taken) = (at + 1, taken + 1);
        if len > 0 {
            units.replaced(taken, len);
            taken = 0;
        }
    }
    let (_, _, len, _) = decoder.decode_to_utf8(&[], &mut made, true);
    // The last bytes may have no text, such as an escape sequence at the end.
    if taken > 0 || len > 0 {
        units.replaced(taken, len);
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Reports to a trace, but never more than the bytes that remain.
struct CheckedUnits<'t, T> {
    /// The bytes of the original and of the text that were not reported yet.
    bytes: usize,
    text: usize,
    trace: &'t mut T,
}

impl<T: Trace> CheckedUnits<'_, T> {
    fn copied(&mut self, len: usize) {
        if len <= self.bytes.min(self.text) {
            (self.bytes, self.text) = (self.bytes - len, self.text - len);
            self.trace.copied(len);
        }
    }

    fn replaced(&mut self, len: usize, by: usize) {
        // If the text ends within a character, the report of that character is shortened. The last report covers all
        // remaining bytes.
        let by = by.min(self.text);
        self.text -= by;
        let len = if self.text == 0 { self.bytes } else { len.min(self.bytes) };
        self.bytes -= len;
        self.trace.replaced(len, by);
    }

    fn finish(self) {
        debug_assert_eq!((self.bytes, self.text), (0, 0), "every byte has its place");
        self.trace.replaced(self.bytes, self.text);
        self.trace.end_step();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::flat::offset_map::OffsetMap;
    use crate::base::flat::offset_trace::OffsetTrace;

    /// All encodings of the standard except UTF-8 and the replacement encoding.
    const LABELS: [&str; 38] = [
        "utf-16le",
        "utf-16be",
        "ibm866",
        "iso-8859-2",
        "iso-8859-3",
        "iso-8859-4",
        "iso-8859-5",
        "iso-8859-6",
        "iso-8859-7",
        "iso-8859-8",
        "iso-8859-8-i",
        "iso-8859-10",
        "iso-8859-13",
        "iso-8859-14",
        "iso-8859-15",
        "iso-8859-16",
        "koi8-r",
        "koi8-u",
        "macintosh",
        "windows-874",
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
        "x-mac-cyrillic",
        "gbk",
        "gb18030",
        "big5",
        "euc-jp",
        "iso-2022-jp",
        "shift_jis",
        "euc-kr",
        "x-user-defined",
    ];

    fn encoding(label: &str) -> &'static Encoding {
        Encoding::for_label(label.as_bytes()).unwrap()
    }

    fn traced(encoding: &'static Encoding, bytes: &[u8]) -> (String, OffsetMap) {
        let text = encoding.decode_without_bom_handling(bytes).0.into_owned();
        let mut trace = OffsetTrace::default();
        trace_decoded(encoding, bytes, text.as_bytes(), &mut trace);
        let (map, _) = trace.into_parts(text.len());
        assert_eq!((map.made_len(), map.source_len()), (text.len(), bytes.len()), "{} {bytes:02X?}", encoding.name());
        (text, map)
    }

    #[track_caller]
    fn check(label: &str, bytes: &[u8], text: &str, expected: &[(&str, std::ops::Range<usize>)]) {
        let (decoded, map) = traced(encoding(label), bytes);
        assert_eq!(decoded, text);
        for (part, source) in expected {
            let at = text.find(part).unwrap();
            assert_eq!(map.source_range(at..at + part.len()), *source, "{part}");
        }
    }

    #[test]
    fn characters_come_from_their_bytes() {
        check("utf-8", b"a\xC3b\xF0\x9F\x98c\xFF", "a\u{FFFD}b\u{FFFD}c\u{FFFD}", &[("b", 2..3), ("c", 6..7)]);
        check("latin1", b"caf\xE9 \x80", "café €", &[("é", 3..4), ("€", 5..6), ("é €", 3..6)]);
        let bytes: Vec<u8> = "aé文😀b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        check("utf-16le", &bytes, "aé文😀b", &[("a", 0..2), ("é", 2..4), ("文", 4..6), ("😀", 6..10), ("b", 10..12)]);
        // An unpaired surrogate, and an odd byte.
        check("utf-16le", b"\x00\xD8a\0b", "\u{FFFD}a\u{FFFD}", &[("a", 2..4), ("a\u{FFFD}", 2..5)]);
        check(
            "shift_jis",
            b"x\x93\xFA\x96\x7By\xB1",
            "x日本yｱ",
            &[("日", 1..3), ("本", 3..5), ("y", 5..6), ("ｱ", 6..7)],
        );
        check("gb18030", b"\x81\x30\x81\x30\xCE\xC4.", "\u{80}文.", &[("文", 4..6), (".", 6..7)]);
        // An escape sequence belongs to the character after it.
        check("iso-2022-jp", b"a\x1B$BF|\x1B(Bb", "a日b", &[("a", 0..1), ("日", 1..6), ("b", 6..10)]);
        check("iso-2022-jp", b"a\x1B(B", "a", &[("a", 0..4)]);
        check("iso-2022-jp", b"\x1B(B", "", &[]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn any_bytes_of_any_encoding_have_their_places(
            label in prop::sample::select(&LABELS[..]),
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0x1B), Just(b'('), Just(b'$'), Just(b'B'), 0x30u8..0x3A, 0x81u8..0x85, 0xD7u8..0xDD], 0..60),
        ) {
            traced(encoding(label), &bytes);
            traced(UTF_8, &bytes);
        }

        #[test]
        fn the_bytes_of_a_character_decode_to_it(
            label in prop::sample::select(vec!["utf-16le", "latin1", "koi8-r", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"]),
            text in r"[a-c \n]{0,3}([éßñ]|[а-д]|[文字漢語]|[あい]|[각힣]|€|x){0,30}",
        ) {
            let encoding = encoding(label);
            // Characters that the encoding lacks are skipped.
            let text: String = text.chars().filter(|c| label == "utf-16le" || !encoding.encode(&c.to_string()).2).collect();
            let bytes: Vec<u8> = match label {
                "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => encoding.encode(&text).0.into_owned(),
            };
            let (decoded, map) = traced(encoding, &bytes);
            prop_assert_eq!(&decoded, &text);
            for (at, c) in text.char_indices() {
                let source = map.source_range(at..at + c.len_utf8());
                prop_assert_eq!(encoding.decode_without_bom_handling(&bytes[source]).0, c.to_string());
            }
        }
    }
}
