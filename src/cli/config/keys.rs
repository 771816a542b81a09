//! The flags that a settings file may set, and the flags about the file.

use clap::{Arg, ArgAction, Command};

use crate::cli::registry::{FlagEntry, FlagKey};

/// The commands that read the file.
pub(crate) const READERS: [&str; 6] = ["scan", "compare", "cluster", "explain", "unique", "plan"];
/// Heading in the help for the flags about the file.
const HEADING: &str = "Settings file";
/// The risk of a flag whose key only counts in a file that the command line gives; `None` for other flags.
pub(super) fn only_if_given(arg: &Arg) -> Option<&'static str> {
    match FlagEntry::of(arg.get_id().as_str()).key {
        FlagKey::OnlyInGivenFile(risk) => Some(risk),
        FlagKey::Allowed | FlagKey::Hidden | FlagKey::Forbidden => None,
    }
}

/// Whether a flag filters the pairs of a saved result.
pub(super) fn is_of_a_result(arg: &Arg) -> bool {
    FlagEntry::of(arg.get_id().as_str()).filters_result
}

/// The flags of a command that a file may set, without replaced flags.
pub(crate) fn keys_of(command: &Command) -> impl Iterator<Item = &Arg> {
    all_keys_of(command).filter(|arg| !arg.is_hide_set())
}

/// The flags of a command that a file may set.
pub(super) fn all_keys_of(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| {
        let key = FlagEntry::of(arg.get_id().as_str()).key;
        let is_shown = !arg.is_hide_set() || key == FlagKey::Hidden;
        arg.get_long().is_some() && key != FlagKey::Forbidden && is_shown
    })
}

/// The long name of a flag, followed by its former names.
pub(super) fn names_of(arg: &Arg) -> impl Iterator<Item = &str> {
    arg.get_long().into_iter().chain(arg.get_all_aliases().into_iter().flatten())
}

/// The id of the flag that undoes a setting of a file.
pub(super) fn id_of_opposite(id: &str) -> String {
    format!("not:{id}")
}

/// The name of the flag that undoes `--long`: `--no-long`, or `--quoting` for `--no-quoting`.
fn opposite(long: &str) -> String {
    long.strip_prefix("no-").map_or_else(|| format!("no-{long}"), str::to_owned)
}

/// Adds the flags about the file to the commands that read it: `--config`, `--no-config`, and a hidden `--no-X` for
/// each `--X` that the file may set.
pub(crate) fn with_flags(program: Command) -> Command {
    program.mut_subcommands(|command| {
        if !READERS.contains(&command.get_name()) {
            return command;
        }
        let opposites: Vec<Arg> = all_keys_of(&command)
            // Elsewhere, `--no-color` gets the advice to write `--color never`.
            .filter(|arg| arg.get_id() != "color")
            .map(|arg| {
                let mut names = names_of(arg).map(opposite);
                let (id, long) = (arg.get_id().to_string(), names.next().expect("keys have names"));
                let arg = Arg::new(id_of_opposite(&id)).long(long).aliases(names.map(clap::builder::Str::from));
                arg.hide(true).action(ArgAction::SetTrue).overrides_with(id)
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
        .help("Read settings from this file instead of the nearest dedup.toml in this folder or a parent folder. Its keys are the names of flags; flags override keys, and --no-NAME cancels one")
        .help_heading(HEADING)
}

fn no_config() -> Arg {
    Arg::new("no_config")
        .long("no-config")
        .action(ArgAction::SetTrue)
        .conflicts_with("config")
        .help("Read no settings file")
        .help_heading(HEADING)
}
