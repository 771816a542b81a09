//! `QueryRun`: searches for batches of queries, and passes on the results as pairs with the requested details.

use std::collections::HashSet;

use super::details::{MatchDetail, MatchTexts, ResultDetails, TextKey};
use super::found_match::{FoundMatch, MatchRow, keep_best};
use super::open_batch::OpenBatch;
use super::query_document::QueryDocument;
use super::query_settings::{AddWhat, QuerySettings};
use super::result_table::ResultTable;
use super::searched_indexes::SearchedIndexes;
use super::searcher::{IndexSearcher, QueryResults};
use crate::base::error::{Error, IndexError, Result};
use crate::base::observe::Observer;
use crate::compare::passages::LocatedPassages;
use crate::compare::verify::{DuplicatePair, Threshold};
use crate::documents::document::DocId;
use crate::index::read::index_match::IndexMatch;
use crate::index::read::referred_texts::StaleText;
use crate::index::read::stale::problem_of;
use crate::index::read::text_reader::TextReader;
use crate::index::texts::docs::DocRow;
use crate::index::write::writing::Added;
use crate::search::pairs::{PairBatch, PairSink};
use crate::search::run::Settings;

/// The number of pairs that are passed on at a time.
const PAIRS: usize = 1 << 14;

/// Searches for batches of queries and passes on the pairs.
pub(crate) struct QueryRun<'q, 's> {
    query: &'q QuerySettings,
    with_source: bool,
    /// Whether the index removes template shingles from texts.
    removes: bool,
    threshold: Threshold,
    pub(crate) pairs: u64,
    pub(crate) candidates: u64,
    pub(crate) added: Added,
    pub(crate) damage: Vec<IndexError>,
    /// Documents whose texts have changed or are missing, with the position of their index.
    pub(crate) stale: HashSet<(usize, u32)>,
    observer: &'q dyn Observer,
    /// Threads that do no other work.
    pool: &'q rayon::ThreadPool,
    /// In a containment search, the number of shingles of each query that has any.
    pub(crate) num_shingles: Vec<u32>,
    sink: &'s mut dyn PairSink,
}

impl<'q, 's> QueryRun<'q, 's> {
    /// A run that has found nothing yet.
    ///
    /// * `settings`: the settings, with the settings of the index applied.
    /// * `removes`: whether the index removes template shingles from texts.
    /// * `pool`: threads that do no other work.
    pub(crate) fn new(
        query: &'q QuerySettings,
        settings: &Settings,
        removes: bool,
        observer: &'q dyn Observer,
        pool: &'q rayon::ThreadPool,
        sink: &'s mut dyn PairSink,
    ) -> Self {
        Self {
            query,
            with_source: settings.input.with_source,
            removes,
            threshold: settings.pairs.threshold,
            pairs: 0,
            candidates: 0,
            added: Added::default(),
            damage: Vec::new(),
            stale: HashSet::new(),
            observer,
            pool,
            num_shingles: Vec::new(),
            sink,
        }
    }

    /// Searches for queries; splits them when their results do not fit in memory.
    pub(crate) fn search(
        &mut self,
        indexes: &mut SearchedIndexes,
        searcher: &IndexSearcher,
        details: &mut ResultDetails,
        queries: &[QueryDocument],
    ) -> Result<()> {
        let adds = self.query.add != AddWhat::None;
        if adds {
            indexes.refresh()?;
        }
        let of_indexes = indexes.readers().map(|reader| searcher.search(reader, queries));
        let Some(of_indexes) = of_indexes.collect::<Result<Option<Vec<_>>>>()? else {
            let (first, second) = queries.split_at(queries.len() / 2);
            self.search(indexes, searcher, details, first)?;
            return self.search(indexes, searcher, details, second);
        };
        let results = self.counted(queries, of_indexes);
        let names: Vec<&[u8]> = queries.iter().map(|query| query.row.name.as_slice()).collect();
        let is_known = if adds { indexes.first().with_names(&names, Some(self.pool))? } else { Vec::new() };
        let mut batch = OpenBatch::default();
        let mut chunk: Vec<(usize, FoundMatch)> = Vec::new();
        let mut known = Vec::new();
        for (number, query) in queries.iter().enumerate() {
            let open = adds.then(|| {
                let text = searcher.load_query_set(query);
                (batch.matches(query, &text, self.threshold, self.removes), text)
            });
            let of_batch = open.as_ref().map_or(&[][..], |(open, _)| open.as_slice());
            let mut found = matches_of(results.iter().map(|of_index| of_index[number].as_slice()), of_batch);
            self.remove_own(indexes, query, &mut found)?;
            if self.query.matching.is_some() && self.query.best.is_some() {
                found = self.with_enough_passages(indexes, &batch, details, queries, number, &found)?;
            }
            if let Some((_, text)) = open {
                let is_wanted = self.query.add == AddWhat::All || found.is_empty();
                match is_known[number] {
                    // A text without shingles cannot be similar to anything, so it does not count as unseen.
                    _ if !is_wanted || !query.row.has_text() && self.query.add != AddWhat::All => {}
                    None => batch.push(query, text),
                    // The existing document with this name is checked when the batch is added.
                    Some(_) => known.push(query.to_new()),
                }
            }
            keep_best(&mut found, self.query.best, self.query.is_by_samples(), |found| &found.matched);
            for found in found {
                chunk.push((number, found));
                if chunk.len() == PAIRS {
                    self.pass_on(indexes, &batch, details, queries, &chunk)?;
                    chunk.clear();
                }
            }
        }
        self.pass_on(indexes, &batch, details, queries, &chunk)?;
        if adds {
            let documents = batch.take().into_iter().chain(known).collect();
            self.added.add(indexes.add(documents, self.query.known)?);
        }
        Ok(())
    }

