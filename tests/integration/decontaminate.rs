//! `dedup decontaminate`: documents that contain passages of benchmarks are found in every disguise, and what stays is byte for
//! byte what it was.

use std::fs;

use serde_json::{Value, json};

use crate::packing::{packed, unpacked};
use crate::support::*;

const QUESTION: &str = "Natalia's bakery sold 48 crème tarts in April, and then it sold half as many tarts in the month of May. \
    How many tarts did the bakery sell altogether in April and May of that year?";
const OTHER: &str = "A farmer has seventeen sheep and all but nine of them run away across the hills during a storm in the night. \
    How many sheep are left for the farmer to shear in the morning?";
const CLEAN: &str =
    "The harbour was quiet when the first ferry left, and nobody on the pier thought of tarts or sheep at all.";

fn lines(texts: &[&str]) -> String {
    texts.iter().enumerate().map(|(id, text)| format!("{{\"id\": {id},  \"text\": {}}}\n", json!(text))).collect()
}

fn benchmark() -> String {
    [QUESTION, OTHER, "Too short?", CLEAN_QUESTION]
        .map(|text| json!({ "question": text, "answer": "72" }).to_string() + "\n")
        .concat()
}

const CLEAN_QUESTION: &str =
    "If a train leaves the station at noon and travels at forty miles an hour, when will it reach the border?";

/// The disguises of a text in which all its words stay.
pub(crate) fn disguises(text: &str) -> Vec<(&'static str, String)> {
    let words: Vec<&str> = text.split(' ').collect();
    let wrapped = words.chunks(5).map(|line| line.join(" ")).collect::<Vec<_>>();
    let nfd = text.replace('è', "e\u{300}").replace('ü', "u\u{308}");
    let half = words.len() / 2;
    vec![
        ("as it is", text.to_owned()),
        ("re-wrapped", wrapped.join("\r\n   ")),
        ("re-cased", text.to_uppercase()),
        ("other punctuation", text.replace(',', " —").replace('\'', "’").replace('?', "…")),
        (
            "references",
            text.replace('\'', "&#39;").replace('è', "&egrave;").replace('ü', "&amp;uuml;").replace(", ", ",&nbsp;"),
        ),
        ("NFD", nfd),
        ("zero width", text.replace('a', "a\u{200B}").replace('e', "\u{AD}e").replace('o', "o\u{2060}")),
        ("quoted", wrapped.join("\n> > ")),
        ("bullets", wrapped.join("\n  - ")),
        ("a JSON string", json!({ "q": wrapped.join("\n") }).to_string().replace('è', "\\u00e8")),
        ("Markdown", format!("## **{}** _{}_", words[..half].join(" "), words[half..].join("_ _"))),
        ("a page header", [&words[..half].join(" "), "\n\nPage 7 of 9\n\n", &words[half..].join(" ")].concat()),
    ]
}

fn workspace(train: &[&str]) -> Workspace {
    Workspace::new("decontaminate").file("train.jsonl", lines(train)).file("bench.jsonl", benchmark())
}

const ARGS: [&str; 6] = ["decontaminate", "train.jsonl", "--against", "bench.jsonl", "--against-field", "question"];

