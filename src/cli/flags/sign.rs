//! `SignFlags`: turns the flags of texts, shingles and signatures, without flags of pairs, into the settings of
//! signing.

use std::path::PathBuf;

use clap::Args;
use dedup_scan::text::RemovalSettings;
use dedup_scan::{Resources, Settings, Summary};

use super::input::InputFlags;
use super::method::MethodFlags;
use super::preset::{Preset, notebook_cells};
use super::resources::ThreadFlags;
use super::run::own_files;
use super::shingles::ShingleFlags;
use crate::cli::interrupt;
use crate::cli::messages::{Result, line, warnings};

/// The documents to read, and how they are signed.
#[derive(Debug, Args)]
pub(crate) struct SignFlags {
    #[command(flatten)]
    method: MethodFlags,

    /// Shingles, folding and threshold of a preset of `dedup scan`; other flags override single settings
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Method")]
    preset: Option<Preset>,

    #[command(flatten)]
    shingles: ShingleFlags,

    /// Remove the shingles of a text from every document before it is signed: starter code, a form, a licence header. PATH is
    /// a file, a folder or JSON Lines; repeatable
    #[arg(long, value_name = "PATH", help_heading = "Shingles")]
    template: Vec<PathBuf>,

    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    threads: ThreadFlags,
}

impl SignFlags {
    /// The ids of the flags that change the signature of a text.
    pub(crate) const OF_TEXTS: [&str; 28] = [
        "threshold",
        "recall",
        "bands",
        "rows",
        "signature",
        "seed",
        "preset",
        "shingle",
        "k",
        "bag",
        "language",
        "stopwords",
        "syntax",
        "keep_names",
        "min_tokens",
        "undisguise",
        "fold",
        "ignore_between",
        "ignore_quotes",
        "ignore_bibliography",
        "skip_lines",
        "nfc",
        "nfkc",
        "lowercase",
        "strip_accents",
        "fold_digits",
        "strip_punctuation",
        "keep_whitespace",
    ];

    pub(crate) fn settings(&self, quiet: bool) -> Result<Settings> {
        let mut input = self.input.settings(None, &self.template, self.preset, quiet)?;
        input.own_files = own_files([
            ("--files-from", self.input.files_from.as_deref()),
            ("--stopwords", self.shingles.stopwords.as_deref()),
            ("--weights", self.shingles.weights_file()),
        ]);
        let (shingles, normalization) =
            (self.shingles.settings(self.preset)?, self.shingles.normalization(self.preset)?);
        input.notebook_cells = notebook_cells(self.preset, shingles.kind());
        let mut settings = Settings {
            banding: self.method.banding(self.preset)?.banding(),
            signature: self.method.signature(),
            resources: self.threads.of(Resources::default())?,
            removal: RemovalSettings { templates: self.template.clone(), ..RemovalSettings::default() },
            weights: self.shingles.weights(self.preset, &shingles, &normalization)?,
            shingles,
            normalization,
            cancel: interrupt::cancel(),
            ..Settings::of(input)
        };
        settings.pairs.threshold = self.method.threshold(self.preset)?;
        settings.pairs.source = self.method.source(self.preset, None)?;
        if self.threads.are_given() {
            settings.resources.threads = settings.useful_threads();
        }
        Ok(settings)
    }

    /// Warns if the banding finds too few pairs.
    pub(crate) fn warn_of_banding(&self) -> Result<()> {
        self.method.banding(self.preset)?.warning().into_iter().for_each(|warning| line(&warning));
        Ok(())
    }

    /// Warns of settings that had no effect, also with `--quiet`.
    pub(crate) fn warn(&self, summary: &Summary) {
        for warning in warnings(summary).into_iter().chain(self.input.without_effect(summary)) {
            line(&format!("dedup: warning: {warning}"));
        }
    }
}
