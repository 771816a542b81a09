//! `CellValue` and `RowSpool`: the values of records, and a temporary file that holds them until all columns are known.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use crate::base::storage::temporary_file;

/// A value of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CellValue {
    Null,
    Bool(bool),
    /// The digits of a number, such as `-1.50`, or `NaN`.
    Number(String),
    Text(String),
    /// An object or array, as JSON on one line.
    Nested(String),
    /// A whole JSON record on one line, as stored; the only cell of its row.
    Record(String),
}

impl CellValue {
    fn tag(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(false) => 1,
            Self::Bool(true) => 2,
            Self::Number(_) => 3,
            Self::Text(_) => 4,
            Self::Nested(_) => 5,
            Self::Record(_) => 6,
        }
    }

    fn content(&self) -> &str {
        match self {
            Self::Null | Self::Bool(_) => "",
            Self::Number(text) | Self::Text(text) | Self::Nested(text) | Self::Record(text) => text,
        }
    }

    fn of(tag: u8, content: String) -> Self {
        match tag {
            0 => Self::Null,
            1 | 2 => Self::Bool(tag == 2),
            3 => Self::Number(content),
            4 => Self::Text(content),
            5 => Self::Nested(content),
            _ => Self::Record(content),
        }
    }
}

/// The cells of a record, each with the index of its column.
pub(super) type SpooledRow = Vec<(u32, CellValue)>;

/// Records stored in a temporary file.
pub(super) struct RowSpool {
    file: BufWriter<File>,
    num_rows: u64,
}

impl RowSpool {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(1 << 20, temporary_file()?), num_rows: 0 })
    }

    pub(super) fn push(&mut self, row: &[(u32, CellValue)]) -> io::Result<()> {
        self.num_rows += 1;
        self.file.write_all(&(row.len() as u32).to_le_bytes())?;
        for (column, cell) in row {
            let content = cell.content();
            let len = u32::try_from(content.len()).map_err(|_| io::Error::other("a value has more than 4 GiB"))?;
            self.file.write_all(&column.to_le_bytes())?;
            self.file.write_all(&[cell.tag()])?;
            self.file.write_all(&len.to_le_bytes())?;
            self.file.write_all(content.as_bytes())?;
        }
        Ok(())
    }

    /// Reads all records from the start.
    pub(super) fn read(&mut self) -> io::Result<SpooledRows> {
        self.file.flush()?;
        let mut file = self.file.get_ref().try_clone()?;
        file.rewind()?;
        Ok(SpooledRows { file: BufReader::with_capacity(1 << 20, file), num_left: self.num_rows })
    }
}

/// Reads the records of a spool.
pub(super) struct SpooledRows {
    file: BufReader<File>,
    num_left: u64,
}

impl SpooledRows {
    fn number(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.file.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn row(&mut self) -> io::Result<SpooledRow> {
        let len = self.number()?;
        (0..len)
            .map(|_| {
                let column = self.number()?;
                let mut tag = [0];
                self.file.read_exact(&mut tag)?;
                let mut content = vec![0; self.number()? as usize];
                self.file.read_exact(&mut content)?;
                Ok((column, CellValue::of(tag[0], String::from_utf8(content).map_err(io::Error::other)?)))
            })
            .collect()
    }
}

impl Iterator for SpooledRows {
    type Item = io::Result<SpooledRow>;

    fn next(&mut self) -> Option<Self::Item> {
        self.num_left = self.num_left.checked_sub(1)?;
        Some(self.row())
    }
}
