//! Jobs: the files of the inputs, each with its documents, in document order. Fingerprints detect whether a file has
//! changed.

use std::fs::{self, Metadata};
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::fates::Fates;
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::input::{Inputs, TreeFile, TreeKind, each_file, path_bytes, path_of};

/// A file to copy or rewrite, a symbolic link, or an empty folder.
#[derive(Debug)]
pub(super) struct FileJob {
    pub(super) argument: usize,
    /// The path, as in the names of its documents.
    pub(super) path: PathBuf,
    /// The path below the argument.
    pub(super) inside: PathBuf,
    /// `None` for a symbolic link, which is copied as it is, and for an empty folder.
    pub(super) metadata: Option<Metadata>,
    pub(super) is_link: bool,
    /// The indices of the documents in the file.
    pub(super) documents: Range<usize>,
}

/// Fingerprints of all files of the inputs at one time: 8 bytes each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fingerprints(Vec<u64>);

impl Fingerprints {
    /// Computes the fingerprints of all files of the inputs without reading the files.
    pub(super) fn of(inputs: Inputs) -> Self {
        let mut prints = Vec::new();
        let seen = each_file(inputs, &mut |file| {
            prints.push(fingerprint(file.path, metadata_of(&file.kind)));
            Ok(())
        });
        seen.expect("nothing here fails");
        Self(prints)
    }
}

/// Whether two fingerprints belong to the same unchanged file.
///
/// * `links`: whether hard links are being made, which changes the time of the inode but not the file.
pub(super) fn is_same(a: u64, b: u64, links: bool) -> bool {
    if links { a as u32 == b as u32 } else { a == b }
}

/// A number that changes with the file's path, device, inode, length or times. The time of the inode changes only the
/// upper half.
pub(super) fn fingerprint(path: &Path, metadata: Option<&Metadata>) -> u64 {
    let mut bytes = path_bytes(path).to_vec();
    if let Some(metadata) = metadata {
        bytes.extend_from_slice(&metadata.len().to_le_bytes());
        if let Ok(modified) = metadata.modified() {
            bytes.extend_from_slice(format!("{modified:?}").as_bytes());
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            bytes.extend_from_slice(&metadata.dev().to_le_bytes());
            bytes.extend_from_slice(&metadata.ino().to_le_bytes());
        }
    }
    let lower = xxh3_64(&bytes) >> 32;
    #[cfg(unix)]
    if let Some(metadata) = metadata {
        use std::os::unix::fs::MetadataExt;
        bytes.extend_from_slice(&metadata.ctime().to_le_bytes());
        bytes.extend_from_slice(&metadata.ctime_nsec().to_le_bytes());
    }
    xxh3_64(&bytes) << 32 | lower
}

fn metadata_of(kind: &TreeKind) -> Option<&Metadata> {
    match kind {
        TreeKind::File(metadata) => Some(metadata),
        TreeKind::Link | TreeKind::EmptyFolder => None,
    }
}

/// The error for a file that has changed since the scan.
pub(super) fn changed_file(path: &Path) -> Error {
    Error::Corpus(CorpusError::Changed(path.to_string_lossy().into_owned()))
}

/// The error for a scanned file that can no longer be opened or read.
pub(super) fn no_longer_readable(path: &Path, source: std::io::Error) -> Error {
    if source.kind() == std::io::ErrorKind::NotFound {
        return changed_file(path);
    }
    Error::Corpus(CorpusError::ReadAgain { place: path.to_string_lossy().into_owned(), source })
}

/// Passes the files of the inputs with their documents to `pass`. Returns the number of files and folders that the
/// walk skips.
///
/// * `prints`: the fingerprints from before the run.
/// * `links`: see [`is_same`].
///
/// # Errors
/// When a file has changed, was added or is missing, and when `pass` fails.
pub(super) fn each_job(
    inputs: Inputs,
    fates: Fates,
    prints: &Fingerprints,
    links: bool,
    pass: &mut dyn FnMut(FileJob) -> Result<()>,
) -> Result<u64> {
    let (mut prints, mut next) = (prints.0.iter(), 0);
    let passed_over = each_file(inputs, &mut |TreeFile { argument, path, inside, kind }| {
        let metadata = metadata_of(&kind);
        if !prints.next().is_some_and(|&print| is_same(print, fingerprint(path, metadata), links)) {
            return Err(changed_file(path));
        }
        let documents = next..if metadata.is_some() { end_of(path, fates, next) } else { next };
        next = documents.end;
        let metadata = metadata.cloned();
        let is_link = matches!(kind, TreeKind::Link);
        pass(FileJob { argument, path: path.to_owned(), inside: inside.to_owned(), metadata, is_link, documents })
    })?;
    if next < fates.len() || prints.next().is_some() {
        let place = inputs.paths.iter().chain(&inputs.listed).next().map(PathBuf::as_path);
        let last = if next < fates.len() { path_of(fates.origin(next).file) } else { place.unwrap_or(Path::new("-")) };
        return Err(changed_file(last));
    }
    Ok(passed_over)
}

/// The end of the documents of a file, which begin at `start`.
fn end_of(path: &Path, fates: Fates, start: usize) -> usize {
    let name = path_bytes(path);
    let mut last: Option<&[u8]> = None;
    let mut belongs = |document: usize| {
        let file = fates.origin(document).file;
        if file == name || last == Some(file) {
            return true;
        }
        // A file next to an archive may have the same name as one of its members.
        let is_inside = file.strip_prefix(name).is_some_and(|inside| inside.starts_with(b"!"))
            && fs::symlink_metadata(path_of(file)).is_err();
        if is_inside {
            last = Some(file);
        }
        is_inside
    };
    (start..fates.len()).find(|&document| !belongs(document)).unwrap_or(fates.len())
}
