//! `PendingIndex`: an index that has no name until it is whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::file::files_beside;
use super::file_faults::io_fault;
use super::place::refuse_networks;
use crate::error::{Error, IndexError, Result};

/// What the names of unfinished indexes have between the name of the index and a number.
const UNFINISHED: &str = ".building-";

/// A file beside the index that is to be; deleted unless it gets its name.
pub(super) struct PendingIndex {
    index: PathBuf,
    path: PathBuf,
    /// Locked, so that others know that somebody is at work.
    _lock: File,
}

impl PendingIndex {
    /// Makes an empty file in the folder of the index, and deletes those that were left there by builds that were killed.
    ///
    /// # Errors
    /// When there is something already, or nothing can be written there.
    pub(super) fn create(index: &Path) -> Result<Self> {
        check_free(index)?;
        refuse_networks(index, folder_of(index))?;
        delete_left(index);
        let path = unfinished(index, &std::process::id().to_string());
        let create = || {
            let file = File::options().read(true).write(true).create_new(true).open(&path)?;
            // A system without such locks has nobody who looks for them.
            let _ = file.try_lock();
            Ok(file)
        };
        let lock = create().map_err(|error: io::Error| io_fault(index, "write", &error))?;
        Ok(Self { index: index.to_owned(), path, _lock: lock })
    }

    /// Where the file is for now.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name; it is on the disk under this name afterwards.
    ///
    /// # Errors
    /// When there is something already.
    pub(super) fn persist(self) -> Result<()> {
        let fault = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::Index(IndexError::Exists { path: self.index.clone() }),
            _ => io_fault(&self.index, "write", &error),
        };
        // A link never replaces anything; where there are none, a look has to do.
        match fs::hard_link(&self.path, &self.index) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(fault(error)),
            Err(_) => {
                check_free(&self.index)?;
                fs::rename(&self.path, &self.index).map_err(fault)?;
            }
        }
        let folder = folder_of(&self.index);
        // Not every file system can sync a folder.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for PendingIndex {
    fn drop(&mut self) {
        // After a link this is the other name; after a rename there is nothing.
        remove(&self.path);
    }
}

/// The folder that an index is in.
fn folder_of(index: &Path) -> &Path {
    index.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn check_free(index: &Path) -> Result<()> {
    if fs::symlink_metadata(index).is_ok() {
        return Err(Error::Index(IndexError::Exists { path: index.to_owned() }));
    }
    Ok(())
}

fn unfinished(index: &Path, number: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(index.file_name().unwrap_or_default());
    name.push(UNFINISHED);
    name.push(number);
    index.with_file_name(name)
}

/// Deletes a file and those beside it; itself last, since the others are found by it.
fn remove(path: &Path) {
    files_beside(path).for_each(|file| drop(fs::remove_file(file)));
    let _ = fs::remove_file(path);
}

/// Deletes unfinished files of this index that nobody works on.
fn delete_left(index: &Path) {
    let prefix = unfinished(index, "");
    let folder = folder_of(index);
    let (Ok(entries), Some(prefix)) = (fs::read_dir(folder), prefix.file_name()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let number = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let is_unfinished = number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit));
        if is_unfinished && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            remove(&entry.path());
        }
    }
}
