//! Encodings: which bytes are a text, how it is decoded, and which bytes are skipped.

use crate::packing::{gzip, tar};
use crate::support::*;

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn marked_texts_equal_plain_ones() {
    let corpus = Workspace::new("marks")
        .file("a", FOX)
        .file("b", format!("\u{FEFF}{FOX}"))
        .file("c", utf16(FOX, u16::to_le_bytes))
        .file("d", utf16(FOX, u16::to_be_bytes));
    corpus
        .dedup(&["scan", ".", "--collapse-exact"])
        .stdout(&["b", "c", "d"].map(|copy| copies("a", copy, 36)).concat())
        .notes("")
        .exit_code(0);
}

#[test]
fn what_is_no_text_is_named_and_the_rest_is_compared() {
    let corpus = Workspace::new("no_text")
        .file("a", FOX)
        .file("b", FOX)
        .file("broken", b"caf\xE9")
        .file("half", b"\xFF\xFEa")
        .file("utf32", b"\xFF\xFE\0\0a\0\0");
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout(&copies("a", "b", 36))
        .stderr(
            "dedup: broken: not valid UTF-8 at byte 3; read it with --encoding LABEL or --invalid replace\n\
             dedup: half: not valid UTF-16, despite its byte order mark; read it with --invalid replace\n\
             dedup: utf32: not valid UTF-32, despite its byte order mark; read it with --invalid replace\n\
             dedup: warning: most of the input was skipped: 3 inputs (3 not UTF-8), and 2 documents were read; \
             --list-documents shows why\n",
        )
        .exit_code(3);
}

#[test]
fn a_binary_file_is_an_error_only_when_it_was_named() {
    let corpus = Workspace::new("binary").file("a", FOX).file("bin", "ab\0").file("list", "bin\na\n");
    let message = "dedup: bin: binary, with a NUL at byte 2; skipped\n";
    corpus.dedup(&["scan", ".", "--exclude", "list"]).stdout("").notes(message).exit_code(0);
    corpus.dedup(&["scan", "-q", ".", "--exclude", "list"]).stdout("").stderr("").exit_code(0);
    corpus.dedup(&["scan", "--files-from", "list"]).stdout("").notes(message).exit_code(0);
    corpus.dedup(&["scan", "-q", "a", "bin"]).stdout("").stderr(message).exit_code(3);
}

#[test]
fn a_filter_is_suggested_only_for_names_that_it_is_given_for() {
    let (packed, ole) = (b"\x04\x22\x4D\x18\0", [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 600]].concat());
    let corpus = Workspace::new("endings_of_kinds")
        .file("a/b.txt", packed)
        .file("a/c", packed)
        .file("d/o.doc", ole)
        .file("p/a.ps", format!("%!PS {FOX}"))
        .file("p/b.ps", format!("%!PS {LOREM}"))
        .file("p/c.txt", CAT);
    let notes = "dedup: skipped 2 files compressed by lz4 whose names do not end with .lz4; rename them, then --filter lz4='lz4 -dc' \
                 reads them (--list-documents lists each)\n";
    let look = |start: &'static str| move |stderr: &str| assert!(stderr.starts_with(start), "{stderr}");
    corpus.dedup(&["scan", "a"]).stdout("").stderr_with(look(notes)).exit_code(0);
    let word = "dedup: d/o.doc: a Word 97 document; skipped (--filter doc='antiword -' reads it)\n";
    // Where nothing was read, people need to know what there is.
    corpus.dedup(&["scan", "-q", "d"]).stdout("").stderr_with(look(word)).exit_code(0);
    let postscript =
        "dedup: 2 PostScript documents are compared with their markup; --filter ps='ps2ascii' reads them\n";
    corpus.dedup(&["scan", "p"]).stdout("").stderr_with(look(postscript)).exit_code(0);
}

