//! Compressed files and archives: what is inside, under which name, and what is damaged.

use std::io::Write;

use crate::support::*;

pub(crate) fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 1).unwrap()
}

fn xz(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    liblzma::encode_all(bytes.as_ref(), 1).unwrap()
}

pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        // The name as it is: the library refuses those that lead out of a folder.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

pub(crate) fn zip(members: &[(&str, &[u8])], method: zip::CompressionMethod) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, content) in members {
        archive.start_file(*name, options).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const FOX_BYTES: &[u8] = FOX.as_bytes();

#[test]
fn members_of_one_name_are_all_there() {
    let mut archive = zip(&[("twin1", FOX_BYTES), ("twin2", FOX_BYTES), ("c", LOREM.as_bytes())], Default::default());
    // The library does not write such archives: the second name is changed where it stands.
    let places: Vec<usize> = (0..archive.len()).filter(|&at| archive[at..].starts_with(b"twin2")).collect();
    assert_eq!(places.len(), 2);
    places.into_iter().for_each(|at| archive[at + 4] = b'1');
    let corpus = Workspace::new("same_names").file("a.zip", archive);
    let note = "dedup: a.zip!twin1: this name was there before; compared as a.zip!twin1/#2\n";
    corpus.dedup(&["scan", "."]).pairs(&["a.zip!twin1 a.zip!twin1/#2"]).notes(note).exit_code(0);
}

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
         dedup: c.gz: damaged or cut short (inconsistent data); skipped\n\
         dedup: d.csv.gz: damaged or cut short (it ends too early); the rows before that are compared\n\
         dedup: e.tar.gz!x: damaged or cut short (it ends too early); skipped\n";
    let run = corpus.dedup(&["scan", "-q", "a.jsonl.gz", "b.txt.gz", "c.gz", "d.csv.gz"]);
    let first_messages = &messages[..messages.find("dedup: e.").unwrap()];
    run.stdout_with(look).stderr(first_messages).exit_code(3);
    let run = corpus.dedup(&["scan", "-q", "e.tar.gz", "f.tar", "g.zip"]);
    run.stdout("").nothing_read(
        "dedup: e.tar.gz!x: damaged or cut short (it ends too early); skipped\n\
             dedup: e.tar.gz: damaged or cut short (it ends too early); the members before that are compared\n\
             dedup: f.tar: damaged or cut short (inconsistent data); the members before that are compared\n\
             dedup: g.zip: not a zip archive, or cut short; skipped\n",
    );
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
fn members_of_archives_are_read_by_their_names() {
    let record = format!("{{\"id\":\"r\",\"text\":{FOX:?}}}\n{{\"text\":{FOX:?}}}\n");
    let page = format!("<h1>{FOX}</h1>");
    let packed = gzip(FOX);
    let table = format!("text\n{FOX}");
    let members: &[(&str, &[u8])] = &[
        ("./a", FOX_BYTES),
        ("d/b.jsonl", record.as_bytes()),
        ("c.html", page.as_bytes()),
        ("d.txt.gz", &packed),
        ("e.csv", table.as_bytes()),
        ("../../etc/f", FOX_BYTES),
        ("/g", FOX_BYTES),
        (".hidden", FOX_BYTES),
        ("d/.git/x", FOX_BYTES),
        ("bin", b"\0"),
    ];
    let names = ["a", "r", "d/b.jsonl:2", "c.html", "d.txt.gz", "e.csv:2", "../../etc/f", "/g"];
    let expected = |archive: &str| {
        let full = names.map(|name| if name == "r" { name.into() } else { format!("{archive}!{name}") });
        full[1..].iter().map(|name| copies(&full[0], name, 36)).collect::<String>()
    };
    let inner = tar(&[("a", FOX_BYTES)]);
    for (name, archive) in [
        ("x.tar", tar(members)),
        ("x.tgz", gzip(tar(members))),
        ("x.tar.zst", zstd(tar(members))),
        ("x.zip", zip(members, zip::CompressionMethod::Deflated)),
        ("y.zip", zip(members, zip::CompressionMethod::Zstd)),
        ("z.zip", zip(members, zip::CompressionMethod::Stored)),
    ] {
        let corpus = Workspace::new("members").file(name, archive);
        corpus.dedup(&["scan", "-q", ".", "--collapse-exact"]).stdout(&expected(name)).stderr("").exit_code(0);
    }
    // In one another.
    let corpus = Workspace::new("nested").file(
        "a.zip",
        zip(&[("b.tar", &inner), ("c.zip", &zip(&[("d", FOX_BYTES)], Default::default()))], Default::default()),
    );
    corpus.dedup(&["scan", "-q", "."]).pairs(&["a.zip!b.tar!a a.zip!c.zip!d"]).stderr("").exit_code(0);
}

#[test]
fn globs_choose_members_as_they_choose_files_of_folders() {
    let archive = tar(&[("a.md", FOX_BYTES), ("d/b.md", FOX_BYTES), ("d/c.txt", FOX_BYTES), ("no/d.md", FOX_BYTES)]);
    let corpus = Workspace::new("member_globs").file("x.tar", archive).file("y.txt", FOX);
    let flags = ["scan", "-q", ".", "--include", "*.md", "--exclude", "no"];
    corpus.dedup(&flags).pairs(&["x.tar!a.md x.tar!d/b.md"]).stderr("").exit_code(0);
    corpus
        .dedup(&["scan", "-q", ".", "--include", "d/*"])
        .pairs(&["x.tar!d/b.md x.tar!d/c.txt"])
        .stderr("")
        .exit_code(0);
    corpus.dedup(&["scan", "-q", ".", "--exclude", "*.tar"]).pairs(&[]).stderr("").exit_code(0);
}

#[test]
fn links_and_devices_in_archives_are_passed_over_and_empty_archives_are_no_error() {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, kind) in [
        ("link", tar::EntryType::Symlink),
        ("hard", tar::EntryType::Link),
        ("fifo", tar::EntryType::Fifo),
        ("dir/", tar::EntryType::Directory),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        if matches!(kind, tar::EntryType::Symlink | tar::EntryType::Link) {
            header.set_link_name("/etc/passwd").unwrap();
        }
        archive.append_data(&mut header, name, std::io::empty()).unwrap();
    }
    let corpus = Workspace::new("special_members")
        .file("a.tar", archive.into_inner().unwrap())
        .file("b.tar", tar(&[]))
        .file("c.zip", zip(&[], Default::default()))
        .file("d", FOX);
    corpus
        .dedup(&["scan", "."])
        .stdout("")
        .notes(
            "dedup: a.tar!link: a symbolic link in an archive; skipped\n\
             dedup: a.tar!hard: a hard link to `/etc/passwd`, which is no file before it in the archive; skipped\n\
             dedup: a.tar!fifo: a FIFO or device in an archive; skipped\n",
        )
        .exit_code(3);
}

