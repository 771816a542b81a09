//! `Seen`: remembers which files the walk has reached, so that each is one document.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use crate::input::paths::path_bytes;

/// The files passed on so far, by their real paths; 16 bytes each.
///
/// Hard links have paths of their own and stay two documents. One folder walked without following links cannot reach
/// a file twice, so then nothing is kept.
pub(super) struct Seen {
    paths: Option<HashSet<u128>>,
    follow: bool,
    parent: PathBuf,
    real_parent: PathBuf,
}

impl Seen {
    pub(super) fn new(num_paths: usize, follow: bool) -> Self {
        let needed = num_paths > 1 || follow;
        Self { paths: needed.then(HashSet::new), follow, parent: PathBuf::new(), real_parent: PathBuf::new() }
    }

    pub(super) fn is_new(&mut self, path: &Path) -> bool {
        if self.paths.is_none() {
            return true;
        }
        let real = self.real_path(path);
        let Some(paths) = &mut self.paths else { return true };
        // A file that vanished has no real path; reading it will say so.
        real.is_none_or(|real| paths.insert(xxh3_128(path_bytes(&real))))
    }

    fn real_path(&mut self, path: &Path) -> Option<PathBuf> {
        let is_link = || fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let name = path.file_name();
        if name.is_none() || self.follow || is_link() {
            return fs::canonicalize(path).ok();
        }
        // Files come folder by folder, so the last folder's real path mostly serves.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if self.parent != parent {
            self.real_parent = fs::canonicalize(parent).ok()?;
            self.parent = parent.to_owned();
        }
        Some(self.real_parent.join(name?))
    }
}
