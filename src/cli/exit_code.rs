//! The exit codes of the program: one value for each way in which a run ends. The README and the handbook list them.

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Complete, whatever was found.
    Complete = 0,
    /// Complete, pairs were found, and `--exit-code` was given, or more of them than `--fail-over` allows.
    PairsFound = 1,
    /// Not done: wrong usage or a failure.
    Failure = 2,
    /// Complete for all that could be read; some input was skipped for an error.
    Incomplete = 3,
}

impl ExitCode {
    /// How a run that is done ended.
    ///
    /// * `errors`: inputs that were skipped for an error.
    /// * `is_found`: whether what was found makes it 1.
    pub(crate) fn of(errors: u64, is_found: bool) -> Self {
        match (errors, is_found) {
            (1.., _) => Self::Incomplete,
            (0, true) => Self::PairsFound,
            (0, false) => Self::Complete,
        }
    }

    /// The section of exit codes in the help of a command.
    ///
    /// * `found`: what `--exit-code` looks for, where the command has it.
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
