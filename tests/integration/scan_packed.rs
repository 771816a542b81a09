//! Compressed files: what is inside, and what is damaged.

use crate::packing::{bzip2, gzip, tar, xz, zip, zstd};
use crate::support::*;

const FOX_BYTES: &[u8] = FOX.as_bytes();

#[test]
fn a_compressed_file_is_what_it_holds() {
    let record = format!("{{\"text\":{FOX:?}}}\n");
    let corpus = Workspace::new("compressed")
        .file("a", FOX)
        .file("b.gz", gzip(FOX))
        .file("c.txt.zst", zstd(FOX))
        .file("d.txt.BZ2", bzip2(FOX))
        .file("e.xz", xz(FOX))
        .file("f.jsonl.gz", gzip(record.repeat(2)))
        .file("g.csv.zst", zstd(format!("text\n{FOX}\n")))
        .file("h.html.gz", gzip(format!("<p>{FOX}<script>no</script>")))
        .file("i.gz.xz", xz(gzip(FOX)));
    let names = ["b.gz", "c.txt.zst", "d.txt.BZ2", "e.xz", "f.jsonl.gz:1", "f.jsonl.gz:2", "g.csv.zst:2", "h.html.gz"];
    let pairs: Vec<String> = names.iter().chain(&["i.gz.xz"]).map(|name| copies("a", name, 36)).collect();
    for threads in ["1", "16"] {
        let run = corpus.dedup(&["scan", "-q", ".", "--collapse-exact", "--threads", threads]);
        run.stdout(&pairs.concat()).stderr("").exit_code(0);
    }
}

#[test]
fn files_of_several_parts_are_read_to_the_end() {
    let (half, rest) = FOX.split_at(20);
    let corpus = Workspace::new("parts")
        .file("a", FOX)
        .file("b.gz", [gzip(half), gzip(rest)].concat())
        .file("c.bz2", [bzip2(half), bzip2(rest)].concat())
        .file("d.xz", [xz(half), xz(rest)].concat())
        .file("e.zst", [zstd(half), zstd(rest)].concat());
    let pairs = ["a b.gz", "a c.bz2", "a d.xz", "a e.zst"];
    corpus.dedup(&["scan", "-q", ".", "--collapse-exact"]).pairs(&pairs).stderr("").exit_code(0);
}

#[test]
fn a_compressed_standard_input_is_told_by_its_first_bytes() {
    let record = format!("{{\"text\":{FOX:?}}}\n").repeat(2);
    for packed in [gzip(&record), zstd(&record), bzip2(&record), xz(&record)] {
        let corpus = Workspace::new("packed_stdin").stdin(packed);
        corpus.dedup(&["scan", "-q", "-", "--input-format", "jsonl"]).pairs(&["-:1 -:2"]).stderr("").exit_code(0);
    }
    let members = [("a.jsonl", record.as_bytes()), ("b", FOX_BYTES)];
    let pairs = ["-!a.jsonl:1 -!a.jsonl:2", "-!a.jsonl:1 -!b", "-!a.jsonl:2 -!b"];
    let corpus = Workspace::new("tar_stdin").stdin(gzip(tar(&members)));
    corpus.dedup(&["scan", "-q", "-", "--input-format", "tar"]).pairs(&pairs).stderr("").exit_code(0);
    let corpus = Workspace::new("zip_stdin").stdin(zip(&members, zip::CompressionMethod::Stored));
    corpus.dedup(&["scan", "-q", "-", "--input-format", "zip"]).pairs(&pairs).stderr("").exit_code(0);
}

