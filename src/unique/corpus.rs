//! `UniqueCorpus`: the documents of a run or a saved result and those to remove; writes the clean corpus or plans
//! what to do with files.

use std::collections::HashMap;

use super::choice::StandIn;
use super::cut::{CorpusCuts, CutCounts, CutSink, TextEditor, TextEdits, list};
use super::fates::Fates;
use super::jobs::{FileJob, Fingerprints, each_job, fingerprint};
use super::layout::{Layout, check_stored};
use super::plan::{FilePlan, PlanAction, RunFiles, working_folder};
use super::settings::{CopiedWhole, WriteSettings, Written};
use super::staging::{Staging, staged};
use super::write::CorpusWriter;
use super::written::write_corpus;
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::document::{DocId, DocSet, Documents, FieldOrder};
use crate::documents::input::path_bytes;
use crate::search::pairs::Coverages;
use crate::search::run::{Settings, Summary};

/// A corpus, its duplicates and their representatives.
pub struct UniqueCorpus {
    settings: Settings,
    documents: Documents,
    removed: DocSet,
    stand_ins: Vec<StandIn>,
    /// The coverages of each stand-in; empty if pairs match by similarity.
    coverages: Vec<Option<Coverages>>,
    prints: Fingerprints,
    /// The summary of the run; `None` for a saved result.
    summary: Option<Summary>,
    pool: rayon::ThreadPool,
    /// The number of documents in the inputs that are written, which come first.
    num_own: usize,
    /// The documents that stay because too little of them is preserved, if they are counted.
    num_unpreserved: Option<u64>,
    /// The parts of texts that are cut.
    cuts: Option<CorpusCuts>,
}

impl UniqueCorpus {
    pub(super) fn new(
        settings: Settings,
        documents: Documents,
        stand_ins: Vec<StandIn>,
        prints: Fingerprints,
        summary: Option<Summary>,
        pool: rayon::ThreadPool,
    ) -> Self {
        let mut removed = DocSet::new(documents.len());
        stand_ins.iter().for_each(|stand_in| removed.insert(stand_in.document));
        let (coverages, num_own) = (Vec::new(), documents.len());
        Self {
            settings,
            documents,
            removed,
            stand_ins,
            coverages,
            prints,
            summary,
            pool,
            num_own,
            num_unpreserved: None,
            cuts: None,
        }
    }

    /// Cuts parts of texts, and removes the documents that become too short.
    pub(super) fn with_cuts(mut self, cuts: CorpusCuts) -> Self {
        cuts.dropped.iter().for_each(|&(document, _)| self.removed.insert(document));
        Self { cuts: Some(cuts), ..self }
    }

    /// Only the first documents are in the inputs that are written.
    pub(super) fn of_first(self, num_own: usize) -> Self {
        Self { num_own, ..self }
    }

    pub(super) fn with_unpreserved(self, num_unpreserved: Option<u64>) -> Self {
        Self { num_unpreserved, ..self }
    }

    pub(super) fn with_coverages(self, coverages: Vec<Option<Coverages>>) -> Self {
        Self { coverages, ..self }
    }

    /// The documents of the run, or of the saved result.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// The summary of the run; `None` for a saved result.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// The removed documents in document order, each with its representative and their exact similarity.
    pub fn removed(&self) -> &[StandIn] {
        &self.stand_ins
    }

    /// For each of [`removed`](Self::removed), the coverage of the document and of its representative; `None` if a
    /// saved result does not contain them. Empty if pairs match by similarity.
    pub fn coverages(&self) -> &[Option<Coverages>] {
        &self.coverages
    }

    /// The field by which documents were ordered, and the number of documents that have a value; `None` if the rule
    /// does not use a field.
    pub fn field_order(&self) -> Option<(&str, FieldOrder)> {
        Some((self.settings.input.value_field.as_deref()?, self.documents.field_order()?))
    }

    /// Writes the corpus without the removed documents: in the same format, order and compression, with kept records
    /// byte for byte. If all inputs are files of records and the output's name has the extension of another record
    /// format, the output has that format, with the same records in the same order. A failure leaves no partial
    /// output.
    ///
    /// # Errors
    /// When the output does not suit the inputs, an input has changed since the run began, or writing fails.
    pub fn write(&self, write: &WriteSettings) -> Result<Written> {
        self.write_with_lists(write, &mut |_| Ok(()))
    }

    /// Writes the corpus like [`write`](Self::write), and lists that belong to it.
    ///
    /// * `lists`: writes the lists. It is called when the corpus is written and has no name yet, so that a list that cannot
    ///   be written, on a full disk, leaves no corpus without it. The numbers of kept and removed documents and of cuts are
    ///   not counted yet.
    ///
    /// # Errors
    /// The errors of [`write`](Self::write), and the error that `lists` returns.
    pub fn write_with_lists(
        &self,
        write: &WriteSettings,
        lists: &mut dyn FnMut(&Written) -> Result<()>,
    ) -> Result<Written> {
        let layout = Layout::new(&self.settings.input, write)?;
        let edits = self.cuts.as_ref().map(|cuts| TextEdits::Repeats(&cuts.runs));
        let fates = Fates::new(&self.documents, &self.removed).of_first(self.num_own).with_edits(edits);
        let inputs = self.settings.corpus().inputs();
        let (prints, cancel, editor) = (&self.prints, &self.settings.cancel, self.editor());
        if let (Some(cuts), Some(editor)) = (&self.cuts, &editor) {
            let of_documents = cuts.runs.all().chunk_by(|a, b| a.document() == b.document());
            let cut = of_documents.map(|runs| runs[0].document()).filter(|&document| self.is_cut(document, &[]));
            self.pool.install(|| editor.check(cut, write.to_text))?;
        }
        let editor = editor.as_ref();
        let writer = CorpusWriter { inputs, fates, prints, settings: write, layout: &layout, cancel, editor };
        let written = write_corpus(&writer, &self.pool, lists);
        let written = written.map_err(|error| if self.summary.is_some() { error } else { unfit(error) })?;
        let cut = self.cuts.as_ref().map(|cuts| self.count_cuts(cuts, &written.copied_whole));
        Ok(Written { cut, unpreserved: self.num_unpreserved, ..written })
    }

