//! The messages of the program: the string literals of the source that have at least four words, by the modules that have them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::repository;
use super::Text;

/// Calls whose literals only developers see.
const INTERNAL: [&str; 6] = ["expect(", "reason = ", "panic!(", "unreachable!(", "assert!(", "assert_eq!("];

/// Returns one text for each layer of the library, such as `messages of src/index`, and one for the program.
pub(super) fn texts() -> Vec<Text> {
    let mut layers: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for file in files() {
        let source = fs::read_to_string(&file).expect("a source file");
        layers.entry(format!("messages of src/{}", layer(&file))).or_default().extend(messages(&source));
    }
    layers.into_iter().map(|(name, paragraphs)| Text { name, paragraphs }).collect()
}

/// Returns all source files except tests, in order.
pub(super) fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&repository().join("src"), &mut files);
    files.sort();
    files
}

/// Returns the layer of a source file.
pub(super) fn layer(file: &Path) -> String {
    let path = file.strip_prefix(repository()).expect("a file of the repository");
    let layer = path.components().nth(1).expect("a layer").as_os_str().to_string_lossy();
    layer.trim_end_matches(".rs").to_owned()
}

/// Collects the source files below a folder, except tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()) {
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        if name.trim_end_matches(".rs") == "tests" {
            continue;
        }
        if entry.is_dir() {
            collect(&entry, files);
        } else if name.ends_with(".rs") {
            files.push(entry);
        }
    }
}

/// Returns the literals of a source file with their lines, up to its tests.
fn messages(source: &str) -> Vec<(usize, String)> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut messages = Vec::new();
    let bytes = source.as_bytes();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") || rest.starts_with("b'\"'") {
            at += rest[2..].find('\'').map_or(rest.len(), |end| end + 3);
        } else if let Some((literal, length)) = literal(rest) {
            let before = source[..at].trim_end();
            let of_line = before.rfind('\n').map_or(before, |end| &before[end..]);
            let is_internal = INTERNAL.iter().any(|call| before.ends_with(call.trim_end()) || of_line.contains(call));
            if !is_internal && num_words(&literal) >= 4 {
                messages.push((line, literal));
            }
            line += rest[..length].matches('\n').count();
            at += length;
        } else {
            line += usize::from(bytes[at] == b'\n');
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    messages
}

/// Returns the literal at the beginning of `source`, and the number of bytes that it has there.
fn literal(source: &str) -> Option<(String, usize)> {
    let raw = source.strip_prefix("r").map(|rest| rest.len() - rest.trim_start_matches('#').len());
    if let Some(hashes) = raw.filter(|hashes| source[1 + hashes..].starts_with('"')) {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = hashes + 2;
        let length = source[start..].find(&end)?;
        return Some((source[start..start + length].to_owned(), start + length + end.len()));
    }
    let mut literal = String::new();
    let mut at = source.starts_with('"').then_some(1)?;
    loop {
        let character = source[at..].chars().next()?;
        at += character.len_utf8();
        match character {
            '"' => return Some((literal, at)),
            '\\' => {
                let escaped = source[at..].chars().next()?;
                at += escaped.len_utf8();
                // A literal continues after the white space of the next line.
                let next = source[at..].trim_start();
                if escaped == '\n' { at = source.len() - next.len() } else { literal.push(' ') }
            }
            character => literal.push(character),
        }
    }
}

/// Counts the words that have only letters.
fn num_words(literal: &str) -> usize {
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    literal.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation()).filter(is_word).count()
}
