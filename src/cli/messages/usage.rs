//! Wrong usage: turns an error of clap into one line in the form of all other messages.

use std::error::Error as _;
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use dedup_scan::base::shown;
use dedup_scan::results::report::FORMATS;

use super::advice;
use super::failure::Failure;
use super::number::counted;
use super::similar::{instead_of, one_of, similar};
use super::{foreign, foreign_commands};

/// The failure for an error.
///
/// * `args`: the command line without the program's name.
pub(crate) fn failure(error: &clap::Error, args: &[String], program: &Command) -> Failure {
    // The flags of a subcommand are in its own help.
    let subcommand = args.first().filter(|word| program.find_subcommand(word).is_some());
    let what = file_like_a_flag(error, args)
        .or_else(|| page_to_write(error))
        .or_else(|| wrong_value(error))
        .or_else(|| nothing_to_compare(error, args))
        .or_else(|| no_other_side(error, args))
        .or_else(|| no_index(error, args))
        .or_else(|| missing(error, args, subcommand.map(String::as_str)))
        .or_else(|| of_another_program(error, args, program, subcommand.map(String::as_str)))
        .or_else(|| dashes(error, args))
        .or_else(|| unknown(error, args, program, subcommand.map(String::as_str)))
        .or_else(|| no_command(error, program, subcommand.map(String::as_str)))
        .or_else(|| conflict(error))
        .or_else(|| wrong_number_of_values(error))
        .unwrap_or_else(|| words_of_clap(error));
    let inner = || program.find_subcommand(subcommand?)?.find_subcommand(args.get(1)?);
    let names = subcommand.map(String::as_str).into_iter().chain(inner().map(Command::get_name));
    let help = names.fold("dedup".to_owned(), |help, name| format!("{help} {name}")) + " --help";
    let is_view = args.iter().any(|arg| arg == "--for-people");
    let help = if is_view { "dedup PATH --help" } else { &help };
    flags(error).fold(Failure::new(format!("{what}; see {help}")), |failure, flag| failure.and(flag))
}

/// The flags that an error is about.
fn flags(error: &clap::Error) -> impl Iterator<Item = &str> {
    let of_kind = |kind| match error.get(kind) {
        Some(ContextValue::Strings(args)) => args.as_slice(),
        Some(ContextValue::String(arg)) => std::slice::from_ref(arg),
        _ => &[],
    };
    [ContextKind::InvalidArg, ContextKind::PriorArg].into_iter().flat_map(of_kind).map(|arg| plain(arg))
}

/// The message for a file whose name begins with a dash, like a flag.
fn file_like_a_flag(error: &clap::Error, args: &[String]) -> Option<String> {
    let flag = text(error, ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    if !flag.starts_with('-') {
        return None;
    }
    let is_it = |arg: &&String| arg.starts_with(flag) && Path::new(arg).exists();
    let file = shown(args.iter().take_while(|arg| *arg != "--").find(is_it)?);
    Some(format!("{file}: looks like a flag; write ./{file} if it is a path"))
}

/// The message for a flag of another program.
fn of_another_program(
    error: &clap::Error,
    args: &[String],
    program: &Command,
    subcommand: Option<&str>,
) -> Option<String> {
    let flag = text(error, ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    advice::on_flag(flag, args, program, subcommand)
}

/// The message for a word after one dash, for which clap reports only the first letter.
fn dashes(error: &clap::Error, args: &[String]) -> Option<String> {
    let flag = text(error, ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let is_short = flag.len() > 1 && flag.starts_with('-') && !flag.starts_with("--");
    let mut words = args.iter().take_while(|arg| *arg != "--");
    let word = shown(words.find(|arg| is_short && arg.starts_with(flag) && arg.as_str() != flag)?);
    Some(format!("{word}: no such flag; write ./{word} if it is a path"))
}

/// The message for a value that a flag does not accept.
fn wrong_value(error: &clap::Error) -> Option<String> {
    let flag = plain(text(error, ContextKind::InvalidArg)?);
    let value = text(error, ContextKind::InvalidValue)?;
    let what = match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::ValueValidation, _) => with_similar(value, error.source()?.to_string()),
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(valid))) if !valid.is_empty() => instead_of(value, valid),
        (ErrorKind::InvalidValue, _) if value.is_empty() => "give a value".to_owned(),
        _ => return None,
    };
    // `-t py` chooses files of a type in ripgrep.
    let what = match foreign::type_of_files(value).filter(|_| flag == "--threshold") {
        Some(extension) => format!("{what}; --include '*.{extension}' reads only such files"),
        None => what,
    };
    // A similar value is in the message already.
    let instead = foreign::value(flag, value).filter(|instead| !what.ends_with(&format!("{instead} is similar")));
    let what = instead.map_or(what.clone(), |instead| format!("{what}; write {flag} {instead}"));
    // A format whose name differs from the word is explained.
    let about = FORMATS.iter().find(|format| flag == "--format" && Some(format.name) == instead);
    let what = about.map_or(what.clone(), |format| format!("{what} ({})", format.about));
    Some(match value {
        "" => format!("{flag}: {what}"),
        value => format!("{flag} {}: {what}", shown(value)),
    })
}

