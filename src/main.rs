//! The `dedup` program, whose command line is in `cli`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main().into()
}
