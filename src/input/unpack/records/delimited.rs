//! CSV and TSV: a stream with a header in, its rows as documents out. A row is named by its id or by its first line.

use std::borrow::Cow;
use std::io::Read;

use crate::input::decode::BINARY_PREFIX;
use crate::input::faults::too_large;
use crate::input::foreign::{Panicked, contain};
use crate::input::marks::UTF8_MARK;
use crate::input::paths::path_of;
use crate::input::spool::check_start;
use crate::input::stream::Peeked;
use crate::input::unpack::content::Content;
use crate::input::unpack::outlet::Outlet;
use crate::input::unpack::records::fields::{Fields, listed};
use crate::input::unpack::records::rows::{RowFault, Rows};
use crate::problem::{Problem, Reason};
use crate::shown::{counted, size};

/// How far the end of a row is looked for at least.
const LEAST_WINDOW: u64 = 16 << 20;

/// Reads rows and hands them over. What ends early is kept up to its last whole row.
pub(in crate::input) fn read(out: &mut Outlet, content: Content, bytes: &mut dyn Read, delimiter: u8) {
    let limit = out.inputs().unpacked_bytes();
    let mut bytes = Peeked::new(bytes, BINARY_PREFIX);
    if let Err(problem) = check_start(path_of(content.name), &bytes.start) {
        return out.problem(problem);
    }
    if bytes.start.starts_with(UTF8_MARK) {
        bytes.skip(UTF8_MARK.len());
    }
    let quoting = !out.inputs().no_quoting;
    let mut rows = Rows::new(bytes, delimiter, quoting, window(limit));
    let mut fields = Splitter::new(delimiter, quoting);

    let wanted = Fields::new(out.inputs());
    let (columns, line) = loop {
        let row = match rows.next() {
            Ok(None) => return,
            Ok(Some(row)) => row,
            Err(error) => return out.damaged(content, &error, "skipped"),
        };
        let columns = match row.bytes {
            Err(fault) => Err(format!("the header: {}", detail(fault, limit).1)),
            Ok(bytes) => match fields.split(bytes) {
                Ok(false) => continue,
                Ok(true) => TableColumns::find(&fields, &wanted, delimiter),
                Err(panicked) => Err(format!("the header: {panicked}; skipped")),
            },
        };
        match columns {
            Ok(columns) => break (columns, row.line + 1),
            Err(detail) => {
                let place = format!("{}:{}", content.place(), row.line + 1);
                return out.problem(Problem::error(place, Reason::Malformed, detail));
            }
        }
    };
    if let Some(detail) = wanted.note_missing(fields.names()) {
        out.problem(Problem::note(format!("{}:{line}", content.place()), Reason::MissingField, detail));
    }
    let source = out.add_source(content);
    out.rows_of(Some(source));
    while out.is_open() {
        let row = match rows.next() {
            Ok(None) => return,
            Ok(Some(row)) => row,
            Err(error) => return out.damaged(content, &error, "the rows before that are compared"),
        };
        let bytes = match row.bytes {
            Ok(bytes) => bytes,
            Err(fault) => {
                let (reason, detail) = detail(fault, limit);
                out.row_problem(row.line, reason, detail);
                continue;
            }
        };
        if bytes.len() as u64 > limit {
            out.row_problem(row.line, Reason::TooLarge, too_large(limit));
            continue;
        }
        match fields.split(bytes) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(panicked) => {
                out.row_problem(row.line, Reason::Malformed, format!("malformed row: {panicked}; skipped"));
                continue;
            }
        }
        if fields.len() != columns.num_columns {
            let (found, expected) = (counted(fields.len() as u64, "field"), columns.num_columns);
            let detail = format!("malformed row: {found} where the header has {expected}; skipped");
            out.row_problem(row.line, Reason::Malformed, detail);
        } else {
            let value =
                |column: Option<usize>| column.map(|column| fields.get(column)).filter(|value| !value.is_empty());
            let texts = columns.texts.iter().map(|&column| fields.get(column));
            out.row(row.line, value(columns.id), value(columns.group), texts, bytes.len() as u64, false);
        }
    }
}

