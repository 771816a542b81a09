//! `IndexSearcher`: finds the documents of an index that reach the threshold for each query. An exact count proves each
//! result, or a 128-bit hash when the text of the document is the text of the query.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard};

use rayon::prelude::*;

use super::candidates::{Candidate, candidates_by};
use super::containment::WantedContainment;
use super::copies::copies_of;
use super::query_document::QueryDocument;
use super::query_round::QueryRound;
use super::text_blocks::{BlockOfTexts, TextBlocks, WantedText, damaged_texts, unless_damaged};
use crate::base::error::{Error, Result};
use crate::base::flat::per_thread::PerThread;
use crate::compare::verify::{Threshold, VerifiableSet, Verifier};
use crate::index::blocks::read_ahead::read_ahead;
use crate::index::blocks::run_block::key_of;
use crate::index::database::state::RunKind;
use crate::index::database::tombstones::TombstoneKind;
use crate::index::read::index_match::IndexMatch;
use crate::index::read::loaded_text::{PreparedQuery, StoredSet, TextLoader};
use crate::index::read::reader::IndexReader;
use crate::index::read::referred_texts::{ReadText, ReferredTexts, StaleText};
use crate::index::texts::stored_texts::StoredBlock;
use crate::search::corpus::StageSettings;
use crate::sign::banding::band_keys;
use crate::text::code::Syntax;
use crate::text::removal::Removal;

/// The number of texts that are read at a time.
const TEXTS: usize = 1 << 8;
/// Bytes of a result, with its candidate and its hit.
const RESULT_BYTES: u64 = 160;
/// The minimum number of items for parallel work; waking threads for fewer is not worth it.
const MANY: usize = 8;

/// The results of some queries.
#[derive(Default)]
pub(crate) struct QueryResults {
    /// The results of each query, ascending by document.
    pub(crate) of: Vec<Vec<IndexMatch>>,
    /// The number of texts that were compared.
    pub(crate) candidates: u64,
    /// The parts of the index that could not be read.
    pub(crate) faults: Vec<Error>,
    /// Documents whose texts have changed or are missing, in an index that refers to texts.
    pub(crate) stale: Vec<StaleText>,
}

/// The results among the texts of some blocks.
struct VerifiedBlocks {
    /// The results in each block with the numbers of their queries, or the block itself when it cannot be unpacked.
    blocks: Vec<std::result::Result<Vec<(u32, IndexMatch)>, StoredBlock>>,
    /// The results whose text is the text of the query.
    equal: Vec<(u32, IndexMatch)>,
    /// The parts that could not be read.
    faults: Vec<Error>,
}

/// Searches an index for the documents that match queries.
pub(crate) struct IndexSearcher<'a> {
    threshold: Threshold,
    num_bands: usize,
    containment: Option<WantedContainment>,
    removes: bool,
    /// Whether texts are programs, each in its own language.
    of_programs: bool,
    workers: PerThread<TextLoader<'a>>,
    /// The loader for calls from outside the pool.
    alone: Mutex<TextLoader<'a>>,
    pool: &'a rayon::ThreadPool,
    /// The maximum bytes of the sets of queries.
    set_bytes: u64,
    /// The maximum number of results of several queries, or of candidates.
    most_results: usize,
}

impl<'a> IndexSearcher<'a> {
    /// Creates a searcher.
    ///
    /// * `settings`: the settings, with the settings of the index applied.
    /// * `templates`: the shingles that are removed from every text.
    /// * `pool`: threads that do no other work.
    pub(crate) fn new(
        settings: StageSettings<'a>,
        templates: Option<&'a Removal>,
        threshold: Threshold,
        pool: &'a rayon::ThreadPool,
    ) -> Self {
        let worker = || TextLoader::new(settings, templates);
        let workers = PerThread::new(pool.current_num_threads(), worker);
        let of_programs = settings.shingles.of_programs();
        Self {
            threshold,
            num_bands: settings.banding.bands(),
            containment: None,
            removes: templates.is_some(),
            of_programs,
            workers,
            alone: Mutex::new(TextLoader::new(settings, templates)),
            pool,
            set_bytes: QueryRound::most_bytes(settings.resources.memory_bytes),
            most_results: (settings.resources.memory_bytes / 8 / RESULT_BYTES) as usize,
        }
    }

    /// Makes the search find contained texts instead of similar ones, if `containment` is given.
    pub(crate) fn by_containment(self, containment: Option<WantedContainment>) -> Self {
        Self { containment, ..self }
    }

