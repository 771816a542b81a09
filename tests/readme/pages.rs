//! The pages: the README and the handbook's files.

use std::fs;

use super::repository;

/// A page, by its path in the repository.
pub(super) struct Page {
    pub(super) path: String,
    pub(super) text: String,
}

impl Page {
    pub(super) fn is_of_handbook(&self) -> bool {
        self.path.starts_with("src/guide/")
    }

    /// (line number, line) outside of fenced blocks.
    pub(super) fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut inside = false;
        (1..).zip(self.text.lines()).filter(move |(_, line)| {
            let is_fence = line.starts_with("```");
            inside ^= is_fence;
            !inside && !is_fence
        })
    }
}

/// All pages, the README first.
pub(super) fn all() -> Vec<Page> {
    let folder = repository().join("src/guide");
    let entries = fs::read_dir(&folder).expect("the handbook is there");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a file").file_name().into_string().expect("UTF-8")).collect();
    // `links.md` is no page: it stands before each of them in rustdoc.
    names.retain(|name| name.ends_with(".md") && name != "links.md");
    names.sort();
    let paths = names.into_iter().map(|name| format!("src/guide/{name}"));
    let read = |path: String| Page { text: fs::read_to_string(repository().join(&path)).expect("a text"), path };
    std::iter::once("README.md".to_owned()).chain(paths).map(read).collect()
}
