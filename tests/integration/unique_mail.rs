//! Mail in `dedup unique` and `dedup plan`.

use crate::mail::*;
use crate::support::*;

#[test]
fn unique_copies_a_mailbox_whole() {
    let both = mailbox(&[message("1@x", "", BODY), message("2@x", "", BODY), message("3@x", "", OTHER)]);
    let corpus = Workspace::new("unique_mailbox")
        .file("in/a.eml", message("0@x", "", BODY))
        .file("in/b.eml", message("9@x", "", BODY))
        .file("in/box.mbox", &both)
        .file("in/copies.mbox", mailbox(&[message("1@x", "", BODY)]));
    corpus
        .dedup(&["unique", "in", "-o", "out", "--removed", "removed.jsonl"])
        .stdout("")
        .stderr_with(|stderr| {
            let line = "dedup: in/box.mbox: nothing is removed from within mail and web crawls; the whole file is copied, with 2 \
                        documents that would be removed";
            assert!(stderr.contains(line), "{stderr}");
        })
        .exit_code(3);
    assert_eq!(corpus.read("out/box.mbox"), both);
    let removed = corpus.read("removed.jsonl");
    assert_eq!(removed.lines().count(), 2, "{removed}");
    assert!(removed.contains("in/b.eml") && removed.contains("in/copies.mbox!1@x"), "{removed}");
    assert!(!corpus.path("out/b.eml").exists() && !corpus.path("out/copies.mbox").exists());
    corpus
        .dedup(&["plan", "in"])
        .stdout_with(|script| assert!(script.contains("b.eml") && !script.contains("copies.mbox"), "{script}"))
        .stderr_with(|stderr| assert!(stderr.contains("in/copies.mbox!1@x"), "{stderr}"))
        .exit_code(0);
}

/// A message with an attachment of bytes that are not text.
fn with_picture(id: &str, picture: &str) -> String {
    let attachment =
        format!("--b\nContent-Type: image/png; name=p.png\nContent-Transfer-Encoding: base64\n\n{picture}\n--b--\n");
    let header = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
    message(id, header, &format!("--b\nContent-Type: text/plain\n\n{BODY}\n{attachment}"))
}

#[test]
fn mail_is_kept_when_a_part_of_it_was_not_compared() {
    let encrypted = message("5@x", "", "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n");
    let corpus = Workspace::new("unique_mail_parts")
        .file("in/a.eml", message("0@x", "", BODY))
        .file("in/b.eml", with_picture("1@x", "iVBORw0KGgoAAAAA"))
        .file("in/c.eml", with_picture("2@x", "iVBORw0KGgoAAAAB"))
        .file("in/d.mbox", mailbox(&[message("3@x", "", BODY), encrypted]))
        .file("in/e.eml", message("4@x", "", BODY));
    corpus
        .dedup(&["unique", "in", "-o", "out"])
        .stdout("")
        .stderr_with(|stderr| {
            for name in ["in/b.eml", "in/c.eml", "in/d.mbox"] {
                let line = format!("dedup: {name}: nothing is removed from within mail and web crawls");
                assert!(stderr.contains(&line), "{name}: {stderr}");
            }
        })
        .exit_code(3);
    for name in ["a.eml", "b.eml", "c.eml", "d.mbox"] {
        assert_eq!(corpus.read(&format!("out/{name}")), corpus.read(&format!("in/{name}")), "{name}");
    }
    assert!(!corpus.path("out/e.eml").exists());
    corpus.dedup(&["scan", "in", "--save", "saved", "-q"]).stdout_with(|_| ()).stderr_with(|_| ()).exit_code(3);
    let planned = |args: &[&str], removes_e: bool| {
        let look = |script: &str| {
            let is_touched = |name: &str| script.lines().any(|line| !line.starts_with('#') && line.contains(name));
            assert!(!["b.eml", "c.eml", "d.mbox"].into_iter().any(is_touched), "{script}");
            assert_eq!(is_touched("e.eml"), removes_e, "{script}");
        };
        corpus.dedup(args).stdout_with(look).stderr_with(|_| ()).exit_code(3);
    };
    planned(&["plan", "in"], true);
    // A saved result does not say what was not compared.
    planned(&["plan", "--from", "saved"], false);
}

#[test]
fn messages_that_quote_different_texts_are_both_kept() {
    let forwarded = |id: &str, text: &str| {
        message(id, "", &format!("For your information.\n\n-----Original Message-----\nFrom: c@x\n\n{text}"))
    };
    let corpus = Workspace::new("unique_forwarded")
        .file("in/a.eml", forwarded("1@x", BODY))
        .file("in/b.eml", forwarded("2@x", OTHER));
    corpus.dedup(&["unique", "in", "-o", "out", "-q"]).stdout("").stderr("").exit_code(0);
    assert!(corpus.path("out/a.eml").exists() && corpus.path("out/b.eml").exists());
    let stripped = ["unique", "in", "-o", "stripped", "-q", "--mail-quotes", "strip"];
    corpus.dedup(&stripped).stdout("").stderr("").exit_code(0);
    assert!(!corpus.path("stripped/b.eml").exists());
}

#[test]
fn the_newest_message_is_kept_by_its_date() {
    let dated = |id: &str, year: u32| message(id, "", BODY).replace("2024", &year.to_string());
    let corpus = Workspace::new("newest_mail")
        .file("a.eml", dated("1@x", 2021))
        .file("b.eml", dated("2@x", 2023))
        .file("c.eml", dated("3@x", 2022));
    corpus
        .dedup(&["unique", ".", "-o", "../newest_mail_out", "--force", "--keep", "newest", "--removed", "-"])
        .stdout_with(|removed| assert!(removed.lines().all(|line| line.contains(r#""kept":"b.eml""#)), "{removed}"))
        .stderr_with(|_| ())
        .exit_code(0);
}
