//! Archives: their members, and under which names; what is passed over.

use crate::packing::{gzip, tar, xz, zip, zstd};
use crate::support::*;

const FOX_BYTES: &[u8] = FOX.as_bytes();

#[test]
fn members_of_one_name_are_all_there() {
    let mut archive = zip(&[("twin1", FOX_BYTES), ("twin2", FOX_BYTES), ("c", LOREM.as_bytes())], Default::default());
    // The library does not write such archives: the second name is changed where it stands.
    let places: Vec<usize> = (0..archive.len()).filter(|&at| archive[at..].starts_with(b"twin2")).collect();
    assert_eq!(places.len(), 2);
    places.into_iter().for_each(|at| archive[at + 4] = b'1');
    let corpus = Workspace::new("same_names").file("a.zip", archive);
    let note = "dedup: a.zip!twin1: duplicate name; compared as a.zip!twin1/#2\n";
    corpus.dedup(&["scan", "."]).pairs(&["a.zip!twin1 a.zip!twin1/#2"]).notes(note).exit_code(0);
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
             dedup: a.tar!hard: a hard link to `/etc/passwd`, which is not an earlier file of the archive; skipped\n\
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
            "dedup: b.zip!a: encrypted; decrypt it, or exclude it\n\
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
fn an_archive_that_is_packed_too_often_is_told() {
    let packed = (0..9).fold(FOX_BYTES.to_vec(), |packed, _| gzip(packed));
    let corpus = Workspace::new("deep").file(format!("a{}", ".gz".repeat(9)), packed);
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout("")
        .nothing_read(&format!("dedup: a{}: packed more than 8 times; unpack it first\n", ".gz".repeat(9)));
}
