//! The flags of shingles and of folding: how a document is cut into shingles, and how its text is folded before.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use dedup_scan::base::shown;
use dedup_scan::text::{LinePattern, Markers, StopWords, Syntax, TokenWeights, UnicodeForm, Weighting};
use dedup_scan::{Normalization, ShingleKind, ShingleSettings};

use super::preset::Preset;
use super::values::{Choices, choice, weight, whole};
use crate::cli::messages::{Failure, Result};

/// The shingles of a text, and the text that is ignored.
#[derive(Debug, Args)]
pub(crate) struct ShingleFlags {
    /// The unit of shingles; --match passages and presets choose their own [default: char]
    #[arg(long, value_parser = choice(UNITS), help_heading = "Shingles")]
    shingle: Option<ShingleKind>,

    /// Tokens in a shingle [default: 9 characters, 5 words, 12 tokens of code, a stop word and 2 words, or 1 line, sentence or element]
    #[arg(short, long, value_name = "TOKENS", value_parser = whole::<usize>(1..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Shingles")]
    k: Option<usize>,

    /// Compare multisets: a shingle that occurs twice counts twice
    #[arg(long, help_heading = "Shingles")]
    bag: bool,

    /// Give shingles weights: `idf`, which is log2((n + 1) / d) where d of n texts contain the shingle (with --bag:
    /// that often), or a FILE of tokens and weights, separated by tabs or as JSON lines. The similarity is the weight
    /// of shared shingles divided by the weight of all shingles in either document
    #[arg(long, value_name = "idf|FILE", help_heading = "Shingles")]
    weights: Option<PathBuf>,

    /// The weight of tokens that the FILE of --weights does not list, from 0 to 65535 [default: 1]
    #[arg(long, value_name = "WEIGHT", value_parser = weight, allow_negative_numbers = true, help_heading = "Shingles")]
    default_weight: Option<f64>,

    /// The language of the stop words of `--shingle stopword`: a two-letter code such as `de`, or `auto`, which detects
    /// the language of each document [default: auto]
    #[arg(long, value_name = "CODE", help_heading = "Shingles")]
    language: Option<String>,

    /// Read the stop words of `--shingle stopword` from a file, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "language", help_heading = "Shingles")]
    pub(crate) stopwords: Option<PathBuf>,

    /// The programming language of all documents for `--shingle code`, such as `python` [default: detected by the
    /// extension or the first line of each document]
    #[arg(long, value_name = "LANG", value_parser = str::parse::<Syntax>, help_heading = "Shingles")]
    syntax: Option<Syntax>,

    /// With `--shingle code`: compare names, numbers and strings as written. By default each is replaced by its class,
    /// so that renaming hides nothing
    #[arg(long, help_heading = "Shingles")]
    keep_names: bool,

    /// Skip documents with fewer than N tokens: characters, words, tokens of code, lines, sentences or elements
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0..=u64::MAX),
        allow_negative_numbers = true, help_heading = "Shingles")]
    min_tokens: u64,

    /// Undo changes that hide a copy: letters of other scripts, invisible characters, spaced letters, words split at
    /// line ends, ligatures, look-alike punctuation
    #[arg(long, help_heading = "Folding")]
    undisguise: bool,

    /// The name that --undisguise had before
    #[arg(long, value_enum, value_name = "WHAT", hide = true)]
    fold: Option<FoldPreset>,

    /// Ignore text from START to the next END, inclusive; repeatable
    #[arg(long, num_args = 2, value_names = ["START", "END"], allow_hyphen_values = true, help_heading = "Folding")]
    ignore_between: Vec<String>,

    /// Ignore text between quotation marks, in each paragraph
    #[arg(long, help_heading = "Folding")]
    ignore_quotes: bool,

    /// Ignore the list of references: all text after the last heading such as References or Literatur
    #[arg(long, help_heading = "Folding")]
    ignore_bibliography: bool,

    /// Ignore lines that match the regular expression, such as page numbers; repeatable
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true, help_heading = "Folding")]
    skip_lines: Vec<String>,

    /// Compose characters (Unicode normalisation form NFC)
    #[arg(long, conflicts_with = "nfkc", help_heading = "Folding")]
    nfc: bool,

    /// Compose characters and fold compatible ones: ligatures, full-width letters (form NFKC)
    #[arg(long, help_heading = "Folding")]
    nfkc: bool,

    /// Convert all letters to lower case
    #[arg(long, help_heading = "Folding")]
    lowercase: bool,

    /// Remove accents from Latin, Greek and Cyrillic letters
    #[arg(long, help_heading = "Folding")]
    strip_accents: bool,

    /// Replace every digit by 0
    #[arg(long, help_heading = "Folding")]
    fold_digits: bool,

    /// Ignore punctuation
    #[arg(long, help_heading = "Folding")]
    strip_punctuation: bool,

    /// Compare white space as written; by default each run of white space is one space
    #[arg(long, help_heading = "Folding")]
    keep_whitespace: bool,
}

/// The value of the old flag `--fold`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FoldPreset {
    /// Changes that hide a copy from a comparison
    Plagiarism,
}

/// The units of shingles.
const UNITS: Choices<ShingleKind> = &[
    ("char", ShingleKind::Char, "Unicode characters"),
    ("word", ShingleKind::Word, "Words by UAX #29; characters where a script has no spaces"),
    ("line", ShingleKind::Line, "Lines"),
    ("sentence", ShingleKind::Sentence, "Sentences by UAX #29"),
    ("paragraph", ShingleKind::Paragraph, "Paragraphs, the text between blank lines"),
    (
        "code",
        ShingleKind::Code,
        "Tokens of programs, without comments and imports, names masked; by the language of each",
    ),
    ("stopword", ShingleKind::StopWord, "A stop word and the words after it, for news articles among advertisements"),
    ("set", ShingleKind::Set, "The elements of a set: a record's array, or the fields of a line"),
];

