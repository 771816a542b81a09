//! `ChangedFiles`: decides whether the file of a document differs from its content in a revision.
//!
//! Git only lists names and hashes; contents are compared here, and only for files that are looked up.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::blob::has_hash;
use super::git::{ChangesError, Repository, base_of, top_of};
use crate::documents::input::{path_bytes, path_of};
use crate::results::saved::file_of;

/// The files that were changed since a revision.
#[derive(Debug)]
pub struct ChangedFiles {
    /// The folder to which relative names refer.
    folder: PathBuf,
    /// The top folder of the repository's work tree, without symbolic links.
    top: PathBuf,
    /// The files of the revision, with their hashes.
    base: HashMap<PathBuf, String>,
    /// The files of the revision by their hashes.
    by_hash: HashMap<String, Vec<PathBuf>>,
    is_sha256: bool,
    /// Files that are tracked but not in the revision, and untracked files that git does not ignore.
    new: HashSet<PathBuf>,
    /// Folders whose files are all new.
    folders: Vec<PathBuf>,
    /// The results of earlier calls of `is_changed`.
    asked: HashMap<Vec<u8>, bool>,
    num_outside: u64,
    first_outside: Option<PathBuf>,
}

/// The mode of a submodule in a tree.
const SUBMODULE: &str = "160000";
/// The number of digits of a hash in a SHA-256 repository.
const SHA256_DIGITS: usize = 64;

impl ChangedFiles {
    /// Lists with git what was changed.
    ///
    /// * `folder`: the folder to which relative file names refer.
    /// * `input`: a file or folder. If it is not in the work tree of `folder`, its own work tree is used.
    /// * `revision`: a revision in git's syntax.
    ///
    /// # Errors
    /// When git is not installed, the work tree or the revision does not exist, or git fails.
    pub fn since(folder: &Path, input: Option<&Path>, revision: &str) -> Result<Self, ChangesError> {
        let top = top_around(folder, input)?;
        let base = base_of(&top, revision)?;
        let mut changed = Self {
            folder: folder.to_owned(),
            top: top.clone(),
            base: HashMap::new(),
            by_hash: HashMap::new(),
            is_sha256: base.len() == SHA256_DIGITS,
            new: HashSet::new(),
            folders: Vec::new(),
            asked: HashMap::new(),
            num_outside: 0,
            first_outside: None,
        };
        changed.add(Repository { folder: &top, is_submodule: false }, &base)?;
        Ok(changed)
    }

    /// Whether a file was changed. A file outside the repository counts as unchanged, and is counted separately.
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

    /// The number of files that were looked up and are outside the repository, and the first of them.
    pub fn outside(&self) -> Option<(u64, &Path)> {
        Some((self.num_outside, self.first_outside.as_deref()?))
    }

