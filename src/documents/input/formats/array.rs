//! `Elements`: turns a JSON array into JSON Lines, one element per line, as a stream.
//!
//! Only brackets and quotation marks decide where an element ends; the parser of records checks the element itself. A
//! line end inside an element is white space, because JSON strings write theirs as `\n`.

use std::io::{self, Read};
use std::ops::Range;

use crate::documents::input::marks::UTF8_MARK;

/// Bytes read at a time.
const CHUNK: usize = 64 << 10;

/// Whether a text begins with an object, an array, or an array whose first element is an object; `None` for other text.
/// Zero bytes are skipped, so that UTF-16 is recognised too.
pub(in crate::documents::input) fn beginning(start: &[u8]) -> Option<Beginning> {
    let start = start.strip_prefix(UTF8_MARK).or_else(|| start.strip_prefix(b"\xFF\xFE")).unwrap_or(start);
    let start = start.strip_prefix(b"\xFE\xFF").unwrap_or(start);
    let mut bytes = start.iter().filter(|byte| **byte != 0 && !byte.is_ascii_whitespace());
    match (bytes.next(), bytes.next()) {
        (Some(b'{'), _) => Some(Beginning::Object),
        (Some(b'['), Some(b'{')) => Some(Beginning::ArrayOfObjects),
        (Some(b'['), _) => Some(Beginning::Array),
        _ => None,
    }
}

/// The beginning of a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::documents::input) enum Beginning {
    Object,
    Array,
    ArrayOfObjects,
}

/// Reads the elements of an array, or objects one after another, as lines.
pub(in crate::documents::input) struct Elements<R> {
    input: R,
    raw: Vec<u8>,
    state: ElementState,
    is_array: bool,
    /// The number of open brackets within the element.
    depth: usize,
    /// The syntax error of the text, as opposed to a read error. It is returned after the elements before it.
    fault: Option<&'static str>,
    /// Bytes of the text consumed so far.
    taken: u64,
    /// The offset of the current element.
    start: u64,
    /// The byte ranges of elements in the text, if requested.
    spans: Option<Vec<Range<u64>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementState {
    Start,
    /// Before an element; at the start of an array the element may be missing.
    Before {
        is_first: bool,
    },
    /// Inside an element, which may be a number or a word.
    Inside,
    String,
    Escaped,
    /// After an element.
    Behind,
    Over,
}

impl<R: Read> Elements<R> {
    pub(in crate::documents::input) fn new(input: R) -> Self {
        let (raw, state) = (Vec::new(), ElementState::Start);
        Self { input, raw, state, is_array: false, depth: 0, fault: None, taken: 0, start: 0, spans: None }
    }

    /// Reads the elements and records their byte ranges for [`take_spans`](Self::take_spans).
    pub(in crate::documents::input) fn with_spans(input: R) -> Self {
        Self { spans: Some(Vec::new()), ..Self::new(input) }
    }

