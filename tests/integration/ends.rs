//! What a format allows at its end and at its beginning, and windows of zstd: nothing of it is damage. And outputs of
//! `dedup unique` whose names or neighbours say something else.

use crate::packing::{bzip2, gzip, tar, zip, zstd};
use crate::support::*;

/// A frame that decoders skip.
const SKIPPED: &[u8] = b"\x50\x2A\x4D\x18\x04\0\0\0abcd";

fn lines() -> String {
    ["a", "b"].map(|id| format!("{{\"id\":\"{id}\",\"text\":\"{FOX}\"}}\n")).concat()
}

#[test]
fn padding_and_skippable_frames_are_no_damage() {
    let zeros = vec![0; 700];
    let files = [
        ("a.jsonl.gz", [gzip(lines()), zeros.clone()].concat()),
        ("a.jsonl.bz2", [bzip2(lines()), zeros.clone()].concat()),
        ("a.jsonl.zst", [SKIPPED.to_vec(), zstd(lines()), SKIPPED.to_vec(), zeros.clone()].concat()),
        ("a.tar", [tar(&[("a.jsonl", lines().as_bytes())]), zeros.clone()].concat()),
        ("a.zip", [zip(&[("a.jsonl", lines().as_bytes())], zip::CompressionMethod::Deflated), zeros].concat()),
    ];
    for (name, file) in files {
        let corpus = Workspace::new("ends").file(name, &file).stdin(file);
        for input in [name, "-"] {
            let args = ["scan", "-q", input, "--collapse-exact"];
            corpus.dedup(&args).stdout(&copies("a", "b", 36)).stderr("").exit_code(0);
        }
    }
    // What is no padding is still reported.
    let corpus = Workspace::new("ends_other").file("a.jsonl.gz", [gzip(lines()), b"\0\0tail".to_vec()].concat());
    let message = "dedup: a.jsonl.gz: damaged or cut short (inconsistent data); the records before that are compared\n";
    let args = ["scan", "-q", "a.jsonl.gz", "--collapse-exact"];
    corpus.dedup(&args).stdout(&copies("a", "b", 36)).stderr(message).exit_code(3);
}

#[test]
fn a_large_window_is_read_by_a_flag_that_the_message_names() {
    // A frame with a window of 256 MiB (2 to the power of 10 + 18) and one raw block, the last.
    let text = lines();
    let block = ((text.len() as u32) << 3 | 1).to_le_bytes();
    let frame = [b"\x28\xB5\x2F\xFD\0".as_slice(), &[18 << 3], &block[..3], text.as_bytes()].concat();
    let corpus = Workspace::new("ends_window").file("a.jsonl.zst", frame);
    let message = "dedup: a.jsonl.zst: compressed with a window of 256MiB, but the maximum is 128MiB; --max-window 256MiB reads it, \
                   and needs as much memory; the records before that are compared\n\
                   dedup: none of the inputs could be read; nothing was compared\n";
    let args = ["scan", "-q", "a.jsonl.zst", "--collapse-exact", "--max-window", "256MiB"];
    corpus.dedup(&args[..4]).stdout("").stderr(message).exit_code(2);
    corpus.dedup(&args).stdout(&copies("a", "b", 36)).stderr("").exit_code(0);
}

#[test]
fn an_output_has_the_format_that_its_name_says() {
    let corpus = Workspace::new("ends_format").file("a.jsonl", lines());
    for (name, said) in [("b.tar", "tar"), ("b.zip", "zip")] {
        let message = |stderr: &str| {
            let has = format!("its name says {said}, and the input a.jsonl is JSON; use the extension of the input\n");
            assert!(stderr.contains(&has), "{stderr}");
        };
        corpus.dedup(&["unique", "-q", "a.jsonl", "-o", name]).stdout("").stderr_with(message).exit_code(2);
        assert!(!corpus.path(name).exists());
    }
    let first = lines().lines().next().unwrap().to_owned() + "\n";
    corpus.dedup(&["unique", "-q", "a.jsonl", "-o", "-"]).stdout(&first).stderr("").exit_code(0);
    corpus.dedup(&["unique", "-q", "a.jsonl", "-o", "b.json"]).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("b.json"), format!("[\n{}\n]\n", first.trim_end()));
}

