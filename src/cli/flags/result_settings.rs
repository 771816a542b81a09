//! `ResultSettingsFlags`: turns the flags that determine the results of an index into settings, and refuses flags that differ
//! from the index.

use std::path::Path;

use clap::{Arg, Args};
use dedup_scan::base::{IndexError, Setting, shown};
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::index::{check_index_settings, finds_contained};
use dedup_scan::{Error, InputSettings, MatchSettings, Resources, Settings};

use super::input::InputFlags;
use super::method::MethodFlags;
use super::preset::{Preset, notebook_cells};
use super::removal::RemovalFlags;
use super::resources::ResourceFlags;
use super::run::own_files;
use super::shingles::ShingleFlags;
use crate::cli::interrupt;
use crate::cli::messages::index::finds_only_wholes;
use crate::cli::messages::{Failure, Result, line, warnings};
use crate::cli::registry::{FlagEntry, IndexUse};

/// How texts are cut into shingles and signed.
#[derive(Debug, Args)]
pub(crate) struct MethodAndShingleFlags {
    #[command(flatten)]
    pub(crate) method: MethodFlags,

    /// Shingles, folding and threshold of a preset of `dedup scan`; other flags override single settings
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Method")]
    preset: Option<Preset>,

    #[command(flatten)]
    shingles: ShingleFlags,
}

/// The documents to read, and how they are cut and signed.
#[derive(Debug, Args)]
pub(crate) struct ResultSettingsFlags {
    #[command(flatten)]
    pub(crate) texts: MethodAndShingleFlags,

    #[command(flatten)]
    removal: RemovalFlags,

    #[command(flatten)]
    pub(crate) input: InputFlags,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// The flags whose settings every preset chooses.
const OF_PRESET: [&str; 6] = ["shingle", "k", "nfc", "lowercase", "strip_accents", "strip_punctuation"];

/// The setting of an index that a flag determines.
fn stored(entry: &FlagEntry) -> Option<Setting> {
    match entry.index {
        IndexUse::Stored(setting) => Some(setting),
        IndexUse::Independent | IndexUse::Refused(_) => None,
    }
}

/// The settings of an index that the given flags determine.
fn of_flags(is_given: impl Fn(&str) -> bool) -> impl Iterator<Item = Setting> {
    FlagEntry::all().filter(move |entry| is_given(entry.id)).filter_map(stored)
}

/// The settings of an index that a preset chooses.
fn of_preset(preset: Option<Preset>) -> impl Iterator<Item = Setting> {
    let digits = preset.filter(|preset| preset.folds_digits()).map(|_| "fold_digits");
    let html = preset.and_then(Preset::html).map(|_| "html");
    OF_PRESET.into_iter().chain(digits).chain(html).filter_map(|id| stored(FlagEntry::of(id)))
}

/// The help of `--jaccard-kept` for commands that build an index.
pub(crate) const KEPT_OF_INDEX: &str = "Add jaccard_kept to the results for programs: their similarity with names kept, by \
    shingles of this size; 0 adds none. It distinguishes copies from coincidence [default: none; 8 with --preset code]";

/// Hides flags that do not apply to an index, and rewords the help of others; hidden flags are refused with the
/// reason.
pub(crate) fn for_building(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "max_df" | "all_pairs" | "weights" | "default_weight" => arg.hide(true),
        "threshold" => arg.help(
            "Minimum Jaccard similarity of results when a query has none; --bands and --rows are chosen for it [default: 0.8]",
        ),
        "jaccard_kept" => arg.help(KEPT_OF_INDEX),
        _ => arg,
    }
}

/// Hides flags that an existing index determines: texts, shingles and signatures.
pub(crate) fn for_using(arg: Arg) -> Arg {
    let id = arg.get_id().as_str();
    let is_of_search = ["bands", "rows", "preset", "threshold"].contains(&id);
    let is_hidden = is_of_search || FlagEntry::of(id).index != IndexUse::Independent;
    if is_hidden { arg.hide(true) } else { arg }
}

