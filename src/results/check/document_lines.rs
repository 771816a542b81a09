//! `DocumentLines`: checks the lines about documents in a saved result, and reads lines of JSON.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::fault::{CountedFaults, Fault, FaultKind, differences};
use crate::base::error::Result;
use crate::records::DocumentRecord;
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

/// The lines about documents in a saved result, which follow the order of the documents.
pub(super) struct DocumentLines {
    lines: BufReader<File>,
    path: PathBuf,
    line: Vec<u8>,
    pub(super) num_lines: u64,
}

impl DocumentLines {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        Ok(Self {
            lines: BufReader::with_capacity(BUFFER, file),
            path: path.to_owned(),
            line: Vec::new(),
            num_lines: 0,
        })
    }

    /// Compares the next line with the record of the next document.
    pub(super) fn check(&mut self, record: &DocumentRecord, sink: &mut CountedFaults) -> Result<()> {
        self.num_lines += 1;
        let file = Some(DOCUMENTS);
        let name = Some(record.name.clone().into_owned());
        let missing = |detail: String| {
            let fault = Fault::new(FaultKind::Document).at(file, self.num_lines).because(detail);
            Fault { a: name.clone(), ..fault }
        };
        let Some(text) = next_line(&mut self.lines, &mut self.line, &self.path)? else {
            return sink.add(&missing("the line about this document is missing".to_owned()));
        };
        let found = match object(text) {
            Ok(found) => found,
            Err(error) => return sink.add(&missing(format!("the line does not describe a document ({error})"))),
        };
        for (key, found, expected) in differences(&found, &object_of(record)) {
            let fault = Fault::new(FaultKind::Value).at(file, self.num_lines);
            let (key, found, expected) = (Some(key), Some(found), Some(expected));
            sink.add(&Fault { a: name.clone(), key, found, expected, ..fault })?;
        }
        Ok(())
    }

    /// Reports the lines after the last document.
    pub(super) fn finish(mut self, sink: &mut CountedFaults) -> Result<()> {
        while next_line(&mut self.lines, &mut self.line, &self.path)?.is_some() {
            self.num_lines += 1;
            let fault = Fault::new(FaultKind::Document).at(Some(DOCUMENTS), self.num_lines);
            sink.add(&fault.because("the inputs have no such document"))?;
        }
        Ok(())
    }
}
