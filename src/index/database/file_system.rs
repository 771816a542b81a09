//! Refuses network file systems, where locks and shared memory do not work between machines; and identifies the file of
//! an index.

use std::fs::Metadata;
use std::path::Path;

use crate::base::error::{Error, IndexError, Result};
use crate::base::storage::free_bytes;

/// The magic numbers of network file systems in `statfs`, with their names.
const OF_NETWORKS: [(u32, &str); 9] = [
    (0x0000_6969, "NFS"),
    (0x0000_517B, "SMB"),
    (0xFF53_4D42, "CIFS"),
    (0xFE53_4D42, "SMB2"),
    (0x0102_1997, "9P"),
    (0x00C3_6400, "Ceph"),
    (0x5346_414F, "AFS"),
    (0x6B41_4653, "AFS"),
    (0x7375_7245, "Coda"),
];

/// The name of a network file system, by its magic number.
fn network_of(magic: u32) -> Option<&'static str> {
    OF_NETWORKS.iter().find(|&&(other, _)| other == magic).map(|&(_, name)| name)
}

/// Returns an error if a path is on a network file system.
///
/// * `index`: the path for the message.
/// * `at`: the index, or the folder that will contain it.
pub(crate) fn refuse_networks(index: &Path, at: &Path) -> Result<()> {
    let Some(name) = magic_of(at).and_then(network_of) else { return Ok(()) };
    Err(Error::Index(IndexError::Network { path: index.to_owned(), name }))
}

/// The identity of a file, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "there are no such numbers"))]
pub(crate) struct FileIdentity {
    device: u64,
    number: u64,
}

impl FileIdentity {
    /// The identity of the file at a path; `None` when there is no file, or the system has no such numbers.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Self::of_metadata(&std::fs::metadata(path).ok()?)
    }

    /// The identity of a file from its metadata.
    #[cfg(unix)]
    pub(crate) fn of_metadata(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self { device: metadata.dev(), number: metadata.ino() })
    }

    /// Always `None`: this system has no such numbers.
    #[cfg(not(unix))]
    pub(crate) fn of_metadata(_metadata: &Metadata) -> Option<Self> {
        None
    }
}

/// Whether the disk of a file is too full for another small file; `false` if this is unknown.
pub(crate) fn has_no_room(at: &Path) -> bool {
    const SMALL: u64 = 64 << 10;
    let folder = at.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    free_bytes(folder).is_some_and(|free| free < SMALL)
}

#[cfg(target_os = "linux")]
fn magic_of(at: &Path) -> Option<u32> {
    // Opening the file reports the failure.
    rustix::fs::statfs(at).ok().map(|statistics| statistics.f_type as u32)
}

#[cfg(not(target_os = "linux"))]
fn magic_of(_at: &Path) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_networks_are_known_and_others_are_not() {
        assert_eq!([0x6969, 0xFF53_4D42, 0xEF53].map(network_of), [Some("NFS"), Some("CIFS"), None]);
        let folder = tempfile::tempdir().unwrap();
        assert!(refuse_networks(Path::new("x"), folder.path()).is_ok());
        // Checks that the magic number is read at all.
        if cfg!(target_os = "linux") {
            assert_eq!(magic_of(Path::new("/proc")), Some(0x9FA0));
        }
    }
}
