//! zip: members in the order of the directory at its end, so that it takes a file that can be read at any place.

use zip::ZipArchive;
use zip::result::ZipError;

use super::super::unpack::{Bytes, Content, Unpacker, shown};
use crate::error::{Problem, Reason};

pub(in crate::input) fn read(out: &mut Unpacker, content: Content, bytes: Bytes) {
    let Some(file) = out.seekable(content, bytes) else { return };
    let mut archive = match ZipArchive::new(std::io::BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) => return out.damaged(content, &error, "skipped"),
    };
    for index in 0..archive.len() {
        if !out.is_open() {
            return;
        }
        let (name, encrypted, is_folder, is_link) = match archive.by_index_data(index) {
            Ok(entry) => (name(&entry), entry.encrypted(), entry.is_dir(), entry.is_symlink()),
            Err(error) => {
                out.damaged(content, &error, "a member is skipped");
                continue;
            }
        };
        let Some(member) = super::wanted(out, &name).filter(|_| !is_folder) else { continue };
        if is_link {
            super::link(out, content, &member);
            continue;
        }
        let place = || String::from_utf8_lossy(&content.member_name(&member)).into_owned();
        if encrypted {
            let detail = "encrypted; decrypt it or leave it out";
            out.problem(Problem::error(place(), Reason::Unreadable, detail));
            continue;
        }
        match archive.by_index(index) {
            Ok(mut entry) => out.member(content, &member, Bytes::Stream(&mut entry)),
            Err(ZipError::UnsupportedArchive(what)) => {
                let detail = format!("packed in a way that is not supported ({what}); unpack it first");
                out.problem(Problem::error(place(), Reason::Unreadable, detail));
            }
            Err(error) => {
                let detail = format!("damaged or cut short ({}); skipped", shown(&error));
                out.problem(Problem::error(place(), Reason::Damaged, detail));
            }
        }
    }
}

/// The name's bytes when they are UTF-8, else as the code page of old archives has it.
fn name(entry: &zip::read::ZipFileEntry<'_>) -> Vec<u8> {
    let raw = entry.name_raw();
    match (std::str::from_utf8(raw), entry.name()) {
        (Err(_), Ok(name)) => name.into_owned().into_bytes(),
        _ => raw.to_vec(),
    }
}
