//! Detects the encoding of a text that is not UTF-8 and declares no encoding.
//!
//! The detector of Firefox guesses an encoding from all that the web uses, and always guesses one. This module refuses
//! guesses for data that is not text, and for UTF-8 that was damaged.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, IBM866, ISO_8859_2, ISO_8859_4, ISO_8859_13, KOI8_U, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1254, WINDOWS_1257, X_MAC_CYRILLIC,
};

use super::dos::{fitting, is_doubtful};
use crate::documents::input::charset::{Charset, CodePage};
use crate::documents::input::panic_guard::contain;

/// Maximum bytes that the detector examines, from the first byte beyond ASCII on.
const EXAMINED: usize = 256 << 10;
/// Minimum bytes of a text whose encoding is detected.
const LEAST: usize = 16;
/// A text with fewer bytes must consist mostly of ASCII.
const SHORT: usize = 64;
/// Encodings in which letters beyond ASCII are rarely next to each other.
const LATIN: [&Encoding; 7] =
    [WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257, ISO_8859_2, ISO_8859_4, ISO_8859_13];

/// The probable encodings of bytes that are not valid UTF-8, the most probable first; none for damaged UTF-8 and for very
/// short texts.
///
/// A guess is reliable only if the bytes are valid in the encoding and [`is_text`] confirms it.
pub(super) fn likely_charsets(bytes: &[u8]) -> impl Iterator<Item = Charset> + use<'_> {
    let (guess, examined) = (detected(bytes), examined(bytes));
    let is_latin = guess.and_then(Charset::of_web).is_some_and(|guess| LATIN.contains(&guess));
    let of_dos = move || guess.and_then(|_| fitting(examined, is_latin));
    // Texts in other scripts fit code pages of DOS by chance.
    let is_doubtful = guess.is_some_and(|guess| is_latin && is_doubtful(examined, guess));
    let before = if is_doubtful { of_dos() } else { None };
    before.into_iter().chain(guess).chain(std::iter::once_with(of_dos).flatten())
}

/// The bytes that are examined: from the character before the first one beyond ASCII on, since it may be part of a word.
fn examined(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len());
    &bytes[start.saturating_sub(1)..bytes.len().min(start + EXAMINED)]
}

/// The encoding that the detector guesses, or a Cyrillic one that it does not know.
fn detected(bytes: &[u8]) -> Option<Charset> {
    // A PDF may have other bytes before its mark.
    let is_pdf = || memchr::memmem::find(&bytes[..bytes.len().min(1024)], b"%PDF-").is_some();
    if bytes.len() < LEAST || is_mostly_utf8(bytes) || is_pdf() {
        return None;
    }
    let examined = examined(bytes);
    let detect = || {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(examined, true);
        let guess = detector.guess(None, Utf8Detection::Deny);
        let guess = if guess == WINDOWS_1252 && is_hungarian(examined) { WINDOWS_1250 } else { guess };
        other_cyrillic(examined, guess).unwrap_or(guess.into())
    };
    contain(detect).ok()
}

/// Whether bytes have at least as many characters in several bytes of UTF-8 as faults.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut num_chars, mut num_faults) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        num_chars += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        num_faults += usize::from(!chunk.invalid().is_empty());
    }
    num_chars >= num_faults
}

/// Whether a text is Hungarian, whose `ő` is `õ` in Windows-1252. Portuguese has `õ` before `e`, and Estonian has few `á`
/// and `é`.
fn is_hungarian(bytes: &[u8]) -> bool {
    let count = |wanted: &[u8]| bytes.iter().filter(|byte| wanted.contains(byte)).count();
    let num_marked = count(b"\xF5\xD5");
    let num_before_e = bytes.windows(2).filter(|pair| matches!(pair, [0xF5, b'e'] | [0xD5, b'E'])).count();
    num_marked >= 2 && num_before_e * 2 < num_marked && count(b"\xE1\xE9\xC1\xC9") > num_marked
}

