//! `explain`: shows how similar two documents of a corpus are, where, and why they are or are not reported as a pair.
//!
//! The first pass of a run over the same inputs determines the properties of the two documents: their sides and groups,
//! the shingles that are removed from them, and whether they are compared at all. Then only these two are read again
//! and compared, as the second pass would do it. So the verdict is the verdict of a run.
//!
//! `explainer` compares two documents, `explanation` holds the result, `names` finds the documents, `nearest` finds the most similar ones, `record` is the form for scripts.

mod explainer;
mod explanation;
mod names;
mod nearest;
mod record;

use self::explainer::Explainer;
pub use self::explanation::{
    BandAgreement, Comparison, ExplainedDocument, ExplainedPassage, ExplainedPassages, Explanation, Verdict,
};
use self::names::NamedInput;
pub use self::record::ExplanationRecord;
use crate::base::error::{Error, Result};
use crate::base::observe::{Observer, Stage, Unwatched};
use crate::compare::passages::PassageSettings;
use crate::compare::verify::KeptNames;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{InputSettings, Sources};
use crate::search::corpus;
use crate::search::corpus::{FirstPass, IdentifierReader, Listed, PositionedReader, ReadCorpus, StageSettings};
use crate::search::run::Settings;
use crate::text::removal::Removal;
use crate::text::weights::Weighing;

/// Explains how two documents of the inputs compare, and why a run with these settings does or does not report them.
///
/// * `names`: the names of two documents, as in pairs. `file:line` also finds a record that has an id, and the name of
///   a file or an archive finds the only document in it.
/// * `passages`: the definition of passages; `None` looks for none. Settings that match by passages override it.
///
/// The verdict is whether [`find_duplicates`](crate::search::find_duplicates) reports the pair. All documents are read and
/// signed once. The two documents are read a second time and held in memory with their shingles.
///
/// # Errors
/// When the run fails, when a name matches no document or several, or when a document changed between the two readings;
/// with `passages` also when the documents are sets, whose elements have no order.
pub fn explain(
    settings: &Settings,
    names: [&[u8]; 2],
    passages: Option<PassageSettings>,
    observer: &dyn Observer,
) -> Result<Explanation> {
    check_passages(settings, passages)?;
    ExplainableCorpus::read(settings, observer)?.explain(names, passages)
}

/// The documents that are most similar to a document.
#[derive(Debug)]
pub struct NearestDocuments {
    /// The explanations of the document and each similar one, the most similar first.
    pub explained: Vec<Explanation>,
    /// The number of documents that it was compared with; `None` if it has no shingles.
    pub num_others: Option<u64>,
    /// The number of inputs that could not be read.
    pub errors: u64,
}

/// Inputs that were read once, so that any two of their documents can be explained. Needs 48 bytes and the name per
/// document, and 16 bytes more for its place.
pub struct ExplainableCorpus {
    settings: Settings,
    pool: rayon::ThreadPool,
    sources: Sources,
    documents: Documents,
    removal: Option<Removal>,
    list: Vec<Listed>,
    errors: u64,
    /// The shingles of templates with identifiers kept.
    kept_templates: Option<Removal>,
    /// The weights of shingles; `None` without weights.
    weighing: Option<Weighing>,
}

impl ExplainableCorpus {
    /// Reads and signs all documents.
    ///
    /// # Errors
    /// When the run fails.
    pub fn read(settings: &Settings, observer: &dyn Observer) -> Result<Self> {
        let input = InputSettings { with_offsets: true, with_source: true, ..settings.input.clone() };
        let settings = Settings { input, ..settings.clone() };
        settings.check()?;
        let pool = settings.thread_pool()?;
        let sources = Sources::new(settings.cancel.clone());
        observer.begin(Stage::Read);
        let weighing = settings.weights.as_ref().map(Weighing::new);
        let with_weights = StageSettings { weights: weighing.as_ref(), ..settings.corpus() };
        let FirstPass { corpus, removal, list, summary } = corpus::read(with_weights, &sources, observer, &pool, true)?;
        let documents = corpus.into_documents();
        let kept_templates = settings
            .pairs
            .kept_names
            .map(|size| corpus::read_kept_templates(settings.corpus(), size.get(), sources.cancel(), observer, &pool));
        let kept_templates = kept_templates.transpose()?.flatten();
        let errors = summary.problems.errors;
        Ok(Self { settings, pool, sources, documents, removal, list, errors, kept_templates, weighing })
    }

