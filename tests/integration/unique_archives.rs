//! `dedup unique`: archives without members, or with members of fewer records.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;

use crate::packing::{packed, tar, unpacked, zip};
use crate::support::*;
use crate::unique::unique;

#[test]
fn members_of_archives_stay_as_they_are_packed() {
    let lines = format!("{{\"text\":\"{FOX}\"}}\n{{\"text\":\"of another kind altogether, that is alone\"}}\n");
    let inner = zip(&[("x.txt", LOREM.as_bytes()), ("y.txt", FOX.as_bytes())], Default::default());
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
        .file("z.zip", zip(&members, Default::default()))
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
    for (file, bytes) in
        [("u.tgz", packed(".gz", &tar(&fox))), ("u.tar", tar(&fox)), ("u.zip", zip(&fox, Default::default()))]
    {
        let corpus = Workspace::new("unique_archives").file(format!("in/{file}"), &bytes).file("in/v.txt", FOX);
        unique(&corpus, &["in", "-o", "out"], 0);
        assert_eq!(fs::read(corpus.path(format!("out/{file}"))).unwrap(), bytes, "{file}");
    }
}

/// A member of a zip as it is to be stored.
struct Stored {
    name: &'static str,
    method: u16,
    flags: u16,
    data: Vec<u8>,
    content: Vec<u8>,
}

/// Times to the second: the field that Info-ZIP calls `UT`.
const TIMES: [u8; 9] = [b'U', b'T', 5, 0, 1, 0x11, 0x22, 0x33, 0x44];

impl Stored {
    fn new(name: &'static str, flags: u16, content: &str) -> Self {
        Self { name, method: 0, flags, data: content.into(), content: content.into() }
    }

    /// The fields that a header and a line of the directory share.
    fn fields(&self) -> Vec<u8> {
        let sum = {
            let mut sum = flate2::Crc::new();
            sum.update(&self.content);
            sum.sum()
        };
        // With lengths behind the data there are none before it.
        let mut fields = Vec::new();
        [20, self.flags, self.method, 0x5C8B, 0x58E3]
            .iter()
            .for_each(|number| fields.extend_from_slice(&number.to_le_bytes()));
        [sum, self.data.len() as u32, self.content.len() as u32]
            .iter()
            .for_each(|number| fields.extend_from_slice(&number.to_le_bytes()));
        [self.name.len() as u16, TIMES.len() as u16]
            .iter()
            .for_each(|number| fields.extend_from_slice(&number.to_le_bytes()));
        fields
    }

    fn local(&self) -> Vec<u8> {
        let mut fields = self.fields();
        let lengths = fields[10..22].to_vec();
        let is_behind = self.flags & 8 != 0;
        if is_behind {
            fields[10..22].fill(0);
        }
        let behind = if is_behind { [b"PK\x07\x08", lengths.as_slice()].concat() } else { Vec::new() };
        [b"PK\x03\x04", fields.as_slice(), self.name.as_bytes(), &TIMES, &self.data, &behind].concat()
    }

    /// Its line of the directory, with this place.
    fn line(&self, place: usize) -> Vec<u8> {
        let head = [b"PK\x01\x02\x1E\x03", self.fields().as_slice()].concat();
        let note = b"noted";
        let tail = [&[note.len() as u8, 0, 0, 0, 0, 0, 0, 0, 0xA4, 0x81][..], &(place as u32).to_le_bytes()].concat();
        [&head, tail.as_slice(), self.name.as_bytes(), &TIMES, note].concat()
    }
}

/// An archive with something before it.
fn stored_zip(before: &[u8], members: &[&Stored]) -> Vec<u8> {
    let (mut archive, mut lines) = (Vec::new(), Vec::new());
    for member in members {
        lines.extend(member.line(archive.len()));
        archive.extend(member.local());
    }
    let (place, num) = (archive.len() as u32, members.len() as u8);
    let numbers =
        [&[0, 0, 0, 0, num, 0, num, 0][..], &(lines.len() as u32).to_le_bytes(), &place.to_le_bytes()].concat();
    [before, &archive, &lines, b"PK\x05\x06", &numbers, &[7, 0], b"comment"].concat()
}

