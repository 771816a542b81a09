//! Mail that is encrypted, damaged or hostile.

use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::mail::*;
use crate::packing::{gzip, tar};
use crate::random::Random;
use crate::scan_crawls::crawl;
use crate::support::*;

#[test]
fn encrypted_damaged_and_empty_messages_are_reported() {
    let pgp = multipart("encrypted", &[("Content-Type: application/pgp-encrypted", "Version: 1")]);
    let smime = message(
        "1@x",
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64\n",
        "MIAGCSqGSIb3",
    );
    let signed = smime.replace("enveloped-data", "signed-data");
    let inline = message("1@x", "", "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----");
    let base64 = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n";
    let corpus = Workspace::new("mail_faults")
        .file("a.eml", pgp)
        .file("b.eml", smime)
        .file("c.eml", inline)
        .file("d.eml", message("1@x", base64, "0M/S3M0*** this is not base64 ***"))
        .file("e.eml", "")
        .file("f.eml", "no header here")
        .file("g.mbox", "")
        .file("h.mbox", "This is a text.\n")
        .file("i.eml", signed)
        .file("z.txt", BODY);
    corpus
        .dedup(&["scan", "."])
        .stdout("")
        .stderr_with(|stderr| {
            for line in [
                "dedup: a.eml: encrypted (S/MIME or PGP); skipped (decrypt it first)",
                "dedup: b.eml: encrypted (S/MIME or PGP); skipped (decrypt it first)",
                "dedup: c.eml: encrypted (S/MIME or PGP); skipped (decrypt it first)",
                "dedup: d.eml: damaged or cut short (it cannot be decoded as its header says); skipped",
                "dedup: e.eml: empty, where a mail message was expected; skipped",
                "dedup: f.eml: not a mail message, which begins with a header; skipped (--input-format text reads it)",
                "dedup: g.mbox: a mailbox without messages; skipped",
                "dedup: i.eml: packed into its signature (S/MIME); skipped (unpack it first)",
                "dedup: h.mbox: not a mailbox, which begins with a line `From SENDER DATE`; skipped",
            ] {
                assert!(stderr.contains(line), "{line}\n{stderr}");
            }
        })
        .exit_code(3);
}

