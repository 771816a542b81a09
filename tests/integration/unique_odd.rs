//! `dedup unique` over what is stored in odd ways: what cannot be written again is named and refused, and nothing is lost.

use std::fs;

use ::tar::{Builder, EntryType, Header};

use crate::packing::{gzip, tar, unpacked};
use crate::support::*;

/// Runs `dedup unique -q a -o b` with more arguments; nothing is on stdout.
fn unique(workspace: &Workspace, args: &str, stderr: &str, exit_code: i32) {
    let args: Vec<&str> = ["unique", "-q"].into_iter().chain(args.split(' ')).collect();
    workspace.dedup(&args).stdout("").stderr(stderr).exit_code(exit_code);
}

fn number(workspace: &Workspace, key: &str) -> u64 {
    let summary: serde_json::Value = serde_json::from_str(&workspace.read("s.json")).unwrap();
    summary["unique"][key].as_u64().unwrap()
}

/// Adds a link.
fn link(archive: &mut Builder<Vec<u8>>, kind: EntryType, name: &str, target: &str) {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(0);
    archive.append_link(&mut header, name, target).unwrap();
}

#[test]
fn links_in_archives_go_with_their_documents_or_stay() {
    let record = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let archive = |first: &str, second: &str| {
        let mut archive = Builder::new(Vec::new());
        let content = record(first) + &record(second);
        let mut header = Header::new_gnu();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, "a.jsonl", content.as_bytes()).unwrap();
        link(&mut archive, EntryType::Link, "b.jsonl", "a.jsonl");
        link(&mut archive, EntryType::Symlink, "c", "a.jsonl");
        archive.into_inner().unwrap()
    };
    let names = |workspace: &Workspace, path: &str| -> Vec<String> {
        let mut archive = ::tar::Archive::new(fs::File::open(workspace.path(path)).unwrap());
        let name = |entry: ::tar::Entry<fs::File>| entry.path().unwrap().to_str().unwrap().to_owned();
        archive.entries().unwrap().map(|entry| name(entry.unwrap())).collect()
    };
    let workspace = Workspace::new("unique_tar_links").file("a.tar", archive(FOX, LOREM));
    let quiet = |workspace: &Workspace, args: &[&str], exit_code: i32, last: &str| {
        let look = |stderr: &str| assert!(stderr.ends_with(last), "{stderr}");
        workspace.dedup(&[&["unique", "-q"], args].concat()).stdout("").stderr_with(look).exit_code(exit_code);
    };
    // All records of the link are those of the file before it.
    quiet(&workspace, &["a.tar", "-o", "b.tar", "--summary", "s.json"], 0, "");
    assert_eq!(names(&workspace, "b.tar"), ["a.jsonl", "c"]);
    assert_eq!((number(&workspace, "removed"), number(&workspace, "skipped")), (2, 1));
    quiet(&workspace, &["a.tar", "-o", "c.tar", "--summary", "s.json", "--drop-skipped"], 0, "");
    assert_eq!((names(&workspace, "c.tar"), number(&workspace, "dropped")), (vec!["a.jsonl".to_owned()], 1));
    // A file goes whose link stays.
    let why = "dedup: a.tar: cannot be written without its duplicates (`b.jsonl` is a hard link to a member that is left \
               out); repair it, or exclude it\n";
    quiet(&workspace, &["a.tar", "-o", "d.tar", "--keep", "last"], 2, why);
    assert!(!workspace.path("d.tar").exists());
}

#[test]
fn a_file_that_is_damaged_behind_its_records_is_named() {
    let packed = gzip(tar(&[("a.txt", FOX.as_bytes()), ("b.txt", FOX.as_bytes())]));
    let damaged = &packed[..packed.len() - 6];
    let workspace = Workspace::new("unique_damaged_end").file("a.tar.gz", damaged);
    let look = |stderr: &str| {
        let last = stderr.lines().last().unwrap();
        assert!(last.starts_with("dedup: a.tar.gz: cannot be written without its duplicates ("), "{stderr}");
    };
    workspace.dedup(&["unique", "-q", "a.tar.gz", "-o", "b.tar.gz"]).stdout("").stderr_with(look).exit_code(2);
    assert_eq!(workspace.names(), ["a.tar.gz"]);
}

#[test]
fn the_list_of_removed_documents_never_costs_an_input() {
    let list = "{\"removed\":\"x\",\"kept\":\"y\",\"jaccard\":1.0,\"text\":\"a list of an earlier run\"}\n";
    let workspace =
        Workspace::new("unique_removed_list").file("in/a.txt", FOX).file("in/b.txt", FOX).file("in/l.jsonl", list);
    let workspace = workspace.file("l.jsonl", list);
    let taken = "dedup: l.jsonl: --removed would overwrite an input; choose another file\n";
    unique(&workspace, "in l.jsonl -o out --removed l.jsonl --force", taken, 2);
    // An older list that lies among the inputs is one of them.
    let inside = "dedup: in/l.jsonl: it is inside in, and one of them is an input; write to another place\n";
    unique(&workspace, "in -o out --removed in/l.jsonl --force", inside, 2);
    assert_eq!((workspace.read("in/l.jsonl"), workspace.path("out").exists()), (list.to_owned(), false));
    assert_eq!(workspace.read("l.jsonl"), list);
    unique(&workspace, "in -o out --removed l.jsonl --force", "", 0);
    let removed = "{\"removed\":\"in/b.txt\",\"kept\":\"in/a.txt\",\"jaccard\":1.0}\n";
    assert_eq!(workspace.read("l.jsonl"), removed);
    // A pipe is written to, and stays one.
    let workspace = Workspace::new("unique_removed_pipe").file("in/a.txt", FOX).file("in/b.txt", FOX).fifo("pipe");
    let script = "cat pipe & \"$D\" unique -q in -o out --removed pipe; wait; test -p pipe && echo yes";
    workspace.shell(script).stdout(&(removed.to_owned() + "yes\n")).stderr("").exit_code(0);
}

