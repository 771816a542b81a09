//! `ReadSummary`: the numbers of the first pass: documents, bytes, copies, problems, removed shingles.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Range;

use serde::Serialize;

use super::programs::CodeSummary;
use crate::base::error::{Error, Result};
use crate::base::problem::{ProblemCounts, Reason};
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{Sources, extension};
use crate::text::code::Syntax;

/// The kind of texts that most documents of a corpus contain, by the extensions of their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextKind {
    /// Programs: the extension belongs to a programming language.
    Programs,
    /// Texts in a natural language: pages, plain text and documents of word processors.
    Prose,
    /// Neither of the two is the majority, as with records, whose names have no extension.
    #[default]
    Unknown,
}

impl TextKind {
    /// Extensions of texts in a natural language, in lower case.
    const PROSE: [&str; 14] =
        ["adoc", "docx", "epub", "htm", "html", "markdown", "md", "odt", "pdf", "pptx", "rst", "tex", "text", "txt"];
    /// The number of documents whose names are looked at, which limits the time in a large corpus.
    const MAX_NAMES: usize = 1000;

    /// The kind of the first documents.
    pub(super) fn of(documents: &Documents) -> Self {
        let num_names = documents.len().min(Self::MAX_NAMES);
        let (mut programs, mut prose) = (0, 0);
        for document in 0..num_names {
            match Self::of_name(documents.name(DocId::new(document))) {
                Self::Programs => programs += 1,
                Self::Prose => prose += 1,
                Self::Unknown => {}
            }
        }
        match () {
            () if 2 * programs > num_names => Self::Programs,
            () if 2 * prose > num_names => Self::Prose,
            () => Self::Unknown,
        }
    }

    fn of_name(name: &[u8]) -> Self {
        if Syntax::of_name(name).is_some() {
            return Self::Programs;
        }
        let is_prose = |extension: &OsStr| Self::PROSE.iter().any(|prose| extension.eq_ignore_ascii_case(prose));
        if extension(name).is_some_and(is_prose) { Self::Prose } else { Self::Unknown }
    }
}

/// The first pass's part of a run's summary.
#[derive(Debug, Default)]
pub(crate) struct ReadSummary {
    pub(crate) documents: u64,
    pub(crate) bytes: u64,
    pub(crate) empty: u64,
    pub(crate) short: u64,
    pub(crate) exact_groups: u64,
    pub(crate) exact_copies: u64,
    pub(crate) ids_of_other_files: u64,
    pub(crate) problems: ProblemCounts,
    /// Inputs that are errors only because the run is strict.
    pub(super) strict_errors: u64,
    pub(crate) sides: Option<Sides>,
    pub(crate) groups: Option<GroupSummary>,
    pub(crate) removed: Option<Removed>,
    /// The numbers of programs, where documents are programs.
    pub(crate) code: Option<CodeSummary>,
    /// Whether any input contained records.
    pub(crate) has_records: bool,
    pub(crate) has_delimited: bool,
    /// The number of files that git would ignore.
    pub(crate) num_ignored: u64,
    /// The number of documents whose text was extracted, by the extension of their format.
    pub(crate) formats: BTreeMap<&'static str, u64>,
    pub(crate) text_kind: TextKind,
    /// The peak bytes of structures that grow with the corpus.
    pub(crate) table_bytes: usize,
}

impl ReadSummary {
    /// The numbers of the other side, without copies.
    pub(super) fn all_but(&self, a: &Side) -> Side {
        Side {
            documents: self.documents - a.documents,
            bytes: self.bytes - a.bytes,
            empty: self.empty - a.empty,
            short: self.short - a.short,
            ..Side::default()
        }
    }

    /// Counts the copies of all documents, and of each side.
    pub(super) fn count_copies(&mut self, documents: &Documents) {
        let count = |range: Range<u64>| {
            let groups = || documents.groups().filter(|(first, _)| range.contains(&(first.index() as u64)));
            (groups().count() as u64, groups().map(|(_, copies)| copies as u64).sum())
        };
        (self.exact_groups, self.exact_copies) = count(0..self.documents);
        if let Some(Sides { a, b, .. }) = &mut self.sides {
            (a.exact_groups, a.exact_copies) = count(0..a.documents);
            (b.exact_groups, b.exact_copies) = count(a.documents..self.documents);
        }
    }

