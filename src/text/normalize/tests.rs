//! Tests of each kind of folding by example, and of all together against their definition on whole strings.

use proptest::prelude::*;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::settings::as_str;
use super::*;

fn folded(settings: &Normalization, units: Units, text: &str) -> String {
    Normalizer::new(settings, units).normalize(text)
}

#[track_caller]
fn check(settings: Normalization, text: &str, expected: &str) {
    assert_eq!(folded(&settings, Units::Text, text), expected);
}

#[test]
fn letters_become_small_ones_by_the_full_mapping() {
    let settings = || Normalization { lowercase: true, ..Normalization::default() };
    check(settings(), "The FOX", "the fox");
    check(settings(), "ÄÖÜẞ ß Ǆ", "äöüß ß ǆ");
    // The mapping is language-independent: a Turkish dotless i is unchanged, and I becomes i with a dot.
    check(settings(), "DİYARBAKIR ı", "di\u{307}yarbakir ı");
    // All forms of sigma become σ.
    check(settings(), "ΟΔΟΣ οδος οδοσ", "οδοσ οδοσ οδοσ");
}

#[test]
fn forms_compose_and_fold_compatible_characters() {
    let settings = |form| Normalization { form: Some(form), ..Normalization::default() };
    check(settings(UnicodeForm::Nfc), "e\u{301} ﬁ Ａ \u{212B}", "é ﬁ Ａ Å");
    check(settings(UnicodeForm::Nfkc), "e\u{301} ﬁ Ａ① ｶﾞ x² \u{A0}…", "é fi A1 ガ x2 ...");
    // A mark composes with a preceding ASCII letter; at the start of the text it has none.
    check(settings(UnicodeForm::Nfc), "\u{301}ae\u{301}b", "\u{301}aéb");
    // The lower-case letter has a composed form, the upper-case letter does not.
    let both = Normalization { lowercase: true, ..settings(UnicodeForm::Nfc) };
    check(both, "J\u{30C}", "\u{1F0}");
    // Characters compose when the punctuation between them is removed.
    let bare = |form| Normalization { strip_punctuation: true, ..settings(form) };
    check(bare(UnicodeForm::Nfc), "e!\u{301}!\u{327} e«»\u{301}, 文!e-\u{301}", "\u{229}\u{301} é 文é");
    check(bare(UnicodeForm::Nfkc), "ﾊ・ﾞ か。\u{3099}", "バ が");
}

#[test]
fn accents_go_and_vowel_signs_stay() {
    let settings = || Normalization { strip_accents: true, ..Normalization::default() };
    check(settings(), "Crème brûlée, naïve façade; Dvořák", "Creme brulee, naive facade; Dvorak");
    check(settings(), "Việt Nam, Ἀθῆναι, ёлка", "Viet Nam, Αθηναι, елка");
    // These are not combining marks: strokes, ß, and letters of other scripts.
    check(settings(), "Łódź ø ß", "Łodz ø ß");
    check(settings(), "が กำ हिन्दी 한국", "が กำ हिन्दी 한국");
}

#[test]
fn digits_of_all_scripts_become_one() {
    let settings = Normalization { fold_digits: true, ..Normalization::default() };
    check(settings, "Page 17 of 203, ٣٤ ๑๒ ４, x² ½", "Page 00 of 000, 00 00 0, x² ½");
}

#[test]
fn punctuation_goes_and_symbols_stay() {
    let settings = Normalization { strip_punctuation: true, ..Normalization::default() };
    check(settings, "“Don’t”, (she) said — a_b; 3+4=7 $5 。「文」!", "Dont she said ab 3+4=7 $5 文");
}

#[test]
fn white_space_is_kept_when_asked() {
    let settings = || Normalization { keep_whitespace: true, ..Normalization::default() };
    let text = " \tif x:\r\n\r\n    y\u{3000}\n \n";
    check(settings(), text, text);
    assert_eq!(folded(&settings(), Units::Lines, text), " \tif x:\n    y\u{3000}");
    assert_eq!(folded(&settings(), Units::Sentences, "One  two\nthree. Four."), "One  two three.\nFour.");
}

fn ignoring(pairs: &[(&str, &str)]) -> Normalization {
    let markers = pairs.iter().map(|&(start, end)| Markers::new(start, end).unwrap()).collect();
    Normalization { ignore_between: markers, ..Normalization::default() }
}