    /// The top folder of the repository's work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    fn find(&mut self, file: &[u8]) -> bool {
        if file == b"-" {
            return false;
        }
        let path = self.folder.join(path_of(file));
        let path = file_of(path_bytes(&path)).unwrap_or(path);
        // Both the place of a symbolic link and the place of its target.
        let whole = path.canonicalize().ok();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = parent.canonicalize().ok().zip(path.file_name()).map(|(parent, name)| parent.join(name));
        let mut places: Vec<PathBuf> = whole.into_iter().chain(beside).collect();
        places.dedup();
        if !places.iter().any(|place| place.starts_with(&self.top)) {
            self.num_outside += 1;
            self.first_outside.get_or_insert(path);
            return false;
        }
        places.iter().any(|place| self.differs(place))
    }

    /// Whether the content of a file differs from the revision.
    fn differs(&self, place: &Path) -> bool {
        if self.folders.iter().any(|folder| place.starts_with(folder)) {
            return true;
        }
        let has_hash = |is_stored: &dyn Fn(&str) -> bool| has_hash(place, self.is_sha256, is_stored).unwrap_or(false);
        match self.base.get(place) {
            Some(base) => !has_hash(&|hash| hash == base),
            // A file that was moved has the content of a file that no longer exists.
            None => {
                let is_gone = |place: &PathBuf| place.symlink_metadata().is_err();
                let is_moved = |hash: &str| self.by_hash.get(hash).is_some_and(|places| places.iter().any(is_gone));
                self.new.contains(place) && !has_hash(&is_moved)
            }
        }
    }

    /// Adds the files of a repository, and of its submodules.
    fn add(&mut self, repository: Repository, base: &str) -> Result<(), ChangesError> {
        let top = repository.folder;
        let tree = repository.git(&["ls-tree", "-r", "-z", "--full-tree", base])?;
        for TreeEntry { mode, hash, path } in entries(&tree) {
            let place = top.join(path_of(path));
            if mode != SUBMODULE {
                self.by_hash.entry(hash.to_owned()).or_default().push(place.clone());
                self.base.insert(place, hash.to_owned());
            } else if is_checked_out(&place) {
                self.add_submodule(&place, hash)?;
            }
        }
        let submodules: HashSet<&[u8]> =
            entries(&tree).filter(|entry| entry.mode == SUBMODULE).map(|entry| entry.path).collect();
        let index = repository.git(&["ls-files", "-z", "--stage", "--full-name"])?;
        for TreeEntry { mode, path, .. } in entries(&index) {
            let place = top.join(path_of(path));
            match mode {
                SUBMODULE if submodules.contains(path) => {}
                SUBMODULE => self.folders.push(place),
                _ => drop(self.new.insert(place)),
            }
        }
        let others = repository.git(&["ls-files", "-z", "--others", "--exclude-standard", "--full-name"])?;
        for path in others.split(|&byte| byte == 0).filter(|path| !path.is_empty()) {
            match path.strip_suffix(b"/") {
                Some(folder) => self.folders.push(top.join(path_of(folder))),
                None => drop(self.new.insert(top.join(path_of(path)))),
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

/// The top folder of the repository that contains `folder`, or of the one that contains the input, if the input is
/// outside the first.
fn top_around(folder: &Path, input: Option<&Path>) -> Result<PathBuf, ChangesError> {
    let Some(input) = input.map(|input| folder.join(input)) else { return top_of(folder) };
    let Ok(place) = input.canonicalize() else { return top_of(folder) };
    match top_of(folder) {
        Ok(top) if place.starts_with(&top) => Ok(top),
        _ => top_of(if input.is_dir() { &input } else { input.parent().unwrap_or(&input) }),
    }
}

/// Whether the folder of a submodule contains a repository. Without one, git would use the repository above.
fn is_checked_out(place: &Path) -> bool {
    place.join(".git").exists()
}

/// A file or submodule of a tree or of the index.
struct TreeEntry<'a> {
    mode: &'a str,
    hash: &'a str,
    path: &'a [u8],
}

/// The entries of `git ls-tree -z`, `MODE TYPE HASH`, tab, path, NUL, or of `git ls-files -z --stage`, which has `MODE
/// HASH STAGE` before the tab.
fn entries(printed: &[u8]) -> impl Iterator<Item = TreeEntry<'_>> {
    printed.split(|&byte| byte == 0).filter_map(|line| {
        let tab = memchr::memchr(b'\t', line)?;
        let words: Vec<&str> = std::str::from_utf8(&line[..tab]).ok()?.split(' ').collect();
        let [mode, second, third] = words[..] else { return None };
        let hash = if third.len() > second.len() { third } else { second };
        Some(TreeEntry { mode, hash, path: &line[tab + 1..] })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_trees_and_of_the_index_are_taken_apart() {
        let printed =
            b"100644 blob 0123456789\ta b\x00160000 commit 9876543210\tc\n\xFF\x00100644 abcdef0123 0\tx\ty\0";
        let found: Vec<(&str, &str, &[u8])> =
            entries(printed).map(|entry| (entry.mode, entry.hash, entry.path)).collect();
        let wanted: [(&str, &str, &[u8]); 3] =
            [("100644", "0123456789", b"a b"), ("160000", "9876543210", b"c\n\xFF"), ("100644", "abcdef0123", b"x\ty")];
        assert_eq!(found, wanted);
        assert_eq!(entries(b"").count(), 0);
    }
}