#[test]
fn the_name_says_the_compression() {
    let line = format!("{{\"text\":\"{FOX}\"}}\n");
    let lines = line.clone() + &line;
    let members = [("x.txt", FOX.as_bytes()), ("y.txt", FOX.as_bytes())];
    let workspace = Workspace::new("unique_compression")
        .file("a.jsonl", &lines)
        .file("a.jsonl.gz", gzip(&lines))
        .file("packed.jsonl", gzip(&lines))
        .file("one.jsonl", &line)
        .file("a.tgz", gzip(tar(&members)))
        .file("in/a.jsonl.gz", gzip(&lines));
    for (input, output) in [
        ("a.jsonl", "x.jsonl.gz"),
        ("a.jsonl", "x.jsonl.BZ2"),
        ("a.jsonl", "x.jsonl.xz"),
        ("a.jsonl", "x.jsonl.zst"),
        ("a.jsonl", "x.gz"),
        ("a.jsonl", "in/../x.jsonl.lzma"),
        ("a.jsonl.gz", "x.jsonl"),
        ("a.jsonl.gz", "x.jsonl.zst"),
        ("packed.jsonl", "x.jsonl"),
        // Nothing is removed, and the compression is another one all the same.
        ("one.jsonl", "x.jsonl.gz"),
        ("one.jsonl", "x.jsonl.zst --link"),
    ] {
        unique(&workspace, &format!("{input} -o {output}"), "", 0);
        let output = output.trim_end_matches(" --link");
        let bytes = fs::read(workspace.path(output)).unwrap();
        let ending = output.rfind('.').map(|dot| output[dot..].to_ascii_lowercase()).unwrap();
        let found = if ending == ".jsonl" { bytes } else { unpacked(&ending, &bytes) };
        assert_eq!(String::from_utf8(found).unwrap(), line, "{input} {output}");
        fs::remove_file(workspace.path(output)).unwrap();
    }
    unique(&workspace, "a.tgz -o x.tar", "", 0);
    assert_eq!(fs::read(workspace.path("x.tar")).unwrap()[..5], *b"x.txt");
    // A name without an extension says nothing.
    for args in ["a.tgz -o x.tar.gz", "a.jsonl.gz -o plain", "packed.jsonl -o y.gz"] {
        unique(&workspace, args, "", 0);
    }
    assert_eq!(unpacked(".gz", &fs::read(workspace.path("plain")).unwrap()), line.as_bytes());
    // A damaged file is not written with another compression.
    let damaged = &gzip(&lines)[..20];
    let workspace = workspace.file("damaged.jsonl.gz", damaged);
    let args = ["unique", "-q", "damaged.jsonl.gz", "-o", "x.jsonl"];
    workspace.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(2);
    assert!(!workspace.path("x.jsonl").exists());
}

#[test]
fn lists_are_refused_in_folders_that_are_inputs() {
    let workspace = Workspace::new("unique_lists").file("in/s/a.txt", FOX).file("in/b.txt", FOX).folder("other");
    let before = workspace.names();
    for (flag, place) in [("--removed", "in/r.jsonl"), ("--summary", "in/s/r.json"), ("--summary", "other/../in/r")] {
        let says = format!("dedup: {place}: it is inside in, and one of them is an input; write to another place\n");
        for args in [format!("in -o out {flag} {place}"), format!("other in -o out {flag} {place}")] {
            unique(&workspace, &args, &says, 2);
        }
        assert_eq!((workspace.names(), workspace.path(place).exists()), (before.clone(), false));
    }
    let says = "dedup: r.json: it is inside ., and one of them is an input; write to another place\n";
    unique(&workspace, ". -o ../tmp/out --summary r.json", says, 2);
    // A folder beside the input, or around it, is no input.
    unique(&workspace, "in -o out --removed in.jsonl --summary other/s.json", "", 0);
    unique(&workspace, "in/s -o out2 --summary in/s.json", "", 0);
}

#[test]
fn folders_of_the_output_have_the_modes_of_those_they_come_from() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::new("unique_modes")
        .file("in/a.txt", FOX)
        .file("in/closed/b.txt", LOREM)
        .file("in/closed/open/c.txt", "one more text")
        .file("in/fixed/d.txt", "and another one")
        .file("one/e.txt", "a last text of all");
    let modes = [("in", 0o700), ("in/closed", 0o750), ("in/closed/open", 0o775), ("in/fixed", 0o500), ("one", 0o711)];
    for (folder, mode) in modes {
        fs::set_permissions(workspace.path(folder), fs::Permissions::from_mode(mode)).unwrap();
    }
    let mode = |folder: &str| fs::metadata(workspace.path(folder)).unwrap().permissions().mode() & 0o7777;
    unique(&workspace, "in -o out", "", 0);
    unique(&workspace, "in one -o both", "", 0);
    for (folder, expected) in modes {
        assert_eq!(mode(&format!("both/{folder}")), expected, "{folder}");
        if let Some(inside) = folder.strip_prefix("in") {
            assert_eq!(mode(&format!("out{inside}")), expected, "{folder}");
        }
    }
    assert_eq!(workspace.read("both/in/fixed/d.txt"), "and another one");
    // So that the folders can be deleted.
    for folder in ["in/fixed", "out/fixed", "both/in/fixed"] {
        fs::set_permissions(workspace.path(folder), fs::Permissions::from_mode(0o700)).unwrap();
    }
}
