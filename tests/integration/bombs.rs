//! Small files that unpack to very much: they are stopped, named, and fill neither memory nor disk.

use std::io::Write;

use crate::packing::{gzip, tar, zip};
use crate::support::*;

/// An entry of tar with this type.
fn entry(kind: u8, name: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = tar(&[(name, content)]);
    archive.truncate(512 + content.len().next_multiple_of(512));
    let header: &mut [u8; 512] = archive.first_chunk_mut().unwrap();
    let mut changed = tar::Header::new_gnu();
    changed.as_mut_bytes().copy_from_slice(header);
    changed.set_entry_type(tar::EntryType::new(kind));
    changed.set_cksum();
    header.copy_from_slice(changed.as_bytes());
    archive
}

/// A tar archive, packed, whose member `long` has a name or attributes of 1 GiB.
fn long_header(kind: u8) -> Vec<u8> {
    let mut header = entry(kind, "././@LongLink", b"");
    let mut changed = tar::Header::new_gnu();
    changed.as_mut_bytes().copy_from_slice(&header);
    changed.set_size(1 << 30);
    changed.set_cksum();
    header.copy_from_slice(changed.as_bytes());
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&tar(&[("a", FOX.as_bytes())])[..1024]).unwrap();
    encoder.write_all(&header).unwrap();
    (0..1024).for_each(|_| encoder.write_all(&[b'x'; 1 << 20]).unwrap());
    encoder.write_all(&entry(b'0', "long", FOX.as_bytes())).unwrap();
    encoder.write_all(&tar(&[("z", FOX.as_bytes())])).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn long_names_in_tar_fill_no_memory() {
    for (kind, what) in [(b'L', "name"), (b'K', "name"), (b'x', "list of attributes")] {
        let corpus = Workspace::new("bomb_names").file("b.tar.gz", long_header(kind));
        let message =
            format!("dedup: b.tar.gz!long: its {what} has 1GiB, more than 64KiB; skipped (unpack it first)\n");
        let args = ["scan", "-q", "b.tar.gz", "--collapse-exact", "--threads", "1", "--max-unpacked", "2GiB"];
        let run = corpus.dedup_limited("-v 700000", &args);
        run.stdout(&copies("b.tar.gz!a", "b.tar.gz!z", 36)).stderr(&message).exit_code(3);
    }
}

#[test]
fn names_and_attributes_that_are_allowed_keep_the_archive_in_step() {
    let name = "n".repeat(60_000);
    // The header says 0 bytes; the attributes say how many there are.
    let mut sized = entry(b'0', "sized", FOX.as_bytes());
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes().copy_from_slice(&sized[..512]);
    header.set_size(0);
    header.set_cksum();
    sized[..512].copy_from_slice(header.as_bytes());
    let archive = [
        entry(b'L', "././@LongLink", name.as_bytes()),
        entry(b'0', "short", FOX.as_bytes()),
        entry(b'x', "attributes", b"11 size=44\n"),
        sized,
        entry(b'L', "././@LongLink", &[b'x'; (64 << 10) + 1]),
        entry(b'0', "long", FOX.as_bytes()),
        tar(&[("z", CAT.as_bytes())]),
    ]
    .concat();
    let corpus = Workspace::new("bomb_step").file("b.tar", archive);
    let args = ["scan", "-q", "b.tar", "--collapse-exact", "--threshold", "0.99"];
    let message = "dedup: b.tar!long: its name has 65537 bytes, more than 64KiB; skipped (unpack it first)\n";
    corpus.dedup(&args).stdout(&copies(&format!("b.tar!{name}"), "b.tar!sized", 36)).stderr(message).exit_code(3);
}

