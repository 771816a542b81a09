//! JSON as `serde_json` writes it, with escapes for characters that could harm a terminal or split a line.
//!
//! Such characters are control characters, line separators and marks that change the direction of writing. Every value
//! reads back unchanged.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::base::shown::is_treacherous;

/// Appends the JSON of a value to `json`.
///
/// # Panics
/// When JSON cannot represent the value, such as a map whose keys are not strings.
pub fn push_json(json: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    value.serialize(&mut Serializer::with_formatter(json, Escaping)).expect("a Vec takes every value");
}

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut written = 0;
        for (at, c) in fragment.char_indices().filter(|&(_, c)| is_treacherous(c)) {
            writer.write_all(&fragment.as_bytes()[written..at])?;
            // Each of these characters is one UTF-16 code unit.
            write!(writer, "\\u{:04x}", u32::from(c))?;
            written = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[written..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_escaped_reads_back_as_it_was() {
        let all: String = ('\0'..=char::MAX).collect();
        let mut json = Vec::new();
        push_json(&mut json, &all);
        let json = String::from_utf8(json).unwrap();
        assert!(!json.contains(is_treacherous));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), all);
        let mut json = Vec::new();
        push_json(&mut json, "a\u{202E}b\u{9B}\n\u{7F}\u{2028}é\"");
        assert_eq!(String::from_utf8(json).unwrap(), r#""a\u202eb\u009b\n\u007f\u2028é\"""#);
    }
}
