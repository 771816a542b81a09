//! `IdentifierReader`: reads a program once more and makes the set of its shingles with identifiers kept.
//!
//! Programs are usually compared with their identifiers masked, and this reader serves the second comparison, with the
//! identifiers themselves.

use super::read_corpus::ReadCorpus;
use super::stage_settings::StageSettings;
use super::templates::read_templates;
use super::unchanged_reader::UnchangedReader;
use crate::base::error::Result;
use crate::base::flat::offset_map::NoTrace;
use crate::base::flat::per_thread::PerThread;
use crate::base::observe::Observer;
use crate::base::problem::Problem;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{Cancel, Reader};
use crate::text::normalize::{Normalization, Normalizer};
use crate::text::removal::{Remaining, Removal};
use crate::text::shingle::{ShingleSet, Shingler};

/// Reads programs, from any thread of the pool.
pub(crate) struct IdentifierReader<'a> {
    documents: &'a Documents,
    workers: PerThread<NamesWorker<'a>>,
    removal: Option<&'a Removal>,
    same_text: UnchangedReader<'a>,
}

struct NamesWorker<'a> {
    reader: Reader<'a>,
    normalizer: Normalizer,
    /// The normalizer that keeps identifiers.
    keeping_normalizer: Normalizer,
    shingler: Shingler,
    remaining: Vec<u64>,
}

/// The shingles of the templates with identifiers kept; `None` without templates.
///
/// * `size`: the number of tokens in a shingle.
///
/// # Errors
/// When a template cannot be read.
pub(crate) fn read_kept_templates(
    settings: StageSettings<'_>,
    size: usize,
    cancel: &Cancel,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
) -> Result<Option<Removal>> {
    let normalization = Normalization { keep_names: true, ..settings.normalization.clone() };
    let shingles = settings.shingles.clone().with_size(size)?;
    let settings = StageSettings { normalization: &normalization, shingles: &shingles, ..settings };
    read_templates(settings, cancel, observer, pool)
}

impl<'a> IdentifierReader<'a> {
    /// * `size`: the number of tokens in a shingle.
    /// * `removal`: the shingles with identifiers kept that are removed.
    pub(crate) fn new(corpus: ReadCorpus<'a>, size: usize, removal: Option<&'a Removal>) -> Self {
        let ReadCorpus { settings, documents, sources, .. } = corpus;
        let has_files = settings.input.unit.is_some();
        let keeping = Normalization { keep_names: true, ..settings.normalization.clone() };
        let worker = move || NamesWorker {
            reader: Reader::new(settings.inputs(), sources),
            normalizer: settings.normalizer(),
            keeping_normalizer: settings.shingles.normalizer(&keeping).with_files(has_files),
            shingler: Shingler::new(settings.shingles.kind(), size).with_files(has_files),
            remaining: Vec::new(),
        };
        Self {
            documents,
            workers: PerThread::new(corpus.threads(), worker),
            removal,
            same_text: UnchangedReader::new(documents, sources, "jaccard_kept of its pairs is missing"),
        }
    }

    /// The shingles of this very document, not of the first one with its text, since programs with equal masked tokens
    /// may differ in identifiers. `None` when the document changed or cannot be read, which is reported once.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn read(&self, document: DocId) -> Option<ShingleSet> {
        let mut worker = self.workers.get();
        let NamesWorker { reader, normalizer, keeping_normalizer, shingler, remaining } = &mut *worker;
        let mut text = Vec::new();
        let keep = |decoded: &[u8], _: &mut NoTrace| text = decoded.to_vec();
        self.same_text.read_and(document, reader, normalizer, &mut NoTrace, keep)?;
        keeping_normalizer.set_syntax(self.documents.syntax(document));
        keeping_normalizer.normalize_utf8(&mut text);
        Some(ShingleSet::new(Remaining::new(shingler.shingles_utf8(&text), self.removal, remaining)))
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.same_text.into_problems()
    }
}
