//! Words: the English of the README, the pages, the help of every command, and the messages and comments in the source.
//!
//! A habit is an expression that readers stumble over where the manuals of other programs have an ordinary word. `words.txt` has the
//! number of places that each text may have. A text with more places fails, and so does a text with fewer: then
//! `DEDUP_WORDS=lower cargo test --test readme words` lowers the number. Nothing raises it.

mod comments;
mod messages;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Failed, Trial};
use regex::Regex;

use super::flags::{COMMANDS, help};
use super::pages::Page;
use super::repository;

/// A habit has a name, an expression that finds it, and an expression that allows it in the same place.
type Habit = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const HABITS: &[Habit] = &[
    ("of as a predicate", r"\b(is|are|was|were) of\b|\b(those|that) of\b|\bof which\b", ""),
    ("stands for", r"\bstand(s|ing)? (for|in|above|apart|beside|before|behind|there|where)\b|\bstood for\b", ""),
    ("takes", r"\btakes? (\d|no|less|more|as |some|about|a (third|quarter|half)|the place|notice)", ""),
    ("asked", r"\b(is|are|was|were) asked\b|\basked (about|for|of)\b|\bquestions?\b", "review|reviewed"),
    ("least, most", r"\b(least|most) [a-z]+", r"(?-i:^Most)|\b(at|the) (least|most)|(least|most) (of|recent|similar|likely|common|people|texts|documents|important|once|contained)\b"),
    ("leave out", r"\b(leaves?|left|leaving) (\w+ )?out\b", ""),
    ("names it", r"\b(is|are|was|were) named\b|\bnames (it|them|each|what|all|the)\b", ""),
    ("alone", r"\b\w+ alone\b", ""),
    ("behind, beside", r"\bbehind\b|\bbesides?\b", ""),
    ("in place of", r"\bin place of\b", ""),
    ("is no", r"\b(is|are|was|were) (no|none)\b", r"(no|none) (longer|more|less|new)\b"),
    ("metaphors", r"\bcrowds?\b|\bstrangers?\b|\brelatives\b|\bthe very\b|\bin vain\b", ""),
    ("of its own", r"\b(by|for) (itself|themselves)\b|\bof (its|their) own\b", ""),
    ("passes over", r"\bpass(es|ed) (over|by)\b", ""),
    ("so many", r"\bso (many|much)\b|\bas ever\b|\banew\b|\bhardly\b|\bmeanwhile\b|\bnobody\b|\banybody\b|\bwhoever\b|\bwho reads\b", ""),
    ("tells", r"\btells?\b|\btold\b|\blearns?\b", ""),
    ("a sentence without a subject", r"(?-i:^(What|Those|Whose|Who)\b[^?]*$|^Of [^,]*$)", "^Of course"),
];
/// The maximum number of words in a sentence.
const LONGEST: usize = 35;
const TABLE: &str = "tests/readme/words.txt";

/// A text that people read, with the line numbers of its paragraphs.
struct Text {
    name: String,
    paragraphs: Vec<(usize, String)>,
}

pub(super) fn trials(pages: &Arc<[Page]>) -> Vec<Trial> {
    let texts = texts(pages);
    if std::env::var_os("DEDUP_WORDS").is_some_and(|value| value == "lower") {
        return vec![Trial::test("words: lower the numbers", move || lower(&texts))];
    }
    let allowed = Arc::new(allowed());
    let mut trials = vec![
        Trial::test("words: each habit is found", find_what_they_should),
        Trial::test("words: comments are found by kind", comments::are_found),
    ];
    let names: Vec<String> = texts.iter().map(|text| text.name.clone()).collect();
    let numbers = Arc::clone(&allowed);
    trials.push(Trial::test("words: the table has no other text", move || {
        let unknown: Vec<&String> = numbers.keys().filter(|name| !names.contains(name)).collect();
        if unknown.is_empty() { Ok(()) } else { Err(format!("{TABLE}: remove {unknown:?}").into()) }
    }));
    trials.extend(texts.into_iter().map(|text| {
        let allowed = allowed.get(&text.name).copied().unwrap_or(0);
        Trial::test(format!("words of {}", text.name), move || is_allowed(&text, allowed))
    }));
    trials
}

