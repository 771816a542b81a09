//! `dedup cluster --by`: which folders, fields and hosts copy each other, also from a saved result.

use std::collections::{BTreeMap, BTreeSet};

use dedup_scan::records::OverlapRecord;

use crate::packing::{gzip, tar};
use crate::scope_twin::{ALL_PAIRS, Doc, FIND_ALL, brute_force, random_texts};
use crate::support::*;

fn overlaps(stdout: &str) -> Vec<OverlapRecord<'_>> {
    let read = |line| {
        let overlap: OverlapRecord = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(serde_json::to_string(&overlap).unwrap(), line, "keys out of order");
        overlap
    };
    stdout.lines().map(read).collect()
}

/// The names of two groups, the numbers of documents that match, and of all.
type Row = (String, String, [u64; 2], [u64; 2]);

fn rows(stdout: &str) -> Vec<Row> {
    overlaps(stdout)
        .into_iter()
        .map(|overlap| {
            let names = [&overlap.a, &overlap.b].map(|group| name(group).to_owned());
            let [a, b] = names;
            (a, b, [overlap.matched_a, overlap.matched_b], [overlap.documents_a, overlap.documents_b])
        })
        .collect()
}

fn row(a: &str, b: &str, matched: [u64; 2], documents: [u64; 2]) -> Row {
    (a.to_owned(), b.to_owned(), matched, documents)
}

fn sites(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("sites/a/1", FOX)
        .file("sites/a/2", "Another page that is only here, and says so at some length.")
        .file("sites/a/3", LOREM)
        .file("sites/b/1", format!("{LOREM} More."))
        .file("sites/b/2", " ")
        .file("sites/b/3", "A page of the second site, with other words in another order.")
        .file("sites/c/x/1", FOX)
        .file("sites/c/x/2", FOX)
        .file("sites/c/y/3", LOREM)
}

#[test]
fn folders_that_copy_each_other_are_counted_both_ways() {
    let corpus = sites("by_folders");
    let by = |flags: &[&str], expected: &[Row]| {
        let look = |stdout: &str| assert_eq!(rows(stdout), expected);
        corpus
            .dedup(&[&["cluster", "sites", "-q", "-t", "0.7"], flags].concat())
            .stdout_with(look)
            .stderr("")
            .exit_code(0);
    };
    let (ac, ab, bc) = (row("a", "c", [2, 3], [3, 3]), row("a", "b", [1, 1], [3, 2]), row("b", "c", [1, 1], [2, 3]));
    by(&["--by", "dir:1"], &[ac.clone(), ab.clone(), bc.clone()]);
    by(&["--by", "dir:1", "--sort", "order"], &[ab.clone(), ac.clone(), bc.clone()]);
    by(&["--by", "dir:1", "--sort", "share", "--top", "2"], &[ac.clone(), ab.clone()]);
    by(&["--by", "dir:1", "--min-share", "51%"], std::slice::from_ref(&ac));
    let full = [row("a", "c/x", [1, 2], [3, 2]), row("a", "b", [1, 1], [3, 2])];
    by(&["--by", "dir", "--top", "2"], &full);
    by(&["--by", "/([a-z])/"], &[ac, ab, bc]);
}

#[test]
fn a_table_is_for_people_and_another_for_spreadsheets() {
    let corpus = sites("by_tables");
    let text = "3 pairs of groups by dir:1 with 6 similar documents\n        A in B          B in A   A  B\n \
                66.6 %  2 of 3   100 %  3 of 3   a  c\n 33.3 %  1 of 3   50 %  1 of 2   a  b\n  \
                50 %  1 of 2  33.3 %  1 of 3   b  c\n";
    let look = |stdout: &str| {
        let plain = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(plain(stdout), plain(text), "{stdout}");
    };
    let run = ["cluster", "sites", "-q", "-t", "0.7", "--by", "dir:1"];
    corpus.dedup(&[&run[..], &["-f", "text"]].concat()).stdout_with(look).stderr("").exit_code(0);
    let csv = "a,b,documents_a,documents_b,matched_a,matched_b,share_a,share_b,pairs\n\
               a,c,3,3,2,3,0.6666666666666666,1,3\na,b,3,2,1,1,0.3333333333333333,0.5,1\n\
               b,c,2,3,1,1,0.5,0.3333333333333333,1\n";
    corpus.dedup(&[&run[..], &["-f", "csv=../t.csv", "-o", "../t.jsonl"]].concat()).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("../t.csv"), csv);
    assert_eq!(overlaps(&corpus.read("../t.jsonl")).len(), 3);
    for (flags, message) in [
        (
            &["-f", "sarif"][..],
            "dedup: --format sarif: does not show groups that copy each other; remove --by, or choose text, csv or tsv\n",
        ),
        (
            &["--sort", "jaccard"],
            "dedup: --sort jaccard: two groups have no similarity; choose size, share, pairs or order\n",
        ),
    ] {
        corpus.dedup(&[&run[..], flags].concat()).stdout("").stderr(message).exit_code(2);
    }
    let by_pairs = |stdout: &str| {
        let pairs: Vec<u64> = overlaps(stdout).iter().map(|overlap| overlap.pairs).collect();
        assert!(pairs.is_sorted_by(|a, b| a >= b) && pairs[0] > 1, "{pairs:?}");
    };
    corpus.dedup(&[&run[..], &["--sort", "pairs"]].concat()).stdout_with(by_pairs).stderr("").exit_code(0);
    let message = "dedup: --sort share: only applies to --by; add it, or choose another order\n";
    corpus.dedup(&["cluster", "sites", "--sort", "share"]).stdout("").stderr(message).exit_code(2);
}

