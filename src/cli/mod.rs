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
mod streams;
mod summary_file;
mod templates;
mod waiting;
mod warnings;

use std::io::{self, Write};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
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
    let run = match Cli::try_parse() {
        Ok(cli) => run(cli.command),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => show(&error),
        Err(error) => return usage(&error),
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

fn run(command: Command) -> Result<ExitCode> {
    check_stdout()?;
    interrupt::install();
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
fn usage(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::Failure;
    }
    let rendered = error.render().to_string();
    let sentences = rendered.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    // Hints stand on lines of their own.
    let words: Vec<&str> = sentences.flat_map(str::split_whitespace).collect();
    let message = words.join(" ").replace(" tip: ", "; ");
    // The flags of a subcommand are in its own help.
    let given = std::env::args_os().nth(1).and_then(|word| word.into_string().ok());
    let subcommand = given.filter(|word| Cli::command().find_subcommand(word).is_some());
    let help = subcommand.map_or("dedup --help".to_owned(), |name| format!("dedup {name} --help"));
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    report::line(&format!("dedup: {message}; see {help}"));
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
