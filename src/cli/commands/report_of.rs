//! `ReportOf`: the properties of a result that its reports show, and that are known before its first pair.

use std::path::PathBuf;
use std::sync::Arc;

use dedup_scan::results::Answers;
use dedup_scan::results::report::ReportSearch;

use super::command_line::command_of_run;
use crate::cli::flags::{FilterFlags, ReportLook};

/// Number of lines that `--stats` prints.
pub(crate) const STATS_LINES: usize = 10;

/// The properties of a result that are known before its first pair or group.
pub(crate) struct ReportOf {
    pub(crate) folder: Option<PathBuf>,
    pub(crate) of_groups: bool,
    /// Whether a rule of `--keep` chose the representatives of groups.
    pub(crate) has_choice: bool,
    pub(crate) has_sides: bool,
    pub(crate) is_ranked: bool,
    pub(crate) of_passages: bool,
    pub(crate) search: Option<ReportSearch>,
    pub(crate) texts_are_known: bool,
    pub(crate) look: ReportLook,
    /// The command line that found the pairs; `None` if it is not known.
    pub(crate) command: Option<String>,
    /// The answers of a person about pairs.
    pub(crate) answers: Arc<Answers>,
    /// The number of pairs that `--top` keeps.
    pub(crate) top: Option<usize>,
    /// Whether a summary of the run follows.
    pub(crate) has_summary: bool,
    /// Number of terminal lines that other output needs below the view.
    pub(crate) lines_below: usize,
}

impl ReportOf {
    /// The properties of the pairs of a run.
    ///
    /// * `filters`: the flags that hide and sort pairs.
    pub(crate) fn of_pairs(filters: &FilterFlags, look: ReportLook) -> Self {
        Self { is_ranked: filters.has_order(), top: filters.top, ..Self::new(look) }
    }

    /// The properties of a run that finds pairs by similarity, in document order and without sides.
    pub(crate) fn new(look: ReportLook) -> Self {
        Self {
            folder: Some(PathBuf::new()),
            of_groups: false,
            has_choice: false,
            has_sides: false,
            is_ranked: false,
            of_passages: false,
            search: None,
            texts_are_known: true,
            look,
            command: command_of_run(),
            answers: Arc::default(),
            top: None,
            has_summary: true,
            lines_below: 0,
        }
    }
}
