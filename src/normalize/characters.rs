//! Folding characters: normalisation form, case, accents, digits and punctuation, in this order.
//!
//! Runs of ASCII go through a table. What is left is folded a segment at a time, from the last ASCII character before it,
//! which an accent behind may belong to, up to the next one: no form of UAX #15 joins anything across such a border.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::{Normalization, UnicodeForm};

/// In the table, a character that is left out.
const DROPPED: u8 = 0xFF;

/// Folds the characters of texts.
#[derive(Debug, Clone)]
pub(super) struct CharacterFolder {
    form: Option<UnicodeForm>,
    lowercase: bool,
    strip_accents: bool,
    fold_digits: bool,
    strip_punctuation: bool,
    /// What becomes of each ASCII character.
    ascii: [u8; 128],
    /// The segment at hand, and the same after the next step.
    chars: Vec<char>,
    next: Vec<char>,
}

impl CharacterFolder {
    pub(super) fn new(settings: &Normalization) -> Self {
        let &Normalization { form, lowercase, strip_accents, fold_digits, strip_punctuation, .. } = settings;
        let mut folder = Self {
            form,
            lowercase,
            strip_accents,
            fold_digits,
            strip_punctuation,
            ascii: std::array::from_fn(|byte| byte as u8),
            chars: Vec::new(),
            next: Vec::new(),
        };
        for byte in 0..0x80u8 {
            let small = if lowercase { byte.to_ascii_lowercase() } else { byte };
            folder.ascii[usize::from(byte)] = folder.plain(char::from(small)).map_or(DROPPED, |c| c as u8);
        }
        folder
    }

    /// Folds `text`, which must be valid UTF-8, and is afterwards.
    pub(super) fn fold(&mut self, text: &mut Vec<u8>, scratch: &mut Vec<u8>) {
        let changes_ascii = (0..).zip(&self.ascii).any(|(byte, &folded)| byte != folded);
        if text.is_ascii() {
            if changes_ascii {
                self.fold_ascii(text);
            }
            return;
        }
        if !changes_ascii && self.form.is_none() && !self.strip_accents {
            return;
        }
        scratch.clear();
        scratch.reserve(text.len());
        let mut rest = super::as_str(text);
        while let Some(foreign) = rest.bytes().position(|byte| !byte.is_ascii()) {
            let (plain, segment) = rest.split_at(foreign.saturating_sub(1));
            self.push_ascii(plain.as_bytes(), scratch);
            let first = usize::from(foreign > 0);
            let len =
                segment[first..].bytes().position(|byte| byte.is_ascii()).map_or(segment.len(), |len| first + len);
            let (segment, behind) = segment.split_at(len);
            self.push_segment(segment, scratch);
            rest = behind;
        }
        self.push_ascii(rest.as_bytes(), scratch);
        std::mem::swap(text, scratch);
    }

    fn fold_ascii(&self, text: &mut Vec<u8>) {
        let mut write = 0;
        for read in 0..text.len() {
            let folded = self.ascii[usize::from(text[read])];
            text[write] = folded;
            write += usize::from(folded != DROPPED);
        }
        text.truncate(write);
    }

    fn push_ascii(&self, text: &[u8], out: &mut Vec<u8>) {
        out.extend(text.iter().map(|&byte| self.ascii[usize::from(byte)]).filter(|&folded| folded != DROPPED));
    }

    fn push_segment(&mut self, segment: &str, out: &mut Vec<u8>) {
        let Self { chars, next, .. } = self;
        chars.clear();
        chars.extend(segment.chars());
        if let Some(form) = self.form {
            compose(form, chars, next);
        }
        if self.lowercase {
            next.clear();
            // A small sigma at the end of a word is a matter of spelling, of which Σ alone says nothing.
            next.extend(chars.iter().flat_map(|&c| if c == 'ς' { 'σ' } else { c }.to_lowercase()));
            std::mem::swap(chars, next);
            if let Some(form) = self.form {
                compose(form, chars, next);
            }
        }
        if self.strip_accents {
            next.clear();
            next.extend(chars.iter().copied().nfd().filter(|&c| !is_accent(c)));
            chars.clear();
            chars.extend(next.iter().copied().nfc());
        }
        let mut bytes = [0; 4];
        for &c in &self.chars {
            if let Some(folded) = self.plain(c) {
                out.extend_from_slice(folded.encode_utf8(&mut bytes).as_bytes());
            }
        }
    }

    /// The character after the steps that look at one at a time; `None` when it is left out.
    fn plain(&self, c: char) -> Option<char> {
        // Most of what is not ASCII lies here, and is neither.
        if !(self.fold_digits || self.strip_punctuation) || ('\u{3400}'..='\u{9FFF}').contains(&c) {
            return Some(c);
        }
        let category = c.general_category();
        if self.fold_digits && category == GeneralCategory::DecimalNumber {
            return Some('0');
        }
        let is_punctuation = c.general_category_group() == GeneralCategoryGroup::Punctuation;
        (!(self.strip_punctuation && is_punctuation)).then_some(c)
    }
}

/// Brings `chars` into the form, by way of `next`.
fn compose(form: UnicodeForm, chars: &mut Vec<char>, next: &mut Vec<char>) {
    let copied = || chars.iter().copied();
    let is_composed = match form {
        UnicodeForm::Nfc => is_nfc_quick(copied()),
        UnicodeForm::Nfkc => is_nfkc_quick(copied()),
    };
    if is_composed == IsNormalized::Yes {
        return;
    }
    next.clear();
    match form {
        UnicodeForm::Nfc => next.extend(copied().nfc()),
        UnicodeForm::Nfkc => next.extend(copied().nfkc()),
    }
    std::mem::swap(chars, next);
}

/// Whether a character lies in a block of combining diacritical marks: those for Latin, Greek and Cyrillic letters, not the
/// vowel signs of other scripts, which are no ornament.
pub(super) fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}
