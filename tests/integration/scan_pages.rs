//! HTML pages, and filters, which turn other formats into text.

use crate::scan_crawls::crawl;
use crate::support::*;

#[test]
fn a_page_is_its_text() {
    let page = format!("<!doctype html><title></title><style>p{{}}</style><p>{}</p>", FOX.replace("fox", "<b>f</b>ox"));
    let corpus = Workspace::new("page")
        .file("a.html", &page)
        .file("b.txt", FOX)
        .file("c.HTM", page.replace("<p>", "<div><script>var x = '<p>';</script>"))
        .file("d.md", &page);
    corpus
        .dedup(&["scan", "-q", ".", "--collapse-exact"])
        .pairs(&["a.html b.txt", "a.html c.HTM"])
        .stderr("")
        .exit_code(0);
    corpus.dedup(&["scan", "-q", ".", "--html", "raw"]).pairs(&["a.html d.md"]).stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "-q", ".", "--html", "strip", "--collapse-exact"])
        .pairs(&["a.html b.txt", "a.html c.HTM", "a.html d.md"])
        .stderr("")
        .exit_code(0);
}

/// Two pages of one site with different texts; the menu and the footer, which both have, are longer.
fn pages_of_a_site() -> [(&'static str, String); 2] {
    let menu: String = (0..40).map(|at| format!("<li><a href=/{at}>Chapter {at} of the manual</a>")).collect();
    let page = |text: &str| {
        format!("<title>Manual</title><nav><ul>{menu}</ul></nav>\n<main>\n<p>{text}</main><footer>{FOX}</footer>")
    };
    [("a.html", page(LAMB)), ("b.html", page(&FOX.replace("fox", "<b>f</b>ox")))]
}

const LAMB: &str = "Mary had a little lamb whose fleece was white as snow, and everywhere that Mary went it followed.";

#[test]
fn the_main_text_of_pages_has_no_menus() {
    let [(a, page_a), (b, page_b)] = pages_of_a_site();
    let corpus =
        Workspace::new("main_text").file(a, &page_a).file(b, &page_b).file("c.txt", FOX).file("d.txt", &page_b);
    corpus.dedup(&["scan", "-q", "a.html", "b.html", "-t", "0.7"]).pairs(&["a.html b.html"]).stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "-q", ".", "--html", "main", "--collapse-exact"])
        .pairs(&["b.html c.txt"])
        .stderr("")
        .exit_code(0);
    // Line numbers refer to the page.
    let passages = |stdout: &str| {
        let found: serde_json::Value = serde_json::from_str(stdout).unwrap();
        assert_eq!(found["passages"][0]["a"]["lines"], serde_json::json!([3, 3]), "{stdout}");
    };
    let args = ["-q", "b.html", "c.txt", "--html", "main", "--shingle", "word"];
    corpus.dedup(&[&["scan", "--passages"], &args[..]].concat()).stdout_with(passages).stderr("").exit_code(0);
    corpus.dedup(&[&["explain", "--json"], &args[..]].concat()).stdout_with(passages).stderr("").exit_code(0);
}

#[test]
fn the_main_text_of_records_members_and_crawls() {
    let [(_, page_a), (_, page_b)] = pages_of_a_site();
    let record = |id, text: &str| format!("{{\"id\":{id},\"text\":{text:?}}}\n");
    let lines = record(1, &page_a) + &record(2, &page_b) + &record(3, FOX);
    let response = |page: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}").into_bytes();
    let crawl = crawl(&[
        ("response", "http://u/a", &response(&page_a)),
        ("response", "http://u/b", &response(&page_b)),
        ("response", "http://u/c", &response(&format!("<main>{FOX}</main>{LAMB}"))),
    ]);
    let corpus = Workspace::new("main_records").file("a.jsonl", lines).file("a.warc", crawl);
    let main = |file: &str, pair: &str| {
        corpus
            .dedup(&["scan", "-q", file, "--html", "main", "--collapse-exact"])
            .pairs(&[pair])
            .stderr("")
            .exit_code(0);
    };
    main("a.jsonl", "2 3");
    main("a.warc", "a.warc!http://u/b a.warc!http://u/c");
}

