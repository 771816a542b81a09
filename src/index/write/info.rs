//! `index_info`: describes an index and its contents.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::base::error::{Error, IndexError, Result};
use crate::base::setting::Setting;
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::{FORMAT, IndexFile, OpenFor};
use crate::index::database::meta;
use crate::index::database::result_settings::{ResultSettings, stored_name};
use crate::index::database::sampling::{IndexSettings, TextStorage};
use crate::index::database::state::RunKind;
use crate::search::run::Settings;
use crate::sign::banding::Banding;
use crate::text::shingle::ShingleKind;

/// The size of the page cache in bytes; reading the description needs few pages.
const CACHE_BYTES: u64 = 1 << 20;

/// The description of an index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IndexInfo {
    /// The version of the file format.
    pub format: u32,
    /// The number of documents that are not removed.
    pub documents: u64,
    /// The number of removed documents.
    pub removed: u64,
    /// The number of stored texts, equal ones counted once; in an index that refers to texts, the number of stored
    /// places.
    pub texts: u64,
    /// The total bytes of these texts.
    pub text_bytes: u64,
    /// Whether the index stores texts, or refers to them.
    pub text_storage: TextStorage,
    /// A counter that grows with every transaction.
    pub generation: u64,
    /// The number of sorted runs of band keys.
    pub segments: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of the file per document; 0 without documents.
    pub bytes_a_document: f64,
    /// The bytes by part.
    pub parts: IndexParts,
    /// The chance that a document at the threshold is found.
    pub recall_at_threshold: f64,
    /// The settings that the index was built with.
    pub settings: serde_json::Value,
}

/// The bytes of the parts of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct IndexParts {
    /// Sorted runs: band keys, names, hashes of texts, and sampled shingles.
    pub runs: u64,
    /// Compressed texts, or their places.
    pub texts: u64,
    /// The names and places of documents.
    pub documents: u64,
    /// Free pages, which later additions reuse.
    pub free: u64,
    /// All other bytes.
    pub other: u64,
}

/// Describes an index.
///
/// # Errors
/// When the file is not an index, or its description is damaged.
pub fn index_info(index: &Path) -> Result<IndexInfo> {
    let file = IndexFile::open(index, OpenFor::Read, CACHE_BYTES)?;
    file.begin_reading()?;
    let (result_settings, state) = (meta::result_settings(&file)?, meta::state(&file)?);
    let size = |table| file.size(table).map(|(_, bytes)| bytes);
    let page = file.pragma("page_size")? as u64;
    let bytes = file.pragma("page_count")? as u64 * page;
    let free = file.pragma("freelist_count")? as u64 * page;
    let [runs, texts, documents] = [size(IndexTable::Runs)?, size(IndexTable::Texts)?, size(IndexTable::Docs)?];
    let other = bytes.saturating_sub(runs + texts + documents + free);
    let banding = Banding::new(result_settings.banding.bands(), result_settings.banding.rows())?;
    Ok(IndexInfo {
        format: FORMAT,
        documents: state.documents,
        removed: state.numbers() - state.documents,
        texts: state.texts,
        text_bytes: state.text_bytes,
        text_storage: meta::read_settings(&file)?.map_or(TextStorage::Keep, |_| TextStorage::Refer),
        generation: state.generation,
        segments: state.segments_of(RunKind::Bands).count() as u64,
        bytes,
        bytes_a_document: if state.documents == 0 { 0.0 } else { bytes as f64 / state.documents as f64 },
        parts: IndexParts { runs, texts, documents, free, other },
        recall_at_threshold: banding.recall(result_settings.threshold),
        settings: serde_json::to_value(&result_settings).expect("it is of plain values"),
    })
}

/// The settings of texts, shingles, signatures and searches that an index was built with; without inputs.
///
/// # Errors
/// When the file is not an index, or was made by an incompatible version.
pub fn index_settings(index: &Path) -> Result<Settings> {
    let file = IndexFile::open(index, OpenFor::Read, CACHE_BYTES)?;
    let mut settings = Settings::default();
    meta::result_settings(&file)?.apply(&mut settings)?;
    Ok(settings)
}

/// Whether an index was built to find contained documents and passages, by sampled shingles.
///
/// # Errors
/// As [`index_settings`].
pub fn finds_contained(index: &Path) -> Result<bool> {
    let file = IndexFile::open(index, OpenFor::Read, CACHE_BYTES)?;
    Ok(meta::result_settings(&file)?.containment.is_some())
}

