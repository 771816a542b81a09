//! `AnswerTable`: the form of a file of answers that is a table, as a page of pairs saves it, and a spreadsheet again.
//!
//! The first line has the names of the columns, in any order and with others between them: `a`, `b` and `answer`, and often
//! `jaccard` and `note`. A spreadsheet may write a byte order mark, and semicolons or tabs between the cells. A line such as `sep=;`
//! before the first one says the character between the cells.

use csv::{ByteRecord, Reader, ReaderBuilder, Terminator, WriterBuilder};

use super::answer::{Answer, AnswerRecord};
use super::answer_encoding::MARK;
use crate::records::{Name, harmless_cell, push_json, text_of_cell};

/// The names of the columns.
const COLUMNS: [&str; 5] = ["a", "b", "answer", "note", "jaccard"];
const A: usize = 0;
const B: usize = 1;
const ANSWER: usize = 2;
const NOTE: usize = 3;
/// The number of columns, from the first, without which a table has no answers.
const REQUIRED: usize = 3;
/// The names of the answers.
const ANSWERS: [(&str, Answer); 4] =
    [("yes", Answer::Yes), ("no", Answer::No), ("skip", Answer::Skip), ("undone", Answer::Undone)];

/// The columns of a table of answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AnswerTable {
    delimiter: u8,
    /// The place of each column.
    columns: [Option<usize>; 5],
    num_columns: usize,
    /// The number of bytes before the names of the columns: the byte order mark, and the line with the delimiter.
    start: usize,
}

/// An answer in a table: the names of the pair, the answer and a remark.
pub(super) type TableAnswer = ([Vec<u8>; 2], Answer, Option<String>);

/// A row that is not an answer: its line, and what is wrong.
pub(super) type AnswerFault = (u64, String);

