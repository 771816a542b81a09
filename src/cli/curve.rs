//! `dedup curve`: the chance to find a pair, by similarity, as a table and a plot.

use clap::Args;
use dedup::Result;

use super::ExitCode;

/// Show how likely a pair is found, by its similarity
#[derive(Debug, Args)]
pub(crate) struct Curve {}

impl Curve {
    pub(crate) fn run(self) -> Result<ExitCode> {
        Ok(ExitCode::Complete)
    }
}