#[test]
fn the_exit_code_and_the_summary_have_the_groups() {
    let corpus = sites("by_ends");
    let run = ["cluster", "sites", "-q", "-t", "0.7", "--exit-code", "--by"];
    corpus
        .dedup(&[&run[..], &["dir:1", "--summary", "../s.json"]].concat())
        .stdout_with(|stdout| assert_eq!(rows(stdout).len(), 3))
        .stderr("")
        .exit_code(1);
    let summary = corpus.read("../s.json");
    assert!(summary.contains(r#""overlaps":{"group_pairs":3,"groups":3,"documents":6}"#), "{summary}");
    corpus.dedup(&["cluster", "sites/a", "-q", "--exit-code", "--by", "dir"]).stdout("").stderr("").exit_code(0);
    let warning = "dedup: warning: --by host: no document has a URI as its name; give its field with --id-field; each \
                   document is its own group\n";
    corpus.dedup(&["cluster", "sites/a", "-q", "--by", "host"]).stdout("").stderr(warning).exit_code(0);
}

#[test]
fn hosts_are_those_of_crawls_and_of_fields() {
    let line = |url: &str, text: &str| format!("{}\n", serde_json::json!({ "url": url, "text": text, "who": "=ann" }));
    let record = |uri: &str, text: &str| {
        let len = text.len();
        format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {uri}\r\nContent-Type: text/plain\r\nContent-Length: {len}\r\n\r\n{text}\r\n\r\n"
        )
    };
    let crawl = record("https://One.example/a", LOREM) + &record("http://two.example:80/b", LOREM);
    let corpus = Workspace::new("by_hosts")
        .file("u.jsonl", line("https://one.example/1", FOX) + &line("https://two.example/1", FOX))
        .file("c.warc.wet.gz", gzip(&crawl))
        .file("m.tar", tar(&[("x/1", FOX.as_bytes()), ("y/1", FOX.as_bytes())]));
    let look = |stdout: &str| assert_eq!(rows(stdout), [row("one.example", "two.example", [2, 2], [2, 2])]);
    let both = ["cluster", "c.warc.wet.gz", "u.jsonl", "--id-field", "url", "-q", "--by", "host"];
    corpus.dedup(&both).stdout_with(look).stderr("").exit_code(0);
    let pairs = ["scan", "c.warc.wet.gz", "u.jsonl", "--id-field", "url", "-q", "--group-by", "host"];
    corpus.dedup(&pairs).stdout_with(|stdout| assert_eq!(records(stdout).len(), 2)).stderr("").exit_code(0);
    let csv = "a,b,documents_a,documents_b,matched_a,matched_b,share_a,share_b,pairs\n'=ann,m.tar/x,2,1,2,1,1,1,2\n";
    let look = |stdout: &str| assert!(stdout.starts_with(&csv.replace("m.tar/x", "m.tar!x/1")), "{stdout}");
    corpus
        .dedup(&["cluster", "u.jsonl", "m.tar", "-q", "--by", "field:who", "-f", "csv"])
        .stdout_with(look)
        .stderr("")
        .exit_code(0);
    let look = |stdout: &str| assert_eq!(rows(stdout), [row("x", "y", [1, 1], [1, 1])]);
    corpus.dedup(&["cluster", "m.tar", "-q", "--by", "dir"]).stdout_with(look).stderr("").exit_code(0);
    corpus.dedup(&["scan", "m.tar", "-q", "--save", "../m"]).stdout_with(|_| ()).stderr("").exit_code(0);
    corpus.dedup(&["cluster", "--from", "../m", "-q", "--by", "dir:1"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn a_result_that_cannot_be_compared_by_groups_is_refused() {
    let corpus = sites("by_refused");
    let save = |name: &str, flags: &[&str]| {
        let args = [&["scan", "sites", "-q", "--save", name, "-o", "../pairs.jsonl"], flags].concat();
        corpus.dedup(&args).stdout("").stderr("").exit_code(0);
    };
    save("../all", &[]);
    save("../some", &["--group-by", "dir:1"]);
    corpus
        .shell("ls -d sites/* > ../list; $D scan --files-from ../list -q --save ../listed")
        .stdout_with(|_| ())
        .stderr("")
        .exit_code(0);
    for (args, message) in [
        (
            &["../all", "--by", "field:who"][..],
            "it has no fields of records, such as `who`; give the inputs instead of --from",
        ),
        (
            &["../some", "--by", "dir"],
            "--group-by, --old or --collapse-exact hid pairs when it was saved; scan again without them",
        ),
        (
            &["../listed", "--by", "dir"],
            "--by dir: the inputs of the saved run came from a list of files, so the folders are not known; give the inputs instead of --from",
        ),
        (
            &["../pairs.jsonl", "--by", "dir"],
            "it has no list of documents, so their number is unknown; use a folder that --save wrote",
        ),
    ] {
        let look = |stderr: &str| assert!(stderr.contains(message) && stderr.lines().count() == 1, "{stderr}");
        corpus.dedup(&[&["cluster", "--from"], args].concat()).stdout("").stderr_with(look).exit_code(2);
    }
}

/// The groups that have pairs in common, from all pairs of documents one by one.
fn twin(docs: &[Doc], groups: &[String], percent: usize) -> Vec<Row> {
    let pairs = brute_force(docs, percent, false, |a, b| groups[a] != groups[b]);
    let mut order: Vec<&String> = Vec::new();
    groups.iter().for_each(|group| {
        if !order.contains(&group) {
            order.push(group)
        }
    });
    let at = |group: &String| order.iter().position(|other| *other == group).unwrap();
    let number = |name: &String| docs.iter().position(|doc| doc.name == *name).unwrap();
    let size = |group: &String| {
        docs.iter().zip(groups).filter(|(doc, of)| *of == group && !doc.text.trim().is_empty()).count() as u64
    };
    let mut matched: BTreeMap<(usize, usize), [BTreeSet<usize>; 2]> = BTreeMap::new();
    for (a, b, ..) in &pairs {
        let mut sides = [a, b].map(number).map(|document| (at(&groups[document]), document));
        sides.sort_unstable();
        let of_pair = matched.entry((sides[0].0, sides[1].0)).or_default();
        (0..2).for_each(|side| _ = of_pair[side].insert(sides[side].1));
    }
    let row = |((a, b), matched): ((usize, usize), [BTreeSet<usize>; 2])| {
        let sizes = [a, b].map(|group| size(order[group]));
        (order[a].clone(), order[b].clone(), matched.map(|documents| documents.len() as u64), sizes)
    };
    matched.into_iter().map(row).collect()
}

#[test]
fn random_groups_with_copies_equal_a_slow_twin_in_a_run_and_in_a_saved_result() {
    for seed in 0..num_cases(8, 24) {
        let mut random = Random(seed);
        let num_documents = 2 + random.below(50);
        let texts = random_texts(&mut random, num_documents);
        let num_groups = 1 + random.below(6);
        let mut docs: Vec<(String, Doc)> = texts
            .into_iter()
            .enumerate()
            .map(|(at, text)| {
                let group = format!("g{}", random.below(num_groups));
                (group.clone(), Doc { name: format!("in/{group}/{at:03}"), text, cell: 0 })
            })
            .collect();
        docs.sort_by(|a, b| a.1.name.cmp(&b.1.name));
        let (groups, docs): (Vec<String>, Vec<Doc>) = docs.into_iter().unzip();
        let mut corpus = Workspace::new("by_twin");
        for doc in &docs {
            corpus = corpus.file(&doc.name, &doc.text);
        }
        let percent = [50, 60, 75, 100][seed as usize % 4];
        let threshold = (percent as f64 / 100.0).to_string();
        let expected = twin(&docs, &groups, percent);
        let by = ["--by", "dir:1", "--sort", "order"];
        for method in [&FIND_ALL[..], &ALL_PAIRS] {
            for threads in ["1", "3"] {
                let args = [&["cluster", "in", "-t", &threshold, "--threads", threads], &by[..], method].concat();
                let look = |stdout: &str| assert_eq!(rows(stdout), expected, "seed {seed}, {method:?}, {threads}");
                corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
            }
        }
        for collapse in [&[][..], &["--collapse-exact"]] {
            let saved = format!("../saved{}", collapse.len());
            let args = [&["scan", "in", "-t", &threshold, "--save", &saved], &FIND_ALL[..], collapse].concat();
            corpus.dedup(&args).stdout_with(|_| ()).stderr("").exit_code(0);
            let args = [&["cluster", "--from", &saved, "-q"], &by[..]].concat();
            let look = |stdout: &str| assert_eq!(rows(stdout), expected, "seed {seed}, saved, {collapse:?}");
            corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
        }
        // Each document of one side is compared with the documents of the other.
        let (own, others): (Vec<&str>, Vec<&str>) = (vec!["in/g0"], vec!["in/g1", "in/g2"]);
        if [&own[..], &others].concat().iter().all(|folder| corpus.path(folder).exists()) {
            let args = [
                &["compare", "-t", &threshold, "--save", "../sides", "-o", "../p"],
                &FIND_ALL[..],
                &own,
                &["--against"],
                &others,
            ]
            .concat();
            corpus.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(0);
            let is_across = |row: &&Row| row.0 == "g0" && ["g1", "g2"].contains(&row.1.as_str());
            let expected: Vec<Row> = expected.iter().filter(is_across).cloned().collect();
            let look = |stdout: &str| assert_eq!(rows(stdout), expected, "seed {seed}, sides");
            let args = ["cluster", "--from", "../sides", "-q", "--by", "in/(g.)", "--sort", "order"];
            corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
        }
    }
}