fn texts(pages: &[Page]) -> Vec<Text> {
    let written = pages.iter().filter(|page| page.path != "src/guide/flags.md");
    let written = written.map(|page| Text { name: page.path.clone(), paragraphs: paragraphs(page.prose()) });
    let help = COMMANDS.iter().map(|command| {
        let help = help(command).expect("the program prints its help");
        Text {
            name: format!("help of dedup {command}").trim_end().to_owned(),
            paragraphs: paragraphs((1..).zip(help.lines())),
        }
    });
    written.chain(help).chain(messages::texts()).chain(comments::texts()).collect()
}

/// Joins lines to paragraphs: a blank line, a heading, an entry of a list, a row of a table and a line with columns begin a new paragraph.
fn paragraphs<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<(usize, String)> {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let mut begins = true;
    for (number, line) in lines {
        let line = line.trim();
        let is_definition = line.starts_with('[') && line.contains("]: ");
        let is_separate = line.starts_with(['#', '|', '<', '-'])
            || line.starts_with(|c: char| c.is_ascii_digit())
            || line.contains("  ");
        if line.is_empty() || is_definition {
            begins = true;
            continue;
        }
        match paragraphs.last_mut().filter(|_| !begins && !is_separate) {
            Some((_, paragraph)) => *paragraph += &format!(" {line}"),
            None => paragraphs.push((number, line.to_owned())),
        }
        begins = line.starts_with(['#', '|']);
    }
    paragraphs
}

fn is_allowed(text: &Text, allowed: usize) -> Result<(), Failed> {
    let places = places(text);
    let number = places.len();
    if number == allowed {
        return Ok(());
    }
    let change = if number > allowed {
        format!("{number} places, and {allowed} are allowed; write these in other words")
    } else {
        format!(
            "{number} places, fewer than the {allowed} of {TABLE}; lower it: DEDUP_WORDS=lower cargo test --test readme words"
        )
    };
    Err(format!("{}: {change}\n{}", text.name, places.join("\n")).into())
}

/// Returns one line for each place in a text.
fn places(text: &Text) -> Vec<String> {
    let places = text.paragraphs.iter().flat_map(|(number, paragraph)| {
        find(paragraph).into_iter().map(move |(habit, words)| format!("{number}: {habit}: {words}"))
    });
    places.collect()
}

/// Returns each habit in a paragraph, with the words where it was found.
fn find(paragraph: &str) -> Vec<(&'static str, String)> {
    static CODE: OnceLock<Regex> = OnceLock::new();
    let code = CODE.get_or_init(|| regex(r"`[^`]*`|\]\([^)]*\)|\]\[[^\]]*\]|\{[^}]*\}"));
    let plain = code.replace_all(paragraph, "X");
    let is_heading = plain.starts_with('#');
    let plain = plain.trim_start_matches(['-', '#', ' ']);
    let mut found = Vec::new();
    for sentence in sentences(plain) {
        for (name, pattern, except) in patterns() {
            for place in pattern.find_iter(sentence) {
                let around = start_of(sentence, place.start())..end_of(sentence, place.end());
                let is_allowed = except.as_ref().is_some_and(|except| except.is_match(&sentence[around.clone()]));
                if !(is_allowed || is_heading && pattern.as_str().contains('^')) {
                    found.push((*name, sentence[around].trim().to_owned()));
                }
            }
        }
        if !plain.starts_with('|') && sentence.split_whitespace().count() > LONGEST {
            found.push(("a long sentence", sentence.chars().take(60).collect()));
        }
    }
    found
}

