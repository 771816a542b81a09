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
fn a_pdf_that_unpacks_to_more_than_memory_is_skipped_and_the_run_goes_on() {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![b' '; 1 << 20];
    (0..64).for_each(|_| packed.write_all(&zeros).unwrap());
    let bomb = stream("/Filter/FlateDecode", &packed.finish().unwrap());
    let mut objects = objects(&["", ""], stream("", b""));
    // A page that has the same content many times.
    objects[5] = bomb;
    objects[4] = format!("<</Type/Page/Parent 2 0 R/Contents[{}]>>", "6 0 R ".repeat(200)).into_bytes();
    let corpus = Workspace::new("pdf_bomb").file("a.pdf", pdf_of(&objects, "")).file("b.txt", FOX).file("c.txt", FOX);
    corpus
        .dedup(&["scan", "-q", ".", "--filter-timeout", "20"])
        .stdout(&copies("b.txt", "c.txt", 36))
        .stderr_with(|stderr| {
            assert!(stderr.starts_with("dedup: a.pdf: a PDF document: the process that reads it "), "{stderr}");
            assert!(stderr.contains("; skipped (--filter pdf='pdftotext - -' may read it)\n"), "{stderr}");
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
