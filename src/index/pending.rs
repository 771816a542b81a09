//! `PendingIndex`: an index that has no name until it is whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::file::files_beside;
use super::file_faults::io_fault;
use super::place::refuse_networks;
use crate::error::{Error, IndexError, Result};
use crate::output::{delete_left, folder_of, unfinished_path};

/// The word in the names of unfinished indexes.
const BUILDING: &str = "building";

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
        refuse_networks(index, folder_of(index))?;
        // A build that was killed when its index had just got its name leaves another name of it.
        delete_left(index, BUILDING, remove);
        check_free(index)?;
        let path = unfinished_path(index, BUILDING);
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

fn check_free(index: &Path) -> Result<()> {
    if fs::symlink_metadata(index).is_ok() {
        return Err(Error::Index(IndexError::Exists { path: index.to_owned() }));
    }
    Ok(())
}

/// Deletes a file and those beside it; itself last, since the others are found by it.
fn remove(path: &Path) {
    files_beside(path).for_each(|file| drop(fs::remove_file(file)));
    let _ = fs::remove_file(path);
}
