//! `ReadCorpus`: a corpus after the first pass, with everything that later passes need to read its documents again.

use super::stage_settings::StageSettings;
use crate::base::memory::MemoryPlan;
use crate::base::observe::Observer;
use crate::documents::document::Documents;
use crate::documents::input::Sources;
use crate::text::removal::Removal;

/// A corpus that the first pass has read. Later passes copy it, and read documents again by it.
#[derive(Clone, Copy)]
pub(crate) struct ReadCorpus<'a> {
    pub(crate) observer: &'a dyn Observer,
    pub(crate) settings: StageSettings<'a>,
    /// The shingles that are removed from every document, if there are any.
    pub(crate) removal: Option<&'a Removal>,
    pub(crate) documents: &'a Documents,
    pub(crate) sources: &'a Sources,
}

impl<'a> ReadCorpus<'a> {
    /// The number of threads of the run.
    pub(crate) fn threads(self) -> usize {
        self.settings.resources.threads.get()
    }

    /// The shares of the memory of the run.
    pub(crate) fn memory(self) -> MemoryPlan {
        self.settings.memory()
    }
}
