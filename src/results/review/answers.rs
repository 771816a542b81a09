//! `Answers`: a person's answers about pairs, and `AnswerFile`, the file of JSON Lines, or the table, that stores them.
//!
//! Each answer is one line, written at once. If the program is killed in the middle of a line, only that line is lost,
//! so an incomplete last line is not an error.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::answer::{Answer, AnswerRecord};
use super::answer_encoding::{AnswerEncoding, MARK};
use super::answer_table::AnswerTable;
use crate::base::error::{Error, Result};
use crate::base::setting::Setting;
use crate::records::push_json;

/// The valid answers: the last one about each pair. Stores the names of the answered pairs twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    by_names: HashMap<[Vec<u8>; 2], Answer>,
    /// The names of the pairs in the order of their answers.
    order: Vec<[Vec<u8>; 2]>,
    /// The remarks about pairs, including pairs without an answer.
    notes: HashMap<[Vec<u8>; 2], String>,
}

/// A file of answers, open for appending.
#[derive(Debug)]
pub struct AnswerFile {
    path: PathBuf,
    file: File,
    /// The length of the complete lines in bytes.
    len: u64,
    encoding: AnswerEncoding,
    /// The columns of the file if it is a table.
    table: Option<AnswerTable>,
    /// Whether the file did not exist before.
    is_new: bool,
}

impl Answers {
    /// Reads the answers of a file.
    ///
    /// # Errors
    /// When the file cannot be read, or when a line other than an incomplete last one is not an answer.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read(path).map_err(|error| {
            fault(
                path,
                format!("cannot read the answers: {error}; answer some pairs first, or check {}", Setting::Answers),
            )
        })?;
        let text = AnswerEncoding::of(&text).decode(&text);
        Self::of_text(path, &text, AnswerTable::of(&text).as_ref()).map(|(answers, _)| answers)
    }

    /// Parses the content of a file, which is a table or lines. Returns also the length of its complete lines in bytes.
    fn of_text(path: &Path, text: &[u8], table: Option<&AnswerTable>) -> Result<(Self, usize)> {
        let Some(table) = table else { return Self::of_lines(path, text) };
        let mut answers = Self::default();
        let read = table.read(text, &mut |(names, answer, note)| {
            answers.note(&names, note);
            answers.add(names, answer);
        });
        read.map(|len| (answers, len)).map_err(|(line, error)| not_an_answer(path, line, &error))
    }

    /// Parses the lines of answers. Returns also the length of the complete lines in bytes.
    fn of_lines(path: &Path, text: &[u8]) -> Result<(Self, usize)> {
        let (mut answers, mut len) = (Self::default(), if text.starts_with(MARK) { MARK.len() } else { 0 });
        for (number, line) in text[len..].split_inclusive(|&byte| byte == b'\n').enumerate() {
            match serde_json::from_slice::<AnswerRecord>(line) {
                Ok(record) => {
                    let names = [record.a.to_bytes(), record.b.to_bytes()];
                    answers.note(&names, record.note);
                    answers.add(names, record.answer);
                }
                Err(error) if error.is_eof() && is_torn(line) => break,
                Err(_) if number == 0 && !line.trim_ascii_start().starts_with(b"{") => {
                    return Err(no_answers(path, text));
                }
                Err(error) => return Err(not_an_answer(path, number as u64 + 1, &error.to_string())),
            }
            len += line.len();
        }
        Ok((answers, len))
    }

    pub(super) fn add(&mut self, names: [Vec<u8>; 2], answer: Answer) {
        if self.by_names.remove(&names).is_some() {
            self.order.retain(|other| *other != names);
        }
        if answer != Answer::Undone {
            self.order.push(names.clone());
            self.by_names.insert(names, answer);
        }
    }

    fn note(&mut self, names: &[Vec<u8>; 2], note: Option<String>) {
        match note {
            None => {}
            Some(note) if note.is_empty() => drop(self.notes.remove(names)),
            Some(note) => drop(self.notes.insert(names.clone(), note)),
        }
    }

    /// The remark about a pair, if any.
    pub fn note_of(&self, names: &[Vec<u8>; 2]) -> Option<&str> {
        self.notes.get(names).map(String::as_str)
    }

    /// The names of all pairs with an answer or a remark, first those with an answer, in their order.
    pub fn pairs(&self) -> impl Iterator<Item = &[Vec<u8>; 2]> {
        let mut noted: Vec<_> = self.notes.keys().filter(|names| !self.by_names.contains_key(*names)).collect();
        noted.sort_unstable();
        self.order.iter().chain(noted)
    }

    /// Whether there is neither an answer nor a remark.
    pub fn say_nothing(&self) -> bool {
        self.order.is_empty() && self.notes.is_empty()
    }

    /// The answer about a pair, if any.
    pub fn of(&self, names: &[Vec<u8>; 2]) -> Option<Answer> {
        self.by_names.get(names).copied()
    }

    /// The names of the pairs, in the order of their answers.
    pub fn in_order(&self) -> &[[Vec<u8>; 2]] {
        &self.order
    }

    /// The number of pairs with an answer.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no pair has an answer.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

