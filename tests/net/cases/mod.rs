//! The command lines, a file a theme.
//!
//! A new one is a line here; `DEDUP_NET=record cargo test --test net -- NAME` records it.

mod endings;
mod explain;
mod inputs;
mod method;
mod pairs;
mod readme;
mod results;
mod shingles;

/// A command line, and how it is to be run.
pub(crate) struct Case {
    /// `THEME/WHAT`; no other case has it.
    pub(crate) name: &'static str,
    command: String,
    writes_summary: bool,
    /// Flags that must change nothing, each to be tried.
    pub(crate) ways: &'static [&'static str],
    pub(crate) needs_parquet: bool,
}

/// All of them, in the order in which they are recorded.
pub(crate) fn all() -> Vec<Case> {
    let themes = [
        readme::cases(),
        method::cases(),
        pairs::cases(),
        shingles::cases(),
        inputs::cases(),
        endings::cases(),
        explain::cases(),
        results::cases(),
    ];
    themes.into_iter().flatten().collect()
}

/// A run of the program that ends with a summary.
fn dedup(name: &'static str, arguments: &str) -> Case {
    Case { writes_summary: true, ..shell(name, &format!("dedup {arguments}")) }
}

/// Any command line of the shell, as it stands.
fn shell(name: &'static str, command: &str) -> Case {
    Case { name, command: command.into(), writes_summary: false, ways: &[], needs_parquet: false }
}

impl Case {
    fn same_with(self, ways: &'static [&'static str]) -> Self {
        Self { ways, ..self }
    }

    fn needs_parquet(self) -> Self {
        Self { needs_parquet: true, ..self }
    }

    /// The command line as people would write it.
    pub(crate) fn shown(&self) -> &str {
        &self.command
    }

    /// The command line as it is run.
    pub(crate) fn command(&self, way: Option<&str>) -> String {
        let way = way.map(|way| format!(" {way}")).unwrap_or_default();
        let summary = if self.writes_summary { " --summary \"$SUMMARY\"" } else { "" };
        // A redirection stays behind the flags.
        match self.command.split_once(" < ") {
            Some((command, input)) if self.writes_summary => format!("{command}{way}{summary} < {input}"),
            _ => format!("{}{way}{summary}", self.command),
        }
    }
}
