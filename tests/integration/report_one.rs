//! `dedup report --only` and `--answers`, and `dedup explain --format html`: reports for one person, and with what a person said.

use crate::support::*;

/// Alice and Bob have one text, Carol and Dave another, and Alice has a draft.
fn corpus(name: &'static str) -> Workspace {
    let corpus = Workspace::new(name).file("in/alice/essay.txt", FOX).file("in/alice/draft.txt", FOX);
    let corpus = corpus.file("in/bob.txt", FOX).file("in/carol.txt", LOREM).file("in/dave.txt", LOREM);
    corpus.dedup(&["scan", "in", "--save", "r", "-q"]).stdout_with(|_| ()).stderr("").exit_code(0);
    corpus
}

#[test]
fn a_report_of_one_person_shows_nobody_else() {
    let corpus = corpus("report_only");
    let only = |names: &[&str], expected: &[&str]| {
        let flags: Vec<String> = names.iter().map(|name| format!("--only={name}")).collect();
        let args = [&["report", "r", "--format", "jsonl"].map(str::to_owned)[..], &flags].concat();
        corpus.dedup(&args).pairs(expected).stderr("").exit_code(0);
        for format in ["text", "csv", "html"] {
            let args = [&["report", "r", "--format", format].map(str::to_owned)[..], &flags].concat();
            let look = |report: &str| {
                for name in ["draft.txt", "essay.txt", "bob.txt", "carol.txt", "dave.txt"] {
                    let is_in = expected.iter().any(|pair| pair.contains(name));
                    assert_eq!(report.contains(name), is_in, "{format} {names:?}: {name} in {report}");
                }
            };
            corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
        }
    };
    let of_draft = ["in/alice/draft.txt in/alice/essay.txt", "in/alice/draft.txt in/bob.txt"];
    only(&["in/alice/draft.txt"], &of_draft);
    only(&["in/carol.txt"], &["in/carol.txt in/dave.txt"]);
    let of_alice = [of_draft[0], of_draft[1], "in/alice/essay.txt in/bob.txt"];
    only(&["in/alice"], &of_alice);
    only(&["in/alice/"], &of_alice);
    only(&["in/bob.txt", "in/dave.txt"], &[of_draft[1], of_alice[2], "in/carol.txt in/dave.txt"]);
    // The exit code counts these pairs only.
    corpus
        .dedup(&["report", "r", "--only", "in/dave.txt", "--fail-over", "1"])
        .stdout_with(|_| ())
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_name_that_no_document_has_is_refused() {
    let corpus =
        corpus("report_only_refused").file("in/erin.txt", "a text that nobody else has written in these words");
    corpus.dedup(&["scan", "in", "--save", "r2", "-q"]).stdout_with(|_| ()).stderr("").exit_code(0);
    let refused = |result: &str, name: &str, what: &str| {
        let line = format!(
            "dedup: --only {name}: no {what} of {result} has this name or folder; give a name as the pairs have it\n"
        );
        corpus.dedup(&["report", result, "--only", name]).stdout("").stderr(&line).exit_code(2);
    };
    refused("r2", "in/nobody", "document");
    refused("r2", "in/ali", "document");
    refused("r2/pairs.jsonl", "in/erin.txt", "pair");
    // A person without a pair has an empty report.
    let nothing = "Near-duplicates: 0 pairs; 6 documents compared, at or above 80 %\n";
    corpus.dedup(&["report", "r2", "--only", "in/erin.txt"]).stdout(nothing).stderr("").exit_code(0);
}

#[test]
fn answers_are_shown_with_their_pairs() {
    let line = |a: &str, b: &str, rest: &str| format!(r#"{{"a":"in/{a}","b":"in/{b}","jaccard":1.0,{rest}}}"#) + "\n";
    let said = line("carol.txt", "dave.txt", r#""answer":"yes","note":"both \u202e asked""#)
        + &line("alice/draft.txt", "bob.txt", r#""answer":"undone","note":"see Bob""#)
        + &line("alice/essay.txt", "bob.txt", r#""answer":"no""#);
    let corpus = corpus("report_answers").file("said.jsonl", &said);
    let expected = "Near-duplicates: 4 pairs of 5 documents in 2 groups; 5 documents compared, at or above 80 %\n\
        in in/\n  100 %  alice/draft.txt  …/essay.txt\n  100 %  alice/draft.txt  bob.txt\n         no answer: see Bob\n  \
        100 %  alice/essay.txt  bob.txt\n         answer no\n  100 %  carol.txt        dave.txt\n         answer yes: both \\u{202e} asked\n";
    let report = ["report", "r", "--answers", "said.jsonl"];
    corpus.dedup(&[&report[..], &["--sort", "order"]].concat()).stdout(expected).stderr("").exit_code(0);
    let page = |page: &str| {
        assert!(page.contains(r#""answers":[[1,"","see Bob"],[2,"no",""],[3,"yes","both \u202e asked"]]"#), "{page}");
    };
    corpus.dedup(&[&report[..], &["--sort", "order", "-f", "html"]].concat()).stdout_with(page).stderr("").exit_code(0);
    // The note is there in a review too, and an answer without a note keeps it.
    let review = ["review", "r", "--answers", "said.jsonl", "-t", "0.8"];
    let asked = |stderr: &str| assert!(stderr.contains("\nnote         see Bob\n"), "{stderr}");
    let corpus = corpus.stdin("n\ny\nq\n");
    corpus.dedup(&review).stdout_with(|_| ()).stderr_with(asked).exit_code(0);
    corpus
        .dedup(&report)
        .stdout_with(|text| assert!(text.contains("answer yes: see Bob\n"), "{text}"))
        .stderr("")
        .exit_code(0);
    let refused = "dedup: --answers: --format csv does not show answers; choose text or html, or remove the flag\n";
    corpus.dedup(&[&report[..], &["-f", "csv"]].concat()).stdout("").stderr(refused).exit_code(2);
    corpus
        .dedup(&[&report[..], &["-f", "text=said.jsonl"]].concat())
        .stdout("")
        .stderr_with(|line| {
            assert!(line.contains("said.jsonl") && line.contains("--answers"), "{line}");
        })
        .exit_code(2);
    let other = corpus.file("words", "hello\n");
    let line = "dedup: words: its first line is neither an answer nor the names of columns (a, b and answer); correct it, or name \
        another file\n";
    other.dedup(&["report", "r", "--answers", "words"]).stdout("").stderr(line).exit_code(2);
}

#[test]
fn a_page_has_the_title_the_command_and_the_settings_in_words() {
    let corpus = corpus("report_title");
    let title = "<script>alert(1)</script> & \u{202e}co.";
    let look = |page: &str| {
        assert!(
            page.contains("<title>&lt;script&gt;alert(1)&lt;&#x2f;script&gt; &amp; \\u{202e}co.</title>"),
            "{page:.900}"
        );
        assert!(page.contains("Compared by runs of 9 characters."), "{page:.3000}");
        assert!(page.contains("<dd class=\"name\">dedup scan in</dd>"));
    };
    corpus.dedup(&["report", "r", "-f", "html", "--title", title]).stdout_with(look).stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "in", "-q", "-j", "2", "-f", "html", "--title", title])
        .stdout_with(look)
        .stderr("")
        .exit_code(0);
    let is_titled = |page: &str| assert!(page.contains("<h1>Essays</h1>"), "{page:.900}");
    corpus
        .dedup(&["cluster", "in", "-q", "-f", "html", "--title", "Essays"])
        .stdout_with(is_titled)
        .stderr("")
        .exit_code(0);
    let refused = "dedup: --title: only applies to HTML reports; add --format html, or remove the flag\n";
    corpus.dedup(&["report", "r", "--title", "x"]).stdout("").stderr(refused).exit_code(2);
}

#[test]
fn two_documents_are_a_page_whether_or_not_they_are_a_pair() {
    let corpus = corpus("explain_page");
    let opens = |page: &str, sentence: &str| {
        assert!(page.contains(sentence), "{page:.2000}");
        assert!(page.contains(r#""opens":true"#) && !page.contains("class=\"chart\"") && !page.contains("bob"));
    };
    let files = ["explain", "in/carol.txt", "in/dave.txt"];
    let equal = |page: &str| opens(page, "Reported: the texts are equal as they are compared.");
    corpus.dedup(&[&files[..], &["-f", "html"]].concat()).stdout_with(equal).stderr("").exit_code(0);
    let other = ["explain", "in/carol.txt", "in/alice/essay.txt", "--in", "in", "-q", "--exit-code"];
    let differ = |page: &str| opens(page, "Not reported: the similarity is below the threshold of 80 %");
    corpus.dedup(&[&other[..], &["-f", "html", "--title", "Two"]].concat()).stdout_with(differ).stderr("").exit_code(0);
    corpus.dedup(&[&files[..], &["-f", "html=p.html", "-q"]].concat()).stdout("").stderr("").exit_code(0);
    corpus.dedup(&[&files[..], &["-f", "html", "-o", "q.html", "-q"]].concat()).stdout("").stderr("").exit_code(0);
    assert!(corpus.read("p.html").contains("<title>in&#x2f;carol.txt and in&#x2f;dave.txt</title>"));
    assert!(corpus.read("q.html").contains(r#""text":[0,0]"#));
    let both = "dedup: --output: the page goes to p.html; remove one of the two files\n";
    corpus.dedup(&[&files[..], &["-f", "html=p.html", "-o", "q"]].concat()).stdout("").stderr(both).exit_code(2);
    let alone = "dedup: --format html: shows two documents; give B, or remove the flag\n";
    corpus.dedup(&["explain", "in/bob.txt", "--in", "in", "-f", "html"]).stdout("").stderr(alone).exit_code(2);
    // An input is never replaced.
    corpus.dedup(&[&files[..], &["-f", "html=in/dave.txt"]].concat()).stdout("").stderr_with(|_| ()).exit_code(2);
    assert_eq!(corpus.read("in/dave.txt"), LOREM);
    let corpus = corpus.file("empty.txt", "");
    let empty = |line: &str| {
        assert!(line.starts_with("dedup: --format html: there is nothing to show: not reported: "), "{line}")
    };
    corpus.dedup(&["explain", "empty.txt", "in/bob.txt", "-f", "html"]).stdout("").stderr_with(empty).exit_code(2);
}

#[test]
fn answers_that_belong_to_no_pair_are_reported() {
    let corpus = corpus("report_answers_lost");
    let line = |a: &str, b: &str| format!(r#"{{"a":"{a}","b":"{b}","jaccard":1.0,"answer":"yes"}}"#) + "\n";
    let corpus = corpus
        .file("other.jsonl", line("carol.txt", "dave.txt") + &line("in/carol.txt", "in/dave.txt"))
        .file("hidden.csv", "a,b,answer,note\nin/carol.txt,in/bob.txt,,look again\nin/carol.txt,in/dave.txt,yes,\n")
        .file("fit.jsonl", line("in/carol.txt", "in/dave.txt"));
    for (file, warning) in [
        (
            "other.jsonl",
            "dedup: warning: other.jsonl: 1 of 2 answers belong to no pair of r, such as carol.txt and dave.txt; r has no \
             document carol.txt: scan the same paths from the same folder, or correct the names\n",
        ),
        (
            "hidden.csv",
            "dedup: warning: hidden.csv: 1 of 2 answers belong to no pair of r, such as in/carol.txt and in/bob.txt; a flag \
             such as --threshold may hide the pair, or one of the texts has changed\n",
        ),
        ("fit.jsonl", ""),
    ] {
        for flags in [&["-q"][..], &["-q", "--format", "html"], &["-q", "--only", "in/bob.txt"]] {
            let args = [&["report", "r", "--answers", file], flags].concat();
            corpus.dedup(&args).stdout_with(|_| ()).stderr(warning).exit_code(0);
        }
    }
}
