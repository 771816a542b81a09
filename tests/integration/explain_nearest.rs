//! `dedup explain A --in CORPUS`: the documents that are most similar to one.

use crate::support::*;

#[test]
fn the_most_similar_documents_of_a_corpus_are_explained() {
    let corpus = Workspace::new("explain_nearest")
        .file("in/a", FOX)
        .file("in/b", CAT)
        .file("in/c", FOX)
        .file("in/d", LOREM)
        .file("in/e", format!("{LOREM} and then {FOX}"));
    corpus
        .dedup(&["explain", "in/a", "--in", "in", "-q"])
        .stdout_with(|stdout| {
            let lines: Vec<&str> = stdout.lines().collect();
            assert_eq!(lines[0], "in/a: compared with 4 other documents of the corpus, each exactly");
            let names: Vec<&str> = lines[1..].iter().step_by(2).map(|line| line.split("  ").last().unwrap()).collect();
            assert_eq!(names, ["in/c", "in/b", "in/e"], "{stdout}");
            assert!(lines[1].starts_with("  100 %") && lines[2].starts_with("         reported"), "{stdout}");
            assert!(lines[6].starts_with("         not reported: "), "{stdout}");
        })
        .stderr("")
        .exit_code(0);
    // The same verdicts as of each pair, as lines of JSON.
    corpus
        .dedup(&["explain", "in/a", "--in", "in", "-q", "--json", "--exit-code"])
        .stdout_with(|stdout| {
            let single = |b: &str| corpus.dedup(&["explain", "in/a", b, "--in", "in", "-q", "--json"]);
            for (line, b) in stdout.lines().zip(["in/c", "in/b", "in/e"]) {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                single(b)
                    .stdout_with(|one| {
                        let mut one: serde_json::Value = serde_json::from_str(one).unwrap();
                        for key in ["passages", "coverage_a", "coverage_b"] {
                            one.as_object_mut().unwrap().remove(key);
                        }
                        assert_eq!(record, one);
                    })
                    .stderr("")
                    .exit_code(0);
            }
            assert_eq!(stdout.lines().count(), 3);
        })
        .stderr("")
        .exit_code(1);
    // By passages: the share of the shorter document.
    let long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
    let corpus = corpus.file("p/a", long).file("p/b", format!("{long} {LOREM} {FOX}")).file("p/c", CAT);
    corpus
        .dedup(&["explain", "p/a", "--in", "p", "--preset", "prose", "-q"])
        .stdout_with(|stdout| {
            assert!(stdout.contains("  100 %  p/b\n") && !stdout.contains("p/c"), "{stdout}");
        })
        .stderr("")
        .exit_code(0);
    corpus
        .dedup(&["explain", "in/a"])
        .stdout("")
        .stderr("dedup: A, B: give two documents to compare, as in: dedup explain A B; `dedup PATH` finds pairs; see dedup explain --help\n")
        .exit_code(2);
    corpus.dedup(&["explain", "nothing", "--in", "in"]).stdout("").stderr_with(|_| ()).exit_code(2);
}

#[test]
fn a_document_without_shingles_is_compared_with_none_and_lost_inputs_are_counted() {
    let corpus = Workspace::new("explain_nearest_empty")
        .file("in/a", FOX)
        .file("in/b", FOX)
        .file("in/empty", "")
        .file("in/c", LOREM);
    corpus
        .dedup(&["explain", "in/empty", "--in", "in", "-q"])
        .stdout("in/empty: compared with no document, since it has no shingles: it is empty or too short\n")
        .stderr("")
        .exit_code(0);
    let compared = |stdout: &str| assert!(stdout.starts_with("in/c: compared with 2 other documents "), "{stdout}");
    corpus.dedup(&["explain", "in/c", "--in", "in", "-q"]).stdout_with(compared).stderr("").exit_code(0);
    // Nothing is similar to the document, and yet an input is missing.
    let corpus = corpus.file("in/bad.gz", b"\x1F\x8B\x08 and nothing of gzip");
    let args = ["explain", "in/c", "--in", "in", "-q"];
    corpus.dedup(&args).stdout_with(compared).stderr_with(|_| ()).exit_code(3);
}
