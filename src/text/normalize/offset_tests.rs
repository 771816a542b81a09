//! Tests of the sources of bytes in normalised texts: each step by example, and all steps together.

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use super::*;
use crate::base::flat::offset_map::OffsetMap;

fn traced(settings: &Normalization, units: Units, text: &str) -> (String, OffsetMap) {
    let (made, map) = Normalizer::new(settings, units).normalize_with_offsets(text);
    assert_eq!((map.made_len(), map.source_len()), (made.len(), text.len()), "{text:?}");
    (made, map)
}

/// * `expected`: parts of the normalised text, each with its source in `text` and the offset of that source.
#[track_caller]
fn check(settings: Normalization, units: Units, text: &str, expected: &[(&str, &str, usize)]) {
    let (made, map) = traced(&settings, units, text);
    for &(part, source, at) in expected {
        let found = made.find(part).unwrap_or_else(|| panic!("{part:?} in {made:?}"));
        let range = map.source_range(found..found + part.len());
        assert_eq!((&text[range.clone()], range.start), (source, at), "{part:?} of {made:?}");
    }
}

fn plain() -> Normalization {
    Normalization::default()
}

#[test]
fn white_space_is_folded_where_it_stands() {
    let text = "\u{FEFF}  one\r\n\ttwo\u{3000}thrée \n";
    check(plain(), Units::Text, text, &[("\u{FEFF}", "\u{FEFF}", 0), ("one", "one", 5), (" ", "  ", 3)]);
    check(plain(), Units::Text, text, &[("two", "two", 11), ("o t", "o\u{3000}t", 13), ("thrée", "thrée", 17)]);
    check(plain(), Units::Text, text, &[("e two thr", "e\r\n\ttwo\u{3000}thr", 7)]);
    let long = format!("{}  {}", "a".repeat(100), "b".repeat(100));
    check(plain(), Units::Text, &long, &[("b", "b", 102), ("a b", "a  b", 99)]);
    let kept = Normalization { keep_whitespace: true, ..plain() };
    check(kept, Units::Text, text, &[("one\r\n\ttwo", "one\r\n\ttwo", 5)]);
}

#[test]
fn lines_keep_their_places() {
    let text = "\n a  b\r\n\r\n \u{85}c\n\nd \n";
    check(
        plain(),
        Units::Lines,
        text,
        &[("a b", "a  b", 2), ("c", "c", 13), ("d", "d", 16), ("b\nc", "b\r\n\r\n \u{85}c", 5)],
    );
    let kept = Normalization { keep_whitespace: true, ..plain() };
    check(kept, Units::Lines, text, &[(" a  b", " a  b", 1), ("c\nd ", "c\n\nd ", 13)]);
}

#[test]
fn sentences_keep_their_places() {
    let text = " One fox.  Two\r\n foxes?\n\n Three  end";
    check(
        plain(),
        Units::Sentences,
        text,
        &[("One fox.", "One fox.", 1), ("Two foxes?", "Two\r\n foxes?", 11), ("Three end", "Three  end", 26)],
    );
    let folding = Normalization { lowercase: true, strip_punctuation: true, keep_whitespace: true, ..plain() };
    check(folding, Units::Sentences, text, &[("one fox", "One fox", 1), ("two foxes", "Two\r\n foxes", 11)]);
}

#[test]
fn folded_characters_come_from_those_that_were_folded() {
    let lowercase = || Normalization { lowercase: true, ..plain() };
    check(lowercase(), Units::Text, "Die ÄRGER-STRASSE", &[("ärger", "ÄRGER", 4), ("strasse", "STRASSE", 11)]);
    // One character becomes two.
    check(lowercase(), Units::Text, "aİb", &[("i", "İ", 1), ("\u{307}", "İ", 1), ("b", "b", 3)]);
    let accents = || Normalization { strip_accents: true, ..plain() };
    check(
        accents(),
        Units::Text,
        "a crème brûlée, ёлка",
        &[("creme", "crème", 2), ("lee", "lée", 13), ("елка", "ёлка", 19)],
    );
    check(accents(), Units::Text, "e\u{301}\u{327}a", &[("e", "e\u{301}\u{327}", 0), ("a", "a", 5)]);
    let digits = Normalization { fold_digits: true, ..plain() };
    check(digits, Units::Text, "x٣٤7.", &[("000.", "٣٤7.", 1), (".", ".", 6)]);
    let bare = || Normalization { strip_punctuation: true, ..plain() };
    check(bare(), Units::Text, "“Don’t”, a_b. 。「文」!", &[("Dont", "Don’t", 3), ("ab", "a_b", 15), ("文", "文", 26)]);
    let all = Normalization { lowercase: true, strip_accents: true, fold_digits: true, ..bare() };
    check(all, Units::Text, "¡ÉTÉ,\r\n 1984!", &[("ete", "ÉTÉ", 2), ("ete 0000", "ÉTÉ,\r\n 1984", 2)]);
}

