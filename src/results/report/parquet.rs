//! `parquet`: a table of pairs or groups for DuckDB, pandas and Polars; the columns of `csv` with types, and names
//! without an apostrophe.
//!
//! The index at the end of a Parquet file has offsets from the file's beginning, so the file is written to a
//! temporary file first. Rows are kept in memory until a row group is full, which another thread then writes.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::Compression;
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::parser::parse_message_type;

use super::pair::ReportPair;
use super::table::{CellKind, TableCell, columns, row_of_pair, rows_of_group};
use super::waiting::WaitingFile;
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::base::hand_over::Consumer;
use crate::records::ClusterRecord;

pub(super) const STARTS: &[&str] = &["PAR1"];

/// Rows of a row group.
const ROWS: usize = 1 << 16;
/// The maximum number of full row groups that wait to be written.
const WAITING_GROUPS: usize = 1;

struct ParquetTable {
    /// The thread that writes row groups; `None` before the first one is full.
    writing: Option<Consumer<ReportRows, WaitingFile>>,
    schema: String,
    kinds: Vec<CellKind>,
    rows: ReportRows,
}

/// The rows of a row group.
struct ReportRows {
    columns: Vec<TableColumn>,
    num_rows: usize,
}

/// The values of a column in this row group; a missing value has the definition level 0.
#[derive(Default)]
struct ColumnValues<T> {
    values: Vec<T>,
    levels: Vec<i16>,
}

enum TableColumn {
    Text(ColumnValues<ByteArray>),
    Number(ColumnValues<i64>),
    Share(ColumnValues<f64>),
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    let columns = columns(settings);
    let kinds: Vec<CellKind> = columns.iter().map(|&(_, kind)| kind).collect();
    Box::new(ParquetTable {
        writing: None,
        schema: schema(if settings.of_groups { "groups" } else { "pairs" }, &columns),
        rows: ReportRows::new(&kinds),
        kinds,
    })
}

impl ReportWriter for ParquetTable {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        self.push(row_of_pair(pair))
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        rows_of_group(group).try_for_each(|row| self.push(row))
    }

    fn end(&mut self, _: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        let last = std::mem::replace(&mut self.rows, ReportRows::new(&self.kinds));
        let file = match self.writing.take() {
            None => write_groups(&self.schema, [last])?,
            Some(writing) => {
                writing.pass_on(last);
                writing.end()?
            }
        };
        file.copy_to(out)
    }
}

impl ParquetTable {
    fn push(&mut self, row: impl IntoIterator<Item = TableCell>) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.num_rows < ROWS {
            return Ok(());
        }
        let full = std::mem::replace(&mut self.rows, ReportRows::new(&self.kinds));
        let writing = match self.writing.take() {
            Some(writing) => writing,
            None => {
                let schema = self.schema.clone();
                Consumer::start(WAITING_GROUPS, move |groups| write_groups(&schema, groups))?
            }
        };
        if !writing.pass_on(full) {
            return writing.end().map(drop);
        }
        self.writing = Some(writing);
        Ok(())
    }
}

impl ReportRows {
    fn new(kinds: &[CellKind]) -> Self {
        Self { columns: kinds.iter().map(|&kind| TableColumn::of(kind)).collect(), num_rows: 0 }
    }

    fn push(&mut self, row: impl IntoIterator<Item = TableCell>) {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
        self.num_rows += 1;
    }

    fn write(&self, file: &mut SerializedFileWriter<WaitingFile>) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        for column in &self.columns {
            let mut writer = group.next_column()?.expect("a column of the schema for each");
            match column {
                TableColumn::Text(column) => column.write::<ByteArrayType>(&mut writer)?,
                TableColumn::Number(column) => column.write::<Int64Type>(&mut writer)?,
                TableColumn::Share(column) => column.write::<DoubleType>(&mut writer)?,
            }
            writer.close()?;
        }
        group.close().map(drop)
    }
}

