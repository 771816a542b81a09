//! `Search`: the stages of a run, from paths to duplicate pairs. Every command that searches a whole corpus begins here.
//!
//! ```text
//! read -> FirstPass -find_candidates-> FoundPairs -verify-> pairs, through the PairSteps -> sink, summary
//! ```

use super::candidate_sums::CandidateSums;
use super::list::{DocumentSink, pass_on_list};
use super::pass::Pass;
use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::compare::clusters::CentreOrder;
use crate::compare::passages::PassageSettings;
use crate::documents::document::Documents;
use crate::documents::input::Sources;
use crate::search::corpus::{FirstPass, KeptTexts, ReadCorpus, Sample, StageSettings};
use crate::search::pairs::PairSink;
use crate::text::removal::Removal;
use crate::text::weights::Weighing;

/// A run with more pairs of equal texts than this calls [`Observer::many_copies`].
const MANY_PAIRS: u64 = 1_000_000;

/// Chooses the order in which documents become centres of stars.
pub(crate) type OrderCentres<'a> = &'a mut (dyn FnMut(&Documents) -> Result<CentreOrder> + Send);

/// A search for the duplicate pairs of a corpus, and the results that are wanted in addition to the pairs.
///
/// ```
/// use dedup_scan::records::DocumentRecord;
/// use dedup_scan::search::{PairBatch, PairSink, Search};
/// use dedup_scan::{Documents, InputSettings, Result, Settings, Unwatched};
///
/// #[derive(Default)]
/// struct Counter(usize, usize);
///
/// impl PairSink for Counter {
///     fn begin(&mut self, documents: &Documents) -> Result<()> {
///         self.0 = documents.len();
///         Ok(())
///     }
///
///     fn pairs(&mut self, batch: PairBatch<'_>) -> Result<()> {
///         self.1 += batch.pairs.len();
///         Ok(())
///     }
/// }
///
/// let settings = Settings::of(InputSettings::of(vec!["examples/corpus/licences".into()]));
/// let (mut counter, mut listed) = (Counter::default(), 0);
/// let mut list = |_: &DocumentRecord| -> Result<()> {
///     listed += 1;
///     Ok(())
/// };
/// Search::new(&settings, &Unwatched).with_list(&mut list).run(&mut counter)?;
/// assert_eq!((counter.0, counter.1, listed), (6, 2, 6));
/// # Ok::<(), dedup_scan::Error>(())
/// ```
pub struct Search<'a> {
    pub(super) settings: Settings,
    pub(super) observer: &'a dyn Observer,
    passages: Option<PassageSettings>,
    has_views: bool,
    list: Option<DocumentSink<'a>>,
    is_printed: bool,
    centres: Option<OrderCentres<'a>>,
    sample: Option<&'a Sample>,
}

/// The results of a search, apart from its pairs.
pub struct Searched {
    /// The numbers of the run.
    pub summary: Summary,
    /// The settings of the run, with positions of bytes if passages or views need them.
    pub(crate) settings: Settings,
    pub(crate) documents: Documents,
    /// The shingles that were removed from the documents.
    pub(crate) removal: Option<Removal>,
    pub(crate) sources: Sources,
    pub(crate) pool: rayon::ThreadPool,
    /// The weights of shingles, if shingles have weights.
    pub(crate) weighing: Option<Weighing>,
    /// The candidates of all documents, estimated from a sample. `None` when the sample has all documents, and when documents
    /// match by passages.
    pub(crate) candidate_sums: Option<CandidateSums>,
}

impl Searched {
    /// The corpus of the run, whose documents can be read again.
    pub(crate) fn corpus<'a>(&'a self, observer: &'a dyn Observer) -> ReadCorpus<'a> {
        ReadCorpus {
            observer,
            settings: StageSettings { weights: self.weighing.as_ref(), ..self.settings.corpus() },
            removal: self.removal.as_ref(),
            documents: &self.documents,
            sources: &self.sources,
        }
    }
}

impl<'a> Search<'a> {
    /// A search that passes its pairs on without passages, and has no other results.
    pub fn new(settings: &Settings, observer: &'a dyn Observer) -> Self {
        Self {
            settings: settings.clone(),
            observer,
            passages: None,
            has_views: false,
            list: None,
            is_printed: false,
            centres: None,
            sample: None,
        }
    }

