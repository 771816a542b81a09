//! `PassageSearch`: duplicate pairs in, the passages of each pair out, in the coordinates of the originals.
//!
//! Pairs come in document order, in batches. A batch is searched in rounds: the documents of as many pairs as fit the memory
//! are read once more, those that were not kept from the round before, and then the pairs are aligned; both in parallel.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::summary::SearchSummary;
use crate::corpus::{CorpusSettings, PositionedReader, PositionedText};
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::flat::per_thread::PerThread;
use crate::input::Sources;
use crate::observe::Observer;
use crate::passages::{
    Aligner, Alignment, DocumentPart, LocatedPassage, LocatedPassages, PassageSettings, PassageTotals,
};
use crate::problem::{Problem, Reason};
use crate::removal::{Removal, remaining_tokens};
use crate::shingle::{ShingleKind, Shingler, Tokens};
use crate::verify::DuplicatePair;

/// Takes pairs in document order and the passages of each, `None` where a document could not be read again; in batches.
pub type PassageSink<'a> =
    &'a mut (dyn FnMut(&Documents, &[DuplicatePair], &[Option<LocatedPassages>]) -> Result<()> + Send);

/// Most pairs of a round, so that their passages do not pile up.
const MOST_PAIRS: usize = 1024;

/// Most pairs that one thread takes at once. They have one first document, which is indexed once for them.
const PAIRS_AT_ONCE: usize = 16;

/// Finds the passages of duplicate pairs.
pub(crate) struct PassageSearch<'a> {
    documents: &'a Documents,
    reader: PositionedReader<'a>,
    /// Whether pairs match by their passages, and what is then removed from their tokens.
    matching: Option<Option<&'a Removal>>,
    tools: PerThread<(Shingler, Aligner)>,
    /// About how many bytes the tokens of a text take for each of its shingles.
    bytes_per_shingle: u64,
    most_bytes: u64,
    kept: HashMap<DocId, KeptTokens>,
    kept_bytes: u64,
    /// The number of the current round.
    round: u64,
    /// Of all pairs.
    seeds_capped: AtomicU64,
    most_tokens: usize,
    /// Documents of more tokens, with their number.
    too_long: Mutex<BTreeMap<DocId, usize>>,
}

/// A document in memory.
struct KeptTokens {
    /// `None` when it cannot be read as it was.
    document: Option<PositionedTokens>,
    num_bytes: u64,
    /// The last round that wanted it.
    wanted_in: u64,
}

/// The tokens of a document and where they come from.
struct PositionedTokens {
    tokens: Tokens,
    /// Without its text, which the tokens have.
    positions: PositionedText,
}

impl<'a> PassageSearch<'a> {
    pub(crate) fn new(
        corpus: CorpusSettings<'a>,
        settings: PassageSettings,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        let (threads, bytes) = (corpus.resources.threads.get(), corpus.memory().passages());
        let tools = || (corpus.shingler(), Aligner::with_memory(settings, bytes / 2 / threads as u64));
        Self {
            documents,
            reader: PositionedReader::new(corpus, documents, sources),
            matching: None,
            tools: PerThread::new(threads, tools),
            bytes_per_shingle: if corpus.shingles.kind() == ShingleKind::Char { 8 } else { 48 },
            most_bytes: bytes / 2,
            kept: HashMap::new(),
            kept_bytes: 0,
            round: 0,
            seeds_capped: AtomicU64::new(0),
            most_tokens: Aligner::MOST_TOKENS,
            too_long: Mutex::default(),
        }
    }

    /// The same for pairs that match by their passages: tokens of removed shingles are in no passage, and passages have totals.
    pub(crate) fn of_matches(self, removal: Option<&'a Removal>) -> Self {
        let bytes_per_shingle = if removal.is_some() { 48 } else { self.bytes_per_shingle };
        Self { matching: Some(removal), bytes_per_shingle, ..self }
    }

