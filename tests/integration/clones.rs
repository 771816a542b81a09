//! `--preset clones` and `--copied-blocks`: copied blocks across documents and within one, and the share of duplicated lines.

use std::collections::{BTreeSet, HashMap};

use dedup_scan::records::PairRecord;
use serde_json::Value;

use crate::support::*;
use crate::twin::{self, Lengths};

/// The minimum number of words of a block in random texts.
const MIN_RUN: usize = 5;

const BLOCKS: [&str; 15] = [
    "scan",
    "-q",
    "--match",
    "passages",
    "--copied-blocks",
    "--shingle",
    "word",
    "--min-run",
    "5",
    "--anchor",
    "5",
    "--max-gap",
    "0",
    "--min-matched",
    "0",
];

/// The ranges of words of a block at its two places.
type Block = ([u64; 2], [u64; 2]);

/// Blocks that a text repeats, by comparing all pairs of positions: from each word that is not in a block, the run that also
/// occurs before it and ends last.
fn own_blocks(words: &[String]) -> Vec<Block> {
    let run = |i: usize, j: usize| words[i..].iter().zip(&words[j..]).take_while(|(a, b)| a == b).count().min(j - i);
    let longest = |j: usize| {
        let runs = (0..j).map(|i| (run(i, j), i));
        runs.fold((0, 0), |best, run| if run.0 > best.0 { run } else { best })
    };
    let runs: Vec<(usize, usize)> = (0..words.len()).map(longest).collect();
    let (mut blocks, mut covered) = (Vec::new(), 0);
    for word in 0..words.len() {
        let contains = |&at: &usize| at <= word && word < at + runs[at].0 && runs[at].0 >= MIN_RUN;
        let last = (0..=word).filter(contains).max_by_key(|&at| (at + runs[at].0, std::cmp::Reverse(at)));
        if let Some(at) = last.filter(|_| word >= covered) {
            let (len, from) = runs[at];
            covered = at + len;
            blocks.push(([from as u64 + 1, (from + len) as u64], [at as u64 + 1, covered as u64]));
        }
    }
    blocks
}

fn random_words(random: &mut Random, spans: &[Vec<String>]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for _ in 0..random.below(8) {
        match random.below(6) {
            0 | 1 => (0..random.below(9)).for_each(|_| words.push(format!("w{}", random.below(400)))),
            2 => {
                let part: Vec<String> = (0..1 + random.below(4)).map(|_| format!("p{}", random.below(3))).collect();
                (0..random.below(12)).for_each(|_| words.extend_from_slice(&part));
            }
            _ => {
                let span = &spans[random.below(spans.len())];
                let start = random.below(span.len());
                words.extend_from_slice(&span[start..start + random.below(span.len() - start + 1)]);
            }
        }
    }
    words
}

fn blocks_of(pair: &PairRecord) -> Vec<Block> {
    let passages = pair.passages.as_ref().unwrap().as_ref().unwrap();
    passages.iter().map(|passage| (passage.a.lines, passage.b.lines)).collect()
}

