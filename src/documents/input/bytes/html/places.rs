//! `TextPlaces`: tracks from where in a page the text comes that the tokenizer emits.
//!
//! The tokenizer reports its position in the page whenever it emits a span of text. Usually the span equals the
//! bytes just read. Otherwise it is the expansion of a character reference, of a line end with CR, or of NUL.

use std::ops::Range;

use crate::base::flat::offset_map::Trace;

/// Follows the tokenizer through a page and reports to a trace which bytes become which text.
pub(super) struct TextPlaces<'a, T> {
    page: &'a [u8],
    trace: &'a mut T,
    /// The tokenizer's position in the page.
    position: usize,
    /// The parts of the text that the tokenizer has gathered.
    parts: Vec<Part>,
    /// The end of the part of the page that was reported to the trace.
    reported: usize,
}

/// A span of text and the bytes that it comes from.
struct Part {
    len: usize,
    source: Range<usize>,
    /// Whether the text equals those bytes.
    is_copy: bool,
}

impl<'a, T: Trace> TextPlaces<'a, T> {
    pub(super) fn new(page: &'a [u8], trace: &'a mut T) -> Self {
        Self { page, trace, position: 0, parts: Vec::new(), reported: 0 }
    }

    /// Moves the tokenizer's position by `offset` bytes.
    #[inline]
    pub(super) fn move_position(&mut self, offset: isize) {
        if T::IS_ON {
            self.position = self.position.saturating_add_signed(offset).min(self.page.len());
        }
    }

    /// Adds text that the tokenizer gathered. It ends at the tokenizer's position.
    #[inline]
    pub(super) fn gather(&mut self, text: &[u8]) {
        if !T::IS_ON {
            return;
        }
        let before = self.parts.last().map_or(self.reported, |part| part.source.end);
        let read = &self.page[before.min(self.position)..self.position];
        let (source, is_copy) = source_of(read, text);
        let source = self.position - read.len() + source.start..self.position - read.len() + source.end;
        match self.parts.last_mut() {
            Some(last) if is_copy && last.is_copy && last.source.end == source.start => {
                last.len += text.len();
                last.source.end = source.end;
            }
            _ => self.parts.push(Part { len: text.len(), source, is_copy }),
        }
    }

    /// Reports the gathered text to the trace.
    ///
    /// * `is_text`: whether the text belongs to the page's text.
    pub(super) fn pass(&mut self, is_text: bool) {
        for Part { len, source, is_copy } in self.parts.drain(..) {
            if is_text {
                self.trace.left_out(source.start - self.reported);
                match is_copy {
                    true => self.trace.copied(len),
                    false => self.trace.replaced(source.len(), len),
                }
                self.reported = source.end;
            }
        }
    }

    /// Reports a byte that was inserted into the text.
    pub(super) fn put_in(&mut self) {
        self.trace.replaced(0, 1);
    }

    /// Reports the rest of the page.
    pub(super) fn finish(self) {
        self.trace.left_out(self.page.len() - self.reported);
        self.trace.end_step();
    }
}

/// The range of the bytes `read` that a text comes from, and whether the text equals those bytes.
fn source_of(read: &[u8], text: &[u8]) -> (Range<usize>, bool) {
    let end = read.len();
    let is_reference = matches!(text, [byte] if ends_in_reference(read, *byte));
    match (text, read) {
        _ if read.ends_with(text) && !is_reference => (end - text.len()..end, true),
        // `</` could have begun an end tag, so the tokenizer read further.
        (b"</", _) => {
            let start = memchr::memmem::rfind(read, text).unwrap_or(end);
            (start..(start + text.len()).min(end), true)
        }
        // The text is one line end, or U+FFFD for NUL.
        (_, [.., b'\r' | 0]) => (end - 1..end, false),
        _ => (memchr::memrchr(b'&', read).unwrap_or(end)..end, false),
    }
}

/// Whether bytes end in a character reference that represents its own last byte, like `&#59;` and `&#x30`.
fn ends_in_reference(read: &[u8], byte: u8) -> bool {
    /// Maximum length that is examined: leading zeros are rare.
    const MOST: usize = 16;
    if byte != b';' && !byte.is_ascii_hexdigit() {
        return false;
    }
    let near = &read[read.len().saturating_sub(MOST)..];
    let Some(reference) = memchr::memrchr(b'&', near).map(|at| &near[at + 1..]) else { return false };
    let number = reference.strip_suffix(b";").unwrap_or(reference);
    let code = match number {
        b"semi" => Some(u32::from(b';')),
        [b'#', b'x' | b'X', digits @ ..] => {
            std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok())
        }
        [b'#', digits @ ..] => std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()),
        _ => None,
    };
    code == Some(u32::from(byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::base::flat::offset_map::OffsetMap;
    use crate::base::flat::offset_trace::OffsetTrace;
    use crate::documents::input::bytes::html::strip;

    fn traced(page: &str) -> (String, OffsetMap) {
        let (mut text, mut trace) = (Vec::new(), OffsetTrace::default());
        strip(page.as_bytes(), &mut text, &mut trace).unwrap();
        let (map, _) = trace.into_parts(text.len());
        assert_eq!((map.made_len(), map.source_len()), (text.len(), page.len()), "{page:?}");
        (String::from_utf8(text).unwrap(), map)
    }

    #[test]
    fn text_stands_where_the_page_has_it() {
        let page = "<!DOCTYPE html>\n<title>A &amp; B</title><script>x</script>\r\n<p class=\"a>b\">One <b>bo</b>ld\r\nword\
                    <!-- no --> tw&ouml;&#x20AC;&#59;; &unknown; 1 < 2 &ampx";
        let (text, map) = traced(page);
        let expected = [
            ("A &", "A &amp;"),
            ("B", "B"),
            ("One", "One"),
            ("bold", "bo</b>ld"),
            ("ld\nwo", "ld\r\nwo"),
            ("word", "word"),
            ("word tw", "word<!-- no --> tw"),
            ("twö", "tw&ouml;"),
            ("ö", "&ouml;"),
            ("€", "&#x20AC;"),
            ("€;", "&#x20AC;&#59;"),
            ("&unknown;", "&unknown;"),
            ("1 < 2", "1 < 2"),
            ("&x", "&ampx"),
        ];
        for (part, source) in expected {
            let at = text.find(part).unwrap_or_else(|| panic!("{part:?} in {text:?}"));
            assert_eq!(&page[map.source_range(at..at + part.len())], source, "{part:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn every_character_comes_from_itself_or_from_a_reference(
            page in r#"([a-zé<>/&;#x0-9="'! -]|<p>|</p>|</?(svg|math|title|style|desc|template|g|textarea|b)/?>|<script>|</script>|<!--|<!\[CDATA\[|\]\]>|-->|&amp;|&eacute;|&#59;|&#x41;|&notit;|&NotEqualTilde;|\r|\r\n|\n|\u{0}){0,60}"#,
        ) {
            let (text, map) = traced(&page);
            for (at, c) in text.char_indices() {
                let source = &page[map.source_range(at..at + c.len_utf8())];
                let is_own = source == c.to_string()
                    || source.starts_with('&') && source.len() > 1
                    || c == '\n' && (source.is_empty() || source == "\r")
                    || c == '\u{FFFD}' && source == "\0";
                prop_assert!(is_own, "{c:?} from {source:?} in {page:?}");
            }
        }
    }
}
