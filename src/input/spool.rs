//! Sources: files of records, and standard input kept where it can be read twice.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::decode::{BINARY_PREFIX, NotText};
use super::path_bytes;
use super::walk::unusable;
use crate::error::{Error, Problem, Reason, Result};

/// A file that holds many documents, or standard input.
#[derive(Debug)]
pub(super) struct Source {
    /// How it is named.
    pub(super) name: PathBuf,
    /// The unlinked copy of what cannot be read twice.
    spooled: Option<File>,
}

/// All sources of a run, by number; grows while the paths are walked and the first pieces are read.
#[derive(Debug, Default)]
pub(crate) struct Sources(Mutex<Vec<Arc<Source>>>);

impl Sources {
    pub(super) fn add_file(&self, path: &Path) -> u32 {
        self.add(Source { name: path.to_owned(), spooled: None })
    }

    /// Copies standard input to an unlinked temporary file; returns its number and length.
    pub(super) fn add_stdin(&self) -> Result<(u32, u64)> {
        let no_room = |source| Error::Spool { dir: std::env::temp_dir(), source };
        let mut stdin = io::stdin().lock();
        let mut file = tempfile::tempfile().map_err(no_room)?;
        let mut len = 0;
        loop {
            let read = match stdin.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => {
                    file.write_all(bytes).map_err(no_room)?;
                    bytes.len()
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                Err(error) => return Err(Error::Stdin(error)),
            };
            stdin.consume(read);
            len += read as u64;
        }
        Ok((self.add(Source { name: PathBuf::from("-"), spooled: Some(file) }), len))
    }

    fn add(&self, source: Source) -> u32 {
        let mut sources = self.0.lock().expect("no holder panics");
        sources.push(Arc::new(source));
        u32::try_from(sources.len() - 1).expect("fewer sources than documents")
    }

    /// The name of a source, as bytes.
    pub(crate) fn name(&self, source: u32) -> Vec<u8> {
        path_bytes(&self.get(source).name).to_vec()
    }

    /// The names of all sources.
    pub(crate) fn names(&self) -> HashSet<Vec<u8>> {
        let sources = self.0.lock().expect("no holder panics");
        sources.iter().map(|source| path_bytes(&source.name).to_vec()).collect()
    }

    pub(super) fn get(&self, source: u32) -> Arc<Source> {
        Arc::clone(&self.0.lock().expect("no holder panics")[source as usize])
    }
}

impl Source {
    /// Whether the source may hold JSON Lines: it can be read, and its start is neither binary nor UTF-16.
    pub(super) fn check_records(&self) -> Result<(), Problem> {
        let mut start = Vec::new();
        let read = self.open().and_then(|file| read_at(&file, 0, BINARY_PREFIX, &mut start));
        read.map_err(|error| unusable(&self.name, &error))?;
        let (reason, detail) = if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = start.as_slice() {
            (Reason::NotUtf8, "UTF-16 records are not supported; convert the file to UTF-8".to_owned())
        } else if let Some(at) = memchr::memchr(0, &start) {
            (Reason::Binary, NotText::Binary { at }.to_string())
        } else {
            return Ok(());
        };
        Err(Problem::error(self.name.to_string_lossy(), reason, detail))
    }

    /// The file, opened for one reader. Spooled input shares its cursor, so read at positions only.
    pub(super) fn open(&self) -> io::Result<File> {
        match &self.spooled {
            Some(file) => file.try_clone(),
            None => File::open(&self.name),
        }
    }
}

/// Appends up to `len` bytes of `file` from `offset` to `buffer`; fewer only at its end.
pub(super) fn read_at(file: &File, offset: u64, len: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
    let start = buffer.len();
    buffer.resize(start + len, 0);
    let mut filled = start;
    while filled < buffer.len() {
        match positioned_read(file, offset + (filled - start) as u64, &mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                buffer.truncate(start);
                return Err(error);
            }
        }
    }
    buffer.truncate(filled);
    Ok(())
}

#[cfg(unix)]
fn positioned_read(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn positioned_read(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
