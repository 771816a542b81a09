//! `search`: the stages of a run, from paths to duplicate pairs; what later stages need is returned.

use std::time::Instant;

use super::settings::Settings;
use super::summary::{LargestBucket, Memory, Summary};
use crate::banding::BucketTable;
use crate::corpus::{self, Corpus, Listed};
use crate::document::Documents;
use crate::error::{Error, Result};
use crate::input::Sources;
use crate::memory;
use crate::observe::{Observer, Stage};
use crate::pairs::{PairSearch, PassageSearch, PassageSink};
use crate::passages::PassageSettings;
use crate::removal::Removal;

/// A run with more pairs among equal texts than this calls [`Observer::many_copies`].
const MANY_PAIRS: u64 = 1_000_000;

/// A run after its last pair.
pub(crate) struct Searched {
    pub(crate) documents: Documents,
    /// The shingles that were removed from the documents.
    pub(crate) removal: Option<Removal>,
    /// Every document and every input that is none, in document order; empty unless asked for.
    pub(crate) list: Vec<Listed>,
    pub(crate) sources: Sources,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) summary: Summary,
}

/// Finds, verifies and passes on the pairs.
///
/// * `passages`: what counts as a passage; without it the sink receives none.
/// * `lists`: whether to return a list of all documents.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn search(
    settings: &Settings,
    passages: Option<PassageSettings>,
    observer: &dyn Observer,
    lists: bool,
    sink: PassageSink,
) -> Result<Searched> {
    settings.check()?;
    if passages.is_some() && settings.shingles.of_sets() {
        return Err(Error::PassagesOfSets);
    }
    let mut settings = settings.clone();
    settings.input.with_offsets |= passages.is_some();
    let settings = &settings;
    let pool = settings.thread_pool()?;
    let sources = Sources::new(settings.cancel.clone());
    let mut summary = Summary::new(settings, passages);

    let read = || corpus::read(settings.corpus(), &sources, observer, &pool, lists);
    let (read, seconds) = timed(observer, Stage::Read, read)?;
    read.summary.check_read()?;
    summary = summary.with_read(read.summary);
    summary.seconds.read = seconds;
    report_many_copies(settings, &read.corpus.documents, observer);

    let band = || pool.install(|| bucket_table(settings, read.corpus, &mut summary.memory));
    let ((documents, table), seconds) = timed(observer, Stage::Band, band)?;
    summary.seconds.band = seconds;
    summary.largest_bucket = table.largest_bucket().map(|(first, num_documents)| LargestBucket {
        documents: num_documents as u64,
        first: String::from_utf8_lossy(documents.name(first)).into_owned(),
    });

    let mut sink = |documents: &Documents, pairs: &[_], passages: &[_]| match settings.cancel.is_cancelled() {
        true => Err(Error::Cancelled),
        false => sink(documents, pairs, passages),
    };
    let verify = || {
        let (corpus, removal) = (settings.corpus(), read.removal.as_ref());
        let search = PairSearch::new(observer, corpus, settings.pairs, removal, &documents, &table, &sources);
        let Some(passages) = passages else {
            return pool.install(|| search.run(&mut |documents, pairs| sink(documents, pairs, &[])));
        };
        let mut passages = PassageSearch::new(corpus, passages, &documents, &sources);
        let mut sink = |documents: &Documents, pairs: &[_]| {
            passages.pass_on(pairs, |pairs, passages| sink(documents, pairs, passages))
        };
        let mut search = pool.install(|| search.run(&mut sink))?;
        passages.finish(&mut search, observer);
        Ok(search)
    };
    let (search, seconds) = timed(observer, Stage::Verify, verify)?;
    summary = summary.with_search(search);
    summary.seconds.verify = seconds;
    sources.check()?;
    Ok(Searched { documents, removal: read.removal, list: read.list, sources, pool, summary })
}

/// Runs a stage; returns its result and its wall time in seconds.
fn timed<T>(observer: &dyn Observer, stage: Stage, work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let start = Instant::now();
    observer.begin(stage);
    let done = work()?;
    Ok((done, start.elapsed().as_secs_f64()))
}

/// The bucket table of a corpus, in the thread pool of the run.
///
/// # Errors
/// When there is no room for it.
fn bucket_table(settings: &Settings, corpus: Corpus, memory: &mut Memory) -> Result<(Documents, BucketTable)> {
    let (num_bands, num_documents) = (settings.banding.bands(), corpus.documents.len());
    let building_bytes = BucketTable::building_bytes(num_bands, num_documents);
    memory::ask_for(building_bytes, "the bucket table")?;
    memory.tables_at_least(corpus.num_bytes() + building_bytes);
    let take_band = |band, out: &mut Vec<_>| corpus.take_band(band, out);
    let table = match corpus.documents.scope().classes() {
        None => BucketTable::build(num_bands, num_documents, take_band),
        Some(classes) => BucketTable::build_across(num_bands, classes, take_band),
    };
    let documents = corpus.into_documents();
    memory.tables_at_least(documents.num_bytes() + table.num_bytes() + PairSearch::table_bytes(num_documents));
    Ok((documents, table))
}

fn report_many_copies(settings: &Settings, documents: &Documents, observer: &dyn Observer) {
    let pairs = |copies: usize| (copies as u64) * (copies as u64 + 1) / 2;
    let all = documents.groups().map(|(_, copies)| pairs(copies)).sum();
    if !settings.pairs.collapse_exact && documents.scope().compares_within_cells() && all > MANY_PAIRS {
        let largest = documents.groups().map(|(_, copies)| copies).max().unwrap_or(0);
        observer.many_copies(all, documents.groups().count() as u64, largest as u64 + 1);
    }
}