#[test]
fn what_stays_of_a_zip_has_its_very_bytes() {
    let deflated = |content: &str| {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut encoder, content.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let (gone, stays) =
        (format!("{{\"text\":\"{FOX}\"}}\n"), "{\"text\":\"of another kind altogether, that is alone\"}\n");
    let lines = gone + stays;
    let fox = Stored::new("a.txt", 0, FOX);
    let secret =
        Stored { method: 8, flags: 1, data: b"no one can read it".to_vec(), ..Stored::new("secret.txt", 0, FOX) };
    let lzma = Stored { method: 14, data: b"of a strange kind".to_vec(), ..Stored::new("lzma.txt", 0, FOX) };
    let twin = Stored { method: 8, data: deflated(LOREM), ..Stored::new("twin.txt", 8, LOREM) };
    let other_twin = Stored::new("twin.txt", 8, FOX);
    let records = Stored { method: 8, data: deflated(&lines), ..Stored::new("d.jsonl", 8, &lines) };
    let last = Stored::new("z.txt", 0x808, "and something else that nobody else has said");
    for before in ["", "#!/bin/sh\nexec unzip \"$0\"\n"] {
        let members = [&fox, &secret, &lzma, &twin, &other_twin, &last];
        let corpus = Workspace::new("unique_zip_bytes").file("a.zip", stored_zip(before.as_bytes(), &members));
        unique(&corpus, &["a.zip", "-o", "b.zip"], 3);
        let expected = stored_zip(before.as_bytes(), &[&fox, &secret, &lzma, &twin, &last]);
        assert!(fs::read(corpus.path("b.zip")).unwrap() == expected, "{before}");
        unique(&corpus, &["a.zip", "-o", "c.zip", "--drop-skipped", "--keep", "last"], 3);
        let expected = stored_zip(before.as_bytes(), &[&twin, &other_twin, &last]);
        assert!(fs::read(corpus.path("c.zip")).unwrap() == expected, "{before}");
        // A member of fewer records keeps its name, times and note; its lengths stand in its header.
        let members = [&fox, &records, &secret, &last];
        let corpus = Workspace::new("unique_zip_records").file("a.zip", stored_zip(before.as_bytes(), &members));
        unique(&corpus, &["a.zip", "-o", "b.zip"], 3);
        let found = fs::read(corpus.path("b.zip")).unwrap();
        let mut archive = ::zip::ZipArchive::new(std::io::Cursor::new(&found)).unwrap();
        let data = {
            let mut text = String::new();
            let mut member = archive.by_name("d.jsonl").unwrap();
            member.read_to_string(&mut text).unwrap();
            assert_eq!(text, stays);
            let start = member.data_start().unwrap() as usize;
            found[start..start + member.compressed_size() as usize].to_vec()
        };
        let fewer = Stored { method: 8, data, ..Stored::new("d.jsonl", 0, stays) };
        assert!(found == stored_zip(before.as_bytes(), &[&fox, &fewer, &secret, &last]), "{before}");
    }
}

#[test]
fn members_that_overlap_are_not_written_again() {
    let members = [&Stored::new("a.txt", 0, FOX), &Stored::new("b.txt", 0, FOX), &Stored::new("c.txt", 0, FOX)];
    let mut archive = stored_zip(b"", &members);
    // The second member says that it goes on into the third.
    let line = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap() - members[1].line(0).len();
    for at in [line + 20, line + 24] {
        archive[at] += 8;
    }
    let corpus = Workspace::new("unique_zip_overlap").file("a.zip", archive);
    let says = |stderr: &str| {
        assert!(stderr.contains("cannot be written without its duplicates (its members overlap)"), "{stderr}")
    };
    corpus.dedup(&["unique", "-q", "a.zip", "-o", "b.zip"]).stdout("").stderr_with(says).exit_code(2);
    assert_eq!(corpus.names(), ["a.zip"]);
}