/// The message for a file name where a flag expects a word, as in `--html out.html` and `--format out.csv`.
fn page_to_write(error: &clap::Error) -> Option<String> {
    let is_value = matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation);
    let flag = plain(text(error, ContextKind::InvalidArg).filter(|_| is_value)?);
    let value = text(error, ContextKind::InvalidValue)?;
    let (_, extension) = value.rsplit_once('.').filter(|(name, _)| !name.is_empty() && !name.contains('='))?;
    let format = match (flag, extension) {
        ("--html", "html" | "htm") | ("--format", "html" | "htm") => "html",
        ("--format", "md") => "markdown",
        ("--format", "txt") => "text",
        ("--format", "xml") => "junit",
        ("--format", extension) => FORMATS.iter().find(|format| format.name == extension)?.name,
        _ => return None,
    };
    let value = shown(value);
    Some(match flag {
        "--html" => {
            format!(
                "{flag} {value}: it selects which documents are HTML pages; write a report with --format html={value}"
            )
        }
        _ => format!("{flag} {value}: a file follows the name of its format; write --format {format}={value}"),
    })
}

/// The message of a parser, with the listed word that may have been meant.
fn with_similar(value: &str, message: String) -> String {
    // Examples after "such as" are not suggested.
    let listed = message.split_once("give ").filter(|(_, listed)| !listed.contains("such as"));
    let listed = listed.map_or("", |(_, listed)| listed);
    let words =
        listed.split(", ").flat_map(|words| words.split(" or ")).map(|word| word.split(':').next().unwrap_or(word));
    let words = words.filter(|word| {
        word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    });
    // In `sarif=out`, the file is not part of the name.
    let name = value.split(['=', ':']).next().unwrap_or(value);
    match similar(name, words).filter(|similar| *similar != name).map(str::to_owned) {
        Some(similar) => format!("{message}; {similar} is similar"),
        None => message,
    }
}

/// `--against` and `--in` accept all paths up to the next flag, so arguments after them are missing.
fn nothing_to_compare(error: &clap::Error, args: &[String]) -> Option<String> {
    let missing = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(missing) if error.kind() == ErrorKind::MissingRequiredArgument => missing,
        _ => return None,
    };
    let lacks_document = missing.iter().any(|arg| ["A", "B"].contains(&plain(arg)));
    if lacks_document && args.first().is_some_and(|command| command == "explain") {
        let is_last = args.iter().rposition(|arg| arg == "--in").is_some_and(|at| at > 0 && args.len() > at + 2);
        return Some(match is_last {
            true => {
                "--in: it accepts all paths up to the next flag; write it after A and B: dedup explain A B --in PATH"
                    .to_owned()
            }
            false => {
                "A, B: give two documents to compare, as in: dedup explain A B; `dedup PATH` finds pairs".to_owned()
            }
        });
    }
    let took_all = missing.iter().any(|arg| plain(arg) == "PATH") && args.iter().any(|arg| arg == "--against");
    took_all.then(|| {
        "PATH: missing, since --against accepts all paths up to the next flag; write the paths to compare before it"
            .into()
    })
}

/// The message for two sides without `--against` between them.
fn no_other_side(error: &clap::Error, args: &[String]) -> Option<String> {
    let lacks_side = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(missing) => missing.iter().any(|arg| arg.starts_with("--against")),
        _ => false,
    };
    if !lacks_side || error.kind() != ErrorKind::MissingRequiredArgument || args.first()? != "compare" {
        return None;
    }
    let is_path = |arg: &String| !arg.starts_with('-') && (Path::new(arg).exists() || args.len() == 3);
    let paths: Vec<&String> = args[1..].iter().filter(|arg| is_path(arg)).collect();
    Some(match paths.as_slice() {
        [_, .., last] => {
            let at = args.iter().rposition(|arg| arg == *last)?;
            let others = args.iter().enumerate().filter(|&(number, _)| number != at);
            let others: Vec<String> = others.map(|(_, arg)| shown(arg)).collect();
            format!("--against: missing; write: dedup {} --against {}", others.join(" "), shown(last))
        }
        _ => "--against: missing; write: dedup compare A --against B".to_owned(),
    })
}

