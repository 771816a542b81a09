//! Compressed files and archives, whole and damaged. Damage stands where it does not depend on the compressor.

use std::fs;
use std::io::{Cursor, Write};

use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use zip::write::SimpleFileOptions;

use super::Corpora;
use super::text::{LANGUAGES, text};
use crate::random::Random;

pub(super) fn add(corpora: &Corpora) {
    let text = |name: &str| fs::read(corpora.inputs().join(name)).expect("an example");
    let article = text("examples/corpus/news/ferry-agency.txt");
    let other = text("examples/corpus/news/clock-agency.txt");
    let table = text("examples/formats/articles.csv");
    let records = records();
    for (name, packed) in [
        ("a.txt.gz", gzip(&article)),
        ("b.txt.zst", zstd::encode_all(&*article, 1).expect("packed")),
        ("c.txt.bz2", bzip2(&article)),
        ("d.txt.xz", liblzma::encode_all(&*article, 1).expect("packed")),
        ("e.jsonl.gz", gzip(&records)),
        ("f.csv.zst", zstd::encode_all(&*table, 1).expect("packed")),
        ("g.html.gz", gzip(b"<p>Read &amp; learn<script>no</script>")),
        ("h.gz.xz", liblzma::encode_all(&*gzip(&article), 1).expect("packed")),
        ("parts.gz", [gzip(&article[..100]), gzip(&article[100..])].concat()),
    ] {
        corpora.write(format!("packed/{name}"), packed);
    }
    let inner = tar(&[("deep/article", &article)]);
    let members: [(&str, &[u8]); 8] = [
        ("./article.md", &article),
        ("other/clock.txt", &other),
        ("other/records.jsonl", &records),
        ("table.csv", &table),
        ("../outside.txt", &article),
        (".hidden.txt", &article),
        ("inner.tar", &inner),
        ("image.bin", b"\0\x01\x02"),
    ];
    corpora.write("archives/a.tar", tar(&members));
    corpora.write("archives/b.tgz", gzip(&tar(&members)));
    corpora.write("archives/c.zip", zip(&members));
    corpora.write("archives/twice.tar", tar(&[("x", &article), ("x", &article)]));

    // Stored, not compressed, so that a cut loses the same records whatever the compressor.
    let stored = stored(&records);
    corpora.write("broken/cut.jsonl.gz", &stored[..stored.len() * 2 / 3]);
    corpora.write("broken/cut.txt.gz", &self::stored(&article)[..1000]);
    let mut changed = stored.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    corpora.write("broken/checksum.jsonl.gz", changed);
    corpora.write("broken/never.gz", "this was never packed\n");
    corpora.write("broken/cut.zip", &text("examples/formats/wire.zip")[..1500]);
    corpora.write("broken/cut.tar", &tar(&members)[..2000]);
    corpora.write("broken/cut.jsonl.zst", &text("examples/formats/feed.jsonl.zst")[..900]);
    corpora.write("broken/cut.parquet", &text("examples/formats/evening.parquet")[..3000]);
    corpora.write("broken/empty.zip", "");
    corpora.write("broken/many.gz.gz.gz.gz.gz.gz.gz.gz.gz", (0..9).fold(article, |packed, _| gzip(&packed)));
}

/// Forty records, of which the last is a copy of the first.
fn records() -> Vec<u8> {
    let mut random = Random(7);
    let mut texts: Vec<String> = (0..39).map(|_| text(&mut random, &LANGUAGES[0], 40).concat()).collect();
    texts.push(texts[0].clone());
    let line = |(number, text)| format!("{}\n", json!({ "id": format!("p{number}"), "text": text }));
    texts.iter().enumerate().map(line).collect::<String>().into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    gzip_with(Compression::fast(), bytes)
}

fn stored(bytes: &[u8]) -> Vec<u8> {
    gzip_with(Compression::none(), bytes)
}

fn gzip_with(compression: Compression, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), compression);
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("packed")
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("packed")
}

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        // The name as it is: the library refuses those that lead out of a folder.
        header.as_gnu_mut().expect("a GNU header").name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, *content).expect("packed");
    }
    archive.into_inner().expect("packed")
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        archive.start_file(*name, SimpleFileOptions::default()).expect("packed");
        archive.write_all(content).expect("packed");
    }
    archive.finish().expect("packed").into_inner()
}
