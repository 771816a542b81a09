//! Detects code pages of DOS, Mac Roman and Mac Central Europe, which the detector of the web does not know: it takes them
//! for Windows-1252.
//!
//! In the wrong encoding, letters of a language become signs within words, or capital letters after small ones. So the
//! right encoding is the one in which nearly all characters beyond ASCII fit their neighbours.

use encoding_rs::MACINTOSH;

use crate::documents::input::charset::{Charset, CodePage};

/// The code pages that are detected, the most frequent first: of several that fit equally well, the first one is taken.
const PAGES: [u16; 5] = [850, 437, 852, 737, 857];
/// Minimum share of fitting characters in the right encoding.
const CONVINCING: f64 = 0.97;
/// Maximum share of fitting characters in a wrong encoding.
const DOUBTFUL: f64 = 0.9;

/// Whether the encoding is probably wrong: too few characters fit their neighbours.
pub(super) fn is_doubtful(bytes: &[u8], charset: Charset) -> bool {
    share_of_fitting(bytes, charset) <= DOUBTFUL
}

/// The code page, or encoding of the Macintosh, in which nearly all characters beyond ASCII fit their neighbours.
///
/// * `is_latin`: whether it may be an encoding of the Macintosh, in which texts in other scripts fit by chance.
pub(super) fn fitting(bytes: &[u8], is_latin: bool) -> Option<Charset> {
    let pages = PAGES.into_iter().filter_map(page);
    let of_mac = [Some(MACINTOSH.into()), page(CodePage::MAC_CENTRAL_EUROPE)].into_iter().flatten();
    let charsets = pages.chain(of_mac.filter(|_| is_latin));
    let shares = charsets.map(|charset| (charset, share_of_fitting(bytes, charset)));
    let best = shares.reduce(|best, next| if next.1 > best.1 { next } else { best });
    let best = best.filter(|&(_, share)| share >= CONVINCING).map(|(charset, _)| charset)?;
    // The letters of page 860 are letters in these pages, too.
    let is_of_860 = matches!(best.name(), "IBM850" | "IBM437") && is_portuguese(bytes);
    page(860).filter(|_| is_of_860).or(Some(best))
}

fn page(number: u16) -> Option<Charset> {
    CodePage::of_number(number).map(Charset::Dos)
}

/// Whether a text has the vowels of Portuguese in page 860: most of its `ã` and `õ` begin `ão` and `õe`. Pages 437 and
/// 850 have `ä` and `ö` there, which other languages do not write before these letters.
fn is_portuguese(bytes: &[u8]) -> bool {
    let is_nasal = |byte: u8| matches!(byte, 0x84 | 0x94 | 0x8E | 0x99);
    let num_nasal = bytes.iter().filter(|&&byte| is_nasal(byte)).count();
    let is_diphthong = |pair: &[u8]| matches!(pair, [0x84, b'o'] | [0x94, b'e'] | [0x8E, b'O'] | [0x99, b'E']);
    let num_diphthongs = bytes.windows(2).filter(|pair| is_diphthong(pair)).count();
    num_nasal > 0 && num_diphthongs * 2 >= num_nasal
}

/// The share of the characters beyond ASCII that fit their neighbours; 0 without such characters.
fn share_of_fitting(bytes: &[u8], charset: Charset) -> f64 {
    let (text, _) = charset.decode(bytes);
    // No language that is written in page 850 has a dotless i, whose byte is the apostrophe of Mac Roman.
    let unused = Some('ı').filter(|_| charset.name() == "IBM850");
    // In the languages of these pages ï follows a vowel. In page 852 it is ő.
    let has_trema = matches!(charset.name(), "IBM437" | "IBM850" | "IBM857");
    let (mut num_foreign, mut num_fitting, mut before) = (0_u32, 0_u32, ' ');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_ascii() {
            num_foreign += 1;
            let after = chars.peek().copied().unwrap_or(' ');
            let is_odd = unused == Some(c) || (has_trema && matches!(c, 'ï' | 'Ï') && !is_vowel(before));
            num_fitting += u32::from(!is_odd && fits(before, c, after));
        }
        before = c;
    }
    f64::from(num_fitting) / f64::from(num_foreign.max(1))
}

fn is_vowel(c: char) -> bool {
    "aeiouyáéíóúàèòùâêôû".contains(c.to_ascii_lowercase())
}

