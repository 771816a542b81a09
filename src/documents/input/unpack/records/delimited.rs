//! CSV and TSV: reads a stream with a header and passes on its rows as documents. A row is named by its id or by its
//! first line.

use std::io::Read;
use std::path::Path;

use super::dialect::Dialect;
use super::doubtful_quotes::DoubtfulQuotes;
use super::fields::{Fields, NULL_TEXT, listed};
use super::first_rows::{SAMPLE, delimiter_of, dialect_of};
use super::rows::{DelimitedRow, RowFault, Rows};
use super::splitter::Splitter;
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::base::shown::{counted, size};
use crate::documents::input::bytes::decode::BINARY_PREFIX;
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::messages::too_large;
use crate::documents::input::paths::{path_of, unusable};
use crate::documents::input::settings::{Inputs, Quoting};
use crate::documents::input::streams::spool::check_start;
use crate::documents::input::streams::stream::Peeked;
use crate::documents::input::unpack::batch_writer::BatchWriter;
use crate::documents::input::unpack::content::Content;

/// The default text field.
const DEFAULT_TEXT: &str = "text";
/// Minimum number of bytes in which the end of a row is searched for.
const LEAST_WINDOW: u64 = 16 << 20;

/// The rows of a table without its byte order mark, and their splitter.
///
/// * `name`: the place of the problem when the stream is not a table.
pub(super) fn rows_of<R: Read>(
    inputs: Inputs,
    name: &Path,
    stream: R,
    delimiter: u8,
) -> Result<(Rows<Peeked<R>>, Splitter), Problem> {
    let mut stream = Peeked::new(stream, SAMPLE);
    check_start(name, &stream.start[..stream.start.len().min(BINARY_PREFIX)])?;
    let (delimiter, has_line) = delimiter_of(delimiter, &stream.start);
    let dialect = dialect_of(inputs, delimiter, &stream.start);
    if stream.start.starts_with(UTF8_MARK) {
        stream.skip(UTF8_MARK.len());
    }
    let mut rows = Rows::new(stream, dialect, window(inputs.unpacked_bytes()));
    if has_line {
        rows.skip_first_line().map_err(|error| unusable(name, &error))?;
    }
    Ok((rows, Splitter::new(dialect)))
}

/// Reads rows and passes them on. A truncated stream is read up to its last whole row.
pub(in crate::documents::input) fn read(out: &mut BatchWriter, content: Content, bytes: &mut dyn Read, delimiter: u8) {
    let (mut rows, fields) = match rows_of(out.inputs(), path_of(content.name), bytes, delimiter) {
        Ok(table) => table,
        Err(problem) => return out.problem(problem),
    };
    let Some((mut table, first)) = DelimitedTable::begin(out, content, &mut rows, fields) else { return };
    let source = out.add_source(content);
    out.rows_of(Some(source));
    if let Some((line, num_bytes)) = first
        && out.is_open()
    {
        table.columns.add_row(out, &table.fields, line, num_bytes);
    }
    while out.is_open() {
        match rows.next() {
            Ok(None) => return table.report(out, content),
            Ok(Some(row)) => table.add(out, row),
            Err(error) => return out.damaged(content, &error, "the rows before that are compared"),
        }
    }
}

/// A table whose columns are known.
struct DelimitedTable {
    columns: TableColumns,
    has_header: bool,
    delimiter: u8,
    /// Maximum number of bytes of a row.
    limit: u64,
    /// The fields of the last row that was split.
    fields: Splitter,
    swallowed: SwallowedRows,
    doubtful: DoubtfulQuotes,
}

