//! Paths as arguments, from lists and from standard input; which become documents, and in which order.

use crate::packing::{gzip, tar, zip};
use crate::support::*;

#[test]
fn arguments_keep_their_order_and_folders_are_walked() {
    let corpus = Workspace::new("order").file("z.txt", FOX).file("d/b", FOX).file("d/a", FOX);
    corpus
        .dedup(&["scan", "-q", "z.txt", "./d", "--collapse-exact"])
        .pairs(&["z.txt ./d/a", "z.txt ./d/b"])
        .stderr("")
        .exit_code(0);
    corpus
        .dedup(&["scan", "-q", "d/", "z.txt", "--collapse-exact"])
        .pairs(&["d/a d/b", "d/a z.txt"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_dot_names_files_as_the_shell_does() {
    let corpus = Workspace::new("dot").file("a", FOX).file("d/b", FOX);
    for dot in [".", "./"] {
        corpus.dedup(&["scan", "-q", dot]).pairs(&["a d/b"]).stderr("").exit_code(0);
    }
    corpus.dedup(&["scan", "-q", "./a", "./d/b"]).pairs(&["./a ./d/b"]).stderr("").exit_code(0);
    let absolute = corpus.path("d").to_str().unwrap().to_owned();
    let pair = format!("{absolute}/b a");
    corpus.dedup(&["scan", "-q", &absolute, "a"]).pairs(&[&pair]).stderr("").exit_code(0);
}

#[test]
fn paths_are_ordered_by_the_bytes_of_their_components() {
    // As whole strings `a-` and `a.txt` stand before `a/b`; as components `a` is before both.
    let names = ["B", "a/b", "a/b.c/d", "a/c", "a-", "a.txt", "aa", "b", "é"];
    let corpus = names.iter().rev().fold(Workspace::new("components"), |corpus, path| corpus.file(path, FOX));
    let pairs: Vec<String> = names[1..].iter().map(|name| format!("B {name}")).collect();
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    corpus.dedup(&["scan", "-q", ".", "--collapse-exact"]).pairs(&pairs).stderr("").exit_code(0);
}

#[test]
fn a_file_reached_twice_is_one_document_at_its_first_place() {
    let corpus = Workspace::new("twice").file("d/a", FOX).file("d/e/b", FOX).link("link", "d/a");
    let absolute = corpus.path("d/a").to_str().unwrap().to_owned();
    for paths in [
        &["d/a", "d/a", "d/e/b"][..],
        &["d/a", "./d/a", "d/../d/a", "d/e/b"],
        &["d/a", "link", &absolute, "d"],
        &["d/a", "d/e/b", ".", "d", "d/e", "--follow-links"],
    ] {
        corpus.dedup(&[&["scan", "-q"], paths].concat()).pairs(&["d/a d/e/b"]).stderr("").exit_code(0);
    }
    corpus.dedup(&["scan", "-q", "d", "."]).pairs(&["d/a d/e/b"]).stderr("").exit_code(0);
    let records = format!("{{\"text\":\"{FOX}\"}}\n").repeat(2);
    let corpus = Workspace::new("twice_records").file("r.jsonl", records);
    corpus.dedup(&["scan", "-q", "r.jsonl", ".", "./r.jsonl"]).pairs(&["r.jsonl:1 r.jsonl:2"]).stderr("").exit_code(0);
}

#[test]
fn hard_links_are_two_documents() {
    let corpus = Workspace::new("hard_links").file("a", FOX).hard_link("b", "a");
    corpus.dedup(&["scan", "-q", "a", "b"]).stdout(&copies("a", "b", 36)).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "."]).stdout(&copies("a", "b", 36)).stderr("").exit_code(0);
}

#[test]
fn lists_of_paths_come_after_the_arguments() {
    let corpus = Workspace::new("files_from")
        .file("a", FOX)
        .file("b", FOX)
        .file("d/c", FOX)
        .file("list", "b\r\n\nd\nb\n")
        .file("list0", "b\0d\0");
    let expected = ["a b", "a d/c", "b d/c"];
    corpus.dedup(&["scan", "-q", "--files-from", "list", "a"]).pairs(&expected).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "--files-from", "list0", "-0", "a"]).pairs(&expected).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "--files-from", "list0", "--null"]).pairs(&["b d/c"]).stderr("").exit_code(0);
    let corpus = corpus.stdin("d/c\na");
    corpus.dedup(&["scan", "-q", "--files-from", "-"]).pairs(&["d/c a"]).stderr("").exit_code(0);
    let corpus = corpus.stdin("");
    let warning = "dedup: warning: no documents were found; check the paths, --include and --exclude\n";
    corpus.dedup(&["scan", "-q", "--files-from", "-"]).pairs(&[]).stderr(warning).exit_code(0);
}

#[test]
fn only_nul_separated_lists_hold_names_with_line_breaks() {
    let corpus = Workspace::new("null").file("a\nb", FOX).file("c", FOX).stdin("a\nb\0c\0");
    corpus.dedup(&["scan", "-q", "-0", "--files-from", "-"]).pairs(&["a\nb c"]).stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "--files-from", "-"])
        .stdout("")
        .stderr("dedup: -: contains NUL bytes; add --null if they separate the paths\n")
        .exit_code(2);
}