#[test]
fn what_is_packed_in_something_packed_counts_for_the_file() {
    let zeros = vec![b'x'; 8 << 20];
    let inner = zip(&[("x.txt", &zeros)], zip::CompressionMethod::Deflated);
    let members: Vec<_> = (0..20).map(|number| format!("{number:02}.zip")).collect();
    let members: Vec<_> = members.iter().map(|name| (name.as_str(), inner.as_slice())).collect();
    let records = format!("{{\"text\":{FOX:?}}}\n").repeat(2) + &"x".repeat(30 << 20);
    let corpus = Workspace::new("bomb_nested")
        .file("a.zip", zip(&members, zip::CompressionMethod::Deflated))
        .file("b.tar.gz", gzip(tar(&members)))
        .file("c.jsonl.gz", gzip(gzip(records)));
    for (name, shown) in [("a.zip", "a.zip!01.zip!x.txt"), ("b.tar.gz", "b.tar.gz!01.zip!x.txt")] {
        let args = ["scan", "-q", name, "--max-unpacked", "10MiB"];
        corpus.dedup(&args).stdout_with(|_| ()).stderr_with(|stderr| {
            let message = format!(
                "dedup: {shown}: the file unpacks to more than 10MiB; the rest of it is skipped (--max-unpacked SIZE reads \
                 more)\n"
            );
            assert!(stderr.starts_with(&message), "{stderr}");
            assert_eq!(stderr.matches("unpacks to more").count(), 1, "{stderr}");
        }).exit_code(3);
    }
    let args = ["scan", "-q", "c.jsonl.gz", "--collapse-exact", "--max-unpacked", "1MiB"];
    let message = "dedup: c.jsonl.gz: the file unpacks to more than 1MiB; the rest of it is skipped (--max-unpacked SIZE reads \
                   more)\n";
    corpus.dedup(&args).stdout(&copies("c.jsonl.gz:1", "c.jsonl.gz:2", 36)).stderr(message).exit_code(3);
}

#[test]
fn members_of_a_zip_that_share_bytes_are_skipped() {
    let archive =
        zip(&[("a", FOX.as_bytes()), ("b", FOX.as_bytes()), ("c", FOX.as_bytes())], zip::CompressionMethod::Stored);
    // The directory says of `c` that it is where `a` is, and so is called in the header there.
    let last = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    let mut shared = archive.clone();
    shared[last + 42..last + 46].fill(0);
    let corpus = Workspace::new("bomb_overlap").file("a.zip", shared).file("b.zip", archive);
    let message = "dedup: a.zip!c: its bytes are also those of another member; skipped (unpack it first if you trust the \
                   archive)\n";
    let args = ["scan", "-q", "a.zip", "--collapse-exact"];
    corpus.dedup(&args).stdout(&copies("a.zip!a", "a.zip!b", 36)).stderr(message).exit_code(3);
    corpus.dedup(&["scan", "-q", "b.zip", "--top", "1"]).stdout_with(|_| ()).stderr("").exit_code(0);
}

#[test]
fn a_compressed_file_under_the_name_of_a_text_is_bounded() {
    let corpus =
        Workspace::new("bomb_text").file("a.md", gzip(" ".repeat(3 << 20))).file("b.md", gzip(FOX)).file("c.md", FOX);
    let args = ["scan", "-q", "a.md", "b.md", "c.md", "--max-unpacked", "1MiB"];
    let message = "dedup: a.md: the file unpacks to more than 1MiB; it is skipped (--max-unpacked SIZE reads more)\n";
    corpus.dedup(&args).stdout(&copies("b.md", "c.md", 36)).stderr(message).exit_code(3);
}

#[test]
fn unique_removes_nothing_of_a_file_that_it_does_not_read_to_its_end() {
    let records = format!("{{\"text\":{FOX:?}}}\n").repeat(2) + &"x".repeat(3 << 20);
    let corpus = Workspace::new("bomb_unique").file("c.jsonl.gz", gzip(records));
    let args = ["unique", "-q", "c.jsonl.gz", "-o", "d.jsonl.gz", "--max-unpacked", "1MiB"];
    corpus.dedup(&args).stdout("").stderr_with_line("dedup: c.jsonl.gz: the file unpacks to more than 1MiB; the rest of it is skipped (--max-unpacked SIZE reads more)").exit_code(2);
    assert!(!corpus.path("d.jsonl.gz").exists());
}

#[test]
fn a_found_settings_file_cannot_lift_the_limit() {
    let corpus =
        Workspace::new("bomb_config").file("dedup.toml", "max-unpacked = \"1EiB\"\n").file("a", FOX).file("b", FOX);
    corpus
        .dedup(&["scan", ".", "--collapse-exact"])
        .stdout_with(|_| ())
        .stderr_with(|stderr| {
            let start =
                "dedup: warning: dedup.toml:1: max-unpacked lets archives fill the disk, so it is only read from a file";
            assert!(stderr.starts_with(start), "{stderr}");
        })
        .exit_code(0);
}
