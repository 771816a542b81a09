//! `NamesReader`: reads a program once more and makes the set of its shingles with names kept.

use super::same_text::SameText;
use super::settings::CorpusSettings;
use crate::document::{DocId, Documents};
use crate::flat::offset_map::NoTrace;
use crate::flat::per_thread::PerThread;
use crate::input::{Reader, Sources};
use crate::normalize::{Normalization, Normalizer};
use crate::problem::Problem;
use crate::shingle::{ShingleSet, Shingler};

/// Reads programs, from any thread of the pool.
pub(crate) struct NamesReader<'a> {
    documents: &'a Documents,
    workers: PerThread<NamesWorker<'a>>,
    same_text: SameText<'a>,
}

struct NamesWorker<'a> {
    reader: Reader<'a>,
    normalizer: Normalizer,
    /// The same, but that names are kept.
    keeping_normalizer: Normalizer,
    shingler: Shingler,
}

impl<'a> NamesReader<'a> {
    /// * `size`: tokens in a shingle.
    pub(crate) fn new(
        settings: CorpusSettings<'a>,
        size: usize,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        let keeping = Normalization { keep_names: true, ..settings.normalization.clone() };
        let worker = move || NamesWorker {
            reader: Reader::new(settings.inputs(), sources),
            normalizer: settings.normalizer(),
            keeping_normalizer: settings.shingles.normalizer(&keeping),
            shingler: Shingler::new(settings.shingles.kind(), size),
        };
        Self {
            documents,
            workers: PerThread::new(settings.resources.threads.get(), worker),
            same_text: SameText::new(documents, "jaccard_kept of its pairs is missing"),
        }
    }

    /// The shingles of this very document, since programs that are equal by their masked tokens have names of their own. `None`
    /// when it cannot be read as it was in the first pass, which is reported once.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn read(&self, document: DocId) -> Option<ShingleSet> {
        let mut worker = self.workers.get();
        let NamesWorker { reader, normalizer, keeping_normalizer, shingler } = &mut *worker;
        let mut text = Vec::new();
        let keep = |decoded: &[u8], _: &NoTrace| text = decoded.to_vec();
        self.same_text.read_and(document, reader, normalizer, &mut NoTrace, keep)?;
        keeping_normalizer.set_syntax(self.documents.syntax(document));
        keeping_normalizer.normalize_utf8(&mut text);
        Some(ShingleSet::new(shingler.shingles_utf8(&text)))
    }

    /// The documents that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.same_text.into_problems()
    }
}