    /// Passes a batch of pairs on with their passages, in one part or several.
    ///
    /// # Errors
    /// When `sink` fails.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn pass_on(
        &mut self,
        pairs: &[DuplicatePair],
        mut sink: impl FnMut(&[DuplicatePair], &[Option<LocatedPassages>]) -> Result<()>,
    ) -> Result<()> {
        let mut rest = pairs;
        while !rest.is_empty() {
            let (len, missing) = self.begin_round(rest);
            let round = rest.split_off(..len).expect("a round is no longer than what is left");
            self.load(&missing);
            let same_first = round.chunk_by(|pair, next| pair.a == next.a);
            let chunks: Vec<_> = same_first.flat_map(|pairs| pairs.chunks(PAIRS_AT_ONCE)).collect();
            let passages: Vec<_> = chunks.par_iter().flat_map_iter(|pairs| self.passages_of(pairs)).collect();
            sink(round, &passages)?;
        }
        Ok(())
    }

    /// Adds what became of the pairs to the summary of their search: documents that could not be read again, which are also
    /// reported, or are too long, and what was not looked at.
    pub(crate) fn finish(self, summary: &mut SearchSummary, observer: &dyn Observer) {
        summary.seeds_capped = Some(self.seeds_capped.into_inner());
        let too_long = self.too_long.into_inner().expect("no holder panics").into_iter().map(|(document, num_tokens)| {
            let name = String::from_utf8_lossy(self.documents.name(document));
            let most = self.most_tokens;
            let detail =
                format!("has {num_tokens} tokens, and passages are found in {most} at most; its passages are missing, split it");
            Problem::error(name, Reason::TooLarge, detail)
        });
        for problem in self.reader.into_problems().into_iter().chain(too_long) {
            summary.problems.count(&problem);
            observer.problem(&problem);
        }
    }

    /// How many of these pairs have documents that fit the memory together, at least one; and those of the documents that
    /// are still to be loaded. Drops documents for which there is no room beside them.
    fn begin_round(&mut self, pairs: &[DuplicatePair]) -> (usize, Vec<DocId>) {
        self.round += 1;
        let (mut missing, mut wanted_bytes, mut missing_bytes) = (Vec::new(), 0, 0);
        // The documents that are wanted and not loaded; the others know it themselves.
        let mut seen = HashSet::new();
        let mut len = 0;
        for pair in &pairs[..pairs.len().min(MOST_PAIRS)] {
            let mut more_bytes = 0;
            let new = [pair.a, pair.b].map(|document| match self.kept.get(&document) {
                Some(kept) => {
                    more_bytes += if kept.wanted_in == self.round { 0 } else { kept.num_bytes };
                    false
                }
                None => {
                    let is_new = !seen.contains(&document);
                    more_bytes += if is_new { self.estimated_bytes(document) } else { 0 };
                    is_new
                }
            });
            if len > 0 && wanted_bytes + more_bytes > self.most_bytes {
                break;
            }
            wanted_bytes += more_bytes;
            len += 1;
            for (document, is_new) in [pair.a, pair.b].into_iter().zip(new) {
                if let Some(kept) = self.kept.get_mut(&document) {
                    kept.wanted_in = self.round;
                } else if is_new && seen.insert(document) {
                    missing_bytes += self.estimated_bytes(document);
                    missing.push(document);
                }
            }
        }
        if self.kept_bytes + missing_bytes > self.most_bytes {
            self.make_room(missing_bytes);
        }
        (len, missing)
    }

    /// Drops documents that this round does not want, those wanted longest ago first, until so many bytes fit.
    fn make_room(&mut self, num_bytes: u64) {
        let mut idle: Vec<(u64, DocId)> =
            self.kept.iter().map(|(&document, kept)| (kept.wanted_in, document)).collect();
        idle.retain(|&(wanted_in, _)| wanted_in < self.round);
        idle.sort_unstable();
        for (_, document) in idle {
            if self.kept_bytes + num_bytes <= self.most_bytes {
                return;
            }
            let dropped = self.kept.remove(&document).expect("it is kept");
            self.kept_bytes -= dropped.num_bytes;
        }
    }

    fn estimated_bytes(&self, document: DocId) -> u64 {
        self.bytes_per_shingle * (u64::from(self.documents.num_shingles(document)) + 64)
    }

    fn load(&mut self, documents: &[DocId]) {
        let loaded: Vec<_> = documents.par_iter().with_max_len(1).map(|&document| self.read(document)).collect();
        for (&id, document) in documents.iter().zip(loaded) {
            let num_bytes = document.as_ref().map_or(0, PositionedTokens::num_bytes) + size_of::<KeptTokens>() as u64;
            self.kept_bytes += num_bytes;
            self.kept.insert(id, KeptTokens { document, num_bytes, wanted_in: self.round });
        }
    }

    fn read(&self, document: DocId) -> Option<PositionedTokens> {
        let mut positions = self.reader.read(document)?;
        let text = std::mem::take(&mut positions.text);
        let tokens = remaining_tokens(&mut self.tools.get().0, self.matching.flatten(), text);
        if tokens.len() > self.most_tokens {
            self.too_long.lock().expect("no holder panics").insert(document, tokens.len());
            return None;
        }
        Some(PositionedTokens { tokens, positions })
    }

    /// The passages of pairs that have one first document.
    fn passages_of(&self, pairs: &[DuplicatePair]) -> Vec<Option<LocatedPassages>> {
        let document = |document| self.kept[&document].document.as_ref();
        let Some(a) = document(pairs[0].a) else { return vec![None; pairs.len()] };
        let others: Vec<_> = pairs.iter().map(|pair| document(pair.b)).collect();
        let alignments = self.tools.get().1.align_each(&a.tokens, others.iter().flatten().map(|b| &b.tokens));
        let mut alignments = alignments.iter();
        let located = others.iter().map(|b| Some(self.located(a, (*b)?, alignments.next()?)));
        located.collect()
    }

    fn located(&self, a: &PositionedTokens, b: &PositionedTokens, alignment: &Alignment) -> LocatedPassages {
        self.seeds_capped.fetch_add(alignment.seeds_capped.iter().sum(), Ordering::Relaxed);
        let passages = alignment.passages.iter().map(|passage| LocatedPassage {
            a: a.part(passage.a.clone()),
            b: b.part(passage.b.clone()),
            matched: passage.matched as u64,
            exact: passage.is_exact,
        });
        LocatedPassages {
            coverage_a: alignment.coverage_a(),
            coverage_b: alignment.coverage_b(),
            totals: self
                .matching
                .map(|_| PassageTotals { matched: alignment.matched() as u64, longest: alignment.longest as u64 }),
            passages: passages.collect(),
        }
    }
}

