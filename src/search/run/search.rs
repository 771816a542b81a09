//! `Search`: the stages of a run, from paths to duplicate pairs. Every command that searches a whole corpus begins here.
//!
//! ```text
//! read -> FirstPass -find_candidates-> FoundPairs -verify-> pairs, through the PairSteps -measure-> summary
//! ```

use super::candidate_sums::CandidateSums;
use super::common_frame::PairSample;
use super::pass::Pass;
use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::compare::clusters::CentreOrder;
use crate::compare::passages::PassageSettings;
use crate::documents::document::Documents;
use crate::documents::input::Sources;
use crate::search::corpus::{FirstPass, KeptTexts, Listed, ReadCorpus, Sample, StageSettings};
use crate::search::pairs::PairSink;
use crate::text::removal::Removal;
use crate::text::weights::Weighing;

/// A run with more pairs of equal texts than this calls [`Observer::many_copies`].
const MANY_PAIRS: u64 = 1_000_000;

/// Chooses the order in which documents become centres of stars.
pub(crate) type OrderCentres<'a> = &'a mut (dyn FnMut(&Documents) -> Result<CentreOrder> + Send);

/// A search for the duplicate pairs of a corpus, and the results that are wanted in addition to the pairs.
pub(crate) struct Search<'a> {
    settings: &'a Settings,
    observer: &'a dyn Observer,
    passages: Option<PassageSettings>,
    lists: bool,
    warns_of_copies: bool,
    with_own: bool,
    centres: Option<OrderCentres<'a>>,
    sample: Option<&'a Sample>,
}

/// The results of a search, apart from its pairs.
pub(crate) struct Searched {
    pub(crate) documents: Documents,
    /// The shingles that were removed from the documents.
    pub(crate) removal: Option<Removal>,
    /// Every document and every skipped input, in document order; empty unless the search has a list.
    pub(crate) list: Vec<Listed>,
    pub(crate) sources: Sources,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) summary: Summary,
    /// The weights of shingles, if shingles have weights.
    pub(crate) weighing: Option<Weighing>,
    /// The candidates of all documents, estimated from a sample. `None` when the sample has all documents, and when documents
    /// match by passages.
    pub(crate) candidate_sums: Option<CandidateSums>,
}

impl Searched {
    /// The corpus of the run, whose documents can be read again.
    ///
    /// * `settings`: the settings of the run.
    pub(crate) fn corpus<'a>(&'a self, settings: &'a Settings, observer: &'a dyn Observer) -> ReadCorpus<'a> {
        ReadCorpus {
            observer,
            settings: StageSettings { weights: self.weighing.as_ref(), ..settings.corpus() },
            removal: self.removal.as_ref(),
            documents: &self.documents,
            sources: &self.sources,
        }
    }
}

impl<'a> Search<'a> {
    /// A search whose pairs are not printed, so it does not warn when equal texts have very many pairs.
    pub(crate) fn new(settings: &'a Settings, observer: &'a dyn Observer) -> Self {
        Self {
            settings,
            observer,
            passages: None,
            lists: false,
            warns_of_copies: false,
            with_own: false,
            centres: None,
            sample: None,
        }
    }

    /// Warns before the first pair when there are very many pairs of equal texts, since all of them are printed. In a search
    /// for blocks, documents that repeat blocks are pairs with themselves.
    pub(crate) fn printed(self) -> Self {
        Self { warns_of_copies: true, with_own: true, ..self }
    }

    /// Passes each pair on with its passages. Pairs that match by passages have those passages, whatever the settings.
    pub(crate) fn with_passages(self, passages: Option<PassageSettings>) -> Self {
        Self { passages, ..self }
    }

    /// Returns a list of all documents and of all skipped inputs.
    pub(crate) fn with_list(self, lists: bool) -> Self {
        Self { lists, ..self }
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
    /// When the run cannot be done, and when the sink or the order of centres fails.
    pub(crate) fn run(self, sink: &mut dyn PairSink) -> Result<Searched> {
        let Self { observer, lists, sample, .. } = self;
        let settings = self.checked_settings()?;
        let source = settings.pairs.source;
        let passages = self.passages.map(|passages| source.passages().unwrap_or(passages));
        let kept = source.reads_again().then(|| KeptTexts::new(settings.corpus().memory().kept_texts()));
        let weighing = settings.weights.as_ref().map(Weighing::new);
        let (filter, weights) = (settings.filter(), weighing.as_ref());
        let stages = StageSettings { filter, kept: kept.as_ref(), sample, weights, ..settings.corpus() };
        let (pool, sources) = (settings.thread_pool()?, Sources::new(settings.cancel.clone()));
        let (with_own, frame) = (self.with_own, PairSample::of(&settings).filter(|_| sample.is_none()));
        let (settings, frame) = (&settings, frame.as_ref());
        let pass = Pass { settings, stages, observer, sources: &sources, pool: &pool, with_own, frame };
        let summary = Summary::new(settings, passages);

        let (FirstPass { corpus, removal, list, .. }, mut summary) = pass.read(lists, summary)?;
        let (documents, found) = pass.find_candidates(corpus, removal.as_ref(), &mut summary)?;
        let candidate_sums = match sample {
            Some(sample) if !sample.is_all() => pool.install(|| found.sums(sample, &documents, settings))?,
            _ => None,
        };
        let centres = self.centres.map(|order| pool.install(|| order(&documents))).transpose()?;
        if self.warns_of_copies {
            report_many_copies(settings, &documents, observer);
        }
        let pass = pass.after_tables(&documents, &found);
        let corpus = pass.read_corpus(&documents, removal.as_ref());
        let drawing = pass.verify(corpus, &found, centres.as_ref(), passages, sink, &mut summary)?;
        // All pairs have left; a fault here means that pairs are missing.
        sources.check()?;
        found.check()?;
        if let Some(drawing) = drawing {
            pass.measure(corpus, drawing, &mut summary)?;
        }
        let threshold = settings.pairs.threshold;
        summary.common_frame =
            pass.frame.map(|frame| frame.lock().expect("no holder panics").measure(corpus, threshold));
        Ok(Searched { documents, removal, list, sources, pool, summary, weighing, candidate_sums })
    }

    /// The settings of the run, checked, with positions of bytes when passages are wanted.
    fn checked_settings(&self) -> Result<Settings> {
        self.settings.check()?;
        if self.passages.is_some() && self.settings.shingles.of_sets() {
            return Err(Error::PassagesOfSets);
        }
        let mut settings = self.settings.clone();
        settings.input.with_offsets |= self.passages.is_some();
        Ok(settings)
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
