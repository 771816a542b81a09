//! The rows that describe an index: its settings, its state, and the shingles of its templates.

use std::num::NonZeroUsize;

use xxhash_rust::xxh3::xxh3_128;

use super::file::IndexFile;
use super::result_settings::ResultSettings;
use super::state::IndexState;
use crate::base::error::{Error, IndexError, Result};
use crate::base::setting::Setting;
use crate::documents::input::ReadSettings;
use crate::index::blocks::sealed::IndexTable;
use crate::text::removal::Removal;
use crate::text::shingle::ShingleSet;

const RESULT_SETTINGS: i64 = 0;
const STATE: i64 = 1;
const TEMPLATES: i64 = 2;
/// The process that writes; only for messages.
const WRITER: i64 = 3;
/// The shingles of the templates with identifiers kept, if results are also compared by these.
const KEPT_TEMPLATES: i64 = 4;
/// The settings with which the referenced inputs were read; only in an index that refers to texts.
const READ_SETTINGS: i64 = 5;
/// The first row of dictionaries for compression. Each is stored twice, since many texts need it.
const DICTIONARIES: i64 = 16;

pub(crate) fn put_result_settings(file: &IndexFile, result_settings: &ResultSettings) -> Result<()> {
    file.put(IndexTable::Meta, RESULT_SETTINGS, &serde_json::to_vec(result_settings).expect("it is of plain values"))
}

pub(crate) fn result_settings(file: &IndexFile) -> Result<ResultSettings> {
    let stored = file.need(IndexTable::Meta, RESULT_SETTINGS, |bytes| Some(bytes.to_vec()))?;
    ResultSettings::from_json(&stored).ok_or_else(|| {
        Error::Index(IndexError::CannotMerge {
            path: file.path().to_owned(),
            what: "it was made with settings that this dedup does not know".to_owned(),
            remedy: "use a later dedup".to_owned(),
        })
    })
}

/// Writes the reading settings of an index that refers to texts.
pub(crate) fn put_read_settings(file: &IndexFile, read_settings: &[ReadSettings]) -> Result<()> {
    file.put(IndexTable::Meta, READ_SETTINGS, &serde_json::to_vec(read_settings).expect("they are of plain values"))
}

/// Reads the reading settings; `None` for an index that stores texts.
pub(crate) fn read_settings(file: &IndexFile) -> Result<Option<Vec<ReadSettings>>> {
    file.get(IndexTable::Meta, READ_SETTINGS, |bytes| {
        let read_settings: Vec<ReadSettings> = serde_json::from_slice(bytes).ok()?;
        read_settings.iter().all(|settings| settings.inputs(Vec::new()).check().is_ok()).then_some(read_settings)
    })
}

pub(crate) fn put_state(file: &IndexFile, state: &IndexState) -> Result<()> {
    file.put(IndexTable::Meta, STATE, &serde_json::to_vec(state).expect("it is of plain values"))
}

pub(crate) fn state(file: &IndexFile) -> Result<IndexState> {
    file.need(IndexTable::Meta, STATE, |bytes| serde_json::from_slice(bytes).ok())
}

/// The hash of the shingles of templates in ascending order.
pub(crate) fn templates_hash(templates: &Removal) -> u128 {
    xxh3_128(&template_bytes(templates))
}

fn template_bytes(templates: &Removal) -> Vec<u8> {
    let mut hashes = templates.hashes().to_vec();
    hashes.sort_unstable();
    hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect()
}

/// The parts of an index other than documents.
#[derive(Clone, Copy, Default)]
pub(crate) struct StoredParts<'a> {
    /// The template shingles that are removed from every document.
    pub(crate) shingles: Option<&'a Removal>,
    /// The template shingles with identifiers kept.
    pub(crate) kept: Option<&'a Removal>,
    /// The reading settings, if the index refers to texts.
    pub(crate) read_settings: Option<&'a [ReadSettings]>,
}

pub(crate) fn put_parts(file: &IndexFile, parts: StoredParts) -> Result<()> {
    if let Some(read_settings) = parts.read_settings {
        put_read_settings(file, read_settings)?;
    }
    for (at, templates) in [(TEMPLATES, parts.shingles), (KEPT_TEMPLATES, parts.kept)] {
        if let Some(templates) = templates {
            file.put(IndexTable::Meta, at, &template_bytes(templates))?;
        }
    }
    Ok(())
}

/// Reads the template shingles that are removed from every document.
pub(crate) fn templates(file: &IndexFile, result_settings: &ResultSettings) -> Result<Option<Removal>> {
    if result_settings.templates.is_none() { Ok(None) } else { removal_at(file, TEMPLATES).map(Some) }
}

/// Reads the template shingles with identifiers kept.
///
/// * `size`: the number of tokens of a shingle.
///
/// # Errors
/// When the index has templates, and their shingles with identifiers kept have another size.
pub(crate) fn kept_templates(
    file: &IndexFile,
    result_settings: &ResultSettings,
    size: NonZeroUsize,
) -> Result<Option<Removal>> {
    if result_settings.templates.is_none() {
        return Ok(None);
    }
    if result_settings.jaccard_kept != Some(size) {
        let (setting, why) =
            (Setting::KeptNames, "the index has its templates without names, or in shingles of another size");
        return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
    }
    removal_at(file, KEPT_TEMPLATES).map(Some)
}

fn removal_at(file: &IndexFile, at: i64) -> Result<Removal> {
    let hashes: Vec<u64> = file.need(IndexTable::Meta, at, |bytes| {
        let (hashes, rest) = bytes.as_chunks::<8>();
        rest.is_empty().then(|| hashes.iter().map(|hash| u64::from_le_bytes(*hash)).collect())
    })?;
    Ok(Removal::new(ShingleSet::new(hashes.as_slice())))
}

/// Writes a dictionary, which never changes.
pub(crate) fn put_dictionary(file: &IndexFile, number: u32, words: &[u8]) -> Result<()> {
    dictionary_row_ids(number).into_iter().try_for_each(|at| file.put(IndexTable::Meta, at, words))
}

/// Reads a dictionary.
///
/// # Errors
/// When both copies are damaged.
pub(crate) fn dictionary(file: &IndexFile, number: u32) -> Result<Vec<u8>> {
    let [first, second] = dictionary_copies(file, number);
    first.or(second)
}

/// Reads both copies of a dictionary.
pub(crate) fn dictionary_copies(file: &IndexFile, number: u32) -> [Result<Vec<u8>>; 2] {
    dictionary_row_ids(number).map(|at| file.need(IndexTable::Meta, at, |words| Some(words.to_vec())))
}

fn dictionary_row_ids(number: u32) -> [i64; 2] {
    [0, 1].map(|copy| DICTIONARIES + 2 * i64::from(number) + copy)
}

/// Records this process as the writer.
pub(crate) fn put_writer(file: &IndexFile) -> Result<()> {
    file.put(IndexTable::Meta, WRITER, &std::process::id().to_le_bytes())
}

/// The process that wrote last, if it is known.
pub(crate) fn writer(file: &IndexFile) -> Option<u32> {
    file.get(IndexTable::Meta, WRITER, |bytes| bytes.try_into().ok().map(u32::from_le_bytes)).ok().flatten()
}
