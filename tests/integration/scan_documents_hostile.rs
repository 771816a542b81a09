//! Office documents, books and notebooks that are damaged, encrypted or made to cost much.

use std::io::Write;

use ::zip::unstable::write::FileOptionsExt;

use crate::office::*;
use crate::packing::zip;
use crate::scan_documents::{PARAGRAPHS, text_of, texts};
use crate::support::*;

/// Bytes that mean something in XML, JSON and rich text.
const MARKS: &[u8] = b"<>/&;\"'={}\\[]\0\x80u";

/// Runs a scan that reports these lines. It may also warn that most of the input was skipped.
fn assert_reported(corpus: &Workspace, args: &[&str], lines: &str) {
    let run = corpus.dedup(&[&["scan", "-q", ".", "--threads", "1"], args].concat());
    let look = |stderr: &str| {
        let without = stderr.lines().filter(|line| !line.starts_with("dedup: warning: "));
        assert_eq!(without.map(|line| format!("{line}\n")).collect::<String>(), lines);
    };
    run.stdout("").stderr_with(look).exit_code(3);
}

/// A document of each format that is damaged in this way, and how the messages say so.
fn each_damaged(name: &'static str, damage: impl Fn(&str, Vec<u8>) -> Vec<u8>, words: &[(&str, &str)]) {
    let mut corpus = Workspace::new(name).file("z.txt", FOX);
    for (ending, bytes) in each_format(&PARAGRAPHS) {
        corpus = corpus.file(format!("a.{ending}"), damage(ending, bytes));
    }
    let line = |(ending, words): &(&str, &str)| format!("dedup: a.{ending}: {words}; skipped\n");
    let mut lines: Vec<String> = words.iter().map(line).collect();
    lines.sort_unstable();
    assert_reported(&corpus, &[], &lines.concat());
}

#[test]
fn documents_that_are_cut_short_are_reported() {
    let cut = |_: &str, bytes: Vec<u8>| bytes[..bytes.len() - 40].to_vec();
    each_damaged(
        "cut_documents",
        cut,
        &[
            ("docx", "a Word document, damaged or cut short (its list of parts is broken)"),
            ("odt", "an OpenDocument text, damaged or cut short (its list of parts is broken)"),
            ("pptx", "a PowerPoint presentation, damaged or cut short (its list of parts is broken)"),
            ("odp", "an OpenDocument presentation, damaged or cut short (its list of parts is broken)"),
            ("epub", "an EPUB book, damaged or cut short (its list of parts is broken)"),
            ("ipynb", "a Jupyter notebook, damaged or cut short (it ends too early)"),
            ("rtf", "an RTF document, damaged or cut short (it ends too early)"),
        ],
    );
}

#[test]
fn documents_that_end_before_their_first_bytes_show_their_kind_are_reported_by_their_names() {
    let bytes = docx(&word_paragraph(FOX), "");
    let corpus = Workspace::new("short_documents")
        .file("a.docx", &bytes[..60])
        .file("b.pptx", &bytes[..60])
        .file("c.dat", &bytes[..60])
        .file("d.docx", zip(&[("x.txt", b"x")], ::zip::CompressionMethod::Stored))
        .file("x.txt", FOX)
        .file("y.txt", LOREM)
        .file("z.txt", "nothing of the kind");
    let message = "dedup: a.docx: a Word document, damaged or cut short (its list of parts is broken); skipped\n\
                   dedup: b.pptx: a PowerPoint presentation, damaged or cut short (its list of parts is broken); skipped\n";
    assert_reported(&corpus, &[], message);
}

#[test]
fn empty_files_are_reported_by_the_name_of_their_format() {
    each_damaged(
        "empty_documents",
        |_, _| Vec::new(),
        &[
            ("docx", "empty, where a Word document was expected"),
            ("odt", "empty, where an OpenDocument text was expected"),
            ("pptx", "empty, where a PowerPoint presentation was expected"),
            ("odp", "empty, where an OpenDocument presentation was expected"),
            ("epub", "empty, where an EPUB book was expected"),
            ("ipynb", "empty, where a Jupyter notebook was expected"),
            ("rtf", "empty, where an RTF document was expected"),
        ],
    );
}

