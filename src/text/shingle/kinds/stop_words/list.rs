//! Stop words: decides which words of a text begin a shingle. The words belong to a language, to a list that the user
//! gives, or to the language that is detected for each text.
//!
//! Lists come from the crate `stop-words`; `whatlang` detects the language. Words are compared in lower case. Lists are
//! folded like the texts; otherwise `--strip-accents` would change the words of a text but not the list.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use whatlang::{Detector, Lang};
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use crate::base::error::{Error, Result};
use crate::text::normalize::Normalizer;
use crate::text::shingle::kinds::words::tokens::{FirstWords, for_each_word};

/// Number of bytes at the start of a text from which its language is detected. More bytes cost time and change little.
const DETECTED_BY: usize = 4 << 10;

/// The source of stop words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopWords {
    /// The list of each text's detected language; empty for a text in a language without a list.
    Detect,
    /// The list of a fixed language.
    Language(Language),
    /// A list of words that the user gives.
    Words(Vec<String>),
}

/// A language with a list of stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Language(&'static str);

impl Language {
    /// All languages with a list, ascending by code.
    pub fn all() -> impl Iterator<Item = Self> {
        // Longer names belong to lists that are not for one language.
        stop_words::available_languages().iter().filter(|code| code.len() == 2).map(|code| Self(code))
    }

    /// The ISO 639-1 code of the language.
    pub fn code(self) -> &'static str {
        self.0
    }

    fn words(self) -> &'static [&'static str] {
        stop_words::lookup(self.0).expect("every language has a list")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl FromStr for Language {
    type Err = Error;

    /// Parses an ISO 639-1 code in lower case.
    fn from_str(code: &str) -> Result<Self> {
        Self::all().find(|language| language.0 == code).ok_or_else(|| {
            let known: Vec<&str> = Self::all().map(Self::code).collect();
            Error::Language { language: code.to_owned(), known: known.join(", ") }
        })
    }
}

impl StopWords {
    /// Parses a list with one word per line. White space around words and empty lines are ignored.
    ///
    /// # Errors
    /// When a line contains anything but one word, or the list contains no word.
    pub fn parse(list: &str) -> Result<Self> {
        // A byte order mark is not part of the first word.
        let list = list.trim_start_matches('\u{FEFF}');
        let words: Vec<String> =
            list.lines().map(str::trim).filter(|line| !line.is_empty()).map(String::from).collect();
        if let Some(entry) = words.iter().find(|entry| !is_word(entry)) {
            return Err(Error::StopWord { entry: entry.clone() });
        }
        if words.is_empty() { Err(Error::NoStopWords) } else { Ok(Self::Words(words)) }
    }
}

/// Whether an entry is exactly one word as texts are cut into words.
fn is_word(entry: &str) -> bool {
    let mut num_words = 0;
    let mut whole = false;
    for_each_word(entry, &mut |word| {
        num_words += 1;
        whole = word == entry;
    });
    num_words == 1 && whole
}

type WordSet = HashSet<Box<str>, Xxh3DefaultBuilder>;

/// Decides which words are stop words, for one text after another.
#[derive(Clone)]
pub(super) struct Lexicon {
    normalizer: Normalizer,
    /// A single set; or, if languages are detected, an empty set and one set for each language that was detected so
    /// far.
    sets: Vec<WordSet>,
    languages: HashMap<&'static str, usize>,
    detector: Option<Detector>,
    /// Index of the set for the current text.
    current: usize,
    small: String,
}

impl fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lexicon").field("languages", &self.languages.keys()).finish_non_exhaustive()
    }
}

impl Lexicon {
    pub(super) fn new(stop_words: StopWords, normalizer: Normalizer) -> Self {
        let detector = (stop_words == StopWords::Detect).then(|| {
            let known = |lang: &Lang| code_of(*lang).is_some_and(|code| Language::all().any(|known| known.0 == code));
            Detector::with_allowlist(Lang::all().iter().copied().filter(known).collect())
        });
        let mut lexicon = Self {
            normalizer,
            sets: Vec::new(),
            languages: HashMap::new(),
            detector,
            current: 0,
            small: String::new(),
        };
        let words: Vec<&str> = match &stop_words {
            StopWords::Detect => Vec::new(),
            StopWords::Language(language) => language.words().to_vec(),
            StopWords::Words(words) => words.iter().map(String::as_str).collect(),
        };
        lexicon.add(&words);
        lexicon
    }

    /// Adds a set of words; returns its index.
    fn add(&mut self, words: &[&str]) -> usize {
        let mut set = WordSet::default();
        for word in words {
            let folded = self.normalizer.normalize(word);
            // Lists also contain entries of several words, which never equal a token of a text.
            if is_word(&folded) {
                make_small(&folded, &mut self.small);
                set.insert(self.small.as_str().into());
            }
        }
        self.sets.push(set);
        self.sets.len() - 1
    }
}

impl FirstWords for Lexicon {
    /// Starts a text: detects its language, unless the list is fixed.
    fn enter(&mut self, text: &str) {
        let Some(detector) = &self.detector else { return };
        let end = (0..=DETECTED_BY.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
        let language = detector.detect_lang(&text[..end.expect("0 is a boundary")]).and_then(code_of);
        self.current = match language.map(|code| (code, self.languages.get(code))) {
            None => 0,
            Some((_, Some(&known))) => known,
            Some((code, None)) => {
                let new = self.add(Language(code).words());
                self.languages.insert(code, new);
                new
            }
        };
    }

    /// Whether a word of the current text is a stop word, ignoring case.
    fn contains(&mut self, word: &str) -> bool {
        let set = &self.sets[self.current];
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return set.contains(word);
        }
        make_small(word, &mut self.small);
        set.contains(self.small.as_str())
    }
}

