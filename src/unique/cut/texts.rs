//! Texts instead of files: the texts of documents in formats that are not rewritten, as new files.

use std::io::{self, Write};

use serde::Serialize;

use super::editor::TextEditor;
use crate::documents::document::{DocId, Documents};
use crate::records::Name;

/// How the texts of a file are written instead of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::unique) enum TextFile {
    /// The file is one document: its text.
    Text(DocId),
    /// The file holds several documents, such as mail or a crawl: a line of JSON for each that stays.
    Lines(Vec<DocId>),
}

impl TextFile {
    /// The extension that is added to the name of the file.
    pub(in crate::unique) fn ending(&self) -> &'static str {
        match self {
            Self::Text(_) => ".txt",
            Self::Lines(_) => ".jsonl",
        }
    }
}

/// The line of a document.
#[derive(Serialize)]
struct DocumentText<'a> {
    id: Name<'a>,
    text: String,
}

/// Writes the texts of a file.
///
/// # Errors
/// When a document has changed, or `out` fails.
pub(in crate::unique) fn write_lines(
    editor: &TextEditor,
    documents: &Documents,
    file: &TextFile,
    out: &mut dyn Write,
) -> io::Result<()> {
    match file {
        TextFile::Text(document) => out.write_all(editor.text(*document)?.as_bytes()),
        TextFile::Lines(list) => list.iter().try_for_each(|&document| {
            let record = DocumentText { id: Name::new(documents.name(document)), text: editor.text(document)? };
            serde_json::to_writer(&mut *out, &record)?;
            out.write_all(b"\n")
        }),
    }
}
