//! Copies a Parquet file without some of its rows, or with other texts in some; schema, metadata, row groups and codecs stay the same.
//!
//! A row group that keeps all rows is copied without unpacking it. The columns of other row groups are read and
//! written one after another, 1,024 rows at a time, without type conversions.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use super::change::{Change, ContentName, Looked, SkippedTally};
use super::cut::TextEditor;
use super::fates::{Fate, FateCursor};
use crate::base::flat::bit_set::BitSet;
use crate::documents::document::DocId;
use crate::documents::input::{ParquetFile, contain};

/// Rows copied at a time.
const ROWS: usize = 1024;

/// Determines which rows are kept.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn look(content: ContentName, file: File, fates: &mut FateCursor, drop_skipped: bool) -> io::Result<Looked> {
    let reader = checked(|| ParquetFile::new(file))?;
    let groups = reader.metadata().row_groups();
    let num_rows: usize = groups.iter().map(|group| usize::try_from(group.num_rows()).unwrap_or(0)).sum();
    let (mut kept, mut tally, mut num_kept) = (BitSet::new(num_rows), SkippedTally::default(), 0);
    let mut edited = Vec::new();
    for row in 0..num_rows {
        let fate = fates.record(content.name, row as u64 + 1);
        if tally.stays(fate, drop_skipped) {
            kept.insert(row);
            num_kept += 1;
        }
        if let Fate::Edited(document) = fate {
            edited.push((row, document));
        }
    }
    let change = if num_kept == num_rows && edited.is_empty() { Change::Keep } else { Change::Rows(kept, edited) };
    Ok(Looked { is_emptied: num_kept == 0 && num_rows > 0, change, spool: None, tally })
}

/// Writes the rows that are kept.
///
/// * `edited`: rows with another text, ascending, and their documents.
/// * `text_fields`: the fields of the text, in its order.
///
/// # Errors
/// When the file cannot be read, a text cannot be edited, or `out` fails.
pub(super) fn write(
    file: File,
    kept: &BitSet,
    edited: &[(usize, DocId)],
    text_fields: &[String],
    editor: Option<&TextEditor>,
    out: &mut (dyn Write + Send),
) -> io::Result<()> {
    let edits = editor.map(|editor| RowEdits { edited, text_fields, editor });
    checked(|| copy_file(file, kept, edits.as_ref(), out))
}

/// Calls the Parquet library and converts its panics and errors.
fn checked<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    contain(call)?.map_err(|error| match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    })
}

fn copy_file(
    file: File,
    kept: &BitSet,
    edits: Option<&RowEdits>,
    out: &mut (dyn Write + Send),
) -> Result<(), ParquetError> {
    let reader = ParquetFile::new(file)?;
    let metadata = reader.metadata();
    let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
    let mut writer = SerializedFileWriter::new(out, schema, properties(metadata))?;
    let mut start = 0;
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let rows = start..start + usize::try_from(group.num_rows()).unwrap_or(0);
        start = rows.end;
        let num_kept = rows.clone().filter(|&row| kept.contains(row)).count();
        if num_kept == 0 && !rows.is_empty() {
            continue;
        }
        let mut group_writer = writer.next_row_group()?;
        let is_edited = edits.is_some_and(|edits| !edits.within(&rows).is_empty());
        if num_kept == rows.len() && !is_edited {
            copy_group(reader.file(), group, &mut group_writer)?;
        } else {
            let group = reader.row_group(number)?;
            let texts = edits.filter(|_| is_edited).map(|edits| edits.texts(&group, &rows)).transpose()?;
            let stays = |row: usize| kept.contains(rows.start + row);
            write_group(&group, rows.len(), &stays, &texts.unwrap_or_default(), &mut group_writer)?;
        }
        group_writer.close()?;
    }
    writer.close()?;
    Ok(())
}

/// The rows with edited texts.
struct RowEdits<'a, 'e> {
    edited: &'a [(usize, DocId)],
    text_fields: &'a [String],
    editor: &'a TextEditor<'e>,
}

/// The new texts of some columns of a row group, by the number of the column and of the row in the group.
type NewTexts = HashMap<usize, HashMap<usize, Vec<u8>>>;

impl RowEdits<'_, '_> {
    /// The edited rows in a range of rows.
    fn within(&self, rows: &Range<usize>) -> &[(usize, DocId)] {
        let start = self.edited.partition_point(|&(row, _)| row < rows.start);
        let end = self.edited.partition_point(|&(row, _)| row < rows.end);
        &self.edited[start..end]
    }

