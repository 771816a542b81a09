//! `Charset`: an encoding of texts, either of the Encoding Standard or a code page that the standard lacks: of DOS, or Mac
//! Central Europe.
//!
//! A new code page needs a row of `CODE_PAGES`, if `oem_cp` has its table. An encoding of another kind needs a variant.
//! `bytes/decode/detect.rs` and `bytes/decode/dos.rs` have the encodings that are detected in texts that declare none.

use std::borrow::Cow;

use encoding_rs::Encoding;
use oem_cp::code_table::DECODING_TABLE_CP_MAP;
use oem_cp::code_table_type::TableType;

/// An encoding of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Charset {
    /// An encoding of the Encoding Standard.
    Web(&'static Encoding),
    Dos(&'static CodePage),
}

/// A code page of DOS or Mac Central Europe, in which each byte is a character, and the bytes of ASCII are ASCII.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CodePage {
    number: u16,
    name: &'static str,
}

/// The code pages that the Encoding Standard lacks: it has 866 and 874.
static CODE_PAGES: [CodePage; 17] = [
    CodePage { number: 437, name: "IBM437" },
    CodePage { number: 720, name: "IBM720" },
    CodePage { number: 737, name: "IBM737" },
    CodePage { number: 775, name: "IBM775" },
    CodePage { number: 850, name: "IBM850" },
    CodePage { number: 852, name: "IBM852" },
    CodePage { number: 855, name: "IBM855" },
    CodePage { number: 857, name: "IBM857" },
    CodePage { number: 858, name: "IBM858" },
    CodePage { number: 860, name: "IBM860" },
    CodePage { number: 861, name: "IBM861" },
    CodePage { number: 862, name: "IBM862" },
    CodePage { number: 863, name: "IBM863" },
    CodePage { number: 864, name: "IBM864" },
    CodePage { number: 865, name: "IBM865" },
    CodePage { number: 869, name: "IBM869" },
    CodePage { number: CodePage::MAC_CENTRAL_EUROPE, name: "x-mac-ce" },
];

/// The characters of Mac Central Europe from 0x80 on (the table `CENTEURO.TXT` of Apple, in the archive of Unicode).
const MAC_CENTRAL_EUROPE: &str = "\
    ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅņŃ¬√ńŇ∆«»…\u{A0}ňŐÕőŌ\
    –—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ";

impl CodePage {
    /// The number of Mac Central Europe among the code pages of Windows.
    pub(crate) const MAC_CENTRAL_EUROPE: u16 = 10029;

    /// The code page with this number.
    pub(crate) fn of_number(number: u16) -> Option<&'static Self> {
        CODE_PAGES.iter().find(|page| page.number == number)
    }

    /// The code page with a label such as `cp850`, `ibm850` or `850`, or a registered alias.
    fn of_label(label: &str) -> Option<&'static Self> {
        const ALIASES: [(&str, u16); 6] = [
            ("cspc8codepage437", 437),
            ("cspc850multilingual", 850),
            ("cspcp852", 852),
            ("x-mac-ce", CodePage::MAC_CENTRAL_EUROPE),
            ("x-mac-centraleurroman", CodePage::MAC_CENTRAL_EUROPE),
            ("maccentraleurope", CodePage::MAC_CENTRAL_EUROPE),
        ];
        let label = label.trim_ascii().to_ascii_lowercase();
        if let Some((_, number)) = ALIASES.iter().find(|(alias, _)| *alias == label) {
            return Self::of_number(*number);
        }
        let number = ["cp", "ibm"].iter().find_map(|start| label.strip_prefix(start)).unwrap_or(&label);
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        number.parse().ok().filter(|_| is_number).and_then(Self::of_number)
    }

    /// The character of each byte beyond ASCII, from 0x80 on; `None` for bytes without a character.
    fn characters(&self) -> [Option<char>; 128] {
        if self.number == Self::MAC_CENTRAL_EUROPE {
            let mut characters = MAC_CENTRAL_EUROPE.chars();
            return std::array::from_fn(|_| characters.next());
        }
        match DECODING_TABLE_CP_MAP.get(&self.number) {
            Some(TableType::Complete(table)) => table.map(Some),
            Some(TableType::Incomplete(table)) => **table,
            None => [None; 128],
        }
    }

    /// Appends the text of bytes, and returns the number of bytes before the first one without a character.
    ///
    /// * `replaces`: whether bytes without a character become U+FFFD; otherwise decoding ends there.
    pub(crate) fn append(&self, bytes: &[u8], replaces: bool, text: &mut Vec<u8>) -> usize {
        let (characters, mut num_valid) = (self.characters(), None);
        for (at, &byte) in bytes.iter().enumerate() {
            let c = match byte.checked_sub(0x80) {
                None => Some(char::from(byte)),
                Some(index) => characters[usize::from(index)],
            };
            if c.is_none() {
                num_valid = num_valid.or(Some(at));
                if !replaces {
                    break;
                }
            }
            text.extend_from_slice(c.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut [0; 4]).as_bytes());
        }
        num_valid.unwrap_or(bytes.len())
    }
}

