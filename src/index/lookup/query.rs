//! `query_index`: reads inputs as queries, and writes pairs of a query and a similar document of the index.
//!
//! Workers read and sign the queries; the calling thread searches for many of them at a time, so that each part of the
//! index is read once for all.

use std::sync::mpsc::Receiver;
use std::time::Instant;

use serde::{Serialize, Serializer};

use super::containment::{ContainmentSummary, WantedContainment};
use super::details::{ResultDetails, WantedDetails};
use super::query_document::QueryDocument;
use super::query_reading::QueryReading;
use super::query_run::QueryRun;
use super::query_settings::{AddWhat, QuerySettings};
use super::searched_indexes::SearchedIndexes;
use super::searcher::IndexSearcher;
use crate::base::error::{IndexError, Result};
use crate::base::hand_over::hand_over;
use crate::base::observe::{Observer, Stage};
use crate::index::database::file::add_own_files;
use crate::index::write::writing::Added;
use crate::search::pairs::PairSink;
use crate::search::run::{MatchingRecord, Settings, Summary};

/// The size of the page cache in bytes.
const CACHE_BYTES: u64 = 16 << 20;

/// The summary of a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuerySummary {
    /// The inputs, their problems, the settings, and the number of pairs.
    #[serde(flatten)]
    pub queries: Summary,
    /// The number of documents of all indexes, at the end.
    pub index_documents: u64,
    /// The counts of the queries that were to be added; `None` when queries are not added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<Added>,
    /// The recall of a search for contained documents; `None` for other searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub containment: Option<ContainmentSummary>,
    /// Whether the index was built to find contained documents.
    #[serde(skip)]
    pub can_find_contained: bool,
    /// The damaged parts of the index; records have them in words.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "in_words")]
    pub damage: Vec<IndexError>,
    /// The number of documents that could not be compared, because their texts have changed or are missing; omitted
    /// when 0.
    #[serde(skip_serializing_if = "is_none")]
    pub stale: u64,
}

fn in_words<S: Serializer>(damage: &[IndexError], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(damage.iter().map(ToString::to_string))
}

/// Reads the inputs and passes on the similar documents of an index: pairs of a query and a document of the index.
/// Pairs are ordered by the query in document order, then by the order of the index.
///
/// The pairs are equal to those from [`find_duplicates`](crate::search::find_duplicates) and
/// [`find_passages`](crate::search::find_passages) for the same inputs against the documents of the index, with the settings of
/// the index. If a stored text is not byte for byte the source of its document, passages are located in the stored
/// text, and marked so.
///
/// * `settings`: the inputs and how to read them. The settings of texts, shingles and signatures are ignored; the index
///   has its own.
/// * `sink`: receives pairs, with a table of their documents, and their passages if these are requested.
///
/// # Errors
/// When inputs or the index cannot be read. Damaged texts only lose their pairs, and are listed in the summary. The
/// same applies to texts that have changed or are missing where the index refers to them: `observer` receives these as
/// problems ([`Reason::Stale`](crate::base::Reason::Stale)).
pub fn query_index(
    query: &QuerySettings,
    settings: &Settings,
    observer: &dyn Observer,
    sink: &mut dyn PairSink,
) -> Result<QuerySummary> {
    let (mut indexes, mut settings) = SearchedIndexes::open(query, settings, CACHE_BYTES)?;
    for index in std::iter::once(&query.index).chain(&query.others) {
        add_own_files(index, &mut settings.input.own_files);
    }
    let settings = &settings;
    settings.check()?;
    indexes.set_threads(settings.resources.threads);
    let (read_pool, search_pool) = (settings.thread_pool()?, settings.thread_pool()?);
    observer.begin(Stage::Read);
    let started = Instant::now();
    let templates = indexes.first_mut().templates.take();
    let (templates, kept_templates) = (templates.as_ref(), indexes.kept_templates(settings)?);
    let kept_names = settings.pairs.kept_names.map(|size| (size.get(), kept_templates.as_ref()));
    let (passages, matching) = (query.passage_settings(), query.matching);
    let wanted = WantedDetails { passages, matching, templates, kept_names };
    let mut details = ResultDetails::new(settings.corpus(), wanted, &search_pool);
    let containment = WantedContainment::of(indexes.first(), query)?;
    let adds = query.add != AddWhat::None;
    let reading = QueryReading {
        settings,
        templates,
        rate: indexes.first().result_settings.containment.filter(|_| containment.is_some() || adds),
        by_containment: containment.is_some(),
        adds,
        settings_number: if adds { indexes.read_settings_number(settings)? } else { None },
        observer,
        pool: &read_pool,
    };
    let mut run = QueryRun::new(query, settings, templates.is_some(), observer, &search_pool, sink);
    let searcher = IndexSearcher::new(settings.corpus(), templates, settings.pairs.threshold, &search_pool);
    let searcher = searcher.by_containment(containment);
    let search = |batches: Receiver<Vec<QueryDocument>>| {
        batches.into_iter().try_for_each(|queries| {
            run.search(&mut indexes, &searcher, &mut details, &queries)?;
            // Freeing the memory need not delay the search.
            search_pool.spawn(move || drop(queries));
            Ok(())
        })
    };
    let (read, ()) = hand_over(1, |pass_on| reading.read(pass_on), search)?;
    read.check_read()?;
    let mut summary = Summary::of_reading(settings, read);
    (summary.pairs, summary.candidates) = (run.pairs, run.candidates);
    summary.seconds.read = started.elapsed().as_secs_f64();
    summary.settings.passages = query.passage_settings();
    summary.settings.matching = query.matching.map(MatchingRecord::new);
    let (seeds_capped, problems) = details.finish();
    summary.seeds_capped = seeds_capped;
    summary.report(problems, observer);
    Ok(QuerySummary {
        queries: summary,
        index_documents: indexes.readers().map(|reader| reader.state.documents).sum(),
        added: adds.then_some(run.added),
        containment: containment.map(|wanted| ContainmentSummary::new(wanted, run.num_shingles)),
        can_find_contained: indexes.first().result_settings.containment.is_some(),
        damage: run.damage,
        stale: run.stale.len() as u64,
    })
}

fn is_none(number: &u64) -> bool {
    *number == 0
}
