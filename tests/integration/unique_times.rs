//! `--keep newest` and `oldest`: by the times of files, and of the members of archives.

use std::fs;
use std::io::Write;
use std::time::{Duration, SystemTime};

use ::zip::DateTime;
use ::zip::write::{FullFileOptions, SimpleFileOptions};

use crate::support::*;

/// A tar whose members have these times, by the header or by an extended header.
fn tar_with_times(members: &[(&str, &str, u64)], extended: &str) -> Vec<u8> {
    let mut archive = ::tar::Builder::new(Vec::new());
    for (name, text, time) in members {
        if *time == 0 && !extended.is_empty() {
            archive.append_pax_extensions([("mtime", extended.as_bytes())]).unwrap();
        }
        let mut header = ::tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mtime(*time);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

/// A zip with a member that has a local time, and one that also has a time in UTC.
fn zip_with_times(local: (&str, DateTime), utc: (&str, DateTime, i32)) -> Vec<u8> {
    let mut archive = ::zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(local.0, SimpleFileOptions::default().last_modified_time(local.1)).unwrap();
    archive.write_all(FOX.as_bytes()).unwrap();
    let mut options = FullFileOptions::default().last_modified_time(utc.1);
    let field = [&[1], utc.2.to_le_bytes().as_slice()].concat();
    options.add_extra_field(0x5455, field, true).unwrap();
    archive.start_file(utc.0, options).unwrap();
    archive.write_all(FOX.as_bytes()).unwrap();
    archive.finish().unwrap().into_inner()
}

/// Sets the time of a file, in seconds since 1970.
fn touch(workspace: &Workspace, file: &str, seconds: u64) {
    let file = fs::File::options().write(true).open(workspace.path(file)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
}

/// The documents that are kept of the only group.
fn kept(workspace: &Workspace, keep: &str, args: &[&str]) -> String {
    let mut kept = Vec::new();
    let args = [&["unique", "-q", "-n", "--removed", "-", "--keep", keep], args].concat();
    let look = |stdout: &str| {
        for line in stdout.lines() {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            kept.push(record["kept"].as_str().unwrap().to_owned());
        }
    };
    workspace.dedup(&args).stdout_with(look).stderr_with(|_| ()).exit_code(0);
    kept.dedup();
    kept.join(" ")
}

#[test]
fn members_of_archives_have_times_of_their_own() {
    let inner = tar_with_times(&[("deep.txt", FOX, 500)], "");
    let inner = String::from_utf8(inner).unwrap();
    let day = |day| DateTime::from_date_and_time(2001, 9, day, 1, 46, 40).unwrap();
    let workspace = Workspace::new("unique_times")
        .file("plain.txt", FOX)
        .file(
            "a.tar",
            tar_with_times(&[("old.txt", FOX, 100), ("new.txt", FOX, 1_400_000_000), ("in.tar", &inner, 7)], ""),
        )
        .file("pax.tar", tar_with_times(&[("none.txt", FOX, 0)], "1400000000.5"))
        .file("z.zip", zip_with_times(("local.txt", day(9)), ("utc.txt", day(10), 40)))
        .file("r.tar", tar_with_times(&[("r.jsonl", &format!("{{\"id\":\"r\",\"text\":\"{FOX}\"}}\n"), 30)], ""))
        .file("n.tar", tar_with_times(&[("none.txt", FOX, 0)], ""));
    for file in ["a.tar", "pax.tar", "z.zip", "r.tar"] {
        touch(&workspace, file, 1_600_000_000);
    }
    // 2001-09-09T01:46:40Z
    touch(&workspace, "plain.txt", 1_000_000_000);
    touch(&workspace, "n.tar", 200);
    let newest = |args: &[&str]| (kept(&workspace, "newest", args), kept(&workspace, "oldest", args));
    let pair = |newest: &str, oldest: &str| (newest.to_owned(), oldest.to_owned());
    assert_eq!(newest(&["plain.txt", "a.tar"]), pair("a.tar!new.txt", "a.tar!old.txt"));
    assert_eq!(newest(&["a.tar", "pax.tar"]), pair("pax.tar!none.txt", "a.tar!old.txt"));
    assert_eq!(newest(&["z.zip", "a.tar"]), pair("a.tar!new.txt", "z.zip!utc.txt"));
    // The local time counts as UTC, so that these are equal and the first is kept.
    assert_eq!(newest(&["plain.txt", "z.zip"]), pair("plain.txt", "z.zip!utc.txt"));
    assert_eq!(newest(&["z.zip", "plain.txt"]).0, "z.zip!local.txt");
    // A record has the time of its member, and a member without a time has the time of the archive.
    assert_eq!(newest(&["n.tar", "r.tar"]), pair("n.tar!none.txt", "r"));
    assert_eq!(newest(&["n.tar", "plain.txt"]), pair("plain.txt", "n.tar!none.txt"));

    // A saved result asks for the same.
    let all = ["plain.txt", "a.tar", "pax.tar", "z.zip", "n.tar", "r.tar"];
    workspace
        .dedup(&[&["scan", "-q", "--save", "r"][..], &all].concat())
        .stdout_with(|_| ())
        .stderr_with(|_| ())
        .exit_code(0);
    for (keep, expected) in [("newest", "pax.tar!none.txt"), ("oldest", "r")] {
        assert_eq!(kept(&workspace, keep, &all), expected, "{keep}");
        assert_eq!(kept(&workspace, keep, &[&["--from", "r"][..], &all].concat()), expected, "{keep}");
    }
    let args = ["scan", "-q", "plain.txt", "n.tar", "--save", "p"];
    workspace.dedup(&args).stdout_with(|_| ()).stderr_with(|_| ()).exit_code(0);
    for (keep, left) in [("newest", "n.tar!none.txt: it is"), ("oldest", "plain.txt: the file that is kept is")] {
        workspace
            .dedup(&["plan", "-q", "--from", "p", "--keep", keep])
            .stdout_with(|_| ())
            .stderr(&format!(
                "dedup: {left} a record or a member of an archive, not a file; not in the plan, use dedup unique\n"
            ))
            .exit_code(0);
    }
}
