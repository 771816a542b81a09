//! PDF: the text layer page by page, and files that are damaged, encrypted or hostile.

use std::io::Write;

use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::packing::zip;
use crate::support::*;

/// A PDF file with these objects, numbered from 1; object 1 is the catalogue.
///
/// * `trailer`: more entries of the trailer.
fn pdf_of(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let (mut file, mut table) = (b"%PDF-1.7\n".to_vec(), String::from("0000000000 65535 f \n"));
    for (number, object) in (1..).zip(objects) {
        table += &format!("{:010} 00000 n \n", file.len());
        writeln!(file, "{number} 0 obj").unwrap();
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let (size, start) = (objects.len() + 1, file.len());
    writeln!(file, "xref\n0 {size}\n{table}trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF")
        .unwrap();
    file
}

fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    [format!("<</Length {}{entries}>>stream\n", content.len()).as_bytes(), content, b"\nendstream"].concat()
}

/// The objects of a file with a page for each content. Pages have the font `F`, the image `I` and the form `X`, which is the last
/// object.
fn objects(contents: &[&str], form: Vec<u8>) -> Vec<Vec<u8>> {
    let first = 5;
    let kids: String = (0..contents.len()).map(|page| format!("{} 0 R ", first + 2 * page)).collect();
    let form_number = first + 2 * contents.len();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>/XObject<</I 4 0 R/X {form_number} 0 R>>>>>>",
            contents.len()
        )
        .into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
        stream("/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", b"\xFF"),
    ];
    for (page, content) in contents.iter().enumerate() {
        objects.push(format!("<</Type/Page/Parent 2 0 R/Contents {} 0 R>>", first + 2 * page + 1).into_bytes());
        objects.push(stream("", content.as_bytes()));
    }
    objects.push(form);
    objects
}

/// The content of a page with these lines.
fn lines(lines: &[&str]) -> String {
    let line = |line: &&str| format!("({}) ' ", line.replace(['(', ')'], ""));
    format!("0 0 0 rg /Missing gs BT /F 12 Tf 14 TL 50 700 Td {} ET", lines.iter().map(line).collect::<String>())
}

fn pdf(contents: &[&str]) -> Vec<u8> {
    pdf_of(&objects(contents, stream("/Subtype/Form", b"BT /F 9 Tf (in a form) Tj ET")), "")
}

/// A file with one page, whose content is this stream, and more objects from number 8 on.
fn page_of(content: Vec<u8>, more: &[&str]) -> Vec<u8> {
    let mut objects = objects(&[""], stream("/Subtype/Form", b""));
    objects[5] = content;
    objects.extend(more.iter().map(|object| object.as_bytes().to_vec()));
    pdf_of(&objects, "")
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}

fn text_of(bytes: Vec<u8>) -> String {
    let corpus = Workspace::new("pdf_text").file("a.pdf", bytes);
    let input = InputSettings::of(vec![corpus.path("")]);
    read_texts(&input, Resources::default(), &Unwatched).unwrap().remove(0).text
}

#[test]
fn the_text_of_a_pdf_comes_page_by_page_with_its_words_whole() {
    let first = lines(&["The ferry to Osterby leaves at nine; the fi\\256nal compar-", "ison is on page two."]);
    let second =
        "BT /F 12 Tf 50 700 Td [(Nobo) -20 (dy) -300 (knows) 40 ( why.)] TJ ET /I Do q 1 0 0 1 50 600 cm /X Do Q";
    let file = pdf(&[&first.replace("fi\\256nal", "final"), "/I Do", second]);
    let text = "The ferry to Osterby leaves at nine; the final comparison\nis on page two.\n\u{C}\u{C}Nobody knows why.\nin a form\n";
    assert_eq!(text_of(file.clone()), text);
    let corpus = Workspace::new("pdf_pages").file("a.pdf", &file).file("b.txt", text).file("c.dat", &file);
    let corpus = corpus.file("d.zip", zip(&[("x.pdf", &file)], Default::default()));
    let note = |name| format!("dedup: {name}: scan without text: 1 of 3 pages; ocrmypdf adds a text\n");
    let run = corpus.dedup(&["scan", ".", "--collapse-exact"]);
    let notes = ["a.pdf", "c.dat", "d.zip!x.pdf"].map(note).concat();
    run.pairs(&["a.pdf b.txt", "a.pdf c.dat", "a.pdf d.zip!x.pdf"]).notes(&notes).exit_code(0);
    let copy = Workspace::new("pdf_copy").file("d/a.pdf", &file).file("d/b.pdf", &file);
    copy.dedup(&["unique", "-q", "d", "-o", "out"]).stdout("").stderr_with(|_| {}).exit_code(0);
    assert_eq!(std::fs::read(copy.path("out/a.pdf")).unwrap(), file);
    assert!(!copy.path("out/b.pdf").exists());
}

