//! Parquet: rows of a few columns, read batch by batch, each a document named by its id or by the number of its row.
//!
//! The columns are read by themselves, without Arrow: a text is a string column, the leaf of nested groups, or a list
//! of strings, of which the definition and repetition levels tell where a row ends and what is null (Melnik et al.,
//! Dremel, 2010).

use parquet::basic::{ConvertedType, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;

use super::super::unpack::{Bytes, Content, Unpacker, too_large};
use super::Fields;
use crate::error::{Problem, Reason};

/// Rows read at a time, first and at most.
const FIRST_ROWS: usize = 16;
const MOST_ROWS: usize = 1024;
/// Bytes of texts aimed at.
const BATCH_TEXT: usize = 4 << 20;
/// Columns of a file that a message names.
const SHOWN: usize = 12;

/// Reads rows and hands them over. What ends early is kept up to its last whole batch of rows.
pub(in crate::input) fn read(out: &mut Unpacker, content: Content, bytes: Bytes) {
    let Some(file) = out.seekable(content, bytes) else { return };
    let reader = match SerializedFileReader::new(file) {
        Ok(reader) => reader,
        Err(error) => return out.damaged(content, &error, "skipped"),
    };
    let columns = Columns::find(reader.metadata().file_metadata().schema_descr(), &Fields::new(out.config()));
    let columns = match columns {
        Ok(columns) => columns,
        Err(detail) => return out.problem(Problem::error(content.place(), Reason::Malformed, detail)),
    };
    let source = out.add_source(content);
    out.rows_of(Some(source));
    let mut row = 0;
    for group in 0..reader.num_row_groups() {
        if let Err(error) = read_group(out, &reader, group, &columns, &mut row) {
            return out.damaged(content, &error, "the rows before that are compared");
        }
    }
}

fn read_group(
    out: &mut Unpacker,
    reader: &SerializedFileReader<std::fs::File>,
    group: usize,
    columns: &Columns,
    row: &mut u64,
) -> Result<(), ParquetError> {
    let limit = out.config().unpacked_bytes();
    let group = reader.get_row_group(group)?;
    let mut left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
    let open = |column: &Column| {
        let chunk = group.metadata().column(column.index);
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        if start < 0 || chunk.compressed_size() < 0 {
            return Err(ParquetError::General("a column lies outside of the file".into()));
        }
        let pages = Box::new(Checked { pages: group.get_column_page_reader(column.index)?, has_dictionary: false });
        let schema = group.metadata().schema_descr();
        Ok((column.clone(), get_column_reader(schema.column(column.index), pages)))
    };
    let mut texts = columns.texts.iter().map(open).collect::<Result<Vec<_>, ParquetError>>()?;
    let mut id = columns.id.as_ref().map(open).transpose()?;
    let mut group_column = columns.group.as_ref().map(open).transpose()?;
    let mut num_rows = FIRST_ROWS;
    while left > 0 && out.is_open() {
        let count = num_rows.min(left);
        let ids_of = |(column, reader): &mut (Column, ColumnReader)| ids(column, reader, count);
        let ids = id.as_mut().map(ids_of).transpose()?;
        let groups = group_column.as_mut().map(ids_of).transpose()?;
        let texts = texts.iter_mut().map(|(column, reader)| values(column, reader, count));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let mut total = 0;
        for index in 0..count {
            let parts = || texts.iter().filter_map(|column| column[index].as_deref()).flatten();
            let id = ids.as_ref().and_then(|ids| ids[index].as_deref());
            let group = groups.as_ref().and_then(|groups| groups[index].as_deref());
            let num_bytes: usize = parts().map(|text| text.len() + 1).sum::<usize>() + id.map_or(0, <[u8]>::len);
            total += num_bytes;
            if texts.iter().all(|column| column[index].is_none()) {
                out.row_problem(*row, Reason::Malformed, "the text is null; skipped".into());
            } else if num_bytes as u64 > limit {
                out.row_problem(*row, Reason::TooLarge, too_large(limit));
            } else {
                out.row(*row, id, group, parts().map(ByteArray::data), num_bytes as u64);
            }
            *row += 1;
        }
        left -= count;
        num_rows = (BATCH_TEXT * count / total.max(1)).clamp(1, MOST_ROWS);
    }
    Ok(())
}

/// The columns that are read.
struct Columns {
    id: Option<Column>,
    group: Option<Column>,
    texts: Vec<Column>,
}

#[derive(Debug, Clone)]
struct Column {
    index: usize,
    /// The level at which a value is there.
    definition: i16,
    is_list: bool,
    is_unsigned: bool,
    may_be_null: bool,
}

impl Columns {
    fn find(schema: &SchemaDescriptor, fields: &Fields) -> Result<Self, String> {
        let column = |name: &str, types: &[Type]| {
            let Some(index) = (0..schema.num_columns()).find(|&index| name_of(schema, index) == name) else {
                return Ok(None);
            };
            let column = schema.column(index);
            let (physical, converted) = (column.physical_type(), column.converted_type());
            if !types.contains(&physical) || converted == ConvertedType::DECIMAL {
                return Err(format!(
                    "the column `{name}` is of type {physical}; only strings are read (and whole ids)"
                ));
            }
            Ok(Some(Column {
                index,
                definition: column.max_def_level(),
                is_list: column.max_rep_level() > 0,
                is_unsigned: matches!(converted, ConvertedType::UINT_32 | ConvertedType::UINT_64),
                may_be_null: schema.get_column_root(index).is_optional(),
            }))
        };
        let texts = fields.texts.iter().filter_map(|name| column(name, &[Type::BYTE_ARRAY]).transpose());
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        if texts.is_empty() {
            let names: Vec<_> = (0..schema.num_columns().min(SHOWN)).map(|index| name_of(schema, index)).collect();
            let more = if schema.num_columns() > SHOWN { ", …" } else { "" };
            return Err(format!("{} (there are: {}{more})", fields.missing("the file"), names.join(", ")));
        }
        let value = |name: &str, what| {
            let column = column(name, &[Type::BYTE_ARRAY, Type::INT32, Type::INT64])?;
            match column {
                Some(column) if column.is_list => Err(format!("the column `{name}` is a list; {what} is one value")),
                column => Ok(column),
            }
        };
        let id = value(&fields.id, "an id")?;
        let group = fields.group.as_deref().map(|name| value(name, "a group")).transpose()?.flatten();
        Ok(Self { id, group, texts })
    }
}

/// The name of a column as users have it: without the groups that a list is made of.
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

/// The next rows of a column of strings: for each its values, one unless it is a list; none when it is null.
fn values(
    column: &Column,
    reader: &mut ColumnReader,
    count: usize,
) -> Result<Vec<Option<Vec<ByteArray>>>, ParquetError> {
    let ColumnReader::ByteArrayColumnReader(reader) = reader else {
        return Err(ParquetError::General("a column changed its type".into()));
    };
    let (values, definitions, repetitions) = records::<ByteArrayType>(reader, count)?;
    let mut values = values.into_iter();
    let mut rows: Vec<Option<Vec<ByteArray>>> = Vec::with_capacity(count);
    let num_levels = if column.definition > 0 { definitions.len() } else { values.len() };
    for level in 0..num_levels {
        let definition = definitions.get(level).copied().unwrap_or(column.definition);
        if !column.is_list || repetitions.get(level) == Some(&0) {
            // A list may be there and hold nothing.
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
    fn spread<T: DataType>(
        column: &Column,
        reader: &mut ColumnReaderImpl<T>,
        count: usize,
        id: impl Fn(&T::T) -> Vec<u8>,
    ) -> Result<Vec<Option<Vec<u8>>>, ParquetError> {
        let (values, definitions, _) = records::<T>(reader, count)?;
        let mut values = values.iter().map(id);
        let rows: Vec<_> = if column.definition == 0 {
            values.map(Some).collect()
        } else {
            definitions.iter().map(|&level| if level == column.definition { values.next() } else { None }).collect()
        };
        check_count(rows.len(), count)?;
        Ok(rows)
    }
    let is_unsigned = column.is_unsigned;
    match reader {
        ColumnReader::ByteArrayColumnReader(reader) => spread(column, reader, count, |id| id.data().to_vec()),
        ColumnReader::Int32ColumnReader(reader) => spread(column, reader, count, |&id| {
            if is_unsigned { id.cast_unsigned().to_string() } else { id.to_string() }.into_bytes()
        }),
        ColumnReader::Int64ColumnReader(reader) => spread(column, reader, count, |&id| {
            if is_unsigned { id.cast_unsigned().to_string() } else { id.to_string() }.into_bytes()
        }),
        _ => Err(ParquetError::General("a column changed its type".into())),
    }
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

/// The pages of a column. A damaged one may refer to a dictionary that is not there, which the library takes for a fault
/// of its own.
struct Checked {
    pages: Box<dyn PageReader>,
    has_dictionary: bool,
}

impl PageReader for Checked {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let page = self.pages.get_next_page()?;
        match &page {
            Some(Page::DictionaryPage { .. }) => self.has_dictionary = true,
            Some(page) if !self.has_dictionary => {
                if matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY) {
                    return Err(ParquetError::General("a column lacks its dictionary".into()));
                }
            }
            _ => {}
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool, ParquetError> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for Checked {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
