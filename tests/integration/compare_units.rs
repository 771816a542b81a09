//! `--unit`: documents that are joined from the files of a folder, an archive or a person.

use ::zip::CompressionMethod;

use crate::packing::zip;
use crate::support::*;

/// Three people with two files each. Ann and Ben have the same files in other places, and Cy has others.
fn course(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("in/ann/a.txt", format!("{FOX}\nand so on\n"))
        .file("in/ann/b.txt", LOREM)
        .file("in/ben/src/one.txt", LOREM)
        .file("in/ben/two.txt", format!("a new first line\n\n{FOX}\n"))
        .file("in/cy/a.txt", "nothing of this is in any other text of the course")
        .file("in/readme.txt", "read me before you begin with the first exercise")
}

#[test]
fn the_files_of_a_folder_are_one_document() {
    let corpus = course("units");
    let args = ["scan", "in", "--unit", "dir:1", "--threshold", "0.5", "--show-passages", "-q"];
    corpus
        .dedup(&args)
        .stdout_with(|stdout| {
            let found = records(stdout);
            assert_eq!(found.len(), 1, "{stdout}");
            assert_eq!((name(&found[0].a), name(&found[0].b)), ("in/ann", "in/ben"));
            let passages = found[0].passages.as_ref().unwrap().as_ref().unwrap();
            // Each passage says its file, and counts the lines of it.
            let places: Vec<_> = passages
                .iter()
                .map(|passage| {
                    let [a, b] = [&passage.files_a, &passage.files_b].map(|files| files.as_ref().unwrap().first());
                    (a, passage.a.lines, b, passage.b.lines)
                })
                .collect();
            assert!(places.contains(&("in/ann/a.txt", [1, 1], "in/ben/two.txt", [3, 3])), "{places:?}");
            assert!(places.contains(&("in/ann/b.txt", [1, 1], "in/ben/src/one.txt", [1, 1])), "{places:?}");
        })
        .stderr("")
        .exit_code(0);
    // Every shingle comes from one file.
    let shingles = |text: &str| -> std::collections::BTreeSet<String> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text: Vec<char> = text.chars().collect();
        text.windows(9).map(|shingle| shingle.iter().collect()).collect()
    };
    let of = |files: [&str; 2]| {
        files.into_iter().flat_map(|file| shingles(&corpus.read(file))).collect::<std::collections::BTreeSet<_>>()
    };
    let (ann, ben) = (of(["in/ann/a.txt", "in/ann/b.txt"]), of(["in/ben/src/one.txt", "in/ben/two.txt"]));
    let shared = ann.intersection(&ben).count();
    for method in [&["--all-pairs"][..], &["--threads", "3"]] {
        corpus
            .dedup(&[&["scan", "in", "--unit", "dir:1", "--threshold", "0.5", "-q"], method].concat())
            .stdout_with(|stdout| {
                let pair = &records(stdout)[0];
                assert_eq!(
                    (pair.shared, pair.shingles_a, pair.shingles_b),
                    (shared as u64, ann.len() as u64, ben.len() as u64)
                );
            })
            .stderr("")
            .exit_code(0);
    }
    corpus
        .dedup(&["scan", "in", "--unit", "dir:1", "--list-documents"])
        .stdout_with(|stdout| {
            let names: Vec<_> = stdout.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
            assert_eq!(names, ["in/ann", "in/ben", "in/cy", "in/readme.txt"]);
        })
        .stderr_with(|_| ())
        .exit_code(0);
}

