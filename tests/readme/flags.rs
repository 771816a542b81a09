//! Flags: the page of flags has each flag of the help of the program once, every flag is explained on another page, and no page has one that
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

Each flag once, with the commands that have it. `scan … plan` means the six commands from `scan` to `plan`. The other pages of
[the handbook][handbook] explain the flags; the end of `dedup COMMAND --help` has examples and exit codes. `dedup PATH...`
without a command accepts the flags of `scan`.
";
/// Headings of the help with more than one word.
const HEADINGS: [&str; 2] = ["New pairs", "Settings file"];
/// Columns of the page.
const COLUMNS: usize = 110;
/// The first and the last of the commands that most flags of `scan` belong to; the page has them as a range.
const RANGE: (&str, &str) = ("scan", "plan");
const LINKS: &str = "
[handbook]: README.md
";
/// The commands, the program itself first.
#[rustfmt::skip]
pub(super) const COMMANDS: [&str; 33] = [
    "", "scan", "compare", "cluster", "explain", "unique", "plan", "decontaminate", "report", "baseline", "review", "check", "mcp", "sign", "verify", "params",
    "index", "index build", "index add", "index remove", "index merge", "index rebuild", "index compact", "index check", "index info", "index list", "index export",
    "query", "curve", "config", "schema", "completions", "man",
];
/// Flags of the other programs that the commands of the pages call.
#[rustfmt::skip]
const OTHERS: [&str; 37] = [
    "--twice", "--crate", "--program", "--check", "--remap-path-prefix", // .ci/packages/release, sha256sum and rustc
    "--no-lowercase", "--no-exclude", "--no-threshold", "--quoting", // hidden: each takes back a key of dedup.toml
    "--run", // the script of dedup plan
    "--release", "--example", "--features", "--path", "--profile", "--open", "--test", "--no-default-features", // cargo
    "--ignore-case", // a flag of grep, which `dedup` answers
    "--word-diff", // git diff
    "--block", "--keep-order", // GNU parallel, which also has --pipe
    "--group-limit", "--plug", // examples/spark
    "--seconds", // tests/fuzz
    "--every", // examples/check_result.py
    "--without-corpora", // .ci/run
    "--record", "--full", // benches/counts, tests/fuzz/coverage
    "--bare", "--corpus", "--runs", "--sample", "--megabytes", "--mode", "--only", "--timeout", // benches/compare
];

pub(super) fn trials(pages: &Arc<[Page]>) -> Vec<Trial> {
    let mut trials = vec![Trial::test("flags: the page of flags has what the help of the program has", is_the_help)];
    for command in &COMMANDS[1..] {
        let pages = Arc::clone(pages);
        trials.push(Trial::test(format!("flags of {command} are explained"), move || are_explained(&pages, command)));
    }
    let pages = Arc::clone(pages);
    trials.push(Trial::test("flags: none that is not there", move || exist(&pages)));
    trials
}

