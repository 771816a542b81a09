//! Rows: cuts a stream of delimited values into rows, before any field is parsed.
//!
//! Quotation marks decide where a row ends (RFC 4180). A missing quotation mark reverses the meaning of everything
//! after it. So a row that cannot be right costs only its first line, and reading continues at the next line. No byte
//! is read more than twice: outside of quotation marks, the text that a wrong row swallowed does not contain another
//! row that stays open as long.

use std::io::{self, Read};

use super::dialect::Dialect;

/// Bytes read at a time.
const CHUNK: usize = 256 << 10;

/// Cuts a stream into rows.
pub(in crate::documents::input) struct Rows<R> {
    input: R,
    buffer: Vec<u8>,
    /// The start of the next row in the buffer. `line` is the row's line, counted from 0.
    start: usize,
    line: u64,
    /// Bytes of the stream before the buffer.
    before: u64,
    is_over: bool,
    dialect: Dialect,
    /// Maximum bytes of a row.
    window: usize,
}

/// A row, or the reason why its bytes are not a row.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::documents::input) struct DelimitedRow<'a> {
    /// The line on which the row begins, counted from 0.
    pub(in crate::documents::input) line: u64,
    /// The bytes of the row, including its line end.
    pub(in crate::documents::input) bytes: Result<&'a [u8], RowFault>,
}

/// The reason why bytes are not a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::documents::input) enum RowFault {
    /// A quotation mark that is not closed before the end of the stream.
    Unclosed,
    /// A quotation mark that is not closed within this number of bytes.
    UnclosedWithin(usize),
    /// Text between a closing quotation mark and the next delimiter.
    Trailing,
    /// The row has too many bytes.
    TooLong,
}

/// The progress within a row.
#[derive(Debug, Clone, Copy)]
struct RowScan {
    at: usize,
    state: RowState,
}

#[derive(Debug, Clone, Copy)]
enum RowState {
    FieldStart,
    Plain,
    Quoted,
    /// After a quotation mark that closes the field, unless another follows.
    Closed,
}

enum RowStep {
    /// The row has this many bytes.
    Row(usize),
    Trailing,
    More,
}

impl<R: Read> Rows<R> {
    /// * `window`: maximum bytes of a row.
    pub(in crate::documents::input) fn new(input: R, dialect: Dialect, window: usize) -> Self {
        Self { input, buffer: Vec::new(), start: 0, line: 0, before: 0, is_over: false, dialect, window }
    }

    /// Skips the first line, which is not a row but counts as a line.
    ///
    /// # Errors
    /// When the stream cannot be read.
    pub(in crate::documents::input) fn skip_first_line(&mut self) -> io::Result<()> {
        self.skip_line(0)
    }

    /// Bytes of the stream before the next row.
    pub(in crate::documents::input) fn position(&self) -> u64 {
        self.before + self.start as u64
    }

    /// The next row; `None` at the end. Blank lines are rows.
    pub(in crate::documents::input) fn next(&mut self) -> io::Result<Option<DelimitedRow<'_>>> {
        let mut scan = RowScan { at: 0, state: RowState::FieldStart };
        let line = self.line;
        let fault = loop {
            let row = &self.buffer[self.start..];
            let is_cut = row.len() > self.window;
            let row = &row[..row.len().min(self.window)];
            match scan.step(row, self.dialect) {
                RowStep::Row(len) => return Ok(Some(self.take(len))),
                RowStep::Trailing => break RowFault::Trailing,
                RowStep::More if is_cut && matches!(scan.state, RowState::Quoted) => {
                    break RowFault::UnclosedWithin(self.window);
                }
                RowStep::More if is_cut => break RowFault::TooLong,
                RowStep::More if !self.is_over => self.fill()?,
                RowStep::More if row.is_empty() => return Ok(None),
                RowStep::More if matches!(scan.state, RowState::Quoted) => break RowFault::Unclosed,
                RowStep::More => {
                    let len = row.len();
                    return Ok(Some(self.take(len)));
                }
            }
        };
        // A row that is too long ends somewhere after the window; any other faulty row costs its first line.
        self.skip_line(if fault == RowFault::TooLong { self.window } else { 0 })?;
        Ok(Some(DelimitedRow { line, bytes: Err(fault) }))
    }

    fn take(&mut self, len: usize) -> DelimitedRow<'_> {
        let (start, line) = (self.start, self.line);
        self.start += len;
        let bytes = &self.buffer[start..self.start];
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        DelimitedRow { line, bytes: Ok(bytes) }
    }

    /// Skips to the start of the line after the one that contains the byte `from` bytes ahead.
    fn skip_line(&mut self, from: usize) -> io::Result<()> {
        let mut from = self.start + from;
        loop {
            let newline = memchr::memchr(b'\n', &self.buffer[from..]);
            let end = newline.map_or(self.buffer.len(), |len| from + len + 1);
            self.line += memchr::memchr_iter(b'\n', &self.buffer[self.start..end]).count() as u64;
            self.start = end;
            if newline.is_some() || self.is_over {
                return Ok(());
            }
            self.fill()?;
            from = self.start;
        }
    }

    /// Reads more bytes and drops the bytes of earlier rows.
    fn fill(&mut self) -> io::Result<()> {
        self.before += self.start as u64;
        self.buffer.drain(..std::mem::take(&mut self.start));
        let before = self.buffer.len();
        self.buffer.resize(before + CHUNK, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(before + *read.as_ref().unwrap_or(&0));
        self.is_over = read? == 0;
        Ok(())
    }
}

