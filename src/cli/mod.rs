//! The command line: every flag once, one file per subcommand. Only the program sees clap.

mod banding;
mod compare;
mod curve;
mod exit_code;
mod groups;
mod interrupt;
mod out_of_memory;
mod report;
mod scan;
mod shingles;
mod streams;
mod summary_file;
mod templates;
mod usage;
mod values;
mod waiting;
mod warnings;

use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use dedup::{Error, Result};

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
    abort_on_panic();
    let run = match Cli::try_parse() {
        Ok(cli) => run(cli.command),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => show(&error),
        Err(error) => return misused(&error),
    };
    run.unwrap_or_else(|error| match error {
        // `dedup scan … | head` has seen enough.
        Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::Complete,
        error => {
            report::line(&format!("dedup: {error}"));
            ExitCode::Failure
        }
    })
}

/// Lets a panic, which is a bug of ours, end the program at once and loudly: no thread may wait for one that is no more.
/// Panics of libraries that read damaged files do not come here; they are contained where the libraries are called.
fn abort_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort()
    }));
}

fn run(command: Command) -> Result<ExitCode> {
    check_stdout()?;
    interrupt::install()?;
    match command {
        Command::Scan(scan) => scan.run(),
        Command::Compare(compare) => compare.run(),
        Command::Curve(curve) => curve.run(),
    }
}

/// Prints the help or the version.
fn show(text: &clap::Error) -> Result<ExitCode> {
    check_stdout()?;
    text.print().and_then(|()| io::stdout().flush()).map_err(Error::Output)?;
    Ok(ExitCode::Complete)
}

fn check_stdout() -> Result<()> {
    if streams::stdout_is_open() { Ok(()) } else { Err(Error::OutputClosed) }
}

/// Wrong usage becomes one line.
fn misused(error: &clap::Error) -> ExitCode {
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
