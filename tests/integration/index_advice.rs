//! Messages about commands and flags that an index is not made for.

use crate::support::*;

/// An article of 400 words, and one of its paragraphs.
fn article(name: &'static str) -> Workspace {
    let words: Vec<String> = (0..400).map(|word| format!("word{}", word * word % 997)).collect();
    Workspace::new(name)
        .file("in/article.txt", words.join(" "))
        .file("paragraph.txt", words[100..160].join(" "))
        .file("far.txt", LOREM)
}

#[test]
fn a_query_that_finds_nothing_says_how_contained_texts_are_found() {
    let corpus = article("advice_contained");
    corpus.dedup(&["index", "build", "-q", "x", "in"]).stdout("").stderr("").exit_code(0);
    corpus.dedup(&["index", "build", "-q", "c", "in", "--containment"]).stdout("").stderr("").exit_code(0);
    let note = "dedup: note: no document is similar as a whole; to find documents that contain a part of these, or that these contain, ";
    for (index, how) in [
        ("x", "build the index with --for-containment, and query it with --containment 0.8"),
        ("c", "give --containment 0.8"),
    ] {
        let line = format!("{note}{how}");
        corpus.dedup(&["query", index, "paragraph.txt"]).stdout("").stderr_with_line(&line).exit_code(0);
        corpus.dedup(&["query", index, "paragraph.txt", "-q"]).stdout("").stderr("").exit_code(0);
    }
    let is_silent = |stderr: &str| assert!(!stderr.contains("note"), "{stderr}");
    // The advice of the note works.
    let advised = ["query", "c", "paragraph.txt", "--containment", "0.8"];
    corpus.dedup(&advised).pairs(&["paragraph.txt in/article.txt"]).stderr_with(is_silent).exit_code(0);
    // Where something is found, or new documents are looked for, there is nothing to say.
    let whole = ["query", "x", "in/article.txt"];
    corpus.dedup(&whole).pairs(&["in/article.txt in/article.txt"]).stderr_with(is_silent).exit_code(0);
    corpus.dedup(&["query", "x", "far.txt", "--add", "unseen"]).stdout("").stderr_with(is_silent).exit_code(0);
}

#[test]
fn an_index_is_not_a_document() {
    let corpus = article("advice_document");
    corpus.dedup(&["index", "build", "-q", "x", "in"]).stdout("").stderr("").exit_code(0);
    let line = "dedup: x: an index of dedup; skipped (dedup query INDEX PATH searches it, dedup index list INDEX lists its \
                documents)";
    corpus.dedup(&["scan", "x", "far.txt"]).stdout("").stderr_with_line(line).exit_code(3);
    let line = "dedup: a: x has no document with this name; list them with dedup index list\n";
    corpus.dedup(&["explain", "a", "b", "--in", "x"]).stdout("").stderr(line).exit_code(2);
    let line = "dedup: far.txt: x has no document with this name; dedup query x far.txt compares the file with it\n";
    corpus.dedup(&["explain", "far.txt", "--in", "x"]).stdout("").stderr(line).exit_code(2);
}

#[test]
fn presets_whose_method_an_index_does_not_have_name_the_command_that_has_it() {
    let corpus = article("advice_preset");
    corpus.dedup(&["index", "build", "-q", "x", "in"]).stdout("").stderr("").exit_code(0);
    for (preset, by) in [("clones", "copied blocks"), ("sentences", "comparing all of them")] {
        let refused = format!(
            "dedup: --preset {preset}: finds documents by {by}, but an index finds them by signatures; give --containment 0.8 instead to find texts that contain others, or compare with the texts of the index: dedup compare PATH --against x \
             --preset {preset}\n"
        );
        for command in
            [&["query", "x", "paragraph.txt"][..], &["query", "x", "--stdin"], &["index", "add", "x", "far.txt"]]
        {
            corpus.dedup(&[command, &["--preset", preset]].concat()).stdout("").stderr(&refused).exit_code(2);
        }
    }
    // The advice of the message works.
    let advised = ["compare", "-q", "paragraph.txt", "--against", "x", "--preset", "clones", "--shingle", "word"];
    corpus.dedup(&advised).pairs(&["paragraph.txt in/article.txt"]).stderr("").exit_code(0);
}

#[test]
fn the_documents_of_an_index_are_listed_and_explained_as_those_of_files() {
    let corpus = Workspace::new("advice_listed")
        .file("in/fox", FOX)
        .file("in/cat", CAT)
        .file("in/x/odd\nname", LOREM)
        .file("template", "x");
    let build = ["index", "build", "-q", "../x", "in", "-t", "0.5", "--k", "4"];
    corpus.dedup(&build).stdout("").stderr("").exit_code(0);
    corpus.dedup(&["index", "list", "../x"]).stdout("in/cat\nin/fox\nin/x/odd\nname\n").stderr("").exit_code(0);
    corpus.dedup(&["index", "list", "../x", "in/x/", "-0"]).stdout("in/x/odd\nname\0").stderr("").exit_code(0);
    corpus.dedup(&["index", "list", "../x", "none"]).stdout("").stderr("").exit_code(0);
    for flags in [&["--json"][..], &[]] {
        let names = [&["explain", "in/fox", "in/cat", "-q"], flags].concat();
        let mut expected = String::new();
        let args = [&names[..], &["--k", "4", "-t", "0.5"]].concat();
        corpus.dedup(&args).stdout_with(|text| expected = text.to_owned()).stderr_with(|_| ()).exit_code(0);
        corpus.dedup(&[&names[..], &["--in", "../x"]].concat()).stdout(&expected).stderr("").exit_code(0);
    }
    let look =
        |text: &str| assert!(text.starts_with("dedup: --k: ../x is an index, which has its own settings"), "{text}");
    corpus
        .dedup(&["explain", "in/fox", "in/cat", "--in", "../x", "--k", "3"])
        .stdout("")
        .stderr_with(look)
        .exit_code(2);
    let build = ["index", "build", "-q", "../t", "in", "--template", "template"];
    corpus.dedup(&build).stdout("").stderr("").exit_code(0);
    let look = |text: &str| assert!(text.contains("stores only the shingles of its templates"), "{text}");
    corpus.dedup(&["explain", "in/fox", "in/cat", "--in", "../t"]).stdout("").stderr_with(look).exit_code(2);
}

#[test]
fn the_nearest_documents_of_an_index_are_those_of_its_files() {
    let corpus = Workspace::new("advice_nearest")
        .file("in/fox", FOX)
        .file("in/cat", CAT)
        .file("in/lorem", LOREM)
        .file("in/page.html", format!("<p>{FOX}</p>"));
    let build = ["index", "build", "-q", "x", "in", "-t", "0.5", "--k", "4"];
    corpus.dedup(&build).stdout("").stderr("").exit_code(0);
    for flags in [&["--json"][..], &[]] {
        let nearest = [&["explain", "in/fox", "-q"], flags].concat();
        let of_files = [&nearest[..], &["--in", "in", "--k", "4", "-t", "0.5"]].concat();
        let mut expected = String::new();
        corpus.dedup(&of_files).stdout_with(|text| expected = text.to_owned()).stderr("").exit_code(0);
        assert!(expected.contains("in/cat") && expected.contains("in/page.html"), "{expected}");
        corpus.dedup(&[&nearest[..], &["--in", "x"]].concat()).stdout(&expected).stderr("").exit_code(0);
    }
    let line = "dedup: fox: x has no document with this name; list them with dedup index list\n";
    corpus.dedup(&["explain", "fox", "--in", "x"]).stdout("").stderr(line).exit_code(2);
}
