//! Sources: files of records, and standard input kept where it can be read twice.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::path_bytes;
use crate::error::{Error, Result};

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
        let spool = || -> io::Result<(File, u64)> {
            let mut file = tempfile::tempfile()?;
            let len = io::copy(&mut io::stdin().lock(), &mut file)?;
            Ok((file, len))
        };
        let (file, len) = spool().map_err(|source| Error::Spool { dir: std::env::temp_dir(), source })?;
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