impl PositionedTokens {
    /// Where some tokens are in the original.
    fn part(&self, tokens: Range<usize>) -> DocumentPart {
        let original = self.positions.original(self.tokens.bytes_of(tokens));
        let bytes = [original.bytes.start as u64, original.bytes.end as u64];
        DocumentPart { lines: original.lines, bytes, of: self.positions.of }
    }

    fn num_bytes(&self) -> u64 {
        (self.tokens.num_bytes() + self.positions.map.num_bytes() + self.positions.lines.num_bytes()) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::input::InputSettings;
    use crate::memory::Resources;
    use crate::observe::Unwatched;
    use crate::pairs::PairSettings;
    use crate::run::{Settings, find_passages};
    use crate::shingle::ShingleSettings;
    use crate::verify::Threshold;

    #[derive(Default)]
    struct Problems(Mutex<Vec<String>>);
    impl Observer for Problems {
        fn problem(&self, problem: &Problem) {
            self.0.lock().unwrap().push(problem.to_string());
        }
    }

    type PairsAndPassages = Vec<(DuplicatePair, Option<LocatedPassages>)>;

    /// 8 texts of twelve blocks of 50 words, three times each. Every text has three blocks of its own.
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
            banding: crate::Banding::new(100, 2).unwrap(),
            shingles: ShingleSettings::new(ShingleKind::Word),
            resources: Resources { memory_bytes, threads: threads.try_into().unwrap() },
            ..Settings::of(InputSettings::of(vec![folder.into()]))
        };
        let mut found = Vec::new();
        let words = PassageSettings::of(ShingleKind::Word).unwrap();
        let summary = find_passages(&settings, words, observer, &mut |_, pairs, passages| {
            assert_eq!(pairs.len(), passages.len());
            found.extend(pairs.iter().copied().zip(passages.iter().cloned()));
            look(pairs);
            Ok(())
        });
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
        // Rounds are of one pair here, and all pairs were verified before the first of them left.
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
        let read = crate::corpus::read(settings.corpus(), &sources, &Unwatched, &pool, false).unwrap();
        let words = PassageSettings::new(5, 5, 10).unwrap();
        let mut search = PassageSearch::new(settings.corpus(), words, &read.corpus.documents, &sources);
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
        };
        let pairs =
            [(0, 1), (0, 2), (1, 2)].map(|(a, b)| DuplicatePair { a: DocId::new(a), b: DocId::new(b), ..numbers });
        let mut found = Vec::new();
        let passed = pool.install(|| {
            search.pass_on(&pairs, |_, passages| {
                found.extend(passages.iter().map(|passages| Some(passages.as_ref()?.coverage_a)));
                Ok(())
            })
        });
        assert_eq!((passed.is_ok(), found), (true, vec![Some(6.0 / 7.0), None, None]));
        let problems = Problems::default();
        search.finish(&mut SearchSummary::default(), &problems);
        let line = format!(
            "{}: has 8 tokens, and passages are found in 7 at most; its passages are missing, split it",
            folder.path().join("c").display()
        );
        assert_eq!(problems.0.into_inner().unwrap(), [line]);
    }
}
