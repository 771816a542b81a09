//! Numbers with their nouns.

use indicatif::HumanCount;

/// A number with its noun, such as `2 documents`.
///
/// * `one`: in the singular; the plural adds an s.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}