#[test]
fn a_leak_is_found_in_every_disguise_and_other_texts_stay_byte_for_byte() {
    let leaks: Vec<(&str, String)> = [QUESTION, OTHER]
        .into_iter()
        .flat_map(disguises)
        .map(|(name, text)| (name, format!("{CLEAN} {text} {CLEAN}")))
        .collect();
    let mut texts = vec![CLEAN];
    leaks.iter().for_each(|(_, text)| texts.extend([text.as_str(), CLEAN]));
    let workspace = workspace(&texts);
    let args = [&ARGS[..], &["-o", "clean.jsonl", "--hits", "hits.jsonl", "-q"]].concat();
    workspace.dedup(&args).stdout("").stderr("").exit_code(0);
    let before = fs::read_to_string(workspace.path("train.jsonl")).unwrap();
    let after: String = before.split_inclusive('\n').step_by(2).collect();
    assert_eq!(fs::read_to_string(workspace.path("clean.jsonl")).unwrap(), after);
    let hits = fs::read_to_string(workspace.path("hits.jsonl")).unwrap();
    let hits: Vec<Value> = hits.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(hits.len(), 2);
    for (hit, question) in hits.iter().zip([QUESTION, OTHER]) {
        assert_eq!((&hit["contaminated"], &hit["file"]), (&json!(true), &json!("bench.jsonl")));
        let text = &hit["texts"][0];
        assert_eq!(
            (&text["field"], &text["documents"], &text["coverage"]),
            (&json!("question"), &json!(12), &json!(1.0))
        );
        for found in text["found_in"].as_array().unwrap() {
            let id: usize = found["name"].as_str().unwrap().parse().unwrap();
            let (name, leak) = &leaks[id / 2];
            assert_eq!(text["words"], found["matched"], "{name}");
            let spans = found["spans"].as_array().unwrap();
            assert_eq!(spans.len(), if *name == "a page header" { 2 } else { 1 }, "{name}");
            let range =
                |key: &str| spans[0][key][0].as_u64().unwrap() as usize..spans[0][key][1].as_u64().unwrap() as usize;
            assert!(question[range("benchmark")].starts_with(question.split([' ', '\'']).next().unwrap()), "{name}");
            assert!(leak.get(range("document")).is_some(), "{name}");
        }
    }
}

#[test]
fn the_lines_for_people_say_how_much_of_each_file_was_found() {
    let part = &QUESTION[..QUESTION.find(" in the month").unwrap()];
    let workspace = workspace(&[CLEAN, QUESTION, part, CLEAN]);
    let look = |text: &str| {
        let mut lines = text.lines();
        let first = lines.next().unwrap();
        assert!(first.starts_with("1 of 4 documents contain enough of a benchmark, 1 more contain less; "), "{text}");
        let table = "  bench.jsonl: 1 of 4 contaminated, 1 wholly; 1 not searched for, with fewer than 8 words";
        assert_eq!(lines.next(), Some(table), "{text}");
        assert!(text.contains("written    3 kept, 1 removed; 1 file would be written"), "{text}");
    };
    let args = [&ARGS[..], &["-n", "--exit-code"]].concat();
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(1);
    let args = [&ARGS[..], &["-n", "-q", "--coverage", "0.3", "--summary", "s.json"]].concat();
    workspace.dedup(&args).stdout("").stderr("").exit_code(0);
    let summary: Value = serde_json::from_slice(&fs::read(workspace.path("s.json")).unwrap()).unwrap();
    assert_eq!(summary["contamination"]["contaminated"], 2);
    assert_eq!(summary["contamination"]["benchmarks"][0]["not_searched"], 1);
    assert_eq!(summary["decontaminate"]["kept"], 2);
}

#[test]
fn all_formats_are_read_and_written() {
    let csv = |text: &str| format!("7,\"{}\"\n", text.replace('"', "\"\""));
    let texts = [CLEAN, QUESTION, OTHER, CLEAN];
    for codec in ["", ".gz", ".zst"] {
        let (train, clean) = (format!("train.csv{codec}"), format!("clean.csv{codec}"));
        let table = "n,text\n".to_owned() + &texts.map(csv).concat();
        let workspace = Workspace::new("decontaminate_formats")
            .file(&train, packed(codec, table.as_bytes()))
            .file(format!("bench/a.txt{codec}"), packed(codec, QUESTION.as_bytes()))
            .file("bench/b.md", format!("# Sheep\n\n{OTHER}\n"));
        workspace
            .dedup(&["decontaminate", &train, "--against", "bench", "-q", "-o", &clean])
            .stdout("")
            .stderr("")
            .exit_code(0);
        let written = unpacked(codec, &fs::read(workspace.path(&clean)).unwrap());
        assert_eq!(String::from_utf8(written).unwrap(), "n,text\n".to_owned() + &csv(CLEAN) + &csv(CLEAN));
    }
}

