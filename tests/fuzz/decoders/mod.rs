//! Our decoders against slow twins: a generator makes each input with its expected text, or a few plain lines of the
//! standard library compute the text.
//!
//! The library reads files as it does for the program. A document has the expected text when `list_documents` reports it
//! as a copy of a plain file with that text.

pub(crate) mod archives;
pub(crate) mod encodings;
pub(crate) mod ignored;
pub(crate) mod pages;
pub(crate) mod records;
pub(crate) mod texts;

use std::collections::HashMap;
use std::fs;
use std::num::NonZeroUsize;

use dedup_scan::records::{Name, Treatment};
use dedup_scan::search::list_documents;
use dedup_scan::{InputSettings, Normalization, Observer, Resources, Settings};
use tempfile::TempDir;

use crate::random::Random;

/// Files, and the documents that are to come of them.
pub(crate) struct Files {
    folder: TempDir,
    /// Names inside the folder, with the text, or none where there must be no document.
    expected: Vec<(String, Option<String>)>,
}

struct Silent;
impl Observer for Silent {}

/// What became of a document: no text, or that of the document with this name.
#[derive(Debug, PartialEq, Eq)]
enum Class {
    Empty,
    TextOf(String),
}

impl Files {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        for name in ["made", "plain"] {
            fs::create_dir(folder.path().join(name)).expect("room for a folder");
        }
        Self { folder, expected: Vec::new() }
    }

    /// Adds a file; of its documents what stands behind the file's name, such as `:3`, and their texts.
    pub(crate) fn add(
        &mut self,
        name: &str,
        bytes: &[u8],
        documents: impl IntoIterator<Item = (String, Option<String>)>,
    ) {
        fs::write(self.folder.path().join("made").join(name), bytes).expect("room for a file");
        self.expected.extend(documents.into_iter().map(|(place, text)| (format!("{name}{place}"), text)));
    }

    /// Reads the files, and compares what comes of them.
    ///
    /// # Errors
    /// The first document that is not as expected.
    pub(crate) fn check(self, input: &InputSettings) -> Result<(), String> {
        for (number, (_, text)) in self.expected.iter().enumerate() {
            // The mark makes it UTF-8, whatever is said of texts without one.
            let text = format!("\u{FEFF}{}", text.as_deref().unwrap_or_default());
            fs::write(self.folder.path().join(format!("plain/{number:04}.txt")), text).expect("room for a file");
        }
        let paths = ["made", "plain"].map(|name| self.folder.path().join(name)).into();
        let settings = Settings {
            resources: Resources { threads: NonZeroUsize::MIN, ..Resources::default() },
            normalization: Normalization { keep_whitespace: true, ..Normalization::default() },
            input: InputSettings { paths, id_field: Some("no such field".into()), ..input.clone() },
            ..Settings::default()
        };
        let mut classes = HashMap::new();
        let root = format!("{}/", self.folder.path().display());
        let inside = |name: &Name| match name {
            Name::Text(name) => name.strip_prefix(&root).unwrap_or(name).to_owned(),
            Name::Bytes { bytes } => bytes.to_string(),
        };
        let listed = list_documents(&settings, &Silent, &mut |record| {
            let name = inside(&record.name);
            let class = match (record.treatment, &record.copy_of) {
                (Treatment::Skipped | Treatment::Binary, _) => return Ok(()),
                (Treatment::Empty, _) => Class::Empty,
                (_, first) => Class::TextOf(first.as_ref().map_or_else(|| name.clone(), inside)),
            };
            classes.insert(name, class);
            Ok(())
        });
        listed.map_err(|error| error.to_string())?;
        for (number, (name, text)) in self.expected.iter().enumerate() {
            let plain = classes.remove(&format!("plain/{number:04}.txt")).ok_or("a plain text was not read")?;
            match (classes.remove(&format!("made/{name}")), text) {
                (None, None) => {}
                (Some(class), Some(_)) if class == plain => {}
                (class, text) => {
                    let made = name.split([':', '!']).next().expect("a split has a part");
                    let bytes = fs::read(self.folder.path().join("made").join(made)).unwrap_or_default();
                    // Of records their line, as far as a number behind the name says which.
                    let line = name.rsplit_once(':').and_then(|(_, line)| line.parse::<usize>().ok());
                    let lines = |line| bytes.split(|&byte| byte == b'\n').nth(line - 1);
                    let shown = line.and_then(lines).unwrap_or(&bytes).escape_ascii().to_string();
                    let shown = shown.chars().take(1000).collect::<String>();
                    return Err(format!("{name}: {class:?} where {text:?} was expected ({plain:?}), of {shown}"));
                }
            }
        }
        match classes.into_keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("{name}: a document that nobody expected")),
        }
    }
}

/// What a file with this text has as its text: a mark in front is none of it.
pub(crate) fn unmarked(text: &str) -> String {
    text.strip_prefix('\u{FEFF}').unwrap_or(text).to_owned()
}

/// A text of characters of every kind but NUL.
pub(crate) fn text(random: &mut Random, most: usize) -> String {
    const PIECES: [&str; 44] = [
        "a",
        "b",
        "Z",
        "word",
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\u{B}",
        "\u{C}",
        "\u{85}",
        "\u{2028}",
        "\u{2029}",
        "\u{A0}",
        "\u{3000}",
        "\"",
        "'",
        "\\",
        ",",
        ";",
        ".",
        "!?",
        "—",
        "{",
        "]",
        "<",
        "&",
        "é",
        "e\u{301}",
        "ß",
        "Σ",
        "ς",
        "İ",
        "٣",
        "文",
        "カ",
        "ที่",
        "한",
        "😀",
        "\u{FEFF}",
        "\u{1}",
        "\u{10FFFF}",
    ];
    (0..random.below(most + 1)).map(|_| PIECES[random.below(PIECES.len())]).collect()
}