#[test]
fn a_pdf_that_cannot_be_read_is_reported() {
    let page = lines(&["Text."]);
    let of = |form: Vec<u8>| pdf_of(&objects(&[&page, "/X Do"], form), "");
    let garbage: Vec<u8> =
        b"%PDF-1.7\n".iter().copied().chain((0..2000).map(|at: u32| (at * at % 251) as u8)).collect();
    let encryption = format!(
        "/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O<{0}>/U<{0}>>>/ID[<{1}><{1}>]",
        "61".repeat(32),
        "00".repeat(16)
    );
    let itself = stream("/Subtype/Form/Resources<</XObject<</X 9 0 R>>>>", b"/X Do");
    let deep = "[".repeat(100_000);
    let corpus = Workspace::new("pdf_faults")
        .file("damaged.pdf", garbage)
        .file("deep.pdf", pdf_of(&[format!("<</Type/Catalog/Pages {deep}>>").into_bytes()], ""))
        .file("empty.pdf", "")
        .file("encrypted.pdf", pdf_of(&objects(&[&page], stream("", b"")), &encryption))
        .file("itself.pdf", of(itself))
        .file(
            "loop.pdf",
            pdf_of(
                &[
                    b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
                    b"<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>".to_vec(),
                ],
                "",
            ),
        )
        .file("z.txt", FOX);
    let damaged = |name: &str, how: &str| {
        format!(
            "dedup: {name}: a PDF document, damaged or cut short ({how}); skipped (--filter pdf='pdftotext - -' may read it)\n"
        )
    };
    corpus
        .dedup(&["scan", "-q", ".", "--exclude", "itself.pdf"])
        .stdout("")
        .stderr_with(|stderr| {
            for line in [
                damaged("loop.pdf", "it has no pages"),
                "dedup: empty.pdf: empty, where a PDF document was expected; skipped\n".to_owned(),
                "dedup: encrypted.pdf: a PDF document, encrypted; skipped (remove its password first)\n".to_owned(),
                "dedup: damaged.pdf: a PDF document, damaged or cut short (".to_owned(),
                "dedup: deep.pdf: a PDF document, damaged or cut short (".to_owned(),
            ] {
                assert!(stderr.contains(&line), "{line}\n{stderr}");
            }
        })
        .exit_code(3);
    let note = "dedup: itself.pdf: 1 of 2 pages cannot be read; --filter pdf='pdftotext - -' may read more\n";
    corpus.dedup(&["scan", "itself.pdf", "z.txt"]).stdout("").notes(note).exit_code(0);
}

#[test]
fn a_pdf_that_unpacks_to_too_much_is_skipped_and_the_run_goes_on() {
    let bomb = stream("/Filter/FlateDecode", &packed(&vec![b' '; 64 << 20]));
    let mut objects = objects(&["", ""], stream("", b""));
    // A page that has the same content many times.
    objects[5] = bomb;
    objects[4] = format!("<</Type/Page/Parent 2 0 R/Contents[{}]>>", "6 0 R ".repeat(200)).into_bytes();
    let corpus = Workspace::new("pdf_bomb").file("a.pdf", pdf_of(&objects, "")).file("b.txt", FOX).file("c.txt", FOX);
    corpus
        .dedup(&["scan", "-q", ".", "--filter-timeout", "20"])
        .stdout(&copies("b.txt", "c.txt", 36))
        .stderr_with(|stderr| {
            let fault = "dedup: a.pdf: more than 256MiB; skipped (--max-document-bytes allows larger ones)\n";
            assert!(stderr.starts_with(fault), "{stderr}");
        })
        .exit_code(3);
}

