//! Which flags may stand in a file of settings, and the flags that are about it.

use clap::{Arg, ArgAction, Command};

/// The commands that read the file.
pub(crate) const READERS: [&str; 6] = ["scan", "compare", "cluster", "explain", "unique", "plan"];
/// Where the flags about the file stand in the help.
const HEADING: &str = "Settings file";
/// What belongs to one run: what it compares, and what it writes where.
const OF_ONE_RUN: [&str; 24] = [
    "a",
    "action",
    "against_files_from",
    "b",
    "config",
    "drop_skipped",
    "dry_run",
    "files_from",
    "force",
    "forecast",
    "from",
    "help",
    "into",
    "json",
    "labels",
    "list_documents",
    "no_config",
    "null",
    "output",
    "paths",
    "prune",
    "removed",
    "save",
    "summary",
];
/// What runs commands, which a folder of somebody else's could name.
const RUNS_COMMANDS: [&str; 1] = ["filter"];
/// What the pairs of a saved result are filtered by, which has its own.
const OF_A_RESULT: [&str; 3] = ["threshold", "coverage", "min_matched"];

/// Whether the key of a flag counts only in a file that the command line names.
pub(super) fn runs_commands(arg: &Arg) -> bool {
    RUNS_COMMANDS.contains(&arg.get_id().as_str())
}

/// Whether a flag leaves out pairs of a saved result.
pub(super) fn is_of_a_result(arg: &Arg) -> bool {
    OF_A_RESULT.contains(&arg.get_id().as_str())
}

/// The flags of a command that may stand in a file.
pub(crate) fn keys_of(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|arg| arg.get_long().is_some() && !arg.is_hide_set())
        .filter(|arg| !OF_ONE_RUN.contains(&arg.get_id().as_str()))
}

/// The id of the flag that takes back what a file says.
pub(super) fn id_of_opposite(id: &str) -> String {
    format!("not:{id}")
}

/// The flag that takes back `--long`: `--no-long`, and `--quoting` for `--no-quoting`.
fn opposite(long: &str) -> String {
    long.strip_prefix("no-").map_or_else(|| format!("no-{long}"), str::to_owned)
}

/// Adds the flags about the file to the commands that read it: `--config`, `--no-config`, and, hidden, `--no-X` for each `--X`
/// that the file may have.
pub(crate) fn with_flags(program: Command) -> Command {
    program.mut_subcommands(|command| {
        if !READERS.contains(&command.get_name()) {
            return command;
        }
        let opposites: Vec<Arg> = keys_of(&command)
            .map(|arg| {
                let long = opposite(arg.get_long().expect("keys have names"));
                let id = arg.get_id().to_string();
                Arg::new(id_of_opposite(&id)).long(long).hide(true).action(ArgAction::SetTrue).overrides_with(id)
            })
            .collect();
        command.arg(config()).arg(no_config()).args(opposites)
    })
}

fn config() -> Arg {
    Arg::new("config")
        .long("config")
        .value_name("FILE")
        .value_parser(clap::value_parser!(std::path::PathBuf))
        .help("Take the settings of this file, in place of the nearest dedup.toml of this folder or one above it. Its keys are the names of flags; flags replace them, and --no-NAME takes one back")
        .help_heading(HEADING)
}

fn no_config() -> Arg {
    Arg::new("no_config")
        .long("no-config")
        .action(ArgAction::SetTrue)
        .conflicts_with("config")
        .help("Take no settings of any file")
        .help_heading(HEADING)
}
