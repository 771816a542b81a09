//! `dedup explain`: two texts side by side, the numbers of the pair, and why it is or is not reported.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use dedup_scan::Verdict;
use dedup_scan::records::DocumentRecord;
use dedup_scan::results::ExplanationRecord;

use crate::packing::tar;
use crate::support::*;

const FIRST: &str = "The harbour master counted the boats twice before the fog came in.";
const SECOND: &str = "Nobody on the quay remembered who had lit the lamp at the end of the pier.";
/// The verdict of `--json`, and the numbers for a look.
#[track_caller]
fn verdict(corpus: &Workspace, args: &[&str], expected: Verdict) {
    let args = [&["explain", "--json", "--quiet"], args].concat();
    let look = |json: &str| {
        let record: ExplanationRecord = serde_json::from_str(json).unwrap();
        assert_eq!(record.reason, expected, "{json}");
        assert_eq!(record.reported, expected == Verdict::Reported);
        assert_eq!(serde_json::to_string(&record).unwrap() + "\n", json);
    };
    // Bands that find too little are warned of, as in a scan.
    corpus.dedup(&args).stdout_with(look).stderr_with(|_| ()).exit_code(0);
}

fn two_texts() -> Workspace {
    let a = format!("one\ntwo\nthree\nfour\n{FIRST}\nfive\nsix\nseven\neight\n{SECOND}\n");
    let b = format!("{SECOND}\nalpha\nbeta\ngamma\ndelta\n{FIRST}\n");
    Workspace::new("explain_view").file("a.txt", a).file("b.txt", b)
}

const WORDS: [&str; 9] = ["explain", "a.txt", "b.txt", "--shingle", "word", "--context", "1", "--max-gap", "0"];

