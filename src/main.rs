//! The `dedup` program: reads the flags, calls the library, prints one error line, returns the exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main().into()
}
