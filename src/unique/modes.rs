//! `FolderModes`: the folders that files come from in, the same permissions for the folders of the output out.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::path::{Path, PathBuf};

/// The folders of an output, by their places in it, and the permissions of those that they come from.
///
/// A folder that its owner may not write gets its permissions when everything is in place: before, it could not be renamed.
#[derive(Debug, Default)]
pub(super) struct FolderModes(BTreeMap<PathBuf, Permissions>);

impl FolderModes {
    /// Adds the folders above a file.
    ///
    /// * `place`: of the file, in the output.
    /// * `with_root`: whether the output itself is one of them.
    pub(super) fn add(&mut self, file: &Path, place: &Path, with_root: bool) {
        for (from, to) in file.ancestors().zip(place.ancestors()).skip(1) {
            let is_root = to.as_os_str().is_empty();
            if is_root && !with_root || self.0.contains_key(to) {
                return;
            }
            let from = if from.as_os_str().is_empty() { Path::new(".") } else { from };
            if let Ok(metadata) = fs::metadata(from) {
                self.0.insert(to.to_owned(), metadata.permissions());
            }
        }
    }

    /// Takes all from others that they shall not have, and leaves all to the owner.
    pub(super) fn narrow(&self, root: &Path) {
        self.set(root, true);
    }

    /// Sets the rest, in the output that has its name.
    pub(super) fn finish(&self, root: &Path) {
        self.set(root, false);
    }

    /// Permissions that the system refuses are no reason to fail.
    #[cfg(unix)]
    fn set(&self, root: &Path, owner_has_all: bool) {
        use std::os::unix::fs::PermissionsExt;
        const OWNER: u32 = 0o700;
        // Folders stand behind those above them, which may let nobody through any more.
        for (place, permissions) in self.0.iter().rev() {
            let mode = permissions.mode();
            if owner_has_all || mode & OWNER != OWNER {
                let mode = if owner_has_all { mode | OWNER } else { mode };
                let _ = fs::set_permissions(root.join(place), Permissions::from_mode(mode & 0o7777));
            }
        }
    }

    #[cfg(not(unix))]
    fn set(&self, _: &Path, _: bool) {}
}