/// Writes row groups to a temporary file.
fn write_groups(schema: &str, groups: impl IntoIterator<Item = ReportRows>) -> io::Result<WaitingFile> {
    let write = || {
        let schema = Arc::new(parse_message_type(schema)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let properties = properties.set_created_by(concat!("dedup ", env!("CARGO_PKG_VERSION")).to_owned());
        let mut file = SerializedFileWriter::new(WaitingFile::new("parquet")?, schema, Arc::new(properties.build()))?;
        groups.into_iter().filter(|group| group.num_rows > 0).try_for_each(|group| group.write(&mut file))?;
        file.into_inner()
    };
    write().map_err(failed)
}

impl<T> ColumnValues<T> {
    fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn write<D: DataType<T = T>>(&self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        writer.typed::<D>().write_batch(&self.values, Some(&self.levels), None).map(drop)
    }
}

impl TableColumn {
    fn of(kind: CellKind) -> Self {
        match kind {
            CellKind::Text => Self::Text(ColumnValues { values: Vec::new(), levels: Vec::new() }),
            CellKind::Number => Self::Number(ColumnValues::default()),
            CellKind::Share => Self::Share(ColumnValues::default()),
        }
    }

    fn push(&mut self, cell: TableCell) {
        match (self, cell) {
            (Self::Text(column), TableCell::Text(text)) => {
                column.push(text.map(|text| ByteArray::from(text.into_bytes())));
            }
            (Self::Number(column), TableCell::Number(number)) => {
                column.push(number.map(|number| i64::try_from(number).unwrap_or(i64::MAX)));
            }
            (Self::Share(column), TableCell::Share(share)) => column.push(share),
            _ => unreachable!("each column is made for its cells"),
        }
    }
}

/// The Parquet schema of the columns.
///
/// * `name`: the name of the schema's root message.
fn schema(name: &str, columns: &[(&str, CellKind)]) -> String {
    let columns = columns.iter().map(|(name, kind)| match kind {
        CellKind::Text => format!("optional byte_array {name} (utf8);"),
        CellKind::Number => format!("optional int64 {name};"),
        CellKind::Share => format!("optional double {name};"),
    });
    format!("message {name} {{ {} }}", columns.collect::<Vec<_>>().join(" "))
}

/// Turns an error into an I/O error; an I/O error inside of a Parquet error is unwrapped.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;

    use super::*;
    use crate::records::{Name, PairRecord};
    use crate::results::report::tests::settings;

    fn read(settings: &ReportSettings, fill: impl FnOnce(&mut dyn ReportWriter, &mut dyn Write)) -> Vec<Vec<Field>> {
        let (mut report, mut out) = (report(settings), tempfile::tempfile().unwrap());
        fill(&mut *report, &mut out);
        report.end(&ReportTotals::default(), &mut out).unwrap();
        let reader = SerializedFileReader::new(out).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
        rows.map(|row| row.get_column_iter().map(|(_, field)| field.clone()).collect()).collect()
    }

    fn read_pairs(pairs: usize) -> Vec<Vec<Field>> {
        let line = r#"{"a":"=x","b":"b","jaccard":0.5,"containment_a":0.75,"containment_b":0.25,"shared":3,"shingles_a":4,"shingles_b":5,"estimate":0.4}"#;
        read(&settings(), |report, out| {
            let mut record: PairRecord = serde_json::from_str(line).unwrap();
            for number in 0..pairs {
                record.b = Name::Text(format!("b{number}").into());
                report.pair(&ReportPair::new(&record, false), out).unwrap();
            }
        })
    }

    #[test]
    fn rows_read_back_from_several_groups() {
        assert_eq!(read_pairs(0).len(), 0);
        let rows = read_pairs(ROWS + 3);
        assert_eq!(rows.len(), ROWS + 3);
        for number in [0, ROWS - 1, ROWS, ROWS + 2] {
            let row = &rows[number];
            assert_eq!((row.len(), &row[0]), (26, &Field::Str("=x".to_owned())));
            assert_eq!(row[1], Field::Str(format!("b{number}")));
            assert_eq!((&row[2], &row[7], &row[9]), (&Field::Double(0.5), &Field::Long(5), &Field::Null));
        }
    }

    #[test]
    fn a_group_has_a_row_for_each_member() {
        let line = r#"{"group":7,"members":["=x","y"],"representative":"=x","size":2,"joined_by":[{"name":"y","by":"=x","jaccard":0.75}]}"#;
        let group = serde_json::from_str(line).unwrap();
        let of_groups = ReportSettings { of_groups: true, ..settings() };
        let rows = read(&of_groups, |report, out| report.group(&group, out).unwrap());
        let text = |text: &str| Field::Str(text.to_owned());
        let first = [Field::Long(7), Field::Long(2), text("=x"), text("=x")];
        let none = || vec![Field::Null; 6];
        let second = vec![text("=x"), Field::Double(0.75), Field::Null, Field::Null, Field::Null, Field::Null];
        assert_eq!(rows[0], [&first[..], &none()].concat());
        assert_eq!(rows[1], [&first[..2], &[text("y"), text("=x")], &second].concat());
        assert_eq!(rows.len(), 2);
    }
}
