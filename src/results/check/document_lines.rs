//! `DocumentLines`: checks the lines about documents in a saved result, and reads lines of JSON.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_128;

use super::fault::{CountedFaults, Fault, FaultKind, differences};
use crate::base::error::Result;
use crate::records::{DocumentRecord, Name};
use crate::results::saved::{BUFFER, DOCUMENTS, cannot_read};

/// The next line without its line end; `None` at the end of the file.
pub(super) fn next_line<'l>(lines: &mut dyn BufRead, line: &'l mut Vec<u8>, path: &Path) -> Result<Option<&'l [u8]>> {
    line.clear();
    let len = lines.read_until(b'\n', line).map_err(|error| cannot_read(path, &error))?;
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    Ok((len > 0).then(|| text.strip_suffix(b"\r").unwrap_or(text)))
}

/// The object in a line.
pub(super) fn object(line: &[u8]) -> std::result::Result<Map<String, Value>, serde_json::Error> {
    serde_json::from_slice(line)
}

/// The object of a record.
pub(super) fn object_of(record: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(record) {
        Ok(Value::Object(object)) => object,
        _ => unreachable!("a record is an object"),
    }
}

/// The maximum number of documents without a line that wait for a line that was changed.
const MOST_WAITING: usize = 64;
/// The keys of the document that a line is about.
const IDENTITY: [&str; 2] = ["name", "source"];

/// The lines about documents in a saved result, which follow the order of the documents.
///
/// A line belongs to the document with its name and source. Between two lines that belong to documents, a line and a
/// document that share their name, their source or their text are compared; each other document has no line, and each other
/// line no document. 20 bytes for each line.
pub(super) struct DocumentLines {
    lines: BufReader<File>,
    path: PathBuf,
    /// The key of each line, ascending, and its number from 1.
    keys: Vec<(u128, u32)>,
    /// The number of lines that were read.
    num_read: u64,
    /// The documents since the last line with a document.
    waiting: Vec<Map<String, Value>>,
    pub(super) num_documents: u64,
}

/// The key of the document that a line is about.
fn key_of(line: &Map<String, Value>) -> u128 {
    xxh3_128(&serde_json::to_vec(&IDENTITY.map(|key| line.get(key))).expect("values of JSON"))
}

/// The name of the document that a line is about.
fn name_of(line: &Map<String, Value>) -> Option<Name<'static>> {
    Some(Name::deserialize(line.get("name")?).ok()?.into_owned())
}

impl DocumentLines {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let open = || File::open(path).map_err(|error| cannot_read(path, &error));
        let (mut lines, mut line) = (BufReader::with_capacity(BUFFER, open()?), Vec::new());
        let mut keys = Vec::new();
        let mut number = 0;
        while let Some(text) = next_line(&mut lines, &mut line, path)? {
            number += 1;
            keys.extend(object(text).ok().map(|found| (key_of(&found), number)));
        }
        keys.sort_unstable();
        Ok(Self {
            lines: BufReader::with_capacity(BUFFER, open()?),
            path: path.to_owned(),
            keys,
            num_read: 0,
            waiting: Vec::new(),
            num_documents: 0,
        })
    }

    /// Compares the record of the next document with its line.
    pub(super) fn check(&mut self, record: &DocumentRecord, sink: &mut CountedFaults) -> Result<()> {
        self.num_documents += 1;
        let expected = object_of(record);
        let key = key_of(&expected);
        let next = self.keys.partition_point(|&line| line <= (key, self.num_read as u32));
        match self.keys.get(next).filter(|line| line.0 == key) {
            Some(&(_, line)) => {
                self.compare_before(u64::from(line), sink)?;
                let found = self.next(sink)?;
                self.compare(&found.expect("the line was read before"), &expected, sink)
            }
            None => {
                self.waiting.push(expected);
                if self.waiting.len() > MOST_WAITING { self.report_waiting(sink) } else { Ok(()) }
            }
        }
    }

    /// Reports what is left after the last document.
    pub(super) fn finish(mut self, sink: &mut CountedFaults) -> Result<()> {
        self.compare_before(u64::MAX, sink)
    }

    /// Compares the lines before a line with the documents that wait.
    fn compare_before(&mut self, line: u64, sink: &mut CountedFaults) -> Result<()> {
        while self.num_read + 1 < line {
            let Some(found) = self.next(sink)? else { break };
            let is_about = |expected: &Map<String, Value>| {
                IDENTITY
                    .iter()
                    .chain(&["text_hash"])
                    .any(|&key| found.get(key).is_some_and(|value| expected.get(key) == Some(value)))
            };
            match self.waiting.iter().position(is_about) {
                Some(at) => {
                    let expected = self.waiting.remove(at);
                    self.compare(&found, &expected, sink)?;
                }
                None => {
                    let fault = Fault::new(FaultKind::Document).at(Some(DOCUMENTS), self.num_read);
                    let fault = fault.because("the inputs have no such document here");
                    sink.add(&Fault { a: name_of(&found), ..fault })?;
                }
            }
        }
        self.report_waiting(sink)
    }

    /// Reports the documents that wait as documents without a line.
    fn report_waiting(&mut self, sink: &mut CountedFaults) -> Result<()> {
        for expected in self.waiting.drain(..) {
            let fault = Fault::new(FaultKind::Document).at(Some(DOCUMENTS), self.num_read + 1);
            let fault = fault.because("the line about this document is missing here");
            sink.add(&Fault { a: name_of(&expected), ..fault })?;
        }
        Ok(())
    }

    /// Reads the next line that describes a document; reports others.
    fn next(&mut self, sink: &mut CountedFaults) -> Result<Option<Map<String, Value>>> {
        let mut line = Vec::new();
        while let Some(text) = next_line(&mut self.lines, &mut line, &self.path)? {
            self.num_read += 1;
            match object(text) {
                Ok(found) => return Ok(Some(found)),
                Err(error) => {
                    let detail = format!("the line does not describe a document ({error})");
                    sink.add(&Fault::new(FaultKind::Document).at(Some(DOCUMENTS), self.num_read).because(detail))?;
                }
            }
        }
        Ok(None)
    }

    /// Compares the last line that was read with the record of its document.
    fn compare(
        &self,
        found: &Map<String, Value>,
        expected: &Map<String, Value>,
        sink: &mut CountedFaults,
    ) -> Result<()> {
        for (key, found, value) in differences(found, expected) {
            let fault = Fault::new(FaultKind::Value).at(Some(DOCUMENTS), self.num_read);
            let (key, found, value) = (Some(key), Some(found), Some(value));
            sink.add(&Fault { a: name_of(expected), key, found, expected: value, ..fault })?;
        }
        Ok(())
    }
}