/// Whether a line is the beginning of an answer whose writing was interrupted, and not the last line of some other file.
fn is_torn(line: &[u8]) -> bool {
    const START: &[u8] = b"{\"a\":";
    !line.ends_with(b"\n") && (line.starts_with(START) || START.starts_with(line))
}

impl AnswerFile {
    /// Opens or creates a file of answers, and reads the answers in it. An incomplete last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be read and written, when another program is adding answers to it, or when a line is not an
    /// answer.
    pub fn open(path: &Path) -> Result<(Self, Answers)> {
        let cannot =
            |error: io::Error| fault(path, format!("cannot write the answers: {error}; check {}", Setting::Answers));
        // Devices and pipes do not store answers.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(fault(path, "it is no file that could keep the answers; name another".to_owned()));
        }
        let is_new = !path.exists();
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(cannot)?;
        // A file system without locks is not an error.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(fault(
                path,
                "another review adds answers to it; end that one, or name another file".to_owned(),
            ));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(cannot)?;
        let encoding = AnswerEncoding::of(&bytes);
        let text = encoding.decode(&bytes);
        let table = AnswerTable::of(&text);
        let (answers, len) = Answers::of_text(path, &text, table.as_ref())?;
        let num_bytes = encoding.len_of(&text[..len]);
        let mut file = Self { path: path.to_owned(), file, len: num_bytes as u64, encoding, table, is_new };
        if num_bytes < bytes.len() {
            file.cut().map_err(cannot)?;
        } else if !text.is_empty() && !text.ends_with(b"\n") {
            file.write(b"\n")?;
        }
        Ok((file, answers))
    }

    /// Appends a line, which has been written when this returns.
    ///
    /// # Errors
    /// When the line cannot be written. The file is then unchanged.
    pub fn add(&mut self, record: &AnswerRecord) -> Result<()> {
        if let Some(table) = &self.table {
            return self.write(&table.row(record));
        }
        let mut line = Vec::new();
        push_json(&mut line, record);
        line.push(b'\n');
        self.write(&line)
    }

    fn write(&mut self, line: &[u8]) -> Result<()> {
        let line = &*self.encoding.encode(line);
        let written = self.file.seek(SeekFrom::Start(self.len)).and_then(|_| self.file.write_all(line));
        if let Err(error) = written {
            // Remove the part of the line that was written.
            let _ = self.cut();
            let path = &self.path;
            return Err(fault(path, format!("cannot write the answer: {error}; those before it are kept")));
        }
        self.len += line.len() as u64;
        Ok(())
    }

    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.len)
    }
}

