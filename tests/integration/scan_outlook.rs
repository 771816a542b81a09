//! Messages of Outlook (.msg).

use std::io::{Cursor, Write};

use cfb::CompoundFile;
use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::mail::*;
use crate::office::{docx, word_paragraph};
use crate::support::*;

/// A message or an attachment: its properties, each with its number and type, and the storages inside it.
#[derive(Default, Clone)]
struct Stored {
    properties: Vec<(&'static str, Vec<u8>)>,
    inside: Vec<(String, Stored)>,
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

impl Stored {
    fn text(mut self, number: &'static str, text: &str) -> Self {
        self.properties.push((number, utf16(text)));
        self
    }

    fn bytes(mut self, number: &'static str, bytes: &[u8]) -> Self {
        self.properties.push((number, bytes.to_vec()));
        self
    }

    fn attached(mut self, attachment: Stored) -> Self {
        let name = format!("__attach_version1.0_#{:08X}", self.inside.len());
        self.inside.push((name, attachment));
        self
    }

    fn write(&self, file: &mut CompoundFile<Cursor<Vec<u8>>>, path: &str, header: usize) {
        let mut fixed = vec![0; header];
        // The code page of texts without Unicode is Windows-1251.
        fixed.extend([0x03, 0x00, 0xFD, 0x3F, 6, 0, 0, 0, 0xE3, 0x04, 0, 0, 0, 0, 0, 0]);
        file.create_stream(format!("{path}__properties_version1.0")).unwrap().write_all(&fixed).unwrap();
        for (number, value) in &self.properties {
            file.create_stream(format!("{path}__substg1.0_{number}")).unwrap().write_all(value).unwrap();
        }
        for (name, stored) in &self.inside {
            file.create_storage(format!("{path}{name}")).unwrap();
            stored.write(file, &format!("{path}{name}/"), if name.ends_with("000D") { 24 } else { 8 });
        }
    }

    fn file(&self) -> Vec<u8> {
        let mut file = CompoundFile::create(Cursor::new(Vec::new())).unwrap();
        self.write(&mut file, "/", 32);
        file.into_inner().into_inner()
    }
}

fn body(text: &str) -> Stored {
    Stored::default().text("1000001F", text)
}

fn texts(bytes: &[u8]) -> Vec<(String, String)> {
    let corpus = Workspace::new("outlook_texts").file("a.msg", bytes);
    let texts = read_texts(&InputSettings::of(vec![corpus.path("a.msg")]), Resources::default(), &Unwatched).unwrap();
    let plain = |name: &str| name.rsplit('/').next().unwrap().to_owned();
    texts.into_iter().map(|it| (plain(&it.name), it.text.trim().replace('\u{2029}', ""))).collect()
}

#[test]
fn the_body_is_the_text() {
    let text = |message: Stored| texts(&message.file()).remove(0).1;
    let quoted = format!(
        "{BODY}\r\n\r\nFrom: Bob\r\nSent: Monday, 3 June 2024 10:02\r\nTo: Ann\r\nSubject: RE: x\r\n\r\n{OTHER}\r\n"
    );
    assert_eq!(text(body(&quoted)), BODY);
    let page =
        format!("<html><head><style>p {{}}</style></head><p>{BODY}</p><div class=\"gmail_quote\">no</div></html>");
    assert_eq!(text(body(" \r\n").bytes("10130102", page.as_bytes())), BODY);
    assert_eq!(text(Stored::default().bytes("1000001E", b"\xCF\xE0\xF0\xEE\xEC")), "Паром");
    let rtf = format!("{{\\rtf1\\ansi {BODY}\\par}}");
    let mut packed = Vec::new();
    packed.extend((rtf.len() as u32 + 12).to_le_bytes());
    packed.extend((rtf.len() as u32).to_le_bytes());
    packed.extend(*b"MELA");
    packed.extend([0; 4]);
    packed.extend(rtf.as_bytes());
    assert_eq!(text(Stored::default().bytes("10090102", &packed)), BODY);
}

#[test]
fn attachments_and_attached_messages_are_documents() {
    let inner = body(OTHER).attached(Stored::default().text("3707001F", "b.txt").bytes("37010102", FOX.as_bytes()));
    let mut holder = Stored::default().text("3001001F", "Re: it");
    holder.inside.push(("__substg1.0_3701000D".to_owned(), inner));
    let word = docx(&word_paragraph(LOREM), "");
    let message = body(BODY)
        .attached(Stored::default().text("3707001F", "../a.docx").bytes("37010102", &word))
        .attached(holder)
        .attached(Stored::default().text("3707001F", "a link"));
    let owned = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let expected = [
        owned("a.msg", BODY),
        owned("a.msg!a.docx", LOREM),
        owned("a.msg!Re: it.msg", OTHER),
        owned("a.msg!Re: it.msg!b.txt", FOX),
    ];
    assert_eq!(texts(&message.file()), expected);
}

#[test]
fn encrypted_damaged_and_empty_messages_are_reported() {
    let whole = body(&BODY.repeat(100)).file();
    let mut nested = body(BODY);
    for _ in 0..12 {
        let mut holder = Stored::default().text("3001001F", "x");
        holder.inside.push(("__substg1.0_3701000D".to_owned(), nested));
        nested = body(BODY).attached(holder);
    }
    Workspace::new("odd_outlook")
        .file("cut.msg", &whole[..1500])
        .file("empty.msg", "")
        .file("locked.msg", body(BODY).text("001A001F", "IPM.Note.SMIME").file())
        .file("nested.msg", nested.file())
        .file("other.msg", CompoundFile::create(Cursor::new(Vec::new())).unwrap().into_inner().into_inner())
        .file("renamed.bin", &whole)
        .file("z.txt", FOX)
        .dedup(&["scan", "-q", ".", "--list-documents"])
        .stdout_with(|lines| {
            for (name, words) in [
                ("cut.msg", r#""treated":"skipped","reason":"damaged""#),
                ("empty.msg", r#""treated":"empty""#),
                ("locked.msg", r#""treated":"skipped","reason":"unreadable""#),
                ("other.msg", r#""treated":"skipped","reason":"damaged""#),
                ("renamed.bin", "an Outlook message; skipped (give it a name that ends with .msg)"),
                ("nested.msg!x.msg!x.msg", r#""treated":"copy""#),
                ("x.msg!x.msg!x.msg", "packed more than 8 times"),
            ] {
                assert!(lines.lines().any(|line| line.contains(name) && line.contains(words)), "{name}: {lines}");
            }
        })
        .stderr_with(|_| ())
        .exit_code(3);
}

#[test]
fn properties_that_share_bytes_do_not_multiply_them() {
    let mut file = CompoundFile::open(Cursor::new(body(BODY).file())).unwrap();
    let large = vec![b'x'; 1 << 20];
    for number in 0..30 {
        let path = format!("/__attach_version1.0_#{number:08X}/");
        file.create_storage(&path).unwrap();
        file.create_stream(format!("{path}__properties_version1.0")).unwrap();
        file.create_stream(format!("{path}__substg1.0_37010102")).unwrap().write_all(&large).unwrap();
    }
    Workspace::new("large_outlook")
        .file("a.msg", file.into_inner().into_inner())
        .file("z.txt", FOX)
        .dedup(&["scan", "-q", ".", "--max-unpacked", "8MiB"])
        .stdout_with(|_| ())
        .stderr_with_line("dedup: a.msg: the file unpacks to more than 8MiB; the rest of it is skipped (--max-unpacked SIZE reads more)")
        .exit_code(3);
}

#[test]
fn mutated_messages_are_texts_or_reported() {
    let inner = body(OTHER);
    let mut holder = Stored::default().text("3001001F", "Re: it");
    holder.inside.push(("__substg1.0_3701000D".to_owned(), inner));
    let seed =
        body(&BODY.repeat(60)).attached(Stored::default().bytes("37010102", FOX.as_bytes())).attached(holder).file();
    let mut random = Random(9);
    let mut corpus = Workspace::new("mutated_outlook").file("whole.msg", &seed);
    for number in 0..300 {
        let mut bytes = seed.clone();
        for _ in 0..1 + random.below(6) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = [0, 1, 0xFF, 0xFE][random.below(4)],
                1 => bytes[at] = bytes[at].wrapping_add(1),
                // The tables of sectors and the directory.
                2 => {
                    let at = random.below(2048.min(bytes.len()));
                    bytes[at] = random.below(256) as u8;
                }
                _ => bytes.truncate(at.max(600)),
            }
        }
        corpus = corpus.file(format!("{number}.msg"), bytes);
    }
    corpus
        .dedup(&["scan", "-q", ".", "--list-documents"])
        .stdout_with(|lines| {
            let read = lines.lines().filter(|line| !line.contains("skipped")).count();
            assert!(read > 50, "{read}");
        })
        .stderr_with(|stderr| assert!(!stderr.contains("panicked"), "{stderr}"))
        .exit_code(3);
}

#[test]
fn more_attachments_than_are_read_are_reported() {
    let mut message = body(BODY);
    message.inside =
        (0..10_001).map(|number| (format!("__attach_version1.0_#{number:08X}"), Stored::default())).collect();
    let corpus = Workspace::new("outlook_attachments").file("a.msg", message.file());
    corpus
        .dedup(&["scan", "a.msg"])
        .stdout_with(|_| ())
        .stderr_with_line("dedup: a.msg: 10001 attachments; all after the first 10000 are skipped")
        .exit_code(3);
}
