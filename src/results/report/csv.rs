//! `csv` and `tsv`: a row for each pair, always with all columns; or a row for each member of a group.
//!
//! A name that a spreadsheet would treat as a formula gets an apostrophe before it; JSON Lines contain every name
//! unchanged. On a terminal, control characters of names are escaped; a file or pipe gets them unchanged.

use std::io::{self, Write};

use ::csv::{Terminator, WriterBuilder};

use super::pair::ReportPair;
use super::table::{CellKind, TableCell, columns, row_of_pair, rows_of_group};
use super::{ReportSettings, ReportWriter};
use crate::base::shown::shown;
use crate::records::{ClusterRecord, harmless_cell};

pub(super) const STARTS: &[&str] = &["a,b,jaccard,", "group,size,name,", "a,b,documents_a,"];
pub(super) const TAB_STARTS: &[&str] = &["a\tb\tjaccard\t", "group\tsize\tname\t", "a\tb\tdocuments_a\t"];

struct TextTable {
    columns: Vec<(&'static str, CellKind)>,
    rows: WriterBuilder,
    on_terminal: bool,
}

pub(super) fn comma_report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(TextTable::new(b',', settings))
}

pub(super) fn tab_report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(TextTable::new(b'\t', settings))
}

impl TextTable {
    fn new(delimiter: u8, settings: &ReportSettings) -> Self {
        let mut rows = WriterBuilder::new();
        // The line ends of RFC 4180, CR LF, confuse Unix tools; all readers accept LF.
        rows.delimiter(delimiter).terminator(Terminator::Any(b'\n')).buffer_capacity(512);
        Self { columns: columns(settings), rows, on_terminal: settings.on_terminal }
    }

    fn write<C: AsRef<[u8]>>(&self, cells: impl IntoIterator<Item = C>, out: &mut dyn Write) -> io::Result<()> {
        let mut row = self.rows.from_writer(out);
        row.write_record(cells)?;
        row.flush()
    }

    /// A cell as text; an empty text for an unknown value.
    fn shown(&self, cell: TableCell) -> String {
        let shown = match cell {
            TableCell::Text(text) if self.on_terminal => text.map(|text| shown(&harmless_cell(text))),
            TableCell::Text(text) => text.map(harmless_cell),
            TableCell::Number(number) => number.map(|number| number.to_string()),
            TableCell::Share(share) => share.map(|share| share.to_string()),
        };
        shown.unwrap_or_default()
    }
}

impl ReportWriter for TextTable {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write(self.columns.iter().map(|(name, _)| name), out)
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        self.write(row_of_pair(pair).map(|cell| self.shown(cell)), out)
    }

    fn group(&mut self, group: &ClusterRecord, out: &mut dyn Write) -> io::Result<()> {
        rows_of_group(group).try_for_each(|row| self.write(row.map(|cell| self.shown(cell)), out))
    }
}
