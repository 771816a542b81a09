//! Mail: messages, mailboxes and Maildir folders.

use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::mail::*;
use crate::office::{docx, word_paragraph};
use crate::packing::{gzip, tar, zip};
use crate::support::*;

/// The texts of a file of this name, with their names.
fn texts(name: &'static str, bytes: impl AsRef<[u8]>) -> Vec<(String, String)> {
    let corpus = Workspace::new("mail_texts").file(name, bytes);
    let input = InputSettings::of(vec![corpus.path("")]);
    let texts = read_texts(&input, Resources::default(), &Unwatched).unwrap();
    let folder = corpus.path("").to_str().unwrap().to_owned();
    let plain = |name: &str| name.replace(&folder, "").trim_start_matches('/').to_owned();
    texts.into_iter().map(|it| (plain(&it.name), it.text.trim().to_owned())).collect()
}

fn text(raw: &str) -> String {
    texts("a.eml", raw).remove(0).1
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
}

#[test]
fn a_body_is_decoded() {
    assert_eq!(text(&message("1@x", "Subject: =?utf-8?q?caf=C3=A9?=\n", BODY)), BODY);
    let quoted = "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n";
    assert_eq!(text(&message("1@x", quoted, "caf=E9 =\nau lait")), "café au lait");
    let base64 = "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n";
    assert_eq!(text(&message("1@x", base64, "0M/S3M0=")), "порэм");
    let page = "<html><style>p {}</style><p>One &amp; two</p><p>three</p>";
    assert_eq!(text(&message("1@x", "Content-Type: text/html\n", page)), "One & two\nthree");
    let parts = [("Content-Type: text/plain", "plain"), ("Content-Type: text/html", "<p>page</p>")];
    assert_eq!(text(&multipart("alternative", &parts)), "plain");
    assert_eq!(text(&multipart("alternative", &parts[1..])), "page");
    assert_eq!(text(&multipart("mixed", &[parts[0], ("Content-Type: text/plain", "more")])), "plain\nmore");
}

