//! Tests the document frequencies of the example corpus, and how limits are parsed.

use std::collections::{BTreeMap, HashSet};

use super::exact::COUNT_BYTES;
use super::*;
use crate::base::flat::offset_map::NoTrace;
use crate::base::memory::Resources;
use crate::base::observe::Unwatched;
use crate::documents::input::{InputSettings, Reader, Sources};
use crate::search::corpus::ReadCorpus;
use crate::search::corpus::stage_settings::tests::with_settings;
use crate::search::corpus::{Corpus, Reading, StageSettings};
use crate::text::shingle::ShingleSet;

#[test]
fn frequencies_equal_the_naive_twin_in_any_memory() {
    let input = InputSettings::of(vec!["examples/corpus".into()]);
    with_settings(|_| {}, |settings| check_frequencies(StageSettings { input: &input, ..settings }));
}

fn check_frequencies(mut settings: StageSettings) {
    let pool_of = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let sources = Sources::default();
    let read = |settings, threads, tally: &Tally| {
        let reading = Reading::Visit(tally);
        Corpus::read(settings, reading, &sources, &Unwatched, &pool_of(threads), false).unwrap().0
    };
    let documents = read(settings, 1, &Tally::new(MaxDf::Documents(1), 1, 1 << 20)).into_documents();
    let mut texts = HashSet::new();
    let (mut reader, mut normalizer) = (Reader::new(settings.inputs(), &sources), settings.normalizer());
    for document in documents.with_text() {
        let text = reader.read_again(documents.name(document), documents.located(document), &mut NoTrace).unwrap();
        normalizer.normalize_utf8(text);
        texts.insert(text.clone());
    }
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    let mut shingler = settings.shingler();
    for text in &texts {
        for &hash in ShingleSet::new(shingler.shingles_utf8(text)).hashes() {
            *counts.entry(hash).or_default() += 1;
        }
    }
    assert!(counts.len() > 20_000 && texts.len() > 50);
    for max_df in [MaxDf::Documents(1), MaxDf::Documents(3), MaxDf::Percent(5.0), MaxDf::Percent(100.0)] {
        let is_frequent = |&(_, &count): &(&u64, &u64)| match max_df {
            MaxDf::Documents(most) => count > most,
            MaxDf::Percent(most) => count as f64 / texts.len() as f64 > most / 100.0,
        };
        let expected: Vec<u64> = counts.iter().filter(is_frequent).map(|(&hash, _)| hash).collect();
        assert_eq!(expected.is_empty(), max_df == MaxDf::Percent(100.0));
        // Memory for all counts, and for few; counters for each shingle, and for all together.
        for (most_counts, tally_bytes) in [(1 << 20, 1 << 24), (3000, 1 << 14), (500, 1 << 4), (200, 1 << 17)] {
            for threads in [1, 3] {
                let (memory_bytes, num_threads) = (most_counts * COUNT_BYTES, threads.try_into().unwrap());
                settings.resources = Resources { memory_bytes, threads: num_threads };
                let tally = Tally::new(max_df, threads, tally_bytes);
                let documents = read(settings, threads, &tally).into_documents();
                let corpus = ReadCorpus {
                    observer: &Unwatched,
                    settings,
                    removal: None,
                    documents: &documents,
                    sources: &sources,
                };
                let rereader = corpus.rereader();
                let count = || TextCounts::above(max_df, None, settings.memory(), tally, &documents, &rereader);
                let found = pool_of(threads).install(count);
                let is_exact = |&(hash, count): &(u64, u32)| counts[&hash] == u64::from(count);
                assert!(found.counts.iter().all(is_exact) && found.num_texts == texts.len() as u64);
                assert!(found.frequent(max_df).1 == expected, "{max_df:?}, {most_counts} counts, {threads} threads");
            }
        }
    }
}

#[test]
fn limits_are_read_as_numbers_or_shares() {
    assert_eq!("3".parse(), Ok(MaxDf::Documents(3)));
    assert_eq!("2.5%".parse(), Ok(MaxDf::Percent(2.5)));
    for wrong in ["0", "0%", "-1", "1.5", "", "%", "101%", "-1%", "NaN%", "x"] {
        assert!(wrong.parse::<MaxDf>().is_err(), "{wrong}");
    }
    for (share, num_documents, most) in
        [(7.0, 100, 7), (7.0, 99, 6), (0.1, 999, 0), (0.0, 5, 0), (100.0, 7, 7), (29.0, 100, 29)]
    {
        assert_eq!(MaxDf::Percent(share).most(num_documents), most, "{share} % of {num_documents}");
    }
    assert_eq!(MaxDf::Documents(3).most(2), 3);
}
