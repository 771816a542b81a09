//! The exit codes of the program, one for each way to end. The README and the handbook list them.
//!
//! A new code needs a variant, and a line in [`ExitCode::help`]. `interrupt` ends runs with the codes of signals.

/// The result of a run, as its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Complete, whether or not pairs were found.
    Complete = 0,
    /// Complete, and pairs were found with `--exit-code`, or more pairs than `--fail-over` allows.
    PairsFound = 1,
    /// Failed: wrong usage or another failure.
    Failure = 2,
    /// Complete except for inputs that were skipped because of an error.
    Incomplete = 3,
}

impl ExitCode {
    /// The exit code of a finished run.
    ///
    /// * `errors`: the number of inputs that were skipped because of an error.
    /// * `is_found`: whether the pairs make the exit code 1.
    pub(crate) fn of(errors: u64, is_found: bool) -> Self {
        match (errors, is_found) {
            (1.., _) => Self::Incomplete,
            (0, true) => Self::PairsFound,
            (0, false) => Self::Complete,
        }
    }

    /// The section of exit codes in the help of `dedup check`.
    pub(crate) fn help_of_check() -> String {
        Self::help(None).replacen("whatever was found", "and nothing differs\n  1  complete, and something differs", 1)
    }

    /// The section of exit codes in the help of a command.
    ///
    /// * `found`: the condition that `--exit-code` reports, for commands with this flag.
    pub(crate) fn help(found: Option<&str>) -> String {
        let found =
            found.map_or_else(String::new, |found| format!("\n  1  complete, {found}, and --exit-code was given"));
        format!(
            "Exit codes:\n  0  complete, whatever was found{found}\n  2  not done: wrong usage, a failure, or no input could be \
             read and one failed\n  3  complete for all that could be read; some input was skipped for an error\n  130, 143, \
             129  interrupted, terminated, hung up"
        )
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
