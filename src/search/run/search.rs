//! `search`: runs all stages from paths to duplicate pairs, and returns everything that later stages need.
//!
//! The first pass reads the documents. Then one of three ways finds the pairs to consider: the bucket table, an
//! exhaustive join, or matching by passages. The second pass verifies them and passes the duplicate pairs to the sink,
//! if requested with their passages and with the similarity by kept identifiers. Finally, an audit may measure the
//! recall.

use std::num::NonZeroUsize;

use super::audit::audit;
use super::candidate_sums::CandidateSums;
use super::join::join;
use super::matches::matches;
use super::settings::Settings;
use super::summary::{LargestBucket, Memory, Summary};
use super::timed::timed;
use crate::base::error::{Error, Result};
use crate::base::memory;
use crate::base::memory::Resources;
use crate::base::observe::{Observer, Stage};
use crate::compare::clusters::CentreOrder;
use crate::compare::passages::PassageSettings;
use crate::documents::document::Documents;
use crate::documents::input::Sources;
use crate::search::corpus;
use crate::search::corpus::{Corpus, CorpusSettings, KeptTexts, Listed, Sample};
use crate::search::estimate::audit::{Audit, Drawing};
use crate::search::matching::Matches;
use crate::search::pairs::{NamesSearch, PairSearch, PassageSearch, PassageSink, Sink};
use crate::sign::banding::{BucketTable, CandidateSource, ListedCandidates, TableCandidates};
use crate::text::removal::Removal;
use crate::text::weights::Weighing;

/// The number of pairs among equal texts above which a run calls [`Observer::many_copies`].
const MANY_PAIRS: u64 = 1_000_000;

/// A finished run, after its last pair.
pub(crate) struct Searched {
    pub(crate) documents: Documents,
    /// The shingles that were removed from the documents.
    pub(crate) removal: Option<Removal>,
    /// Every document and every skipped input, in document order; empty unless requested.
    pub(crate) list: Vec<Listed>,
    pub(crate) sources: Sources,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) summary: Summary,
    /// The weights of shingles, where they have weights.
    pub(crate) weighing: Option<Weighing>,
    /// For a sample: the estimated number of candidates of all documents. `None` where the sample contains all
    /// documents, and where documents match by their passages.
    pub(crate) candidate_sums: Option<CandidateSums>,
}

/// Finds and verifies the pairs, and passes them on.
///
/// * `passages`: the definition of a passage; without it the sink receives no passages. Where documents match by their
///   passages, the definition in `settings` applies instead.
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
    let mut is_first = true;
    let mut sink = |documents: &Documents, pairs: &[_], passages: &[_]| {
        if std::mem::take(&mut is_first) {
            report_many_copies(settings, documents, observer);
        }
        sink(documents, pairs, passages)
    };
    search_with(settings, passages, observer, lists, None, None, &mut sink)
}

/// Does what [`search`] does, without the report about many pairs of equal texts, since these pairs are not printed.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn search_unprinted(settings: &Settings, observer: &dyn Observer, sink: PassageSink) -> Result<Searched> {
    search_with(settings, None, observer, false, None, None, sink)
}

/// Does what [`search`] does, but only for the pairs that decide which centre each text belongs to. Pairs of large
/// buckets that no centre needs are not verified.
///
/// * `order`: receives the documents once, and returns the order in which they become centres.
///
/// # Errors
/// When the run cannot be done, or `order` fails.
pub(crate) fn search_stars(
    settings: &Settings,
    observer: &dyn Observer,
    order: OrderCentres<'_>,
    sink: PassageSink,
) -> Result<Searched> {
    search_with(settings, None, observer, false, Some(order), None, sink)
}

/// Does what [`search`] does, for the documents of a sample.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn search_sample(
    settings: &Settings,
    sample: &Sample,
    observer: &dyn Observer,
    sink: PassageSink,
) -> Result<Searched> {
    search_with(settings, None, observer, false, None, Some(sample), sink)
}

/// Returns the order in which documents become centres.
pub(crate) type OrderCentres<'a> = &'a mut (dyn FnMut(&Documents) -> Result<CentreOrder> + Send);

