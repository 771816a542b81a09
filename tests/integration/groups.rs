//! `--group-by` and `--within-groups`: pairs of different groups only, or of one.

use std::fs;

use ::zip::CompressionMethod;

use crate::packing::{gzip, tar, zip};
use crate::scope_twin::{ALL_PAIRS, Doc, FIND_ALL, assert_found, brute_force, random_texts};
use crate::support::*;

fn homework(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("in/ann/draft/1.txt", FOX)
        .file("in/ann/final/1.txt", CAT)
        .file("in/bob/1.txt", FOX)
        .file("in/top.txt", CAT)
}

#[test]
fn a_group_is_the_folder_below_the_argument() {
    let corpus = homework("group_dir");
    let all = [
        "in/ann/draft/1.txt in/ann/final/1.txt",
        "in/ann/draft/1.txt in/bob/1.txt",
        "in/ann/draft/1.txt in/top.txt",
        "in/ann/final/1.txt in/bob/1.txt",
        "in/ann/final/1.txt in/top.txt",
        "in/bob/1.txt in/top.txt",
    ];
    let scan = |args: &[&str], pairs: &[&str]| {
        corpus.dedup(&[&["scan", "-q"], args].concat()).pairs(pairs).stderr("").exit_code(0);
    };
    scan(&["in", "--group-by", "dir"], &all);
    scan(&["in", "--group-by", "dir:2"], &all);
    scan(&["in", "--group-by", "dir:1"], &all[1..]);
    scan(&["in", "--group-by", "dir:1", "--within-groups"], &all[..1]);
    // All is below the one folder `in`, when that is not the argument.
    scan(&[".", "--group-by", "dir:1"], &[]);
    scan(&[".", "--group-by", "dir:1", "--within-groups"], &all);
    // The folders of two arguments are one group when they have one name; files that are arguments have all their folders.
    let two = Workspace::new("group_arguments").file("w1/ann/x", FOX).file("w2/ann/x", FOX).file("w2/bob/x", FOX);
    let ann_bob = ["w1/ann/x w2/bob/x", "w2/ann/x w2/bob/x"];
    two.dedup(&["scan", "-q", "w1", "w2", "--group-by", "dir"]).pairs(&ann_bob).stderr("").exit_code(0);
    two.dedup(&["scan", "-q", "w1/ann/x", "w2", "--group-by", "dir"])
        .pairs(&["w1/ann/x w2/ann/x", "w1/ann/x w2/bob/x", "w2/ann/x w2/bob/x"])
        .stderr("")
        .exit_code(0);
    two.dedup(&["scan", "-q", "w2", "w1/ann/x", "--group-by", "dir:1"])
        .pairs(&["w2/ann/x w2/bob/x", "w2/ann/x w1/ann/x", "w2/bob/x w1/ann/x"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn records_are_in_the_folder_of_their_file() {
    let line = |id: &str| format!("{}\n", serde_json::json!({ "id": id, "text": FOX }));
    let corpus = Workspace::new("group_records")
        .file("in/a/r.jsonl", line("1") + &line("2"))
        .file("in/b/r.jsonl", line("3"))
        .file("in/b/t", FOX);
    corpus
        .dedup(&["scan", "-q", "in", "--group-by", "dir"])
        .pairs(&["1 3", "1 in/b/t", "2 3", "2 in/b/t"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn an_archive_is_a_folder_of_its_members() {
    let members: [(&str, &[u8]); 2] = [("ann/draft/1", FOX.as_bytes()), ("bob/1", FOX.as_bytes())];
    let both = tar(&[members[0], ("bob/inner.zip", &zip(&members, CompressionMethod::Stored))]);
    let corpus = Workspace::new("group_archives")
        .file("in/ann.zip", zip(&members[..1], CompressionMethod::Deflated))
        .file("in/wow!/ann.zip", zip(&members[1..], CompressionMethod::Deflated))
        .file("in/wow!/1", FOX)
        .file("all.tar", &both)
        .stdin(&both);
    let scan = |args: &[&str], pairs: &[&str]| {
        for threads in ["1", "4"] {
            let args = [&["scan", "-q", "--threads", threads], args].concat();
            corpus.dedup(&args).pairs(pairs).stderr("").exit_code(0);
        }
    };
    let (ann, bob, file) = ("in/ann.zip!ann/draft/1", "in/wow!/ann.zip!bob/1", "in/wow!/1");
    let pairs = [(ann, file), (ann, bob), (file, bob)].map(|(a, b)| format!("{a} {b}"));
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    scan(&["in", "--group-by", "dir:1"], &pairs[..2]);
    scan(&["in", "--group-by", "dir"], &pairs);
    // An archive that is the argument is where folders begin.
    let (ann, inner_ann, inner_bob) = ("!ann/draft/1", "!bob/inner.zip!ann/draft/1", "!bob/inner.zip!bob/1");
    let of = |archive: &str, pairs: &[(&str, &str)]| -> Vec<String> {
        pairs.iter().map(|(a, b)| format!("{archive}{a} {archive}{b}")).collect()
    };
    for (flags, archive) in [(&["all.tar"][..], "all.tar"), (&["-", "--input-format", "tar"], "-")] {
        let scan = |key, pairs: &[(&str, &str)]| {
            let pairs = of(archive, pairs);
            let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
            scan(&[flags, &["--group-by", key]].concat(), &pairs);
        };
        scan("dir:1", &[(ann, inner_ann), (ann, inner_bob)]);
        scan("dir:3", &[(ann, inner_ann), (ann, inner_bob), (inner_ann, inner_bob)]);
    }
    // Beside a plain file that is an argument too.
    scan(
        &["in/wow!/1", "all.tar", "--group-by", "dir:2"],
        &[
            "in/wow!/1 all.tar!ann/draft/1",
            "in/wow!/1 all.tar!bob/inner.zip!ann/draft/1",
            "in/wow!/1 all.tar!bob/inner.zip!bob/1",
            "all.tar!ann/draft/1 all.tar!bob/inner.zip!ann/draft/1",
            "all.tar!ann/draft/1 all.tar!bob/inner.zip!bob/1",
        ],
    );
}

#[test]
fn a_group_is_an_archive_and_one_group_is_noted() {
    let member: [(&str, &[u8]); 2] = [("x/1", FOX.as_bytes()), ("x/2", CAT.as_bytes())];
    let lines = format!("{}\n", serde_json::json!({ "id": "r", "text": FOX }));
    let corpus = Workspace::new("group_by_archive")
        .file("in/ann.zip", zip(&member, CompressionMethod::Deflated))
        .file("in/bob.tar", tar(&[member[1], ("r.jsonl", lines.as_bytes())]))
        .file("in/top", FOX)
        .file("in/top.gz", gzip(CAT));
    let all = [
        ("in/ann.zip!x/1", "in/ann.zip!x/2"),
        ("in/ann.zip!x/1", "in/bob.tar!x/2"),
        ("in/ann.zip!x/1", "r"),
        ("in/ann.zip!x/1", "in/top"),
        ("in/ann.zip!x/1", "in/top.gz"),
        ("in/ann.zip!x/2", "in/bob.tar!x/2"),
        ("in/ann.zip!x/2", "r"),
        ("in/ann.zip!x/2", "in/top"),
        ("in/ann.zip!x/2", "in/top.gz"),
        ("in/bob.tar!x/2", "r"),
        ("in/bob.tar!x/2", "in/top"),
        ("in/bob.tar!x/2", "in/top.gz"),
        ("r", "in/top"),
        ("r", "in/top.gz"),
        ("in/top", "in/top.gz"),
    ];
    let is_within = |&(a, b): &(&str, &str)| {
        let archive = |name: &str| match name {
            "r" => Some("in/bob.tar".to_owned()),
            name => name.split_once('!').map(|(archive, _)| archive.to_owned()),
        };
        archive(a).is_some() && archive(a) == archive(b)
    };
    for key in ["archive", "archive:"] {
        for (flags, within) in [(&["--group-by", key][..], false), (&["--group-by", key, "--within-groups"], true)] {
            let pairs = all.iter().filter(|pair| is_within(pair) == within).map(|(a, b)| format!("{a} {b}"));
            let pairs: Vec<String> = pairs.collect();
            let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
            corpus.dedup(&[&["scan", "-q", "in"], flags].concat()).pairs(&pairs).stderr("").exit_code(0);
        }
    }
    let note = |args: &[&str], note: &str| {
        let line = format!("dedup: note: {note}");
        corpus.dedup(args).stdout("").stderr_with_line(&line).exit_code(0);
        corpus.dedup(&[args, &["-q"]].concat()).stdout("").stderr("").exit_code(0);
    };
    note(
        &["scan", "in/ann.zip", "--group-by", "archive"],
        "--group-by archive: all 2 documents are in one archive, so that no pair is between groups; --group-by dir:1 groups them by the folders in it",
    );
    note(
        &["scan", "in/ann.zip", "--group-by", "dir:1"],
        "--group-by dir:1: all 2 documents are in one folder, so that no pair is between groups; --group-by dir:2 has one folder more",
    );
    note(
        &["cluster", "in/ann.zip", "--by", "^in"],
        "--by ^in: all 2 documents are in one group, so that no pair is between groups; choose another key",
    );
    let is_silent = |stderr: &str| assert!(!stderr.contains("note: --group-by"), "{stderr}");
    for args in [&["in", "--group-by", "archive"][..], &["in/ann.zip", "--group-by", "archive", "--within-groups"]] {
        corpus.dedup(&[&["scan"], args].concat()).stdout_with(|_| ()).stderr_with(is_silent).exit_code(0);
    }
    let warning = "dedup: warning: --group-by archive: no document is in an archive; each document is its own group\n";
    corpus.dedup(&["scan", "-q", "in/top", "--group-by", "archive"]).stdout("").stderr(warning).exit_code(0);
    // The groups of a saved result are the same.
    corpus.dedup(&["scan", "-q", "in", "--save", "s", "-o", "o"]).stdout("").stderr("").exit_code(0);
    let by = |args: &[&str]| {
        let args = [&["cluster", "-q", "--by", "archive"], args].concat();
        String::from_utf8(corpus.command(&args).output().unwrap().stdout).unwrap()
    };
    assert_eq!(by(&["in"]), by(&["--from", "s"]));
    assert_eq!(
        by(&["in"]).lines().next().map(|line| line.contains("\"a\":\"in/ann.zip\",\"b\":\"in/bob.tar\"")),
        Some(true)
    );
}

#[test]
fn records_of_every_format_have_groups() {
    let json = |id: &str, by: &str| format!("{{\"id\":{id:?},\"text\":{FOX:?},\"meta\":{{\"by\":{by}}}}}\n");
    let corpus = Workspace::new("group_formats")
        .file("a.jsonl", json("1", "\"ann\"") + &json("2", "7"))
        .file("b.jsonl.gz", gzip(json("3", "null")))
        .file("c.csv", format!("meta.by,id,text\nann,4,{FOX}\n,5,{FOX}\n"))
        .file("d.tsv.gz", gzip(format!("id\ttext\tmeta.by\n6\t{FOX}\t7\n")))
        .file("e.tsv", format!("id\ttext\n7\t{FOX}\n"));
    let within = ["scan", "-q", ".", "--group-by", "field:meta.by", "--within-groups", "--threads"];
    for threads in ["1", "4"] {
        let args = [&within[..], &[threads]].concat();
        corpus.dedup(&args).pairs(&["1 4", "2 6"]).stderr("").exit_code(0);
    }
    let set = |id: &str, by: &str| format!("{{\"id\":{id:?},\"text\":[\"x\",\"y\"],\"meta\":{{\"by\":{by}}}}}\n");
    let corpus = Workspace::new("group_sets")
        .file("a.jsonl", set("1", "true") + &set("2", "false") + &set("3", "true"))
        .file("b.csv", "id,text,meta.by\n4,x y,true\n")
        .file("c.txt", "x y\n");
    let args = [&within[..6], &["--shingle", "set"]].concat();
    corpus.dedup(&args).pairs(&["1 3", "1 4", "3 4"]).stderr("").exit_code(0);
}

#[test]
fn a_group_is_what_an_expression_finds_in_the_name() {
    let corpus = Workspace::new("group_regex").file("ann-1", FOX).file("ann-2", FOX).file("bob-1", FOX);
    let corpus = corpus.file("x", FOX).file("y", FOX);
    let scan = |key, within: bool, pairs: &[&str]| {
        let mut args = vec!["scan", "-q", ".", "--group-by", key];
        args.extend(within.then_some("--within-groups"));
        corpus.dedup(&args).pairs(pairs).stderr("").exit_code(0);
    };
    let others =
        ["ann-1 bob-1", "ann-1 x", "ann-1 y", "ann-2 bob-1", "ann-2 x", "ann-2 y", "bob-1 x", "bob-1 y", "x y"];
    scan("^([a-z]+)-", false, &others);
    scan("^[a-z]+-", false, &others);
    scan("^([a-z]+)-", true, &["ann-1 ann-2"]);
    scan("[-][0-9]", true, &["ann-1 bob-1"]);
}

#[test]
fn copies_in_other_groups_are_reported_and_counted_group_by_group() {
    let corpus = homework("group_summary");
    corpus
        .dedup(&["scan", "in", "--group-by", "dir:1", "--summary", "s", "--stats"])
        .stdout_with(|stdout| assert_eq!(records(stdout).len(), 5))
        .stderr(
            "documents  4 (176 B)\n\
             copies     0 in 0 groups of equal texts in one group\n\
             groups     3 by dir:1; pairs of different groups only\n\
             candidates 5 pairs of texts\n\
             pairs      5 at or above 0.8\n\
             recall     99.96 % of the pairs at 0.8 are found (20 bands x 5 rows)\n\
             memory     <bytes>\n\
             time       <times>\n",
        )
        .exit_code(0);
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(corpus.path("s")).unwrap()).unwrap();
    assert_eq!(summary["groups"], serde_json::json!({ "by": "dir:1", "within": false, "count": 3, "documents": 4 }));
}

#[test]
fn keys_that_no_document_has_are_warned_of() {
    let corpus =
        Workspace::new("no_groups").file("a", FOX).file("b.jsonl", "{\"id\":\"b\",\"text\":\"other\",\"by\":null}\n");
    for (key, what) in [
        ("field:by", "no document has the field `by`"),
        ("field:nope", "no document has the field `nope`"),
        ("Dir", "the expression matches no name of a document"),
    ] {
        let warning = format!("dedup: warning: --group-by {key}: {what}; each document is its own group\n");
        corpus.dedup(&["scan", "-q", "a", "b.jsonl", "--group-by", key]).stdout("").stderr(&warning).exit_code(0);
    }
}

#[test]
fn wrong_keys_are_one_line() {
    let corpus = Workspace::new("group_usage").file("a", FOX);
    for (args, message) in [
        (
            &["--group-by", "dir:0"][..],
            "--group-by dir:0: give a number of folders of 1 or more after dir:, or for an expression (?:dir:0)",
        ),
        (&["--group-by", "field:"], "give a field, such as field:author"),
        (&["--group-by", "(a"], "not a regular expression: unclosed group"),
        (&["--within-groups"], "--group-by: missing; give it"),
    ] {
        let output = corpus.command(&[&["scan", "a"], args].concat()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(message) && stderr.lines().count() == 1, "{stderr}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
}

/// A corpus of records in groups by a field, on one side or on two.
fn assert_equals_brute_force(seed: u64, num_documents: usize, texts: Vec<String>, thread_counts: &[&str]) {
    let mut random = Random(seed + 1_000_000);
    let num_groups = 1 + random.below(5);
    // Some records have no group.
    let groups: Vec<Option<usize>> =
        (0..num_documents).map(|_| Some(random.below(num_groups)).filter(|_| random.below(8) > 0)).collect();
    let start = 1 + random.below(num_documents - 1);
    let in_one_group = |a: usize, b: usize| groups[a].is_some() && groups[a] == groups[b];
    let line = |at: usize| {
        let group = groups[at].map(|group| format!("group {group}"));
        format!("{}\n", serde_json::json!({ "id": at.to_string(), "text": texts[at], "by": group }))
    };
    let corpus = Workspace::new("groups")
        .file("a.jsonl", (0..start).map(line).collect::<String>())
        .file("b.jsonl", (start..num_documents).map(line).collect::<String>());
    let percent = [50, 60, 75, 100][seed as usize % 4];
    let threshold = (percent as f64 / 100.0).to_string();
    for sides in [false, true] {
        // The cell of a document without a group is its own.
        let cell = |at: usize| {
            let group = groups[at].unwrap_or(10 + at);
            if sides && at >= start { group + 10_000 } else { group }
        };
        let docs: Vec<Doc> = (0..num_documents)
            .map(|at| Doc { name: at.to_string(), text: texts[at].clone(), cell: cell(at) })
            .collect();
        for (within, collapse) in [(false, false), (false, true), (true, false), (true, true)] {
            let may_pair = |a: usize, b: usize| (!sides || (a < start && b >= start)) && in_one_group(a, b) == within;
            let expected = brute_force(&docs, percent, collapse, may_pair);
            for threads in thread_counts {
                let mut args = vec![if sides { "compare" } else { "scan" }, "a.jsonl"];
                args.extend(if sides { &["--against", "b.jsonl"][..] } else { &["b.jsonl"] });
                args.extend(["--threshold", &threshold, "--threads", threads, "--group-by", "field:by"]);
                args.extend(within.then_some("--within-groups"));
                args.extend(collapse.then_some("--collapse-exact"));
                for method in [&FIND_ALL[..], &ALL_PAIRS] {
                    let context = format!(
                        "seed {seed}, sides {sides}, within {within}, collapse {collapse}, {threads} threads, {method:?}"
                    );
                    let look = |stdout: &str| assert_found(stdout, &expected, &context);
                    corpus.dedup(&[&args, method].concat()).stdout_with(look).stderr("").exit_code(0);
                }
            }
        }
    }
}

#[test]
fn random_groups_with_copies_equal_brute_force() {
    for seed in 0..num_cases(8, 25) {
        let mut random = Random(seed);
        let num_documents = 2 + random.below(60);
        let texts = random_texts(&mut random, num_documents);
        assert_equals_brute_force(seed, num_documents, texts, &["2"]);
    }
}

#[test]
fn groups_with_copies_far_apart_equal_brute_force() {
    let mut random = Random(99);
    let texts = random_texts(&mut random, 1200).into_iter().enumerate();
    let spread = |(at, text): (usize, String)| {
        if random.below(10) < 8 { format!("{at}{}", "0123456789".repeat(at % 7 + 1)) } else { text }
    };
    // The output of one thread is compared only in long tests.
    let threads = if is_long() { &["1", "3"][..] } else { &["3"] };
    assert_equals_brute_force(1, 1200, texts.map(spread).collect(), threads);
}
