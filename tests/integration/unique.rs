//! `dedup unique`: what stays is byte for byte what it was, in every format of records.

use std::collections::BTreeSet;
use std::fs;

use crate::packing::{packed, unpacked};
use crate::support::*;

/// The codecs by their extensions.
const CODECS: [&str; 6] = ["", ".gz", ".zst", ".bz2", ".xz", ".lzma"];

/// Runs `dedup unique -q` with these arguments; it must end with this code and say nothing.
pub(crate) fn unique(workspace: &Workspace, args: &[&str], exit_code: i32) {
    let args = [&["unique", "-q"], args].concat();
    workspace.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(exit_code);
}

/// Texts of records, and whether each stays.
fn rows() -> [(&'static str, bool); 6] {
    [(FOX, true), (LOREM, true), (CAT, false), ("", true), (FOX, false), ("{\"é\": [", true)]
}

#[test]
fn records_that_stay_are_the_very_bytes_in_every_format_and_compression() {
    let line =
        |(number, text): (usize, &str)| format!("{{ \"id\":{number},\t\"text\": {}}}\r\n", serde_json::json!(text));
    let row = |(number, text): (usize, &str)| format!("{number},\"{}\"\n", text.replace('"', "\"\""));
    let tab = |(number, text): (usize, &str)| format!("\"{}\"\t{number}\n", text.replace('"', "\"\""));
    let element =
        |(number, text): (usize, &str)| format!("{{\"id\":{number},\n \"text\":{}}}", serde_json::json!(text));
    let all = || rows().into_iter().map(|(text, _)| text).enumerate();
    let kept = || rows().into_iter().enumerate().filter(|(_, (_, stays))| *stays).map(|(at, (text, _))| (at, text));
    let array = |elements: Vec<String>| format!("\u{FEFF}[\n {} ]\n", elements.join(" ,\n "));
    let formats: [(&str, String, String); 4] = [
        (
            "jsonl",
            all().map(line).collect::<String>() + "\n no JSON\n{\"text\":7",
            kept().map(line).collect::<String>() + "\n no JSON\n{\"text\":7",
        ),
        (
            "csv",
            "\u{FEFF}\nid,text\r\n".to_owned() + &all().map(row).collect::<String>() + "\n\"y",
            "\u{FEFF}\nid,text\r\n".to_owned() + &kept().map(row).collect::<String>() + "\n\"y",
        ),
        (
            "tsv",
            "text\tid\n".to_owned() + &all().map(tab).collect::<String>(),
            "text\tid\n".to_owned() + &kept().map(tab).collect::<String>(),
        ),
        ("json", array(all().map(element).collect()), array(kept().map(element).collect())),
    ];
    for (format, before, after) in formats {
        for codec in CODECS {
            let file = format!("a.{format}{codec}");
            let corpus = Workspace::new("unique_formats").file(&file, packed(codec, before.as_bytes()));
            let exit_code = if format == "jsonl" || format == "csv" { 3 } else { 0 };
            unique(&corpus, &[&file, "-o", &format!("b.{format}{codec}")], exit_code);
            let written = unpacked(codec, &fs::read(corpus.path(format!("b.{format}{codec}"))).unwrap());
            assert_eq!(String::from_utf8(written).unwrap(), after, "{file}");
            assert_eq!(corpus.names(), [file.clone(), format!("b.{format}{codec}")]);
            assert_eq!(fs::read(corpus.path(&file)).unwrap(), packed(codec, before.as_bytes()), "the input stays");
        }
    }
}

#[test]
fn records_of_utf16_are_cut_where_they_are_stored() {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let before = format!("\u{FEFF}id,text\n1,{FOX} ✓\n2,\"{LOREM}\n,\"\n3,{FOX} ✓\n");
    let after = before.replace(&format!("3,{FOX} ✓\n"), "");
    let corpus = Workspace::new("unique_utf16")
        .file("a.csv", wide(&before))
        .file("a.jsonl", wide(&format!("\u{FEFF}{{\"text\":\"{FOX}\"}}\n{{\"text\":\"{FOX}\"}}")));
    unique(&corpus, &["a.csv", "-o", "b.csv"], 0);
    assert_eq!(fs::read(corpus.path("b.csv")).unwrap(), wide(&after));
    unique(&corpus, &["a.jsonl", "-o", "b.jsonl"], 0);
    assert_eq!(fs::read(corpus.path("b.jsonl")).unwrap(), wide(&format!("\u{FEFF}{{\"text\":\"{FOX}\"}}\n")));
}

#[test]
fn what_was_not_compared_stays_or_goes_by_a_flag() {
    let lines =
        format!("{{\"text\":\"{FOX}\"}}\nno\n\n{{\"text\":\"\"}}\n{{\"text\":\"few\"}}\n{{\"text\":\"{FOX}\"}}\n");
    let corpus = Workspace::new("unique_skipped")
        .file("d/a.jsonl", &lines)
        .file("d/b.txt", FOX)
        .file("d/c.bin", b"\0")
        .file("d/empty", "")
        .link("d/link", "c.bin");
    let args = ["d", "--min-tokens", "9", "--summary", "s.json"];
    unique(&corpus, &[&args[..], &["-o", "kept"]].concat(), 3);
    assert_eq!(corpus.read("kept/a.jsonl"), lines.strip_suffix(&format!("{{\"text\":\"{FOX}\"}}\n")).unwrap());
    let names = |folder: &str| {
        let names =
            fs::read_dir(corpus.path(folder)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(names("kept"), ["a.jsonl", "c.bin", "empty", "link"]);
    assert_eq!(fs::read_link(corpus.path("kept/link")).unwrap().to_str(), Some("c.bin"));
    let summary: serde_json::Value = serde_json::from_str(&corpus.read("s.json")).unwrap();
    assert_eq!(summary["documents"], 3);
    let numbers = |key: &str| summary["unique"][key].as_u64().unwrap();
    assert_eq!((numbers("kept"), numbers("removed"), numbers("skipped"), numbers("dropped")), (1, 2, 6, 0));
    assert_eq!((numbers("files"), numbers("files_left_out")), (4, 1));
    unique(&corpus, &[&args[..], &["-o", "dropped", "--drop-skipped"]].concat(), 3);
    assert_eq!(names("dropped"), ["a.jsonl"]);
    assert_eq!(corpus.read("dropped/a.jsonl"), format!("{{\"text\":\"{FOX}\"}}\n\n"));
}

#[test]
fn a_file_of_records_that_loses_all_is_not_written_and_shards_are_renumbered() {
    let line = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let corpus = Workspace::new("unique_shards")
        .file("in/s-00000-of-00003.jsonl", line(FOX))
        .file("in/s-00001-of-00003.jsonl", line(FOX))
        .file("in/s-00002-of-00003.jsonl", line(LOREM) + &line(CAT));
    unique(&corpus, &["in", "-o", "out"], 0);
    assert!(!corpus.path("out/s-00001-of-00003.jsonl").exists() && corpus.path("out/s-00002-of-00003.jsonl").exists());
    unique(&corpus, &["in", "-o", "true", "--renumber"], 0);
    assert_eq!(corpus.read("true/s-00000-of-00002.jsonl"), line(FOX));
    assert_eq!(corpus.read("true/s-00001-of-00002.jsonl"), line(LOREM));
    assert_eq!(fs::read_dir(corpus.path("true")).unwrap().count(), 2);
    // A single output is written even when it is empty.
    unique(&corpus, &["in/s-00001-of-00003.jsonl", "--min-tokens", "99", "--drop-skipped", "-o", "one"], 0);
    assert_eq!(corpus.read("one"), "");
}
