//! `dedup unique --cut`: formats, records and flags that it refuses.

use crate::packing::tar;
use crate::scan_crawls::crawl;
use crate::support::*;
use crate::unique::unique;
use crate::unique_cut::MENU;

#[test]
fn formats_that_are_not_rewritten_are_refused_by_name_or_written_as_texts() {
    let page = |body: &str| format!("<html><body><p>{MENU}</p><p>{body}</p></body></html>");
    let corpus = Workspace::new("cut_pages")
        .file("in/a.html", page("One"))
        .file("in/b.html", page("Two"))
        .file("in/c.txt", format!("{MENU}\nThree\n"))
        .file(
            "in/crawl.warc",
            crawl(&[
                ("conversion", "http://x/1", format!("{MENU}\nFour").as_bytes()),
                ("conversion", "http://x/2", b"Five"),
            ]),
        );
    corpus
        .dedup(&["unique", "in", "-o", "out", "--cut", "line"])
        .stdout("")
        .stderr("dedup: in/b.html: its text cannot be cut in place: it is a web page; exclude it, or write texts with --to text\n")
        .exit_code(2);
    assert!(!corpus.path("out").exists());
    unique(&corpus, &["in", "-o", "out", "--cut", "line", "--to", "text"], 0);
    assert_eq!(corpus.read("out/a.html.txt").trim(), format!("{MENU}\nOne"));
    assert_eq!(corpus.read("out/b.html.txt").trim(), "Two");
    assert_eq!(corpus.read("out/c.txt"), "Three\n");
    let lines = "{\"id\":\"in/crawl.warc!http://x/1\",\"text\":\"Four\"}\n{\"id\":\"in/crawl.warc!http://x/2\",\"text\":\"Five\"}\n";
    assert_eq!(corpus.read("out/crawl.warc.jsonl"), lines);
    // One file.
    unique(&corpus, &["in/crawl.warc", "-o", "crawl.jsonl", "--cut", "line", "--to", "text"], 0);
    assert_eq!(corpus.read("crawl.jsonl").lines().count(), 2);
    unique(&corpus, &["in/a.html", "-o", "a.txt", "--cut", "line", "--to", "text"], 0);
    assert_eq!(corpus.read("a.txt").trim(), format!("{MENU}\nOne"));
}

#[test]
fn files_with_uncertain_records_are_copied_whole_and_not_counted() {
    let table = "id,text,n\n1,one two three four,x\n2,one two three four,y\n5,x\n3,z,w\n";
    let corpus = Workspace::new("cut_uncertain").file("in/a.csv", table).file("in/b.txt", "zero one two three four\n");
    corpus
        .dedup(&["unique", "in", "-o", "out", "--cut", "passages:4", "--cuts", "-", "--summary", "s.json"])
        .stdout_with(|cuts| assert!(cuts.lines().count() == 1 && cuts.contains("in/b.txt"), "{cuts}"))
        .stderr_with(|stderr| {
            assert!(stderr.contains("the whole file is copied, with 1 record that would be cut"), "{stderr}");
            assert!(stderr.contains("cut        4 of 14 words"), "{stderr}");
        })
        .exit_code(3);
    assert_eq!((corpus.read("out/a.csv"), corpus.read("out/b.txt")), (table.to_owned(), "zero\n".to_owned()));
    let summary: serde_json::Value = serde_json::from_str(&corpus.read("s.json")).unwrap();
    assert_eq!(summary["unique"]["cut"]["cuts"], 1);
    assert_eq!(summary["unique"]["copied_whole"][0]["uncut"], 1);
}