fn make_small(word: &str, small: &mut String) {
    small.clear();
    small.extend(word.chars().flat_map(char::to_lowercase));
}

/// The ISO 639-1 code under which lists are stored; `None` for a language without a code or a list.
fn code_of(language: Lang) -> Option<&'static str> {
    Some(match language {
        Lang::Afr => "af",
        Lang::Ara => "ar",
        Lang::Aze => "az",
        Lang::Bel => "be",
        Lang::Ben => "bn",
        Lang::Bul => "bg",
        Lang::Cat => "ca",
        Lang::Ces => "cs",
        Lang::Cmn => "zh",
        Lang::Dan => "da",
        Lang::Deu => "de",
        Lang::Ell => "el",
        Lang::Eng => "en",
        Lang::Epo => "eo",
        Lang::Est => "et",
        Lang::Fin => "fi",
        Lang::Fra => "fr",
        Lang::Guj => "gu",
        Lang::Heb => "he",
        Lang::Hin => "hi",
        Lang::Hrv => "hr",
        Lang::Hun => "hu",
        Lang::Hye => "hy",
        Lang::Ind => "id",
        Lang::Ita => "it",
        Lang::Jpn => "ja",
        Lang::Kor => "ko",
        Lang::Lat => "la",
        Lang::Lav => "lv",
        Lang::Lit => "lt",
        Lang::Mar => "mr",
        Lang::Nep => "ne",
        Lang::Nld => "nl",
        Lang::Nob => "no",
        Lang::Pes => "fa",
        Lang::Pol => "pl",
        Lang::Por => "pt",
        Lang::Ron => "ro",
        Lang::Rus => "ru",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Spa => "es",
        Lang::Swe => "sv",
        Lang::Tam => "ta",
        Lang::Tgl => "tl",
        Lang::Tha => "th",
        Lang::Tur => "tr",
        Lang::Ukr => "uk",
        Lang::Urd => "ur",
        Lang::Uzb => "uz",
        Lang::Vie => "vi",
        Lang::Zul => "zu",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::{Normalization, Units};

    #[test]
    fn lists_are_there_for_many_languages() {
        assert!(Language::all().count() > 50);
        for code in
            ["ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "nl", "pl", "pt", "ru", "sv", "tr", "zh"]
        {
            let language: Language = code.parse().unwrap();
            assert!(language.words().len() > 40, "{code}");
        }
        for &lang in Lang::all() {
            assert!(code_of(lang).is_none_or(|code| code.parse::<Language>().is_ok()), "{lang:?}");
        }
        let error = "xx".parse::<Language>().unwrap_err().to_string();
        assert!(error.starts_with("language \"xx\": no list") && error.contains(" en, eo, es,"), "{error}");
    }

    #[test]
    fn languages_are_detected_from_the_text() {
        let mut lexicon = Lexicon::new(StopWords::Detect, Normalizer::default());
        for (text, stop_word) in [
            ("The quick brown fox jumps over the lazy dog, and nobody saw what it did then.", "The"),
            ("Der schnelle braune Fuchs springt über den faulen Hund, und niemand hat es gesehen.", "und"),
            ("Le renard brun saute par-dessus le chien paresseux, et personne ne l'a vu faire.", "et"),
            ("Быстрая лиса прыгает через ленивую собаку, и никто этого не видел.", "и"),
            ("天地玄黄，宇宙洪荒。这是一个关于狐狸的故事，我们都在听。", "的"),
        ] {
            lexicon.enter(text);
            assert!(lexicon.contains(stop_word), "{stop_word} in {:?}", lexicon.current);
            assert!(!lexicon.contains("Fuchs") && !lexicon.contains("fox"));
        }
        lexicon.enter("12345 !?");
        assert!(!lexicon.contains("the"));
    }

    #[test]
    fn lists_are_folded_as_texts_are() {
        let settings = Normalization { strip_accents: true, strip_punctuation: true, ..Normalization::default() };
        let folded = Normalizer::new(&settings, Units::Text);
        let french = StopWords::Language("fr".parse().unwrap());
        let mut lexicon = Lexicon::new(french.clone(), folded);
        assert!(lexicon.contains("etaient") && !lexicon.contains("étaient"));
        let mut lexicon = Lexicon::new(french, Normalizer::default());
        assert!(lexicon.contains("Étaient") && !lexicon.contains("etaient"));
    }

    #[test]
    fn a_list_of_ones_own_holds_single_words() {
        assert_eq!(
            StopWords::parse("\u{FEFF} the\r\n\nof \n").unwrap(),
            StopWords::Words(vec!["the".into(), "of".into()])
        );
        for (list, message) in [
            ("the\nat all\n", "\"at all\" in the list of stop words is not one word"),
            ("the\n# of\n", "\"# of\""),
            ("的\n因为\n", "\"因为\""),
            (" \n", "the list of stop words is empty"),
        ] {
            let error = StopWords::parse(list).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
