//! The frequencies of the example corpus, and how limits are read.

use std::collections::{BTreeMap, HashSet};

use super::exact::COUNT_BYTES;
use super::*;
use crate::corpus::{Corpus, Reading};
use crate::input::Sources;
use crate::observe::Observer;
use crate::run::Summary;
use crate::shingle::ShingleSet;

struct Silent;
impl Observer for Silent {}

#[test]
fn frequencies_equal_the_naive_twin_in_any_memory() {
    let mut config = Config::default();
    config.input.paths.push("examples/corpus".into());
    let pool_of = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let sources = Sources::default();
    let read = |config: &Config, threads, tally: &Tally| {
        let mut summary = Summary::new(config);
        let reading = Reading::Count(tally);
        Corpus::read(config, reading, &sources, &Silent, &pool_of(threads), &mut summary, None).unwrap()
    };
    let documents = read(&config, 1, &Tally::new(MaxDf::Documents(1), 1, 1 << 20)).into_documents();
    let mut texts = HashSet::new();
    let mut reader = crate::input::Reader::new(&config, &sources);
    for document in documents.with_text() {
        texts.insert(reader.read_again(documents.name(document), documents.located(document)).unwrap().to_vec());
    }
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    let mut shingler = config.shingler();
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
        // Room for all counts, and for few; counters for each, and for all together.
        for (most_counts, tally_bytes) in [(1 << 20, 1 << 24), (3000, 1 << 14), (500, 1 << 4), (200, 1 << 17)] {
            for threads in [1, 3] {
                config.memory_bytes = most_counts * COUNT_BYTES;
                config.threads = threads.try_into().unwrap();
                let tally = Tally::new(max_df, threads, tally_bytes);
                let documents = read(&config, threads, &tally).into_documents();
                let rereader = Rereader::new(&Silent, &config, None, &documents, &sources);
                let (_, frequent) =
                    pool_of(threads).install(|| frequent_shingles(&config, max_df, tally, &documents, &rereader));
                assert!(frequent == expected, "{max_df:?}, {most_counts} counts, {threads} threads");
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
