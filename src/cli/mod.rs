//! The command line: every flag once, one file per subcommand. Only the program sees clap.

mod banding;
mod compare;
mod curve;
mod exit_code;
mod groups;
mod interrupt;
mod report;
mod scan;
mod shingles;
mod templates;
mod usage;
mod values;
mod warnings;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

pub(crate) use self::exit_code::ExitCode;

/// Finds near-duplicate documents and proves every pair with its exact Jaccard similarity.
#[derive(Debug, Parser)]
#[command(name = "dedup", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Scan(Box<scan::Scan>),
    /// Print every pair of near-duplicate documents across two sides
    Compare(Box<compare::Compare>),
    Curve(curve::Curve),
}

/// Runs the program; every failure is one line on stderr.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    interrupt::install();
    let run = match cli.command {
        Command::Scan(scan) => scan.run(),
        Command::Compare(compare) => compare.run(),
        Command::Curve(curve) => curve.run(),
    };
    run.unwrap_or_else(|error| match error {
        // `dedup scan … | head` has seen enough.
        dedup::Error::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::Complete,
        error => {
            report::line(&format!("dedup: {error}"));
            ExitCode::Failure
        }
    })
}

/// Help goes to stdout; wrong usage becomes one line.
fn misused(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed pipe is no failure of help.
        let _ = error.print();
        return ExitCode::Complete;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::Failure;
    }
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    report::line(&usage::message(error, &args));
    ExitCode::Failure
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
