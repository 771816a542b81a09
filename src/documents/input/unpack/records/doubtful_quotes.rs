//! `DoubtfulQuotes`: finds rows of a table that may be parts of one record, if the table was written in another dialect
//! than it is read in.
//!
//! A TSV file may be read with ordinary quotation marks although they enclose fields; a field may be enclosed by single
//! quotation marks, or after a space; and a program may write a quotation mark in a field as `\"`. In such a dialect a
//! record may span lines that each look like a row. A field is in doubt when it begins with a quotation mark that the
//! rest of its row does not close. A later row has to close it, and both rows together have to have as many fields as
//! the header. A flag for the dialect leaves no doubt.

use super::dialect::Dialect;
use crate::documents::input::settings::{Inputs, Quoting};

/// Looks for records that span several rows in another dialect.
pub(in crate::documents::input) struct DoubtfulQuotes {
    delimiter: u8,
    /// Fields that are open in a dialect with double quotation marks, and in one with single ones; empty when the
    /// dialect is certain.
    open: Vec<OpenField>,
    /// The line of a row in a table of one column that ends in a backslash, if the row before has one.
    continued: Option<u64>,
    /// The line of the first row in doubt, from 0.
    first: Option<u64>,
}

/// A field that may be open, for one kind of quotation mark.
struct OpenField {
    quote: u8,
    /// The line of the row in which the field begins, and the number of fields before it.
    start: Option<(u64, usize)>,
}

impl DoubtfulQuotes {
    pub(in crate::documents::input) fn new(inputs: Inputs, dialect: Dialect) -> Self {
        let is_certain = inputs.quoting != Quoting::Auto || inputs.csv_escape.is_some() || dialect.escape.is_some();
        let quotes: &[u8] = if is_certain { b"" } else { b"\"'" };
        Self {
            delimiter: dialect.delimiter,
            open: quotes.iter().map(|&quote| OpenField { quote, start: None }).collect(),
            continued: None,
            first: None,
        }
    }

    /// Examines a row.
    ///
    /// * `line`: the line on which the row begins, from 0.
    pub(in crate::documents::input) fn look(&mut self, line: u64, row: &[u8], num_columns: usize) {
        if self.first.is_some() || self.open.is_empty() {
            return;
        }
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let delimiter = self.delimiter;
        self.first = self.open.iter_mut().find_map(|open| open.look(line, row, delimiter, num_columns));
        if num_columns == 1 {
            self.first = self.first.or(self.continued);
            let num_escapes = row.iter().rev().take_while(|&&byte| byte == b'\\').count();
            self.continued = (num_escapes % 2 == 1).then_some(line);
        }
    }

    /// The line of the first row in doubt, from 1.
    pub(in crate::documents::input) fn first(&self) -> Option<u64> {
        self.first.map(|line| line + 1)
    }
}

impl OpenField {
    /// Examines a row, and returns the line on which an open field begins that this row closes.
    fn look(&mut self, line: u64, row: &[u8], delimiter: u8, num_columns: usize) -> Option<u64> {
        memchr::memchr(self.quote, row)?;
        if let Some((start, before)) = self.start {
            let end = closing(row, self.quote)?;
            let rest = &row[end + 1..];
            let is_end = rest.is_empty() || rest[0] == delimiter;
            let has_quotes = memchr::memchr(self.quote, rest).is_some();
            let num_fields = before + 1 + memchr::memchr_iter(delimiter, rest).count();
            if is_end && (has_quotes || num_fields == num_columns) {
                return Some(start);
            }
        }
        self.start = opening(row, self.quote, delimiter).map(|before| (line, before));
        None
    }
}

/// The number of fields before one that begins with a quotation mark and has no end in the row.
fn opening(row: &[u8], quote: u8, delimiter: u8) -> Option<usize> {
    let (mut at, mut before) = (0, 0);
    loop {
        let field = &row[at..];
        let space = field.iter().take_while(|&&byte| byte == b' ').count();
        if field.get(space) == Some(&quote) {
            let begins = at + space + 1;
            match closing(&row[begins..], quote) {
                None => return Some(before),
                // Only a quotation mark before a delimiter ends the field.
                Some(end) if row.get(begins + end + 1).is_none_or(|&byte| byte == delimiter) => at = begins + end,
                Some(_) => {}
            }
        }
        at += memchr::memchr(delimiter, &row[at..])? + 1;
        before += 1;
    }
}

