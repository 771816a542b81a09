//! `Settings`: the settings of all stages, and checks of the rules that involve several stages.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result, WeightsError};
use crate::base::memory::Resources;
use crate::base::setting::Setting;
use crate::compare::verify::Threshold;
use crate::documents::input::{Against, Cancel, InputSettings, useful_threads};
use crate::search::corpus::StageSettings;
use crate::search::estimate::audit::AuditSettings;
use crate::search::pairs::{PairSettings, PairSource};
use crate::sign::banding::{Banding, SignatureFilter};
use crate::sign::signature::{SignatureMethod, SignatureSettings};
use crate::text::normalize::Normalization;
use crate::text::removal::RemovalSettings;
use crate::text::shingle::ShingleKind;
use crate::text::shingle::ShingleSettings;
use crate::text::weights::Weighting;

/// All settings of one run, by stage.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The inputs, and how they are read.
    pub input: InputSettings,
    /// The text that is folded or ignored before texts are compared. Default: white space is folded.
    pub normalization: Normalization,
    /// The kind and size of shingles. Default: 9 characters.
    pub shingles: ShingleSettings,
    /// How signatures are made. Default: fast.
    pub signature: SignatureSettings,
    /// How signatures are divided into bands. Default: 20 × 5.
    pub banding: Banding,
    /// The shingles that are removed from every document. Default: none.
    pub removal: RemovalSettings,
    /// The weights of shingles. With weights, similarity is weighted, and so are signatures. Default: all shingles
    /// weigh the same.
    pub weights: Option<Weighting>,
    /// The rule that decides which pairs are reported. Default: a similarity of at least 0.8.
    pub pairs: PairSettings,
    /// Measures the recall of a run that finds pairs, after its pairs were passed on. Has no effect on groups. Default:
    /// off.
    pub audit: Option<AuditSettings>,
    /// The memory and the threads that the run may use.
    pub resources: Resources,
    /// A handle that cancels the run from outside. Default: a handle without other owners.
    pub cancel: Cancel,
}

impl Settings {
    /// The default settings of a run over these inputs.
    pub fn of(input: InputSettings) -> Self {
        Self { input, ..Self::default() }
    }

    /// These settings for reading the texts of some files again. The paths, sides, groups and limits that selected the
    /// files are dropped, and a single hash makes signatures cheap and meaningless.
    pub(crate) fn of_single_files(&self, paths: Vec<PathBuf>) -> Self {
        Self {
            input: InputSettings {
                paths,
                listed: Vec::new(),
                stored: Vec::new(),
                against: None,
                groups: None,
                include: Vec::new(),
                exclude: Vec::new(),
                strict: false,
                ..self.input.clone()
            },
            shingles: self.shingles.clone().with_min_tokens(0),
            removal: RemovalSettings::default(),
            banding: Banding::new(1, 1).expect("one hash is few enough"),
            ..self.clone()
        }
    }

    /// These settings for reading the texts of documents again that are joined from files: all files below the paths are
    /// read, since any of them may belong to a document. Otherwise as [`of_single_files`](Self::of_single_files).
    pub(crate) fn of_joined_files(&self) -> Self {
        let InputSettings { paths, include, exclude, .. } = self.input.clone();
        let single = self.of_single_files(paths);
        Self { input: InputSettings { include, exclude, ..single.input }, ..single }
    }

    /// Checks the settings of each stage, and the rules that involve several stages. Every run begins with it.
    ///
    /// # Errors
    /// When a stage rejects its settings, or when standard input, which can be read only once, is used more than once:
    /// by documents, templates or the two sides of a comparison.
    pub fn check(&self) -> Result<()> {
        self.input.check()?;
        self.removal.check()?;
        self.check_code()?;
        self.check_weights()?;
        if let Some(matching) = self.pairs.source.matching() {
            matching.check(&self.shingles)?;
            if self.removal.max_df.is_some() {
                return Err(Error::MatchMaxDf);
            }
            if matching.blocks && !self.removal.templates.is_empty() {
                return Err(Error::Blocks("templates, whose text is removed before blocks are searched"));
            }
            if matching.blocks && self.input.unit.is_some() {
                return Err(Error::Blocks("a unit of documents, since blocks are lines of single files"));
            }
        }
        let joined_by = match self.pairs.source {
            PairSource::AllPairs => Some(Setting::AllPairs),
            PairSource::Bands | PairSource::Passages(_) => self.audit.map(|_| Setting::Audit),
        };
        if let Some(setting) = joined_by.filter(|_| self.pairs.threshold == Threshold::ZERO) {
            let why = "every two documents are a pair at threshold 0; give a threshold above 0";
            return Err(Error::AllPairs(setting, why));
        }
        if self.audit.is_some() && !self.pairs.source.is_banded() {
            let why = "compares an exhaustive join with signatures, but this run has no signatures; remove the setting";
            return Err(Error::AllPairs(Setting::Audit, why));
        }
        let against = self.input.against.iter().flat_map(|against| [&against.paths, &against.listed]);
        let paths = [&self.input.paths, &self.input.listed, &self.removal.templates].into_iter().chain(against);
        let num_stdin = paths.flatten().filter(|path| *path == Path::new("-")).count();
        if num_stdin > 1 { Err(Error::StdinTwice) } else { Ok(()) }
    }