impl DelimitedTable {
    /// Reads the header, or the first row of a table without one. Returns `None` if the table has no row, or if it cannot be
    /// read, which is reported.
    ///
    /// The line and the number of bytes of a first row that is a document are returned, too; its fields are split already.
    fn begin<R: Read>(
        out: &mut BatchWriter,
        content: Content,
        rows: &mut Rows<R>,
        mut fields: Splitter,
    ) -> Option<(Self, Option<(u64, u64)>)> {
        let (wanted, has_header) = (Fields::new(out.inputs()), !out.inputs().no_header);
        let (limit, delimiter) = (out.inputs().unpacked_bytes(), fields.dialect().delimiter);
        let (columns, line, first) = loop {
            let row = match rows.next() {
                Ok(None) => return None,
                Ok(Some(row)) => row,
                Err(error) => {
                    out.damaged(content, &error, "skipped");
                    return None;
                }
            };
            let columns = match row.bytes {
                Err(fault) => Err(format!("the header: {}", detail(fault, limit).1)),
                Ok(bytes) => match fields.split(bytes) {
                    Ok(false) => continue,
                    Ok(true) if has_header => {
                        TableColumns::find(&fields, &wanted, delimiter).map(|columns| (columns, None))
                    }
                    Ok(true) => TableColumns::numbered(fields.len(), &wanted)
                        .map(|columns| (columns, Some((row.line, bytes.len() as u64)))),
                    Err(panicked) => Err(format!("the header: {panicked}; skipped")),
                },
            };
            match columns {
                Ok((columns, first)) => break (columns, row.line + 1, first),
                Err(detail) => {
                    let place = format!("{}:{}", content.place(), row.line + 1);
                    out.problem(Problem::error(place, Reason::Malformed, detail));
                    return None;
                }
            }
        };
        let missing = wanted.note_missing(format!("{}:{line}", content.place()), fields.names());
        if let Some(problem) = missing.filter(|_| has_header) {
            out.problem(problem);
        }
        let doubtful = DoubtfulQuotes::new(out.inputs(), fields.dialect());
        let swallowed = SwallowedRows::default();
        Some((Self { columns, has_header, delimiter, limit, fields, swallowed, doubtful }, first))
    }

    /// Passes on a row as a document, or reports why it is not a document.
    fn add(&mut self, out: &mut BatchWriter, row: DelimitedRow<'_>) {
        let (line, num_columns) = (row.line, self.columns.num_columns);
        let bytes = match row.bytes {
            Ok(bytes) if bytes.len() as u64 > self.limit => {
                return out.row_problem(line, Reason::TooLarge, too_large(self.limit));
            }
            Ok(bytes) => bytes,
            Err(fault) => {
                let (reason, detail) = detail(fault, self.limit);
                return out.row_problem(line, reason, detail);
            }
        };
        self.doubtful.look(line, bytes, num_columns);
        match self.fields.split(bytes) {
            Ok(true) => {}
            Ok(false) => return,
            Err(panicked) => {
                return out.row_problem(line, Reason::Malformed, format!("malformed row: {panicked}; skipped"));
            }
        }
        if self.fields.len() != num_columns {
            let found = counted(self.fields.len() as u64, "field");
            let header = if self.has_header { "header" } else { "first row" };
            let detail = format!("malformed row: {found} where the {header} has {num_columns}; skipped");
            return out.row_problem(line, Reason::Malformed, detail);
        }
        if SwallowedRows::are_possible(out.inputs(), self.fields.dialect()) {
            self.swallowed.look(line, bytes, self.delimiter, num_columns);
        }
        self.columns.add_row(out, &self.fields, line, bytes.len() as u64);
    }

    /// Reports rows that may not be what their writer meant, after the last row.
    fn report(&self, out: &mut BatchWriter, content: Content) {
        self.swallowed.report(out, content);
        report_doubt(&self.doubtful, out, content);
    }
}

/// Maximum bytes of a row that are searched for its end, when documents have at most `limit` bytes.
pub(in crate::documents::input) fn window(limit: u64) -> usize {
    usize::try_from(limit.max(LEAST_WINDOW)).unwrap_or(usize::MAX)
}

fn detail(fault: RowFault, limit: u64) -> (Reason, String) {
    let (escape, off) = (Setting::CsvEscape, Setting::QuotingOff);
    let take = format!(
        "skipped ({escape} '\\' reads \\\" as a quotation mark in a field, {off} reads quotation marks as ordinary characters)"
    );
    match fault {
        RowFault::Unclosed => (Reason::Malformed, format!("a quotation mark is opened and never closed; {take}")),
        RowFault::UnclosedWithin(bytes) => (
            Reason::Malformed,
            format!("a quotation mark is opened and not closed within {}; {take}", size(bytes as u64)),
        ),
        RowFault::Trailing => (Reason::Malformed, format!("there is text after a closing quotation mark; {take}")),
        RowFault::TooLong => (Reason::TooLarge, too_large(limit)),
    }
}

