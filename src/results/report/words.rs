//! Texts for reports: names, similarities and ranges of lines.

use std::ffi::OsStr;
use std::fmt::Write;
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_128;

use super::pair::{ReportPair, ReportSide};
use crate::base::shown::shown;
use crate::compare::passages::{DocumentPart, LocatedPassage, PartFiles};
use crate::documents::input::extension;

/// The whole name as text; bytes that are not UTF-8 are written as `\xE9`.
pub(super) fn whole_name(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        text += chunk.valid();
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02X}").expect("a String takes every text");
        }
    }
    text
}

/// The path without a leading `./`, which would be a part of its name in a repository.
pub(super) fn relative(mut file: &[u8]) -> &[u8] {
    while let Some(rest) = file.strip_prefix(b"./") {
        file = rest;
    }
    file
}

/// A percent-encoded path for a URL. All characters except letters, digits and `-._~/` are encoded, so that a colon
/// cannot turn the beginning into a scheme.
pub(super) fn encoded(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    for &byte in path {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            byte => text += &format!("%{byte:02X}"),
        }
    }
    text
}

/// A similarity or coverage in percent with one decimal, rounded down, so that only equal documents have 100 %.
pub fn percent(share: f64) -> String {
    // The addition corrects rounding errors just below a tenth of a percent.
    let tenths = (share * 1000.0 + 1e-9).floor() as u64;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} %"),
        (whole, tenth) => format!("{whole}.{tenth} %"),
    }
}

/// A range of lines such as `lines 3-9`, or `line 3`.
pub(super) fn lines(lines: [u64; 2]) -> String {
    format!("{} {}", if lines[0] == lines[1] { "line" } else { "lines" }, range(lines))
}

/// The slides, pages, chapters or cells of a passage, such as `pages 2-3`; `None` for a document without them.
///
/// * `name`: the name of the document, whose ending says what its parts are.
pub fn parts(name: &[u8], part: &DocumentPart) -> Option<String> {
    let ending = extension(name).and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let (one, many) = match ending.as_deref() {
        Some("pdf" | "odg" | "fodg" | "otg") => ("page", "pages"),
        Some("pptx" | "pptm" | "ppsx" | "ppsm" | "potx" | "odp" | "fodp" | "otp") => ("slide", "slides"),
        Some("epub") => ("chapter", "chapters"),
        Some("ipynb") => ("cell", "cells"),
        _ => ("part", "parts"),
    };
    let numbers = part.parts?;
    Some(format!("{} {}", if numbers[0] == numbers[1] { one } else { many }, range(numbers)))
}

/// The place of a passage in a document for people: its slides, pages, chapters or cells if there are any, and its lines.
/// `None` if the lines are not known.
pub(super) fn place(side: ReportSide, passage: &LocatedPassage) -> Option<String> {
    let lines = lines(side.place(Some(passage)).lines?);
    let parts = parts(side.name, side.part(passage));
    let place = parts.map_or_else(|| lines.clone(), |parts| format!("{parts}, {lines}"));
    Some(file_before(side, passage) + &place + &end_in_other_file(side, passage))
}

/// The day of a time in UTC, such as `27 November 2026`; empty for a time that no calendar has.
pub fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
    let time = chrono::DateTime::from_timestamp(seconds, 0);
    time.map_or_else(String::new, |time| time.format("%-d %B %Y").to_string())
}

/// A range such as `3-9`, or `3` for a single line.
pub(super) fn range(lines: [u64; 2]) -> String {
    match lines {
        [first, last] if first == last => first.to_string(),
        [first, last] => format!("{first}-{last}"),
    }
}

/// The name as reports for people show it, with a mark if the document is old.
pub(super) fn marked_name(side: ReportSide) -> String {
    whole_name(side.name) + side.mark()
}

/// The name of the file in which a passage begins, and a space, if the document is joined from files.
pub(super) fn file_before(side: ReportSide, passage: &LocatedPassage) -> String {
    side.files(passage).map_or_else(String::new, |files| format!("{} ", shown(files.first())))
}

/// The end of a passage that ends in another file of its document, such as ` to ann/b.py line 7`.
pub(super) fn end_in_other_file(side: ReportSide, passage: &LocatedPassage) -> String {
    let last = side.files(passage).and_then(PartFiles::last);
    last.map_or_else(String::new, |last| format!(" to {} line {}", shown(last), side.part(passage).lines[1]))
}

/// The similarity of a pair as text; for programs also compared with identifiers kept, that similarity too.
pub(super) fn shares(pair: &ReportPair) -> String {
    let share = percent(pair.share());
    match pair.record().jaccard_kept {
        Some(kept) => format!("{share} ({} with its names)", percent(kept)),
        None => share,
    }
}

/// A clause about the similarity of a pair.
pub(super) fn similarity_clause(pair: &ReportPair) -> String {
    let share = shares(pair);
    match pair.record().matched {
        Some(matched) => {
            let tokens = if matched == 1 { "token" } else { "tokens" };
            format!("shares {matched} {tokens} in passages, {share} of the shorter text, with")
        }
        None => format!("is {share} similar to"),
    }
}

/// A fingerprint of a pair that does not change when lines move, in 32 hexadecimal digits. It depends on both names:
/// in any order without sides, by side otherwise.
///
/// * `has_sides`: whether documents have two sides, so that the same name may occur on both.
pub(super) fn fingerprint(pair: &ReportPair, has_sides: bool) -> String {
    let [a, b] = pair.sides().map(|side| side.name);
    let names = if has_sides { [a, b] } else { [a.min(b), a.max(b)] };
    let mut key = Vec::new();
    for name in names {
        key.extend_from_slice(&(name.len() as u64).to_le_bytes());
        key.extend_from_slice(name);
    }
    if has_sides {
        key.extend_from_slice(b"sides");
    }
    format!("{:032x}", xxh3_128(&key))
}

/// The lengths in bytes of the beginning and the end that all names share; they do not overlap in any name.
pub(super) fn common_ends(names: &[&str]) -> [usize; 2] {
    let Some((&first, others)) = names.split_first() else { return [0, 0] };
    let shortest = names.iter().map(|name| name.len()).min().unwrap_or(0);
    let start = others.iter().fold(shortest, |start, other| {
        let same = first.bytes().zip(other.bytes()).take(start).take_while(|(one, other)| one == other).count();
        (0..=same).rev().find(|&at| first.is_char_boundary(at)).unwrap_or(0)
    });
    let end = others.iter().fold(shortest - start, |end, other| {
        let both = first.bytes().rev().zip(other.bytes().rev());
        let same = both.take(end).take_while(|(one, other)| one == other).count();
        (0..=same).rev().find(|&end| first.is_char_boundary(first.len() - end)).unwrap_or(0)
    });
    [start, end]
}

/// A number with commas between thousands, followed by the counted noun.
///
/// * `one`: the noun in the singular; the plural adds an s.
pub(super) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number with commas between thousands.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
