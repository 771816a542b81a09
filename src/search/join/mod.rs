//! The exhaustive join finds all pairs of texts that may reach the threshold; none of them is missing.
//!
//! ```text
//! texts -frequencies-> an order of all shingles -prefixes-> rare shingles -storage-> the texts of each
//!       -sizes, positions-> pairs -sketches-> candidate pairs
//! ```
//!
//! Two texts at the threshold share one of their rarest shingles (MMDS 3.9; [`prefix`]). So each text is paired only
//! with texts that share such a shingle and have a suitable size ([`lists`]), and small sketches of both texts rule out
//! most of these pairs ([`sketches`]). The remaining pairs are the candidates, which are verified like those of a
//! bucket table. No step depends on chance. Shingles and pairs are sorted in [`storage`](crate::base::storage), on disk if
//! necessary, so memory is bounded. Exact copies count as one text.

mod frequencies;
mod lists;
mod shingle_parts;
mod posting;
mod prefix;
mod sketches;
mod summary;
mod texts;

use rayon::prelude::*;

use self::frequencies::Frequencies;
use self::lists::{PrefixLists, ShingleLists};
use self::posting::PrefixPosting;
use self::prefix::{PrefixFinder, prefix_len};
use self::shingle_parts::ShingleParts;
use self::sketches::{SketchSizes, Sketches};
pub use self::summary::JoinSummary;
use self::texts::RankedTexts;
use crate::base::error::{Error, Result};
use crate::base::flat::spread::SpreadMap;
use crate::base::observe::{Observer, Stage};
use crate::base::problem::Problem;
use crate::base::storage::{RecordSorter, SortedRecords};
use crate::compare::verify::{Threshold, add_to_odd_sketch};
use crate::documents::document::{DocId, DocSet, Documents};
use crate::documents::input::Sources;
use crate::search::corpus::{ReadCorpus, Rereader, StageSettings, Tools};
use crate::sign::banding::{ListedCandidates, TextPair, text_pair_sorter};

/// Texts in a thread's unit of work.
const TEXTS: usize = 64;
/// Rare shingles that a thread collects before it hands them to the sorter.
const POSTINGS: usize = 1 << 14;
/// Bytes per shingle in the set of a sample's shingles.
const SAMPLED_BYTES: u64 = 32;

/// Finds the pairs of texts that may reach a threshold.
pub(crate) struct JoinSearch<'a> {
    observer: &'a dyn Observer,
    corpus: StageSettings<'a>,
    threshold: Threshold,
    documents: &'a Documents,
    sources: &'a Sources,
    rereader: Rereader<'a>,
}

/// The candidate pairs of a join.
pub(crate) struct JoinResult {
    pub(crate) candidates: ListedCandidates,
    pub(crate) summary: JoinSummary,
    /// Bytes of the tables that grow with the number of texts, whatever the memory limit.
    pub(crate) table_bytes: usize,
    /// Documents that could not be read again.
    pub(crate) problems: Vec<Problem>,
}

/// The texts by size and the frequencies of their shingles, from the first reading.
struct CountedTexts {
    texts: RankedTexts,
    frequencies: Frequencies,
}

/// The rare shingles and the sketches of all texts.
struct Prefixes {
    postings: SortedRecords<PrefixPosting>,
    num_postings: u64,
    sketches: Sketches,
}

impl<'a> JoinSearch<'a> {
    /// * `threshold`: above 0.
    pub(crate) fn new(corpus: ReadCorpus<'a>, threshold: Threshold) -> Self {
        let ReadCorpus { observer, settings, documents, sources, .. } = corpus;
        Self { observer, corpus: settings, threshold, documents, sources, rereader: corpus.rereader() }
    }

