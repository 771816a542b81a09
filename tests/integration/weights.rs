//! `--weights`: similarity by what shingles weigh, in every command that compares.

use serde_json::Value;

use crate::support::*;

/// Titles that begin alike: rare words say which are the same.
const TITLES: [(&str, &str); 6] = [
    ("1", "a study of the effects of caffeine on sleep"),
    ("2", "a study of the effects of lithium on mood"),
    ("3", "the effects of caffeine on sleep: a study"),
    ("4", "a study of the effects of gardening on neighbours"),
    ("5", "of the effects of a study"),
    ("6", "quantum chromodynamics"),
];

fn titles(name: &'static str) -> Workspace {
    let lines: String = TITLES.iter().map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")).collect();
    Workspace::new(name).file("titles.jsonl", lines)
}

fn lines(workspace: &Workspace, args: &[&str]) -> Vec<Value> {
    let mut lines = Vec::new();
    workspace
        .dedup(args)
        .stdout_with(|stdout| lines = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
        .stderr("")
        .exit_code(0);
    lines
}

fn names(lines: &[Value]) -> Vec<String> {
    lines.iter().map(|line| format!("{}{}", line["a"].as_str().unwrap(), line["b"].as_str().unwrap())).collect()
}

#[test]
fn rare_words_decide_and_the_numbers_are_those_of_the_definition() {
    let workspace = titles("weights_idf");
    let words = ["scan", "-q", "titles.jsonl", "--shingle", "word", "--k", "1", "--threshold", "0.6"];
    // Without weights what all titles begin with makes pairs of strangers.
    assert_eq!(names(&lines(&workspace, &words)), ["12", "13", "14", "15", "23", "24", "25", "34", "35", "45"]);
    let found = lines(&workspace, &[&words[..], &["--weights", "idf"]].concat());
    assert_eq!(names(&found), ["13"]);
    let pair = &found[0];
    assert_eq!(
        (pair["jaccard"].as_f64(), pair["shared"].as_u64(), pair["shingles_a"].as_u64()),
        (Some(1.0), Some(8), Some(8))
    );
    // Of six texts: a, study, of, the and effects are in five, on in four, caffeine and sleep in two.
    let units = |frequency: f64| ((7.0f64 / frequency).log2() * 65536.0).round() / 65536.0;
    let weight = 5.0 * units(5.0) + units(4.0) + 2.0 * units(2.0);
    for key in ["weight_shared", "weight_a", "weight_b"] {
        assert_eq!(pair[key].as_f64(), Some(weight), "{key}");
    }
    let keys: Vec<&String> = pair.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 12, "{keys:?}");
}

#[test]
fn a_table_weighs_words_and_shingles_of_several_are_as_heavy_as_their_words() {
    let workspace = titles("weights_table").file("w.tsv", "Caffeine\t8\nsleep\t4\nthe\t0\nof\t0\n");
    let args = ["scan", "-q", "titles.jsonl", "--lowercase", "--shingle", "word", "--weights", "w.tsv", "--all-pairs"];
    let pair = |more: &[&str]| {
        let found = lines(&workspace, &[&args[..], &["--threshold", "0.01"], more].concat());
        found.into_iter().find(|line| line["a"] == "1" && line["b"] == "5").unwrap()
    };
    let unit = 1.0 / 65536.0;
    let single = pair(&["--k", "1"]);
    // Both have a, study and effects, of weight 1, and of and the, of almost none.
    assert_eq!(single["weight_shared"].as_f64(), Some(3.0 + 2.0 * unit));
    assert_eq!(single["weight_a"].as_f64(), Some(3.0 + 1.0 + 8.0 + 4.0 + 2.0 * unit));
    let double = pair(&["--k", "2"]);
    // a study, of the, the effects, effects of.
    assert_eq!(double["weight_shared"].as_f64(), Some(2.0 + 2.0 * unit + 1.0 + unit + 1.0 + unit));
    let other = pair(&["--k", "1", "--default-weight", "0.5"]);
    assert_eq!(other["weight_shared"].as_f64(), Some(1.5 + 2.0 * unit));
}

