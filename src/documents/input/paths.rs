//! Converts between paths and the bytes that name documents, and reports paths that cannot be used.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::base::shown::shown;

/// The bytes of a path, as stored in document names.
#[cfg(unix)]
pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str())
}

/// The path that belongs to the name of a document that is a file.
#[cfg(unix)]
pub(crate) fn path_of(name: &[u8]) -> &Path {
    Path::new(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name))
}

/// On other systems, paths that are not Unicode cannot be stored as bytes; `walk` reports them.
#[cfg(not(unix))]
pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    path.to_str().expect("walk passes Unicode paths only").as_bytes()
}

#[cfg(not(unix))]
pub(crate) fn path_of(name: &[u8]) -> &Path {
    Path::new(OsStr::new(std::str::from_utf8(name).expect("walk passes Unicode paths only")))
}

/// A unique name for a further document with the same name. It cannot be a path, because nothing can be below a file.
pub(crate) fn numbered(name: &[u8], count: u32) -> Vec<u8> {
    [name, b"/#", count.to_string().as_bytes()].concat()
}

/// The name without the number that [`numbered`] has added.
pub(crate) fn unnumbered(name: &[u8]) -> &[u8] {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &name[..name.len() - digits];
    rest.strip_suffix(b"/#").filter(|_| digits > 0).unwrap_or(name)
}

/// The problem of a path that could not be opened.
pub(super) fn unusable(path: &Path, error: &io::Error) -> Problem {
    let place = path.to_string_lossy();
    match error.kind() {
        io::ErrorKind::NotFound => {
            let fault = missing(&place);
            Problem::error(place, Reason::Missing, fault)
        }
        io::ErrorKind::PermissionDenied => {
            Problem::error(place, Reason::Unreadable, "permission denied; change its permissions or exclude it")
        }
        _ => Problem::error(place, Reason::Unreadable, format!("cannot be read: {error}")),
    }
}

/// The advice about a path that does not exist.
fn missing(place: &str) -> Cow<'static, str> {
    if place.contains("://") {
        "files are not downloaded; download it, and give the file".into()
    } else if place.contains(['*', '?', '[']) {
        let include = Setting::Include;
        format!(
            "no such file or folder, and the shell did not expand the pattern; give the folder, and the pattern to {include}"
        )
        .into()
    } else {
        "no such file or folder; check the path".into()
    }
}

/// The problem of an entry that the walk could not read.
pub(super) fn walk_problem(path: &Path, error: &walkdir::Error) -> Problem {
    if let Some(ancestor) = error.loop_ancestor() {
        let detail = format!("a symbolic link loop back to {}; not followed", shown(&ancestor.to_string_lossy()));
        return Problem::error(path.to_string_lossy(), Reason::Loop, detail);
    }
    match error.io_error() {
        Some(error) => unusable(path, error),
        None => Problem::error(path.to_string_lossy(), Reason::Unreadable, format!("cannot be read: {error}")),
    }
}
