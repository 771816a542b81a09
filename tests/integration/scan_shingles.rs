//! What a shingle is: words where there are no spaces, lines, sentences, stop words, multisets, and too few tokens.

use crate::support::*;

/// (shared, shingles of a, shingles of b) of each pair, with a banding that misses nothing.
#[track_caller]
fn counts(corpus: &Workspace, flags: &[&str], expected: &[(u64, u64, u64)]) {
    let all = ["scan", "-q", ".", "--threshold", "0.01", "--bands", "400", "--rows", "1"];
    let look = |stdout: &str| {
        let pairs = records(stdout);
        let counts: Vec<_> = pairs.iter().map(|pair| (pair.shared, pair.shingles_a, pair.shingles_b)).collect();
        assert_eq!(counts, expected, "{flags:?}");
    };
    corpus.dedup(&[&all[..], flags].concat()).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn words_fall_back_to_characters_where_there_are_no_spaces() {
    // 新 機 能 カ タ ロ グ Rust 2024, against 能 カ タ ロ グ Rust 2024.
    let corpus = Workspace::new("spaceless").file("a", "新機能カタログ Rust 2024").file("b", "能カタログ、Rust 2024！");
    counts(&corpus, &["--shingle", "word", "--k", "3"], &[(5, 7, 5)]);
    let corpus = Workspace::new("thai").file("a", "ภาษาไทย").file("b", "ภาษาลาว");
    counts(&corpus, &["--shingle", "word", "--k", "2"], &[(3, 6, 6)]);
}

#[test]
fn lines_are_shingles() {
    let corpus =
        Workspace::new("lines").file("a", "one\n\n two  words\r\nthree\n").file("b", "two words\nthree\rfour\nthree");
    counts(&corpus, &["--shingle", "line"], &[(2, 3, 3)]);
    // two words, three; against three others of two.
    counts(&corpus, &["--shingle", "line", "--k", "2"], &[(1, 2, 3)]);
    // Shorter than four lines is one shingle.
    counts(&corpus, &["--shingle", "line", "--k", "4"], &[]);
    counts(&corpus, &["--shingle", "line", "--keep-whitespace"], &[(1, 3, 3)]);
    counts(&corpus, &["--shingle", "line", "--bag"], &[(2, 3, 4)]);
}

#[test]
fn sentences_are_shingles() {
    let corpus = Workspace::new("sentences")
        .file("a", "The fox jumps. Does the\ndog sleep? “It does.”\n\nThe End\n\nNo one saw it.")
        .file("b", "Does the dog sleep?\nThe fox jumps.\nNo one saw it, though.\n\n\tThe End\n");
    counts(&corpus, &["--shingle", "sentence"], &[(3, 5, 4)]);
    counts(&corpus, &["--shingle", "sentence", "--strip-punctuation", "--lowercase"], &[(3, 5, 4)]);
    counts(&corpus, &["--shingle", "sentence", "--k", "2"], &[]);
}

const ARTICLE: &str = "The ferry to the islands was late again, and nobody at the pier could say when it would leave.";

#[test]
fn stop_words_begin_shingles_of_an_article_among_advertisements() {
    let corpus = Workspace::new("stop_words")
        .file("a", format!("Buy shoes! Great prices! {ARTICLE} Click here! Cheap flights! Win prizes!"))
        .file("b", format!("Subscribe today! {ARTICLE} Recommended stories: Dogs! Cats! Ten amazing photos!"));
    // Of the article's words the, to, the, was, again, and, at, the, when, it; of the advertisements here.
    let look = |stdout: &str| match records(stdout).as_slice() {
        [pair] => assert_eq!((pair.shared, pair.shingles_a, pair.shingles_b), (10, 11, 10)),
        _ => panic!("{stdout}"),
    };
    let all = ["scan", "-q", ".", "--shingle", "stopword"];
    for language in [&[][..], &["--language", "auto"], &["--language", "en"]] {
        corpus.dedup(&[&all[..], language].concat()).stdout_with(look).stderr("").exit_code(0);
    }
    // Words alone see more of the advertisements.
    corpus.dedup(&["scan", "-q", ".", "--shingle", "word", "--k", "3"]).stdout("").stderr("").exit_code(0);
    // Nothing begins with a German stop word but "was", and "in" and "am" are none of these words.
    counts(&corpus, &["--shingle", "stopword", "--language", "de"], &[(1, 1, 1)]);
}

#[test]
fn a_list_of_ones_own_takes_the_place_of_a_language() {
    let corpus = Workspace::new("own_list")
        .file("a", ARTICLE)
        .file("b", ARTICLE.replace("again", "today"))
        .file("list/w", "THE\n\n at\n");
    // the ferry to, the islands was, at the pier, the pier could.
    counts(&corpus, &["--exclude", "list", "--shingle", "stopword", "--stopwords", "list/w"], &[(4, 4, 4)]);
    counts(&corpus, &["--exclude", "list", "--shingle", "stopword", "--stopwords", "list/w", "--k", "9"], &[(1, 3, 3)]);
}

#[test]
fn stop_words_that_are_wrong_or_without_use_are_wrong_usage() {
    let corpus = Workspace::new("wrong_stop_words").file("a", FOX).file("w", "the\nat all\n").file("e", "\n");
    let check = |flags: &[&str], message: &str| {
        let look =
            |line: &str| assert!(line.starts_with(&format!("dedup: {message}")) && line.lines().count() == 1, "{line}");
        let output = corpus.command(&[&["scan", "."], flags].concat()).output().unwrap();
        look(std::str::from_utf8(&output.stderr).unwrap());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    };
    let stop_words = |flag, value| ["--shingle", "stopword", flag, value];
    check(
        &stop_words("--language", "xx"),
        "--language \"xx\": no list of stop words for this language; choose auto or one of af, ar,",
    );
    check(&stop_words("--stopwords", "none"), "none: cannot read the stop words of --stopwords: No such file");
    check(
        &stop_words("--stopwords", "w"),
        "\"at all\" in the list of stop words is not one word; write one word a line",
    );
    check(&stop_words("--stopwords", "e"), "the list of stop words is empty; write one word a line");
    check(
        &["--language", "en"],
        "--language: only applies to stop words; add --shingle stopword, or remove the flag; --syntax sets the language of programs",
    );
    check(
        &["--shingle", "word", "--stopwords", "w"],
        "--stopwords: only applies to stop words; add --shingle stopword",
    );
    check(
        &[&stop_words("--language", "en")[..], &["--stopwords", "w"]].concat(),
        "--language: cannot be used with --stopwords; remove one of them",
    );
}

#[test]
fn bags_count_repeats() {
    let corpus = Workspace::new("bag").file("a", "a a a b").file("b", "a b b");
    let words = ["--shingle", "word", "--k", "1"];
    counts(&corpus, &words, &[(2, 2, 2)]);
    // min(3, 1) + min(1, 2), out of 4 and 3.
    counts(&corpus, &[&words[..], &["--bag"]].concat(), &[(2, 4, 3)]);
    counts(&corpus, &[&words[..], &["--bag", "--signature", "fast"]].concat(), &[(2, 4, 3)]);
    // Characters: of "a a a b" five pairs, "a " three times and " a" twice; of "a b b" four.
    counts(&corpus, &["--k", "2", "--bag"], &[(2, 6, 4)]);
}

#[test]
fn long_texts_with_hardly_a_word_are_warned_of_even_when_quiet() {
    let long = format!("{} end", "!?.".repeat(700));
    let corpus = Workspace::new("sparse")
        .file("a", &long)
        .file("b", FOX)
        .file("r.jsonl", serde_json::json!({ "id": "x", "text": long }).to_string());
    let warning = |name: &str| format!("dedup: warning: {name}: 1 word in 2104 characters; try --shingle char\n");
    let all = ["scan", "-q", ".", "--shingle", "word", "--summary", "../tmp-summary"];
    corpus.dedup(&all).stdout(&copies("a", "x", 1)).stderr(&(warning("a") + &warning("r.jsonl:1"))).exit_code(0);
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(corpus.path("../tmp-summary")).unwrap()).unwrap();
    assert_eq!((&summary["sparse"], &summary["skipped"]), (&2.into(), &serde_json::json!({})));
    corpus.dedup(&["scan", "-q", "."]).pairs(&["a x"]).stderr("").exit_code(0);
    let stop_words = "dedup: warning: b: 0 stop words in 1199 characters; \
        check --language, or try --shingle word or char\n";
    let corpus = Workspace::new("sparse_stop_words").file("a", FOX).file("b", "Wort ".repeat(240));
    corpus
        .dedup(&["scan", "-q", ".", "--shingle", "stopword", "--language", "en"])
        .stdout("")
        .stderr(stop_words)
        .exit_code(0);
}

