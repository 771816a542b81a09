//! `FilePlan`: lists the files to remove and the file kept for each, with the sizes and hashes that later prove them
//! unchanged.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::Xxh3;

use super::choice::StandIn;
use super::jobs::{changed_file, no_longer_readable};
use crate::base::error::{Error, Result};
use crate::documents::document::{DocId, Documents};

/// Bytes read and hashed at a time.
const CHUNK: usize = 1 << 18;

/// The action of a plan on a file that duplicates a kept one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanAction {
    /// Removes the duplicate.
    Remove,
    /// Moves the duplicate into this folder, keeping its path below it.
    Move(PathBuf),
    /// Replaces the duplicate by a hard link to the kept file.
    Link,
}

/// The duplicates among the files of a corpus and what to do with them. Needs about 120 bytes and the name for each
/// file of a group.
#[derive(Debug)]
pub struct FilePlan {
    pub(super) action: PlanAction,
    /// The folder that relative names start from.
    pub(super) folder: PathBuf,
    pub(super) files: Vec<PlannedFile>,
    /// The steps, sorted by the kept file, then by the duplicate.
    pub(super) steps: Vec<PlanStep>,
    left: Vec<LeftDocument>,
    num_documents: u64,
}

/// A file with the length and hashes of its scanned content.
#[derive(Debug)]
pub(super) struct PlannedFile {
    document: DocId,
    pub(super) path: PathBuf,
    pub(super) sum: FileSum,
}

/// A duplicate and the file kept for it, as indices into the files of the plan.
#[derive(Debug)]
pub(super) struct PlanStep {
    pub(super) file: usize,
    pub(super) kept: usize,
    pub(super) similarity: Option<f64>,
    /// Destination of the duplicate below the folder of [`PlanAction::Move`].
    pub(super) target: Option<PathBuf>,
}

/// A duplicate that the plan does not touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftDocument {
    /// The name of the document.
    pub name: Vec<u8>,
    /// The reason why the plan does not touch it.
    pub why: &'static str,
}

/// Length and hashes of the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileSum {
    pub(super) len: u64,
    pub(super) sha256: [u8; 32],
    pub(super) xxh3: u128,
}

/// Finds the files of documents and checks that they are unchanged.
pub(super) trait PlanFiles: Sync {
    /// The file of a document; `None` if the document is only a part of a file.
    fn path(&self, document: DocId) -> Option<&Path>;

    /// # Errors
    /// When the file has changed since the scan.
    fn check(&self, document: DocId, metadata: &Metadata, sum: io::Result<FileSum>) -> Result<FileSum>;
}

impl FileSum {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let (mut file, mut sha256, mut xxh3) = (File::open(path)?, Sha256::new(), Xxh3::new());
        let (mut buffer, mut len) = (vec![0; CHUNK], 0);
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(Self { len, sha256: sha256.finalize().into(), xxh3: xxh3.digest128() }),
                Ok(count) => {
                    sha256.update(&buffer[..count]);
                    xxh3.update(&buffer[..count]);
                    len += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl FilePlan {
    /// Plans the action for each duplicate, reading every file of a group once more.
    ///
    /// * `folder`: the folder that relative paths start from.
    ///
    /// # Errors
    /// When a file has changed since the scan.
    pub(super) fn new(
        action: PlanAction,
        folder: PathBuf,
        documents: &Documents,
        mut stand_ins: Vec<StandIn>,
        files: &dyn PlanFiles,
    ) -> Result<Self> {
        let action = match action {
            PlanAction::Move(into) => PlanAction::Move(working_folder()?.join(into)),
            action => action,
        };
        stand_ins.sort_unstable_by_key(|stand_in| (stand_in.by, stand_in.document));
        let (mut left, mut targets) = (Vec::new(), HashSet::new());
        let mut planned = Vec::new();
        for stand_in in stand_ins {
            match target(&action, &folder, stand_in, files) {
                Ok(target) if target.as_ref().is_none_or(|target| targets.insert(target.clone())) => {
                    planned.push((stand_in, target));
                }
                refused => {
                    let why = refused.err().unwrap_or("another file moves to the same place");
                    left.push(LeftDocument { name: documents.name(stand_in.document).to_owned(), why });
                }
            }
        }
        let mut ids: Vec<DocId> = planned.iter().flat_map(|(stand_in, _)| [stand_in.document, stand_in.by]).collect();
        ids.sort_unstable();
        ids.dedup();
        let read = |&document: &DocId| {
            let path = files.path(document).expect("it was looked at");
            let place = folder.join(path);
            let sum = FileSum::of(&place);
            let metadata = fs::metadata(&place).map_err(|error| no_longer_readable(path, error))?;
            let sum = files.check(document, &metadata, sum)?;
            Ok(PlannedFile { document, path: path.to_owned(), sum })
        };
        let files: Vec<PlannedFile> = ids.par_iter().map(read).collect::<Result<_>>()?;
        let number = |document| files.binary_search_by_key(&document, |file| file.document).expect("it was read");
        let step = |(StandIn { document, by, similarity, .. }, target)| PlanStep {
            file: number(document),
            kept: number(by),
            similarity,
            target,
        };
        let steps = planned.into_iter().map(step).collect();
        Ok(Self { action, folder, steps, files, left, num_documents: documents.len() as u64 })
    }

    /// Number of documents in the corpus.
    pub fn num_documents(&self) -> u64 {
        self.num_documents
    }

    /// Number of files that the plan removes, moves or links.
    pub fn num_files(&self) -> u64 {
        self.steps.len() as u64
    }

    /// Total length in bytes of the files that the plan removes, moves or links.
    pub fn num_bytes(&self) -> u64 {
        self.steps.iter().map(|step| self.files[step.file].sum.len).sum()
    }

    /// The duplicates that the plan does not touch, such as records.
    pub fn left(&self) -> &[LeftDocument] {
        &self.left
    }
}

/// The current folder, which relative paths start from.
///
/// # Errors
/// When the current folder cannot be determined.
pub(super) fn working_folder() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| Error::InputChanged { path: ".".into(), fault: error.to_string() })
}