impl ShingleFlags {
    /// Whether the kind of shingle was given.
    pub(crate) fn has_kind(&self) -> bool {
        self.shingle.is_some()
    }

    /// The settings of shingles.
    ///
    /// * `preset`: supplies the settings that are not given.
    ///
    /// # Errors
    /// When a flag is out of range or without effect, or the list of stop words cannot be read.
    pub(crate) fn settings(&self, preset: Option<Preset>) -> Result<ShingleSettings> {
        let of_preset = preset.map_or(ShingleKind::Char, Preset::shingle_kind);
        let settings = ShingleSettings::new(self.shingle.unwrap_or(of_preset));
        let settings = match self.k.or(preset.filter(|_| self.shingle.is_none()).and_then(Preset::shingle_size)) {
            Some(k) => settings.with_size(k)?,
            None => settings,
        };
        Ok(settings.with_bag(self.bag).with_min_tokens(self.min_tokens).with_stop_words(self.stop_words()?))
    }

    /// The weights of shingles; `None` if all shingles have the same weight.
    ///
    /// * `preset`: supplies the weights if no flag is given.
    /// * `shingles`, `normalization`: the settings of the documents.
    ///
    /// # Errors
    /// When the table of weights cannot be used.
    pub(crate) fn weights(
        &self,
        preset: Option<Preset>,
        shingles: &ShingleSettings,
        normalization: &Normalization,
    ) -> Result<Option<Weighting>> {
        let unused = || {
            Err(Failure::of_flag(
                "--default-weight",
                "only applies to a file of weights; give one with --weights FILE, or remove the flag",
            )
            .and("--weights"))
        };
        let Some(weights) = self.weights.as_deref() else {
            if self.default_weight.is_some() {
                return unused();
            }
            return Ok(preset.is_some_and(Preset::has_weights).then_some(Weighting::Idf));
        };
        let default = self.default_weight;
        match self.weights_file() {
            None if default.is_some() => unused(),
            None => Ok(Some(Weighting::Idf)),
            Some(_) => {
                let default = default.unwrap_or(TokenWeights::DEFAULT_WEIGHT);
                Ok(Some(Weighting::Tokens(TokenWeights::read(weights, shingles, normalization, default)?)))
            }
        }
    }

    /// The path of the table of weights, if one is given.
    pub(crate) fn weights_file(&self) -> Option<&Path> {
        self.weights.as_deref().filter(|weights| *weights != Path::new("idf"))
    }

    /// The settings of folding and of text to ignore.
    ///
    /// * `preset`: adds its folding, unless the documents are programs.
    ///
    /// # Errors
    /// When a regular expression is invalid or a marker is empty.
    pub(crate) fn normalization(&self, preset: Option<Preset>) -> Result<Normalization> {
        // The folding of presets is made for prose, and would strip the operators of programs.
        let folding = preset.filter(|_| self.shingle != Some(ShingleKind::Code));
        let folds = folding.is_some_and(Preset::folds);
        Ok(Normalization {
            disguises: self.undisguise || self.fold == Some(FoldPreset::Plagiarism),
            form: match (self.nfc, self.nfkc || folds) {
                (true, _) => Some(UnicodeForm::Nfc),
                (false, true) => Some(UnicodeForm::Nfkc),
                (false, false) => None,
            },
            lowercase: self.lowercase || folds,
            strip_accents: self.strip_accents || folds,
            fold_digits: self.fold_digits || folding.is_some_and(Preset::folds_digits),
            strip_punctuation: self.strip_punctuation || folding.is_some_and(Preset::strips_punctuation),
            keep_whitespace: self.keep_whitespace,
            syntax: self.syntax,
            keep_names: self.keep_names
                || preset.is_some_and(Preset::keeps_names) && matches!(self.shingle, None | Some(ShingleKind::Code)),
            ignore_quotes: self.ignore_quotes,
            ignore_bibliography: self.ignore_bibliography,
            skip_lines: self
                .skip_lines
                .iter()
                .map(|pattern| pattern.parse::<LinePattern>())
                .collect::<dedup_scan::Result<_>>()?,
            ignore_between: self
                .ignore_between
                .chunks_exact(2)
                .map(|pair| Markers::new(&*pair[0], &*pair[1]))
                .collect::<dedup_scan::Result<_>>()?,
        })
    }

    fn stop_words(&self) -> Result<StopWords> {
        let unused = |flag, more| {
            Err(Failure::of_flag(
                flag,
                format!("only applies to stop words; add --shingle stopword, or remove the flag{more}"),
            )
            .and("--shingle"))
        };
        match (self.language.as_deref(), self.stopwords.as_deref()) {
            (Some(_), _) if self.shingle != Some(ShingleKind::StopWord) => {
                unused("--language", "; --syntax sets the language of programs")
            }
            (_, Some(_)) if self.shingle != Some(ShingleKind::StopWord) => unused("--stopwords", ""),
            (_, Some(path)) => {
                let list = std::fs::read_to_string(path);
                let list = list.map_err(|source| {
                    let path = shown(&path.to_string_lossy());
                    Failure::new(format!("{path}: cannot read the stop words of --stopwords: {source}"))
                        .and("--stopwords")
                })?;
                Ok(StopWords::parse(&list)?)
            }
            (None | Some("auto"), None) => Ok(StopWords::Detect),
            (Some(code), None) => Ok(StopWords::Language(code.parse()?)),
        }
    }
}
