//! `--color`: whether what is printed is coloured.

use anstream::ColorChoice;
use clap::ValueEnum;

/// When to colour.
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
    /// * `of_stream`: what the stream that is written to can show.
    pub(crate) fn is_on(self, of_stream: ColorChoice) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => of_stream != ColorChoice::Never,
        }
    }
}
