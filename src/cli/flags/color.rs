//! `--color`: whether output is coloured.

use anstream::ColorChoice;
use clap::ValueEnum;

/// When to colour the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal; respects NO_COLOR and CLICOLOR_FORCE
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// * `of_stream`: the colours that the output stream supports.
    pub(crate) fn is_on(self, of_stream: ColorChoice) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => of_stream != ColorChoice::Never,
        }
    }
}
