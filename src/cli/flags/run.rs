//! `RunFlags`: turns the flags of every command that finds pairs into the settings of a run.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::base::shown;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::{OwnFiles, OwnUse};
use dedup_scan::results::{PairFilter, SavedResult};
use dedup_scan::{InputSettings, Settings, ShingleKind, Summary};

use super::against::{AgainstFlags, check_indexes};
use super::input::InputFlags;
use super::matching::MatchFlags;
use super::method::MethodFlags;
use super::passages::PassageLengthFlags;
use super::preset::{Preset, notebook_cells};
use super::removal::RemovalFlags;
use super::resources::ResourceFlags;
use super::shingles::ShingleFlags;
use crate::cli::interrupt;
use crate::cli::messages::{Failure, Result, line, nothing_found, warnings};
use crate::cli::streams::{raw_stderr, raw_stdout};

/// The documents to read, and how they are compared.
#[derive(Debug, Args)]
pub(crate) struct RunFlags {
    #[command(flatten)]
    pub(crate) method: MethodFlags,

    #[command(flatten)]
    pub(crate) matching: MatchFlags,

    #[command(flatten)]
    pub(crate) passages: PassageLengthFlags,

    #[command(flatten)]
    pub(crate) shingles: ShingleFlags,

    #[command(flatten)]
    removal: RemovalFlags,

    #[command(flatten)]
    pub(crate) input: InputFlags,
}

impl RunFlags {
    /// The settings of a run that reports all pairs.
    ///
    /// * `against`: the second side of the comparison; `None` to compare documents with each other.
    pub(crate) fn settings(
        &self,
        against: Option<&AgainstFlags>,
        resources: &ResourceFlags,
        quiet: bool,
    ) -> Result<Settings> {
        let mut input = self.input.settings(against, &self.removal.template, self.matching.preset(), quiet)?;
        if let Some((flags, read)) = against.zip(input.against.as_mut()) {
            read.stored = flags.indexes()?;
        }
        input.own_files = self.own_files(against);
        let settings = self.settings_of(input, resources)?;
        check_indexes(&settings, &self.input.of_files(against), quiet)?;
        Ok(settings)
    }

    /// Refuses contradictory flags like [`settings`](Self::settings), without looking at inputs.
    pub(crate) fn check(&self, resources: &ResourceFlags) -> Result<()> {
        self.settings_of(InputSettings::of(Vec::new()), resources).map(drop)
    }

    fn settings_of(&self, mut input: InputSettings, resources: &ResourceFlags) -> Result<Settings> {
        let preset = self.matching.preset();
        let shingles = self.shingles.settings(preset)?;
        input.notebook_cells = notebook_cells(preset, shingles.kind());
        let normalization = self.shingles.normalization(preset)?;
        let matching = self.matching.settings(shingles.kind(), || self.passages.settings(shingles.kind(), preset))?;
        if let Some(flag) = self.method.of_similarity().filter(|_| matching.is_some()) {
            return Err(Failure::not_of_matching(flag));
        }
        let mut settings = Settings {
            banding: self.method.banding(preset)?.banding(),
            signature: self.method.signature(),
            resources: resources.settings()?,
            removal: self.removal.settings(),
            weights: self.shingles.weights(preset, &shingles, &normalization)?,
            shingles,
            normalization,
            cancel: interrupt::cancel(),
            ..Settings::of(input)
        };
        self.method.check_signature(preset, settings.weights.is_some())?;
        settings.pairs.threshold = self.method.threshold(preset)?;
        settings.pairs.source = self.method.source(preset, matching)?;
        if resources.threads.are_given() {
            settings.resources.threads = settings.useful_threads();
        }
        Ok(settings)
    }

    /// The filter for the pairs of a saved result.
    pub(crate) fn filter(&self) -> Result<PairFilter> {
        let threshold = self.method.given_threshold()?;
        Ok(PairFilter { threshold, ..self.matching.filter()? })
    }

    /// Returns the same filter as [`filter`](Self::filter), and clears the limits on passages, so that the settings
    /// ignore them.
    pub(crate) fn take_filter(&mut self) -> Result<PairFilter> {
        let filter = self.filter()?;
        self.matching.forget_limits();
        Ok(filter)
    }

