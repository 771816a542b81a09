//! `dedup unique`: what stays is byte for byte what it was, in every format; and the slow twin of the choice.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;

use dedup_scan::output::RemovedRecord;

use crate::scan_packed::tar;
use crate::support::*;

/// The codecs by their extensions.
const CODECS: [&str; 6] = ["", ".gz", ".zst", ".bz2", ".xz", ".lzma"];

pub(crate) fn packed(extension: &str, bytes: &[u8]) -> Vec<u8> {
    match extension {
        ".gz" => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        ".zst" => zstd::encode_all(bytes, 1).unwrap(),
        ".bz2" => {
            let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        ".xz" => {
            let mut writer = liblzma::write::XzEncoder::new(Vec::new(), 0);
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        ".lzma" => {
            let options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
            let stream = liblzma::stream::Stream::new_lzma_encoder(&options).unwrap();
            let mut writer = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        _ => bytes.to_vec(),
    }
}

pub(crate) fn unpacked(extension: &str, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match extension {
        ".gz" => flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).map(drop),
        ".zst" => zstd::stream::copy_decode(bytes, &mut text),
        ".bz2" => bzip2::read::BzDecoder::new(bytes).read_to_end(&mut text).map(drop),
        ".xz" => liblzma::read::XzDecoder::new(bytes).read_to_end(&mut text).map(drop),
        ".lzma" => {
            let stream = liblzma::stream::Stream::new_lzma_decoder(u64::MAX).unwrap();
            liblzma::read::XzDecoder::new_stream(bytes, stream).read_to_end(&mut text).map(drop)
        }
        _ => return bytes.to_vec(),
    }
    .unwrap();
    text
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    crate::scan_packed::zip(members, ::zip::CompressionMethod::Deflated)
}

/// Runs `dedup unique -q` with these arguments; it must end with this code and say nothing.
fn unique(workspace: &Workspace, args: &[&str], exit_code: i32) {
    let args = [&["unique", "-q"], args].concat();
    workspace.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(exit_code);
}

/// The lines of `--removed`, as `removed<kept`.
fn removed(workspace: &Workspace, args: &[&str]) -> Vec<String> {
    let (mut found, args) = (Vec::new(), [&["unique", "-q", "-n", "--removed", "-"], args].concat());
    let look = |stdout: &str| {
        for line in stdout.lines() {
            let record: RemovedRecord = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
            found.push(format!("{}<{}", name(&record.removed), name(&record.kept)));
        }
    };
    workspace.dedup(&args).stdout_with(look).stderr_with(|_| ()).exit_code(0);
    found
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
            "\u{FEFF}\nid,text\r\n".to_owned() + &all().map(row).collect::<String>() + "\nx\n\"y",
            "\u{FEFF}\nid,text\r\n".to_owned() + &kept().map(row).collect::<String>() + "\nx\n\"y",
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
fn a_folder_keeps_its_tree_and_what_the_flags_leave_out_is_no_part_of_it() {
    let corpus = Workspace::new("unique_tree")
        .file("in/a/one.txt", FOX)
        .file("in/a!b", LOREM)
        .file("in/a/.hidden", "x")
        .file("in/b/two.txt", FOX)
        .file("in/c/-rf \n.txt", "something else entirely, and longer than that")
        .file("in/c/skip.log", "x");
    let other = "in/c/\u{1F980}.txt";
    let corpus = corpus.file(other, "of a crab that walks on the sand at night");
    unique(&corpus, &["in", "--exclude", "*.log", "-o", "out"], 0);
    let files: Vec<String> = walkdir::WalkDir::new(corpus.path("out"))
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(corpus.path("out")).unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(files, ["a/one.txt", "a!b", "c/-rf \n.txt", "c/\u{1F980}.txt"]);
    assert_eq!(corpus.read("out/a/one.txt"), FOX);
    let inode = |path: &str| fs::metadata(corpus.path(path)).unwrap().ino();
    assert_ne!(inode("in/a/one.txt"), inode("out/a/one.txt"));
    assert_eq!(
        fs::metadata(corpus.path("in/a!b")).unwrap().mtime(),
        fs::metadata(corpus.path("out/a!b")).unwrap().mtime()
    );
    unique(&corpus, &["in", "-o", "linked", "--link", "--hidden"], 0);
    assert_eq!(inode("in/a/one.txt"), inode("linked/a/one.txt"));
    assert_eq!(corpus.read("linked/a/.hidden"), "x");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_written_as_they_are() {
    use std::os::unix::ffi::OsStrExt;
    let corpus = Workspace::new("unique_names").file("in/a", FOX);
    let strange = std::ffi::OsStr::from_bytes(b"\xFF\xFE.txt");
    fs::write(corpus.path("in").join(strange), LOREM).unwrap();
    fs::write(corpus.path("in").join(std::ffi::OsStr::from_bytes(b"\xFF")), LOREM).unwrap();
    unique(&corpus, &["in", "-o", "out", "--keep", "last"], 0);
    assert_eq!(fs::read(corpus.path("out").join(strange)).unwrap(), LOREM.as_bytes());
    assert_eq!(fs::read_dir(corpus.path("out")).unwrap().count(), 2);
}

#[test]
fn members_of_archives_stay_as_they_are_packed() {
    let lines = format!("{{\"text\":\"{FOX}\"}}\n{{\"text\":\"of another kind altogether, that is alone\"}}\n");
    let inner = zip(&[("x.txt", LOREM.as_bytes()), ("y.txt", FOX.as_bytes())]);
    let members: Vec<(&str, &[u8])> = vec![
        ("a.txt", FOX.as_bytes()),
        ("b/b.txt", CAT.as_bytes()),
        ("c.bin", b"\0\x01"),
        ("d.jsonl", lines.as_bytes()),
        ("e.zip", &inner),
        ("f.txt", LOREM.as_bytes()),
    ];
    let after = "{\"text\":\"of another kind altogether, that is alone\"}\n";
    let corpus = Workspace::new("unique_archives")
        .file("z.zip", zip(&members))
        .file("t.tar", tar(&members))
        .file("t.tgz", packed(".gz", &tar(&members)));
    for file in ["z.zip", "t.tar", "t.tgz"] {
        let output = format!("out-{file}");
        unique(&corpus, &[file, "-o", &output], 0);
        let bytes = fs::read(corpus.path(&output)).unwrap();
        let mut found: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        if file == "z.zip" {
            let mut archive = ::zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
            for number in 0..archive.len() {
                let mut member = archive.by_index(number).unwrap();
                let mut text = Vec::new();
                member.read_to_end(&mut text).unwrap();
                found.insert(member.name().unwrap().into_owned(), text);
            }
        } else {
            let bytes = if file == "t.tgz" { unpacked(".gz", &bytes) } else { bytes };
            for entry in ::tar::Archive::new(bytes.as_slice()).entries().unwrap() {
                let mut entry = entry.unwrap();
                let mut text = Vec::new();
                entry.read_to_end(&mut text).unwrap();
                found.insert(entry.path().unwrap().to_str().unwrap().to_owned(), text);
            }
        }
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a.txt", "c.bin", "d.jsonl", "e.zip"], "{file}");
        assert_eq!((found["a.txt"].as_slice(), found["d.jsonl"].as_slice()), (FOX.as_bytes(), after.as_bytes()));
        let mut inner = ::zip::ZipArchive::new(std::io::Cursor::new(&found["e.zip"])).unwrap();
        assert_eq!((inner.len(), inner.by_index(0).unwrap().name().unwrap().as_ref()), (1, "x.txt"), "{file}");
    }
    // Nothing to remove: byte for byte.
    let fox: [(&str, &[u8]); 1] = [("a.txt", FOX.as_bytes())];
    for (file, bytes) in [("u.tgz", packed(".gz", &tar(&fox))), ("u.tar", tar(&fox)), ("u.zip", zip(&fox))] {
        let corpus = Workspace::new("unique_archives").file(format!("in/{file}"), &bytes).file("in/v.txt", FOX);
        unique(&corpus, &["in", "-o", "out"], 0);
        assert_eq!(fs::read(corpus.path(format!("out/{file}"))).unwrap(), bytes, "{file}");
    }
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

#[test]
fn an_output_that_could_cost_an_input_is_refused() {
    let corpus = Workspace::new("unique_refused")
        .file("in/a.txt", FOX)
        .file("in/b.txt", FOX)
        .file("x/in/c.txt", LOREM)
        .file("there", "x")
        .folder("full")
        .file("full/y", "y")
        .file("a.jsonl", "{\"text\":\"x\"}\n")
        .folder("empty")
        .link("to-full", "full")
        .link("to-in", "in");
    let refused = |args: &[&str], message: &str| {
        let args = [&["unique", "-q"], args].concat();
        corpus.dedup(&args).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    };
    let there = "there is something already; name another --output, or replace it with --force";
    refused(&["in", "-o", "there"], &format!("there: {there}"));
    refused(&["in", "-o", "full"], &format!("full: {there}"));
    refused(
        &["in", "-o", "in/out", "--force"],
        "in/out: it lies in in, and one of them is an input; write to another place",
    );
    refused(
        &["in", "-o", "to-in/out"],
        "to-in/out: it lies in in, and one of them is an input; write to another place",
    );
    refused(&["x/in", "-o", "x", "--force"], "x/in: it lies in x, and one of them is an input; write to another place");
    refused(&["a.jsonl", "-o", "a.jsonl", "--force"], "a.jsonl: it is an input; write to another place");
    refused(
        &["in", "x/in", "-o", "new"],
        "x/in: another input has this name in the output; rename one of them, or write them one by one",
    );
    refused(
        &["in", "-o", "new/deeper"],
        "new/deeper: cannot write the clean corpus: No such file or directory (os error 2); nothing was written",
    );
    // A place that takes no file is found before the inputs are read.
    #[cfg(target_os = "linux")]
    corpus
        .dedup(&["unique", "-q", "none", "-o", "/proc/out"])
        .stdout("")
        .stderr_with(|stderr| {
            assert!(stderr.starts_with("dedup: /proc/out: cannot write the clean corpus: "), "{stderr}")
        })
        .exit_code(2);
    refused(
        &["in", "-o", "there", "--force"],
        "there: cannot write the clean corpus: not a directory; nothing was written",
    );
    refused(
        &["-", "-o", "new"],
        "-: standard input, pipes and devices cannot be read a second time to be written without duplicates; save it as a file first",
    );
    refused(
        &["in", "-n", "--removed", "r"],
        "--removed: --dry-run writes no file; list them on standard output by --removed -",
    );
    refused(
        &["a.jsonl", "-o", "new", "--keep", "max:score"],
        "--keep: no record has the field `score`; check its name",
    );
    for (flags, message) in [
        ("-o x2 --removed x2", "x2: --removed would overwrite what the clean corpus goes to"),
        ("-o x2 --summary ./x2", "./x2: --summary would overwrite what the clean corpus goes to"),
        (
            "-o x2 --removed r --summary in/../r",
            "in/../r: --summary would overwrite what the list of removed documents goes to",
        ),
    ] {
        let args: Vec<&str> = ["a.jsonl"].into_iter().chain(flags.split(' ')).collect();
        refused(&args, &format!("{message}; name another file"));
    }
    let full = "a folder with something in it, which is never replaced; name another output, or delete it first";
    refused(&["in", "-o", "full", "--force"], &format!("full: {full}"));
    refused(&["in", "-o", "to-full", "--force"], &format!("to-full: {full}"));
    let before = ["a.jsonl", "empty", "full", "in", "there", "to-full", "to-in", "x"];
    assert_eq!(corpus.names(), before);
    assert_eq!(corpus.read("full/y"), "y");
    unique(&corpus, &["in", "-o", "empty", "--force"], 0);
    assert_eq!(corpus.read("empty/a.txt"), FOX);
    unique(&corpus, &["a.jsonl", "-o", "there", "--force", "--removed", "list"], 0);
    assert_eq!((corpus.read("there"), corpus.read("list")), (corpus.read("a.jsonl"), String::new()));
    assert_eq!(corpus.names(), ["a.jsonl", "empty", "full", "in", "list", "there", "to-full", "to-in", "x"]);
    unique(&corpus, &["in", "a.jsonl", "x", "-o", "several"], 0);
    assert!(corpus.path("several/in/a.txt").exists() && corpus.path("several/x/in/c.txt").exists());
    assert_eq!(corpus.read("several/a.jsonl"), corpus.read("a.jsonl"));
}

#[test]
fn what_cannot_be_read_is_named_and_what_changes_ends_the_run() {
    let corpus = Workspace::new("unique_unreadable").file("in/a.txt", FOX).file("in/no.txt", FOX);
    // Permissions do not bind every user.
    let names: &[&str] = if corpus.forbid("in/no.txt") {
        let says = "dedup: in/no.txt: permission denied; change its permissions or exclude it\n";
        corpus.dedup(&["unique", "-q", "in", "-o", "out"]).stdout("").stderr(says).exit_code(3);
        &["in", "out"]
    } else {
        &["in"]
    };
    assert_eq!(corpus.names(), names);
    for change in ["echo more >> in/a.txt", "rm in/b.txt", "echo new > in/d.txt", "mv in/a.txt in/e.txt"] {
        let corpus = Workspace::new("unique_changes").file("in/a.txt", FOX).file("in/b.txt", FOX).file("in/c.f", LOREM);
        let filter = format!("f=cat; {change}");
        let args = ["unique", "-q", "in", "-o", "out", "--filter", &filter];
        let says = |stderr: &str| {
            assert!(stderr.contains("changed during the run; nothing was written, run again"), "{stderr}")
        };
        corpus.dedup(&args).stdout("").stderr_with(says).exit_code(2);
        assert_eq!(corpus.names(), ["in"], "{change}");
    }
}

#[test]
fn a_damaged_file_stays_as_it_is_unless_something_in_it_is_to_go() {
    let line = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let many: String = (0..2000)
        .map(|number| line(&format!("{LOREM} {number} of many more words {}", number * 7919 % 1000)))
        .collect();
    let mut cut = packed(".gz", many.as_bytes());
    cut.truncate(cut.len() / 2);
    let corpus = Workspace::new("unique_damaged").file("in/a.jsonl.gz", &cut).file("in/b.txt", FOX);
    unique(&corpus, &["in", "-o", "out", "--threshold", "1"], 3);
    assert_eq!(fs::read(corpus.path("out/a.jsonl.gz")).unwrap(), cut);
    let doubled: String = many.lines().flat_map(|line| [line, "\n", line, "\n"]).collect();
    let mut cut = packed(".gz", doubled.as_bytes());
    cut.truncate(cut.len() / 2);
    let corpus = Workspace::new("unique_damaged").file("in/a.jsonl.gz", &cut);
    let says =
        |stderr: &str| assert!(stderr.contains("in/a.jsonl.gz: cannot be written without its duplicates"), "{stderr}");
    corpus.dedup(&["unique", "-q", "in", "-o", "out"]).stdout("").stderr_with(says).exit_code(2);
    assert_eq!(corpus.names(), ["in"]);
}

#[test]
fn the_one_that_stays_is_chosen_by_keep() {
    let texts = [format!("{FOX} 1"), format!("{FOX} 22"), format!("{FOX} 333"), LOREM.to_owned()];
    let line = |(number, text): (usize, &String)| {
        format!(
            "{{\"id\":\"r{number}\",\"text\":\"{text}\",\"score\":{},\"at\":\"2024-0{}\"}}\n",
            [5, 10, 9, 1][number],
            [3, 1, 2, 1][number]
        )
    };
    let corpus = Workspace::new("unique_keep")
        .file("a.jsonl", texts.iter().enumerate().map(line).collect::<String>())
        .file("in/b.txt", FOX)
        .file("in/a.md", FOX)
        .file("in/c.txt", FOX);
    let of_records = |keep: &str| removed(&corpus, &["a.jsonl", "--threshold", "0.7", "--keep", keep]);
    assert_eq!(of_records("first"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("last"), ["r0<r2", "r1<r2"]);
    assert_eq!(of_records("longest"), ["r0<r2", "r1<r2"]);
    assert_eq!(of_records("shortest"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("max:score"), ["r0<r1", "r2<r1"]);
    assert_eq!(of_records("min:score"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("max:at"), ["r1<r0", "r2<r0"]);
    assert_eq!(of_records("min:at"), ["r0<r1", "r2<r1"]);
    let of_files = |keep: &str| removed(&corpus, &["in/c.txt", "in", "--keep", keep]);
    assert_eq!(of_files("first"), ["in/a.md<in/c.txt", "in/b.txt<in/c.txt"]);
    assert_eq!(of_files("path-order"), ["in/c.txt<in/a.md", "in/b.txt<in/a.md"]);
    assert_eq!(of_files("matching:*.md"), ["in/c.txt<in/a.md", "in/b.txt<in/a.md"]);
    assert_eq!(of_files("matching:b*"), ["in/c.txt<in/b.txt", "in/a.md<in/b.txt"]);
    let newest = fs::File::options().write(true).open(corpus.path("in/b.txt")).unwrap();
    newest.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(100)).unwrap();
    assert_eq!(of_files("newest"), ["in/c.txt<in/b.txt", "in/a.md<in/b.txt"]);
    corpus.dedup(&["unique", "a.jsonl", "-n", "--keep", "best"]).stdout("").stderr_with(|_| ()).exit_code(2);
}

/// Groups by definition, one pair after another.
fn slow_twin(num: usize, pairs: &BTreeMap<(usize, usize), f64>, rank: &dyn Fn(usize) -> usize) -> Vec<String> {
    let mut order: Vec<usize> = (0..num).collect();
    order.sort_by_key(|&document| (rank(document), document));
    let mut taken = vec![None; num];
    for &centre in &order {
        if taken[centre].is_some() {
            continue;
        }
        taken[centre] = Some(centre);
        for (other, taken) in taken.iter_mut().enumerate() {
            if taken.is_none() && pairs.contains_key(&(centre.min(other), centre.max(other))) {
                *taken = Some(centre);
            }
        }
    }
    let lines = (0..num).filter(|&document| taken[document] != Some(document));
    lines.map(|document| format!("r{document}<r{}", taken[document].unwrap())).collect()
}

#[test]
fn the_choice_and_the_bytes_are_those_of_a_slow_twin() {
    for seed in 0..6 {
        let mut random = Random(seed);
        let words: Vec<String> = (0..40).map(|_| format!("w{}", random.below(1000))).collect();
        let num = 60;
        let mut lines = Vec::new();
        for number in 0..num {
            let from = random.below(4) * 8;
            let mut text = words[from..from + 16].to_vec();
            for _ in 0..random.below(3) {
                let at = random.below(text.len());
                text[at] = format!("v{}", random.below(9));
            }
            let end = ["\n", "\r\n", "\n\n", "\n \n"][random.below(4)];
            lines.push(format!("{{\"id\":\"r{number}\",\"text\":\"{}\"}}{end}", text.join(" ")));
        }
        let corpus = Workspace::new("unique_twin").file("a.jsonl", lines.concat());
        let method = ["--threshold", "0.6", "--bands", "200", "--rows", "2", "--k", "5"];
        let mut pairs = BTreeMap::new();
        let number = |name: &str| name[1..].parse::<usize>().unwrap();
        let look = |stdout: &str| {
            for pair in records(stdout) {
                pairs.insert((number(name(&pair.a)), number(name(&pair.b))), pair.jaccard);
            }
        };
        corpus.dedup(&[&["scan", "-q", "a.jsonl"], &method[..]].concat()).stdout_with(look).stderr("").exit_code(0);
        assert!(pairs.len() > 50, "{}", pairs.len());
        for (keep, rank) in [("first", (|at| at) as fn(usize) -> usize), ("last", |at| usize::MAX - at)] {
            let expected = slow_twin(num, &pairs, &rank);
            let args = [&["a.jsonl", "--keep", keep], &method[..]].concat();
            assert_eq!(removed(&corpus, &args), expected, "seed {seed}, {keep}");
            let gone: BTreeSet<usize> = expected.iter().map(|line| number(line.split_once('<').unwrap().0)).collect();
            let output = format!("{keep}.jsonl");
            unique(&corpus, &[&args[..], &["-o", &output]].concat(), 0);
            let kept: String = lines
                .iter()
                .enumerate()
                .map(|(number, line)| {
                    // Blank lines behind a record are of none.
                    if gone.contains(&number) { &line[line.find('\n').unwrap() + 1..] } else { line.as_str() }
                })
                .collect();
            assert_eq!(corpus.read(&output), kept, "seed {seed}, {keep}");
        }
        // With components every removed document is in the component of what stands for it.
        let all = removed(&corpus, &[&["a.jsonl", "--linkage", "components"], &method[..]].concat());
        let mut least: Vec<usize> = (0..num).collect();
        for _ in 0..num {
            pairs.keys().for_each(|&(a, b)| (least[a], least[b]) = (least[a].min(least[b]), least[a].min(least[b])));
        }
        let expected = (0..num).filter(|&at| least[at] != at).map(|at| format!("r{at}<r{}", least[at]));
        assert_eq!(all, expected.collect::<Vec<_>>(), "seed {seed}");
    }
}

#[test]
fn a_run_that_is_killed_leaves_the_whole_output_or_none() {
    let corpus = Workspace::new("unique_killed");
    let corpus = (0..300).fold(corpus, |corpus, number| {
        let text: String = (0..2000).map(|word| format!("{} ", (word * (number % 150 + 3)) % 7919)).collect();
        corpus.file(format!("in/{number:03}.txt"), text)
    });
    unique(&corpus, &["in", "-o", "whole"], 0);
    let whole = fs::read_dir(corpus.path("whole")).unwrap().count();
    assert!(whole > 100 && whole < 300);
    let mut ended = BTreeMap::new();
    for round in 0..24 {
        let mut child = corpus.command(&["unique", "-q", "in", "-o", "out"]).spawn().unwrap();
        let is_term = round % 2 == 0;
        // Begins to write, or has not yet, or is done: by what can be seen, not by time.
        let (start, most) = (std::time::Instant::now(), 12 * round);
        while child.try_wait().unwrap().is_none() && start.elapsed().as_millis() < most {
            std::thread::yield_now();
        }
        if is_term {
            signal_if_alive(&mut child)
        } else {
            let _ = child.kill();
        }
        let status = wait(&mut child);
        let found = fs::read_dir(corpus.path("out")).map(Iterator::count).ok();
        assert!(found.is_none_or(|count| count == whole), "{found:?} of {whole}");
        let left: Vec<String> = corpus.names().into_iter().filter(|name| name.starts_with(".dedup-unique-")).collect();
        assert!(!is_term || left.is_empty(), "{left:?} after {status}");
        left.iter().for_each(|name| fs::remove_dir_all(corpus.path(name)).unwrap());
        if found.is_some() {
            fs::remove_dir_all(corpus.path("out")).unwrap();
        }
        *ended.entry(found.is_some()).or_insert(0) += 1;
    }
    assert!(ended.contains_key(&false), "{ended:?}");
}

fn signal_if_alive(child: &mut std::process::Child) {
    if child.try_wait().unwrap().is_none() {
        let _ = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    }
}