impl Drop for AnswerFile {
    /// Deletes a new file without answers.
    fn drop(&mut self) {
        if self.is_new && self.len == 0 {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn not_an_answer(path: &Path, line: u64, error: &str) -> Error {
    fault(path, format!("line {line} is not an answer ({error}); correct it, or name another file"))
}

/// The fault of a file whose first line is neither an answer nor the header of a table of answers.
fn no_answers(path: &Path, text: &[u8]) -> Error {
    const WORKBOOK: &[u8] = b"PK\x03\x04";
    let what = if text.starts_with(WORKBOOK) {
        "it is a workbook, not text; save it as CSV"
    } else {
        "its first line is neither an answer nor the names of columns (a, b and answer); correct it, or name another file"
    };
    fault(path, what.to_owned())
}

fn fault(path: &Path, fault: String) -> Error {
    Error::Answers { path: path.to_owned(), fault }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Name;

    fn record(a: &'static str, answer: Answer) -> AnswerRecord<'static> {
        AnswerRecord { a: Name::new(a.as_bytes()), b: Name::new(b"b"), jaccard: 0.8, answer, note: None }
    }

    fn names(a: &str) -> [Vec<u8>; 2] {
        [a.into(), b"b".to_vec()]
    }

    #[test]
    fn the_last_answer_of_a_pair_stands_until_it_is_undone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let (file, answers) = AnswerFile::open(&path).unwrap();
        assert!(answers.is_empty());
        drop(file);
        assert!(!path.exists(), "a file without an answer is left");
        let (mut file, _) = AnswerFile::open(&path).unwrap();
        for (name, answer) in [("1", Answer::Yes), ("2", Answer::No), ("1", Answer::Skip), ("3", Answer::Yes)] {
            file.add(&record(name, answer)).unwrap();
        }
        file.add(&record("3", Answer::Undone)).unwrap();
        let answers = Answers::read(&path).unwrap();
        assert_eq!(answers.in_order(), [names("2"), names("1")]);
        assert_eq!(["1", "2", "3"].map(|name| answers.of(&names(name))), [Some(Answer::Skip), Some(Answer::No), None]);
        assert!(
            matches!(AnswerFile::open(&path), Err(Error::Answers { fault, .. }) if fault.contains("another review"))
        );
        drop(file);
        assert_eq!(AnswerFile::open(&path).unwrap().1, answers);
    }

    #[test]
    fn a_note_stays_until_another_line_replaces_or_empties_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let (mut file, _) = AnswerFile::open(&path).unwrap();
        let mut add = |name, answer, note: Option<&str>| {
            file.add(&AnswerRecord { note: note.map(str::to_owned), ..record(name, answer) }).unwrap();
        };
        add("1", Answer::Yes, Some("ask both"));
        add("1", Answer::No, None);
        add("2", Answer::Undone, Some("not looked at yet"));
        add("3", Answer::Yes, Some("x"));
        add("3", Answer::Yes, Some(""));
        let answers = Answers::read(&path).unwrap();
        let noted = ["1", "2", "3"].map(|name| answers.note_of(&names(name)).map(str::to_owned));
        assert_eq!(noted, [Some("ask both".to_owned()), Some("not looked at yet".to_owned()), None]);
        assert_eq!((answers.len(), answers.of(&names("1")), answers.say_nothing()), (2, Some(Answer::No), false));
        assert!(Answers::default().say_nothing());
    }

    #[test]
    fn a_table_is_a_file_of_answers_to_which_rows_are_added() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.csv");
        let table = "\u{FEFF}a;b;answer;note\r\n1;b;yes;both\r\n2;b;no;\r\n";
        std::fs::write(&path, format!("{table}3;b")).unwrap();
        let (mut file, answers) = AnswerFile::open(&path).unwrap();
        assert_eq!((answers.in_order(), answers.note_of(&names("1"))), (&[names("1"), names("2")][..], Some("both")));
        file.add(&record("=3", Answer::Skip)).unwrap();
        file.add(&record("1", Answer::Undone)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{table}'=3;b;skip;\n1;b;undone;\n"));
        let answers = Answers::read(&path).unwrap();
        assert_eq!(answers.in_order(), [names("2"), names("=3")]);
        drop(file);
        assert_eq!(AnswerFile::open(&path).unwrap().1, answers);
    }

    #[test]
    fn rows_are_added_in_the_encoding_of_the_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.csv");
        let encoding = AnswerEncoding::Utf16 { is_big_endian: false };
        let table = "\u{FEFF}sep=;\r\na;b;answer;note\r\n1;b;yes;für beide\r\n";
        std::fs::write(&path, [&*encoding.encode(table.as_bytes()), b"2"].concat()).unwrap();
        let (mut file, answers) = AnswerFile::open(&path).unwrap();
        assert_eq!((answers.in_order(), answers.note_of(&names("1"))), (&[names("1")][..], Some("für beide")));
        file.add(&record("2", Answer::No)).unwrap();
        let written = std::fs::read(&path).unwrap();
        assert_eq!(encoding.decode(&written), format!("{table}2;b;no;\n").as_bytes());
        assert_eq!(Answers::read(&path).unwrap().in_order(), [names("1"), names("2")]);
        drop(file);
        // Lines of JSON may be in UTF-16 too.
        let lines = serde_json::to_string(&record("1", Answer::Yes)).unwrap();
        std::fs::write(&path, encoding.encode(format!("\u{FEFF}{lines}").as_bytes())).unwrap();
        let (mut file, answers) = AnswerFile::open(&path).unwrap();
        file.add(&record("2", Answer::No)).unwrap();
        assert_eq!((answers.len(), Answers::read(&path).unwrap().len()), (1, 2));
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_any_other_is_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let line = |name| serde_json::to_string(&record(name, Answer::Yes)).unwrap();
        let (one, two) = (line("1"), line("2"));
        for end in 0..=two.len() {
            std::fs::write(&path, format!("{one}\n{}", &two[..end])).unwrap();
            let (mut file, answers) = AnswerFile::open(&path).unwrap();
            // A last line that lacks only its line end counts.
            assert_eq!(answers.len(), 1 + usize::from(end == two.len()), "{end}");
            file.add(&record("3", Answer::No)).unwrap();
            let kept = if end == two.len() { format!("{two}\n") } else { String::new() };
            let third = serde_json::to_string(&record("3", Answer::No)).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{one}\n{kept}{third}\n"));
        }
        // The last line of another file is not an answer whose writing was interrupted.
        for foreign in ["my notes", "{", "{\"a", "{\"b\":1", "{\"a\":1]", "\0\u{1}"] {
            let is_prefix = two.starts_with(foreign);
            for start in ["".to_owned(), format!("{one}\n")] {
                let text = format!("{start}{foreign}");
                std::fs::write(&path, &text).unwrap();
                assert_eq!(AnswerFile::open(&path).is_ok(), is_prefix, "{text}");
                assert!(is_prefix || std::fs::read_to_string(&path).unwrap() == text);
            }
        }
        std::fs::write(&path, format!("{one}\n{}\n{two}\n", &two[..9])).unwrap();
        assert!(
            matches!(Answers::read(&path), Err(Error::Answers { fault, .. }) if fault.starts_with("line 2 is not an answer"))
        );
    }
}
