//! The flags of texts side by side: `--context` and `--color`, and how wide the view is.

use clap::Args;

use super::color::Color;
use super::values::whole;

/// Columns where no terminal says how wide it is.
const DEFAULT_COLUMNS: usize = 80;
/// Lines likewise.
const DEFAULT_LINES: usize = 24;

/// How texts are shown.
#[derive(Debug, Args)]
pub(crate) struct ViewFlags {
    /// Lines shown around each passage; other lines are hidden and counted
    #[arg(long, value_name = "LINES", default_value_t = 3, value_parser = whole::<usize>(0..=u32::MAX as u64),
        allow_negative_numbers = true, help_heading = "Output")]
    pub(crate) context: usize,

    /// When to colour passages
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Output")]
    pub(crate) color: Color,
}

/// How many lines a screen has: as `LINES` or the terminal says.
///
/// * `of_terminal`: as [`columns`] has it.
pub(crate) fn rows(of_terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    let given = std::env::var("LINES").ok().and_then(|lines| lines.parse().ok()).filter(|&lines| lines > 0);
    given.or(of_terminal.map(|(_, terminal_size::Height(lines))| lines.into())).unwrap_or(DEFAULT_LINES)
}

/// How wide a view is: as `COLUMNS` or the terminal says.
///
/// * `of_terminal`: the size of the terminal that is written to, if there is one.
pub(crate) fn columns(of_terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&columns| columns > 0);
    given.or(of_terminal.map(|(terminal_size::Width(columns), _)| columns.into())).unwrap_or(DEFAULT_COLUMNS)
}
