//! `write_overlaps`: groups that copy each other, as a table for people or for spreadsheets.

use std::io::{self, Write};

use ::csv::{Terminator, WriterBuilder};
use unicode_width::UnicodeWidthStr;

use super::words::whole_name;
use crate::base::shown::shown;
use crate::records::{OverlapRecord, harmless_cell};

/// The columns for spreadsheets. New columns are only added at the end.
const COLUMNS: [&str; 9] =
    ["a", "b", "documents_a", "documents_b", "matched_a", "matched_b", "share_a", "share_b", "pairs"];

/// The format of a table of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlapFormat {
    /// Aligned columns for people.
    Text,
    /// A row for each pair of groups, with this byte between cells.
    Delimited(u8),
}

impl OverlapFormat {
    /// The names of the formats.
    pub const NAMES: [&str; 3] = ["text", "csv", "tsv"];

    /// The format with a name that `--format` accepts; `None` for a format that cannot show groups.
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "text" => Some(Self::Text),
            "csv" => Some(Self::Delimited(b',')),
            "tsv" => Some(Self::Delimited(b'\t')),
            _ => None,
        }
    }
}

/// Writes a table of groups.
///
/// * `title`: the first line of a table for people.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_overlaps(
    format: OverlapFormat,
    title: &str,
    overlaps: &[OverlapRecord],
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OverlapFormat::Text => write_text(title, overlaps, out),
        OverlapFormat::Delimited(delimiter) => {
            let mut rows =
                WriterBuilder::new().delimiter(delimiter).terminator(Terminator::Any(b'\n')).from_writer(out);
            rows.write_record(COLUMNS)?;
            for overlap in overlaps {
                let [a, b] = names(overlap).map(harmless_cell);
                let numbers = [overlap.documents_a, overlap.documents_b, overlap.matched_a, overlap.matched_b];
                let shares = [overlap.share_a, overlap.share_b].map(|share| share.to_string());
                let cells = [a, b].into_iter().chain(numbers.map(|number| number.to_string())).chain(shares);
                rows.write_record(cells.chain([overlap.pairs.to_string()]))?;
            }
            rows.flush()
        }
    }
}

fn names(overlap: &OverlapRecord) -> [String; 2] {
    [&overlap.a, &overlap.b].map(|name| whole_name(&name.to_bytes()))
}

fn write_text(title: &str, overlaps: &[OverlapRecord], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{title}")?;
    if overlaps.is_empty() {
        return Ok(());
    }
    let part = |matched: u64, documents: u64, share: f64| {
        // A share below 100 % is not shown as 100 %.
        let percent = ((share * 1000.0).floor() / 10.0).to_string();
        [format!("{percent} %"), format!("{matched} of {documents}")]
    };
    let rows: Vec<[String; 6]> = overlaps
        .iter()
        .map(|overlap| {
            let [percent_a, of_a] = part(overlap.matched_a, overlap.documents_a, overlap.share_a);
            let [percent_b, of_b] = part(overlap.matched_b, overlap.documents_b, overlap.share_b);
            let [a, b] = names(overlap).map(|name| shown(&name));
            [percent_a, of_a, percent_b, of_b, a, b]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    let [of_a, of_b] = [widths[0] + 2 + widths[1], widths[2] + 2 + widths[3]].map(|width| width.max("A in B".len()));
    writeln!(out, " {:>of_a$}   {:>of_b$}   {}  B", "A in B", "B in A", padded("A", widths[4]))?;
    for [percent_a, count_a, percent_b, count_b, a, b] in &rows {
        let part_a = format!("{percent_a:>0$}  {count_a:>1$}", widths[0], widths[1]);
        let part_b = format!("{percent_b:>0$}  {count_b:>1$}", widths[2], widths[3]);
        writeln!(out, " {part_a:>of_a$}   {part_b:>of_b$}   {}  {b}", padded(a, widths[4]))?;
    }
    Ok(())
}

/// A name with spaces up to a number of columns.
fn padded(name: &str, columns: usize) -> String {
    format!("{name}{}", " ".repeat(columns.saturating_sub(name.width())))
}