/// The position of the first quotation mark that is neither doubled nor after a backslash.
fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        let found = at + memchr::memchr(quote, &text[at..])?;
        let num_escapes = text[at..found].iter().rev().take_while(|&&byte| byte == b'\\').count();
        match text.get(found + 1) {
            _ if num_escapes % 2 == 1 => at = found + 1,
            Some(&next) if next == quote => at = found + 2,
            _ => return Some(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::settings::InputSettings;

    /// The first row in doubt of a table whose lines are its rows.
    fn doubt(delimiter: u8, settings: &InputSettings, table: &str) -> Option<u64> {
        let dialect = Dialect { delimiter, quoting: delimiter == b',', escape: None, escapes_unquoted: false };
        let mut doubtful = DoubtfulQuotes::new(Inputs { settings, sets: false }, dialect);
        let num_columns = table.lines().next().unwrap().split(char::from(delimiter)).count();
        for (line, row) in table.split_inclusive('\n').enumerate().skip(1) {
            doubtful.look(line as u64, row.as_bytes(), num_columns);
        }
        doubtful.first()
    }

    #[test]
    fn a_field_that_a_later_row_closes_is_in_doubt() {
        let settings = InputSettings::default();
        for (table, expected) in [
            ("id\ttext\n1\t\"a\n2\tb\n3\tc\"\n", Some(2)),
            ("id\ttext\n1\t\"a\" b\n2\t\"a \"\"b\n3\tc\"\n", Some(3)),
            ("text\n\"a\nb\nc\"\n", Some(2)),
            ("a\tb\tc\n1\t\"x\ty\n2\tz\"\t3\n", Some(2)),
            ("a\tb\tc\n1\t\"x\tu\ty\n2\tz\"\t3\n", Some(2)),
            // Together they have two fields of three.
            ("a\tb\tc\n1\t\"x\ty\n2\tz\t3\"\n", None),
            // The field would end within a word.
            ("id\ttext\n1\t\"a\n2\tthe \"b\" here\n3\tc\"\n", None),
            ("id\ttext\n1\t\"a\n2\t\"b\"\n", None),
            ("id\ttext\n1\t\"a\n2\tb\n", None),
            ("id\ttext\n1\t\"a\"\n2\t\"b\"\n", None),
        ] {
            assert_eq!(doubt(b'\t', &settings, table), expected, "{table}");
        }
        for (table, expected) in [
            ("id,text\n1, \"a\n2,b\n3,c\"\n", Some(2)),
            ("id,text\n1,'a\n2,b\n3,c'\n", Some(2)),
            ("id,text\n1,'it ''s, a\n2,b\n3,c'\n", Some(2)),
            ("id,text\n1,\"a \\\"\n2,b\n3,c \\\" d\"\n", Some(2)),
            ("id,text\n1,'twas\n2,don't\n3,the boys'\n", None),
            ("id,text\n1,\"C:\\\"\n2,\"D:\\\"\n", None),
            ("text\na\\\nb\n", Some(2)),
            ("text\na\\\\\nb\n", None),
            ("text\na\nb\\\n", None),
        ] {
            assert_eq!(doubt(b',', &settings, table), expected, "{table}");
        }
    }

    #[test]
    fn a_flag_leaves_no_doubt() {
        let table = "id\ttext\n1\t\"a\n2\tb\n3\tc\"\n";
        for settings in [
            InputSettings { quoting: Quoting::Off, ..InputSettings::default() },
            InputSettings { quoting: Quoting::On, ..InputSettings::default() },
            InputSettings { csv_escape: Some(b'\\'), ..InputSettings::default() },
        ] {
            assert_eq!(doubt(b'\t', &settings, table), None);
        }
    }
}
