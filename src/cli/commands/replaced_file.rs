//! The files of `--summary`, `--removed` and `--output`, which are replaced when a run is complete.
//!
//! The path is checked before the work begins, so a wrong path is reported early. The file is renamed to its final
//! name when the run is complete: a run that fails or is interrupted keeps the old file and leaves no temporary file.
//!
//! Devices, FIFOs and descriptors are opened at the start, and written during the run.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dedup_scan::documents::{OwnFiles, OwnUse};
use dedup_scan::records::{OutputFile, PendingFile, start_of};
use dedup_scan::results::report::FORMATS;

use crate::cli::interrupt::uninterrupted;
use crate::cli::messages::{self, Failure, Result, waiting};
use crate::cli::stream_writer::{StreamWriter, count_output};
use crate::cli::streams::{Destination, folder_of, raw_stderr, raw_stdout};

/// The flag and the content of an output file, and the first bytes of files that it may overwrite.
#[derive(Debug)]
pub(crate) struct Purpose {
    flag: &'static str,
    what: &'static str,
    /// The possible first bytes of such files.
    starts: &'static [&'static [u8]],
    /// Whether the file may be a report.
    is_report: bool,
}

/// The number of first bytes that identify an output of an earlier run.
const START_BYTES: u64 = 128;

pub(crate) const SUMMARY: Purpose =
    Purpose { flag: "--summary", what: "the summary", starts: &[b"{\"documents\":"], is_report: false };
pub(crate) const REMOVED: Purpose =
    Purpose { flag: "--removed", what: "the list of removed documents", starts: &[b"{\"removed\":"], is_report: false };
pub(crate) const CUTS: Purpose =
    Purpose { flag: "--cuts", what: "the list of cuts", starts: &[b"{\"document\":"], is_report: false };
pub(crate) const HITS: Purpose =
    Purpose { flag: "--hits", what: "the list of found benchmarks", starts: &[b"{\"benchmark\":"], is_report: false };
pub(crate) const FORMAT: Purpose = Purpose { flag: "--format", what: "a report", starts: &[], is_report: true };
pub(crate) const BASELINE: Purpose =
    Purpose { flag: "--baseline", what: "the baseline", starts: &[b"{\"dedup_baseline\":"], is_report: false };
pub(crate) const OUTPUT: Purpose = Purpose {
    flag: "--output",
    what: "the output",
    // Pairs, groups, labels or documents, baselines and plans.
    starts: &[b"{\"a\":", b"{\"dedup_baseline\":", b"{\"group\":", b"{\"name\":", b"#!/bin/sh\n# Written by dedup "],
    is_report: true,
};

impl Purpose {
    pub(crate) fn flag(&self) -> &'static str {
        self.flag
    }

    /// Whether a file is empty, or was written for this purpose by an earlier run.
    pub(crate) fn is_of(&self, path: &Path) -> bool {
        start_of(path, START_BYTES)
            .is_ok_and(|list| list.is_empty() || self.starts.iter().any(|start| list.starts_with(start)))
    }
}

/// A file that a complete run replaces or creates.
pub(crate) struct ReplacedFile<'a> {
    /// The path as given.
    path: &'a Path,
    purpose: &'static Purpose,
    target: Target,
    quiet: bool,
}

enum Target {
    Stream(StreamWriter),
    Pending {
        file: OutputFile,
        /// The path with all links resolved.
        place: PathBuf,
        /// Permissions of the file that is replaced, if it exists.
        permissions: Option<Permissions>,
        /// Whether the folder refuses new files, so that the file itself is overwritten.
        in_place: bool,
    },
}

impl<'a> ReplacedFile<'a> {
    /// Checks that the file can be written. A file that exists is added to `own_files`.
    ///
    /// # Errors
    /// When the file cannot be written, or would overwrite another output or a list.
    pub(crate) fn open(
        path: &'a Path,
        purpose: &'static Purpose,
        own_files: &mut OwnFiles,
        quiet: bool,
    ) -> Result<Self> {
        let failed = |source| Failure::file(purpose.flag, purpose.what, path, source);
        let destination = match path == Path::new("-") {
            true => Destination::Descriptor(1),
            false => Destination::of(path).map_err(failed)?,
        };
        let target = match destination {
            Destination::Descriptor(1) => raw_stdout().map(Target::stream),
            Destination::Descriptor(2) => raw_stderr().map(Target::stream),
            Destination::Descriptor(_) => open_to_append(path).map(Target::stream),
            Destination::Path(place) => match fs::metadata(&place) {
                Ok(metadata) if metadata.is_file() => {
                    let what = own_files.find(&metadata).map(|own| match own {
                        OwnUse::Messages => "standard error".into(),
                        OwnUse::List(flag) => format!("the list of {flag}"),
                        OwnUse::Written(what) => (*what).to_owned(),
                        OwnUse::Replaced { by, .. } => format!("what {by} goes to"),
                        OwnUse::Output => "standard output".into(),
                    });
                    if let Some(what) = what {
                        return Err(Failure::file_taken(purpose.flag, path, &what));
                    }
                    let is_own = purpose.is_own(&place, &metadata);
                    own_files.add(&metadata, OwnUse::Replaced { path: path.to_owned(), by: purpose.what, is_own });
                    Target::try_file(place, Some(metadata.permissions()))
                }
                Ok(_) => {
                    if !quiet {
                        waiting::report_waiting_output(path);
                    }
                    open_to_append(&place).map(Target::stream)
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => Target::try_file(place, None),
                Err(error) => Err(error),
            },
        };
        Ok(Self { path, purpose, target: target.map_err(failed)?, quiet })
    }

    /// Refuses two flags with the same file, if that file does not exist yet.
    ///
    /// # Errors
    /// When `other` has the same place.
    pub(crate) fn check_other(&self, other: &Self) -> Result<()> {
        match (&self.target, &other.target) {
            (Target::Pending { place: one, .. }, Target::Pending { place: two, .. }) if same_place(one, two) => {
                let what = format!("what {} goes to", self.purpose.what);
                Err(Failure::file_taken(other.purpose.flag, other.path, &what))
            }
            _ => Ok(()),
        }
    }

    /// Replaces or creates the file. On failure, a file that exists is unchanged.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn finish(self) -> Result<()> {
        self.finish_with("")
    }

