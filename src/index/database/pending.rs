//! `PendingIndex`: an index that gets its name only when it is complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::file::files_beside;
use super::file_faults::io_fault;
use super::file_system::refuse_networks;
use crate::base::error::{Error, IndexError, Result};
use crate::records::{delete_left, folder_of, unfinished_path};

/// The word in the names of unfinished indexes.
const BUILDING: &str = "building";

/// An unfinished file next to the future index; deleted unless it gets its final name.
pub(crate) struct PendingIndex {
    index: PathBuf,
    path: PathBuf,
    /// A locked handle, so that other processes know that this file is in use.
    _lock: File,
}

impl PendingIndex {
    /// Creates an empty file in the folder of the index, and deletes unfinished files of killed builds there.
    ///
    /// # Errors
    /// When the index exists already, or the folder cannot be written.
    pub(crate) fn create(index: &Path) -> Result<Self> {
        refuse_networks(index, folder_of(index))?;
        // A build that was killed just after its index got its name leaves the unfinished name as a second link.
        delete_left(index, BUILDING, remove);
        check_free(index)?;
        let path = unfinished_path(index, BUILDING);
        let create = || {
            let file = File::options().read(true).write(true).create_new(true).open(&path)?;
            // On a system without such locks, no process checks for them.
            let _ = file.try_lock();
            Ok(file)
        };
        let lock = create().map_err(|error: io::Error| io_fault(index, "write", &error))?;
        Ok(Self { index: index.to_owned(), path, _lock: lock })
    }

    /// The path of the unfinished file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its final name; it is on the disk under this name afterwards.
    ///
    /// # Errors
    /// When the index exists already.
    pub(crate) fn persist(self) -> Result<()> {
        let fault = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::Index(IndexError::Exists { path: self.index.clone() }),
            _ => io_fault(&self.index, "write", &error),
        };
        // A hard link never replaces a file; without hard links, a check before the rename has to suffice.
        match fs::hard_link(&self.path, &self.index) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(fault(error)),
            Err(_) => {
                check_free(&self.index)?;
                fs::rename(&self.path, &self.index).map_err(fault)?;
            }
        }
        let folder = folder_of(&self.index);
        // Some file systems cannot sync a folder.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for PendingIndex {
    fn drop(&mut self) {
        // After a hard link, this path is the second name; after a rename, the file is gone.
        remove(&self.path);
    }
}

fn check_free(index: &Path) -> Result<()> {
    if fs::symlink_metadata(index).is_ok() {
        return Err(Error::Index(IndexError::Exists { path: index.to_owned() }));
    }
    Ok(())
}

/// Deletes a file and its auxiliary files; the file itself last, since the others are found by its name.
fn remove(path: &Path) {
    files_beside(path).for_each(|file| drop(fs::remove_file(file)));
    let _ = fs::remove_file(path);
}
