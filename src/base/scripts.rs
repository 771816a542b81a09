//! Recognises characters of scripts that are written without spaces between words.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, ScriptExtension, UnicodeScript};

/// The scripts without spaces between words.
const SCRIPTS: [Script; 7] =
    [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];

/// Whether a character belongs to a script without spaces between words. The prolonged sound mark of Kana belongs to
/// two such scripts; characters that all scripts share belong to none.
pub(crate) fn is_spaceless(c: char) -> bool {
    let scripts = c.script_extension();
    let is_common = scripts == ScriptExtension::default() || scripts.is_common() || scripts.is_inherited();
    !is_common && SCRIPTS.iter().any(|&script| scripts.contains_script(script))
}

/// Whether a single line end between this character and another such character is dropped: true for letters and marks
/// of scripts without spaces.
pub(crate) fn joins_lines(c: char) -> bool {
    // The Thai characters are the first ones of these scripts.
    c >= '\u{E00}'
        && is_spaceless(c)
        && matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark)
}

/// The last character of a text in valid UTF-8.
pub(crate) fn last_char(text: &[u8]) -> Option<char> {
    if let [.., byte @ ..0x80] = *text {
        return Some(byte.into());
    }
    let start = text.iter().rposition(|&byte| byte & 0xC0 != 0x80)?;
    first_char(&text[start..])
}

/// The first character of a text in valid UTF-8.
pub(crate) fn first_char(text: &[u8]) -> Option<char> {
    if let [byte @ ..0x80, ..] = *text {
        return Some(byte.into());
    }
    text[..text.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}
