//! Folding and cutting of texts against their definitions, a character or a word at a time.

use std::collections::BTreeSet;

use dedup_scan::text::ShingleHashes;
use dedup_scan::{Normalization, Normalizer, ShingleKind, Shingler, Units};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;
use xxhash_rust::xxh3::xxh3_64;

use super::text;
use crate::normalized::{joined_lines, normalized};
use crate::random::Random;

/// What is folded, the settings for it, and what becomes of a character.
type ByCharacter = (&'static str, Normalization, fn(char) -> String);

/// Longer than what is folded and cut at a time by any kernel, now and then.
fn any_text(random: &mut Random) -> String {
    let most = if random.percent(10) { 8000 } else { 60 };
    let text = text(random, most);
    let is_ascii = random.percent(20);
    text.chars().filter(|c| !is_ascii || c.is_ascii()).collect()
}

pub(crate) fn folding(seed: u64) -> Result<(), String> {
    let random = &mut Random(seed);
    for _ in 0..20 {
        let text = any_text(random);
        let by_character: [ByCharacter; 4] = [
            ("nothing", Normalization::default(), String::from),
            ("lowercase", Normalization { lowercase: true, ..Normalization::default() }, |c| {
                c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c }).collect()
            }),
            ("fold_digits", Normalization { fold_digits: true, ..Normalization::default() }, |c| {
                if c.general_category() == GeneralCategory::DecimalNumber { "0".into() } else { c.into() }
            }),
            ("strip_punctuation", Normalization { strip_punctuation: true, ..Normalization::default() }, |c| {
                if c.general_category_group() == GeneralCategoryGroup::Punctuation { String::new() } else { c.into() }
            }),
        ];
        for (name, settings, fold) in by_character {
            let folded: String = text.chars().map(fold).collect();
            let kept = Normalization { keep_whitespace: true, ..settings.clone() };
            same(name, &text, &Normalizer::new(&kept, Units::Text).normalize(&text), &folded)?;
            let folded = normalized(&folded);
            same(name, &text, &Normalizer::new(&settings, Units::Text).normalize(&text), &folded)?;
        }
        let lines = Normalizer::new(&Normalization::default(), Units::Lines).normalize(&text);
        same("lines", &text, &lines, &lines_of(&text).join("\n"))?;
        // What else ends a paragraph is in the tests beside the code.
        let text: String = text.chars().filter(|c| !is_line_end(*c) || *c == '\n').collect();
        let sentences = Normalizer::new(&Normalization::default(), Units::Sentences).normalize(&text);
        same("sentences", &text, &sentences, &sentences_of(&text).join("\n"))?;
    }
    Ok(())
}

fn same(what: &str, text: &str, found: &str, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} of {text:?} gives {found:?}, not {expected:?}")) }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn lines_of(text: &str) -> Vec<String> {
    let lines = text.split(is_line_end).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}

/// Sentences of UAX #29 in each paragraph, which blank lines part.
fn sentences_of(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in joined_lines(text).split('\n') {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        match paragraphs.last_mut().expect("there is one from the start") {
            _ if line.is_empty() => paragraphs.push(String::new()),
            paragraph if paragraph.is_empty() => *paragraph = line,
            paragraph => *paragraph += &format!(" {line}"),
        }
    }
    let sentences = paragraphs.iter().flat_map(|paragraph| paragraph.split_sentence_bounds());
    sentences.map(|sentence| sentence.trim().to_owned()).filter(|sentence| !sentence.is_empty()).collect()
}

pub(crate) fn shingles(seed: u64) -> Result<(), String> {
    let random = &mut Random(seed);
    for _ in 0..10 {
        let text = dedup_scan::normalize(&any_text(random));
        let size = 1 + random.skewed(12);
        let characters: Vec<String> = text.chars().map(String::from).collect();
        let words = words_of(&text);
        for (kind, tokens, between) in [(ShingleKind::Char, characters, ""), (ShingleKind::Word, words, " ")] {
            let mut expected: BTreeSet<u64> =
                tokens.windows(size).map(|window| xxh3_64(window.join(between).as_bytes())).collect();
            if expected.is_empty() && !tokens.is_empty() {
                // Fewer tokens than a shingle has are one shingle. A text without a word has none.
                expected.insert(xxh3_64(tokens.join(between).as_bytes()));
            }
            for (kernel, mut shingler) in Shingler::by_kernel(kind, size) {
                let mut found = BTreeSet::new();
                shingler.shingles(&text).for_each_block(&mut |block| found.extend(block.iter().copied()));
                if found != expected {
                    let (found, expected) = (found.len(), expected.len());
                    return Err(format!(
                        "{kind:?} {size} by {kernel}: {found} shingles, not the {expected} of {text:?}"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Words of UAX #29; of each, a cluster of a script without spaces is a word, and so is what stands between two.
fn words_of(text: &str) -> Vec<String> {
    const SPACELESS: [Script; 7] =
        [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];
    // The sign that draws out a vowel is of two of them.
    let is_spaceless =
        |cluster: &str| cluster.chars().next().is_some_and(|c| SPACELESS.contains(&c.script()) || c == 'ー');
    let mut words = Vec::new();
    for word in text.unicode_words() {
        let mut rest = String::new();
        for cluster in word.graphemes(true) {
            if is_spaceless(cluster) {
                words.extend(Some(std::mem::take(&mut rest)).filter(|rest| !rest.is_empty()));
                words.push(cluster.to_owned());
            } else {
                rest.push_str(cluster);
            }
        }
        words.extend(Some(rest).filter(|rest| !rest.is_empty()));
    }
    words
}
