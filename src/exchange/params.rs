//! `RowParams`: all settings that the results of filters depend on, as one string, and its hash.

use serde::Serialize;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

use crate::base::error::{Error, ExchangeError, Result};
use crate::base::setting::Setting;
use crate::index::ResultSettings;
use crate::search::pairs::PairSource;
use crate::search::run::Settings;
use crate::text::shingle::ShingleKind;

/// The parameters of filters. Filters with equal parameters produce parts of one result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowParams {
    text: String,
}

/// The version and the settings, in this order.
#[derive(Serialize)]
struct ParamFields<'a> {
    version: &'a str,
    #[serde(flatten)]
    settings: &'a ResultSettings,
}

impl RowParams {
    /// The version of this program.
    pub const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    /// The parameters for some settings.
    ///
    /// # Errors
    /// When a setting needs more than the text of a row, or needs to read files.
    pub fn of(settings: &Settings) -> Result<Self> {
        let others = "it depends on other documents";
        let refused = [
            (Setting::MaxDf, settings.removal.max_df.is_some(), others),
            (Setting::Templates, !settings.removal.templates.is_empty(), "a filter reads no files"),
            (Setting::Groups, settings.input.groups.is_some(), "rows have no groups of documents"),
            (Setting::Against, settings.input.against.is_some(), "rows have no sides"),
            (Setting::Weights, settings.weights.is_some(), "filters know no weights"),
            (Setting::ShinglesOfSets, settings.shingles.kind() == ShingleKind::Set, "a row has a text and not a set"),
            (Setting::Html, settings.input.html.strips_records(), "the text of a row has no markup to leave out"),
        ];
        let source = match settings.pairs.source {
            PairSource::Bands => None,
            PairSource::AllPairs => Some((Setting::AllPairs, true, "filters find documents by signatures")),
            PairSource::Passages(_) => Some((Setting::ByPassages, true, "filters find documents by similarity")),
        };
        if let Some((setting, _, why)) = refused.into_iter().chain(source).find(|&(_, is_given, _)| is_given) {
            return Err(Error::Exchange(ExchangeError::NotOfRows { setting, why }));
        }
        settings.check()?;
        let fields = ParamFields { version: Self::VERSION, settings: &ResultSettings::of_texts(settings, None) };
        Ok(Self { text: serde_json::to_string(&fields).expect("it is of plain values") })
    }

    /// The whole string: a JSON object on one line, with `version` first.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The version, a colon, and `xxh3_128` of the string in 32 hexadecimal digits.
    pub fn hash(&self) -> String {
        format!("{}:{:032x}", Self::VERSION, xxh3_128(self.text.as_bytes()))
    }

    /// Checks that these parameters equal the expected ones.
    ///
    /// * `wanted`: the string of the expected parameters, or its hash.
    ///
    /// # Errors
    /// When they differ. The error reports the setting that differs, if `wanted` is the string.
    pub fn check(&self, wanted: &str) -> Result<()> {
        if wanted == self.text || wanted == self.hash() {
            return Ok(());
        }
        Self::check_version(wanted)?;
        let differs = |what: String| Err(Error::Exchange(ExchangeError::Params(what)));
        let Ok(Value::Object(wanted)) = serde_json::from_str(wanted) else {
            return differs(format!("expected {wanted}, found {}", self.hash()));
        };
        let Ok(Value::Object(own)) = serde_json::from_str(&self.text) else { unreachable!("it is an object") };
        let value = |value: Option<&Value>| value.map_or("not there".to_owned(), Value::to_string);
        match own.keys().chain(wanted.keys()).find(|&name| own.get(name) != wanted.get(name)) {
            Some(name) => {
                let (wanted, own) = (value(wanted.get(name)), value(own.get(name)));
                differs(format!("expected `{name}` to be {wanted}, found {own}"))
            }
            // The same values in another order or with other spaces.
            None => Ok(()),
        }
    }

    /// Checks only the version of the expected parameters, for results that do not depend on settings.
    ///
    /// * `wanted`: the string of the expected parameters, or its hash.
    ///
    /// # Errors
    /// When it has another version, or is neither a string of parameters nor a hash.
    pub fn check_version(wanted: &str) -> Result<()> {
        let fields: Option<Value> = serde_json::from_str(wanted).ok();
        let version = match &fields {
            Some(fields) => fields.get("version").and_then(Value::as_str),
            None => wanted.rsplit_once(':').map(|(version, _)| version),
        };
        match version {
            Some(Self::VERSION) => Ok(()),
            Some(other) => {
                let what = format!("expected version {other}, this is version {}", Self::VERSION);
                Err(Error::Exchange(ExchangeError::Params(what)))
            }
            None => Err(Error::Exchange(ExchangeError::NotParams)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::removal::{MaxDf, RemovalSettings};
    use crate::text::shingle::ShingleSettings;

    #[test]
    fn a_default_written_out_is_the_default() {
        let written = Settings { banding: crate::sign::Banding::for_recall(0.8, 0.999), ..Settings::default() };
        let (one, other) = (RowParams::of(&Settings::default()).unwrap(), RowParams::of(&written).unwrap());
        assert_eq!(one, other);
        assert!(one.check(other.as_str()).is_ok() && one.check(&other.hash()).is_ok());
    }

    #[test]
    fn what_differs_is_named() {
        let own = RowParams::of(&Settings::default()).unwrap();
        let words = Settings { shingles: ShingleSettings::new(ShingleKind::Word), ..Settings::default() };
        let words = RowParams::of(&words).unwrap();
        let fault = own.check(words.as_str()).unwrap_err().to_string();
        assert!(fault.contains("expected `") && fault.contains("found "), "{fault}");
        let fault = own.check(&words.hash()).unwrap_err().to_string();
        assert!(fault.contains(&words.hash()) && fault.contains(&own.hash()), "{fault}");
        let later = own.as_str().replace(RowParams::VERSION, "99.0.0");
        assert!(own.check(&later).unwrap_err().to_string().contains("expected version 99.0.0"));
        assert!(own.check("9").unwrap_err().to_string().contains("not parameters of rows"));
    }

    #[test]
    fn what_depends_on_other_documents_is_refused() {
        let removal = RemovalSettings { max_df: Some(MaxDf::Documents(2)), ..RemovalSettings::default() };
        let refused = RowParams::of(&Settings { removal, ..Settings::default() });
        assert!(matches!(refused, Err(Error::Exchange(ExchangeError::NotOfRows { setting: Setting::MaxDf, .. }))));
    }
}
