//! `CodeSummary`: what the first pass finds of documents that are programs.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::normalize::CodeText;

/// Documents that are programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CodeSummary {
    /// Documents of each language, by its name; empty ones included.
    pub syntaxes: BTreeMap<&'static str, u64>,
    /// Documents of no known language. They are cut into words and single characters, and nothing of them is left out or
    /// masked.
    pub unknown: u64,
    /// Documents with a string or a comment that has no end.
    pub unclosed: u64,
    /// Documents of fewer than [`FEW_TOKENS`](Self::FEW_TOKENS) tokens, but not empty.
    pub few_tokens: u64,
}

impl CodeSummary {
    /// Programs of fewer tokens agree that were written independently.
    pub const FEW_TOKENS: u64 = 200;

    /// Whether a program of so many tokens is one that others agree with by chance.
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

    /// Adds the documents of another one.
    pub(super) fn append(&mut self, other: &Self) {
        for (syntax, number) in &other.syntaxes {
            *self.syntaxes.entry(syntax).or_default() += number;
        }
        self.unknown += other.unknown;
        self.unclosed += other.unclosed;
        self.few_tokens += other.few_tokens;
    }
}

/// The note about a program with a string or a comment that has no end; `None` for any other.
pub(super) fn unclosed_note(code: CodeText) -> Option<String> {
    let line = code.unclosed_line.map_or_else(String::new, |line| format!("line {line}: "));
    (code.unclosed > 0)
        .then(|| format!("{line}a string or comment has no end; what follows is compared as program text"))
}