    /// The new texts of a row group.
    ///
    /// * `rows`: the rows of the group in the file.
    fn texts(&self, group: &dyn RowGroupReader, rows: &Range<usize>) -> Result<NewTexts, ParquetError> {
        let (schema, edited) = (group.metadata().schema_descr_ptr(), self.within(rows));
        let mut names: Vec<&String> = Vec::new();
        self.text_fields.iter().for_each(|name| {
            if !names.contains(&name) {
                names.push(name)
            }
        });
        let mut columns = Vec::new();
        for name in names {
            let number = (0..schema.num_columns()).find(|&number| schema.column(number).path().string() == **name);
            let Some(number) = number else { continue };
            if schema.column(number).max_rep_level() > 0 {
                let fault = format!("the texts of the list `{name}` are not cut; choose a column of strings");
                return Err(ParquetError::General(fault));
            }
            columns.push((number, self.stored(group, number, edited, rows)?));
        }
        let mut new = NewTexts::new();
        for &(row, document) in edited {
            let row = row - rows.start;
            let values: Vec<Option<&[u8]>> =
                columns.iter().map(|(_, stored)| stored.get(&row).map(ByteArray::data)).collect();
            let texts = self.editor.values(document, &values).map_err(|error| ParquetError::External(error.into()))?;
            for ((number, _), text) in columns.iter().zip(texts) {
                if let Some(text) = text {
                    new.entry(*number).or_default().insert(row, text);
                }
            }
        }
        Ok(new)
    }

    /// The values of a column in the edited rows, by the number of the row in its group; without nulls.
    fn stored(
        &self,
        group: &dyn RowGroupReader,
        number: usize,
        edited: &[(usize, DocId)],
        rows: &Range<usize>,
    ) -> Result<HashMap<usize, ByteArray>, ParquetError> {
        let ColumnReader::ByteArrayColumnReader(mut reader) = group.get_column_reader(number)? else {
            return Err(ParquetError::General("a column of the text has no strings".into()));
        };
        let max_definition = group.metadata().schema_descr().column(number).max_def_level();
        let (mut stored, mut row, mut next) = (HashMap::new(), 0, edited.iter().peekable());
        let (mut values, mut definitions) = (Vec::new(), Vec::new());
        while row < rows.len() {
            values.clear();
            definitions.clear();
            let (num_records, ..) =
                reader.read_records(ROWS.min(rows.len() - row), Some(&mut definitions), None, &mut values)?;
            if num_records == 0 {
                return Err(ParquetError::General("a column ends before its last row".into()));
            }
            let mut values = values.drain(..);
            for record in 0..num_records {
                let is_there = max_definition == 0 || definitions.get(record) == Some(&max_definition);
                let value = if is_there { values.next() } else { None };
                if next.next_if(|&&(edited, _)| edited == rows.start + row + record).is_some() {
                    value.and_then(|value| stored.insert(row + record, value));
                }
            }
            row += num_records;
        }
        Ok(stored)
    }
}

/// The settings with which the file was written, as far as its metadata shows them.
fn properties(metadata: &ParquetMetaData) -> WriterPropertiesPtr {
    let mut properties =
        WriterProperties::builder().set_key_value_metadata(metadata.file_metadata().key_value_metadata().cloned());
    if let Some(group) = metadata.row_groups().first() {
        properties = properties.set_sorting_columns(group.sorting_columns().cloned());
        for column in group.columns() {
            let path = column.column_path().clone();
            properties = properties
                .set_column_compression(path.clone(), column.compression())
                .set_column_dictionary_enabled(path.clone(), column.dictionary_page_offset().is_some())
                .set_column_bloom_filter_enabled(path, column.bloom_filter_offset().is_some());
        }
    }
    Arc::new(properties.build())
}

