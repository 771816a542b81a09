//! `UniqueCorpus`: the documents of a run or of a saved result, and which of them go; written, or planned for its files.

use std::collections::HashMap;

use super::choice::StandIn;
use super::convert::write_converted;
use super::fates::{Fate, Fates};
use super::form::OutputForm;
use super::jobs::{FileJob, Fingerprints, each_job, fingerprint};
use super::layout::{Layout, check_stored};
use super::plan::{FilePlan, PlanAction, RunFiles, working_folder};
use super::settings::{WriteSettings, Written};
use super::staging::{Staging, staged};
use super::write::CorpusWriter;
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::document::{DocId, DocSet, Documents, FieldOrder};
use crate::documents::input::path_bytes;
use crate::search::pairs::Coverages;
use crate::search::run::{Settings, Summary};

/// A corpus and which of its documents stand for others.
pub struct UniqueCorpus {
    settings: Settings,
    documents: Documents,
    removed: DocSet,
    stand_ins: Vec<StandIn>,
    /// Of each of them; empty where similarity makes pairs.
    coverages: Vec<Option<Coverages>>,
    prints: Fingerprints,
    /// `None` of a saved result.
    summary: Option<Summary>,
    pool: rayon::ThreadPool,
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
        Self { settings, documents, removed, stand_ins, coverages: Vec::new(), prints, summary, pool }
    }

    pub(super) fn with_coverages(self, coverages: Vec<Option<Coverages>>) -> Self {
        Self { coverages, ..self }
    }

    /// The documents of the run, or of the saved result.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// The summary of the run; `None` where a saved result took its place.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// The documents that are removed, in document order, each with the one that stands for it and their exact similarity.
    pub fn removed(&self) -> &[StandIn] {
        &self.stand_ins
    }

    /// For each of [`removed`](Self::removed) the coverage of the document and that of the one that stands for it; `None` where a
    /// saved result does not have them. Empty where similarity makes pairs.
    pub fn coverages(&self) -> &[Option<Coverages>] {
        &self.coverages
    }

    /// The field by which documents were ordered, and how many of them have a value there; `None` where no field decided.
    pub fn field_order(&self) -> Option<(&str, FieldOrder)> {
        Some((self.settings.input.value_field.as_deref()?, self.documents.field_order()?))
    }

    /// Writes the corpus without the documents that are removed: the same format, order and compression, and kept records
    /// byte for byte. Where all inputs are files of records and the output's name says another format of records, it has that
    /// format, with the same records in the same order. There is the whole output in the end, or none.
    ///
    /// # Errors
    /// When the output is not fit for it, an input is not what it was when the run began, or writing fails.
    pub fn write(&self, write: &WriteSettings) -> Result<Written> {
        let layout = Layout::new(&self.settings.input, write)?;
        let fates = Fates::new(&self.documents, &self.removed);
        let inputs = self.settings.corpus().inputs();
        let (prints, cancel) = (&self.prints, &self.settings.cancel);
        let writer = CorpusWriter { inputs, fates, prints, settings: write, layout: &layout, cancel };
        let run = || match &layout.form {
            OutputForm::Records(conversion) => write_converted(&writer, conversion, &self.pool),
            OutputForm::OneFile(_) | OutputForm::Folder => writer.run(&self.pool),
        };
        let written = run().map_err(|error| if self.summary.is_some() { error } else { unfit(error) })?;
        let is_kept = |&document: &usize| fates.of(DocId::new(document)) == Fate::Kept;
        let kept = (0..self.documents.len()).filter(is_kept).count() as u64;
        let returned: u64 = written.copied_whole.iter().map(|copied| copied.removed).sum();
        Ok(Written { kept: kept + returned, removed: self.stand_ins.len() as u64 - returned, ..written })
    }

    /// Plans what to do with the files that others stand for. Records and members of archives are left.
    ///
    /// Reads the files that go, and those that stand for them, once more.
    ///
    /// # Errors
    /// When an input is not what it was when the run began.
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
                    if origin.place.is_none() && origin.file == path_bytes(&path) {
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

    /// Checks that a plan could be made for the inputs: before a run.
    ///
    /// # Errors
    /// When an input is standard input, a pipe or a device.
    pub fn check_plan(settings: &Settings) -> Result<()> {
        let why = "a plan is for files, and this is standard input, a pipe or a device";
        let mut arguments = settings.input.paths.iter().chain(&settings.input.listed);
        arguments.try_for_each(|path| check_stored(path, why))
    }

    /// Checks that the corpus could be written: before a run, and without one.
    ///
    /// # Errors
    /// When the output is not fit for these inputs.
    pub fn check(settings: &Settings, write: &WriteSettings) -> Result<()> {
        let layout = Layout::new(&settings.input, write)?;
        // The temporary folder of it is removed at once.
        staged(&layout, Staging::new(&layout, write.dry_run, &settings.cancel)).map(drop)
    }
}

/// The error of a result that does not fit its inputs.
pub(super) fn unfit(error: Error) -> Error {
    match error {
        Error::Corpus(CorpusError::Changed(place)) => Error::InputChanged {
            path: place.into(),
            fault: "it does not hold the documents of the result by these PATHs and input flags".to_owned(),
        },
        error => error,
    }
}
