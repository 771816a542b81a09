//! Tests of all kinds of shingles against the definition: windows of a list of tokens, as strings in a tree.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::text::normalize;
use crate::text::normalize::{Normalization, Normalizer};

/// The distinct shingle hashes of a text, ascending.
fn shingle_set(kind: ShingleKind, size: usize, text: &str) -> Vec<u64> {
    let mut hashes = ShingleSet::new(shingler(kind, size).shingles(text)).hashes().to_vec();
    hashes.sort_unstable();
    hashes
}

/// A few words that occur often in every kind of test text below.
const STOP_WORDS: [&str; 3] = ["a", "b", "文"];

fn shingler(kind: ShingleKind, size: usize) -> Shingler {
    let words = STOP_WORDS.map(String::from).to_vec();
    Shingler::new(kind, size).with_stop_words(StopWords::Words(words), Normalizer::default())
}

/// All shingles of a text as strings, including repeats.
fn naive_shingles(kind: ShingleKind, size: usize, text: &str) -> Vec<String> {
    let (tokens, joint): (Vec<String>, &str) = match kind {
        ShingleKind::Char => (text.chars().map(String::from).collect(), ""),
        // UAX #29 already separates the characters of the scripts without spaces in these tests.
        ShingleKind::Word | ShingleKind::StopWord => (text.unicode_words().map(String::from).collect(), " "),
        _ => (text.split('\n').map(String::from).collect(), "\n"),
    };
    if text.is_empty() || tokens.is_empty() {
        return vec![];
    }
    let starts =
        |window: &&[String]| kind != ShingleKind::StopWord || STOP_WORDS.contains(&window[0].to_lowercase().as_str());
    let shingles: Vec<String> = tokens.windows(size).filter(starts).map(|window| window.join(joint)).collect();
    if shingles.is_empty() { vec![tokens.join(joint)] } else { shingles }
}

/// The definition: the hash of each distinct shingle.
fn naive(kind: ShingleKind, size: usize, text: &str) -> Vec<u64> {
    let shingles = naive_shingles(kind, size, text);
    let hashes: BTreeSet<u64> = shingles.iter().map(|shingle| xxh3_64(shingle.as_bytes())).collect();
    hashes.into_iter().collect()
}

fn any_kind() -> impl Strategy<Value = ShingleKind> {
    use ShingleKind::*;
    prop::sample::select(vec![Char, Word, Line, Sentence, StopWord])
}

fn normalized(kind: ShingleKind, text: &str) -> String {
    Normalizer::new(&Normalization::default(), kind.units()).normalize(text)
}

proptest! {
    #[test]
    fn sets_equal_the_naive_twin(
        text in r"([a-c]{0,12}|[ \r\n]{1,3}|\u{85}|文字は|🙂👩‍👩‍👧|e\u{301}|,|don't){0,40}",
        size in 1usize..12,
        kind in any_kind(),
    ) {
        let text = normalized(kind, &text);
        let set = shingle_set(kind, size, &text);
        prop_assert_eq!(set, naive(kind, size, &text));
    }

    #[test]
    fn bags_have_the_jaccard_similarity_of_multisets(
        a in r"([ab]{1,2} |c\n|文){0,30}",
        b in r"([ab]{1,2} |c\n|文){0,30}",
        size in 1usize..4,
        kind in any_kind(),
    ) {
        let texts = [a, b].map(|text| normalized(kind, &text));
        let mut shingler = shingler(kind, size).with_bag(true);
        let sets = texts.each_ref().map(|text| ShingleSet::new(shingler.shingles(text)));
        let counts = texts.each_ref().map(|text| {
            let mut counts: BTreeMap<String, u64> = BTreeMap::new();
            naive_shingles(kind, size, text).into_iter().for_each(|shingle| *counts.entry(shingle).or_default() += 1);
            counts
        });
        let sum = |extreme: fn(u64, u64) -> u64| -> u64 {
            let shingles: BTreeSet<&String> = counts.iter().flat_map(BTreeMap::keys).collect();
            let count = |which: usize, shingle: &String| counts[which].get(shingle).copied().unwrap_or(0);
            shingles.into_iter().map(|shingle| extreme(count(0, shingle), count(1, shingle))).sum()
        };
        let shared = crate::compare::shared_shingles(&sets[0], &sets[1]) as u64;
        prop_assert_eq!(shared, sum(u64::min));
        prop_assert_eq!((sets[0].len() + sets[1].len()) as u64 - shared, sum(u64::max));
    }

    #[test]
    fn what_a_text_came_to_is_counted(
        text in r"([a-c]{0,12} |[ \r\n]{1,3}|文字は|🙂|,|don't){0,20}",
        size in 1usize..12,
        kind in any_kind(),
    ) {
        let text = normalized(kind, &text);
        let mut shingler = shingler(kind, size);
        shingler.shingles(&text).for_each_block(&mut |_| ());
        let tokens = |kind| if text.is_empty() { 0 } else { naive_shingles(kind, 1, &text).len() as u64 };
        let num_tokens = match kind {
            ShingleKind::Word | ShingleKind::StopWord => text.unicode_words().count() as u64,
            kind => tokens(kind),
        };
        let Cut { num_tokens: counted, num_shingles } = shingler.last();
        prop_assert_eq!(counted, num_tokens);
        let shingles = naive_shingles(kind, size, &text).len() as u64;
        let one_for_all = num_shingles == 0 && shingles <= 1;
        prop_assert!(num_shingles == shingles || one_for_all, "{} of {}", num_shingles, shingles);
        if kind != ShingleKind::StopWord {
            prop_assert_eq!(num_shingles == 0, num_tokens < size as u64);
        }
    }
}

