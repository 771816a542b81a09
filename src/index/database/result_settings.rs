//! `ResultSettings`: all settings that the search results of an index depend on, as stored in it.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::sampling::{IndexSettings, SampleRate};
use crate::base::error::{Error, IndexError, Result};
use crate::base::setting::Setting;
use crate::compare::verify::Threshold;
use crate::documents::input::{HtmlMode, MailQuotes, MarkupMode, NotebookCells};
use crate::search::pairs::PairSource;
use crate::search::run::Settings;
use crate::sign::banding::Banding;
use crate::sign::signature::{SignatureMethod, SignatureSettings};
use crate::text::normalize::Normalization;
use crate::text::shingle::{ShingleKind, ShingleSettings};

/// The settings of texts, shingles and signatures. Two indexes with the same settings find the same documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ResultSettings {
    #[serde(flatten)]
    pub(crate) shingles: ShingleSettings,
    #[serde(flatten)]
    pub(crate) normalization: Normalization,
    pub(crate) html: HtmlMode,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) markup: MarkupMode,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) mail_quotes: MailQuotes,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) mail_subject: bool,
    #[serde(flatten)]
    pub(crate) banding: Banding,
    #[serde(flatten)]
    pub(crate) signature: SignatureSettings,
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

/// The name by which an index stores a setting; `None` for a setting that no index stores.
pub(crate) fn stored_name(setting: Setting) -> Option<&'static str> {
    Some(match setting {
        Setting::Bag => "bag",
        Setting::Bands => "bands",
        Setting::Disguises | Setting::Fold => "disguises",
        Setting::FoldDigits => "fold_digits",
        Setting::ForContainment => "containment",
        Setting::Html => "html",
        Setting::IgnoreBetween => "ignore_between",
        Setting::IgnoreBibliography => "ignore_bibliography",
        Setting::IgnoreQuotes => "ignore_quotes",
        Setting::KeepNames => "keep_names",
        Setting::KeepWhitespace => "keep_whitespace",
        Setting::KeptNames => "jaccard_kept",
        Setting::Language | Setting::StopWords => "stop_words",
        Setting::Lowercase => "lowercase",
        Setting::MailQuotes => "mail_quotes",
        Setting::MailSubject => "mail_subject",
        Setting::Markup => "markup",
        Setting::MinTokens => "min_tokens",
        Setting::Nfc | Setting::Nfkc => "form",
        Setting::Rows => "rows",
        Setting::Seed => "seed",
        Setting::ShingleKind => "shingle",
        Setting::ShingleSize => "k",
        Setting::Signature => "signature",
        Setting::SkipLines => "skip_lines",
        Setting::StripAccents => "strip_accents",
        Setting::StripPunctuation => "strip_punctuation",
        Setting::Syntax => "syntax",
        Setting::Threshold => "threshold",
        _ => return None,
    })
}