#[test]
fn paths_archives_fields_and_names_join_files() {
    let corpus = course("units_by");
    let pair = |names: &'static str, args: &[&str]| {
        let args = [&["scan", "--threshold", "0.5", "-q"], args].concat();
        corpus.dedup(&args).pairs(&[names]).stderr("").exit_code(0);
    };
    pair("in/ann in/ben", &["in/ann", "in/ben", "in/cy", "--unit", "path"]);
    pair("in/ann in/ben", &["in/ann", "--old", "in/ben", "in/cy", "--unit", "path"]);
    pair("ann ben", &["in", "--unit", "^in/([a-z]+)/"]);
    let line = |who: &str, text: &str| format!("{}\n", serde_json::json!({ "who": who, "text": text }));
    let fields =
        [line("ann", FOX), line("ben", LOREM), line("ann", LOREM), line("ben", FOX), line("cy", "another text")];
    let corpus = corpus.file("posts.jsonl", fields.concat());
    let run = corpus.dedup(&["scan", "posts.jsonl", "--unit", "field:who", "-q"]);
    run.pairs(&["ann ben"]).stderr("").exit_code(0);
    let files = [("x/a.txt", FOX.as_bytes()), ("y.txt", LOREM.as_bytes())];
    let corpus = corpus.file("zip/ann.zip", zip(&files, CompressionMethod::Deflated));
    let files = [("z.txt", LOREM.as_bytes()), ("x/b.txt", FOX.as_bytes())];
    let corpus = corpus.file("zip/ben.zip", zip(&files, CompressionMethod::Stored));
    for unit in ["archive", "dir:1"] {
        corpus
            .dedup(&["scan", "zip", "--unit", unit, "-q"])
            .pairs(&["zip/ann.zip zip/ben.zip"])
            .stderr("")
            .exit_code(0);
    }
    let moodle = [
        ("Ann Lee_12_assignsubmission_file_/a.txt", FOX.as_bytes()),
        ("Ann Lee_12_assignsubmission_file_/b.txt", LOREM.as_bytes()),
        ("Ben Xu_13_assignsubmission_file_/src/c.txt", LOREM.as_bytes()),
        ("Ben Xu_13_assignsubmission_file_/d.txt", FOX.as_bytes()),
    ];
    let corpus = corpus.file("moodle.zip", zip(&moodle, CompressionMethod::Deflated));
    corpus
        .dedup(&["scan", "moodle.zip", "--unit", "moodle", "-q"])
        .stdout_with(|stdout| {
            let found = records(stdout);
            assert_eq!(found.len(), 1);
            assert_eq!((name(&found[0].a), name(&found[0].b)), ("Ann Lee_12", "Ben Xu_13"));
        })
        .stderr("")
        .exit_code(0);
    let corpus = corpus
        .file("canvas/leeann_1_2_a.txt", FOX)
        .file("canvas/leeann_LATE_1_3_b.txt", LOREM)
        .file("canvas/xuben_LATE_4_5_b.txt", LOREM)
        .file("canvas/xuben_LATE_4_6_a.txt", FOX);
    corpus.dedup(&["scan", "canvas", "--unit", "canvas", "-q"]).pairs(&["leeann_1 xuben_4"]).stderr("").exit_code(0);
}

#[test]
fn each_file_is_read_in_its_own_language_and_without_the_template() {
    let python = "def area(w, h):\n    # the area\n    return w * h + offset(w, h, 2) - border(h) * 4\n";
    let c = "int area(int w, int h) {\n    /* the area */\n    return w * h + offset(w, h, 2) - border(h) * 4;\n}\n";
    let corpus = Workspace::new("units_code")
        .file("in/ann/a.py", python)
        .file("in/ann/b.c", c)
        .file("in/ben/one.c", c.replace("area", "size").replace("w", "width"))
        .file("in/ben/two.py", python.replace("area", "extent"))
        .file("given/start.c", c);
    let args = ["scan", "in", "--unit", "dir:1", "--preset", "code", "-q"];
    corpus
        .dedup(&args)
        .stdout_with(|stdout| {
            let pair = &records(stdout)[0];
            assert_eq!((name(&pair.a), name(&pair.b), pair.jaccard), ("in/ann", "in/ben", 1.0));
        })
        .stderr_with(|_| ())
        .exit_code(0);
    // Shingles of the template leave every file.
    let args = ["scan", "in", "--unit", "dir:1", "--preset", "code", "--template", "given", "--threshold", "0.1", "-q"];
    corpus
        .dedup(&args)
        .stdout_with(|stdout| {
            let pair = &records(stdout)[0];
            assert!(pair.jaccard == 1.0 && pair.jaccard_raw == Some(1.0), "{stdout}");
        })
        .stderr_with(|_| ())
        .exit_code(0);
}

