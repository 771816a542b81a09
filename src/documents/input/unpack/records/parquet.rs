//! Parquet: reads a file and passes on its rows as documents. A row is named by its id or by its number.
//!
//! Reads a few columns, batch by batch, without Arrow. A text column is a string, a leaf of nested groups, or a list of
//! strings; its definition and repetition levels show where a row ends and what is null (Melnik et al., Dremel, 2010).
//! Where documents are sets, a list of numbers is a text column too.

use std::borrow::Cow;

use parquet::basic::Type;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::SchemaDescriptor;

use super::cells::{LogicalKind, of_float, of_int96};
use super::fields::{Fields, IdAndGroup, NULL_TEXT, listed};
use super::sets::{fields_to_lines, push_element_bytes};
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::documents::input::messages::{ENCRYPTED, too_large};
use crate::documents::input::panic_guard::contain;
use crate::documents::input::parquet_file::ParquetFile;
use crate::documents::input::unpack::batch_writer::BatchWriter;
use crate::documents::input::unpack::content::{Bytes, Content};

/// Number of rows read at first. `MOST_ROWS` is the maximum number of rows read at a time.
const FIRST_ROWS: usize = 16;
const MOST_ROWS: usize = 1024;
/// Target size of the texts read at a time, in bytes.
const BATCH_TEXT: usize = 4 << 20;

/// Reads rows and passes them on. A truncated file is read up to its last whole batch of rows.
pub(in crate::documents::input) fn read(out: &mut BatchWriter, content: Content, bytes: Bytes) {
    let Some(file) = out.seekable(content, bytes) else { return };
    let len = file.metadata().map_or(0.0, |metadata| metadata.len() as f64);
    let reader = match checked(|| ParquetFile::new(file)) {
        Ok(reader) => reader,
        Err(error) => return out.damaged(content, &error, "skipped"),
    };
    let fields = Fields::new(out.inputs());
    let find = || {
        let schema = reader.metadata().file_metadata().schema_descr();
        (ParquetColumns::find(schema, &fields), fields.note_missing(content.place(), names(schema)))
    };
    let ((columns, note), missing) = match contain(find) {
        Ok((Ok(columns), missing)) => (columns, missing),
        Ok((Err(detail), _)) => return out.problem(Problem::error(content.place(), Reason::Malformed, detail)),
        Err(panicked) => return out.damaged(content, &panicked, "skipped"),
    };
    let note = note.map(|detail| Problem::note(content.place(), Reason::MissingField, detail));
    note.into_iter().chain(missing).for_each(|problem| out.problem(problem));
    let source = out.add_source(content);
    out.rows_of(Some(source));
    let (mut row, num_rows) = (0, reader.metadata().file_metadata().num_rows().max(1) as f64);
    for group in 0..reader.metadata().num_row_groups() {
        if let Err(error) = read_group(out, &reader, group, &columns, &mut row) {
            let is_encrypted = !out.meter().is_stopped() && reader.is_encrypted();
            let error = if is_encrypted { ParquetError::General(ENCRYPTED.to_owned()) } else { error };
            return out.damaged(content, &error, "the rows before that are compared");
        }
        if content.depth == 0 {
            out.reach((len * (row as f64 / num_rows)) as u64);
        }
    }
}