#[test]
fn binary_files_are_reported_by_kind_and_number_with_what_reads_them() {
    let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR";
    // Without a NUL byte, and not valid UTF-8.
    let packed = b"\x04\x22\x4D\x18\xE2\xE3\xCF\xD3\n";
    let corpus = Workspace::new("kinds")
        .file("d/a.txt", FOX)
        .file("d/1.png", png)
        .file("d/2.png", png)
        .file("d/f.woff", b"wOFF\0\x01")
        .file("d/x.lz4", packed)
        .file("d/y.lz4", packed)
        .file("named", packed)
        .file("e/a.txt", FOX)
        .file("e/b.txt", LOREM)
        .file("e/1.7z", b"7z\xBC\xAF\x27\x1C\0")
        .file("e/2.7z", b"7z\xBC\xAF\x27\x1C\0");
    let packed = "dedup: skipped 2 7z archives; unpack them first with 7z x (--list-documents lists each)\n";
    corpus.dedup(&["scan", "e"]).stdout("").notes(packed).exit_code(0);
    let most = "dedup: warning: most of the input was skipped: 5 inputs (5 binary), mainly 2 PNG images, 2 files \
                compressed by lz4, 1 font, and 1 document was read; --filter png='tesseract - -' reads the text in PNG images; \
                --list-documents shows why\n";
    let notes = "dedup: skipped 2 files compressed by lz4; --filter lz4='lz4 -dc' reads them (--list-documents lists each)\n\
                 dedup: skipped 3 binary files: 2 PNG images, 1 font; --filter png='tesseract - -' reads the text in \
                 images; --list-documents lists each\n";
    corpus.dedup(&["scan", "d"]).stdout("").notes(&format!("{notes}{most}")).exit_code(0);
    corpus.dedup(&["scan", "-q", "d"]).stdout("").stderr(most).exit_code(0);
    corpus.dedup(&["scan", "-q", "d", "--strict"]).stdout("").stderr(most).exit_code(3);
    let named = "dedup: d/x.lz4: a file compressed by lz4; skipped (--filter lz4='lz4 -dc' reads it)\n\
                 dedup: named: a file compressed by lz4; skipped (under a name that ends with .lz4, --filter lz4='lz4 -dc' reads it)\n";
    corpus.dedup(&["scan", "-q", "d/a.txt", "d/x.lz4", "named"]).stdout("").stderr(named).exit_code(3);
    let latin1 = "dedup: d/x.lz4: a file compressed by lz4; skipped (--filter lz4='lz4 -dc' reads it)\n";
    let args = ["scan", "-q", "d/a.txt", "d/x.lz4", "--encoding", "latin1"];
    corpus.dedup(&args).stdout("").stderr(latin1).exit_code(3);
}

#[test]
fn a_nul_byte_after_8_kib_is_text() {
    let text = format!("{}\0", "ab ".repeat(3000));
    let corpus = Workspace::new("late_nul").file("a", &text).file("b", text);
    corpus.dedup(&["scan", "-q", "a", "b"]).pairs(&["a b"]).stderr("").exit_code(0);
}

#[test]
fn records_are_decoded_by_their_mark_whatever_the_others_are() {
    let line = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"Größe: {FOX}\"}}\n");
    let latin1: Vec<u8> = line("é").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let corpus = Workspace::new("utf16_records")
        .file("a.jsonl", line("a").repeat(3))
        .file("b.jsonl", utf16(&line("ü"), u16::to_le_bytes))
        .file("c.csv", utf16(&format!("id,text\nö,Größe: {FOX}\n"), u16::to_be_bytes));
    corpus
        .dedup(&["scan", "-q", ".", "--collapse-exact"])
        .pairs(&["a a.jsonl:2", "a a.jsonl:3", "a ü", "a ö"])
        .stderr(
            "dedup: a.jsonl:2: the id \"a\" is a duplicate; compared under this name\n\
             dedup: a.jsonl:3: the id \"a\" is a duplicate; compared under this name\n",
        )
        .exit_code(3);
    let corpus = corpus.file("a.jsonl", latin1);
    let run = corpus.dedup(&["scan", "-q", ".", "--encoding", "latin1", "--collapse-exact"]);
    run.pairs(&["é ü", "é ö"]).stderr("").exit_code(0);
}

