//! What is folded or left out of a text before it is compared, and that both passes fold alike.

use crate::support::*;

/// Whether two texts are exact copies with these flags, and not without.
#[track_caller]
fn become_copies(name: &'static str, a: &str, b: &str, flags: &[&str], shingles: u64) {
    let corpus = Workspace::new(name).file("a", a).file("b", b);
    let all = ["scan", "-q", "."];
    corpus.dedup(&all).stdout("").stderr("").exit_code(0);
    corpus.dedup(&[&all[..], flags].concat()).stdout(&copies("a", "b", shingles)).stderr("").exit_code(0);
}

#[test]
fn each_flag_folds_what_it_says() {
    become_copies("lowercase", "The Quick FOX, ÄÖÜ", "tHE quick fox, äöü", &["--lowercase"], 10);
    become_copies("nfc", "cafe\u{301} creme\u{300} bru\u{302}le\u{301}e", "café cremè brûlée", &["--nfc"], 9);
    become_copies("composed_last", "cafe!\u{301} bru.\u{302}le", "café, brûle", &["--nfc", "--strip-punctuation"], 2);
    become_copies("nfkc", "ﬁnal ｆｏｘ, x² and more", "final fox, x2 and more", &["--nfkc"], 14);
    become_copies("strip_accents", "Crème brûlée, façade", "Creme brulee, facade", &["--strip-accents"], 12);
    become_copies("fold_digits", "On page 17 of 203, line ٣", "On page 99 of 100, line 1", &["--fold-digits"], 17);
    become_copies("punctuation", "The fox; it “jumps” — high!", "The fox it jumps high", &["--strip-punctuation"], 13);
}

#[test]
fn disguised_copies_are_copies() {
    let honest = "The tomorrow of an example is \"copied\" there, and there's the end.";
    let disguised =
        "The t\u{43E}m\u{3BF}rrow of an ex\u{AD}am-\nple is “c o p i e d” the\u{200B}re, and there’s the end.";
    become_copies("disguised", honest, disguised, &["--undisguise"], 58);
}

#[test]
fn copies_in_spaced_words_and_with_selectors_tags_and_fillers_are_copies() {
    let honest = "The wind came over a hill of slate.";
    let disguised = "The w\u{FE0F}i\u{E0069}nd c\u{A0}a\u{2009}m\u{202F}e o\u{2009}v\u{2009}e\u{2009}r a h\u{A0}i\u{A0}l\u{A0}l o\u{A0}f sl\u{3164}ate.";
    become_copies("spaced", honest, disguised, &["--undisguise"], 27);
    // Two hearts, with and without colour.
    let corpus = Workspace::new("hearts").file("a", "I \u{2764}\u{FE0F} it all").file("b", "I \u{2764} it all");
    corpus
        .dedup(&["scan", "-q", ".", "--k", "3", "--threshold", "1", "--undisguise"])
        .stdout("")
        .stderr("")
        .exit_code(0);
}

#[test]
fn what_was_undone_is_listed_by_document() {
    let corpus =
        Workspace::new("disguises_listed").file("a", "plain text here").file("b", "pl\u{430}in te\u{AD}xt “here”");
    let look = |stdout: &str| {
        let lines: Vec<serde_json::Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: Vec<_> = lines.iter().map(|line| line.get("disguises").cloned()).collect();
        let undone = serde_json::json!({
            "homoglyphs": 1, "invisible": 1, "spaced": 0, "divided": 0, "ligatures": 0, "punctuation": 2
        });
        assert_eq!(found, [None, Some(undone)]);
    };
    let flags = ["scan", "-q", ".", "--undisguise", "--list-documents"];
    corpus.dedup(&flags).stdout_with(look).stderr("").exit_code(0);
    let plain = |stdout: &str| assert!(!stdout.contains("disguises"), "{stdout}");
    corpus.dedup(&["scan", "-q", ".", "--list-documents"]).stdout_with(plain).stderr("").exit_code(0);
    let heading = |stdout: &str| {
        let line = "undone in b: letters of other scripts (1), invisible characters (1), look-alike marks (2)";
        let words: Vec<&str> = stdout.split_whitespace().collect();
        assert!(words.join(" ").contains(line), "{stdout}");
        assert!(stdout.contains("pl⟦\u{430}⟧in te⟦\\u{ad}⟧xt ⟦“⟧here⟦”⟧"), "{stdout}");
    };
    corpus.dedup(&["explain", "a", "b", "--undisguise"]).stdout_with(heading).stderr("").exit_code(0);
}

