//! What `-h` and `--help` show: a command of clap in; the same command, made for one screen or with its examples, out.
//!
//! `--help` is the whole help, and ends with examples. `-h` is one screen: the flags that most runs need, each on one line.

mod examples;
mod screens;

use clap::Command;

use self::screens::HelpScreen;

/// Adds examples to the end of the help of every command.
pub(crate) fn with_examples(program: Command) -> Command {
    let text = |before: Option<String>, command: &str| {
        let examples = examples::of(command)?;
        Some(before.map_or(String::new(), |before| format!("{before}\n\n")) + &examples)
    };
    let program = program.mut_subcommands(|command| {
        match text(command.get_after_help().map(ToString::to_string), command.get_name()) {
            Some(text) => command.after_help(text),
            None => command,
        }
    });
    match text(None, "") {
        Some(text) => program.after_help(text),
        None => program,
    }
}

/// Shows of every command the main flags alone, and says where the others are.
pub(crate) fn for_one_screen(program: Command) -> Command {
    let screen = |command: Command, name: &str| match HelpScreen::of(name) {
        Some(screen) => screen.shown(command),
        None => command,
    };
    let program = program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let command = command.mut_subcommands(|nested| {
            let name = format!("{name} {}", nested.get_name());
            screen(nested, &name)
        });
        screen(command, &name)
    });
    program.after_help("dedup COMMAND -h lists the main flags of a command, --help all of them.")
}

/// Whether a command line that asks for help asks for one screen of it.
///
/// * `args`: without the name of the program.
pub(crate) fn is_for_one_screen(args: &[String]) -> bool {
    let is_command = args.first().is_some_and(|word| word == "help");
    !is_command && !args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--help")
}