#[test]
fn records_that_are_not_utf8_are_told_with_what_takes_them() {
    let record = b"{\"id\":1,\"text\":\"caf\xE9\"}\n";
    let corpus = Workspace::new("latin_record").file("a.jsonl", record);
    corpus
        .dedup(&["scan", "-q", "a.jsonl", "--list-documents"])
        .stdout_with(|stdout| assert!(stdout.contains("\"reason\":\"not_utf8\""), "{stdout}"))
        .nothing_read(
            "dedup: a.jsonl:1: the record is not valid UTF-8 at its byte 19; read it with --encoding LABEL or --invalid replace\n",
        );
    corpus.dedup(&["scan", "-q", "a.jsonl", "--encoding", "latin1"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn a_label_says_what_texts_without_a_mark_are() {
    let text = "Größe, Maß und Gewicht überprüfen, dann weiß man es genauer.";
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let record = |text: &[u8]| [b"{\"text\":\"".as_slice(), text, b"\"}\n"].concat();
    let corpus = Workspace::new("latin1")
        .file("a", &latin1)
        .file("b", format!("\u{FEFF}{text}"))
        .file("c.jsonl", record(&latin1))
        .file("d.csv", [b"text\n\"".as_slice(), &latin1, b"\""].concat())
        .file("e", utf16(text, u16::to_be_bytes));
    let pairs = ["a b", "a c.jsonl:1", "a d.csv:2", "a e"];
    let flags = ["scan", "-q", ".", "--collapse-exact", "--encoding", "latin1"];
    corpus.dedup(&flags).pairs(&pairs).stderr("").exit_code(0);
    let utf16 = |text: &str| utf16(text, u16::to_le_bytes)[2..].to_vec();
    let corpus = Workspace::new("utf16le")
        .file("a", utf16(text))
        .file("b.jsonl", utf16(std::str::from_utf8(&record(text.as_bytes())).unwrap()))
        .file("c.csv", utf16(&format!("text\n\"{text}\"")));
    let flags = ["scan", "-q", ".", "--collapse-exact", "--encoding", "utf-16le"];
    corpus.dedup(&flags).pairs(&["a b.jsonl:1", "a c.csv:2"]).stderr("").exit_code(0);
}

#[test]
fn invalid_bytes_are_replaced_on_request_and_told() {
    let corpus = Workspace::new("invalid")
        .file("a", format!("{FOX}é\u{FFFD}"))
        .file("b", [FOX.as_bytes(), b"\xC3\xA9\xFF"].concat())
        .file("c.jsonl", [b"{\"text\":\"".as_slice(), FOX.as_bytes(), b"\xC3\xA9\xFF\"}"].concat())
        .file("d.csv", [b"text\n".as_slice(), FOX.as_bytes(), b"\xC3\xA9\xFF"].concat());
    let told = |place| format!("dedup: {place}: bytes that are not of its encoding count as U+FFFD\n");
    corpus
        .dedup(&["scan", ".", "--invalid", "replace", "--collapse-exact"])
        .pairs(&["a b", "a c.jsonl:1", "a d.csv:2"])
        .notes(&["b", "c.jsonl:1", "d.csv:2"].map(told).concat())
        .exit_code(0);
    corpus
        .dedup(&["scan", "-q", "b", "--encoding", "shift_jis"])
        .stdout("")
        .nothing_read("dedup: b: not valid Shift_JIS; check --encoding, or read it with --invalid replace\n");
}

#[test]
fn a_binary_file_that_a_flag_reads_is_named_with_it() {
    let corpus = Workspace::new("binary_hints")
        .file("a.txt", utf16(FOX, u16::to_le_bytes).split_off(2))
        .file("b.dat", crate::packing::zip(&[("x", FOX.as_bytes())], Default::default()))
        .file("c.jsonl", utf16(&format!("{{\"text\":{FOX:?}}}"), u16::to_be_bytes).split_off(2));
    let notes = "dedup: a.txt: binary, perhaps UTF-16 without a byte order mark; skipped (--encoding utf-16le reads it)\n\
                 dedup: b.dat: binary, zip by its first bytes; skipped (--input-format zip reads it)\n\
                 dedup: c.jsonl: binary, perhaps UTF-16 without a byte order mark; skipped (--encoding utf-16be reads it)\n";
    corpus.dedup(&["scan", "."]).stdout("").nothing_read(notes);
}

#[test]
fn the_limit_holds_for_what_is_decoded_too() {
    // 60 bytes as they are, 120 as UTF-8.
    let latin1 = [b'\xE9'; 60];
    let record = |text: &[u8]| [b"{\"text\":\"", text, b"\"}\n"].concat();
    let corpus = Workspace::new("decoded_limit")
        .file("a.txt", latin1)
        .file("b.txt.gz", gzip(latin1))
        .file("c.tar", tar(&[("m", &latin1)]))
        .file("d.jsonl", record(&latin1))
        .file("e.jsonl.gz", gzip(record(&latin1)))
        .file("f.csv", [b"text\n", &latin1[..]].concat())
        .file("g.html", [b"<p>", &latin1[..]].concat())
        .file("h.txt", utf16(&"七".repeat(40), u16::to_le_bytes))
        .file("small.txt", [b'\xE9'; 50]);
    let names = ["a.txt", "b.txt.gz", "c.tar!m", "d.jsonl:1", "e.jsonl.gz:1", "f.csv:2", "g.html", "h.txt"];
    let told = |name| {
        format!("dedup: {name}: more than 100 bytes as UTF-8; skipped (--max-document-bytes allows larger ones)\n")
    };
    let flags = ["scan", "-q", ".", "--max-document-bytes", "100"];
    let run = corpus.dedup(&[&flags[..], &["--encoding", "latin1"]].concat());
    let most = "dedup: warning: most of the input was skipped: 8 inputs (8 too large), and 1 document was read; \
                --list-documents shows why\n";
    run.stdout("").stderr(&(names.map(told).concat() + most)).exit_code(3);
    // U+FFFD takes three bytes.
    let run = corpus.dedup(&[&flags[..], &["--invalid", "replace"]].concat());
    run.stdout("").nothing_read(&(names.map(told).concat() + &told("small.txt")));
}

#[test]
fn a_folder_may_have_several_encodings() {
    let text = "Ein längerer Text für die Prüfung der Kodierung";
    let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let page = [b"<meta charset=windows-1252>".as_slice(), &latin1].concat();
    let program = [b"# -*- coding: latin-1 -*-\n".as_slice(), &latin1].concat();
    let utf32: Vec<u8> = text.chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    let corpus = Workspace::new("several_encodings")
        .file("a.txt", text)
        .file("b.txt", &latin1)
        .file("c.html", page)
        .file("d.txt", utf32)
        .file("e.py", program)
        .file("e.txt", format!("# -*- coding: latin-1 -*-\n{text}"));
    let names = |stdout: &str| {
        let pairs = records(stdout);
        pairs
            .iter()
            .filter(|pair| pair.jaccard == 1.0)
            .map(|pair| format!("{} {}", name(&pair.a), name(&pair.b)))
            .collect::<Vec<_>>()
    };
    let scan = ["scan", "-q", ".", "--threshold", "1", "--encoding"];
    let all =
        ["a.txt b.txt", "a.txt c.html", "a.txt d.txt", "b.txt c.html", "b.txt d.txt", "c.html d.txt", "e.py e.txt"];
    let look = |stdout: &str| assert_eq!(names(stdout), all);
    corpus.dedup(&[&scan[..], &["latin1"]].concat()).stdout_with(look).stderr("").exit_code(0);
    // What is declared counts without a label, and nothing else does with one that is forced.
    let declared =
        |stdout: &str| assert_eq!(names(stdout), ["a.txt c.html", "a.txt d.txt", "c.html d.txt", "e.py e.txt"]);
    corpus
        .dedup(&["scan", "-q", ".", "--threshold", "1", "--exclude", "b.txt"])
        .stdout_with(declared)
        .stderr("")
        .exit_code(0);
    let forced = |stdout: &str| assert_eq!(names(stdout), ["b.txt c.html"]);
    let flags = [&scan[..], &["latin1!", "--exclude", "d.txt"]].concat();
    corpus.dedup(&flags).stdout_with(forced).stderr("").exit_code(0);
}

/// A text in an encoding of one byte for each character.
fn encoded(text: &str, letters: &str, first: u8) -> Vec<u8> {
    let byte = |c: char| match letters.chars().position(|letter| letter == c) {
        Some(place) => first + u8::try_from(place).unwrap(),
        None => u8::try_from(u32::from(c)).unwrap(),
    };
    text.chars().map(byte).collect()
}

#[test]
fn an_encoding_that_is_not_given_is_detected_and_reported_once() {
    const CYRILLIC: &str = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя";
    let russian = "Паромщик не знал, почему колокол над дверью звонит так поздно вечером.";
    let german = "Größe, Maß und Gewicht überprüfen, dann weiß man es genauer.";
    let latin1 = encoded(german, "", 0);
    let corpus = Workspace::new("detected")
        .file("1.txt", german)
        .file("2.txt", &latin1)
        .file("3.tar.gz", gzip(tar(&[("m.txt", &latin1)])))
        .file("4.txt", russian)
        .file("5.txt", encoded(russian, CYRILLIC, 0xC0))
        .file("6.txt", [german.as_bytes(), b" \xC3"].concat())
        .file("7.dat", b"\x8F\x01\xE9\x02\xB1\xFE\x07\x99\xC2\x11\x83\xD4\xA5\x16\xF7\x98\x03");
    let damaged = |place, at| {
        format!("dedup: {place}: not valid UTF-8 at byte {at}; read it with --encoding LABEL or --invalid replace\n")
    };
    let skipped = damaged("6.txt", 67) + &damaged("7.dat", 0);
    let notes = skipped.clone()
        + "dedup: 5.txt: not UTF-8, and read as windows-1251 by its bytes; --encoding LABEL reads it in another encoding\n\
           dedup: 2 files that are not UTF-8 are read as windows-1252 by their bytes: 2.txt, 3.tar.gz!m.txt; \
           --encoding LABEL reads them in another encoding\n";
    let flags = ["scan", ".", "--collapse-exact"];
    for more in [&[][..], &["--encoding", "auto"]] {
        let run = corpus.dedup(&[&flags[..], more].concat());
        run.pairs(&["1.txt 2.txt", "1.txt 3.tar.gz!m.txt", "4.txt 5.txt"]).notes(&notes).exit_code(3);
    }
    // Detection is not in effect where an encoding is given.
    let utf8 = damaged("2.txt", 2) + &damaged("3.tar.gz!m.txt", 2) + &damaged("5.txt", 0) + &skipped;
    corpus
        .dedup(&["scan", "-q", ".", "--encoding", "utf-8"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with(&utf8), "{stderr}"))
        .exit_code(3);
    // A damaged text is replaced only where no encoding is detected.
    let run = corpus.dedup(&["scan", "-q", ".", "--invalid", "replace", "--collapse-exact", "--exclude", "7.dat"]);
    run.pairs(&["1.txt 2.txt", "1.txt 3.tar.gz!m.txt", "1.txt 6.txt", "4.txt 5.txt"]).stderr("").exit_code(0);
    let look = |page: &str| assert!(page.contains("\"detected\":3"), "{page}");
    let run = corpus.dedup(&["scan", "-q", ".", "--summary", "/dev/stdout", "--exclude", "[67]*"]);
    run.stdout_with(look).stderr("").exit_code(0);
}

/// German in the code pages 437 and 850 of DOS, which have these letters in common.
fn in_dos(text: &str) -> Vec<u8> {
    const LETTERS: [(char, u8); 6] = [('ä', 0x84), ('ö', 0x94), ('ü', 0x81), ('Ä', 0x8E), ('ß', 0xE1), ('é', 0x82)];
    let byte = |c: char| LETTERS.iter().find(|(letter, _)| *letter == c).map_or(c as u8, |(_, byte)| *byte);
    text.chars().map(byte).collect()
}

#[test]
fn code_pages_of_dos_have_labels_and_are_detected() {
    let text = "Größe, Maß und Gewicht überprüfen, dann weiß man es genauer; nur André hält die Hände still.";
    let bytes = in_dos(text);
    let record = |text: &[u8]| [b"{\"text\":\"".as_slice(), text, b"\"}"].concat();
    let corpus = Workspace::new("dos")
        .file("a", &bytes)
        .file("b", text)
        .file("c.jsonl", record(&bytes))
        .file("d.csv", [b"text\n\"".as_slice(), &bytes, b"\""].concat())
        .file("e.json", [b"[".as_slice(), &record(&bytes), b",", &record(b"more"), b"]"].concat())
        .file("f.py", [b"# coding: cp437\n".as_slice(), &bytes].concat())
        .file("g.py", format!("# coding: cp437\n{text}"));
    let pairs = ["a b", "a c.jsonl:1", "a d.csv:2", "a e.json:1", "f.py g.py"];
    for label in ["cp437", "IBM850", "858"] {
        let flags = ["scan", "-q", ".", "--threshold", "1", "--collapse-exact", "--encoding", label];
        corpus.dedup(&flags).pairs(&pairs).stderr("").exit_code(0);
    }
    let note = "dedup: a: not UTF-8, and read as IBM850 by its bytes; --encoding LABEL reads it in another encoding\n";
    corpus
        .dedup(&["scan", ".", "--threshold", "1", "--collapse-exact", "--include", "[ab]", "--include", "*.py"])
        .pairs(&["a b", "f.py g.py"])
        .notes(note)
        .exit_code(0);
    // The code page has no character for this byte.
    let flags = ["scan", "-q", "broken", "a", "--encoding", "cp857"];
    let corpus = corpus.file("broken", b"\xE7\xF2 and a text");
    let message = "dedup: broken: not valid IBM857; check --encoding, or read it with --invalid replace\n";
    corpus.dedup(&flags).stdout("").stderr(message).exit_code(3);
    corpus.dedup(&[&flags[..], &["--invalid", "replace"]].concat()).stdout("").stderr("").exit_code(0);
}

#[test]
fn places_in_a_text_of_dos_count_its_bytes() {
    let text = "Größe, Maß und Gewicht überprüfen, dann weiß man es genauer und hält die Hände still. \
                Der Fährmann wusste nicht, weshalb die Glocke über der Tür so spät noch läutete.";
    let place = format!(r#""a":{{"lines":[1,1],"bytes":[3,{}]}}"#, 3 + text.chars().count() - 1);
    let corpus = Workspace::new("dos_places").file("a.txt", in_dos(&format!("ä. {text}"))).file("b.txt", text);
    corpus
        .dedup(&["scan", "-q", ".", "--match", "passages", "--encoding", "cp850"])
        .stdout_with(|line| assert!(line.contains(&place), "{place}: {line}"))
        .stderr("")
        .exit_code(0);
}
