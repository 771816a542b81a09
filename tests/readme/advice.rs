//! Advice: the flags that the settings page recommends for a kind of document, tried on the example corpus. They find at least as many of
//! the known copies as the flags of any other row, at no worse precision.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};

use super::pages::Page;
use super::{program, repository};

const PAGE: &str = "src/guide/settings.md";

/// Documents of one kind, the beginning of their row on the page, and their known copies by the ends of their names.
struct Kind {
    documents: &'static str,
    row: &'static str,
    copies: &'static [(&'static str, &'static str)],
}

#[rustfmt::skip]
const KINDS: [Kind; 6] = [
    Kind { documents: "examples/corpus/licences", row: "| whole documents", copies: &[("lantern-1.0.txt", "lantern-1.1.txt"), ("amblecote.txt", "osterby.txt")] },
    Kind { documents: "examples/corpus/essays", row: "| passages", copies: &[("books-draft.txt", "in-books.txt"), ("books-draft.txt", "paper.txt"), ("in-books.txt", "paper.txt")] },
    Kind { documents: "examples/corpus/code", row: "| programs with other names", copies: &[
        ("free_time.py", "homework3.py"), ("remember.js", "vendored.js"), ("ring.c", "annotated.c"), ("ring.c", "tabs.c"), ("annotated.c", "tabs.c"),
    ] },
    Kind { documents: "examples/site", row: "| [pages of a web site]", copies: &[("history.html", "restoration.html")] },
    Kind { documents: "examples/mail", row: "| [mail]", copies: &[("1@hesper.example", "4@hesper.example")] },
    Kind { documents: "examples/titles.jsonl", row: "| titles", copies: &[("1", "3")] },
];

pub(super) fn trials(pages: &Arc<[Page]>) -> Vec<Trial> {
    let page = pages.iter().find(|page| page.path == PAGE).expect("the settings page");
    let rows: Arc<[(String, Vec<String>)]> = rows(page).into();
    let trial = |kind: &'static Kind| {
        let rows = Arc::clone(&rows);
        Trial::test(format!("advice for {}", kind.documents), move || is_the_best(kind, &rows))
    };
    KINDS.iter().map(trial).collect()
}

/// The rows of the first table with their flags; a row may recommend two sets of flags, and a row without flags has none.
fn rows(page: &Page) -> Vec<(String, Vec<String>)> {
    let table = page.text.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = table.take_while(|line| line.starts_with('|')).flat_map(|line| {
        let cell = line.trim_end_matches('|').rsplit('|').next().expect("a cell");
        let mut flags: Vec<Vec<String>> = cell.split('`').skip(1).step_by(2).map(words).collect();
        flags.retain(|flags| flags.first().is_some_and(|flag| flag.starts_with("--")));
        if cell.trim() == "none" {
            flags.push(Vec::new());
        }
        flags.into_iter().map(|flags| (line.to_owned(), flags))
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() >= 7, "the table of {PAGE} has flags");
    rows
}

fn words(flags: &str) -> Vec<String> {
    flags.split(' ').map(str::to_owned).collect()
}

fn is_the_best(kind: &Kind, rows: &[(String, Vec<String>)]) -> Result<(), Failed> {
    let (_, flags) = rows.iter().find(|(row, _)| row.starts_with(kind.row)).ok_or(format!("{PAGE}: {}", kind.row))?;
    let (found, precision) = measure(kind, flags)?;
    assert_eq!(found, kind.copies.len(), "{flags:?} finds all copies in {}", kind.documents);
    for (_, other) in rows {
        let (others, others_precision) = measure(kind, other)?;
        if others == found && others_precision > precision {
            return Err(format!("{other:?}: precision {others_precision}; {flags:?}: {precision}").into());
        }
    }
    Ok(())
}

/// The number of known copies among the pairs, and their share of the pairs.
fn measure(kind: &Kind, flags: &[String]) -> Result<(usize, f64), Failed> {
    let mut scan = Command::new(program());
    let scan = scan.args(["scan", kind.documents, "--quiet"]).args(flags).current_dir(repository()).output()?;
    if scan.status.code() != Some(0) {
        return Err(format!("{flags:?}: {}", String::from_utf8_lossy(&scan.stderr)).into());
    }
    let pairs: BTreeSet<(String, String)> = String::from_utf8(scan.stdout)?.lines().map(names).collect();
    let is_copy =
        |(a, b): &&(String, String)| kind.copies.iter().any(|(one, other)| a.ends_with(one) && b.ends_with(other));
    let found = pairs.iter().filter(is_copy).count();
    Ok((found, found as f64 / pairs.len().max(1) as f64))
}

/// Both names of a line.
fn names(line: &str) -> (String, String) {
    let value: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
    let name = |key: &str| value[key].as_str().expect("a name").to_owned();
    (name("a"), name("b"))
}