    /// Finds the candidate pairs, in the thread pool of the run.
    ///
    /// * `sample`: restricts the result to pairs with at least one of these texts.
    ///
    /// # Errors
    /// When memory is too small, or the run was cancelled.
    pub(crate) fn run(self, sample: Option<&DocSet>) -> Result<JoinResult> {
        self.observer.begin(Stage::Count);
        let CountedTexts { texts, frequencies } = self.count()?;
        self.observer.begin(Stage::Index);
        // A comparison of two sides needs only the shingles of the side with fewer texts.
        let side = if sample.is_none() { self.smaller_side() } else { None };
        let sample = sample.or(side.as_ref());
        let sampled = sample.map(|sample| self.sampled_shingles(&texts, &frequencies, sample)).transpose()?.flatten();
        let prefixes = self.prefixes(&texts, &frequencies, sampled.as_ref())?;
        drop(frequencies);
        self.observer.begin(Stage::Join);
        let (pairs, num_checks) = self.pairs(&texts, &prefixes, sample)?;
        let table_bytes = texts.num_bytes();
        let summary = JoinSummary { postings: prefixes.num_postings, checks: num_checks };
        drop((texts, prefixes));
        let memory_bytes = self.corpus.memory().joined_candidates();
        let candidates = ListedCandidates::of_ascending(self.documents.len(), memory_bytes, |add| {
            let partitions = 0..pairs.num_partitions();
            partitions.into_iter().try_for_each(|of| pairs.for_each(of, 1, |pair: TextPair| add(pair.a, pair.b)))
        })?;
        Ok(JoinResult { candidates, summary, table_bytes, problems: self.rereader.into_problems() })
    }

    /// The texts of the side that has fewer of them; `None` without sides.
    fn smaller_side(&self) -> Option<DocSet> {
        let (documents, scope) = (self.documents, self.documents.scope());
        let texts = |side| {
            let all = (0..documents.len()).map(DocId::new);
            all.filter(move |&document| documents.is_first(document) && scope.side(document) == Some(side))
        };
        if documents.is_empty() || scope.side(DocId::new(0)).is_none() {
            return None;
        }
        let smaller = if texts(0).count() <= texts(1).count() { 0 } else { 1 };
        let mut side = DocSet::new(documents.len());
        texts(smaller).for_each(|document| side.insert(document));
        Some(side)
    }

