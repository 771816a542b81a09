//! Own files met by the walk: what the run itself writes, or reads as a list.

use std::fs::{self, Metadata};
use std::path::Path;

use walkdir::DirEntry;

use crate::error::Error;
use crate::input::own_files::OwnUse;
use crate::input::walk::Walk;
use crate::problem::{Problem, Reason};

impl Walk<'_> {
    /// What the run does with a file, when that makes it no document. A list that was given as an input was meant.
    pub(super) fn own_use(&self, metadata: &Metadata) -> Option<OwnUse> {
        self.config.own_files.find(metadata).filter(|own| !(self.named && matches!(own, OwnUse::List(_))))
    }

    /// The same of a file in a folder, without asking for metadata of those that are none.
    #[cfg(unix)]
    pub(super) fn own_use_of(&self, entry: &DirEntry) -> Option<OwnUse> {
        let may_be_own = self.config.own_files.may_have(walkdir::DirEntryExt::ino(entry));
        may_be_own.then(|| fs::metadata(entry.path()).ok()).flatten().and_then(|metadata| self.own_use(&metadata))
    }

    #[cfg(not(unix))]
    pub(super) fn own_use_of(&self, _: &DirEntry) -> Option<OwnUse> {
        None
    }

    /// What the run does with the file that standard input comes from.
    #[cfg(unix)]
    pub(super) fn own_use_of_stdin(&self) -> Option<OwnUse> {
        let stdin = std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned().ok()?;
        self.own_use(&fs::File::from(stdin).metadata().ok()?)
    }

    #[cfg(not(unix))]
    pub(super) fn own_use_of_stdin(&self) -> Option<OwnUse> {
        None
    }

    /// Leaves a file of the run's own out; a document that the summary would replace ends the run.
    pub(super) fn leave_out(&mut self, path: &Path, own: OwnUse) {
        if let OwnUse::Summary { is_summary } = own
            && (self.named || !is_summary)
        {
            self.open = false;
            return self.sources.fail(Error::InputOverwritten { path: path.to_owned() });
        }
        if self.seen.is_new(path) {
            let problem = Problem::note(path.to_string_lossy(), Reason::OwnFile, own.detail());
            self.problem(Problem { is_error: self.named, ..problem });
        }
    }
}