/// Mac Cyrillic or page 855 of DOS, if nearly all characters beyond ASCII are Cyrillic letters in it, and fewer in the
/// encoding that the detector guesses. It knows neither.
fn other_cyrillic(bytes: &[u8], guess: &'static Encoding) -> Option<Charset> {
    /// The guesses for texts in Mac Cyrillic.
    const FOR_MAC: [&Encoding; 4] = [WINDOWS_1251, WINDOWS_1252, KOI8_U, IBM866];
    let mac = FOR_MAC.contains(&guess).then_some((X_MAC_CYRILLIC.into(), 0.9));
    let page_855 = CodePage::of_number(855).map(|page| (Charset::Dos(page), 0.97));
    let guess = if guess == WINDOWS_1252 { WINDOWS_1251 } else { guess };
    let of_guess = share_of_cyrillic(bytes, guess.into());
    let is_better = |&(charset, least): &(Charset, f64)| {
        let share = share_of_cyrillic(bytes, charset);
        share > least && share > of_guess
    };
    mac.into_iter().chain(page_855).find(is_better).map(|(charset, _)| charset)
}

/// The share of the characters beyond ASCII that are Cyrillic letters in a place where words have them: capital letters
/// do not follow small letters, and no letter follows a Latin letter. 0 unless most of these letters follow one another:
/// signs such as `©` are letters in other encodings.
fn share_of_cyrillic(bytes: &[u8], charset: Charset) -> f64 {
    let (text, _) = charset.decode(bytes);
    let (mut num_chars, mut num_letters, mut num_pairs, mut last) = (0_u32, 0_u32, 0_u32, ' ');
    for c in text.chars() {
        if !c.is_ascii() {
            let is_letter = |c: char| matches!(c, 'А'..='я' | 'Ё' | 'ё');
            let is_odd = last.is_ascii_alphabetic() || (c.is_uppercase() && last.is_lowercase());
            num_chars += 1;
            num_letters += u32::from(is_letter(c) && !is_odd);
            num_pairs += u32::from(is_letter(c) && is_letter(last));
        }
        last = c;
    }
    let is_text = num_pairs * 2 >= num_chars;
    if is_text { f64::from(num_letters) / f64::from(num_chars.max(1)) } else { 0.0 }
}