    /// Checks that weights have an effect on this run.
    fn check_weights(&self) -> Result<()> {
        let unused = |why: String| Err(Error::Weights(WeightsError::Unused(why)));
        match &self.weights {
            None => Ok(()),
            Some(_) if self.pairs.min_similarity().is_none() => {
                unused("does not apply to pairs that match by passages; remove the setting".to_owned())
            }
            Some(_) if self.pairs.kept_names.is_some() => {
                unused(format!("cannot be used with {}, which has no weights; remove one of them", Setting::KeptNames))
            }
            Some(Weighting::Tokens(_)) if matches!(self.shingles.kind(), ShingleKind::Code | ShingleKind::StopWord) => {
                Err(Error::Weights(WeightsError::Kind))
            }
            Some(_) => Ok(()),
        }
    }

    /// How signatures are made: by weights, where shingles have weights.
    pub(crate) fn signature(&self) -> SignatureSettings {
        let method = if self.weights.is_some() { SignatureMethod::Weighted } else { self.signature.method };
        SignatureSettings { method, ..self.signature }
    }

    /// Checks that settings for programs apply to programs, and that settings for other texts do not.
    fn check_code(&self) -> Result<()> {
        let Normalization {
            syntax, keep_names, disguises, keep_whitespace, ignore_quotes, ignore_bibliography, ..
        } = self.normalization;
        match self.shingles.of_programs() {
            true if keep_whitespace => Err(Error::CodeFolding(Setting::KeepWhitespace)),
            true if disguises => Err(Error::CodeFolding(Setting::Disguises)),
            true if ignore_quotes => Err(Error::CodeFolding(Setting::IgnoreQuotes)),
            true if ignore_bibliography => Err(Error::CodeFolding(Setting::IgnoreBibliography)),
            false if syntax.is_some() => Err(Error::NotCode(Setting::Syntax)),
            false if keep_names => Err(Error::NotCode(Setting::KeepNames)),
            false if self.pairs.kept_names.is_some() => Err(Error::NotCode(Setting::KeptNames)),
            _ => Ok(()),
        }
    }

    /// The number of threads that [`Resources::threads`] allows, or fewer if some would have no work: at most the
    /// number that the machine runs in parallel, and at most the number of units of work.
    ///
    /// An idle thread searches all other threads for work, so a thousand of them would need seconds for a task of
    /// milliseconds. This looks only at the names and lengths of files, and stops once it has seen enough. A stream
    /// counts as work for all threads.
    pub fn useful_threads(&self) -> NonZeroUsize {
        useful_threads(self.corpus().inputs(), self.resources.threads)
    }

    /// Whether exact copies are compared with each other, and therefore count as one text. They do not across two sides
    /// or groups.
    pub fn copies_are_one_text(&self) -> bool {
        let has_sides = self.input.against.as_ref().is_some_and(Against::limits_pairs);
        !has_sides && self.input.groups.as_ref().is_none_or(|groups| groups.within)
    }

    /// Creates the thread pool of the run.
    pub(crate) fn thread_pool(&self) -> Result<rayon::ThreadPool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.resources.threads.get());
        pool.build().map_err(Error::ThreadPool)
    }

    /// The filter of candidates by their signatures; `None` where signatures do not find them, or no candidate is excluded.
    pub(crate) fn filter(&self) -> Option<SignatureFilter> {
        let filter = || SignatureFilter::new(self.banding, self.pairs.threshold.value());
        self.pairs.source.is_banded().then(filter).flatten()
    }

    /// The settings of the first pass, without the weights of shingles, which each run computes.
    pub(crate) fn corpus(&self) -> StageSettings<'_> {
        StageSettings {
            input: &self.input,
            normalization: &self.normalization,
            shingles: &self.shingles,
            signature: self.signature(),
            banding: self.banding,
            removal: &self.removal,
            resources: self.resources,
            signs: self.pairs.source.is_banded(),
            filter: None,
            kept: None,
            sample: None,
            weights: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::removal::MaxDf;

    #[test]
    fn every_stage_checks_its_own_settings() {
        let settings = Settings::default();
        assert!(settings.check().is_ok());
        let removal = |max_df| RemovalSettings { max_df: Some(max_df), ..RemovalSettings::default() };
        for max_df in [MaxDf::Documents(0), MaxDf::Percent(0.0), MaxDf::Percent(100.5), MaxDf::Percent(f64::NAN)] {
            let settings = Settings { removal: removal(max_df), ..settings.clone() };
            assert!(matches!(settings.check(), Err(Error::MaxDf(_))), "{max_df:?}");
        }
        for delimiter in [b'"', b'\n', 0, 0xE9] {
            let input = InputSettings { delimiter, ..InputSettings::default() };
            assert!(matches!(Settings::of(input).check(), Err(Error::Delimiter { .. })), "{delimiter}");
        }
    }

    #[test]
    fn standard_input_is_read_for_one_purpose() {
        let mut settings = Settings::of(InputSettings::of(vec!["-".into(), "a".into()]));
        assert!(settings.check().is_ok());
        settings.removal.templates.push("-".into());
        assert!(matches!(settings.check(), Err(Error::StdinTwice)));
    }
}