#[test]
fn what_is_cut_short_is_named_and_whole_records_before_that_are_kept() {
    let mut random = Random(3);
    let words = |random: &mut Random| (0..40).map(|_| random.below(10_000).to_string()).collect::<Vec<_>>().join(" ");
    let lines: String = (0..2000).map(|id| format!("{{\"id\":{id},\"text\":\"{}\"}}\n", words(&mut random))).collect();
    let first = lines.lines().next().unwrap();
    let packed = gzip(first.replace("\"id\":0", "\"id\":\"copy\"") + "\n" + &lines);
    let cut = &packed[..packed.len() - 1000];
    let text = gzip(words(&mut random));
    let corpus = Workspace::new("cut")
        .file("a.jsonl.gz", cut)
        .file("b.txt.gz", &text[..text.len() - 10])
        .file("c.gz", "this was never a gzip file")
        .file("d.csv.gz", &gzip(format!("text\n{lines}"))[..100])
        .file("e.tar.gz", &gzip(tar(&[("x", lines.as_bytes())]))[..1000])
        .file("f.tar", "no tar".repeat(200))
        .file("g.zip", "no zip");
    let look = |stdout: &str| assert_eq!(stdout.lines().count(), 1, "{stdout}");
    let messages = "dedup: a.jsonl.gz: damaged or cut short (it ends too early); the records before that are compared\n\
         dedup: b.txt.gz: damaged or cut short (it ends too early); skipped\n\
         dedup: c.gz: plain text, where gzip was expected; skipped (give it a name that says its format)\n\
         dedup: d.csv.gz: damaged or cut short (it ends too early); the rows before that are compared\n\
         dedup: e.tar.gz!x: damaged or cut short (it ends too early); skipped\n";
    let run = corpus.dedup(&["scan", "-q", "a.jsonl.gz", "b.txt.gz", "c.gz", "d.csv.gz"]);
    let first_messages = &messages[..messages.find("dedup: e.").unwrap()];
    run.stdout_with(look).stderr(first_messages).exit_code(3);
    let run = corpus.dedup(&["scan", "-q", "e.tar.gz", "f.tar", "g.zip"]);
    let seen = run.stdout("").stderr(
        "dedup: e.tar.gz!x: damaged or cut short (it ends too early); the records before that are compared\n\
             dedup: e.tar.gz: damaged or cut short (it ends too early); the members before that are compared\n\
             dedup: f.tar: damaged or cut short (inconsistent data); the members before that are compared\n\
             dedup: g.zip: not a zip archive, or cut short; skipped\n",
    );
    seen.exit_code(3);
}

