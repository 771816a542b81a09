//! `PairAligner`: aligns candidate pairs in document order, and keeps the pairs that match.
//!
//! Pairs are aligned in blocks. A block has as many pairs as have first texts that fit a share of the memory. The other
//! texts of its pairs are loaded in tiles, so each is read once for a block, however many texts of the block it is
//! paired with.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::filter::{MatchFilter, NumberedPair};
use super::hash_lists::TextHashes;
use super::kept_alignments::{AlignmentKeeper, KeptAlignments};
use super::loaded_text::LoadedText;
use super::settings::MatchSettings;
use super::summary::NamedDocuments;
use crate::base::error::{Error, Result};
use crate::base::flat::per_thread::PerThread;
use crate::base::problem::Problem;
use crate::base::storage::{RecordSorter, SortedRecords};
use crate::compare::passages::Aligner;
use crate::documents::document::{DocId, DocSet};
use crate::search::corpus::{ReadCorpus, Rereader};
use crate::sign::banding::{ListedCandidates, TextPair, text_pair_sorter};
use crate::text::removal::remaining_tokens;

/// Bytes of the hash of a token run, and of its position in the lists of all hashes while these are made.
const HASH_BYTES: u64 = 4 + 16;
/// Bytes of a pair in a block, with the structures made from it.
const PAIR_BYTES: u64 = 64;
/// The minimum and the maximum number of pairs in a block. Each block loads its texts again.
const BLOCK_PAIRS: RangeInclusive<u64> = 1 << 16..=1 << 22;
/// The maximum number of pairs in one task of a thread. They share their longer text, which is indexed once for them.
const PAIRS_AT_ONCE: usize = 256;

/// Aligns pairs of texts.
pub(super) struct PairAligner<'a> {
    corpus: ReadCorpus<'a>,
    settings: MatchSettings,
    rereader: Rereader<'a>,
    /// All texts, if they are in memory.
    all: Option<&'a HashMap<DocId, Arc<LoadedText>>>,
    filter: MatchFilter,
    aligners: PerThread<Aligner>,
    limits: BlockLimits,
    matched: RecordSorter<TextPair>,
    kept: AlignmentKeeper,
    aligned: AtomicU64,
    seeds_capped: AtomicU64,
    capped: Mutex<DocSet>,
}

/// The sizes of blocks and tiles.
struct BlockLimits {
    /// The approximate number of bytes of a text's tokens and hashes for each of its shingles.
    bytes_per_shingle: u64,
    /// The maximum bytes of the first texts of a block, and of the texts of a tile.
    side_bytes: u64,
    /// The maximum number of pairs in a block.
    block_pairs: usize,
}

/// The pairs that match, and the limits of the search.
pub(super) struct Matched {
    pub(super) candidates: ListedCandidates,
    pub(super) alignments: KeptAlignments,
    pub(super) aligned: u64,
    /// The number of positions of shared token runs that were skipped, in all pairs.
    pub(super) seeds_capped: u64,
    pub(super) seeds_capped_in: NamedDocuments,
    /// The documents that could not be read again.
    pub(super) problems: Vec<Problem>,
}

/// A pair of texts by length. The cost to index a text grows with its length, and so does the cost to search an index
/// for it. So the longer text is indexed, once for many shorter ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PairBySize {
    longer: DocId,
    shorter: DocId,
}

/// Some texts, ascending; `None` for a text that could not be read again.
struct LoadedTexts {
    documents: Vec<DocId>,
    texts: Vec<Option<Arc<LoadedText>>>,
}

impl<'a> PairAligner<'a> {
    pub(super) fn new(
        corpus: ReadCorpus<'a>,
        settings: MatchSettings,
        all: Option<&'a HashMap<DocId, Arc<LoadedText>>>,
    ) -> Self {
        let (threads, memory) = (corpus.threads(), corpus.memory());
        let aligner = || Aligner::with_memory(settings.passages, memory.aligners() / threads as u64);
        Self {
            corpus,
            settings,
            rereader: corpus.rereader(),
            all,
            filter: MatchFilter::new(settings, threads),
            aligners: PerThread::new(threads, aligner),
            limits: BlockLimits {
                bytes_per_shingle: corpus.settings.shingles.token_bytes(corpus.removal.is_some()) + HASH_BYTES,
                // Texts that are all in memory already need no additional room.
                side_bytes: if all.is_some() { u64::MAX } else { memory.aligned_texts() / 16 * 7 },
                block_pairs: (memory.aligned_texts() / 8 / PAIR_BYTES).clamp(*BLOCK_PAIRS.start(), *BLOCK_PAIRS.end())
                    as usize,
            },
            matched: text_pair_sorter(corpus.documents.len(), memory.matched_pairs(), threads),
            kept: AlignmentKeeper::new(memory.kept_alignments(), threads),
            aligned: AtomicU64::new(0),
            seeds_capped: AtomicU64::new(0),
            capped: Mutex::new(DocSet::new(corpus.documents.len())),
        }
    }

