//! Jupyter notebooks (.ipynb): nbformat 3 and 4.
//!
//! The source of each cell, without what running it printed.

use serde::Deserialize;
use serde_json::error::Category;

use super::fault::{ExtractFault, Extracted};
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::text_modes::NotebookCells;

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

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let bytes = source.bytes.strip_prefix(UTF8_MARK).unwrap_or(source.bytes);
    let parsed = serde_json::from_slice(bytes).or_else(|_| serde_json::from_slice(&with_null(bytes)));
    let notebook: Notebook = parsed.map_err(|error| {
        let how = match error.classify() {
            Category::Eof => "it ends too early",
            Category::Data => "it has no cells of a notebook",
            Category::Syntax | Category::Io => "its JSON is broken",
        };
        ExtractFault::Damaged(how.to_owned())
    })?;
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