#[test]
fn mutated_pdfs_are_texts_or_reported() {
    const MARKS: &[u8] = b"<>[]()/ 0129R\0\xFF%";
    let mut random = Random(11);
    let seed =
        pdf(&[&lines(&["The ferry leaves", "at nine."]), "/X Do /I Do", "BT /F 9 Tf 1 0 0 1 5 5 Tm [(a) 5 (b)] TJ ET"]);
    let mut corpus = Workspace::new("mutated_pdfs");
    for number in 0..400 {
        let mut bytes = seed.clone();
        for _ in 0..1 + random.below(4) {
            let (at, len) = (9 + random.below(bytes.len() - 9), random.below(20));
            let end = (at + len).min(bytes.len());
            match random.below(5) {
                0 => drop(bytes.drain(at..end)),
                1 | 2 => bytes[at] = MARKS[random.below(MARKS.len())],
                3 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
                _ => bytes.truncate(at.max(100)),
            }
            bytes.resize(bytes.len().max(60), b' ');
        }
        corpus = corpus.file(format!("{number}.pdf"), bytes);
    }
    // Some of them overflow the stack of the process that reads them.
    let count = |lines: &str| {
        let used = lines.lines().filter(|line| line.contains("\"treated\":\"used\"")).count();
        let copies = lines.lines().filter(|line| line.contains("\"treated\":\"copy\"")).count();
        assert!(used + copies > 20 && lines.lines().count() == 400, "{used} {copies}");
    };
    corpus.dedup(&["scan", "-q", ".", "--list-documents"]).stdout_with(count).stderr_with(|_| {}).exit_code(3);
}

#[test]
fn mistakes_in_a_content_lose_no_text() {
    let both = "The ferry leaves\nat nine.\n";
    for content in [
        "BT /F 12 Tf 50 700 Td (The ferry leaves) Tj\n% a\n\n  % b ( \n0 -20 Td (at nine.) Tj ET",
        "BT /F 12 Tf --50 700.. Td (The ferry leaves) Tj ET BT /F 12 Tf 50 680 Td (at nine.) Tj ET",
        "99999999999999999999 0 m BT /F 12 Tf 50 700 Td (The ferry leaves) Tj ] > ) x } 0 -20 Td (at nine.) Tj ET",
        "BT /F 12 Tf 50 700 Td [(The fer) 10 (ry leaves) TJ 0 -20 Td (at nine.) Tj ET",
        "q BT /F 12 Tf 50 700 Td (The ferry leaves) Tj ET Q BT /F 12 Tf (at nine.) Tj ET",
        "BI /W 9 /H 1 /F /DCT ID \u{0}(\u{1}<EI\u{2} EI BT /F 12 Tf 50 700 Td (The ferry leaves) Tj 0 -20 Td (at nine.) Tj ET",
    ] {
        assert_eq!(text_of(pdf(&[content])), both, "{content}");
    }
}

#[test]
fn streams_with_unusual_filters_and_lengths_are_read() {
    let content = lines(&["The ferry leaves"]);
    let deflated = packed(content.as_bytes());
    let hexadecimal: String = deflated.iter().map(|byte| format!("{byte:02X} ")).collect();
    let text = "The ferry leaves\n";
    assert_eq!(text_of(page_of(stream("/Filter 8 0 R", &deflated), &["/FlateDecode"])), text);
    assert_eq!(text_of(page_of(stream("/Filter 8 0 R/DecodeParms 9 0 R", &deflated), &["[/Fl]", "[null]"])), text);
    assert_eq!(text_of(page_of(stream("/Filter[/AHx 8 0 R]", hexadecimal.as_bytes()), &["/FlateDecode"])), text);
    for (entries, content) in [("", content.as_bytes()), ("/Filter/FlateDecode", &deflated)] {
        for length in ["0", "1", &(content.len() - 1).to_string(), &(content.len() + 2).to_string(), "5000", "9 0 R"] {
            let start = format!("<</Length {length}{entries}>>stream\r\n");
            let content = [start.as_bytes(), content, b"\nendstream"].concat();
            assert_eq!(text_of(page_of(content, &[])), text, "{entries} {length}");
        }
    }
}

#[test]
fn pages_whose_text_is_missing_are_reported() {
    let deflated = packed(lines(&["The ferry leaves", "at nine, and the harbour is closed"]).as_bytes());
    let page = lines(&["The ferry leaves"]);
    let corpus = Workspace::new("pdf_missing")
        .file("cut.pdf", page_of(stream("/Filter/FlateDecode", &deflated[..deflated.len() - 20]), &[]))
        .file("filter.pdf", page_of(stream("/Filter/JBIG2Decode", page.as_bytes()), &[]))
        .file("font.pdf", pdf(&["BT /None 12 Tf (The ferry) Tj ET", "BT ( ) Tj ET"]))
        .file("lost.pdf", pdf(&["q BT /F 12 Tf (The) Tj ET Q BT 50 0 Td (ferry) Tj /F 12 Tf 50 20 Td (leaves) Tj ET"]))
        .file("open.pdf", pdf(&[&format!("{page} BT (The ferry) Tj (leaves Tj")]))
        .file("z.txt", FOX);
    let filter = "--filter pdf='pdftotext - -' may read more\n";
    let partial = |name: &str| format!("dedup: {name}: 1 of 1 page can be read only in part; {filter}");
    let unread = format!(
        "dedup: filter.pdf: 1 of 1 page cannot be read; {filter}dedup: font.pdf: 1 of 2 pages cannot be read; {filter}"
    );
    let notes = [partial("cut.pdf"), unread, partial("lost.pdf"), partial("open.pdf")].concat();
    corpus.dedup(&["scan", "."]).stdout("").notes(&notes).exit_code(0);
}

