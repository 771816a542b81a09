//! Office documents, books and notebooks: the text that people read, in every format.

use std::io::Write;

use ::zip::unstable::write::FileOptionsExt;
use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::office::*;
use crate::packing::zip;
use crate::support::*;

const PARAGRAPHS: [&str; 5] = [
    "The ferry to Osterby leaves at nine, and the clock of the old town hall strikes ten.",
    "Nobody knows why; the keeper does not say.",
    "Паром уходит в девять",
    "渡し船は九時に出る",
    "時計は十時を打つ",
];

/// Bytes that mean something in XML, JSON and rich text.
const MARKS: &[u8] = b"<>/&;\"'={}\\[]\0\x80u";

/// The text of a document of each name, without the marks of its paragraphs.
fn texts(corpus: &Workspace) -> Vec<(String, String)> {
    let input = InputSettings::of(vec![corpus.path("")]);
    let texts = read_texts(&input, Resources::default(), &Unwatched).unwrap();
    let name = |name: &str| name.rsplit('/').next().unwrap().to_owned();
    texts.into_iter().map(|it| (name(&it.name), it.text.replace('\u{2029}', ""))).collect()
}

fn text_of(name: &'static str, bytes: Vec<u8>) -> String {
    texts(&Workspace::new("document_text").file(name, bytes)).remove(0).1
}