#[test]
fn texts_stand_side_by_side_with_their_passages_marked() {
    let look = |shown: &str| {
        let (heading, texts) = shown.split_once("\n\n").unwrap();
        assert!(
            heading.contains("\nverdict      not reported: the similarity is below the threshold of 80 %; 7 more"),
            "{shown}"
        );
        assert!(heading.contains("coverage     ") && heading.ends_with("would reach it"), "{shown}");
        let sides: Vec<(&str, &str)> = texts.lines().filter_map(|line| line.split_once('│')).collect();
        assert_eq!(sides.len(), texts.lines().count(), "{shown}");
        assert!(texts.lines().all(|line| line.chars().count() <= 80), "{shown}");
        // A passage begins on one row of both sides.
        assert!(
            sides.iter().any(|(a, b)| a.contains("[1]") && b.contains("[1]") || a.contains("[2]") && b.contains("[2]"))
        );
        for part in ["⋮ 3 lines hidden", "four", "delta"] {
            assert!(texts.contains(part), "{part}\n{shown}");
        }
        for left_out in ["two", "six", "beta"] {
            assert!(!texts.contains(left_out), "{left_out}\n{shown}");
        }
        assert!(!shown.contains('\u{1B}'));
    };
    two_texts().dedup(&[&WORDS[..], &["--quiet"]].concat()).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn colour_is_as_asked_for() {
    let corpus = two_texts();
    let run = |more: &[&str], variable: &str, value: &str, is_coloured: bool| {
        let look = |shown: &str| assert_eq!(shown.contains("\u{1B}[32m"), is_coloured, "{more:?} {variable}");
        let args = [&WORDS[..], &["--quiet"], more].concat();
        corpus.dedup_with(&args, variable, value).stdout_with(look).stderr("").exit_code(0);
    };
    run(&["--color", "always"], "NO_COLOR", "1", true);
    run(&["--color", "never"], "CLICOLOR_FORCE", "1", false);
    run(&[], "NO_COLOR", "1", false);
    run(&[], "CLICOLOR_FORCE", "1", true);
}

#[test]
fn the_view_is_as_wide_as_columns_says() {
    let look = |shown: &str| {
        let texts = shown.split_once("\n\n").unwrap().1;
        assert!(texts.lines().all(|line| line.chars().count() <= 200), "{shown}");
        assert!(texts.contains(FIRST) && texts.contains(SECOND), "{shown}");
    };
    let args = [&WORDS[..], &["--quiet"]].concat();
    two_texts().dedup_with(&args, "COLUMNS", "200").stdout_with(look).stderr("").exit_code(0);
    // So are the lines above the texts: what does not fit goes on below.
    let look = |shown: &str| {
        let heading = shown.split_once("\n\n").unwrap().0;
        assert!(heading.lines().all(|line| line.chars().count() <= 40), "{shown}");
        assert!(
            heading.contains("\nverdict      not reported: the\n             similarity is below the\n"),
            "{shown}"
        );
        assert!(heading.lines().all(|line| line.trim_end() == line), "{shown}");
    };
    two_texts().dedup_with(&args, "COLUMNS", "40").stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn every_reason_has_its_word() {
    let corpus = Workspace::new("explain_reasons")
        .file("x/fox.txt", FOX)
        .file("x/cat.txt", CAT)
        .file("y/fox.txt", FOX)
        .file("y/lorem.txt", LOREM)
        .file("empty.txt", " \n")
        .file("binary", b"a\0b");
    let of = |args: &[&str], expected| verdict(&corpus, args, expected);
    of(&["x/fox.txt", "x/cat.txt"], Verdict::Reported);
    of(&["x/fox.txt", "x/cat.txt", "--threshold", "0.81"], Verdict::BelowThreshold);
    of(&["x/fox.txt", "x/cat.txt", "--bands", "1", "--rows", "60"], Verdict::NotFound);
    of(&["x/fox.txt", "x/cat.txt", "--in", ".", "--group-by", "dir:1"], Verdict::SameGroup);
    of(&["x/fox.txt", "y/fox.txt", "--in", ".", "--group-by", "dir:1"], Verdict::Reported);
    of(&["x/fox.txt", "y/fox.txt", "--in", ".", "--group-by", "dir:1", "--within-groups"], Verdict::OtherGroup);
    of(&["x/fox.txt", "x/cat.txt", "--in", "x", "--against", "y"], Verdict::SameSide);
    of(&["x/fox.txt", "y/fox.txt", "--in", "x", "--against", "y"], Verdict::Reported);
    of(&["x/fox.txt", "y/fox.txt", "--in", "x", "y", "--collapse-exact"], Verdict::Reported);
    of(&["x/cat.txt", "y/fox.txt", "--in", "x", "y", "--collapse-exact"], Verdict::Copy);
    of(&["x/fox.txt", "empty.txt"], Verdict::Empty);
    of(&["x/fox.txt", "x/cat.txt", "--template", "y/fox.txt"], Verdict::Emptied);
    of(&["x/fox.txt", "x/cat.txt", "--min-tokens", "1000"], Verdict::Short);
    of(&["x/fox.txt", "y/lorem.txt"], Verdict::BelowThreshold);
}

#[test]
fn documents_are_named_by_ids_places_and_members() {
    let records = format!("{{\"id\":\"p\",\"text\":\"{FOX}\"}}\n{{\"text\":\"{CAT}\"}}\n");
    let corpus = Workspace::new("explain_names")
        .file("r.jsonl", records)
        .file("one.jsonl", format!("{{\"id\":\"q\",\"text\":\"{CAT}\"}}\n"));
    for names in [["p", "r.jsonl:2"], ["r.jsonl:1", "r.jsonl:2"], ["p", "one.jsonl"], ["p", "q"]] {
        verdict(&corpus, &[&names[..], &["--in", "r.jsonl", "one.jsonl"]].concat(), Verdict::Reported);
    }
    let several = "dedup: r.jsonl: contains 2 documents; give it with --in, and choose one of them, such as p\n";
    corpus.dedup(&["explain", "-q", "r.jsonl", "one.jsonl"]).stdout("").stderr(several).exit_code(2);
    let unknown = "dedup: z: no such document in the inputs; give its file with --in, and see dedup scan --list-documents for the names\n";
    corpus.dedup(&["explain", "-q", "p", "z", "--in", "r.jsonl"]).stdout("").stderr(unknown).exit_code(2);
    let same = "dedup: p: both names refer to this document; give two documents, or --preset clones to show the blocks that it repeats\n";
    corpus.dedup(&["explain", "-q", "p", "r.jsonl:1", "--in", "r.jsonl"]).stdout("").stderr(same).exit_code(2);
}

#[test]
fn a_name_without_its_folder_is_refused_with_the_whole_name() {
    let corpus = Workspace::new("explain_folder").file("in/x/a", FOX).file("in/b", CAT);
    let line = "dedup: a: no such document in the inputs; give the name as the pairs have it, such as in/x/a\n";
    for names in [&["a", "in/b"][..], &["a"]] {
        let explain = [&["explain", "-q"], names, &["--in", "in"]].concat();
        corpus.dedup(&explain).stdout("").stderr(line).exit_code(2);
    }
    corpus.dedup(&["scan", "-q", "in", "--save", "r"]).stdout_with(|_| ()).stderr("").exit_code(0);
    let line =
        "dedup: --only a: no document of r has this name or folder; give a name as the pairs have it, such as in/x/a\n";
    corpus.dedup(&["report", "r", "--only", "a"]).stdout("").stderr(line).exit_code(2);
    // An index is not a result.
    corpus.dedup(&["index", "build", "-q", "x", "in"]).stdout("").stderr("").exit_code(0);
    let line = "dedup: x: it is an index or another database, not pairs; dedup query INDEX PATH searches an index\n";
    for command in [&["report", "x"][..], &["cluster", "--from", "x"]] {
        corpus.dedup(command).stdout("").stderr(line).exit_code(2);
    }
}

#[test]
fn a_reported_pair_can_end_with_1() {
    let corpus = Workspace::new("explain_exit").file("a", FOX).file("b", CAT);
    let run = |threshold, code| {
        let args = ["explain", "a", "b", "--exit-code", "--json", "-q", "--threshold", threshold];
        corpus.dedup(&args).stdout_with(|json| assert!(json.ends_with("}\n"))).stderr("").exit_code(code);
    };
    run("0.8", 1);
    run("0.9", 0);
}

/// Pairs of the examples, under several flags.
#[test]
fn the_verdict_is_whether_scan_prints_the_pair() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/corpus");
    let corpus = Workspace::new("explain_twin");
    let news = top.join("news");
    let notes = top.join("notes");
    let (news, notes) = (news.to_str().unwrap(), notes.to_str().unwrap());
    let ways: [&[&str]; 5] = [
        &["--threshold", "0.3", "--bands", "4", "--rows", "4"],
        &["--shingle", "word", "--threshold", "0.2", "--max-df", "3"],
        &["--threshold", "0.5", "--collapse-exact"],
        &["--threshold", "0.4", "--group-by", r"/(\w+)-[^/]*$", "--seed", "7"],
        &["--threshold", "0.4", "--group-by", "dir", "--within-groups", "--signature", "fast"],
    ];
    for flags in ways {
        let mut documents = Vec::new();
        let listing = [&["scan", "-q", "--list-documents", news, notes], &flags_to_list(flags)[..]].concat();
        let look = |list: &str| {
            let named = |line| serde_json::from_str::<DocumentRecord>(line).unwrap();
            documents = list.lines().map(|line| name(&named(line).name).to_owned()).collect();
        };
        corpus.dedup(&listing).stdout_with(look).stderr_with(|_| ()).exit_code(0);
        let mut pairs = BTreeSet::new();
        let scan = [&["scan", "-q", news, notes], flags].concat();
        let look = |lines: &str| {
            pairs = records(lines).iter().map(|pair| (name(&pair.a).to_owned(), name(&pair.b).to_owned())).collect();
        };
        corpus.dedup(&scan).stdout_with(look).stderr_with(|_| ()).exit_code(0);
        assert!(!pairs.is_empty(), "{flags:?}");
        for (number, a) in documents.iter().enumerate() {
            for (other, b) in documents.iter().enumerate().skip(number + 1) {
                // All pairs that are printed, and some of the others: each is a run of the program.
                if !((number + other) as u64).is_multiple_of(num_cases(11, 3))
                    && !pairs.contains(&(a.clone(), b.clone()))
                {
                    continue;
                }
                let explain = [&["explain", "--json", "-q", a, b, "--in", news, notes], flags].concat();
                let look = |json: &str| {
                    let record: ExplanationRecord = serde_json::from_str(json).unwrap();
                    assert_eq!(record.reported, pairs.contains(&(a.clone(), b.clone())), "{flags:?} {json}");
                };
                corpus.dedup(&explain).stdout_with(look).stderr_with(|_| ()).exit_code(0);
            }
        }
    }
}

/// The flags that a list of documents takes.
fn flags_to_list<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    flags.iter().copied().filter(|&flag| flag != "--collapse-exact").collect()
}