    /// Finishes like [`finish`](Self::finish), and reports the file on a terminal unless the run is quiet.
    ///
    /// * `what`: the content, such as `23 pairs`; empty if the number of bytes is enough.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn finish_with(self, what: &str) -> Result<()> {
        let finished = match self.target {
            Target::Stream(mut stream) => stream.flush().map(|()| None),
            Target::Pending { file, place, permissions, in_place } => uninterrupted(|| {
                let (file, num_bytes) = file.into_file()?;
                finish(file, &place, permissions.as_ref(), in_place).map(|()| Some(num_bytes))
            }),
        };
        let num_bytes =
            finished.map_err(|source| Failure::file(self.purpose.flag, self.purpose.what, self.path, source))?;
        if let Some(num_bytes) = num_bytes.filter(|_| !self.quiet) {
            messages::wrote(self.path, what, num_bytes);
        }
        Ok(())
    }

    /// Writes all bytes to the disk. Nothing can be written afterwards.
    ///
    /// # Errors
    /// When the disk refuses them.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Stream(_) => Ok(()),
            Target::Pending { file, .. } => file.sync(),
        }
    }

    /// The failure of writing this file.
    pub(crate) fn failure(&self, source: io::Error) -> Failure {
        Failure::file(self.purpose.flag, self.purpose.what, self.path, source)
    }
}

impl Write for ReplacedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Stream(stream) => stream.write(bytes),
            Target::Pending { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Purpose {
    /// Whether a file is empty, or was written by an earlier run.
    fn is_own(&self, path: &Path, metadata: &Metadata) -> bool {
        let start = start_of(path, START_BYTES);
        let of_reports = FORMATS.iter().filter(|_| self.is_report).flat_map(|format| format.starts);
        let mut starts = self.starts.iter().copied().chain(of_reports.map(|own| own.as_bytes()));
        metadata.len() == 0 || start.is_ok_and(|start| starts.any(|own| start.starts_with(own)))
    }
}

impl Target {
    fn stream(file: File) -> Self {
        Self::Stream(StreamWriter::new(file))
    }

    /// Checks that a file can be replaced or created, and opens the temporary file.
    fn try_file(place: PathBuf, permissions: Option<Permissions>) -> io::Result<Self> {
        if place.file_name().is_none() || place.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if permissions.is_some() {
            // A file without write permission must not be replaced either.
            open_to_append(&place)?;
        } else {
            fs::metadata(folder_of(&place))?;
        }
        let (file, in_place) = match PendingFile::in_folder(folder_of(&place)) {
            // The folder refuses new files, but the file itself may be writable.
            Err(error) if permissions.is_some() && is_forbidden(&error) => {
                (PendingFile::in_folder(&std::env::temp_dir())?, true)
            }
            file => (file?, false),
        };
        count_output();
        let file = OutputFile::new(file, &place);
        Ok(Self::Pending { file, place, permissions, in_place })
    }
}

fn finish(file: PendingFile, place: &Path, permissions: Option<&Permissions>, in_place: bool) -> io::Result<()> {
    if in_place {
        return file.overwrite(place);
    }
    let again = file.try_clone()?;
    match file.persist(place, permissions) {
        // A rename cannot replace a mount point, as in containers.
        Err(_) if permissions.is_some() => again.overwrite(place),
        persisted => persisted,
    }
}

/// Whether two paths are the same place, even if the file does not exist yet.
pub(crate) fn same_place(one: &Path, two: &Path) -> bool {
    let folder = |path: &Path| fs::canonicalize(folder_of(path)).ok();
    one.file_name() == two.file_name() && folder(one) == folder(two)
}

/// Whether the error means that the folder refuses new files.
fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn open_to_append(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}
