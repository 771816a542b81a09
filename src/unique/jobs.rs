//! Jobs: the files of the inputs, each with the documents that it holds, in document order; and whether a file is still
//! what it was.

use std::fs::{self, Metadata};
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::fates::Fates;
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::input::{Inputs, TreeFile, TreeKind, each_file, path_bytes, path_of};

/// A file that is copied or written anew, or a symbolic link or an empty folder.
#[derive(Debug)]
pub(super) struct FileJob {
    pub(super) argument: usize,
    /// As its documents are named.
    pub(super) path: PathBuf,
    /// The path below the argument.
    pub(super) inside: PathBuf,
    /// `None` for a symbolic link, which is copied as it is, and for an empty folder.
    pub(super) metadata: Option<Metadata>,
    pub(super) is_link: bool,
    /// The documents that it holds, by their numbers.
    pub(super) documents: Range<usize>,
}

/// The files of the inputs as they were at one time: 8 bytes each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fingerprints(Vec<u64>);

impl Fingerprints {
    /// Looks at all files of the inputs, and reads none.
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

/// Whether two fingerprints are of one file that did not change.
///
/// * `links`: whether hard links are made meanwhile, which changes the time of the inode and not the file.
pub(super) fn is_same(a: u64, b: u64, links: bool) -> bool {
    if links { a as u32 == b as u32 } else { a == b }
}

/// A number that changes with a file: its place on the disk, length and times. The time of the inode changes the upper half
/// alone.
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

/// The error for a file that has another content than when it was scanned.
pub(super) fn changed_file(path: &Path) -> Error {
    Error::Corpus(CorpusError::Changed(path.to_string_lossy().into_owned()))
}

/// The error for a file that was scanned and cannot be opened or read now.
pub(super) fn no_longer_readable(path: &Path, source: std::io::Error) -> Error {
    if source.kind() == std::io::ErrorKind::NotFound {
        return changed_file(path);
    }
    Error::Corpus(CorpusError::ReadAgain { place: path.to_string_lossy().into_owned(), source })
}

/// Passes on the files of the inputs with their documents. Returns how many files and folders the walk passes over.
///
/// * `prints`: the files as they were before the run.
/// * `links`: as [`is_same`] has it.
///
/// # Errors
/// When a file is not what it was, or there are more or fewer, and what `pass` returns.
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
        // A file beside an archive may have a name like that of a member.
        let is_inside = file.strip_prefix(name).is_some_and(|inside| inside.starts_with(b"!"))
            && fs::symlink_metadata(path_of(file)).is_err();
        if is_inside {
            last = Some(file);
        }
        is_inside
    };
    (start..fates.len()).find(|&document| !belongs(document)).unwrap_or(fates.len())
}
