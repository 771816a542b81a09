//! `ContentReader`: reads the operations of a content, with their operands.
//!
//! A content is a small program that paints a page. Programs that write PDF make mistakes in numbers, brackets and comments,
//! and readers go on after all of them, so this reader does too: it skips what is not understood, and ends only with the
//! content. The reader of the library stops at the first mistake.

use pdf_extract::{Dictionary, Object, StringFormat};

/// Maximum number of operands of an operation that are kept: the last ones. No operation has more than 33.
const MOST_OPERANDS: usize = 64;
/// Maximum depth of arrays and dictionaries inside one another.
const MOST_DEPTH: usize = 32;
/// Numbers beyond this are cut. No page is that large.
const MOST_NUMBER: f64 = 1e9;
/// The number of bytes after the end of an image that must be text.
const BYTES_AFTER_IMAGE: usize = 10;

/// The operations of a content.
#[derive(Debug)]
pub(super) struct ContentReader<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Whether a string or an image has no end, so the rest of the content was taken for a part of it.
    pub(super) ends_early: bool,
}

/// An operand, an operator, or a bracket that ends an array or a dictionary.
#[derive(Debug)]
enum ContentToken {
    Operand(Object),
    Operator(String),
    EndOfArray,
    EndOfDictionary,
}

impl<'b> ContentReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0, ends_early: false }
    }

    /// The next operator with its operands. An image within the content is the operator `BI` without operands.
    pub(super) fn next_operation(&mut self) -> Option<(String, Vec<Object>)> {
        let mut operands = Vec::new();
        loop {
            match self.token(0)? {
                ContentToken::Operand(operand) => {
                    if operands.len() == MOST_OPERANDS {
                        operands.remove(0);
                    }
                    operands.push(operand);
                }
                ContentToken::Operator(operator) => {
                    if operator == "BI" {
                        operands.clear();
                        self.skip_image();
                    }
                    return Some((operator, operands));
                }
                ContentToken::EndOfArray | ContentToken::EndOfDictionary => {}
            }
        }
    }

    /// The first object in bytes of a file, and the position after it. A reference in it is lost.
    pub(super) fn object(bytes: &'b [u8]) -> Option<(Object, usize)> {
        let mut reader = Self::new(bytes);
        match reader.token(0)? {
            ContentToken::Operand(object) => Some((object, reader.at)),
            _ => None,
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Takes bytes while they have a property.
    fn take_while(&mut self, is_wanted: impl Fn(u8) -> bool) -> &'b [u8] {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|&byte| !is_wanted(byte)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn skip_space(&mut self) {
        loop {
            self.take_while(is_space);
            if self.peek(0) != Some(b'%') {
                return;
            }
            self.take_while(|byte| byte != b'\n' && byte != b'\r');
        }
    }

    /// The next token; `None` at the end. Bytes that begin no token are skipped.
    fn token(&mut self, depth: usize) -> Option<ContentToken> {
        loop {
            self.skip_space();
            let operand = match self.peek(0)? {
                b'(' => self.literal_string(),
                b'<' if self.peek(1) == Some(b'<') => self.dictionary(depth),
                b'<' => self.hexadecimal_string(),
                b'[' => self.array(depth),
                b'/' => Object::Name(self.name()),
                b'+' | b'-' | b'.' | b'0'..=b'9' => self.number(),
                b']' => {
                    self.at += 1;
                    return Some(ContentToken::EndOfArray);
                }
                b'>' if self.peek(1) == Some(b'>') => {
                    self.at += 2;
                    return Some(ContentToken::EndOfDictionary);
                }
                b')' | b'>' | b'{' | b'}' => {
                    self.at += 1;
                    continue;
                }
                _ => match self.take_while(is_regular) {
                    b"true" => Object::Boolean(true),
                    b"false" => Object::Boolean(false),
                    b"null" => Object::Null,
                    word => return Some(ContentToken::Operator(String::from_utf8_lossy(word).into_owned())),
                },
            };
            return Some(ContentToken::Operand(operand));
        }
    }

    /// A number. Signs after the first and second points are mistakes, which do not change it.
    fn number(&mut self) -> Object {
        let (mut digits, mut has_point) = (String::new(), false);
        let is_negative = self.peek(0) == Some(b'-');
        for &byte in self.take_while(|byte| matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9')) {
            match byte {
                b'.' if has_point => break,
                b'.' => {
                    has_point = true;
                    digits.push('.');
                }
                b'0'..=b'9' => digits.push(byte as char),
                _ => {}
            }
        }
        let number = digits.parse::<f64>().unwrap_or(0.0).min(MOST_NUMBER);
        let number = if is_negative { -number } else { number };
        if has_point { Object::Real(number as f32) } else { Object::Integer(number as i64) }
    }

    /// A name, without its slash.
    fn name(&mut self) -> Vec<u8> {
        self.at += 1;
        let stored = self.take_while(is_regular);
        let (mut name, mut at) = (Vec::with_capacity(stored.len()), 0);
        while at < stored.len() {
            let digits =
                (stored.get(at + 1).copied().and_then(hex_digit), stored.get(at + 2).copied().and_then(hex_digit));
            match (stored[at], digits) {
                (b'#', (Some(high), Some(low))) => {
                    name.push(high << 4 | low);
                    at += 3;
                }
                (byte, _) => {
                    name.push(byte);
                    at += 1;
                }
            }
        }
        name
    }

    fn hexadecimal_string(&mut self) -> Object {
        self.at += 1;
        let stored = self.take_while(|byte| byte != b'>');
        self.at += 1;
        self.ends_early |= self.at > self.bytes.len();
        self.at = self.at.min(self.bytes.len());
        let digits: Vec<u8> = stored.iter().copied().filter_map(hex_digit).collect();
        let string = digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).unwrap_or(&0)).collect();
        Object::String(string, StringFormat::Hexadecimal)
    }

    fn literal_string(&mut self) -> Object {
        let (mut string, mut depth) = (Vec::new(), 0);
        loop {
            let Some(byte) = self.peek(0) else {
                self.ends_early = true;
                break;
            };
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => {
                    string.extend(self.escaped());
                    continue;
                }
                b'\r' => {
                    self.at += usize::from(self.peek(0) == Some(b'\n'));
                    string.push(b'\n');
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            string.push(byte);
        }
        // The first bracket is not part of it.
        string.drain(..usize::from(!string.is_empty()));
        Object::String(string, StringFormat::Hexadecimal)
    }

    /// The byte that the rest of an escape sequence represents; `None` for a line end that does not count.
    fn escaped(&mut self) -> Option<u8> {
        let byte = self.peek(0)?;
        self.at += 1;
        Some(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            b'\n' => return None,
            b'\r' => {
                self.at += usize::from(self.peek(0) == Some(b'\n'));
                return None;
            }
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek(0) else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                // A number beyond 255 loses its first bit.
                (code & 0xFF) as u8
            }
            byte => byte,
        })
    }

    /// An array. It ends before an operator too, for arrays whose last bracket is missing.
    fn array(&mut self, depth: usize) -> Object {
        self.at += 1;
        let mut array = Vec::new();
        if depth >= MOST_DEPTH {
            return Object::Array(array);
        }
        loop {
            let before = self.at;
            match self.token(depth + 1) {
                Some(ContentToken::Operand(operand)) => array.push(operand),
                Some(ContentToken::EndOfDictionary) => {}
                Some(ContentToken::Operator(_)) => {
                    self.at = before;
                    break;
                }
                Some(ContentToken::EndOfArray) | None => break,
            }
        }
        Object::Array(array)
    }

    /// A dictionary. References in it are not resolved.
    fn dictionary(&mut self, depth: usize) -> Object {
        self.at += 2;
        if depth < MOST_DEPTH { Object::Dictionary(self.entries(depth + 1, None)) } else { Object::Null }
    }

    /// The entries of a dictionary, up to its end or up to an operator.
    fn entries(&mut self, depth: usize, last: Option<&str>) -> Dictionary {
        let (mut entries, mut key) = (Dictionary::new(), None);
        loop {
            let before = self.at;
            match self.token(depth) {
                Some(ContentToken::Operand(operand)) => match (key.take(), operand) {
                    (Some(key), value) => entries.set::<Vec<u8>, _>(key, value),
                    (None, Object::Name(name)) => key = Some(name),
                    (None, _) => {}
                },
                Some(ContentToken::Operator(operator)) if last == Some(operator.as_str()) => break,
                // The `R` of a reference.
                Some(ContentToken::Operator(operator)) if operator == "R" => {}
                Some(ContentToken::Operator(_)) => {
                    self.at = before;
                    break;
                }
                Some(ContentToken::EndOfArray) => {}
                Some(ContentToken::EndOfDictionary) | None => break,
            }
        }
        entries
    }

    /// Skips an image within the content, after its first operator.
    fn skip_image(&mut self) {
        self.entries(1, Some("ID"));
        let is_image = self.bytes[..self.at].ends_with(b"ID");
        if !is_image {
            return;
        }
        let data = &self.bytes[self.at..];
        let ends = |needs_space: bool| {
            memchr::memmem::find_iter(data, b"EI").find(|&end| {
                let after = &data[end + 2..];
                let is_text = |byte: &u8| is_space(*byte) || (b' '..=b'~').contains(byte);
                (!needs_space || data[..end].last().is_some_and(|&byte| is_space(byte)))
                    && after.first().is_none_or(|&byte| is_space(byte))
                    && after.iter().take(BYTES_AFTER_IMAGE).all(is_text)
            })
        };
        match ends(true).or_else(|| ends(false)) {
            Some(end) => self.at += end + 2,
            None => {
                self.ends_early = true;
                self.at = self.bytes.len();
            }
        }
    }
}

