//! The command line: parses arguments, prints pairs on stdout and messages on stderr, and returns an exit code.
//!
//! It uses only the public interface of the library, and the library does not depend on clap. `flags` turns arguments
//! into settings, and `commands` runs them. `registry` has the properties of flags that clap has no place for. `config` adds the settings of dedup.toml, and `help` prints `-h` and
//! `--help`. `messages` writes all other text for people. `streams`, `interrupt`, `stream_writer` and `allocator`
//! handle closed streams, signals, closed pipes and memory limits. Each module imports only modules declared before
//! it.

mod exit_code;
mod streams;

mod messages;

mod interrupt;

mod stream_writer;

mod allocator;

mod registry;

mod help;

mod config;

mod flags;

mod commands;

mod version;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use self::commands::{
    BaselineCommand, CheckCommand, ClusterCommand, Compare, CompletionsCommand, ConfigCommand, Curve, Decontaminate,
    ExplainCommand, IndexCommand, ManCommand, McpCommand, ParamsCommand, PlanCommand, Query, ReportCommand,
    ReviewCommand, Scan, SchemaCommand, SignCommand, Unique, VerifyCommand, reading_of, with_pages,
};
use self::config::Merged;
pub(crate) use self::exit_code::ExitCode;
use self::flags::Preset;
use self::messages::{Failure, Result, has_error, line, usage};

/// How the program is called: without a command it finds pairs for people.
const USAGE: &str = "dedup [OPTIONS] PATH...\n       dedup COMMAND [OPTIONS] [ARGUMENTS]";

/// The hidden flag of `dedup scan` for a command line without a command.
const FOR_PEOPLE: &str = "--for-people";

/// Finds near-duplicate documents, and proves each pair by its exact similarity.
#[derive(Debug, Parser)]
#[command(name = "dedup", version, max_term_width = 100, arg_required_else_help = true, override_usage = USAGE)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Scan(Box<Scan>),
    /// Print every pair of near-duplicates between two sets of documents
    Compare(Box<Compare>),
    /// Print groups of near-duplicate documents, one JSON line each
    Cluster(Box<ClusterCommand>),
    Explain(Box<ExplainCommand>),
    Unique(Box<Unique>),
    Decontaminate(Box<Decontaminate>),
    Plan(Box<PlanCommand>),
    Report(Box<ReportCommand>),
    Baseline(BaselineCommand),
    Review(ReviewCommand),
    Check(Box<CheckCommand>),
    Sign(Box<SignCommand>),
    Verify(Box<VerifyCommand>),
    Params(Box<ParamsCommand>),
    Index(IndexCommand),
    Query(Box<Query>),
    Mcp(Box<McpCommand>),
    Curve(Box<Curve>),
    Config(ConfigCommand),
    Schema(SchemaCommand),
    Completions(CompletionsCommand),
    Man(ManCommand),
}

/// The program with all its commands, flags and examples, including the flags about dedup.toml.
pub(crate) fn program() -> clap::Command {
    let program = with_required_paths(Cli::command());
    with_pages(config::with_flags(help::with_examples(program)))
        .long_version(version::long())
        .mut_subcommands(repeatable)
}

/// Lets flags without a value be given twice, as in `-qq`.
fn repeatable(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| match arg.get_action() {
        clap::ArgAction::SetTrue => {
            let id = arg.get_id().clone();
            arg.overrides_with(id)
        }
        _ => arg,
    });
    command.mut_subcommands(repeatable)
}

/// Requires a path for every command with paths, except for commands that read the working directory by default
/// and for `check`, whose saved results have paths.
fn with_required_paths(command: clap::Command) -> clap::Command {
    let reads_here = ["scan", "cluster", "check"].contains(&command.get_name());
    let has_paths = command.get_arguments().any(|arg| arg.get_id() == "paths");
    let command = command.mut_subcommands(with_required_paths);
    if reads_here || !has_paths {
        return command;
    }
    let has_lists = command.get_arguments().any(|arg| arg.get_id() == "files_from");
    command.mut_arg("paths", |arg| if has_lists { arg.required_unless_present("files_from") } else { arg })
}

