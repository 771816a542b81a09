//! The standard streams: whether each was open when the program started, and which paths lead to them.
//!
//! The standard library replaces a closed stream by `/dev/null`, so output to it would be lost silently. A closed
//! stream and a stream redirected to `/dev/null` can only be distinguished before `main`, so the streams are checked
//! there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
mod start {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{OFlags, fcntl_getfl};
    use rustix::stdio;

    pub(super) static CAN_READ: AtomicBool = AtomicBool::new(true);
    pub(super) static CAN_WRITE: AtomicBool = AtomicBool::new(true);

    // Only system calls are used, since the standard library is not set up yet.
    ctor::declarative::ctor! {
        #[ctor(unsafe)]
        fn check_streams() {
            let is_open_except = |stream, other| {
                fcntl_getfl(stream).is_ok_and(|flags| flags & OFlags::ACCMODE != other)
            };
            CAN_READ.store(is_open_except(stdio::stdin(), OFlags::WRONLY), Ordering::Relaxed);
            CAN_WRITE.store(is_open_except(stdio::stdout(), OFlags::RDONLY), Ordering::Relaxed);
        }
    }
}

/// Whether standard input was open for reading when the program started.
#[cfg(unix)]
pub(crate) fn stdin_is_open() -> bool {
    start::CAN_READ.load(std::sync::atomic::Ordering::Relaxed)
}

/// Whether standard output was open for writing when the program started.
#[cfg(unix)]
pub(crate) fn stdout_is_open() -> bool {
    start::CAN_WRITE.load(std::sync::atomic::Ordering::Relaxed)
}

/// Always `true`: on other systems, a closed stream fails when it is used.
#[cfg(not(unix))]
pub(crate) fn stdin_is_open() -> bool {
    true
}

#[cfg(not(unix))]
pub(crate) fn stdout_is_open() -> bool {
    true
}

/// Whether standard input is a pipe, a socket or a file, and not a terminal or a device such as `/dev/null`.
#[cfg(unix)]
pub(crate) fn stdin_has_data() -> bool {
    use std::os::unix::fs::FileTypeExt;
    let is_data = |kind: fs::FileType| kind.is_file() || kind.is_fifo() || kind.is_socket();
    stdin_is_open()
        && raw_stdin().and_then(|stdin| stdin.metadata()).is_ok_and(|metadata| is_data(metadata.file_type()))
}

#[cfg(not(unix))]
pub(crate) fn stdin_has_data() -> bool {
    use std::io::IsTerminal;
    !io::stdin().is_terminal()
}

/// Standard output without the line buffer of the standard library, which would copy every batch.
pub(crate) fn raw_stdout() -> io::Result<File> {
    owned(&io::stdout())
}

/// Standard input without the small buffer of the standard library.
pub(crate) fn raw_stdin() -> io::Result<File> {
    owned(&io::stdin())
}

/// Standard error as a file.
pub(crate) fn raw_stderr() -> io::Result<File> {
    owned(&io::stderr())
}

#[cfg(unix)]
fn owned(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn owned(stream: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}

/// The target of a path after its links.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// An open file descriptor of the program, as for `/dev/stdout` and `/dev/fd/3`.
    Descriptor(u32),
    /// A path that is not a link. The file may not exist yet.
    Path(PathBuf),
}

impl Destination {
    /// Follows all links of a path, even if the file does not exist.
    ///
    /// # Errors
    /// When the links form a cycle.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        // More links than any system follows.
        const MOST_LINKS: usize = 64;
        let descriptors = fs::canonicalize("/dev/fd").ok();
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let folder = folder_of(&path);
            if descriptors.is_some() && fs::canonicalize(folder).ok() == descriptors {
                let number = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
                if let Some(number) = number {
                    return Ok(Self::Descriptor(number));
                }
            }
            match fs::read_link(&path) {
                Ok(target) => path = folder.join(target),
                Err(_) => return Ok(Self::Path(path)),
            }
        }
        // For too many links, the system reports its own error.
        fs::metadata(&path).map(|_| Self::Path(path))
    }
}

/// The folder that contains a path.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_to_what_is_not_there_and_to_descriptors() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (link, target) in
            [("to_new", "new"), ("to_link", "to_new"), ("to_stdout", "/dev/stdout"), ("a", "b"), ("b", "a")]
        {
            std::os::unix::fs::symlink(target, path(link)).unwrap();
        }
        for name in ["new", "to_new", "to_link"] {
            assert_eq!(Destination::of(&path(name)).unwrap(), Destination::Path(path("new")), "{name}");
        }
        assert_eq!(Destination::of(&path("to_stdout")).unwrap(), Destination::Descriptor(1));
        assert_eq!(Destination::of(Path::new("/dev/fd/7")).unwrap(), Destination::Descriptor(7));
        assert!(Destination::of(&path("a")).is_err());
    }
}
