//! `PendingFile`: a file that has no name until it is complete, so that nothing is left of one that never is.
//!
//! On Linux the system makes a file without a name (`O_TMPFILE`), which is linked and renamed into its place at the end.
//! Elsewhere, and where the file system has none of these, the file is unlinked as soon as it is made, and copied at the end.

use std::fs::{File, Permissions};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

/// A file that is written now and gets its name when it is complete.
#[derive(Debug)]
pub struct PendingFile {
    file: File,
    folder: PathBuf,
}

impl PendingFile {
    /// An empty file on the file system of a folder.
    ///
    /// # Errors
    /// When there can be no file in the folder.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: unnamed_in(folder)?, folder: folder.to_owned() })
    }

    /// Gives the file its name, in its folder: all of it is on the disk before, and a file of that name is replaced at once.
    ///
    /// * `permissions`: in place of those of any new file.
    ///
    /// # Errors
    /// When the folder or the disk refuses it. Then a file of that name is as it was.
    pub fn persist(mut self, place: &Path, permissions: Option<&Permissions>) -> io::Result<()> {
        if let Some(permissions) = permissions {
            // Other permissions are no reason to fail.
            let _ = self.file.set_permissions(permissions.clone());
        }
        self.file.sync_all()?;
        let named = match link_in(&self.folder, &self.file) {
            Ok(named) => named,
            Err(_) => self.copy_beside(permissions)?,
        };
        named.persist(place).map_err(|failed| failed.error)?;
        // The name is on the disk when the folder is. Some file systems cannot be asked to.
        let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Overwrites a file with this one, for folders that take no new files. It is cut to its length afterwards: truncating it
    /// first would leave it empty on a full disk.
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

    /// Another handle of the same file, such as to overwrite with when it cannot be renamed.
    ///
    /// # Errors
    /// When the system has no more handles.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { file: self.file.try_clone()?, folder: self.folder.clone() })
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

/// Temporary names, for files with the permissions of any new file.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dedup-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(target_os = "linux")]
fn unnamed_in(folder: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    use rustix::io::Errno;
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => Ok(file.into()),
        // No such files on this file system, or in this kernel.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => tempfile::tempfile_in(folder).map_err(plain),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn unnamed_in(folder: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder).map_err(plain)
}

/// Gives a file without a name a temporary one.
#[cfg(target_os = "linux")]
fn link_in(folder: &Path, file: &File) -> io::Result<TempPath> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};
    let own = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link = |path: &Path| linkat(CWD, own.as_str(), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
    builder().make_in(folder, link).map(tempfile::NamedTempFile::into_temp_path)
}

#[cfg(not(target_os = "linux"))]
fn link_in(_: &Path, _: &File) -> io::Result<TempPath> {
    Err(io::ErrorKind::Unsupported.into())
}

/// tempfile's error names the temporary file, which the user does not know; that part is cut off.
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
