//! `FolderModes`: gives the folders of the output the permissions of the folders that their files come from.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::path::{Path, PathBuf};

/// The folders of an output, by their relative paths, and the permissions that they get.
///
/// A folder that its owner may not write gets its permissions only after the output has its name; it could not be
/// renamed before.
#[derive(Debug, Default)]
pub(super) struct FolderModes(BTreeMap<PathBuf, Permissions>);

impl FolderModes {
    /// Adds the folders above a file.
    ///
    /// * `place`: path of the file in the output.
    /// * `with_root`: whether the output folder itself gets permissions too.
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

    /// Sets the permissions of every folder, but still lets the owner read, write and enter it.
    pub(super) fn narrow(&self, root: &Path) {
        self.set(root, true);
    }

    /// Sets the final permissions in the renamed output.
    pub(super) fn finish(&self, root: &Path) {
        self.set(root, false);
    }

    /// Sets permissions; it is not an error when the system refuses them.
    #[cfg(unix)]
    fn set(&self, root: &Path, owner_has_all: bool) {
        use std::os::unix::fs::PermissionsExt;
        const OWNER: u32 = 0o700;
        // Subfolders come first, since a parent folder may become inaccessible.
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
