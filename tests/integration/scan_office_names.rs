//! Pages, web archives and XML under the names of office documents, books in XML, and pointers instead of documents.

use ::zip::CompressionMethod;
use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::packing::zip;
use crate::support::*;

/// The text of a file of this name, with single spaces.
fn text(name: &'static str, bytes: impl AsRef<[u8]>) -> String {
    let corpus = Workspace::new("office_names").file(name, bytes);
    let input = InputSettings::of(vec![corpus.path("")]);
    let texts = read_texts(&input, Resources::default(), &Unwatched).unwrap();
    texts[0].text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn utf16(text: &str) -> Vec<u8> {
    b"\xFF\xFE".iter().copied().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

const PAGE: &str =
    "<html xmlns:w='urn:schemas-microsoft-com:office:word'><body><p>One &amp; two<p hidden>no</body></html>";

#[test]
fn pages_and_web_archives_of_office_programs_are_read_as_what_they_are() {
    for name in ["a.doc", "a.DOC", "a.xls", "a.rtf", "a.docx"] {
        assert_eq!(text(name, PAGE), "One & two", "{name}");
    }
    assert_eq!(text("a.doc", format!("\u{FEFF}\n<!DOCTYPE html>{PAGE}")), "One & two");
    assert_eq!(text("a.doc", format!("<?xml version='1.0'?>\n{PAGE}")), "One & two");
    assert_eq!(text("a.doc", utf16(PAGE)), "One & two");
    assert_eq!(text("a.zip", zip(&[("b/a.doc", PAGE.as_bytes())], CompressionMethod::Stored)), "One & two");
    assert_eq!(text("a.txt", "<html>x"), "<html>x");
    let archive = format!(
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"x\"\n\n--x\nContent-Type: text/html\n\n{PAGE}\n--x--\n"
    );
    assert_eq!(text("a.doc", &archive), "One & two");
    assert_eq!(text("a.doc", "MIME-Version: 1.0\nis a field\n"), "MIME-Version: 1.0 is a field");
    assert_eq!(text("a.doc", "{\"text\":\"x\"}\n{\"text\":\"y\"}\n"), "{\"text\":\"x\"} {\"text\":\"y\"}");
    // The text is read again for the comparison, and --html raw compares the markup.
    let corpus =
        Workspace::new("office_pages").file("a.doc", PAGE.replace("One", FOX)).file("b.txt", format!("{FOX} & two"));
    corpus.dedup(&["scan", "-q", "."]).pairs(&["a.doc b.txt"]).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", ".", "--html", "raw"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn documents_in_one_xml_file_are_their_paragraphs() {
    let word = "<?xml version='1.0'?><?mso-application progid='Word.Document'?><w:wordDocument xmlns:w='x'><o:DocumentProperties \
        xmlns:o='o'><o:Title>no</o:Title></o:DocumentProperties><w:styles><w:style/></w:styles><w:body><wx:sect xmlns:wx='y'><w:p><w:r>\
        <w:t>One</w:t></w:r><w:r><w:tab/><w:t>two</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r>\
        <aml:annotation xmlns:aml='a' w:type='Word.Deletion'><w:r><w:delText>no</w:delText></w:r></aml:annotation>\
        <w:r><w:footnote><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote></w:r><w:r><w:instrText>no</w:instrText></w:r></w:p>\
        <w:p><w:r><w:t>three</w:t></w:r></w:p><w:sectPr><w:hdr><w:p><w:r><w:t>no</w:t></w:r></w:p></w:hdr></w:sectPr></wx:sect></w:body>\
        </w:wordDocument>";
    for name in ["a.doc", "a.xml"] {
        assert_eq!(text(name, word), "One two note three", "{name}");
    }
    assert_eq!(text("a.xml", utf16(word)), "One two note three");
    let flat = "<?xml version='1.0'?><pkg:package xmlns:pkg='p'><pkg:part pkg:name='/word/styles.xml'><w:t xmlns:w='w'>no</w:t></pkg:part>\
        <pkg:part pkg:name='/word/document.xml'><pkg:xmlData><w:p xmlns:w='w'><w:r><w:t>One</w:t></w:r></w:p></pkg:xmlData></pkg:part>\
        </pkg:package>";
    assert_eq!(text("a.xml", flat), "One");
    let book = "<FictionBook><description><p>no</p></description><body><title><p>One</p></title><section><p>two <emphasis>and</emphasis>\
        three</p><poem><stanza><v>four</v></stanza></poem></section></body><binary id='a'>no</binary></FictionBook>";
    assert_eq!(text("a.fb2", book), "One two andthree four");
    let declared = format!("<?xml version='1.0' encoding='windows-1251'?>{}", book.replace("four", "Привет"));
    assert!(text("a.fb2", encoding_rs::WINDOWS_1251.encode(&declared).0).ends_with("Привет"));
    let corpus = Workspace::new("office_damaged").file("a.fb2", "<FictionBook><body><p>One").file("b.txt", FOX);
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout("")
        .stderr_with(|text| assert!(text.contains("a.fb2: "), "{text}"))
        .exit_code(3);
}

#[test]
fn a_pointer_instead_of_a_document_is_an_error_in_a_folder_too() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    let detail = "a Git LFS pointer instead of the data; skipped (`git lfs pull` fetches the data)";
    for name in ["a.docx", "a.pdf", "a.parquet", "a.txt", "a.md", "a.html", "a.doc", "a", "a.csv", "a.zip"] {
        let corpus = Workspace::new("pointer").file(name, pointer).file("b.txt", FOX);
        corpus.dedup(&["scan", "-q", "."]).stdout("").stderr(&format!("dedup: {name}: {detail}\n")).exit_code(3);
        corpus.dedup(&["scan", "-q", ".", "--strict"]).stdout("").stderr_with(|_| ()).exit_code(2);
    }
    let corpus = Workspace::new("pointer_picture").file("a.png", pointer).file("b.txt", FOX);
    corpus.dedup(&["scan", "-q", "."]).stdout("").stderr_with(|_| ()).exit_code(0);
}
