//! Compares texts with the settings of an index.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use dedup_scan::base::IndexError;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::{HtmlMode, InputFormat};
use dedup_scan::index::{ExportedRecord, export_index, index_info, text_in_index};
use dedup_scan::records::push_json;
use dedup_scan::results::Explanation;
use dedup_scan::{Error, InputSettings, Settings, Unwatched, explain};

use crate::cli::messages::{Failure, Reporter, Result};

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
/// * `folder`: a temporary folder, in which the texts are files while they are compared.
pub(super) fn explain_texts(
    settings: &Settings,
    passages: Option<PassageSettings>,
    folder: &Path,
    texts: [IndexedText; 2],
) -> Result<Explanation> {
    let mut paths = Vec::new();
    for (side, IndexedText { name, text }) in ["a", "b"].into_iter().zip(&texts) {
        // The extension says the language of a program.
        let name = String::from_utf8_lossy(name).into_owned();
        let extension = Path::new(&name).extension().and_then(|extension| extension.to_str());
        let mut path = folder.join(side);
        if let Some(extension) =
            extension.filter(|extension| extension.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        {
            path.set_extension(extension);
        }
        std::fs::write(&path, text).map_err(|error| Failure::new(format!("TMPDIR: {error}; free some space")))?;
        paths.push(path);
    }
    // An index has texts without markup.
    let input = InputSettings { format: InputFormat::Text, html: HtmlMode::Raw, ..InputSettings::of(paths.clone()) };
    let settings = Settings { input, ..settings.clone() };
    let names = [&paths[0], &paths[1]].map(|path| path.as_os_str().as_encoded_bytes());
    let explained = explain(&settings, names, passages, &Unwatched);
    paths.iter().for_each(|path| drop(std::fs::remove_file(path)));
    let mut explained = explained?;
    [explained.a.name, explained.b.name] = texts.map(|text| text.name);
    Ok(explained)
}

/// Writes the documents of an index as records to a file in a temporary folder. Returns the inputs with these records, and
/// the faults of documents that could not be read.
pub(super) fn exported(index: &Path, folder: &Path, quiet: bool) -> Result<(InputSettings, Vec<IndexError>)> {
    let path = folder.join("documents.jsonl");
    let failed = |error: io::Error| Failure::new(format!("TMPDIR: {error}; free some space"));
    let mut lines = BufWriter::new(File::create(&path).map_err(failed)?);
    let mut line = Vec::new();
    let mut add = |record: &ExportedRecord| {
        line.clear();
        push_json(&mut line, record);
        line.push(b'\n');
        lines.write_all(&line).map_err(Error::Output)
    };
    let faults = Reporter::watch(quiet, |reporter| export_index(index, reporter, &mut add))?;
    lines.flush().map_err(failed)?;
    // An index has texts without markup.
    let input = InputSettings { format: InputFormat::JsonLines, html: HtmlMode::Raw, ..InputSettings::of(vec![path]) };
    Ok((input, faults))
}

/// A temporary folder of the program.
pub(super) fn temporary_folder() -> Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("dedup-").tempdir();
    folder.map_err(|error| {
        Failure::new(format!("TMPDIR: cannot make a temporary folder: {error}; set TMPDIR to a folder with space"))
    })
}