impl RowScan {
    /// Continues in `row`, which may be incomplete.
    fn step(&mut self, row: &[u8], dialect: Dialect) -> RowStep {
        let Dialect { delimiter, quoting, escape, escapes_unquoted } = dialect;
        let unquoted_escape = escape.filter(|_| escapes_unquoted);
        loop {
            let rest = &row[self.at..];
            match (self.state, rest) {
                (RowState::FieldStart | RowState::Closed, []) => return RowStep::More,
                (RowState::FieldStart, [b'"', ..]) if quoting => self.go(1, RowState::Quoted),
                (RowState::FieldStart, _) => self.state = RowState::Plain,
                (RowState::Plain, _) => {
                    // Without quotation marks, delimiters do not affect where a row ends.
                    let end = match unquoted_escape {
                        Some(escape) if quoting => memchr::memchr3(delimiter, escape, b'\n', rest),
                        Some(escape) => memchr::memchr2(escape, b'\n', rest),
                        None if quoting => memchr::memchr2(delimiter, b'\n', rest),
                        None => memchr::memchr(b'\n', rest),
                    };
                    match end {
                        Some(end) if Some(rest[end]) == unquoted_escape => {
                            if !self.pass_escaped(rest, end) {
                                return RowStep::More;
                            }
                        }
                        None => {
                            self.at = row.len();
                            return RowStep::More;
                        }
                        Some(end) if rest[end] == b'\n' => return RowStep::Row(self.at + end + 1),
                        Some(end) => self.go(end + 1, RowState::FieldStart),
                    }
                }
                (RowState::Quoted, _) => match memchr::memchr2(b'"', escape.unwrap_or(b'"'), rest) {
                    Some(end) if rest[end] != b'"' => {
                        if !self.pass_escaped(rest, end) {
                            return RowStep::More;
                        }
                    }
                    Some(end) => self.go(end + 1, RowState::Closed),
                    None => {
                        self.at = row.len();
                        return RowStep::More;
                    }
                },
                (RowState::Closed, [b'"', ..]) => self.go(1, RowState::Quoted),
                (RowState::Closed, [b'\n', ..]) => return RowStep::Row(self.at + 1),
                (RowState::Closed, [b'\r', b'\n', ..]) => return RowStep::Row(self.at + 2),
                (RowState::Closed, [b'\r']) => return RowStep::More,
                (RowState::Closed, [byte, ..]) if *byte == delimiter => self.go(1, RowState::FieldStart),
                (RowState::Closed, _) => return RowStep::Trailing,
            }
        }
    }

    /// Skips the escape character at `escape` and the character that it applies to, which may be a line end of two
    /// bytes. Returns `false` when that character was not read yet.
    fn pass_escaped(&mut self, rest: &[u8], escape: usize) -> bool {
        let len = match rest[escape + 1..] {
            [] | [b'\r'] => {
                self.at += escape;
                return false;
            }
            [b'\r', b'\n', ..] => 3,
            _ => 2,
        };
        self.at += escape + len;
        true
    }

