//! What ends a test program: a line about the tests that this machine cannot run.

use std::collections::BTreeSet;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Conclusion, Trial};

/// The programs, folders and features that tests need and this machine lacks.
#[derive(Debug, Default)]
pub(crate) struct Missing {
    names: BTreeSet<String>,
}

impl Missing {
    /// Ignores a test that needs something, unless that is there.
    ///
    /// * `name`: what is needed, and in parentheses what it is needed for or how it is installed.
    pub(crate) fn unless(&mut self, is_there: bool, name: &str, trial: Trial) -> Trial {
        if is_there {
            return trial;
        }
        self.names.insert(name.to_owned());
        trial.with_ignored_flag(true)
    }

    /// Prints how many tests were ignored, what they need, and how that is installed.
    pub(crate) fn report(&self, arguments: &Arguments, conclusion: &Conclusion) {
        if conclusion.num_ignored > 0 && !arguments.list && !self.names.is_empty() {
            let number = match conclusion.num_ignored {
                1 => "1 test".to_owned(),
                number => format!("{number} tests"),
            };
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            eprintln!("{number} ignored, this machine lacks: {}", names.join(", "));
        }
    }

    /// Runs tests, and prints the line last.
    #[allow(dead_code, reason = "a test program may have something to do between the two")]
    pub(crate) fn run(&self, arguments: &Arguments, trials: Vec<Trial>) -> ExitCode {
        let conclusion = libtest_mimic::run(arguments, trials);
        self.report(arguments, &conclusion);
        conclusion.exit_code()
    }
}
