//! `.gitignore`: decides which entries of a walk git would ignore, by the `.gitignore` files up to the repository's
//! root.

use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use walkdir::DirEntry;

use crate::documents::input::panic_guard::contain;

/// Decides whether git ignores an entry, by the `.gitignore` files of the folders above it. The nearest file with a
/// matching pattern decides.
pub(crate) struct Ignores {
    /// The folder that is walked, as given. `real_root` is its canonical path.
    root: PathBuf,
    real_root: PathBuf,
    /// The files above the walked folder, starting at the repository's root.
    above: Vec<Gitignore>,
    /// The files of the folders between the walked folder and the entry, with the folders' depths.
    inside: Vec<(usize, Gitignore)>,
}

/// Counts the files of a walk that git would ignore, when the walk reads them anyway.
pub(crate) struct IgnoredFiles {
    /// `None` outside of a repository, and when the walked folder is itself ignored.
    ignores: Option<Ignores>,
    /// The depth of the ignored folder that contains the current entry.
    inside: Option<usize>,
}

impl IgnoredFiles {
    /// Starts at the folder `root`.
    pub(crate) fn new(root: &Path) -> Self {
        let ignores = Ignores::new(root);
        let is_ignored = |file: &Gitignore| file.matched_path_or_any_parents(&ignores.real_root, true).is_ignore();
        let counts = !ignores.above.is_empty() && !ignores.above.iter().any(is_ignored);
        Self { ignores: counts.then_some(ignores), inside: None }
    }

    /// Whether git would ignore an entry. Call it with every entry, in the order of the walk.
    pub(crate) fn has(&mut self, entry: &DirEntry) -> bool {
        let Some(ignores) = &mut self.ignores else { return false };
        if self.inside.is_some_and(|depth| entry.depth() > depth) {
            return true;
        }
        let is_ignored = ignores.ignores(entry);
        self.inside = (is_ignored && entry.file_type().is_dir()).then_some(entry.depth());
        is_ignored
    }
}

impl Ignores {
    /// Starts at the folder `root`.
    pub(crate) fn new(root: &Path) -> Self {
        let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut above = Vec::new();
        // Outside of a repository, `.gitignore` files above the walked folder do not count.
        if let Some(repository) = real_root.ancestors().find(|folder| folder.join(".git").exists()) {
            let mut exclude = GitignoreBuilder::new(repository);
            add_lines(&mut exclude, &repository.join(".git/info/exclude"));
            above.extend(contain(|| exclude.build()).ok().and_then(Result::ok));
            let folders = real_root.ancestors().skip(1).take_while(|folder| folder.starts_with(repository));
            let mut folders: Vec<&Path> = folders.collect();
            folders.reverse();
            above.extend(folders.into_iter().map(of_folder));
        }
        Self { root: root.to_owned(), real_root, above, inside: Vec::new() }
    }

    /// Whether git ignores an entry. Call it in the order of the walk, without the entries of ignored folders.
    pub(crate) fn ignores(&mut self, entry: &DirEntry) -> bool {
        let num_kept = self.inside.iter().rposition(|&(depth, _)| depth < entry.depth()).map_or(0, |last| last + 1);
        self.inside.truncate(num_kept);
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
        // A symbolic link that was given as an argument is walked through.
        if is_folder || entry.depth() == 0 {
            self.inside.push((entry.depth(), of_folder(&path)));
        }
        false
    }
}

fn of_folder(folder: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(folder);
    add_lines(&mut builder, &folder.join(".gitignore"));
    contain(|| builder.build()).ok().and_then(Result::ok).unwrap_or_else(Gitignore::empty)
}

/// Adds the lines of a file, if it exists. Like git, it skips a line that is not a valid pattern.
fn add_lines(builder: &mut GitignoreBuilder, path: &Path) {
    let Ok(bytes) = std::fs::read(path) else { return };
    let text = String::from_utf8_lossy(&bytes);
    for line in text.strip_prefix('\u{FEFF}').unwrap_or(&text).lines() {
        if let Some(glob) = as_glob(line) {
            // A pattern that makes the library fail must not affect the others.
            let _ = contain(|| builder.add_line(None, &glob).is_ok());
        }
    }
}

/// Translates a git pattern for the matcher, which reads braces as alternatives and does not know named classes. `None`
/// for a pattern with an unclosed bracket, which matches nothing.
fn as_glob(pattern: &str) -> Option<String> {
    const CLASSES: [(&str, &str); 12] = [
        ("[:alpha:]", "a-zA-Z"),
        ("[:digit:]", "0-9"),
        ("[:alnum:]", "a-zA-Z0-9"),
        ("[:upper:]", "A-Z"),
        ("[:lower:]", "a-z"),
        ("[:xdigit:]", "0-9a-fA-F"),
        ("[:space:]", " \t-\r"),
        ("[:blank:]", " \t"),
        ("[:punct:]", "!-/:-@\\[-`{-~"),
        ("[:cntrl:]", "\u{1}-\u{1F}\u{7F}"),
        ("[:graph:]", "!-~"),
        ("[:print:]", " -~"),
    ];
    let mut glob = String::with_capacity(pattern.len());
    let (mut rest, mut is_escaped) = (pattern, false);
    // The start of the open class, if any; a bracket at the start is an ordinary character.
    let mut class: Option<usize> = None;
    while let Some(c) = rest.chars().next() {
        if class.is_some()
            && let Some((name, range)) = CLASSES.iter().find(|(name, _)| rest.starts_with(name))
        {
            glob.push_str(range);
            rest = &rest[name.len()..];
            continue;
        }
        if !is_escaped && class.is_none() && matches!(c, '{' | '}') {
            glob.push('\\');
        }
        match (c, class) {
            ('[', None) if !is_escaped => class = Some(glob.len() + 1),
            ('!' | '^', Some(start)) if start == glob.len() => class = Some(start + 1),
            (']', Some(start)) if !is_escaped && start < glob.len() => class = None,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
        glob.push(c);
        rest = &rest[c.len_utf8()..];
    }
    class.is_none().then_some(glob)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignores(pattern: &str, name: &str) -> bool {
        let mut builder = GitignoreBuilder::new("/x");
        if let Some(glob) = as_glob(pattern) {
            builder.add_line(None, &glob).unwrap();
        }
        builder.build().unwrap().matched(Path::new("/x").join(name), false).is_ignore()
    }

    #[test]
    fn braces_are_characters_and_classes_have_names() {
        assert!(!ignores("*.{a,b}", "x.a") && ignores("*.{a,b}", "x.{a,b}"));
        assert!(ignores(r"\{a\}", "{a}"));
        assert!(ignores("[[:digit:]_]x", "7x") && ignores("[[:digit:]_]x", "_x") && !ignores("[[:digit:]_]x", "ax"));
        assert!(ignores("[![:alpha:]]", "7") && !ignores("[![:alpha:]]", "b"));
        assert!(ignores("[]]x", "]x") && ignores("a[{]b", "a{b"));
        assert!(ignores("[[]x", "[x") && !ignores("[[]x", "x") && ignores("[!]]x", "ax") && !ignores("[!]]x", "]x"));
        assert!(!ignores("[abc", "a") && !ignores("[abc", "[abc"));
    }
}