#[test]
fn records_of_members_of_one_name_have_names_of_their_own() {
    let record = format!("{{\"text\":{FOX:?}}}\n");
    let members: &[(&str, &[u8])] = &[("x.jsonl", record.as_bytes()), ("x.jsonl", record.as_bytes()), ("y", FOX_BYTES)];
    let corpus = Workspace::new("same_records").file("d.tar", tar(members));
    let pairs = ["d.tar!x.jsonl:1 d.tar!x.jsonl/#2:1", "d.tar!x.jsonl:1 d.tar!y", "d.tar!x.jsonl/#2:1 d.tar!y"];
    corpus.dedup(&["scan", "-q", "."]).pairs(&pairs).stderr("").exit_code(0);
    // They are in one folder.
    corpus.dedup(&["scan", "-q", ".", "--group-by", "dir"]).pairs(&[]).stderr("").exit_code(0);
}

#[test]
fn hard_links_in_archives_are_documents() {
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |name: &str, target: Option<&str>, content: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        match target {
            Some(target) => {
                header.set_entry_type(tar::EntryType::Link);
                archive.append_link(&mut header, name, target).unwrap();
            }
            None => archive.append_data(&mut header, name, content).unwrap(),
        }
    };
    add("./a", None, FOX_BYTES);
    add("no/hidden", None, CAT.as_bytes());
    add("b", Some("./a"), b"");
    add("c", Some("b"), b"");
    add("d", Some("no/hidden"), b"");
    add("a", None, LOREM.as_bytes());
    add("e", Some("a"), b"");
    let archive = archive.into_inner().unwrap();
    let names = |archive: &str| {
        let pairs = ["a b", "a c", "a d", "b c", "b d", "c d", "a/#2 e"];
        let full = |pair: &str| pair.split(' ').map(|name| format!("{archive}!{name}")).collect::<Vec<_>>().join(" ");
        pairs.map(full)
    };
    for (name, packed) in [("x.tar", archive.clone()), ("x.tgz", gzip(&archive)), ("x.tar.zst.xz", xz(zstd(&archive)))]
    {
        let corpus = Workspace::new("hard_links").file(name, packed);
        let pairs = names(name);
        let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
        let run = corpus.dedup(&["scan", "-q", ".", "--exclude", "no"]);
        run.pairs(&pairs).stderr("").exit_code(0);
    }
    // What cannot be read twice.
    let nested = tar(&[("x.tar", &archive)]);
    for (name, packed, file) in [("-", gzip(&archive), None), ("y.tar!x.tar", LOREM.into(), Some(nested))] {
        let mut corpus = Workspace::new("hard_links_once").stdin(packed);
        let path = if file.is_some() { "y.tar" } else { "-" };
        if let Some(file) = file {
            corpus = corpus.file(path, file);
        }
        let pairs = names(name);
        let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
        let run = corpus.dedup(&["scan", "-q", path, "--exclude", "no"]);
        run.pairs(&pairs).stderr("").exit_code(0);
    }
}

