//! `dedup cluster`: groups by each linkage, labels, single documents, loose chains, and the same from a saved result.

use dedup_scan::records::{ClusterRecord, LabelRecord, PairSide};

use crate::support::*;

/// Words that differ from the start on: of two of these, the share of equal words is known.
fn text(from: usize, to: usize) -> String {
    (from..to).map(|word| format!("word{:05}", word * 7919 % 10_007)).collect::<Vec<_>>().join(" ")
}

/// A chain: each text shares most with the next, and the first and the last share hardly anything; an exact copy, one alone
/// and one without text.
fn chain(name: &'static str) -> Workspace {
    let mut corpus = Workspace::new(name);
    for link in 0..6 {
        corpus = corpus.file(format!("chain{link}"), text(link * 18, link * 18 + 100));
    }
    corpus.file("alone", LOREM).file("copy3", text(54, 154)).file("empty", " ")
}

/// What another line of the test looks at.
fn any(_: &str) {}

fn members(stdout: &str) -> Vec<String> {
    let read = |line| {
        let group: ClusterRecord = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(serde_json::to_string(&group).unwrap(), line, "keys out of order");
        assert_eq!(group.size as usize, group.members.len());
        assert_eq!(group.joined_by.len() + 1, group.members.len());
        assert!(group.jaccard_min <= group.jaccard_mean);
        group.members.iter().map(|member| name(member).to_owned()).collect::<Vec<_>>().join(" ")
    };
    stdout.lines().map(read).collect()
}

fn groups(run: Run, expected: &[&str]) -> StdoutSeen {
    run.stdout_with(|stdout| assert_eq!(members(stdout), expected))
}

const ARGS: [&str; 7] = ["cluster", ".", "-q", "--shingle", "word", "--threshold", "0.6"];

#[test]
fn the_summary_says_that_groups_need_fewer_pairs_than_scan_prints() {
    let corpus = Workspace::new("fewer_pairs").file("a", FOX).file("b", FOX).file("c", format!("{FOX}."));
    let run = |command: &str, line: &str| {
        let flags = ["--threshold", "0.5", "--stats", "."];
        corpus.dedup(&[&[command], &flags[..]].concat()).stdout_with(any).stderr_with_line(line).exit_code(0);
    };
    run("scan", "pairs      3 at or above 0.5");
    run("cluster", "pairs      2 at or above 0.5, as many as the groups need (scan counts all)");
}

#[test]
fn each_linkage_makes_its_groups() {
    let corpus = chain("linkages");
    let with = |linkage| corpus.dedup(&[&ARGS[..], &["--linkage", linkage]].concat());
    let all = "chain0 chain1 chain2 chain3 chain4 chain5 copy3";
    groups(with("components"), &[all]).stderr("").exit_code(0);
    let stars = ["chain0 chain1", "chain2 chain3 copy3", "chain4 chain5"];
    groups(with("star"), &stars).stderr("").exit_code(0);
    groups(with("complete"), &["chain0 chain1", "chain2 chain3 copy3", "chain4 chain5"]).stderr("").exit_code(0);
}

#[test]
fn a_loose_chain_says_so_and_a_group_of_pairs_does_not() {
    let corpus = chain("loose");
    corpus
        .dedup(&ARGS)
        .stdout_with(|stdout| {
            let group: ClusterRecord = serde_json::from_str(stdout).unwrap();
            // 100 words of each make 96 shingles; 5 links of 18 words leave 10 words, or 6 shingles, in both.
            assert_eq!((group.loose, group.jaccard_least), (Some(true), Some(6.0 / 186.0)));
            assert!(stdout.contains("\"over\":\"joined_by\""));
            assert!(group.jaccard_min > Some(0.6));
            let joined =
                |at: usize| (name(&group.joined_by[at].name).to_owned(), name(&group.joined_by[at].by).to_owned());
            assert_eq!(joined(0), ("chain1".into(), "chain0".into()));
            assert_eq!(joined(3), ("copy3".into(), "chain3".into()));
        })
        .stderr("")
        .exit_code(0);
    let unchecked = |stdout: &str| assert!(!stdout.contains("loose") && stdout.contains("chain5"), "{stdout}");
    corpus.dedup(&[&ARGS[..], &["--check-groups", "6"]].concat()).stdout_with(unchecked).stderr("").exit_code(0);
    let tight = |stdout: &str| assert_eq!(stdout.matches("\"loose\":false").count(), 3, "{stdout}");
    corpus.dedup(&[&ARGS[..], &["--linkage", "star"]].concat()).stdout_with(tight).stderr("").exit_code(0);
}

