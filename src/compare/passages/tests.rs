//! Tests of passages against a slow implementation that follows the definitions, and of properties that hold for all
//! texts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use super::seeds::MOST_POSITIONS;
use super::*;
use crate::text::normalize::{Normalization, Normalizer};
use crate::text::shingle::{ShingleKind, Shingler, Tokens};

fn tokens(kind: ShingleKind, text: &str) -> Tokens {
    let text = Normalizer::new(&Normalization::default(), kind.units()).normalize(text);
    Shingler::new(kind, 1).tokens(text)
}

fn strings(tokens: &Tokens) -> Vec<&str> {
    (0..tokens.len()).map(|at| &tokens.text()[tokens.bytes_of(at..at + 1)]).collect()
}

/// A run of equal tokens: (position in the first text, position in the second, length).
type EqualRun = (usize, usize, usize);

/// For each position of a run of `k` tokens, the number of earlier positions with the same run.
fn ranks(text: &[&str], k: usize) -> Vec<usize> {
    (0..(text.len() + 1).saturating_sub(k))
        .map(|at| (0..at).filter(|&other| text[other..other + k] == text[at..at + k]).count())
        .collect()
}

fn slow_runs(a: &[&str], b: &[&str], k: usize, most: usize) -> (Vec<EqualRun>, [u64; 2]) {
    let (ranks_a, ranks_b) = (ranks(a, k), ranks(b, k));
    let mut runs = BTreeSet::new();
    for (i, &rank_a) in ranks_a.iter().enumerate() {
        for (j, &rank_b) in ranks_b.iter().enumerate() {
            if rank_a < most && rank_b < most && a[i..i + k] == b[j..j + k] {
                let before = (0..=i.min(j)).take_while(|&n| a[i - n] == b[j - n]).last().unwrap();
                let (i, j) = (i - before, j - before);
                let len = a[i..].iter().zip(&b[j..]).take_while(|(a, b)| a == b).count();
                runs.insert((i, j, len));
            }
        }
    }
    let capped = |a: &[&str], ranks: &[usize], b: &[&str]| {
        let is_shared = |at: usize| b.windows(k).any(|run| run == &a[at..at + k]);
        ranks.iter().enumerate().filter(|&(at, &rank)| rank >= most && is_shared(at)).count() as u64
    };
    (runs.into_iter().collect(), [capped(a, &ranks_a, b), capped(b, &ranks_b, a)])
}

fn slow_tiles(mut runs: Vec<EqualRun>, a: &[&str], b: &[&str], k: usize) -> Vec<EqualRun> {
    let (mut marked_a, mut marked_b) = (vec![false; a.len()], vec![false; b.len()]);
    let mut tiles = Vec::new();
    while let Some(&run) = runs.iter().min_by_key(|&&(i, j, len)| (usize::MAX - len, i, j)) {
        runs.retain(|&other| other != run);
        let (i, j, len) = run;
        let is_free = |at: usize| !marked_a[i + at] && !marked_b[j + at];
        if (0..len).all(is_free) {
            marked_a[i..i + len].fill(true);
            marked_b[j..j + len].fill(true);
            tiles.push(run);
            continue;
        }
        let mut start = 0;
        for end in 0..=len {
            if end == len || !is_free(end) {
                if end - start >= k {
                    runs.push((i + start, j + start, end - start));
                }
                start = end + 1;
            }
        }
    }
    tiles.sort_unstable();
    tiles
}

fn slow_passages(tiles: &[EqualRun], anchor: usize, max_gap: usize) -> Vec<Passage> {
    let gap =
        |x: usize, x_len: usize, y: usize, y_len: usize| y.saturating_sub(x + x_len).max(x.saturating_sub(y + y_len));
    let mut component: Vec<usize> = (0..tiles.len()).collect();
    loop {
        let before = component.clone();
        for (x, &(i, j, len)) in tiles.iter().enumerate() {
            for (y, &(other_i, other_j, other_len)) in tiles.iter().enumerate() {
                if gap(i, len, other_i, other_len) <= max_gap && gap(j, len, other_j, other_len) <= max_gap {
                    component[y] = component[x].min(component[y]);
                }
            }
        }
        if component == before {
            break;
        }
    }
    let mut passages: BTreeMap<usize, Vec<EqualRun>> = BTreeMap::new();
    component.iter().zip(tiles).for_each(|(&component, &tile)| passages.entry(component).or_default().push(tile));
    let anchored = passages.into_values().filter(|tiles| tiles.iter().any(|&(_, _, len)| len >= anchor));
    anchored
        .map(|tiles| {
            let start = |of: fn(&EqualRun) -> usize| tiles.iter().map(of).min().unwrap();
            let end = |of: fn(&EqualRun) -> usize| tiles.iter().map(of).max().unwrap();
            Passage {
                a: start(|tile| tile.0)..end(|tile| tile.0 + tile.2),
                b: start(|tile| tile.1)..end(|tile| tile.1 + tile.2),
                matched: tiles.iter().map(|tile| tile.2).sum(),
                is_exact: tiles.len() == 1,
            }
        })
        .collect()
}

