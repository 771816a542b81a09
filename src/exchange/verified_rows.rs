//! `VerifiedRows`: writes the rows of pairs, each with the line that a scan prints for it.

use serde::{Deserialize, Serialize};

use super::columns::{FieldColumn, FieldKind, RowField, RowFormat};
use super::row_writer::RowWriter;
use crate::base::error::{Error, ExchangeError, Result};
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, Documents};
use crate::records::{JsonLines, Name};

/// The row of a pair in JSON Lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifiedRecord<'a> {
    /// The name of the first document, in document order.
    #[serde(borrow)]
    pub a: Name<'a>,
    /// The name of the second document.
    #[serde(borrow)]
    pub b: Name<'a>,
    /// The order of the first document, as it was given.
    #[serde(borrow)]
    pub ord_a: Name<'a>,
    /// The order of the second document, as it was given.
    #[serde(borrow)]
    pub ord_b: Name<'a>,
    /// The line of the pair, as `dedup scan` prints it, without its line end.
    pub line: String,
}

/// The row after the rows of a group in JSON Lines; without groups, the row after all rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupEndRecord<'a> {
    /// The name of the group; null when rows have no groups.
    #[serde(borrow)]
    pub group: Option<Name<'a>>,
    /// The number of rows of the group that were read.
    pub rows: u64,
    /// The number of pairs of the group that were written.
    pub pairs: u64,
}

pub(super) const VERIFIED: &[FieldColumn] = &[
    FieldColumn { name: "a", kind: FieldKind::Text },
    FieldColumn { name: "b", kind: FieldKind::Text },
    FieldColumn { name: "ord_a", kind: FieldKind::Text },
    FieldColumn { name: "ord_b", kind: FieldKind::Text },
    FieldColumn { name: "line", kind: FieldKind::Text },
];

/// Writes the rows of pairs.
pub(super) struct VerifiedRows<'a> {
    format: RowFormat,
    writer: RowWriter<'a>,
    lines: JsonLines<Vec<u8>>,
    /// The number of pairs since the end of the last group.
    num_pairs: u64,
    /// Whether to write a row at the end of each group.
    ends: bool,
}

impl<'a> VerifiedRows<'a> {
    pub(super) fn new(format: RowFormat, ends: bool, writer: RowWriter<'a>) -> Self {
        Self { format, writer, lines: JsonLines::new(Vec::new()).without_sources(), num_pairs: 0, ends }
    }

    /// Writes a row for each pair.
    ///
    /// * `order`: returns the order of a document, as it was given.
    ///
    /// # Errors
    /// When rows cannot be written.
    pub(super) fn push<'o>(
        &mut self,
        documents: &Documents,
        pairs: &[DuplicatePair],
        order: impl Fn(DocId) -> &'o [u8],
    ) -> Result<()> {
        self.lines.writer().clear();
        self.lines.write(documents, pairs).map_err(|error| Error::Exchange(ExchangeError::Output(error)))?;
        let lines = std::mem::take(self.lines.writer());
        for (pair, line) in pairs.iter().zip(lines.split(|&byte| byte == b'\n')) {
            let [a, b] = [pair.a, pair.b].map(|document| documents.name(document));
            let [ord_a, ord_b] = [pair.a, pair.b].map(&order);
            if self.format == RowFormat::JsonLines {
                let [a, b, ord_a, ord_b] = [a, b, ord_a, ord_b].map(Name::new);
                let line = String::from_utf8(line.to_vec()).expect("JSON is UTF-8");
                self.writer.push_json(&VerifiedRecord { a, b, ord_a, ord_b, line })?;
            } else {
                self.writer.push(&[a, b, ord_a, ord_b, line].map(RowField::Text))?;
            }
        }
        *self.lines.writer() = lines;
        self.num_pairs += pairs.len() as u64;
        Ok(())
    }

    /// Ends a group.
    ///
    /// * `num_rows`: the number of rows of the group that were read.
    ///
    /// # Errors
    /// When rows cannot be written.
    pub(super) fn end_group(&mut self, group: Option<&[u8]>, num_rows: u64) -> Result<()> {
        let num_pairs = std::mem::take(&mut self.num_pairs);
        if !self.ends {
            return Ok(());
        }
        if self.format == RowFormat::JsonLines {
            let end = GroupEndRecord { group: group.map(Name::new), rows: num_rows, pairs: num_pairs };
            return self.writer.push_json(&end);
        }
        let [rows, pairs] = [num_rows, num_pairs].map(|number| number.to_string());
        let fields = [group.unwrap_or_default(), b"", rows.as_bytes(), pairs.as_bytes(), b""];
        self.writer.push(&fields.map(RowField::Text))
    }

    /// Writes the remaining rows.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn finish(self) -> Result<()> {
        self.writer.finish()
    }
}