#[test]
fn labels_are_of_every_document_and_single_ones_are_printed_on_request() {
    let corpus = chain("labels");
    let labels = |stdout: &str| {
        let labels = stdout.lines().map(|line| serde_json::from_str::<LabelRecord>(line).unwrap());
        let labels: Vec<_> = labels.map(|label| (name(&label.name).to_owned(), label.group)).collect();
        let of = |name: &str| labels.iter().find(|(other, _)| other == name).unwrap().1;
        assert_eq!(
            (labels.len(), of("alone"), of("chain4"), of("copy3"), of("empty")),
            (9, Some(2), Some(1), Some(1), None)
        );
    };
    corpus.dedup(&[&ARGS[..], &["--labels"]].concat()).stdout_with(labels).stderr("").exit_code(0);
    let all = "chain0 chain1 chain2 chain3 chain4 chain5 copy3";
    groups(corpus.dedup(&[&ARGS[..], &["--singletons"]].concat()), &[all, "alone"]).stderr("").exit_code(0);
}

#[test]
fn groups_set_the_exit_code_and_are_in_the_summary() {
    let corpus = chain("cluster_ends");
    let args = [&ARGS[..], &["--exit-code", "--summary", "s.json", "--output", "groups"]].concat();
    corpus.dedup(&args).stdout("").stderr("").exit_code(1);
    let clusters = r#""clusters":{"groups":1,"documents":7,"largest":7,"loose":1,"unchecked":0}"#;
    assert!(corpus.read("s.json").contains(clusters), "{}", corpus.read("s.json"));
    assert_eq!(members(&corpus.read("groups")).len(), 1);
    corpus.dedup(&["cluster", "alone", "chain0", "-q", "--exit-code"]).stdout("").stderr("").exit_code(0);
    corpus.dedup(&["cluster", "alone", "chain0", "none", "-q", "--exit-code"]).stdout("").stderr_with(any).exit_code(3);
}

#[test]
fn copies_that_may_not_be_pairs_are_joined_by_edges_alone() {
    let corpus = Workspace::new("cluster_sides").file("ann/1", FOX).file("ann/2", FOX).file("bob/1", LOREM);
    let args = ["cluster", ".", "-q", "--group-by", "dir"];
    corpus.dedup(&args).stdout("").stderr("").exit_code(0);
    let corpus = corpus.file("bob/2", FOX);
    groups(corpus.dedup(&args), &["ann/1 ann/2 bob/2"]).stderr("").exit_code(0);
    let complete = [&args[..], &["--linkage", "complete"]].concat();
    groups(corpus.dedup(&complete), &["ann/1 bob/2"]).stderr("").exit_code(0);
}