    /// Counts some queries and their candidates, and notes what could not be read. Returns the results of each query in each
    /// index.
    fn counted(&mut self, queries: &[QueryDocument], of_indexes: Vec<QueryResults>) -> Vec<Vec<Vec<IndexMatch>>> {
        if self.query.is_by_samples() {
            let num_shingles = queries.iter().map(|query| query.num_shingles).filter(|&number| number > 0);
            self.num_shingles.extend(num_shingles.map(|number| u32::try_from(number).unwrap_or(u32::MAX)));
        }
        let mut results = Vec::new();
        for (position, QueryResults { of, candidates, faults, stale }) in of_indexes.into_iter().enumerate() {
            self.candidates += candidates;
            stale.into_iter().for_each(|stale| self.note_stale(position, stale));
            faults.into_iter().for_each(|fault| self.note_damage(fault));
            results.push(of);
        }
        results
    }

    /// Reports each document whose text has changed or is missing once.
    fn note_stale(&mut self, index: usize, stale: StaleText) {
        if self.stale.insert((index, stale.document)) {
            self.observer.problem(&problem_of(stale.name, &stale.fault));
        }
    }

    /// Records the fault of an index once.
    fn note_damage(&mut self, fault: Error) {
        let Error::Index(fault) = fault else { unreachable!("other errors end the search") };
        if !self.damage.contains(&fault) {
            self.damage.push(fault);
        }
    }

    /// Removes the document that has the name of the query.
    fn remove_own(&self, indexes: &SearchedIndexes, query: &QueryDocument, found: &mut Vec<FoundMatch>) -> Result<()> {
        if self.query.leaves_out_own(0) {
            let mut kept = Vec::with_capacity(found.len());
            for found in found.drain(..) {
                // Names are unique among queries.
                let document = || indexes.reader(found.index).document(found.matched.document);
                let is_other = || Ok::<_, Error>(document()?.name != query.row.name);
                if found.is_open || !self.query.leaves_out_own(found.index) || is_other()? {
                    kept.push(found);
                }
            }
            *found = kept;
        }
        Ok(())
    }

    fn pass_on(
        &mut self,
        indexes: &SearchedIndexes,
        batch: &OpenBatch,
        details: &mut ResultDetails,
        queries: &[QueryDocument],
        chunk: &[(usize, FoundMatch)],
    ) -> Result<()> {
        if chunk.is_empty() {
            return Ok(());
        }
        let rows = self.rows(indexes, batch, chunk)?;
        let rows: Vec<&DocRow> = rows.iter().map(MatchRow::get).collect();
        let details = self.details(indexes, batch, details, queries, chunk, &rows)?;
        let mut table = ResultTable::new(self.with_source, 2 * chunk.len())?;
        let mut pairs = Vec::with_capacity(chunk.len());
        let mut last: Option<(usize, DocId)> = None;
        for (at, (&(query, FoundMatch { matched, index, .. }), row)) in chunk.iter().zip(rows).enumerate() {
            if details.get(at).is_some_and(|detail| detail.is_too_little) {
                continue;
            }
            let a = match last {
                Some((other, a)) if other == query => a,
                _ => table.push(&queries[query].row, None)?,
            };
            last = Some((query, a));
            let b = table.push(row, indexes.name(index))?;
            let result_settings = &indexes.first().result_settings;
            pairs.push(DuplicatePair {
                a,
                b,
                shared: matched.shared,
                shingles_a: matched.shingles_a,
                shingles_b: matched.shingles_b,
                equal_values: matched.equal_values,
                num_hashes: result_settings.banding.num_hashes() as u32,
                removed: matched.removed,
                kept_names: details.get(at).and_then(|detail| detail.kept_names),
                weights: None,
            });
        }
        self.pairs += pairs.len() as u64;
        let passages: Vec<Option<LocatedPassages>> = match self.query.passage_settings() {
            Some(_) => {
                details.into_iter().filter(|detail| !detail.is_too_little).map(|detail| detail.passages).collect()
            }
            None => Vec::new(),
        };
        self.sink.pairs(PairBatch { documents: &table.finish(), pairs: &pairs, passages: &passages })
    }