impl MethodAndShingleFlags {
    /// The preset on the command line.
    pub(crate) fn preset(&self) -> Option<Preset> {
        self.preset
    }

    /// Whether the preset matches by passages.
    pub(crate) fn is_by_passages(&self) -> bool {
        self.preset.is_some_and(Preset::matches_by_passages)
    }

    /// Refuses a preset whose method an index does not have.
    pub(crate) fn check_preset_of_index(&self) -> Result<()> {
        self.foreign_preset().map_or(Ok(()), |(preset, by)| {
            Err(Failure::of_value(
                "--preset",
                preset,
                format!("finds documents by {by}, but an index finds them by signatures; choose another preset"),
            ))
        })
    }

    /// The name of a preset whose method an index does not have, and this method. Passages are found by sampled shingles.
    fn foreign_preset(&self) -> Option<(String, &'static str)> {
        let preset = self.preset?;
        let by = match preset {
            preset if preset.min_block().is_some() => "copied blocks",
            preset if preset.is_exhaustive() => "comparing all of them",
            preset if preset.has_weights() => "weights of their shingles",
            _ => return None,
        };
        Some((preset.name(), by))
    }

    /// The settings from the flags, without inputs.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let (shingles, normalization) =
            (self.shingles.settings(self.preset)?, self.shingles.normalization(self.preset)?);
        let mut settings = Settings {
            banding: self.method.banding(self.preset)?.banding(),
            signature: self.method.signature(),
            weights: self.shingles.weights(self.preset, &shingles, &normalization)?,
            shingles,
            normalization,
            ..Settings::of(InputSettings::default())
        };
        settings.pairs.threshold = self.method.threshold(self.preset)?;
        settings.pairs.source = self.method.source(self.preset, None)?;
        Ok(settings)
    }

    /// The settings that the given flags determine; a kind of shingle also determines its size, and a threshold the
    /// bands.
    ///
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn given_settings(&self, given: &[String]) -> Vec<Setting> {
        let is_given = |id: &str| given.iter().any(|other| other == id);
        let mut settings: Vec<Setting> = of_flags(is_given).collect();
        settings.extend(is_given("shingle").then_some(Setting::ShingleSize));
        if is_given("threshold") || is_given("preset") {
            settings.push(Setting::Threshold);
        }
        if ["threshold", "recall", "bands", "rows", "preset"].into_iter().any(is_given) {
            settings.extend([Setting::Bands, Setting::Rows]);
        }
        if is_given("preset") {
            settings.extend(of_preset(self.preset));
            settings.extend(self.is_by_passages().then_some(Setting::ForContainment));
        }
        if is_given("jaccard_kept") || is_given("preset") {
            settings.push(Setting::KeptNames);
        }
        settings.extend(is_given("for_containment").then_some(Setting::ForContainment));
        settings
    }

    /// Warns if the banding finds too few pairs.
    pub(crate) fn warn_of_banding(&self) -> Result<()> {
        self.method.banding(self.preset)?.warning().into_iter().for_each(|warning| line(&warning));
        Ok(())
    }
}

impl ResultSettingsFlags {
    /// The settings from the flags, including the inputs.
    pub(crate) fn settings(&self, quiet: bool) -> Result<Settings> {
        let removal = self.removal.settings();
        let mut input = self.input.settings(None, &removal.templates, self.texts.preset, quiet)?;
        input.own_files = own_files([
            ("--files-from", self.input.files_from.as_deref()),
            ("--stopwords", self.texts.shingles.stopwords.as_deref()),
        ]);
        let texts = self.texts.settings()?;
        input.notebook_cells = notebook_cells(self.texts.preset, texts.shingles.kind());
        let mut settings =
            Settings { input, resources: self.resources.settings()?, removal, cancel: interrupt::cancel(), ..texts };
        if self.resources.threads.are_given() {
            settings.resources.threads = settings.useful_threads();
        }
        Ok(settings)
    }