#[test]
fn views_name_the_file_and_its_lines() {
    let corpus = course("units_views");
    let args = ["in", "--unit", "dir:1", "--threshold", "0.5", "--show-passages", "-q"];
    let place = "in/ann/a.txt line 1 and in/ben/two.txt line 3: ";
    corpus.dedup(&args).stdout_with(|stdout| assert!(stdout.contains(place), "{stdout}")).stderr("").exit_code(0);
    for (format, place) in [
        ("github", "file=in/ann/"),
        ("sarif", "\"in/ben/two.txt\""),
        ("gitlab", "\"in/ben/two.txt\""),
        ("markdown", "`in/ben/two.txt` 3"),
    ] {
        let args = [&["scan"], &args[..], &["--format", format]].concat();
        corpus
            .dedup(&args)
            .stdout_with(|stdout| assert!(stdout.contains(place), "{format}: {stdout}"))
            .stderr("")
            .exit_code(0);
    }
    for args in [
        ["explain", "in/ann", "in/ben", "--unit", "path", "--threshold", "0.5"],
        ["explain", "in/ann", "in/ben", "--unit", "dir:1", "--in", "in"],
    ] {
        corpus
            .dedup(&args)
            .stdout_with(|stdout| {
                assert!(stdout.contains("= in/ann/a.txt") && stdout.contains("= in/ben/two.txt"), "{stdout}");
                // The line of the fox counts in its file.
                assert!(stdout.lines().any(|line| line.contains("│ 3 ") || line.contains("│  3 ")), "{stdout}");
            })
            .stderr_with(|_| ())
            .exit_code(0);
    }
}