    /// Warns before the first pair when there are very many pairs of equal texts, since all of them are printed. In a search
    /// for blocks, documents that repeat blocks are pairs with themselves.
    pub fn printed(self) -> Self {
        Self { is_printed: true, ..self }
    }

    /// Passes each pair on with its passages, as [`find_passages`](crate::search::find_passages) does. Pairs that match by
    /// their passages have those passages, whatever the settings.
    pub fn with_passages(self, passages: Option<PassageSettings>) -> Self {
        Self { passages, ..self }
    }

    /// Reads documents in such a way that a [`ViewReader`](crate::results::ViewReader) can show them afterwards.
    pub fn with_views(self, has_views: bool) -> Self {
        Self { has_views, ..self }
    }

    /// Lists every document and every skipped input after the last pair, in document order, with the hashes of texts.
    pub fn with_list(self, list: DocumentSink<'a>) -> Self {
        Self { list: Some(list), ..self }
    }

    /// Finds only the pairs that make the stars of centres: pairs of large buckets that no star needs are not verified.
    ///
    /// * `order`: receives the documents once, and chooses the order in which they become centres.
    pub(crate) fn of_stars(self, order: OrderCentres<'a>) -> Self {
        Self { centres: Some(order), ..self }
    }

    /// Compares only the documents of a sample.
    pub(crate) fn of_sample(self, sample: &'a Sample) -> Self {
        Self { sample: Some(sample), ..self }
    }

    /// Finds, verifies and passes on the pairs.
    ///
    /// # Errors
    /// When the run cannot be done, and when a sink or the order of centres fails.
    pub fn run(mut self, sink: &mut dyn PairSink) -> Result<Searched> {
        self.check()?;
        let Self { settings, observer, passages, list, is_printed, centres, sample, .. } = self;
        let source = settings.pairs.source;
        let passages = passages.map(|passages| source.passages().unwrap_or(passages));
        let kept = source.reads_again().then(|| KeptTexts::new(settings.corpus().memory().kept_texts()));
        let weighing = settings.weights.as_ref().map(Weighing::new);
        let (filter, weights) = (settings.filter(), weighing.as_ref());
        let stages = StageSettings { filter, kept: kept.as_ref(), sample, weights, ..settings.corpus() };
        let (pool, sources) = (settings.thread_pool()?, Sources::new(settings.cancel.clone()));
        let pass = Pass {
            settings: &settings,
            stages,
            observer,
            sources: &sources,
            pool: &pool,
            with_own: is_printed,
            passages,
        };
        let summary = Summary::new(&settings, passages);

        let (FirstPass { corpus, removal, list: listed, .. }, mut summary) = pass.read(list.is_some(), summary)?;
        let (documents, found) = pass.find_candidates(corpus, removal.as_ref(), &mut summary)?;
        let candidate_sums = match sample {
            Some(sample) if !sample.is_all() => pool.install(|| found.sums(sample, &documents, &settings))?,
            _ => None,
        };
        let centres = centres.map(|order| pool.install(|| order(&documents))).transpose()?;
        if is_printed {
            report_many_copies(&settings, &documents, observer);
        }
        let pass = pass.after_tables(&documents, &found);
        let corpus = pass.read_corpus(&documents, removal.as_ref());
        pass.verify(corpus, found, centres.as_ref(), sink, &mut summary)?;
        if let Some(list) = list {
            pass_on_list(&documents, &listed, settings.input.against.as_ref(), true, list)?;
        }
        Ok(Searched { summary, settings, documents, removal, sources, pool, weighing, candidate_sums })
    }

    /// Checks the settings, and makes documents keep positions of bytes when passages or views need them.
    fn check(&mut self) -> Result<()> {
        self.settings.check()?;
        if self.passages.is_some() && self.settings.shingles.of_sets() {
            return Err(Error::PassagesOfSets);
        }
        self.settings.input.with_offsets |= self.passages.is_some() || self.has_views;
        Ok(())
    }
}

/// Warns when the pairs of equal texts are very many.
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
