//! `PassageSearch`: finds the passages of each duplicate pair, in the coordinates of the original files.
//!
//! Pairs come in document order, in batches. A batch is searched in rounds of as many pairs as fit the memory. A round
//! reads the documents that are not kept from earlier rounds, aligns the texts that were not aligned before, and
//! locates the passages in the documents of each pair. All three steps run in parallel.

mod known;
mod positioned_tokens;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use self::known::{ContentPair, KnownAlignments};
pub(crate) use self::positioned_tokens::PositionedTokens;
use super::kept_documents::KeptDocuments;
use crate::base::error::Result;
use crate::base::flat::per_thread::PerThread;
use crate::base::problem::{Problem, Reason};
use crate::compare::passages::{Aligner, Alignment, LocatedPassages, PassageSettings, PassageTotals, own_repeats};
use crate::compare::verify::DuplicatePair;
use crate::documents::document::DocId;
use crate::search::corpus::{PositionedReader, ReadCorpus};
use crate::search::matching::KeptAlignments;
use crate::text::removal::remaining_tokens;
use crate::text::shingle::Shingler;

/// The maximum number of pairs in a round, so that passages do not accumulate.
const MOST_PAIRS: usize = 1024;

/// The maximum number of pairs in one alignment task. They share the first document, which is indexed once for all of
/// them.
const PAIRS_AT_ONCE: usize = 16;

/// Finds the passages of duplicate pairs.
pub(crate) struct PassageSearch<'a> {
    corpus: ReadCorpus<'a>,
    reader: PositionedReader<'a>,
    /// The alignments of some of the pairs, if pairs match by their passages.
    matching: Option<Arc<KeptAlignments>>,
    tools: PerThread<(Shingler, Aligner)>,
    num_aligners: u64,
    /// The maximum bytes of all aligners' indexes that are in use at the same time.
    aligner_bytes: u64,
    kept: KeptDocuments<PositionedTokens>,
    known: KnownAlignments,
    /// The number of positions that were skipped in all pairs.
    seeds_capped: AtomicU64,
    /// The minimum tokens of a block that a document repeats, and the memory to find it.
    own: (usize, u64),
    most_tokens: usize,
    /// The documents with more than `most_tokens` tokens, each with its number of tokens.
    too_long: Mutex<BTreeMap<DocId, usize>>,
}

impl<'a> PassageSearch<'a> {
    /// * `bytes`: the maximum bytes of texts and their indexes.
    pub(crate) fn new(corpus: ReadCorpus<'a>, passages: PassageSettings, bytes: u64) -> Self {
        let settings = corpus.settings;
        let threads = corpus.threads();
        let tools = || (settings.shingler(), Aligner::new(passages));
        Self {
            corpus,
            reader: PositionedReader::new(settings, corpus.documents, corpus.sources),
            matching: None,
            tools: PerThread::new(threads, tools),
            num_aligners: threads as u64,
            aligner_bytes: bytes / 2,
            kept: KeptDocuments::new(settings.shingles.token_bytes(corpus.removal.is_some()), bytes / 8 * 3),
            known: KnownAlignments::new(bytes / 8),
            seeds_capped: AtomicU64::new(0),
            own: (passages.anchor(), corpus.memory().own_repeats(threads)),
            most_tokens: Aligner::MOST_TOKENS,
            too_long: Mutex::default(),
        }
    }

    /// Prepares the search for pairs that match by their passages, whose records contain totals.
    ///
    /// * `alignments`: the alignments of some of the pairs, which are not aligned again.
    pub(crate) fn of_matches(self, alignments: Arc<KeptAlignments>) -> Self {
        Self { matching: Some(alignments), ..self }
    }

