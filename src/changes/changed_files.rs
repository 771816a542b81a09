//! `ChangedFiles`: the files of a work tree that differ from a revision, and whether the file of a document is one of them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::git::{ChangesError, Repository, base_of, top_of};
use crate::input::{path_bytes, path_of};
use crate::results::file_of;

/// What was changed since a revision.
#[derive(Debug)]
pub struct ChangedFiles {
    /// The folder that relative names are seen from.
    folder: PathBuf,
    /// The folder that the repository begins in, without links.
    top: PathBuf,
    files: HashSet<PathBuf>,
    /// Folders of which all is new.
    folders: Vec<PathBuf>,
    /// What was asked before.
    asked: HashMap<Vec<u8>, bool>,
    num_outside: u64,
    first_outside: Option<PathBuf>,
}

/// The mode of a submodule in a tree.
const SUBMODULE: &str = "160000";

impl ChangedFiles {
    /// Asks git what was changed.
    ///
    /// * `folder`: relative names of files are seen from it.
    /// * `input`: a file or folder; where it is not in the work tree of `folder`, its own work tree is asked about.
    /// * `revision`: as git takes it.
    ///
    /// # Errors
    /// When there is no git, no work tree or no such revision, or when git fails.
    pub fn since(folder: &Path, input: Option<&Path>, revision: &str) -> Result<Self, ChangesError> {
        let top = top_around(folder, input)?;
        let base = base_of(&top, revision)?;
        let (files, folders) = (HashSet::new(), Vec::new());
        let (asked, num_outside, first_outside) = (HashMap::new(), 0, None);
        let mut changed =
            Self { folder: folder.to_owned(), top: top.clone(), files, folders, asked, num_outside, first_outside };
        changed.add(Repository { folder: &top, is_submodule: false }, &base)?;
        Ok(changed)
    }

    /// Whether a file was changed. One outside of the repository was not, and is counted.
    ///
    /// * `file`: a path as given, or `archive!member`.
    pub fn is_changed(&mut self, file: &[u8]) -> bool {
        if let Some(&is_changed) = self.asked.get(file) {
            return is_changed;
        }
        let is_changed = self.find(file);
        self.asked.insert(file.to_owned(), is_changed);
        is_changed
    }

    /// The number of files that were asked about and are in no work tree of the repository, and the first of them.
    pub fn outside(&self) -> Option<(u64, &Path)> {
        Some((self.num_outside, self.first_outside.as_deref()?))
    }

    /// The folder that the repository begins in.
    pub fn top(&self) -> &Path {
        &self.top
    }

    fn find(&mut self, file: &[u8]) -> bool {
        if file == b"-" {
            return false;
        }
        let path = self.folder.join(path_of(file));
        let path = file_of(path_bytes(&path)).unwrap_or(path);
        // Where a link stands, and where it leads to.
        let whole = path.canonicalize().ok();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = parent.canonicalize().ok().zip(path.file_name()).map(|(parent, name)| parent.join(name));
        let places: Vec<PathBuf> = whole.into_iter().chain(beside).collect();
        if !places.iter().any(|place| place.starts_with(&self.top)) {
            self.num_outside += 1;
            self.first_outside.get_or_insert(path);
            return false;
        }
        places
            .iter()
            .any(|place| self.files.contains(place) || self.folders.iter().any(|folder| place.starts_with(folder)))
    }

    /// Adds what was changed in a repository, and in its submodules.
    fn add(&mut self, repository: Repository, base: &str) -> Result<(), ChangesError> {
        let top = repository.folder;
        // Whatever the user's settings are: renames, whole names, paths from the top.
        let raw = repository.git(
            &[
                "diff",
                "--raw",
                "-z",
                "--no-abbrev",
                "--find-renames",
                "--no-ext-diff",
                "-O/dev/null",
                "--no-relative",
                "--ignore-submodules=none",
                base,
                "--",
            ],
            b"",
        )?;
        let changes = changes(&raw);
        // Git has not looked into a file of another mode that is in the working tree alone.
        let of_another_mode: Vec<&[u8]> =
            changes.iter().filter(|change| change.has_another_mode()).map(|change| change.path).collect();
        let mut hashes = of_another_mode.iter().zip(repository.hashes_of(&of_another_mode)?);
        let deleted: HashSet<&str> =
            changes.iter().filter(|change| change.status == "D").map(|change| change.hashes[0]).collect();
        for change in changes {
            if change.has_another_mode()
                && let Some((_, Some(hash))) = hashes.next()
                && hash == change.hashes[0]
            {
                continue;
            }
            let place = top.join(path_of(change.path));
            if change.modes[1] != SUBMODULE {
                // A file whose mode alone was changed has the same content, and so has one that was only renamed.
                if !change.keeps_content() {
                    self.files.insert(place);
                }
            } else if change.modes[0] != SUBMODULE {
                self.folders.push(place);
            } else if is_checked_out(&place) {
                self.add_submodule(&place, change.hashes[0])?;
            }
        }
        let new = repository.git(&["ls-files", "-z", "--others", "--exclude-standard"], b"")?;
        let new: Vec<&[u8]> = new.split(|&byte| byte == 0).filter(|path| !path.is_empty()).collect();
        // A file that was moved without a word to git is one that is gone and one that is new.
        let hashes = if deleted.is_empty() { vec![None; new.len()] } else { repository.hashes_of(&new)? };
        for (path, hash) in new.into_iter().zip(hashes) {
            match path.strip_suffix(b"/") {
                Some(folder) => self.folders.push(top.join(path_of(folder))),
                None if hash.is_some_and(|hash| deleted.contains(hash.as_str())) => {}
                None => drop(self.files.insert(top.join(path_of(path)))),
            }
        }
        Ok(())
    }

