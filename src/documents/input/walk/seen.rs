//! `Seen`: remembers which files the walk has reached, so that each is one document.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use crate::documents::input::paths::path_bytes;

/// The files that the walk has reached, as hashes of their real paths; 16 bytes per file.
///
/// Hard links have different paths and remain separate documents. A walk of one folder that does not follow links
/// cannot reach a file twice, so no paths are stored then.
pub(crate) struct Seen {
    paths: Option<HashSet<u128>>,
    follow: bool,
    parent: PathBuf,
    real_parent: PathBuf,
}

impl Seen {
    pub(crate) fn new(num_paths: usize, follow: bool) -> Self {
        let needed = num_paths > 1 || follow;
        Self { paths: needed.then(HashSet::new), follow, parent: PathBuf::new(), real_parent: PathBuf::new() }
    }

    pub(crate) fn is_new(&mut self, path: &Path) -> bool {
        if self.paths.is_none() {
            return true;
        }
        let real = self.real_path(path);
        let Some(paths) = &mut self.paths else { return true };
        // A file that vanished has no real path; reading it will report that.
        real.is_none_or(|real| paths.insert(xxh3_128(path_bytes(&real))))
    }

    fn real_path(&mut self, path: &Path) -> Option<PathBuf> {
        let is_link = || fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let name = path.file_name();
        if name.is_none() || self.follow || is_link() {
            return fs::canonicalize(path).ok();
        }
        // Files arrive folder by folder, so the real path of the last folder can usually be reused.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if self.parent != parent {
            self.real_parent = fs::canonicalize(parent).ok()?;
            self.parent = parent.to_owned();
        }
        Some(self.real_parent.join(name?))
    }
}
