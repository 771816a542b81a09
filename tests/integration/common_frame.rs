//! The note on web pages that are similar by their menus and not by their main texts.

use crate::support::*;

const NOTE: &str = "of {} pairs of web pages that were compared again by their main texts, {} are below 80 %; --html main ignores menus and other text that pages have in common";

fn note(pairs: usize, below: usize) -> String {
    format!("dedup: note: {}", NOTE.replacen("{}", &pairs.to_string(), 1).replacen("{}", &below.to_string(), 1))
}

/// A text of words that no other number has.
fn text(number: usize) -> String {
    (0..12).map(|word| format!("word{}x{number} ", word * word)).collect()
}

/// A page with a long menu around a text.
fn page(text: &str) -> String {
    let item = |item: usize| {
        format!("<li><a href=\"{item}.html\">entry {} leads to {}</a>", item * 7919 % 9973, item * item + 31)
    };
    let menu: String = (0..80).map(item).collect();
    format!("<html><body><nav><ul>{menu}</ul></nav><main><p>{text}</main></body></html>")
}

/// Pages with these texts, with an extension.
fn site(name: &'static str, extension: &str, texts: impl Iterator<Item = usize>) -> Workspace {
    texts.enumerate().fold(Workspace::new(name), |site, (number, of)| {
        site.file(format!("p{number:02}.{extension}"), page(&text(of)))
    })
}

fn is_silent(stderr: &str) {
    assert!(!stderr.contains("main texts"), "{stderr}");
}

#[test]
fn pages_that_are_similar_by_their_menus_are_reported() {
    let menus = site("frame_menus", "html", 0..8);
    for command in ["scan", "cluster"] {
        // Groups need only some of the pairs.
        let look = |stderr: &str| {
            assert!(stderr.contains(&note(28, 28)) || command == "cluster" && stderr.contains("main texts"), "{stderr}")
        };
        menus.dedup(&[command, "."]).stdout_with(|_| ()).stderr_with(look).exit_code(0);
        menus.dedup(&[command, ".", "-q"]).stdout_with(|_| ()).stderr("").exit_code(0);
        menus.dedup(&[command, ".", "--html", "main"]).stdout("").stderr_with(is_silent).exit_code(0);
    }
    // Three pages have the same text, so three pairs remain.
    let mixed = site("frame_mixed", "html", [0, 1, 2, 3, 4, 5, 5, 5].into_iter());
    mixed.dedup(&["scan", "."]).stdout_with(|_| ()).stderr_with_line(&note(28, 25)).exit_code(0);
}

#[test]
fn a_large_site_is_sampled_and_threads_change_nothing() {
    let site = site("frame_large", "html", 0..20);
    for threads in ["1", "2", "5"] {
        let scan = ["scan", ".", "--threads", threads];
        site.dedup(&scan).stdout_with(|_| ()).stderr_with_line(&note(64, 64)).exit_code(0);
    }
}

#[test]
fn other_pairs_are_not_compared_again() {
    for (texts, scan) in [
        // Pages with the same main text.
        (site("frame_copies", "html", std::iter::repeat_n(1, 6)), &["scan", "."][..]),
        // A few pairs say nothing about a site.
        (site("frame_few", "html", 0..3), &["scan", "."]),
        // Plain text, pages as they are written, and passages.
        (site("frame_plain", "txt", 0..8), &["scan", "."]),
        (site("frame_raw", "html", 0..8), &["scan", ".", "--html", "raw"]),
        (site("frame_passages", "html", 0..8), &["scan", ".", "--preset", "prose"]),
    ] {
        let look = |stdout: &str| assert!(!stdout.is_empty());
        texts.dedup(scan).stdout_with(look).stderr_with(is_silent).exit_code(0);
    }
}

#[test]
fn records_that_are_read_as_pages_count_too() {
    let records: String = (0..8)
        .map(|number| format!("{}\n", serde_json::json!({ "id": number.to_string(), "text": page(&text(number)) })))
        .collect();
    let corpus = Workspace::new("frame_records").file("a.jsonl", records);
    corpus.dedup(&["scan", "."]).stdout_with(|_| ()).stderr_with(is_silent).exit_code(0);
    corpus.dedup(&["scan", ".", "--html", "strip"]).stdout_with(|_| ()).stderr_with_line(&note(28, 28)).exit_code(0);
    // The texts of standard input are kept, and not its pages.
    corpus.shell("$D scan - --html strip < a.jsonl").stdout_with(|_| ()).stderr_with(is_silent).exit_code(0);
}