#[test]
fn long_texts_cross_block_borders_without_loss() {
    let ascii: String = (0..BLOCK_LEN * 2).map(|i| char::from(b'!' + (i * i % 89) as u8)).collect();
    let mixed: String = ascii.replace('5', "五");
    let words: String = (0..30_000).map(|i| format!("w{} ", i % 9000)).collect();
    let words = normalize(&words);
    for (kind, text) in [
        (ShingleKind::Char, &ascii),
        (ShingleKind::Char, &mixed),
        (ShingleKind::Word, &words),
        (ShingleKind::StopWord, &words.replace("w7", "a")),
        (ShingleKind::Line, &words.replace(" w8", "\n")),
        (ShingleKind::Set, &words.replace(' ', "\n")),
    ] {
        for size in if kind == ShingleKind::Set { &[1][..] } else { &[1, 5, 9, 10] } {
            let size = *size;
            assert_eq!(shingle_set(kind, size, text), naive(kind, size, text), "{kind:?} {size}");
        }
    }
}

#[test]
fn a_short_text_is_one_shingle_and_an_empty_one_none() {
    assert_eq!(shingle_set(ShingleKind::Char, 9, "short"), [xxh3_64(b"short")]);
    assert_eq!(shingle_set(ShingleKind::Word, 5, "two, words!"), [xxh3_64(b"two words")]);
    assert!(
        shingle_set(ShingleKind::Word, 5, "?!").is_empty() && shingle_set(ShingleKind::StopWord, 3, "?!").is_empty()
    );
    assert_eq!(shingle_set(ShingleKind::Line, 3, "two\nlines"), [xxh3_64(b"two\nlines")]);
    assert_eq!(shingle_set(ShingleKind::StopWord, 3, "a word"), [xxh3_64(b"a word")]);
    // No shingle begins with a stop word, although there are enough words, even more than the window holds.
    assert_eq!(shingle_set(ShingleKind::StopWord, 3, "two, words, a word!"), [xxh3_64(b"two words a word")]);
    let long = "word ".repeat(40_000);
    assert_eq!(shingle_set(ShingleKind::StopWord, 3, &long), [xxh3_64(long.trim_end().as_bytes())]);
    assert!(shingle_set(ShingleKind::Char, 9, "").is_empty());
}

#[test]
fn shingle_hashes_are_pinned() {
    let hashes = shingle_set(ShingleKind::Char, 9, "The quick fox");
    assert_eq!(
        hashes,
        [2219493670535441082, 4718224398008481959, 11461374847120801102, 13146329757137081918, 18370883891838079574]
    );
    let hashes = shingle_set(ShingleKind::Char, 9, "天地玄黄，宇宙洪荒。");
    assert_eq!(hashes, [4229163384918041880, 4642177918689865756]);
}