/// Applies the definitions one after another.
fn slow_align(settings: &PassageSettings, a: &[&str], b: &[&str], most_seeds: usize) -> Alignment {
    let k = settings.min_run();
    let (tokens_a, tokens_b) = (a.len(), b.len());
    if a == b {
        let whole = Passage { a: 0..a.len(), b: 0..b.len(), matched: a.len(), is_exact: true };
        let passages = if a.is_empty() { vec![] } else { vec![whole] };
        return Alignment { passages, tokens_a, tokens_b, longest: a.len(), seeds_capped: [0; 2] };
    }
    let is_swapped = a > b;
    let (first, second) = if is_swapped { (b, a) } else { (a, b) };
    let (runs, mut seeds_capped) = slow_runs(first, second, k, most_seeds);
    let tiles = slow_tiles(runs, first, second, k);
    let longest = tiles.iter().map(|tile| tile.2).max().unwrap_or(0);
    let mut passages = slow_passages(&tiles, settings.anchor(), settings.max_gap());
    if is_swapped {
        seeds_capped.reverse();
        passages.iter_mut().for_each(|passage| std::mem::swap(&mut passage.a, &mut passage.b));
    }
    passages.sort_by_key(|passage| passage.a.start);
    Alignment { passages, tokens_a, tokens_b, longest, seeds_capped }
}

fn any_settings() -> impl Strategy<Value = PassageSettings> {
    (1usize..6, 0usize..6, prop_oneof![0usize..8, Just(usize::MAX)])
        .prop_map(|(min_run, more, max_gap)| PassageSettings::new(min_run, min_run + more, max_gap).unwrap())
}

/// Limits: positions in the index at once, runs in a round, and positions of one hash that have seeds.
fn any_limits() -> impl Strategy<Value = (usize, usize, u32)> {
    let most_seeds = || prop_oneof![Just(MOST_POSITIONS), 2u32..6];
    prop_oneof![
        (Just(usize::MAX), Just(1 << 20), most_seeds()),
        (Just(usize::MAX), 1usize..20, most_seeds()),
        (5usize..60, Just(1 << 20), most_seeds()),
        (5usize..60, 1usize..20, most_seeds()),
    ]
}

fn check(
    settings: PassageSettings,
    a: &Tokens,
    b: &Tokens,
    (most_positions, most_runs, most_seeds): (usize, usize, u32),
) {
    let mut aligner = Aligner::with_limits(settings, most_positions, most_runs, most_seeds);
    // The first text is indexed once for all others.
    let alignments = aligner.align_each(a, [b, a, b]);
    assert_eq!(alignments[0], alignments[2]);
    let alignment = aligner.align(a, b);
    assert_eq!(alignments[0], alignment);
    assert_eq!(
        alignment,
        slow_align(&settings, &strings(a), &strings(b), most_seeds as usize),
        "{:?} {:?}",
        a.text(),
        b.text()
    );
    let other = aligner.align(b, a);
    let numbers = |alignment: &Alignment| (alignment.matched(), alignment.longest);
    assert_eq!(numbers(&other), numbers(&alignment));
    assert_eq!([other.seeds_capped[1], other.seeds_capped[0]], alignment.seeds_capped);
    for least in [1, 4, alignment.matched() as u64, alignment.matched() as u64 + 1] {
        let bounded = aligner.align_each_if(a, [b], |most, _| most >= least).pop().unwrap();
        if alignment.matched() as u64 >= least {
            assert_eq!(bounded, alignment);
        } else {
            assert!((bounded.matched() as u64) < least);
        }
    }
    assert_eq!((other.coverage_a(), other.coverage_b()), (alignment.coverage_b(), alignment.coverage_a()));
    let mut passages: Vec<Passage> = other.passages;
    passages.iter_mut().for_each(|passage| std::mem::swap(&mut passage.a, &mut passage.b));
    passages.sort_by_key(|passage| passage.a.start);
    assert_eq!(passages, alignment.passages);
    for coverage in [alignment.coverage_a(), alignment.coverage_b()] {
        assert!((0.0..=1.0).contains(&coverage));
    }
    for passage in alignment.passages.iter().filter(|passage| passage.is_exact) {
        assert_eq!(strings(a)[passage.a.clone()], strings(b)[passage.b.clone()]);
        assert_eq!(passage.matched, passage.a.len());
    }
    if !a.is_empty() {
        let same = aligner.align(a, a);
        assert_eq!((same.coverage(), same.passages.len()), (1.0, 1));
    }
}

