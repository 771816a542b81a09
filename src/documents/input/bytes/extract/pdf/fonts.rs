//! Fonts whose letters follow from the names of their encodings, and faults of fonts that the library does not accept.
//!
//! The library reads the letters of a font from its table `ToUnicode`. Where a font has none, but its encoding is one of
//! the encodings of texts, the strings of a page are decoded here, and the font gets such a table.

use std::collections::BTreeSet;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_16BE};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream, StringFormat};

use super::content::is_number;
use super::streams::target;

/// Encodings of Chinese, Japanese and Korean fonts, by a part of their names.
const ENCODINGS: [(&str, &Encoding); 11] = [
    ("UTF16-", UTF_16BE),
    ("UCS2-", UTF_16BE),
    ("RKSJ-", SHIFT_JIS),
    ("GBK-EUC-", GB18030),
    ("GBKp-EUC-", GB18030),
    ("GBK2K-", GB18030),
    ("GB-EUC-", GB18030),
    ("B5-", BIG5),
    ("B5pc-", BIG5),
    ("KSC-EUC-", EUC_KR),
    ("KSCms-UHC-", EUC_KR),
];

/// The number of codes of a font, at most.
const MOST_CODES: usize = 1 << 16;

/// The encoding of the strings of a font that the library cannot decode.
pub(super) fn encoding_of(doc: &Document, font: &Dictionary) -> Option<&'static Encoding> {
    let name = |key| target(doc, font.get(key).ok()?).as_name().ok().and_then(|name| std::str::from_utf8(name).ok());
    let encoding = name(b"Encoding".as_slice())?;
    match (encoding, name(b"ToUnicode")) {
        // Not a table by the specification, but readers take the codes for letters.
        ("Identity-H" | "Identity-V", Some("Identity-H" | "Identity-V")) => Some(UTF_16BE),
        ("Identity-H" | "Identity-V", _) => None,
        ("EUC-H" | "EUC-V", _) => Some(EUC_JP),
        (encoding, _) => ENCODINGS.iter().find(|(part, _)| encoding.contains(part)).map(|&(_, encoding)| encoding),
    }
}

/// A string of a font with this encoding, as the font has it after [`set_letters`].
///
/// * `letters`: gets the codes in it.
pub(super) fn recoded(string: &[u8], encoding: &'static Encoding, letters: &mut BTreeSet<u16>) -> Object {
    let (text, _) = encoding.decode_without_bom_handling(string);
    let mut recoded = Vec::with_capacity(2 * text.len());
    for code in text.encode_utf16() {
        letters.insert(code);
        recoded.extend(code.to_be_bytes());
    }
    Object::String(recoded, StringFormat::Hexadecimal)
}

/// Gives fonts whose strings were recoded a table of their letters.
pub(super) fn set_letters(doc: &mut Document, letters: &BTreeSet<u16>) {
    let is_recoded = |object: &Object| object.as_dict().is_ok_and(|font| encoding_of(doc, font).is_some());
    let fonts: Vec<ObjectId> = doc.objects.iter().filter(|(_, object)| is_recoded(object)).map(|(&id, _)| id).collect();
    if fonts.is_empty() {
        return;
    }
    let entries: String = letters.iter().map(|code| format!("<{code:04X}> <{code:04X}>\n")).collect();
    let table = format!("{} beginbfchar\n{entries}endbfchar\n", letters.len());
    let table = doc.add_object(Stream::new(Dictionary::new(), table.into_bytes()));
    for id in fonts {
        let Ok(font) = doc.get_dictionary_mut(id) else { continue };
        font.set("ToUnicode", table);
        if font.get(b"Encoding").and_then(Object::as_name).is_ok_and(|name| name.starts_with(b"Identity")) {
            continue;
        }
        // The widths of the font have other numbers. Characters of ASCII are half as wide as others.
        let mut inner = Dictionary::new();
        inner.set("FontDescriptor", Dictionary::new());
        inner.set("W", vec![32.into(), Object::Array(vec![500.into(); 95])]);
        font.set("Encoding", Object::Name(b"Identity-H".to_vec()));
        font.set("DescendantFonts", vec![inner.into()]);
    }
}

/// Writes the widths of fonts with many characters in the form that the library reads right: a list for each first
/// character. In the other form, a width belongs to a range of characters.
pub(super) fn mend_widths(doc: &mut Document) {
    let widths = |(&id, object): (&ObjectId, &Object)| {
        let font = object.as_dict().ok().filter(|font| font.has_type(b"Font"))?;
        Some((id, listed_widths(doc, target(doc, font.get(b"W").ok()?).as_array().ok()?)))
    };
    let mended: Vec<(ObjectId, Vec<Object>)> = doc.objects.iter().filter_map(widths).collect();
    for (id, widths) in mended {
        if let Ok(font) = doc.get_dictionary_mut(id) {
            font.set("W", widths);
        }
    }
}

/// The widths of characters, with a list for each first character.
fn listed_widths(doc: &Document, stored: &[Object]) -> Vec<Object> {
    let (mut listed, mut rest, mut num_left) = (Vec::new(), stored, MOST_CODES);
    while let [first, second, after @ ..] = rest {
        let Ok(first) = target(doc, first).as_i64() else { break };
        let widths: Vec<Object> = match (target(doc, second), after) {
            (Object::Array(widths), _) => {
                rest = after;
                widths.iter().map(|width| target(doc, width).clone()).filter(is_number).collect()
            }
            (&Object::Integer(last), [width, after @ ..]) => {
                rest = after;
                let number = usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
                let width = Some(target(doc, width).clone()).filter(is_number);
                width.map_or(Vec::new(), |width| vec![width; number.min(num_left)])
            }
            _ => break,
        };
        num_left = num_left.saturating_sub(widths.len());
        listed.extend([Object::Integer(first), widths.into()]);
    }
    listed
}

/// Corrects faults of a font that the library does not accept.
pub(super) fn mend_font(font: &mut Dictionary) {
    if !font.has_type(b"Font") {
        return;
    }
    let numbers =
        (font.get(b"Widths").and_then(Object::as_array).map(Vec::len), font.get(b"FirstChar").and_then(Object::as_i64));
    if let (Ok(len), Ok(first)) = numbers
        && len > 0
    {
        font.set("LastChar", first.saturating_add(len as i64 - 1));
    }
    if let Ok(Object::String(name, _)) = font.get(b"BaseFont") {
        let name = Object::Name(name.clone());
        font.set("BaseFont", name);
    }
    // The library fails on any other name than the one that it ignores.
    if matches!(font.get(b"ToUnicode"), Ok(Object::Name(_))) {
        font.remove(b"ToUnicode");
    }
    if matches!(font.get(b"Encoding"), Ok(Object::Null)) {
        font.remove(b"Encoding");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_ranges_become_lists() {
        let numbers = |numbers: &[i64]| Object::Array(numbers.iter().map(|&number| number.into()).collect());
        let stored = [3.into(), numbers(&[500, 600]), 7.into(), 9.into(), 250.into(), 1.into()];
        let listed = listed_widths(&Document::new(), &stored);
        assert_eq!(listed, [3.into(), numbers(&[500, 600]), 7.into(), numbers(&[250, 250, 250])]);
        let many = [0.into(), Object::Integer(i64::MAX), 1.into(), 0.into(), Object::Integer(i64::MAX), 1.into()];
        let listed = listed_widths(&Document::new(), &many);
        let num_listed = listed.iter().filter_map(|widths| widths.as_array().ok()).map(Vec::len);
        assert_eq!(num_listed.sum::<usize>(), MOST_CODES);
    }
}
