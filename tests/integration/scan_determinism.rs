//! The same bytes out, whatever the threads and the order in which the corpus was made.

use std::fs;

use crate::support::*;

/// Documents in folders, many near-duplicates and many copies among them.
fn documents() -> Vec<(String, String)> {
    let mut random = Random(3);
    let words: Vec<String> = (0..300).map(|word| format!("word{word}")).collect();
    let mut texts: Vec<Vec<usize>> = Vec::new();
    for _ in 0..60 {
        let mut text: Vec<usize> = match random.below(3) {
            0 if !texts.is_empty() => texts[random.below(texts.len())].clone(),
            _ => (0..80).map(|_| random.below(words.len())).collect(),
        };
        let place = random.below(text.len());
        text[place] = random.below(words.len());
        texts.push(text);
    }
    let text = |text: &[usize]| text.iter().map(|&word| words[word].as_str()).collect::<Vec<_>>().join(" ");
    (0..400)
        .map(|document| (format!("{}/{document}.txt", document % 7), text(&texts[random.below(texts.len())])))
        .collect()
}

fn workspace(name: &'static str, documents: &[(String, String)]) -> Workspace {
    documents.iter().fold(Workspace::new(name), |corpus, (path, text)| corpus.file(path, text))
}

fn output(corpus: &Workspace, args: &[&str]) -> String {
    let mut all = vec!["scan", "-q", "."];
    all.extend(args);
    let mut kept = String::new();
    corpus.dedup(&all).stdout_with(|stdout| kept = stdout.to_owned()).stderr("").exit_code(0);
    kept
}

#[test]
fn threads_and_the_order_of_creation_do_not_change_a_byte() {
    let mut documents = documents();
    let corpus = workspace("ordered", &documents);
    Random(9).shuffle(&mut documents);
    let shuffled = workspace("shuffled", &documents);
    for method in [&["--signature", "classic"][..], &["--signature", "fast"], &["--collapse-exact"]] {
        let with_threads = |corpus: &Workspace, threads| output(corpus, &[method, &["--threads", threads]].concat());
        let expected = with_threads(&corpus, "1");
        assert!(records(&expected).len() > 200, "{method:?}: too few pairs to tell");
        for threads in ["1", "2", "16"] {
            assert_eq!(with_threads(&corpus, threads), expected, "{method:?}, {threads} threads");
            assert_eq!(with_threads(&shuffled, threads), expected, "{method:?}, {threads} threads, shuffled");
        }
    }
}

#[test]
fn threads_do_not_change_what_languages_are_found() {
    let sentences = [
        "The fox that lives in the wood behind the house was seen again on the road to the mill.",
        "Der Fuchs, der in dem Wald hinter dem Haus lebt, wurde wieder auf dem Weg zur Mühle gesehen.",
        "Le renard qui vit dans le bois derrière la maison a été revu sur le chemin du moulin.",
        "住在房子后面树林里的狐狸又在去磨坊的路上被看见了。这是我们的故事。",
    ];
    let corpus = (0..200).fold(Workspace::new("languages"), |corpus, number: usize| {
        corpus.file(format!("{number}"), format!("{} {}", sentences[number % 4], number / 8))
    });
    let with_threads =
        |threads| output(&corpus, &["--shingle", "stopword", "--bag", "--lowercase", "--threads", threads]);
    let expected = with_threads("1");
    let pairs = records(&expected);
    let alike = |pair: &dedup_scan::records::PairRecord| {
        let [a, b]: [usize; 2] = [&pair.a, &pair.b].map(|document| name(document).parse().unwrap());
        a % 4 == b % 4
    };
    assert!(pairs.len() > 2000 && pairs.iter().all(alike), "{} pairs", pairs.len());
    for threads in ["2", "16"] {
        assert_eq!(with_threads(threads), expected, "{threads} threads");
    }
}

#[test]
fn records_of_many_pieces_leave_in_order() {
    // 3 × 2 MiB and a bit: four pieces, which threads finish in any order.
    let padding = "x".repeat(40_000);
    let record = |id: usize| serde_json::json!({ "padding": padding, "id": id, "text": format!("{FOX} {}", id % 40) });
    let lines: String = (0..160).map(|id| format!("{}\n", record(id))).collect();
    assert!(lines.len() > 3 << 21);
    let corpus = Workspace::new("pieces").file("c.jsonl", lines);
    let expected = output(&corpus, &["--threads", "1"]);
    for threads in ["2", "16"] {
        assert_eq!(output(&corpus, &["--threads", threads]), expected);
    }
    let places: Vec<(usize, usize)> = records(&expected)
        .iter()
        .map(|pair| (name(&pair.a).parse().unwrap(), name(&pair.b).parse().unwrap()))
        .collect();
    assert!(places.is_sorted() && places.iter().all(|(a, b)| a < b) && places.len() > 160 * 3 / 2);
}

#[test]
fn problems_leave_in_document_order() {
    let corpus = (0..200).fold(Workspace::new("problems"), |corpus, number| {
        corpus.file(format!("{number:03}"), if number % 3 == 0 { b"\xFF".as_slice() } else { b"a short text" })
    });
    let expected: String = (0..200)
        .step_by(3)
        .map(|n| {
            format!("dedup: {n:03}: not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\n")
        })
        .collect();
    corpus
        .dedup(&["scan", "-q", ".", "--collapse-exact", "--threads", "16"])
        .stdout_with(|stdout| assert_eq!(records(stdout).len(), 132))
        .stderr(&expected)
        .exit_code(3);
}

#[test]
fn a_second_scan_of_an_untouched_corpus_is_equal() {
    let corpus = workspace("again", &documents());
    let first = output(&corpus, &[]);
    fs::write(corpus.path("extra"), "").unwrap();
    assert_eq!(output(&corpus, &[]), first, "an empty document is in no pair");
}