fn read_group(
    out: &mut BatchWriter,
    reader: &ParquetFile,
    group: usize,
    columns: &ParquetColumns,
    row: &mut u64,
) -> Result<(), ParquetError> {
    let (limit, sets) = (out.inputs().unpacked_bytes(), out.inputs().sets);
    let group = checked(|| reader.row_group(group))?;
    let mut num_remaining = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
    let open = |column: &Column| {
        let chunk = group.metadata().column(column.index);
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        if start < 0 || chunk.compressed_size() < 0 {
            return Err(ParquetError::General("a column lies outside of the file".into()));
        }
        let pages = group.get_column_page_reader(column.index)?;
        let schema = group.metadata().schema_descr();
        Ok((column.clone(), get_column_reader(schema.column(column.index), pages)))
    };
    let (mut texts, mut id, mut group_column) = checked(|| {
        let texts = columns.texts.iter().map(open).collect::<Result<Vec<_>, ParquetError>>()?;
        Ok((texts, columns.id.as_ref().map(open).transpose()?, columns.group.as_ref().map(open).transpose()?))
    })?;
    let mut num_rows = FIRST_ROWS;
    while num_remaining > 0 && out.is_open() {
        let count = num_rows.min(num_remaining);
        let ids_of = |(column, reader): &mut (Column, ColumnReader)| ids(column, reader, count);
        let (ids, groups, texts) = checked(|| {
            let texts = texts.iter_mut().map(|(column, reader)| values(column, reader, count));
            let texts = texts.collect::<Result<Vec<_>, _>>()?;
            Ok((id.as_mut().map(ids_of).transpose()?, group_column.as_mut().map(ids_of).transpose()?, texts))
        })?;
        let mut total = 0;
        for index in 0..count {
            let parts = || texts.iter().filter_map(|column| column[index].as_deref()).flatten();
            let id = ids.as_ref().and_then(|ids| ids[index].as_deref());
            let group = groups.as_ref().and_then(|groups| groups[index].as_deref());
            let num_bytes: usize = parts().map(|text| text.len() + 1).sum::<usize>() + id.map_or(0, <[u8]>::len);
            total += num_bytes;
            // Any number of rows may share one value of a dictionary.
            out.meter().add(num_bytes as u64).map_err(|error| ParquetError::External(Box::new(error)))?;
            if texts.iter().all(|column| column[index].is_none()) {
                out.row_problem(*row, Reason::NoText, NULL_TEXT.into());
            } else if num_bytes as u64 > limit {
                out.row_problem(*row, Reason::TooLarge, too_large(limit));
            } else if sets {
                let rows = texts.iter().zip(&columns.texts);
                let sets = rows.filter_map(|(rows, column)| rows[index].as_ref().map(|values| set(column, values)));
                let sets: Vec<_> = sets.collect();
                out.row(*row, id, group, sets.iter().map(Vec::as_slice), num_bytes as u64, true);
            } else {
                out.row(*row, id, group, parts().map(ByteArray::data), num_bytes as u64, false);
            }
            *row += 1;
        }
        num_remaining -= count;
        num_rows = (BATCH_TEXT * count / total.max(1)).clamp(1, MOST_ROWS);
    }
    Ok(())
}

/// Calls the library and turns a panic into an error.
fn checked<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    contain(call).map_err(|panicked| ParquetError::General(panicked.to_string())).flatten()
}

/// The columns that are read.
struct ParquetColumns {
    id: Option<Column>,
    group: Option<Column>,
    texts: Vec<Column>,
}

#[derive(Debug, Clone)]
struct Column {
    index: usize,
    /// The definition level of a value that is present.
    definition: i16,
    is_list: bool,
    kind: LogicalKind,
    may_be_null: bool,
}

/// The types of the elements of lists that can be elements of sets.
const NUMBERS: [Type; 4] = [Type::INT32, Type::INT64, Type::FLOAT, Type::DOUBLE];

impl ParquetColumns {
    /// Finds the columns. Returns also a note about them, if any.
    fn find(schema: &SchemaDescriptor, fields: &Fields) -> Result<(Self, Option<String>), String> {
        fields.refuse_repeated(names(schema))?;
        let column = |name: &str| {
            let index = (0..schema.num_columns()).find(|&index| name_of(schema, index) == name)?;
            let column = schema.column(index);
            let found = Column {
                index,
                definition: column.max_def_level(),
                is_list: column.max_rep_level() > 0,
                kind: LogicalKind::of(&column),
                may_be_null: schema.get_column_root(index).is_optional(),
            };
            Some((found, column.physical_type()))
        };
        let text = |name: &String| {
            let (column, stored) = column(name)?;
            let is_number = NUMBERS.contains(&stored) && !matches!(column.kind, LogicalKind::Decimal(_));
            let is_element = fields.sets && column.is_list && is_number;
            let is_string = stored == Type::BYTE_ARRAY && !matches!(column.kind, LogicalKind::Decimal(_));
            Some(if is_string || is_element || column.kind == LogicalKind::Null {
                Ok(column)
            } else {
                let what = if fields.sets { "strings, and lists of numbers," } else { "strings" };
                let kind =
                    if let LogicalKind::Decimal(_) = column.kind { "DECIMAL".to_owned() } else { stored.to_string() };
                let detail = format!("the column `{name}` is of type {kind}; only {what} are read as text");
                Err(format!("{detail}; choose another with {}", Setting::TextFields))
            })
        };
        let texts = fields.texts.iter().filter_map(text).collect::<Result<Vec<_>, _>>()?;
        if texts.is_empty() {
            return Err(format!("{} (there are: {})", fields.missing("the file"), listed(names(schema))));
        }
        let value = |name: &str, what: &str, setting: Setting| match column(name) {
            None => Ok(None),
            Some((column, _)) if column.is_list => {
                Err(format!("the column `{name}` is a list, and {what} is one value; choose another with {setting}"))
            }
            Some((column, _)) => Ok(Some(column)),
        };
        let IdAndGroup { id, group, note } = fields.id_and_group(value)?;
        Ok((Self { id, group, texts }, note))
    }
}

/// The names of all columns.
fn names(schema: &SchemaDescriptor) -> impl Iterator<Item = Cow<'static, str>> + Clone {
    (0..schema.num_columns()).map(|index| name_of(schema, index).into())
}

