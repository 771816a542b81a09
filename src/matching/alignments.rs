//! `Alignments`: candidate pairs in document order in, those that match out.
//!
//! A block is as many pairs as have first texts that fit a share of the memory. Their other texts are taken tile by tile: each
//! is read once for a block, however many texts of the block it is paired with.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::candidates::{TextPair, pair_sorter};
use super::settings::MatchSettings;
use super::summary::NamedDocuments;
use crate::banding::ListedCandidates;
use crate::corpus::{CorpusSettings, Rereader};
use crate::document::{DocId, DocSet, Documents};
use crate::error::{Error, Result};
use crate::flat::per_thread::PerThread;
use crate::input::Sources;
use crate::observe::Observer;
use crate::passages::{Aligner, MostMatched, RunFilter, run_hashes};
use crate::problem::Problem;
use crate::removal::{Removal, remaining_tokens};
use crate::shingle::Tokens;
use crate::storage::{RecordSorter, SortedRecords};

/// Most pairs of a block.
const BLOCK_PAIRS: usize = 1 << 18;
/// Most pairs that one thread takes at once. They have one first text, which is indexed once for them.
const PAIRS_AT_ONCE: usize = 256;

/// Aligns pairs of texts.
pub(super) struct Alignments<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    sources: &'a Sources,
    settings: MatchSettings,
    removal: Option<&'a Removal>,
    rereader: Rereader<'a>,
    tools: PerThread<(RunFilter, Aligner)>,
    /// About how many bytes the tokens of a text and their hashes take for each of its shingles.
    bytes_per_shingle: u64,
    /// Of the texts of either side of a block.
    side_bytes: u64,
    matched: RecordSorter<TextPair>,
    aligned: AtomicU64,
    seeds_capped: AtomicU64,
    capped: Mutex<DocSet>,
}

/// What matches.
pub(super) struct Matched {
    pub(super) candidates: ListedCandidates,
    pub(super) aligned: u64,
    /// Places of shared runs that were not looked at, in all pairs.
    pub(super) seeds_capped: u64,
    pub(super) seeds_capped_in: NamedDocuments,
    /// Documents that could not be read again.
    pub(super) problems: Vec<Problem>,
}

/// A text in memory.
struct LoadedText {
    tokens: Tokens,
    /// Of all its runs of `min_run` tokens.
    hashes: Vec<u32>,
}

/// Some texts; `None` for one that could not be read again.
type LoadedTexts = HashMap<DocId, Option<LoadedText>>;

