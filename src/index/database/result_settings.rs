//! `ResultSettings`: all settings that the search results of an index depend on, as stored in it.

use std::num::NonZeroUsize;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::sampling::{IndexSettings, SampleRate};
use crate::base::error::{Error, IndexError, Result, Setting};
use crate::compare::verify::Threshold;
use crate::documents::input::{HtmlMode, NotebookCells};
use crate::search::run::Settings;
use crate::sign::banding::Banding;
use crate::sign::signature::{SignatureMethod, SignatureSettings};
use crate::text::code::Syntax;
use crate::text::normalize::{Markers, Normalization, UnicodeForm};
use crate::text::shingle::{Language, ShingleKind, ShingleSettings, StopWords};

/// The settings of texts, shingles and signatures. Two indexes with the same meaning find the same documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultSettings {
    pub(crate) shingle: ShingleKind,
    pub(crate) k: usize,
    pub(crate) bag: bool,
    pub(crate) min_tokens: u64,
    pub(crate) stop_words: StoredStopWords,
    pub(crate) disguises: bool,
    pub(crate) form: Option<String>,
    pub(crate) lowercase: bool,
    pub(crate) strip_accents: bool,
    pub(crate) fold_digits: bool,
    pub(crate) strip_punctuation: bool,
    pub(crate) keep_whitespace: bool,
    pub(crate) skip_lines: Vec<String>,
    pub(crate) ignore_between: Vec<[String; 2]>,
    pub(crate) ignore_quotes: bool,
    pub(crate) ignore_bibliography: bool,
    pub(crate) syntax: Option<String>,
    pub(crate) keep_names: bool,
    pub(crate) html: String,
    pub(crate) bands: usize,
    pub(crate) rows: usize,
    pub(crate) signature: String,
    pub(crate) seed: u64,
    /// The default threshold of queries: a minimum Jaccard similarity.
    pub(crate) threshold: f64,
    /// `xxh3_128` of the shingles of the templates, in hexadecimal.
    pub(crate) templates: Option<String>,
    /// The number of tokens of a shingle of programs with identifiers kept, for the default comparison of results.
    #[serde(default)]
    pub(crate) jaccard_kept: Option<NonZeroUsize>,
    /// The sampling rate of the shingles that find contained texts.
    #[serde(default)]
    pub(crate) containment: Option<SampleRate>,
}

/// The source of stop words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StoredStopWords {
    Detect,
    Language(String),
    Words(Vec<String>),
}

impl ResultSettings {
    /// The meaning of some settings.
    ///
    /// * `built`: the optional parts of the index.
    /// * `templates`: the hash of the shingles of templates.
    ///
    /// # Errors
    /// When a setting does not apply to an index.
    pub(crate) fn of(settings: &Settings, built: IndexSettings, templates: Option<u128>) -> Result<Self> {
        let refused = [
            (Setting::MaxDf, settings.removal.max_df.is_some(), "frequency depends on documents that are added later"),
            (Setting::Groups, settings.input.groups.is_some(), "an index has no groups"),
            (Setting::Against, settings.input.against.is_some(), "an index is one side of a comparison"),
            (Setting::ByPassages, settings.pairs.by_passages.is_some(), "an index finds documents by similarity"),
            (Setting::AllPairs, settings.pairs.all_pairs, "an index finds documents by signatures"),
            (Setting::Weights, settings.weights.is_some(), "an index has no weights"),
        ];
        if let Some((setting, _, why)) = refused.into_iter().find(|&(_, is_asked, _)| is_asked) {
            return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
        }
        Ok(Self {
            jaccard_kept: settings.pairs.kept_names,
            containment: built.containment,
            ..Self::of_texts(settings, templates)
        })
    }

    /// The meaning of settings that an index or a filter supports.
    ///
    /// * `templates`: the hash of the shingles of templates.
    pub(crate) fn of_texts(settings: &Settings, templates: Option<u128>) -> Self {
        let Settings { shingles, normalization, banding, signature, .. } = settings;
        Self {
            shingle: shingles.kind(),
            k: shingles.size(),
            bag: shingles.bag(),
            min_tokens: shingles.min_tokens(),
            stop_words: match shingles.stop_words() {
                StopWords::Detect => StoredStopWords::Detect,
                StopWords::Language(language) => StoredStopWords::Language(language.code().to_owned()),
                StopWords::Words(words) => StoredStopWords::Words(words.clone()),
            },
            disguises: normalization.disguises,
            form: normalization.form.map(|form| if form == UnicodeForm::Nfc { "nfc" } else { "nfkc" }.to_owned()),
            lowercase: normalization.lowercase,
            strip_accents: normalization.strip_accents,
            fold_digits: normalization.fold_digits,
            strip_punctuation: normalization.strip_punctuation,
            keep_whitespace: normalization.keep_whitespace,
            skip_lines: normalization.skip_lines.iter().map(|pattern| pattern.as_str().to_owned()).collect(),
            ignore_between: normalization.ignore_between.iter().map(Markers::to_strings).collect(),
            ignore_quotes: normalization.ignore_quotes,
            ignore_bibliography: normalization.ignore_bibliography,
            syntax: normalization.syntax.map(|syntax| syntax.name().to_owned()),
            keep_names: normalization.keep_names,
            html: match settings.input.html {
                HtmlMode::Auto => "auto",
                HtmlMode::Strip => "strip",
                HtmlMode::Raw => "raw",
            }
            .to_owned(),
            bands: banding.bands(),
            rows: banding.rows(),
            signature: match signature.method {
                SignatureMethod::Classic => "classic",
                SignatureMethod::Fast => "fast",
                // Only for weights, which an index refuses.
                SignatureMethod::Weighted => "weighted",
            }
            .to_owned(),
            seed: signature.seed,
            threshold: settings.pairs.threshold.value(),
            templates: templates.map(|hash| format!("{hash:032x}")),
            jaccard_kept: None,
            containment: None,
        }
    }

