//! `VerbosityFlags`: how much a command reports on stderr.

use clap::Args;

/// How much a command reports on stderr.
#[derive(Debug, Args)]
pub(crate) struct VerbosityFlags {
    /// Report all numbers of the run on stderr: candidates, memory, seconds by stage
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,

    /// Print only errors and warnings on stderr, for records only the first 20 of a kind
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}