/// Whether a character beyond ASCII occurs between these characters in texts.
fn fits(before: char, c: char, after: char) -> bool {
    let is_in_word = before.is_alphabetic() && after.is_alphabetic();
    let is_capital_inside = before.is_lowercase() && c.is_uppercase();
    match c {
        '\u{80}'..='\u{9F}' | char::REPLACEMENT_CHARACTER => false,
        // Spaces and hyphens that programs put into words and between them.
        '\u{A0}' | '\u{AD}' => true,
        '×' | '÷' | 'ƒ' => !is_in_word,
        'À'..='ɏ' => !is_capital_inside,
        'Ͱ'..='Ͽ' => !is_capital_inside && !before.is_ascii_alphabetic() && !after.is_ascii_alphabetic(),
        '’' | '‘' | '–' | '—' | '·' | '´' => true,
        '„' | '‚' | '¡' | '¿' => !before.is_alphabetic(),
        '\u{2500}'..='\u{259F}' => !before.is_alphabetic() && !after.is_alphabetic(),
        _ => !is_in_word,
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{WINDOWS_1250, WINDOWS_1252};

    use super::*;

    /// A text in a code page; each byte is the one whose character it is.
    fn encoded(text: &str, charset: Charset) -> Vec<u8> {
        let byte_of = |c: char| (0..=255).find(|&byte| charset.decode(&[byte]).0.chars().eq([c]));
        text.chars().map(|c| byte_of(c).unwrap_or_else(|| panic!("{c}"))).collect()
    }

    const GERMAN: &str = "Der Fährmann wusste nicht, weshalb die Glocke über der Tür so spät noch läutete, und größer war nur die Stille.";
    const FRENCH: &str =
        "Le garçon n'a pas oublié l'été où la rivière était gelée jusqu'à la forêt, et les élèves restaient à l'école.";
    const SPANISH: &str = "El niño no olvidó el verano en que el río se heló. ¿Quién sabía por qué sonaba la campana? Mañana será otro día.";
    const POLISH: &str =
        "Przewoźnik nie wiedział, dlaczego dzwon nad drzwiami dzwoni tak późno. Mężczyźni siedzieli w milczeniu.";
    const CZECH: &str = "Převozník nevěděl, proč zvon nad dveřmi zvoní tak pozdě. Muži mlčky seděli u stolu.";
    const HUNGARIAN: &str = "A révész nem értette, miért szól a harang ilyen későn. A tető fölött egyre nőtt a csend, és az erdő is elnémult.";
    const PORTUGUESE: &str = "O barqueiro não sabia a razão por que o sino tocava tão tarde. As estações passavam, e ninguém lhe dava atenção.";
    const DANISH: &str =
        "Færgemanden vidste ikke, hvorfor klokken over døren ringede så sent. Stilheden blev stadig større på øen.";

    #[test]
    fn texts_in_code_pages_fit_only_there() {
        for (text, label) in [
            (GERMAN, "cp850"),
            (FRENCH, "cp850"),
            (SPANISH, "cp850"),
            (DANISH, "cp850"),
            (POLISH, "cp852"),
            (CZECH, "cp852"),
            (HUNGARIAN, "cp852"),
            (PORTUGUESE, "cp850"),
            (PORTUGUESE, "cp860"),
            ("A SITUAÇÃO NÃO MUDOU, E AS LIÇÕES FORAM ESQUECIDAS.", "cp860"),
            ("Ο βαρκάρης δεν ήξερε γιατί η καμπάνα πάνω από την πόρτα χτυπούσε τόσο αργά.", "cp737"),
            ("Kayıkçı kapının üstündeki çanın neden bu kadar geç çaldığını bilmiyordu, söylememişti.", "cp857"),
            (GERMAN, "macintosh"),
            (FRENCH, "macintosh"),
            (SPANISH, "macintosh"),
            (DANISH, "macintosh"),
            (PORTUGUESE, "macintosh"),
            ("Gdy łódź płynęła, przewoźnik milczał i słuchał żab, które nagle umilkły.", "x-mac-ce"),
            (CZECH, "x-mac-ce"),
            (HUNGARIAN, "x-mac-ce"),
        ] {
            let charset = Charset::of_label(label).unwrap();
            let bytes = encoded(text, charset);
            let found = fitting(&bytes, true).unwrap_or_else(|| panic!("{label}: {text}"));
            assert_eq!(found.decode(&bytes).0, text, "{}", found.name());
            assert!(label == "cp737" || is_doubtful(&bytes, WINDOWS_1252.into()), "{label}: {text}");
        }
    }

    #[test]
    fn an_apostrophe_of_mac_roman_is_no_dotless_i() {
        assert_eq!(fitting(b"the keeper\xD5s clock", true), Some(MACINTOSH.into()));
        let russian = encoded("Паромщик не знал, почему колокол звонит.", Charset::of_label("cp855").unwrap());
        assert_eq!(fitting(&russian, false), None, "page 855 is detected by its Cyrillic letters");
    }

    #[test]
    fn texts_in_encodings_of_windows_fit_there() {
        let english = "It’s the ferry’s “last” trip – café, £5 and 3½ hours… naïve\u{A0}Zoë";
        for text in [GERMAN, FRENCH, SPANISH, DANISH, english, "a\u{A0}b", "la\u{A0}maison\u{A0}est\u{A0}grande"] {
            let bytes = encoded(text, WINDOWS_1252.into());
            assert!(!is_doubtful(&bytes, WINDOWS_1252.into()), "{text}");
        }
        let czech = encoded("Převozník nevěděl, proč zvon nad dveřmi zvoní tak pozdě.", WINDOWS_1250.into());
        assert!(!is_doubtful(&czech, WINDOWS_1250.into()));
    }
}
