//! What reports say of pairs: names, similarities and ranges of lines, as text.

use std::fmt::Write;

use xxhash_rust::xxh3::xxh3_128;

use super::pair::ReportPair;

/// A name as text, whole: bytes that are not UTF-8 are written as `\xE9`.
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

/// A path without the `./` before it, which would be a part of its name in a repository.
pub(super) fn relative(mut file: &[u8]) -> &[u8] {
    while let Some(rest) = file.strip_prefix(b"./") {
        file = rest;
    }
    file
}

/// A path in an address: all that is no letter, digit or one of `-._~/` is `%` and two digits, so that no colon makes a scheme of
/// its first part.
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

/// A similarity or coverage in percent with one decimal, never rounded up, so that only what is equal has 100 %.
pub(super) fn percent(share: f64) -> String {
    // What is nearest to a tenth of a percent is that tenth.
    let tenths = (share * 1000.0 + 1e-9).floor() as u64;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} %"),
        (whole, tenth) => format!("{whole}.{tenth} %"),
    }
}

/// `lines 3-9`, or `line 3`.
pub(super) fn lines(lines: [u64; 2]) -> String {
    format!("{} {}", if lines[0] == lines[1] { "line" } else { "lines" }, range(lines))
}

/// `3-9`, or `3` of one line.
pub(super) fn range(lines: [u64; 2]) -> String {
    match lines {
        [first, last] if first == last => first.to_string(),
        [first, last] => format!("{first}-{last}"),
    }
}

/// How similar the documents of a pair are; of programs whose names are kept besides, also how similar they are then.
pub(super) fn shares(pair: &ReportPair) -> String {
    let share = percent(pair.share());
    match pair.record().jaccard_kept {
        Some(kept) => format!("{share} ({} with its names)", percent(kept)),
        None => share,
    }
}

/// How similar the documents of a pair are, in one clause.
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

/// What stays the same of a pair when lines move, in 32 hexadecimal digits: the names of both, in either order, or by their
/// sides.
///
/// * `has_sides`: whether documents are of two sides, so that a name may be on both.
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

/// The bytes at the beginning and at the end that all names have in common, and that do not overlap in any of them.
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

/// A number with commas between thousands, and the noun that it counts.
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
