//! `dedup compare`: pairs across two sides only.

use std::fs;

use ::zip::CompressionMethod;

use crate::packing::zip;
use crate::scope_twin::{ALL_PAIRS, Doc, FIND_ALL, assert_found, brute_force, random_texts};
use crate::support::*;

fn records_of(docs: &[Doc]) -> String {
    docs.iter().map(|doc| format!("{}\n", serde_json::json!({ "id": doc.name, "text": doc.text }))).collect()
}

#[test]
fn pairs_are_across_the_sides_in_the_order_of_the_first() {
    // Similar inside of each side too, where nobody asks.
    let corpus = Workspace::new("compare")
        .file("new/z", FOX)
        .file("new/y", CAT)
        .file("new/lorem", LOREM)
        .file("old/b", CAT)
        .file("old/a", FOX)
        .file("old/c", FOX);
    corpus
        .dedup(&["compare", "new", "--against", "old", "--threads", "2", "--stats"])
        .pairs(&["new/y old/a", "new/y old/b", "new/y old/c", "new/z old/a", "new/z old/b", "new/z old/c"])
        .stderr(
            "documents  6 (276 B)\n\
             \x20 compared 3 (144 B)\n\
             \x20 against  3 (132 B)\n\
             copies     1 in 1 group of equal texts on one side\n\
             candidates 4 pairs of texts, one of either side\n\
             pairs      6 at or above 0.8\n\
             recall     99.96 % of the pairs at 0.8 are found (20 bands x 5 rows)\n\
             memory     <bytes>\n\
             time       <times>\n",
        )
        .exit_code(0);
    // The flag may come first, and several times.
    corpus
        .dedup(&["compare", "--against", "old/a", "--against", "old/b", "-q", "--", "new/z"])
        .pairs(&["new/z old/a", "new/z old/b"])
        .stderr("")
        .exit_code(0);
    corpus.dedup(&["compare", "new/lorem", "--against", "old", "--exit-code", "-q"]).stdout("").stderr("").exit_code(0);
    corpus
        .dedup(&["compare", "new/z", "--against", "old/c", "--exit-code", "-q"])
        .stdout(&copies("new/z", "old/c", 36))
        .stderr("")
        .exit_code(1);
}

