//! Console blocks: each command prints what the page shows below it.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use super::ignored::Missing;
use super::pages::Page;
use super::{program, repository};

/// One test for each command of a page.
pub(super) fn trials(page: &Page, missing: &mut Missing) -> Vec<Trial> {
    let commands = commands(page).into_iter();
    let trials = commands.map(|(line, command, expected)| {
        let has_parquet = cfg!(feature = "parquet") || !command.contains("parquet");
        let has_jq = !command.contains("jq ") || is_installed("jq");
        let name = format!("{}:{line}: {}", page.path, command.chars().take(70).collect::<String>());
        let trial = Trial::test(name, move || prints(&command, &expected));
        let trial = missing.unless(has_jq, "jq (.ci/install installs it)", trial);
        missing.unless(has_parquet, "the feature parquet (build with it)", trial)
    });
    trials.collect()
}

/// (line number, command, output) of every command in the `console` blocks.
fn commands(page: &Page) -> Vec<(usize, String, String)> {
    let mut commands: Vec<(usize, String, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(page.text.lines()) {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((number, command.to_owned(), String::new())),
                (None, Some((_, _, output))) => *output += &format!("{line}\n"),
                (None, None) => panic!("{}:{number}: output without a command", page.path),
            },
        }
    }
    commands
}

fn prints(command: &str, expected: &str) -> Result<(), Failed> {
    let path = format!("{}:{}", program().parent().expect("in a folder").display(), std::env::var("PATH")?);
    // Folders that a command makes with mktemp are gone with this one.
    let temporary = tempfile::tempdir()?;
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", command])
        .current_dir(repository())
        .env("PATH", path)
        .env("TMPDIR", temporary.path())
        .output()?;
    let printed = String::from_utf8(output.stdout)?;
    if matches(&expected.lines().collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>()) {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(format!("--- the page has\n{expected}--- printed was\n{printed}--- stderr\n{stderr}").into())
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
