//! `KeptOrder`: the order in which documents are preferred as representatives of groups, where no document is removed.

use std::sync::OnceLock;
use std::time::SystemTime;

use super::choice::{KeepRules, by_time, order_of, ranks};
use super::jobs::Fingerprints;
use super::settings::{Keep, UniqueSettings};
use crate::base::error::Result;
use crate::compare::clusters::{CentreOrder, Linkage};
use crate::documents::document::{DocId, Documents};
use crate::search::run::Settings;

/// The rules of a choice among similar documents, and the times by which documents were compared.
pub struct KeptOrder {
    keep: Vec<Keep>,
    /// The inputs of the run, and their fingerprints; `None` for the documents of a saved result.
    inputs: Option<(Settings, Fingerprints)>,
    /// The time of each document, if a rule needs it.
    times: OnceLock<Vec<Option<SystemTime>>>,
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
        Self { keep: unique.keep, inputs: Some((settings.clone(), prints)), times: OnceLock::new() }
    }

    /// The order of the documents of a saved result, which has neither times nor fields.
    ///
    /// # Errors
    /// The first rule that needs the documents themselves.
    pub fn of_result(keep: Vec<Keep>) -> std::result::Result<Self, Keep> {
        match keep.iter().find(|keep| !matches!(keep, Keep::First | Keep::Last | Keep::PathOrder)) {
            Some(other) => Err(other.clone()),
            None => Ok(Self { keep, inputs: None, times: OnceLock::new() }),
        }
    }

    /// The order in which documents are preferred as representatives.
    ///
    /// # Errors
    /// When a rule needs the times of files and a file has changed, or a field that no record has.
    pub fn of(&self, documents: &Documents) -> Result<CentreOrder> {
        let Some((settings, prints)) = &self.inputs else {
            return order_of(&self.keep, |keep| Ok(of_names(keep, documents)));
        };
        // Old documents come last, and have no times.
        let all = (0..documents.len()).map(DocId::new);
        let num_own = all.take_while(|&document| !documents.scope().is_old(document)).count();
        let rules = KeepRules { keep: &self.keep, settings, prints };
        order_of(&self.keep, |keep| {
            if !keep.is_by_time() {
                return rules.ranks(keep, documents, num_own);
            }
            let times = rules.times(documents, num_own)?;
            let ranks = by_time(keep, &times);
            let _ = self.times.set(times);
            Ok(ranks)
        })
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

/// The rank of each document by a rule that needs names only.
fn of_names(keep: &Keep, documents: &Documents) -> Vec<u32> {
    let len = documents.len();
    match keep {
        Keep::Last => (0..len as u32).map(|document| u32::MAX - document).collect(),
        Keep::PathOrder => ranks(len, |document| documents.name(DocId::new(document))),
        _ => (0..len as u32).collect(),
    }
}