/// The message for one path after `dedup query`, which is then the index.
fn no_index(error: &clap::Error, args: &[String]) -> Option<String> {
    let missing = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(missing) if error.kind() == ErrorKind::MissingRequiredArgument => missing,
        _ => return None,
    };
    let lacks_path = missing.iter().any(|arg| plain(arg).starts_with("PATH"));
    (lacks_path && args.first()? == "query").then(|| {
        "PATH: missing; write: dedup query INDEX PATH, where INDEX is a file that dedup index build INDEX PATH has written"
            .into()
    })
}

/// The message for missing arguments.
fn missing(error: &clap::Error, args: &[String], subcommand: Option<&str>) -> Option<String> {
    let (ErrorKind::MissingRequiredArgument, ContextValue::Strings(missing)) =
        (error.kind(), error.get(ContextKind::InvalidArg)?)
    else {
        return None;
    };
    let (last, others) = missing.split_last()?;
    let missing = others.iter().map(|arg| format!("{}, ", plain(arg))).collect::<String>() + plain(last);
    let give = match example(subcommand, plain(last), args) {
        Some(example) if others.is_empty() => return Some(format!("{missing}: missing; write: {example}")),
        _ if others.is_empty() => "it",
        _ => "them",
    };
    let stdin = match subcommand {
        _ if plain(last) != "PATH" && !others.iter().any(|arg| plain(arg) == "PATH") => "",
        Some("unique" | "plan" | "decontaminate") => " (save standard input as a file first)",
        _ => " (- is standard input)",
    };
    Some(format!("{missing}: missing; give {give}{stdin}"))
}

/// A command line with the missing argument, for arguments that have no default.
fn example(subcommand: Option<&str>, missing: &str, args: &[String]) -> Option<String> {
    let saved = "where dedup scan PATH --save RESULT has saved the pairs";
    match (subcommand?, missing) {
        ("unique", "--output") => {
            let words: Vec<String> = args[1..].iter().map(|word| shown(word)).collect();
            // A word after a flag may be its value.
            let has_flags = words.iter().any(|word| word.starts_with('-'));
            // The last of several paths is the output, as for cp.
            Some(match words.as_slice() {
                [inputs @ .., last] if !has_flags && !inputs.is_empty() && !Path::new(last).exists() => {
                    format!("dedup unique {} --output {last}", inputs.join(" "))
                }
                words => format!("dedup unique {} --output CLEAN, or --dry-run", words.join(" ")),
            })
        }
        ("decontaminate", "--output") => {
            let words: Vec<String> = args.iter().map(|word| shown(word)).collect();
            Some(format!("dedup {} --output CLEAN, or --dry-run", words.join(" ")))
        }
        ("report" | "review" | "check", "RESULT") => Some(format!("dedup {} RESULT, {saved}", subcommand?)),
        ("baseline", "RESULT") => Some(format!("dedup baseline RESULT --output accepted.jsonl, {saved}")),
        _ => None,
    }
}

/// The flags that divide a corpus into groups.
const GROUP_FLAGS: [&str; 3] = ["--group-by", "--within-groups", "--across-groups"];