#[test]
fn passages_between_markers_are_left_out() {
    check(ignoring(&[("<!--", "-->")]), "a<!-- x -->b <!---->c", "a b c");
    // Passages do not nest, and a start marker without an end marker is text.
    check(ignoring(&[("(", ")")]), "a (b (c) d) e (f", "a d) e (f");
    // The same marker may start and end a passage.
    check(ignoring(&[("```", "```")]), "a ``` b ``` c ``` d", "a c ``` d");
    // The first start marker applies, at the same position the first one given; other markers in a passage have no
    // effect.
    check(ignoring(&[("<", ">"), ("<a", "a>"), ("{", "}")]), "1 <a { > } a> 2 { < } > 3", "1 } a> 2 > 3");
    check(ignoring(&[("<a", "a>"), ("<", ">")]), "1 <a > a> 2 < 3 > 4", "1 2 4");
    // The second pair has no end marker: only the first pair applies.
    check(ignoring(&[("{", "}"), ("<", ">")]), "1 < { 2 } 3 < { 4 } 5", "1 < 3 < 5");
    assert!(Markers::new("", "x").is_err() && Markers::new("x", "").is_err());
}

fn skipping(patterns: &[&str]) -> Normalization {
    let skip_lines = patterns.iter().map(|pattern| pattern.parse().unwrap()).collect();
    Normalization { skip_lines, ..Normalization::default() }
}

#[test]
fn lines_that_match_are_left_out() {
    let text = "Title\r\n- 1 -\r\nText with - 1 - in it\r\n\x0C2\nPage 2\nEnd 7";
    check(skipping(&[r"^- \d+ -$", r"^\d+$", "Page"]), text, "Title Text with - 1 - in it End 7");
    check(skipping(&["(?i)TITLE|end"]), text, "- 1 - Text with - 1 - in it 2 Page 2");
    // Patterns see the original text, in characters, before anything is folded.
    let settings = Normalization { lowercase: true, ..skipping(&["^Ü.$"]) };
    check(settings, "Üß\nÜß!\nüß", "üß! üß");
    check(skipping(&["^$"]), "a\n\n\nb", "a b");
}

#[test]
fn an_invalid_pattern_is_reported_in_one_line() {
    let error = "a(b".parse::<LinePattern>().unwrap_err().to_string();
    assert_eq!(error, "\"a(b\": unclosed group; correct the regular expression");
    let error = "\\w{9999}".parse::<LinePattern>().unwrap_err().to_string();
    assert!(error.ends_with(": it is too large; correct the regular expression"), "{error}");
}

#[test]
fn passages_go_before_lines() {
    let settings = Normalization { skip_lines: skipping(&["x"]).skip_lines, ..ignoring(&[("<", ">")]) };
    check(settings, "a <x> b\nc x d\n<\nx\n> e", "a b e");
}

#[test]
fn lines_and_sentences_stand_on_lines() {
    let settings = Normalization { strip_punctuation: true, lowercase: true, ..Normalization::default() };
    let text = " One fox.  Two\n foxes? “Three!”\n\n A heading\n\n... \n\nEnd";
    assert_eq!(
        folded(&Normalization::default(), Units::Lines, text),
        "One fox. Two\nfoxes? “Three!”\nA heading\n...\nEnd"
    );
    assert_eq!(
        folded(&Normalization::default(), Units::Sentences, text),
        "One fox.\nTwo foxes?\n“Three!”\nA heading\n...\nEnd"
    );
    // Full stops end sentences before they are removed.
    assert_eq!(folded(&settings, Units::Sentences, text), "one fox\ntwo foxes\nthree\na heading\nend");
    assert_eq!(folded(&settings, Units::Lines, text), "one fox two\nfoxes three\na heading\nend");
    assert_eq!(folded(&settings, Units::Sentences, "天地玄黄。宇宙洪荒！"), "天地玄黄\n宇宙洪荒");
}

