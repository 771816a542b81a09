//! `dedup verify`: reads rows of documents or pairs, and prints the pairs that reach the threshold.

use clap::{Arg, Args, ValueEnum};
use dedup_scan::Settings;
use dedup_scan::exchange::{VerifyBy, verify_rows};

use super::params::for_rows;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{MethodAndShingleFlags, PipeFlags, ResourceFlags};
use crate::cli::interrupt;
use crate::cli::messages::{Failure, Result};

/// Verify candidate pairs that another program found
///
/// The command is a filter: it reads rows from standard input and writes rows with a, b, ord_a, ord_b and line, the
/// line of the pair in `dedup scan --collapse-exact`. When each group has whole components of documents with common
/// keys, as `dedup sign --pipe` prints them, the rows of all groups are the lines of a scan. A row that cannot be used
/// ends the command with exit code 2.
#[derive(Debug, Args)]
#[command(mut_args(for_verify), after_help = PIPE_CODES)]
pub(crate) struct VerifyCommand {
    /// The content of each row
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Rows")]
    by: VerifyByFlag,

    /// With --by group: each row has a fifth field, copy_of. If it is not empty, it is the id of an earlier document in
    /// the group with the same text, and text is empty
    #[arg(long, help_heading = "Rows")]
    copies: bool,

    #[command(flatten)]
    pipe: PipeFlags,

    /// Write a row with the number of rows and pairs after each group, or after all rows: the group, empty, rows,
    /// pairs, empty
    #[arg(long, help_heading = "Rows")]
    ends: bool,

    #[command(flatten)]
    texts: MethodAndShingleFlags,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// The section of exit codes in the help of filters.
pub(crate) const PIPE_CODES: &str = "Exit codes:\n  0  complete, whatever was found\n  2  not done: wrong usage, a row that cannot be used, \
     other parameters, or a failure\n  130, 143, 129  interrupted, terminated, hung up";

/// The content of a row that `dedup verify` reads.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum VerifyByFlag {
    /// A document: group, ord, id, text; sorted by group, then by the bytes of ord and id
    Group,
    /// A pair: a, b, ord_a, ord_b, text_a, text_b
    Pair,
    /// A document and one with the same text: a, b, ord_a, ord_b, and the shingles of the text; nothing is compared
    Copy,
}

/// Rewords the help of flags that work differently for a filter.
fn for_verify(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "pipe" => arg.help("Format of the rows, in and out [default: tsv]"),
        "threads" => arg.help("Number of worker threads [default: 1]"),
        "memory" => arg.help(
            "Maximum memory for texts and shingle sets, such as 512MiB or 4GB; at least 16MiB. Data that does not fit goes to a temporary file [default: a quarter of the memory that the machine, the control group or `ulimit -v` allows]",
        ),
        _ => for_rows(arg),
    }
}

impl VerifyCommand {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut resources = self.resources.settings()?;
        if !self.resources.threads.are_given() {
            resources.threads = std::num::NonZeroUsize::MIN;
        }
        let settings = Settings { resources, cancel: interrupt::cancel(), ..self.texts.settings()? };
        self.pipe.check(&settings)?;
        let format = self.pipe.format()?;
        let by = match (self.by, self.copies) {
            (VerifyByFlag::Group, false) => VerifyBy::Group,
            (VerifyByFlag::Group, true) => VerifyBy::GroupWithCopies,
            (_, true) => {
                return Err(Failure::of_flag("--copies", "only applies to --by group; use that, or remove the flag"));
            }
            (VerifyByFlag::Pair, _) => VerifyBy::Pair,
            (VerifyByFlag::Copy, _) => VerifyBy::Copy,
        };
        let (mut input, mut output) = PipeFlags::open()?;
        verify_rows(&settings, format, by, self.ends, &mut input, &mut output)?;
        Ok(ExitCode::Complete)
    }
}
