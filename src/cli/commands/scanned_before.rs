//! `Scan` as the command line of a saved result: how the documents of that run are read, or searched, again.

use std::fs;
use std::path::{Path, PathBuf};

use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::results::CheckSettings;
use dedup_scan::{InputSettings, Settings, ShingleKind};

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
        let needs_passages = self.show_passages || settings.pairs.source.matching().is_some();
        Ok((settings, CheckSettings { passages, needs_passages, needs_sources: self.with_source, only_lines }))
    }

    /// The settings to read the documents of the run again: settings of files and shingles, the indexes that store documents,
    /// and lengths of passages. Commands of `--filter` are not included.
    ///
    /// * `folder`: the folder that relative file names refer to.
    pub(crate) fn settings_to_read(
        mut self,
        against: Option<AgainstFlags>,
        folder: &Path,
    ) -> Result<(Settings, Option<PassageSettings>)> {
        let preset = self.run.matching.preset();
        let old = self.old.given(&self.run.input.paths, self.run.input.files_from.as_deref())?;
        let stored = against.or(old).map_or_else(Vec::new, |others| others.indexes_in(folder));
        let unit_input = self.unit.is_given().then(|| self.settings_of_units(folder)).transpose()?;
        let shingles = &mut self.run.shingles;
        shingles.stopwords = shingles.stopwords.take().map(|stopwords| folder.join(stopwords));
        let mut settings = Settings {
            shingles: self.run.shingles.settings(preset)?,
            normalization: self.run.shingles.normalization(preset)?,
            ..Settings::of(unit_input.unwrap_or_else(|| self.run.input.settings_of_files(preset)))
        };
        settings.input.stored = stored;
        let kind = settings.shingles.kind();
        let passages = (kind != ShingleKind::Set).then(|| self.run.passages.settings(kind, preset)).transpose()?;
        Ok((settings, passages))
    }

    /// The input settings to read documents again that are joined from files, which may be any of the inputs.
    ///
    /// * `folder`: as in [`settings_to_read`](Self::settings_to_read).
    fn settings_of_units(&self, folder: &Path) -> Result<InputSettings> {
        let old = self.old.given(&self.run.input.paths, self.run.input.files_from.as_deref())?;
        let mut settings = Settings::of(self.run.input.settings(None, &[], self.run.matching.preset(), true)?);
        self.unit.apply(&mut settings, None)?;
        let listed = std::mem::take(&mut settings.input.listed);
        let others = old.map_or_else(Vec::new, |old| old.against);
        let paths = std::mem::take(&mut settings.input.paths).into_iter().chain(listed).chain(others);
        // The texts show the names of the files, so these are as in the run where the folder is the same.
        let whole = |folder: &Path| fs::canonicalize(folder).ok();
        let is_here = whole(folder).is_some_and(|folder| Some(folder) == whole(Path::new(".")));
        settings.input.paths = if is_here { paths.collect() } else { paths.map(|path| folder.join(path)).collect() };
        Ok(InputSettings { filters: Vec::new(), ..settings.input })
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
