//! Tests passages with little memory, of documents that changed, and of documents that are too long.

use std::path::Path;

use super::*;
use crate::base::memory::Resources;
use crate::base::observe::{Observer, Unwatched};
use crate::compare::verify::Threshold;
use crate::documents::document::Documents;
use crate::documents::input::InputSettings;
use crate::documents::input::Sources;
use crate::search::corpus::ReadCorpus;
use crate::search::pairs::PairSettings;
use crate::search::run::{Settings, find_passages};
use crate::text::shingle::{ShingleKind, ShingleSettings};

#[derive(Default)]
struct Problems(Mutex<Vec<String>>);
impl Observer for Problems {
    fn problem(&self, problem: &Problem) {
        self.0.lock().unwrap().push(problem.to_string());
    }
}

type PairsAndPassages = Vec<(DuplicatePair, Option<LocatedPassages>)>;

/// Writes 8 texts of twelve blocks of 50 words, three times each. Every text has three blocks that no other text has.
fn write_texts(folder: &Path) {
    for number in 0..24usize {
        let own = |block: usize| if (block + number / 3).is_multiple_of(4) { number / 3 } else { 99 };
        let words = |block: usize| (0..50).map(move |word| format!("n{}b{block}w{word} ", own(block)));
        let text: String = (0..12).flat_map(words).collect();
        std::fs::write(folder.join(format!("{number:02}")), text).unwrap();
    }
}

fn find(
    folder: &Path,
    memory_bytes: u64,
    threads: usize,
    observer: &dyn Observer,
    mut look: impl FnMut(&[DuplicatePair]) + Send,
) -> (PairsAndPassages, u64) {
    let settings = Settings {
        pairs: PairSettings { threshold: Threshold::new(0.1).unwrap(), ..PairSettings::default() },
        banding: crate::sign::Banding::new(100, 2).unwrap(),
        shingles: ShingleSettings::new(ShingleKind::Word),
        resources: Resources { memory_bytes, threads: threads.try_into().unwrap() },
        ..Settings::of(InputSettings::of(vec![folder.into()]))
    };
    let mut found = Vec::new();
    let words = PassageSettings::of(ShingleKind::Word).unwrap();
    let summary = find_passages(
        &settings,
        words,
        observer,
        &mut |_: &Documents, pairs: &[DuplicatePair], passages: &[Option<LocatedPassages>]| {
            assert_eq!(pairs.len(), passages.len());
            found.extend(pairs.iter().copied().zip(passages.iter().cloned()));
            look(pairs);
            Ok(())
        },
    );
    (found, summary.unwrap().errors)
}

#[test]
fn any_memory_and_any_number_of_threads_give_the_same_passages() {
    let folder = tempfile::tempdir().unwrap();
    write_texts(folder.path());
    let (whole, _) = find(folder.path(), 1 << 30, 2, &Unwatched, |_| ());
    let several = whole.iter().filter(|(_, passages)| passages.as_ref().unwrap().passages.len() > 1).count();
    let copies = whole.iter().filter(|(pair, _)| pair.similarity() == 1.0);
    assert!(several > 10 && copies.clone().count() > 10, "{several}");
    assert!(copies.into_iter().all(|(_, passages)| passages.as_ref().unwrap().coverage_a == 1.0));
    for memory_bytes in [1 << 14, 1 << 18] {
        for threads in [1, 2] {
            let mut most = 0;
            let look = |pairs: &[DuplicatePair]| most = pairs.len().max(most);
            assert!(find(folder.path(), memory_bytes, threads, &Unwatched, look).0 == whole, "{memory_bytes}");
            assert!(most < whole.len(), "the rounds are small");
        }
    }
}

#[test]
fn a_document_that_changed_since_has_no_passages_and_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    write_texts(folder.path());
    let (whole, errors) = find(folder.path(), 1 << 30, 2, &Unwatched, |_| ());
    assert_eq!(errors, 0);
    let problems = Problems::default();
    let last = folder.path().join("23");
    // A round has one pair here, and all pairs were verified before the first of them was passed on.
    let (found, errors) =
        find(folder.path(), 1 << 14, 1, &problems, |_| std::fs::write(&last, "another text").unwrap());
    assert_eq!(errors, 1);
    let last = whole.iter().map(|(pair, _)| pair.b).max().unwrap();
    assert_eq!(last.index(), 23);
    assert_eq!(found.len(), whole.len());
    for (number, ((pair, passages), whole)) in found.iter().zip(&whole).enumerate() {
        assert_eq!(*pair, whole.0);
        assert_eq!(passages.is_none(), pair.b == last, "{number}");
    }
    let problems = problems.0.into_inner().unwrap();
    let line = format!(
        "{}: changed while it was compared; its passages are missing, scan again",
        folder.path().join("23").display()
    );
    assert_eq!(problems, [line]);
}

#[test]
fn a_document_with_too_many_tokens_has_no_passages_and_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a", "1 2 3 4 5 6 7"), ("b", "1 2 3 4 5 6 8"), ("c", "1 2 3 4 5 6 7 8")] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let settings = Settings {
        shingles: ShingleSettings::new(ShingleKind::Word),
        ..Settings::of(InputSettings::of(vec![folder.path().into()]))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let sources = Sources::default();
    let read = crate::search::corpus::read(settings.corpus(), &sources, &Unwatched, &pool, false).unwrap();
    let words = PassageSettings::new(5, 5, 10).unwrap();
    let corpus = ReadCorpus {
        observer: &Unwatched,
        settings: settings.corpus(),
        removal: None,
        documents: &read.corpus.documents,
        sources: &sources,
    };
    let mut search = PassageSearch::new(corpus, words, corpus.memory().passages());
    search.most_tokens = 7;
    let numbers = DuplicatePair {
        a: DocId::new(0),
        b: DocId::new(1),
        shared: 1,
        shingles_a: 3,
        shingles_b: 3,
        equal_values: 1,
        num_hashes: 1,
        removed: None,
        kept_names: None,
        weights: None,
    };
    let pairs = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| DuplicatePair { a: DocId::new(a), b: DocId::new(b), ..numbers });
    let mut found = Vec::new();
    let passed = pool.install(|| {
        search.pass_on(&pairs, |_, passages| {
            found.extend(passages.iter().map(|passages| passages.as_ref().map(|found| found.coverage_a)));
            Ok(())
        })
    });
    passed.unwrap();
    assert_eq!(found, [Some(6.0 / 7.0), None, None]);
    let (_, problems) = search.finish();
    let line = format!(
        "{}: has 8 tokens, but passages are only found in documents of up to 7; its passages are missing, split it",
        folder.path().join("c").display()
    );
    assert_eq!(problems.iter().map(Problem::to_string).collect::<Vec<_>>(), [line]);
}
