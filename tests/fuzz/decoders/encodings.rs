//! Texts and records in other encodings against the standard library.

use std::fmt::Write;

use dedup_scan::InputSettings;
use dedup_scan::documents::InvalidBytes;

use super::{Files, text};
use crate::random::Random;

pub(crate) fn encodings(seed: u64) -> Result<(), String> {
    let random = &mut Random(seed);
    let replaces = random.percent(50);
    let invalid = if replaces { InvalidBytes::Replace } else { InvalidBytes::Skip };
    let label = random.pick(&["utf-8", "latin1", "utf-16le", "utf-16be"]);
    let mut files = Files::new();
    for file in 0..12 {
        // What the text is by its mark, or by the label.
        let (is, mark): (&str, &[u8]) = match random.below(6) {
            0 => ("utf-8", b"\xEF\xBB\xBF"),
            1 => ("utf-16le", b"\xFF\xFE"),
            2 => ("utf-16be", b"\xFE\xFF"),
            _ => (label, b""),
        };
        let bytes = encoded(is, random);
        let text = decoded(is, &bytes, replaces);
        let file = format!("{file}.txt");
        let bytes = [mark, &bytes].concat();
        // A mark by accident.
        if mark.is_empty()
            && [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF"].iter().any(|mark| bytes.starts_with(mark))
        {
            continue;
        }
        let is_binary = text.as_ref().is_some_and(|text| text.as_bytes().iter().take(8192).any(|&byte| byte == 0));
        let is_utf32 = bytes.starts_with(b"\xFF\xFE\0\0") || bytes.starts_with(b"\0\0\xFE\xFF");
        files.add(&file, &bytes, [(String::new(), text.filter(|_| !is_binary && !is_utf32))]);
    }
    for file in 0..2 {
        wide_records(&mut files, &format!("{file}.jsonl"), label, random);
    }
    // Bytes that happen to be UTF-8 are in this encoding too.
    let encoding = format!("{label}!").parse().expect("a label");
    files.check(&InputSettings { encoding, invalid, ..InputSettings::default() })
}

/// A text in an encoding, or near to one.
fn encoded(encoding: &str, random: &mut Random) -> Vec<u8> {
    let text = text(random, 20);
    let mut bytes: Vec<u8> = match encoding {
        "utf-8" => text.into(),
        "latin1" => {
            text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).filter(|byte| !(0x80..0xA0).contains(byte)).collect()
        }
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    };
    if random.percent(40) && !bytes.is_empty() && encoding != "latin1" {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(at),
            1 => drop(bytes.remove(at)),
            2 => bytes[at] = [0x80, 0xC3, 0xD8, 0xDC, 0xED, 0xF4, 0xFF][random.below(7)],
            _ => bytes.insert(at, random.next() as u8),
        }
    }
    bytes
}

/// The text, or none where it is not valid and nothing is replaced.
fn decoded(encoding: &str, bytes: &[u8], replaces: bool) -> Option<String> {
    let unit = |pair: &[u8]| match encoding {
        "utf-16le" => u16::from_le_bytes([pair[0], pair[1]]),
        _ => u16::from_be_bytes([pair[0], pair[1]]),
    };
    let (text, is_valid) = match encoding {
        "utf-8" => (String::from_utf8_lossy(bytes).into_owned(), std::str::from_utf8(bytes).is_ok()),
        "latin1" => (bytes.iter().map(|&byte| char::from(byte)).collect(), true),
        _ => {
            let units: Vec<u16> = bytes.chunks_exact(2).map(unit).collect();
            let is_whole = bytes.len().is_multiple_of(2);
            let is_valid = is_whole && String::from_utf16(&units).is_ok();
            let mut text = String::from_utf16_lossy(&units);
            // A half unit behind half a pair is one fault.
            let ends_in_half = units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
            if !is_whole && !ends_in_half {
                text.push('\u{FFFD}');
            }
            (text, is_valid)
        }
    };
    (is_valid || replaces).then_some(text)
}

/// Records whose line ends are not those of ASCII, now and then longer than a decoder's buffer.
fn wide_records(files: &mut Files, name: &str, label: &str, random: &mut Random) {
    let is_long = random.percent(20);
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for number in 1..=1 + random.below(if is_long { 60 } else { 5 }) {
        let text = text(random, 20).repeat(if is_long { 1 + random.below(200) } else { 1 });
        let record = serde_json::json!({ "text": text });
        writeln!(lines, "{record}").expect("a String takes all");
        expected.push((format!(":{number}"), Some(text)));
    }
    let bytes: Vec<u8> = match label {
        "utf-16le" => lines.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => lines.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        // Other encodings of records are told by a mark.
        _ if random.percent(50) => {
            "\u{FEFF}".encode_utf16().chain(lines.encode_utf16()).flat_map(u16::to_le_bytes).collect()
        }
        "latin1" => return,
        _ => lines.into_bytes(),
    };
    files.add(name, &bytes, expected);
}