/// Counts rows with a quoted field over several lines that each look like a row. A single quotation mark may have
/// swallowed those lines.
#[derive(Default)]
pub(in crate::documents::input) struct SwallowedRows {
    /// The number of such rows. `first` is the line of the first one.
    num_rows: u64,
    first: u64,
}

impl SwallowedRows {
    /// Whether quotation marks enclose fields, and no flag says so.
    pub(in crate::documents::input) fn are_possible(inputs: Inputs, dialect: Dialect) -> bool {
        dialect.quoting && inputs.quoting != Quoting::On
    }

    /// Examines a row with as many fields as the header.
    pub(in crate::documents::input) fn look(&mut self, line: u64, row: &[u8], delimiter: u8, num_columns: usize) {
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        if num_columns < 2 || memchr::memchr(b'\n', row).is_none() {
            return;
        }
        let first_field = |line: &'_ [u8]| line.split(|&byte| byte == delimiter).next().unwrap_or_default().to_vec();
        // An id, or a date.
        let is_number = |field: &[u8]| {
            field.iter().any(u8::is_ascii_digit)
                && !field.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'"')
        };
        let are_numbered = is_number(&first_field(row));
        let mut num_lines = 0;
        let are_rows = row.split(|&byte| byte == b'\n').all(|line| {
            num_lines += 1;
            let num_fields = memchr::memchr_iter(delimiter, line).count() + 1;
            // The text that begins with the quotation mark may have delimiters.
            (num_fields == num_columns || num_lines == 1 && num_fields > num_columns)
                && (!are_numbered || is_number(&first_field(line)))
        });
        // Two lines of prose may well have a comma each.
        if are_rows && (are_numbered || num_lines > 2) {
            if self.num_rows == 0 {
                self.first = line;
            }
            self.num_rows += 1;
        }
    }

    /// The line of the first such row, from 1.
    pub(in crate::documents::input) fn first(&self) -> Option<u64> {
        (self.num_rows > 0).then_some(self.first + 1)
    }

    fn report(&self, out: &mut BatchWriter, content: Content) {
        if let Some(first) = self.first() {
            let rows = counted(self.num_rows, "row");
            let (on, off) = (Setting::QuotingOn, Setting::QuotingOff);
            let detail = format!(
                "{rows} with a quoted field of several lines, each with as many fields as the header; if that \
                 quotation mark is an ordinary character, use {off}, otherwise {on}"
            );
            let place = format!("{}:{}", content.place(), first);
            out.problem(Problem::note(place, Reason::SwallowedRows, detail));
        }
    }
}

/// Reports rows that may be parts of one record.
fn report_doubt(doubtful: &DoubtfulQuotes, out: &mut BatchWriter, content: Content) {
    if let Some(first) = doubtful.first() {
        let (on, off, escape) = (Setting::QuotingOn, Setting::QuotingOff, Setting::CsvEscape);
        let detail = format!(
            "the record may end in a later row; say how quotation marks are written: {on} if they enclose fields, {off} if \
             they are ordinary characters, {escape} '\\' if it is written before them"
        );
        let place = format!("{}:{first}", content.place());
        out.problem(Problem::note(place, Reason::SwallowedRows, detail));
    }
}

/// The column numbers of the requested fields.
pub(super) struct TableColumns {
    pub(super) num_columns: usize,
    id: Option<usize>,
    group: Option<usize>,
    pub(super) texts: Vec<usize>,
}

