//! The entries of a folder in document order, without those that the flags exclude.

use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::gitignore::Ignores;
use crate::documents::input::formats::format::Format;
use crate::documents::input::globs::Globs;
use crate::documents::input::settings::Inputs;

/// The entries of a folder in document order; hidden entries (except Maildirs), excluded and ignored ones are skipped, with everything below
/// them.
///
/// * `pass_over`: called once for each skipped entry, but not for the entries below it.
pub(crate) fn entries<'a, F: FnMut()>(
    root: &Path,
    inputs: Inputs<'a>,
    globs: Globs<'a>,
    mut pass_over: F,
) -> impl Iterator<Item = walkdir::Result<DirEntry>> + use<'a, F> {
    let root_len = root.components().count();
    let mut ignores = inputs.gitignore.then(|| Ignores::new(root));
    let wanted = move |entry: &DirEntry| {
        let hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".") && !is_maildir(entry);
        let is_wanted = (inputs.hidden || !hidden)
            && (entry.depth() == 0 || !globs.exclude(entry.path(), root_len))
            && !ignores.as_mut().is_some_and(|ignores| ignores.ignores(entry));
        if !is_wanted {
            pass_over();
        }
        is_wanted
    };
    WalkDir::new(root).follow_links(inputs.follow).sort_by_file_name().into_iter().filter_entry(wanted)
}

/// Whether a folder is a Maildir. The folders inside a Maildir are hidden (Maildir++).
fn is_maildir(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && ["cur", "new"].iter().any(|folder| entry.path().join(folder).is_dir())
}

/// Whether a file is wanted: as a document, or as an archive whose members may be wanted.
pub(crate) fn wants(inputs: Inputs, globs: Globs, path: &Path, root_len: usize) -> bool {
    globs.include(path, root_len) || path.to_str().is_some_and(|path| Format::is_archive(inputs, path.as_bytes()))
}

/// The name that documents have for a path below `root`: `dedup scan .` names files as the shell would, without `./`.
pub(crate) fn named_below<'p>(root: &Path, path: &'p Path) -> &'p Path {
    let is_here = matches!(root.as_os_str().as_encoded_bytes(), b"." | b"./");
    if is_here { path.strip_prefix(".").unwrap_or(path) } else { path }
}

/// Whether a file is a FIFO.
#[cfg(unix)]
pub(super) fn is_fifo(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
pub(super) fn is_fifo(_: &std::fs::Metadata) -> bool {
    false
}
