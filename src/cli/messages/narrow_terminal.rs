//! A terminal for progress bars that reports fewer columns than it has.

use std::io;

use console::Term;
use indicatif::TermLike;

/// Columns to the right of a bar. The terminal prints `^C` there when Ctrl-C is pressed. In the last column, `^C`
/// would begin a new row, and the row with the bar would not be cleared.
const FREE_COLUMNS: u16 = 4;

/// Standard error, with a width reduced by [`FREE_COLUMNS`].
#[derive(Debug)]
pub(super) struct NarrowTerminal(Term);

impl NarrowTerminal {
    /// The terminal of standard error; `None` if standard error is not a terminal, or one that cannot delete a line.
    pub(super) fn of_stderr() -> Option<Self> {
        let is_dumb = match std::env::var_os("TERM") {
            Some(name) => name == "dumb",
            None => cfg!(unix),
        };
        Some(Term::buffered_stderr()).filter(|terminal| terminal.is_term() && !is_dumb).map(Self)
    }
}

impl TermLike for NarrowTerminal {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(FREE_COLUMNS).max(1)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, rows: usize) -> io::Result<()> {
        self.0.move_cursor_up(rows)
    }

    fn move_cursor_down(&self, rows: usize) -> io::Result<()> {
        self.0.move_cursor_down(rows)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
