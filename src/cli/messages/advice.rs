//! Advice on flags of other programs, as messages: one flag, several letters after one dash, or a flag with its value.

use std::path::Path;

use clap::Command;
use dedup_scan::base::shown;

use super::foreign::{self, Advice};

/// The message for a flag of another program; `None` if the flag is not known.
///
/// * `flag`: the flag, or of a word after one dash only its first letter.
/// * `args`: the command line without the program's name.
pub(super) fn on_flag(flag: &str, args: &[String], program: &Command, subcommand: Option<&str>) -> Option<String> {
    // Clap reports only the first letter of a word after one dash.
    let is_it = |arg: &&String| arg.starts_with(flag) && !arg.starts_with("--") && arg.as_str() != flag;
    let whole = args.iter().take_while(|arg| *arg != "--").find(is_it).filter(|_| !flag.starts_with("--"));
    let command = subcommand.and_then(|name| program.find_subcommand(name))?;
    let command = args.get(1).and_then(|name| command.find_subcommand(name)).unwrap_or(command);
    if let Some(words) = foreign::flag_of_view(flag).filter(|_| args.iter().any(|arg| arg == "--for-people")) {
        return Some(format!("{}: no such flag; {words}", shown(flag)));
    }
    // The language of programs, as in JPlag and jscpd; for grep the flag prints names.
    let next = args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let is_language = |word: &&String| foreign::value("--preset", word) == Some("code") && !Path::new(word).exists();
    if let Some(language) = next.filter(|_| flag == "-l").filter(is_language) {
        let words = "give --preset code, which knows the language of each file by its name";
        return Some(format!("{flag} {}: no such flag; {words}", shown(language)));
    }
    if let Some(words) = foreign::flag_of_others(command.get_name(), flag) {
        return Some(format!("{}: no such flag; {words}", shown(flag)));
    }
    let flag = whole.map_or(flag, String::as_str);
    // A flag of one letter with its value, as in `-g*.py` or `-B3`. A letter after it is rather a file such as `-gone.txt`.
    let short = whole.and_then(|whole| whole.char_indices().nth(2).map(|(at, _)| whole.split_at(at)));
    let short = short.filter(|(_, value)| !value.starts_with(char::is_alphabetic));
    let (instead, value) = match (foreign::flag(flag), short) {
        (Some(instead), _) => (instead, None),
        (None, Some((letter, value))) => (foreign::flag(letter)?, Some(value)),
        // Several flags of one letter, as in `-rf`; a longer word is rather a file such as `-gone.txt`.
        (None, None) => {
            let letters = whole?.strip_prefix('-').filter(|letters| letters.len() <= LETTERS)?;
            let letters: Vec<String> = letters.chars().filter(|c| c.is_alphabetic()).map(|c| format!("-{c}")).collect();
            let first = letters.iter().find(|letter| foreign::flag(letter).is_some())?;
            let one = on_letter(first, command, program)?;
            return Some(format!("{}: no such flags; {one}", shown(flag)));
        }
    };
    if let Some(value) = value {
        let takes_value = |own: &&&str| {
            command
                .get_arguments()
                .any(|arg| arg.get_long() == own.strip_prefix("--") && arg.get_action().takes_values())
        };
        let Advice::Flags(own) = instead else { return None };
        let own = own.iter().find(takes_value)?;
        return Some(format!("{}: no such flag; give {own} '{}'", shown(flag), shown(value)));
    }
    Some(format!("{}: no such flag; {}", shown(flag), in_words(instead, command, program)?))
}

/// Maximum number of one-letter flags in a word such as `-rdN`.
const LETTERS: usize = 4;

/// Advice on a flag of one letter among others, with its name.
fn on_letter(flag: &str, command: &Command, program: &Command) -> Option<String> {
    let words = match foreign::flag_of_others(command.get_name(), flag) {
        Some(words) => words.to_owned(),
        None => in_words(foreign::flag(flag)?, command, program)?,
    };
    Some(format!("for {flag}: {words}"))
}

/// Advice as words for a command.
fn in_words(instead: Advice, command: &Command, program: &Command) -> Option<String> {
    let has = |command: &Command, own: &str| {
        let long = own.split(' ').next().and_then(|own| own.strip_prefix("--"));
        command.get_arguments().any(|arg| arg.get_long() == long && !arg.is_hide_set())
    };
    match instead {
        Advice::Flags([own, ..])
            if foreign::flag_of_others(command.get_name(), own).is_some_and(|_| !has(command, own)) =>
        {
            foreign::flag_of_others(command.get_name(), own).map(str::to_owned)
        }
        Advice::Words(words) => Some(words.to_owned()),
        Advice::Flags(own) => match own.iter().find(|own| has(command, own)) {
            Some(own) => Some(format!("give {own}")),
            None => {
                let own = own.first()?;
                let other = program.get_subcommands().find(|command| has(command, own))?;
                Some(format!("dedup {} has {own}", other.get_name()))
            }
        },
    }
}