#[test]
fn a_summary_says_which_table_it_was() {
    let workspace = titles("weights_known")
        .file("w.tsv", "caffeine\t8\nsleep\t4\n")
        .file("same.tsv", "{\"token\": \"SLEEP\", \"weight\": 4}\n\ncaffeine\t8.0\nCaffeine\t8\n")
        .file("other.tsv", "caffeine\t8\nsleep\t5\n");
    let table = |weights: &str, default: Option<&str>| {
        let args =
            ["scan", "titles.jsonl", "-q", "--lowercase", "--shingle", "word", "--summary", "s.json", "--weights"];
        let default = default.map_or(Vec::new(), |weight| vec!["--default-weight", weight]);
        lines(&workspace, &[&args[..], &[weights], &default].concat());
        serde_json::from_str::<Value>(&workspace.read("s.json")).unwrap()["settings"]["weight_table"].clone()
    };
    let known = table("w.tsv", None);
    assert_eq!((&known["tokens"], &known["default_weight"]), (&2.into(), &1.0.into()));
    assert_eq!(known["hash"].as_str().map(str::len), Some(32));
    assert_eq!(table("same.tsv", Some("1")), known);
    assert_ne!(table("other.tsv", None)["hash"], known["hash"]);
    assert_ne!(table("w.tsv", Some("0.5"))["hash"], known["hash"]);
    assert_eq!(table("idf", None), Value::Null);
}

#[test]
fn threads_memory_and_the_order_of_lines_change_no_byte() {
    let mut text = String::new();
    for number in 0..600 {
        let words: Vec<String> =
            (0..12).map(|at| format!("w{}", (number / 3 * 7 + at * (1 + number % 3 / 2)) % 97)).collect();
        text += &format!("{{\"id\":\"{number}\",\"text\":\"{} tail{}\"}}\n", words.join(" "), number % 5);
    }
    let workspace = Workspace::new("weights_threads").file("t.jsonl", text);
    for more in [
        &["--weights", "idf"][..],
        &["--weights", "idf", "--all-pairs"],
        &["--weights", "idf", "--bag", "--max-df", "50%"],
    ] {
        let run = |resources: &[&str]| {
            let args = ["scan", "-q", "t.jsonl", "--shingle", "word", "--k", "1", "--threshold", "0.5"];
            let mut out = String::new();
            workspace
                .dedup(&[&args[..], more, resources].concat())
                .stdout_with(|stdout| out = stdout.to_owned())
                .stderr("")
                .exit_code(0);
            out
        };
        let expected = run(&["--threads", "1"]);
        assert!(expected.lines().count() > 100, "{more:?}");
        for resources in [
            &["--threads", "2"][..],
            &["--threads", "7"],
            &["--memory", "16MiB"],
            &["--threads", "3", "--memory", "16MiB"],
        ] {
            assert_eq!(run(resources), expected, "{more:?} {resources:?}");
        }
    }
}