#[test]
fn a_body_without_a_charset_has_the_encoding_of_its_bytes() {
    let body = "Das ist ein Text über Äpfel, Öl und größere Übel, für alle, die ihn lesen möchten. ".repeat(4);
    let bytes: Vec<u8> = message("1@x", "", &body).chars().map(|c| c as u8).collect();
    Workspace::new("mail_detected")
        .file("a.eml", bytes)
        .file("b.txt", body)
        .dedup(&["scan", "."])
        .stdout_with(|pair| assert!(pair.contains(r#""jaccard":1.0"#), "{pair}"))
        .stderr_with(|stderr| assert!(stderr.contains("dedup: a.eml: not UTF-8, and read as windows-1252"), "{stderr}"))
        .exit_code(0);
}

/// A text in Russian, as bytes of windows-1251.
fn russian(text: &str) -> Vec<u8> {
    let byte = |c: char| match c {
        'а'..='я' => (c as u32 - 'а' as u32 + 0xE0) as u8,
        'А'..='Я' => (c as u32 - 'А' as u32 + 0xC0) as u8,
        c => c as u8,
    };
    text.chars().map(byte).collect()
}

const RUSSIAN: [&str; 2] = [
    "Паром в Остербю отходит в девять часов утра, а часы на старой ратуше бьют десять.",
    "Никто не знает, почему смотритель ставит часы по своим собственным и правда ли это.",
];

#[test]
fn parts_have_their_bytes_and_not_those_that_a_wrong_charset_leaves() {
    let [first, second] = RUSSIAN.map(|text| base64(&russian(text)));
    let document = base64(&docx(&word_paragraph(BODY), ""));
    let page = base64(&russian(&format!("<meta charset=windows-1251><p>{}</p>", RUSSIAN[0])));
    let encoded = "Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=";
    let of = |kind: &str, name: &str| format!("Content-Type: {kind}\n{encoded}{name}");
    let fields = [
        of("text/plain", "a.txt"),
        of("text/plain; charset=us-ascii", "b.txt"),
        of("text/plain; charset=utf-8", "c.docx"),
        of("text/plain; charset=windows-1251", "d.txt"),
        of("text/html", "e.html"),
        of("text/plain; charset=latin1", "f.txt"),
    ];
    let utf8 = base64(RUSSIAN[0].as_bytes());
    let bodies = [&first, &second, &document, &second, &page, &utf8];
    let parts: Vec<(&str, &str)> = fields.iter().map(String::as_str).zip(bodies.map(String::as_str)).collect();
    let read = texts("a.eml", multipart("mixed", &parts));
    let [a, b] = RUSSIAN;
    for (name, text) in [("a.txt", a), ("b.txt", b), ("c.docx", BODY), ("d.txt", b), ("e.html", a), ("f.txt", a)] {
        let found =
            read.iter().find(|it| it.0 == format!("a.eml!{name}")).unwrap_or_else(|| panic!("{name}: {read:?}"));
        assert_eq!(found.1.replace('\u{2029}', ""), text, "{name}");
    }
}

#[test]
fn a_body_is_decoded_by_a_charset_that_can_be_right() {
    let body = |fields: &str, bytes: &[u8]| {
        let fields = format!("{fields}Content-Transfer-Encoding: base64\n");
        text(&message("1@x", &fields, &base64(bytes)))
    };
    let plain = |charset: &str| format!("Content-Type: text/plain; charset={charset}\n");
    for charset in ["us-ascii", "utf-8", "unknown-8bit", "windows-1251"] {
        assert_eq!(body(&plain(charset), &russian(RUSSIAN[0])), RUSSIAN[0], "{charset}");
    }
    assert_eq!(body(&plain("iso-8859-1"), RUSSIAN[0].as_bytes()), RUSSIAN[0]);
    assert_eq!(body("", &russian(RUSSIAN[1])), RUSSIAN[1]);
    assert_eq!(body(&plain("iso-2022-jp"), b"\x1B$B$3$s\x1B(B"), "こん");
    assert_eq!(body(&plain("hz-gb-2312"), b"~{VPND~} text"), "中文 text");
    assert_eq!(body(&plain("iso-2022-kr"), b"\x1B$)C\x0EGQ19\x0F"), "한국");
    assert_eq!(body(&plain("utf-7"), b"Hi Mom -+Jjo--!"), "Hi Mom -☺-!");
    let page = russian(&format!("<meta charset=windows-1251><p>{}</p>", RUSSIAN[0]));
    assert_eq!(body("Content-Type: text/html\n", &page), RUSSIAN[0]);
    let wrong = |charset: &str, bytes: &[u8]| {
        let fields = format!("{}Content-Transfer-Encoding: base64\n", plain(charset));
        message("1@x", &fields, &base64(bytes))
    };
    let corpus = Workspace::new("mail_charsets")
        .file("cn.eml", wrong("iso-2022-cn", b"\x1B$)G\x0E0000\x0F and more text"))
        .file("utf8.eml", wrong("utf-8", "Größe über alles, und ein Fehler: \u{FF}. Äpfel".as_bytes().split_at(30).0))
        .file("euc.eml", wrong("euc-jp", b"\x80\x80 text \xFF\xFF"))
        .file("z.txt", BODY);
    corpus
        .dedup(&["scan", "."])
        .stdout("")
        .stderr_with(|stderr| {
            assert!(stderr.contains("dedup: cn.eml: not valid in the charset of its header"), "{stderr}");
            assert!(stderr.contains("dedup: euc.eml: declares EUC-JP but is not valid EUC-JP"), "{stderr}");
        })
        .exit_code(3);
}

#[test]
fn a_blank_plain_part_is_not_the_body() {
    for blank in ["", " \n\n", "\u{A0}\u{200B}\n"] {
        let parts = [("Content-Type: text/plain; charset=utf-8", blank), ("Content-Type: text/html", "<p>page</p>")];
        assert_eq!(text(&multipart("alternative", &parts)), "page", "{blank:?}");
    }
    let parts = [("Content-Type: text/plain", "x"), ("Content-Type: text/html", "<p>page</p>")];
    assert_eq!(text(&multipart("alternative", &parts)), "x");
}

#[test]
fn base64_with_other_text_is_decoded_as_far_as_it_can_be() {
    let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n";
    let footer = format!("{}____________\nThe list of all lists\nlist@example.org\n", base64(BODY.as_bytes()));
    let stray = base64(BODY.as_bytes()).replacen('G', "G*", 1);
    let corpus = Workspace::new("mail_base64")
        .file("footer.eml", message("1@x", fields, &footer))
        .file("stray.eml", message("2@x", fields, &stray))
        .file("z.txt", BODY);
    corpus
        .dedup(&["scan", "."])
        .stdout_with(|pairs| assert_eq!(pairs.matches(r#""jaccard":1.0"#).count(), 3, "{pairs}"))
        .stderr_with(|stderr| {
            for name in ["footer", "stray"] {
                let note =
                    format!("dedup: {name}.eml: not all of it can be decoded as its header says; the rest is compared");
                assert!(stderr.contains(&note), "{stderr}");
            }
        })
        .exit_code(0);
}

#[test]
fn a_long_name_of_an_attachment_is_cut() {
    let name = format!("Content-Type: image/png; name=\"{}.txt\"", "é".repeat(7_000));
    let read = texts("a.eml", multipart("mixed", &[("Content-Type: text/plain", "x"), (&name, BODY)]));
    let name = read[1].0.strip_prefix("a.eml!").unwrap();
    assert!((250..=255).contains(&name.len()) && name.ends_with("é.txt"), "{name}");
}

#[test]
fn quoted_replies_and_signatures_are_stripped_unless_they_are_wanted() {
    let reply = format!("On Mon, 1 Jan 2024, Ann wrote:\n> {OTHER}\n> {OTHER}\n\n{BODY}\n\n-- \nAnn\nexample.org");
    let corpus = Workspace::new("mail_quotes").file("a.eml", message("1@x", "", &reply)).file("b.txt", BODY);
    corpus.dedup(&["scan", "-q", "."]).stdout(&copies("a.eml", "b.txt", 76)).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", ".", "--mail-quotes", "keep"]).stdout("").stderr("").exit_code(0);
    let corpus =
        Workspace::new("mail_subject").file("a.eml", message("1@x", "Subject: =?utf-8?q?Caf=C3=A9_au_lait?=\n", BODY));
    let corpus = corpus.file("b.txt", format!("Café au lait\n\n{BODY}"));
    corpus
        .dedup(&["scan", "-q", ".", "--mail-subject"])
        .stdout_with(|pair| assert!(pair.contains(r#""jaccard":1.0"#), "{pair}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn forwarded_messages_are_no_quotations() {
    let outlook =
        format!("See below.\n\n-----Original Message-----\nFrom: A\nSent: 1 January 2024\nSubject: x\n\n{BODY}");
    assert!(text(&message("1@x", "Subject: FW: x\n", &outlook)).ends_with(BODY));
    assert_eq!(text(&message("1@x", "Subject: RE: FW: x\n", &outlook)), "See below.");
    let page = format!(
        "<p>See below.<div class=\"gmail_quote\"><div>---------- Forwarded message ---------<br>From: A</div>{BODY}</div>"
    );
    let header = "Subject: x\nContent-Type: text/html\n";
    assert!(text(&message("1@x", header, &page)).ends_with(BODY));
    assert_eq!(text(&message("1@x", header, &page.replace("Forwarded message", "A wrote"))), "See below.");
}

#[test]
fn each_message_of_a_mailbox_is_a_document() {
    let messages = [
        message("1@x", "", BODY),
        message("2@x", "", OTHER),
        message("1@x", "", ">From here on."),
        format!("From: b@x\nDate: x\n\n{BODY}\n"),
    ];
    let expected =
        owned(&[("box.mbox!1@x", BODY), ("box.mbox!2@x", OTHER), ("box.mbox!:15", ""), ("box.mbox!:22", BODY)]);
    let read = texts("box.mbox", mailbox(&messages));
    // A quoted From line is a line of the message, which is not a quotation of a reply.
    assert_eq!(read[2].1, "From here on.");
    assert_eq!(read.iter().map(|it| &it.0).collect::<Vec<_>>(), expected.iter().map(|it| &it.0).collect::<Vec<_>>());
    assert_eq!((&read[0], &read[1], &read[3]), (&expected[0], &expected[1], &expected[3]));
    Workspace::new("mailbox")
        .file("box.mbox", mailbox(&messages))
        .dedup(&["scan", "."])
        .stdout(&copies("box.mbox!1@x", "box.mbox!:22", 76))
        .stderr_with(|stderr| {
            let note = "dedup: box.mbox: 1 message has a Message-ID that was used before; compared under the name of the place";
            assert!(stderr.contains(note), "{stderr}");
        })
        .exit_code(0);
}

#[test]
fn a_mailbox_is_read_under_any_name_packed_and_from_standard_input() {
    let mailbox = mailbox(&[message("1@x", "", BODY), message("2@x", "", BODY)]);
    let is_pair = |a: &str, b: &str| copies(a, b, 76);
    for (name, bytes) in [
        ("box.mbox", mailbox.clone().into_bytes()),
        ("Inbox", mailbox.clone().into_bytes()),
        ("2024-January.txt", mailbox.clone().into_bytes()),
        ("2024-January.txt.gz", gzip(mailbox.as_bytes())),
        ("box.mbox.gz", gzip(mailbox.as_bytes())),
    ] {
        let pair = is_pair(&format!("{name}!1@x"), &format!("{name}!2@x"));
        Workspace::new("mailbox_names")
            .file(name, bytes)
            .dedup(&["scan", "-q", "."])
            .stdout(&pair)
            .stderr("")
            .exit_code(0);
    }
    let corpus = Workspace::new("mailbox_packed")
        .file("a.zip", zip(&[("mail/Inbox", mailbox.as_bytes())], ::zip::CompressionMethod::Deflated))
        .file("b.tar.gz", gzip(tar(&[("c.mbox", mailbox.as_bytes())])));
    let of_zip = is_pair("a.zip!mail/Inbox!1@x", "a.zip!mail/Inbox!2@x");
    corpus.dedup(&["scan", "-q", "a.zip"]).stdout(&of_zip).stderr("").exit_code(0);
    let of_tar = is_pair("b.tar.gz!c.mbox!1@x", "b.tar.gz!c.mbox!2@x");
    corpus.dedup(&["scan", "-q", "b.tar.gz"]).stdout(&of_tar).stderr("").exit_code(0);
    let corpus = Workspace::new("mailbox_stdin").stdin(&mailbox);
    corpus.dedup(&["scan", "-q", "-"]).stdout(&is_pair("-!1@x", "-!2@x")).stderr("").exit_code(0);
}

#[test]
fn a_maildir_is_read_and_a_text_is_not_taken_for_mail() {
    let corpus = Workspace::new("maildir")
        .file("mail/cur/1204680122.M1P2.host:2,S", message("1@x", "", BODY))
        .file("mail/new/1204680123.M2P2.host", message("2@x", "Subject: x\n", BODY))
        .file("mail/.Sent/cur/1204680124.M3P2.host:2,S", message("3@x", "", BODY))
        .folder("mail/.Sent/new")
        .file("mail/.hidden", BODY)
        .file("17", message("4@x", "Subject: y\n", BODY))
        .file("story", format!("Subject: a story\n\n{BODY}"))
        .file("memo", format!("From: me\nTo: you\nDate: today\nSubject: x\n\n{BODY}"))
        .file("message.txt", message("5@x", "", BODY));
    corpus
        .dedup(&["scan", "-q", ".", "--list-documents"])
        .stdout_with(|lines| {
            let of = |name: &str| {
                lines.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {lines}"))
            };
            for mail in [".M1P2.", ".M2P2.", ".M3P2."] {
                assert!(of(mail).contains(r#""tokens":84"#), "{lines}");
            }
            assert!(of(r#""17""#).contains(r#""tokens":84"#), "{lines}");
            for text in ["story", "memo", "message.txt"] {
                assert!(of(text).contains(r#""treated":"used""#), "{lines}");
            }
            assert!(!lines.contains(".hidden"), "{lines}");
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn attachments_are_documents_under_their_message() {
    let document = base64(&docx(&word_paragraph(BODY), ""));
    let inner = message("inner@x", "", OTHER);
    let parts = [
        ("Content-Type: text/plain", "See the files."),
        (
            "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"../../a.docx\"",
            document.as_str(),
        ),
        ("Content-Type: text/html\nContent-Disposition: attachment; filename=page", "<p>A &lt;page&gt;.</p>"),
        ("Content-Type: message/rfc822", inner.as_str()),
        ("Content-Type: application/pgp-signature; name=signature.asc", "-----BEGIN PGP SIGNATURE-----"),
        ("Content-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''caf%C3%A9.txt", "one"),
        ("Content-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''caf%C3%A9.txt", "two"),
    ];
    let expected = owned(&[
        ("a.eml", "See the files."),
        ("a.eml!a.docx", BODY),
        ("a.eml!page.html", "A <page>."),
        ("a.eml!part-3.eml", OTHER),
        ("a.eml!café.txt", "one"),
        ("a.eml!café.txt/#2", "two"),
    ]);
    let read = texts("a.eml", multipart("mixed", &parts));
    let plain =
        |texts: Vec<(String, String)>| texts.into_iter().map(|(name, text)| (name, text.replace('\u{2029}', "")));
    assert_eq!(plain(read).collect::<Vec<_>>(), expected);
}

#[test]
fn passages_name_message_and_line() {
    let corpus = Workspace::new("mail_passages").file(
        "box.mbox",
        mailbox(&[
            message("1@x", "", &format!("Hello,\n\n{BODY}\n{OTHER}")),
            message("2@x", "", &format!("> x\n{BODY}\n{OTHER}\n")),
        ]),
    );
    corpus
        .dedup(&["scan", "-q", ".", "--passages", "--threshold", "0.5"])
        .stdout_with(|pair| {
            assert!(pair.contains(r#""a":"box.mbox!1@x","b":"box.mbox!2@x""#), "{pair}");
            assert!(
                pair.contains(r#""of":"text""#)
                    && pair.contains(r#""lines":[3,4]"#)
                    && pair.contains(r#""lines":[1,2]"#),
                "{pair}"
            );
        })
        .stderr("")
        .exit_code(0);
}