fn is_the_help() -> Result<(), Failed> {
    let page = page()?;
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

/// A flag or an argument of one or several commands.
struct Flag {
    /// Its heading in the help.
    heading: String,
    /// Its name in the help, such as `-t, --threshold <SIMILARITY>`.
    name: String,
    /// Its descriptions, each with the commands whose help has it.
    descriptions: Vec<(Description, Vec<&'static str>)>,
}

/// The description of a flag in the help of a command.
#[derive(Default, PartialEq)]
struct Description {
    /// One paragraph, without line ends.
    text: String,
    /// The values that the flag accepts, each with its explanation.
    values: Vec<String>,
}

/// The page: each flag once, under the heading of the first command that has it.
fn page() -> Result<String, Failed> {
    let mut flags: Vec<Flag> = Vec::new();
    let mut usages = String::new();
    for command in COMMANDS {
        let help = help(command)?;
        let usage = help.lines().find_map(|line| line.strip_prefix("Usage: ")).ok_or("a usage")?;
        usages += &format!("{usage}\n");
        for (heading, name, description) in entries(&help) {
            let long = |name: &str| name.split([' ', '=', '[']).find(|word| word.starts_with("--")).map(str::to_owned);
            let is_it = |flag: &&mut Flag| match long(&name) {
                Some(name) => long(&flag.name) == Some(name),
                None => flag.name == name,
            };
            let command = if command.is_empty() { "dedup" } else { command };
            match flags.iter_mut().find(is_it) {
                None => flags.push(Flag { heading, name, descriptions: vec![(description, vec![command])] }),
                Some(flag) => match flag.descriptions.iter_mut().find(|(other, _)| *other == description) {
                    Some((_, commands)) => commands.push(command),
                    None => flag.descriptions.push((description, vec![command])),
                },
            }
        }
    }
    let mut headings: Vec<&str> = Vec::new();
    for flag in &flags {
        if !headings.contains(&flag.heading.as_str()) {
            headings.push(&flag.heading);
        }
    }
    headings.sort_by_key(|heading| *heading == "Arguments");
    let mut page = format!("{INTRODUCTION}\n## Commands\n\n```text\n{usages}```\n");
    for heading in headings {
        page += &format!("\n## {heading}\n\n```text\n");
        let entries: Vec<String> = flags.iter().filter(|flag| flag.heading == heading).map(Flag::text).collect();
        page += &format!("{}```\n", entries.join("\n"));
    }
    Ok(page + LINKS)
}

impl Flag {
    /// The name and what each command says of it. Values that an earlier description has are not repeated.
    fn text(&self) -> String {
        if let [(description, commands)] = self.descriptions.as_slice() {
            return wrapped(&format!("{}  ({})", self.name, listed(commands)), 0) + &description.lines(4, true);
        }
        let mut text = format!("{}\n", self.name);
        for (at, (description, commands)) in self.descriptions.iter().enumerate() {
            let is_new = self.descriptions[..at].iter().all(|(earlier, _)| earlier.values != description.values);
            text += &wrapped(&format!("{}:", listed(commands)), 4);
            text += &description.lines(8, is_new);
        }
        text
    }
}

impl Description {
    fn lines(&self, indentation: usize, with_values: bool) -> String {
        let mut lines = wrapped(&self.text, indentation);
        if with_values && !self.values.is_empty() {
            lines += &wrapped(&format!("Values: {}", self.values.join("; ")), indentation);
        }
        lines
    }
}

/// Names of commands as the page lists them. All commands, and the commands of the range, are abbreviated.
fn listed(commands: &[&str]) -> String {
    if commands.len() == COMMANDS.len() {
        return "all commands".to_owned();
    }
    let place = |name: &str| COMMANDS.iter().position(|command| *command == name).expect("a command");
    let range = &COMMANDS[place(RANGE.0)..=place(RANGE.1)];
    if !range.iter().all(|command| commands.contains(command)) {
        return commands.join(", ");
    }
    let others: Vec<&str> = commands.iter().filter(|command| !range.contains(command)).copied().collect();
    let range = format!("{} … {}", RANGE.0, RANGE.1);
    [vec![&*range], others].concat().join(", ")
}

/// A paragraph in lines of the page, each with an indentation of this number of spaces.
fn wrapped(paragraph: &str, indentation: usize) -> String {
    let mut lines = vec![" ".repeat(indentation)];
    for word in paragraph.split_whitespace() {
        let line = lines.last_mut().expect("a line");
        let is_full = line.chars().count() + 1 + word.chars().count() > COLUMNS;
        match line.trim().is_empty() {
            true => *line += word,
            // A name that is wrapped goes on in the column of its description.
            false if is_full => lines.push(" ".repeat(indentation.max(4)) + word),
            false => *line += &format!(" {word}"),
        }
    }
    lines.join("\n") + "\n"
}

/// The flags and arguments of a help text: heading, name and description of each.
fn entries(help: &str) -> Vec<(String, String, Description)> {
    let mut entries: Vec<(String, String, Description)> = Vec::new();
    let mut heading = None;
    let mut has_values = false;
    for line in help.lines() {
        let indent = line.len() - line.trim_start().len();
        match line.strip_suffix(':').filter(|title| indent == 0 && !title.is_empty()) {
            Some("Exit codes" | "Examples" | "Commands") => heading = None,
            Some(title) if !title.contains(' ') || HEADINGS.contains(&title) => heading = Some(title.to_owned()),
            _ => {}
        }
        let Some(heading) = heading.as_ref().filter(|_| indent > 0) else { continue };
        let words = line.trim();
        if indent < 10 && words.starts_with(['-', '<', '[']) {
            let (name, text) = words.split_once("  ").unwrap_or((words, ""));
            let text = text.trim().to_owned();
            entries.push((heading.clone(), name.to_owned(), Description { text, values: Vec::new() }));
            has_values = false;
            continue;
        }
        let Some((.., description)) = entries.last_mut() else { continue };
        match words {
            "Possible values:" => has_values = true,
            _ if has_values && words.starts_with("- ") => {
                let (value, explanation) = words[2..].split_once(':').unwrap_or((&words[2..], ""));
                description.values.push(format!("{value}: {}", explanation.trim()).trim_end_matches(": ").to_owned());
            }
            // Defaults follow the values, and belong to the text.
            _ if has_values && !words.starts_with("[default:") => {
                *description.values.last_mut().expect("a value") += &format!(" {words}");
            }
            _ => description.text += &format!(" {words}"),
        }
    }
    let summary = " (see a summary with '-h')";
    for (.., description) in &mut entries {
        description.text = description.text.trim().replace(summary, "");
    }
    entries
}

/// The help of a command as it is where no terminal says how wide it is.
pub(super) fn help(command: &str) -> Result<String, Failed> {
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