/// Most bytes of a row that are looked at, when documents have at most `limit`.
pub(in crate::input) fn window(limit: u64) -> usize {
    usize::try_from(limit.max(LEAST_WINDOW)).unwrap_or(usize::MAX)
}

fn detail(fault: RowFault, limit: u64) -> (Reason, String) {
    const TAKE: &str = "skipped (--no-quoting takes quotation marks as they are)";
    match fault {
        RowFault::Unclosed => (Reason::Malformed, format!("a quotation mark is opened and never closed; {TAKE}")),
        RowFault::UnclosedWithin(bytes) => (
            Reason::Malformed,
            format!("a quotation mark is opened and not closed within {}; {TAKE}", size(bytes as u64)),
        ),
        RowFault::Trailing => (Reason::Malformed, format!("there is text behind a closing quotation mark; {TAKE}")),
        RowFault::TooLong => (Reason::TooLarge, too_large(limit)),
    }
}

/// Splits rows into their fields.
struct Splitter {
    parser: csv_core::Reader,
    fields: Vec<u8>,
    ends: Vec<usize>,
    num_fields: usize,
}

impl Splitter {
    fn new(delimiter: u8, quoting: bool) -> Self {
        // So that a carriage return is one like any other inside of a row.
        let terminator = csv_core::Terminator::Any(b'\n');
        let parser =
            csv_core::ReaderBuilder::new().delimiter(delimiter).quoting(quoting).terminator(terminator).build();
        Self { parser, fields: Vec::new(), ends: Vec::new(), num_fields: 0 }
    }

    /// Splits a row, which may have a line end. Returns whether there is anything on it.
    fn split(&mut self, row: &[u8]) -> Result<bool, Panicked> {
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        if row.is_empty() {
            return Ok(false);
        }
        // No field grows by losing its quotation marks; the parser does nothing without room for one byte more.
        if self.fields.len() <= row.len() {
            self.fields.resize(row.len() + 1, 0);
        }
        self.num_fields = contain(|| self.parse(row))?;
        Ok(self.num_fields > 1 || self.ends[0] > 0)
    }

    /// Parses a row without its line end; the number of its fields.
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

    fn len(&self) -> usize {
        self.num_fields
    }

    fn get(&self, field: usize) -> &[u8] {
        let start = if field > 0 { self.ends[field - 1] } else { 0 };
        &self.fields[start..self.ends[field]]
    }

    /// The names in a header.
    fn names(&self) -> impl Iterator<Item = Cow<'_, str>> + Clone {
        (0..self.num_fields).map(|field| String::from_utf8_lossy(self.get(field)))
    }
}

/// Where the wanted fields stand.
struct TableColumns {
    num_columns: usize,
    id: Option<usize>,
    group: Option<usize>,
    texts: Vec<usize>,
}

impl TableColumns {
    fn find(header: &Splitter, fields: &Fields, delimiter: u8) -> Result<Self, String> {
        let column = |name: &str| {
            let mut columns = (0..header.len()).filter(|&column| header.get(column) == name.as_bytes());
            match (columns.next(), columns.next()) {
                (Some(_), Some(_)) => Err(format!("the header has more than one column `{name}`; rename all but one")),
                (column, _) => Ok(column),
            }
        };
        let texts = fields.texts.iter().filter_map(|name| column(name).transpose()).collect::<Result<Vec<_>, _>>()?;
        if texts.is_empty() {
            let hint = other_delimiter(header, delimiter).map(|other| format!("; --delimiter '{other}'?"));
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
}

/// What a header of one field may have been meant to be split at.
fn other_delimiter(header: &Splitter, delimiter: u8) -> Option<&'static str> {
    let mut others = [(b';', ";"), (b'\t', r"\t"), (b'|', "|"), (b',', ",")].into_iter();
    let found = others.find(|(other, _)| *other != delimiter && header.get(0).contains(other));
    found.filter(|_| header.len() == 1).map(|(_, shown)| shown)
}
