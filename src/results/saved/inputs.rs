//! The input files of a result: found by the names of documents, hashed when the result is saved, and checked when it
//! is read.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;
use std::time::SystemTime;

use rayon::prelude::*;
use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3;

use super::header::{DOCUMENTS, HEADER, InputRecord, PAIRS, ResultHeader};
use crate::base::error::{Error, Result};
use crate::base::problem::Reason;
use crate::documents::input::{Inputs, TreeKind, each_file, is_written, path_of};
use crate::records::{DocumentRecord, Name, Treatment};

/// Bytes hashed at a time.
const CHUNK: usize = 1 << 18;

/// The files of a run, collected from the names of its documents.
#[derive(Debug, Default)]
pub(super) struct InputFiles {
    /// Files that contain documents.
    files: BTreeSet<PathBuf>,
    /// Other files that the run encountered. The run could not read those that cannot be read now either.
    others: BTreeSet<PathBuf>,
    /// The file of the last record, which is usually the file of the next one too.
    last: Vec<u8>,
}

impl InputFiles {
    /// Adds the file that a document comes from.
    pub(super) fn add(&mut self, record: &DocumentRecord) {
        if record.reason == Some(Reason::OwnFile) {
            // Files that runs write are not part of a corpus, and the next run may overwrite them.
            return;
        }
        if record.source.as_ref().is_some_and(|source| source.index.is_some()) {
            // The index was read, and not the file that was indexed.
            return;
        }
        let name = record.source.as_ref().map_or(&record.name, |source| &source.file).to_bytes();
        if name != self.last {
            let is_document = !matches!(record.treatment, Treatment::Binary | Treatment::Skipped);
            let files = if is_document { &mut self.files } else { &mut self.others };
            files.extend(file_of(&name));
            self.last = if is_document { name } else { Vec::new() };
        }
    }

    /// Adds all files of a corpus, including those without documents.
    pub(super) fn add_all(&mut self, inputs: Inputs) -> Result<()> {
        let all = each_file(inputs, &mut |file| {
            if matches!(file.kind, TreeKind::File(_)) && !is_written(file.path) {
                self.others.insert(file.path.to_owned());
            }
            Ok(())
        });
        all.map(drop)
    }

    /// Adds a file, or all files of a folder.
    pub(super) fn add_path(&mut self, path: &Path) {
        let files = WalkDir::new(path).follow_links(true).into_iter().flatten();
        self.files.extend(files.filter(|entry| entry.file_type().is_file()).map(|entry| entry.into_path()));
    }

    /// The records of all files, in the order of paths.
    ///
    /// * `since`: the time when the run began.
    ///
    /// # Errors
    /// When a file cannot be read, or was changed since the run began.
    pub(super) fn records(self, since: SystemTime) -> Result<Vec<InputRecord>> {
        let Self { files, mut others, .. } = self;
        others.retain(|file| !files.contains(file) && File::open(file).is_ok());
        let mut files: Vec<PathBuf> = files.into_iter().chain(others).collect();
        files.sort_unstable();
        let record = |file: PathBuf| {
            let changed = |fault: String| Error::InputChanged { path: file.clone(), fault };
            if fs::metadata(&file).is_ok_and(|metadata| was_changed(&metadata, since)) {
                return Err(changed("it was changed while the run read it".to_owned()));
            }
            let (bytes, hash) = hash_of(&file).map_err(|error| changed(error.to_string()))?;
            Ok(InputRecord { file: name_of(&file), bytes, hash })
        };
        files.into_par_iter().map(record).collect()
    }
}

/// Whether a file was changed since a time. Archives and cameras give files times in the future; only the system sets the
/// time of the last change of a file itself, which is in no future.
fn was_changed(metadata: &fs::Metadata, since: SystemTime) -> bool {
    let is_later = metadata.modified().is_ok_and(|modified| modified > since);
    is_later && changed_at(metadata).is_none_or(|changed| changed > since)
}

/// When the contents or the attributes of a file were changed; `None` where the system does not record it.
#[cfg(unix)]
fn changed_at(metadata: &fs::Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let (seconds, nanoseconds) = (metadata.ctime(), metadata.ctime_nsec());
    let since_epoch = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanoseconds).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since_epoch)
}