#[test]
fn standard_input_is_records_or_one_text() {
    let corpus = Workspace::new("stdin")
        .file("a", FOX)
        .stdin(format!("{{\"id\":\"x\",\"text\":{FOX:?}}}\n{{\"text\":{FOX:?}}}"));
    corpus
        .dedup(&["scan", "-q", "-", "--input-format", "jsonl"])
        .stdout(&copies("x", "-:2", 36))
        .stderr("")
        .exit_code(0);
    let corpus = corpus.stdin(FOX);
    corpus
        .dedup(&["scan", "-q", "a", "-", "--input-format", "text"])
        .stdout(&copies("a", "-", 36))
        .stderr("")
        .exit_code(0);
    let corpus = corpus.stdin("\0");
    corpus
        .dedup(&["scan", "-q", "-", "--input-format", "text"])
        .stdout("")
        .nothing_read("dedup: -: binary, with a NUL at byte 0; skipped\n");
}

#[test]
fn standard_input_is_read_once() {
    let corpus = Workspace::new("stdin_misuse").file("list", "-\n").stdin("-\n");
    for (args, uses) in [
        (&["-", "-"][..], "PATH and by PATH"),
        (&["-", "-", "--input-format", "text"], "PATH and by PATH"),
        (&["-", "--files-from", "-", "--input-format", "text"], "PATH and by --files-from"),
        (&["--files-from", "-", "--input-format", "text"], "a path in the list of --files-from and by --files-from"),
        (&["-", "--files-from", "list", "--input-format", "text"], "PATH and by a path in the list of --files-from"),
        (&["-", "a", "--template", "-"], "PATH and by --template"),
    ] {
        let message = format!("dedup: -: standard input can only be read once, but is used by {uses}; use it once\n");
        corpus.dedup(&[&["scan"], args].concat()).stdout("").stderr(&message).exit_code(2);
    }
}

#[test]
fn standard_input_may_be_of_another_format_than_files() {
    let record = format!("{{\"id\":\"x\",\"text\":{FOX:?}}}\n");
    let corpus = Workspace::new("stdin_format").file("a.txt", FOX).stdin(&record);
    let all = ["scan", "-q", "a.txt", "-", "--stdin-format", "jsonl"];
    corpus.dedup(&all).pairs(&["a.txt x"]).stderr("").exit_code(0);
    let corpus = corpus.stdin(gzip(&record));
    corpus.dedup(&all).pairs(&["a.txt x"]).stderr("").exit_code(0);
    // What is told by its first bytes needs no flag.
    for archive in [
        tar(&[("b", FOX.as_bytes())]),
        gzip(tar(&[("b", FOX.as_bytes())])),
        zip(&[("b", FOX.as_bytes())], Default::default()),
    ] {
        let corpus = Workspace::new("told").file("a.txt", FOX).stdin(archive);
        corpus.dedup(&["scan", "-q", "a.txt", "-"]).pairs(&["a.txt -!b"]).stderr("").exit_code(0);
    }
}

#[cfg(unix)]
#[test]
fn a_fifo_is_read_when_it_is_named() {
    let line = format!("{{\"id\":\"x\",\"text\":{FOX:?}}}\n");
    for (pipe, flags, content) in [
        ("pipe", &["--input-format", "jsonl"][..], line.as_bytes()),
        ("pipe.jsonl", &[], line.as_bytes()),
        ("other", &[], &tar(&[("b.jsonl", line.as_bytes())])),
    ] {
        let corpus = Workspace::new("named_fifo").file("a.jsonl", line.replacen("\"x\"", "\"a\"", 1)).fifo(pipe);
        let (path, content) = (corpus.path(pipe), content.to_vec());
        let writer = std::thread::spawn(move || std::fs::write(path, content).unwrap());
        let all = [&["scan", "-q", "a.jsonl", pipe, pipe], flags].concat();
        corpus.dedup(&all).pairs(&["a x"]).stderr("").exit_code(0);
        writer.join().unwrap();
    }
}

#[test]
fn a_fifo_in_a_folder_is_skipped() {
    let corpus = Workspace::new("fifo").file("a", FOX).file("b", FOX).fifo("pipe");
    let message = "dedup: pipe: a FIFO, socket or device; skipped (`-` with --input-format reads a pipe)\n";
    corpus.dedup(&["scan", "."]).pairs(&["a b"]).notes(message).exit_code(0);
}

#[test]
fn standard_input_is_records_when_its_first_line_is_an_object() {
    let record = |id: &str| format!("{{\"id\":\"{id}\",\"pad\":\"{}\",\"text\":{FOX:?}}}\n", "p".repeat(100_000));
    let lines = record("x") + &record("y");
    let utf16 = |text: &str| format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let array = format!("[{},\n{}]", record("x"), record("y"));
    let pair = &["x y"][..];
    for (content, pairs) in [
        (lines.clone().into_bytes(), pair),
        (gzip(&lines), pair),
        (gzip(gzip(&lines)), pair),
        (utf16(&lines), pair),
        (array.into_bytes(), pair),
        // No object, or not on its first line.
        (FOX.into(), &["-"]),
        (format!("{{not an object}}\n{lines}").into(), &["-"]),
        (format!("[{}, 1]", record("x")).into(), &["-"]),
    ] {
        let corpus = Workspace::new("stdin_told").stdin(content);
        if pairs == pair {
            corpus.dedup(&["scan", "-q", "-"]).pairs(pairs).stderr("").exit_code(0);
        } else {
            let look = |stdout: &str| assert!(stdout.starts_with("{\"name\":\"-\",\"treated\":\"used\""), "{stdout}");
            corpus.dedup(&["scan", "-q", "-", "--list-documents"]).stdout_with(look).stderr("").exit_code(0);
        }
    }
    let corpus = Workspace::new("stdin_empty").stdin("");
    let look = |stdout: &str| assert!(stdout.starts_with("{\"name\":\"-\",\"treated\":\"empty\""), "{stdout}");
    corpus.dedup(&["scan", "-q", "-", "--list-documents"]).stdout_with(look).stderr("").exit_code(0);
}