#[test]
fn composed_characters_come_from_all_their_parts() {
    let form = |form| Normalization { form: Some(form), ..plain() };
    let nfc = || form(UnicodeForm::Nfc);
    check(nfc(), Units::Text, "ae\u{301}bé", &[("a", "a", 0), ("é", "e\u{301}", 1), ("b", "b", 4), ("bé", "bé", 4)]);
    check(
        nfc(),
        Units::Text,
        "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}",
        &[("한", "\u{1112}\u{1161}\u{11AB}", 0), ("글", "\u{1100}\u{1173}\u{11AF}", 9)],
    );
    // Composition reorders the marks.
    check(nfc(), Units::Text, "xq\u{301}\u{327}y", &[("q\u{327}\u{301}", "q\u{301}\u{327}", 1), ("y", "y", 6)]);
    let nfkc = || form(UnicodeForm::Nfkc);
    check(
        nfkc(),
        Units::Text,
        "aﬁb Ａ① ｶﾞx",
        &[("fi", "ﬁ", 1), ("i", "ﬁ", 1), ("b A1", "b Ａ①", 4), ("ガ", "ｶﾞ", 13), ("x", "x", 19)],
    );
    check(nfkc(), Units::Text, "a…b", &[(".", "…", 1), ("b", "b", 4)]);
    // Punctuation between two characters is removed, and they compose.
    let bare = Normalization { strip_punctuation: true, ..nfc() };
    check(bare, Units::Text, "ae-\u{301}b", &[("é", "e-\u{301}", 1), ("b", "b", 5)]);
}

#[test]
fn what_is_left_out_is_in_no_range_but_those_that_span_it() {
    let markers = vec![Markers::new("<!--", "-->").unwrap()];
    let ignoring = || Normalization { ignore_between: markers.clone(), ..plain() };
    let text = "a <!-- x -->b<!--y-->c <!-- open";
    check(
        ignoring(),
        Units::Text,
        text,
        &[("b", "b", 12), ("c", "c", 21), ("b c", "b<!--y-->c", 12), ("<!-- o", "<!-- o", 23)],
    );
    let skipping = Normalization { skip_lines: vec!["^- \\d+ -$".parse().unwrap()], lowercase: true, ..ignoring() };
    let text = "One\r\n- 1 -\r\nTwo <!--\n-->Three\n- 2 -\n";
    check(
        skipping,
        Units::Text,
        text,
        &[("one", "One", 0), ("two", "Two", 12), ("e two", "e\r\n- 1 -\r\nTwo", 2), ("three", "Three", 24)],
    );
}

fn settings() -> impl Strategy<Value = Normalization> {
    let form = prop_oneof![Just(None), Just(Some(UnicodeForm::Nfc)), Just(Some(UnicodeForm::Nfkc))];
    (form, any::<[bool; 6]>()).prop_map(|(form, flags)| {
        let [disguises, lowercase, strip_accents, fold_digits, strip_punctuation, keep] = flags;
        Normalization {
            disguises,
            form,
            lowercase,
            strip_accents,
            fold_digits,
            strip_punctuation,
            keep_whitespace: keep,
            ..plain()
        }
    })
}

fn units() -> impl Strategy<Value = Units> {
    prop::sample::select(vec![Units::Text, Units::Lines, Units::Sentences, Units::Paragraphs])
}