/// The message for an unknown flag, or for a path where the command accepts none.
fn unknown(error: &clap::Error, args: &[String], program: &Command, subcommand: Option<&str>) -> Option<String> {
    let arg = text(error, ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let shown = shown(arg);
    let has_it = |command: &&clap::Command| {
        let long =
            arg.strip_prefix("--").is_some_and(|name| command.get_arguments().any(|arg| arg.get_long() == Some(name)));
        let mut name = arg.strip_prefix('-').into_iter().flat_map(str::chars);
        let short = name.next().filter(|_| name.next().is_none());
        long || short.is_some() && command.get_arguments().any(|arg| arg.get_short() == short)
    };
    let elsewhere = program.get_subcommands().find(has_it);
    let own = subcommand.and_then(|name| program.find_subcommand(name));
    let own = own.map(|own| args.get(1).and_then(|name| own.find_subcommand(name)).unwrap_or(own));
    let longs = own.into_iter().flat_map(Command::get_arguments).filter(|arg| !arg.is_hide_set());
    let meant = arg.strip_prefix("--").and_then(|name| similar(name, longs.filter_map(clap::Arg::get_long)));
    Some(match (subcommand, elsewhere, meant) {
        (None, Some(command), _) => {
            format!("{shown}: it must follow its command; write it after `{}`", command.get_name())
        }
        (Some("plan"), Some(_), _) if GROUP_FLAGS.contains(&arg) => format!(
            "{shown}: duplicates are removed from the whole corpus; use `dedup unique` with --group-by and --within-groups, or plan for the documents of one group at a time"
        ),
        (Some("plan"), Some(_), _) if arg.starts_with("--against") => format!(
            "{shown}: duplicates are removed from the whole corpus; `dedup compare NEW --against EXISTING` lists the documents \
             of NEW that EXISTING has, and `dedup man compare` shows how to remove them"
        ),
        (Some(_), Some(command), _) => {
            format!("{shown}: `dedup {}` has this flag; use that command, or remove the flag", command.get_name())
        }
        (_, None, Some(similar)) => format!("{shown}: no such flag; --{similar} is similar"),
        (_, None, None) if arg.strip_prefix("--").is_some_and(|name| program.find_subcommand(name).is_some()) => {
            let name = arg.trim_start_matches('-');
            format!("{shown}: {name} is a command, not a flag; write dedup {name}")
        }
        (Some(name), None, None) if !arg.starts_with('-') => {
            let arguments = || program.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
            let flag = |name: &str| arguments().find(|arg| arg.get_long() == Some(name));
            let instead = if name == "explain" {
                return Some(format!("{shown}: `dedup explain` compares two documents; give two"));
            } else if name == "curve" && arg.parse::<f64>().is_ok() {
                format!("write --threshold {shown}")
            } else if flag("corpus").is_some() {
                format!("give documents as --corpus {shown}")
            } else {
                "remove it".to_owned()
            };
            format!("{shown}: `dedup {name}` accepts no paths; {instead}")
        }
        (_, None, None) => format!("{shown}: no such flag; remove it"),
    })
}

/// The message for an unknown command.
///
/// * `subcommand`: the command before it, if there is one.
fn no_command(error: &clap::Error, program: &Command, subcommand: Option<&str>) -> Option<String> {
    let word = text(error, ContextKind::InvalidSubcommand)?;
    if word.is_empty() {
        return Some("\"\": an empty argument is not a path; give a file, a folder or a command".to_owned());
    }
    let shown = shown(word);
    let inner = subcommand.and_then(|name| program.find_subcommand(name));
    let commands = || inner.unwrap_or(program).get_subcommands().map(Command::get_name);
    let of_other_program =
        if inner.is_none() { foreign_commands::command(word) } else { foreign_commands::command_of_index(word) };
    Some(match similar(&word.to_lowercase(), commands()) {
        _ if inner.is_none() && Path::new(word).exists() => {
            format!("{shown}: no such command; write dedup scan {shown}")
        }
        _ if of_other_program.is_some() => {
            format!("{shown}: no such command; write {}", of_other_program.unwrap_or_default())
        }
        Some(similar) => format!("{shown}: no such command; {similar} is similar"),
        None if inner.is_none() => {
            format!("{shown}: no such command, file or folder; check the path, or choose a command")
        }
        None => {
            let commands: Vec<String> = commands().map(str::to_owned).collect();
            format!("{shown}: no such command; give {}", one_of(&commands))
        }
    })
}

/// The message for flags that exclude each other, or for a flag given twice.
fn conflict(error: &clap::Error) -> Option<String> {
    let flag = plain(text(error, ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::ArgumentConflict)?);
    let others = match error.get(ContextKind::PriorArg)? {
        ContextValue::Strings(others) => others.iter().map(|other| plain(other).to_owned()).collect(),
        ContextValue::String(other) => vec![plain(other).to_owned()],
        _ => return None,
    };
    Some(match others.as_slice() {
        [other] if other == flag => format!("{flag}: given twice; give it once"),
        others => format!("{flag}: cannot be used with {}; remove one of them", one_of(others)),
    })
}

fn wrong_number_of_values(error: &clap::Error) -> Option<String> {
    let flag = plain(text(error, ContextKind::InvalidArg)?);
    let number = |kind| match error.get(kind) {
        Some(&ContextValue::Number(number)) => u64::try_from(number).ok(),
        _ => None,
    };
    match error.kind() {
        ErrorKind::TooManyValues => {
            let value = shown(text(error, ContextKind::InvalidValue)?);
            Some(format!("{flag} {value}: the flag accepts no such value; remove it"))
        }
        ErrorKind::WrongNumberOfValues => {
            let (given, wanted) = (number(ContextKind::ActualNumValues)?, number(ContextKind::ExpectedNumValues)?);
            Some(format!("{flag}: has {}; give {wanted}", counted(given, "value")))
        }
        _ => None,
    }
}

/// An argument without the names of its values: `--k` for `--k <TOKENS>`, `PATH` for `<PATH>...` and `[PATH]...`.
fn plain(arg: &str) -> &str {
    let name = arg.split(' ').next().unwrap_or(arg);
    name.strip_prefix(['<', '[']).and_then(|name| name.split(['>', ']']).next()).unwrap_or(name)
}

/// The sentences of clap, without usage and help, for all other errors, such as text that is not Unicode.
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
