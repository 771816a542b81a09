//! Web crawls in WARC and WET files.

use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::packing::gzip;
use crate::support::*;

const BODY: &str = "The ferry to Osterby leaves at nine, and the clock of the old town hall strikes ten.";
const OTHER: &str = "Nobody knows why the keeper sets the clock by his own watch, or whether it is true.";

/// A record of a crawl: its type, the other fields of its header, and its block.
fn record(kind: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let header = format!("WARC/1.0\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {}\r\n\r\n", block.len());
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A crawl of records: each with its type, URI and block.
pub(crate) fn crawl(records: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let one = |(kind, uri, block): &(&str, &str, &[u8])| {
        let block_type = match *kind {
            "response" | "revisit" => "application/http; msgtype=response",
            _ => "text/plain",
        };
        record(
            kind,
            &format!("WARC-Target-URI: {uri}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: {block_type}\r\n"),
            block,
        )
    };
    records.iter().flat_map(one).collect()
}

/// The answer of a server.
fn answer(fields: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), body].concat()
}

fn page(body: &str) -> Vec<u8> {
    answer("Content-Type: text/html\r\n", format!("<html><title>x</title><p>{body}</p>").as_bytes())
}

/// The texts of a file of this name, with their names after the name of the file.
fn texts(name: &'static str, bytes: impl AsRef<[u8]>) -> Vec<(String, String)> {
    let corpus = Workspace::new("crawl_texts").file(name, bytes);
    let input = InputSettings::of(vec![corpus.path(name)]);
    let texts = read_texts(&input, Resources::default(), &Unwatched).unwrap();
    let file = corpus.path(name).to_str().unwrap().to_owned();
    texts.into_iter().map(|it| (it.name.replace(&file, ""), it.text.trim().to_owned())).collect()
}

/// The text of the only page, which a server answers with these fields.
fn text_of(fields: &str, body: &[u8]) -> String {
    texts("a.warc", crawl(&[("response", "http://a/", &answer(fields, body))])).remove(0).1
}

