//! `join`: a corpus that was read in, the pairs of texts that may reach the threshold out; none that does is missing.

use std::time::Instant;

use super::matches::report;
use super::settings::Settings;
use super::summary::Summary;
use crate::banding::ListedCandidates;
use crate::corpus::CorpusSettings;
use crate::document::Documents;
use crate::error::Result;
use crate::input::Sources;
use crate::join::{JoinSearch, JoinedTexts};
use crate::observe::Observer;
use crate::removal::Removal;

/// Finds the candidates of an exhaustive join, in the thread pool of the run.
///
/// # Errors
/// When the run cannot be done.
pub(super) fn join(
    settings: &Settings,
    corpus: CorpusSettings,
    documents: &Documents,
    removal: Option<&Removal>,
    sources: &Sources,
    observer: &dyn Observer,
    summary: &mut Summary,
) -> Result<ListedCandidates> {
    let start = Instant::now();
    let search = JoinSearch::new(observer, corpus, settings.pairs.threshold, removal, documents, sources);
    let JoinedTexts { candidates, summary: join, table_bytes, problems } = search.run(None)?;
    summary.seconds.band = start.elapsed().as_secs_f64();
    report(problems, observer, summary);
    summary.join = Some(join);
    summary.memory.tables_at_least(documents.num_bytes() + table_bytes.max(candidates.num_bytes()));
    sources.check()?;
    Ok(candidates)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use crate::document::GroupSettings;
    use crate::input::{Against, InputSettings};
    use crate::memory::Resources;
    use crate::observe::Unwatched;
    use crate::run::{Settings, find_duplicates};
    use crate::shingle::{ShingleKind, ShingleSet, ShingleSettings};
    use crate::verify::{Threshold, jaccard};

    /// Numbers, shared shingles and sizes of a pair.
    type Found = (usize, usize, u64, u64, u64);

    fn kinds() -> impl Strategy<Value = (ShingleKind, usize)> {
        prop_oneof![Just((ShingleKind::Char, 3)), Just((ShingleKind::Word, 1)), Just((ShingleKind::Word, 2))]
    }

    /// Texts of which many are near to others: some words of a few, changed here and there. Some are empty or short, some have
    /// one word over and over.
    fn texts() -> impl Strategy<Value = Vec<String>> {
        let word = prop_oneof![3 => 0u32..12, 1 => 0u32..400];
        let base = prop::collection::vec(word, 0..40);
        let changes = prop::collection::vec((any::<prop::sample::Index>(), 0u32..400), 0..4);
        let text = (any::<prop::sample::Index>(), changes);
        (prop::collection::vec(base, 1..5), prop::collection::vec(text, 2..60)).prop_map(|(bases, texts)| {
            let text = |(base, changes): (prop::sample::Index, Vec<(prop::sample::Index, u32)>)| {
                let mut words = base.get(&bases).clone();
                for (place, word) in changes {
                    if words.is_empty() {
                        words.push(word);
                    } else {
                        let place = place.index(words.len());
                        if word % 3 == 0 { words.truncate(place) } else { words[place] = word }
                    }
                }
                words.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
            };
            texts.into_iter().map(text).collect()
        })
    }

    /// All pairs at the threshold, by the sets of both.
    fn brute_force(texts: &[String], settings: &Settings, may_pair: impl Fn(usize, usize) -> bool) -> Vec<Found> {
        let mut shingler = settings.shingles.shingler(&settings.normalization);
        let sets: Vec<ShingleSet> = texts.iter().map(|text| ShingleSet::new(shingler.shingles(text))).collect();
        let mut pairs = Vec::new();
        for a in 0..texts.len() {
            for b in a + 1..texts.len() {
                let (len_a, len_b) = (sets[a].len() as u64, sets[b].len() as u64);
                if len_a == 0 || len_b == 0 || !may_pair(a, b) {
                    continue;
                }
                let shared = sets[a].hashes().iter().filter(|hash| sets[b].hashes().contains(hash)).count() as u64;
                assert_eq!(jaccard(&sets[a], &sets[b]), shared as f64 / (len_a + len_b - shared) as f64);
                if settings.pairs.threshold.is_met(shared, len_a + len_b - shared) {
                    pairs.push((a, b, shared, len_a, len_b));
                }
            }
        }
        pairs
    }

    fn find(settings: &Settings) -> Vec<Found> {
        let mut found = Vec::new();
        let summary = find_duplicates(settings, &Unwatched, &mut |_, pairs| {
            let numbers = pairs
                .iter()
                .map(|pair| (pair.a.index(), pair.b.index(), pair.shared, pair.shingles_a, pair.shingles_b));
            found.extend(numbers);
            Ok(())
        });
        assert_eq!(summary.unwrap().recall_at_threshold, 1.0);
        found
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
            settings.pairs.all_pairs = true;
            settings.pairs.threshold = Threshold::new(f64::from(percent) / 100.0).unwrap();
            let groups = |within| Some(GroupSettings { by: "field:group".parse().unwrap(), within });
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
            prop_assert_eq!(find(&settings), brute_force(&texts, &settings, may_pair));
        }
    }
}