    /// Explains two of the documents, as [`explain`] does.
    ///
    /// # Errors
    /// When a name matches no document or several, or when a document changed since it was read; with `passages` also
    /// when the documents are sets.
    pub fn explain(&self, names: [&[u8]; 2], passages: Option<PassageSettings>) -> Result<Explanation> {
        let Self { settings, documents, list, .. } = self;
        check_passages(settings, passages)?;
        let passages = settings.pairs.source.passages().or(passages);
        let [a, b] = names::find(documents, list, names)?;
        if let (NamedInput::Document(a), NamedInput::Document(b)) = (&a, &b)
            && a == b
            && !settings.pairs.source.finds_blocks()
        {
            return Err(Error::OneDocument { name: String::from_utf8_lossy(documents.name(*a)).into_owned() });
        }
        self.explain_found([a, b], names, passages)
    }

    /// Explains the documents that are most similar to a document, most similar first. Every other document is compared
    /// with it exactly: by the Jaccard similarity or, for a run that matches by passages, by the share of the shorter
    /// document that passages cover. Documents that have nothing in common with it are not explained.
    ///
    /// * `most`: the maximum number of documents.
    ///
    /// # Errors
    /// When the name matches no document or several, or when a document changed since it was read.
    pub fn nearest(&self, name: &[u8], most: usize) -> Result<NearestDocuments> {
        let a = match names::find_one(&self.documents, &self.list, name)? {
            NamedInput::Document(id) => id,
            NamedInput::Skipped { problem, .. } => return Err(Error::Changed(problem.clone())),
        };
        let documents = &self.documents;
        let mut shares = nearest::shares(self.corpus(), &self.pool, self.settings.pairs.source.matching(), a)?;
        shares.sort_by(|(a, share_a), (b, share_b)| share_b.total_cmp(share_a).then(a.cmp(b)));
        shares.truncate(most);
        let explained = shares.iter().map(|&(b, _)| self.explain_documents([a, b], None)).collect::<Result<_>>()?;
        let is_compared = documents.first_of_text(a).is_some();
        let num_others = documents.with_text().filter(|&other| other != a).count() as u64;
        Ok(NearestDocuments { explained, num_others: is_compared.then_some(num_others), errors: self.errors })
    }

    /// Whether a document has this name.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        matches!(names::find_one(&self.documents, &self.list, name), Ok(NamedInput::Document(_)))
    }

    /// Explains two documents.
    fn explain_documents(&self, ids: [DocId; 2], passages: Option<PassageSettings>) -> Result<Explanation> {
        let passages = self.settings.pairs.source.passages().or(passages);
        self.explain_found(ids.map(NamedInput::Document), [b"".as_slice(); 2], passages)
    }

    /// * `names`: the names of inputs that are not documents.
    fn explain_found(
        &self,
        [a, b]: [NamedInput; 2],
        names: [&[u8]; 2],
        passages: Option<PassageSettings>,
    ) -> Result<Explanation> {
        let Self { settings, documents, list, .. } = self;
        let weighing = self.weighing.as_ref();
        let explainer = Explainer { settings, documents, removal: self.removal.as_ref(), list, weighing };
        let reader = PositionedReader::new(settings.corpus(), documents, &self.sources);
        let ids = [a.document(), b.document()];
        let mut tools = explainer.tools();
        let read = self.pool.install(|| [a, b].map(|found| explainer.read(found, names, &reader, &mut tools)));
        if let Some(problem) = reader.into_problems().into_iter().next() {
            return Err(Error::Changed(problem));
        }
        let [a, b] = read;
        let mut explanation = explainer.explain([a?, b?], passages, &mut tools);
        explanation.errors = self.errors;
        if let ([Some(a), Some(b)], Some(comparison)) = (ids, &mut explanation.comparison) {
            comparison.pair.kept_names = self.kept_names(a, b)?;
        }
        self.sources.check()?;
        Ok(explanation)
    }
}

impl ExplainableCorpus {
    /// The corpus, whose documents can be read again.
    fn corpus(&self) -> ReadCorpus<'_> {
        ReadCorpus {
            observer: &Unwatched,
            settings: StageSettings { weights: self.weighing.as_ref(), ..self.settings.corpus() },
            removal: self.removal.as_ref(),
            documents: &self.documents,
            sources: &self.sources,
        }
    }

    /// The numbers of two programs with their identifiers kept; `None` unless the run compares these too.
    fn kept_names(&self, a: DocId, b: DocId) -> Result<Option<KeptNames>> {
        let Some(size) = self.settings.pairs.kept_names else { return Ok(None) };
        let reader = IdentifierReader::new(self.corpus(), size.get(), self.kept_templates.as_ref());
        let sets = self.pool.install(|| [a, b].map(|document| reader.read(document)));
        match (sets, reader.into_problems().into_iter().next()) {
            (_, Some(problem)) => Err(Error::Changed(problem)),
            ([Some(a), Some(b)], None) => Ok(Some(KeptNames::of(&a, &b))),
            _ => Ok(None),
        }
    }
}

fn check_passages(settings: &Settings, passages: Option<PassageSettings>) -> Result<()> {
    if passages.is_some() && settings.shingles.of_sets() { Err(Error::PassagesOfSets) } else { Ok(()) }
}