/// Checks that given settings agree with the settings that an index was built with.
///
/// * `wanted`: the settings from all flags; only the settings in `given` are compared.
/// * `given`: the settings to compare; settings that no index stores are not compared.
///
/// # Errors
/// When a setting differs, or the file is not an index.
pub fn check_index_settings(index: &Path, wanted: &Settings, given: &[Setting]) -> Result<()> {
    let file = IndexFile::open(index, OpenFor::Read, CACHE_BYTES)?;
    let own = meta::result_settings(&file)?.fields();
    let wanted = ResultSettings::of(wanted, IndexSettings::default(), None)?.fields();
    for &setting in given {
        let Some(name) = stored_name(setting) else { continue };
        let (own, wanted) = (value_of(&own, name), value_of(&wanted, name));
        if own != wanted {
            let setting = chosen(setting, &wanted);
            let (own, given) = (in_words(setting, &own), in_words(setting, &wanted));
            return Err(Error::Index(IndexError::Differs { path: index.to_owned(), setting, own, given }));
        }
    }
    Ok(())
}

/// The settings by which the text of a document is read, before it is normalised.
const READING: [Setting; 4] = [Setting::Html, Setting::Markup, Setting::MailQuotes, Setting::MailSubject];

/// The settings by which a text is normalised and cut into shingles.
const TEXTS: [Setting; 17] = [
    Setting::ShingleKind,
    Setting::ShingleSize,
    Setting::Bag,
    Setting::MinTokens,
    Setting::Disguises,
    Setting::Nfc,
    Setting::Lowercase,
    Setting::StripAccents,
    Setting::FoldDigits,
    Setting::StripPunctuation,
    Setting::KeepWhitespace,
    Setting::SkipLines,
    Setting::IgnoreBetween,
    Setting::IgnoreQuotes,
    Setting::IgnoreBibliography,
    Setting::Syntax,
    Setting::KeepNames,
];

/// Checks that the texts of an index were read as a run reads documents, so that the run can compare them with others.
///
/// Returns the first other setting of texts that differs, as the settings of the index and of the run in words. Such a
/// setting does not matter to the run, since an index stores texts before normalisation.
///
/// # Errors
/// When the texts were read in another way, or the file is not an index.
pub fn check_index_reading(index: &Path, wanted: &Settings) -> Result<Option<[String; 2]>> {
    let file = IndexFile::open(index, OpenFor::Read, CACHE_BYTES)?;
    let own = meta::result_settings(&file)?;
    let of_run = ResultSettings::of_texts(wanted, None);
    let sets = [&own, &of_run].map(|settings| settings.shingles.kind() == ShingleKind::Set);
    let read = READING.into_iter().chain((sets[0] != sets[1]).then_some(Setting::ShingleKind));
    let (own, of_run) = (own.fields(), of_run.fields());
    if let Some([own, given]) = first_difference(&own, &of_run, read) {
        return Err(Error::Index(IndexError::OtherReading { path: index.to_owned(), own, given }));
    }
    Ok(first_difference(&own, &of_run, TEXTS))
}

/// The first of some settings whose values differ, in words.
fn first_difference(
    own: &[(String, Value)],
    other: &[(String, Value)],
    settings: impl IntoIterator<Item = Setting>,
) -> Option<[String; 2]> {
    settings.into_iter().find_map(|setting| {
        let values = [own, other].map(|fields| value_of(fields, stored_name(setting).unwrap_or_default()));
        let words = |value: &Value| in_words(chosen(setting, value), value);
        (values[0] != values[1]).then(|| values.each_ref().map(words))
    })
}

/// The stored value of a setting; null if it is not stored.
fn value_of(fields: &[(String, Value)], name: &str) -> Value {
    fields.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone()).unwrap_or_default()
}

/// The setting that a value chooses: an index stores one value for the two settings of Unicode forms.
fn chosen(setting: Setting, value: &Value) -> Setting {
    match (setting, value.as_str()) {
        (Setting::Nfc | Setting::Nfkc, Some("nfc")) => Setting::Nfc,
        (Setting::Nfc | Setting::Nfkc, Some("nfkc")) => Setting::Nfkc,
        _ => setting,
    }
}

/// The value of a setting, after the name of the setting.
fn in_words(setting: Setting, value: &Value) -> String {
    match (setting, value) {
        (Setting::Nfc | Setting::Nfkc, Value::Null) => format!("no {} or {}", Setting::Nfc, Setting::Nfkc),
        (Setting::Nfc | Setting::Nfkc, value) => chosen(setting, value).to_string(),
        (_, Value::Bool(true)) => setting.to_string(),
        (_, Value::Bool(false) | Value::Null) => format!("no {setting}"),
        (_, Value::Array(values)) if values.is_empty() => format!("no {setting}"),
        (_, Value::String(text)) => format!("{setting} {text}"),
        (_, value) => format!("{setting} {value}"),
    }
}
