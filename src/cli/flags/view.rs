//! The flags of texts side by side: `--context` and `--color`, and the size of the view.

use clap::Args;

use super::color::Color;
use super::values::whole;

/// Number of columns if neither `COLUMNS` nor a terminal sets it.
const DEFAULT_COLUMNS: usize = 80;
/// Number of lines if neither `LINES` nor a terminal sets it.
const DEFAULT_LINES: usize = 24;

/// How much of two texts is shown, and in which colours.
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

/// The number of lines of the screen, from `LINES` or the terminal.
///
/// * `of_terminal`: the size of the output terminal, if there is one.
pub(crate) fn rows(of_terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    let given = std::env::var("LINES").ok().and_then(|lines| lines.parse().ok()).filter(|&lines| lines > 0);
    given.or(of_terminal.map(|(_, terminal_size::Height(lines))| lines.into())).unwrap_or(DEFAULT_LINES)
}

/// The number of columns of the view, from `COLUMNS` or the terminal.
///
/// * `of_terminal`: the size of the output terminal, if there is one.
pub(crate) fn columns(of_terminal: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&columns| columns > 0);
    given.or(of_terminal.map(|(terminal_size::Width(columns), _)| columns.into())).unwrap_or(DEFAULT_COLUMNS)
}