    /// Aligns all pairs, in the thread pool of the run.
    ///
    /// # Errors
    /// When the pairs cannot be read or kept, or the run was cancelled.
    pub(super) fn run(self, pairs: &SortedRecords<TextPair>) -> Result<Matched> {
        let ReadCorpus { observer, documents, .. } = self.corpus;
        observer.total(documents.len() as u64);
        let (mut block, mut num_bytes, mut done) = (Vec::new(), 0, 0);
        let mut first = None;
        for partition in 0..pairs.num_partitions() {
            pairs.for_each(partition, 1, |pair: TextPair| {
                if first != Some(pair.a) {
                    first = Some(pair.a);
                    num_bytes += self.estimated_bytes(pair.a);
                }
                if block.len() == self.limits.block_pairs || num_bytes > self.limits.side_bytes && !block.is_empty() {
                    self.align(&block)?;
                    let behind = pair.a.index() - done;
                    observer.advance(behind as u64, behind as u64, 0);
                    (num_bytes, done) = (self.estimated_bytes(pair.a), pair.a.index());
                    block.clear();
                }
                block.push(pair);
                Ok(())
            })?;
        }
        self.align(&block)?;
        let matched = self.matched.finish();
        let candidates = ListedCandidates::of_ascending(documents.len(), u64::MAX, |add| {
            let partitions = 0..matched.num_partitions();
            partitions.into_iter().try_for_each(|of| matched.for_each(of, 1, |pair: TextPair| add(pair.a, pair.b)))
        })?;
        let capped = self.capped.into_inner().expect("no holder panics");
        Ok(Matched {
            candidates,
            alignments: self.kept.finish(),
            aligned: self.aligned.into_inner(),
            seeds_capped: self.seeds_capped.into_inner(),
            seeds_capped_in: NamedDocuments::new(documents, &capped),
            problems: self.rereader.into_problems(),
        })
    }

    fn estimated_bytes(&self, document: DocId) -> u64 {
        self.limits.bytes_per_shingle * (u64::from(self.corpus.documents.num_shingles(document)) + 64)
    }

