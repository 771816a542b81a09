//! Compares the pairs of runs with brute force: all pairs of sets, one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use proptest::prelude::*;

use super::{Settings, find_duplicates};
use crate::base::memory::Resources;
use crate::base::observe::Unwatched;
use crate::compare::verify::{PairWeights, Threshold, jaccard};
use crate::documents::document::GroupSettings;
use crate::documents::input::{Against, InputSettings};
use crate::search::pairs::PairSource;
use crate::text::shingle::{ShingleKind, ShingleSet, ShingleSettings};
use crate::text::weights::{TokenWeights, Weighting, weight_of_frequency};

/// A pair: the numbers of both documents, the shared shingles with both sizes, and the weights.
type Found = (usize, usize, [u64; 3], Option<PairWeights>);

/// A table of the weights of words.
const TABLE: &str = "0\t0\n1\t0.25\n2\t30\n3\t7.5\n4\t1000\n";

fn kinds() -> impl Strategy<Value = (ShingleKind, usize)> {
    prop_oneof![Just((ShingleKind::Char, 3)), Just((ShingleKind::Word, 1)), Just((ShingleKind::Word, 2))]
}

/// Texts with many near-duplicates: a few words repeated, changed here and there. Some texts are empty or short, some
/// repeat one word.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![3 => 0u32..12, 1 => 0u32..400];
    let base = prop::collection::vec(word, 0..40);
    let changes = prop::collection::vec((any::<prop::sample::Index>(), 0u32..400), 0..4);
    let text = (any::<prop::sample::Index>(), changes);
    (prop::collection::vec(base, 1..5), prop::collection::vec(text, 2..60)).prop_map(|(bases, texts)| {
        let text = |(base, changes): (prop::sample::Index, Vec<(prop::sample::Index, u32)>)| {
            let mut words = base.get(&bases).clone();
            for (position, word) in changes {
                if words.is_empty() {
                    words.push(word);
                } else {
                    let position = position.index(words.len());
                    if word % 3 == 0 { words.truncate(position) } else { words[position] = word }
                }
            }
            words.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
        };
        texts.into_iter().map(text).collect()
    })
}

/// The weight of each shingle, by the definition.
fn weights(texts: &[String], sets: &[ShingleSet], settings: &Settings) -> Option<BTreeMap<u64, u64>> {
    let mut weights = BTreeMap::new();
    match settings.weights.as_ref()? {
        Weighting::Idf => {
            let mut frequencies: BTreeMap<u64, u64> = BTreeMap::new();
            let mut seen = BTreeSet::new();
            for (_, set) in texts.iter().zip(sets).filter(|(text, set)| !set.is_empty() && seen.insert(*text)) {
                set.hashes().iter().for_each(|&hash| *frequencies.entry(hash).or_default() += 1);
            }
            let num_texts = seen.len() as u64;
            weights.extend(frequencies.iter().map(|(&hash, &df)| (hash, weight_of_frequency(num_texts, df).into())));
        }
        Weighting::Tokens(_) => {
            for text in texts {
                let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
                for words in words.windows(settings.shingles.size().min(words.len().max(1))) {
                    let weight = |word: &&str| match *word {
                        "0" => 1,
                        "1" => 1 << 14,
                        "2" => 30 << 16,
                        "3" => 15 << 15,
                        "4" => 1000 << 16,
                        _ => 1 << 16,
                    };
                    let hash = xxhash_rust::xxh3::xxh3_64(words.join(" ").as_bytes());
                    weights.insert(hash, words.iter().map(weight).sum());
                }
            }
        }
    }
    Some(weights)
}

/// All pairs that reach the threshold, by comparing all sets.
fn brute_force(texts: &[String], settings: &Settings, may_pair: impl Fn(usize, usize) -> bool) -> Vec<Found> {
    let mut shingler = settings.shingles.shingler(&settings.normalization);
    let sets: Vec<ShingleSet> = texts.iter().map(|text| ShingleSet::new(shingler.shingles(text))).collect();
    let weights = weights(texts, &sets, settings);
    let threshold = settings.pairs.threshold;
    let mut pairs = Vec::new();
    for a in 0..texts.len() {
        for b in a + 1..texts.len() {
            let (len_a, len_b) = (sets[a].len() as u64, sets[b].len() as u64);
            if len_a == 0 || len_b == 0 || !may_pair(a, b) {
                continue;
            }
            let common = || sets[a].hashes().iter().filter(|hash| sets[b].hashes().contains(hash));
            let shared = common().count() as u64;
            assert_eq!(jaccard(&sets[a], &sets[b]), shared as f64 / (len_a + len_b - shared) as f64);
            let of_pair = weights.as_ref().map(|weights| {
                let weigh = |set: &ShingleSet| set.hashes().iter().map(|hash| weights[hash]).sum();
                let shared = common().map(|hash| weights[hash]).sum();
                PairWeights { shared, a: weigh(&sets[a]), b: weigh(&sets[b]) }
            });
            let is_met = match of_pair {
                None => threshold.is_met(shared, len_a + len_b - shared),
                Some(weights) => threshold.is_met(weights.shared, weights.union()),
            };
            if is_met {
                pairs.push((a, b, [shared, len_a, len_b], of_pair));
            }
        }
    }
    pairs
}

