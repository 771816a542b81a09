//! `Splitter`: splits a row of delimited values into its fields.

use std::borrow::Cow;

use super::dialect::Dialect;
use crate::documents::input::panic_guard::{Panicked, contain};

/// Splits rows into their fields.
pub(in crate::documents::input) struct Splitter {
    dialect: Dialect,
    parser: csv_core::Reader,
    fields: Vec<u8>,
    ends: Vec<usize>,
    num_fields: usize,
    /// The fields of this row that are null, ascending.
    nulls: Vec<usize>,
    num_escaped_unquoted: usize,
}

impl Splitter {
    pub(in crate::documents::input) fn new(dialect: Dialect) -> Self {
        // Then a carriage return inside a row is an ordinary character.
        let terminator = csv_core::Terminator::Any(b'\n');
        let parser = csv_core::ReaderBuilder::new()
            .delimiter(dialect.delimiter)
            .quoting(dialect.quoting)
            .terminator(terminator)
            .build();
        Self {
            dialect,
            parser,
            fields: Vec::new(),
            ends: Vec::new(),
            num_fields: 0,
            nulls: Vec::new(),
            num_escaped_unquoted: 0,
        }
    }

    /// Splits a row, which may have a line end. Returns whether the row has any content.
    pub(in crate::documents::input) fn split(&mut self, row: &[u8]) -> Result<bool, Panicked> {
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        if row.is_empty() {
            return Ok(false);
        }
        if let Some(escape) = self.dialect.escape {
            self.parse_escaped(row, escape);
        } else {
            // Removing quotation marks never lengthens a field. The parser does nothing unless there is room for one
            // more byte.
            if self.fields.len() <= row.len() {
                self.fields.resize(row.len() + 1, 0);
            }
            self.num_fields = contain(|| self.parse(row))?;
        }
        Ok(self.num_fields > 1 || self.ends[0] > 0 || self.is_null(0))
    }

    /// Parses a row without its line end; returns the number of its fields.
    fn parse(&mut self, row: &[u8]) -> usize {
        let (mut written, mut num_fields) = (0, 0);
        for mut part in [row, b"\n"] {
            while !part.is_empty() {
                if num_fields == self.ends.len() {
                    self.ends.resize(2 * num_fields + 8, 0);
                }
                let (fields, ends) = (&mut self.fields[written..], &mut self.ends[num_fields..]);
                let (_, num_read, num_written, num_ends) = self.parser.read_record(part, fields, ends);
                part = &part[num_read..];
                (written, num_fields) = (written + num_written, num_fields + num_ends);
            }
        }
        num_fields
    }

    /// Parses a row in which an escape character makes the next character an ordinary one: within quotation marks, or
    /// anywhere. An escape character before any other character, such as the one of
    /// `C:\new`, is itself an ordinary one, because Spark and Hive write it without another.
    fn parse_escaped(&mut self, row: &[u8], escape: u8) {
        let Dialect { delimiter, quoting, escapes_unquoted, .. } = self.dialect;
        self.num_escaped_unquoted = 0;
        self.fields.clear();
        self.ends.clear();
        self.nulls.clear();
        let is_end = |byte: Option<&u8>| byte.is_none_or(|&byte| byte == delimiter);
        let (mut at, mut is_start, mut is_quoted) = (0, true, false);
        while let Some(&byte) = row.get(at) {
            let next = row.get(at + 1).copied();
            at += 1;
            match byte {
                // MySQL and Hive write null as `\N`, and escape a backslash at the start of a text.
                b'\\' if is_start && escape == byte && next == Some(b'N') && is_end(row.get(at + 1)) => {
                    self.nulls.push(self.ends.len());
                    at += 1;
                }
                b'"' if quoting && is_start => is_quoted = true,
                _ if byte == escape && is_quoted | escapes_unquoted => match next {
                    Some(next) if self.dialect.is_escapable(next) => {
                        let is_border = next == delimiter || matches!(next, b'\n' | b'\r');
                        self.num_escaped_unquoted += usize::from(!is_quoted && is_border);
                        self.fields.push(next);
                        at += 1;
                    }
                    _ => self.fields.push(byte),
                },
                b'"' if is_quoted && next == Some(b'"') => {
                    self.fields.push(byte);
                    at += 1;
                }
                b'"' if is_quoted => is_quoted = false,
                _ if byte == delimiter && !is_quoted => {
                    self.ends.push(self.fields.len());
                    is_start = true;
                    continue;
                }
                _ => self.fields.push(byte),
            }
            is_start = false;
        }
        self.ends.push(self.fields.len());
        self.num_fields = self.ends.len();
    }

    pub(in crate::documents::input) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The number of escape characters before delimiters and line ends outside quotation marks, in the last row.
    pub(in crate::documents::input) fn num_escaped_unquoted(&self) -> usize {
        self.num_escaped_unquoted
    }

    pub(in crate::documents::input) fn len(&self) -> usize {
        self.num_fields
    }

    /// Whether a field is null. A null field is empty.
    pub(in crate::documents::input) fn is_null(&self, field: usize) -> bool {
        self.nulls.contains(&field)
    }

    pub(in crate::documents::input) fn get(&self, field: usize) -> &[u8] {
        let start = if field > 0 { self.ends[field - 1] } else { 0 };
        &self.fields[start..self.ends[field]]
    }

    /// The field names of a header.
    pub(in crate::documents::input) fn names(&self) -> impl Iterator<Item = Cow<'_, str>> + Clone {
        (0..self.num_fields).map(|field| String::from_utf8_lossy(self.get(field)))
    }
}
