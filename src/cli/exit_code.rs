//! The exit codes of the program: one value for each way in which a run ends. The README and the handbook list them.

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Complete, whatever was found.
    Complete = 0,
    /// Complete, pairs were found, and `--exit-code` was given.
    PairsFound = 1,
    /// Not done: wrong usage or a failure.
    Failure = 2,
    /// Complete for all that could be read; some input was skipped for an error.
    Incomplete = 3,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}