    /// Aligns the pairs of a block.
    fn align(&self, block: &[TextPair]) -> Result<()> {
        let mut firsts: Vec<DocId> = block.iter().map(|pair| pair.a).collect();
        firsts.dedup();
        let own = self.load(firsts)?;
        let mut others: Vec<DocId> = block.iter().map(|pair| pair.b).collect();
        others.par_sort_unstable();
        others.dedup();
        let mut rest = others.as_slice();
        while !rest.is_empty() {
            let mut num_bytes = 0;
            let fits = |other: &&DocId| {
                num_bytes += if own.position(**other).is_some() { 0 } else { self.estimated_bytes(**other) };
                num_bytes <= self.limits.side_bytes
            };
            let len = rest.iter().take_while(fits).count().clamp(1, rest.len());
            let tile = rest.split_off(..len).expect("a tile is no longer than what is left");
            let missing = tile.iter().copied().filter(|&other| own.position(other).is_none()).collect();
            let loaded = self.load(missing)?;
            let within = |pairs: &'_ [TextPair]| {
                let start = pairs.partition_point(|pair| pair.b < tile[0]);
                let end = pairs.partition_point(|pair| pair.b <= tile[tile.len() - 1]);
                start..end
            };
            let in_tile = block.chunk_by(|pair, next| pair.a == next.a).map(|pairs| &pairs[within(pairs)]);
            let texts = BlockTexts { own: &own, loaded: &loaded };
            let left = self.filter(in_tile.filter(|pairs| !pairs.is_empty()), texts);
            let same_longer = left.chunk_by(|pair, next| pair.longer == next.longer);
            let tasks: Vec<&[PairBySize]> = same_longer.flat_map(|pairs| pairs.chunks(PAIRS_AT_ONCE)).collect();
            tasks.par_iter().with_max_len(4).try_for_each(|pairs| self.align_with_longer(pairs, texts))?;
        }
        Ok(())
    }

    /// Loads texts, or takes them from memory.
    ///
    /// * `documents`: ascending.
    fn load(&self, documents: Vec<DocId>) -> Result<LoadedTexts> {
        if self.corpus.sources.has_failed() {
            return Err(Error::Cancelled);
        }
        let read = |&document: &DocId| {
            if let Some(text) = self.all.and_then(|all| all.get(&document)) {
                return Some(Arc::clone(text));
            }
            self.rereader.read_again(document, &mut |text, tools| {
                let tokens = remaining_tokens(&mut tools.shingler, self.corpus.removal, text.to_vec());
                Arc::new(LoadedText::new(tokens, self.settings.passages.min_run()))
            })
        };
        let texts = documents.par_iter().with_max_len(16).map(read).collect();
        Ok(LoadedTexts { documents, texts })
    }

    /// The pairs that may match, ordered by their longer and then their shorter texts.
    fn filter<'p>(&self, pairs: impl Iterator<Item = &'p [TextPair]>, texts: BlockTexts<'_>) -> Vec<PairBySize> {
        let mut by_length: Vec<(DocId, usize)> = texts.positions().collect();
        let len = |position| texts.at(position).hashes.len();
        // The longer text of a pair has the higher number; of two texts of the same length, the earlier one does.
        by_length.par_sort_unstable_by_key(|&(document, position)| (len(position), Reverse(document)));
        let mut numbers = vec![0; texts.num_positions()];
        (0..).zip(&by_length).for_each(|(number, &(_, position))| numbers[position] = number);
        let mut numbered = Vec::new();
        for pairs in pairs {
            let Some(first) = texts.position(pairs[0].a) else { continue };
            let others = pairs.iter().filter_map(|pair| texts.position(pair.b)).map(|other| numbers[other]);
            numbered.extend(others.map(|other| [other.min(numbers[first]), other.max(numbers[first])]));
        }
        self.aligned.fetch_add(numbered.len() as u64, Ordering::Relaxed);
        let scope = self.corpus.documents.scope();
        let hashes = |&(document, position): &(DocId, usize)| {
            let LoadedText { tokens, hashes } = texts.at(position);
            let salt = scope.salt(document);
            TextHashes { hashes, num_tokens: tokens.len() as u64, salt: (salt ^ salt >> 32) as u32 }
        };
        let hashes: Vec<TextHashes> = by_length.iter().map(hashes).collect();
        let document = |number: u32| by_length[number as usize].0;
        let pair =
            |[shorter, longer]: NumberedPair| PairBySize { longer: document(longer), shorter: document(shorter) };
        let mut left: Vec<PairBySize> = self.filter.left(numbered, &hashes).into_iter().map(pair).collect();
        left.par_sort_unstable();
        left
    }

    /// Aligns pairs that have the same longer text.
    fn align_with_longer(&self, pairs: &[PairBySize], texts: BlockTexts<'_>) -> Result<()> {
        let position = |document| texts.position(document).expect("texts that are not there have no pairs left");
        let text = |document| &texts.at(position(document)).tokens;
        let settings = &self.settings;
        let others = pairs.iter().map(|pair| text(pair.shorter));
        let can_be_enough = |matched, shorter| settings.is_enough(matched, shorter);
        let alignments = self.aligners.get().align_each_if(text(pairs[0].longer), others, can_be_enough);
        let mut matched = Vec::new();
        for (pair, alignment) in pairs.iter().zip(alignments) {
            for (document, num_capped) in [pair.longer, pair.shorter].into_iter().zip(alignment.seeds_capped) {
                if num_capped > 0 {
                    self.seeds_capped.fetch_add(num_capped, Ordering::Relaxed);
                    self.capped.lock().expect("no holder panics").insert(document);
                }
            }
            if settings.is_reported(&alignment) {
                let PairBySize { longer, shorter } = *pair;
                let (pair, alignment) = if longer < shorter {
                    (TextPair { a: longer, b: shorter }, alignment)
                } else {
                    (TextPair { a: shorter, b: longer }, alignment.swapped())
                };
                matched.push(pair);
                self.kept.keep(pair, alignment);
            }
        }
        self.matched.push(matched)
    }
}

impl LoadedTexts {
    fn position(&self, document: DocId) -> Option<usize> {
        self.documents.binary_search(&document).ok()
    }
}

/// The texts of a block and of a tile, by position; the positions of the block come first. No text is in both.
#[derive(Clone, Copy)]
struct BlockTexts<'t> {
    own: &'t LoadedTexts,
    loaded: &'t LoadedTexts,
}

impl<'t> BlockTexts<'t> {
    /// The position of a text, if it could be read and is not too long to be aligned.
    fn position(self, document: DocId) -> Option<usize> {
        let of_tile = || Some(self.own.texts.len() + self.loaded.position(document)?);
        self.own.position(document).or_else(of_tile).filter(|&position| self.is_usable(position))
    }

    /// The usable texts and their positions.
    fn positions(self) -> impl Iterator<Item = (DocId, usize)> {
        let documents = self.own.documents.iter().chain(&self.loaded.documents).copied().zip(0..);
        documents.filter(move |&(_, position)| self.is_usable(position))
    }

    fn num_positions(self) -> usize {
        self.own.texts.len() + self.loaded.texts.len()
    }

    fn is_usable(self, position: usize) -> bool {
        self.get(position).is_some_and(|text| text.tokens.len() <= Aligner::MOST_TOKENS)
    }

    fn get(self, position: usize) -> Option<&'t LoadedText> {
        match position.checked_sub(self.own.texts.len()) {
            None => self.own.texts[position].as_deref(),
            Some(position) => self.loaded.texts[position].as_deref(),
        }
    }

    /// The usable text at a position.
    fn at(self, position: usize) -> &'t LoadedText {
        self.get(position).expect("a usable text")
    }
}