#[test]
fn an_empty_index_is_no_text() {
    let message = "dedup: old.dedup: empty, where an index of dedup was expected; skipped\n";
    let corpus = Workspace::new("empty_index").file("old.dedup", "").file("a.txt", FOX).file("b.txt", CAT);
    corpus.dedup(&["scan", "-q", "."]).pairs(&["a.txt b.txt"]).stderr(message).exit_code(3);
    corpus
        .dedup(&["scan", "-q", "a.txt", "b.txt", "--old", "old.dedup"])
        .pairs(&["a.txt b.txt"])
        .stderr(&format!(
            "{message}dedup: warning: no documents are left that are old (1 damaged); check the paths and flags\n"
        ))
        .exit_code(3);
}

#[test]
fn encrypted_documents_are_reported() {
    let mut ole = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    ole.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    let mut odt = open_document_parts("text", "");
    odt[3].1 = "<manifest:manifest><manifest:encryption-data/></manifest:manifest>".to_owned();
    let mut locked = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = ::zip::write::SimpleFileOptions::default();
    for (name, content) in docx_parts(&word_paragraph(FOX), "") {
        locked.start_file(name, options.with_deprecated_encryption(b"secret").unwrap()).unwrap();
        locked.write_all(content.as_bytes()).unwrap();
    }
    let book = package(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", "<c><rootfile full-path=\"a.opf\"/></c>"),
        ("META-INF/encryption.xml", "<e><CipherReference URI=\"a.xhtml\"/></e>"),
        (
            "a.opf",
            "<p><item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/><itemref idref=\"a\"/></p>",
        ),
        ("a.xhtml", "\u{1}\u{2}"),
    ]);
    let corpus = Workspace::new("encrypted_documents")
        .file("a.docx", ole)
        .file("b.odt", of_parts(&odt))
        .file("c.docx", locked.finish().unwrap().into_inner())
        .file("d.epub", book)
        .file("z.txt", FOX);
    let message = "dedup: a.docx: an Office document, encrypted; skipped (remove its password first)\n\
                   dedup: b.odt: an OpenDocument text, encrypted; skipped (remove its password first)\n\
                   dedup: c.docx: a Word document, encrypted; skipped (remove its password first)\n\
                   dedup: d.epub: an EPUB book, encrypted; skipped (remove its password first)\n";
    assert_reported(&corpus, &[], message);
}

#[test]
fn documents_that_unpack_to_much_are_stopped() {
    let space = " ".repeat(3 << 20);
    let bombs = [
        ("a.docx", docx(&format!("{space}{}", word_paragraph(FOX)), "")),
        ("b.odt", odt(&format!("{space}<text:p>x</text:p>"))),
        ("c.pptx", pptx(&[(&space, "")])),
        ("d.epub", epub(&[&space])),
    ];
    let names: Vec<_> = bombs.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    let corpus = Workspace::new("document_bombs")
        .file("z.txt", FOX)
        .file("e.zip", zip(&names, ::zip::CompressionMethod::Stored));
    let corpus = bombs.iter().fold(corpus, |corpus, (name, bytes)| corpus.file(name, bytes));
    let unpacked = |name: &str, what: &str| {
        format!("dedup: {name}: the file unpacks to more than 1MiB; {what} (--max-unpacked SIZE reads more)\n")
    };
    let mut lines: Vec<_> = bombs.iter().map(|(name, _)| unpacked(name, "it is skipped")).collect();
    lines.push(unpacked("e.zip!a.docx", "the rest of it is skipped"));
    assert_reported(&corpus, &["--max-unpacked", "1MiB"], &lines.concat());
    let large =
        |name: &str| format!("dedup: {name}: more than 1MiB; skipped (--max-document-bytes allows larger ones)\n");
    let lines: String = bombs.iter().map(|(name, _)| large(name)).collect();
    assert_reported(&corpus, &["--max-document-bytes", "1MiB", "--exclude", "*.zip"], &lines);
}