    /// The byte ranges, within the text, of the elements that were read since the last call.
    pub(in crate::documents::input) fn take_spans(&mut self) -> Vec<Range<u64>> {
        self.spans.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Whether the text has a syntax error, as opposed to a read error.
    pub(crate) fn is_malformed(&self) -> bool {
        self.fault.is_some()
    }

    /// Consumes the next byte and returns the byte to write, if any.
    fn take(&mut self, byte: u8) -> Result<Option<u8>, &'static str> {
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        match (self.state, byte) {
            (ElementState::Start, b'[') => {
                (self.state, self.is_array) = (ElementState::Before { is_first: true }, true)
            }
            (ElementState::Start, b'{') => return Ok(self.begin(byte)),
            // A byte of a byte order mark.
            (ElementState::Start, 0xEF | 0xBB | 0xBF) => {}
            (ElementState::Start | ElementState::Before { .. } | ElementState::Behind | ElementState::Over, _)
                if is_space => {}
            (ElementState::Start, _) => return Err("neither an array nor an object"),
            (ElementState::Before { is_first: true }, b']') => self.state = ElementState::Over,
            (ElementState::Before { .. }, b',' | b']' | b'}' | b':') => {
                return Err("an element of the array is missing");
            }
            (ElementState::Before { .. }, _) => return Ok(self.begin(byte)),
            (ElementState::Inside, b'"') => {
                self.state = ElementState::String;
                return Ok(Some(byte));
            }
            (ElementState::Inside, b'{' | b'[') => {
                self.depth += 1;
                return Ok(Some(byte));
            }
            // A number or a word ends at a separator.
            (ElementState::Inside, b',' | b']' | b' ' | b'\t' | b'\n' | b'\r') if self.depth == 0 => {
                self.state = ElementState::Behind;
                self.take(byte)?;
                return Ok(Some(b'\n'));
            }
            (ElementState::Inside, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                return Ok(Some(byte));
            }
            (ElementState::Inside, b'\n' | b'\r') => return Ok(Some(b' ')),
            (ElementState::Inside, _) => return Ok(Some(byte)),
            (ElementState::String, _) => {
                match byte {
                    b'"' => self.state = ElementState::Inside,
                    b'\\' => self.state = ElementState::Escaped,
                    // A line end is invalid in a string, and so is a carriage return.
                    b'\n' => return Ok(Some(b'\r')),
                    _ => {}
                }
                return Ok(Some(byte));
            }
            (ElementState::Escaped, _) => {
                self.state = ElementState::String;
                return Ok(Some(if byte == b'\n' { b'\r' } else { byte }));
            }
            (ElementState::Behind, b',') if self.is_array => self.state = ElementState::Before { is_first: false },
            (ElementState::Behind, b']') if self.is_array => self.state = ElementState::Over,
            // A byte order mark, which starts each of several concatenated files.
            (ElementState::Behind, 0xEF | 0xBB | 0xBF) if !self.is_array => {}
            (ElementState::Behind, b'{') if !self.is_array => return Ok(self.begin(byte)),
            (ElementState::Behind, _) => return Err("there is text between two elements"),
            (ElementState::Over, _) => return Err("there is text after the array"),
        }
        Ok(None)
    }

    fn begin(&mut self, byte: u8) -> Option<u8> {
        self.state = if byte == b'"' { ElementState::String } else { ElementState::Inside };
        self.depth = usize::from(matches!(byte, b'{' | b'['));
        Some(byte)
    }

    /// Ends the element that was begun last.
    fn end(&mut self, end: u64) {
        let start = self.start;
        if let Some(spans) = &mut self.spans {
            spans.push(start..end);
        }
    }

