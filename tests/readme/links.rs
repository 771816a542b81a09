//! Links: each leads to a file that is there, and to a heading of it, from files as well as from rustdoc.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use super::pages::Page;
use super::repository;

/// What stands before each page of the handbook in rustdoc, where links lead to modules.
const IN_RUSTDOC: &str = "src/guide/links.md";

pub(super) fn trials(pages: &Arc<[Page]>) -> Vec<Trial> {
    let trial = |index: usize| {
        let pages = Arc::clone(pages);
        Trial::test(format!("links of {}", pages[index].path), move || lead_somewhere(&pages[index]))
    };
    (0..pages.len()).map(trial).collect()
}

fn lead_somewhere(page: &Page) -> Result<(), Failed> {
    let definitions = definitions(&page.text);
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    for (number, line) in page.prose() {
        let inline = between(line, "](", ')');
        if page.is_of_handbook() {
            let relative = inline.iter().filter(|target| !is_of_web(target));
            faults.extend(relative.map(|target| format!("{number}: ({target}) leads nowhere in rustdoc; define [it]")));
        }
        faults.extend(inline.iter().filter_map(|target| fault(page, target)).map(|fault| format!("{number}: {fault}")));
        for label in between(line, "][", ']') {
            if !definitions.contains_key(label) {
                faults.push(format!("{number}: [{label}] is not defined"));
            }
            used.insert(label);
        }
    }
    let in_rustdoc = fs::read_to_string(repository().join(IN_RUSTDOC))?;
    let in_rustdoc = self::definitions(&in_rustdoc);
    for (&label, &target) in &definitions {
        faults.extend(fault(page, target));
        if !used.contains(label) {
            faults.push(format!("[{label}] is defined and not used"));
        }
        if page.is_of_handbook() && in_rustdoc.get(label).copied() != Some(&*as_module(target)) {
            faults.push(format!("{IN_RUSTDOC} needs [{label}]: {}", as_module(target)));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// Label and target of each line `[label]: target`.
fn definitions(text: &str) -> BTreeMap<&str, &str> {
    text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: ")).collect()
}

/// What stands in a line between each `start` and the next `end`.
fn between<'a>(line: &'a str, start: &str, end: char) -> Vec<&'a str> {
    line.split(start).skip(1).filter_map(|rest| Some(rest.split_once(end)?.0)).collect()
}

fn is_of_web(target: &str) -> bool {
    target.starts_with("https://")
}

/// The module that rustdoc makes of a page of the handbook.
fn as_module(target: &str) -> String {
    match target.split_once(".md") {
        Some(("../../README", "")) => "crate".to_owned(),
        Some(("README", "")) => "crate::guide".to_owned(),
        Some((page, anchor)) => format!("crate::guide::{page}{anchor}"),
        None => target.to_owned(),
    }
}

/// What is wrong with a target, if anything is.
fn fault(page: &Page, target: &str) -> Option<String> {
    if is_of_web(target) {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { page.path.clone().into() } else { beside(&page.path, file) };
    let Ok(text) = fs::read_to_string(repository().join(&path)) else { return Some(format!("{target}: no such file")) };
    let other = Page { path: path.display().to_string(), text };
    let has_heading = anchor.is_empty() || other.prose().any(|(_, line)| slug(line).as_deref() == Some(anchor));
    (!has_heading).then(|| format!("{target}: no such heading"))
}

/// The path in the repository of a file as it is named on a page.
fn beside(page: &str, file: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in Path::new(page).parent().expect("a page is a file").join(file).components() {
        match component {
            Component::ParentDir => assert!(path.pop(), "{page}: {file} is outside of the repository"),
            component => path.push(component),
        }
    }
    path
}

/// The anchor of a heading, as GitHub and rustdoc make it.
fn slug(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    Some(kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect())
}
