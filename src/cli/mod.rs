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
mod warnings;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

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
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
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

/// Lets a panic, which is a bug of ours, end the program at once and loudly: no thread may wait for one that is no more.
/// Panics of libraries that read damaged files do not come here; they are contained where the libraries are called.
fn abort_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        std::process::abort()
    }));
}

/// Help goes to stdout; wrong usage becomes one line.
fn usage(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed pipe is no failure of help.
        let _ = error.print();
        return ExitCode::Complete;
    }
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
