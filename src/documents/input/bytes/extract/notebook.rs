//! Jupyter notebooks (.ipynb): nbformat 3 and 4.
//!
//! The source of each cell, without what running it printed, and the language of the cells.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::error::Category;

use super::fault::{ExtractFault, Extracted};
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::text_modes::NotebookCells;
use crate::text::code::StatedSyntax;

/// A notebook. Version 3 has its cells in worksheets.
#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<NotebookCell>,
    #[serde(default)]
    worksheets: Vec<Worksheet>,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<NotebookCell>,
}

#[derive(Deserialize)]
struct NotebookCell {
    #[serde(default)]
    cell_type: String,
    source: Option<CellSource>,
    /// The source in code cells of version 3.
    input: Option<CellSource>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum CellSource {
    Whole(String),
    Lines(Vec<String>),
}

/// The parts of a notebook that state its language.
#[derive(Deserialize)]
struct StatedParts {
    #[serde(default)]
    metadata: StatedMetadata,
    #[serde(default)]
    worksheets: Vec<StatedSheet>,
}

#[derive(Deserialize, Default)]
struct StatedMetadata {
    language_info: Option<StatedNames>,
    kernelspec: Option<StatedNames>,
    language: Option<String>,
}

#[derive(Deserialize)]
struct StatedNames {
    name: Option<String>,
    language: Option<String>,
}

/// In version 3 each code cell states its language.
#[derive(Deserialize)]
struct StatedSheet {
    #[serde(default)]
    cells: Vec<StatedCell>,
}

#[derive(Deserialize)]
struct StatedCell {
    language: Option<String>,
}

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let bytes = source.bytes.strip_prefix(UTF8_MARK).unwrap_or(source.bytes);
    let mut json = Cow::Borrowed(bytes);
    let parsed = serde_json::from_slice(bytes).or_else(|_| {
        json = with_null(bytes).into();
        serde_json::from_slice(&json)
    });
    let notebook: Notebook = parsed.map_err(|error| {
        let how = match error.classify() {
            Category::Eof => "it ends too early",
            Category::Data => "it has no cells of a notebook",
            Category::Syntax | Category::Io => "its JSON is broken",
        };
        ExtractFault::Damaged(how.to_owned())
    })?;
    if source.cells == NotebookCells::Code {
        out.set_syntax(stated_syntax(&json));
    }
    let in_worksheets = notebook.worksheets.into_iter().flat_map(|worksheet| worksheet.cells);
    for cell in notebook.cells.into_iter().chain(in_worksheets) {
        out.check()?;
        out.begin_part();
        let is_wanted = match source.cells {
            NotebookCells::All => true,
            NotebookCells::Text => cell.cell_type != "code",
            NotebookCells::Code => cell.cell_type == "code",
        };
        if is_wanted {
            match cell.source.or(cell.input) {
                Some(CellSource::Whole(text)) => out.lines(&text),
                Some(CellSource::Lines(lines)) => out.lines(&lines.concat()),
                None => {}
            }
        }
    }
    Ok(())
}

/// The language that a notebook states.
fn stated_syntax(json: &[u8]) -> StatedSyntax {
    let Ok(StatedParts { metadata, worksheets }) = serde_json::from_slice(json) else { return StatedSyntax::None };
    let (info, kernel) = (metadata.language_info, metadata.kernelspec);
    let of_kernel = kernel.as_ref().and_then(|kernel| kernel.language.clone());
    let mut of_cells = worksheets.into_iter().flat_map(|sheet| sheet.cells).filter_map(|cell| cell.language);
    let language = info.and_then(|info| info.name).or(of_kernel).or(metadata.language).or_else(|| of_cells.next());
    match language {
        Some(language) => StatedSyntax::of_kernel(&language),
        // People choose the names of kernels: a name that is not a language says nothing.
        None => match kernel.and_then(|kernel| kernel.name).map(|name| StatedSyntax::of_kernel(&name)) {
            Some(StatedSyntax::Known(syntax)) => StatedSyntax::Known(syntax),
            _ => StatedSyntax::None,
        },
    }
}

/// The JSON with `null` for each NaN and infinity. They are not JSON, but Python writes them in outputs.
fn with_null(json: &[u8]) -> Vec<u8> {
    const NUMBERS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];
    let (mut made, mut at, mut is_string) = (Vec::with_capacity(json.len()), 0, false);
    while let Some(&byte) = json.get(at) {
        let rest = &json[at..];
        let number = NUMBERS.iter().find(|number| !is_string && rest.starts_with(number));
        let len = match (number, byte) {
            (Some(number), _) => {
                made.extend_from_slice(b"null");
                at += number.len();
                continue;
            }
            (None, b'\\') if is_string => rest.len().min(2),
            _ => 1,
        };
        is_string ^= byte == b'"';
        made.extend_from_slice(&rest[..len]);
        at += len;
    }
    made
}
