//! Reports: write the pairs of a result, one by one, in formats for other programs and for people.
//!
//! Each format is one file that implements one trait, [`ReportWriter`], and one line of [`FORMATS`]. Its first bytes are in
//! `documents/input/earlier_outputs`, so that a later run does not read it as a document, and a format that people do not
//! read is listed in `is_for_programs`. Pairs are written as they arrive where the format allows it; otherwise a bounded number of them is kept, or they wait in a
//! temporary file.

mod words;

mod pair;

mod involved;
mod method;
mod nodes;
mod totals;

mod region;
mod table;
mod waiting;

mod xml;

mod csv;
mod dot;
mod github;
mod gitlab;
mod graphml;
mod html;
mod jsonl;
mod junit;
mod markdown;
mod overlaps;
#[cfg(feature = "parquet")]
mod parquet;
mod sarif;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::records::ClusterRecord;
use crate::results::review::Answers;
use crate::results::views::{PairView, ViewKey};
use crate::sign::banding::Banding;

pub use self::involved::Involved;
pub use self::method::ReportMethod;
pub use self::overlaps::{OverlapFormat, write_overlaps};
pub use self::pair::{ReportPair, ReportPlace, ReportSide};
pub use self::totals::ReportTotals;
pub use self::words::{date, parts, percent};

/// Writes one format.
pub trait ReportWriter: Send {
    /// Writes the text before the pairs.
    ///
    /// # Errors
    /// When `out` fails.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Adds the next pair.
    ///
    /// # Errors
    /// When `out` fails, or the disk where pairs wait; that error holds an [`Error`](crate::base::Error).
    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()>;