/// The number of cases, before which the cases that failed once are tried again.
fn cases(number: u32) -> ProptestConfig {
    let failed = FileFailurePersistence::Direct("tests/regressions/passages.txt");
    ProptestConfig { failure_persistence: Some(Box::new(failed)), ..ProptestConfig::with_cases(number) }
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn alignments_are_those_of_the_twin(
        a in "[ab]{0,60}|[abcé]{0,60}|[a-z]{0,40}",
        b in "[ab]{0,60}|[abcé]{0,60}|[a-z]{0,40}",
        settings in any_settings(),
        limits in any_limits(),
        by_words in any::<bool>(),
    ) {
        let spaced = |text: &str| text.chars().flat_map(|c| [c, ' ']).collect::<String>();
        let kind = if by_words { ShingleKind::Word } else { ShingleKind::Char };
        let text = |text: &str| if by_words { spaced(text) } else { text.to_owned() };
        check(settings, &tokens(kind, &text(&a)), &tokens(kind, &text(&b)), limits);
    }

    #[test]
    fn alignments_of_texts_made_of_each_other_are_those_of_the_twin(
        parts in prop::collection::vec("[a-d]{1,9}", 1..6),
        order_a in prop::collection::vec((0usize..6, "[a-f]{0,3}"), 0..8),
        order_b in prop::collection::vec((0usize..6, "[a-f]{0,3}"), 0..8),
        settings in any_settings(),
        limits in any_limits(),
    ) {
        let text = |order: &[(usize, String)]| -> String {
            order.iter().map(|(part, other)| format!("{}{other}", parts[part % parts.len()])).collect()
        };
        let of = |order: &[(usize, String)]| tokens(ShingleKind::Char, &text(order));
        check(settings, &of(&order_a), &of(&order_b), limits);
    }

    #[test]
    fn alignments_of_revisions_of_a_repetitive_text_are_those_of_the_twin(
        parts in prop::collection::vec("[a-d]{2,7}", 2..5),
        order in prop::collection::vec((0usize..5, "[e-z]{0,2}"), 4..14),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, "[a-f]{0,2}"), 0..4),
        settings in any_settings(),
        limits in any_limits(),
    ) {
        let text: String = order.iter().map(|(part, own)| format!("{}{own}", parts[part % parts.len()])).collect();
        let mut revision = text.clone();
        for (position, len, other) in &edits {
            let start = position.index(revision.len() + 1);
            revision.replace_range(start..(start + len).min(revision.len()), other);
        }
        check(settings, &tokens(ShingleKind::Char, &text), &tokens(ShingleKind::Char, &revision), limits);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn repeats_beyond_the_cap_are_those_of_the_twin(
        a in prop::collection::vec(("a{0,90}", "(ab){0,80}", "[ab]{0,9}"), 1..4),
        b in prop::collection::vec(("a{0,90}", "(ab){0,80}", "[abc]{0,9}"), 1..4),
        settings in any_settings(),
        limits in any_limits(),
    ) {
        let text = |parts: &[(String, String, String)]| -> String {
            parts.iter().map(|(a, b, c)| format!("{a}{b}{c}")).collect()
        };
        check(settings, &tokens(ShingleKind::Char, &text(&a)), &tokens(ShingleKind::Char, &text(&b)), limits);
    }
}

/// The last position of a run is beyond the first 64 of its hash in one text, and the position before it in the other
/// one.
#[test]
fn a_run_across_the_end_of_a_longer_one_is_found_beside_capped_positions() {
    let settings = PassageSettings::new(1, 1, 0).unwrap();
    let indexed = tokens(ShingleKind::Char, &("a".repeat(64) + "babab"));
    let other = tokens(ShingleKind::Char, &("b".repeat(63) + "ababab"));
    let alignment = Aligner::new(settings).align(&indexed, &other);
    assert_eq!(alignment.longest, 6);
    check(settings, &indexed, &other, (usize::MAX, 1 << 20, MOST_POSITIONS));
}

