//! `PendingFile`: a file that has no name until it is complete, so that no incomplete file remains after an error.
//!
//! On Linux the system creates a file without a name (`O_TMPFILE`), which is linked and renamed to its final name at
//! the end. On other systems, and on file systems without such files, the file is unlinked as soon as it is created,
//! and copied at the end.

use std::fs::{File, Permissions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

/// A file that gets its name when it is complete.
#[derive(Debug)]
pub struct PendingFile {
    file: File,
    folder: PathBuf,
}

impl PendingFile {
    /// Creates an empty file on the file system of a folder.
    ///
    /// # Errors
    /// When the folder does not accept a new file.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: unnamed_in(folder)?, folder: folder.to_owned() })
    }

    /// Like [`in_folder`](Self::in_folder), but returns `None` where a file without a name could only get one by a copy of all
    /// its bytes.
    ///
    /// # Errors
    /// When the folder does not accept a new file.
    pub(crate) fn linkable_in(folder: &Path) -> io::Result<Option<Self>> {
        let file = linkable_in(folder)?;
        Ok(file.map(|file| Self { file, folder: folder.to_owned() }))
    }

    /// Gives the file its name in its folder, unless there is a file of that name. All its bytes are on the disk before that.
    ///
    /// # Errors
    /// When there is a file of that name, or the folder or the disk refuses this one.
    pub(crate) fn persist_new(mut self, place: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        match link(&self.file, place) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                let permissions = self.file.metadata()?.permissions();
                self.copy_beside(Some(&permissions))?.persist_noclobber(place).map_err(|failed| failed.error)?;
            }
            linked => linked?,
        }
        sync_folder(&self.folder);
        Ok(())
    }

    /// Gives the file its name in its folder. All its bytes are on the disk before that, and an existing file of that
    /// name is replaced atomically.
    ///
    /// * `permissions`: the permissions of the file, instead of the default ones of a new file.
    ///
    /// # Errors
    /// When the folder or the disk refuses the file. An existing file of that name is then unchanged.
    pub fn persist(mut self, place: &Path, permissions: Option<&Permissions>) -> io::Result<()> {
        if let Some(permissions) = permissions {
            // The file is written even if its permissions cannot be set.
            let _ = self.file.set_permissions(permissions.clone());
        }
        self.file.sync_all()?;
        let named = match link_in(&self.folder, &self.file) {
            Ok(named) => named,
            Err(_) => self.copy_beside(permissions)?,
        };
        named.persist(place).map_err(|failed| failed.error)?;
        sync_folder(&self.folder);
        Ok(())
    }

    /// Writes all bytes to the disk.
    ///
    /// # Errors
    /// When the disk refuses them.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// The number of bytes that the file has.
    ///
    /// # Errors
    /// When the system does not report it.
    pub fn num_bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Overwrites an existing file with this one, for folders that accept no new files. The existing file is cut to its
    /// new length afterwards: truncating it first would leave it empty on a full disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn overwrite(mut self, place: &Path) -> io::Result<()> {
        let mut over = File::options().write(true).open(place)?;
        self.file.rewind()?;
        let len = io::copy(&mut self.file, &mut over)?;
        over.set_len(len)?;
        over.sync_all()
    }

    /// Another handle of the open file.
    ///
    /// # Errors
    /// When the system has no more handles.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Creates another handle of the same file, for example to overwrite a file if renaming fails.
    ///
    /// # Errors
    /// When the system has no more handles.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { file: self.file.try_clone()?, folder: self.folder.clone() })
    }

    /// A file that cannot be written.
    #[cfg(test)]
    pub(super) fn unwritable(folder: &Path) -> Self {
        let place = folder.join("unwritable");
        File::create(&place).expect("the folder is writable");
        Self { file: File::open(place).expect("it exists"), folder: folder.to_owned() }
    }

    fn copy_beside(&mut self, permissions: Option<&Permissions>) -> io::Result<TempPath> {
        self.file.rewind()?;
        let mut copy = builder().tempfile_in(&self.folder).map_err(plain)?;
        io::copy(&mut self.file, copy.as_file_mut())?;
        if let Some(permissions) = permissions {
            let _ = copy.as_file().set_permissions(permissions.clone());
        }
        copy.as_file().sync_all()?;
        Ok(copy.into_temp_path())
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Builds temporary names for files with the default permissions of a new file.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dedup-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

fn unnamed_in(folder: &Path) -> io::Result<File> {
    linkable_in(folder)?.map_or_else(|| tempfile::tempfile_in(folder).map_err(plain), Ok)
}

/// Creates a file without a name, which can get one by [`link`]; `None` where the system has no such files.
#[cfg(target_os = "linux")]
fn linkable_in(folder: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => Ok(Some(file.into())),
        // This file system or kernel has no files without names.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn linkable_in(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Gives a name to a file without a name, unless there is a file of that name.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(CWD, own.as_str(), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a temporary name to a file without a name.
fn link_in(folder: &Path, file: &File) -> io::Result<TempPath> {
    builder().make_in(folder, |path| link(file, path)).map(tempfile::NamedTempFile::into_temp_path)
}

/// Writes the names in a folder to the disk, which some file systems do not support.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Cuts the path of the temporary file, which the user does not know, off an error of tempfile.
fn plain(error: io::Error) -> io::Error {
    let text = error.to_string();
    io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_there_when_it_is_complete_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file");
        let is_empty = || fs::read_dir(folder.path()).unwrap().next().is_none();
        let mut pending = PendingFile::in_folder(folder.path()).unwrap();
        pending.write_all(b"new\n").unwrap();
        assert!(is_empty());
        drop(pending);
        assert!(is_empty());
        for text in ["first\n", "second\n"] {
            let mut pending = PendingFile::in_folder(folder.path()).unwrap();
            pending.write_all(text.as_bytes()).unwrap();
            pending.persist(&place, None).unwrap();
            assert_eq!(fs::read_to_string(&place).unwrap(), text);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_new_file_does_not_replace_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file");
        // File systems without unnamed files test the copy.
        let new = || PendingFile::linkable_in(folder.path()).unwrap();
        for text in ["first\n", "second\n"] {
            let mut pending = new().unwrap_or_else(|| PendingFile::in_folder(folder.path()).unwrap());
            pending.write_all(text.as_bytes()).unwrap();
            let persisted = pending.persist_new(&place).map_err(|error| error.kind());
            assert_eq!(persisted, if text == "first\n" { Ok(()) } else { Err(io::ErrorKind::AlreadyExists) });
            assert_eq!(fs::read_to_string(&place).unwrap(), "first\n");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_copy_stands_in_where_files_cannot_be_linked() {
        let folder = tempfile::tempdir().unwrap();
        let mut pending = PendingFile::in_folder(folder.path()).unwrap();
        pending.write_all(b"copied\n").unwrap();
        let named = pending.copy_beside(None).unwrap();
        assert_eq!(fs::read(&named).unwrap(), b"copied\n");
    }

    #[test]
    fn a_file_that_cannot_be_renamed_over_is_written_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("s.json");
        fs::write(&place, "an old one that is longer").unwrap();
        let mut pending = PendingFile::in_folder(folder.path()).unwrap();
        pending.write_all(b"new\n").unwrap();
        pending.overwrite(&place).unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new\n");
    }
}