#[test]
fn many_references_to_one_part_do_not_multiply_it() {
    let note = format!("<w:footnote w:id=\"1\">{}{}</w:footnote>", "<w:x/>".repeat(100_000), word_paragraph("A note."));
    let body = "<w:p><w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p>".repeat(20_000);
    assert_eq!(text_of("a.docx", docx(&format!("{}{body}", word_paragraph(FOX)), &note)), format!("{FOX}\nA note.\n"));
    let page = format!("{}{}>", "<script ".repeat(1 << 20), " ");
    assert_eq!(text_of("a.epub", epub(&[FOX, &page])), format!("{FOX}\n"));
}

#[test]
fn documents_that_are_nested_deeply_fill_no_stack() {
    let nested = |start: &str, end: &str, count: usize| format!("{}{FOX}{}", start.repeat(count), end.repeat(count));
    let boxes = nested("<w:p><w:r><w:txbxContent>", "</w:txbxContent></w:r></w:p>", 2000);
    let frames = nested("<text:p><draw:text-box>", "</draw:text-box></text:p>", 2000);
    let deep_json = format!(r#"{{"nbformat":4,"cells":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    let corpus = Workspace::new("nested_documents")
        .file("a.docx", docx(&boxes, ""))
        .file("b.odt", odt(&frames))
        .file("c.rtf", rtf(&nested("{", "}", 100_000)))
        .file("d.ipynb", deep_json)
        .file("e.docx", docx(&nested("<w:x>", "</w:x>", 300_000), ""))
        .file("z.txt", FOX);
    let message = "dedup: a.docx: a Word document, damaged or cut short (notes are more than 100 deep in one another); skipped\n\
                   dedup: b.odt: an OpenDocument text, damaged or cut short (notes are more than 100 deep in one another); skipped\n\
                   dedup: c.rtf: an RTF document, damaged or cut short (groups are more than 10000 deep in one another); skipped\n\
                   dedup: d.ipynb: a Jupyter notebook, damaged or cut short (it has no cells of a notebook); skipped\n";
    assert_reported(&corpus, &[], message);
}

#[test]
fn mutated_documents_are_texts_or_reported() {
    let mut random = Random(7);
    let parts =
        docx_parts(&[word_paragraph(PARAGRAPHS[0]), word_paragraph(PARAGRAPHS[3])].concat(), &word_paragraph("x"));
    let body = "<text:p>One<text:note><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p>";
    let mut seeds: Vec<(&str, Vec<(&str, String)>)> = vec![
        ("docx", parts),
        ("odt", open_document_parts("text", body)),
        ("odp", open_document_parts("presentation", body)),
    ];
    for (ending, bytes) in each_format(&PARAGRAPHS).into_iter().filter(|(ending, _)| ["rtf", "ipynb"].contains(ending))
    {
        seeds.push((ending, vec![("", String::from_utf8(bytes).unwrap())]));
    }
    let mut corpus = Workspace::new("mutated_documents");
    for number in 0..400 {
        let (ending, parts) = &seeds[number % seeds.len()];
        let mut parts = parts.clone();
        let place = random.below(parts.len());
        let mut bytes = parts[place].1.clone().into_bytes();
        for _ in 0..1 + random.below(4) {
            let (at, len) = (random.below(bytes.len()), random.below(20));
            let end = (at + len).min(bytes.len());
            match random.below(4) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes[at] = MARKS[random.below(MARKS.len())],
                2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
                _ => bytes.truncate(at.max(1)),
            }
            bytes.push(b' ');
        }
        parts[place].1 = String::from_utf8_lossy(&bytes).into_owned();
        let bytes = if parts[0].0.is_empty() { parts[0].1.clone().into_bytes() } else { of_parts(&parts) };
        corpus = corpus.file(format!("{number}.{ending}"), bytes);
    }
    let read = texts(&corpus).len();
    assert!((50..400).contains(&read), "{read}");
}