const HOSTILE: &str = r"([A-Za-c]{0,3}|[a-z ]{30,70}|[文字\u{4000}\u{9FFF}]|[ \r\n\u{85}\u{2029}\u{3000}]{1,3}|[0-9]|[.,;<>-]|\PC|[ÅéİßẞΣςǅА-я]|[ﬁ…¨\u{FDFA}\u{1F80}\u{3B1}\u{345}]|\u{30C}|\u{301}|\u{327}|[\u{344}\u{F73}]|[각가\u{1100}\u{1161}\u{11A8}]|が|か\u{3099}|ﾊﾟ|٣){0,40}";

/// The number of cases, before which the cases that failed once are tried again.
fn cases(number: u32) -> ProptestConfig {
    let failed = FileFailurePersistence::Direct("tests/regressions/offsets.txt");
    ProptestConfig { failure_persistence: Some(Box::new(failed)), ..ProptestConfig::with_cases(number) }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn a_traced_text_is_the_text(
        settings in settings(),
        units in units(),
        text in HOSTILE,
        any_text in any::<String>(),
        pairs in prop::collection::vec((r"[<a]|文", r"[>b ]|字"), 0..3),
        pattern in prop::sample::select(vec![None, Some("^a"), Some("^$"), Some("é")]),
    ) {
        let settings = Normalization {
            ignore_between: pairs.into_iter().map(|(start, end)| Markers::new(start, end).unwrap()).collect(),
            skip_lines: pattern.iter().map(|pattern| pattern.parse().unwrap()).collect(),
            ..settings
        };
        for text in [text, any_text] {
            let (made, map) = traced(&settings, units, &text);
            prop_assert_eq!(&made, &Normalizer::new(&settings, units).normalize(&text));
            for (at, c) in made.char_indices() {
                // `get` fails if a range does not end at character boundaries.
                prop_assert!(text.get(map.source_range(at..at + c.len_utf8())).is_some(), "{:?} at {}", c, at);
            }
        }
    }

    #[test]
    fn the_source_of_a_word_normalises_to_it(settings in settings(), units in units(), text in HOSTILE) {
        // All letters of a word determine its script, and NFKC may split a word into several afterwards.
        let settings = Normalization { disguises: settings.disguises && settings.form.is_none(), ..settings };
        let (made, map) = traced(&settings, units, &text);
        let mut normalizer = Normalizer::new(&settings, units);
        for word in made.split_whitespace() {
            let at = word.as_ptr() as usize - made.as_ptr() as usize;
            let source = &text[map.source_range(at..at + word.len())];
            let mut again = normalizer.normalize(source);
            if units == Units::Sentences {
                // The end of a sentence depends on its context.
                again = again.split_whitespace().collect();
            }
            match settings.form {
                // One character may become several words.
                Some(UnicodeForm::Nfkc) => prop_assert!(again.contains(word), "{:?} of {:?}", word, source),
                _ => prop_assert_eq!(again.trim(), word, "{:?}", source),
            }
        }
    }
}

#[test]
fn every_character_folds_by_itself_in_its_place() {
    let form = |form, others| Normalization {
        form,
        lowercase: others,
        strip_accents: others,
        fold_digits: others,
        strip_punctuation: others,
        ..plain()
    };
    for form in [
        form(Some(UnicodeForm::Nfc), true),
        form(Some(UnicodeForm::Nfkc), true),
        form(None, true),
        form(Some(UnicodeForm::Nfkc), false),
    ] {
        // All characters in one text: a debug build asserts that each span folds as it does in its segment.
        let all: String = ('\0'..='\u{2FA1F}').filter(|c| !('\u{4000}'..'\u{9FFF}').contains(c)).collect();
        let (_, map) = traced(&form, Units::Text, &all);
        assert!(map.num_bytes() < all.len() / 2, "{}", map.num_bytes());
    }
}

#[test]
fn quotations_and_references_are_left_out_where_they_stand() {
    let settings = Normalization { ignore_quotes: true, ignore_bibliography: true, ..plain() };
    let text = "He said “as it\nwas” to \"all\" of us.\n\nReferences\n[1] “one”";
    let whole = Normalizer::new(&settings, Units::Text).normalize(text);
    assert_eq!(whole, "He said to of us.");
    check(settings, Units::Text, text, &[("said", "said", 3), ("of us.", "of us.", 33)]);
    let text = "a “b” c";
    let settings = Normalization { ignore_quotes: true, ..plain() };
    check(settings, Units::Text, text, &[("a c", text, 0)]);
}
