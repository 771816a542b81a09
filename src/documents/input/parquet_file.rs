//! `ParquetFile`: reads the metadata of a Parquet file, corrects known faults of old writers as other readers do, and
//! opens row groups.
//!
//! Some writers leave values that the format does not allow and that every reader accepts: a dictionary at offset 0,
//! columns whose length excludes the header of their dictionary, and fields in the footer that have the number of
//! another field.

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::ReaderProperties;
use parquet::file::serialized_reader::SerializedRowGroupReader;

use super::messages::ENCRYPTED;
use super::parquet_footer::repaired;
use crate::base::storage::read_at;

/// An open Parquet file and its metadata.
#[derive(Debug)]
pub(crate) struct ParquetFile {
    file: Arc<File>,
    metadata: ParquetMetaData,
}

/// The last bytes of a Parquet file. `ENCRYPTED_MARK` ends a file with an encrypted footer.
const MARK: &[u8] = b"PAR1";
const ENCRYPTED_MARK: &[u8] = b"PARE";

/// Maximum bytes of the header of a dictionary; other readers use the same value.
const DICTIONARY_HEADER: i64 = 100;
/// The number of bytes after the footer, which hold its length and the magic bytes of the format.
const END: u64 = 8;

impl ParquetFile {
    /// Reads the metadata.
    ///
    /// # Errors
    /// When the metadata cannot be read.
    pub(crate) fn new(file: File) -> Result<Self, ParquetError> {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).or_else(|error| {
            let footer = footer(&file)?.and_then(|footer| repaired(&footer)).ok_or(error)?;
            ParquetMetaDataReader::decode_metadata(&footer.bytes)
        })?;
        let metadata = mended(metadata, footer_start(&file)?)?;
        Ok(Self { file: Arc::new(file), metadata })
    }

    /// Whether any of the columns is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        let footer = footer(&self.file).ok().flatten().and_then(|footer| repaired(&footer));
        footer.is_some_and(|footer| footer.is_encrypted)
    }

    /// The metadata, as corrected.
    pub(crate) fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }

    /// The open file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Opens a row group for reading.
    ///
    /// # Errors
    /// When the row group cannot be opened.
    ///
    /// # Panics
    /// When `number` is not below the number of row groups.
    pub(crate) fn row_group(&self, number: usize) -> Result<SerializedRowGroupReader<'_, File>, ParquetError> {
        let properties = Arc::new(ReaderProperties::builder().build());
        let index = self.metadata.page_index_for_row_group(number);
        SerializedRowGroupReader::new(Arc::clone(&self.file), self.metadata.row_group(number), index, properties)
    }
}

/// Reads the footer; `None` when it is missing.
///
/// # Errors
/// When the footer cannot be read, or is encrypted.
fn footer(file: &File) -> Result<Option<Vec<u8>>, ParquetError> {
    let (start, len) = (footer_start(file)?, file.metadata()?.len());
    let (mut footer, mut end) = (Vec::new(), Vec::new());
    read_at(file, len.saturating_sub(MARK.len() as u64), MARK.len(), &mut end)?;
    if end == ENCRYPTED_MARK {
        return Err(ParquetError::General(ENCRYPTED.to_owned()));
    }
    let num_bytes = len.saturating_sub(END).saturating_sub(start.max(0).cast_unsigned());
    if end != MARK || start < MARK.len() as i64 {
        return Ok(None);
    }
    read_at(file, start.cast_unsigned(), usize::try_from(num_bytes).unwrap_or(0), &mut footer)?;
    Ok(Some(footer))
}

/// Returns the offset of the footer.
fn footer_start(file: &File) -> Result<i64, ParquetError> {
    let len = file.metadata()?.len();
    let mut end = Vec::new();
    read_at(file, len.saturating_sub(END), END as usize, &mut end)?;
    let footer = end.first_chunk().map_or(0, |len| u32::from_le_bytes(*len));
    Ok(len.saturating_sub(END + u64::from(footer)) as i64)
}

/// Corrects the lengths of columns that some writers leave too small.
fn mended(metadata: ParquetMetaData, footer: i64) -> Result<ParquetMetaData, ParquetError> {
    // The offsets at which columns and the footer begin.
    let mut starts = None;
    if metadata.file_metadata().created_by().is_some_and(counts_no_dictionary_header) {
        let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
        let sorted: BTreeSet<i64> =
            columns.map(|column| dictionary(column).unwrap_or(column.data_page_offset())).collect();
        starts = Some(sorted.into_iter().chain([footer]).collect::<Vec<_>>());
    }
    let mut builder = metadata.into_builder();
    for group in builder.take_row_groups() {
        let mut group = group.into_builder();
        let columns = group.take_columns().into_iter().map(|column| mended_column(column, starts.as_deref()));
        builder = builder.add_row_group(group.set_column_metadata(columns.collect::<Result<_, _>>()?).build()?);
    }
    Ok(builder.build())
}

/// Corrects a column's dictionary offset and length.
///
/// * `starts`: the sorted offsets at which columns and the footer begin, if columns may be longer than their metadata
///   says.
fn mended_column(column: ColumnChunkMetaData, starts: Option<&[i64]>) -> Result<ColumnChunkMetaData, ParquetError> {
    let dictionary = dictionary(&column);
    let mut len = column.compressed_size();
    if let Some(starts) = starts {
        let end = dictionary.unwrap_or(column.data_page_offset()).saturating_add(len);
        let next = starts.get(starts.partition_point(|&start| start < end)).copied().unwrap_or(end);
        len += (next - end).min(DICTIONARY_HEADER);
    }
    column.into_builder().set_dictionary_page_offset(dictionary).set_total_compressed_size(len).build()
}

/// Returns the offset of a column's dictionary. An offset that does not precede the data is ignored; the column then
/// begins at its first data page.
fn dictionary(column: &ColumnChunkMetaData) -> Option<i64> {
    column.dictionary_page_offset().filter(|&offset| offset != 0 && offset < column.data_page_offset())
}

/// Whether a file was written by parquet-mr before 1.2.9, which did not count the header of a dictionary.
fn counts_no_dictionary_header(created_by: &str) -> bool {
    let Some(rest) = created_by.strip_prefix("parquet-mr") else { return false };
    let version = rest.trim_start().trim_start_matches("version").trim_start();
    let mut numbers = version.split(['.', ' ', '-']).map_while(|number| number.parse::<u32>().ok());
    let version = [(); 3].map(|()| numbers.next().unwrap_or(0));
    version < [1, 2, 9]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_writers_are_known_by_their_version() {
        for (created_by, is_old) in [
            ("parquet-mr", true),
            ("parquet-mr version 1.2.8 (build abc)", true),
            ("parquet-mr version 1.2.9", false),
            ("parquet-mr version 1.12.3 (build f8dced182c4c1fbdec6ccb3185537b5a01e6ed6b)", false),
            ("parquet-cpp-arrow version 1.0.0", false),
            ("impala version 1.0-INTERNAL", false),
        ] {
            assert_eq!(counts_no_dictionary_header(created_by), is_old, "{created_by}");
        }
    }
}
