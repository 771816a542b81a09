//! `UnfinishedFolder`: a folder next to the path of an output until that output is complete. The next run finds and
//! deletes the folders that killed runs left.
//!
//! The unfinished output of NAME is `.NAME.KIND-PROCESS`, in the folder of NAME. The process that writes it holds a
//! lock on it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

/// Maximum length of an output's name that becomes part of the temporary name; a longer name is replaced by its hash,
/// because file systems allow 255 bytes.
const MOST_BYTES: usize = 200;

/// The path of an unfinished output of this process.
///
/// * `kind`: a word for the kind of output.
pub(crate) fn unfinished_path(place: &Path, kind: &str) -> PathBuf {
    let mut name = prefix(place, kind);
    name.push(std::process::id().to_string());
    place.with_file_name(name)
}

/// Deletes the unfinished outputs at `place` whose processes have ended.
///
/// * `delete`: deletes the output at a path.
pub(crate) fn delete_left(place: &Path, kind: &str, delete: impl Fn(&Path)) {
    let Ok(entries) = fs::read_dir(folder_of(place)) else { return };
    let prefix = prefix(place, kind);
    for entry in entries.flatten() {
        let name = entry.file_name();
        let process = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let is_unfinished = process.is_some_and(|id| !id.is_empty() && id.iter().all(u8::is_ascii_digit));
        // A symbolic link with this name was not made by this program, and may lead anywhere.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if is_unfinished && !is_link && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            delete(&entry.path());
        }
    }
}

/// The folder that contains `place`.
pub(crate) fn folder_of(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn prefix(place: &Path, kind: &str) -> OsString {
    let name = place.file_name().unwrap_or_default();
    let mut prefix = OsString::from(".");
    if name.len() <= MOST_BYTES {
        prefix.push(name);
    } else {
        prefix.push(format!("{:016x}", xxh3_64(name.as_encoded_bytes())));
    }
    prefix.push(format!(".{kind}-"));
    prefix
}

/// A folder for an unfinished output; dropping it deletes the folder and its content.
#[derive(Debug)]
pub(crate) struct UnfinishedFolder {
    path: PathBuf,
    /// The locked folder; `None` if the system cannot lock folders.
    _lock: Option<File>,
}

impl UnfinishedFolder {
    /// Creates an empty folder that only its owner may use, and deletes the folders that ended processes left at
    /// `place`.
    ///
    /// # Errors
    /// When the folder cannot be created next to `place`.
    pub(crate) fn create(place: &Path, kind: &str) -> io::Result<Self> {
        Self::delete_left(place, kind);
        let path = unfinished_path(place, kind);
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        let lock = File::open(&path).ok().filter(|folder| folder.try_lock().is_ok());
        Ok(Self { path, _lock: lock })
    }

    /// Deletes the folders that ended processes left at `place`.
    pub(crate) fn delete_left(place: &Path, kind: &str) {
        delete_left(place, kind, |folder| drop(fs::remove_dir_all(folder)));
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for UnfinishedFolder {
    fn drop(&mut self) {
        // After the folder was renamed there is nothing to delete.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_left_is_deleted_and_what_somebody_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        for place in ["r".to_owned(), "é".repeat(127)].map(|name| folder.path().join(name)) {
            let left = PathBuf::from(unfinished_path(&place, "saving").into_os_string().into_string().unwrap() + "999");
            let others = ["saving-", "saving-x", "writing-1"].map(|end| place.with_file_name(format!(".r.{end}")));
            [&left, &others[0], &others[1], &others[2]].iter().for_each(|path| drop(fs::create_dir(path)));
            fs::write(left.join("pairs"), "some").unwrap();
            let first = UnfinishedFolder::create(&place, "saving").unwrap();
            assert!(!left.exists() && others.iter().all(|other| other.exists()));
            UnfinishedFolder::delete_left(&place, "saving");
            assert!(first.path().exists());
            let path = first.path().to_owned();
            drop(first);
            assert!(!path.exists());
        }
    }
}
