//! The advice about records that are not UTF-8.

use super::convert::decoded;
use super::detect::{is_text, likely_charsets};
use super::not_text::how_to_take;
use crate::base::setting::Setting;
use crate::documents::input::charset::Charset;

/// The advice about a record that is not UTF-8, with the encoding that its bytes seem to have.
pub(in crate::documents::input) fn how_to_take_record(record: &[u8]) -> String {
    /// Number of bytes that are looked at.
    const MOST: usize = 1024;
    let start = &record[..record.len().min(MOST)];
    // A character of several bytes may be cut at the end.
    let end = start.iter().rposition(u8::is_ascii).filter(|_| record.len() > MOST).map_or(start.len(), |last| last + 1);
    let start = &start[..end];
    let is_it = |&charset: &Charset| {
        let text = decoded(charset, start, u64::MAX);
        text.is_ok_and(|(text, is_faulty)| !is_faulty && is_text(&text, start.len(), charset))
    };
    let likely = likely_charsets(start).find(is_it);
    likely.map_or_else(how_to_take, |charset| {
        let (encoding, label, invalid) = (Setting::Encoding, charset.name().to_ascii_lowercase(), Setting::Invalid);
        format!("it seems to be {label}: read it with {encoding} {label} or {invalid} replace")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_in_another_encoding_is_reported_with_its_name() {
        let german = encoding_rs::WINDOWS_1252.encode("Die Größe der Übung für Ärzte ist ärgerlich schön").0;
        let advice = "it seems to be windows-1252: read it with input.encoding windows-1252 or input.invalid replace";
        assert_eq!(how_to_take_record(&german), advice);
        assert_eq!(how_to_take_record(&german.repeat(100)), advice);
        assert_eq!(how_to_take_record(b"a\xFF"), how_to_take(), "too short");
    }
}
