//! `KeptOrder`: the order in which documents are preferred as representatives of groups, where no document is removed.

use std::sync::OnceLock;
use std::time::SystemTime;

use super::choice::{KeepRules, by_time, order_of};
use super::jobs::Fingerprints;
use super::result_files::ResultFiles;
use super::settings::{Keep, UniqueSettings};
use crate::base::error::Result;
use crate::compare::clusters::{CentreOrder, Linkage};
use crate::documents::document::{DocId, Documents};
use crate::results::saved::SavedResult;
use crate::search::run::Settings;

/// The rules of a choice among similar documents, and the times by which documents were compared.
pub struct KeptOrder {
    keep: Vec<Keep>,
    source: OrderSource,
    /// The time of each document, if a rule needs it.
    times: OnceLock<Vec<Option<SystemTime>>>,
}

/// The source of the properties by which the rules order documents.
enum OrderSource {
    /// The inputs of a run, and their fingerprints.
    Run(Box<Settings>, Fingerprints),
    /// The files of the documents of a saved folder.
    Folder(ResultFiles),
    /// The names of documents only.
    Names,
}

impl KeptOrder {
    /// The order of the documents of a run.
    ///
    /// * `keep`: the rules, as in [`UniqueSettings::keep`].
    /// * `settings`: the settings of the run, which must be used for it; they are changed so that it collects what the
    ///   rules need.
    pub fn of_run(keep: Vec<Keep>, settings: &mut Settings) -> Self {
        let unique = UniqueSettings { keep, linkage: Linkage::default(), preserve: None };
        if !unique.keep.iter().all(|keep| matches!(keep, Keep::First)) {
            settings.input.with_source = true;
            settings.input.member_times = unique.member_times();
            if settings.input.groups.is_none() {
                settings.input.value_field = unique.field().cloned();
            }
        }
        let prints =
            if unique.is_by_time() { Fingerprints::of(settings.corpus().inputs()) } else { Fingerprints::default() };
        Self { keep: unique.keep, source: OrderSource::Run(Box::new(settings.clone()), prints), times: OnceLock::new() }
    }

    /// The order of the documents of a saved result. A folder has names, lengths and the files, whose times are read; a file
    /// of pairs has names. Also returns the first rule that needs something else, which is not used.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn of_result(keep: Vec<Keep>, result: &SavedResult) -> Result<(Self, Option<Keep>)> {
        let is_by_name = |keep: &Keep| matches!(keep, Keep::First | Keep::Last | Keep::PathOrder);
        let source = match result.header() {
            Some(_) if !keep.iter().all(is_by_name) => OrderSource::Folder(ResultFiles::of(result)?),
            _ => OrderSource::Names,
        };
        let is_possible = |keep: &&Keep| match &source {
            OrderSource::Folder(files) => files.have(keep),
            _ => is_by_name(keep),
        };
        let other = keep.iter().find(|keep| !is_possible(keep)).cloned();
        Ok((Self { keep, source, times: OnceLock::new() }, other))
    }

    /// The order in which documents are preferred as representatives.
    ///
    /// # Errors
    /// When a rule needs the times of files and a file has changed, or a field that no record has.
    pub fn of(&self, documents: &Documents) -> Result<CentreOrder> {
        // Old documents come last, and have no times.
        let all = (0..documents.len()).map(DocId::new);
        let num_own = all.take_while(|&document| !documents.scope().is_old(document)).count();
        order_of(&self.keep, |keep| match &self.source {
            OrderSource::Run(settings, prints) => {
                let rules = KeepRules { keep: &self.keep, settings, prints };
                if !keep.is_by_time() {
                    return rules.ranks(keep, documents, num_own);
                }
                Ok(by_time(keep, self.set_times(rules.times(documents, num_own)?)))
            }
            OrderSource::Folder(files) => {
                let mut times = if keep.is_by_time() { files.times()? } else { Vec::new() };
                times.iter_mut().skip(num_own).for_each(|time| *time = None);
                let times: &[_] = if keep.is_by_time() { self.set_times(times) } else { &[] };
                Ok(files.ranks(keep, documents, times))
            }
            OrderSource::Names => Ok(ResultFiles::default().ranks(keep, documents, &[])),
        })
    }

    /// Sets the times by which documents were compared; the second rule by time has the same ones.
    fn set_times(&self, times: Vec<Option<SystemTime>>) -> &[Option<SystemTime>] {
        self.times.get_or_init(|| times)
    }

    /// The time of a document, if a rule compared times.
    pub fn time_of(&self, document: DocId) -> Option<SystemTime> {
        self.times.get()?.get(document.index()).copied().flatten()
    }

    /// Whether a rule compared times.
    pub fn has_times(&self) -> bool {
        self.times.get().is_some()
    }
}