fn search_with(
    settings: &Settings,
    passages: Option<PassageSettings>,
    observer: &dyn Observer,
    lists: bool,
    order: Option<OrderCentres<'_>>,
    sample: Option<&Sample>,
    sink: PassageSink,
) -> Result<Searched> {
    settings.check()?;
    if passages.is_some() && settings.shingles.of_sets() {
        return Err(Error::PassagesOfSets);
    }
    let mut settings = settings.clone();
    settings.input.with_offsets |= passages.is_some();
    let settings = &settings;
    let by_passages = settings.pairs.by_passages.map(|matching| matching.passages);
    let passages = passages.map(|passages| by_passages.unwrap_or(passages));
    let reads_again = by_passages.is_some() || settings.pairs.all_pairs;
    let kept = reads_again.then(|| KeptTexts::new(settings.corpus().memory().kept_texts()));
    let weighing = settings.weights.as_ref().map(Weighing::new);
    let weights = weighing.as_ref();
    let corpus_settings = CorpusSettings { kept: kept.as_ref(), sample, weights, ..settings.corpus() };
    let pool = settings.thread_pool()?;
    let sources = Sources::new(settings.cancel.clone());
    let mut summary = Summary::new(settings, passages);

    let read = || corpus::read(corpus_settings, &sources, observer, &pool, lists);
    let (read, seconds) = timed(observer, Stage::Read, read)?;
    read.summary.check_read()?;
    summary = summary.with_read(read.summary);
    summary.seconds.read = seconds;

    let candidates = match settings.pairs.by_passages {
        None if settings.pairs.all_pairs => {
            let (documents, removal) = (read.corpus.into_documents(), read.removal.as_ref());
            let find = || join(settings, corpus_settings, &documents, removal, &sources, observer, &mut summary);
            let candidates = pool.install(find)?;
            (documents, FoundPairs::Joined(candidates))
        }
        None => {
            let band = || pool.install(|| bucket_table(settings, read.corpus, &mut summary.memory));
            let ((documents, table), seconds) = timed(observer, Stage::Band, band)?;
            summary.seconds.band = seconds;
            summary.largest_bucket = table.largest_bucket().map(|(first, num_documents)| LargestBucket {
                documents: num_documents as u64,
                first: String::from_utf8_lossy(documents.name(first)).into_owned(),
            });
            (documents, FoundPairs::Table(table))
        }
        Some(by_passages) => {
            let (corpus, removal) = (read.corpus, read.removal.as_ref());
            let find = || matches(corpus_settings, by_passages, corpus, removal, &sources, observer, &mut summary);
            let (documents, matches) = pool.install(find)?;
            (documents, FoundPairs::Matches(matches))
        }
    };
    let (documents, candidates) = candidates;
    let sums = |sample| pool.install(|| candidates.sums(sample, &documents, settings));
    let candidate_sums = sample.filter(|sample| !sample.is_all()).map(sums).transpose()?.flatten();
    let centres = order.map(|order| pool.install(|| order(&documents))).transpose()?;

    let kept_size = settings.pairs.kept_names.map(NonZeroUsize::get);
    let read_templates = |size| corpus::read_kept_templates(settings.corpus(), size, sources.cancel(), observer, &pool);
    let kept_templates = kept_size.map(read_templates).transpose()?.flatten();
    let mut names =
        kept_size.map(|size| NamesSearch::new(settings.corpus(), size, kept_templates.as_ref(), &documents, &sources));
    // Clustering skips pairs that it does not need, and an audit would count them as missed.
    let audited = settings.audit.filter(|_| centres.is_none() && !settings.pairs.spanning);
    let mut drawing = audited.map(|audited| Drawing::new(audited, settings.signature.seed, &documents));
    let mut sink = |documents: &Documents, pairs: &[_], passages: &[_]| {
        drawing.iter_mut().for_each(|drawing| drawing.add(pairs));
        match &mut names {
            _ if settings.cancel.is_cancelled() => Err(Error::Cancelled),
            Some(names) => sink(documents, &names.compared(pairs), passages),
            None => sink(documents, pairs, passages),
        }
    };
    sink(&documents, &[], &[])?;
    let names_are_kept = settings.pairs.kept_names.is_some();
    let verify = || {
        let (corpus, removal) = (corpus_settings, read.removal.as_ref());
        let mut search = PairSearch::new(observer, corpus, settings.pairs, removal, &documents, &sources);
        if let Some(centres) = &centres {
            search = search.of_stars(centres);
        }
        let run = |sink: Sink<'_>| match &candidates {
            FoundPairs::Table(table) => pool.install(|| search.run(table, sink)),
            FoundPairs::Joined(candidates) => pool.install(|| search.run_candidates(candidates, sink)),
            FoundPairs::Matches(matches) => pool.install(|| search.run_all(&matches.candidates, sink)),
        };
        let Some(passages) = passages else {
            return run(&mut |documents, pairs| sink(documents, pairs, &[]));
        };
        // The sets with kept names use the remaining quarter of the memory.
        let memory_bytes = corpus.resources.memory_bytes;
        let memory_bytes = if names_are_kept { memory_bytes / 4 * 3 } else { memory_bytes };
        let corpus = CorpusSettings { resources: Resources { memory_bytes, ..corpus.resources }, ..corpus };
        let mut passages = PassageSearch::new(corpus, passages, removal, &documents, &sources);
        if let FoundPairs::Matches(matches) = &candidates {
            passages = passages.of_matches(&matches.alignments);
        }
        let mut search = run(&mut |documents: &Documents, pairs: &[_]| {
            passages.pass_on(pairs, |pairs, passages| sink(documents, pairs, passages))
        })?;
        passages.finish(&mut search, observer);
        Ok(search)
    };
    let (mut search, seconds) = timed(observer, Stage::Verify, verify)?;
    if let Some(names) = names {
        names.finish(&mut search, observer);
    }
    if let FoundPairs::Matches(matches) = &candidates {
        (search.candidates, search.seeds_capped) = (matches.summary.aligned, Some(matches.seeds_capped));
    }
    summary = summary.with_search(search);
    summary.seconds.verify += seconds;
    sources.check()?;
    candidates.check()?;
    if let Some(drawing) = drawing {
        let (corpus, pairs, removal) = (corpus_settings, settings.pairs, read.removal.as_ref());
        let measured = Audit { observer, corpus, pairs, removal, documents: &documents, sources: &sources };
        pool.install(|| audit(measured, drawing, &mut summary))?;
    }
    let (removal, list) = (read.removal, read.list);
    Ok(Searched { documents, removal, list, sources, pool, summary, weighing, candidate_sums })
}

