//! `Globs`: decides by `--include` and `--exclude` which paths, and which members of archives, are read.

use std::path::{Component, Path, PathBuf};

use super::path_glob::PathGlob;
use super::settings::InputSettings;

/// The globs for one side of a comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Globs<'a> {
    include: &'a [PathGlob],
    exclude: &'a [PathGlob],
    /// Whether hidden members of archives are read.
    hidden: bool,
}

impl<'a> Globs<'a> {
    /// The globs for the documents that are compared against, or for all others.
    pub(super) fn new(settings: &'a InputSettings, is_against: bool) -> Self {
        let (include, exclude) = match settings.against.as_ref().filter(|_| is_against) {
            Some(against) => (&against.include, &against.exclude),
            None => (&settings.include, &settings.exclude),
        };
        Self { include, exclude, hidden: settings.hidden }
    }

    /// Whether a glob excludes `path`. Its first `root_len` components are the walked folder.
    pub(super) fn exclude(&self, path: &Path, root_len: usize) -> bool {
        matches_any(self.exclude, path, root_len)
    }

    pub(super) fn include(&self, path: &Path, root_len: usize) -> bool {
        self.include.is_empty() || matches_any(self.include, path, root_len)
    }

    /// Whether a member of an archive is read. An archive is treated like a folder.
    pub(super) fn want_member(&self, member: &Path) -> bool {
        // The folders inside a Maildir are hidden (Maildir++).
        let is_of_mail = |folder: Option<&Component>| {
            folder.is_some_and(|folder| ["cur", "new"].iter().any(|it| folder.as_os_str() == *it))
        };
        let is_hidden = |(part, next): (Component, Option<&Component>)| match part {
            Component::Normal(name) => name.as_encoded_bytes().starts_with(b".") && !is_of_mail(next),
            _ => false,
        };
        let parts: Vec<Component> = member.components().collect();
        let is_any_hidden = || (0..parts.len()).any(|at| is_hidden((parts[at], parts.get(at + 1))));
        (self.hidden || !is_any_hidden())
            && !member.ancestors().any(|path| self.exclude(path, 0))
            && self.include(member, 0)
    }
}

fn matches_any(globs: &[PathGlob], path: &Path, root_len: usize) -> bool {
    globs.iter().any(|glob| glob.matches(path, root_len))
}

impl PathGlob {
    /// Whether a path matches, ignoring its first `root_len` components.
    pub(crate) fn matches(&self, path: &Path, root_len: usize) -> bool {
        if self.whole_path {
            let inside = path.components().skip(root_len).filter(|&part| part != Component::CurDir);
            let inside: PathBuf = inside.collect();
            self.matcher.is_match(inside)
        } else {
            path.file_name().is_some_and(|name| self.matcher.is_match(name))
        }
    }
}
