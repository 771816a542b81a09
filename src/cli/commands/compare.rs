//! `dedup compare`: finds pairs across two sides, with the flags of `dedup scan`.

use clap::{Arg, Args};

use super::exclusions::not_with_from;
use super::saved_reading::ReadingOf;
use super::scan::Scan;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::AgainstFlags;
use crate::cli::messages::Result;

/// Print every pair of near-duplicates between two sets of documents
#[derive(Debug, Args)]
#[command(mut_args(not_with_from), mut_args(needs_another_side), after_help = ExitCode::help(Some("more pairs were found than --fail-over allows, or any")))]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(super) scan: Scan,

    #[command(flatten)]
    pub(super) against: AgainstFlags,
}

/// Makes the other side required. The documents of a side are not compared with each other, so none of them are old.
fn needs_another_side(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "against" => arg.required_unless_present("against_files_from"),
        "old" => arg.hide(true).conflicts_with_all(["against", "against_files_from"]),
        _ => arg,
    }
}

impl Compare {
    /// * `reading_of`: finds how the texts of a saved result are read again.
    pub(crate) fn run(self, reading_of: ReadingOf) -> Result<ExitCode> {
        self.scan.run_against(Some(&self.against), reading_of)
    }
}
