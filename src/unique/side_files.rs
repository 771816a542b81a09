//! Side files: files that describe other files of a corpus, such as lists of checksums. They become wrong when a file
//! that they describe is written without its duplicates.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::documents::input::path_of;

/// Extensions that a side file adds to the name of the file that it describes.
const OF_ONE: [&str; 14] = [
    "md5",
    "md5sum",
    "sha1",
    "sha1sum",
    "sha224",
    "sha256",
    "sha256sum",
    "sha384",
    "sha512",
    "sha512sum",
    "sfv",
    "crc",
    "asc",
    "sig",
];
/// Names, without an extension such as `.txt`, of files that describe all files in their folder and its subfolders.
/// Hadoop and Spark write `_SUCCESS`, `_metadata` and `_common_metadata`.
const OF_FOLDERS: [&str; 30] = [
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "b2sum",
    "shasums",
    "shasums256",
    "shasums512",
    "hashes",
    "manifest",
    "md5sums",
    "sha1sums",
    "sha224sums",
    "sha256sums",
    "sha384sums",
    "sha512sums",
    "b2sums",
    "checksums",
    "checksum",
    "_success",
    "_metadata",
    "_common_metadata",
];
/// Extensions that the names in [`OF_FOLDERS`] may have.
const OF_LISTS: [&str; 7] = ["txt", "asc", "sig", "gpg", "md5", "sha256", "sha512"];
/// Names of JSON, CSV and other data files that describe all files in their folder and its subfolders. Hugging Face
/// writes `dataset_info`. `manifest` is not in this list, because some programs write a `manifest.json` that
/// describes no file.
const OF_DATA: [&str; 5] = ["checksums", "checksum", "hashes", "dataset_info", "dataset_infos"];
/// Extensions that the names in [`OF_DATA`] have.
const DATA: [&str; 4] = ["json", "jsonl", "csv", "tsv"];

/// The files of a corpus, or the members of an archive, that lose a document.
#[derive(Debug, Default)]
pub(super) struct RewrittenFiles(BTreeSet<PathBuf>);

impl RewrittenFiles {
    pub(super) fn insert(&mut self, path: &Path) {
        self.0.insert(path.to_owned());
    }

    /// Adds a member of an archive, and the archives within the archive that hold it.
    pub(super) fn insert_member(&mut self, member: &[u8]) {
        let ends = memchr::memchr_iter(b'!', member).chain([member.len()]);
        self.0.extend(ends.map(|end| path_of(&member[..end]).to_owned()));
    }

    /// Whether a file describes any of the rewritten files.
    pub(super) fn are_described_by(&self, path: &Path) -> bool {
        if self.0.is_empty() || self.0.contains(path) {
            return false;
        }
        let Some(name) = path.file_name().map(|name| name.to_string_lossy().to_lowercase()) else { return false };
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name.as_str(), ""));
        let is_list = |name: &str| {
            OF_FOLDERS.contains(&name) || name.starts_with("manifest-") || name.starts_with("tagmanifest-")
        };
        let is_data = OF_DATA.contains(&stem) && DATA.contains(&extension);
        if is_list(&name) || is_list(stem) && OF_LISTS.contains(&extension) || is_data {
            let folder = path.parent().unwrap_or(Path::new(""));
            return self.0.iter().any(|changed| changed.starts_with(folder));
        }
        // The extension is added to the name of the described file; Hadoop also adds a leading dot.
        let described = path.with_extension("");
        let hidden = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix('.'));
        let hidden = hidden.and_then(|name| name.rsplit_once('.')).map(|(name, _)| path.with_file_name(name));
        OF_ONE.contains(&extension)
            && (self.0.contains(&described) || hidden.is_some_and(|described| self.0.contains(&described)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_file_describes_one_file_or_a_folder() {
        let mut changed = RewrittenFiles::default();
        assert!(!changed.are_described_by(Path::new("in/SHA256SUMS")));
        changed.insert(Path::new("in/a/x.jsonl"));
        for (path, is_described) in [
            ("in/SHA256SUMS", true),
            ("in/sha256sums.txt", true),
            ("in/a/md5sums", true),
            ("in/sha1.txt", true),
            ("in/b/MD5SUMS", false),
            ("in/a/x.jsonl.md5", true),
            ("in/a/y.jsonl.md5", false),
            ("in/a/.x.jsonl.crc", true),
            ("in/a/_SUCCESS", true),
            ("in/manifest-sha256.txt", true),
            ("in/manifest.json", false),
            ("in/MANIFEST", true),
            ("in/checksums.json", true),
            ("in/a/dataset_info.json", true),
            ("in/b/dataset_info.json", false),
            ("in/SHASUMS256.txt", true),
            ("in/a/x.jsonl", false),
            ("in/a/checksums.rs", false),
        ] {
            assert_eq!(changed.are_described_by(Path::new(path)), is_described, "{path}");
        }
    }

    #[test]
    fn a_member_changes_with_the_archives_that_hold_it() {
        let mut changed = RewrittenFiles::default();
        changed.insert_member(b"a/b.zip!c.txt");
        assert!(changed.are_described_by(Path::new("a/b.zip.sha256")));
        assert!(changed.are_described_by(Path::new("SHA256SUMS")));
        assert!(!changed.are_described_by(Path::new("d/SHA256SUMS")));
    }
}
