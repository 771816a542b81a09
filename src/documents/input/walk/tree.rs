//! `each_file`: lists the files of the inputs again, for callers that copy them, without reading any of them.
//!
//! The order and the selection are the same as in the walk, so that documents and files occur in one order.

use std::cell::Cell;
use std::fs::{self, Metadata};
use std::path::Path;

use super::folder::{entries, named_below, wants};
use super::seen::Seen;
use crate::base::error::Result;
use crate::documents::input::globs::Globs;
use crate::documents::input::own_files::OwnUse;
use crate::documents::input::settings::Inputs;

/// A file, a symbolic link or an empty folder of the inputs.
#[derive(Debug)]
pub(crate) struct TreeFile<'a> {
    /// The number of the argument that led to the file, counting the given paths and then the listed ones.
    pub(crate) argument: usize,
    /// The path, which is also the name of the file's document.
    pub(crate) path: &'a Path,
    /// The path below the argument; empty for the argument itself.
    pub(crate) inside: &'a Path,
    pub(crate) kind: TreeKind,
}

/// The kind of a [`TreeFile`].
#[derive(Debug)]
pub(crate) enum TreeKind {
    File(Metadata),
    /// A symbolic link that is not followed.
    Link,
    /// An empty folder.
    EmptyFolder,
}

/// Passes the files of the inputs to `pass` in document order. Inaccessible files and devices are omitted; the walk
/// reports them.
///
/// Returns the number of files and folders that the walk skips: hidden ones, and those that flags exclude. The contents
/// of a skipped folder are not counted.
///
/// # Errors
/// The error that `pass` returns.
pub(crate) fn each_file(inputs: Inputs, pass: &mut dyn FnMut(TreeFile) -> Result<()>) -> Result<u64> {
    let passed_over = Cell::new(0);
    let pass_over = || passed_over.set(passed_over.get() + 1);
    let arguments = inputs.paths.len() + inputs.listed.len();
    let mut seen = Seen::new(arguments, inputs.follow);
    let globs = Globs::new(inputs.settings, false);
    let named = inputs.paths.iter().map(|path| (path, true));
    for (argument, (path, named)) in named.chain(inputs.listed.iter().map(|path| (path, false))).enumerate() {
        let Ok(metadata) = fs::metadata(path) else { continue };
        if !metadata.is_dir() {
            let is_wanted = !globs.exclude(path, 0) && wants(inputs, globs, path, 0);
            if !is_wanted {
                pass_over();
            } else if metadata.is_file() && !is_own(inputs, &metadata, named) && seen.is_new(path) {
                pass(TreeFile { argument, path, inside: Path::new(""), kind: TreeKind::File(metadata) })?;
            }
            continue;
        }
        let root_len = path.components().count();
        for entry in entries(path, inputs, globs, pass_over).filter_map(|entry| entry.ok()) {
            let is_folder = entry.file_type().is_dir() || entry.depth() == 0;
            if !is_folder && !wants(inputs, globs, entry.path(), root_len) {
                pass_over();
                continue;
            }
            let kind = match entry.metadata() {
                _ if is_folder && is_empty_folder(entry.path()) => TreeKind::EmptyFolder,
                _ if is_folder => continue,
                Ok(metadata) if metadata.is_symlink() => TreeKind::Link,
                Ok(metadata) if metadata.is_file() && !is_own(inputs, &metadata, false) => TreeKind::File(metadata),
                _ => continue,
            };
            let file = named_below(path, entry.path());
            if !matches!(kind, TreeKind::File(_)) || seen.is_new(file) {
                let inside = entry.path().strip_prefix(path).unwrap_or(file);
                pass(TreeFile { argument, path: file, inside, kind })?;
            }
        }
    }
    Ok(passed_over.get())
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// Whether the walk skips a file because the run itself writes it or reads it as a list.
fn is_own(inputs: Inputs, metadata: &Metadata, named: bool) -> bool {
    inputs.settings.own_files.find(metadata).is_some_and(|own| !(named && matches!(own, OwnUse::List(_))))
}