/// Whether a setting that is younger than the format has its default, which is not stored.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl ResultSettings {
    /// The settings of an index.
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
            (Setting::Weights, settings.weights.is_some(), "an index has no weights"),
        ];
        let source = match settings.pairs.source {
            PairSource::Bands => None,
            PairSource::AllPairs => Some((Setting::AllPairs, true, "an index finds documents by signatures")),
            PairSource::Passages(_) => Some((Setting::ByPassages, true, "an index finds documents by similarity")),
        };
        if let Some((setting, _, why)) = refused.into_iter().chain(source).find(|&(_, is_given, _)| is_given) {
            return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
        }
        Ok(Self {
            jaccard_kept: settings.pairs.kept_names,
            containment: built.containment,
            ..Self::of_texts(settings, templates)
        })
    }

    /// The settings of an index or a filter, of settings that both support.
    ///
    /// * `templates`: the hash of the shingles of templates.
    pub(crate) fn of_texts(settings: &Settings, templates: Option<u128>) -> Self {
        Self {
            shingles: settings.shingles.clone(),
            normalization: settings.normalization.clone(),
            html: settings.input.html,
            markup: settings.input.markup,
            mail_quotes: settings.input.mail_quotes,
            mail_subject: settings.input.mail_subject,
            banding: settings.banding,
            signature: settings.signature,
            threshold: settings.pairs.threshold.value(),
            templates: templates.map(|hash| format!("{hash:032x}")),
            jaccard_kept: None,
            containment: None,
        }
    }

    /// Reads stored settings; `None` when a setting or its value belongs to a later version.
    pub(crate) fn from_json(bytes: &[u8]) -> Option<Self> {
        let settings: Self = serde_json::from_slice(bytes).ok()?;
        let stored: BTreeMap<String, IgnoredAny> = serde_json::from_slice(bytes).ok()?;
        let known = settings.fields();
        let is_known = stored.keys().all(|name| known.iter().any(|(field, _)| field == name));
        (is_known && settings.signature.method != SignatureMethod::Weighted).then_some(settings)
    }

    /// Whether other settings give the same pairs for the same documents and the same query settings.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let Self { threshold, jaccard_kept, .. } = *self;
        Self { threshold, jaccard_kept, ..other.clone() } == *self
    }

    /// Applies these settings to others. Templates are excluded: the index stores their shingles.
    ///
    /// # Errors
    /// When a value is outside of its range.
    pub(crate) fn apply(&self, settings: &mut Settings) -> Result<()> {
        settings.shingles = self.shingles.clone().with_size(self.shingles.size())?;
        settings.normalization = self.normalization.clone();
        settings.input.html = self.html;
        settings.input.markup = self.markup;
        settings.input.mail_quotes = self.mail_quotes;
        settings.input.mail_subject = self.mail_subject;
        if settings.shingles.kind() == ShingleKind::Code {
            settings.input.notebook_cells = NotebookCells::Code;
        }
        settings.signature = self.signature;
        settings.banding = Banding::new(self.banding.bands(), self.banding.rows())?;
        settings.pairs.threshold = Threshold::new(self.threshold)?;
        settings.pairs.kept_names = self.jaccard_kept;
        Ok(())
    }

    /// These settings, except for the settings `given`, which have the values of `other`.
    pub(crate) fn with(&self, other: &Self, given: &[Setting]) -> Self {
        let names: Vec<&str> = given.iter().filter_map(|&setting| stored_name(setting)).collect();
        let others = other.fields();
        let fields = self.fields().into_iter().map(|(name, value)| {
            let other = others.iter().find(|(other, _)| *other == name && names.contains(&&*name));
            (name, other.map_or(value, |(_, value)| value.clone()))
        });
        serde_json::from_value(serde_json::Value::Object(fields.collect())).expect("it has the fields of settings")
    }

    /// All settings as pairs of a stored name and a value.
    pub(crate) fn fields(&self) -> Vec<(String, serde_json::Value)> {
        let fields = serde_json::to_value(self).expect("it is of plain values");
        let serde_json::Value::Object(mut fields) = fields else { unreachable!("it has fields") };
        fields.entry("markup").or_insert_with(|| "keep".into());
        fields.entry("mail_quotes").or_insert_with(|| "strip".into());
        fields.entry("mail_subject").or_insert(false.into());
        fields.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::saved::ReadingRecord;
    use crate::search::run::Summary;

    /// The settings of an index of the first version of the format, as they were stored.
    const FIRST: &str = r#"{"shingle":"word","k":3,"bag":true,"min_tokens":2,"stop_words":{"language":"de"},"disguises":true,"form":"nfkc","lowercase":true,"strip_accents":false,"fold_digits":true,"strip_punctuation":false,"keep_whitespace":false,"skip_lines":["^#"],"ignore_between":[["<a>","</a>"]],"ignore_quotes":false,"ignore_bibliography":true,"syntax":"rust","keep_names":true,"html":"strip","bands":12,"rows":4,"signature":"classic","seed":18446744073709551615,"threshold":0.7,"templates":null,"jaccard_kept":8,"containment":null}"#;

    #[test]
    fn stored_settings_keep_their_bytes_and_are_applied() {
        let stored = ResultSettings::from_json(FIRST.as_bytes()).unwrap();
        assert_eq!(serde_json::to_string(&stored).unwrap(), FIRST);
        let mut settings = Settings::default();
        stored.apply(&mut settings).unwrap();
        let again = ResultSettings::of(&settings, IndexSettings::default(), None).unwrap();
        assert_eq!(again, stored);
        let kept = ResultSettings { mail_quotes: MailQuotes::Keep, ..stored };
        assert!(serde_json::to_string(&kept).unwrap().contains(r#""html":"strip","mail_quotes":"keep","bands":12"#));
    }

    /// A setting that is added to texts, shingles, signatures or inputs must have a value in `FIRST` or `LATER`, and then
    /// be in the record of a summary or of a saved result.
    #[test]
    fn every_setting_is_in_the_record_of_a_summary_or_of_a_saved_result() {
        const LATER: &str = r#"{"k":4,"strip_accents":true,"strip_punctuation":true,"keep_whitespace":true,"ignore_quotes":true,"markup":"strip","mail_quotes":"keep","mail_subject":true}"#;
        // The hash of the templates and the sampling rate belong to the index.
        const OF_AN_INDEX: [&str; 2] = ["templates", "containment"];
        let values = |json| serde_json::from_str::<BTreeMap<String, serde_json::Value>>(json).unwrap();
        let (values, default) = (values(FIRST).into_iter().chain(values(LATER)), Settings::default());
        let values: BTreeMap<_, _> = values.collect();
        let recorded = |settings: &Settings| {
            let summary = Summary::new(settings, None);
            (serde_json::to_string(&summary.settings).unwrap(), ReadingRecord::of(&settings.input))
        };
        for kind in [ShingleKind::Char, ShingleKind::StopWord, ShingleKind::Code] {
            let settings = Settings { shingles: ShingleSettings::new(kind), ..default.clone() };
            for (name, value) in ResultSettings::of(&settings, IndexSettings::default(), None).unwrap().fields() {
                let given = values.get(&name).unwrap_or_else(|| panic!("no value is given for {name}"));
                let depends_on = |field, of_kind| name == field && kind != of_kind;
                if OF_AN_INDEX.contains(&&*name)
                    || depends_on("stop_words", ShingleKind::StopWord)
                    || depends_on("syntax", ShingleKind::Code)
                {
                    continue;
                }
                assert_ne!(*given, value, "{name} has its default");
                let mut fields: serde_json::Map<_, _> = ResultSettings::of(&settings, IndexSettings::default(), None)
                    .unwrap()
                    .fields()
                    .into_iter()
                    .collect();
                fields.insert(name.clone(), given.clone());
                let mut changed = settings.clone();
                serde_json::from_value::<ResultSettings>(fields.into()).unwrap().apply(&mut changed).unwrap();
                assert_ne!(recorded(&changed), recorded(&settings), "{name} is in no record");
            }
        }
    }

    #[test]
    fn settings_and_values_of_a_later_version_are_not_read() {
        for (known, later) in [
            (r#""k":3"#, r#""k":3,"width":2"#),
            (r#""html":"strip""#, r#""html":"outline""#),
            (r#""signature":"classic""#, r#""signature":"weighted""#),
            (r#""syntax":"rust""#, r#""syntax":"algol""#),
            (r#""form":"nfkc""#, r#""form":"nfd""#),
            (r#""language":"de""#, r#""language":"tlh""#),
        ] {
            assert_eq!(ResultSettings::from_json(FIRST.replacen(known, later, 1).as_bytes()), None, "{later}");
        }
    }
}
