//! Compares texts with the settings of an index.

use std::path::Path;

use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::StoredInput;
use dedup_scan::index::{index_info, text_in_index};
use dedup_scan::results::Explanation;
use dedup_scan::{InputSettings, Settings, Unwatched, explain};

use crate::cli::messages::{Failure, Result};

/// A text and the name of its document.
pub(super) struct IndexedText {
    pub(super) name: Vec<u8>,
    pub(super) text: Vec<u8>,
}

impl IndexedText {
    /// The text of the document of an index with this name; `None` if the index has no such document.
    pub(super) fn find(index: &Path, name: &[u8]) -> dedup_scan::Result<Option<Self>> {
        let text = text_in_index(index, name)?;
        Ok(text.map(|text| Self { name: name.to_vec(), text }))
    }
}

/// Whether the texts of an index can be compared as the index does it: it knows its templates only by their shingles.
pub(super) fn can_be_explained(index: &Path) -> Result<bool> {
    let info = index_info(index)?;
    Ok(info.settings.get("templates").is_none_or(serde_json::Value::is_null))
}

/// Explains two texts.
///
/// * `settings`: the settings of the index, without inputs.
pub(super) fn explain_texts(
    settings: &Settings,
    passages: Option<PassageSettings>,
    texts: [IndexedText; 2],
) -> Result<Explanation> {
    let (mut stored, mut names) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (side, IndexedText { name, text }) in texts.iter().enumerate() {
        // Both texts may have the same name, whose extension says the language of a program.
        let name = String::from_utf8_lossy(name);
        let extension = Path::new(&*name).extension().map_or_else(String::new, |end| format!(".{}", end.display()));
        names[side] = format!("{}{extension}", ["a", "b"][side]).into_bytes();
        stored.push((names[side].clone(), text.clone()));
    }
    let input = inputs_of(StoredInput::of_texts(Path::new("texts"), stored));
    let explained =
        explain(&Settings { input, ..settings.clone() }, names.each_ref().map(Vec::as_slice), passages, &Unwatched);
    let mut explained = explained?;
    [explained.a.name, explained.b.name] = texts.map(|text| text.name);
    Ok(explained)
}

/// The inputs of a corpus of stored documents.
pub(super) fn inputs_of(stored: StoredInput) -> InputSettings {
    InputSettings { stored: vec![stored.clone()], ..InputSettings::of(vec![stored.path().to_owned()]) }
}

/// A folder for a temporary index.
pub(super) fn temporary_folder() -> Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("dedup-").tempdir();
    folder.map_err(|error| {
        Failure::new(format!("TMPDIR: cannot make a temporary folder: {error}; set TMPDIR to a folder with space"))
    })
}