impl Charset {
    pub(crate) const UTF_8: Self = Self::Web(encoding_rs::UTF_8);

    /// The encoding with this label.
    pub(crate) fn of_label(label: &str) -> Option<Self> {
        let of_web = Encoding::for_label_no_replacement(label.as_bytes()).map(Self::Web);
        of_web.or_else(|| CodePage::of_label(label).map(Self::Dos))
    }

    /// The encoding of the Encoding Standard, if it is one.
    pub(crate) fn of_web(self) -> Option<&'static Encoding> {
        match self {
            Self::Web(encoding) => Some(encoding),
            Self::Dos(_) => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Web(encoding) => encoding.name(),
            Self::Dos(page) => page.name,
        }
    }

    pub(crate) fn is_ascii_compatible(self) -> bool {
        match self {
            Self::Web(encoding) => encoding.is_ascii_compatible(),
            Self::Dos(_) => true,
        }
    }

    pub(crate) fn is_single_byte(self) -> bool {
        match self {
            Self::Web(encoding) => encoding.is_single_byte(),
            Self::Dos(_) => true,
        }
    }

    /// Decodes bytes, with U+FFFD for invalid ones. Returns also whether there were any. A byte order mark is text.
    pub(crate) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        match self {
            Self::Web(encoding) => encoding.decode_without_bom_handling(bytes),
            Self::Dos(page) => {
                let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 8);
                let is_faulty = page.append(bytes, true, &mut text) < bytes.len();
                (String::from_utf8(text).expect("only characters were appended").into(), is_faulty)
            }
        }
    }
}

impl From<&'static Encoding> for Charset {
    fn from(encoding: &'static Encoding) -> Self {
        Self::Web(encoding)
    }
}

impl PartialEq<&'static Encoding> for Charset {
    fn eq(&self, other: &&'static Encoding) -> bool {
        *self == Self::Web(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_have_the_labels_that_programs_use() {
        let name = |label: &str| Charset::of_label(label).map(Charset::name);
        for label in ["cp850", "IBM850", " 850 ", "csPC850Multilingual", "ibm00850"] {
            assert_eq!(name(label), Some("IBM850"), "{label}");
        }
        assert_eq!(name("cp866"), Some("IBM866"), "the standard has it");
        for label in ["x-mac-ce", "MacCentralEurope", "x-mac-centraleurroman", "cp10029"] {
            assert_eq!(name(label), Some("x-mac-ce"), "{label}");
        }
        for label in ["cp", "cp85", "cp+850", "cp850x", "ibm", "", "cp65536"] {
            assert_eq!(name(label), None, "{label}");
        }
        for page in &CODE_PAGES {
            assert_eq!(Charset::of_label(page.name), Some(Charset::Dos(page)));
            assert!(page.characters().iter().any(Option::is_some), "{}", page.name);
        }
    }

    #[test]
    fn bytes_of_code_pages_are_their_characters() {
        let decoded = |label: &str, bytes: &[u8]| {
            let (text, is_faulty) = Charset::of_label(label).unwrap().decode(bytes);
            (text.into_owned(), is_faulty)
        };
        let of = |text: &str, is_faulty| (text.to_owned(), is_faulty);
        assert_eq!(decoded("cp437", b"caf\x82 \xC9\xCD\xBB \xE1"), of("café ╔═╗ ß", false));
        assert_eq!(decoded("cp850", b"\xD5\x9B\xE5"), of("ıøÕ", false));
        assert_eq!(decoded("cp852", b"\xAB\x88\xA5"), of("źłą", false));
        assert_eq!(decoded("cp737", b"\x80\x98"), of("Αα", false));
        assert_eq!(decoded("x-mac-ce", b"\x80\x92\xCA\xF5\xFF"), of("Äí\u{A0}űˇ", false));
        assert_eq!(MAC_CENTRAL_EUROPE.chars().count(), 128);
        assert_eq!(decoded("cp857", b"a\xD5\xE7b"), of("a\u{FFFD}\u{FFFD}b", true));
    }
}