    /// Whether another meaning gives the same pairs for the same documents and the same query settings.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let Self { threshold, jaccard_kept, .. } = *self;
        Self { threshold, jaccard_kept, ..other.clone() } == *self
    }

    /// Applies this meaning to settings. Templates are excluded: the index stores their shingles.
    ///
    /// * `path`: the path of the index.
    ///
    /// # Errors
    /// When this program does not know a value.
    pub(crate) fn apply(&self, settings: &mut Settings, path: &Path) -> Result<()> {
        let unknown = |what: &str| {
            Error::Index(IndexError::CannotMerge {
                path: path.to_owned(),
                what: format!("it was made with {what}, which this dedup does not know"),
                remedy: "use a later dedup",
            })
        };
        let stop_words = match &self.stop_words {
            StoredStopWords::Detect => StopWords::Detect,
            StoredStopWords::Language(code) => StopWords::Language(code.parse::<Language>()?),
            StoredStopWords::Words(words) => StopWords::Words(words.clone()),
        };
        settings.shingles = ShingleSettings::new(self.shingle)
            .with_size(self.k)?
            .with_bag(self.bag)
            .with_min_tokens(self.min_tokens)
            .with_stop_words(stop_words);
        settings.normalization = Normalization {
            disguises: self.disguises,
            form: match self.form.as_deref() {
                None => None,
                Some("nfc") => Some(UnicodeForm::Nfc),
                Some("nfkc") => Some(UnicodeForm::Nfkc),
                Some(other) => return Err(unknown(other)),
            },
            lowercase: self.lowercase,
            strip_accents: self.strip_accents,
            fold_digits: self.fold_digits,
            strip_punctuation: self.strip_punctuation,
            keep_whitespace: self.keep_whitespace,
            skip_lines: self.skip_lines.iter().map(|pattern| pattern.parse()).collect::<Result<_>>()?,
            ignore_between: self
                .ignore_between
                .iter()
                .map(|[start, end]| Markers::new(start, end))
                .collect::<Result<_>>()?,
            ignore_quotes: self.ignore_quotes,
            ignore_bibliography: self.ignore_bibliography,
            syntax: self.syntax.as_deref().map(|name| name.parse::<Syntax>().map_err(|_| unknown(name))).transpose()?,
            keep_names: self.keep_names,
        };
        settings.input.html = match self.html.as_str() {
            "auto" => HtmlMode::Auto,
            "strip" => HtmlMode::Strip,
            "raw" => HtmlMode::Raw,
            other => return Err(unknown(other)),
        };
        if settings.shingles.kind() == ShingleKind::Code {
            settings.input.notebook_cells = NotebookCells::Code;
        }
        let method = match self.signature.as_str() {
            "classic" => SignatureMethod::Classic,
            "fast" => SignatureMethod::Fast,
            other => return Err(unknown(other)),
        };
        settings.signature = SignatureSettings { method, seed: self.seed };
        settings.banding = Banding::new(self.bands, self.rows)?;
        settings.pairs.threshold = Threshold::new(self.threshold)?;
        settings.pairs.kept_names = self.jaccard_kept;
        Ok(())
    }

    /// This meaning, with the settings `names` replaced by the ones of another meaning.
    pub(crate) fn with(&self, other: &Self, names: &[&str]) -> Self {
        let others = other.fields();
        let fields = self.fields().into_iter().map(|(name, value)| {
            let other = others.iter().find(|(other, _)| *other == name && names.contains(&&*name));
            (name, other.map_or(value, |(_, value)| value.clone()))
        });
        serde_json::from_value(serde_json::Value::Object(fields.collect())).expect("it has the fields of a meaning")
    }

    /// All settings as pairs of a flag name and a value.
    pub(crate) fn fields(&self) -> Vec<(String, serde_json::Value)> {
        let fields = serde_json::to_value(self).expect("it is of plain values");
        let serde_json::Value::Object(fields) = fields else { unreachable!("it has fields") };
        fields.into_iter().collect()
    }
}