#[test]
fn what_cannot_be_cut_in_place_says_why_and_what_helps() {
    let words = "one two three four";
    let page = |body: &str| format!("<p>{body}</p>");
    let archive = tar(&[("p.html", page(words).as_bytes())]);
    let wide: Vec<u8> = format!("\u{FEFF}{{\"text\":\"{words}\"}}\n{{\"text\":\"{words}\"}}\n")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let corpus = Workspace::new("cut_refused")
        .file("a.txt", format!("{words}\n"))
        .file("n.json", format!("[{{\"body\":\"{words}\"}},\n{{\"body\":\"{words}\"}}]"))
        .file("z.tar", archive)
        .file("h.jsonl", format!("{{\"text\":\"{0}\"}}\n{{\"text\":\"{0}\"}}\n", page(words)))
        .file("w.jsonl", wide)
        .file("in/a.txt", words)
        .file("in/w.html", page(words))
        .file("in/w.html.txt", "another");
    for (args, message) in [
        (&["n.json"][..], "n.json: its texts cannot be cut (it is JSON, but was compared as one text"),
        (
            &["a.txt", "z.tar", "--to", "text"],
            "z.tar!p.html: it is a web page, and no member of an archive is written as text",
        ),
        (
            &["h.jsonl", "--html", "strip", "--to", "text"],
            "the fields of the record are read as web pages; give --html raw",
        ),
        (&["w.jsonl"], "only records in UTF-8 are cut; convert the file to UTF-8"),
        (
            &["in", "--to", "text"],
            "in/w.html: its text would have the name of in/w.html.txt; rename or exclude one of them",
        ),
    ] {
        let run = corpus.dedup(&[&["unique", "-o", "out", "--cut", "passages:4"], args].concat());
        run.stdout("").stderr_with(|stderr| assert!(stderr.contains(message), "{args:?}: {stderr}")).exit_code(2);
        assert!(!corpus.path("out").exists());
    }
    // The same records as text, or by their field.
    unique(&corpus, &["n.json", "-o", "n2.json", "--cut", "passages:4", "--text-field", "body"], 0);
    assert_eq!(corpus.read("n2.json"), format!("[{{\"body\":\"{words}\"}},\n{{\"body\":\"\"}}]"));
    // Records of several files, and of another format.
    unique(&corpus, &["h.jsonl", "a.txt", "-o", "several", "--cut", "passages:4"], 0);
    let corpus = Workspace::new("cut_joined")
        .file("a.jsonl", "{\"id\":1,\"text\":\"one two three\"}\n")
        .file("b.jsonl", "{\"id\":2,\"text\":\"zero one two three\"}\n");
    unique(&corpus, &["a.jsonl", "b.jsonl", "-o", "c.jsonl", "--cut", "passages:3"], 0);
    assert_eq!(corpus.read("c.jsonl"), "{\"id\":1,\"text\":\"one two three\"}\n{\"id\":2,\"text\":\"zero\"}\n");
    unique(&corpus, &["a.jsonl", "b.jsonl", "-o", "c.csv", "--cut", "passages:3"], 0);
    assert_eq!(corpus.read("c.csv"), "id,text\n1,one two three\n2,zero\n");
}

#[test]
fn contradictory_flags_are_refused() {
    let corpus = Workspace::new("cut_flags").file("a.txt", FOX);
    for (args, message) in [
        (&["--cut", "word"][..], "give passages, passages:TOKENS, line, paragraph, sentence or sentence:N"),
        (&["--cut", "passages:0"], "`0` is not a whole number from 1 to 1000000"),
        (&["--cut", "line", "--keep", "last"], "--keep: --cut keeps the first occurrence, or none"),
        (&["--keep", "none"], "--keep none: only applies to dedup unique --cut"),
        (&["--cut", "passages", "--min-df", "3"], "--min-df: only applies to lines, paragraphs and sentences"),
        (&["--cut", "line", "--scope", "document", "--min-df", "3"], "--min-df: counts documents"),
        (&["--cut", "line", "--scope", "group"], "--scope group: give the groups with --group-by"),
        (&["--cut", "line", "--group-by", "dir"], "--group-by: only applies to --scope group"),
        (&["--cut", "passages", "--shingle", "set"], "--shingle: the tokens of sets and of stop words have no order"),
        (&["--cut", "line", "--threshold", "0.5"], "cannot be used with"),
        (&["--cut", "line", "--stats"], "cannot be used with"),
        (&["--cut", "line", "--shingle", "word"], "--shingle: lines, paragraphs and sentences are compared as a whole"),
        (&["--group-by", "dir"], "--group-by: add --within-groups"),
        (&["--cut", "line", "--k", "5"], "cannot be used with"),
        (&["--scope", "document"], "--cut"),
        (&["--cut", "line", "--link", "--output", "b.jsonl"], ""),
    ] {
        let run = corpus.dedup(&[&["unique", "a.txt", "-o", "b.txt"], args].concat());
        run.stdout("").stderr_with(|stderr| assert!(stderr.contains(message), "{args:?}: {stderr}")).exit_code(2);
    }
    assert!(!corpus.path("b.txt").exists());
}
