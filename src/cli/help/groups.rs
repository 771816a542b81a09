//! The help of the program, with its commands grouped by purpose.

use std::fmt::Write;

use clap::Command;

/// The commands in the order of the help, under the headings of their groups.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Find", &["scan", "compare", "cluster", "explain"]),
    ("Clean up", &["unique", "decontaminate", "plan"]),
    ("Report", &["report", "baseline", "review", "check"]),
    ("Look up", &["index", "query", "mcp"]),
    ("Settings", &["config", "curve"]),
    ("For programs", &["sign", "verify", "params", "schema"]),
    ("Shell", &["completions", "man"]),
];

/// The template of the help of the program: examples first, then the commands.
///
/// * `examples`: a section of examples.
pub(super) fn template(program: &Command, examples: &str) -> String {
    let header = program.get_styles().get_header();
    let literal = program.get_styles().get_literal();
    let heading = |title: &str| format!("{header}{title}:{header:#}");
    let mut text = format!("{{about-with-newline}}\n{}\n\n", examples.replace("Examples:", &heading("Examples")));
    text += "{usage-heading} {usage}\n";
    let about = |name: &str| program.find_subcommand(name).and_then(Command::get_about);
    for (title, names) in GROUPS {
        text += &format!("\n{}\n", heading(title));
        for name in names {
            let about = about(name).map(ToString::to_string).unwrap_or_default();
            let padding = " ".repeat(WIDTH.saturating_sub(name.len()).max(1));
            writeln!(text, "  {literal}{name}{literal:#}{padding}{about}").expect("a String takes all");
        }
    }
    text += &format!("\n{}\n{{options}}\n\n", heading("Options"));
    text + "dedup PATH accepts the flags of dedup scan.\n\
            dedup COMMAND -h lists the main flags of a command, --help all of them."
}

/// Number of columns of the names of commands, with the space after them. The longest name has one more, so that the other
/// lines fit a terminal.
const WIDTH: usize = 13;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    #[test]
    fn every_command_is_in_one_group() {
        let program = program();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let mut commands: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        listed.sort_unstable();
        commands.sort_unstable();
        commands.retain(|name| *name != "help");
        assert_eq!(listed, commands);
        assert!(listed.iter().all(|name| name.len() <= WIDTH));
    }
}