impl<'a> Alignments<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        corpus: CorpusSettings<'a>,
        settings: MatchSettings,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        let (threads, memory) = (corpus.resources.threads.get(), corpus.memory());
        let tools =
            || (RunFilter::default(), Aligner::with_memory(settings.passages, memory.aligners() / threads as u64));
        Self {
            observer,
            documents,
            sources,
            settings,
            removal,
            rereader: Rereader::new(observer, corpus, removal, documents, sources),
            tools: PerThread::new(threads, tools),
            bytes_per_shingle: corpus.shingles.token_bytes(removal.is_some()) + size_of::<u32>() as u64,
            side_bytes: memory.aligned_texts() / 2,
            matched: pair_sorter(documents.len(), memory.matched_pairs(), threads),
            aligned: AtomicU64::new(0),
            seeds_capped: AtomicU64::new(0),
            capped: Mutex::new(DocSet::new(documents.len())),
        }
    }

    /// Aligns all pairs; in the thread pool of the run.
    ///
    /// # Errors
    /// When the pairs cannot be read or kept, or the run was cancelled.
    pub(super) fn run(self, pairs: &SortedRecords<TextPair>) -> Result<Matched> {
        self.observer.total(self.documents.len() as u64);
        let (mut block, mut num_bytes, mut done) = (Vec::new(), 0, 0);
        let mut first = None;
        for partition in 0..pairs.num_partitions() {
            pairs.for_each(partition, 1, |pair: TextPair| {
                if first != Some(pair.a) {
                    first = Some(pair.a);
                    num_bytes += self.estimated_bytes(pair.a);
                }
                if block.len() == BLOCK_PAIRS || num_bytes > self.side_bytes && !block.is_empty() {
                    self.align(&block)?;
                    let behind = pair.a.index() - done;
                    self.observer.advance(behind as u64, behind as u64, 0);
                    (num_bytes, done) = (self.estimated_bytes(pair.a), pair.a.index());
                    block.clear();
                }
                block.push(pair);
                Ok(())
            })?;
        }
        self.align(&block)?;
        let matched = self.matched.finish();
        let candidates = ListedCandidates::of_ascending(self.documents.len(), |add| {
            (0..matched.num_partitions()).try_for_each(|partition| {
                matched.for_each(partition, 1, |pair: TextPair| {
                    add(pair.a, pair.b);
                    Ok(())
                })
            })
        })?;
        let capped = self.capped.into_inner().expect("no holder panics");
        Ok(Matched {
            candidates,
            aligned: self.aligned.into_inner(),
            seeds_capped: self.seeds_capped.into_inner(),
            seeds_capped_in: NamedDocuments::new(self.documents, &capped),
            problems: self.rereader.into_problems(),
        })
    }

    fn estimated_bytes(&self, document: DocId) -> u64 {
        self.bytes_per_shingle * (u64::from(self.documents.num_shingles(document)) + 64)
    }

    /// Aligns the pairs of a block.
    fn align(&self, block: &[TextPair]) -> Result<()> {
        let mut firsts: Vec<DocId> = block.iter().map(|pair| pair.a).collect();
        firsts.dedup();
        let own = self.load(&firsts)?;
        let mut others: Vec<DocId> = block.iter().map(|pair| pair.b).collect();
        others.par_sort_unstable();
        others.dedup();
        let mut rest = others.as_slice();
        while !rest.is_empty() {
            let mut num_bytes = 0;
            let fits = |other: &&DocId| {
                num_bytes += if own.contains_key(other) { 0 } else { self.estimated_bytes(**other) };
                num_bytes <= self.side_bytes
            };
            let len = rest.iter().take_while(fits).count().clamp(1, rest.len());
            let tile = rest.split_off(..len).expect("a tile is no longer than what is left");
            let missing: Vec<DocId> = tile.iter().copied().filter(|other| !own.contains_key(other)).collect();
            let loaded = self.load(&missing)?;
            let within = |pairs: &'_ [TextPair]| {
                let start = pairs.partition_point(|pair| pair.b < tile[0]);
                let end = pairs.partition_point(|pair| pair.b <= tile[tile.len() - 1]);
                start..end
            };
            let in_tile = block.chunk_by(|pair, next| pair.a == next.a).flat_map(|pairs| &pairs[within(pairs)]);
            let texts = TextsOf { own: &own, loaded: &loaded };
            let left = self.filter(in_tile.copied().collect(), texts);
            let same_first = left.chunk_by(|pair, next| pair.a == next.a);
            let tasks: Vec<&[TextPair]> = same_first.flat_map(|pairs| pairs.chunks(PAIRS_AT_ONCE)).collect();
            tasks.par_iter().with_max_len(4).try_for_each(|pairs| self.align_with_first(pairs, texts))?;
        }
        Ok(())
    }

    fn load(&self, documents: &[DocId]) -> Result<LoadedTexts> {
        if self.sources.has_failed() {
            return Err(Error::Cancelled);
        }
        let read = |&document: &DocId| {
            let tokens = self.rereader.read_again(document, &mut |text, tools| {
                let tokens = remaining_tokens(&mut tools.shingler, self.removal, text.to_vec());
                LoadedText { hashes: run_hashes(&tokens, self.settings.passages.min_run()), tokens }
            });
            (document, tokens)
        };
        Ok(documents.par_iter().with_max_len(16).map(read).collect())
    }

    /// The pairs that may be reported, in their order. Each is decided by going through its shorter text.
    fn filter(&self, pairs: Vec<TextPair>, texts: TextsOf<'_>) -> Vec<TextPair> {
        let longer_first = |pair: TextPair| {
            let (a, b) = (texts.get(pair.a)?, texts.get(pair.b)?);
            Some(if a.hashes.len() >= b.hashes.len() { (pair.a, pair.b) } else { (pair.b, pair.a) })
        };
        let mut by_longer: Vec<(DocId, DocId)> = pairs.par_iter().filter_map(|&pair| longer_first(pair)).collect();
        self.aligned.fetch_add(by_longer.len() as u64, Ordering::Relaxed);
        by_longer.par_sort_unstable();
        let same_longer: Vec<_> = by_longer.chunk_by(|pair, next| pair.0 == next.0).collect();
        let left = |pairs: &&[(DocId, DocId)]| -> Vec<TextPair> {
            let longer = texts.get(pairs[0].0).expect("it was there");
            let mut tools = self.tools.get();
            let filter = &mut tools.0;
            filter.index(&longer.hashes);
            let may_match =
                |shorter: &DocId| self.may_match(filter, longer, texts.get(*shorter).expect("it was there"));
            let left = pairs.iter().filter(|(_, shorter)| may_match(shorter));
            left.map(|&(longer, shorter)| TextPair { a: longer.min(shorter), b: longer.max(shorter) }).collect()
        };
        let mut left: Vec<TextPair> = same_longer.par_iter().with_max_len(16).flat_map_iter(left).collect();
        left.par_sort_unstable();
        left
    }

    /// Whether two texts may be reported, by the runs of tokens that they share at most.
    ///
    /// * `filter`: has the hashes of the longer one.
    fn may_match(&self, filter: &RunFilter, longer: &LoadedText, shorter: &LoadedText) -> bool {
        let MostMatched { tokens, longest } = filter.most_matched(&shorter.hashes, self.settings.passages.min_run());
        let (len, len_shorter) = (longer.tokens.len(), shorter.tokens.len() as u64);
        // Texts that are shorter than a run have no hash.
        let may_be_equal = len as u64 == len_shorter && (shorter.hashes.is_empty() || tokens == len_shorter);
        let anchor = self.settings.passages.anchor() + 1 - self.settings.passages.min_run();
        may_be_equal || longest >= anchor && self.settings.is_enough(tokens, len_shorter)
    }

    /// Aligns pairs that have one first text.
    fn align_with_first(&self, pairs: &[TextPair], texts: TextsOf<'_>) -> Result<()> {
        let text = |document| &texts.get(document).expect("texts that are not there have no pairs left").tokens;
        let settings = &self.settings;
        let others = pairs.iter().map(|pair| text(pair.b));
        let can_be_enough = |matched, shorter| settings.is_enough(matched, shorter);
        let alignments = self.tools.get().1.align_each_if(text(pairs[0].a), others, can_be_enough);
        let mut matched = Vec::new();
        for (pair, alignment) in pairs.iter().zip(&alignments) {
            if settings.is_reported(alignment) {
                matched.push(*pair);
            }
            for (document, num_capped) in [pair.a, pair.b].into_iter().zip(alignment.seeds_capped) {
                if num_capped > 0 {
                    self.seeds_capped.fetch_add(num_capped, Ordering::Relaxed);
                    self.capped.lock().expect("no holder panics").insert(document);
                }
            }
        }
        self.matched.push(matched)
    }
}

/// The texts of a block and of a tile.
#[derive(Clone, Copy)]
struct TextsOf<'t> {
    own: &'t LoadedTexts,
    loaded: &'t LoadedTexts,
}

impl<'t> TextsOf<'t> {
    /// A text that could be read and is not too long to be aligned.
    fn get(self, document: DocId) -> Option<&'t LoadedText> {
        let text = self.own.get(&document).or_else(|| self.loaded.get(&document)).and_then(Option::as_ref);
        text.filter(|text| text.tokens.len() <= Aligner::MOST_TOKENS)
    }
}