#[test]
fn bombs_are_refused_in_time() {
    let deep: String =
        (0..10_000).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n")).collect::<String>()
            + "\n";
    let spaced = "Content-Type: message (a) /rfc822\n\n".repeat(20_000);
    let encoded = "Message-ID: <1@x>\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n";
    let within = "x--==b\n\n".repeat(400_000);
    let name = format!("Content-Disposition: attachment;{}\n\n", " filename*1=x;".repeat(700_000));
    let nested = "Content-Type: message/rfc822\n\n".repeat(20_000);
    let parts = "--==b\n\n".repeat(400_000);
    let fields = "a:\n".repeat(3_000_000);
    let corpus = Workspace::new("mail_bombs")
        .file("deep.eml", format!("Message-ID: <1@x>\n{deep}{BODY}"))
        .file("nested.eml", format!("Message-ID: <1@x>\n{nested}{BODY}"))
        .file("parts.eml", multipart("mixed", &[]).replace("--==b--", &parts))
        .file("fields.eml", format!("{fields}\n{BODY}"))
        .file("spaced.eml", format!("Message-ID: <1@x>\n{spaced}{BODY}"))
        .file("encoded.eml", format!("{encoded}{}", base64(format!("Message-ID: <2@x>\n{nested}{BODY}").as_bytes())))
        .file("within.eml", multipart("mixed", &[]).replace("--==b--", &within))
        .file("name.eml", format!("Message-ID: <1@x>\n{name}{BODY}"))
        .file("few.eml", format!("Message-ID: <1@x>\n{}{BODY}", "Content-Type: message/rfc822\n\n".repeat(20)));
    corpus
        .dedup_limited("-v 4000000", &["scan", ".", "--list-documents"])
        .stdout_with(|list| assert!(list.contains(r#"{"name":"deep.eml","treated":"used""#), "{list}"))
        .stderr_with(|stderr| {
            for name in [
                "nested.eml",
                "parts.eml",
                "fields.eml",
                "spaced.eml",
                "encoded.eml!part-1.eml",
                "within.eml",
                "name.eml",
            ] {
                let line = format!(
                    "dedup: {name}: a mail message with too many parts, attached messages or header fields; skipped"
                );
                assert!(stderr.contains(&line), "{line}\n{stderr}");
            }
            assert!(stderr.contains("packed more than 8 times"), "{stderr}");
        })
        .exit_code(3);
}

#[test]
fn hostile_names_are_escaped() {
    let parts = [
        ("Content-Type: text/plain", BODY),
        ("Content-Type: image/png; name=\"\u{1B}[31m\u{202E}a.png\"", "\u{0}\u{1}"),
    ];
    let corpus = Workspace::new("hostile_mail").file(
        "box.mbox",
        mailbox(&["\u{1B}]0;x\u{7}@x", "\u{1B}]0;y\u{7}@x"].map(|id| multipart("mixed", &parts).replace("m@x", id))),
    );
    corpus
        .dedup(&["box.mbox"])
        .stdout_with(|view| {
            assert!(!view.contains('\u{1B}') && !view.contains('\u{202E}'), "{view:?}");
            assert!(view.contains("]0;x") && view.contains("]0;y"), "{view}");
        })
        .stderr_with(|stderr| assert!(!stderr.contains('\u{1B}') && !stderr.contains('\u{202E}'), "{stderr:?}"))
        .exit_code(0);
}

/// Bytes that mean something in mail and in web crawls.
const MARKS: &[u8] = b"-:;=<>\"\r\n ./0\0\x80F";
const NUM_MUTATED: usize = 21_000;

#[test]
fn mutated_mail_and_crawls_are_read_or_reported() {
    let parts = [
        ("Content-Type: text/plain; charset=koi8-r", BODY),
        ("Content-Type: message/rfc822", &message("2@x", "", OTHER)),
    ];
    let base64 = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n";
    let page = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\nTransfer-Encoding: chunked\r\n\r\n54\r\n{BODY}\r\n0\r\n\r\n"
    );
    let packed = [b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", gzip(BODY).as_slice()].concat();
    let seeds: [(&str, Vec<u8>); 5] = [
        ("eml", multipart("mixed", &parts).into_bytes()),
        ("eml", message("3@x", base64, "PHA+SGVsbG8sIHdvcmxkPC9wPg==").into_bytes()),
        (
            "mbox",
            mailbox(&[message("1@x", "", BODY), multipart("alternative", &parts), message("1@x", "", OTHER)])
                .into_bytes(),
        ),
        (
            "warc",
            crawl(&[
                ("response", "http://a/", page.as_bytes()),
                ("response", "http://a/", &packed),
                ("revisit", "http://b/", b""),
            ]),
        ),
        (
            "warc.gz",
            gzip(crawl(&[("conversion", "http://a/", BODY.as_bytes()), ("resource", "http://c/", OTHER.as_bytes())])),
        ),
    ];
    let mut random = Random(40);
    for _ in 0..NUM_MUTATED / 1000 {
        let mut members = Vec::new();
        for number in 0..1000 {
            let (ending, bytes) = &seeds[random.below(seeds.len())];
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(6) {
                let (at, len) = (random.below(bytes.len()), random.below(40));
                let end = (at + len).min(bytes.len());
                match random.below(5) {
                    0 => drop(bytes.drain(at..end)),
                    1 => bytes[at] = MARKS[random.below(MARKS.len())],
                    2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
                    3 => bytes[at] = random.next() as u8,
                    _ => bytes.truncate(at.max(1)),
                }
                bytes.push(b' ');
            }
            members.push((format!("{number}.{ending}"), bytes));
        }
        let members: Vec<(&str, &[u8])> =
            members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        let corpus = Workspace::new("mutated_mail").file("a.tar", tar(&members));
        let input = InputSettings::of(vec![corpus.path("a.tar")]);
        let read = read_texts(&input, Resources::default(), &Unwatched).unwrap();
        assert!(read.len() > 500, "{}", read.len());
    }
}