/// Copies the compressed columns of a row group.
fn copy_group<W: Write + Send>(
    file: &File,
    group: &RowGroupMetaData,
    writer: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    for column in group.columns() {
        let close = ColumnCloseResult {
            bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
            rows_written: u64::try_from(group.num_rows()).unwrap_or(0),
            metadata: column.clone(),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        writer.append_column(file, close)?;
    }
    Ok(())
}

fn write_group<W: Write + Send>(
    group: &dyn RowGroupReader,
    num_rows: usize,
    stays: &dyn Fn(usize) -> bool,
    texts: &NewTexts,
    writer: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    let mut number = 0;
    while let Some(mut column) = writer.next_column()? {
        let descriptor = group.metadata().schema_descr().column(number);
        let levels = (descriptor.max_def_level(), descriptor.max_rep_level());
        let copy = Copy { num_rows, levels, stays };
        match (group.get_column_reader(number)?, column.untyped()) {
            (ColumnReader::BoolColumnReader(from), ColumnWriter::BoolColumnWriter(to)) => copy.run(from, to),
            (ColumnReader::Int32ColumnReader(from), ColumnWriter::Int32ColumnWriter(to)) => copy.run(from, to),
            (ColumnReader::Int64ColumnReader(from), ColumnWriter::Int64ColumnWriter(to)) => copy.run(from, to),
            (ColumnReader::Int96ColumnReader(from), ColumnWriter::Int96ColumnWriter(to)) => copy.run(from, to),
            (ColumnReader::FloatColumnReader(from), ColumnWriter::FloatColumnWriter(to)) => copy.run(from, to),
            (ColumnReader::DoubleColumnReader(from), ColumnWriter::DoubleColumnWriter(to)) => copy.run(from, to),
            (ColumnReader::ByteArrayColumnReader(from), ColumnWriter::ByteArrayColumnWriter(to)) => {
                match texts.get(&number) {
                    None => copy.run(from, to),
                    Some(texts) => copy.run_edited(from, to, &mut |row, value| {
                        if let Some(text) = texts.get(&row) {
                            *value = ByteArray::from(text.clone());
                        }
                    }),
                }
            }
            (ColumnReader::FixedLenByteArrayColumnReader(from), ColumnWriter::FixedLenByteArrayColumnWriter(to)) => {
                copy.run(from, to)
            }
            _ => Err(ParquetError::General("a column changed its type".into())),
        }?;
        column.close()?;
        number += 1;
    }
    Ok(())
}

/// Copies some rows of a column.
struct Copy<'a> {
    num_rows: usize,
    /// The definition level at which a value is present, and the maximum repetition level.
    levels: (i16, i16),
    stays: &'a dyn Fn(usize) -> bool,
}

impl Copy<'_> {
    fn run<T: DataType>(
        &self,
        from: ColumnReaderImpl<T>,
        to: &mut ColumnWriterImpl<'_, T>,
    ) -> Result<(), ParquetError> {
        self.run_edited(from, to, &mut |_, _| ())
    }

    /// * `edit`: may change a value; receives its row.
    fn run_edited<T: DataType>(
        &self,
        mut from: ColumnReaderImpl<T>,
        to: &mut ColumnWriterImpl<'_, T>,
        edit: &mut dyn FnMut(usize, &mut T::T),
    ) -> Result<(), ParquetError> {
        let (max_definition, max_repetition) = self.levels;
        let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        // The index of the first row that has not been read.
        let mut row = 0;
        while row < self.num_rows {
            values.clear();
            definitions.clear();
            repetitions.clear();
            let most = ROWS.min(self.num_rows - row);
            let (num_records, num_values, num_levels) =
                from.read_records(most, Some(&mut definitions), Some(&mut repetitions), &mut values)?;
            if num_records == 0 {
                return Err(ParquetError::General("a column ends before its last row".into()));
            }
            let num_levels = if max_definition > 0 { num_levels } else { num_values };
            let (mut next_value, mut next_row, mut stays) = (0, row, false);
            let (mut value_flags, mut level_flags) = (Vec::with_capacity(num_values), Vec::with_capacity(num_levels));
            for level in 0..num_levels {
                if max_repetition == 0 || repetitions[level] == 0 {
                    stays = (self.stays)(next_row);
                    next_row += 1;
                }
                level_flags.push(stays);
                if max_definition == 0 || definitions[level] == max_definition {
                    edit(next_row - 1, &mut values[next_value]);
                    value_flags.push(stays);
                    next_value += 1;
                }
            }
            debug_assert_eq!(next_value, num_values);
            row += num_records;
            retain(&mut values, &value_flags);
            retain(&mut definitions, &level_flags);
            retain(&mut repetitions, &level_flags);
            let definitions = (max_definition > 0).then_some(definitions.as_slice());
            to.write_batch(&values, definitions, (max_repetition > 0).then_some(repetitions.as_slice()))?;
        }
        Ok(())
    }
}

/// Retains the values whose flag is set.
fn retain<V>(values: &mut Vec<V>, flags: &[bool]) {
    let mut flags = flags.iter();
    values.retain(|_| flags.next().copied().unwrap_or(false));
}
