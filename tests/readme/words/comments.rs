//! The comments of the source, by layer.

use std::collections::BTreeMap;
use std::fs;

use super::{Text, messages};

/// Returns one text for each layer of the library, such as `comments of src/search`, and one for the program.
pub(super) fn texts() -> Vec<Text> {
    let mut layers: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for file in messages::files() {
        let layer = messages::layer(&file);
        let source = fs::read_to_string(&file).expect("a source file");
        layers.entry(format!("comments of src/{layer}")).or_default().extend(comments(&source));
    }
    layers.into_iter().map(|(name, paragraphs)| Text { name, paragraphs }).collect()
}

/// Returns the paragraphs of comments with their lines, without the examples and drawings between three backticks.
fn comments(source: &str) -> Vec<(usize, String)> {
    let mut is_example = false;
    let mut previous = "";
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        let line = line.trim_start();
        let marker = ["//!", "///", "//"].into_iter().find(|marker| line.starts_with(marker)).unwrap_or("");
        let text = line[marker.len()..].trim();
        // Code, and a comment of another kind, end a paragraph.
        if marker.is_empty() || marker != previous {
            lines.push((number, ""));
            is_example = false;
        }
        previous = marker;
        if text.starts_with("```") {
            is_example = !is_example;
        } else if !marker.is_empty() && !is_example {
            // An entry of a list begins with a star.
            if text.starts_with("* ") {
                lines.push((number, ""));
            }
            lines.push((number, text));
        }
    }
    super::paragraphs(lines.into_iter())
}

/// Checks that comments are found by kind, and that examples and code are not.
pub(super) fn are_found() -> Result<(), libtest_mimic::Failed> {
    let source =
        "//! A page\n//! in two lines.\n//!\n//! ```\n//! let x;\n//! ```\nuse a; // at the end\n/// One.\n// Two.\n";
    let found: Vec<String> = comments(source).into_iter().map(|(_, text)| text).collect();
    assert_eq!(found, ["A page in two lines.", "One.", "Two."]);
    Ok(())
}
