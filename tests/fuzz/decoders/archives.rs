//! Archives whose members have names of every kind.

use std::io::Write;

use dedup_scan::InputSettings;

use super::{Files, text, unmarked};
use crate::random::Random;

pub(crate) fn names(seed: u64) -> Result<(), String> {
    let random = &mut Random(seed);
    let mut files = Files::new();
    for file in 0..3 {
        let members: Vec<(String, String)> =
            (0..random.below(12)).map(|number| (name(number, random), text(random, 8))).collect();
        let is_tar = random.percent(50);
        let bytes = if is_tar { tar_of(&members) } else { zip_of(&members) };
        let expected = members.into_iter().filter(|(name, _)| !is_hidden(name)).map(|(name, text)| {
            let mut name = name.as_str();
            while let Some(rest) = name.strip_prefix("./") {
                name = rest;
            }
            (format!("!{name}"), Some(unmarked(&text)))
        });
        files.add(&format!("{file}.{}", if is_tar { "tar" } else { "zip" }), &bytes, expected);
    }
    files.check(&InputSettings::default())
}

/// A name that ends in its number, so that no two are equal.
fn name(number: usize, random: &mut Random) -> String {
    const PARTS: [&str; 16] =
        ["a", "b c", "..", ".", ".git", "...", "é", "文", "a!b", "a:1", "-x", "\u{1}", "x\ny", "C:", "\u{202E}gnp", ""];
    let mut name = String::from(random.pick(&["", "", "", "./", "././", "/", "../../"]));
    for _ in 0..random.below(4) {
        name.push_str(random.pick(&PARTS));
        name.push('/');
    }
    if random.percent(10) {
        name.push_str(&"long/".repeat(40));
    }
    name.push_str(random.pick(&["", "", "", ".", "x "]));
    name.push_str(&format!("{number}.txt"));
    name
}

fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.') && part != "." && part != "..")
}

/// Names go in as they are, longer ones by GNU's extension.
fn tar_of(members: &[(String, String)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    let header = |name: &[u8], kind: tar::EntryType, size: usize| {
        let mut header = tar::Header::new_gnu();
        let field = &mut header.as_old_mut().name;
        let len = name.len().min(field.len());
        field[..len].copy_from_slice(&name[..len]);
        header.set_entry_type(kind);
        header.set_size(size as u64);
        header.set_cksum();
        header
    };
    for (name, text) in members {
        if name.len() > 100 {
            let long = [name.as_bytes(), b"\0"].concat();
            let header = header(b"././@LongLink", tar::EntryType::GNULongName, long.len());
            tar.append(&header, long.as_slice()).expect("memory takes all");
        }
        let header = header(name.as_bytes(), tar::EntryType::Regular, text.len());
        tar.append(&header, text.as_bytes()).expect("memory takes all");
    }
    tar.into_inner().expect("memory takes all")
}

fn zip_of(members: &[(String, String)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in members {
        zip.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).expect("a new name");
        zip.write_all(text.as_bytes()).expect("memory takes all");
    }
    zip.finish().expect("memory takes all").into_inner()
}