#[test]
fn groups_explanations_and_what_stays_follow_the_weights() {
    let workspace = titles("weights_commands");
    let words = ["--shingle", "word", "--k", "1", "--weights", "idf", "--threshold", "0.6"];
    let groups = lines(&workspace, &[&["cluster", "-q", "titles.jsonl"][..], &words].concat());
    assert_eq!(groups.len(), 1, "{groups:?}");
    let explained = lines(&workspace, &[&["explain", "--json", "1", "2", "--in", "titles.jsonl"][..], &words].concat());
    assert_eq!(
        (explained[0]["reported"].as_bool(), explained[0]["reason"].as_str()),
        (Some(false), Some("below_threshold"))
    );
    assert!(explained[0]["jaccard"].as_f64().unwrap() < 0.3 && explained[0]["weight_shared"].as_f64().unwrap() > 1.0);
    let weight = |key: &str| format!("{:.4}", explained[0][key].as_f64().unwrap());
    let row = format!(
        " of a in b ({shared} of {}), 36.5 % of b in a ({shared} of {})\n",
        weight("weight_a"),
        weight("weight_b"),
        shared = weight("weight_shared")
    );
    let look = |text: &str| assert!(text.contains(&row), "{text} has no {row}");
    let args = [&["explain", "1", "2", "--in", "titles.jsonl", "-q"][..], &words].concat();
    workspace.dedup_with(&args, "COLUMNS", "120").stdout_with(look).stderr("").exit_code(0);
    // A report says what its similarities are of.
    let args = [&["scan", "titles.jsonl", "-q", "--format", "text"][..], &words].concat();
    let look = |text: &str| assert!(text.contains(", at or above 60 % by weights (idf)\n"), "{text}");
    workspace.dedup(&args).stdout_with(look).stderr("").exit_code(0);
    workspace
        .dedup(&[&["unique", "-q", "titles.jsonl", "--output", "u.jsonl"][..], &words].concat())
        .stdout_with(|_| {})
        .stderr("")
        .exit_code(0);
    let kept = std::fs::read_to_string(workspace.path("u.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 5, "{kept}");
}

#[test]
fn a_saved_result_keeps_its_weights() {
    let workspace = titles("weights_saved");
    let args =
        ["scan", "-q", "titles.jsonl", "--shingle", "word", "--k", "1", "--weights", "idf", "--threshold", "0.1"];
    let found = lines(&workspace, &[&args[..], &["--save", "r"]].concat());
    let saved = lines(&workspace, &["scan", "-q", "--from", "r"]);
    assert_eq!(found, saved);
    let few = lines(&workspace, &["scan", "-q", "--from", "r", "--threshold", "0.6"]);
    assert_eq!(names(&few), ["13"]);
}

#[test]
fn short_texts_have_a_preset() {
    let workspace = titles("weights_sentences");
    assert_eq!(names(&lines(&workspace, &["scan", "-q", "--preset", "sentences", "titles.jsonl"])), ["13"]);
    let summary = workspace.path("s.json");
    let summary = summary.to_str().unwrap();
    lines(&workspace, &["scan", "-q", "--preset", "sentences", "titles.jsonl", "--summary", summary]);
    let summary: Value = serde_json::from_str(&std::fs::read_to_string(summary).unwrap()).unwrap();
    let settings = &summary["settings"];
    assert_eq!(
        (&settings["weights"], &settings["all_pairs"], &settings["k"]),
        (&"idf".into(), &true.into(), &1.into())
    );
    assert_eq!((&settings["signature"], &summary["recall_at_threshold"]), (&"weighted".into(), &1.0.into()));
}

#[test]
fn a_signature_by_a_table_is_that_of_a_scan_and_idf_cannot_sign_alone() {
    let workspace = titles("weights_sign").file("w.tsv", "caffeine\t8\nsleep\t4\n");
    let args = ["sign", "titles.jsonl", "--shingle", "word", "--k", "1", "--values"];
    let signed = lines(&workspace, &[&args[..], &["--weights", "w.tsv"]].concat());
    let value = |number: usize| signed[number]["signature"].as_array().unwrap().clone();
    let equal = value(0).iter().zip(&value(2)).filter(|(a, b)| a == b).count();
    assert_eq!(equal, value(0).len(), "the same words");
    let pairs =
        ["scan", "-q", "titles.jsonl", "--shingle", "word", "--k", "1", "--weights", "w.tsv", "--threshold", "0.8"];
    let found = lines(&workspace, &pairs);
    assert_eq!((names(&found), found[0]["estimate"].as_f64()), (vec!["13".to_owned()], Some(1.0)));
    workspace
        .dedup(&[&args[..], &["--weights", "idf"]].concat())
        .stdout("")
        .stderr("dedup: --weights idf: depends on other documents, but each document is signed as soon as it is read; remove the flag\n")
        .exit_code(2);
}

#[test]
fn weights_that_cannot_be_used_are_refused_with_a_reason() {
    let workspace = titles("weights_refused").file("bad.tsv", "the quick\t1\n").file("w.tsv", "the\t1\n");
    let refused = |args: &[&str], message: &str| {
        let all = [&["scan", "titles.jsonl"], args].concat();
        workspace.dedup(&all).stdout("").stderr(message).exit_code(2);
    };
    refused(
        &["--shingle", "word", "--weights", "bad.tsv"],
        "dedup: bad.tsv: line 1: \"the quick\" is 2 tokens; write one a line, as the documents have it\n",
    );
    refused(
        &["--shingle", "code", "--weights", "w.tsv"],
        "dedup: w.tsv: a file of weights only applies to characters, words, lines, sentences or elements; use idf for this kind of shingle\n",
    );
    refused(
        &["--match", "passages", "--weights", "idf"],
        "dedup: --weights: does not apply to pairs that match by passages; remove the flag\n",
    );
    refused(
        &["--preset", "sentences", "--signature", "fast"],
        "dedup: --signature: every pair is looked for here, without signatures; remove the flag\n",
    );
    refused(
        &["--preset", "sentences", "--recall", "0.9", "--signature", "fast"],
        "dedup: --signature: shingles have weights here, and so have signatures; remove the flag\n",
    );
    refused(
        &["--weights", "idf", "--default-weight", "2"],
        "dedup: --default-weight: only applies to a file of weights; give one with --weights FILE, or remove the flag\n",
    );
}

#[test]
fn what_would_be_wrong_without_a_word_is_refused() {
    let line = |id: u32, text: &str| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n");
    let workspace = Workspace::new("weights_wrong")
        .file("c.jsonl", line(1, "a b b x") + &line(2, "a b b y y y y y"))
        .file("great.tsv", "a\t60000\nb\t60000\nx\t1\n")
        .file("same.tsv", "a\t6\nb\t6\nx\t0.0001\ny\t0.0001\n")
        .file("a.txt", FOX)
        .file("b.txt", CAT);
    let args = ["scan", "c.jsonl", "-q", "--shingle", "word", "--k", "2", "--threshold", "0.1", "--weights"];
    let message = "dedup: great.tsv: a weight of 60000 for each of 2 tokens is too much for one shingle; divide all weights by \
                   the same number, which changes no similarity, so that none is above 32767\n";
    workspace.dedup(&[&args[..], &["great.tsv"]].concat()).stdout("").stderr(message).exit_code(2);
    // (a b) and (b b) of (a b), (b b), (b x), (b y) and (y y): 24 of 36, but for the little that x and y weigh.
    let look = |stdout: &str| {
        let pair: Value = serde_json::from_str(stdout).unwrap();
        assert!((pair["jaccard"].as_f64().unwrap() - 24.0 / 36.0).abs() < 1e-4, "{pair}");
    };
    workspace.dedup(&[&args[..], &["same.tsv"]].concat()).stdout_with(look).stderr("").exit_code(0);
    let explain = ["explain", "a.txt", "b.txt", "--weights", "idf"];
    let message =
        "dedup: --weights idf: two documents do not show how rare a shingle is; give their corpus with --in PATH\n";
    workspace.dedup(&explain).stdout("").stderr(message).exit_code(2);
    workspace
        .dedup(&[&explain[..], &["--in", "a.txt", "b.txt"]].concat())
        .stdout_with(|_| ())
        .stderr_with(|_| ())
        .exit_code(0);
}

#[test]
fn texts_without_a_word_are_empty_and_in_no_pair() {
    let texts = ["!!!", "!!!", "ab", "ab", "...", " ", "cd"];
    let records: String =
        texts.iter().enumerate().map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")).collect();
    let workspace = Workspace::new("weights_tokenless").file("t.jsonl", records).file("w.tsv", "ab\t2\n");
    let words = ["scan", "t.jsonl", "-q", "--shingle", "word", "--k", "1", "--summary", "s.json"];
    for flags in [
        &[][..],
        &["--weights", "idf"],
        &["--weights", "idf", "--all-pairs"],
        &["--weights", "w.tsv"],
        &["--max-df", "100%"],
    ] {
        assert_eq!(names(&lines(&workspace, &[&words[..], flags].concat())), ["23"], "{flags:?}");
        let summary: Value = serde_json::from_str(&workspace.read("s.json")).unwrap();
        assert_eq!((&summary["empty"], &summary["exact_copies"]), (&4.into(), &1.into()), "{flags:?}");
    }
}

#[test]
fn what_cannot_be_read_of_a_table_is_named() {
    let workspace = titles("weights_unreadable")
        .file("comma.tsv", "the\t1\nof\t1,5\n")
        .file("latin.tsv", b"the\t1\n\nna\xEFve\t2\n")
        .file("none.tsv", "nothing\n");
    for (table, fault) in [
        ("comma.tsv", "line 2: the weight \"1,5\" is no number; write one such as 2.5"),
        ("latin.tsv", "line 3: it is not UTF-8; write the table in UTF-8"),
        (
            "none.tsv",
            "line 1: \"nothing\" has no token and weight; write a token, a tab and a number, or a JSON object",
        ),
    ] {
        let args = ["scan", "titles.jsonl", "--shingle", "word", "--weights", table];
        workspace.dedup(&args).stdout("").stderr(&format!("dedup: {table}: {fault}\n")).exit_code(2);
    }
    let unused = "dedup: --default-weight: only applies to a file of weights; give one with --weights FILE, or remove the flag\n";
    workspace.dedup(&["scan", "titles.jsonl", "--default-weight", "2"]).stdout("").stderr(unused).exit_code(2);
    let refused = "dedup: --default-weight abc: give a number from 0 to 65535, such as 0.5; see dedup scan --help\n";
    workspace.dedup(&["scan", "titles.jsonl", "--default-weight", "abc"]).stdout("").stderr(refused).exit_code(2);
    let look = |stderr: &str| assert!(stderr.contains("--audit") && stderr.contains("--forecast"), "{stderr}");
    workspace.dedup(&["scan", "titles.jsonl", "--audit", "--forecast"]).stdout("").stderr_with(look).exit_code(2);
}

#[test]
fn a_max_df_of_no_document_removes_all_with_weights_as_without() {
    let corpus = Workspace::new("max_df_of_none").file("a", FOX).file("b", CAT).file("c", "another text of its own");
    let warning = "dedup: warning: --max-df comes to 0 of these documents, so every shingle is removed; give a larger number \
                   or share\n";
    for weights in [&[][..], &["--weights", "idf"]] {
        let args = [&["scan", "-q", ".", "--max-df", "1%", "--threshold", "0.1"], weights].concat();
        corpus.dedup(&args).stdout("").stderr(warning).exit_code(0);
    }
}

#[test]
fn pairs_are_sorted_by_each_number_that_they_have() {
    let workspace = titles("weights_sort");
    let scan = ["scan", "-q", "titles.jsonl", "--shingle", "word", "--k", "1", "--threshold", "0.1", "--show-passages"];
    let scan = [&scan[..], &["--min-run", "1", "--weights", "idf"]].concat();
    let larger = |pair: &Value, keys: &[&str]| {
        let number = |key: &&str| pair[*key].as_f64().unwrap_or_else(|| panic!("{key}: {pair}"));
        keys.iter().map(number).fold(0.0, f64::max)
    };
    for (sort, keys) in [
        ("jaccard", &["jaccard"][..]),
        ("containment", &["containment_a", "containment_b"]),
        ("shared", &["shared"]),
        ("shingles", &["shingles_a", "shingles_b"]),
        ("weight-shared", &["weight_shared"]),
        ("weight_shared", &["weight_shared"]),
        ("weight", &["weight_a", "weight_b"]),
        ("coverage", &["coverage_a", "coverage_b"]),
        ("estimate", &["estimate"]),
    ] {
        let found = lines(&workspace, &[&scan[..], &["--sort", sort]].concat());
        let numbers: Vec<f64> = found.iter().map(|pair| larger(pair, keys)).collect();
        assert!(numbers.len() > 5 && numbers.is_sorted_by(|a, b| a >= b), "{sort}: {numbers:?}");
        let top = lines(&workspace, &[&scan[..], &["--sort", sort, "--top", "2"]].concat());
        assert_eq!(top, found[..2], "{sort}");
    }
    let line =
        "dedup: --sort: the pairs have no weights to sort them by; scan with --weights idf, or choose another order\n";
    for sort in ["weight", "weight-shared"] {
        workspace.dedup(&["scan", "titles.jsonl", "--sort", sort]).stdout("").stderr(line).exit_code(2);
    }
}
