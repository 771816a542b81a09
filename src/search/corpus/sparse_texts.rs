//! `sparse_note`: detects long texts with very few words, and therefore very few shingles.

use crate::base::setting::Setting;
use crate::text::shingle::{Cut, ShingleKind};

/// The note about a long text with so few words that its similarity means little; `None` for any other text.
pub(super) fn sparse_note(kind: ShingleKind, cut: Cut, text: &[u8]) -> Option<String> {
    /// The number of characters per word from which on a text is sparse.
    const TOO_MANY: u64 = 1000;
    let (number, what, remedy) = match kind {
        ShingleKind::Word => (cut.num_tokens, "word", format!("try {} char", Setting::ShingleKind)),
        ShingleKind::StopWord => {
            let remedy = format!("check {}, or try {} word or char", Setting::Language, Setting::ShingleKind);
            (cut.num_shingles, "stop word", remedy)
        }
        _ => return None,
    };
    let too_many = (number * TOO_MANY).max(TOO_MANY);
    // The length in bytes rules out almost every text, so characters are rarely counted.
    if (text.len() as u64) < too_many {
        return None;
    }
    let num_chars = String::from_utf8_lossy(text).chars().count() as u64;
    (num_chars >= too_many).then(|| {
        let plural = if number == 1 { "" } else { "s" };
        format!("{number} {what}{plural} in {num_chars} characters; {remedy}")
    })
}
