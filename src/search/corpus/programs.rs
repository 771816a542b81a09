//! `CodeSummary`: the numbers of documents that are programs, from the first pass.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::text::normalize::CodeText;

/// The numbers of documents that are programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CodeSummary {
    /// The number of documents in each language, by its name; empty documents are included.
    pub syntaxes: BTreeMap<&'static str, u64>,
    /// The number of documents in no known language. They are cut into words and single characters, and nothing in them
    /// is ignored or masked.
    pub unknown: u64,
    /// The number of documents with a string or a comment that has no end.
    pub unclosed: u64,
    /// The number of documents with fewer than [`FEW_TOKENS`](Self::FEW_TOKENS) tokens, except empty ones.
    pub few_tokens: u64,
}

impl CodeSummary {
    /// Programs of fewer tokens may agree by chance, even if they were written independently.
    pub const FEW_TOKENS: u64 = 200;

    /// Whether a program of this many tokens may agree with others by chance.
    pub fn is_few(num_tokens: u64) -> bool {
        (1..Self::FEW_TOKENS).contains(&num_tokens)
    }

    /// Adds a document.
    pub(super) fn add(&mut self, code: CodeText, num_tokens: u64) {
        match code.syntax {
            Some(syntax) => *self.syntaxes.entry(syntax.name()).or_default() += 1,
            None => self.unknown += 1,
        }
        self.unclosed += u64::from(code.unclosed > 0);
        self.few_tokens += u64::from(Self::is_few(num_tokens));
    }

    /// Adds the numbers of another summary.
    pub(super) fn append(&mut self, other: &Self) {
        for (syntax, number) in &other.syntaxes {
            *self.syntaxes.entry(syntax).or_default() += number;
        }
        self.unknown += other.unknown;
        self.unclosed += other.unclosed;
        self.few_tokens += other.few_tokens;
    }
}

/// The note about a program with a string or a comment that has no end; `None` for any other program.
///
/// * `file`: the file of the string or comment, for a document that is joined from files.
pub(super) fn unclosed_note(code: CodeText, file: Option<&str>) -> Option<String> {
    let line = match (file, code.unclosed_line) {
        (Some(file), Some(line)) => format!("{file} line {line}: "),
        (Some(file), None) => format!("{file}: "),
        (None, Some(line)) => format!("line {line}: "),
        (None, None) => String::new(),
    };
    (code.unclosed > 0)
        .then(|| format!("{line}a string or comment has no end; what follows is compared as program text"))
}