#[test]
fn the_view_is_what_it_was() {
    let corpus = two_texts();
    for (columns, color, expected) in [
        ("50", "never", include_str!("views/50.txt")),
        ("50", "always", include_str!("views/50-coloured.txt")),
        ("80", "never", include_str!("views/80.txt")),
        ("80", "always", include_str!("views/80-coloured.txt")),
    ] {
        let args = [&WORDS[..], &["--quiet", "--color", color]].concat();
        corpus.dedup_with(&args, "COLUMNS", columns).stdout(expected).stderr("").exit_code(0);
    }
}

/// Prose with one paragraph per line, and the same with one word changed and some words added.
fn paragraphs() -> [String; 2] {
    let paragraph = |number: usize| (0..90).map(|word| format!("word{number}x{word}")).collect::<Vec<_>>().join(" ");
    let text = (0..12).map(|number| paragraph(number) + "\n\n").collect::<String>();
    let changed = text.replace("word6x40 ", "CHANGED ").replace("word9x10 ", "word9x10 and more ");
    [text, changed]
}

#[test]
fn of_equal_paragraphs_only_the_ends_are_shown() {
    let [a, b] = paragraphs();
    let corpus = Workspace::new("explain_paragraphs").file("a.txt", a).file("b.txt", b);
    let folded = |shown: &str| {
        let texts = shown.split_once("\n\n").unwrap().1;
        assert!(texts.lines().count() < 100, "{shown}");
        assert!(texts.lines().all(|line| line.chars().count() <= 80), "{shown}");
        for part in ["[-word6x40-]", "{+CHANGED+}", " {+and", "more+} ", "⋮ 7 equal lines", " equal rows"] {
            assert!(texts.contains(part), "{part}\n{shown}");
        }
        // The first and the last words of an equal paragraph are shown, the others are not.
        for (word, is_shown) in [("word5x0", true), ("word5x40", false), ("word5x89", true), ("word3x0", false)] {
            let mut words = texts.split_whitespace();
            assert_eq!(words.any(|shown| shown == word), is_shown, "{word}\n{shown}");
        }
    };
    corpus.dedup(&["explain", "a.txt", "b.txt", "-q"]).stdout_with(folded).stderr("").exit_code(0);
    let whole = |shown: &str| {
        let texts = shown.split_once("\n\n").unwrap().1;
        assert!(!texts.contains('⋮'), "{shown}");
        assert_eq!(texts.matches("word3x40").count(), 2);
    };
    let args = ["explain", "a.txt", "b.txt", "-q", "--context", "1000"];
    corpus.dedup(&args).stdout_with(whole).stderr("").exit_code(0);
    let coloured = |shown: &str| {
        assert!(!shown.contains("[-") && !shown.contains("{+"), "{shown}");
        assert!(shown.contains("\u{1B}[1;4;32mword6x40\u{1B}[0m"), "{shown}");
    };
    let args = ["explain", "a.txt", "b.txt", "-q", "--color", "always"];
    corpus.dedup(&args).stdout_with(coloured).stderr("").exit_code(0);
}