/// Splits a paragraph into sentences; a colon and a semicolon end one too.
fn sentences(paragraph: &str) -> Vec<&str> {
    static END: OnceLock<Regex> = OnceLock::new();
    END.get_or_init(|| regex(r"[.!?:;]\s+")).split(paragraph).collect()
}

/// The habits with their expressions.
fn patterns() -> &'static [(&'static str, Regex, Option<Regex>)] {
    static PATTERNS: OnceLock<Vec<(&'static str, Regex, Option<Regex>)>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let compiled =
            |&(name, pattern, except): &Habit| (name, regex(pattern), (!except.is_empty()).then(|| regex(except)));
        HABITS.iter().map(compiled).collect()
    })
}

fn regex(pattern: &str) -> Regex {
    Regex::new(&format!("(?i){pattern}")).expect("an expression")
}

/// The beginning of the word before a place.
fn start_of(sentence: &str, at: usize) -> usize {
    let before = sentence[..at].trim_end();
    before.rfind(' ').map_or(0, |space| space + 1)
}

/// The end of the word after a place.
fn end_of(sentence: &str, at: usize) -> usize {
    let rest = &sentence[at..];
    let word = rest.len() - rest.trim_start().len();
    rest[word..].find(' ').map_or(sentence.len(), |space| at + word + space)
}

fn allowed() -> BTreeMap<String, usize> {
    let table = fs::read_to_string(table()).expect("the table");
    let line = |line: &str| {
        let (number, name) = line.split_once(' ').expect("a number and a name");
        (name.to_owned(), number.parse().expect("a number"))
    };
    table.lines().map(line).collect()
}

fn table() -> PathBuf {
    repository().join(TABLE)
}

/// Writes the numbers that fell. A text that has more places than its number keeps the number.
fn lower(texts: &[Text]) -> Result<(), Failed> {
    let allowed = allowed();
    let numbers = texts.iter().filter_map(|text| {
        let number = places(text).len().min(allowed.get(&text.name).copied().unwrap_or(0));
        (number > 0).then(|| format!("{number} {}\n", text.name))
    });
    Ok(fs::write(table(), numbers.collect::<String>())?)
}

fn find_what_they_should() -> Result<(), Failed> {
    #[rustfmt::skip]
    let examples = [
        ("of as a predicate", "The flags are those of the scan.", "The flags are the same as in the scan."),
        ("stands for", "One document stands for the group.", "One document represents the group."),
        ("takes", "The run takes 3 seconds.", "The run needs 3 seconds."),
        ("asked", "The index is asked for a text.", "The index is searched for a text."),
        ("least, most", "Print pairs of least similarity.", "Print at least the most similar pairs."),
        ("leave out", "It leaves pairs out.", "It hides pairs."),
        ("names it", "The message names the file.", "The message has the name of the file."),
        ("alone", "It reads names alone.", "It reads only names."),
        ("behind, beside", "The file behind the link.", "The target of the link."),
        ("in place of", "It prints a page in place of lines.", "It prints a page instead of lines."),
        ("is no", "A link is no file.", "A link is not a file. It is no longer there."),
        ("metaphors", "A crowd of copies.", "A cluster of copies."),
        ("of its own", "It has a page of its own.", "It has its own page."),
        ("passes over", "The walk passes over hidden files.", "The walk skips hidden files."),
        ("so many", "It compares so many pairs.", "It compares N pairs."),
        ("tells", "The summary tells the number.", "The summary has the number."),
        ("a sentence without a subject", "It ends. What was read.", "It ends. What was read?"),
        ("a long sentence", &"word ".repeat(36), &"word ".repeat(35)),
    ];
    for (habit, has, has_not) in examples {
        let found: Vec<&str> = find(has).into_iter().map(|(habit, _)| habit).collect();
        assert_eq!(found, [habit], "{has}");
        assert_eq!(find(has_not), [], "{has_not}");
    }
    Ok(())
}
