//! Exact copies among near-duplicates, in all interleavings, against brute force over all pairs.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufReader, Read};
use std::process::Stdio;

use crate::support::*;

/// Signatures with which no pair of a test is missed: at similarity 0.5 with probability 2⁻²⁰⁰.
const FIND_ALL: [&str; 7] = ["--bands", "200", "--rows", "1", "--k", "3", "-q"];
const ALL_PAIRS: [&str; 4] = ["--all-pairs", "--k", "3", "-q"];

/// The slow twin: names, shared shingles and sizes of all pairs at or above `percent`.
fn brute_force(texts: &[String], percent: usize, collapse: bool) -> Vec<(String, String, u64, u64, u64)> {
    let sets: Vec<BTreeSet<[char; 3]>> = texts.iter().map(|text| shingles(text)).collect();
    let mut first_of_text = HashMap::new();
    let firsts: Vec<usize> = (0..texts.len()).map(|at| *first_of_text.entry(&texts[at]).or_insert(at)).collect();
    let mut pairs = Vec::new();
    for a in (0..texts.len()).filter(|&a| !texts[a].is_empty() && (!collapse || firsts[a] == a)) {
        for b in a + 1..texts.len() {
            if texts[b].is_empty() || (collapse && firsts[b] != b && firsts[b] != a) {
                continue;
            }
            let shared = sets[a].intersection(&sets[b]).count();
            let union = sets[a].len() + sets[b].len() - shared;
            if shared * 100 >= union * percent {
                let (len_a, len_b) = (sets[a].len() as u64, sets[b].len() as u64);
                pairs.push((a.to_string(), b.to_string(), shared as u64, len_a, len_b));
            }
        }
    }
    pairs
}

/// The shingles of three characters of a text without white space, or all of a shorter one.
fn shingles(text: &str) -> BTreeSet<[char; 3]> {
    let mut characters: Vec<char> = text.chars().collect();
    if !characters.is_empty() && characters.len() < 3 {
        characters.resize(3, '\0');
    }
    characters.windows(3).map(|shingle| [shingle[0], shingle[1], shingle[2]]).collect()
}

/// Scans `texts` as records, both ways, with several numbers of threads, and compares with brute force.
fn assert_equals_brute_force(texts: &[String], percent: usize, threads: &[&str]) {
    let line = |(id, text): (usize, &String)| format!("{}\n", serde_json::json!({ "id": id, "text": text }));
    let corpus = Workspace::new("copies").file("c.jsonl", texts.iter().enumerate().map(line).collect::<String>());
    let threshold = (percent as f64 / 100.0).to_string();
    for collapse in [false, true] {
        let expected = brute_force(texts, percent, collapse);
        let ways = threads.iter().flat_map(|threads| [(threads, &FIND_ALL[..]), (threads, &ALL_PAIRS)]);
        for (threads, method) in ways {
            let mut args = vec!["scan", "c.jsonl", "--threshold", &threshold, "--threads", threads];
            args.extend(method);
            args.extend(collapse.then_some("--collapse-exact"));
            let look = |stdout: &str| {
                let actual: Vec<_> = records(stdout)
                    .iter()
                    .map(|p| (name(&p.a).to_owned(), name(&p.b).to_owned(), p.shared, p.shingles_a, p.shingles_b))
                    .collect();
                let place = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
                assert!(
                    expected == actual,
                    "collapse {collapse}, {threads} threads, {method:?}: {} pairs, not {}; from {place}: {:?}, not {:?}\n{texts:?}",
                    actual.len(),
                    expected.len(),
                    actual.get(place),
                    expected.get(place),
                );
            };
            // Where each text is shorter than one shingle, a warning says so.
            let is_quiet =
                |stderr: &str| assert!(stderr.is_empty() || stderr.contains("shorter than one shingle"), "{stderr}");
            corpus.dedup(&args).stdout_with(look).stderr_with(is_quiet).exit_code(0);
        }
    }
}

/// A text with `edits` letters at its end replaced by those of a variant; different families share no shingle.
fn variant(family: usize, number: usize, edits: usize) -> String {
    let letter = |index: usize| char::from_u32(0x2_0000 + index as u32).unwrap();
    let base = (0..20 - edits).map(|index| letter(family * 40 + index));
    base.chain((0..edits).map(|index| letter(family * 40 + 20 + number * 5 + index))).collect()
}

#[test]
fn every_interleaving_of_three_texts_and_their_copies_equals_brute_force() {
    // B is near to A, which ends in another way, and to C, which begins in another way; A and C are not alike.
    let near = |text: usize, family: usize| -> String {
        let letters: Vec<char> = variant(family, 0, 0).chars().chain(variant(family, 0, 6).chars().skip(14)).collect();
        match text {
            0 => letters[..17].iter().chain(&letters[20..23]).collect(),
            1 => letters[..20].iter().collect(),
            _ => letters[23..26].iter().chain(&letters[3..20]).collect(),
        }
    };
    let shared = |a, b| shingles(&near(a, 0)).intersection(&shingles(&near(b, 0))).count();
    assert_eq!((shared(0, 1), shared(1, 2), shared(0, 2)), (15, 15, 12), "15 of 21, 15 of 21, and 12 of 24");
    // Each of the 3⁶ arrangements is a family of its own, so that all of them make one corpus. Families are dealt out
    // twice over: side by side, and all at once, which is when many texts wait for copies at the same time.
    let arrangement = |family: usize, place: usize| near(family / 3usize.pow(place as u32) % 3, family);
    let side_by_side = (0..729).flat_map(|family| (0..6).map(move |place| (family, place)));
    let all_at_once = (0..6).flat_map(|place| (0..729).map(move |family| (family, place)));
    let side_by_side: Vec<String> = side_by_side.map(|(family, place)| arrangement(family, place)).collect();
    let all_at_once: Vec<String> = all_at_once.map(|(family, place)| arrangement(family, place)).collect();
    assert_equals_brute_force(&side_by_side, 65, &["2"]);
    assert_equals_brute_force(&all_at_once, 65, &["2"]);
}

