//! `dedup man`: turns the help into manual pages, on standard output or in a folder.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use clap::{Args, Command};
use clap_mangen::Man;
use dedup_scan::base::shown;

use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::WordOf;
use crate::cli::messages::{Failure, Result, instead_of};

/// Release date of this version, shown in the pages; to be changed with the version.
const DATE: &str = "2026-11-27";

/// Print the manual page of a command, or write all of them
#[derive(Debug, Args)]
pub(crate) struct ManCommand {
    /// The command whose page is shown, such as `scan` or `index build` [default: the program]
    #[arg(value_name = "COMMAND", hide_possible_values = true, num_args = 0..=2)]
    command: Vec<String>,

    /// Write the page of every command in this folder, which is made if it is not there; pages in it are replaced
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    into: Option<PathBuf>,
}

impl ManCommand {
    /// Prints a page, or writes all of them.
    ///
    /// * `program`: the program with all its subcommands.
    pub(crate) fn run(&self, program: Command) -> Result<ExitCode> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        let commands = all_of(&program);
        if let Some(folder) = &self.into {
            let failure = |path: &Path, error| {
                let path = shown(&path.to_string_lossy());
                Failure::new(format!("{path}: cannot write the manual: {error}; check the folder"))
            };
            fs::create_dir_all(folder).map_err(|error| failure(folder, error))?;
            for command in std::iter::once(&program).chain(commands.into_iter().map(|(_, command)| command)) {
                let path = folder.join(format!("{}.1", name(command)));
                fs::write(&path, page(command)).map_err(|error| failure(&path, error))?;
            }
            return Ok(ExitCode::Complete);
        }
        let wanted = self.command.join(" ");
        // `dedup man dedup-scan` uses the name of the page.
        let wanted = wanted.strip_prefix("dedup-").unwrap_or(&wanted);
        let of = match wanted {
            "" | "dedup" => &program,
            wanted => {
                let is_wanted = |command: &str| command == wanted || command.replace(' ', "-") == wanted;
                commands.iter().find(|(name, _)| is_wanted(name)).map(|&(_, command)| command).ok_or_else(|| {
                    let is_folder = wanted.contains(std::path::MAIN_SEPARATOR) || Path::new(wanted).is_dir();
                    let instead = match is_folder {
                        true => format!("--into {} writes all pages there", shown(wanted)),
                        false => instead_of(wanted, &names_of(&commands)),
                    };
                    Failure::new(format!("{}: no such command; {instead}", shown(wanted)))
                })?
            }
        };
        if std::io::stdout().is_terminal() {
            return if show_with_man(&page(of)) { Ok(ExitCode::Complete) } else { print_help(of) };
        }
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(page(of).as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::output)?;
        Ok(ExitCode::Complete)
    }
}

/// Shows a page with `man`; returns `false` when no `man` can show it.
fn show_with_man(page: &str) -> bool {
    let child = std::process::Command::new("man").args(["-l", "-"]).stdin(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return false };
    // A pager may end before the whole page is written.
    let _ = child.stdin.take().expect("it is a pipe").write_all(page.as_bytes());
    child.wait().is_ok_and(|status| status.success())
}

fn print_help(command: &Command) -> Result<ExitCode> {
    let help = command.clone().render_long_help();
    let mut stdout = std::io::stdout().lock();
    write!(stdout, "{help}").and_then(|()| stdout.flush()).map_err(Failure::output)?;
    Ok(ExitCode::Complete)
}

/// Adds the names of all commands as completions of `dedup man`.
pub(crate) fn with_pages(program: Command) -> Command {
    let names = names_of(&all_of(&program));
    program.mut_subcommand("man", |man| man.mut_arg("command", |arg| arg.value_parser(WordOf(names))))
}

fn names_of(commands: &[(String, &Command)]) -> Vec<String> {
    commands.iter().map(|(name, _)| name.clone()).collect()
}

/// The subcommands of a program, including nested ones, with names as typed, such as `index build`.
fn all_of(program: &Command) -> Vec<(String, &Command)> {
    let mut all = Vec::new();
    for command in program.get_subcommands() {
        let name = command.get_name();
        all.push((name.to_owned(), command));
        all.extend(all_of(command).into_iter().map(|(inner, command)| (format!("{name} {inner}"), command)));
    }
    all
}

/// The name of a page, such as `dedup-scan`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

/// The manual page of a command. The page does not depend on the day it is made.
fn page(command: &Command) -> String {
    let version = env!("CARGO_PKG_VERSION");
    // The exit codes and examples have sections in the page.
    let more = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let bare = command.clone().after_help("");
    let man = Man::new(bare);
    let title = name(command).to_uppercase();
    let mut page = format!(".TH \"{title}\" 1 {DATE} \"dedup {version}\"\n").into_bytes();
    let mut render = || -> std::io::Result<()> {
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        if command.get_arguments().any(|arg| !arg.is_hide_set()) {
            man.render_options_section(&mut page)?;
        }
        if command.has_subcommands() {
            man.render_subcommands_section(&mut page)?;
        }
        Ok(())
    };
    render().expect("a Vec takes all");
    let mut page = tidy(&String::from_utf8(page).expect("the help is text"));
    for section in more.split("\n\n").filter(|section| !section.is_empty()) {
        page += &self::section(section);
    }
    page
}

/// Formats a section of the help that keeps its line breaks: a title with a colon, and the lines below it.
fn section(text: &str) -> String {
    let (title, lines) = text.split_once('\n').unwrap_or((text, ""));
    let title = title.trim_end_matches(':').to_uppercase();
    let lines: String = lines.lines().map(|line| format!("{}\n", escaped(line))).collect();
    format!(".SH \"{title}\"\n.nf\n{lines}.fi\n")
}

/// Escapes a line so that roff prints it literally.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

/// Removes constructs that the linter of mandoc reports: trailing white space, empty lines, and paragraphs before
/// sections.
fn tidy(page: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in page.lines().map(str::trim_end) {
        let is_section = line.starts_with(".SH");
        while is_section && lines.last().is_some_and(|last| [".PP", ".br", ""].contains(last)) {
            lines.pop();
        }
        let follows_section = lines.last().is_some_and(|last| last.starts_with(".SH"));
        let is_repeated = line == ".br" && lines.last() == Some(&".br");
        if line.is_empty() || is_repeated || follows_section && [".PP", ".br"].contains(&line) {
            continue;
        }
        lines.push(line);
    }
    // A backslash of the text is `\e`; a macro would interpret two backslashes as one.
    lines.iter().map(|line| format!("{}\n", line.replace("\\\\", "\\e"))).collect()
}
