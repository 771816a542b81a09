//! A clean corpus: a finished run in, the corpus without its duplicates out, in the format in which it came.
//!
//! `find_unique` runs all stages and chooses which document stands for each group (`choice`). Writing goes file by file
//! (`jobs`): one without a duplicate is copied byte for byte, any other is looked through once more by the very readers of the
//! input (`content`) and written without what goes (`edits`, `parquet`, `zip`). The output is written beside its place and
//! takes its name when it is whole (`staging`).
//!
//! For files in folders there is a plan in place of an output (`plan`): a script for people to read and run (`script`), of a run
//! or of a saved result (`planned_result`).

mod change;
mod choice;
mod content;
mod edits;
mod encode;
mod fates;
mod jobs;
mod layout;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
mod planned_result;
mod renumber;
mod script;
mod settings;
mod staging;
mod tar;
mod write;
mod zip;

use std::collections::HashMap;

use self::choice::{keep_order, stand_ins};
use self::fates::{Fate, Fates};
use self::jobs::{FileJob, Fingerprints, each_job, fingerprint};
use self::layout::Layout;
pub use self::plan::{FilePlan, LeftDocument, PlanAction};
use self::plan::{RunFiles, StandIn, working_folder};
pub use self::planned_result::plan_result;
pub use self::settings::{Keep, UniqueSettings, WriteSettings, Written};
use self::write::CorpusWriter;
use crate::clusters::{ClusterBuilder, Joined};
use crate::corpus::Rereader;
use crate::document::{DocId, DocSet, Documents};
use crate::error::{Error, Result};
use crate::input::path_bytes;
use crate::observe::Observer;
use crate::problem::Reason;
use crate::run::{Searched, Settings, Summary, search};

/// A corpus and which of its documents stand for others.
pub struct UniqueCorpus {
    settings: Settings,
    documents: Documents,
    removed: DocSet,
    stand_ins: Vec<Joined>,
    prints: Fingerprints,
    summary: Summary,
    pool: rayon::ThreadPool,
}

/// Finds the duplicates of a corpus and chooses which document stands for each group of them.
///
/// Memory is that of [`find_duplicates`](crate::find_duplicates) and, for each document, 12 bytes for its place, up to 44 for the
/// groups, 16 for each edge that the linkage keeps and 16 for each document removed; with [`Keep::Max`] and [`Keep::Min`] 24 more,
/// with [`Keep::Newest`] 16. A file takes 8 bytes.
///
/// # Errors
/// When the run cannot be done, or a document is not what it was when it was read first.
///
/// # Panics
/// When the settings have two sides or groups.
pub fn find_unique(settings: &Settings, unique: &UniqueSettings, observer: &dyn Observer) -> Result<UniqueCorpus> {
    assert!(settings.input.against.is_none() && settings.input.groups.is_none(), "one corpus, compared as a whole");
    let mut settings = settings.clone();
    settings.input.with_source = true;
    settings.pairs.collapse_exact = true;
    settings.input.value_field = match &unique.keep {
        Keep::Max(field) | Keep::Min(field) => Some(field.clone()),
        _ => None,
    };
    let prints = Fingerprints::of(settings.corpus().inputs());
    let mut builder = None;
    let mut sink = |documents: &Documents, pairs: &[_], _: &[_]| {
        builder.get_or_insert_with(|| ClusterBuilder::new(unique.linkage, documents.len())).add_pairs(documents, pairs);
        Ok(())
    };
    let Searched { documents, summary, sources, removal, pool, .. } =
        search(&settings, None, observer, false, &mut sink)?;
    if summary.skipped.contains_key(&Reason::Changed) {
        return Err(Error::ChangedBeforeWriting { place: "a document that was compared".to_owned() });
    }
    let builder = builder.unwrap_or_else(|| ClusterBuilder::new(unique.linkage, documents.len()));
    let order = keep_order(&unique.keep, &documents, settings.corpus().inputs(), &prints)?;
    let stand_ins = pool.install(|| {
        let clusters = builder.finish_with_copies(&documents, &order);
        let rereader = Rereader::new(observer, settings.corpus(), removal.as_ref(), &documents, &sources);
        stand_ins(&clusters, &documents, &rereader)
    })?;
    let mut removed = DocSet::new(documents.len());
    stand_ins.iter().for_each(|joined| removed.insert(joined.document));
    Ok(UniqueCorpus { settings, documents, removed, stand_ins, prints, summary, pool })
}

impl UniqueCorpus {
    /// The documents of the run.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// The summary of the run.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The documents that are removed, in document order, each with the one that stands for it and their exact similarity.
    pub fn removed(&self) -> &[Joined] {
        &self.stand_ins
    }

    /// Writes the corpus without the documents that are removed: the same format, order and compression, and kept records
    /// byte for byte. There is the whole output in the end, or none.
    ///
    /// # Errors
    /// When the output is not fit for it, an input is not what it was when the run began, or writing fails.
    pub fn write(&self, write: &WriteSettings) -> Result<Written> {
        let layout = Layout::new(&self.settings.input, write)?;
        let fates = Fates::new(&self.documents, &self.removed);
        let inputs = self.settings.corpus().inputs();
        let (prints, cancel) = (&self.prints, &self.settings.cancel);
        let writer = CorpusWriter { inputs, fates, prints, settings: write, layout: &layout, cancel };
        let written = writer.run(&self.pool)?;
        let is_kept = |&document: &usize| fates.of(DocId::new(document)) == Fate::Kept;
        let kept = (0..self.documents.len()).filter(is_kept).count() as u64;
        Ok(Written { kept, removed: self.stand_ins.len() as u64, ..written })
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
        let stand_ins = self.stand_ins.iter().map(|&Joined { document, by, similarity }| StandIn {
            document,
            by,
            similarity: Some(similarity),
        });
        let new = || FilePlan::new(action, working_folder()?, &self.documents, stand_ins.collect(), &RunFiles(files));
        self.pool.install(new)
    }

    /// Checks that the corpus could be written: before a run, and without one.
    ///
    /// # Errors
    /// When the output is not fit for these inputs.
    pub fn check(settings: &Settings, write: &WriteSettings) -> Result<()> {
        Layout::new(&settings.input, write).map(drop)
    }
}