impl TableColumns {
    /// Finds the columns in a header.
    ///
    /// # Errors
    /// When a requested column occurs twice, or none of the text exists.
    pub(super) fn find(header: &Splitter, fields: &Fields, delimiter: u8) -> Result<Self, String> {
        let column = |name: &str| {
            let mut columns = (0..header.len()).filter(|&column| header.get(column) == name.as_bytes());
            match (columns.next(), columns.next()) {
                (Some(_), Some(_)) => Err(format!("the header has more than one column `{name}`; rename all but one")),
                (column, _) => Ok(column),
            }
        };
        let texts = fields.texts.iter().filter_map(|name| column(name).transpose()).collect::<Result<Vec<_>, _>>()?;
        if texts.is_empty() {
            let hint = other_delimiter(header, delimiter).map(|other| format!("; {} '{other}'?", Setting::Delimiter));
            let hint = hint.or_else(|| has_number(header).then(|| format!("; {}?", Setting::NoHeader)));
            return Err(format!(
                "{} (there are: {}){}",
                fields.missing("the header"),
                listed(header.names()),
                hint.unwrap_or_default()
            ));
        }
        let group = fields.group.as_deref().map_or(Ok(None), column)?;
        Ok(Self { num_columns: header.len(), id: column(&fields.id)?, group, texts })
    }

    /// The columns of a table without a header, in which a field's name is its number.
    ///
    /// # Errors
    /// When a requested field is not a number, or the table has no such field.
    fn numbered(num_columns: usize, fields: &Fields) -> Result<Self, String> {
        let there_are = || format!("the table has {}", counted(num_columns as u64, "field"));
        let column = |name: &str, setting: Setting| {
            let number = name.parse::<usize>().ok().filter(|number| (1..=num_columns).contains(number));
            let fault = || {
                format!("{setting} {name}: {}; without a header the names of fields are numbers from 1", there_are())
            };
            number.map(|number| number - 1).ok_or_else(fault)
        };
        let texts = match fields.texts.as_slice() {
            [name] if name == DEFAULT_TEXT && num_columns == 1 => vec![0],
            [name] if name == DEFAULT_TEXT => {
                let setting = Setting::TextFields;
                return Err(format!("{}; give the number of the text's field, as in {setting} 2", there_are()));
            }
            names => names.iter().map(|name| column(name, Setting::TextFields)).collect::<Result<_, _>>()?,
        };
        let id = if fields.id_is_given { Some(column(&fields.id, Setting::IdField)?) } else { None };
        let group = fields.group.as_deref().map(|name| column(name, fields.group_setting)).transpose()?;
        Ok(Self { num_columns, id, group, texts })
    }

    /// Passes on a row that has all columns.
    ///
    /// * `line`: the line of the row, from 0.
    fn add_row(&self, out: &mut BatchWriter, fields: &Splitter, line: u64, num_bytes: u64) {
        if self.texts.iter().all(|&column| fields.is_null(column)) {
            return out.row_problem(line, Reason::NoText, NULL_TEXT.into());
        }
        let value = |column: Option<usize>| column.map(|column| fields.get(column)).filter(|value| !value.is_empty());
        let texts = self.texts.iter().filter(|&&column| !fields.is_null(column));
        let texts = texts.map(|&column| fields.get(column));
        out.row(line, value(self.id), value(self.group), texts, num_bytes, false);
    }

    /// A table whose columns are all texts.
    #[cfg(test)]
    pub(super) fn of_all(num_columns: usize) -> Self {
        Self { num_columns, id: None, group: None, texts: (0..num_columns).collect() }
    }
}

/// Whether a field of a header is a number, so that the first row probably is a row of data.
fn has_number(header: &Splitter) -> bool {
    let is_number = |field: &[u8]| {
        let field = std::str::from_utf8(field).unwrap_or_default().trim();
        field.starts_with(|first: char| first.is_ascii_digit()) && field.parse::<f64>().is_ok()
    };
    (0..header.len()).any(|column| is_number(header.get(column)))
}

/// Another delimiter that occurs in a header of one field, and may have been meant.
fn other_delimiter(header: &Splitter, delimiter: u8) -> Option<&'static str> {
    let mut others = [(b';', ";"), (b'\t', r"\t"), (b'|', "|"), (b',', ",")].into_iter();
    let found = others.find(|(other, _)| *other != delimiter && header.get(0).contains(other));
    found.filter(|_| header.len() == 1).map(|(_, shown)| shown)
}