#[test]
fn an_input_that_is_no_document_says_why() {
    let corpus = Workspace::new("explain_skipped").file("a", FOX).file("binary", b"a\0b").file("latin", b"d\xE9j\xE0");
    for (name, why) in [
        ("binary", "binary, with a NUL at byte 1; skipped"),
        ("latin", "not valid UTF-8 at byte 1; read it with --encoding LABEL or --invalid replace"),
    ] {
        let problem = format!("dedup: {name}: {why}\n");
        let record = |json: &str| {
            let record: ExplanationRecord = serde_json::from_str(json).unwrap();
            assert_eq!((record.reason, record.detail_b.as_deref()), (Verdict::Skipped, Some(why)), "{json}");
            assert_eq!((record.detail_a, record.shared, record.shingles_a), (None, None, 36), "{json}");
        };
        corpus.dedup(&["explain", "a", name, "-q", "--json"]).stdout_with(record).stderr(&problem).exit_code(3);
        let view = |shown: &str| {
            // The lines are as wide as the view.
            let heading: Vec<&str> = shown.split("\n\n").next().unwrap().split_whitespace().collect();
            assert!(heading.join(" ").contains(&format!("shingles a: 36 shingles; b: {why} verdict")), "{shown}");
            assert!(shown.contains("\nverdict      not reported: b skipped, and no document\n"), "{shown}");
            assert!(shown.contains("1 The quick brown"), "the other text is shown\n{shown}");
        };
        corpus.dedup(&["explain", "a", name, "-q"]).stdout_with(view).stderr(&problem).exit_code(3);
    }
    let both = |json: &str| {
        let record: ExplanationRecord = serde_json::from_str(json).unwrap();
        assert!(record.detail_a.is_some() && record.detail_b.is_some(), "{json}");
    };
    let args = ["explain", "binary", "latin", "-q", "--json", "--in", "a", "binary", "latin"];
    corpus.dedup(&args).stdout_with(both).stderr_with(|_| ()).exit_code(3);
}

