//! `dedup decontaminate` with planted leaks: how many test items it finds in each disguise, and how many texts without a leak
//! it removes.
//!
//! `DEDUP_TRIAL=long cargo test --test integration decontaminate_trial` plants 100,000 test items in 10 GB, and `DEDUP_TRIAL=3`
//! 30,000 in 3 GB. The clean corpus needs as much again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use serde_json::{Value, json};

use crate::decontaminate::disguises;
use crate::random::Random;
use crate::support::*;

/// The number of distinct words.
const VOCABULARY: usize = 5_000;
/// The disguise in which no run of 13 words is left.
const CHANGED: &str = "one word changed in ten";

/// A word of syllables; some have accents or an apostrophe.
fn word(mut number: usize) -> String {
    let mut word = String::new();
    while number > 0 || word.is_empty() {
        word += ["ba", "de", "fi", "go", "lu", "mè", "no", "ra", "si", "tü", "o'", "wen"][number % 12];
        number /= 12;
    }
    word + "n"
}

fn text(random: &mut Random, len: usize) -> String {
    let mut text = String::new();
    for at in 0..len {
        text += if at == 0 { "" } else { " " };
        text += &word(random.skewed(VOCABULARY));
        text += ["", "", "", "", "", "", ",", "."][random.below(8)];
    }
    text + "?"
}

fn changed(text: &str) -> String {
    let words = text.split(' ').enumerate();
    words.map(|(at, word)| if at % 10 == 5 { "other" } else { word }).collect::<Vec<_>>().join(" ")
}

#[test]
fn questions_are_found_in_every_disguise_that_leaves_a_run() {
    let form = std::env::var("DEDUP_TRIAL").ok();
    let gigabytes = form.and_then(|form| if form == "long" { Some(10) } else { form.parse::<usize>().ok() });
    let (num_questions, clean_bytes) =
        gigabytes.map_or((390, 2_000_000), |number| (10_000 * number, 1_000_000_000 * number));
    let workspace = Workspace::new("decontaminate_trial");
    let mut random = Random(41);
    let questions: Vec<String> = (0..num_questions)
        .map(|_| {
            let len = 26 + random.below(35);
            text(&mut random, len)
        })
        .collect();
    let mut out = BufWriter::new(File::create(workspace.path("bench.jsonl")).unwrap());
    questions.iter().for_each(|question| writeln!(out, "{}", json!({ "question": question, "answer": "7" })).unwrap());
    out.flush().unwrap();
    let mut out = BufWriter::new(File::create(workspace.path("train.jsonl")).unwrap());
    let (mut planted, mut num_bytes, mut clean) = (BTreeMap::new(), 0, 0);
    for (number, question) in questions.iter().enumerate() {
        // Texts without a leak, and parts of them around the leak.
        while num_bytes < clean_bytes / num_questions * number {
            let len = 40 + random.below(300);
            let line = json!({ "id": format!("clean {clean}"), "text": text(&mut random, len) }).to_string();
            num_bytes += line.len();
            clean += 1;
            writeln!(out, "{line}").unwrap();
        }
        let mut all = disguises(question);
        all.push((CHANGED, changed(question)));
        let (name, leak) = all.swap_remove(number % all.len());
        *planted.entry(name).or_insert(0) += 1;
        let (before, after) = (random.below(100), random.below(100));
        let around = [text(&mut random, before + 1), text(&mut random, after + 1)];
        let leak = format!("{}\n\n{leak}\n\n{}", around[0], around[1]);
        writeln!(out, "{}", json!({ "id": format!("{name}: {number}"), "text": leak })).unwrap();
    }
    out.flush().unwrap();
    for (min_run, finds_changed) in [("13", false), ("8", true)] {
        let args = [
            "decontaminate",
            "train.jsonl",
            "--against",
            "bench.jsonl",
            "--against-field",
            "question",
            "--min-run",
            min_run,
            "-q",
            "-o",
            "clean.jsonl",
            "--force",
        ];
        workspace.dedup(&args).stdout("").stderr("").exit_code(0);
        let (mut missed, mut kept) = (BTreeMap::new(), 0);
        for line in BufReader::new(File::open(workspace.path("clean.jsonl")).unwrap()).lines() {
            let record: Value = serde_json::from_str(&line.unwrap()).unwrap();
            match record["id"].as_str().unwrap().split_once(": ") {
                None => kept += 1,
                Some((name, _)) => *missed.entry(name.to_owned()).or_insert(0) += 1,
            }
        }
        println!(
            "--min-run {min_run}: {planted:?} planted, {missed:?} missed, {} of {clean} others removed",
            clean - kept
        );
        assert_eq!(kept, clean);
        let expected =
            if finds_changed { BTreeMap::new() } else { BTreeMap::from([(CHANGED.to_owned(), planted[CHANGED])]) };
        assert_eq!(missed, expected);
    }
}