    /// Whether the last byte ended the element. A number or a word ends only at the next separator.
    fn ends(&self, byte: u8) -> bool {
        self.state == ElementState::Inside && self.depth == 0 && matches!(byte, b'}' | b']' | b'"')
    }
}

impl<R: Read> Read for Elements<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Each byte becomes at most two.
        let room = buffer.len() / 2;
        if room == 0 && !buffer.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a buffer of one byte"));
        }
        let mut written = 0;
        while written == 0 && room > 0 {
            if let Some(fault) = self.fault {
                return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
            }
            self.raw.resize(room.min(CHUNK), 0);
            let count = self.input.read(&mut self.raw)?;
            if count == 0 {
                return match self.state {
                    ElementState::Start | ElementState::Over => Ok(0),
                    ElementState::Behind if !self.is_array => Ok(0),
                    _ => {
                        self.fault = Some("the array does not end");
                        continue;
                    }
                };
            }
            let raw = std::mem::take(&mut self.raw);
            let mut rest = &raw[..count];
            while let [byte, behind @ ..] = rest {
                if self.state == ElementState::String {
                    // Most bytes are inside strings.
                    let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n')).unwrap_or(rest.len());
                    buffer[written..written + plain].copy_from_slice(&rest[..plain]);
                    written += plain;
                    self.taken += plain as u64;
                    rest = &rest[plain..];
                    if plain > 0 {
                        continue;
                    }
                }
                let is_inside =
                    matches!(self.state, ElementState::Inside | ElementState::String | ElementState::Escaped);
                match self.take(*byte) {
                    Ok(Some(becomes)) => {
                        if !is_inside {
                            self.start = self.taken;
                        }
                        buffer[written] = becomes;
                        written += 1;
                        if becomes == b'\n' {
                            self.end(self.taken);
                        } else if self.ends(*byte) {
                            buffer[written] = b'\n';
                            written += 1;
                            self.state = ElementState::Behind;
                            self.end(self.taken + 1);
                        }
                    }
                    Ok(None) => {}
                    Err(fault) => {
                        self.fault = Some(fault);
                        break;
                    }
                }
                self.taken += 1;
                rest = behind;
            }
            self.raw = raw;
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The lines that `text` becomes, and the error after them; `drop` bytes are read at a time.
    fn lines_of(text: &str, drop: usize) -> (Vec<String>, Option<String>) {
        let (mut elements, mut lines, mut buffer) = (Elements::new(text.as_bytes()), Vec::new(), vec![0; drop]);
        let fault = loop {
            match elements.read(&mut buffer) {
                Ok(0) => break None,
                Ok(count) => lines.extend_from_slice(&buffer[..count]),
                Err(error) => break Some(error.to_string()),
            }
        };
        (String::from_utf8(lines).unwrap().split_terminator('\n').map(String::from).collect(), fault)
    }

    #[test]
    fn elements_are_lines_up_to_what_is_wrong() {
        let of = |text| lines_of(text, 1 << 10);
        let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            of("\u{FEFF} [ {\"a\":\n[1,\"]}\\\"\"]} , 2,\"x\" ,null\n,[] ]\n"),
            (lines(&["{\"a\": [1,\"]}\\\"\"]}", "2", "\"x\"", "null", "[]"]), None)
        );
        assert_eq!(of("{\"a\":1}\n{\"b\":\r\n2}{}"), (lines(&["{\"a\":1}", "{\"b\":  2}", "{}"]), None));
        assert_eq!((of("[]"), of("")), ((lines(&[]), None), (lines(&[]), None)));
        for (text, num_lines, fault) in [
            ("[{},]", 1, "an element of the array is missing"),
            ("[{} {}]", 1, "there is text between two elements"),
            ("[{}] x", 1, "there is text after the array"),
            ("[{},{\"a\":", 1, "the array does not end"),
            ("[{}", 1, "the array does not end"),
            ("7", 0, "neither an array nor an object"),
        ] {
            let (lines, found) = of(text);
            assert_eq!(
                (lines.iter().filter(|line| *line == "{}").count(), found.as_deref()),
                (num_lines, Some(fault)),
                "{text}"
            );
        }
        assert_eq!(of("[\"a\nb\"]").0, ["\"a\rb\""], "a line end in a string remains wrong");
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<i32>().prop_map(Into::into),
            "[a\\n\"\\\\\\[\\]{},:é]{0,6}".prop_map(Into::into)
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::btree_map("[a\"\\\\]{0,3}", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn an_array_is_cut_into_its_elements(values in prop::collection::vec(value(), 0..6), pretty in any::<bool>(), drop in 2usize..40) {
            let text = if pretty { serde_json::to_string_pretty(&values) } else { serde_json::to_string(&values) }.unwrap();
            let (lines, fault) = lines_of(&text, drop);
            let mut elements = Elements::with_spans(text.as_bytes());
            let mut buffer = vec![0; drop];
            while elements.read(&mut buffer).unwrap() > 0 {}
            let spans = elements.take_spans();
            let spanned: Vec<serde_json::Value> = spans.iter()
                .map(|span| serde_json::from_str(&text[span.start as usize..span.end as usize]).unwrap()).collect();
            prop_assert_eq!(&spanned, &values);
            let parsed: Vec<serde_json::Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            prop_assert_eq!((parsed, fault), (values, None));
        }
    }
}