    fn go(&mut self, by: usize, state: RowState) {
        (self.at, self.state) = (self.at + by, state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Cut = Vec<(u64, Result<String, RowFault>)>;

    /// The rows of `input`, read `drop` bytes at a time.
    fn cut(input: &str, drop: usize, window: usize, quoting: bool) -> Cut {
        struct Drops<'a>(&'a [u8], usize);
        impl Read for Drops<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let (now, rest) = self.0.split_at(self.1.min(self.0.len()));
                buffer[..now.len()].copy_from_slice(now);
                self.0 = rest;
                Ok(now.len())
            }
        }
        let mut rows = Rows::new(
            Drops(input.as_bytes(), drop),
            Dialect { delimiter: b',', quoting, escape: None, escapes_unquoted: false },
            window,
        );
        let mut cut = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            cut.push((row.line, row.bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())));
        }
        cut
    }

    /// Finds the rows that [`cut`] finds by a slow algorithm that has the whole text in memory.
    fn cut_slowly(input: &str, window: usize) -> Cut {
        let (mut cut, mut start) = (Vec::new(), 0);
        let line_of = |at: usize| input[..at].matches('\n').count() as u64;
        let next_line = |at: usize| input[at..].find('\n').map_or(input.len(), |len| at + len + 1);
        while start < input.len() {
            let (mut quoted, mut closed, mut field_start, mut end, mut fault) = (false, false, true, None, None);
            for (at, c) in input[start..].char_indices() {
                if at >= window {
                    fault = Some(if quoted { RowFault::UnclosedWithin(window) } else { RowFault::TooLong });
                    break;
                }
                let rest = &input[start + at + 1..];
                match c {
                    '"' if quoted => (quoted, closed) = (false, true),
                    '"' if closed => (quoted, closed) = (true, false),
                    _ if quoted => {}
                    '"' if field_start => (quoted, field_start) = (true, false),
                    '\n' => {
                        end = Some(start + at + 1);
                        break;
                    }
                    ',' => (closed, field_start) = (false, true),
                    // The window may end between the two, and the stream after the first.
                    '\r' if closed && (rest.starts_with('\n') || rest.is_empty() || at + 1 == window) => {}
                    _ if closed => {
                        fault = Some(RowFault::Trailing);
                        break;
                    }
                    _ => field_start = false,
                }
            }
            let fault = fault.or((quoted && end.is_none()).then_some(RowFault::Unclosed));
            let line = line_of(start);
            let (row, next) = match fault {
                None => {
                    let end = end.unwrap_or(input.len());
                    (Ok(input[start..end].to_owned()), end)
                }
                Some(fault) => (Err(fault), next_line(start + if fault == RowFault::TooLong { window } else { 0 })),
            };
            cut.push((line, row));
            start = next;
        }
        cut
    }

    proptest! {
        #[test]
        fn rows_are_cut_as_a_slow_reader_cuts_them(
            input in r#"([a,\n"]|""|\r\n|",|,"|\n"){0,40}"#,
            drop in 1usize..9,
            window in prop_oneof![Just(1usize << 20), 1usize..30],
        ) {
            prop_assert_eq!(cut(&input, drop, window, true), cut_slowly(&input, window));
            let lines: Vec<&str> = input.split_inclusive('\n').collect();
            let plain: Vec<String> = cut(&input, drop, 1 << 20, false).into_iter().map(|(_, row)| row.unwrap()).collect();
            prop_assert_eq!(plain, lines);
        }

        #[test]
        fn rows_that_are_right_are_those_of_the_parser(fields in prop::collection::vec(prop::collection::vec("[a,\n\r\" ]{0,6}", 2), 1..9)) {
            let quoted = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
            let rows: Vec<String> =
                fields.iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n").collect();
            let found: Vec<String> = cut(&rows.concat(), 3, 1 << 20, true).into_iter().map(|(_, row)| row.unwrap()).collect();
            prop_assert_eq!(found, rows);
        }
    }

    #[test]
    fn a_row_that_cannot_be_right_costs_a_line() {
        let row = |line, row: &str| (line, Ok(row.to_owned()));
        let found = cut("a,\"b\nc\n\"d\"e\n\"f\ng\"\n", 4, 99, true);
        // The first quotation mark is closed by the one before the d.
        let expected =
            [(0, Err(RowFault::Trailing)), row(1, "c\n"), (2, Err(RowFault::Trailing)), row(3, "\"f\ng\"\n")];
        assert_eq!(found, expected);
        assert_eq!(cut("\"a\nb\n", 4, 99, true), [(0, Err(RowFault::Unclosed)), row(1, "b\n")]);
        assert_eq!(cut("\"abcdef\nb\n", 4, 5, true), [(0, Err(RowFault::UnclosedWithin(5))), row(1, "b\n")]);
        assert_eq!(cut("abcdefghi\nb\n", 4, 5, true), [(0, Err(RowFault::TooLong)), row(1, "b\n")]);
    }
}
