//! Flags are words of the program: no message of the library names one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;

use crate::source::{SourceFile, files};

/// Number of literals of the library that name a flag of the program. It must not grow; lower it when it falls.
const LEFT: usize = 0;

/// Files with literals that are arguments of git, or arguments of `dedup` in a saved result, and these flags.
const EXEMPT: [(&str, &str); 2] = [
    ("results/changes/git.rs", "--add --quiet --stdin"),
    ("results/saved/header.rs", "--collapse-exact --group-by --old"),
];

/// A former flag, which the handbook does not list.
const HIDDEN: &str = "--fold";

/// The flags of the program, as the handbook lists them.
fn flags_of_program() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide/flags.md");
    let page = std::fs::read_to_string(page).expect("the page of the flags");
    let flag = Regex::new(r"(?m)^(?:-\w, )?(--[a-z][a-z-]*)").expect("it is valid");
    flag.captures_iter(&page).map(|found| found[1].to_owned()).collect()
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
fn a_flag_is_found_in_a_literal_and_other_words_are_not() {
    let flags = BTreeSet::from(["--k".to_owned(), "--encoding".to_owned()]);
    assert_eq!(
        named(r#"f("give --encoding LABEL, or --k 3, or --{name}", "--features x", "<!-- k -->")"#, &flags),
        ["--encoding", "--k", "--{"]
    );
}
