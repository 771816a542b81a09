//! Changes: a revision of git in, the files that were changed since out; the `git` program is asked.
//!
//! Changed is what differs from where the branch of HEAD left the revision, in commits, in the index or in the working tree, and what is
//! new there. A file that was only renamed is not changed. Files of submodules are compared with the commit that the
//! revision has of them.

mod git;

mod blob;
mod changed_files;

pub use self::changed_files::ChangedFiles;
pub use self::git::ChangesError;
