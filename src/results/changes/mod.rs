//! Changes: finds the files that were changed since a git revision, with the `git` program.
//!
//! A file is changed if it differs from the commit at which the branch of HEAD diverged from the revision, or is new,
//! whether in commits, in the index or in the working tree. A file that was only renamed is unchanged. Files of
//! submodules are compared with the submodule's commit in that revision.

mod git;

mod blob;
mod changed_files;

pub use self::changed_files::ChangedFiles;
pub use self::git::ChangesError;