#[test]
fn a_benchmark_in_the_corpus_is_not_a_part_of_it() {
    let workspace = Workspace::new("decontaminate_inside")
        .file("data/train.txt", format!("{CLEAN}\n{QUESTION}"))
        .file("data/other.txt", CLEAN)
        .file("data/tests/bench.jsonl", benchmark());
    let args = ["decontaminate", "data", "--against", "data/tests", "--against-field", "question", "-o", "clean"];
    let look = |text: &str| {
        assert!(text.contains("data/tests/bench.jsonl: the run reads it as --against; skipped"), "{text}");
    };
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(0);
    assert!(!workspace.path("clean/train.txt").exists() && !workspace.path("clean/tests/bench.jsonl").exists());
    assert!(workspace.path("clean/other.txt").exists());
    let args = ["decontaminate", "data/train.txt", "--against", "data", "-o", "none.txt"];
    let message = "dedup: data/train.txt: is a document of the corpus and a benchmark; remove it from one of them\n";
    workspace.dedup(&args).stdout("").stderr(message).exit_code(2);
    assert!(!workspace.path("none.txt").exists());
    let args = ["decontaminate", "data/tests", "--against", "data", "-o", "none"];
    let message = "dedup: data/tests: is a document of the corpus and a benchmark; remove it from one of them\n";
    workspace.dedup(&args).stdout("").stderr(message).exit_code(2);
}

#[test]
fn benchmarks_without_words_are_refused_before_anything_is_written() {
    let workspace = workspace(&[CLEAN]).file("empty.jsonl", "").file("short.jsonl", lines(&["a b c"]));
    for bench in ["empty.jsonl", "short.jsonl"] {
        let args = ["decontaminate", "train.jsonl", "--against", bench, "-o", "clean.jsonl", "-q"];
        let look = |text: &str| {
            let message = "dedup: the benchmarks: no text with at least 8 words was found in them; check their paths and the names of their fields\n";
            assert!(text.ends_with(message), "{text}");
        };
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
        assert!(!workspace.path("clean.jsonl").exists());
    }
    let args = ["decontaminate", "train.jsonl", "--against", "none.jsonl", "-o", "clean.jsonl", "-q"];
    workspace.dedup(&args).stdout("").stderr_with(|text| assert!(text.contains("none.jsonl"), "{text}")).exit_code(2);
}

#[test]
fn fields_of_a_benchmark_are_found_without_each_other() {
    let both = json!({ "question": QUESTION, "answer": OTHER }).to_string() + "\n";
    let workspace =
        Workspace::new("decontaminate_fields").file("train.jsonl", lines(&[CLEAN, OTHER])).file("bench.jsonl", both);
    let args = [
        "decontaminate",
        "train.jsonl",
        "--against",
        "bench.jsonl",
        "--against-field",
        "question",
        "--against-field",
        "answer",
        "--min-matched",
        "1000",
        "--coverage",
        "0.9",
        "-n",
        "--hits",
        "-",
    ];
    let look = |text: &str| {
        let hit: Value = serde_json::from_str(text).unwrap();
        let texts = hit["texts"].as_array().unwrap();
        assert_eq!((&texts[0]["field"], &texts[0]["matched"]), (&json!("question"), &json!(0)));
        assert_eq!((&texts[1]["field"], &texts[1]["coverage"]), (&json!("answer"), &json!(1.0)));
    };
    let table = "  bench.jsonl: 1 of 1 contaminated, 0 wholly\n";
    workspace.dedup(&args).stdout_with(look).stderr_with(|text| assert!(text.contains(table), "{text}")).exit_code(0);
}

