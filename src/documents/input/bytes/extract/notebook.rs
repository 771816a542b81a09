//! Jupyter notebooks (.ipynb): nbformat 3 and 4.
//!
//! The source of each cell, without what running it printed.

use serde::Deserialize;

use super::fault::{ExtractFault, Extracted};
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use crate::documents::input::settings::NotebookCells;

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
    /// The source; in code cells of version 3 it is called `input`.
    #[serde(default, alias = "input")]
    source: CellSource,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum CellSource {
    Whole(String),
    Lines(Vec<String>),
}

impl Default for CellSource {
    fn default() -> Self {
        Self::Lines(Vec::new())
    }
}

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let notebook: Notebook = serde_json::from_slice(source.bytes).map_err(|error| {
        let how = if error.is_eof() { "it ends too early" } else { "its JSON is broken" };
        ExtractFault::Damaged(how.to_owned())
    })?;
    let in_worksheets = notebook.worksheets.into_iter().flat_map(|worksheet| worksheet.cells);
    for cell in notebook.cells.into_iter().chain(in_worksheets) {
        out.begin_part();
        let is_wanted = match source.cells {
            NotebookCells::All => true,
            NotebookCells::Text => cell.cell_type != "code",
            NotebookCells::Code => cell.cell_type == "code",
        };
        if is_wanted {
            match cell.source {
                CellSource::Whole(text) => out.lines(&text),
                CellSource::Lines(lines) => out.lines(&lines.concat()),
            }
        }
    }
    Ok(())
}
