//! The file of `--summary`: the summary of a complete run in, one JSON object in a file out.
//!
//! The path is tried before the work begins, so a wrong one costs no run. The file is written when the run is complete, so a
//! run that fails or is interrupted leaves the old file as it was.
//!
//! A file is written beside its place and renamed. Devices, FIFOs and descriptors are opened at the start.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use dedup_scan::output::push_json;
use dedup_scan::{OwnFiles, OwnUse};
use tempfile::NamedTempFile;

use crate::cli::interrupt::uninterrupted;
use crate::cli::messages::{Failure, Result, waiting};
use crate::cli::streams::{Destination, folder_of, raw_stderr, raw_stdout};

/// The first bytes of every summary.
const START: &[u8] = b"{\"documents\":";

/// Where the summary goes.
pub(crate) struct SummaryFile<'a> {
    /// The path as given.
    path: &'a Path,
    target: Target,
}

enum Target {
    Stream(File),
    File {
        /// The path with all links followed.
        place: PathBuf,
        /// Those of the file that is replaced, if there is one.
        permissions: Option<Permissions>,
    },
}

impl<'a> SummaryFile<'a> {
    /// Checks that the summary can be written. Adds a file that exists to the run's own files.
    ///
    /// # Errors
    /// When it cannot, or when it would overwrite the output or a list.
    pub(crate) fn open(path: &'a Path, own_files: &mut OwnFiles, quiet: bool) -> Result<Self> {
        if path == Path::new("-") {
            return Err(Failure::SummaryDash);
        }
        let failed = |source| Failure::Summary { path: path.to_owned(), source };
        let target = match Destination::of(path).map_err(failed)? {
            Destination::Descriptor(1) => raw_stdout().map(Target::Stream),
            Destination::Descriptor(2) => raw_stderr().map(Target::Stream),
            Destination::Descriptor(_) => open_to_append(path).map(Target::Stream),
            Destination::Path(place) => match fs::metadata(&place) {
                Ok(metadata) if metadata.is_file() => {
                    let what = own_files.find(&metadata).map(|own| match own {
                        OwnUse::Messages => "standard error".into(),
                        OwnUse::List(flag) => format!("the list of {flag}"),
                        _ => "standard output".into(),
                    });
                    if let Some(what) = what {
                        return Err(Failure::SummaryTaken { path: path.to_owned(), what });
                    }
                    let is_summary = is_summary(&place, &metadata);
                    own_files.add(&metadata, OwnUse::Summary { path: path.to_owned(), is_summary });
                    Target::try_file(place, Some(metadata.permissions()))
                }
                Ok(_) => {
                    if !quiet {
                        waiting::report_waiting_output(path);
                    }
                    open_to_append(&place).map(Target::Stream)
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => Target::try_file(place, None),
                Err(error) => Err(error),
            },
        };
        Ok(Self { path, target: target.map_err(failed)? })
    }

    pub(crate) fn write(mut self, summary: &impl serde::Serialize) -> Result<()> {
        let mut line = Vec::new();
        push_json(&mut line, summary);
        debug_assert!(line.starts_with(START));
        line.push(b'\n');
        let written = uninterrupted(|| self.target.write(&line));
        written.map_err(|source| Failure::Summary { path: self.path.to_owned(), source })
    }
}

impl Target {
    /// Checks that a file can be replaced or created.
    fn try_file(place: PathBuf, permissions: Option<Permissions>) -> io::Result<Self> {
        if place.file_name().is_none() || place.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if permissions.is_some() {
            // A file that may not be written may not be replaced either.
            open_to_append(&place)?;
        } else {
            fs::metadata(folder_of(&place))?;
        }
        // The temporary file is removed at once, so that no interrupt can leave it behind.
        match beside(&place) {
            Err(error) if permissions.is_none() || !is_forbidden(&error) => Err(error),
            _ => Ok(Self::File { place, permissions }),
        }
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(file) => file.write_all(line),
            Self::File { place, permissions } => replace(place, permissions.as_ref(), line),
        }
    }
}

/// Replaces a file, or creates it. When that fails, a file that exists stays as it was.
fn replace(place: &Path, permissions: Option<&Permissions>, line: &[u8]) -> io::Result<()> {
    let mut beside = match beside(place) {
        Err(error) if permissions.is_some() && is_forbidden(&error) => return write_in_place(place, line),
        beside => beside?,
    };
    beside.as_file_mut().write_all(line)?;
    if let Some(permissions) = permissions {
        // Other permissions are no reason to fail.
        let _ = beside.as_file().set_permissions(permissions.clone());
    }
    match beside.persist(place) {
        Ok(_) => Ok(()),
        // A rename cannot replace a file that is a mount point, as in containers.
        Err(_) if permissions.is_some() => write_in_place(place, line),
        Err(failed) => Err(failed.error),
    }
}

/// A temporary file in the folder of `place`, with the permissions of any new file.
fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dedup-summary-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // tempfile's error names the temporary file, which the user does not know; that part is cut off.
    let plain = |error: io::Error| {
        let text = error.to_string();
        io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or_default().to_owned())
    };
    builder.tempfile_in(folder_of(place)).map_err(plain)
}

/// Whether the folder refuses new files. Its existing files may still be writable.
fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Overwrites a file, and cuts it to its length afterwards: truncating it first would leave it empty on a full disk.
fn write_in_place(place: &Path, line: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(place)?;
    file.write_all(line)?;
    file.set_len(line.len() as u64)
}

fn open_to_append(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}

/// Whether a file is the summary of an earlier run, or empty.
fn is_summary(path: &Path, metadata: &Metadata) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START.len() as u64).read_to_end(&mut start));
    metadata.len() == 0 || read.is_ok() && start == START
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_renamed_over_is_written_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("s.json");
        fs::write(&place, "an old one that is longer").unwrap();
        write_in_place(&place, b"new\n").unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"new\n");
    }
}