    fn add_submodule(&mut self, place: &Path, base: &str) -> Result<(), ChangesError> {
        self.add(Repository { folder: place, is_submodule: true }, base).map_err(|error| {
            let place = place.strip_prefix(&self.top).unwrap_or(place).display();
            ChangesError(format!("submodule {place}: {error}; fetch the commit {base} there"))
        })
    }
}

/// The folder that the repository of `folder` begins in, or that of an input which is outside of it.
fn top_around(folder: &Path, input: Option<&Path>) -> Result<PathBuf, ChangesError> {
    let Some(input) = input.map(|input| folder.join(input)) else { return top_of(folder) };
    let Ok(place) = input.canonicalize() else { return top_of(folder) };
    match top_of(folder) {
        Ok(top) if place.starts_with(&top) => Ok(top),
        _ => top_of(if input.is_dir() { &input } else { input.parent().unwrap_or(&input) }),
    }
}

/// Whether there is a repository of its own in the folder of a submodule. Without one git would answer for that above.
fn is_checked_out(place: &Path) -> bool {
    place.join(".git").exists()
}

/// A line of `git diff --raw`.
struct RawChange<'a> {
    modes: [&'a str; 2],
    hashes: [&'a str; 2],
    status: &'a str,
    /// The new one, of a file that was renamed.
    path: &'a [u8],
}

impl RawChange<'_> {
    /// Whether a file got another mode, and git does not say whether its content is another too.
    fn has_another_mode(&self) -> bool {
        self.status == "M" && self.modes[0] != self.modes[1] && self.hashes[1].bytes().all(|byte| byte == b'0')
    }

    /// Whether the file has the same content as before.
    fn keeps_content(&self) -> bool {
        let [old, new] = self.hashes;
        // Zeros stand for no file, and for content that git has not stored.
        let is_stored = new.bytes().any(|byte| byte != b'0');
        self.status == "R100" || (old == new && is_stored)
    }
}

/// `:MODE MODE HASH HASH STATUS`, NUL, the path, NUL; of renames the old path and NUL before that.
fn changes(raw: &[u8]) -> Vec<RawChange<'_>> {
    let mut parts = raw.split(|&byte| byte == 0);
    let mut changes = Vec::new();
    while let Some(head) = parts.next().and_then(|head| std::str::from_utf8(head).ok()?.strip_prefix(':')) {
        let words: Vec<&str> = head.split(' ').collect();
        let [old_mode, new_mode, old_hash, new_hash, status] = words[..] else { break };
        let mut path = parts.next();
        if status.starts_with(['R', 'C']) {
            path = parts.next();
        }
        let Some(path) = path else { break };
        changes.push(RawChange { modes: [old_mode, new_mode], hashes: [old_hash, new_hash], status, path });
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_changes_are_taken_apart() {
        let raw = b":100644 100644 1 2 M\0a b\0:100644 100644 3 3 R100\0old\0new\0:000000 100644 0 4 A\0\xFF\0";
        let found: Vec<(&str, &[u8])> = changes(raw).iter().map(|change| (change.status, change.path)).collect();
        assert_eq!(found, [("M", b"a b".as_slice()), ("R100", b"new"), ("A", b"\xFF")]);
        assert!(changes(b"").is_empty());
    }

    #[test]
    fn content_that_git_has_not_stored_is_changed() {
        let raw = b":000000 100644 00 00 A\0new\0:100644 100644 3 00 M\0edited\0:100644 100755 3 3 M\0mode\0:1 1 3 3 R100\0x\0y\0";
        let kept: Vec<bool> = changes(raw).iter().map(RawChange::keeps_content).collect();
        assert_eq!(kept, [false, false, true, true]);
    }
}