    /// The numbers of the cuts, except cuts in files that were copied whole.
    fn count_cuts(&self, cuts: &CorpusCuts, copied: &[CopiedWhole]) -> CutCounts {
        let mut counts = CutCounts { dropped: cuts.dropped.len() as u64, ..CutCounts::default() };
        counts.of_tokens = self.documents.with_text().map(|document| u64::from(cuts.runs.length(document))).sum();
        for of_document in cuts.runs.all().chunk_by(|a, b| a.document() == b.document()) {
            let document = of_document[0].document();
            if self.is_cut(document, copied) {
                let tokens = of_document.iter().map(|run| u64::from(run.end - run.start)).sum::<u64>();
                counts.documents += 1;
                counts.emptied += u64::from(tokens == u64::from(cuts.runs.length(document)));
                counts.cuts += of_document.len() as u64;
                counts.tokens += tokens;
            }
        }
        counts
    }

    /// Whether a document with repeated runs is written without them.
    fn is_cut(&self, document: DocId, copied: &[CopiedWhole]) -> bool {
        let origin = self.documents.origin(document).expect("a corpus keeps where documents come from");
        !self.removed.contains(document) && !copied.iter().any(|copied| copied.holds(origin.file))
    }

    /// The documents that are removed because too few tokens are left, in document order, with the number of tokens left.
    pub fn dropped(&self) -> &[(DocId, u64)] {
        self.cuts.as_ref().map_or(&[], |cuts| &cuts.dropped)
    }

    /// Passes on each cut of a document that stays, in document order, with its place and its first occurrence. Passes on
    /// nothing where texts are not cut.
    ///
    /// * `copied`: files that were copied with their duplicates, whose documents are not cut.
    /// * `most`: the maximum number of cuts.
    ///
    /// # Errors
    /// When a document has changed, or the sink fails.
    pub fn each_cut(&self, copied: &[CopiedWhole], most: usize, sink: CutSink) -> Result<()> {
        let (Some(cuts), Some(editor)) = (&self.cuts, self.editor()) else { return Ok(()) };
        let runs = cuts.runs.all().iter().filter(|run| self.is_cut(run.document(), copied)).take(most);
        let min_run = cuts.settings.repeats.unit.tokens() as u32;
        self.pool.install(|| list(&self.documents, &editor, runs, min_run, sink))
    }

    fn editor(&self) -> Option<TextEditor<'_>> {
        let cuts = self.cuts.as_ref()?;
        let unit = cuts.settings.repeats.unit;
        Some(TextEditor::new(self.settings.corpus(), unit, &self.documents, &cuts.sources, &cuts.runs))
    }

    /// Plans what to do with the files that are duplicates. Records and members of archives are not touched.
    ///
    /// Reads the duplicates and the files kept for them once more.
    ///
    /// # Errors
    /// When an input has changed since the run began.
    pub fn plan(&self, action: PlanAction) -> Result<FilePlan> {
        let mut needed = DocSet::new(self.documents.len());
        self.stand_ins.iter().for_each(|joined| {
            needed.insert(joined.document);
            needed.insert(joined.by);
        });
        let fates = Fates::new(&self.documents, &self.removed);
        let mut files = HashMap::new();
        each_job(
            self.settings.corpus().inputs(),
            fates,
            &self.prints,
            false,
            &mut |FileJob { path, metadata, documents, .. }| {
                if documents.len() == 1 && needed.contains(DocId::new(documents.start)) {
                    let origin = fates.origin(documents.start);
                    // Mail may hold parts that were not compared.
                    let items = self.settings.corpus().inputs().container_items.of(origin.file);
                    if origin.place.is_none()
                        && origin.file == path_bytes(&path)
                        && items.is_none_or(|items| items == 1)
                    {
                        let print = fingerprint(&path, metadata.as_ref());
                        files.insert(DocId::new(documents.start), (path, print));
                    }
                }
                Ok(())
            },
        )?;
        let stand_ins = self.stand_ins.clone();
        let new = || FilePlan::new(action, working_folder()?, &self.documents, stand_ins, &RunFiles(files));
        self.pool.install(new)
    }

    /// Checks before a run that its inputs allow a plan.
    ///
    /// # Errors
    /// When an input is standard input, a pipe or a device.
    pub fn check_plan(settings: &Settings) -> Result<()> {
        let why = "a plan is for files, and this is standard input, a pipe or a device";
        let mut arguments = settings.input.paths.iter().chain(&settings.input.listed);
        arguments.try_for_each(|path| check_stored(path, why))
    }

    /// Checks, without a run, that the corpus could be written.
    ///
    /// # Errors
    /// When the output does not suit these inputs.
    pub fn check(settings: &Settings, write: &WriteSettings) -> Result<()> {
        let layout = Layout::new(&settings.input, write)?;
        // The temporary file or folder is deleted at once.
        staged(&layout, Staging::new(&layout, write, &settings.cancel)).map(drop)
    }
}

/// Turns an error about a changed document into an error about a result that does not fit its inputs.
pub(super) fn unfit(error: Error) -> Error {
    match error {
        Error::Corpus(CorpusError::Changed(place)) => Error::InputChanged {
            path: place.into(),
            fault: "it does not hold the documents of the result with these paths and settings of the input".to_owned(),
        },
        error => error,
    }
}
