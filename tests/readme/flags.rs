//! Flags: the page of flags is the help of the program, every flag is explained on another page, and no page has one that
//! is not there.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use super::pages::Page;
use super::{program, repository};

const PATH: &str = "src/guide/flags.md";
const INTRODUCTION: &str = "# Flags

The `--help` of every command, as the program prints it. The other pages of [the handbook][handbook] explain each flag
where it is of use.
";
const LINKS: &str = "
[handbook]: README.md
";
/// The commands, the program itself first.
#[rustfmt::skip]
const COMMANDS: [&str; 29] = [
    "", "scan", "compare", "cluster", "explain", "unique", "plan", "report", "baseline", "review", "sign", "verify", "params",
    "index", "index build", "index add", "index remove", "index merge", "index rebuild", "index compact", "index check", "index info", "index export",
    "query", "curve", "config", "schema", "completions", "man",
];
/// Flags of the other programs that the commands of the pages call.
#[rustfmt::skip]
const OTHERS: [&str; 29] = [
    "--twice", "--crate", "--program", "--check", "--remap-path-prefix", // .ci/packages/release, sha256sum and rustc
    "--no-lowercase", "--no-exclude", "--no-threshold", "--quoting", // hidden: each takes back a key of dedup.toml
    "--run", // the script of dedup plan
    "--release", "--example", "--path", "--open", "--test", "--no-default-features", // cargo
    "--block", "--keep-order", // GNU parallel, which also has --pipe
    "--group-limit", "--plug", // examples/spark
    "--seconds", // tests/fuzz
    "--bare", "--corpus", "--runs", "--sample", "--megabytes", "--mode", "--only", "--timeout", // benches/compare
];

pub(super) fn trials(pages: &Arc<[Page]>) -> Vec<Trial> {
    let mut trials = vec![Trial::test("flags: the page of flags is the help of the program", is_the_help)];
    for command in &COMMANDS[1..] {
        let pages = Arc::clone(pages);
        trials.push(Trial::test(format!("flags of {command} are explained"), move || are_explained(&pages, command)));
    }
    let pages = Arc::clone(pages);
    trials.push(Trial::test("flags: none that is not there", move || exist(&pages)));
    trials
}

fn is_the_help() -> Result<(), Failed> {
    let mut page = INTRODUCTION.to_owned();
    for command in COMMANDS {
        page += &format!("\n## `{}`\n\n```text\n{}```\n", format!("dedup {command}").trim_end(), help(command)?);
    }
    page += LINKS;
    let path = repository().join(PATH);
    if std::env::var_os("DEDUP_FLAGS").is_some_and(|value| value == "record") {
        fs::write(path, page)?;
        return Ok(());
    }
    let written = fs::read_to_string(path)?;
    if written == page {
        return Ok(());
    }
    let difference = similar::TextDiff::from_lines(&written, &page);
    let difference = difference.unified_diff().header(PATH, "the help of the program").to_string();
    Err(format!("{difference}\nto rewrite the page: DEDUP_FLAGS=record cargo test --test readme").into())
}

/// The help of a command as it is where no terminal says how wide it is.
fn help(command: &str) -> Result<String, Failed> {
    let arguments = command.split(' ').chain(["--help"]).filter(|argument| !argument.is_empty());
    let mut help = Command::new(program());
    let help = help.args(arguments).env_remove("COLUMNS").stdin(Stdio::null()).output()?;
    Ok(String::from_utf8(help.stdout)?)
}

/// The long flags that a help text names.
fn flags_in_help(command: &str) -> Result<BTreeSet<String>, Failed> {
    let flags = long_flags(&help(command)?);
    assert!(!flags.is_empty(), "{command} lists flags");
    Ok(flags)
}

fn long_flags(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words
        .filter(|word| word.len() > 3 && word.starts_with("--") && !word.starts_with("---"))
        .map(String::from)
        .collect()
}

fn are_explained(pages: &[Page], command: &str) -> Result<(), Failed> {
    let pages = pages.iter().filter(|page| page.path != PATH);
    let explained: BTreeSet<String> = pages.flat_map(|page| long_flags(&page.text)).collect();
    let missing: Vec<String> = flags_in_help(command)?.difference(&explained).cloned().collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no page explains {missing:?}").into()) }
}

fn exist(pages: &[Page]) -> Result<(), Failed> {
    let mut known: BTreeSet<String> = OTHERS.iter().map(|&flag| flag.to_owned()).collect();
    for command in COMMANDS {
        known.extend(flags_in_help(command)?);
    }
    let unknown = |page: &Page| {
        let unknown: Vec<String> = long_flags(&page.text).difference(&known).cloned().collect();
        (!unknown.is_empty()).then(|| format!("{}: no command has {unknown:?}", page.path))
    };
    let unknown: Vec<String> = pages.iter().filter_map(unknown).collect();
    if unknown.is_empty() { Ok(()) } else { Err(unknown.join("\n").into()) }
}
