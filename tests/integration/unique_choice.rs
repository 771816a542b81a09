//! `dedup unique`: which document stays; and the slow twin of the choice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use dedup_scan::records::RemovedRecord;

use crate::support::*;
use crate::unique::unique;

#[test]
fn the_one_that_stays_is_chosen_by_keep() {
    let texts = [format!("{FOX} 1"), format!("{FOX} 22"), format!("{FOX} 333"), LOREM.to_owned()];
    let line = |(number, text): (usize, &String)| {
        format!(
            "{{\"id\":\"r{number}\",\"text\":\"{text}\",\"score\":{},\"at\":\"2024-0{}\"}}\n",
            [5, 10, 9, 1][number],
            [3, 1, 2, 1][number]
        )
    };
    let corpus = Workspace::new("unique_keep")
        .file("a.jsonl", texts.iter().enumerate().map(line).collect::<String>())
        .file("in/b.txt", FOX)
        .file("in/a.md", FOX)
        .file("in/c.txt", FOX);
    let of_records = |keep: &str| removed(&corpus, &["a.jsonl", "--threshold", "0.7", "--keep", keep]);
    assert_eq!(of_records("first"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("last"), ["r0<r2", "r1<r2"]);
    assert_eq!(of_records("longest"), ["r0<r2", "r1<r2"]);
    assert_eq!(of_records("shortest"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("max:score"), ["r0<r1", "r2<r1"]);
    assert_eq!(of_records("min:score"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("max:at"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("min:at"), ["r0<r1", "r2<r1"]);
    let of_files = |keep: &str| removed(&corpus, &["in/c.txt", "in", "--keep", keep]);
    assert_eq!(of_files("first"), ["in/a.md<in/c.txt", "in/b.txt<in/c.txt"]);
    assert_eq!(of_files("path-order"), ["in/c.txt<in/a.md", "in/b.txt<in/a.md"]);
    assert_eq!(of_files("matching:*.md"), ["in/c.txt<in/a.md", "in/b.txt<in/a.md"]);
    assert_eq!(of_files("matching:b*"), ["in/c.txt<in/b.txt", "in/a.md<in/b.txt"]);
    let newest = fs::File::options().write(true).open(corpus.path("in/b.txt")).unwrap();
    newest.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(100)).unwrap();
    assert_eq!(of_files("newest"), ["in/c.txt<in/b.txt", "in/a.md<in/b.txt"]);
    corpus.dedup(&["unique", "a.jsonl", "-n", "--keep", "best"]).stdout("").stderr_with(|_| ()).exit_code(2);
}

/// Groups by definition, one pair after another.
fn slow_twin(num: usize, pairs: &BTreeMap<(usize, usize), f64>, rank: &dyn Fn(usize) -> usize) -> Vec<String> {
    let mut order: Vec<usize> = (0..num).collect();
    order.sort_by_key(|&document| (rank(document), document));
    let mut taken = vec![None; num];
    for &centre in &order {
        if taken[centre].is_some() {
            continue;
        }
        taken[centre] = Some(centre);
        for (other, taken) in taken.iter_mut().enumerate() {
            if taken.is_none() && pairs.contains_key(&(centre.min(other), centre.max(other))) {
                *taken = Some(centre);
            }
        }
    }
    let lines = (0..num).filter(|&document| taken[document] != Some(document));
    lines.map(|document| format!("r{document}<r{}", taken[document].unwrap())).collect()
}

#[test]
fn the_choice_and_the_bytes_are_those_of_a_slow_twin() {
    for seed in 0..6 {
        let mut random = Random(seed);
        let words: Vec<String> = (0..40).map(|_| format!("w{}", random.below(1000))).collect();
        let num = 60;
        let mut lines = Vec::new();
        for number in 0..num {
            let from = random.below(4) * 8;
            let mut text = words[from..from + 16].to_vec();
            for _ in 0..random.below(3) {
                let at = random.below(text.len());
                text[at] = format!("v{}", random.below(9));
            }
            let end = ["\n", "\r\n", "\n\n", "\n \n"][random.below(4)];
            lines.push(format!("{{\"id\":\"r{number}\",\"text\":\"{}\"}}{end}", text.join(" ")));
        }
        let corpus = Workspace::new("unique_twin").file("a.jsonl", lines.concat());
        let method = ["--threshold", "0.6", "--bands", "200", "--rows", "2", "--k", "5"];
        let mut pairs = BTreeMap::new();
        let number = |name: &str| name[1..].parse::<usize>().unwrap();
        let look = |stdout: &str| {
            for pair in records(stdout) {
                pairs.insert((number(name(&pair.a)), number(name(&pair.b))), pair.jaccard);
            }
        };
        corpus.dedup(&[&["scan", "-q", "a.jsonl"], &method[..]].concat()).stdout_with(look).stderr("").exit_code(0);
        assert!(pairs.len() > 50, "{}", pairs.len());
        for (keep, rank) in [("first", (|at| at) as fn(usize) -> usize), ("last", |at| usize::MAX - at)] {
            let expected = slow_twin(num, &pairs, &rank);
            let args = [&["a.jsonl", "--keep", keep], &method[..]].concat();
            assert_eq!(removed(&corpus, &args), expected, "seed {seed}, {keep}");
            let gone: BTreeSet<usize> = expected.iter().map(|line| number(line.split_once('<').unwrap().0)).collect();
            let output = format!("{keep}.jsonl");
            unique(&corpus, &[&args[..], &["-o", &output]].concat(), 0);
            let kept: String = lines
                .iter()
                .enumerate()
                .map(|(number, line)| {
                    // Blank lines behind a record are of none.
                    if gone.contains(&number) { &line[line.find('\n').unwrap() + 1..] } else { line.as_str() }
                })
                .collect();
            assert_eq!(corpus.read(&output), kept, "seed {seed}, {keep}");
        }
        // With components every removed document is in the component of what stands for it.
        let all = removed(&corpus, &[&["a.jsonl", "--linkage", "components"], &method[..]].concat());
        let mut least: Vec<usize> = (0..num).collect();
        for _ in 0..num {
            pairs.keys().for_each(|&(a, b)| (least[a], least[b]) = (least[a].min(least[b]), least[a].min(least[b])));
        }
        let expected = (0..num).filter(|&at| least[at] != at).map(|at| format!("r{at}<r{}", least[at]));
        assert_eq!(all, expected.collect::<Vec<_>>(), "seed {seed}");
    }
}

/// The lines of `--removed`, as `removed<kept`.
fn removed(workspace: &Workspace, args: &[&str]) -> Vec<String> {
    let (mut found, args) = (Vec::new(), [&["unique", "-q", "-n", "--removed", "-"], args].concat());
    let look = |stdout: &str| {
        for line in stdout.lines() {
            let record: RemovedRecord = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
            found.push(format!("{}<{}", name(&record.removed), name(&record.kept)));
        }
    };
    workspace.dedup(&args).stdout_with(look).stderr_with(|_| ()).exit_code(0);
    found
}

#[test]
fn a_crowd_gives_what_all_its_pairs_give_by_few_of_them() {
    let mut random = Random(11);
    let num = 500;
    let line = |number: usize, random: &mut Random| {
        let mut words: Vec<String> = (0..60).map(|at| format!("w{}", at * 7919 % 1000)).collect();
        for _ in 0..random.below(9) {
            let at = random.below(words.len());
            words[at] = format!("v{}", random.below(400));
        }
        format!("{{\"id\":\"r{number}\",\"text\":\"{}\",\"score\":{}}}\n", words.join(" "), random.below(50))
    };
    let lines: String = (0..num).map(|number| line(number, &mut random)).collect();
    let corpus = Workspace::new("unique_crowd").file("a.jsonl", lines);
    let method = ["--threshold", "0.5", "--bands", "60", "--rows", "2", "--k", "5"];
    let scan = [&["scan", "a.jsonl", "-q", "--save", "saved", "--summary", "all.json"], &method[..]].concat();
    let mut num_pairs = 0;
    corpus.dedup(&scan).stdout_with(|stdout| num_pairs = stdout.lines().count()).stderr("").exit_code(0);
    assert!(num_pairs > 10_000, "{num_pairs}");
    let listed = |args: &[&str]| {
        let mut lines = Vec::new();
        let args = [&["unique", "a.jsonl", "-q", "-n", "--removed", "-"], args].concat();
        let look = |stdout: &str| lines = stdout.lines().map(str::to_owned).collect();
        corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
        lines
    };
    let candidates = |file: &str| {
        let summary: serde_json::Value = serde_json::from_str(&corpus.read(file)).unwrap();
        summary["candidates"].as_u64().unwrap()
    };
    for linkage in ["star", "components", "complete"] {
        for keep in ["first", "last", "longest", "max:score", "path-order"] {
            let choice = ["--linkage", linkage, "--keep", keep];
            let found = listed(&[&choice[..], &method[..], &["--summary", "few.json"]].concat());
            let expected = listed(&[&choice[..], &["--from", "saved"]].concat());
            assert_eq!(found.len(), expected.len(), "{choice:?}");
            for (found, expected) in found.iter().zip(&expected) {
                // A saved result does not have the similarity of two that are no pair of it.
                let is_equal = found == expected
                    || found.starts_with(&format!("{},\"jaccard\":", &expected[..expected.len() - 1]));
                assert!(is_equal, "{choice:?}\n{found}\n{expected}");
            }
            let most = candidates("all.json") / if linkage == "complete" { 1 } else { 4 };
            assert!(candidates("few.json") <= most, "{choice:?}: {} of {most}", candidates("few.json"));
        }
    }
}

#[test]
fn duplicates_are_removed_within_each_group() {
    let rows = |rows: &[(&str, &str)]| -> String {
        rows.iter().map(|(who, text)| format!("{{\"who\":\"{who}\",\"text\":\"{text}\"}}\n")).collect()
    };
    let corpus = Workspace::new("unique_groups")
        .file("a.jsonl", rows(&[("x", FOX), ("y", FOX), ("x", FOX), ("y", LOREM), ("x", CAT), ("", CAT)]))
        .file("in/x/a.txt", FOX)
        .file("in/y/b.txt", FOX)
        .file("in/y/c.txt", CAT);
    let args = ["a.jsonl", "-o", "b.jsonl", "--group-by", "field:who", "--within-groups", "-t", "0.7"];
    unique(&corpus, &args, 0);
    assert_eq!(corpus.read("b.jsonl"), rows(&[("x", FOX), ("y", FOX), ("y", LOREM), ("", CAT)]));
    unique(&corpus, &["in", "-o", "out", "--group-by", "dir", "--within-groups", "-t", "0.7"], 0);
    assert!(corpus.path("out/x/a.txt").exists() && corpus.path("out/y/b.txt").exists());
    assert!(!corpus.path("out/y/c.txt").exists());
}
