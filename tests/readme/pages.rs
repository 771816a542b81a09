//! The pages: the README, the handbook's files and the pages for contributors.

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
    let folders = ["src/guide", ".github", ".github/contributing"];
    let paths = folders.into_iter().flat_map(pages_in);
    let read = |path: String| Page { text: fs::read_to_string(repository().join(&path)).expect("a text"), path };
    std::iter::once("README.md".to_owned()).chain(paths).map(read).collect()
}

/// The paths of the pages in a folder, in order.
fn pages_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(repository().join(folder)).expect("a folder of pages");
    let names = entries.map(|entry| entry.expect("a file").file_name().into_string().expect("UTF-8"));
    // `links.md` is not a page: rustdoc puts it before each of them.
    let names = names.filter(|name| name.ends_with(".md") && name != "links.md");
    let mut paths: Vec<String> = names.map(|name| format!("{folder}/{name}")).collect();
    paths.sort();
    paths
}