#[test]
fn blocks_of_random_texts_are_those_of_all_pairs_of_positions() {
    let mut random = Random(43);
    for _ in 0..6 {
        let spans: Vec<Vec<String>> =
            (0..4).map(|of| (0..20).map(|at| format!("s{of}x{}", at % 17)).collect()).collect();
        let texts: Vec<Vec<String>> = (0..25).map(|_| random_words(&mut random, &spans)).collect();
        let mut workspace = Workspace::new("random_blocks");
        // One word a line, so that lines are positions.
        for (at, words) in texts.iter().enumerate() {
            let text: String = words.iter().map(|word| format!("{word}\n")).collect();
            workspace = workspace.file(format!("in/d{at:02}.txt"), text);
        }
        let lengths = Lengths { min_run: MIN_RUN, anchor: MIN_RUN, max_gap: 0 };
        let mut duplicated: HashMap<String, BTreeSet<u64>> = HashMap::new();
        let mut look = |stdout: &str| {
            let mut found = records(stdout).into_iter();
            for (a, words) in texts.iter().enumerate() {
                for (b, other) in texts.iter().enumerate().skip(a) {
                    let names = (format!("in/d{a:02}.txt"), format!("in/d{b:02}.txt"));
                    let own = if a == b { own_blocks(words) } else { Vec::new() };
                    let shared = if a == b { None } else { Some(twin::share(words, other, lengths)) };
                    let is_equal_and_short = words == other && words.len() < MIN_RUN;
                    let num_matched = shared.as_ref().map_or(0, |shared| shared.matched);
                    if own.is_empty() && (num_matched == 0 || is_equal_and_short) {
                        continue;
                    }
                    let pair = found.next().expect("every block is found");
                    assert_eq!((name(&pair.a), name(&pair.b)), (names.0.as_str(), names.1.as_str()));
                    let blocks = blocks_of(&pair);
                    match &shared {
                        None => assert_eq!(blocks, own, "{words:?}"),
                        Some(shared) => assert_eq!(pair.matched, Some(shared.matched as u64)),
                    }
                    for ([first_a, last_a], [first_b, last_b]) in blocks {
                        duplicated.entry(names.0.clone()).or_default().extend(first_a..=last_a);
                        duplicated.entry(names.1.clone()).or_default().extend(first_b..=last_b);
                    }
                }
            }
            assert_eq!(found.next(), None);
        };
        let arguments = [&BLOCKS[..], &["--coverage", "0", "--summary", "summary.json", "in"]].concat();
        let mut lines = String::new();
        let keep_and_look = |stdout: &str| {
            lines = stdout.to_owned();
            look(stdout);
        };
        workspace.dedup(&arguments).stdout_with(keep_and_look).stderr("").exit_code(0);
        let with_threads = [&arguments[..], &["--threads", "3", "--memory", "16MiB"]].concat();
        workspace.dedup(&with_threads).stdout(&lines).stderr("").exit_code(0);
        let summary: Value = serde_json::from_str(&workspace.read("summary.json")).unwrap();
        let duplication = &summary["duplication"];
        assert_eq!(duplication["lines"], texts.iter().map(Vec::len).sum::<usize>());
        assert_eq!(duplication["duplicated_lines"], duplicated.values().map(BTreeSet::len).sum::<usize>());
        for document in duplication["documents"].as_array().unwrap() {
            let lines = &duplicated[document["document"].as_str().unwrap()];
            assert_eq!(document["duplicated_lines"], lines.len());
        }
    }
}

/// A function of about 70 tokens with a number that occurs in no other.
fn function(name: &str, number: usize) -> String {
    let calls: String =
        (0..8).map(|at| format!("    let v{at} = load(\"{number}-{at}\") + {};\n", number * 10 + at)).collect();
    format!("fn {name}() {{\n{calls}    done();\n}}\n")
}

const CLONES: [&str; 4] = ["scan", "-q", "--preset", "clones"];

