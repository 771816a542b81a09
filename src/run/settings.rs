//! `Settings`: the settings of all stages, with a check of the rules between stages.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::audit::AuditSettings;
use crate::banding::Banding;
use crate::corpus::CorpusSettings;
use crate::error::{Error, Result, WeightsError};
use crate::input::{Cancel, InputSettings, useful_threads};
use crate::memory::Resources;
use crate::normalize::Normalization;
use crate::pairs::PairSettings;
use crate::removal::RemovalSettings;
use crate::shingle::ShingleKind;
use crate::shingle::ShingleSettings;
use crate::signature::{SignatureMethod, SignatureSettings};
use crate::verify::Threshold;
use crate::weights::Weighting;

/// All settings of one run, by stage.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What is read, and how.
    pub input: InputSettings,
    /// What is folded or left out before texts are compared. Default: white space is folded.
    pub normalization: Normalization,
    /// What a shingle is. Default: 9 characters.
    pub shingles: ShingleSettings,
    /// How signatures are made. Default: classic.
    pub signature: SignatureSettings,
    /// How signatures are cut into bands. Default: 20 × 5.
    pub banding: Banding,
    /// Which shingles are removed from every document. Default: none.
    pub removal: RemovalSettings,
    /// What shingles weigh; then similarity is weighted, and signatures are too. Default: all the same.
    pub weights: Option<Weighting>,
    /// Which pairs are reported. Default: those of a similarity of at least 0.8.
    pub pairs: PairSettings,
    /// Measures the recall of a run that finds pairs, when these are passed on. Has no effect on groups. Default: not.
    pub audit: Option<AuditSettings>,
    /// What the run may use of the machine.
    pub resources: Resources,
    /// A handle that ends the run from outside. Default: one that nobody else holds.
    pub cancel: Cancel,
}

impl Settings {
    /// The default settings of a run over these inputs.
    pub fn of(input: InputSettings) -> Self {
        Self { input, ..Self::default() }
    }

    /// These settings for documents of some files that are read again by themselves, for their texts alone: without the paths,
    /// sides, groups and limits that chose them, and with signatures that cost nothing and mean nothing.
    pub(crate) fn of_single_files(&self, paths: Vec<PathBuf>) -> Self {
        Self {
            input: InputSettings {
                paths,
                listed: Vec::new(),
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

    /// Checks the settings of each stage, and the rules between stages. Every run begins with it.
    ///
    /// # Errors
    /// When a stage rejects its settings, or when standard input, which can be read once, is named more than once: by documents,
    /// templates or the two sides of a comparison.
    pub fn check(&self) -> Result<()> {
        self.input.check()?;
        self.removal.check()?;
        self.check_code()?;
        self.check_weights()?;
        if let Some(matching) = &self.pairs.by_passages {
            matching.check(&self.shingles)?;
            if self.removal.max_df.is_some() {
                return Err(Error::MatchMaxDf);
            }
        }
        if self.pairs.all_pairs && self.pairs.by_passages.is_some() {
            let why = "finds pairs by similarity, but pairs match by passages; choose one of them";
            return Err(Error::AllPairs("--all-pairs", why));
        }
        let is_joined = self.pairs.all_pairs || self.audit.is_some();
        if is_joined && self.pairs.threshold == Threshold::ZERO {
            let flag = if self.pairs.all_pairs { "--all-pairs" } else { "--audit" };
            let why = "every two documents are a pair at threshold 0; give a threshold above 0";
            return Err(Error::AllPairs(flag, why));
        }
        if self.audit.is_some() && (self.pairs.all_pairs || self.pairs.by_passages.is_some()) {
            let why = "compares an exhaustive join with signatures, but this run has no signatures; remove the flag";
            return Err(Error::AllPairs("--audit", why));
        }
        let against = self.input.against.iter().flat_map(|against| [&against.paths, &against.listed]);
        let paths = [&self.input.paths, &self.input.listed, &self.removal.templates].into_iter().chain(against);
        let num_stdin = paths.flatten().filter(|path| *path == Path::new("-")).count();
        if num_stdin > 1 { Err(Error::StdinTwice) } else { Ok(()) }
    }

    /// Checks that weights are asked for where they decide.
    fn check_weights(&self) -> Result<()> {
        let unused = |why| Err(Error::Weights(WeightsError::Unused(why)));
        match &self.weights {
            None => Ok(()),
            Some(_) if self.pairs.by_passages.is_some() => {
                unused("does not apply to pairs that match by passages; remove the flag")
            }
            Some(_) if self.pairs.kept_names.is_some() => {
                unused("cannot be used with --jaccard-kept, which has no weights; remove one of them")
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

    /// Checks that what only programs have, or do not have, is asked of the right documents.
    fn check_code(&self) -> Result<()> {
        let Normalization {
            syntax, keep_names, disguises, keep_whitespace, ignore_quotes, ignore_bibliography, ..
        } = self.normalization;
        match self.shingles.of_programs() {
            true if keep_whitespace => Err(Error::CodeFolding("--keep-whitespace")),
            true if disguises => Err(Error::CodeFolding("--undisguise")),
            true if ignore_quotes => Err(Error::CodeFolding("--ignore-quotes")),
            true if ignore_bibliography => Err(Error::CodeFolding("--ignore-bibliography")),
            false if syntax.is_some() => Err(Error::NotCode("--syntax")),
            false if keep_names => Err(Error::NotCode("--keep-names")),
            false if self.pairs.kept_names.is_some() => Err(Error::NotCode("--jaccard-kept")),
            _ => Ok(()),
        }
    }

    /// As many threads as [`Resources::threads`] says, or fewer when some would have nothing to do: no more than the
    /// machine runs at once, or than there are pieces of work.
    ///
    /// An idle thread searches all others for work, so a thousand of them would take seconds for what one does in a moment.
    /// Looks at names and lengths of files, and stops once it has seen enough; reads none. A stream counts as work for all.
    pub fn useful_threads(&self) -> NonZeroUsize {
        useful_threads(self.corpus().inputs(), self.resources.threads)
    }

    /// Whether exact copies are compared with each other, and so are one text: not across two sides or groups.
    pub fn copies_are_one_text(&self) -> bool {
        self.input.against.is_none() && self.input.groups.as_ref().is_none_or(|groups| groups.within)
    }

    /// The threads of the run.
    pub(crate) fn thread_pool(&self) -> Result<rayon::ThreadPool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.resources.threads.get());
        pool.build().map_err(Error::ThreadPool)
    }

    /// The settings of the first pass, without what shingles weigh, which each run knows.
    pub(crate) fn corpus(&self) -> CorpusSettings<'_> {
        CorpusSettings {
            input: &self.input,
            normalization: &self.normalization,
            shingles: &self.shingles,
            signature: self.signature(),
            banding: self.banding,
            removal: &self.removal,
            resources: self.resources,
            signs: self.pairs.by_passages.is_none() && !self.pairs.all_pairs,
            kept: None,
            sample: None,
            weights: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::removal::MaxDf;

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