    /// Reads the texts again, and counts the texts that contain each shingle.
    fn count(&self) -> Result<CountedTexts> {
        let Self { documents, corpus, .. } = self;
        let firsts: Vec<DocId> =
            (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document)).collect();
        let num_shingles = firsts.iter().map(|&first| u64::from(documents.num_shingles(first))).sum();
        let frequencies = Frequencies::new(num_shingles, corpus.memory().document_frequencies())?;
        self.observer.total(firsts.len() as u64);
        let count = |firsts: &[DocId]| {
            let size = |&first: &DocId| {
                let size = self.rereader.read_again(first, &mut |text, tools| {
                    let (mut num_shingles, mut weight) = (0, 0);
                    self.parts(first, text, tools).for_each(|hashes, weights| {
                        frequencies.add(hashes);
                        num_shingles += hashes.len() as u64;
                        weight += weights.iter().map(|&weight| u64::from(weight)).sum::<u64>();
                    });
                    if weight > 0 { weight } else { num_shingles }
                });
                size.filter(|&size| size > 0).map(|size| (size, first))
            };
            self.check_cancelled()?;
            let sizes: Vec<(u64, DocId)> = firsts.iter().filter_map(size).collect();
            self.observer.advance(firsts.len() as u64, firsts.len() as u64, 0);
            Ok(sizes)
        };
        let sizes: Vec<Vec<(u64, DocId)>> = firsts.par_chunks(TEXTS).map(count).collect::<Result<_>>()?;
        Ok(CountedTexts { texts: RankedTexts::new(&sizes.concat()), frequencies })
    }

    /// Reads the texts of a sample and returns the shingles of their prefixes; other shingles cannot make a wanted
    /// pair. `None` when they do not fit the memory.
    fn sampled_shingles(
        &self,
        texts: &RankedTexts,
        frequencies: &Frequencies,
        sample: &DocSet,
    ) -> Result<Option<SpreadMap<()>>> {
        let sampled: Vec<u32> = (0..texts.len() as u32).filter(|&rank| sample.contains(texts.document(rank))).collect();
        // A prefix has no more shingles than its text, and most have far fewer.
        let num_shingles: u64 = sampled.iter().map(|&rank| self.prefix_shingles(texts, rank)).sum();
        if num_shingles * SAMPLED_BYTES > self.corpus.memory().prefix_lists() {
            return Ok(None);
        }
        let read = |finder: &mut PrefixFinder, &rank: &u32| {
            self.check_cancelled()?;
            let (document, size, mut shingles) = (texts.document(rank), texts.size(rank), Vec::new());
            let _unreadable = self.rereader.read_again(document, &mut |text, tools| {
                let mut parts = self.parts(document, text, tools);
                finder.find_in(&mut parts, size, frequencies, self.threshold, |_| (), |hash, _| shingles.push(hash));
            });
            Ok(shingles)
        };
        let shingles: Vec<Vec<u64>> =
            sampled.par_iter().map_init(PrefixFinder::default, read).collect::<Result<_>>()?;
        Ok(Some(shingles.into_iter().flatten().map(|hash| (hash, ())).collect()))
    }

    /// The approximate number of shingles in the prefix of a text, or more.
    fn prefix_shingles(&self, texts: &RankedTexts, rank: u32) -> u64 {
        match self.corpus.weights {
            Some(_) => self.documents.num_shingles(texts.document(rank)).into(),
            None => prefix_len(texts.size(rank), self.threshold),
        }
    }

    /// Reads the texts once more, and makes their prefixes and sketches.
    ///
    /// * `wanted`: the only shingles to keep, if given.
    fn prefixes(
        &self,
        texts: &RankedTexts,
        frequencies: &Frequencies,
        wanted: Option<&SpreadMap<()>>,
    ) -> Result<Prefixes> {
        let Self { documents, corpus, threshold, .. } = self;
        let (memory, num_threads) = (corpus.memory(), corpus.resources.threads.get());
        let coarse_bits = texts.coarse_bits();
        let sizes = SketchSizes::new(texts, *threshold, memory.join_sketches(), corpus.weights.is_some());
        let sorter = RecordSorter::new("the rare shingles of texts", u64::MAX, memory.prefixes(), num_threads);
        let scope = documents.scope();
        self.observer.total(texts.len() as u64);
        let read = |(finder, postings): &mut (PrefixFinder, Vec<PrefixPosting>), ranks: &[u32]| {
            self.check_cancelled()?;
            let (mut sketches, mut num_postings, mut pushed) = (Vec::new(), 0, Ok(()));
            for &rank in ranks {
                let (first, size) = (texts.document(rank), texts.size(rank));
                let salt = scope.salt(first);
                let start = sketches.len();
                // The sketch stays empty when the text cannot be read, and is then never used.
                sketches.resize(start + sizes.num_words(size), 0);
                let _unreadable = self.rereader.read_again(first, &mut |text, tools| {
                    let mut parts = self.parts(first, text, tools);
                    let sketch = |hashes: &[u64]| add_to_odd_sketch(hashes, &mut sketches[start..]);
                    finder.find_in(&mut parts, size, frequencies, *threshold, sketch, |hash, rest| {
                        if wanted.is_none_or(|wanted| wanted.contains_key(&hash)) {
                            postings.push(PrefixPosting::new(hash ^ salt, rank, rest, coarse_bits));
                            num_postings += 1;
                        }
                        if postings.len() >= POSTINGS && pushed.is_ok() {
                            pushed = sorter.push(postings.drain(..));
                        }
                    });
                });
                std::mem::replace(&mut pushed, Ok(()))?;
            }
            self.observer.advance(ranks.len() as u64, ranks.len() as u64, 0);
            sorter.push(postings.drain(..))?;
            Ok((num_postings, sketches))
        };
        let tools = || (PrefixFinder::default(), Vec::new());
        let parts: Vec<(u64, Vec<u64>)> = texts
            .in_document_order()
            .par_chunks(TEXTS)
            .map_init(tools, |tools, ranks| read(tools, ranks))
            .collect::<Result<_>>()?;
        let num_postings = parts.iter().map(|&(num_postings, _)| num_postings).sum();
        let sketches = Sketches::new(texts, sizes, parts.into_iter().map(|(_, sketches)| sketches))?;
        Ok(Prefixes { postings: sorter.finish(), num_postings, sketches })
    }

    /// The pairs of texts that share a rare shingle and may reach the threshold, and the number of checks.
    fn pairs(
        &self,
        texts: &RankedTexts,
        prefixes: &Prefixes,
        sample: Option<&DocSet>,
    ) -> Result<(SortedRecords<TextPair>, u64)> {
        let Self { documents, corpus, threshold, .. } = self;
        let (memory, num_threads) = (corpus.memory(), corpus.resources.threads.get());
        let Prefixes { postings, sketches, .. } = prefixes;
        let scope = documents.scope();
        let sorter = text_pair_sorter(documents.len(), memory.joined_pairs(), num_threads);
        let most = (memory.prefix_lists() / ShingleLists::POSTING_BYTES as u64).min(PrefixLists::MOST as u64);
        let (mut start, mut num_checks, mut is_forecast) = (0, 0, false);
        self.observer.total((texts.len() * postings.num_partitions()) as u64);
        while start < postings.num_partitions() {
            let partitions = postings.partitions_of(start, usize::try_from(most).unwrap_or(usize::MAX));
            start = partitions.end;
            let num_partitions = partitions.len();
            let lists = |partition| self.lists(texts, postings, partition);
            let parts = partitions.into_par_iter().with_max_len(1).map(lists).collect::<Result<Vec<_>>>()?;
            let lists = PrefixLists::new(&parts, texts.len());
            drop(parts);
            num_checks += lists.num_checks;
            if !std::mem::replace(&mut is_forecast, true) {
                // The partitions divide the range of hashes evenly, so they need about the same number of checks.
                let all = num_checks / start as u64 * postings.num_partitions() as u64;
                self.observer.join_forecast(prefixes.num_postings, all);
            }
            lists.for_each_text(|text, others| {
                if text % TEXTS as u32 == 0 {
                    self.check_cancelled()?;
                    self.observer.advance((TEXTS * num_partitions) as u64, TEXTS as u64, 0);
                }
                let (own, first) = (sketches.outline(texts, text), texts.document(text));
                let all_wanted = sample.is_none_or(|sample| sample.contains(first));
                let is_wanted = |other| all_wanted || sample.is_some_and(|sample| sample.contains(other));
                let pairs = others.iter().filter_map(|&other| {
                    let document = texts.document(other);
                    let may_pair = is_wanted(document)
                        && scope.may_pair(first, document)
                        && !own.rules_out(&sketches.outline(texts, other), *threshold);
                    may_pair.then(|| TextPair::of(first, document))
                });
                sorter.push(pairs)
            })?;
        }
        Ok((sorter.finish(), num_checks))
    }

    /// Makes the lists of the shingles in a partition.
    fn lists(
        &self,
        texts: &RankedTexts,
        postings: &SortedRecords<PrefixPosting>,
        partition: usize,
    ) -> Result<ShingleLists> {
        self.check_cancelled()?;
        let num_threads = self.corpus.resources.threads.get();
        let mut lists = ShingleLists::default();
        postings.for_each_group(partition, num_threads, PrefixPosting::hash, |of_shingle| {
            if of_shingle.len() > 1 {
                lists.push(of_shingle, texts, self.threshold);
            }
            Ok(())
        })?;
        Ok(lists)
    }

    /// The distinct shingles of a text.
    fn parts<'t, 'r>(&self, first: DocId, text: &'t [u8], tools: &'t mut Tools<'r>) -> ShingleParts<'t, 'r> {
        let (memory, num_threads) = (self.corpus.memory(), self.corpus.resources.threads.get());
        // The threads together hold as many shingles as the largest set that is kept in memory whole.
        let (num_bytes, most) =
            (memory.joined_texts() / num_threads as u64, (memory.all() >> 4) as usize / num_threads);
        ShingleParts::new(text, tools, self.documents.num_shingles(first), num_bytes, most)
    }

    fn check_cancelled(&self) -> Result<()> {
        if self.sources.has_failed() { Err(Error::Cancelled) } else { Ok(()) }
    }
}
