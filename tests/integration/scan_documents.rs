//! Office documents, books and notebooks: the text that people read, in every format.

use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::office::*;
use crate::packing::zip;
use crate::support::*;

pub(crate) const PARAGRAPHS: [&str; 5] = [
    "The ferry to Osterby leaves at nine, and the clock of the old town hall strikes ten.",
    "Nobody knows why; the keeper does not say.",
    "Паром уходит в девять",
    "渡し船は九時に出る",
    "時計は十時を打つ",
];

/// The text of a document of each name, without the marks of its paragraphs.
pub(crate) fn texts(corpus: &Workspace) -> Vec<(String, String)> {
    let input = InputSettings::of(vec![corpus.path("")]);
    let texts = read_texts(&input, Resources::default(), &Unwatched).unwrap();
    let name = |name: &str| name.rsplit('/').next().unwrap().to_owned();
    texts.into_iter().map(|it| (name(&it.name), it.text.replace('\u{2029}', ""))).collect()
}

pub(crate) fn text_of(name: &'static str, bytes: Vec<u8>) -> String {
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
fn formats_of_documents_are_counted() {
    let mail = format!("From: a@example.org\nMessage-ID: <1@example.org>\nDate: today\n\n{FOX}\n");
    let corpus = Workspace::new("formats").file("plain.txt", FOX).file("m.eml", mail).file("t.txt", LOREM);
    let corpus = each_format(&PARAGRAPHS)
        .into_iter()
        .fold(corpus, |corpus, (ending, bytes)| corpus.file(format!("{ending}.{ending}"), &bytes))
        .file("again.dat", docx(&word_paragraph(LOREM), ""));
    for threads in ["1", "4"] {
        let row = "formats    2 docx, 1 epub, 1 ipynb, 1 mail, 1 odp, 1 odt, 1 pptx, 1 rtf";
        let args = ["scan", ".", "--threads", threads, "--summary", "s.json", "--threshold", "1"];
        corpus.dedup(&args).stdout_with(|_| ()).stderr_with_line(row).exit_code(0);
        let expected = r#""formats":{"docx":2,"epub":1,"ipynb":1,"mail":1,"odp":1,"odt":1,"pptx":1,"rtf":1}"#;
        assert!(corpus.read("s.json").contains(expected), "{}", corpus.read("s.json"));
    }
    corpus
        .dedup(&["scan", ".", "--stats", "--unit", "path"])
        .stdout_with(|_| ())
        .stderr_with_line("formats    2 docx, 1 epub, 1 ipynb, 1 mail, 1 odp, 1 odt, 1 pptx, 1 rtf")
        .exit_code(0);
    corpus.dedup(&["scan", "plain.txt", "t.txt", "--summary", "s.json"]).stdout("").notes("").exit_code(0);
    assert!(!corpus.read("s.json").contains("formats"));
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

/// The text of a Word document with this body and these other parts, each with the type of the reference to it.
fn word_text(body: &str, others: &[(&'static str, &'static str, &'static str)]) -> String {
    let mut parts = docx_parts(body, "");
    for (kind, name, content) in others {
        let target = name.trim_start_matches("word/");
        let relation = format!(r#"<Relationship Id="{kind}" Type="x/{kind}" Target="{target}"/></Relationships>"#);
        parts[2].1 = parts[2].1.replace("</Relationships>", &relation);
        parts.push((*name, (*content).to_owned()));
    }
    text_of("a.docx", of_parts(&parts))
}

#[test]
fn codes_of_fields_are_no_text_even_with_other_fields_in_them() {
    let mark = |kind: &str| format!(r#"<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>"#);
    let (begin, separate, end) = (mark("begin"), mark("separate"), mark("end"));
    let code = |text: &str| format!("<w:r><w:instrText>{text}</w:instrText></w:r>");
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let inner = format!("{begin}{}{separate}{}<w:r><w:tab/></w:r>{end}", code("MERGEFIELD sex"), run("female"));
    let outer = format!("{begin}{}{inner}{}{separate}{}{end}", code("IF "), code(" = x y z"), run("Madam"));
    let unclosed = format!("<w:p>{begin}{}{}</w:p>{}", code("PAGE"), run("lost"), word_paragraph("And so on."));
    assert_eq!(word_text(&format!("<w:p>{outer}{}</w:p>{unclosed}", run(",")), &[]), "Madam,\nAnd so on.\n");
}

#[test]
fn symbols_diagrams_and_phonetic_guides_of_word_are_read_as_people_do() {
    let body = "<w:p><w:r><w:sym w:font=\"Wingdings\" w:char=\"F04A\"/><w:sym w:char=\"00E9\"/><mc:AlternateContent>\
        <mc:Choice><w16se:symEx w16se:char=\"1F60A\"/></mc:Choice><mc:Fallback><w:t>?</w:t></mc:Fallback></mc:AlternateContent></w:r>\
        <w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>\
        <w:p><w:r><w:drawing><dgm:relIds r:dm=\"diagramData\"/></w:drawing></w:r><w:r><w:t>before it</w:t></w:r></w:p>";
    let diagram = "<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>One</a:t></a:r></a:p></dgm:t></dgm:pt>\
        <dgm:pt><dgm:t><a:p><a:r><a:t>two</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>";
    let diagrams = [("diagramData", "word/diagrams/data1.xml", diagram)];
    assert_eq!(word_text(body, &diagrams), "é😊漢\nbefore it\nOne\ntwo\n");
}

#[test]
fn diagrams_of_a_slide_come_where_they_are_and_before_its_notes() {
    let shape = |text: &str| format!("<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>");
    let slide = format!(
        "<p:sld>{}<p:graphicFrame><dgm:relIds r:dm=\"d\"/></p:graphicFrame>{}</p:sld>",
        shape("First"),
        shape("last")
    );
    let relations = "<Relationships><Relationship Id=\"n\" Type=\"x/notesSlide\" Target=\"notes.xml\"/>\
        <Relationship Id=\"d\" Type=\"x/diagramData\" Target=\"data.xml\"/></Relationships>";
    let main = "<Relationships><Relationship Id=\"s\" Type=\"x/slide\" Target=\"s.xml\"/></Relationships>";
    let bytes = package(&[
        ("[Content_Types].xml", "<Types/>"),
        ("ppt/presentation.xml", "<p:presentation><p:sldId r:id=\"s\"/></p:presentation>"),
        ("ppt/_rels/presentation.xml.rels", main),
        ("ppt/s.xml", &slide),
        ("ppt/_rels/s.xml.rels", relations),
        ("ppt/notes.xml", &shape("the notes")),
        ("ppt/data.xml", "<dgm:pt><dgm:t><a:p><a:r><a:t>a diagram</a:t></a:r></a:p></dgm:t></dgm:pt>"),
    ]);
    assert_eq!(text_of("a.pptx", bytes), "First\na diagram\nlast\nthe notes\n");
}

#[test]
fn hidden_text_of_open_documents_is_no_text() {
    let style = |family: &str, name: &str, more: &str, display: &str| {
        format!(
            "<style:style style:family=\"{family}\" style:name=\"{name}\" {more}><style:text-properties \
             text:display=\"{display}\"/></style:style>"
        )
    };
    let body = "<text:p>One <text:span text:style-name=\"T1\">gone<text:s/><text:tab/></text:span>two\
        <text:hidden-text text:is-hidden=\"true\">gone</text:hidden-text>\
        <text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>かん</text:ruby-text></text:ruby></text:p>\
        <text:p text:style-name=\"P1\">gone <text:span text:style-name=\"T2\">seen</text:span></text:p>\
        <text:section text:display=\"none\"><text:p>gone</text:p></text:section>\
        <text:h><text:number>1.2 </text:number>Heading</text:h>";
    let mut parts = open_document_parts("text", body);
    let automatic = [
        style("text", "T1", "", "none"),
        style("text", "T2", "style:parent-style-name=\"Seen\"", "true"),
        style("paragraph", "P1", "style:parent-style-name=\"Secret\"", "x").replace("text:display=\"x\"", ""),
    ];
    let automatic = format!("<office:automatic-styles>{}</office:automatic-styles>", automatic.concat());
    parts[1].1 = parts[1].1.replace("<office:automatic-styles/>", &automatic);
    // The names of automatic styles of this part mean nothing in the other one.
    parts[2].1 = format!(
        "<s><office:styles>{}</office:styles><office:automatic-styles>{}</office:automatic-styles></s>",
        style("paragraph", "Secret", "", "none"),
        style("paragraph", "Standard", "", "none"),
    );
    assert_eq!(text_of("a.odt", of_parts(&parts)), "One two漢\nseen\nHeading\n");
}

#[test]
fn rich_text_of_dos_and_of_old_programs_is_read() {
    let text = br"{\rtf1\pc caf\'82\page next{\*\do\dptxbx{\dptxbxtext\pard in a box\par}} page\par}";
    assert_eq!(text_of("a.rtf", text.to_vec()), "café\u{2028}next page\nin a box\n");
    let text = br"{\rtf1\ansi\ansicpg852{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset255 Terminal;}}\'88\f1\'e3\par}";
    assert_eq!(text_of("a.rtf", text.to_vec()), "łπ\n");
}

#[test]
fn chapters_under_odd_names_are_read_and_missing_ones_reported() {
    let item = |id: &str, href: &str| {
        format!("<item id=\"{id}\" href=\"{href}\" media-type=\"application/xhtml+xml\"/><itemref idref=\"{id}\"/>")
    };
    let list = format!("<package>{}{}</package>", item("a", "a%20b.xhtml"), item("b", "missing.xhtml"));
    let page = format!("<html><body><p>{FOX} <ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p></body></html>");
    let book = package(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", "<container><rootfile full-path=\"content.opf\"/></container>"),
        ("content.opf", &list),
        ("a%20b.xhtml", &page),
    ]);
    Workspace::new("odd_chapters")
        .file("a.epub", book)
        .file("b.txt", format!("{FOX} 漢"))
        .dedup(&["scan", "."])
        .stdout(&copies("a.epub", "b.txt", 38))
        .notes("dedup: a.epub: 1 of 2 chapters are not in the file\n")
        .exit_code(0);
}

#[test]
fn cells_of_notebooks_may_lack_a_source() {
    let cells = r#"{"nbformat": 4, "cells": [{"cell_type": "code", "source": null}, {"cell_type": "raw"},
        {"cell_type": "code", "source": "x", "input": "y"}]}"#;
    assert_eq!(text_of("a.ipynb", cells.as_bytes().to_vec()), "\u{C}\u{C}x\n");
    let odd = r#"{"nbformat": 4, "cells": [{"cell_type": "code", "source": {"a": 1}}]}"#;
    let message = "dedup: a.ipynb: a Jupyter notebook, damaged or cut short (it has no cells of a notebook); skipped\n";
    let corpus = Workspace::new("odd_cells").file("a.ipynb", odd).file("b.txt", FOX).file("c.txt", LOREM);
    corpus.dedup(&["scan", "-q", "."]).stdout("").stderr(message).exit_code(3);
}
