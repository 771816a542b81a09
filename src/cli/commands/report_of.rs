//! `ReportOf`: the properties of a result that its reports show, and that are known before its first pair.

use std::path::PathBuf;

use dedup_scan::results::report::ReportSettings;

use super::command_line::command_of_run;
use crate::cli::flags::{Color, FilterFlags, ReportLook};

/// Number of lines that `--stats` prints.
pub(crate) const STATS_LINES: usize = 10;

/// The properties of a result that are known before its first pair or group.
pub(crate) struct ReportOf {
    /// The settings of its reports, except for the terminal that each is written to.
    pub(crate) settings: ReportSettings,
    /// When a terminal shows colours.
    pub(crate) color: Color,
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
        let mut of = Self { top: filters.top, ..Self::new(look) };
        of.settings.is_ranked = filters.has_order();
        of
    }

    /// The properties of a run that finds pairs by similarity, in document order and without sides.
    pub(crate) fn new(look: ReportLook) -> Self {
        let ReportLook { max_pairs, max_bytes, title, color } = look;
        let (folder, command) = (Some(PathBuf::new()), command_of_run());
        let settings = ReportSettings { folder, max_pairs, max_bytes, title, command, ..ReportSettings::default() };
        Self { settings, color, top: None, has_summary: true, lines_below: 0 }
    }
}