/// Whether a decoded text looks like one, and not like other data that happens to be valid in the encoding.
///
/// * `num_bytes`: the number of bytes before decoding.
pub(super) fn is_text(text: &[u8], num_bytes: usize, charset: Charset) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    let (mut num_chars, mut num_controls, mut num_foreign, mut num_words, mut num_third) = (0, 0, 0, 0, 0);
    let mut last = [' '; 2];
    for c in text.chars() {
        // Logs have escape sequences, and old files end with ^Z.
        let is_control = c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0C' | '\x1A' | '\x1B');
        num_chars += 1;
        num_controls += usize::from(is_control);
        // Texts of DOS have frames of lines.
        let is_line = matches!(charset, Charset::Dos(_)) && matches!(c, '\u{2500}'..='\u{259F}');
        num_words += usize::from(c.is_alphanumeric() || c.is_whitespace() || is_line);
        num_foreign += usize::from(!c.is_ascii());
        num_third += usize::from(!c.is_ascii() && last.iter().all(|last| !last.is_ascii()));
        last = [last[1], c];
    }
    if num_controls * 200 > num_chars || (num_bytes < SHORT && num_foreign * 4 > num_bytes) {
        return false;
    }
    // Other data is rarely valid in an encoding with several bytes for a character.
    if !charset.is_single_byte() {
        return num_bytes >= SHORT;
    }
    let is_latin = charset.of_web().is_some_and(|encoding| LATIN.contains(&encoding));
    num_words * 3 >= num_chars * 2 && !(is_latin && num_third * 4 > num_foreign)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1253};

    use super::*;

    /// The encoding in which bytes look like a text.
    fn convincing(bytes: &[u8]) -> Option<Charset> {
        likely_charsets(bytes).find(|charset| {
            let (text, is_faulty) = charset.decode(bytes);
            !is_faulty && is_text(text.as_bytes(), bytes.len(), *charset)
        })
    }

    /// The encoding that a text in it is detected to have, if that is convincing.
    fn detected_of(text: &str, encoding: &'static Encoding) -> Option<&'static str> {
        let (bytes, _, is_faulty) = encoding.encode(text);
        assert!(!is_faulty, "{text}");
        let found = convincing(&bytes)?;
        assert_eq!(found.decode(&bytes).0, text, "{}", found.name());
        Some(found.name())
    }

    #[test]
    fn texts_of_many_languages_are_decoded() {
        for (text, encoding) in [
            ("Der Fährmann wusste nicht, weshalb die Glocke über der Tür so spät noch läutete.", WINDOWS_1252),
            ("Le garçon n'a pas oublié l'été où la rivière était gelée jusqu'à la forêt.", WINDOWS_1252),
            ("Příliš žluťoučký kůň úpěl ďábelské ódy a nikdo nevěděl, proč to dělá.", WINDOWS_1250),
            (
                "A révész nem értette, miért szól a harang ilyen későn. Nőtt a csend, és az erdő is elnémult.",
                WINDOWS_1250,
            ),
            ("Não sabia a razão. As estações passavam, e ninguém lhe dava atenção; as lições eram más.", WINDOWS_1252),
            ("Паромщик не знал, почему колокол над дверью звонит так поздно вечером.", WINDOWS_1251),
            ("Паромщик не знал, почему колокол над дверью звонит так поздно вечером.", KOI8_U),
            ("Паромщик не знал, почему Колокол над Дверью звонит так поздно вечером.", X_MAC_CYRILLIC),
            ("Ο βαρκάρης δεν ήξερε γιατί η καμπάνα πάνω από την πόρτα χτυπούσε τόσο αργά.", WINDOWS_1253),
            (
                "港の時計台は毎朝九時に鐘を鳴らし、町の人々はその音で一日の仕事を始める。船員は荷物を倉庫へ運ぶ。",
                SHIFT_JIS,
            ),
            ("摆渡人不知道为什么门上的钟这么晚还在响。没有人告诉他原因，他也没有再问下去，只是看着河水。", GBK),
            ("擺渡人不知道為什麼門上的鐘這麼晚還在響。沒有人告訴他原因，他也沒有再問下去，只是看著河水。", BIG5),
            ("뱃사공은 왜 문 위의 종이 그렇게 늦게까지 울리는지 알지 못했다. 아무도 말해 주지 않았다.", EUC_KR),
        ] {
            assert!(detected_of(text, encoding).is_some(), "{}: {text}", encoding.name());
        }
        let long = format!("{} un café", "A long text in English. ".repeat(20_000));
        assert_eq!(detected_of(&long, WINDOWS_1252), Some("windows-1252"));
    }

    #[test]
    fn a_cyrillic_code_page_of_dos_is_decoded() {
        let page = Charset::of_label("cp855").unwrap();
        for text in [
            "Паромщик не знал, почему колокол над дверью звонит так поздно вечером.",
            "<title>Паромщик</title> Не знал, почему колокол над Дверью звонит. <b>Никто</b> не ответил.",
            "Лодкарят не знаеше защо камбаната над вратата бие толкова късно.",
        ] {
            let byte_of = |c: char| (0..=255).find(|&byte| page.decode(&[byte]).0.chars().eq([c])).unwrap();
            let bytes: Vec<u8> = text.chars().map(byte_of).collect();
            assert_eq!(convincing(&bytes), Some(page), "{text}");
        }
        for text in [b"\xA9 2004 The Ferry Company \xA9 2005".as_slice(), b"the keeper\x92s clock \x96 it rings"] {
            assert_eq!(convincing(text).map(Charset::name), Some("windows-1252"));
        }
    }

    #[test]
    fn damaged_utf8_is_not_another_encoding() {
        let text = "Der Fährmann wusste nicht, weshalb die Glocke über der Tür so spät noch läutete.";
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0xC3);
        assert_eq!(likely_charsets(&bytes).next(), None, "cut within a character");
        assert_eq!(likely_charsets(b"caf\xE9").next(), None, "too short");
    }

    #[test]
    fn other_data_does_not_look_like_a_text() {
        let mut state = 1_u64;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        for len in [24, 40, 64, 100, 400, 4000] {
            for _ in 0..500 {
                let bytes: Vec<u8> = (0..len).map(|_| byte()).collect();
                let found = convincing(&bytes).map(Charset::name);
                assert_eq!(found, None, "{bytes:?}");
            }
        }
    }
}