    /// Adds the next group, in a format that shows groups.
    ///
    /// # Errors
    /// When `out` fails.
    fn group(&mut self, _group: &ClusterRecord, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// The pairs whose texts the report shows, in a format that shows texts. Called once, after the last pair or
    /// group.
    fn wanted_views(&mut self) -> Vec<[ViewKey; 2]> {
        Vec::new()
    }

    /// Adds the texts of a pair. The pair is an index into the result of [`wanted_views`](Self::wanted_views).
    /// Returns whether there is room for more.
    fn take_view(&mut self, _pair: usize, _view: PairView) -> bool {
        false
    }

    /// Writes the text after the pairs or groups.
    ///
    /// # Errors
    /// See [`pair`](Self::pair).
    fn end(&mut self, _totals: &ReportTotals, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// The settings of a report.
#[derive(Debug, Clone)]
pub struct ReportSettings {
    /// The folder that relative names of files are relative to. `None` if the files may have changed; else their
    /// lines are read to find columns.
    pub folder: Option<PathBuf>,
    /// Whether the report shows groups instead of pairs.
    pub of_groups: bool,
    /// Whether a rule that the user gave chose the representatives of groups, which are then marked.
    pub has_choice: bool,
    /// Whether documents have two sides, so that the same name may occur on both.
    pub has_sides: bool,
    /// Whether the user chose the order of pairs. Then a report that shows only some pairs shows the first ones;
    /// otherwise it shows the most similar ones.
    pub is_ranked: bool,
    /// Whether documents match by their passages.
    pub of_passages: bool,
    /// How the run searched for pairs; `None` if that is not known.
    pub search: Option<ReportSearch>,
    /// Whether the texts of documents are known to be unchanged since the comparison.
    pub texts_are_known: bool,
    /// The maximum number of pairs in a report with texts.
    pub max_pairs: usize,
    /// The maximum size in bytes of all texts in a report.
    pub max_bytes: u64,
    /// The width of the terminal in columns.
    pub columns: usize,
    /// The height of the terminal in lines; `usize::MAX` if all pairs or groups are shown.
    pub rows: usize,
    /// Whether the report begins with the totals, because the run does not print a summary with them.
    pub has_numbers: bool,
    /// Whether the report goes to a terminal, which would interpret control characters of names.
    pub on_terminal: bool,
    /// The last line of the text for people, about what to do next; `None` for no such line.
    pub next_step: Option<&'static str>,
    /// Whether the terminal shows colours.
    pub is_coloured: bool,
    /// The name of this machine, for links to files on terminals that support them; `None` for no links.
    pub links: Option<String>,
    /// The title of a page; `None` for the title of the report.
    pub title: Option<String>,
    /// The date that a page shows, in words; `None` for no date.
    pub date: Option<String>,
    /// The command line that found the pairs, if it is known.
    pub command: Option<String>,
    /// The answers of a person about pairs, which the report shows.
    pub answers: Arc<Answers>,
    /// The sentence about the pair, if the report shows one chosen pair. A page then opens with it, and has no charts.
    pub one_pair: Option<String>,
}

impl ReportSettings {
    /// The default maximum number of pairs in a report with texts.
    pub const MAX_PAIRS: usize = 10_000;
    /// The default maximum size in bytes of all texts in a report.
    pub const MAX_BYTES: u64 = 32 << 20;

    /// The settings of a report that shows one chosen pair, in a file.
    ///
    /// * `sentence`: the sentence about the pair.
    pub fn of_one_pair(sentence: String) -> Self {
        Self { is_ranked: true, max_pairs: 1, max_bytes: u64::MAX, one_pair: Some(sentence), ..Self::default() }
    }
}

/// The settings of a report of pairs by similarity, in document order and without sides, in a file.
impl Default for ReportSettings {
    fn default() -> Self {
        Self {
            folder: None,
            of_groups: false,
            has_choice: false,
            has_sides: false,
            is_ranked: false,
            of_passages: false,
            search: None,
            texts_are_known: true,
            max_pairs: Self::MAX_PAIRS,
            max_bytes: Self::MAX_BYTES,
            columns: usize::MAX,
            rows: usize::MAX,
            has_numbers: true,
            on_terminal: false,
            next_step: None,
            is_coloured: false,
            links: None,
            title: None,
            date: None,
            command: None,
            answers: Arc::default(),
            one_pair: None,
        }
    }
}

/// How a run searched for pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportSearch {
    /// Banding, which finds a pair with a probability that depends on its similarity.
    Banded(Banding),
    /// A join, which finds every pair.
    EveryPair,
}

/// A report format.
#[derive(Debug)]
pub struct ReportFormat {
    /// The name of the format on the command line.
    pub name: &'static str,
    /// The purpose of the format in a few words.
    pub about: &'static str,
    /// Whether the format shows line numbers, for which the passages of pairs are needed.
    pub shows_lines: bool,
    /// Whether the format shows the texts of pairs.
    pub shows_texts: bool,
    /// Whether the format can show groups.
    pub shows_groups: bool,
    /// The possible beginnings of such a report. A test compares them with the copies in `documents/input/earlier_outputs`,
    /// by which later runs recognise the file.
    pub starts: &'static [&'static str],
    /// Creates the writer of a report.
    pub report: fn(&ReportSettings) -> Box<dyn ReportWriter>,
}

/// All formats, in the order in which the help lists them.
#[rustfmt::skip]
pub const FORMATS: &[ReportFormat] = &[
    ReportFormat { name: "text", about: "one screen for people", shows_lines: false, shows_texts: false, shows_groups: true, starts: text::STARTS, report: text::report },
    ReportFormat { name: "jsonl", about: "the lines that are printed without a format", shows_lines: false, shows_texts: false, shows_groups: true, starts: jsonl::STARTS, report: jsonl::report },
    ReportFormat { name: "markdown", about: "a comment of a pull request", shows_lines: true, shows_texts: false, shows_groups: true, starts: markdown::STARTS, report: markdown::report },
    ReportFormat { name: "github", about: "annotations of GitHub Actions", shows_lines: true, shows_texts: false, shows_groups: false, starts: github::STARTS, report: github::report },
    ReportFormat { name: "gitlab", about: "code quality of GitLab", shows_lines: true, shows_texts: false, shows_groups: false, starts: gitlab::STARTS, report: gitlab::report },
    ReportFormat { name: "sarif", about: "SARIF 2.1.0, for code scanning", shows_lines: true, shows_texts: false, shows_groups: false, starts: sarif::STARTS, report: sarif::report },
    ReportFormat { name: "junit", about: "JUnit XML, a failed test for each pair", shows_lines: true, shows_texts: false, shows_groups: false, starts: junit::STARTS, report: junit::report },
    ReportFormat { name: "html", about: "a page with graph, table and texts side by side", shows_lines: false, shows_texts: true, shows_groups: true, starts: html::STARTS, report: html::report },
    ReportFormat { name: "csv", about: "a table for spreadsheets and data frames", shows_lines: false, shows_texts: false, shows_groups: true, starts: csv::STARTS, report: csv::comma_report },
    ReportFormat { name: "tsv", about: "the same, separated by tabs", shows_lines: false, shows_texts: false, shows_groups: true, starts: csv::TAB_STARTS, report: csv::tab_report },
    #[cfg(feature = "parquet")]
    ReportFormat { name: "parquet", about: "the same for DuckDB, pandas and Polars", shows_lines: false, shows_texts: false, shows_groups: true, starts: parquet::STARTS, report: parquet::report },
    ReportFormat { name: "dot", about: "a graph for Graphviz", shows_lines: false, shows_texts: false, shows_groups: true, starts: dot::STARTS, report: dot::report },
    ReportFormat { name: "graphml", about: "a graph for Gephi, yEd and NetworkX", shows_lines: false, shows_texts: false, shows_groups: true, starts: graphml::STARTS, report: graphml::report },
];

impl ReportFormat {
    /// The format with this name.
    pub fn of_name(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Whether the format is JSON Lines of the records.
    pub fn is_lines(&self) -> bool {
        self.name == "jsonl"
    }

    /// Whether the format shows the answers of a person about pairs.
    pub fn shows_answers(&self) -> bool {
        matches!(self.name, "text" | "html")
    }

    /// Whether the format is meant only for programs, so that it should not be written to a terminal.
    pub fn is_for_programs(&self) -> bool {
        matches!(self.name, "html" | "sarif" | "junit" | "gitlab" | "graphml" | "parquet")
    }
}

#[cfg(test)]
mod tests;
