//! The flags of `--match passages`: presets, what they leave out, and those of the other way.

use crate::matching::MATCH;
use crate::support::*;

#[test]
fn a_template_leaves_matches_and_denominator() {
    let form = (0..50).map(|at| format!("form{at} ")).collect::<String>();
    let answer = |of: usize, len: usize| (0..len).map(|at| format!("a{of}x{at} ")).collect::<String>();
    let workspace = Workspace::new("template_of_matches")
        .file("form.txt", &form)
        .file("in/copied.txt", format!("{form} {} {}", answer(1, 30), answer(2, 30)))
        .file("in/empty.txt", &form)
        .file("in/empty-too.txt", format!("{form}."))
        .file("in/other.txt", format!("{form} {}", answer(3, 60)))
        .file("in/source.txt", format!("{} {form} {}", answer(4, 30), answer(1, 30)));
    let look = |stdout: &str| {
        let found = records(stdout);
        let [pair] = &found[..] else { panic!("{stdout}") };
        assert_eq!((name(&pair.a), name(&pair.b)), ("in/copied.txt", "in/source.txt"));
        // 30 of 60 tokens on either side: the form counts nowhere.
        assert_eq!((pair.coverage_a, pair.coverage_b, pair.matched), (Some(0.5), Some(0.5), Some(30)));
        let passage = &pair.passages.as_ref().unwrap().as_ref().unwrap()[0];
        assert_eq!((passage.exact, passage.matched), (true, 30));
    };
    workspace
        .dedup(&[&MATCH[..], &["--template", "form.txt", "in"]].concat())
        .stdout_with(look)
        .stderr("")
        .exit_code(0);
    let look = |stdout: &str| assert_eq!(records(stdout).len(), 10, "without it all share the form: {stdout}");
    workspace.dedup(&[&MATCH[..], &["in"]].concat()).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn flags_of_the_other_way_are_refused() {
    let workspace = Workspace::new("flags_of_matching").file("a.txt", FOX);
    let refused = |flags: &[&str], stderr: &str| {
        let arguments = [&["scan"], flags, &["."]].concat();
        workspace.dedup(&arguments).stdout("").stderr(&format!("dedup: {stderr}\n")).exit_code(2);
    };
    refused(
        &["--match", "passages", "--threshold", "0.5"],
        "--threshold: does not apply to pairs that match by passages; give --coverage, the minimum share of the shorter document that passages cover",
    );
    refused(
        &["--match", "passages", "--coverage", "1.5"],
        "--coverage 1.5: give a coverage from 0 to 1 or a percentage, such as 0.1 or 10%; see dedup scan --help",
    );
    for flags in [["--bands", "20"], ["--rows", "5"], ["--recall", "0.9"]] {
        let stderr = format!(
            "{}: does not apply to pairs that match by passages; remove the flag, since every common run that is long enough is found",
            flags[0]
        );
        refused(&[&["--preset", "prose"], &flags[..]].concat(), &stderr);
    }
    for flags in [["--coverage", "0.5"], ["--min-matched", "5"], ["--max-key-df", "5"]] {
        let stderr = format!(
            "{}: only applies to pairs that match by passages; add --match passages, or remove the flag",
            flags[0]
        );
        refused(&flags, &stderr);
        refused(&[&["--preset", "revisions"], &flags[..]].concat(), &stderr);
    }
    refused(
        &["--match", "passages", "--max-df", "5%"],
        "--max-df: does not apply to pairs that match by passages; give --max-key-df, or remove the flag",
    );
    refused(
        &["--match", "passages", "--shingle", "stopword"],
        "--shingle stopword: passages consist of all words, not only of those after stop words; use --shingle word",
    );
    refused(
        &["--match", "passages", "--shingle", "set"],
        "--match passages: the elements of a set have no order; choose another --shingle",
    );
}

#[test]
fn the_least_number_of_matched_tokens_depends_on_what_a_token_is() {
    let lines = |name: char, own: usize| {
        let shared = (0..3).map(|line| format!("This is line {line} of three that both have.\n")).collect::<String>();
        shared + &(0..own).map(|line| format!("{name} has line {line} alone.\n")).collect::<String>()
    };
    let workspace = Workspace::new("min_matched_of_lines").file("a", lines('a', 5)).file("b", lines('b', 9));
    let pairs = |flags: &[&str], expected: &[&str]| {
        let args = [&["scan", "-q", "--match", "passages", "--shingle"], flags, &["."]].concat();
        workspace.dedup(&args).pairs(expected).stderr("").exit_code(0);
    };
    pairs(&["line"], &["a b"]);
    pairs(&["line", "--min-matched", "4"], &[]);
    pairs(&["sentence"], &["a b"]);
    pairs(&["word"], &["a b"]);
    // Some 120 characters.
    pairs(&["char"], &["a b"]);
    pairs(&["char", "--min-matched", "150"], &[]);
    let short = Workspace::new("min_matched_of_characters")
        .file("a", "Some ninety characters and no more than these are what is the same in both of these texts: one.")
        .file("b", "Some ninety characters and no more than these are what is the same in both of these texts, two!");
    let args =
        |more: &[&'static str]| [&["scan", "-q", "--match", "passages", "--shingle", "char", "."], more].concat();
    short.dedup(&args(&[])).pairs(&[]).stderr("").exit_code(0);
    short.dedup(&args(&["--min-matched", "20"])).pairs(&["a b"]).stderr("").exit_code(0);
}

#[test]
fn presets_are_shown_whole_and_flags_override_them() {
    let workspace = Workspace::new("presets")
        .file("a.txt", "Eins zwei, drei vier fünf sechs sieben acht neun zehn.")
        .file("b.txt", "eins ZWEI drei vier funf sechs sieben acht neun zehn elf");
    let shown = |stdout: &str| {
        for flag in
            ["--match passages", "--k 5", "--anchor 8", "--max-gap 10", "--coverage 0.1", "--min-matched 20", "--nfkc"]
        {
            assert!(stdout.contains(flag), "{flag}: {stdout}");
        }
        assert!(!stdout.contains("Usage:"));
    };
    workspace.dedup(&["scan", "--preset", "prose", "--help"]).stdout_with(shown).stderr("").exit_code(0);
    let shown = |stdout: &str| assert!(stdout.contains("--threshold 0.15"), "{stdout}");
    workspace.dedup(&["scan", "--help", "--preset=revisions"]).stdout_with(shown).stderr("").exit_code(0);
    let pairs = |flags: &[&str], num_pairs: usize| {
        let look = |stdout: &str| assert_eq!(records(stdout).len(), num_pairs, "{flags:?}");
        workspace.dedup(&[&["scan", "-q"], flags, &["."]].concat()).stdout_with(look).stderr("").exit_code(0);
    };
    pairs(&["--preset", "prose"], 0);
    pairs(&["--preset", "prose", "--min-matched", "10"], 1);
    pairs(&["--preset", "prose", "--match", "passages", "--min-matched", "10", "--coverage", "0.95"], 1);
    pairs(&["--preset", "prose", "--match", "jaccard", "--threshold", "0.8"], 1);
    pairs(&["--preset", "revisions"], 0);
    pairs(&["--preset", "revisions", "--lowercase", "--strip-accents"], 1);
}

#[test]
fn quotations_and_references_are_no_matches() {
    let source = (0..60).map(|at| format!("s{at} ")).collect::<String>();
    let own = (0..60).map(|at| format!("o{at} ")).collect::<String>();
    let list = (0..40).map(|at| format!("Author{at} Title{at} ")).collect::<String>();
    let workspace = Workspace::new("quotations")
        .file("a.txt", format!("{source}\n\nReferences\n{list}"))
        .file("b.txt", format!("{own} \u{201C}{source}\u{201D} end.\n\n7. BIBLIOGRAPHY\n{list}"));
    let pairs = |flags: &[&str], matched: Option<u64>| {
        let look =
            |stdout: &str| assert_eq!(records(stdout).first().map(|pair| pair.matched.unwrap()), matched, "{flags:?}");
        workspace.dedup(&[&MATCH[..], flags, &["."]].concat()).stdout_with(look).stderr("").exit_code(0);
    };
    pairs(&[], Some(140));
    pairs(&["--ignore-quotes"], Some(80));
    pairs(&["--ignore-bibliography"], Some(60));
    pairs(&["--ignore-quotes", "--ignore-bibliography"], None);
}
