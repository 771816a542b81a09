//! What reports say of pairs: names, shares and ranges of lines, as text.

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

/// A share in percent with one decimal, never rounded up, so that only what is equal has 100 %.
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

/// What is known of a pair by its numbers, in one clause.
pub(super) fn likeness(pair: &ReportPair) -> String {
    let share = percent(pair.share());
    match pair.record().matched {
        Some(matched) => {
            let tokens = if matched == 1 { "token" } else { "tokens" };
            format!("shares {matched} {tokens} in passages, {share} of the shorter text, with")
        }
        None => format!("is {share} similar to"),
    }
}

/// What stays the same of a pair when lines move, in 32 hexadecimal digits: the names of both, in either order.
pub(super) fn fingerprint(pair: &ReportPair) -> String {
    let (about, other) = (pair.about().name, pair.other().name);
    let mut key = Vec::new();
    for name in [about.min(other), about.max(other)] {
        key.extend_from_slice(&(name.len() as u64).to_le_bytes());
        key.extend_from_slice(name);
    }
    format!("{:032x}", xxh3_128(&key))
}

/// A number and what there are so many of, with commas between thousands.
pub(super) fn counted(number: u64, one: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {one}{}", if number == 1 { "" } else { "s" })
}
