//! Console blocks: each command prints the output that the page shows below it.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use super::ignored::Missing;
use super::pages::Page;
use super::{program, repository};

/// A command of a block, and the output that the page shows.
struct Example {
    command: String,
    output: String,
}

/// One test for each block of a page.
pub(super) fn trials(page: &Page, missing: &mut Missing) -> Vec<Trial> {
    let blocks = blocks(page).into_iter();
    let trials = blocks.map(|(line, examples)| {
        let uses = |word: &str| examples.iter().any(|example| example.command.contains(word));
        let has_parquet = cfg!(feature = "parquet") || !uses("parquet");
        let has_jq = !uses("jq ") || is_installed("jq");
        let first = examples.first().map_or("", |example| &example.command);
        let name = format!("{}:{line}: {}", page.path, first.chars().take(70).collect::<String>());
        let trial = Trial::test(name, move || run(&examples));
        let trial = missing.unless(has_jq, "jq (.ci/install installs it)", trial);
        missing.unless(has_parquet, "the feature parquet (build with it)", trial)
    });
    trials.collect()
}

/// (line number, examples) of every `console` block.
fn blocks(page: &Page) -> Vec<(usize, Vec<Example>)> {
    let mut blocks: Vec<(usize, Vec<Example>)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(page.text.lines()) {
        match line {
            "```console" => {
                inside = true;
                blocks.push((number, Vec::new()));
            }
            "```" => inside = false,
            _ if !inside => {}
            _ => {
                let (_, examples) = blocks.last_mut().expect("a block has begun");
                match (line.strip_prefix("$ "), examples.last_mut()) {
                    (Some(command), _) => examples.push(Example { command: command.to_owned(), output: String::new() }),
                    (None, Some(example)) => example.output += &format!("{line}\n"),
                    (None, None) => panic!("{}:{number}: output without a command", page.path),
                }
            }
        }
    }
    blocks
}

/// Runs the commands of a block one after another, in a new folder that has a copy of `examples/` and nothing else.
fn run(examples: &[Example]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let copied = Command::new("cp").arg("-R").arg(repository().join("examples")).arg(folder.path()).status()?;
    assert!(copied.success(), "examples/ is copied");
    examples.iter().try_for_each(|example| prints(example, folder.path()))
}

fn prints(example: &Example, folder: &Path) -> Result<(), Failed> {
    let Example { command, output: expected } = example;
    let path = format!("{}:{}", program().parent().expect("in a folder").display(), std::env::var("PATH")?);
    // Folders that a command makes with mktemp are deleted together with this one.
    let temporary = tempfile::tempdir()?;
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("TMPDIR", temporary.path())
        .output()?;
    let printed = String::from_utf8(output.stdout)?;
    if matches(&expected.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>()) {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("$ {command}\n--- the page has\n{expected}--- printed was\n{printed}--- stderr\n{stderr}").into())
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

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(program).is_file())
}
