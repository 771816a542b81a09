//! Wrong usage in one line: what clap says, in the form of all other messages.

use std::error::Error as _;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use dedup::shown;

/// The line of an error.
///
/// * `args`: the command line, the program's name aside.
pub(crate) fn message(error: &clap::Error, args: &[String], program: &Command) -> String {
    let what = file_like_a_flag(error, args)
        .or_else(|| wrong_value(error))
        .or_else(|| nothing_to_compare(error, args))
        .unwrap_or_else(|| words_of_clap(error));
    // The flags of a subcommand are in its own help.
    let subcommand = args.first().filter(|word| program.find_subcommand(word).is_some());
    let help = subcommand.map_or("dedup --help".to_owned(), |name| format!("dedup {name} --help"));
    format!("dedup: {what}; see {help}")
}

/// A file whose name begins as flags do.
fn file_like_a_flag(error: &clap::Error, args: &[String]) -> Option<String> {
    let flag = text(error, ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let is_it = |arg: &&String| arg.starts_with(flag) && Path::new(arg).exists();
    let file = shown(args.iter().take_while(|arg| *arg != "--").find(is_it)?);
    Some(format!("{file}: what begins with a dash is taken for a flag; write ./{file}"))
}

/// A value that a flag does not take.
fn wrong_value(error: &clap::Error) -> Option<String> {
    // `--threads <N>`
    let flag = text(error, ContextKind::InvalidArg)?.split(' ').next()?;
    let value = text(error, ContextKind::InvalidValue)?;
    let what = match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::ValueValidation, _) => error.source()?.to_string(),
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(valid))) if !valid.is_empty() => {
            format!("give {}", one_of(valid))
        }
        (ErrorKind::InvalidValue, _) if value.is_empty() => "give a value".to_owned(),
        _ => return None,
    };
    Some(match value {
        "" => format!("{flag}: {what}"),
        value => format!("{flag} {}: {what}", shown(value)),
    })
}

fn one_of(words: &[String]) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        words => words.concat(),
    }
}

/// `--against` takes all paths up to the next flag, also the one that was to be compared.
fn nothing_to_compare(error: &clap::Error, args: &[String]) -> Option<String> {
    let missing = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(missing) if error.kind() == ErrorKind::MissingRequiredArgument => missing,
        _ => return None,
    };
    let took_all = missing.iter().any(|arg| arg.contains("PATH")) && args.iter().any(|arg| arg == "--against");
    took_all.then(|| {
        "PATH: --against takes all paths up to the next flag, and none is left to compare; write those before it".into()
    })
}

/// Its sentences, without usage and help, which stand on lines of their own; hints do, too.
fn words_of_clap(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let sentences = rendered.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let words: Vec<&str> = sentences.flat_map(str::split_whitespace).collect();
    let message = words.join(" ").replace(" tip: ", "; ");
    message.strip_prefix("error: ").unwrap_or(&message).to_owned()
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}
