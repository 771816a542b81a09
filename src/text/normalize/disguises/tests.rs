//! Tests of each disguise by example, and of ordinary texts that no step may change.

use proptest::prelude::*;

use super::*;
use crate::text::normalize::{Normalization, Normalizer, Units};

fn undone(text: &str) -> (String, Disguises) {
    let mut normalizer = Normalizer::new(
        &Normalization { disguises: true, keep_whitespace: true, ..Normalization::default() },
        Units::Text,
    );
    (normalizer.normalize(text), normalizer.disguises())
}

#[track_caller]
fn check(text: &str, expected: &str, found: Disguises) {
    assert_eq!(undone(text), (expected.to_owned(), found), "{text:?}");
}

#[test]
fn letters_of_another_script_become_those_of_the_word() {
    let homoglyphs = |homoglyphs| Disguises { homoglyphs, ..Disguises::default() };
    // Cyrillic а and о, Greek ο, Armenian օ.
    check("The \u{430}pple, T\u{43E}m\u{3BF}rr\u{585}w.", "The apple, Tomorrow.", homoglyphs(4));
    // A Latin c in a Russian word.
    check("Одно cлово", "Одно слово", homoglyphs(1));
    // With equally many letters of each script, the word counts as Latin.
    check("c\u{43E}\u{440}y", "copy", homoglyphs(2));
    check("\u{43E}f", "of", homoglyphs(1));
    // Greek ο and Ι.
    check("\u{3BF}f \u{399}t", "of It", homoglyphs(2));
    check("nai\u{308}vet\u{435}\u{301}", "nai\u{308}vete\u{301}", homoglyphs(1));
}

#[test]
fn words_of_one_script_and_formulas_stay() {
    let honest =
        "Это сор, оно ok. Η άλφα και το νι. μm Ωm Hα ΔT βcarotene Tシャツ 3D-модель e-mail интернет-shop naïve";
    check(honest, honest, Disguises::default());
}

#[test]
fn what_takes_no_room_goes() {
    let invisible = |invisible| Disguises { invisible, ..Disguises::default() };
    check("co\u{200B}py\u{200D}right\u{2060} o\u{AD}f\u{200C}", "copyright of", invisible(5));
    check("文\u{200B}字 \u{202E}abc\u{202C}", "文字 abc", invisible(3));
    // Joiners that have a meaning: in Persian, in Hindi, in an emoji.
    check("e\u{301}\u{200B}te\u{301}\u{200D}", "e\u{301}te\u{301}", invisible(2));
    let honest = "می\u{200C}خواهم क्\u{200D}ष 👩\u{200D}👩\u{200D}👧";
    check(honest, honest, Disguises::default());
}

#[test]
fn selectors_tags_and_fillers_in_words_go() {
    let invisible = |invisible| Disguises { invisible, ..Disguises::default() };
    check("co\u{FE0F}py c\u{FE00}o\u{E0100}p\u{180B}y о\u{FE0E}но", "copy copy оно", invisible(5));
    check("c\u{E0063}op\u{E0001}y\u{E007F}, 1\u{FE0F}2", "copy, 12", invisible(4));
    check("c\u{3164}o\u{115F}p\u{1160}y\u{FFA0}", "copy", invisible(4));
    check("복\u{3164}사한\u{115F}다", "복사한다", invisible(2));
    check("文\u{FE0F}字, م\u{FE0F}ن, c\u{17B4}op\u{2065}y\u{61C}", "文字, من, copy", invisible(5));
}

#[test]
fn selectors_tags_and_fillers_stay_where_they_mean_something() {
    for honest in [
        // Emoji: a heart, a rainbow flag, a keycap, an information sign, a telephone, a couple with a heart.
        "❤\u{FE0F} 🏳\u{FE0F}\u{200D}🌈 1\u{FE0F}\u{20E3} ℹ\u{FE0F} ☎\u{FE0E} 👩\u{200D}❤\u{FE0F}\u{200D}👨",
        // The flag of Wales.
        "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
        // Hangul syllables with a filler: conjoining, compatibility and half-width letters.
        "\u{115F}\u{1161} \u{1100}\u{1160}\u{11A8} \u{115F}\u{1160}\u{11A8} \u{3164}ㄱㅏ\u{3164} \u{FFA0}ﾡ",
        // Mongolian with a variation selector and with a separated vowel.
        "ᠰᠠ\u{180B}ᠢᠨ ᠬᠠᠷ\u{180E}ᠠ ᠠ\u{180F}ᠰ",
        // Ideographs, a mathematical sign and a Myanmar letter, each with a variation selector.
        "葛\u{E0100}城 神\u{FE00} ∩\u{FE00} က\u{FE00}",
    ] {
        check(honest, honest, Disguises::default());
    }
}

#[test]
fn ligatures_and_marks_become_plain_ones() {
    let found = Disguises { ligatures: 2, punctuation: 5, ..Disguises::default() };
    check("“ﬁnd” the e\u{2010}mail’s eﬀect…", "\"find\" the e-mail's effect...", found);
}

#[test]
fn divided_words_are_joined() {
    let divided = |divided| Disguises { divided, ..Disguises::default() };
    check("an exam-\n  ple, and exam\u{AD}\r\nple exam\u{2010} \nple", "an example, and example example", divided(3));
    let honest = "- one\n- two\nEast-\nWest, 1-\n2, so -\nor so, x--\ny, well-known";
    check(honest, honest, Disguises::default());
    // A dash does not divide a word, although it looks like a hyphen.
    assert_eq!(undone("so\u{2014}\nthen").0, "so-\nthen");
}

#[test]
fn letters_that_stand_apart_are_joined() {
    let spaced = |spaced| Disguises { spaced, ..Disguises::default() };
    check("It was c o p i e d  t\u{A0}h\u{2009}e\u{2009}r\u{202F}e.", "It was copied  there.", spaced(2));
    check("I\u{3000}t\u{2800}w\u{1680}a\u{2003}s", "Itwas", spaced(1));
    check("т е к с т", "текст", spaced(1));
    check("e\u{301} t e\u{301} s", "e\u{301}te\u{301}s", spaced(1));
    check("x a b c d ef", "xabcd ef", spaced(1));
    check("a b c d\nef", "abcd\nef", spaced(1));
    // Other spaces separate letters, ordinary spaces separate words.
    check("I t\u{2009}o\u{A0}o c\u{2009}a\u{2009}m\u{2009}e of it", "I too came of it", spaced(2));
    check("a c\u{A0}o\u{A0}p\u{A0}y o\u{A0}f b", "a copy of b", spaced(2));
    // With too few other spaces the ends of words are not known.
    check("c o p\u{A0}i e d", "copied", spaced(1));
    let honest = "a b c, a\u{A0}b\u{A0}c, à\u{A0}b c, 1 2 3 4 5 6, x\ty\tz\tw, I a b it, 我 是 学 生 了, a_b c_d e f, it's a b c";
    check(honest, honest, Disguises::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// After undoing, no disguise of the same kind remains, except for results that a later step creates for an earlier
    /// one.
    #[test]
    fn what_is_undone_is_counted_and_nothing_else_changes(
        text in r"([a-z]{1,6}|[a-z] [a-z] [a-z] [a-z] [a-z]|[а-я]{1,4}|\u{43E}|\u{3BF}|\u{200B}|\u{AD}|-\n|ﬁ|“|—|[ \n]|\PC){0,30}",
    ) {
        let (made, found) = undone(&text);
        prop_assert_eq!(found.is_none(), made == text, "{:?}", made);
        prop_assert!(made.is_empty() || !made.contains(['ﬁ', '“', '—']));
    }
}