    /// The results of a query whose passages meet the requested limits.
    fn with_enough_passages(
        &mut self,
        indexes: &SearchedIndexes,
        batch: &OpenBatch,
        details: &mut ResultDetails,
        queries: &[QueryDocument],
        query: usize,
        found: &[FoundMatch],
    ) -> Result<Vec<FoundMatch>> {
        let mut enough = Vec::new();
        for part in found.chunks(PAIRS) {
            let chunk: Vec<(usize, FoundMatch)> = part.iter().map(|&found| (query, found)).collect();
            let rows = self.rows(indexes, batch, &chunk)?;
            let rows: Vec<&DocRow> = rows.iter().map(MatchRow::get).collect();
            let details = self.details(indexes, batch, details, queries, &chunk, &rows)?;
            enough
                .extend(part.iter().zip(details).filter(|(_, detail)| !detail.is_too_little).map(|(found, _)| *found));
        }
        Ok(enough)
    }

    /// The rows of the documents of some results.
    fn rows<'b>(
        &self,
        indexes: &SearchedIndexes,
        batch: &'b OpenBatch,
        chunk: &[(usize, FoundMatch)],
    ) -> Result<Vec<MatchRow<'b>>> {
        let mut stored = Vec::new();
        for (position, reader) in indexes.readers().enumerate() {
            let of_index = chunk.iter().filter(|(_, found)| !found.is_open && found.index == position);
            let numbers: Vec<u32> = of_index.map(|(_, found)| found.matched.document).collect();
            stored.push(reader.documents(&numbers, Some(self.pool))?.into_iter());
        }
        let row = |(_, found): &(usize, FoundMatch)| match found.is_open {
            true => MatchRow::Open(&batch.get(found.matched.document).row),
            false => MatchRow::Stored(stored[found.index].next().expect("one for each result")),
        };
        Ok(chunk.iter().map(row).collect())
    }

    /// The details of some results; empty when no details are requested.
    fn details(
        &mut self,
        indexes: &SearchedIndexes,
        batch: &OpenBatch,
        details: &mut ResultDetails,
        queries: &[QueryDocument],
        chunk: &[(usize, FoundMatch)],
        rows: &[&DocRow],
    ) -> Result<Vec<MatchDetail>> {
        if !details.are_wanted() {
            return Ok(Vec::new());
        }
        let texts = chunk.iter().zip(rows).map(|(&(query, found), &row)| {
            [(TextKey::Query(query), &queries[query].row), (TextKey::of(found, row), row)]
        });
        let texts: Vec<MatchTexts> = texts.collect();
        let mut reader_of: Vec<TextReader> = indexes.readers().map(TextReader::new).collect();
        let mut text_of = |key: TextKey, row: &DocRow| match key {
            TextKey::Query(query) => Ok(Some(queries[query].text.to_vec())),
            TextKey::Open(position) => Ok(batch.get(position).text.as_deref().map(<[u8]>::to_vec)),
            TextKey::Stored(index, ..) => match reader_of[index].read(row) {
                Ok(text) => Ok(Some(text)),
                // A text that was readable before and is not any more is reported like damage.
                Err(error @ Error::Index(IndexError::Damaged { .. } | IndexError::Stale { .. })) => {
                    self.note_damage(error);
                    Ok(None)
                }
                Err(error) => Err(error),
            },
        };
        details.of(&texts, &mut text_of)
    }
}

/// The results of one query in all indexes, in the order of the indexes.
///
/// * `of_batch`: the results among the documents of the open batch, which will become part of the first index.
fn matches_of<'r>(of_indexes: impl Iterator<Item = &'r [IndexMatch]>, of_batch: &[IndexMatch]) -> Vec<FoundMatch> {
    let mut found = Vec::new();
    for (index, of_index) in of_indexes.enumerate() {
        found.extend(of_index.iter().map(|&matched| FoundMatch { matched, index, is_open: false }));
        let of_batch = if index == 0 { of_batch } else { &[] };
        found.extend(of_batch.iter().map(|&matched| FoundMatch { matched, index, is_open: true }));
    }
    found
}