#[test]
fn a_text_that_is_indexed_in_parts_has_the_same_runs() {
    let words = |seed: u64, len: u64| -> String {
        (0..len).map(|at| format!("w{} ", (at * at * 31 + seed * (at / 700)) % 613)).collect()
    };
    let settings = PassageSettings::of(ShingleKind::Word).unwrap();
    let (a, b) = (tokens(ShingleKind::Word, &words(1, 6000)), tokens(ShingleKind::Word, &words(2, 6500)));
    let whole = Aligner::new(settings).align(&a, &b);
    assert!(whole.passages.len() > 3 && whole.coverage() < 1.0, "{whole:?}");
    assert_eq!(Aligner::with_limits(settings, 4000, 3, MOST_POSITIONS).align(&a, &b), whole);
    assert_eq!(Aligner::with_limits(settings, 1000, 100, MOST_POSITIONS).align(&b, &a).matched(), whole.matched());
}

#[test]
fn passages_that_changed_positions_are_found() {
    let settings = PassageSettings::of(ShingleKind::Line).unwrap();
    let a = tokens(ShingleKind::Line, "1\n2\n3\n4\nx\ny\n5\n6\n7\n");
    let b = tokens(ShingleKind::Line, "5\n6\n7\np\nq\nr\n1\n2\n3\n4\n");
    let alignment = Aligner::new(settings).align(&a, &b);
    let positions: Vec<_> = alignment.passages.iter().map(|passage| (passage.a.clone(), passage.b.clone())).collect();
    assert_eq!(positions, [(0..4, 6..10), (6..9, 0..3)]);
    assert_eq!((alignment.matched(), alignment.longest), (7, 4));
}

#[test]
fn equal_texts_shorter_than_an_anchor_are_one_passage_and_empty_ones_none() {
    let settings = PassageSettings::of(ShingleKind::Word).unwrap();
    let mut aligner = Aligner::new(settings);
    let alignment = aligner.align(&tokens(ShingleKind::Word, "Two words."), &tokens(ShingleKind::Word, "two words"));
    assert_eq!((alignment.passages.len(), alignment.coverage()), (0, 0.0));
    let short = tokens(ShingleKind::Word, "Two words.");
    let alignment = aligner.align(&short, &tokens(ShingleKind::Word, "Two words?"));
    assert_eq!((alignment.passages.len(), alignment.coverage()), (1, 1.0));
    let none = tokens(ShingleKind::Word, "?!");
    assert_eq!(aligner.align(&none, &none), Alignment::default());
    let alignment = aligner.align(&none, &short);
    assert_eq!((alignment.coverage_a(), alignment.coverage_b()), (0.0, 0.0));
}

/// Quadratic work on these texts would need days.
#[test]
fn a_million_repeats_are_aligned_in_linear_time() {
    let settings = PassageSettings::of(ShingleKind::Char).unwrap();
    let mut aligner = Aligner::new(settings);
    let repeated = tokens(ShingleKind::Char, &"a".repeat(1_000_000));
    let other = tokens(ShingleKind::Char, &format!("{}b", "a".repeat(700_000)));
    assert_eq!(aligner.align(&repeated, &repeated).coverage(), 1.0);
    let alignment = aligner.align(&repeated, &other);
    assert_eq!((alignment.matched(), alignment.passages.len(), alignment.longest), (700_000, 1, 700_000));
    let settings = PassageSettings::of(ShingleKind::Word).unwrap();
    let line = "the same line of seven words, again\n";
    let lines = tokens(ShingleKind::Word, &line.repeat((1 << 20) / line.len()));
    let behind = tokens(ShingleKind::Word, &format!("once {}", line.repeat((1 << 20) / line.len())));
    let alignment = Aligner::new(settings).align(&lines, &behind);
    assert_eq!((alignment.matched(), alignment.passages.len()), (lines.len(), 1));
    // One insertion into a text in which every second line is the same.
    let settings = PassageSettings::of(ShingleKind::Line).unwrap();
    let halves = |between: &str| -> String {
        let half = |name: char| (0..50_000).map(move |line| format!("{name}{line}\n}}\n")).collect::<String>();
        half('x') + between + &half('y')
    };
    let (a, b) = (tokens(ShingleKind::Line, &halves("")), tokens(ShingleKind::Line, &halves("n\n}\n")));
    assert_eq!(Aligner::new(settings).align(&a, &b).matched(), 200_000);
    let settings = PassageSettings::of(ShingleKind::Word).unwrap();
    // 64 positions of every run in each text: as many runs as a pair of texts can have, all short.
    let varied = |seed: u64| -> String {
        (0..40_000u64).map(|at| format!("{} {}", "one two three four five", at * 2 + seed) + " ").collect()
    };
    let (a, b) = (tokens(ShingleKind::Word, &varied(0)), tokens(ShingleKind::Word, &varied(1)));
    let alignment = Aligner::new(settings).align(&a, &b);
    assert_eq!((alignment.matched(), alignment.longest, alignment.seeds_capped), (0, 5, [40_000 - 64; 2]));
}
