//! `dedup completions`: writes the completion script of a shell.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::exit_code::ExitCode;
use crate::cli::messages::{Failure, Result};

/// Print a script that completes commands and flags in a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsCommand {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsCommand {
    /// * `program`: the program with all its subcommands.
    pub(crate) fn run(&self, mut program: Command) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "dedup", &mut script);
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(&script).and_then(|()| stdout.flush()).map_err(Failure::output)?;
        Ok(ExitCode::Complete)
    }
}