pub(super) fn is_number(object: &Object) -> bool {
    matches!(object, Object::Integer(_) | Object::Real(_))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0 | 12)
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations of a content, each as its operands and its operator, and whether it ends early.
    fn read(content: &[u8]) -> (Vec<String>, bool) {
        let mut reader = ContentReader::new(content);
        let mut operations = Vec::new();
        while let Some((operator, operands)) = reader.next_operation() {
            operations.push(format!("{operands:?} {operator}"));
        }
        (operations, reader.ends_early)
    }

    /// Checks that two contents have the same operations, and that the first one does not end early.
    fn are_equal(content: &str, expected: &str) {
        assert_eq!(read(content.as_bytes()), read(expected.as_bytes()), "{content}");
        assert!(!read(content.as_bytes()).1, "{content}");
    }

    #[test]
    fn mistakes_end_no_content() {
        are_equal("BT % c (\n\n  % d\r\r /F 1 Tf%\n(a)Tj\n%", "BT /F 1 Tf (a) Tj");
        are_equal("--72 72.. -.5 +3 0.-5 4- Td", "-72 72. -.5 3 .5 4 Td");
        are_equal("99999999999999999999 -1e5 0 m", "1000000000 -1 e5 0 m");
        are_equal("1 0 0 1 5 700cm(a)Tj<4 1x4>Tj", "1 0 0 1 5 700 cm (a) Tj (A@) Tj");
        are_equal("[(a) -20 (b) TJ ) x > ] >> } (c) Tj", "[(a) -20 (b)] TJ x (c) Tj");
        are_equal("(a\\(b\\)(c)\\\nd\\101\\0053) Tj () Tj", "<612862292863296441053 3> Tj <> Tj");
        are_equal("/P <</A [1 (x)] /B <</C 1>>>> BDC /a#20b gs", "/P <</A [1 (x)] /B <</C 1>>>> BDC /a#20b gs");
        let deep = format!("{} 1 {} (a) Tj", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read(deep.as_bytes()).0.last().is_some_and(|last| last.ends_with(" Tj")));
    }

    #[test]
    fn images_are_skipped() {
        let image = b"q BI /W 2 /H 2 /BPC 8 /CS /G ID \x00(EI\xff EI \x01<EI\nEI Q (a) Tj BI ET (b) Tj".as_slice();
        assert_eq!(read(image), read(b"q BI ID EI Q (a) Tj BI ID EI ET (b) Tj"));
    }

    #[test]
    fn strings_and_images_without_end_are_noticed() {
        for content in ["BT ((a) Tj (b) Tj", "BT <61 Tj", "BI /W 1 ID xyz"] {
            assert!(read(content.as_bytes()).1, "{content}");
        }
    }
}