#[test]
fn collapsed_copies_are_told_once_a_side() {
    let corpus = Workspace::new("compare_collapse").file("a/1", FOX).file("a/2", FOX).file("b/3", FOX).file("b/4", FOX);
    let corpus = corpus.file("b/5", CAT);
    corpus
        .dedup(&["compare", "a", "--against", "b", "-q", "--collapse-exact"])
        .pairs(&["a/1 b/3", "a/1 b/5"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn what_is_on_both_sides_is_a_document_of_both() {
    let corpus = Workspace::new("compare_both").file("a", FOX).file("b", CAT);
    corpus
        .dedup(&["compare", "a", "b", "--against", "a", "b", "./a", "-q"])
        .pairs(&["a a", "a b", "b a", "b b"])
        .stderr("")
        .exit_code(0);
    // Ids are unique on each side by itself.
    let line = |id, text| format!("{}\n", serde_json::json!({ "id": id, "text": text }));
    let corpus = Workspace::new("compare_ids")
        .file("a.jsonl", line("1", FOX) + &line("2", LOREM))
        .file("b.jsonl", line("2", CAT) + &line("1", FOX) + &line("1", CAT));
    corpus
        .dedup(&["compare", "a.jsonl", "--against", "b.jsonl", "-q"])
        .pairs(&["1 2", "1 1", "1 b.jsonl:3"])
        .stderr("dedup: b.jsonl:3: the id \"1\" is a duplicate; compared under this name\n")
        .exit_code(3);
    let same = corpus.dedup(&["compare", "a.jsonl", "--against", "a.jsonl", "-q"]);
    same.stdout(&(copies("1", "1", 36) + &copies("2", "2", 48))).stderr("").exit_code(0);
}

#[test]
fn the_summary_file_tells_of_both_sides() {
    let corpus = Workspace::new("compare_summary").file("a/1", FOX).file("a/2", FOX).file("a/3", "").file("b/1", CAT);
    corpus
        .dedup(&["compare", "a", "--against", "b", "-q", "--summary", "s"])
        .pairs(&["a/1 b/1", "a/2 b/1"])
        .stderr("")
        .exit_code(0);
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(corpus.path("s")).unwrap()).unwrap();
    let expected = serde_json::json!({
        "a": { "documents": 3, "bytes": 88, "empty": 1, "short": 0, "exact_groups": 1, "exact_copies": 1 },
        "b": { "documents": 1, "bytes": 44, "empty": 0, "short": 0, "exact_groups": 0, "exact_copies": 0 },
    });
    assert_eq!(summary["sides"], expected);
    assert_eq!((&summary["candidates"], &summary["pairs"], &summary["documents"]), (&1.into(), &2.into(), &4.into()));
}

#[test]
fn a_side_without_documents_is_told() {
    let corpus = Workspace::new("compare_nothing").file("a", FOX).folder("empty");
    let warning = |which| {
        format!("dedup: warning: no documents were found to compare{which}; check the paths, --include and --exclude\n")
    };
    corpus.dedup(&["compare", "a", "--against", "empty"]).stdout("").notes(&warning(" against")).exit_code(0);
    corpus.dedup(&["compare", "empty", "--against", "a"]).stdout("").notes(&warning("")).exit_code(0);
    corpus
        .dedup(&["compare", "a", "--against", "b", "-q"])
        .stdout("")
        .stderr(
            "dedup: b: no such file or folder; check the path\n\
             dedup: warning: no documents are left to compare against (1 missing); check the paths and flags\n",
        )
        .exit_code(3);
}

#[test]
fn wrong_usage_is_one_line() {
    let corpus = Workspace::new("compare_usage").file("a", FOX);
    let fails = |args: &[&str], message: &str| corpus.dedup(args).stdout("").stderr(message).exit_code(2);
    fails(
        &["compare", "a"],
        "dedup: --against: missing; write: dedup compare A --against B; see dedup compare --help\n",
    );
    let twice = |uses| format!("dedup: -: standard input can only be read once, but is used by {uses}; use it once\n");
    fails(&["compare", "-", "--against", "-", "--input-format", "text"], &twice("PATH and by --against"));
    let uses = "--against and by --files-from";
    fails(&["compare", "--files-from", "-", "--against", "-", "--input-format", "text"], &twice(uses));
}

#[test]
fn the_other_side_has_globs_of_its_own() {
    let corpus = Workspace::new("compare_globs")
        .file("new/a.md", FOX)
        .file("new/a.txt", FOX)
        .file("old/b.md", FOX)
        .file("old/b.txt", FOX)
        .file("old/drafts/c.txt", FOX)
        .file("old/d.zip", zip(&[("m.md", FOX.as_bytes()), ("m.txt", FOX.as_bytes())], CompressionMethod::Stored));
    let run = |flags: &[&str], pairs: &[&str]| {
        let args = [&["compare", "-q", "new", "--against", "old"], flags].concat();
        corpus.dedup(&args).pairs(pairs).stderr("").exit_code(0);
    };
    // Those of the first side do for both, unless the other one has its own.
    run(&["--include", "*.md"], &["new/a.md old/b.md", "new/a.md old/d.zip!m.md"]);
    let texts = ["new/a.md old/b.txt", "new/a.md old/d.zip!m.txt", "new/a.md old/drafts/c.txt"];
    run(&["--include", "*.md", "--against-include", "*.txt"], &texts);
    let run_all = ["--include", "*.md", "--against-include", "*.txt", "--against-exclude", "drafts"];
    run(&run_all, &texts[..2]);
    run(&["--exclude", "*.txt", "--against-exclude", "*.md", "--against-exclude", "d.zip"], &[texts[0], texts[2]]);
}

#[test]
fn the_other_side_may_be_a_list() {
    let corpus = Workspace::new("compare_lists").file("a", FOX).file("b", CAT).file("c", FOX).file("bin", "\0");
    let corpus = corpus.file("zero", "c\0bin\0").file("lines", "b\nc\n").file("none", "").file("other", "a\0");
    let run = |args: &[&str]| corpus.dedup(&[&["compare", "-q"], args].concat());
    run(&["a", "--against-files-from", "lines"]).pairs(&["a b", "a c"]).stderr("").exit_code(0);
    run(&["a", "--against", "b", "--against-files-from", "zero", "--null"])
        .pairs(&["a b", "a c"])
        .stderr("")
        .exit_code(0);
    run(&["--files-from", "other", "--against-files-from", "zero", "-0"]).pairs(&["a c"]).stderr("").exit_code(0);
    // An empty list is a side without documents, and not a scan.
    let warning =
        "dedup: warning: no documents were found to compare against; check the paths, --include and --exclude\n";
    run(&["a", "c", "--against-files-from", "none"]).stdout("").stderr(warning).exit_code(0);
    let fails = |args: &[&str], message: &str| run(args).stdout("").stderr(message).exit_code(2);
    let twice = |uses| format!("dedup: -: standard input can only be read once, but is used by {uses}; use it once\n");
    let lists = ["a", "--against-files-from", "-", "--files-from", "-"];
    fails(&lists, &twice("--files-from and by --against-files-from"));
    fails(&["-", "--against-files-from", "-"], &twice("PATH and by --against-files-from"));
    fails(
        &["a", "--against-files-from", "gone"],
        "dedup: gone: cannot read the list of paths: No such file or directory\n",
    );
}

#[test]
fn standard_input_may_be_either_side() {
    let corpus = Workspace::new("compare_stdin").file("a", FOX).stdin(CAT);
    let flags = ["--input-format", "text", "-q"];
    let run = |args: &[&str]| corpus.dedup(&[&["compare"], args, &flags[..]].concat());
    run(&["-", "--against", "a"]).pairs(&["- a"]).stderr("").exit_code(0);
    run(&["a", "--against", "-"]).pairs(&["a -"]).stderr("").exit_code(0);
}

#[test]
fn random_sides_with_copies_equal_brute_force() {
    for seed in 0..num_cases(12, 40) {
        let mut random = Random(seed);
        let num_documents = 2 + random.below(60);
        let start = 1 + random.below(num_documents - 1);
        let texts = random_texts(&mut random, num_documents).into_iter().enumerate();
        let docs: Vec<Doc> =
            texts.map(|(at, text)| Doc { name: at.to_string(), text, cell: usize::from(at >= start) }).collect();
        let corpus = Workspace::new("sides")
            .file("a.jsonl", records_of(&docs[..start]))
            .file("b.jsonl", records_of(&docs[start..]));
        let percent = [50, 60, 75, 100][seed as usize % 4];
        for (collapse, threads) in [(false, "1"), (false, "3"), (true, "2")] {
            let threshold = (percent as f64 / 100.0).to_string();
            let mut args = vec!["compare", "a.jsonl", "--against", "b.jsonl", "--threshold", &threshold];
            args.extend(["--threads", threads]);
            args.extend(collapse.then_some("--collapse-exact"));
            let expected = brute_force(&docs, percent, collapse, |a, b| a < start && b >= start);
            for method in [&FIND_ALL[..], &ALL_PAIRS] {
                let context = format!("seed {seed}, collapse {collapse}, {method:?}");
                let look = |stdout: &str| assert_found(stdout, &expected, &context);
                corpus.dedup(&[&args, method].concat()).stdout_with(look).stderr("").exit_code(0);
            }
        }
    }
}

#[test]
fn copies_far_apart_are_joined_across_blocks() {
    let mut random = Random(7);
    let texts = random_texts(&mut random, 1600);
    // Many distinct texts between the copies, so that there are several blocks.
    let docs: Vec<Doc> = (texts.into_iter().enumerate())
        .map(|(at, text)| {
            let text = if random.below(10) < 9 { format!("{at}{}", "0123456789".repeat(at % 7 + 1)) } else { text };
            Doc { name: at.to_string(), text, cell: usize::from(at >= 900) }
        })
        .collect();
    let corpus =
        Workspace::new("far").file("a.jsonl", records_of(&docs[..900])).file("b.jsonl", records_of(&docs[900..]));
    let expected = brute_force(&docs, 60, false, |a, b| a < 900 && b >= 900);
    assert!(expected.len() > 1000);
    let mut args = vec!["compare", "a.jsonl", "--against", "b.jsonl", "--threshold", "0.6", "--threads", "2"];
    args.extend(FIND_ALL);
    let look = |stdout: &str| assert_found(stdout, &expected, "far apart");
    corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn packed_documents_may_be_on_either_side() {
    let corpus = Workspace::new("compare_packed")
        .file("a.zip", zip(&[("x.txt", FOX.as_bytes()), ("y.txt", LOREM.as_bytes())], CompressionMethod::Deflated))
        .file("b.csv", format!("id,text\n1,{CAT}\n2,{FOX}\n"))
        .file("c.txt", CAT);
    // Twice, since what is unpacked comes from threads of its own.
    for threads in ["1", "4"] {
        let run = |args: &[&str]| corpus.dedup(&[&["compare", "-q", "--threads", threads], args].concat());
        let both = ["a.zip!x.txt 1", "a.zip!x.txt 2", "a.zip!x.txt c.txt"];
        run(&["a.zip", "--against", "b.csv", "c.txt"]).pairs(&both).stderr("").exit_code(0);
        let other = ["1 a.zip!x.txt", "2 a.zip!x.txt", "c.txt a.zip!x.txt"];
        run(&["b.csv", "c.txt", "--against", "a.zip"]).pairs(&other).stderr("").exit_code(0);
    }
}

#[test]
fn listed_documents_have_their_side_and_short_ones_are_left_out() {
    let corpus = Workspace::new("compare_list").file("a", FOX).file("b", FOX).file("c", "").file("d", [0xFF]);
    let size = "\"bytes\":44,\"tokens\":44,\"shingles\":36";
    let list = format!(
        "{{\"name\":\"a\",\"treated\":\"used\",{size},\"side\":\"a\"}}\n\
         {{\"name\":\"c\",\"treated\":\"empty\",\"bytes\":0,\"tokens\":0,\"shingles\":0,\"side\":\"a\"}}\n\
         {{\"name\":\"a\",\"treated\":\"used\",{size},\"side\":\"b\"}}\n\
         {{\"name\":\"b\",\"treated\":\"copy\",{size},\"copy_of\":\"a\",\"side\":\"b\"}}\n\
         {{\"name\":\"d\",\"treated\":\"skipped\",\"side\":\"b\",\"reason\":\"not_utf8\",\
         \"detail\":\"not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\"}}\n"
    );
    let fault = "dedup: d: not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\n";
    corpus
        .dedup(&["compare", "-q", "a", "c", "--list-documents", "--against", "a", "b", "d"])
        .stdout(&list)
        .stderr(fault)
        .exit_code(3);
    let ended = fault.replace('\n', "; --strict stops the run\n");
    corpus.dedup(&["compare", "-q", "a", "--strict", "--against", "b", "d"]).stdout("").stderr(&ended).exit_code(2);
    let short = ["compare", "-q", "a", "--min-tokens", "45", "--against", "b"];
    let left = |which| {
        format!(
            "dedup: warning: no documents are left to compare{which} (2 with fewer tokens than --min-tokens); \
             check the paths and flags\n"
        )
    };
    corpus.dedup(&short).stdout("").stderr(&(left("") + &left(" against"))).exit_code(0);
}