#[test]
fn common_runs_are_cut_and_everything_else_stays() {
    let leak = format!("{CLEAN} \"{}\" {CLEAN}", QUESTION.to_uppercase());
    let workspace = workspace(&[CLEAN, &leak]).file("leak.txt", leak.as_bytes());
    let args = [&ARGS[..], &["-q", "--action", "cut", "-o", "-"]].concat();
    let look = |text: &str| {
        let texts: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((texts.len(), &texts[0]["text"]), (2, &json!(CLEAN)));
        let rest = texts[1]["text"].as_str().unwrap();
        assert!(rest.starts_with(CLEAN) && rest.ends_with(CLEAN) && rest.len() < 2 * CLEAN.len() + 8, "{rest}");
        assert!(text.starts_with("{\"id\": 0,  \"text\": ") && text.contains("{\"id\": 1,  \"text\": "), "{text}");
    };
    workspace.dedup(&args).stdout_with(look).stderr("").exit_code(0);
    let args = [
        "decontaminate",
        "leak.txt",
        "--against",
        "bench.jsonl",
        "--against-field",
        "question",
        "-q",
        "--action",
        "cut",
        "-o",
        "-",
    ];
    let look = |text: &str| {
        assert!(text.starts_with(CLEAN) && text.ends_with(CLEAN) && text.len() < 2 * CLEAN.len() + 8, "{text}")
    };
    workspace.dedup(&args).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn formats_that_are_not_cut_are_refused_with_their_number_before_anything_is_written() {
    let page = format!("<html><body><p>{QUESTION}</p></body></html>");
    let workspace = workspace(&[CLEAN])
        .file("in/a.txt", QUESTION)
        .file("in/b.html", &page)
        .file("in/c.htm", &page)
        .file("in/d.html", format!("<p>{CLEAN}</p>"));
    let args = ["in", "--against", "bench.jsonl", "--against-field", "question", "-q"];
    let refused = "dedup: in/b.html (and 1 more): its text cannot be cut in place: it is a web page; \
        exclude it, or remove such documents with --action drop\n";
    let cut = [&["decontaminate"], &args[..], &["--action", "cut", "-o", "out"]].concat();
    workspace.dedup(&cut).stdout("").stderr(refused).exit_code(2);
    assert!(!workspace.path("out").exists());
    let drop = [&["decontaminate"], &args[..], &["-o", "out"]].concat();
    workspace.dedup(&drop).stdout("").stderr("").exit_code(0);
    assert!(workspace.path("out/d.html").exists() && !workspace.path("out/c.htm").exists());
}

#[test]
fn contaminated_records_are_marked() {
    let workspace = workspace(&[CLEAN, QUESTION, CLEAN]).file("leak.txt", QUESTION);
    let before = fs::read_to_string(workspace.path("train.jsonl")).unwrap();
    let mark =
        ",\"dedup_contaminated\":{\"benchmark\":\"bench.jsonl:1\",\"coverage\":1.0,\"matched\":36,\"texts\":1}}\n";
    let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
    lines[1] = lines[1].replace("}\n", mark);
    let args = [&ARGS[..], &["-q", "--action", "mark", "-o", "-"]].concat();
    workspace.dedup(&args).stdout(&lines.concat()).stderr("").exit_code(0);
    let args = [
        "decontaminate",
        "leak.txt",
        "--against",
        "bench.jsonl",
        "--against-field",
        "question",
        "--action",
        "mark",
        "-o",
        "x.txt",
    ];
    let look = |text: &str| {
        assert!(
            text.contains("cannot be marked: a mark is a field of a JSON record, and it has none; use another action"),
            "{text}"
        )
    };
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    assert!(!workspace.path("x.txt").exists());
}

#[test]
fn a_record_is_not_marked_twice() {
    let workspace = workspace(&[CLEAN, QUESTION]);
    let args = [&ARGS[..], &["-q", "--action", "mark", "-o", "marked.jsonl"]].concat();
    workspace.dedup(&args).stdout("").stderr("").exit_code(0);
    let args = [
        "decontaminate",
        "marked.jsonl",
        "--against",
        "bench.jsonl",
        "--against-field",
        "question",
        "-q",
        "--action",
        "mark",
        "-o",
        "again.jsonl",
    ];
    let look = |text: &str| {
        let why = "cannot be marked: record 1 has a mark already; remove its field first; use another action";
        assert!(text.contains(why), "{text}");
    };
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    assert!(!workspace.path("again.jsonl").exists());
}

#[test]
fn a_text_that_is_cut_does_not_contain_the_benchmark_at_the_seam() {
    let (start, end) = QUESTION.split_at(QUESTION.find(" in the month").unwrap());
    let workspace = workspace(&[&format!("{CLEAN} {start} {QUESTION} {end} {CLEAN}")]);
    let args = [&ARGS[..], &["-q", "--action", "cut", "-o", "clean.jsonl"]].concat();
    workspace.dedup(&args).stdout("").stderr("").exit_code(0);
    let args = [
        "decontaminate",
        "clean.jsonl",
        "--against",
        "bench.jsonl",
        "--against-field",
        "question",
        "-q",
        "-n",
        "--coverage",
        "0",
        "--hits",
        "-",
    ];
    workspace.dedup(&args).stdout("").stderr("").exit_code(0);
}

#[test]
fn a_list_and_the_corpus_appear_together() {
    let workspace = workspace(&[CLEAN, QUESTION]);
    let args = [&ARGS[..], &["-q", "-o", "clean.jsonl", "--hits", "/dev/full"]].concat();
    let look = |text: &str| {
        assert!(text.starts_with("dedup: /dev/full: cannot write the list of found benchmarks: "), "{text}")
    };
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    assert!(!workspace.path("clean.jsonl").exists());
    let copies = workspace.file("copies.jsonl", lines(&[CLEAN, CLEAN, QUESTION, QUESTION]));
    for flags in [&["--removed"][..], &["--cut", "passages:5", "--cuts"]] {
        let args = [&["unique", "copies.jsonl", "-q", "-o", "clean.jsonl"], flags, &["/dev/full"]].concat();
        let look = |text: &str| assert!(text.contains("/dev/full: "), "{text}");
        copies.dedup(&args).stdout("").stderr_with(look).exit_code(2);
        assert!(!copies.path("clean.jsonl").exists());
    }
    let args = [&ARGS[..], &["-q", "-o", "clean.jsonl", "--hits", "hits.jsonl"]].concat();
    copies.dedup(&args).stdout("").stderr("").exit_code(0);
    assert!(copies.path("clean.jsonl").exists() && copies.path("hits.jsonl").exists());
    copies.assert_no_temporary_files();
}

#[test]
fn a_dry_run_reads_standard_input() {
    let workspace = workspace(&[]).stdin(lines(&[CLEAN, QUESTION]));
    let args = ["decontaminate", "-", "--against", "bench.jsonl", "--against-field", "question", "-n", "--exit-code"];
    let look = |text: &str| assert!(text.ends_with("written    1 kept, 1 removed\n"), "{text}");
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(1);
    let args =
        ["decontaminate", "-", "--against", "bench.jsonl", "--against-field", "question", "-q", "-o", "clean.jsonl"];
    let look = |text: &str| assert!(text.contains("save it as a file first"), "{text}");
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
}

#[test]
fn an_output_is_not_replaced_and_standard_output_is_complete() {
    let workspace = workspace(&[CLEAN, QUESTION]).file("clean.jsonl", "old").file("hits.jsonl", "old");
    let args = [&ARGS[..], &["-q", "-o", "clean.jsonl"]].concat();
    workspace
        .dedup(&args)
        .stdout("")
        .stderr_with(|text| assert!(text.contains("already exists"), "{text}"))
        .exit_code(2);
    let args = [&ARGS[..], &["-q", "-o", "-"]].concat();
    workspace.dedup(&args).stdout(&lines(&[CLEAN])).stderr("").exit_code(0);
    let args = [&ARGS[..], &["-q", "-n", "--hits", "hits.jsonl", "--force"]].concat();
    workspace
        .dedup(&args)
        .stdout("")
        .stderr_with(|text| assert!(text.contains("hits.jsonl: already exists"), "{text}"))
        .exit_code(2);
    assert_eq!(fs::read_to_string(workspace.path("hits.jsonl")).unwrap(), "old");
}