#[test]
fn members_of_archives_and_records_are_shown_under_their_names() {
    let archive = tar(&[("x/fox.txt", FOX.as_bytes()), ("x/cat.txt", CAT.as_bytes())]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&archive).unwrap();
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let corpus = Workspace::new("explain_members")
        .file("a.tar.gz", gzip.finish().unwrap())
        .file("r.jsonl", record("seven", LOREM) + &record("eight", CAT));
    let names = ["a.tar.gz!x/fox.txt", "eight"];
    let args = [&["explain", "-q"], &names[..], &["--in", "a.tar.gz", "r.jsonl"]].concat();
    let look = |json: &str| {
        let record: ExplanationRecord = serde_json::from_str(json).unwrap();
        assert_eq!((name(&record.a), name(&record.b)), (names[0], names[1]));
        assert_eq!((record.jaccard, record.shared), (Some(0.8), Some(32)), "{json}");
        let of = |part: &dedup_scan::compare::passages::DocumentPart| serde_json::to_value(part).unwrap()["of"].clone();
        let passage = &record.passages.as_ref().unwrap()[0];
        assert_eq!((of(&passage.a), of(&passage.b)), ("member".into(), "field".into()), "{json}");
        // The space before the word that differs is no part of it.
        assert_eq!((passage.a.bytes, passage.b.bytes), ([0, 39], [0, 39]), "{json}");
    };
    corpus.dedup(&[&args[..], &["--json"]].concat()).stdout_with(look).stderr("").exit_code(0);
    let view = |shown: &str| {
        assert!(shown.starts_with("a            a.tar.gz!x/fox.txt\nb            eight\n"), "{shown}");
        assert!(shown.contains("1 [1] The quick brown fox jumps over "), "{shown}");
    };
    corpus.dedup(&args).stdout_with(view).stderr("").exit_code(0);
    // The line of the file finds the record that an id names.
    let args = ["explain", "-q", "a.tar.gz!x/cat.txt", "r.jsonl:2", "--in", "a.tar.gz", "r.jsonl", "--json"];
    let look = |json: &str| {
        let record: ExplanationRecord = serde_json::from_str(json).unwrap();
        assert_eq!((name(&record.b), record.jaccard), ("eight", Some(1.0)), "{json}");
    };
    corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn a_document_in_a_file_needs_the_file_for_in() {
    let records = format!("{{\"text\":\"{FOX}\"}}\n{{\"text\":\"{CAT}\"}}\n");
    let corpus = Workspace::new("explain_holders")
        .file("w.tar", tar(&[("z.txt", FOX.as_bytes()), ("a.txt", CAT.as_bytes())]))
        .file("r.jsonl", records)
        .file("a.txt", FOX)
        .file("n!1:2", CAT);
    let without = |name: &str, flag: &str| format!("dedup: {name}: without --in A and B are files; add --in {flag}\n");
    let missing = |name: &str| {
        format!("dedup: {name}: no such file or folder; check the path, or give the file that contains it with --in\n")
    };
    for (a, b, message) in [
        ("w.tar!z.txt", "w.tar!a.txt", without("w.tar!z.txt", "w.tar")),
        ("r.jsonl:1", "r.jsonl:2", without("r.jsonl:1", "r.jsonl")),
        ("a.txt", "r.jsonl:2", without("r.jsonl:2", "a.txt r.jsonl")),
        ("w.tar!z.txt", "r.jsonl:2", without("w.tar!z.txt", "r.jsonl w.tar")),
        ("nope", "a.txt", missing("nope")),
        ("r.jsonl:1", "nope!x", missing("nope!x")),
        ("r.jsonl:x", "a.txt", missing("r.jsonl:x")),
    ] {
        corpus.dedup(&["explain", a, b]).stdout("").stderr(&message).exit_code(2);
    }
    // What the message says helps, and a file may have such a name.
    verdict(&corpus, &["w.tar!z.txt", "r.jsonl:2", "--in", "r.jsonl", "w.tar"], Verdict::Reported);
    verdict(&corpus, &["a.txt", "n!1:2"], Verdict::Reported);
}

#[test]
fn parts_of_a_template_are_in_no_passage_and_are_shown_as_handed_out() {
    let handed =
        "Write a program that reads two numbers and prints the greatest divisor that both of them have in common.\n";
    let corpus = Workspace::new("handed_out")
        .file("form", handed)
        .file("a", format!("{handed}{FOX}\n"))
        .file("b", format!("{handed}{FOX}\n"));
    let args = ["a", "b", "--template", "form", "--shingle", "word"];
    let passages = |stdout: &str| {
        let found: serde_json::Value = serde_json::from_str(stdout).unwrap();
        assert_eq!(found["passages"][0]["a"]["lines"], serde_json::json!([2, 2]), "{stdout}");
    };
    corpus.dedup(&[&["scan", "-q", "--passages"], &args[..]].concat()).stdout_with(passages).stderr("").exit_code(0);
    corpus.dedup(&[&["explain", "-q", "--json"], &args[..]].concat()).stdout_with(passages).stderr("").exit_code(0);
    let shown = |stdout: &str| {
        let rows: Vec<&str> = stdout.lines().filter(|line| line.contains("Write a program")).collect();
        assert!(rows.len() == 1 && rows[0].matches("handed out").count() == 2, "{stdout}");
        assert!(stdout.contains("100 % of a, 100 % of b, in 1 passage"), "{stdout}");
    };
    let wide = ["explain", "-q", "--color", "never"];
    corpus.dedup(&[&wide, &args[..]].concat()).stdout_with(shown).stderr("").exit_code(0);
}