    /// The settings from the flags, after a check that they agree with the index.
    ///
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn settings_for(&self, index: &Path, given: &[String], quiet: bool) -> Result<Settings> {
        let is_given = |id: &str| given.iter().any(|other| other == id);
        for entry in FlagEntry::all().filter(|entry| is_given(entry.id)) {
            if let IndexUse::Refused(why) = entry.index {
                let flag = format!("--{}", entry.id.replace('_', "-"));
                return Err(Failure::of_flag(&flag, format!("{why}; remove it")));
            }
        }
        if let Some((preset, by)) = self.texts.foreign_preset() {
            return Err(Failure::of_value(
                "--preset",
                &preset,
                format!(
                    "finds documents by {by}, but an index finds them by signatures; give --containment 0.8 instead to find texts that contain others, or compare with the texts of the index: dedup compare PATH --against {} --preset {preset}",
                    shown(&index.to_string_lossy())
                ),
            ));
        }
        let settings = self.settings(quiet)?;
        let mut compared: Vec<Setting> = of_flags(is_given).collect();
        let of_search = [("threshold", Setting::Threshold), ("bands", Setting::Bands), ("rows", Setting::Rows)];
        compared.extend(of_search.into_iter().filter(|(id, _)| is_given(id)).map(|(_, setting)| setting));
        check_index_settings(index, &settings, &compared)?;
        if !quiet {
            self.note_other_settings(index, &settings, &compared)?;
        }
        Ok(settings)
    }

    /// Notes that the preset has other settings than the index, which texts are compared by.
    ///
    /// * `given`: the settings that flags determine, which agree with the index.
    fn note_other_settings(&self, index: &Path, settings: &Settings, given: &[Setting]) -> Result<()> {
        let Some(preset) = self.texts.preset else { return Ok(()) };
        let others: Vec<Setting> = of_preset(Some(preset)).filter(|setting| !given.contains(setting)).collect();
        match check_index_settings(index, settings, &others) {
            Err(Error::Index(IndexError::Differs { own, given, .. })) => line(&format!(
                "dedup: note: {}: the index was made with {own}, and --preset {} sets {given}; texts are compared as in the index",
                shown(&index.to_string_lossy()),
                preset.name()
            )),
            checked => checked?,
        }
        Ok(())
    }

    /// The limits on passages of the preset; `None` if it has none, or if the index does not find passages, which a note
    /// reports.
    ///
    /// * `of_index`: the settings of the index.
    /// * `passages`: the definition of a passage, if results have passages.
    ///
    /// # Errors
    /// When a flag does not apply to a search by passages, or the tokens of the index have no order.
    pub(crate) fn matching(
        &self,
        index: &Path,
        of_index: &Settings,
        passages: Option<PassageSettings>,
        quiet: bool,
    ) -> Result<Option<MatchSettings>> {
        let Some(passages) = passages.filter(|_| self.texts.is_by_passages()) else { return Ok(None) };
        if !finds_contained(index)? {
            if !quiet {
                line(&finds_only_wholes(index));
            }
            return Ok(None);
        }
        if self.texts.method.given_threshold()?.is_some() {
            let what =
                "does not apply to documents that match by passages; give --containment instead, or remove the flag";
            return Err(Failure::of_flag("--threshold", what).and("--containment"));
        }
        let matching = MatchSettings { passages, ..MatchSettings::of(of_index.shingles.kind())? };
        matching.check(&of_index.shingles)?;
        Ok(Some(matching))
    }

    /// The number of threads for queries, independently of the inputs.
    pub(crate) fn resources(&self) -> Result<Resources> {
        Ok(self.resources.settings()?)
    }

    /// Warns of settings that had no effect, also with `--quiet`.
    pub(crate) fn warn(&self, summary: &dedup_scan::Summary) {
        for warning in warnings(summary).into_iter().chain(self.input.without_effect(summary)) {
            line(&format!("dedup: warning: {warning}"));
        }
    }
}
