//! The run's own files during the walk: skips files that the run itself writes, or reads as a list.

use std::fs::{self, Metadata};
use std::path::Path;

use walkdir::DirEntry;

use super::Walk;
use crate::base::error::Error;
use crate::base::problem::{Problem, Reason};
use crate::base::shown::shown;
use crate::documents::input::earlier_outputs::written_records;
use crate::documents::input::own_files::OwnUse;

impl<'a> Walk<'a> {
    /// How the run itself uses a file, if that keeps it from being a document. A list that was also given as an input
    /// is a document.
    pub(super) fn own_use(&self, metadata: &Metadata) -> Option<&'a OwnUse> {
        self.inputs.settings.own_files.find(metadata).filter(|own| !(self.named && matches!(own, OwnUse::List(_))))
    }

    /// How the run itself uses a file in a folder, as [`own_use`](Self::own_use). It reads metadata only of files that
    /// may be the run's own.
    #[cfg(unix)]
    pub(super) fn own_use_of(&self, entry: &DirEntry) -> Option<&'a OwnUse> {
        let may_be_own = self.inputs.own_files.may_have(walkdir::DirEntryExt::ino(entry));
        let own = may_be_own.then(|| fs::metadata(entry.path()).ok()).flatten();
        own.and_then(|metadata| self.own_use(&metadata)).or_else(|| written_records(entry.path()))
    }

    #[cfg(not(unix))]
    pub(super) fn own_use_of(&self, entry: &DirEntry) -> Option<&'a OwnUse> {
        written_records(entry.path())
    }

    /// How the run itself uses the file that is redirected to standard input.
    #[cfg(unix)]
    pub(super) fn own_use_of_stdin(&self) -> Option<&'a OwnUse> {
        let stdin = std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned().ok()?;
        self.own_use(&fs::File::from(stdin).metadata().ok()?)
    }

    #[cfg(not(unix))]
    pub(super) fn own_use_of_stdin(&self) -> Option<&'a OwnUse> {
        None
    }

    /// Skips a file that the run itself uses. If the run would replace the file and the file may be a document, the run
    /// ends with an error.
    pub(super) fn leave_out(&mut self, path: &Path, own: &OwnUse) {
        if let &OwnUse::Replaced { path: ref replaced, by, is_own } = own
            && (self.named || !is_own)
        {
            self.open = false;
            let what = match shown(&path.to_string_lossy()) {
                _ if path == replaced => "an input".to_owned(),
                input => format!("the input {input}, which is the same file"),
            };
            return self.sources.fail(Error::InputOverwritten { path: replaced.to_owned(), written: by, what });
        }
        if self.seen.is_new(path) {
            let problem = Problem::note(path.to_string_lossy(), Reason::OwnFile, own.detail());
            self.problem(Problem { is_error: self.named, ..problem });
        }
    }
}
