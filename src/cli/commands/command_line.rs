//! `command_of_run` and `command_of_result`: the command line that found the pairs, as a page shows it.
//!
//! Only flags that decide which pairs are found remain, so that the same pairs give the same page for any number of
//! threads, and wherever it is written.

use dedup_scan::base::shown;
use dedup_scan::results::ResultHeader;

use crate::cli::config;

/// Flags with a value that do not decide which pairs are found.
const WITH_VALUE: [&str; 12] = [
    "--color",
    "--format",
    "--max-bytes",
    "--max-pairs",
    "--memory",
    "--output",
    "--save",
    "--summary",
    "--threads",
    "--title",
    "--answers",
    "--from",
];
/// The short forms of some of them.
const SHORT: [&str; 3] = ["-f", "-j", "-o"];
/// Flags without a value that do not decide which pairs are found.
const SWITCHES: [&str; 6] = ["--quiet", "-q", "--stats", "--force", "--for-people", "--exit-code"];

/// The command line of this process.
pub(super) fn command_of_run() -> Option<String> {
    let arguments: Vec<Vec<u8>> = config::arguments().iter().map(|word| word.as_encoded_bytes().to_vec()).collect();
    command_of(&arguments)
}

/// The command line that saved a result; `None` if the result does not contain it.
pub(super) fn command_of_result(header: Option<&ResultHeader>) -> Option<String> {
    let arguments: Vec<Vec<u8>> = header?.arguments.iter().map(|word| word.to_bytes()).collect();
    command_of(&arguments)
}

fn command_of(arguments: &[Vec<u8>]) -> Option<String> {
    let mut words = vec!["dedup".to_owned()];
    let mut is_value = false;
    for argument in arguments {
        let word = String::from_utf8_lossy(argument);
        let is_skipped = std::mem::replace(&mut is_value, is_flag_with_value(&word));
        let has_value = word.split_once('=').is_some_and(|(flag, _)| WITH_VALUE.contains(&flag));
        let is_short = SHORT.iter().any(|flag| word.starts_with(flag)) && !word.starts_with("--");
        if !(is_skipped || is_value || has_value || is_short || SWITCHES.contains(&&*word)) {
            words.push(quoted(&shown(&word)));
        }
    }
    (words.len() > 1).then(|| words.join(" "))
}

/// Whether the next word is the value of this flag, which is not shown.
fn is_flag_with_value(word: &str) -> bool {
    WITH_VALUE.contains(&word) || SHORT.contains(&word)
}

/// A word of a command line, in quotes if it contains anything but plain characters.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%~".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{word}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_flags_that_decide_what_is_found_are_shown() {
        let command = |line: &str| {
            let arguments: Vec<Vec<u8>> = line.split('|').map(|word| word.as_bytes().to_vec()).collect();
            command_of(&arguments)
        };
        let line =
            "scan|--for-people|a b|-j4|-k|9|--threads|8|--memory=1GiB|-f|html=x.html|--preset=code|-o|out|--quiet|c";
        assert_eq!(command(line).as_deref(), Some("dedup scan 'a b' -k 9 --preset=code c"));
        assert_eq!(
            command("scan|--skip-lines|<b>\u{202E}|--format").as_deref(),
            Some("dedup scan --skip-lines '<b>\\u{202e}'")
        );
        assert_eq!(command_of(&[]), None);
    }
}
