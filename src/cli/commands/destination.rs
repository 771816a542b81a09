//! `LineOutput`: writes the lines of a command to standard output or to the file of `--output`.

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

/// Number of bytes after which gathered lines are written.
pub(crate) const LINE_BYTES: usize = 1 << 16;

/// The destination of a command's output, written in whole lines.
pub(crate) enum LineOutput<'a> {
    Stdout(StreamWriter),
    File(ReplacedFile<'a>),
}

impl<'a> LineOutput<'a> {
    /// Opens the file at `path`, or standard output if `path` is `None` or `-`.
    ///
    /// # Errors
    /// When the file or standard output cannot be written.
    pub(crate) fn open(path: Option<&'a Path>, own_files: &mut OwnFiles, quiet: bool) -> Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            None => Ok(Self::Stdout(StreamWriter::new(raw_stdout().map_err(Failure::output)?))),
            Some(path) => ReplacedFile::open(path, &OUTPUT, own_files, quiet).map(Self::File),
        }
    }

    /// The file of `--output`; `None` for standard output.
    pub(crate) fn file(&self) -> Option<&ReplacedFile<'a>> {
        match self {
            Self::Stdout(_) => None,
            Self::File(file) => Some(file),
        }
    }

    /// Whether the lines go to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Self::Stdout(_)) && io::stdout().is_terminal()
    }

    /// Rewords an output error as a failure of the file of `--output`; other failures are unchanged.
    pub(crate) fn failure(&self, failure: Failure) -> Failure {
        match self {
            Self::File(file) => failure.into_output().map_or_else(|failure| failure, |error| file.failure(error)),
            Self::Stdout(_) => failure,
        }
    }

    /// Writes the records that `make` pushes, each as a line of JSON. Records before a failure of `make` are written
    /// too.
    ///
    /// # Errors
    /// When `make` fails, or the output cannot be written.
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

    /// Ends the output of a complete run, and gives a file its final name.
    ///
    /// # Errors
    /// When the file cannot be renamed.
    pub(crate) fn finish(self) -> Result<()> {
        self.finish_with("")
    }

    /// Ends the output like [`finish`](Self::finish), with a description for the message.
    ///
    /// * `what`: the content of the file, as [`ReplacedFile::finish_with`] reports it.
    ///
    /// # Errors
    /// When the file cannot be renamed.
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

/// Gathers the lines of records and writes them together, so that an interrupt never leaves an incomplete line.
#[derive(Default)]
pub(crate) struct GatheredLines {
    bytes: Vec<u8>,
}

impl GatheredLines {
    /// Adds a record as a line of JSON, and writes the gathered lines once they reach [`LINE_BYTES`] bytes.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(crate) fn push(&mut self, record: &impl Serialize, output: &mut (impl Write + ?Sized)) -> io::Result<()> {
        push_json(&mut self.bytes, record);
        self.bytes.push(b'\n');
        if self.bytes.len() < LINE_BYTES { Ok(()) } else { self.write(output) }
    }

    /// Writes the gathered lines.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(crate) fn write(&mut self, output: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let written = output.write_all(&self.bytes);
        self.bytes.clear();
        written
    }
}

/// Receives the records of [`LineOutput::write_records`].
pub(crate) struct RecordLines<'a, 'b> {
    output: &'a mut LineOutput<'b>,
    gathered: GatheredLines,
}

impl RecordLines<'_, '_> {
    /// Adds a record as a line of JSON.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(crate) fn push(&mut self, record: &impl Serialize) -> dedup_scan::Result<()> {
        self.gathered.push(record, self.output).map_err(Error::Output)
    }

    fn write(&mut self) -> dedup_scan::Result<()> {
        self.gathered.write(self.output).map_err(Error::Output)
    }
}
