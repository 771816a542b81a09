//! Sets: turns the fields of a line or the values of a list into a set's text, one element per line. A line may also be a
//! text as it is.

use super::record::Record;
use crate::documents::input::bytes::decode::how_to_take;

/// Reads a line of plain text into `record`: its fields, separated by white space, are the elements of a set.
///
/// # Errors
/// When the line is not UTF-8.
pub(in crate::documents::input) fn fields_of_line(line: &[u8], record: &mut Record) -> Result<(), String> {
    (record.id, record.group) = (None, None);
    record.text.clear();
    push_fields(utf8_line(line)?, &mut record.text);
    Ok(())
}

/// Reads a line of plain text into `record` as its text.
///
/// # Errors
/// When the line is not UTF-8.
pub(in crate::documents::input) fn text_of_line(line: &[u8], record: &mut Record) -> Result<(), String> {
    (record.id, record.group) = (None, None);
    record.text.clear();
    record.text.push_str(utf8_line(line)?);
    Ok(())
}

fn utf8_line(line: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(line)
        .map_err(|error| format!("not valid UTF-8 at byte {} of the line; {}", error.valid_up_to(), how_to_take()))
}

/// Puts each field of a text on its own line. Bytes that are not UTF-8 are left unchanged.
pub(in crate::documents::input) fn fields_to_lines(text: &mut Vec<u8>) {
    if let Ok(fields) = std::str::from_utf8(text) {
        let mut lines = String::with_capacity(fields.len() + 1);
        push_fields(fields, &mut lines);
        *text = lines.into_bytes();
    }
}

/// Adds the fields of a text, each on its own line.
pub(super) fn push_fields(text: &str, elements: &mut String) {
    for field in text.split_whitespace() {
        elements.push_str(field);
        elements.push('\n');
    }
}

/// Adds an element on its own line; a line end within the element becomes a space.
pub(super) fn push_element(element: &str, elements: &mut String) {
    let is_line_end = |c| matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    elements.extend(element.chars().map(|c| if is_line_end(c) { ' ' } else { c }));
    elements.push('\n');
}

/// Adds an element that may not be UTF-8. In that case only the line ends of ASCII become spaces.
#[cfg(any(feature = "parquet", feature = "arrow"))]
pub(super) fn push_element_bytes(element: &[u8], elements: &mut Vec<u8>) {
    match std::str::from_utf8(element) {
        Ok(element) => {
            let mut line = String::with_capacity(element.len() + 1);
            push_element(element, &mut line);
            elements.extend_from_slice(line.as_bytes());
        }
        Err(_) => {
            elements.extend(element.iter().map(|&byte| if matches!(byte, b'\n'..=b'\r') { b' ' } else { byte }));
            elements.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_line_are_elements() {
        let mut record = Record::default();
        assert_eq!(fields_of_line("x  y\u{3000}x\r".as_bytes(), &mut record), Ok(()));
        assert_eq!((record.id.as_deref(), record.text.as_str()), (None, "x\ny\nx\n"));
        assert!(fields_of_line(b"x \xFF", &mut record).unwrap_err().contains("at byte 2"));
        let mut text = b" one\ttwo\n".to_vec();
        fields_to_lines(&mut text);
        assert_eq!(text, b"one\ntwo\n");
    }
}
