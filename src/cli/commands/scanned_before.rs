//! `Scan` as the command line of a saved result: how the documents of that run are read, or searched, again.

use std::path::{Path, PathBuf};

use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::results::CheckSettings;
use dedup_scan::{Settings, ShingleKind};

use super::scan::Scan;
use crate::cli::flags::{AgainstFlags, ResourceFlags};
use crate::cli::messages::Result;

impl Scan {
    /// The settings to search the documents of the run again, and what its lines must contain.
    ///
    /// * `resources`: the memory and threads of the check.
    pub(crate) fn settings_to_check(
        mut self,
        against: Option<&AgainstFlags>,
        resources: &ResourceFlags,
        only_lines: bool,
    ) -> Result<(Settings, CheckSettings)> {
        self.resources = resources.clone();
        let old = self.old.given(&self.run.input.paths, self.run.input.files_from.as_deref())?;
        let settings = self.search_settings(against.or(old.as_ref()))?;
        let kind = settings.shingles.kind();
        let passages = (kind != ShingleKind::Set).then(|| self.run.passage_lengths(kind)).transpose()?;
        let needs_passages = self.show_passages || settings.pairs.by_passages.is_some();
        Ok((settings, CheckSettings { passages, needs_passages, needs_sources: self.with_source, only_lines }))
    }

    /// The settings to read the documents of the run again: settings of files and shingles, and lengths of passages.
    /// Commands of `--filter` are not included.
    ///
    /// * `folder`: the folder that relative file names refer to.
    pub(crate) fn settings_to_read(mut self, folder: &Path) -> Result<(Settings, Option<PassageSettings>)> {
        let preset = self.run.matching.preset();
        let shingles = &mut self.run.shingles;
        shingles.stopwords = shingles.stopwords.take().map(|stopwords| folder.join(stopwords));
        let settings = Settings {
            shingles: self.run.shingles.settings(preset)?,
            normalization: self.run.shingles.normalization(preset)?,
            ..Settings::of(self.run.input.settings_of_files(preset))
        };
        let kind = settings.shingles.kind();
        let passages = (kind != ShingleKind::Set).then(|| self.run.passages.settings(kind, preset)).transpose()?;
        Ok((settings, passages))
    }

    /// Whether a list of files gives inputs.
    pub(crate) fn lists_inputs(&self) -> bool {
        self.run.input.files_from.is_some()
    }

    /// The inputs, as given.
    pub(crate) fn into_inputs(self) -> Vec<PathBuf> {
        self.run.input.paths
    }
}