#[test]
fn a_passage_of_two_files_says_where_it_ends() {
    let corpus = Workspace::new("unit_seam")
        .file("in/ann/1.txt", format!("Something by Ann\n{FOX}\n"))
        .file("in/ann/2.txt", LOREM)
        .file("in/ben/1.txt", format!("What Ben says\n\n{FOX}\n"))
        .file("in/ben/2.txt", LOREM);
    let places = "in/ann/1.txt line 2 to in/ann/2.txt line 1 and in/ben/1.txt line 3 to in/ben/2.txt line 1: ";
    corpus
        .dedup(&["in", "--unit", "dir:1", "--show-passages", "-t", "0.3", "-q"])
        .stdout_with(|stdout| assert!(stdout.contains(places), "{stdout}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_unit_that_makes_no_sense_is_refused() {
    let corpus = course("units_refused").file("s.sets", "a b\nc d\n");
    for (args, message) in [
        (&["scan", "in", "--unit", "dir:0"][..], "--unit"),
        (&["scan", "s.sets", "--shingle", "set", "--unit", "dir:1"], "dedup: --unit: joins texts"),
    ] {
        corpus
            .dedup(args)
            .stdout("")
            .stderr_with(|stderr| assert!(stderr.contains(message) && stderr.lines().count() == 1, "{stderr}"))
            .exit_code(2);
    }
}

#[test]
fn a_unit_that_joins_no_files_is_noted() {
    let corpus = course("units_alone");
    let note = "dedup: --unit: every document has a single file, so no files were joined; choose another key, or remove the flag";
    for unit in ["dir:2", "(.*)", "canvas"] {
        corpus.dedup(&["scan", "in/ann", "in/cy", "--unit", unit]).stdout("").stderr_with_line(note).exit_code(0);
        corpus.dedup(&["scan", "in/ann", "in/cy", "--unit", unit, "-q"]).stdout("").stderr("").exit_code(0);
    }
    let is_silent = |stderr: &str| assert!(!stderr.contains("--unit"), "{stderr}");
    for (paths, unit) in [(&["in"][..], "dir:1"), (&["in/ann"], "path"), (&["in/cy"], "dir:2")] {
        corpus
            .dedup(&[&["scan"], paths, &["--unit", unit]].concat())
            .stdout_with(|_| ())
            .stderr_with(is_silent)
            .exit_code(0);
    }
}

#[test]
fn what_only_files_have_is_refused_with_units() {
    let corpus = Workspace::new("units_refused").file("in/x/a", FOX).file("in/y/b", CAT);
    for (args, flag) in [
        (&["scan", "in", "--unit", "dir:1", "--group-by", "dir:1"][..], "--group-by"),
        (&["scan", "in", "--unit", "dir:1", "--group-by", "field:author"], "--group-by"),
        (&["cluster", "in", "--unit", "dir:1", "--by", "dir"], "--by"),
        (&["scan", "in", "--unit", "dir:1", "--changed-since", "HEAD"], "--changed-since"),
    ] {
        let look = |text: &str| {
            assert!(text.starts_with(&format!("dedup: {flag}: with --unit, documents are joined")), "{text}")
        };
        corpus.dedup(args).stdout("").stderr_with(look).exit_code(2);
    }
    // Groups by names work.
    corpus
        .dedup(&["scan", "in", "--unit", "dir:1", "--group-by", "in/(.)", "-q", "-t", "0.5"])
        .stdout_with(|pairs| assert_eq!(pairs.lines().count(), 1))
        .stderr("")
        .exit_code(0);
    // Flags of records have an effect in a unit, too.
    let table = Workspace::new("units_table").file("t.csv", format!("1,{FOX},ann\n2,{CAT},ben\n"));
    let args = ["scan", "t.csv", "--no-header", "--text-field", "2", "--unit", "field:3", "-t", "0.5", "-q"];
    table.dedup(&args).stdout_with(|pairs| assert_eq!(pairs.lines().count(), 1)).stderr("").exit_code(0);
}

#[test]
fn records_that_are_joined_have_the_notes_of_other_records() {
    let lines = "{\"text\":\"one text of ann\",\"who\":\"ann\"}\n{\"text\":\"one text of ben\",\"who\":\"ben\"}\n";
    let corpus = Workspace::new("unit_notes")
        .file("in/good.jsonl", lines)
        .file("in/pretty.jsonl", "{\n \"text\": \"x\",\n \"who\": \"ann\"\n}\n{\n \"text\": \"y\"\n}\n");
    for args in [&["scan", "in/good.jsonl", "--text-field", "body"][..], &["scan", "in", "--input-format", "jsonl"]] {
        let mut seen = Vec::new();
        for unit in [&[][..], &["--unit", "field:who"]] {
            let keep = |stderr: &str| {
                // The last line counts documents, which are others here.
                let notes = stderr.lines().filter(|line| line.starts_with("dedup: in/"));
                seen.push(notes.map(str::to_owned).collect::<Vec<_>>());
            };
            let run = corpus.dedup(&[args, unit].concat()).stdout_with(|_| ()).stderr_with(keep);
            run.exit_code(if args.contains(&"in") { 3 } else { 2 });
        }
        assert!(!seen[0].is_empty() && seen[0] == seen[1], "{seen:#?}");
    }
}

#[test]
fn a_page_and_a_review_of_a_saved_result_read_all_files_again() {
    let corpus = course("units_saved").stdin("y\n");
    let scan = ["scan", "in", "--unit", "dir:1", "--threshold", "0.5", "-q", "--save", "r", "-f", "html=run.html"];
    corpus.dedup(&scan).stdout_with(|_| ()).stderr("").exit_code(0);
    corpus.dedup(&["report", "r", "-q", "-f", "html=saved.html"]).stdout("").stderr("").exit_code(0);
    let run = corpus.read("run.html");
    assert!(run.contains(r#""text":[0,0]"#) && run.contains(r#""passages":[0]"#));
    assert_eq!(run, corpus.read("saved.html"));
    let asked = |shown: &str| assert!(shown.contains("in/ann/b.txt") && shown.contains("Lorem ipsum"), "{shown}");
    corpus.dedup(&["review", "r", "-t", "0.5"]).stdout_with(|_| ()).stderr_with(asked).exit_code(0);
    let no_file =
        "dedup: r: its documents are joined from files (--unit), and none of them is a file; scan without --unit\n";
    corpus.dedup(&["plan", "--from", "r"]).stdout("").stderr(no_file).exit_code(2);
    corpus.dedup(&["unique", "in", "--from", "r", "-o", "out"]).stdout("").stderr(no_file).exit_code(2);
    // From another folder the files are found too, and a file that changed is noticed.
    let elsewhere = corpus.folder("elsewhere");
    let look = |shown: &str| assert_eq!(shown, "");
    elsewhere
        .shell("cd elsewhere && \"$D\" report ../r -q -f html=page.html")
        .stdout("")
        .stderr_with(look)
        .exit_code(0);
    assert!(elsewhere.read("elsewhere/page.html").contains(r#""text":[0,0]"#));
    let changed = elsewhere.file("in/ann/a.txt", "another text");
    let lost = |line: &str| assert!(line.contains("in/ann: it is not what it was when it was compared"), "{line}");
    changed.dedup(&["report", "r", "-q", "-f", "html=saved.html"]).stdout("").stderr_with(lost).exit_code(3);
}
