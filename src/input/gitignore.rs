//! `.gitignore`: the files of that name in the folders that are walked, and in those above up to the repository's root.

use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use walkdir::DirEntry;

/// What the `.gitignore` files on the way to an entry say of it. The nearest one that says anything counts.
pub(super) struct Ignores {
    /// The folder that is walked, as it was given, and where it is.
    root: PathBuf,
    real_root: PathBuf,
    /// From the repository's root down.
    above: Vec<Gitignore>,
    /// Of the folders on the way, with their depths.
    inside: Vec<(usize, Gitignore)>,
}

impl Ignores {
    /// For a walk of `root`.
    pub(super) fn new(root: &Path) -> Self {
        let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut above = Vec::new();
        // Outside of a repository there is nothing above that counts.
        if let Some(repository) = real_root.ancestors().find(|folder| folder.join(".git").exists()) {
            let mut exclude = GitignoreBuilder::new(repository);
            // Without the file there is nothing to leave out.
            let _ = exclude.add(repository.join(".git/info/exclude"));
            above.extend(exclude.build());
            let folders = real_root.ancestors().skip(1).take_while(|folder| folder.starts_with(repository));
            let mut folders: Vec<&Path> = folders.collect();
            folders.reverse();
            above.extend(folders.into_iter().map(of_folder));
        }
        Self { root: root.to_owned(), real_root, above, inside: Vec::new() }
    }

    /// Whether an entry is left out. Entries come in the order of the walk, those of folders that are left out not at all.
    pub(super) fn ignores(&mut self, entry: &DirEntry) -> bool {
        let left = self.inside.iter().rposition(|&(depth, _)| depth < entry.depth()).map_or(0, |last| last + 1);
        self.inside.truncate(left);
        let inside = entry.path().strip_prefix(&self.root).unwrap_or(entry.path());
        let path = self.real_root.join(inside);
        let is_folder = entry.file_type().is_dir();
        if entry.depth() > 0 {
            let files = self.inside.iter().map(|(_, file)| file).rev().chain(self.above.iter().rev());
            let verdict = files.map(|file| file.matched(&path, is_folder)).find(|verdict| !verdict.is_none());
            if matches!(verdict, Some(Match::Ignore(_))) || (is_folder && entry.file_name() == ".git") {
                return true;
            }
        }
        // A link that was given is walked through.
        if is_folder || entry.depth() == 0 {
            self.inside.push((entry.depth(), of_folder(&path)));
        }
        false
    }
}

fn of_folder(folder: &Path) -> Gitignore {
    // Like git, a line that is no pattern is passed over, and so is a file that is not there.
    Gitignore::new(folder.join(".gitignore")).0
}