#[test]
fn a_member_that_is_there_twice_and_an_encrypted_one_are_told() {
    // The flag of encryption, in the header of the file and in the directory.
    let mut locked = zip(&[("a", FOX_BYTES)], zip::CompressionMethod::Stored);
    let directory = locked.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    locked[6] |= 1;
    locked[directory + 8] |= 1;
    let corpus = Workspace::new("twice")
        .file("a.tar", tar(&[("x", FOX_BYTES), ("x", FOX_BYTES)]))
        .file("b.zip", locked)
        .file("c.tar", tar(&[("d.zip", b"PK")]));
    corpus
        .dedup(&["scan", "-q", "."])
        .pairs(&["a.tar!x a.tar!x/#2"])
        .stderr(
            "dedup: b.zip!a: encrypted; decrypt it or leave it out\n\
             dedup: c.tar!d.zip: not a zip archive, or cut short; skipped\n",
        )
        .exit_code(3);
}

#[test]
fn a_way_of_packing_that_is_not_supported_is_named() {
    let corpus = [14, 97].into_iter().fold(Workspace::new("packed_by"), |corpus, method| {
        let mut member = zip(&[("a", FOX_BYTES)], zip::CompressionMethod::Stored);
        let directory = member.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
        (member[8], member[directory + 10]) = (method, method);
        corpus.file(format!("{method}.zip"), member)
    });
    corpus.dedup(&["scan", "-q", "."]).stdout("").nothing_read(
        "dedup: 14.zip!a: packed by LZMA (method 14), which is not supported; unpack it first\n\
         dedup: 97.zip!a: packed by method 97, which is not supported; unpack it first\n",
    );
}

#[test]
fn a_member_with_the_name_that_another_would_get_keeps_it() {
    let corpus =
        Workspace::new("numbered").file("a.tar", tar(&[("x/#2", FOX_BYTES), ("x", b"other"), ("x", FOX_BYTES)]));
    corpus
        .dedup(&["scan", "-q", ".", "--with-source"])
        .stdout_with(|line| {
            let pair: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(pair["source_a"], serde_json::json!({"file": "a.tar!x/#2"}));
            assert_eq!(pair["source_b"], serde_json::json!({"file": "a.tar!x/#3"}));
        })
        .stderr("")
        .exit_code(0);
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
        |name| format!("dedup: {name}: more than 1000 bytes; skipped (--max-document-bytes takes larger ones)\n");
    let names = ["a.txt.gz", "b.tar.gz!x", "c.zip!x", "d.jsonl.gz:2", "d.jsonl.gz:4", "e.csv.gz:3", "f.txt"];
    let messages = names.map(large).concat();
    corpus
        .dedup(&["scan", "-q", ".", "--max-document-bytes", "1000", "--collapse-exact"])
        .pairs(&["b.tar.gz!y c.zip!y", "b.tar.gz!y 1", "b.tar.gz!y 3", "b.tar.gz!y e.csv.gz:2"])
        .stderr(&messages)
        .exit_code(3);
}

#[test]
fn an_archive_that_is_packed_too_often_is_told() {
    let packed = (0..9).fold(FOX_BYTES.to_vec(), |packed, _| gzip(packed));
    let corpus = Workspace::new("deep").file(format!("a{}", ".gz".repeat(9)), packed);
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout("")
        .nothing_read(&format!("dedup: a{}: packed more than 8 times; unpack it first\n", ".gz".repeat(9)));
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
        let run = corpus.dedup(&["scan", "-q", ".", "--threads", threads]);
        run.pairs(&["a.jsonl.gz:10 a.jsonl.gz:4001"]).stderr(&malformed).exit_code(3);
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
             dedup: b.txt: more than 1000 bytes; skipped (--max-document-bytes takes larger ones)\n\
             dedup: c.txt: packed more than 8 times; unpack it first\n",
    );
}
