//! Screens: what each command shows on a terminal of 80 and of 120 columns, as golden text in `screens/`, colours as `<1>` to `<0>`.
//!
//! `DEDUP_SCREENS=record cargo test --test integration screens` records them again; read the difference.

use std::path::Path;

use regex::Regex;

use super::for_people::seen_with;
use super::support::Workspace;

/// The command lines, in their order: later ones use what earlier ones wrote. The words after ` < ` are typed, one after each
/// question.
const COMMANDS: &[&str] = &[
    "news licences essays",
    "news --top 3",
    "code --preset code",
    "essays --show-passages",
    "names",
    "notes/tomatoes.txt",
    "scan licences",
    "scan news -f text",
    "scan news --save saved",
    "scan news -f html=page.html",
    "scan news --forecast=100%",
    "scan news --stats -f text --top 1",
    "compare news --against licences names -f text",
    "cluster news licences -f text",
    "explain essays/on-writing-in-books-draft.txt essays/on-writing-in-books.txt",
    "index build news.index news",
    "index info news.index",
    "query news.index news/ferry-agency.txt -f text",
    "unique news licences --output clean",
    "unique news licences --output clean",
    "unique news",
    "unique news --output news/clean",
    "unique news --output clean.txt",
    "unique news --output -",
    "unique - --output piped",
    "unique news --output grouped --group-by dir",
    "unique news --output other --against licences",
    "unique news --output best --keep best",
    "unique nowhere --output none",
    "unique licences --output saved-unique --from saved",
    "unique news --dry-run --removed list.jsonl",
    "plan licences -o plan.sh",
    "report saved",
    "report saved -f markdown",
    "baseline saved -o accepted.jsonl",
    "review saved --report",
    "review saved --top 2 --context 0 < ? x u y u n y",
    "review saved --report",
    "curve --threshold 0.8",
    "config",
    "scan nowhere",
    "scan news --treshold 0.9",
];

/// A copy of the example corpus in a folder.
pub(crate) fn corpus_in(name: &'static str, folder: &str) -> Workspace {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/corpus");
    let mut corpus = Workspace::new(name);
    for entry in walkdir::WalkDir::new(&examples).sort_by_file_name() {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(&examples).unwrap();
        if entry.file_type().is_file() {
            corpus = corpus.file(Path::new(folder).join(path), std::fs::read(entry.path()).unwrap());
        }
    }
    corpus
}

/// A copy of the example corpus, and names that are wide, long, or written from right to left.
fn corpus(name: &'static str) -> Workspace {
    let mut corpus = corpus_in(name, "");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/corpus");
    let text = std::fs::read(examples.join("news/ferry-agency.txt")).unwrap();
    for file in [
        "names/レポート/とても長い名前の最終報告書.txt",
        "names/レポート/とても長い名前の第二報告書.txt",
        "names/שלום/דוח סופי.txt",
        "names/a-seminar-of-the-winter-term/alice/an-essay-with-a-long-name-that-somebody-wrote-final.txt",
        "names/a-seminar-of-the-winter-term/bob/an-essay-with-a-long-name-that-somebody-wrote-final.txt",
        "names/escape\u{1b}[31m.txt",
    ] {
        corpus = corpus.file(file, &text);
    }
    corpus
}

/// All screens of a terminal, with what changes from run to run replaced.
fn screens(columns: u16) -> String {
    let corpus = corpus(if columns == 80 { "screens_80" } else { "screens_120" });
    let times = Regex::new(r"\b\d+(\.\d+)? (s|ms|min|MB/s)\b").unwrap();
    let sizes = Regex::new(r"(wrote .*, )[\d.]+ [kMG]?B\)").unwrap();
    let links = Regex::new("\x1b\\]8;;[^\x1b]*\x1b\\\\").unwrap();
    let machine = Regex::new(r"(threads|memory|time) +.*\d.*").unwrap();
    let mut text = String::new();
    for line in COMMANDS {
        let (words, answers) = line.split_once(" < ").unwrap_or((line, ""));
        let [words, answers] = [words, answers].map(|words| words.split_whitespace().collect::<Vec<_>>());
        let (shown, code) = seen_with(&corpus, &words, columns, &[], &answers);
        let shown = links.replace_all(&shown, "");
        let shown = sizes.replace_all(&shown, "$1<size>)");
        let shown = machine.replace_all(&shown, "$1 <of this machine>");
        let shown = times.replace_all(&shown, "<time>");
        let code = code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
        let code = if code == "0" { String::new() } else { format!("[exit code {code}]\n") };
        text += &format!("$ dedup {line}\n{shown}{code}\n");
    }
    text
}

fn check(columns: u16) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/integration/screens/{columns}.txt"));
    let screens = screens(columns);
    if std::env::var("DEDUP_SCREENS").is_ok_and(|value| value == "record") {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        return std::fs::write(&file, screens).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    for (number, (golden, shown)) in golden.lines().zip(screens.lines()).enumerate() {
        assert_eq!(golden, shown, "line {} of {}", number + 1, file.display());
    }
    assert_eq!(golden.lines().count(), screens.lines().count(), "{}", file.display());
}

#[test]
fn of_80_columns() {
    check(80);
}

#[test]
fn of_120_columns() {
    check(120);
}

#[test]
fn no_screen_has_a_raw_escape_or_a_line_of_the_view_that_wraps() {
    let colours = Regex::new(r"<[\d;]+>").unwrap();
    for columns in [80, 120] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/integration/screens/{columns}.txt"));
        let text = std::fs::read_to_string(file).unwrap();
        assert!(!text.contains('\u{1b}'), "an escape that is no colour");
        let view = text.split("$ dedup ").find(|screen| screen.starts_with("news licences essays\n")).unwrap();
        // The summary may wrap.
        for line in view.lines().filter(|line| !line.contains(" similar pairs ")) {
            let width = unicode_width::UnicodeWidthStr::width(&*colours.replace_all(line, ""));
            assert!(width <= columns, "{line}");
        }
    }
}
