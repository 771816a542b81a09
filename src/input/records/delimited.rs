//! CSV and TSV: rows under a header, each a document named by its id or by the line it begins on.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use super::super::decode::{BINARY_PREFIX, UTF8_MARK};
use super::super::path_of;
use super::super::spool::check_start;
use super::super::unpack::{Content, Unpacker, too_large};
use super::Fields;
use crate::error::{Problem, Reason};

/// Bytes the parser asks for at a time.
const BUFFER: usize = 256 << 10;
/// Columns of a header that a message names.
const SHOWN: usize = 12;

/// Reads rows and hands them over. What ends early is kept up to its last whole row.
pub(in crate::input) fn read(out: &mut Unpacker, content: Content, bytes: &mut dyn Read, delimiter: u8) {
    let limit = out.config().unpacked_bytes();
    let mut start = Vec::new();
    if let Err(error) = bytes.take(BINARY_PREFIX as u64).read_to_end(&mut start) {
        return out.damaged(content, &error, "skipped");
    }
    if let Err(problem) = check_start(path_of(content.name), &start) {
        return out.problem(problem);
    }
    let skipped = if start.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
    let progress = Rc::new(Progress::default());
    let input = Guarded { input: start[skipped..].chain(bytes), progress: Rc::clone(&progress), limit };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        // So that lines can be counted; what is left of `\r\n` is taken off below.
        .terminator(csv::Terminator::Any(b'\n'))
        .flexible(true)
        .has_headers(false)
        .buffer_capacity(BUFFER)
        .from_reader(input);

    let mut row = csv::ByteRecord::new();
    let columns = loop {
        match reader.read_byte_record(&mut row) {
            Ok(false) => return,
            Ok(true) => trim_line_end(&mut row),
            Err(error) => return out.damaged(content, &error, "skipped"),
        }
        if !is_blank(&row) {
            break Columns::find(&row, &Fields::new(out.config()));
        }
    };
    let columns = match columns {
        Ok(columns) => columns,
        Err(detail) => {
            let place = format!("{}:1", content.place());
            return out.problem(Problem::error(place, Reason::Malformed, detail));
        }
    };
    let source = out.add_source(content);
    out.rows_of(Some(source));
    while out.is_open() {
        progress.since_row.set(0);
        let begin = reader.position().clone();
        match reader.read_byte_record(&mut row) {
            Ok(false) => return,
            Ok(true) => {}
            Err(error) => {
                let line = begin.line() - 1;
                let detail = match error.into_kind() {
                    csv::ErrorKind::Io(error) if error.get_ref().is_some_and(|error| error.is::<NeverEnding>()) => {
                        let detail = format!("a row of more than {limit} bytes; a quotation mark may be missing");
                        out.row_problem(line, Reason::TooLarge, format!("{detail}; the rest is skipped"));
                        return;
                    }
                    csv::ErrorKind::Io(error) => error.to_string(),
                    other => format!("{other:?}"),
                };
                return out.damaged(content, &detail, "the rows before that are compared");
            }
        }
        // The lines read so far, without those inside the row and the one it ends, unless the file ends first. The parser
        // itself has the row begin before the blank lines in front of it.
        let inside = memchr::memchr_iter(b'\n', row.as_slice()).count() as u64;
        let line = (reader.position().line() - 1 - inside).saturating_sub(u64::from(!progress.is_over.get()));
        let num_bytes = reader.position().byte() - begin.byte();
        trim_line_end(&mut row);
        if is_blank(&row) {
            continue;
        }
        if row.len() != columns.num_columns {
            let (found, expected) = (row.len(), columns.num_columns);
            let detail = format!("malformed row: {found} fields where the header has {expected}; skipped");
            out.row_problem(line, Reason::Malformed, detail);
        } else if num_bytes > limit {
            out.row_problem(line, Reason::TooLarge, too_large(limit));
        } else {
            let value = |column: Option<usize>| column.map(|column| &row[column]).filter(|value| !value.is_empty());
            out.row(
                line,
                value(columns.id),
                value(columns.group),
                columns.texts.iter().map(|&column| &row[column]),
                num_bytes,
            );
        }
    }
}

fn is_blank(row: &csv::ByteRecord) -> bool {
    row.len() == 1 && row[0].is_empty()
}

/// Takes off what is left of a line end of two bytes.
fn trim_line_end(row: &mut csv::ByteRecord) {
    if row.as_slice().ends_with(b"\r") {
        let last = row.len() - 1;
        let trimmed: csv::ByteRecord = row
            .iter()
            .enumerate()
            .map(|(i, field)| if i == last { &field[..field.len() - 1] } else { field })
            .collect();
        *row = trimmed;
    }
}

/// Where the wanted fields stand.
struct Columns {
    num_columns: usize,
    id: Option<usize>,
    group: Option<usize>,
    texts: Vec<usize>,
}

impl Columns {
    fn find(header: &csv::ByteRecord, fields: &Fields) -> Result<Self, String> {
        let column = |name: &str| header.iter().position(|column| column == name.as_bytes());
        let texts: Vec<usize> = fields.texts.iter().filter_map(|name| column(name)).collect();
        if texts.is_empty() {
            let names: Vec<_> = header.iter().take(SHOWN).map(String::from_utf8_lossy).collect();
            let more = if header.len() > SHOWN { ", …" } else { "" };
            return Err(format!("{} (there are: {}{more})", fields.missing("the header"), names.join(", ")));
        }
        let group = fields.group.as_deref().and_then(column);
        Ok(Self { num_columns: header.len(), id: column(&fields.id), group, texts })
    }
}

/// How far the input has been read.
#[derive(Debug, Default)]
struct Progress {
    /// Bytes since the last row.
    since_row: Cell<u64>,
    /// The parser looks for the end only when a row is not whole.
    is_over: Cell<bool>,
}

/// Ends a row that does not end itself, as when a quotation mark is missing.
struct Guarded<R> {
    input: R,
    progress: Rc<Progress>,
    limit: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("a row without an end")]
struct NeverEnding;

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let since_row = &self.progress.since_row;
        if since_row.get() > self.limit {
            return Err(io::Error::other(NeverEnding));
        }
        let count = self.input.read(buffer)?;
        since_row.set(since_row.get() + count as u64);
        self.progress.is_over.set(count == 0);
        Ok(count)
    }
}
