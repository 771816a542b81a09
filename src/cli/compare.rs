//! `dedup compare`: pairs across two sides only, with the flags of `dedup scan`.

use std::path::PathBuf;

use clap::Args;
use dedup::Result;

use super::ExitCode;
use super::scan::Scan;

/// Print every pair of near-duplicate documents across two sides
#[derive(Debug, Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    scan: Scan,

    /// What the documents of PATH are compared against, and not among themselves, up to the next flag; repeatable. Each
    /// side is a corpus of its own: a file on both sides is a document of both
    #[arg(long, value_name = "PATH", required = true, num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
}

impl Compare {
    pub(crate) fn run(self) -> Result<ExitCode> {
        self.scan.run_against(self.against)
    }
}
