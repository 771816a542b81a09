//! `LineOutput`: where the lines of a command go: to standard output, or to the file of `--output`.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use dedup_scan::Error;
use dedup_scan::documents::OwnFiles;
use dedup_scan::records::push_json;
use serde::Serialize;

use super::replaced_file::{OUTPUT, ReplacedFile};
use crate::cli::messages::{Failure, Result};
use crate::cli::stream_writer::StreamWriter;
use crate::cli::streams::raw_stdout;

/// Bytes of lines that are written at a time.
pub(crate) const LINE_BYTES: usize = 1 << 16;

/// Takes whole lines at a time.
pub(crate) enum LineOutput<'a> {
    Stdout(StreamWriter),
    File(ReplacedFile<'a>),
}

impl<'a> LineOutput<'a> {
    /// Opens the file, or standard output where there is none or it is `-`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn open(path: Option<&'a Path>, own_files: &mut OwnFiles, quiet: bool) -> Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            None => Ok(Self::Stdout(StreamWriter::new(raw_stdout().map_err(Failure::output)?))),
            Some(path) => ReplacedFile::open(path, &OUTPUT, own_files, quiet).map(Self::File),
        }
    }

    /// The file, unless it is standard output.
    pub(crate) fn file(&self) -> Option<&ReplacedFile<'a>> {
        match self {
            Self::Stdout(_) => None,
            Self::File(file) => Some(file),
        }
    }

    /// Whether a person sees what is written.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Stdout(_)) && io::stdout().is_terminal()
    }

    /// A failure, in terms of where lines go.
    pub(crate) fn failure(&self, failure: Failure) -> Failure {
        match (self, failure) {
            (Self::File(file), Failure::Library(Error::Output(error))) => file.failure(error),
            (_, failure) => failure,
        }
    }

    /// Writes records as they are made, each as a line of JSON. They are written also when what makes them fails.
    ///
    /// # Errors
    /// When what makes them fails, or writing them does.
    pub(crate) fn write_records<T>(
        &mut self,
        make: impl FnOnce(&mut RecordLines<'_, 'a>) -> dedup_scan::Result<T>,
    ) -> Result<T> {
        let mut lines = RecordLines { output: self, gathered: GatheredLines::default() };
        let made = make(&mut lines);
        let written = lines.write();
        written.map_err(|error| self.failure(error.into()))?;
        made.map_err(|error| self.failure(error.into()))
    }

    /// Ends the output of a run that is complete.
    ///
    /// # Errors
    /// When the file cannot get its name.
    pub(crate) fn finish(self) -> Result<()> {
        self.finish_with("")
    }

    /// As [`finish`](Self::finish).
    ///
    /// * `what`: what a file has, as [`ReplacedFile::finish_with`] reports it.
    ///
    /// # Errors
    /// When the file cannot get its name.
    pub(crate) fn finish_with(self, what: &str) -> Result<()> {
        match self {
            Self::Stdout(_) => Ok(()),
            Self::File(file) => file.finish_with(what),
        }
    }
}

impl Write for LineOutput<'_> {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(lines),
            Self::File(file) => file.write(lines),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// Gathers the lines of records, and writes them whole, so that an interrupt leaves none incomplete.
#[derive(Default)]
pub(crate) struct GatheredLines {
    bytes: Vec<u8>,
}

impl GatheredLines {
    /// # Errors
    /// When the output fails.
    pub(crate) fn push(&mut self, record: &impl Serialize, output: &mut LineOutput) -> io::Result<()> {
        push_json(&mut self.bytes, record);
        self.bytes.push(b'\n');
        if self.bytes.len() < LINE_BYTES { Ok(()) } else { self.write(output) }
    }

    /// Writes what was gathered.
    ///
    /// # Errors
    /// When the output fails.
    pub(crate) fn write(&mut self, output: &mut LineOutput) -> io::Result<()> {
        let written = output.write_all(&self.bytes);
        self.bytes.clear();
        written
    }
}

/// Takes the records of [`LineOutput::write_records`].
pub(crate) struct RecordLines<'a, 'b> {
    output: &'a mut LineOutput<'b>,
    gathered: GatheredLines,
}

impl RecordLines<'_, '_> {
    /// # Errors
    /// When the output fails.
    pub(crate) fn push(&mut self, record: &impl Serialize) -> dedup_scan::Result<()> {
        self.gathered.push(record, self.output).map_err(Error::Output)
    }

    fn write(&mut self) -> dedup_scan::Result<()> {
        self.gathered.write(self.output).map_err(Error::Output)
    }
}