#[test]
fn flags_fold_together() {
    let flags = ["--nfkc", "--lowercase", "--strip-accents", "--fold-digits", "--strip-punctuation"];
    become_copies("together", "ＣＡＦＥ\u{301} № 12: «Ŝtrasse»!", "Cafe No 34 strasse", &flags, 10);
}

#[test]
fn folded_texts_are_folded_again_for_verification() {
    // Not equal, so that both are read a second time; with the flag 32 of 40 shingles are shared.
    let corpus = Workspace::new("second_pass").file("a", FOX.to_uppercase()).file("b", CAT);
    corpus.dedup(&["scan", "-q", "."]).stdout("").stderr("").exit_code(0);
    let look = |stdout: &str| {
        let pairs = records(stdout);
        let counts: Vec<_> = pairs.iter().map(|pair| (pair.shared, pair.shingles_a, pair.shingles_b)).collect();
        assert_eq!(counts, [(32, 36, 36)]);
    };
    corpus.dedup(&["scan", "-q", ".", "--lowercase"]).stdout_with(look).stderr("").exit_code(0);
    let records = [("a", FOX.to_uppercase()), ("b", CAT.to_owned())]
        .map(|(id, text)| format!("{}\n", serde_json::json!({ "id": id, "text": text })));
    let corpus = Workspace::new("second_pass_records").file("r.jsonl", records.concat());
    corpus.dedup(&["scan", "-q", ".", "--lowercase"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn white_space_is_kept_on_request() {
    let corpus = Workspace::new("white_space").file("a", "if x:\n    return y\n").file("b", "if x: return y");
    corpus.dedup(&["scan", "-q", "."]).stdout(&copies("a", "b", 6)).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", ".", "--keep-whitespace"]).stdout("").stderr("").exit_code(0);
    let corpus = corpus.file("c", "if x:\n    return y\n");
    corpus.dedup(&["scan", "-q", ".", "--keep-whitespace"]).stdout(&copies("a", "c", 11)).stderr("").exit_code(0);
}

#[test]
fn lines_that_match_are_left_out() {
    let page = |number: u32| format!("The fox jumps\r\n- {number} -\r\nover the dog.\r\nPage {number} of 9\r\n");
    let corpus = Workspace::new("skip_lines").file("a", page(1)).file("b", page(2));
    let flags = ["--skip-lines", r"^- \d+ -$", "--skip-lines", "^Page"];
    corpus.dedup(&["scan", "-q", ".", "--threshold", "0.9"]).stdout("").stderr("").exit_code(0);
    // "The fox jumps over the dog."
    corpus.dedup(&[&["scan", "-q", "."], &flags[..]].concat()).stdout(&copies("a", "b", 19)).stderr("").exit_code(0);
}

#[test]
fn passages_between_markers_are_left_out() {
    let page = |menu: &str| format!("The fox <nav>{menu}</nav> jumps <!--{menu}-->over the dog. <nav> again");
    let corpus = Workspace::new("ignore_between").file("a", page("one two")).file("b", page("a\nlong\nmenu"));
    let flags = ["--ignore-between", "<nav>", "</nav>", "--ignore-between", "<!--", "-->"];
    corpus.dedup(&["scan", "-q", ".", "--threshold", "0.9"]).stdout("").stderr("").exit_code(0);
    // "The fox jumps over the dog. <nav> again"
    corpus.dedup(&[&["scan", "-q", "."], &flags[..]].concat()).stdout(&copies("a", "b", 31)).stderr("").exit_code(0);
    // Markers may look like flags.
    let corpus = Workspace::new("markers").file("a", "one -- two == three four").file("b", "one three four");
    let flags = ["scan", "-q", ".", "--ignore-between", "--", "=="];
    corpus.dedup(&flags).stdout(&copies("a", "b", 6)).stderr("").exit_code(0);
}

#[test]
fn a_document_that_is_left_out_whole_is_empty() {
    let corpus = Workspace::new("all_left_out").file("a", "one\ntwo").file("b", "one\ntwo");
    let summary = "documents  2 (14 B), 2 empty\nshingles   9 characters; skip-lines\ncopies     0 in 0 groups of equal texts\n\
        candidates 0 pairs of distinct texts\npairs      0 at or above 0.8\n\
        recall     99.96 % of the pairs at 0.8 are found (20 bands x 5 rows)\nmemory     <bytes>\ntime       <times>\n";
    corpus.dedup(&["scan", ".", "--skip-lines", ".", "--stats"]).stdout("").stderr(summary).exit_code(0);
}

#[test]
fn the_summary_tells_what_was_folded() {
    let corpus = Workspace::new("settings").file("a", FOX);
    let flags =
        ["scan", "-q", ".", "--summary", "s", "--keep-whitespace", "--lowercase", "--nfc", "--skip-lines", "^\\d"];
    corpus.dedup(&[&flags[..], &["--ignore-between", "<", ">"]].concat()).stdout("").stderr("").exit_code(0);
    let summary: serde_json::Value = serde_json::from_slice(&std::fs::read(corpus.path("s")).unwrap()).unwrap();
    let settings = &summary["settings"];
    assert_eq!(settings["folding"], serde_json::json!(["nfc", "lowercase", "keep-whitespace"]));
    assert_eq!(settings["skip_lines"], serde_json::json!(["^\\d"]));
    assert_eq!(settings["ignore_between"], serde_json::json!([["<", ">"]]));
}

#[test]
fn wrong_patterns_and_markers_are_wrong_usage_in_one_line() {
    let corpus = Workspace::new("wrong").file("a", FOX);
    for (flags, message) in [
        (&["--skip-lines", "a(b"][..], "--skip-lines \"a(b\": unclosed group; correct the regular expression"),
        (
            &["--ignore-between", "", "x"],
            "--ignore-between: a marker is empty; give the strings before and after the text to ignore",
        ),
        (&["--nfc", "--nfkc"], "--nfc: cannot be used with --nfkc; remove one of them; see dedup scan --help"),
        (&["--ignore-between", "x"], "--ignore-between: has 1 value; give 2; see dedup scan --help"),
    ] {
        let all = [&["scan", "."], flags].concat();
        corpus.dedup(&all).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    }
}

#[test]
fn line_ends_between_letters_without_spaces_are_dropped_in_texts_and_pages() {
    let corpus = Workspace::new("spaceless_line_ends")
        .file("one.txt", "我们常说的运行时是操作系统提供的\n\n下一段的文字\n")
        .file("page.html", "<p>我们常说的运行时\n  是操<b>作\n系</b>统提供的</p>\n<p>下一段的<i>\n</i>文字")
        .file("wide.txt", "我们常说\r\n的运行时是操\n作系统提供的\n\n下一段\n\u{3000}的文字");
    let look = |stdout: &str| {
        let pairs: Vec<serde_json::Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found = pairs.iter().map(|pair| (pair["jaccard"].as_f64(), pair["shingles_a"].as_u64()));
        assert_eq!(found.collect::<Vec<_>>(), [(Some(1.0), Some(15)); 3], "{stdout}");
        // Places are those of the texts as they were written.
        assert_eq!(pairs[1]["passages"][0]["b"]["lines"], serde_json::json!([1, 6]), "{stdout}");
    };
    corpus.dedup(&["scan", "-q", ".", "--passages"]).stdout_with(look).stderr("").exit_code(0);
}
