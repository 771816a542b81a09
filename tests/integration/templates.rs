//! `--template` and `--max-df`: shingles that are removed from every document before it is compared.

use std::collections::BTreeSet;
use std::fs;

use ::zip::CompressionMethod;

use crate::packing::{gzip, zip};
use crate::scope_twin::{ALL_PAIRS, FIND_ALL, random_texts, shingles};
use crate::support::*;

const FORM: &str =
    "This form is to be filled in by hand, in black ink, and to be sent to the office by the end of May.";

/// Two answers that are alike only by the form, two that are alike by themselves, and a form that was left empty.
fn forms(name: &'static str) -> Workspace {
    let answer = |text: &str| format!("{FORM} {text}");
    Workspace::new(name)
        .file("form.txt", FORM)
        .file("in/a", answer("My answer is no, for a reason."))
        .file("in/b", answer("I say yes."))
        .file("in/c", answer(FOX))
        .file("in/d", answer(CAT))
        .file("in/e", format!("  {FORM}\n"))
        .file("in/f", answer(FOX))
        .file("in/g", "")
}

#[test]
fn what_documents_have_of_the_template_makes_no_pair() {
    let corpus = forms("template");
    let scan = |args: &[&str]| corpus.dedup(&[&["scan", "-q", "in", "--threshold", "0.7"], args].concat());
    scan(&[]).stdout_with(|stdout| assert!(records(stdout).len() == 5, "{stdout}")).stderr("").exit_code(0);
    // The form has 91 shingles of 9 characters. Of `c` and `d` the 45 that end after it are left, of which the last 4 differ.
    let look = |stdout: &str| {
        let found: Vec<_> = records(stdout).iter().map(|pair| (pair.shared, pair.jaccard_raw)).collect();
        let (union, shared) = (49.0 + 91.0, 41.0 + 91.0);
        assert_eq!(found, [(41, Some(shared / union)), (45, Some(1.0)), (41, Some(shared / union))], "{stdout}");
        assert!(stdout.lines().all(|line| line.contains(r#","jaccard_raw":"#)), "{stdout}");
    };
    scan(&["--template", "form.txt"]).stdout_with(look).stderr("").exit_code(0);
    scan(&["--template", "form.txt", "--collapse-exact"]).pairs(&["in/c in/d", "in/c in/f"]).stderr("").exit_code(0);
}

#[test]
fn the_summary_says_what_was_removed() {
    let corpus = forms("template_summary");
    corpus
        .dedup(&["scan", "in", "--template", "form.txt", "--summary", "s", "--stats"])
        .pairs(&["in/c in/d", "in/c in/f", "in/d in/f"])
        .stderr(
            "documents  7 (774 B), 1 empty\n\
             copies     1 in 1 group of equal texts\n\
             removed    546 occurrences of shingles in 6 documents (91 in templates); nothing is left of 1\n\
             candidates 1 pair of distinct texts\n\
             pairs      3 at or above 0.8\n\
             recall     99.96 % of the pairs at 0.8 are found (20 bands x 5 rows)\n\
             memory     <bytes>\n\
             time       <times>\n",
        )
        .exit_code(0);
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(corpus.path("s")).unwrap()).unwrap();
    let expected = serde_json::json!({ "template_shingles": 91, "frequent_shingles": 0, "shingles": 546, "documents": 6, "emptied": 1 });
    assert_eq!(summary["removed"], expected);
}

#[test]
fn templates_are_files_folders_and_records_and_may_be_many() {
    let record = format!("{}\n", serde_json::json!({ "text": FORM }));
    let corpus = Workspace::new("template_inputs").file("in/a", format!("{FORM} {FOX}")).file("in/b", FORM);
    let corpus = corpus.file("in/c", FOX).file("t/fox", FOX).file("t/form.jsonl", record);
    let pairs = |args: &[&str], pairs: &[&str]| {
        corpus
            .dedup(&[&["scan", "-q", "in", "--threshold", "0.5"], args].concat())
            .pairs(pairs)
            .stderr("")
            .exit_code(0);
    };
    pairs(&[], &["in/a in/b"]);
    pairs(&["--template", "t/form.jsonl"], &["in/a in/c"]);
    pairs(&["--template", "t/fox"], &["in/a in/b"]);
    pairs(&["--template", "t"], &[]);
    pairs(&["--template", "t/fox", "--template", "in/b"], &[]);
    // The globs are for documents.
    pairs(&["--template", "t/form.jsonl", "--exclude", "form*"], &["in/a in/c"]);
}

#[test]
fn a_template_that_cannot_be_read_ends_the_run() {
    let corpus = Workspace::new("template_errors")
        .file("a", FOX)
        .file("bad", b"\xFF")
        .file("bad.jsonl", "{\"text\":\"x\"}\n{\n");
    for (template, fault) in [
        ("nowhere", "nowhere: no such file or folder; check the path"),
        ("bad", "bad: not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace"),
    ] {
        let message = format!("dedup: --template: {fault}\n");
        corpus.dedup(&["scan", "a", "--template", template]).stdout("").stderr(&message).exit_code(2);
    }
    let output = corpus.command(&["scan", "a", "--template", "bad.jsonl"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.starts_with("dedup: --template: bad.jsonl:2: malformed record") && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn random_corpora_less_a_template_and_frequent_shingles_equal_brute_force() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let num_documents = 2 + random.below(50);
        let texts = random_texts(&mut random, num_documents);
        // A piece of a document, so that every document loses some, all or nothing.
        let template: String = texts[0].chars().skip(random.below(10)).take(random.below(30)).collect();
        let removed = shingles(&template);
        let whole: Vec<BTreeSet<Vec<char>>> = texts.iter().map(|text| shingles(text)).collect();
        // With the template, with a limit, with both; of equal texts one is counted.
        let distinct: BTreeSet<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
        let most = 1 + random.below(distinct.len().max(1));
        let (with_template, with_limit) = [(true, false), (false, true), (true, true)][seed as usize % 3];
        let mut removed = if with_template { removed } else { BTreeSet::new() };
        for shingle in whole.iter().flatten().filter(|_| with_limit) {
            if distinct.iter().filter(|text| shingles(text).contains(shingle)).count() > most {
                removed.insert(shingle.clone());
            }
        }
        let left: Vec<BTreeSet<Vec<char>>> = whole.iter().map(|set| set - &removed).collect();
        let percent = [50, 60, 75, 100][seed as usize % 4];
        let mut expected = Vec::new();
        for a in 0..texts.len() {
            for b in a + 1..texts.len() {
                let (shared, union) = (left[a].intersection(&left[b]).count(), left[a].union(&left[b]).count());
                if !left[a].is_empty() && !left[b].is_empty() && shared * 100 >= union * percent {
                    let raw =
                        whole[a].intersection(&whole[b]).count() as f64 / whole[a].union(&whole[b]).count() as f64;
                    expected.push((a.to_string(), b.to_string(), shared, left[a].len(), left[b].len(), Some(raw)));
                }
            }
        }
        let line = |(id, text): (usize, &String)| format!("{}\n", serde_json::json!({ "id": id, "text": text }));
        let corpus = Workspace::new("random_templates")
            .file("c.jsonl", texts.iter().enumerate().map(line).collect::<String>())
            .file("t", &template);
        let threshold = (percent as f64 / 100.0).to_string();
        let fast = [&FIND_ALL[..], &["--signature", "fast"]].concat();
        for method in [&FIND_ALL[..], &fast, &ALL_PAIRS] {
            let mut args = vec!["scan", "c.jsonl", "--threshold", &threshold];
            let most = most.to_string();
            args.extend(["--template", "t"].into_iter().filter(|_| with_template));
            args.extend(["--max-df", &most].into_iter().filter(|_| with_limit));
            args.extend(method);
            let look = |stdout: &str| {
                let found: Vec<_> = records(stdout)
                    .iter()
                    .map(|pair| {
                        let [shared, a, b] = [pair.shared, pair.shingles_a, pair.shingles_b].map(|len| len as usize);
                        (name(&pair.a).to_owned(), name(&pair.b).to_owned(), shared, a, b, pair.jaccard_raw)
                    })
                    .collect();
                assert_eq!(
                    found, expected,
                    "seed {seed}, {method:?}, at most {most}, template {template:?}, texts {texts:?}"
                );
            };
            let mut warnings = String::new();
            if with_template && template.trim().is_empty() {
                warnings += NO_TEXT;
            }
            if with_limit && most == "1" {
                warnings += MOST_1;
            }
            corpus.dedup(&args).stdout_with(look).stderr(&warnings).exit_code(0);
        }
    }
}

#[test]
fn templates_may_be_packed_and_of_any_format() {
    let csv = format!("id,text\n1,x\n2,\"{FORM}\"\n");
    let corpus = Workspace::new("template_formats")
        .file("in/a", format!("{FORM} {FOX}"))
        .file("in/b", FORM)
        .file("in/c", FOX)
        .file("t.csv", &csv)
        .file("t.csv.gz", gzip(&csv))
        .file("t.zip", zip(&[("f/t.html", format!("<p>{FORM}").as_bytes())], CompressionMethod::Deflated))
        .file("bad.csv.gz", gzip(format!("{csv}3\n4\n")));
    for template in ["t.csv", "t.csv.gz", "t.zip"] {
        for threads in ["1", "4"] {
            corpus
                .dedup(&["scan", "-q", "in", "--threshold", "0.5", "--template", template, "--threads", threads])
                .pairs(&["in/a in/c"])
                .stderr("")
                .exit_code(0);
        }
    }
    corpus
        .dedup(&["scan", "-q", "in", "--template", "bad.csv.gz"])
        .stdout("")
        .stderr("dedup: --template: bad.csv.gz:4: malformed row: 1 field where the header has 2\n")
        .exit_code(2);
}

#[test]
fn emptied_documents_are_listed_as_such_and_short_ones_are_left_out_first() {
    let corpus = forms("template_list");
    let list = |flags: &[&str]| {
        let args =
            [&["scan", "-q", "in/a", "in/e", "in/g", "--list-documents", "--template", "form.txt"], flags].concat();
        let output = corpus.command(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let used = "{\"name\":\"in/a\",\"treated\":\"used\",\"bytes\":130,\"tokens\":130,\"shingles\":31}\n";
    let emptied = "{\"name\":\"in/e\",\"treated\":\"emptied\",\"bytes\":102,\"tokens\":99,\"shingles\":0}\n";
    let empty = "{\"name\":\"in/g\",\"treated\":\"empty\",\"bytes\":0,\"tokens\":0,\"shingles\":0}\n";
    assert_eq!(list(&[]), [used, emptied, empty].concat());
    let left_out = list(&["--min-tokens", "100"]);
    assert!(left_out.starts_with(used) && left_out.matches("few_tokens").count() == 2, "{left_out}");
}

#[test]
fn templates_do_with_sides_and_multisets() {
    let corpus = forms("template_sides");
    corpus
        .dedup(&["compare", "-q", "in/a", "in/c", "in/e", "--against", "in", "--template", "form.txt"])
        .pairs(&["in/a in/a", "in/c in/c", "in/c in/d", "in/c in/f"])
        .stderr("")
        .exit_code(0);
    // What a document has more often than the template stays in as often as it has it more.
    let corpus = Workspace::new("template_bag").file("a", "x x x y").file("b", "x x x z").file("t", "x x w");
    let look = |stdout: &str| {
        let pair = &records(stdout)[0];
        assert_eq!((pair.shared, pair.shingles_a, pair.shingles_b, pair.jaccard_raw), (1, 2, 2, Some(3.0 / 5.0)));
    };
    let args =
        ["scan", "-q", "a", "b", "--template", "t", "--bag", "--shingle", "word", "--k", "1", "--threshold", "0.3"];
    let find_all = ["--bands", "200", "--rows", "1"];
    corpus.dedup(&[&args[..], &find_all].concat()).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn what_too_many_documents_have_makes_no_pair() {
    let corpus = forms("max_df");
    // The form is in five texts of six documents; what the others have is in two at most.
    for limit in ["4", "2", "80%", "40%"] {
        corpus
            .dedup(&["scan", "-q", "in", "--max-df", limit])
            .pairs(&["in/c in/d", "in/c in/f", "in/d in/f"])
            .stderr("")
            .exit_code(0);
    }
    let whole = ["in/b in/e", "in/c in/d", "in/c in/f", "in/d in/f"];
    for limit in ["5", "100%"] {
        corpus.dedup(&["scan", "-q", "in", "--max-df", limit]).pairs(&whole).stderr("").exit_code(0);
    }
    // What only one text has is left: the documents with equal texts are pairs, and no others.
    corpus.dedup(&["scan", "-q", "in", "--max-df", "1"]).pairs(&["in/c in/f"]).stderr(MOST_1).exit_code(0);
    let warning = "dedup: warning: --max-df comes to 0 of these documents, so every shingle is removed; give a larger \
                   number or share\n";
    corpus.dedup(&["scan", "-q", "in", "--max-df", "5%"]).stdout("").stderr(warning).exit_code(0);
    corpus
        .dedup(&["compare", "in/a", "--against", "in/b", "in/e", "--max-df", "2", "-q"])
        .stdout("")
        .stderr("")
        .exit_code(0);
    corpus
        .dedup(&["scan", "--stats", "in", "--max-df", "4"])
        .pairs(&["in/c in/d", "in/c in/f", "in/d in/f"])
        .stderr_with_line(
            "removed    546 occurrences of shingles in 6 documents (91 in more than 4 documents); nothing is left of 1",
        )
        .exit_code(0);
    let wrong = |given| {
        let what = "give a number of documents of 1 or more, or a share of them above 0% and up to 100%, such as 5%";
        format!("dedup: --max-df {given}: {what}; see dedup scan --help\n")
    };
    corpus.dedup(&["scan", "in", "--max-df", "0"]).stdout("").stderr(&wrong("0")).exit_code(2);
    corpus.dedup(&["scan", "in", "--max-df", "-1"]).stdout("").stderr(&wrong("-1")).exit_code(2);
}

const NO_TEXT: &str = "dedup: warning: --template: contains no text, so nothing is removed; check the paths\n";
const MOST_1: &str = "dedup: warning: --max-df comes to 1 of these documents, so no two different texts have a shingle in \
                      common; give a larger number or share\n";

#[test]
fn a_template_without_text_is_warned_of() {
    let corpus = forms("empty_template").folder("none").file("blank", " \n");
    for template in ["none", "blank"] {
        let whole = ["in/b in/e", "in/c in/d", "in/c in/f", "in/d in/f"];
        corpus.dedup(&["scan", "-q", "in", "--template", template]).pairs(&whole).stderr(NO_TEXT).exit_code(0);
    }
}

#[test]
fn standard_input_is_counted_and_then_read_again() {
    let line = |text: &str| format!("{}\n", serde_json::json!({ "text": text }));
    let input = line(&format!("{FORM} {FOX}")) + &line(&format!("{FORM} {CAT}")) + &line(FORM);
    let corpus = Workspace::new("max_df_stdin").stdin(input);
    corpus
        .dedup(&["scan", "-", "--input-format", "jsonl", "-q", "--max-df", "2"])
        .pairs(&["-:1 -:2"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn what_is_unpacked_is_counted_and_then_read_again() {
    let row = |id: &str, text: &str| format!("{id},\"{text}\"\n");
    let first = format!("id,text\n{}{}", row("1", &format!("{FORM} {FOX}")), row("2", FORM));
    let second = format!("id,text\n{}{}", row("3", &format!("{FORM} {CAT}")), row("4", FORM));
    let corpus = Workspace::new("max_df_packed")
        .file("a.csv.gz", gzip(first))
        .file("b.zip", zip(&[("c.csv", second.as_bytes()), ("d.txt", FOX.as_bytes())], CompressionMethod::Deflated));
    let list = |name: &str, treated: &str, shingles: u32| {
        let list = format!("{{\"name\":\"{name}\",\"treated\":\"{treated}\",\"bytes\":");
        (list, format!("\"shingles\":{shingles}}}"))
    };
    // The fox has 36 shingles, 9 more begin in the form; 32 are in three texts and go too.
    let expected = [
        list("1", "used", 13),
        list("2", "emptied", 0),
        list("3", "used", 13),
        list("4", "emptied", 0),
        list("b.zip!d.txt", "used", 4),
    ];
    for threads in ["1", "4"] {
        let args = ["a.csv.gz", "b.zip", "-q", "--max-df", "2", "--threads", threads];
        let pairs = [&["scan"], &args[..], &["--threshold", "0.2", "--bands", "200", "--rows", "1"]].concat();
        corpus.dedup(&pairs).pairs(&["1 3", "1 b.zip!d.txt"]).stderr("").exit_code(0);
        let look = |stdout: &str| {
            assert_eq!(stdout.lines().count(), expected.len(), "{stdout}");
            for (line, (start, end)) in stdout.lines().zip(&expected) {
                assert!(line.starts_with(start) && line.ends_with(end), "{line}");
            }
        };
        corpus.dedup(&[&["scan", "--list-documents"], &args[..]].concat()).stdout_with(look).stderr("").exit_code(0);
    }
}
