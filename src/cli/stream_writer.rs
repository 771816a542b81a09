//! `StreamWriter`: writes to standard output, or another pipe or device, whose reader may end before the run.
//!
//! A run whose only output is a pipe ends when the reader of the pipe has ended, as in `dedup scan … | head`. A run
//! with another output continues without the reader, and writes that output.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::interrupt::Uninterrupted;

/// The number of outputs of the run.
static OUTPUTS: AtomicUsize = AtomicUsize::new(0);

/// Counts an output of the run: a stream, a file, a saved result, or documents that are added to an index.
pub(crate) fn count_output() {
    OUTPUTS.fetch_add(1, Ordering::Relaxed);
}

/// Writes whole lines to a stream.
#[derive(Debug)]
pub(crate) struct StreamWriter {
    stream: Uninterrupted<File>,
    /// Whether the reader has ended, and the run continues without it.
    is_closed: bool,
}

impl StreamWriter {
    /// A writer for `stream`, which counts as an output of the run.
    pub(crate) fn new(stream: File) -> Self {
        count_output();
        Self { stream: Uninterrupted(stream), is_closed: false }
    }
}

impl Write for StreamWriter {
    fn write(&mut self, lines: &[u8]) -> io::Result<usize> {
        if !self.is_closed {
            match self.stream.write(lines) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe && OUTPUTS.load(Ordering::Relaxed) > 1 => {
                    self.is_closed = true;
                }
                written => return written,
            }
        }
        Ok(lines.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
