//! Formats that are recognised by their first bytes or by their names, and content that is not text.

use crate::mail::*;
use crate::office::*;
use crate::packing::tar;
use crate::support::*;

/// The lines of `--list-documents` for a workspace.
fn listed(corpus: &Workspace, args: &[&str], exit_code: i32, look: impl FnOnce(&str)) {
    corpus
        .dedup(&[&["scan", "-q", "--list-documents"], args].concat())
        .stdout_with(look)
        .stderr_with(|_| ())
        .exit_code(exit_code);
}

#[test]
fn flat_and_drawn_documents_are_read() {
    let flat = |kind: &str, body: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document xmlns:office=\"o\" \
             office:mimetype=\"application/vnd.oasis.opendocument.{kind}\"><office:styles><text:p>style</text:p></office:styles>\
             <office:body>{body}</office:body></office:document>"
        )
    };
    let paragraph = format!("<text:p>{FOX}</text:p>");
    let page = format!("<draw:page><draw:text-box>{paragraph}</draw:text-box></draw:page>");
    let content =
        format!("<?xml version=\"1.0\"?><office:document-content><text:p>{FOX}</text:p></office:document-content>");
    Workspace::new("flat_documents")
        .file("a.txt", FOX)
        .file("b.fodt", flat("text", &paragraph))
        .file("c.fodp", flat("presentation", &page))
        .file("d.xml", flat("graphics", &page))
        .file("e.fodt", content)
        .file("f.odg", of_parts(&open_document_parts("graphics", &page)))
        .file("g.fods", flat("spreadsheet", &paragraph))
        .dedup(&["scan", "-q", "."])
        .stdout_with(|pairs| {
            assert_eq!(pairs.lines().filter(|pair| pair.contains(r#""jaccard":1.0"#)).count(), 15, "{pairs}");
        })
        .stderr("")
        .exit_code(0);
    let cut = &flat("text", &paragraph)[..200];
    Workspace::new("cut_flat_document")
        .file("a.fodt", cut)
        .dedup(&["scan", "a.fodt"])
        .stdout("")
        .nothing_read("dedup: a.fodt: a flat OpenDocument file, damaged or cut short (its XML is broken); skipped\n");
}

#[test]
fn text_that_a_style_hides_is_not_text() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t><w:tab/></w:r>")
    };
    let styles = "<w:styles><w:style w:styleId=\"Base\"><w:rPr><w:vanish/></w:rPr></w:style>\
                  <w:style w:styleId=\"Sub\"><w:basedOn w:val=\"Base\"/></w:style>\
                  <w:style w:styleId=\"Shown\"><w:basedOn w:val=\"Base\"/><w:rPr><w:vanish w:val=\"0\"/></w:rPr></w:style></w:styles>";
    let body = [
        "<w:p>".to_owned(),
        run("", "One "),
        run("<w:rStyle w:val=\"Sub\"/>", "hidden "),
        run("<w:rStyle w:val=\"Shown\"/>", "two "),
        run("<w:rStyle w:val=\"Base\"/><w:vanish w:val=\"false\"/>", "three"),
        run("<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>", " four"),
        "</w:p><w:p><w:pPr><w:pStyle w:val=\"Base\"/></w:pPr>".to_owned(),
        run("", "hidden"),
        "</w:p>".to_owned(),
    ];
    let mut parts = docx_parts(&body.concat(), "");
    let relations = parts.iter_mut().find(|(name, _)| *name == "word/_rels/document.xml.rels").unwrap();
    relations.1 = relations.1.replace(
        "</Relationships>",
        "<Relationship Id=\"s\" Type=\"x/styles\" Target=\"styles.xml\"/></Relationships>",
    );
    parts.push(("word/styles.xml", styles.to_owned()));
    Workspace::new("hidden_styles")
        .file("a.docx", of_parts(&parts))
        .file("b.txt", "One two three four")
        .dedup(&["scan", "-q", "."])
        .stdout_with(|pair| assert!(pair.contains(r#""jaccard":1.0"#), "{pair}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn markup_is_stripped_on_request() {
    let markdown = format!("---\ntitle: x\n---\n\n# *{FOX}*\n\nSee [{CAT}](http://a.b/c).\n");
    let latex = format!(
        "\\documentclass{{article}}\n\\begin{{document}}\n\\section{{{FOX}}}% no\nSee \\emph{{{CAT}}}.\n\\end{{document}}\n"
    );
    let corpus = Workspace::new("markup")
        .file("a.md", markdown)
        .file("b.tex", latex)
        .file("c.txt", format!("{FOX}\n\nSee {CAT}."))
        .file("d.rst", format!("**{FOX}**\n\nSee `{CAT}`_."));
    corpus
        .dedup(&["scan", "-q", ".", "--markup", "strip", "--threshold", "0.99", "--passages"])
        .stdout_with(|pairs| {
            assert_eq!(pairs.lines().count(), 3, "{pairs}");
            // Line 5 of the Markdown, after the front matter and a blank line.
            assert!(pairs.contains(r#""a":{"lines":[5,7]"#), "{pairs}");
        })
        .stderr("")
        .exit_code(0);
    corpus.dedup(&["scan", "-q", ".", "--threshold", "0.9"]).stdout("").stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "-q", ".", "--markup", "strip", "--html", "raw", "--threshold", "0.99"])
        .stdout_with(|pairs| assert_eq!(pairs.lines().count(), 3, "{pairs}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn stripped_markup_is_part_of_an_index_and_of_a_saved_result() {
    let corpus = Workspace::new("markup_index").file("a.md", format!("# {FOX}\n")).file("b.txt", FOX);
    corpus
        .dedup(&["index", "build", "i.idx", "a.md", "--markup", "strip"])
        .stdout_with(|_| ())
        .stderr_with(|_| ())
        .exit_code(0);
    corpus
        .dedup(&["query", "i.idx", "b.txt"])
        .stdout_with(|found| assert!(found.contains(r#""jaccard":1.0"#), "{found}"))
        .stderr_with(|_| ())
        .exit_code(0);
    corpus
        .dedup(&["query", "i.idx", "b.txt", "--markup", "keep"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.contains("--markup"), "{stderr}"))
        .exit_code(2);
}

#[test]
fn records_are_recognised_or_noted() {
    let record = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let two = [record(FOX), record(LOREM)].concat();
    let utf32: Vec<u8> = two.chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    let corpus = Workspace::new("odd_records")
        .file("a.jl", &two)
        .file("b.jl", "function f(x)\n  x + 1\nend\n")
        .file("c.json-seq", format!("\x1E{}\x1E{}", record(FOX), record(LOREM)))
        .file("d.arrays", format!("[1,\"{FOX}\"]\n[2,\"{LOREM}\"]\n"))
        .file("e.txt", "[a link](b)\n[and more](c)\n");
    corpus
        .dedup(&["scan", ".", "--list-documents"])
        .stdout_with(|lines| {
            for name in ["a.jl:1", "a.jl:2", "b.jl", "c.json-seq", "d.arrays", "e.txt"] {
                assert!(lines.contains(&format!("{{\"name\":\"{name}\"")), "{name}: {lines}");
            }
        })
        .stderr_with(|stderr| {
            assert!(stderr.contains("c.json-seq: a JSON text sequence (RFC 7464); compared as one text"), "{stderr}");
            assert!(stderr.contains("d.arrays: JSON arrays, one on each line; compared as one text"), "{stderr}");
            assert!(!stderr.contains("e.txt") && !stderr.contains("b.jl"), "{stderr}");
        })
        .exit_code(0);
    corpus
        .stdin(utf32)
        .dedup(&["scan", "-"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.contains("dedup: -: JSON in UTF-32; compared as one text"), "{stderr}"))
        .exit_code(0);
}

#[test]
fn a_page_on_standard_input_is_read_as_one() {
    let page = format!(
        "\n<!DOCTYPE html>\n<html><head><meta charset=windows-1251><script>x</script></head><p>{FOX}</p></html>"
    );
    Workspace::new("page_on_stdin")
        .file("a.txt", FOX)
        .stdin(page)
        .dedup(&["scan", "-q", "a.txt", "-"])
        .stdout_with(|pair| assert!(pair.contains(r#""jaccard":1.0"#), "{pair}"))
        .stderr("")
        .exit_code(0);
}

#[test]
fn folders_of_a_maildir_are_read_in_archives_too() {
    let sent = message("1@x", "", BODY);
    let members: [(&str, &[u8]); 3] =
        [("mail/.Sent/cur/1:2,S", sent.as_bytes()), ("mail/.hidden/a.txt", b"no"), ("mail/cur/.b", b"no")];
    let corpus =
        Workspace::new("packed_maildir").file("a.tar", tar(&members)).file("b/.Sent/cur/1", &sent).file("b/.x/c", "no");
    listed(&corpus, &["."], 0, |lines| {
        assert!(lines.contains(r#""name":"a.tar!mail/.Sent/cur/1:2,S""#) && lines.contains("b/.Sent/cur/1"), "{lines}");
        assert_eq!(lines.lines().count(), 2, "{lines}");
    });
}

#[test]
fn an_id_that_would_be_the_name_of_another_document_is_not_used() {
    let messages = [message("a!b", "", BODY), message("c@x", "", OTHER)];
    let corpus = Workspace::new("odd_ids").file("a.mbox", mailbox(&messages));
    listed(&corpus, &["a.mbox"], 0, |lines| {
        assert!(lines.contains(r#""name":"a.mbox!:1""#) && lines.contains(r#""name":"a.mbox!c@x""#), "{lines}");
    });
}

#[test]
fn content_of_control_characters_is_not_text() {
    let data: Vec<u8> = (0..600_u32).map(|at| if at % 3 == 0 { 1 + (at / 3 % 25) as u8 } else { b'a' }).collect();
    let data: Vec<u8> = data.into_iter().map(|byte| if matches!(byte, 9..=13) { 1 } else { byte }).collect();
    let fits = format!("{:<80}{:<80}END", "SIMPLE  =                    T", "BITPIX  =                   16");
    let mut pkcs = b"0\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02 a text in a signature ".to_vec();
    pkcs.extend(BODY.as_bytes());
    let corpus = Workspace::new("control_characters")
        .file("a.bin", data)
        .file("b.fits", fits)
        .file("c.p7m", pkcs)
        .file("d.txt", "one\x01two\x01three\x01four\n".repeat(30))
        .file("e.log", "\x02bold\x02 \x0304red\x0f \x16x\x1fy\n".repeat(30))
        .file("f.txt", FOX);
    listed(&corpus, &["."], 0, |lines| {
        let of = |name: &str| lines.lines().find(|line| line.contains(name)).unwrap_or_default();
        assert!(of("a.bin").contains("with control characters from byte 0 on"), "{lines}");
        assert!(of("b.fits").contains("a FITS file"), "{lines}");
        assert!(of("c.p7m").contains("signed or encrypted file (PKCS #7)"), "{lines}");
        for name in ["d.txt", "e.log", "f.txt"] {
            assert!(of(name).contains(r#""treated":"used""#), "{lines}");
        }
    });
}
