//! Flags and commands are words of the program: no message of the library names one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;

use crate::source::{SourceFile, files, without_tests};

/// Number of literals of the library that name a flag of the program. It must not grow; lower it when it falls.
const LEFT: usize = 0;

/// Files with literals that are arguments of git, or arguments of `dedup` in a saved result, and these flags.
const EXEMPT: [(&str, &str); 2] = [
    ("results/changes/git.rs", "--add --quiet --stdin"),
    ("results/saved/header.rs", "--collapse-exact --group-by --old"),
];

/// A former flag, which the handbook does not list.
const HIDDEN: &str = "--fold";

/// The words at the start of the lines of the handbook's page of flags.
///
/// * `word`: a regular expression whose first group is the word.
fn listed(word: &str) -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide/flags.md");
    let page = std::fs::read_to_string(page).expect("the page of the flags");
    let word = Regex::new(word).expect("it is valid");
    word.captures_iter(&page).map(|found| found[1].to_owned()).collect()
}

/// The flags of the program, as the handbook lists them.
fn flags_of_program() -> BTreeSet<String> {
    listed(r"(?m)^(?:-\w, )?(--[a-z][a-z-]*)")
}

/// The files of the library and their modules.
fn library() -> BTreeMap<Vec<String>, SourceFile> {
    let is_of_library = |module: &Vec<String>| module.first().is_none_or(|layer| layer != "cli" && layer != "guide");
    files().into_iter().filter(|(module, _)| is_of_library(module)).collect()
}

/// The flags of the program that code names, or makes of a name. Outside comments, only literals contain them.
fn named(code: &str, flags: &BTreeSet<String>) -> Vec<String> {
    let word = Regex::new(r"--(\{|[a-z][a-z-]*)").expect("it is valid");
    let words = word.find_iter(code).map(|found| found.as_str().to_owned());
    words.filter(|word| word == "--{" || flags.contains(word)).collect()
}

/// The string literals of code.
fn literals(code: &str) -> Vec<String> {
    // Comments and characters come first, since they may contain quotation marks.
    let tokens =
        r##"(?s)//[^\n]*|'(?:\\[^']*|[^'\\])'|r#+"(?<hashed>.*?)"#+|r"(?<raw>[^"]*)"|"(?<usual>(?:[^"\\]|\\.)*)""##;
    let tokens = Regex::new(tokens).expect("it is valid");
    let literal = |found: regex::Captures| {
        let text = found.name("hashed").or(found.name("raw")).or(found.name("usual"))?;
        Some(text.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    tokens.captures_iter(code).filter_map(literal).collect()
}

/// The literals that speak of flags or of a command of the program.
fn of_program(code: &str, commands: &BTreeSet<String>) -> Vec<String> {
    let word = Regex::new(r"(?i)\bflags?\b").expect("it is valid");
    let command = Regex::new(r"\bdedup ([a-z]+)\b").expect("it is valid");
    let is_of_program = |literal: &String| {
        word.is_match(literal) || command.captures_iter(literal).any(|found| commands.contains(&found[1]))
    };
    literals(code).into_iter().filter(is_of_program).collect()
}

#[test]
fn no_literal_of_the_library_speaks_of_flags_or_commands() {
    let commands = listed(r"(?m)^dedup ([a-z]+)");
    assert!(commands.len() > 20, "{commands:?}");
    let mut found = Vec::new();
    for file in library().values() {
        let literals = of_program(without_tests(&file.text), &commands);
        found.extend(literals.into_iter().map(|literal| format!("{}: {literal}", file.path.display())));
    }
    assert!(found.is_empty(), "say what happened, and add the remedy in src/cli/messages: {found:#?}");
}

#[test]
fn no_literal_of_the_library_names_a_flag() {
    let flags = flags_of_program();
    assert!(flags.len() > 100, "{flags:?}");
    let mut found = Vec::new();
    for file in library().values() {
        let exempt = EXEMPT.iter().find(|(path, _)| file.path.ends_with(path)).map_or("", |(_, flags)| flags);
        let flags = named(&file.code, &flags).into_iter().filter(|flag| exempt.split(' ').all(|other| other != flag));
        found.extend(flags.map(|flag| format!("{}: {flag}", file.path.display())));
    }
    assert_eq!(
        found.len(),
        LEFT,
        "use `base::Setting` for the flag; set LEFT to the number if it has fallen: {found:#?}"
    );
}

#[test]
fn every_setting_has_a_flag_of_the_program() {
    let files = files();
    let code = |module: &[&str]| &files[&module.iter().map(|part| part.to_string()).collect::<Vec<_>>()].code;
    let settings = Regex::new(r#"Self::(\w+) => ""#).expect("it is valid");
    let settings: Vec<&str> = settings
        .captures_iter(code(&["base", "setting"]))
        .map(|found| found.get(1).expect("it has a name").as_str())
        .collect();
    assert!(settings.len() > 40, "{settings:?}");
    let named = Regex::new(r#"Setting::(\w+) => "([^" ]*)"#).expect("it is valid");
    let named: BTreeMap<String, String> = named
        .captures_iter(code(&["cli", "messages", "setting_flags"]))
        .map(|found| (found[1].to_owned(), found[2].to_owned()))
        .collect();
    let missing: Vec<_> = settings.iter().filter(|&&setting| !named.contains_key(setting)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let flags = flags_of_program();
    let is_unknown = |flag: &&String| flag.starts_with('-') && !flags.contains(*flag) && *flag != HIDDEN;
    let unknown: Vec<_> = named.values().filter(is_unknown).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn words_of_the_program_are_found_in_literals_only() {
    let commands = BTreeSet::from(["scan".to_owned()]);
    let code = r##"// remove the flag
        f('"', "the flags", r#"a "flag""#, r"by dedup scan", "of dedup", "flagged", "dedup scans", 'a', "x\"y");
        let flag = "a \
            line of `dedup scan`";"##;
    assert_eq!(of_program(code, &commands), ["the flags", "a \"flag\"", "by dedup scan", "a \\ line of `dedup scan`"]);
}

#[test]
fn a_flag_is_found_in_a_literal_and_other_words_are_not() {
    let flags = BTreeSet::from(["--k".to_owned(), "--encoding".to_owned()]);
    assert_eq!(
        named(r#"f("give --encoding LABEL, or --k 3, or --{name}", "--features x", "<!-- k -->")"#, &flags),
        ["--encoding", "--k", "--{"]
    );
}
