//! Numbers with their nouns.

use indicatif::HumanCount;

/// A number with its noun, such as `2 documents`.
///
/// * `one`: the singular of the noun; the plural adds an s.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}

/// Bands and rows, such as `20 bands x 5 rows`.
pub(crate) fn banding(bands: usize, rows: usize) -> String {
    let of = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
    format!("{} x {}", of(bands, "band"), of(rows, "row"))
}

/// A share as a percentage that never rounds up to 100.
pub(crate) fn percent(share: f64) -> String {
    if share >= 1.0 { "100 %".into() } else { format!("{:.2} %", (share * 1e4).floor() / 100.0) }
}

/// A share of the command line as a percentage, with all its digits.
pub(crate) fn plain_percent(share: f64) -> String {
    let digits = format!("{:.6}", share * 100.0);
    format!("{} %", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_was_given_keeps_its_digits() {
        assert_eq!([0.8, 0.29, 1.0, 0.0, 0.1235].map(plain_percent), ["80 %", "29 %", "100 %", "0 %", "12.35 %"]);
    }
}