#[test]
fn a_result_has_the_groups_of_the_run() {
    let corpus = chain("cluster_from");
    let scan = ["scan", ".", "-q", "--shingle", "word", "--threshold", "0.6"];
    corpus.dedup(&[&scan[..], &["--save", "../r", "-o", "../pairs"]].concat()).stdout("").stderr("").exit_code(0);
    corpus
        .dedup(&[&scan[..], &["--save", "../rc", "--collapse-exact", "-o", "/dev/null"]].concat())
        .stdout("")
        .stderr("")
        .exit_code(0);
    let least = regex::Regex::new(r#","jaccard_least":[0-9.]+,"loose":(true|false)"#).unwrap();
    for linkage in ["components", "star", "complete"] {
        let flags = ["-q", "--linkage", linkage];
        let run = |args: &[&str]| {
            let mut lines = String::new();
            corpus
                .dedup(&[args, &flags].concat())
                .stdout_with(|stdout| lines = stdout.to_owned())
                .stderr("")
                .exit_code(0);
            lines
        };
        // What is not known of a result is how similar members are that are no pairs.
        let known = |lines: &str| least.replace_all(lines, "").into_owned();
        let fresh =
            known(&run(&[&ARGS[..1], &[".", "--shingle", "word", "--threshold", "0.6", "--singletons"]].concat()));
        for result in ["../r", "../rc"] {
            assert_eq!(known(&run(&["cluster", "--from", result, "--singletons"])), fresh, "{linkage} {result}");
        }
        let of_pairs = fresh.lines().filter(|line| !line.contains("alone")).collect::<Vec<_>>().join("\n") + "\n";
        let sorted = |lines: &str| {
            let mut all: Vec<Vec<String>> =
                members(lines).iter().map(|group| group.split(' ').map(str::to_owned).collect()).collect();
            all.iter_mut().for_each(|members| members.sort());
            all
        };
        assert_eq!(sorted(&run(&["cluster", "--from", "../pairs"])), sorted(&of_pairs), "{linkage}");
        let tighter =
            known(&run(&["cluster", ".", "--shingle", "word", "--threshold", "0.9", "--bands", "50", "--rows", "3"]));
        assert_eq!(known(&run(&["cluster", "--from", "../r", "--threshold", "0.9"])), tighter, "{linkage}");
    }
    corpus
        .shell("$D scan . -q --shingle word --threshold 0.6 | $D cluster -q --from - --labels | wc -l")
        .stdout("7\n")
        .stderr("")
        .exit_code(0);
}

#[test]
fn the_first_groups_of_an_order_are_printed_under_their_numbers() {
    let words = |from: usize| text(from * 1000, from * 1000 + 100);
    let other = |from: usize, number| words(from).replacen("word", "other", number);
    let corpus = Workspace::new("cluster_sort")
        .file("a1", words(1))
        .file("a2", other(1, 3))
        .file("b1", words(2))
        .file("b2", words(2))
        .file("c1", words(3))
        .file("c2", other(3, 5))
        .file("c3", words(3))
        .file("d", words(4));
    let numbers = |args: &[&str], expected: &[u64]| {
        let look = |stdout: &str| {
            let number = |line| serde_json::from_str::<ClusterRecord>(line).unwrap().group;
            assert_eq!(stdout.lines().map(number).collect::<Vec<_>>(), expected, "{args:?}");
        };
        corpus.dedup(&[&["cluster", "-q"], args].concat()).stdout_with(look).stderr("").exit_code(0);
    };
    corpus.dedup(&["scan", ".", "-q", "--save", "../r"]).stdout_with(any).stderr("").exit_code(0);
    for input in [&["."][..], &["--from", "../r"]] {
        let with = |flags: &[&str], expected: &[u64]| numbers(&[input, flags].concat(), expected);
        with(&[], &[1, 2, 3]);
        with(&["--sort", "size"], &[3, 1, 2]);
        with(&["--sort", "jaccard"], &[2, 1, 3]);
        with(&["--sort", "least"], &[2, 1, 3]);
        with(&["--top", "2"], &[3, 1]);
        with(&["--top", "2", "--sort", "order"], &[1, 2]);
        with(&["--top", "4", "--sort", "order", "--singletons"], &[1, 2, 3, 4]);
        with(&["--top", "3", "--singletons"], &[3, 1, 2]);
    }
    let zero = "dedup: --top 0: give a whole number of 1 or more; see dedup cluster --help\n";
    corpus.dedup(&["cluster", ".", "--top", "0"]).stdout("").stderr(zero).exit_code(2);
    let zero = zero.replace("cluster", "scan");
    corpus.dedup(&["scan", ".", "--top", "0"]).stdout("").stderr(&zero).exit_code(2);
    corpus.dedup(&["cluster", ".", "--top", "1", "--labels"]).stdout("").stderr_with(any).exit_code(2);
}

#[test]
fn groups_of_contained_documents_leave_other_pairs_out() {
    // `a` and `b` share 91 of 96 shingles, and so do `x` and `y`; `short` is a part of `a` and of `b`.
    let corpus = Workspace::new("cluster_contained")
        .file("a", text(0, 100))
        .file("b", text(5, 105))
        .file("short", text(5, 95))
        .file("copy", text(900, 950))
        .file("copy2", text(900, 950))
        .file("x", text(500, 600))
        .file("y", text(505, 605));
    let args = ["--shingle", "word", "--threshold", "0.7", "-q"];
    corpus
        .dedup(&[&["scan", ".", "--save", "../r", "-o", "../p"], &args[..]].concat())
        .stdout("")
        .stderr("")
        .exit_code(0);
    for linkage in ["components", "star", "complete"] {
        let of = |from: &[&str], least: &str, expected: &[&str]| {
            let args = [&["cluster", "-q", "--linkage", linkage, "--min-containment", least], from].concat();
            let look = |stdout: &str| {
                let sorted = |group: &String| {
                    let mut names: Vec<&str> = group.split(' ').collect();
                    names.sort_unstable();
                    names.join(" ")
                };
                let mut found: Vec<String> = members(stdout).iter().map(sorted).collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{args:?}");
            };
            corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
        };
        let contained = if linkage == "components" { "a b short" } else { "a short" };
        for from in [&[&["."], &args[..4]].concat()[..], &["--from", "../r"], &["--from", "../p"]] {
            of(from, "0.9", &["a b short", "copy copy2", "x y"]);
            of(from, "0.97", &[contained, "copy copy2"]);
        }
    }
}

#[test]
fn a_file_of_pairs_has_the_groups_of_the_run() {
    // The lines name d4 before d3, since d2 is a pair with both d3 and d4 and d1 with d4 alone.
    let corpus = ["a\nb", "a\nb\nc\nd", "e\nf\ng\nh", "g\nh", "c\nd\ne\nf"]
        .iter()
        .enumerate()
        .fold(Workspace::new("cluster_of_pairs"), |corpus, (number, text)| corpus.file(format!("d{number}"), *text));
    let args = ["--shingle", "line", "--threshold", "0.3", "-q"];
    let pairs = [&["scan", ".", "-o", "../pairs.jsonl"], &args[..]].concat();
    corpus.dedup(&pairs).stdout("").stderr("").exit_code(0);
    for linkage in ["star", "complete"] {
        let of_run = [&["cluster", ".", "--linkage", linkage], &args[..]].concat();
        let expected: &[&str] = if linkage == "star" { &["d0 d1", "d2 d3 d4"] } else { &["d0 d1", "d2 d3"] };
        let look = |stdout: &str| assert_eq!(members(stdout), expected, "{linkage}");
        corpus.dedup(&of_run).stdout_with(look).stderr("").exit_code(0);
        let of_pairs = ["cluster", "--from", "../pairs.jsonl", "--linkage", linkage, "-q"];
        corpus.dedup(&of_pairs).stdout_with(look).stderr("").exit_code(0);
    }
}

#[test]
fn a_name_that_is_on_both_sides_of_a_result_is_told_apart_by_them() {
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    let corpus = Workspace::new("cluster_sides")
        .file("old.jsonl", record("x", FOX) + &record("y", LOREM))
        .file("new.jsonl", record("y", CAT) + &record("x", FOX));
    let scan = ["compare", "old.jsonl", "--against", "new.jsonl", "-q", "--save", "saved"];
    corpus.dedup(&scan).stdout_with(any).stderr("").exit_code(0);
    let look = |stdout: &str| {
        let group: ClusterRecord = serde_json::from_str(stdout).unwrap();
        assert_eq!(serde_json::to_string(&group).unwrap() + "\n", stdout);
        let members: Vec<&str> = group.members.iter().map(name).collect();
        assert_eq!((members, group.sides), (vec!["x", "y", "x"], Some(vec![PairSide::A, PairSide::B, PairSide::B])));
        let joined: Vec<_> =
            group.joined_by.iter().map(|joined| (name(&joined.name), joined.side, joined.by_side)).collect();
        assert_eq!(joined, [("x", Some(PairSide::B), Some(PairSide::A)), ("y", Some(PairSide::B), Some(PairSide::A))]);
    };
    corpus.dedup(&["cluster", "--from", "saved"]).stdout_with(look).stderr("").exit_code(0);
    let labels = "{\"name\":\"x\",\"group\":1,\"side\":\"a\"}\n{\"name\":\"y\",\"group\":2,\"side\":\"a\"}\n\
                  {\"name\":\"y\",\"group\":1,\"side\":\"b\"}\n{\"name\":\"x\",\"group\":1,\"side\":\"b\"}\n";
    corpus.dedup(&["cluster", "--from", "saved", "--labels"]).stdout(labels).stderr("").exit_code(0);
}