impl AnswerTable {
    /// The table that a text is; `None` if its first line is not the header of a table of answers.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let mut start = if text.starts_with(MARK) { MARK.len() } else { 0 };
        let first_line = |start: usize| text[start..].split_inclusive(|&byte| byte == b'\n').next();
        let mut delimiters = vec![b',', b';', b'\t'];
        let line = first_line(start)?;
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
        if let Some([delimiter @ (b'\t' | b'!'..=b'~')]) = bare.strip_prefix(b"sep=") {
            delimiters = vec![*delimiter];
            start += line.len();
        }
        let header = first_line(start)?.trim_ascii_end();
        delimiters.into_iter().find_map(|delimiter| {
            let names: Vec<&[u8]> = header.split(|&byte| byte == delimiter).map(unquoted).collect();
            let place = |column: &str| names.iter().position(|name| name.eq_ignore_ascii_case(column.as_bytes()));
            let columns = COLUMNS.map(place);
            let is_complete = columns[..REQUIRED].iter().all(Option::is_some);
            is_complete.then_some(Self { delimiter, columns, num_columns: names.len(), start })
        })
    }

    /// Passes on the answers of a table. Returns the length of the complete rows in bytes.
    ///
    /// # Errors
    /// The first row that is not an answer, other than an incomplete last one.
    pub(super) fn read(&self, text: &[u8], add: &mut dyn FnMut(TableAnswer)) -> Result<usize, AnswerFault> {
        let mut rows = ReaderBuilder::new().delimiter(self.delimiter).flexible(true).from_reader(&text[self.start..]);
        let mut row = ByteRecord::new();
        if let Err(error) = rows.byte_headers() {
            return Err((1, error.to_string()));
        }
        loop {
            let before = self.place(&rows);
            let read = rows.read_byte_record(&mut row).map_err(|error| error.to_string());
            let answer = match read.and_then(|is_row| is_row.then(|| self.answer(&row)).transpose()) {
                Ok(None) => return Ok(text.len()),
                Ok(Some(answer)) => Ok(answer),
                Err(what) => Err(what),
            };
            // The end of the line before is read with the row.
            let start = || before + text[before..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let is_open = self.place(&rows) == text.len() && self.ends_in_quotes(&text[start()..]);
            let fault = match answer {
                Ok(answer) if !is_open => {
                    answer.into_iter().for_each(&mut *add);
                    continue;
                }
                // All further rows were read as a part of the cell.
                _ if is_open && text[start()..].contains(&b'\n') => "a quotation mark is not closed".to_owned(),
                Ok(_) => return Ok(start()),
                Err(_) if self.place(&rows) == text.len() && self.is_torn(&row, text) => return Ok(start()),
                Err(what) => what,
            };
            let lines = memchr::memchr_iter(b'\n', &text[..start()]).count();
            return Err((lines as u64 + 1, fault));
        }
    }

    /// Whether the last row ends within a cell in quotation marks.
    fn ends_in_quotes(&self, row: &[u8]) -> bool {
        let (mut is_open, mut may_open) = (false, true);
        for &byte in row {
            match byte {
                // Closes the cell, unless another mark follows: two marks are one that is a part of the cell.
                b'"' if is_open => (is_open, may_open) = (false, true),
                b'"' if may_open => is_open = true,
                byte if !is_open => may_open = byte == self.delimiter || byte == b'\n',
                _ => {}
            }
        }
        is_open
    }

    /// Whether the last row, which is not an answer, is the beginning of one whose writing was interrupted.
    fn is_torn(&self, row: &ByteRecord, text: &[u8]) -> bool {
        let place = self.columns[ANSWER].expect("a required column");
        let is_last = row.len() == place + 1;
        let is_cut_character = std::str::from_utf8(text).is_err_and(|error| error.error_len().is_none());
        let is_begun = |cell: &[u8]| is_last && ANSWERS.iter().any(|(name, _)| name.as_bytes().starts_with(cell));
        !text.ends_with(b"\n") && (is_cut_character || row.get(place).is_none_or(is_begun))
    }

    /// The number of bytes of the text that were read.
    fn place(&self, rows: &Reader<&[u8]>) -> usize {
        self.start + rows.position().byte() as usize
    }

    /// The answer of a row; `None` for a row without an answer and a note.
    fn answer(&self, row: &ByteRecord) -> Result<Option<TableAnswer>, String> {
        let cell = |column: usize| {
            let cell = self.columns[column].and_then(|place| row.get(place));
            let Some(cell) = cell else {
                return if column < REQUIRED { Err(format!("it has no {}", COLUMNS[column])) } else { Ok("") };
            };
            std::str::from_utf8(cell).map(text_of_cell).map_err(|_| "it is not UTF-8".to_owned())
        };
        let (names, note) = ([name_of(cell(A)?), name_of(cell(B)?)], cell(NOTE)?);
        let word = cell(ANSWER)?.trim().to_ascii_lowercase();
        let answer = match ANSWERS.iter().find(|(name, _)| *name == word) {
            Some(&(_, answer)) => answer,
            None if word.is_empty() && note.is_empty() => return Ok(None),
            None if word.is_empty() => Answer::Undone,
            None => return Err(format!("{word:?} is not yes, no or skip")),
        };
        Ok(Some((names, answer, (!note.is_empty()).then(|| note.to_owned()))))
    }

    /// The row of an answer, with its line end.
    pub(super) fn row(&self, record: &AnswerRecord) -> Vec<u8> {
        let name = ANSWERS.iter().find(|(_, answer)| *answer == record.answer).expect("each answer has a name").0;
        let note = harmless_cell(record.note.clone().unwrap_or_default());
        let cells = [cell_of(&record.a), cell_of(&record.b), name.to_owned(), note, record.jaccard.to_string()];
        let mut row = vec![String::new(); self.num_columns];
        for (place, cell) in self.columns.into_iter().zip(cells) {
            place.into_iter().for_each(|place| row[place].clone_from(&cell));
        }
        let mut rows = WriterBuilder::new();
        let mut rows = rows.delimiter(self.delimiter).terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
        rows.write_record(&row).expect("memory can be written");
        rows.into_inner().expect("memory can be written")
    }
}

/// A cell of the header, without the quotation marks that some spreadsheets add.
fn unquoted(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell)
}

/// The name of a document as a cell: the name, or for a name that is not UTF-8 the JSON of its bytes.
fn cell_of(name: &Name) -> String {
    match name {
        Name::Text(text) => harmless_cell(text.clone().into_owned()),
        Name::Bytes { .. } => {
            let mut json = Vec::new();
            push_json(&mut json, name);
            String::from_utf8_lossy(&json).into_owned()
        }
    }
}

