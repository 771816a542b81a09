//! Copies a Parquet file without some of its rows; schema, metadata, row groups and codecs stay the same.
//!
//! A row group that keeps all rows is copied without unpacking it. The columns of other row groups are read and
//! written one after another, 1,024 rows at a time, without type conversions.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

use super::change::{Change, ContentName, Looked, SkippedTally};
use super::fates::FateCursor;
use crate::base::flat::bit_set::BitSet;
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
    for row in 0..num_rows {
        if tally.stays(fates.record(content.name, row as u64 + 1), drop_skipped) {
            kept.insert(row);
            num_kept += 1;
        }
    }
    let change = if num_kept == num_rows { Change::Keep } else { Change::Rows(kept) };
    Ok(Looked { is_emptied: num_kept == 0 && num_rows > 0, change, spool: None, tally })
}

/// Writes the rows that are kept.
///
/// # Errors
/// When the file cannot be read, or `out` fails.
pub(super) fn write(file: File, kept: &BitSet, out: &mut (dyn Write + Send)) -> io::Result<()> {
    checked(|| copy_file(file, kept, out))
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

fn copy_file(file: File, kept: &BitSet, out: &mut (dyn Write + Send)) -> Result<(), ParquetError> {
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
        if num_kept == rows.len() {
            copy_group(reader.file(), group, &mut group_writer)?;
        } else {
            let group = reader.row_group(number)?;
            let stays = |row: usize| kept.contains(rows.start + row);
            write_group(&group, rows.len(), &stays, &mut group_writer)?;
        }
        group_writer.close()?;
    }
    writer.close()?;
    Ok(())
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
            (ColumnReader::ByteArrayColumnReader(from), ColumnWriter::ByteArrayColumnWriter(to)) => copy.run(from, to),
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
        mut from: ColumnReaderImpl<T>,
        to: &mut ColumnWriterImpl<'_, T>,
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
