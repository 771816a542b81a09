//! The README is true: its `console` blocks print what it shows, and its flags are the program's.
//!
//! In a block, a line that starts with `$ ` is run by bash in the repository; the lines after it are its whole output. `…`
//! stands for any text within a line, and a line of `…` alone for any number of lines. Commands that need a program
//! which is missing, or a format that is left out, are reported as ignored; with `--include-ignored` they fail.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let readme = include_str!("../../README.md");
    let mut trials: Vec<Trial> = console_commands(readme)
        .into_iter()
        .map(|(line, command, expected)| {
            let has_parquet = cfg!(feature = "parquet") || !command.contains("parquet");
            let missing = (command.contains("jq ") && !is_installed("jq")) || !has_parquet;
            let name = format!("line {line}: {}", command.chars().take(70).collect::<String>());
            Trial::test(name, move || prints(&command, &expected)).with_ignored_flag(missing)
        })
        .collect();
    assert!(trials.len() >= 10, "the README's blocks are found");
    for subcommand in ["scan", "compare", "curve"] {
        trials.push(Trial::test(format!("flags of {subcommand}"), move || flags_are_documented(readme, subcommand)));
    }
    trials.push(Trial::test("no flag that is not there", move || documented_flags_exist(readme)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// (line number, command, output) of every command in the `console` blocks.
fn console_commands(readme: &str) -> Vec<(usize, String, String)> {
    let mut commands: Vec<(usize, String, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(readme.lines()) {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((number, command.to_owned(), String::new())),
                (None, Some((_, _, output))) => *output += &format!("{line}\n"),
                (None, None) => panic!("README line {number}: output without a command"),
            },
        }
    }
    commands
}

fn prints(command: &str, expected: &str) -> Result<(), Failed> {
    let path = format!("{}:{}", program().parent().expect("in a folder").display(), std::env::var("PATH")?);
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", command])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", path)
        .output()?;
    let printed = String::from_utf8(output.stdout)?;
    if matches(&expected.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>()) {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("--- the README has\n{expected}--- printed was\n{printed}--- stderr\n{stderr}").into())
}

fn matches(expected: &[&str], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        Some((line, rest)) => {
            printed.split_first().is_some_and(|(first, others)| line_matches(line, first) && matches(rest, others))
        }
    }
}

fn line_matches(expected: &str, printed: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The long flags that a help text names.
fn flags_in_help(arguments: &[&str]) -> Result<BTreeSet<String>, Failed> {
    let help = Command::new(program()).args(arguments).output()?;
    let flags = long_flags(&String::from_utf8(help.stdout)?);
    assert!(flags.len() > 1, "{arguments:?} lists flags");
    Ok(flags)
}

fn long_flags(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words
        .filter(|word| word.len() > 3 && word.starts_with("--") && !word.starts_with("---"))
        .map(String::from)
        .collect()
}

fn flags_are_documented(readme: &str, subcommand: &str) -> Result<(), Failed> {
    let documented = long_flags(readme);
    let missing: Vec<String> = flags_in_help(&[subcommand, "--help"])?.difference(&documented).cloned().collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("the README does not have {missing:?}").into()) }
}

fn documented_flags_exist(readme: &str) -> Result<(), Failed> {
    // Flags of the other programs that the README's commands call.
    #[rustfmt::skip]
    let others = [
        "--release", "--path", "--open", "--test", "--no-default-features", // cargo
        "--seconds", "--program", // tests/fuzz
        "--runs", "--sample", "--megabytes", "--mode", "--only", "--timeout", // benches/compare
    ]
    .map(String::from);
    let mut known = BTreeSet::from(others);
    for arguments in [&["--help"][..], &["scan", "--help"], &["compare", "--help"], &["curve", "--help"]] {
        known.extend(flags_in_help(arguments)?);
    }
    let unknown: Vec<String> = long_flags(readme).difference(&known).cloned().collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("no subcommand has {unknown:?}").into()) }
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_dedup"))
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}
