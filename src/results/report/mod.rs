//! Reports: the pairs of a result in, one by one; what other programs and people read out.
//!
//! Each format is one file behind one trait, [`ReportWriter`], and one line of [`FORMATS`]. Pairs are written as they come wherever
//! the format allows it; what must wait is bounded, or waits in a temporary file.

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
#[cfg(feature = "parquet")]
mod parquet;
mod sarif;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use crate::records::ClusterRecord;
use crate::results::views::{PairView, ViewKey};
use crate::sign::banding::Banding;

pub use self::involved::Involved;
pub use self::method::ReportMethod;
pub use self::pair::{ReportPair, ReportPlace, ReportSide};
pub use self::totals::ReportTotals;

/// Writes one format.
pub trait ReportWriter: Send {
    /// Writes what stands before the pairs.
    ///
    /// # Errors
    /// When `out` fails.
    fn begin(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Takes the next pair.
    ///
    /// # Errors
    /// When `out` fails, or the disk where pairs wait; that error holds an [`Error`](crate::base::Error).
    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()>;

    /// Takes the next group, in a format that shows groups.
    ///
    /// # Errors
    /// When `out` fails.
    fn group(&mut self, _group: &ClusterRecord, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// The pairs whose texts it shows, in a format that shows texts. Called once, behind the last pair or group.
    fn wanted_views(&mut self) -> Vec<[ViewKey; 2]> {
        Vec::new()
    }

    /// Takes the texts of a pair that [`wanted_views`](Self::wanted_views) named, by its number there. Returns whether it takes more.
    fn take_view(&mut self, _pair: usize, _view: PairView) -> bool {
        false
    }

    /// Writes what stands behind the pairs or groups.
    ///
    /// # Errors
    /// As [`pair`](Self::pair).
    fn end(&mut self, _totals: &ReportTotals, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// What a report is for.
#[derive(Debug, Clone)]
pub struct ReportSettings {
    /// The folder that relative names of files are seen from, where the files are known to be as they were; columns are looked
    /// for in them.
    pub folder: Option<PathBuf>,
    /// Whether the report is of groups, and not of pairs.
    pub of_groups: bool,
    /// Whether documents are of two sides, so that a name may be on both.
    pub has_sides: bool,
    /// Whether pairs come in an order that was asked for. Reports that show some of the pairs then show the first, and
    /// otherwise the most similar.
    pub is_ranked: bool,
    /// Whether documents match by their passages.
    pub of_passages: bool,
    /// How pairs were looked for; `None` where that is not known.
    pub search: Option<ReportSearch>,
    /// Whether the texts of documents are known to be those that were compared.
    pub texts_are_known: bool,
    /// Most pairs that a report with texts shows.
    pub max_pairs: usize,
    /// Most bytes that texts take in a report.
    pub max_bytes: u64,
    /// Columns of the terminal.
    pub columns: usize,
    /// Lines of the terminal; `usize::MAX` where all pairs or groups are shown.
    pub rows: usize,
    /// Whether the report begins with the numbers, which no summary of the run repeats.
    pub has_numbers: bool,
    /// Whether the report goes to a terminal, which control characters of names would act on.
    pub on_terminal: bool,
    /// Whether the terminal shows colours.
    pub is_coloured: bool,
    /// The name of this machine, where the terminal follows links to files; `None` for no links.
    pub links: Option<String>,
}

impl ReportSettings {
    /// Most pairs of a report with texts, where nothing else is asked for.
    pub const MAX_PAIRS: usize = 10_000;
    /// Most bytes that texts take in it.
    pub const MAX_BYTES: u64 = 32 << 20;
}

/// How pairs were looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportSearch {
    /// By bands, which find a pair with a chance.
    Banded(Banding),
    /// By a join, which finds every pair.
    EveryPair,
}

/// A format of reports.
#[derive(Debug)]
pub struct ReportFormat {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub about: &'static str,
    /// Whether it shows lines, which the passages of pairs say.
    pub shows_lines: bool,
    /// Whether it shows the texts of pairs.
    pub shows_texts: bool,
    /// Whether it can show groups.
    pub shows_groups: bool,
    /// How such reports begin, by which a file of an earlier run is known.
    pub starts: &'static [&'static str],
    /// Begins a report.
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
    ReportFormat { name: "junit", about: "a failed test for each pair", shows_lines: true, shows_texts: false, shows_groups: false, starts: junit::STARTS, report: junit::report },
    ReportFormat { name: "html", about: "a page with graph, table and texts side by side", shows_lines: false, shows_texts: true, shows_groups: true, starts: html::STARTS, report: html::report },
    ReportFormat { name: "csv", about: "a table for spreadsheets and data frames", shows_lines: false, shows_texts: false, shows_groups: true, starts: csv::STARTS, report: csv::comma_report },
    ReportFormat { name: "tsv", about: "the same, separated by tabs", shows_lines: false, shows_texts: false, shows_groups: true, starts: csv::TAB_STARTS, report: csv::tab_report },
    #[cfg(feature = "parquet")]
    ReportFormat { name: "parquet", about: "the same for DuckDB, pandas and Polars", shows_lines: false, shows_texts: false, shows_groups: true, starts: parquet::STARTS, report: parquet::report },
    ReportFormat { name: "dot", about: "a graph for Graphviz", shows_lines: false, shows_texts: false, shows_groups: true, starts: dot::STARTS, report: dot::report },
    ReportFormat { name: "graphml", about: "a graph for Gephi, yEd and NetworkX", shows_lines: false, shows_texts: false, shows_groups: true, starts: graphml::STARTS, report: graphml::report },
];

impl ReportFormat {
    /// The format of this name.
    pub fn of_name(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Whether it is the records as lines of JSON.
    pub fn is_lines(&self) -> bool {
        self.name == "jsonl"
    }

    /// Whether only programs read it, so that it does not belong on a terminal.
    pub fn is_for_programs(&self) -> bool {
        matches!(self.name, "html" | "sarif" | "junit" | "gitlab" | "graphml" | "parquet")
    }
}

#[cfg(test)]
mod tests;