#[test]
fn random_corpora_of_copies_equal_brute_force() {
    for seed in 0..num_cases(12, 40) {
        let mut random = Random(seed);
        let num_texts = 1 + random.below(12);
        // One or two edits anywhere make chains of texts that are near, but not all to each other.
        let mut texts = vec![variant(0, 0, 0)];
        while texts.len() < num_texts {
            let mut text: Vec<char> = texts[random.below(texts.len())].chars().collect();
            for _ in 0..=random.below(2) {
                let place = random.below(text.len());
                text[place] = char::from(b'a' + random.below(26) as u8);
            }
            texts.push(text.into_iter().collect());
        }
        // An empty text is in no pair, a short one is a single shingle.
        texts.extend([String::new(), "xy".to_owned()]);
        let num_documents = 1 + random.below(60);
        let corpus: Vec<String> = (0..num_documents).map(|_| texts[random.below(texts.len())].clone()).collect();
        assert_equals_brute_force(&corpus, [50, 60, 75, 100][seed as usize % 4], &["1", "3"]);
    }
}

#[test]
fn copies_far_apart_are_joined_across_blocks() {
    // 1,500 documents are more than the first blocks of the second pass hold.
    for seed in 0..3 {
        let mut random = Random(1000 + seed);
        let mut corpus: Vec<String> = (0..1500)
            .map(|document| match random.below(3) {
                0 => variant(document, 0, 0),
                _ => variant(2000 + random.below(40), random.below(3), random.below(5)),
            })
            .collect();
        random.shuffle(&mut corpus);
        assert_equals_brute_force(&corpus, 60, &["1", "2", "16"]);
    }
}

#[test]
fn collapsed_copies_are_told_once_with_the_first_of_their_text() {
    let corpus = Workspace::new("collapse").file("1", FOX).file("2", CAT).file("3", FOX).file("4", CAT).file("5", FOX);
    let all = ["1 2", "1 3", "1 4", "1 5", "2 3", "2 4", "2 5", "3 4", "3 5", "4 5"];
    corpus.dedup(&["scan", ".", "-q"]).pairs(&all).stderr("").exit_code(0);
    corpus.dedup(&["scan", ".", "-q", "--collapse-exact"]).pairs(&["1 2", "1 3", "1 5", "2 4"]).stderr("").exit_code(0);
}

fn equal_records(groups: &[usize]) -> String {
    groups
        .iter()
        .enumerate()
        .flat_map(|(group, &len)| {
            (0..len).map(move |_| {
                format!("{}\n", serde_json::json!({ "text": format!("{} {FOX}", "abc".repeat(group * 20)) }))
            })
        })
        .collect()
}

#[test]
fn a_million_pairs_of_copies_are_announced_and_printed() {
    let corpus = Workspace::new("many_copies").file("c.jsonl", equal_records(&[1500]));
    let mut child =
        corpus.command(&["scan", "-q", "c.jsonl"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::with_capacity(1 << 20, child.stdout.take().unwrap()).bytes();
    assert_eq!(lines.filter(|byte| matches!(byte, Ok(b'\n'))).count(), 1500 * 1499 / 2);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(
        stderr,
        "dedup: warning: 1,124,250 pairs among equal texts (1 group, the largest of 1,500 documents) will be printed; \
         --collapse-exact prints each copy once\n"
    );
    assert_eq!(wait(&mut child).code(), Some(0));

    let each_once: String = (2..=1500).map(|line| copies("c.jsonl:1", &format!("c.jsonl:{line}"), 36)).collect();
    corpus.dedup(&["scan", "-q", "c.jsonl", "--collapse-exact"]).stdout(&each_once).stderr("").exit_code(0);
}

#[test]
fn many_pairs_of_copies_are_announced_across_sides_and_groups() {
    let records = |group: &str| format!("{}\n", serde_json::json!({ "g": group, "text": FOX })).repeat(1100);
    let corpus = Workspace::new("many_across").file("a.jsonl", records("x")).file("b.jsonl", records("y"));
    let across = ["--group-by", "field:g"];
    let says = "dedup: warning: 1,210,000 pairs among equal texts (1 group, the largest of 2,200 documents) will be printed; \
                --collapse-exact prints each copy once\n";
    for command in [
        &["compare", "-q", "a.jsonl", "--against", "b.jsonl"][..],
        &[&["scan", "-q", "a.jsonl", "b.jsonl"], &across[..]].concat(),
    ] {
        let output = corpus.command(command).stdout(Stdio::null()).output().unwrap();
        assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), (says, Some(0)));
        let once = [command, &["--collapse-exact"]].concat();
        corpus.dedup(&once).stdout_with(|stdout| assert_eq!(stdout.lines().count(), 1)).stderr("").exit_code(0);
    }
}

#[test]
fn many_pairs_are_announced_also_when_no_group_has_them_alone() {
    let corpus = Workspace::new("many_groups").file("c.jsonl", equal_records(&[1100, 1200]));
    let mut child =
        corpus.command(&["scan", "-q", "c.jsonl"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(
        stderr,
        "dedup: warning: 1,323,850 pairs among equal texts (2 groups, the largest of 1,200 documents) will be printed; \
         --collapse-exact prints each copy once\n"
    );
    assert_eq!(wait(&mut child).code(), Some(0));
}