#[test]
fn each_page_is_a_document_with_the_name_of_its_uri() {
    let moved = answer("", b"");
    let crawl = crawl(&[
        ("warcinfo", "", b"software: x"),
        ("request", "http://a/", b"GET / HTTP/1.1\r\n\r\n"),
        ("response", "<http://a/?x=1>", &page(BODY)),
        ("metadata", "http://a/", b"fetchTimeMs: 1"),
        ("response", "http://a/?x=1", &page(OTHER)),
        ("resource", "file:///b.txt", OTHER.as_bytes()),
        ("conversion", "http://c/", BODY.as_bytes()),
        ("response", "", &moved),
    ]);
    let place = |text: &[u8]| crawl.windows(text.len()).rposition(|window| window == text).unwrap();
    let again = crawl.windows(13).enumerate().filter(|(_, window)| *window == b"http://a/?x=1").nth(1).unwrap().0;
    let start = |at: usize| crawl[..at].windows(6).rposition(|window| window == b"WARC/1").unwrap();
    let expected = [
        ("!http://a/?x=1".to_owned(), format!("x\n{BODY}")),
        (format!("!:{}", start(again)), format!("x\n{OTHER}")),
        ("!file:///b.txt".to_owned(), OTHER.to_owned()),
        ("!http://c/".to_owned(), BODY.to_owned()),
        (format!("!:{}", start(place(b"WARC-Target-URI: \r\n"))), String::new()),
    ];
    let read = texts("a.warc", &crawl);
    assert_eq!(read, expected);
    for (name, bytes) in [("a.wet", crawl.clone()), ("crawl", crawl.clone()), ("a.dat", crawl.clone())] {
        assert_eq!(texts(name, bytes), expected, "{name}");
    }
    // As crawlers write it, each record is a member of the gzip file.
    assert_eq!(texts("a.warc.gz", [gzip(&crawl[..200]), gzip(&crawl[200..])].concat()), expected);
    Workspace::new("crawl_stdin")
        .stdin(&crawl)
        .dedup(&["scan", "-q", "-"])
        .stdout_with(|pairs| {
            assert!(pairs.contains(r#""a":"-!file:///b.txt""#) || pairs.contains(r#""b":"-!file:///b.txt""#), "{pairs}")
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_page_is_unpacked_and_decoded_as_its_header_says() {
    let html = "Content-Type: text/html\r\n";
    let of = |fields: &str, body: &[u8]| text_of(&format!("{html}{fields}"), body);
    assert_eq!(of("Transfer-Encoding: chunked\r\n", b"5\r\n<p>ab\r\n3\r\ncde\r\n0\r\n\r\n"), "abcde");
    assert_eq!(of("Transfer-Encoding: chunked\r\n", b"<p>not chunked"), "not chunked");
    assert_eq!(of("Transfer-Encoding: chunked\r\n", b"add\n<p>not chunked"), "add\nnot chunked");
    assert_eq!(of("Content-Encoding: gzip\r\n", &gzip("<p>packed")), "packed");
    assert_eq!(of("Content-Encoding: gzip\r\n", b"<p>unpacked before"), "unpacked before");
    assert_eq!(of("Content-Encoding: zstd\r\n", &crate::packing::zstd("<p>packed")), "packed");
    assert_eq!(of("Content-Encoding: br\r\n", b"\x8b\x04\x80<p>packed!\x03"), "packed!");
    assert_eq!(of("Content-Encoding: br\r\n", b"3 cats unpacked before"), "3 cats unpacked before");
    let raw = &gzip("<p>raw deflate")[10..];
    assert_eq!(of("Content-Encoding: deflate\r\n", &raw[..raw.len() - 8]), "raw deflate");
    assert_eq!(of("Content-Encoding: deflate\r\n", b"x^2 unpacked before"), "x^2 unpacked before");
    assert_eq!(of("Transfer-Encoding: gzip\r\n", &gzip("<p>packed")), "packed");
    let wide: Vec<u8> = "<p>wide".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(text_of("Content-Type: text/html; charset=utf-16le\r\n", &wide), "wide");
    assert_eq!(text_of("Content-Type: text/html; charset=utf-16\r\n", b"<p>not wide"), "not wide");
    assert_eq!(text_of("Content-Type: text/html; charset=iso-2022-kr\r\n", "<p>é".as_bytes()), "é");
    assert_eq!(text_of("Content-Type: text/html; charset=windows-1251\r\n", b"<meta charset=koi8-r>\xC0\xC1"), "АБ");
    assert_eq!(text_of(html, b"<meta charset=koi8-r>\xC0\xC1"), "юа");
    assert_eq!(text_of("Content-Type: text/plain; charset=\"iso-8859-1\"\r\n", b"<p>caf\xE9"), "<p>café");
    assert_eq!(text_of("Content-Type: text/html; charset=koi8-r\r\n", "\u{FEFF}<p>é".as_bytes()), "é");
    assert_eq!(text_of("", b"<!DOCTYPE html><p>no type"), "no type");
    assert_eq!(text_of("", b"no <type>"), "no <type>");
}

#[test]
fn other_records_are_counted() {
    let image = answer("Content-Type: image/png\r\n", b"\x89PNG\r\n\x1A\n\0");
    let data = answer("Content-Type: application/x-data\r\n", b"a\0b");
    let crawl = crawl(&[
        ("response", "http://a/", &page(BODY)),
        ("response", "http://a/", &page(OTHER)),
        ("response", "http://a/1.png", &image),
        ("response", "http://a/2.png", &image),
        ("response", "http://a/3", &data),
        ("revisit", "http://a/", b""),
        ("revisit", "http://b/", b""),
    ]);
    Workspace::new("crawl_counts")
        .file("a.warc", crawl)
        .dedup(&["scan", ".", "--summary", "s.json"])
        .stdout("")
        .stderr_with(|stderr| {
            for line in [
                "dedup: a.warc: 1 record has a URI that was used before; compared under the name of the place, as in `!:120`\n",
                "dedup: a.warc: 2 revisit records refer to a page that was stored before; skipped\n",
                "dedup: a.warc: 3 payloads are not text; skipped: 2 image/png, 1 application/x-data\n",
            ] {
                assert!(stderr.contains(line), "{line}{stderr}");
            }
        })
        .exit_code(0);
}

#[test]
fn damaged_and_large_crawls_are_read_as_far_as_possible() {
    let whole = crawl(&[
        ("response", "http://a/", &page(BODY)),
        ("response", "http://b/", &page(BODY)),
        ("response", "http://c/", &page(BODY)),
    ]);
    let cut = &whole[..whole.len() - 30];
    let second = whole.len() / 3;
    let noisy = [&whole[..second], b"one line of noise\r\n", &whole[second..]].concat();
    let corpus = Workspace::new("damaged_crawls").file("a.warc", cut).file("b.warc", noisy).file("c.warc", "").file(
        "d.warc",
        crawl(&[
            ("response", "http://a/", &page(&"x ".repeat(9000))),
            ("response", "http://b/", &answer("Content-Encoding: gzip\r\n", &gzip(BODY)[..60])),
        ]),
    );
    let corpus = corpus.file("e.warc", crawl(&[("request", "http://a/", b"GET / HTTP/1.1\r\n\r\n")]));
    let corpus = corpus.file(
        "f.warc",
        crawl(&[("response", "http://a/", &answer("Content-Type: text/html; charset=utf-8\r\n", b"\xFF"))]),
    );
    corpus
        .dedup(&["scan", ".", "--max-document-bytes", "8KiB", "--list-documents"])
        .stdout_with(|list| {
            let used = |name: &str| list.lines().any(|line| line.contains(&format!("\"{name}\"")) && line.contains(r#""bytes""#));
            for name in ["a.warc!http://a/", "a.warc!http://b/", "b.warc!http://a/", "b.warc!http://b/", "b.warc!http://c/"] {
                assert!(used(name), "{name}\n{list}");
            }
        })
        .stderr_with(|stderr| {
            for line in [
                "dedup: a.warc: damaged or cut short (it ends too early); the records before that are compared",
                &format!("dedup: b.warc!:{second}: no WARC record begins here; reading goes on at the next record"),
                "dedup: c.warc: empty, where a web crawl was expected; skipped",
                "dedup: d.warc!http://a/: more than 8KiB; skipped (--max-document-bytes allows larger ones)",
                "dedup: d.warc!http://b/: damaged or cut short (it ends too early); skipped",
                "dedup: e.warc: a web crawl without pages; skipped",
                "dedup: f.warc!http://a/: not valid UTF-8, the charset of its HTTP header; read it with --invalid replace",
            ] {
                assert!(stderr.contains(line), "{line}\n{stderr}");
            }
        })
        .exit_code(3);
}

#[test]
fn pages_that_are_cut_short_are_counted_and_compared() {
    let truncated = record("resource", "WARC-Target-URI: http://t/\r\nWARC-Truncated: length\r\n", BODY.as_bytes());
    let packed = gzip(BODY.repeat(50));
    let half = answer("Content-Encoding: gzip\r\n", &packed[..packed.len() - 12]);
    let of_length = record(
        "response",
        "WARC-Target-URI: http://g/\r\nWARC-Truncated: length\r\nContent-Type: application/http\r\n",
        &half,
    );
    let chunked = crawl(&[(
        "response",
        "http://c/",
        &answer("Transfer-Encoding: chunked\r\n", format!("{:x}\r\n{BODY}\r\n99\r\nthe rest", BODY.len()).as_bytes()),
    )]);
    let corpus = Workspace::new("cut_pages")
        .file("a.warc", [truncated, of_length, chunked.clone()].concat())
        .file("b.warc", chunked);
    corpus
        .dedup(&["scan", ".", "--list-documents"])
        .stdout_with(|list| {
            for name in ["a.warc!http://t/", "a.warc!http://g/", "a.warc!http://c/", "b.warc!http://c/"] {
                assert!(list.contains(&format!(r#"{{"name":"{name}","treated":""#)), "{name}\n{list}");
            }
        })
        .stderr_with(|stderr| {
            for line in [
                "dedup: a.warc: 3 pages are cut short (WARC-Truncated, or without a last chunk); compared\n",
                "dedup: b.warc: 1 page is cut short (WARC-Truncated, or without a last chunk); compared\n",
            ] {
                assert!(stderr.contains(line), "{line}{stderr}");
            }
        })
        .exit_code(0);
}

#[test]
fn hostile_headers_are_reported() {
    let codings = "Content-Encoding: gzip\r\n".repeat(5);
    let long = format!("X: {}\r\n", "x".repeat(64 << 10));
    // Brotli with a window of 1 GiB, which RFC 7932 does not have.
    let window = b"\x11\x1E\x12\0\x02<p>packed!\x03";
    let mut records = vec![
        ("response", "http://a/".to_owned(), answer(&codings, &gzip(BODY))),
        ("response", "http://b/".to_owned(), answer(&long, BODY.as_bytes())),
        ("response", "http://c/".to_owned(), answer("Content-Encoding: br\r\n", window)),
        ("response", "http://d/".to_owned(), page(BODY)),
    ];
    for number in 0..1100 {
        let kind = format!("Content-Type: x/{number}{}\r\n", if number < 5 { "x".repeat(200) } else { String::new() });
        records.push(("response", format!("http://{number}/"), answer(&kind, b"a\0b")));
    }
    let records: Vec<(&str, &str, &[u8])> =
        records.iter().map(|(kind, uri, block)| (*kind, uri.as_str(), block.as_slice())).collect();
    Workspace::new("hostile_crawl")
        .file("a.warc", crawl(&records))
        .dedup(&["scan", ".", "--list-documents"])
        .stdout_with(|list| assert!(list.contains(r#"{"name":"a.warc!http://d/","treated":"used""#), "{list}"))
        .stderr_with(|stderr| {
            for line in [
                "dedup: a.warc!http://a/: its HTTP header lists more than 4 compressions; skipped\n",
                "dedup: a.warc!http://b/: its HTTP header has more than 64KiB; skipped\n",
                "dedup: a.warc!http://c/: damaged or cut short (",
                "dedup: a.warc: 1100 payloads are not text; skipped: 1 x/10, ",
                ", 1092 others\n",
            ] {
                assert!(stderr.contains(line), "{line}\n{stderr}");
            }
        })
        .exit_code(3);
}

#[test]
fn a_text_about_the_format_is_not_a_crawl() {
    let about = format!("WARC/1.0 is a format.\n{BODY}\n");
    for name in ["a.txt", "about", "a.log"] {
        assert_eq!(texts(name, &about), [(String::new(), about.trim().to_owned())], "{name}");
    }
}

#[test]
fn the_members_after_a_damaged_one_are_read() {
    let member = |uri: &str| gzip(crawl(&[("response", uri, &page(&format!("{uri} {BODY} {OTHER}")))]));
    let [a, b, c] = ["http://a/", "http://b/", "http://c/"].map(member);
    let mut invalid = b.clone();
    let end = invalid.len();
    invalid[end - 60..end - 20].fill(0xFF);
    let mut checksum = b.clone();
    checksum[end - 8] ^= 1;
    let header = [&[0x1F, 0x8B, 9], &b[3..]].concat();
    let middles = [invalid, checksum, header, b[..end / 2].to_vec(), b[..end - 8].to_vec(), b[..end - 1].to_vec()];
    for (number, middle) in middles.into_iter().enumerate() {
        let line = "dedup: a.warc.gz: damaged or cut short (";
        let list = |bytes: Vec<u8>, but: &str, names: &[&str]| {
            Workspace::new("damaged_members")
                .file("a.warc.gz", bytes)
                .dedup(&["scan", ".", "--list-documents"])
                .stdout_with(|list| {
                    for name in names {
                        let used = format!(r#"{{"name":"a.warc.gz!{name}","treated":"used""#);
                        assert!(list.contains(&used), "{number} {name}\n{list}");
                    }
                })
                .stderr_with(|stderr| {
                    let said = stderr.lines().find(|it| it.starts_with(line)).unwrap_or_default();
                    assert!(said.ends_with(but), "{number} {stderr}");
                })
                .exit_code(3);
        };
        let next = "; reading goes on at the next record";
        list([&a[..], &middle, &c].concat(), next, &["http://a/", "http://c/"]);
        list([&middle[..], &a, &middle, &c].concat(), next, &["http://a/", "http://c/"]);
        list([&a[..], &c, &middle].concat(), "; the records before that are compared", &["http://a/", "http://c/"]);
    }
}

#[test]
fn a_page_that_unpacks_to_too_much_is_refused() {
    let zeros = gzip(vec![b' '; 300 << 20]);
    Workspace::new("crawl_bomb")
        .file(
            "a.warc",
            crawl(&[
                ("response", "http://a/", &answer("Content-Encoding: gzip\r\n", &zeros)),
                ("response", "http://b/", &page(BODY)),
            ]),
        )
        .dedup_limited("-v 4000000", &["scan", ".", "--list-documents"])
        .stdout_with(|list| assert!(list.contains(r#"{"name":"a.warc!http://b/","treated":"used""#), "{list}"))
        .stderr_with(|stderr| assert!(stderr.contains("a.warc!http://a/: more than 256MiB; skipped"), "{stderr}"))
        .exit_code(3);
}

/// A page of a crawl, with the year in which it was stored.
fn dated(uri: &str, year: u32, body: &str) -> Vec<u8> {
    let fields =
        format!("WARC-Target-URI: {uri}\r\nWARC-Date: {year}-01-01T00:00:00Z\r\nContent-Type: application/http\r\n");
    record("response", &fields, &page(body))
}

#[test]
fn the_newest_page_is_kept_by_the_date_of_its_record() {
    // The files themselves have the opposite order.
    let corpus = Workspace::new("newest_page")
        .file("in/a.warc", dated("http://a/", 2021, BODY))
        .file("in/b.warc", dated("http://b/", 2023, BODY))
        .file("in/c.warc", dated("http://c/", 2022, BODY));
    for (keep, kept) in [("newest", "b"), ("oldest", "a")] {
        corpus
            .dedup(&["unique", "in", "-o", keep, "--keep", keep, "--removed", "-"])
            .stdout_with(|removed| {
                let kept = format!(r#""kept":"in/{kept}.warc!http://{kept}/""#);
                assert_eq!(removed.matches(&kept).count(), 2, "{keep}: {removed}");
            })
            .stderr_with(|_| ())
            .exit_code(0);
        let copied = |name: &str| corpus.path(format!("{keep}/{name}.warc")).exists();
        for name in ["a", "b", "c"] {
            assert_eq!(copied(name), name == kept, "{keep}: {name}");
        }
    }
}

#[test]
fn a_crawl_with_some_duplicates_is_copied_whole() {
    let crawl =
        [dated("http://a/", 2021, BODY), dated("http://b/", 2023, BODY), dated("http://c/", 2022, OTHER)].concat();
    let corpus = Workspace::new("crawl_copy").file("in/a.warc", &crawl);
    corpus
        .dedup(&["unique", "in", "-o", "out", "--keep", "newest"])
        .stdout("")
        .stderr_with(|stderr| {
            assert!(stderr.contains("in/a.warc: nothing is removed from within mail and web crawls"), "{stderr}")
        })
        .exit_code(3);
    assert_eq!(std::fs::read(corpus.path("out/a.warc")).unwrap(), crawl);
}

#[test]
fn the_offset_of_a_record_is_a_part_of_its_source() {
    let first = crawl(&[("response", "http://a/", &page(BODY))]);
    let second = crawl(&[("response", "http://b/", &page(BODY))]);
    let corpus = Workspace::new("crawl_offsets").file("a.warc.gz", [gzip(&first), gzip(&second)].concat());
    let source = format!(
        r#""source_a":{{"file":"a.warc.gz!http://a/","offset":0}},"source_b":{{"file":"a.warc.gz!http://b/","offset":{}}}"#,
        first.len()
    );
    let look = |pair: &str| assert!(pair.contains(&source), "{pair}");
    corpus.dedup(&["scan", "-q", ".", "--with-source"]).stdout_with(look).stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "-q", "a.warc.gz", "--save", "result"])
        .stdout_with(|pair| assert!(!pair.contains("offset"), "{pair}"))
        .stderr("")
        .exit_code(0);
    assert!(corpus.read("result/documents.jsonl").contains(r#""source":{"file":"a.warc.gz!http://a/","offset":0}"#));
}