/// The limit for a text, if this process was started to extract it.
fn extracts_text() -> Option<String> {
    let mut arguments = std::env::args_os().skip(1);
    let is_asked = arguments.next().is_some_and(|first| first == dedup_scan::documents::EXTRACT_FLAG);
    is_asked.then(|| arguments.next().unwrap_or_default().to_string_lossy().into_owned())
}

/// Runs the program; every failure is one line on stderr.
pub(crate) fn main() -> ExitCode {
    dedup_scan::base::name_settings(messages::flag_of);
    if let Some(limit) = extracts_text() {
        return dedup_scan::documents::extract_from_stdin(&limit).map_or(ExitCode::Failure, |()| ExitCode::Complete);
    }
    abort_on_panic();
    allocator::prepare();
    if let Ok(program) = std::env::current_exe() {
        dedup_scan::documents::set_extractor(program);
    }
    let arguments = with_command(std::env::args_os().collect());
    let merged = match Merged::new(&program(), arguments.clone()) {
        Ok(merged) => merged,
        Err(failure) => return failed(failure, &Merged { arguments, ..Merged::default() }),
    };
    let is_view = arguments.iter().any(|word| word == FOR_PEOPLE);
    let with_view = |program| if is_view { help::for_view(program) } else { program };
    let matches = with_view(program()).try_get_matches_from(&merged.arguments);
    let parsed = matches.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, given_flags(&matches))));
    let run = match parsed {
        Ok((cli, given)) => {
            merged.notes.iter().for_each(|note| line(note));
            config::keep_arguments(&merged);
            let ended = run(cli.command, &given);
            ended.inspect(|_| merged.summary_line().iter().for_each(|settings| line(settings)))
        }
        Err(error) if error.kind() == ErrorKind::DisplayHelp && preset_of_help().is_some() => show_preset(),
        Err(error) if error.kind() == ErrorKind::DisplayHelp && help::is_for_one_screen(&words(&arguments)) => {
            let program = with_view(help::for_one_screen(program()));
            show(&program.try_get_matches_from(&arguments).err().unwrap_or(error))
        }
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => show(&error),
        Err(error) => return misused(&error, &arguments, &merged),
    };
    run.unwrap_or_else(|failure| failed(failure, &merged))
}

/// The arguments with a command: a path or a flag in the place of a command begins a scan for people, and so does
/// standard input that is a pipe or a file without arguments.
///
/// A word that is the name of a command is the command, even if a file has that name; `./NAME` is the file.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(first) = arguments.get(1) else {
        if streams::stdin_has_data() {
            arguments.extend(["scan".into(), FOR_PEOPLE.into()]);
        }
        return arguments;
    };
    let is_of_program = ["-h", "--help", "-V", "--version", "help"].iter().any(|word| first == word);
    let is_command = first.to_str().is_some_and(|first| Cli::command().find_subcommand(first).is_some());
    let bytes = first.as_encoded_bytes();
    // No command name contains a dot or a character of a glob pattern.
    let is_path = bytes.starts_with(b"-") || bytes.iter().any(|byte| b"/.*?[".contains(byte));
    let is_input = is_path || Path::new(first).symlink_metadata().is_ok();
    // A flag before its command has its own error message.
    let is_before_command = bytes.starts_with(b"-")
        && arguments[2..].iter().any(|word| {
            word.to_str().is_some_and(|word| Cli::command().find_subcommand(word).is_some())
                && !Path::new(word).exists()
        });
    if is_input && !is_command && !is_of_program && !is_before_command {
        arguments.splice(1..1, ["scan".into(), FOR_PEOPLE.into()]);
    }
    arguments
}