#[cfg(not(unix))]
fn changed_at(_: &fs::Metadata) -> Option<SystemTime> {
    None
}

/// The files of a saved folder that are not as they were saved, by length and hash, each with what is wrong.
pub(crate) fn changed_files(header: &ResultHeader, folder: &Path) -> Vec<(String, String)> {
    let fault = |name: &str| {
        let Some(saved) = header.files.iter().find(|saved| saved.file.to_bytes() == name.as_bytes()) else {
            return Some((HEADER.to_owned(), format!("does not say what is in {name}")));
        };
        match hash_of(&folder.join(name)) {
            Ok((bytes, hash)) if (bytes, &hash) == (saved.bytes, &saved.hash) => None,
            Ok(_) => Some((name.to_owned(), "is not as it was saved".to_owned())),
            Err(error) => Some((name.to_owned(), format!("cannot be read: {error}"))),
        }
    };
    [PAIRS, DOCUMENTS].into_iter().filter_map(fault).collect()
}

/// Checks that the files of a saved folder are unchanged, by length and hash.
///
/// # Errors
/// When a file was changed or cannot be read; the first such file.
pub(super) fn check_saved(header: &ResultHeader, folder: &Path) -> Result<()> {
    let fault = |(name, fault): (String, String)| {
        let fault = format!("{name} {fault}; scan again");
        Err(Error::SavedResult { path: folder.to_owned(), fault })
    };
    changed_files(header, folder).into_iter().next().map_or(Ok(()), fault)
}

/// The inputs of a result that were changed or cannot be read, each with what is wrong.
pub(crate) fn changed_inputs(header: &ResultHeader) -> Vec<(Name<'static>, String)> {
    let folder = header.folder_path();
    let fault = |input: &InputRecord| fault_of(input, &folder).map(|fault| (input.file.clone(), fault));
    header.inputs.par_iter().filter_map(fault).collect()
}

/// Checks that every input of a result is unchanged, by length and hash.
///
/// # Errors
/// When an input was changed or cannot be read; the first such input.
pub(super) fn check(header: &ResultHeader) -> Result<()> {
    let folder = header.folder_path();
    let fault = |input: &InputRecord| {
        let path = path_of(&input.file.to_bytes()).to_owned();
        fault_of(input, &folder).map(|fault| Error::InputChanged { path, fault })
    };
    header.inputs.par_iter().find_map_first(fault).map_or(Ok(()), Err)
}

/// How an input differs from its record; `None` if it does not.
fn fault_of(input: &InputRecord, folder: &Path) -> Option<String> {
    let file = folder.join(path_of(&input.file.to_bytes()));
    match fs::metadata(&file) {
        Err(error) => Some(error.to_string()),
        Ok(metadata) if metadata.len() != input.bytes => {
            Some(format!("it had {} bytes when the result was saved and has {}", input.bytes, metadata.len()))
        }
        Ok(_) => match hash_of(&file) {
            Ok((_, hash)) if hash == input.hash => None,
            Ok(_) => Some("it has other bytes than when the result was saved".to_owned()),
            Err(error) => Some(error.to_string()),
        },
    }
}

/// A path as a name.
pub(super) fn name_of(path: &Path) -> Name<'static> {
    Name::new(path.as_os_str().as_encoded_bytes()).into_owned()
}

/// The file that a document's name leads to: the name itself, the archive before a `!`, or the file of records before a
/// `:`.
pub(crate) fn file_of(name: &[u8]) -> Option<PathBuf> {
    // `-` is standard input, which cannot be read again.
    let is_file = |name: &[u8]| name != b"-" && path_of(name).is_file();
    if is_file(name) {
        return Some(path_of(name).to_owned());
    }
    let ends = name.iter().enumerate().filter(|&(_, byte)| matches!(byte, b'!' | b':')).map(|(at, _)| at);
    ends.map(|end| &name[..end]).find(|start| is_file(start)).map(|start| path_of(start).to_owned())
}

fn hash_of(file: &Path) -> io::Result<(u64, String)> {
    let (mut file, mut hash, mut buffer) = (File::open(file)?, Xxh3::new(), vec![0; CHUNK]);
    let mut len = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((len, format!("{:032x}", hash.digest128()))),
            Ok(count) => {
                hash.update(&buffer[..count]);
                len += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