    /// Finds the results of some queries; `None` when there are several queries and their results do not fit in memory.
    ///
    /// # Errors
    /// When the index cannot be read. A damaged block only loses its results, and is reported in the faults.
    pub(crate) fn search(&self, reader: &IndexReader, queries: &[QueryDocument]) -> Result<Option<QueryResults>> {
        let mut results = QueryResults { of: vec![Vec::new(); queries.len()], ..QueryResults::default() };
        let Some(candidates) = self.candidates(reader, queries, &mut results.faults)? else {
            return Ok(Some(results));
        };
        let is_too_much = |number: usize| queries.len() > 1 && number > self.most_results;
        if is_too_much(candidates.len()) {
            return Ok(None);
        }
        results.candidates = candidates.len() as u64;
        let mut referred = ReferredTexts::of(reader, self.pool);
        let hits = self.verify_rounds(reader, queries, &candidates, referred.as_mut(), &mut results)?;
        let of_texts: Vec<&[(u32, IndexMatch)]> = hits.chunk_by(|(_, a), (_, b)| a.document == b.document).collect();
        let texts = of_texts.iter().map(|hits| hits[0].1.document);
        let copies = copies_of(reader, referred.as_mut(), texts, self.pool, &mut results.faults);
        let copies = unless_damaged(copies, &mut results.faults)?.unwrap_or_default();
        if is_too_much(of_texts.iter().zip(&copies).map(|(hits, copies)| hits.len() * copies.len()).sum()) {
            return Ok(None);
        }
        for (hits, copies) in of_texts.into_iter().zip(copies) {
            for (query, hit) in hits {
                let found = copies.iter().map(|&document| IndexMatch { document, ..*hit });
                results.of[*query as usize].extend(found);
            }
        }
        if let Some(read) = referred {
            results.faults.extend(read.faults.damage);
            results.stale = read.faults.stale;
        }
        results.of.iter_mut().for_each(|of| of.sort_unstable_by_key(|matched| matched.document));
        Ok(Some(results))
    }

    /// The texts that share a band, or a sampled shingle if contained documents are wanted, with each query. `None` if the
    /// index is damaged, which is added to `faults`.
    fn candidates(
        &self,
        reader: &IndexReader,
        queries: &[QueryDocument],
        faults: &mut Vec<Error>,
    ) -> Result<Option<Vec<Candidate>>> {
        let keys = self.with_numbers(queries, |query| query.keys.iter().map(|&key| key_of(key)));
        let found = candidates_by(reader, RunKind::Bands, keys, self.pool);
        let Some(mut candidates) = unless_damaged(found, faults)? else { return Ok(None) };
        if self.containment.is_some() {
            // Similar texts are often contained too, and short texts are only found by their bands.
            let samples = self.with_numbers(queries, |query| query.samples.iter().copied());
            let sharing = candidates_by(reader, RunKind::Samples, samples, self.pool);
            candidates.extend(unless_damaged(sharing, faults)?.unwrap_or_default());
            candidates.sort_unstable();
            candidates.dedup();
        }
        Ok(Some(candidates))
    }

    /// Verifies candidates in rounds whose sets of queries fit the memory. Returns the matching texts with the numbers of
    /// their queries, ascending by text.
    ///
    /// * `referred`: reads the texts that an index only refers to.
    fn verify_rounds(
        &self,
        reader: &IndexReader,
        queries: &[QueryDocument],
        candidates: &[Candidate],
        mut referred: Option<&mut ReferredTexts>,
        results: &mut QueryResults,
    ) -> Result<Vec<(u32, IndexMatch)>> {
        let mut hits: Vec<(u32, IndexMatch)> = Vec::new();
        let rounds = QueryRound::rounds(queries, candidates, self.set_bytes);
        for round in &rounds {
            let of_round: Cow<[Candidate]> = match rounds.len() {
                1 => candidates.into(),
                _ => candidates.iter().filter(|(_, query)| round.contains(query)).copied().collect(),
            };
            let sets = QueryRound::new(queries, round);
            let texts: Vec<&[Candidate]> = of_round.chunk_by(|a, b| a.0 == b.0).collect();
            match &mut referred {
                None => self.verify(reader, &sets, &texts, &mut hits, results)?,
                Some(read) => {
                    for texts in texts.chunks(TEXTS) {
                        self.verify_referred(reader, read, &sets, texts, &mut hits, results)?;
                    }
                }
            }
            // Freeing 100,000 sets takes a while: a thread of the pool does it, unless the next round needs the memory.
            let sets = sets.into_sets();
            if rounds.len() == 1 && queries.len() >= MANY {
                self.pool.spawn(move || drop(sets));
            }
        }
        hits.sort_by_key(|(_, hit)| hit.document);
        Ok(hits)
    }

