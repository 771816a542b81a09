//! The files of `--summary`, `--removed` and `--output`: bytes of a complete run in, a file that is replaced at the end out.
//!
//! The path is tried before the work begins, so a wrong one costs no run. The file gets its name when the run is complete, so a
//! run that fails or is interrupted leaves the old file as it was, and nothing beside it.
//!
//! Devices, FIFOs and descriptors are opened at the start, and written as the run goes on.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use dedup_scan::documents::{OwnFiles, OwnUse};
use dedup_scan::records::PendingFile;
use dedup_scan::results::report::FORMATS;

use crate::cli::interrupt::uninterrupted;
use crate::cli::messages::{self, Failure, Result, waiting};
use crate::cli::stream_writer::{StreamWriter, count_output};
use crate::cli::streams::{Destination, folder_of, raw_stderr, raw_stdout};

/// What a file is for.
#[derive(Debug)]
pub(crate) struct Purpose {
    flag: &'static str,
    what: &'static str,
    /// The first bytes of every such file.
    starts: &'static [&'static [u8]],
    /// Whether it may be a report.
    is_report: bool,
}

pub(crate) const SUMMARY: Purpose =
    Purpose { flag: "--summary", what: "the summary", starts: &[b"{\"documents\":"], is_report: false };
pub(crate) const REMOVED: Purpose =
    Purpose { flag: "--removed", what: "the list of removed documents", starts: &[b"{\"removed\":"], is_report: false };
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

/// A file that a complete run replaces or creates.
pub(crate) struct ReplacedFile<'a> {
    /// The path as given.
    path: &'a Path,
    purpose: &'static Purpose,
    target: Target,
    num_bytes: u64,
    quiet: bool,
}

enum Target {
    Stream(StreamWriter),
    Pending {
        file: PendingFile,
        /// The path with all links followed.
        place: PathBuf,
        /// Those of the file that is replaced, if there is one.
        permissions: Option<Permissions>,
        /// Whether the folder refuses new files, so that the file itself is overwritten.
        in_place: bool,
    },
}

impl<'a> ReplacedFile<'a> {
    /// Checks that the file can be written. Adds one that exists to the run's own files.
    ///
    /// # Errors
    /// When it cannot, or when it would overwrite another output or a list.
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
                        return Err(Failure::FileTaken { flag: purpose.flag, path: path.to_owned(), what });
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
        Ok(Self { path, purpose, target: target.map_err(failed)?, num_bytes: 0, quiet })
    }

    /// Refuses two flags that name one file which is not there yet.
    ///
    /// # Errors
    /// When `other` goes to the same place.
    pub(crate) fn check_other(&self, other: &Self) -> Result<()> {
        match (&self.target, &other.target) {
            (Target::Pending { place: one, .. }, Target::Pending { place: two, .. }) if same_place(one, two) => {
                let what = format!("what {} goes to", self.purpose.what);
                Err(Failure::FileTaken { flag: other.purpose.flag, path: other.path.to_owned(), what })
            }
            _ => Ok(()),
        }
    }

    /// Replaces or creates the file. When that fails, a file that exists stays as it was.
    ///
    /// # Errors
    /// When it fails.
    pub(crate) fn finish(self) -> Result<()> {
        self.finish_with("")
    }

    /// As [`finish`](Self::finish), and a terminal is told what was written.
    ///
    /// * `what`: what is in it, such as `23 pairs`; empty where the number of bytes says enough.
    pub(crate) fn finish_with(self, what: &str) -> Result<()> {
        let is_named = !self.quiet && matches!(self.target, Target::Pending { .. });
        let (path, num_bytes) = (self.path, self.num_bytes);
        self.finish_target()?;
        if is_named {
            messages::wrote(path, what, num_bytes);
        }
        Ok(())
    }

    fn finish_target(self) -> Result<()> {
        let finished = match self.target {
            Target::Stream(mut stream) => stream.flush(),
            Target::Pending { file, place, permissions, in_place } => {
                uninterrupted(|| finish(file, &place, permissions.as_ref(), in_place))
            }
        };
        finished.map_err(|source| Failure::file(self.purpose.flag, self.purpose.what, self.path, source))
    }

    /// What it is when it cannot be written.
    pub(crate) fn failure(&self, source: io::Error) -> Failure {
        Failure::file(self.purpose.flag, self.purpose.what, self.path, source)
    }
}

impl Write for ReplacedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.target {
            Target::Stream(stream) => stream.write(bytes),
            Target::Pending { file, .. } => file.write(bytes),
        };
        self.num_bytes += written.as_ref().map_or(0, |&written| written as u64);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Purpose {
    /// Whether a file was written by an earlier run, or is empty.
    fn is_own(&self, path: &Path, metadata: &Metadata) -> bool {
        let mut start = Vec::new();
        let read = File::open(path).and_then(|file| file.take(128).read_to_end(&mut start));
        let of_reports = FORMATS.iter().filter(|_| self.is_report).flat_map(|format| format.starts);
        let mut starts = self.starts.iter().copied().chain(of_reports.map(|own| own.as_bytes()));
        metadata.len() == 0 || read.is_ok() && starts.any(|own| start.starts_with(own))
    }
}

impl Target {
    fn stream(file: File) -> Self {
        Self::Stream(StreamWriter::new(file))
    }

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
        let (file, in_place) = match PendingFile::in_folder(folder_of(&place)) {
            // Its existing files may still be writable.
            Err(error) if permissions.is_some() && is_forbidden(&error) => {
                (PendingFile::in_folder(&std::env::temp_dir())?, true)
            }
            file => (file?, false),
        };
        count_output();
        Ok(Self::Pending { file, place, permissions, in_place })
    }
}

fn finish(file: PendingFile, place: &Path, permissions: Option<&Permissions>, in_place: bool) -> io::Result<()> {
    if in_place {
        return file.overwrite(place);
    }
    let again = file.try_clone()?;
    match file.persist(place, permissions) {
        // A rename cannot replace a file that is a mount point, as in containers.
        Err(_) if permissions.is_some() => again.overwrite(place),
        persisted => persisted,
    }
}

/// Whether two paths, of which there may be no file yet, are one.
pub(crate) fn same_place(one: &Path, two: &Path) -> bool {
    let folder = |path: &Path| fs::canonicalize(folder_of(path)).ok();
    one.file_name() == two.file_name() && folder(one) == folder(two)
}

/// Whether the folder refuses new files.
fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn open_to_append(path: &Path) -> io::Result<File> {
    File::options().append(true).open(path)
}