#[track_caller]
fn clones(workspace: &Workspace, flags: &[&str], expected: &[(&str, &str, &[Block])]) {
    let arguments = [&CLONES[..], flags, &["in"]].concat();
    let look = |stdout: &str| {
        let pairs = records(stdout);
        let found: Vec<(&str, &str, Vec<Block>)> =
            pairs.iter().map(|pair| (name(&pair.a), name(&pair.b), blocks_of(pair))).collect();
        let expected: Vec<(&str, &str, Vec<Block>)> =
            expected.iter().map(|&(a, b, blocks)| (a, b, blocks.to_vec())).collect();
        assert_eq!(found, expected);
    };
    workspace.dedup(&arguments).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn blocks_are_found_in_every_kind_of_file() {
    let block = function("f", 1);
    let one_line = block.replace('\n', " ");
    let workspace = Workspace::new("kinds_of_clones")
        .file("in/a.rs", format!("{}{block}", function("a", 2)))
        // CRLF, and other comments and layout.
        .file("in/crlf.rs", format!("// A comment.\n\n{block}\nfn main() {{}}\n").replace('\n', "\r\n"))
        // A file that is one line, twice the block.
        .file("in/line.rs", format!("{one_line} fn other() {{ x.y(); }} {one_line}"))
        // The same language by another extension, and generated text around the block.
        .file("in/vendor/copy.txt.rs", format!("{}{block}", function("g", 3)));
    let whole: &[Block] = &[([12, 22], [3, 13])];
    clones(&workspace, &["--exclude", "line.rs", "--exclude", "vendor"], &[("in/a.rs", "in/crlf.rs", whole)]);
    clones(
        &workspace,
        &["--exclude", "crlf.rs", "--exclude", "a.rs", "--exclude", "vendor"],
        &[("in/line.rs", "in/line.rs", &[([1, 1], [1, 1])])],
    );
    clones(
        &workspace,
        &["--exclude", "line.rs", "--exclude", "crlf.rs"],
        &[("in/a.rs", "in/vendor/copy.txt.rs", &[([9, 22], [9, 22])])],
    );
    // A block that is too short, and names that differ.
    clones(&workspace, &["--exclude", "line.rs", "--exclude", "vendor", "--min-run", "500"], &[]);
}

#[test]
fn equal_files_need_the_tokens_of_a_block() {
    let block = function("f", 1);
    let workspace = Workspace::new("equal_clones")
        .file("in/a.rs", "fn a() {}\n")
        .file("in/b.rs", "fn a() {}\n")
        .file("in/c.rs", format!("{block}{block}"))
        .file("in/d.rs", format!("{block}{block}"))
        .file("in/empty.rs", "");
    let own: &[Block] = &[([1, 11], [12, 22])];
    let equal: &[Block] = &[([1, 22], [1, 22])];
    let (c, d) = ("in/c.rs", "in/d.rs");
    clones(&workspace, &[], &[(c, c, own), (c, d, equal), (d, d, own)]);
    clones(&workspace, &["--collapse-exact"], &[(c, c, own), (c, d, equal)]);
}

#[test]
fn the_share_of_duplicated_lines_fails_a_job() {
    let workspace = Workspace::new("share_of_clones")
        .file("in/a.rs", format!("{}{}", function("f", 1), function("g", 2)))
        .file("in/b.rs", format!("{}{}", function("f", 1), function("h", 3)));
    let run = |flags: &[&str]| workspace.dedup(&[&["scan", "--preset", "clones", "--output", "pairs"], flags].concat());
    let says = |stderr: &str| {
        assert!(stderr.starts_with("1 pair with copied blocks among 2 documents ("), "{stderr}");
        // The word `fn` on the next line is the same too.
        let line = "\nduplicated 24 of 44 lines (54.54 %), in 2 documents; the most in in/a.rs (54.54 %)\n";
        assert!(stderr.contains(line), "{stderr}");
    };
    run(&["in", "--fail-over", "54.6%"]).stdout("").stderr_with(says).exit_code(0);
    let fails = |stderr: &str| {
        let line = "failed     1 new pair of 54.55 % of the lines, more than the 54.5 % of --fail-over\n";
        assert!(stderr.ends_with(line), "{stderr}");
    };
    run(&["in", "--fail-over", "54.5%"]).stdout("").stderr_with(fails).exit_code(1);
    run(&["in", "-q", "--fail-over", "1"]).stdout("").stderr("").exit_code(0);
    run(&["in", "-q", "--fail-over", "0"]).stdout("").stderr("").exit_code(1);
    // Only the first side counts, and accepted blocks do not.
    run(&["in/a.rs", "-q", "--old", "in/b.rs", "--fail-over", "49%"]).stdout("").stderr("").exit_code(1);
    workspace.dedup(&["baseline", "pairs", "--output", "known.json"]).stdout("").stderr_with(|_| ()).exit_code(0);
    run(&["in", "-q", "--baseline", "known.json", "--fail-over", "0%"]).stdout("").stderr("").exit_code(0);
    // A saved result has the same share, in every command that reads it.
    for (save, flags) in [("all", &["in"][..]), ("new", &["in/a.rs", "--old", "in/b.rs"])] {
        run(&[flags, &["-q", "--save", save]].concat()).stdout("").stderr("").exit_code(0);
    }
    for (saved, limit, code) in [("all", "54.6%", 0), ("all", "54.5%", 1), ("new", "54.6%", 0), ("new", "54.5%", 1)] {
        for command in [&["report", saved, "-f", "text"][..], &["scan", "--from", saved]] {
            let args = [command, &["--fail-over", limit]].concat();
            let says = |stderr: &str| assert_eq!(stderr.ends_with(" of --fail-over\n"), code == 1, "{stderr}");
            workspace.dedup(&args).stdout_with(|_| ()).stderr_with(says).exit_code(code);
        }
    }
    let args = ["report", "all", "-f", "text", "--baseline", "known.json", "--fail-over", "0%"];
    workspace.dedup(&args).stdout_with(|_| ()).stderr_with(|_| ()).exit_code(0);
}

#[test]
fn what_follows_a_scan_knows_documents_that_repeat_blocks() {
    let block = function("f", 1);
    let workspace = Workspace::new("later_clones")
        .file("in/a.rs", format!("{block}{}", function("g", 2)))
        .file("in/b.rs", format!("{}{block}", function("h", 3)))
        .file("in/twice.rs", format!("{0}fn x() {{}}\n{0}", function("t", 4)));
    let run = |arguments: &[&str]| workspace.dedup(arguments);
    let num_lines = |number: usize| move |stdout: &str| assert_eq!(stdout.lines().count(), number, "{stdout}");
    run(&["scan", "-q", "--preset", "clones", "in", "--save", "saved"])
        .stdout_with(num_lines(2))
        .stderr("")
        .exit_code(0);
    run(&["scan", "-q", "--preset", "clones", "in", "-o", "pairs.jsonl"]).stdout("").stderr("").exit_code(0);
    for from in ["saved", "pairs.jsonl"] {
        // A document does not form a group with itself.
        let one_group = |stdout: &str| assert!(stdout.contains("in/b.rs") && !stdout.contains("twice.rs"), "{stdout}");
        run(&["cluster", "-q", "--from", from]).stdout_with(one_group).stderr("").exit_code(0);
        run(&["scan", "-q", "--from", from]).stdout_with(num_lines(2)).stderr("").exit_code(0);
        for format in ["text", "markdown", "csv", "tsv", "sarif", "junit", "github", "gitlab", "html", "dot", "graphml"]
        {
            let shows = |stdout: &str| assert!(format == "gitlab" || stdout.contains("twice.rs"), "{format}: {stdout}");
            run(&["report", "-q", from, "-f", format]).stdout_with(shows).stderr_with(|_| ()).exit_code(0);
        }
    }
    run(&["check", "-q", "saved"]).stdout("").stderr("").exit_code(0);
    run(&["cluster", "-q", "--preset", "clones", "in"]).stdout_with(num_lines(1)).stderr("").exit_code(0);
    let says = |stdout: &str| {
        assert!(stdout.contains("verdict      reported: the document repeats blocks\n"), "{stdout}");
        assert!(stdout.contains("coverage     "), "{stdout}");
    };
    run(&["explain", "--preset", "clones", "in/twice.rs", "in/twice.rs"]).stdout_with(says).stderr("").exit_code(0);
    let none = |stdout: &str| {
        let line = "verdict      not reported: the document repeats no block of --min-run tokens\n";
        assert!(stdout.contains(line), "{stdout}");
    };
    run(&["explain", "--preset", "clones", "in/a.rs", "in/a.rs"]).stdout_with(none).stderr("").exit_code(0);
}

#[test]
fn what_cannot_use_blocks_refuses_them() {
    let workspace =
        Workspace::new("refused_clones").file("in/a.rs", function("f", 1)).file("in/b.rs", function("f", 1));
    let refuses = |arguments: &[&str], message: &str| {
        let says = |stderr: &str| assert!(stderr.starts_with(&format!("dedup: {message}")), "{stderr}");
        workspace.dedup(arguments).stdout("").stderr_with(says).exit_code(2);
    };
    let preset = "--preset";
    refuses(
        &["scan", preset, "clones", "in", "--template", "in/a.rs"],
        "--copied-blocks: copied blocks: cannot be combined with",
    );
    refuses(
        &["scan", preset, "clones", "in", "--unit", "dir:1"],
        "--copied-blocks: copied blocks: cannot be combined with",
    );
    refuses(&["scan", "--copied-blocks", "in"], "--copied-blocks: only applies to pairs that match by passages");
    refuses(
        &["unique", preset, "clones", "in", "--output", "out"],
        "--copied-blocks: finds copied blocks of documents",
    );
    refuses(&["index", "build", "i", preset, "clones", "in"], "--preset clones: finds documents by copied blocks");
    refuses(&["explain", "in/a.rs", "in/a.rs"], "in/a.rs: both names refer to this document");
    workspace
        .dedup(&["scan", "-q", preset, "clones", "in", "--save", "s", "-o", "p"])
        .stdout("")
        .stderr("")
        .exit_code(0);
    refuses(&["scan", "--from", "p", "--fail-over", "1%"], "--fail-over: a file of pairs does not say how many");
}