#[test]
fn a_text_is_the_same_in_every_format() {
    let page = PARAGRAPHS.map(|text| format!("<p>{text}</p>\n")).concat();
    let corpus = Workspace::new("every_format").file("plain.txt", PARAGRAPHS.join("\n\n")).file("page.html", page);
    // A name says nothing.
    let corpus = each_format(&PARAGRAPHS).into_iter().fold(corpus, |corpus, (ending, bytes)| {
        corpus.file(format!("{ending}.{ending}"), &bytes).file(format!("{ending}.dat"), &bytes)
    });
    corpus
        .dedup(&["scan", "-q", ".", "--list-documents"])
        .stdout_with(|lines| {
            assert_eq!(lines.lines().count(), 16);
            assert!(lines.lines().skip(1).all(|line| line.contains(r#""copy_of":"docx.dat""#)), "{lines}");
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn word_documents_have_tables_and_notes_and_no_deletions() {
    let run = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let body = format!(
        "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>{}<w:del><w:r><w:delText>gone </w:delText></w:r></w:del>\
         <w:ins>{}</w:ins><w:moveFrom>{}</w:moveFrom><w:r><w:footnoteReference w:id=\"2\"/></w:r>{}</w:p>\
         <w:tbl><w:tblPr/><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>\
         <w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{}</w:p>{}\
         <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>seen</w:t></w:r>\
         <w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:tab/><w:t> a &amp;&#233; </w:t><w:br/><w:t>b</w:t></w:r></w:p>\
         <w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>{}</w:txbxContent></mc:Choice>\
         <mc:Fallback><w:txbxContent>{}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>{}</w:p><w:sectPr/>",
        run("One "),
        run("two "),
        run("moved "),
        run("three."),
        word_paragraph("cell 1"),
        word_paragraph("cell 2"),
        run("joined "),
        word_paragraph("again"),
        word_paragraph("in a box"),
        word_paragraph("in a box"),
        run("beside a box"),
    );
    let notes = format!(
        "<w:footnote w:type=\"separator\" w:id=\"0\">{}</w:footnote><w:footnote w:id=\"2\">{}</w:footnote>",
        word_paragraph("---"),
        word_paragraph("A note.")
    );
    let expected =
        "One two three.\nA note.\ncell 1\ncell 2\njoined again\nseen\ta &é\u{2028}b\nbeside a box\nin a box\n";
    assert_eq!(text_of("a.docx", docx(&body, &notes)), expected);
}

#[test]
fn open_documents_have_tables_and_notes_and_no_deletions() {
    let body = "<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes>\n\
        <text:h>A <text:span>head</text:span>ing</text:h>\
        <text:p>One<text:s text:c=\"2\"/>\n   two<office:annotation><text:p>comment</text:p></office:annotation><text:note>\
        <text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note> three.</text:p>\
        <text:table-of-content><text:table-of-content-source><text:p>template</text:p></text:table-of-content-source>\
        <text:index-body><text:p>Contents</text:p></text:index-body></text:table-of-content>\
        <table:table><table:table-row><table:table-cell><text:p>cell 1</text:p></table:table-cell>\
        <table:covered-table-cell><text:p>under it</text:p></table:covered-table-cell></table:table-row></table:table>\
        <text:p>beside a box<draw:frame><draw:text-box><text:p>in a box<text:line-break/>b</text:p></draw:text-box>\
        <svg:desc>a picture</svg:desc></draw:frame></text:p>";
    let expected = "A heading\nOne   two three.\nA note.\nContents\ncell 1\nbeside a box\nin a box\u{2028}b\n"
        .replace("   ", "  ");
    assert_eq!(text_of("a.odt", odt(body)), expected);
}

#[test]
fn slides_come_in_their_order_with_their_notes() {
    let slides = [("First", "Say it."), ("", ""), ("Third", "And go.")];
    assert_eq!(text_of("a.pptx", pptx(&slides)), "First\nSay it.\n\u{C}\u{C}Third\nAnd go.\n");
    let page = |text: &str, notes: &str| {
        format!(
            "<draw:page><draw:frame presentation:class=\"page-number\"><draw:text-box><text:p>9</text:p></draw:text-box></draw:frame>\
             <draw:frame><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>\
             <presentation:notes><draw:frame><draw:text-box><text:p>{notes}</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"
        )
    };
    let body = slides.map(|(text, notes)| page(text, notes)).concat();
    assert_eq!(text_of("a.odp", odp(&body)), "First\nSay it.\n\u{C}\u{C}Third\nAnd go.\n");
}

#[test]
fn chapters_of_a_book_come_in_the_order_of_its_spine() {
    let chapters = ["<h1>One</h1><p>It is<br/>so &amp; so.</p><script src=\"y\"/>\n\n<p>End</p>", "<p>Two</p>"];
    assert_eq!(text_of("a.epub", epub(&chapters)), "One\nIt is\nso & so.\nEnd\n\u{C}Two\n");
}

#[test]
fn a_search_for_prose_reads_text_of_notebooks_and_one_for_programs_code() {
    let notebook = ipynb(&[("markdown", "# Title\n\nA text."), ("code", "x = 1\n\nprint(x)"), ("raw", "raw")]);
    let expected = "# Title\n\nA text.\n\u{C}x = 1\n\nprint(x)\n\u{C}raw\n";
    assert_eq!(text_of("a.ipynb", notebook.clone()), expected);
    // Python writes a number that JSON does not have, and Windows a byte order mark.
    let odd = String::from_utf8(notebook.clone()).unwrap().replace("\"An output.\"", "NaN,-Infinity,\"NaN \\\" NaN\"");
    assert_eq!(text_of("a.json", format!("\u{FEFF}{odd}").into_bytes()), expected);
    let corpus = Workspace::new("notebook")
        .file("a.ipynb", notebook)
        .file("a.py", "x = 1\nprint(x)\n")
        .file("a.txt", "# Title\n\nA text.\nraw\n")
        .file(
            "old.ipynb",
            r##"{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":["x = 1\n","print(x)"]}]}]}"##,
        )
        .file("schema.json", r#"{"nbformat": {"type": "integer"}, "cells": []}"#);
    let copies = |preset: &str| {
        let args = ["scan", "-q", ".", "--preset", preset, "--list-documents"];
        let mut found = Vec::new();
        let run = corpus.dedup(&args).stdout_with(|lines| {
            found = lines.lines().filter(|line| line.contains("copy_of")).map(str::to_owned).collect();
        });
        run.stderr_with(|_| ()).exit_code(0);
        found.iter().map(|line| line.split('"').nth(3).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(copies("code"), ["a.py", "old.ipynb"]);
    assert_eq!(copies("prose"), ["a.txt"]);
}

#[test]
fn rich_text_is_decoded_by_its_fonts_and_has_no_deletions() {
    let body = "\\pard One \\'e9{\\f1 \\'e0}\\u8364?\\emdash\\~x{\\footnote \\pard A note.\\par}{\\deleted gone}{\\v hidden}\
        {\\*\\bkmkstart mark}\\par\n{\\field{\\*\\fldinst PAGE}{\\fldrslt two}}\\cell three\\row\n\
        {\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt in a box\\par}}}\\u-10179?\\u-8704?\\uc2\\u233ab\\line c\\\\\\{\\par\n\
        {\\b0\\*\\cs7 seen} half \\uc1\\u-10179? of a pair\\par";
    let expected = "One éа€—\u{A0}x\nA note.\ntwo\nthree\n😀é\u{2028}c\\{\nin a box\nseen half \u{FFFD} of a pair\n";
    assert_eq!(text_of("a.rtf", rtf(body)), expected);
}

#[test]
fn members_of_archives_and_standard_input_are_read_as_files_are() {
    let files = each_format(&PARAGRAPHS);
    let names: Vec<String> = files.iter().map(|(ending, _)| format!("a.{ending}")).collect();
    let members: Vec<_> =
        names.iter().zip(&files).map(|(name, (_, bytes))| (name.as_str(), bytes.as_slice())).collect();
    let corpus = Workspace::new("document_members")
        .file("all.zip", zip(&members, ::zip::CompressionMethod::Stored))
        .file("b.docx.gz", crate::packing::gzip(&files[0].1))
        .stdin(&files[1].1);
    corpus
        .dedup(&["scan", "-q", ".", "-", "--list-documents"])
        .stdout_with(|lines| {
            assert_eq!(lines.lines().count(), 9, "{lines}");
            assert!(lines.lines().skip(1).all(|line| line.contains(r#""copy_of":"all.zip!a.docx""#)), "{lines}");
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn passages_count_paragraphs_of_the_text() {
    let text = format!("{} {}", PARAGRAPHS[0], PARAGRAPHS[1]);
    let corpus = Workspace::new("document_places")
        .file("a.docx", docx(&[word_paragraph("Something else."), word_paragraph(&text)].concat(), ""))
        .file("b.txt", &text)
        .file("c.pptx", pptx(&[("One.", "Its notes."), ("", ""), (&text, "")]));
    corpus
        .dedup(&["scan", "-q", ".", "--match", "passages"])
        .stdout_with(|lines| {
            let has = |part: &str| assert!(lines.contains(part), "{part}: {lines}");
            has(r#"{"a":"a.docx","b":"b.txt","#);
            has(r#"{"a":{"lines":[2,2],"bytes":[19,145],"of":"text"},"b":{"lines":[1,1],"bytes":[0,126]}"#);
            has(r#""b":{"lines":[3,3],"parts":[3,3],"bytes":[24,150],"of":"text"}"#);
        })
        .stderr("")
        .exit_code(0);
}

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
                   dedup: d.ipynb: a Jupyter notebook, damaged or cut short (its JSON is broken); skipped\n";
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

#[test]
fn what_is_referred_to_often_is_read_once() {
    let reference = "<w:p><w:r><w:t>See</w:t><w:footnoteReference w:id=\"2\"/></w:r></w:p>".repeat(3);
    let note = "<w:footnote w:id=\"2\"><w:p><w:r><w:t>the note</w:t></w:r></w:p></w:footnote>";
    let text = text_of("a.docx", docx(&reference, note));
    assert_eq!((text.matches("See").count(), text.matches("the note").count()), (3, 1), "{text}");
}

#[test]
fn marks_of_lists_are_no_text_in_rich_text_either() {
    let item = |mark: &str, text: &str| format!("{{\\pard \\ql \\li360 \\fi-360 {mark}\\tx360\\tab {text}\\par}}\n");
    let items = [item("\\bullet ", "one"), item("12.", "two"), item("(iv)", "three"), item("Note", "four")];
    let text = format!("{{\\rtf1 {}{{\\pard 5.\\tab five\\par}}}}", items.concat());
    assert_eq!(text_of("a.rtf", text.into_bytes()), "one\ntwo\nthree\nNote\tfour\n5.\tfive\n");
}

#[test]
fn titles_of_rich_text_are_no_text_in_unicode_either() {
    let text = br"{\rtf1{\info{\upr{\title a}{\*\ud{\title secret}}}}{\upr{old}{\*\ud{new}}} shown\par}";
    assert_eq!(text_of("a.rtf", text.to_vec()), "new shown\n");
}

#[test]
fn json_about_notebooks_is_no_notebook() {
    let text = format!("{{\"about\": {{\"nbformat\": 4, \"cells\": []}}, \"note\": \"{FOX}\"}}");
    assert!(text_of("a.json", text.into_bytes()).contains(FOX));
}