    /// Refuses flags about passages for a command that prints no passages, unless pairs match by passages.
    pub(crate) fn check_passages(&self, settings: &Settings) -> Result<()> {
        let unused = self.passages.given().filter(|_| settings.pairs.source.matching().is_none());
        unused.map_or(Ok(()), |flag| Err(Failure::without_matching(flag)))
    }

    /// The minimum lengths of passages for shingles of `kind`.
    ///
    /// # Errors
    /// As [`PassageLengthFlags::settings`].
    pub(crate) fn passage_lengths(&self, kind: ShingleKind) -> dedup_scan::Result<PassageSettings> {
        self.passages.settings(kind, self.matching.preset())
    }

    /// Refuses copied blocks for a command that removes documents.
    pub(crate) fn refuse_blocks(&self, command: &str) -> Result<()> {
        if !self.matching.finds_blocks() {
            return Ok(());
        }
        Err(Failure::of_flag("--copied-blocks", format!("finds copied blocks of documents that differ otherwise, and {command} would remove whole documents; choose another --preset")).and("--preset"))
    }

    /// The minimum lengths of passages in shown texts; `None` for sets, whose elements have no order.
    pub(crate) fn viewed_passages(&self, settings: &Settings) -> Result<Option<PassageSettings>> {
        let kind = settings.shingles.kind();
        Ok((kind != ShingleKind::Set).then(|| self.passage_lengths(kind)).transpose()?)
    }

    /// Uses these paths if no path is given; returns whether it did.
    pub(crate) fn read_by_default(&mut self, paths: [PathBuf; 2]) -> bool {
        let is_default = self.input.paths.is_empty() && self.input.files_from.is_none();
        if is_default {
            self.input.paths = paths.into();
        }
        is_default
    }

    /// Warns if the banding finds too few pairs.
    pub(crate) fn warn_of_banding(&self) -> Result<()> {
        let preset = self.matching.preset();
        let is_banded = !self.matching.is_by_passages() && !self.method.is_exhaustive(preset);
        if let Some(warning) = self.method.banding(preset)?.warning().filter(|_| is_banded) {
            line(&warning);
        }
        Ok(())
    }

    /// Warns of settings that had no effect, also with `--quiet`.
    pub(crate) fn warn(&self, summary: &Summary) {
        let is_saved = |path: &&PathBuf| {
            path.is_dir() && SavedResult::files_of(path).iter().all(|file| file.is_file()) && summary.documents == 0
        };
        if let Some(saved) = self.input.paths.iter().find(is_saved) {
            let saved = shown(&saved.to_string_lossy());
            line(&format!("dedup: warning: {saved}: is a saved result, not documents; write: dedup report {saved}"));
            return;
        }
        for warning in warnings(summary).into_iter().chain(self.input.without_effect(summary)) {
            line(&format!("dedup: warning: {warning}"));
        }
    }

    /// A line for a person about a run that found nothing.
    ///
    /// * `for_people`: whether the output is for people even if it does not go to a terminal.
    pub(crate) fn to_try(&self, summary: &Summary, for_people: bool) -> Option<String> {
        let preset = self.matching.preset().map(Preset::name);
        nothing_found(summary, preset.as_deref(), self.method.of_similarity(), for_people)
    }

    /// The files that are the standard streams, and the lists.
    fn own_files(&self, against: Option<&AgainstFlags>) -> OwnFiles {
        own_files([
            ("--files-from", self.input.files_from.as_deref()),
            ("--against-files-from", against.and_then(|against| against.against_files_from.as_deref())),
            ("--stopwords", self.shingles.stopwords.as_deref()),
            ("--weights", self.shingles.weights_file()),
        ])
    }
}

/// The files of the standard streams and of the given lists, which are not documents.
pub(crate) fn own_files<const N: usize>(lists: [(&'static str, Option<&Path>); N]) -> OwnFiles {
    let lists = lists.into_iter().filter_map(|(flag, list)| Some((list?.metadata(), OwnUse::List(flag))));
    let streams = [(raw_stdout(), OwnUse::Output), (raw_stderr(), OwnUse::Messages)];
    let streams = streams.into_iter().map(|(stream, own)| (stream.and_then(|stream| stream.metadata()), own));
    let mut own_files = OwnFiles::default();
    for (metadata, own) in streams.chain(lists) {
        if let Ok(metadata) = metadata {
            own_files.add(&metadata, own);
        }
    }
    own_files
}
