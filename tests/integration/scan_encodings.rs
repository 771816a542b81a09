//! Bytes that are a text, in which encoding, and bytes that are none.

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
        .file("utf32", b"\xFF\xFE\0\0a\0\0\0");
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout(&copies("a", "b", 36))
        .stderr(
            "dedup: broken: not valid UTF-8 at byte 3; convert it to UTF-8 or leave it out\n\
             dedup: half: marked as UTF-16 but not valid; convert it to UTF-8 or leave it out\n\
             dedup: utf32: UTF-32 is not supported; convert it to UTF-8 or leave it out\n",
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
fn a_nul_byte_after_8_kib_is_text() {
    let text = format!("{}\0", "ab ".repeat(3000));
    let corpus = Workspace::new("late_nul").file("a", &text).file("b", text);
    corpus.dedup(&["scan", "-q", "a", "b"]).pairs(&["a b"]).stderr("").exit_code(0);
}

#[test]
fn records_in_utf16_are_one_error_however_many_lines_and_pieces() {
    let lines = format!("{{\"text\":\"{}\"}}\n", "a".repeat(1000)).repeat(1200);
    let corpus = Workspace::new("utf16_records").file("u.jsonl", utf16(&lines, u16::to_le_bytes));
    corpus
        .dedup(&["scan", "-q", "u.jsonl"])
        .stdout("")
        .stderr("dedup: u.jsonl: UTF-16 records are not supported; convert the file to UTF-8\n")
        .exit_code(3);
}