#[test]
fn members_that_describe_a_member_that_changes_are_left_out_and_reported() {
    let member = |name: &'static str, text: &'static str| (name, text.as_bytes());
    let members = [
        member("SHA256SUMS", "0 d/a.txt"),
        member("d/a.txt", FOX),
        member("d/b.txt", FOX),
        member("d/b.txt.sha256", "0"),
        member("d/a.txt.sha256", "1"),
        member("e/_SUCCESS", "2"),
        member("dataset_info.json", "{}"),
    ];
    let corpus = Workspace::new("ends_side_members").file("in.tar", tar(&members));
    let line =
        |name| format!("dedup: warning: in.tar!{name}: describes a file that changes; not written, make it again\n");
    let warnings: String = ["SHA256SUMS", "d/b.txt.sha256", "dataset_info.json"].into_iter().map(line).collect();
    corpus.dedup(&["unique", "-q", "in.tar", "-o", "out.tar"]).stdout("").stderr(&warnings).exit_code(0);
    let kept = "{\"name\":\"out.tar!d/a.txt\"";
    let look = |stdout: &str| assert!(stdout.starts_with(kept) && stdout.contains("out.tar!e/_SUCCESS"), "{stdout}");
    corpus.dedup(&["scan", "-q", "out.tar", "--list-documents"]).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn lists_of_checksums_that_are_wrong_now_are_left_out_and_reported() {
    let corpus = Workspace::new("ends_side_files")
        .file("in/a.jsonl", lines())
        .file("in/a.jsonl.md5", "0 a.jsonl\n")
        .file("in/SHA256SUMS", "0 a.jsonl\n0 b.jsonl\n")
        .file("in/b.jsonl", format!("{{\"id\":\"c\",\"text\":\"{LOREM}\"}}\n"))
        .file("in/b.jsonl.md5", "0 b.jsonl\n");
    let line = |name| format!("dedup: warning: in/{name}: describes a file that changes; not written, make it again\n");
    corpus
        .dedup(&["unique", "-q", "in", "-o", "out"])
        .stdout("")
        .stderr(&(line("SHA256SUMS") + &line("a.jsonl.md5")))
        .exit_code(0);
    for (name, is_there) in [("SHA256SUMS", false), ("a.jsonl.md5", false), ("b.jsonl.md5", true), ("a.jsonl", true)] {
        assert_eq!(corpus.path(format!("out/{name}")).exists(), is_there, "{name}");
    }
}

#[test]
fn a_similarity_of_removed_documents_has_the_weights_of_the_run() {
    // A chain: the first and the last are no pair, and one stands for the other.
    let words: Vec<String> = (0..60).map(|number| format!("w{number}")).collect();
    let text = |from: usize| words[from..from + 40].join(" ");
    let line = |(id, from): (&str, usize)| format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", text(from));
    let corpus = Workspace::new("ends_weights")
        .file("a.jsonl", [("a", 0), ("b", 6), ("c", 12)].map(line).concat())
        .file("weights.tsv", (0..60).map(|number| format!("w{number}\t{}\n", 1 + number)).collect::<String>());
    let method = ["--shingle", "word", "--k", "1", "--weights", "weights.tsv", "--threshold", "0.7", "--all-pairs"];
    let weight = |range: std::ops::Range<u32>| range.map(|number| f64::from(1 + number)).sum::<f64>();
    let expected = weight(12..40) / weight(0..52);
    let unique = [&["unique", "-qn", "a.jsonl", "--linkage", "components", "--removed", "-"], &method[..]].concat();
    let check = |stdout: &str| {
        let line = stdout.lines().find(|line| line.contains("\"removed\":\"c\"")).expect("c is removed");
        let similarity: f64 = line.split_once("\"jaccard\":").unwrap().1.trim_end_matches('}').parse().unwrap();
        assert!((similarity - expected).abs() < 1e-9, "{similarity} is not {expected}");
    };
    corpus.dedup(&unique).stdout_with(check).stderr_with(|_| ()).exit_code(0);
}