#[test]
fn documents_with_few_tokens_are_left_out_on_request() {
    let corpus = Workspace::new("min_tokens")
        .file("a", "one two three")
        .file("b", "one two three")
        .file("c", "one two")
        .file("d", "one two")
        .file("e", "")
        .file("r.jsonl", "{\"id\":\"x\",\"text\":\"one two\"}\n{\"id\":\"y\",\"text\":\"one two three\"}\n");
    let note = |name: &str, tokens| format!("dedup: {name}: {tokens} tokens, fewer than --min-tokens 3; skipped\n");
    let expected = format!(
        "{}{}{}{}documents  3 (59 B), 3 shorter than one shingle\nshingles   5 words; at least 3 tokens\n\
         skipped    4 with fewer tokens than --min-tokens\ncopies     2 in 1 group of equal texts\n\
         candidates 0 pairs of distinct texts\npairs      3 at or above 0.8\n\
         recall     99.96 % of the pairs at 0.8 are found (20 bands x 5 rows)\nmemory     <bytes>\ntime       <times>\n",
        note("c", 2),
        note("d", 2),
        note("e", 0),
        note("x", 2)
    );
    let all = ["scan", "--stats", ".", "--shingle", "word", "--min-tokens", "3", "--summary", "../s"];
    corpus.dedup(&all).pairs(&["a b", "a y", "b y"]).stderr(&expected).exit_code(0);
    let summary: serde_json::Value = serde_json::from_slice(&std::fs::read(corpus.path("../s")).unwrap()).unwrap();
    assert_eq!((&summary["skipped"]["few_tokens"], &summary["errors"]), (&4.into(), &0.into()));
    assert_eq!(summary["settings"]["min_tokens"], 3);
    // Characters: all three words are 13 of them.
    corpus
        .dedup(&["scan", "--stats", "-q", ".", "--min-tokens", "13"])
        .pairs(&["a b", "a y", "b y"])
        .stderr("")
        .exit_code(0);
    let warning =
        "dedup: warning: no documents are left (7 with fewer tokens than --min-tokens); check the paths and flags\n";
    corpus.dedup(&["scan", "-q", ".", "--min-tokens", "14"]).pairs(&[]).stderr(warning).exit_code(0);
}