    /// The keys of all queries, each with the number of its query, in any order.
    fn with_numbers<'q, K: Iterator<Item = u64>>(
        &self,
        queries: &'q [QueryDocument],
        keys: impl Fn(&'q QueryDocument) -> K + Sync,
    ) -> Vec<(u64, u32)> {
        let of_query = |(number, query)| keys(query).map(move |key| (key, number as u32));
        match queries.len() {
            ..MANY => queries.iter().enumerate().flat_map(of_query).collect(),
            _ => self.pool.install(|| queries.par_iter().enumerate().flat_map_iter(of_query).collect()),
        }
    }

    /// Verifies texts, and adds the results with the numbers of their queries to `hits`.
    fn verify(
        &self,
        reader: &IndexReader,
        sets: &QueryRound,
        texts: &[&[Candidate]],
        hits: &mut Vec<(u32, IndexMatch)>,
        results: &mut QueryResults,
    ) -> Result<()> {
        let mut take = |verified: VerifiedBlocks| {
            results.faults.extend(verified.faults);
            hits.extend(verified.equal);
            for found in verified.blocks {
                match found {
                    Ok(found) => hits.extend(found),
                    Err(block) => results.faults.push(damaged_texts(reader, &block)?),
                }
            }
            Ok(())
        };
        if texts.len() < MANY {
            return take(self.verify_blocks(sets, TextBlocks::read(reader, sets, texts, self.of_programs)?));
        }
        let mut parts = texts.chunks(TEXTS);
        let read = || parts.next().map(|texts| TextBlocks::read(reader, sets, texts, self.of_programs)).transpose();
        read_ahead(self.pool, read, |read| self.verify_blocks(sets, read), take)
    }

    /// Finds the results among the texts of some blocks; in parallel when the calling thread belongs to the pool.
    fn verify_blocks(&self, sets: &QueryRound, read: TextBlocks) -> VerifiedBlocks {
        let TextBlocks { blocks, equal, whole, faults } = read;
        let verify = |(at, (block, of_block)): (usize, BlockOfTexts)| {
            self.verify_block(sets, &block, whole.get(&at), &of_block).ok_or(block)
        };
        let match_equal = |(number, at): Candidate| {
            let query = sets.query(at);
            let count = match sets.made(at) {
                Some(set) => set.count(),
                None => self.tools().count(query.text.to_vec(), query.syntax),
            };
            (at, IndexMatch::of_equal(number, count, query.signature.len(), self.removes))
        };
        // Equal texts use the sets that the other texts have already made.
        let (blocks, equal) = if self.pool.current_thread_index().is_some() {
            let blocks = blocks.into_par_iter().enumerate().map(verify).collect();
            (blocks, equal.into_par_iter().with_min_len(MANY).map(match_equal).collect())
        } else {
            let blocks = blocks.into_iter().enumerate().map(verify).collect();
            (blocks, equal.into_iter().map(match_equal).collect())
        };
        VerifiedBlocks { blocks, equal, faults }
    }

    /// Finds the results among the texts of a block; `None` when the block cannot be unpacked.
    fn verify_block(
        &self,
        sets: &QueryRound,
        block: &StoredBlock,
        whole: Option<&Vec<u8>>,
        of_block: &[WantedText],
    ) -> Option<Vec<(u32, IndexMatch)>> {
        let unpacked = if whole.is_some() { Vec::new() } else { block.unpack()? };
        let mut found = Vec::new();
        for &(of_text, syntax) in of_block {
            let number = of_text[0].0;
            let text = match whole {
                Some(whole) => whole.clone(),
                None => unpacked.get(block.range_of(number)?)?.to_vec(),
            };
            self.verify_text(sets, of_text, (text, syntax), &mut found);
        }
        Some(found)
    }