/// The destination of a duplicate below the folder of [`PlanAction::Move`]; `None` for other actions.
///
/// # Errors
/// The reason why the plan must not touch the file.
fn target(
    action: &PlanAction,
    folder: &Path,
    stand_in: StandIn,
    files: &dyn PlanFiles,
) -> Result<Option<PathBuf>, &'static str> {
    let path = files.path(stand_in.document).ok_or("it is a record or a member of an archive, not a file")?;
    let kept =
        files.path(stand_in.by).ok_or("the file that is kept is a record or a member of an archive, not a file")?;
    let metadata = |path: &Path| fs::symlink_metadata(folder.join(path));
    let is_link = |path| metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    if is_link(path) || is_link(kept) {
        return Err("it, or the file that is kept, is a symbolic link");
    }
    match action {
        // Links to folders can give one file two names: the plan would then remove the only copy.
        PlanAction::Remove | PlanAction::Move(_) if is_one_file(metadata(path), metadata(kept)) => {
            Err("it and the file that is kept are the same file under two names")
        }
        PlanAction::Remove => Ok(None),
        PlanAction::Move(_) => {
            let names = path.components().filter_map(|part| match part {
                Component::Normal(name) => Some(name),
                _ => None,
            });
            Ok(Some(names.collect()))
        }
        PlanAction::Link
            if path.extension().map(OsStr::to_ascii_lowercase) != kept.extension().map(OsStr::to_ascii_lowercase) =>
        {
            Err("its extension differs from the file that is kept, so a link may have another format")
        }
        PlanAction::Link if is_one_file(metadata(path), metadata(kept)) => {
            Err("it is already a hard link to the file that is kept")
        }
        PlanAction::Link => Ok(None),
    }
}

#[cfg(unix)]
fn is_one_file(a: io::Result<Metadata>, b: io::Result<Metadata>) -> bool {
    use std::os::unix::fs::MetadataExt;
    matches!((a, b), (Ok(a), Ok(b)) if (a.dev(), a.ino()) == (b.dev(), b.ino()))
}

#[cfg(not(unix))]
fn is_one_file(_: io::Result<Metadata>, _: io::Result<Metadata>) -> bool {
    false
}

/// The files of a finished run, each with its fingerprint from before the run.
pub(super) struct RunFiles(pub(super) HashMap<DocId, (PathBuf, u64)>);

impl PlanFiles for RunFiles {
    fn path(&self, document: DocId) -> Option<&Path> {
        self.0.get(&document).map(|(path, _)| path.as_path())
    }

    fn check(&self, document: DocId, metadata: &Metadata, sum: io::Result<FileSum>) -> Result<FileSum> {
        let (path, print) = &self.0[&document];
        let is_same = super::jobs::fingerprint(path, Some(metadata)) == *print;
        let sum = sum.map_err(|error| no_longer_readable(path, error))?;
        if is_same && sum.len == metadata.len() { Ok(sum) } else { Err(changed_file(path)) }
    }
}