fn find(settings: &Settings) -> Vec<Found> {
    let mut found = Vec::new();
    let summary = find_duplicates(settings, &Unwatched, &mut |_, pairs| {
        let numbers = pairs.iter().map(|pair| {
            (pair.a.index(), pair.b.index(), [pair.shared, pair.shingles_a, pair.shingles_b], pair.weights)
        });
        found.extend(numbers);
        Ok(())
    });
    assert!(settings.pairs.source.is_banded() || summary.unwrap().recall_at_threshold == 1.0);
    found
}

#[test]
fn more_candidates_than_fit_the_memory_are_verified_from_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let text =
        |number: usize| format!("{} {number}", (0..30).map(|word| word.to_string()).collect::<Vec<_>>().join(" "));
    let texts: Vec<String> = (100..300).map(text).collect();
    let lines = texts.iter().map(|text| format!("{{\"text\": \"{text}\"}}\n")).collect::<String>();
    std::fs::write(&path, lines).unwrap();
    let mut settings = Settings {
        shingles: ShingleSettings::new(ShingleKind::Word).with_size(1).unwrap(),
        resources: Resources { memory_bytes: 1 << 10, threads: 2.try_into().unwrap() },
        ..Settings::of(InputSettings::of(vec![path]))
    };
    settings.pairs.source = PairSource::AllPairs;
    let found = find(&settings);
    // The run keeps 4,096 pairs even in the smallest memory.
    assert_eq!(found.len(), 200 * 199 / 2);
    assert_eq!(found, brute_force(&texts, &settings, |_, _| true));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn every_pair_at_the_threshold_is_found_and_no_other(
        texts in texts(),
        (kind, size) in kinds(),
        bag in any::<bool>(),
        percent in prop_oneof![Just(1u32), Just(10), Just(50), Just(80), Just(90), Just(100), 1u32..=100],
        memory_bytes in prop_oneof![Just(1u64 << 10), Just(1 << 14), Just(1 << 30)],
        threads in 1usize..4,
        scope in 0..4,
        weighting in 0..3,
        source in prop_oneof![3 => Just(PairSource::AllPairs), 1 => Just(PairSource::Bands)],
    ) {
        let folder = tempfile::tempdir().unwrap();
        let start = texts.len() / 2;
        for (name, range) in [("a.jsonl", 0..start), ("b.jsonl", start..texts.len())] {
            let mut lines = String::new();
            for number in range {
                writeln!(lines, r#"{{"id": "{number}", "text": "{}", "group": "{}"}}"#, texts[number], number % 3).unwrap();
            }
            std::fs::write(folder.path().join(name), lines).unwrap();
        }
        let [a, b] = ["a.jsonl", "b.jsonl"].map(|name| folder.path().join(name));
        let mut settings = Settings {
            shingles: ShingleSettings::new(kind).with_size(size).unwrap().with_bag(bag),
            resources: Resources { memory_bytes, threads: threads.try_into().unwrap() },
            ..Settings::of(InputSettings::of(vec![a.clone(), b.clone()]))
        };
        settings.pairs.source = source;
        let table = || TokenWeights::parse(TABLE, &settings.shingles, &settings.normalization, 1.0).unwrap();
        settings.weights = match weighting {
            0 => None,
            1 if kind == ShingleKind::Word && !bag => Some(Weighting::Tokens(table())),
            _ => Some(Weighting::Idf),
        };
        settings.pairs.threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
        let groups = |within| Some(GroupSettings { by: "field:group".parse().unwrap(), within, with_names: false });
        let may_pair: Box<dyn Fn(usize, usize) -> bool> = match scope {
            0 => Box::new(|_, _| true),
            1 => {
                settings.input.paths = vec![a];
                settings.input.against = Some(Against { paths: vec![b], ..Against::default() });
                Box::new(move |a, b| a < start && b >= start)
            }
            2 => {
                settings.input.groups = groups(true);
                Box::new(|a, b| a % 3 == b % 3)
            }
            _ => {
                settings.input.groups = groups(false);
                Box::new(|a, b| a % 3 != b % 3)
            }
        };
        let (found, expected) = (find(&settings), brute_force(&texts, &settings, may_pair));
        if source == PairSource::AllPairs {
            prop_assert_eq!(found, expected);
            return Ok(());
        }
        // Signatures find no other pairs, and all pairs so similar that bands miss one in 10¹³.
        let similarity = |&(_, _, [shared, a, b], weights): &Found| {
            let (shared, union) = weights.map_or((shared, a + b - shared), |weights| (weights.shared, weights.union()));
            shared as f64 / union as f64
        };
        prop_assert!(found.iter().all(|pair| expected.contains(pair)));
        let must = expected.iter().filter(|pair| similarity(pair) >= 0.95);
        must.for_each(|pair| assert!(found.contains(pair), "{pair:?}"));
    }
}