    /// Adds a result for each query that a text matches.
    ///
    /// * `of_text`: the candidate queries of the text.
    fn verify_text(
        &self,
        sets: &QueryRound,
        of_text: &[Candidate],
        (text, syntax): ReadText,
        found: &mut Vec<(u32, IndexMatch)>,
    ) {
        let text = self.load(text, syntax, None);
        let (mut verifier, mut keys, mut signature) = (Verifier::new(&text.set), Vec::new(), Box::default());
        for &(number, query) in of_text {
            let set = sets.get(query, |query| self.load_query_set(query));
            let Some(shared) = self.shared(&mut verifier, &set.set, &text.set) else { continue };
            // The index stores parts of keys; a true candidate shares a whole band key.
            if keys.is_empty() {
                signature = self.tools().sign(&text.set);
                keys.resize(self.num_bands, 0);
                band_keys(&signature, &mut keys);
            }
            let is_by_bands = self.containment.is_none();
            if is_by_bands && !keys.iter().zip(&sets.query(query).keys).any(|(a, b)| a == b) {
                continue;
            }
            found.push((query, set.matched(number, &text, shared, &signature, self.removes)));
        }
    }

    /// Does the work of [`verify`](Self::verify) for an index that refers to texts: reads the texts again from their
    /// sources.
    fn verify_referred(
        &self,
        reader: &IndexReader,
        read: &mut ReferredTexts,
        sets: &QueryRound,
        texts: &[&[Candidate]],
        hits: &mut Vec<(u32, IndexMatch)>,
        results: &mut QueryResults,
    ) -> Result<()> {
        let mut rest = texts;
        while !rest.is_empty() {
            let here;
            (here, rest) = rest.split_at(read.round_len(rest.iter().map(|of_text| of_text[0].0))?);
            let (mut wanted, mut numbers) = (Vec::new(), Vec::new());
            for &of_text in here {
                let number = of_text[0].0;
                let is_erased = reader.marks.has(&reader.file, TombstoneKind::Erased, number);
                if unless_damaged(is_erased, &mut results.faults)?.unwrap_or(true) {
                    continue;
                }
                // The file of a removed document may be gone; another document has the same text.
                let is_removed = unless_damaged(reader.is_removed(number), &mut results.faults)?.unwrap_or(true);
                numbers.extend((!is_removed).then_some(number));
                wanted.push((of_text, is_removed));
            }
            let mut own = read.read(&numbers)?.into_iter();
            let mut loaded = Vec::with_capacity(wanted.len());
            for (of_text, is_removed) in wanted {
                let text = if is_removed { None } else { own.next().expect("each was read") };
                let text = text.map_or_else(|| read.read_copy(of_text[0].0), |text| Ok(Some(text)))?;
                loaded.extend(text.map(|text| (of_text, text)));
            }
            let verify = |(of_text, text): (&[Candidate], ReadText)| {
                let mut found = Vec::new();
                self.verify_text(sets, of_text, text, &mut found);
                found
            };
            let verified: Vec<_> = match loaded.len() {
                ..MANY => loaded.into_iter().map(verify).collect(),
                _ => self.pool.install(|| loaded.into_par_iter().map(verify).collect()),
            };
            hits.extend(verified.into_iter().flatten());
        }
        Ok(())
    }

    /// The number of shingles that a query shares with a text, if there are enough.
    fn shared(&self, text: &mut Verifier, query: &VerifiableSet, of_text: &VerifiableSet) -> Option<usize> {
        let Some(containment) = self.containment else { return text.verify(query, self.threshold) };
        let shared = text.verify(query, Threshold::ZERO)?;
        let (a, b) = (query.set().len() as u64, of_text.set().len() as u64);
        containment.is_met(shared as u64, a, b).then_some(shared)
    }

    /// Makes the set of a text.
    ///
    /// * `signature`: the signature, if it is known.
    pub(crate) fn load(&self, text: Vec<u8>, syntax: Option<Syntax>, signature: Option<&[u32]>) -> StoredSet {
        self.tools().load(text, syntax, signature)
    }

    /// Makes the set of a query.
    pub(crate) fn load_query_set(&self, query: &QueryDocument) -> StoredSet {
        self.load(query.text.to_vec(), query.syntax, Some(&query.signature))
    }

    /// The loader of the calling thread. Threads of other pools, such as the caller's, share one.
    fn tools(&self) -> MutexGuard<'_, TextLoader<'a>> {
        match self.pool.current_thread_index() {
            Some(_) => self.workers.get(),
            None => self.alone.lock().expect("no holder panics"),
        }
    }

    /// Normalises and signs a text that was not read as an input.
    pub(crate) fn load_query(&self, text: Vec<u8>, syntax: Option<Syntax>) -> PreparedQuery {
        self.tools().load_query(text, syntax)
    }
}
