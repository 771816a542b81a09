//! Numbers with their nouns.

use indicatif::HumanCount;

/// A number with its noun, such as `2 documents`.
///
/// * `one`: in the singular; the plural adds an s.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}

/// Bands and rows.
pub(crate) fn banding(bands: usize, rows: usize) -> String {
    let of = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
    format!("{} x {}", of(bands, "band"), of(rows, "row"))
}

/// A share as a percentage that never rounds up to 100.
pub(crate) fn percent(share: f64) -> String {
    if share >= 1.0 { "100 %".into() } else { format!("{:.2} %", (share * 1e4).floor() / 100.0) }
}
