//! The command line. Only the program sees clap, and it sees nothing of the library but its public face.
//!
//! `exit_code` and `streams` are what a program has besides its data; `messages` is all that people read, `interrupt` what
//! signals do; `flags` become settings, and `commands` run. Each imports only what stands before it here.

mod exit_code;
mod streams;

mod messages;

mod interrupt;

mod out_of_memory;

mod flags;

mod commands;

use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use self::commands::{Compare, Curve, Scan};
pub(crate) use self::exit_code::ExitCode;
use self::messages::{Failure, Result, line, usage};

/// Finds near-duplicate documents and proves every pair with its exact Jaccard similarity.
#[derive(Debug, Parser)]
#[command(name = "dedup", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Scan(Box<Scan>),
    /// Print every pair of near-duplicate documents across two sides
    Compare(Box<Compare>),
    Curve(Curve),
}

/// Runs the program; every failure is one line on stderr.
pub(crate) fn main() -> ExitCode {
    abort_on_panic();
    out_of_memory::prepare();
    let run = match Cli::try_parse() {
        Ok(cli) => run(cli.command),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => show(&error),
        Err(error) => return misused(&error),
    };
    run.unwrap_or_else(|failure| {
        if failure.is_closed_pipe() {
            return ExitCode::Complete;
        }
        if failure.is_cancelled() {
            // By a signal, which ends the program.
            interrupt::uninterrupted(|| ());
        }
        line(&format!("dedup: {failure}"));
        ExitCode::Failure
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
    text.print().and_then(|()| io::stdout().flush()).map_err(Failure::output)?;
    Ok(ExitCode::Complete)
}

fn check_stdout() -> Result<()> {
    if streams::stdout_is_open() { Ok(()) } else { Err(Failure::OutputClosed) }
}

/// Wrong usage becomes one line.
fn misused(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::Failure;
    }
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    line(&usage::message(error, &args, &Cli::command()));
    ExitCode::Failure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