    /// Passes on a batch of pairs with their passages, in one or several parts.
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
            let (len, missing) = self.kept.begin_round(
                |document| self.corpus.documents.num_shingles(document),
                &rest[..rest.len().min(MOST_PAIRS)],
            );
            let round = rest.split_off(..len).expect("a round is no longer than what is left");
            let loaded: Vec<_> = missing.par_iter().with_max_len(1).map(|&document| self.read(document)).collect();
            for (document, tokens) in missing.into_iter().zip(loaded) {
                let num_bytes = tokens.as_ref().map_or(0, PositionedTokens::num_bytes);
                self.kept.insert(document, tokens, num_bytes);
            }
            self.align(round);
            let passages: Vec<_> = round.par_iter().map(|pair| self.passages_of(pair)).collect();
            sink(round, &passages)?;
        }
        Ok(())
    }

    /// The number of positions that were skipped, and the documents that could not be read again or are too long.
    pub(crate) fn finish(self) -> (u64, Vec<Problem>) {
        let too_long = self.too_long.into_inner().expect("no holder panics").into_iter().map(|(document, num_tokens)| {
            let name = String::from_utf8_lossy(self.corpus.documents.name(document));
            let most = self.most_tokens;
            let detail =
                format!("has {num_tokens} tokens, but passages are only found in documents of up to {most}; its passages are missing, split it");
            Problem::error(name, Reason::TooLarge, detail)
        });
        (self.seeds_capped.into_inner(), self.reader.into_problems().into_iter().chain(too_long).collect())
    }

    fn read(&self, document: DocId) -> Option<PositionedTokens> {
        let mut positions = self.reader.read(document)?;
        let text = std::mem::take(&mut positions.text);
        let tokens = remaining_tokens(&mut self.tools.get().0, self.corpus.removal, text);
        if tokens.len() > self.most_tokens {
            self.too_long.lock().expect("no holder panics").insert(document, tokens.len());
            return None;
        }
        Some(PositionedTokens { tokens, positions })
    }

    /// Aligns the texts of these pairs that were not aligned before.
    fn align(&mut self, round: &[DuplicatePair]) {
        self.known.begin_round();
        let mut seen = HashSet::new();
        let is_new = |pair: &&DuplicatePair| {
            let texts = ContentPair::of(self.corpus.documents, pair);
            let is_matched = || {
                self.matching.as_ref().is_some_and(|alignments| alignments.has(self.corpus.documents, pair.a, pair.b))
            };
            pair.a != pair.b
                && self.kept.of_pair(pair).is_some()
                && !is_matched()
                && !self.known.want(texts)
                && seen.insert(texts)
        };
        let new: Vec<DuplicatePair> = round.iter().filter(is_new).copied().collect();
        let same_first = new.chunk_by(|pair, next| pair.a == next.a);
        let tasks: Vec<_> = same_first.flat_map(|pairs| pairs.chunks(PAIRS_AT_ONCE)).collect();
        // When there are few tasks, each gets a larger part of the memory.
        let bytes = self.aligner_bytes / self.num_aligners.min(tasks.len() as u64).max(1);
        let align = |pairs: &&[DuplicatePair]| {
            let tokens = |pair| self.kept.of_pair(pair).expect("both could be read");
            let others = pairs.iter().map(|pair| &tokens(pair)[1].tokens);
            let aligner = &mut self.tools.get().1;
            aligner.limit_memory(bytes);
            aligner.align_each(&tokens(&pairs[0])[0].tokens, others)
        };
        let alignments: Vec<Alignment> = tasks.par_iter().flat_map_iter(align).collect();
        for (pair, alignment) in new.iter().zip(alignments) {
            self.known.insert(self.corpus.documents, pair, alignment);
        }
    }

    fn passages_of(&self, pair: &DuplicatePair) -> Option<LocatedPassages> {
        let [a, b] = self.kept.of_pair(pair)?;
        if pair.a == pair.b {
            let own = own_repeats(&a.tokens, self.own.0, self.own.1).alignment;
            let (coverage_a, coverage_b) = (own.share_of_a(), own.share_of_b());
            return Some(LocatedPassages { coverage_a, coverage_b, ..self.located(a, b, &own) });
        }
        let alignment = self.matched(pair).unwrap_or_else(|| self.known.get(self.corpus.documents, pair));
        Some(self.located(a, b, &alignment))
    }

    /// The alignment of a pair, if it was kept when the pair was found.
    fn matched(&self, pair: &DuplicatePair) -> Option<Cow<'_, Alignment>> {
        self.matching.as_ref()?.of(self.corpus.documents, pair.a, pair.b)
    }

    fn located(&self, a: &PositionedTokens, b: &PositionedTokens, alignment: &Alignment) -> LocatedPassages {
        self.seeds_capped.fetch_add(alignment.seeds_capped.iter().sum(), Ordering::Relaxed);
        let totals = || PassageTotals { matched: alignment.matched() as u64, longest: alignment.longest as u64 };
        a.located_with(b, alignment, self.matching.as_ref().map(|_| totals()))
    }
}

#[cfg(test)]
mod tests;