/// The name of a document, from its cell.
fn name_of(cell: &str) -> Vec<u8> {
    let bytes = cell.starts_with("{\"bytes\":").then(|| serde_json::from_str::<Name>(cell).ok()).flatten();
    bytes.map_or_else(|| cell.as_bytes().to_vec(), |name| name.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(usize, Vec<TableAnswer>), AnswerFault> {
        let mut answers = Vec::new();
        let len = AnswerTable::of(text.as_bytes())
            .expect("it is a table")
            .read(text.as_bytes(), &mut |answer| answers.push(answer))?;
        Ok((len, answers))
    }

    fn answer(a: &str, answer: Answer, note: Option<&str>) -> TableAnswer {
        ([a.into(), b"b".to_vec()], answer, note.map(str::to_owned))
    }

    #[test]
    fn a_table_is_read_as_a_page_and_as_spreadsheets_write_it() {
        let expected = [
            answer("x,y", Answer::Yes, Some("a \"copy\"")),
            answer("z", Answer::Undone, Some("=1")),
            answer("1", Answer::No, None),
        ];
        let text =
            "a,b,jaccard,answer,note\n\"x,y\",b,0.9,yes,\"a \"\"copy\"\"\"\nz,b,0.8,,'=1\n1,b,0.7,no,\n2,b,0.6,,\n";
        assert_eq!(read(text), Ok((text.len(), expected.to_vec())));
        for delimiter in [";", "\t"] {
            let other = format!(
                "\u{FEFF}\"A\"{delimiter}note{delimiter}\"b\"{delimiter}Answer{delimiter}more\r\nx,y{delimiter}\"a \"\"copy\"\"\"{delimiter}b{delimiter} YES{delimiter}\r\n\r\nz{delimiter}'=1{delimiter}b{delimiter}{delimiter}\r\n1{delimiter}{delimiter}b{delimiter}no\r\n"
            );
            assert_eq!(read(&other), Ok((other.len(), expected.to_vec())), "{other:?}");
        }
        let text = "sep=|\r\na|b|answer\r\nz|b|no\r\n";
        assert_eq!(read(text), Ok((text.len(), vec![answer("z", Answer::No, None)])));
        assert_eq!(
            read("\u{FEFF}sep=;\na;b;answer\nz;b;never\n"),
            Err((3, "\"never\" is not yes, no or skip".to_owned()))
        );
        for other in ["", "a,b\n", "{\"a\":1}\n", "a|b|answer\n", "sep=;", "sep=;\na,b,answer\n", "sep=\na,b,answer\n"]
        {
            assert_eq!(AnswerTable::of(other.as_bytes()), None, "{other:?}");
        }
    }

    #[test]
    fn a_row_that_is_written_is_read_back() {
        let names = ["=x", "a,b\"c", "line\nend", "'", "plain"];
        for (delimiter, header) in [(',', "a,b,jaccard,answer,note"), (';', "note;answer;b;a")] {
            let mut text = format!("{header}\n").into_bytes();
            let table = AnswerTable::of(&text).unwrap();
            for name in names {
                let (a, note) = (Name::new(name.as_bytes()), Some(name.to_owned()));
                let record = AnswerRecord { a, b: Name::new(b"\xFF"), jaccard: 0.5, answer: Answer::Skip, note };
                text.extend(table.row(&record));
            }
            let mut read = Vec::new();
            assert_eq!(table.read(&text, &mut |answer| read.push(answer)), Ok(text.len()), "{delimiter}");
            let expected = names.map(|name| ([name.into(), b"\xFF".to_vec()], Answer::Skip, Some(name.to_owned())));
            assert_eq!(read, expected);
        }
    }

    #[test]
    fn a_torn_last_row_does_not_count_and_any_other_is_a_fault() {
        for end in ["\n", "\r\n"] {
            let whole = format!("a,b,answer{end}x,b,yes{end}");
            let one = Ok((whole.len(), vec![answer("x", Answer::Yes, None)]));
            for torn in ["y", "y,b", "y,b,ye", "\"y", "\"y\"\"z,b", "y,b,yes,\"a no"] {
                assert_eq!(read(&format!("{whole}{torn}")), one, "{torn:?}");
            }
            for typed in ["y,b,maybe", "y,b,maybe,5\" disk"] {
                assert_eq!(read(&format!("{whole}{typed}")), Err((3, "\"maybe\" is not yes, no or skip".to_owned())));
            }
            assert_eq!(
                read(&format!("{whole}y,b,maybe{end}")),
                Err((3, "\"maybe\" is not yes, no or skip".to_owned()))
            );
            assert_eq!(read(&format!("{whole}y{end}z,b,no{end}")), Err((3, "it has no b".to_owned())));
        }
        // Without its end, the cell contains all rows after it.
        let open = "a,b,answer,note\nx,b,yes,\"copied\ny,b,no,\nz,b,no,\n";
        for text in [open, open.trim_end(), "a,b,answer,note\nx,b,yes,\"copied\n"] {
            let not_closed = Err((2, "a quotation mark is not closed".to_owned()));
            assert_eq!(read(text), not_closed, "{text:?}");
        }
        let disk = "a,b,answer,note\nx,b,yes,5\" disk\n";
        assert_eq!(read(disk), Ok((disk.len(), vec![answer("x", Answer::Yes, Some("5\" disk"))])));
        let latin = b"a,b,answer\nx,b\xE9,yes\n";
        let fault = AnswerTable::of(latin).unwrap().read(latin, &mut |_| ());
        assert_eq!(fault, Err((2, "it is not UTF-8".to_owned())));
    }
}