/// The source of the pairs.
enum FoundPairs {
    /// Texts that share a bucket; they still have to be verified.
    Table(BucketTable),
    /// Texts that may reach the threshold; they still have to be verified.
    Joined(ListedCandidates),
    /// Texts that match by their passages.
    Matches(Matches),
}

impl FoundPairs {
    /// Estimates the number of candidates of all documents from the candidates of a sample.
    ///
    /// # Errors
    /// When the run was cancelled.
    fn sums(&self, sample: &Sample, documents: &Documents, settings: &Settings) -> Result<Option<CandidateSums>> {
        let sums = |candidates: &dyn CandidateSource| {
            CandidateSums::new(sample, documents, candidates, &settings.cancel).map(Some)
        };
        match self {
            Self::Table(table) => sums(&TableCandidates::new(table, settings.resources.threads.get())),
            Self::Joined(candidates) => sums(candidates),
            Self::Matches(_) => Ok(None),
        }
    }

    /// Checks that all candidates could be read back from disk.
    ///
    /// # Errors
    /// When some could not be read, so that pairs are missing.
    fn check(self) -> Result<()> {
        match self {
            Self::Table(_) => Ok(()),
            Self::Joined(candidates) => candidates.check(),
            Self::Matches(matches) => matches.candidates.check(),
        }
    }
}

/// Builds the bucket table of a corpus, in the thread pool of the run.
///
/// # Errors
/// When memory is too small for it.
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
    if settings.pairs.collapse_exact {
        return;
    }
    let texts = documents.pairs_of_copies();
    let pairs = texts.iter().map(|text| text.0).sum();
    if pairs > MANY_PAIRS {
        let largest = texts.iter().map(|text| text.1).max().unwrap_or(0);
        observer.many_copies(pairs, texts.len() as u64, largest);
    }
}