/// Reports the failure of a run, and returns its exit code.
fn failed(failure: Failure, merged: &Merged) -> ExitCode {
    if failure.is_closed_pipe() {
        return ExitCode::of(u64::from(has_error()), false);
    }
    if failure.is_cancelled() {
        // Only a signal cancels a run, and the signal ends the program here.
        interrupt::uninterrupted(|| ());
    }
    // Tables that do not fit in memory go to the disk, so that a fault of the disk is the reason.
    let of_disk = failure.is_out_of_memory().then(allocator::disk_fault).flatten();
    let failure = of_disk.map_or(failure, Failure::from);
    let of_file = merged.note_on(failure.flags());
    let of_preset = Preset::note_on(failure.flags(), &words(&merged.arguments));
    line(&format!("dedup: {}", failure.with_note(of_file).with_note(of_preset)));
    allocator::note_report();
    ExitCode::Failure
}

/// The arguments as text, without the name of the program.
fn words(arguments: &[OsString]) -> Vec<String> {
    arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Makes a panic end the program at once; otherwise threads could wait for a thread that has ended. A panic is a bug
/// of `dedup`.
///
/// Libraries may panic on damaged files. Their callers catch these panics before they reach this hook.
fn abort_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        allocator::end_if_refused(panic);
        report(panic);
        std::process::abort()
    }));
}

/// The ids of the flags on the command line, after the last subcommand.
fn given_flags(matches: &ArgMatches) -> Vec<String> {
    let mut of_command = matches;
    while let Some((_, inner)) = of_command.subcommand() {
        of_command = inner;
    }
    // The names of groups of flags, which are names of types, begin with a capital letter.
    let is_flag = |id: &str| !id.starts_with(char::is_uppercase);
    let is_given = |id: &str| of_command.value_source(id) == Some(ValueSource::CommandLine);
    of_command.ids().map(|id| id.as_str().to_owned()).filter(|id| is_flag(id) && is_given(id)).collect()
}

/// Runs a command.
///
/// * `given`: the ids of the flags on the command line.
fn run(command: Command, given: &[String]) -> Result<ExitCode> {
    check_stdout()?;
    interrupt::install()?;
    match command {
        Command::Scan(scan) => scan.run(reading_of),
        Command::Compare(compare) => compare.run(reading_of),
        Command::Cluster(cluster) => cluster.run(given),
        Command::Explain(explain) => explain.run(given),
        Command::Unique(unique) => unique.run(),
        Command::Decontaminate(decontaminate) => decontaminate.run(),
        Command::Plan(plan) => plan.run(),
        Command::Report(report) => report.run(),
        Command::Baseline(baseline) => baseline.run(),
        Command::Review(review) => review.run(),
        Command::Check(check) => check.run(given),
        Command::Sign(sign) => sign.run(given),
        Command::Verify(verify) => verify.run(),
        Command::Params(params) => params.run(),
        Command::Index(index) => index.run(given),
        Command::Query(query) => query.run(given),
        Command::Mcp(mcp) => mcp.run(given),
        Command::Curve(curve) => curve.run(),
        Command::Config(config) => config.run(&program()),
        Command::Schema(schema) => schema.run(),
        Command::Completions(completions) => completions.run(program()),
        Command::Man(man) => man.run(program()),
    }
}

/// Prints the help or the version.
fn show(text: &clap::Error) -> Result<ExitCode> {
    check_stdout()?;
    text.print().and_then(|()| io::stdout().flush()).map_err(Failure::output)?;
    Ok(ExitCode::Complete)
}

/// The preset on the command line of `--help`.
fn preset_of_help() -> Option<Preset> {
    Preset::given(&words(&std::env::args_os().collect::<Vec<_>>()))
}

/// Prints the settings of a preset.
fn show_preset() -> Result<ExitCode> {
    check_stdout()?;
    let text = preset_of_help().map_or_else(String::new, Preset::text);
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::output)?;
    Ok(ExitCode::Complete)
}

fn check_stdout() -> Result<()> {
    if streams::stdout_is_open() {
        Ok(())
    } else {
        Err(Failure::new("standard output: not open for writing; redirect it to a file, a program or /dev/null"))
    }
}

/// Reports wrong usage in one line.
fn misused(error: &clap::Error, arguments: &[OsString], merged: &Merged) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::Failure;
    }
    failed(usage::failure(error, &words(arguments), &program()), merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        program().debug_assert();
        help::for_one_screen(program()).debug_assert();
    }
}
