//! Builds the commands of clap for `-h` and `--help`.
//!
//! `--help` is the full help, and ends with examples. `-h` fits one screen: two examples, and the main flags, each on
//! one line. The help of the program begins with examples in both.

mod examples;
mod groups;
mod screens;

use clap::Command;
use clap::builder::StyledStr;

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
    let Some(text) = text(None, "") else { return program };
    let template = groups::template(&program, &examples::first("").unwrap_or_default());
    program.after_help(text).help_template(template)
}

/// Reduces the help of every command to two examples and the main flags, and refers to `--help` for the others.
pub(crate) fn for_one_screen(program: Command) -> Command {
    let screen = |command: Command, name: &str| {
        let command = match HelpScreen::of(name) {
            Some(screen) => screen.shown(command),
            None => without_examples(command),
        };
        match examples::first(name) {
            Some(examples) => command.before_help(examples).help_template(EXAMPLES_FIRST),
            None => command,
        }
    };
    program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let command = command.mut_subcommands(|nested| {
            let name = format!("{name} {}", nested.get_name());
            screen(nested, &name)
        });
        screen(command, &name)
    })
}

/// Turns the help of `dedup scan` into the help of `dedup PATH`, which has the same flags and another output.
///
/// * `program`: the program with its examples, for one screen or in full.
pub(crate) fn for_view(program: Command) -> Command {
    let about = "Show the near-duplicate documents in files and folders, the most similar first";
    let note = "dedup PATH has the flags of dedup scan, which prints one JSON line for each pair instead.";
    let view = |text: Option<&StyledStr>| {
        let text = text.map(ToString::to_string).unwrap_or_default();
        text.replace("dedup scan --help", "dedup PATH --help").replace("dedup scan ", "dedup ")
    };
    program.mut_subcommand("scan", |scan| {
        let (before, after) = (view(scan.get_before_help()), view(scan.get_after_help()));
        let scan = if before.is_empty() { scan } else { scan.before_help(before) };
        scan.about(about)
            .long_about(format!("{about}\n\n{note}"))
            .after_help(after)
            .override_usage("dedup [OPTIONS] PATH...")
    })
}

/// The template of a help that begins with examples.
const EXAMPLES_FIRST: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// A command whose help ends before its examples, which are at the beginning instead.
fn without_examples(command: Command) -> Command {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    match text.split_once("Examples:\n") {
        Some((before, _)) => command.after_help(before.trim_end().to_owned()),
        None => command,
    }
}

/// Whether a command line asks for the short help.
///
/// * `args`: the arguments without the name of the program.
pub(crate) fn is_for_one_screen(args: &[String]) -> bool {
    let is_command = args.first().is_some_and(|word| word == "help");
    !is_command && !args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--help")
}