    /// Adds the numbers that are known when all documents have been read.
    ///
    /// * `is_strict`: whether documents without text are errors.
    pub(super) fn complete(&mut self, sources: &Sources, is_strict: bool) {
        self.count_textless(is_strict);
        (self.has_records, self.has_delimited) = sources.kinds();
        self.num_ignored = sources.num_ignored();
        self.formats = sources.extracted();
    }

    pub(super) fn tables_at_least(&mut self, bytes: usize) {
        self.table_bytes = self.table_bytes.max(bytes);
    }

    /// In a strict run, counts documents and records without text, and binary files in folders, as errors, which do not end the run.
    fn count_textless(&mut self, is_strict: bool) {
        if is_strict {
            let without_text = self.problems.by_reason.get(&Reason::NoText).copied().unwrap_or(0);
            self.strict_errors += self.empty + without_text;
            self.problems.errors += self.strict_errors;
        }
    }

    /// Checks that anything was read.
    ///
    /// # Errors
    /// When no input could be read, and at least one failed. A document skipped for too few tokens counts as read, and so do a
    /// record without a text and an empty file.
    pub(crate) fn check_read(&self) -> Result<()> {
        let is_nothing_read = self.documents == 0 && !self.problems.by_reason.contains_key(&Reason::FewTokens);
        if is_nothing_read && self.problems.errors > self.strict_errors { Err(Error::NoInput) } else { Ok(()) }
    }
}

/// The shingles that were removed from the documents before they were compared, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// The number of distinct shingles in the templates; `None` without templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_shingles: Option<u64>,
    /// The maximum number of distinct texts that may contain a shingle; `None` without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_documents: Option<u64>,
    /// The number of distinct shingles that are in too many documents, including shingles of templates.
    pub frequent_shingles: u64,
    /// The number of shingles removed from documents, repeats counted.
    pub shingles: u64,
    /// The number of documents from which any shingle was removed.
    pub documents: u64,
    /// The number of documents from which all shingles were removed; they are in no pair.
    pub emptied: u64,
}

impl Removed {
    /// The sum of several counts.
    pub(super) fn of<'r>(all: impl Iterator<Item = &'r Self>) -> Self {
        let mut removed = Self::default();
        for piece in all {
            removed.shingles += piece.shingles;
            removed.documents += piece.documents;
            removed.emptied += piece.emptied;
        }
        removed
    }

    /// Counts a document.
    pub(super) fn add(&mut self, num_removed: u64, is_emptied: bool) {
        self.shingles += num_removed;
        self.documents += u64::from(num_removed > 0);
        self.emptied += u64::from(is_emptied);
    }
}

/// The groups of documents, in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupSummary {
    /// The key by which documents are grouped, in the syntax of [`GroupBy`](crate::documents::GroupBy).
    pub by: String,
    /// Whether pairs are formed within groups, and not across them.
    pub within: bool,
    /// The number of groups.
    pub count: u64,
    /// The number of documents with a key; each other document is a separate group.
    pub documents: u64,
}

/// The two sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sides {
    /// The documents that are compared: `a` of each pair.
    pub a: Side,
    /// The documents that they are compared against: `b` of each pair.
    pub b: Side,
    /// Whether the documents of `b` are old: pairs are also found among the documents of `a`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub old: bool,
}

/// One side of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Side {
    /// The number of documents read, empty ones included.
    pub documents: u64,
    /// The size of these documents in bytes, as stored.
    pub bytes: u64,
    /// The number of documents without a token: they contain only white space or, where shingles consist of words, no
    /// word.
    pub empty: u64,
    /// The number of documents shorter than one shingle.
    pub short: u64,
    /// The number of groups of documents with equal normalised texts on this side.
    pub exact_groups: u64,
    /// The number of documents in these groups other than the first of each.
    pub exact_copies: u64,
}