/// The name of a column as users know it: without the groups by which Parquet represents a list.
fn name_of(schema: &SchemaDescriptor, index: usize) -> String {
    let column = schema.column(index);
    let parts = column.path().parts();
    if column.max_rep_level() == 0 {
        return parts.join(".");
    }
    let mut name: Vec<&str> = Vec::new();
    let mut rest = parts.iter().map(String::as_str).peekable();
    while let Some(part) = rest.next() {
        let next = rest.peek().copied();
        match (part, next) {
            _ if name.is_empty() => name.push(part),
            ("list", Some("element" | "item")) | ("bag", Some("array_element" | "array")) => {
                rest.next();
            }
            ("array", None) => {}
            _ => name.push(part),
        }
    }
    name.join(".")
}

/// The values of a row as a set: one element per line.
fn set(column: &Column, values: &[ByteArray]) -> Vec<u8> {
    let mut elements = Vec::new();
    for value in values {
        if column.is_list {
            push_element_bytes(value.data(), &mut elements);
        } else {
            elements.extend_from_slice(value.data());
            fields_to_lines(&mut elements);
        }
    }
    elements
}

/// The next rows of a column. Each row has its values, one unless the column is a list; `None` when the row is null.
fn values(
    column: &Column,
    reader: &mut ColumnReader,
    count: usize,
) -> Result<Vec<Option<Vec<ByteArray>>>, ParquetError> {
    let kind = column.kind;
    let bytes = |value: &ByteArray| kind.of_bytes(value.data()).map_or_else(|| value.clone(), text);
    match reader {
        ColumnReader::ByteArrayColumnReader(reader) => spread(column, reader, count, bytes),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => spread(column, reader, count, |value| bytes(value)),
        ColumnReader::BoolColumnReader(reader) => spread(column, reader, count, |value| text(value.to_string())),
        ColumnReader::Int32ColumnReader(reader) => {
            spread(column, reader, count, |&value| text(kind.of_integer(value.into(), 32)))
        }
        ColumnReader::Int64ColumnReader(reader) => {
            spread(column, reader, count, |&value| text(kind.of_integer(value, 64)))
        }
        ColumnReader::Int96ColumnReader(reader) => spread(column, reader, count, |value| text(of_int96(value))),
        ColumnReader::FloatColumnReader(reader) => {
            spread(column, reader, count, |value| text(of_float(value, value.is_finite())))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            spread(column, reader, count, |value| text(of_float(value, value.is_finite())))
        }
    }
}

fn text(text: String) -> ByteArray {
    text.into_bytes().into()
}

fn spread<T: DataType>(
    column: &Column,
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    text: impl Fn(&T::T) -> ByteArray,
) -> Result<Vec<Option<Vec<ByteArray>>>, ParquetError> {
    let (values, definitions, repetitions) = records::<T>(reader, count)?;
    let mut values = values.iter().map(text);
    let mut rows: Vec<Option<Vec<ByteArray>>> = Vec::with_capacity(count);
    let num_levels = if column.definition > 0 { definitions.len() } else { values.len() };
    for level in 0..num_levels {
        let definition = definitions.get(level).copied().unwrap_or(column.definition);
        if !column.is_list || repetitions.get(level) == Some(&0) {
            // A list may be present and empty.
            let is_empty_list = column.is_list && (definition > 0 || !column.may_be_null);
            rows.push(is_empty_list.then(Vec::new));
        }
        if definition == column.definition {
            let row = rows.last_mut().ok_or_else(|| ParquetError::General("a row begins in the middle".into()))?;
            row.get_or_insert_default().extend(values.next());
        }
    }
    check_count(rows.len(), count)?;
    Ok(rows)
}

/// The next rows of a column of ids.
fn ids(column: &Column, reader: &mut ColumnReader, count: usize) -> Result<Vec<Option<Vec<u8>>>, ParquetError> {
    let rows = values(column, reader, count)?;
    Ok(rows.into_iter().map(|row| row.and_then(|values| Some(values.first()?.data().to_vec()))).collect())
}

type Levels = Vec<i16>;

fn records<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
) -> Result<(Vec<T::T>, Levels, Levels), ParquetError> {
    let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    let mut read = 0;
    while read < count {
        let (records, _, levels) =
            reader.read_records(count - read, Some(&mut definitions), Some(&mut repetitions), &mut values)?;
        if records == 0 && levels == 0 {
            break;
        }
        read += records;
    }
    Ok((values, definitions, repetitions))
}

fn check_count(found: usize, expected: usize) -> Result<(), ParquetError> {
    if found == expected {
        return Ok(());
    }
    Err(ParquetError::General(format!("a column has {found} rows where there should be {expected}")))
}