/// Applies each step to the whole text, in the order of the handbook.
fn naive(settings: &Normalization, text: &str) -> String {
    let form = |text: String| match settings.form {
        Some(UnicodeForm::Nfc) => text.nfc().collect(),
        Some(UnicodeForm::Nfkc) => text.nfkc().collect(),
        None => text,
    };
    let mut text = form(text.to_owned());
    if settings.lowercase {
        text = text.to_lowercase().replace('ς', "σ");
    }
    if settings.strip_accents {
        text = text.nfd().filter(|&c| !characters::is_accent(c)).collect();
    }
    if settings.fold_digits {
        let is_digit = |c: char| c.general_category() == GeneralCategory::DecimalNumber;
        text = text.chars().map(|c| if is_digit(c) { '0' } else { c }).collect();
    }
    if settings.strip_punctuation {
        text.retain(|c| c.general_category_group() != GeneralCategoryGroup::Punctuation);
    }
    text = form(text);
    if settings.strip_accents && settings.form.is_none() {
        text = text.nfc().collect();
    }
    if settings.keep_whitespace {
        return text;
    }
    // `line_ends.rs` tests this step against its own definition.
    let mut joined = text.into_bytes();
    white_space::drop_line_ends(&mut joined, &mut NoTrace);
    as_str(&joined).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At each position, the first given pair whose start marker is there and whose end marker follows.
fn naive_between(pairs: &[(String, String)], text: &str) -> String {
    let mut rest = text;
    let mut left = String::new();
    while let Some(c) = rest.chars().next() {
        let behind = pairs.iter().find_map(|(start, end)| rest.strip_prefix(start.as_str())?.split_once(end.as_str()));
        match behind {
            Some((_, behind)) => {
                left.push(' ');
                rest = behind;
            }
            None => {
                left.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    left
}

fn settings() -> impl Strategy<Value = Normalization> {
    let form = prop_oneof![Just(None), Just(Some(UnicodeForm::Nfc)), Just(Some(UnicodeForm::Nfkc))];
    (form, any::<[bool; 5]>()).prop_map(|(form, [lowercase, strip_accents, fold_digits, strip_punctuation, keep])| {
        Normalization {
            form,
            lowercase,
            strip_accents,
            fold_digits,
            strip_punctuation,
            keep_whitespace: keep,
            ..Normalization::default()
        }
    })
}

#[test]
fn no_folding_changes_a_plain_character_but_by_the_table() {
    for scalar in '\u{4000}'..='\u{9FFF}' {
        let text = scalar.to_string();
        assert_eq!(text.nfkc().collect::<String>(), text);
        assert_eq!(text.nfd().collect::<String>(), text);
        assert_eq!(text.to_lowercase(), text);
        let group = scalar.general_category_group();
        assert!(group != GeneralCategoryGroup::Punctuation && group != GeneralCategoryGroup::Number);
        assert!(is_nfc_quick([scalar].into_iter()) == IsNormalized::Yes, "nothing joins it to what comes before");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn passages_and_lines_left_out_are_those_of_the_definition(
        text in r"([<>{}x\n]|ab|é){0,40}",
        pairs in prop::collection::vec((r"[<{x]|<<|ab", r"[>}x]|>>|é"), 0..4),
        pattern in prop::sample::select(vec![None, Some("x"), Some("^ab"), Some("^$"), Some("é$")]),
    ) {
        let given: Vec<(&str, &str)> = pairs.iter().map(|(start, end)| (start.as_str(), end.as_str())).collect();
        let skip_lines = pattern.iter().map(|pattern| pattern.parse().unwrap()).collect();
        let settings = Normalization { keep_whitespace: true, skip_lines, ..ignoring(&given) };
        let text = format!("{text}\n");
        let expected: String = naive_between(&pairs, &text).split_inclusive('\n').filter(|line| {
            let line = line.strip_suffix('\n').unwrap_or(line);
            !match pattern {
                Some("x") => line.contains('x'),
                Some("^ab") => line.starts_with("ab"),
                Some("^$") => line.is_empty(),
                Some(_) => line.ends_with('é'),
                None => false,
            }
        }).collect();
        prop_assert_eq!(folded(&settings, Units::Text, &text), expected);
    }

    #[test]
    fn all_folding_equals_the_steps_on_whole_strings(
        settings in settings(),
        text in r"([A-Za-c]{0,3}|[文字\u{4000}\u{9FFF}]|[ \n]|[0-9]|[.,;-]|\PC|[ÅéİßẞΣςǅ]|ﬁ|\u{30C}|\u{301}|\u{327}|\u{345}|[각가각]|が|か\u{3099}|٣){0,40}",
        any_text in any::<String>(),
    ) {
        prop_assert_eq!(folded(&settings, Units::Text, &text), naive(&settings, &text));
        prop_assert_eq!(folded(&settings, Units::Text, &any_text), naive(&settings, &any_text));
    }
}