/// The names that `--list-documents` has for what is used of the only file.
fn used(file: &str, content: &[u8]) -> Vec<String> {
    let corpus = Workspace::new("used").file(file, content);
    let output = corpus.command(&["scan", "-q", ".", "--list-documents"]).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let names = lines.lines().filter(|line| line.contains(r#""treated":"used""#));
    names.map(|line| line.split('"').nth(3).unwrap().to_owned()).collect()
}

#[test]
fn what_comes_before_a_damage_is_kept_as_where_the_file_is_cut_there() {
    let mut random = Random(5);
    let words = |random: &mut Random| (0..40).map(|_| random.below(1 << 30).to_string()).collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = (0..900).map(|_| words(&mut random)).collect();
    let lines: String = texts.iter().map(|text| format!("{{\"text\":\"{text}\"}}\n")).collect();
    let table = format!("text\n{}\n", texts.join("\n"));
    let in_zip = |method| zip(&[("a.jsonl", lines.as_bytes())], method);
    let files = [
        ("a.jsonl.gz", gzip(&lines)),
        ("a.csv.gz", gzip(&table)),
        ("a.tar.gz", gzip(tar(&[("a.jsonl", lines.as_bytes())]))),
        ("a.jsonl.bz2", bzip2(&lines)),
        ("a.jsonl.zst", zstd(&lines)),
        ("a.jsonl.xz", xz(&lines)),
    ];
    for (name, packed) in &files {
        let at = packed.len() / 2;
        let mut damaged = packed.clone();
        damaged[at..at + 16].iter_mut().for_each(|byte| *byte ^= 0xFF);
        let cut = used(name, &packed[..at]);
        assert!(cut.len() > 150, "{name}: {}", cut.len());
        // What is behind the damage may look like records.
        assert!(used(name, &damaged).starts_with(&cut), "{name}");
    }
    let plain = used("a.jsonl.gz", &files[0].1[..files[0].1.len() / 2]).len();
    for method in [zip::CompressionMethod::Deflated, zip::CompressionMethod::Zstd] {
        let mut damaged = in_zip(method);
        let at = damaged.len() / 2;
        damaged[at..at + 16].iter_mut().for_each(|byte| *byte ^= 0xFF);
        let used = used("a.zip", &damaged).len();
        // Of zstd the damaged block is lost as a whole.
        let least = if method == zip::CompressionMethod::Deflated { plain - 10 } else { 150 };
        assert!(used >= least, "{method}: {used} of {plain}");
    }
}

#[test]
fn a_bomb_is_stopped_and_named() {
    let zeros = "0".repeat(50 << 20);
    let lines = format!("{{\"id\":1,\"text\":{FOX:?}}}\n{zeros}\n{{\"id\":3,\"text\":{FOX:?}}}\n{zeros}");
    let corpus = Workspace::new("bomb")
        .file("a.txt.gz", gzip(&zeros))
        .file("b.tar.gz", gzip(tar(&[("x", zeros.as_bytes()), ("y", FOX_BYTES)])))
        .file("c.zip", zip(&[("x", zeros.as_bytes()), ("y", FOX_BYTES)], zip::CompressionMethod::Deflated))
        .file("d.jsonl.gz", gzip(lines))
        .file("e.csv.gz", gzip(format!("text\n{FOX}\n{zeros}\n")))
        .file("f.txt", format!("{FOX}{}", " ".repeat(1000)));
    let large =
        |name| format!("dedup: {name}: more than 1000 bytes; skipped (--max-document-bytes allows larger ones)\n");
    let names = ["a.txt.gz", "b.tar.gz!x", "c.zip!x", "d.jsonl.gz:2", "d.jsonl.gz:4", "e.csv.gz:3", "f.txt"];
    let messages = names.map(large).concat()
        + "dedup: warning: most of the input was skipped: 7 inputs (7 too large), and 5 documents were read; --list-documents shows why\n";
    corpus
        .dedup(&["scan", "-q", ".", "--max-document-bytes", "1000", "--collapse-exact"])
        .pairs(&["b.tar.gz!y c.zip!y", "b.tar.gz!y 1", "b.tar.gz!y 3", "b.tar.gz!y e.csv.gz:2"])
        .stderr(&messages)
        .exit_code(3);
}

#[test]
fn long_compressed_lines_keep_their_numbers_and_are_found_again() {
    let mut random = Random(11);
    let (mut text, mut malformed) = (String::new(), String::new());
    for number in 1..=4000 {
        if number % 97 == 0 {
            text += "{\n";
            malformed +=
                &format!("dedup: a.jsonl.gz:{number}: malformed record, column 1: it ends within an object; skipped\n");
        } else {
            let body: String = (0..200).map(|_| format!("{} ", random.below(1000))).collect();
            text += &format!("{{\"padding\":\"{}\",\"text\":\"{body}\"}}\n", "p".repeat(random.below(3000)));
        }
    }
    let tenth = text.lines().nth(9).unwrap().to_owned();
    let corpus = Workspace::new("long_gz").file("a.jsonl.gz", gzip(text + &tenth));
    for threads in ["1", "4"] {
        let run = corpus.dedup(&["scan", ".", "--threads", threads]);
        // The summary stands behind what is named.
        let named = |stderr: &str| {
            assert!(stderr.starts_with(&malformed) && stderr[malformed.len()..].contains(" similar pair"), "{stderr}")
        };
        run.pairs(&["a.jsonl.gz:10 a.jsonl.gz:4001"]).stderr_with(named).exit_code(3);
    }
}

#[test]
fn damage_at_any_place_costs_no_other_document() {
    let record = format!("{{\"text\":{FOX:?}}}\n");
    let members: &[(&str, &[u8])] = &[("a.jsonl", record.as_bytes()), ("b.csv", b"text\nx\n"), ("c.html", b"<p>x")];
    let archives = [
        ("tgz", gzip(tar(members))),
        ("zip", zip(members, zip::CompressionMethod::Deflated)),
        ("jsonl.zst", zstd(&record)),
        ("jsonl.xz", xz(&record)),
        ("jsonl.bz2", bzip2(&record)),
    ];
    let mut corpus = Workspace::new("damage").file("0", LOREM).file("1", LOREM);
    for (extension, archive) in archives {
        for at in 0..archive.len() {
            let mut damaged = archive.clone();
            damaged[at] ^= 0xFF;
            corpus = corpus.file(format!("d/{at:04}.{extension}"), damaged);
        }
    }
    // All that is still whole is alike; what matters is that the run comes to its end.
    let output = corpus.command(&["scan", "-q", ".", "--collapse-exact"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with(&copies("0", "1", 48)));
}

#[test]
fn what_is_compressed_is_unpacked_whatever_its_name_says() {
    let record = format!("{{\"text\":{FOX:?}}}\n");
    let corpus = Workspace::new("wrong_names")
        .file("a", FOX)
        .file("b.txt", gzip(FOX))
        .file("c", zstd(gzip(FOX)))
        .file("d.jsonl", gzip(&record))
        .file("e.csv", zstd(format!("text\n{FOX}\n")))
        .file("f.tar", gzip(tar(&[("x", FOX_BYTES), ("y.md", &xz(FOX))])))
        .file("g.gz", zstd(FOX))
        .file("h.html", bzip2(format!("<p>{FOX}</p>")))
        .file("i.json", gzip(format!("[{record}]")))
        .file("j.zip", zip(&[("x.txt", &gzip(FOX))], Default::default()));
    let names =
        ["b.txt", "c", "d.jsonl:1", "e.csv:2", "f.tar!x", "f.tar!y.md", "g.gz", "h.html", "i.json:1", "j.zip!x.txt"];
    let pairs: Vec<String> = names.iter().map(|name| copies("a", name, 36)).collect();
    let run = corpus.dedup(&["scan", "-q", ".", "--collapse-exact"]);
    run.stdout(&pairs.concat()).stderr("").exit_code(0);
    // Their texts are read again.
    let corpus = Workspace::new("wrong_names_near").file("a.txt", gzip(FOX)).file("b.txt", CAT);
    corpus.dedup(&["scan", "-q", "."]).pairs(&["a.txt b.txt"]).stderr("").exit_code(0);
    let corpus = Workspace::new("wrong_names_damaged")
        .file("a.txt", &gzip(FOX)[..20])
        .file("b.txt", gzip("x".repeat(1001)))
        .file("c.txt", (0..9).fold(FOX_BYTES.to_vec(), |packed, _| gzip(packed)));
    corpus.dedup(&["scan", "-q", ".", "--max-document-bytes", "1000"]).stdout("").nothing_read(
        "dedup: a.txt: damaged or cut short (it ends too early); skipped\n\
             dedup: b.txt: more than 1000 bytes; skipped (--max-document-bytes allows larger ones)\n\
             dedup: c.txt: packed more than 8 times; unpack it first\n",
    );
}

#[test]
fn what_has_another_format_than_its_name_says_is_reported_for_what_it_is() {
    let page = "<!DOCTYPE html><p>404";
    let corpus = Workspace::new("other_formats")
        .file("a.gz", FOX)
        .file("b.zst", "")
        .file("c.parquet", format!("{{\"text\":\"{FOX}\"}}\n"))
        .file("d.parquet", page)
        .file("e.tar", page)
        .file("f.zip", "")
        .file("g.parquet.encrypted", b"PARE\0\0\0\0PARE");
    for (file, detail) in [
        ("a.gz", "plain text, where gzip was expected; skipped (give it a name that says its format)"),
        ("b.zst", "empty, where zstd was expected; skipped"),
        ("c.parquet", "JSON, where Parquet was expected; skipped (--input-format jsonl or json reads it)"),
        ("d.parquet", "an HTML page, where Parquet was expected; skipped"),
        ("e.tar", "an HTML page, where tar was expected; skipped"),
        ("f.zip", "empty, where zip was expected; skipped"),
        ("g.parquet.encrypted", "an encrypted Parquet file; skipped (decrypt it first)"),
    ] {
        let look = |stderr: &str| assert!(stderr.starts_with(&format!("dedup: {file}: {detail}\n")), "{stderr}");
        corpus.dedup(&["scan", "-q", file]).stdout("").stderr_with(look).exit_code(2);
    }
}