#[test]
fn records_may_be_pages() {
    let record = |id, text: &str| format!("{{\"id\":{id},\"text\":{text:?}}}\n");
    let lines = record(1, FOX) + &record(2, &format!("<p>{}", FOX.replace(' ', "&nbsp;")));
    let corpus = Workspace::new("page_records").file("a.jsonl", lines).file("b.csv", format!("id,text\n3,<p>{FOX}\n"));
    corpus.dedup(&["scan", "-q", ".", "--threshold", "1"]).pairs(&[]).stderr("").exit_code(0);
    let stripped = [copies("1", "2", 36), copies("1", "3", 36), copies("2", "3", 36)].concat();
    corpus.dedup(&["scan", "-q", ".", "--html", "strip"]).stdout(&stripped).stderr("").exit_code(0);
}

#[test]
fn a_filter_makes_text_of_files_with_an_extension() {
    let corpus = Workspace::new("filter")
        .file("a.txt", FOX)
        .file("b.up", FOX.to_uppercase())
        .file("c.UP", format!("\0{}", FOX.to_uppercase()))
        .file("d.csv", "id,text\n");
    let lower = "up=tr -d '\\000' | tr A-Z a-z | sed 's/^t/T/'";
    corpus
        .dedup(&["scan", "-q", ".", "--filter", lower, "--filter", ".csv=cat a.txt", "--collapse-exact"])
        .stdout(&["b.up", "c.UP", "d.csv"].map(|name| copies("a.txt", name, 36)).concat())
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_filter_that_fails_costs_its_document_alone() {
    let corpus = Workspace::new("failing_filter").file("a.x", FOX).file("b.x", "bad").file("c.x", FOX).file("d.y", "");
    let command = "x=read -r line; case $line in bad) echo >&2; echo 'no page' >&2; exit 4;; esac; echo \"$line.\"";
    let message = "dedup: b.x: the filter `read -r line; case $line in bad) echo >&2; echo 'no page' >&2; exit 4;; esac; \
         echo \"$line.\"` ended with status 4: no page; skipped\n\
         dedup: d.y: the filter `yes` printed more than 100 bytes; skipped (--max-document-bytes allows larger ones)\n";
    // The shell takes a line that does not end as one that was not read; the text is there all the same.
    corpus
        .dedup(&["scan", "-q", ".", "--filter", command, "--filter", "y=yes", "--max-document-bytes", "100"])
        .pairs(&["a.x c.x"])
        .stderr(message)
        .exit_code(3);
}

#[test]
fn a_filter_that_takes_too_long_is_ended() {
    let corpus = Workspace::new("slow_filter").file("a.x", "");
    corpus.dedup(&["scan", "-q", ".", "--filter", "x=sleep 1000", "--filter-timeout", "1"]).stdout("").nothing_read(
        "dedup: a.x: the filter `sleep 1000` took more than 1 s (--filter-timeout allows more); skipped\n",
    );
}

#[test]
fn a_signal_ends_the_filters_that_are_running() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        ended_by(signal, code);
    }
}

fn ended_by(signal: &str, code: i32) {
    let corpus = Workspace::new("interrupted_filter").file("a.x", "").fifo("pipe");
    let mut child = corpus.command(&["scan", "-q", "a.x", "--filter", "x=exec sleep 1000 > pipe"]).spawn().unwrap();
    // Opened when the filter opens it as well, and at its end when the filter has ended.
    let mut pipe = std::fs::File::open(corpus.path("pipe")).unwrap();
    let kill = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(wait(&mut child).code(), Some(code));
    assert_eq!(std::io::Read::read(&mut pipe, &mut [0]).unwrap(), 0);
}

#[test]
fn what_a_filter_prints_is_told_when_it_is_no_text() {
    let corpus = Workspace::new("filter_output").file("a.x", "").file("b.y", "").file("c.z", FOX);
    let filters = ["--filter", "x=printf '\\377'", "--filter", "y=echo", "--filter", "z=cat"];
    corpus
        .dedup(&[&["scan", "."], &filters[..]].concat())
        .stdout("")
        .notes(
            "dedup: a.x: the output of the filter `printf '\\377'` is not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\n\
             dedup: b.y: the filter `echo` printed nothing\n",
        )
        .exit_code(3);
}