#[test]
fn character_spacing_after_a_string_is_no_space() {
    let content = "BT /F 12 Tf 50 700 Td 2 Tc (Nort) Tj 0 Tc (h Buon) Tj 2 Tc [(a vist) -300 (a)] TJ ET";
    assert_eq!(text_of(pdf(&[content])), "North Buona vist a\n");
}

#[test]
fn letters_of_fonts_are_found_by_their_encodings_or_reported_as_missing() {
    // "日本 a" in UTF-16 and in Shift JIS.
    let content = "BT /A 12 Tf 50 700 Td <65E5672C00200061> Tj /B 12 Tf 0 -20 Td <93FA967B2061> Tj ET";
    let fonts = |identity: &str| {
        let fonts = "/Font<</A 8 0 R/B 9 0 R/C 10 0 R>>";
        let inner = "/DescendantFonts[<</FontDescriptor<<>>/DW 1000>>]";
        let font = |rest: &str| format!("<</Type/Font/Subtype/Type0/BaseFont/N{inner}{rest}>>").into_bytes();
        let mut objects = objects(&["", ""], stream("/Subtype/Form", b""));
        objects[1] = format!("<</Type/Pages/Kids[5 0 R 7 0 R]/Count 2/Resources<<{fonts}>>>>").into_bytes();
        objects[5] = stream("", content.as_bytes());
        objects[7] = stream("", content.replace("/B", "/C").as_bytes());
        objects.truncate(8);
        objects[6] = b"<</Type/Page/Parent 2 0 R/Contents 11 0 R>>".to_vec();
        let second = std::mem::replace(&mut objects[7], font(identity));
        objects.extend([font("/Encoding/90ms-RKSJ-H"), font("/Encoding/Identity-H"), second]);
        pdf_of(&objects, "")
    };
    let named = fonts("/Encoding/Identity-H/ToUnicode/Identity-H");
    assert_eq!(text_of(named), "日本 a\n日本 a\n\u{C}日本 a\n");
    let unknown = fonts("/Encoding/Identity-H");
    assert_eq!(text_of(unknown.clone()), "日本 a\n");
    let corpus = Workspace::new("pdf_letters").file("a.pdf", unknown).file("z.txt", FOX);
    let note = "dedup: a.pdf: the fonts of 1 of 2 pages do not declare their letters; --filter pdf='pdftotext - -' may read more\n";
    corpus.dedup(&["scan", "."]).stdout("").notes(note).exit_code(0);
}

#[test]
fn a_pdf_with_a_broken_table_or_bytes_before_it_is_read() {
    let file = pdf(&[&lines(&["The ferry leaves"])]);
    let (text, table) = ("The ferry leaves\n", memchr::memmem::find(&file, b"xref\n").unwrap());
    let with = |from: &str, to: &str| {
        let at = memchr::memmem::rfind(&file, from.as_bytes()).unwrap();
        [&file[..at], to.as_bytes(), &file[at + from.len()..]].concat()
    };
    assert_eq!(text_of(file[..table].to_vec()), text, "cut");
    assert_eq!(text_of(with("\n%%EOF", "\r\n%%EOF\r\n<!-- a web page -->")), text, "more behind it");
    assert_eq!(text_of(with("0000000000 65535 f \n", "0000000000 65535 f\n")), text, "a line of the table");
    assert_eq!(text_of(with("trailer\n", "trailr\n")), text, "the word before the trailer");
    for before in ["\n", "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"] {
        assert_eq!(text_of([before.as_bytes(), &file].concat()), text, "{before}");
        // The places count from the start of the file.
        let start = format!("startxref\n{table}");
        let moved = with(&start, &format!("startxref\n{}", table + before.len()));
        assert_eq!(text_of([before.as_bytes(), &moved].concat()), text, "{before}");
    }
}
