//! `dedup unique`: where the output goes, what it keeps of folders, and what ends a run without one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::packing::packed;
use crate::support::*;
use crate::unique::unique;

#[test]
fn a_folder_keeps_its_tree_and_what_the_flags_leave_out_is_no_part_of_it() {
    let corpus = Workspace::new("unique_tree")
        .file("in/a/one.txt", FOX)
        .file("in/a!b", LOREM)
        .file("in/a/.hidden", "x")
        .file("in/b/two.txt", FOX)
        .file("in/c/-rf \n.txt", "something else entirely, and longer than that")
        .file("in/c/skip.log", "x");
    let other = "in/c/\u{1F980}.txt";
    let corpus = corpus.file(other, "of a crab that walks on the sand at night");
    unique(&corpus, &["in", "--exclude", "*.log", "-o", "out"], 0);
    let files: Vec<String> = walkdir::WalkDir::new(corpus.path("out"))
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(corpus.path("out")).unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(files, ["a/one.txt", "a!b", "c/-rf \n.txt", "c/\u{1F980}.txt"]);
    assert_eq!(corpus.read("out/a/one.txt"), FOX);
    let inode = |path: &str| fs::metadata(corpus.path(path)).unwrap().ino();
    assert_ne!(inode("in/a/one.txt"), inode("out/a/one.txt"));
    assert_eq!(
        fs::metadata(corpus.path("in/a!b")).unwrap().mtime(),
        fs::metadata(corpus.path("out/a!b")).unwrap().mtime()
    );
    unique(&corpus, &["in", "-o", "linked", "--link", "--hidden"], 0);
    assert_eq!(inode("in/a/one.txt"), inode("linked/a/one.txt"));
    assert_eq!(corpus.read("linked/a/.hidden"), "x");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_written_as_they_are() {
    use std::os::unix::ffi::OsStrExt;
    let corpus = Workspace::new("unique_names").file("in/a", FOX);
    let strange = std::ffi::OsStr::from_bytes(b"\xFF\xFE.txt");
    fs::write(corpus.path("in").join(strange), LOREM).unwrap();
    fs::write(corpus.path("in").join(std::ffi::OsStr::from_bytes(b"\xFF")), LOREM).unwrap();
    unique(&corpus, &["in", "-o", "out", "--keep", "last"], 0);
    assert_eq!(fs::read(corpus.path("out").join(strange)).unwrap(), LOREM.as_bytes());
    assert_eq!(fs::read_dir(corpus.path("out")).unwrap().count(), 2);
}

#[test]
fn an_output_that_could_cost_an_input_is_refused() {
    let corpus = Workspace::new("unique_refused")
        .file("in/a.txt", FOX)
        .file("in/b.txt", FOX)
        .file("x/in/c.txt", LOREM)
        .file("there", "x")
        .folder("full")
        .file("full/y", "y")
        .file("a.jsonl", "{\"text\":\"x\"}\n")
        .folder("empty")
        .link("to-full", "full")
        .link("to-in", "in");
    let refused = |args: &[&str], message: &str| {
        let args = [&["unique", "-q"], args].concat();
        corpus.dedup(&args).stdout("").stderr(&format!("dedup: {message}\n")).exit_code(2);
    };
    let there = "already exists; choose another --output, or give --force to replace it";
    refused(&["in", "-o", "there"], &format!("there: {there}"));
    refused(&["in", "-o", "full"], &format!("full: {there}"));
    refused(
        &["in", "-o", "in/out", "--force"],
        "in/out: it is inside in, and one of them is an input; write to another place",
    );
    refused(
        &["in", "-o", "to-in/out"],
        "to-in/out: it is inside in, and one of them is an input; write to another place",
    );
    refused(
        &["x/in", "-o", "x", "--force"],
        "x/in: it is inside x, and one of them is an input; write to another place",
    );
    refused(&["a.jsonl", "-o", "a.jsonl", "--force"], "a.jsonl: it is an input; write to another place");
    refused(
        &["in", "x/in", "-o", "new"],
        "x/in: another input has this name in the output; rename one of them, or write them one by one",
    );
    refused(
        &["in", "-o", "new/deeper"],
        "new/deeper: cannot write the clean corpus: No such file or directory; nothing was written",
    );
    // A place that takes no file is found before the inputs are read.
    #[cfg(target_os = "linux")]
    corpus
        .dedup(&["unique", "-q", "none", "-o", "/proc/out"])
        .stdout("")
        .stderr_with(|stderr| {
            assert!(stderr.starts_with("dedup: /proc/out: cannot write the clean corpus: "), "{stderr}")
        })
        .exit_code(2);
    refused(
        &["in", "-o", "there", "--force"],
        "there: cannot write the clean corpus: not a directory; nothing was written",
    );
    refused(
        &["-", "-o", "new"],
        "-: standard input, pipes and devices cannot be read a second time to be written without duplicates; save it as a file first",
    );
    refused(&["in", "-n", "--removed", "r"], "--removed: --dry-run writes no file; give --removed - to print the list");
    refused(
        &["a.jsonl", "-o", "new", "--keep", "max:score"],
        "--keep: no record has a value in the field `score`; check its name",
    );
    for (flags, message) in [
        ("-o x2 --removed x2", "x2: --removed would overwrite what the clean corpus goes to"),
        ("-o x2 --summary ./x2", "./x2: --summary would overwrite what the clean corpus goes to"),
        (
            "-o x2 --removed r --summary in/../r",
            "in/../r: --summary would overwrite what the list of removed documents goes to",
        ),
    ] {
        let args: Vec<&str> = ["a.jsonl"].into_iter().chain(flags.split(' ')).collect();
        refused(&args, &format!("{message}; choose another file"));
    }
    let full = "is a folder that is not empty, which is never replaced; choose another output, or delete it first";
    refused(&["in", "-o", "full", "--force"], &format!("full: {full}"));
    refused(&["in", "-o", "to-full", "--force"], &format!("to-full: {full}"));
    let before = ["a.jsonl", "empty", "full", "in", "there", "to-full", "to-in", "x"];
    assert_eq!(corpus.names(), before);
    assert_eq!(corpus.read("full/y"), "y");
    unique(&corpus, &["in", "-o", "empty", "--force"], 0);
    assert_eq!(corpus.read("empty/a.txt"), FOX);
    unique(&corpus, &["a.jsonl", "-o", "there", "--force", "--removed", "list"], 0);
    assert_eq!((corpus.read("there"), corpus.read("list")), (corpus.read("a.jsonl"), String::new()));
    assert_eq!(corpus.names(), ["a.jsonl", "empty", "full", "in", "list", "there", "to-full", "to-in", "x"]);
    unique(&corpus, &["in", "a.jsonl", "x", "-o", "several"], 0);
    assert!(corpus.path("several/in/a.txt").exists() && corpus.path("several/x/in/c.txt").exists());
    assert_eq!(corpus.read("several/a.jsonl"), corpus.read("a.jsonl"));
}

#[test]
fn what_cannot_be_read_is_named_and_what_changes_ends_the_run() {
    let corpus = Workspace::new("unique_unreadable").file("in/a.txt", FOX).file("in/no.txt", FOX);
    // Permissions do not bind every user.
    let names: &[&str] = if corpus.forbid("in/no.txt") {
        let says = "dedup: in/no.txt: permission denied; change its permissions or exclude it\n";
        corpus.dedup(&["unique", "-q", "in", "-o", "out"]).stdout("").stderr(says).exit_code(3);
        &["in", "out"]
    } else {
        &["in"]
    };
    assert_eq!(corpus.names(), names);
    for change in ["echo more >> in/a.txt", "rm in/b.txt", "echo new > in/d.txt", "mv in/a.txt in/e.txt"] {
        let corpus = Workspace::new("unique_changes").file("in/a.txt", FOX).file("in/b.txt", FOX).file("in/c.f", LOREM);
        let filter = format!("f=cat; {change}");
        let args = ["unique", "-q", "in", "-o", "out", "--filter", &filter];
        let says = |stderr: &str| {
            assert!(stderr.contains("changed during the run; nothing was written, run again"), "{stderr}")
        };
        corpus.dedup(&args).stdout("").stderr_with(says).exit_code(2);
        assert_eq!(corpus.names(), ["in"], "{change}");
    }
}

#[test]
fn a_damaged_file_stays_as_it_is_unless_something_in_it_is_to_go() {
    let line = |text: &str| format!("{{\"text\":\"{text}\"}}\n");
    let many: String = (0..2000)
        .map(|number| line(&format!("{LOREM} {number} of many more words {}", number * 7919 % 1000)))
        .collect();
    let mut cut = packed(".gz", many.as_bytes());
    cut.truncate(cut.len() / 2);
    let corpus = Workspace::new("unique_damaged").file("in/a.jsonl.gz", &cut).file("in/b.txt", FOX);
    unique(&corpus, &["in", "-o", "out", "--threshold", "1"], 3);
    assert_eq!(fs::read(corpus.path("out/a.jsonl.gz")).unwrap(), cut);
    let doubled: String = many.lines().flat_map(|line| [line, "\n", line, "\n"]).collect();
    let mut cut = packed(".gz", doubled.as_bytes());
    cut.truncate(cut.len() / 2);
    let corpus = Workspace::new("unique_damaged").file("in/a.jsonl.gz", &cut);
    let says =
        |stderr: &str| assert!(stderr.contains("in/a.jsonl.gz: cannot be written without its duplicates"), "{stderr}");
    corpus.dedup(&["unique", "-q", "in", "-o", "out"]).stdout("").stderr_with(says).exit_code(2);
    assert_eq!(corpus.names(), ["in"]);
}

#[test]
fn a_run_that_is_killed_leaves_the_whole_output_or_none() {
    let corpus = Workspace::new("unique_killed");
    let corpus = (0..300).fold(corpus, |corpus, number| {
        let text: String = (0..2000).map(|word| format!("{} ", (word * (number % 150 + 3)) % 7919)).collect();
        corpus.file(format!("in/{number:03}.txt"), text)
    });
    unique(&corpus, &["in", "-o", "whole"], 0);
    let whole = fs::read_dir(corpus.path("whole")).unwrap().count();
    assert!(whole > 100 && whole < 300);
    let mut ended = BTreeMap::new();
    let left_names =
        || -> Vec<String> { corpus.names().into_iter().filter(|name| name.starts_with(".out.writing-")).collect() };
    for round in 0..24 {
        let before = left_names();
        let mut child = corpus.command(&["unique", "-q", "in", "-o", "out"]).spawn().unwrap();
        let is_term = round % 2 == 0;
        // Begins to write, or has not yet, or is done: by what can be seen, not by time.
        let (start, most) = (std::time::Instant::now(), 12 * round);
        while child.try_wait().unwrap().is_none() && start.elapsed().as_millis() < most {
            std::thread::yield_now();
        }
        if is_term {
            signal_if_alive(&mut child)
        } else {
            let _ = child.kill();
        }
        let status = wait(&mut child);
        let found = fs::read_dir(corpus.path("out")).map(Iterator::count).ok();
        assert!(found.is_none_or(|count| count == whole), "{found:?} of {whole}");
        let left = left_names();
        // A run that is stopped before it begins to write deletes nothing either.
        assert!(!is_term || left.is_empty() || left == before, "{left:?} after {status}, {before:?} before");
        // Each run deletes what the one before it left.
        assert!(left.len() <= 1, "{left:?}");
        if found.is_some() {
            fs::remove_dir_all(corpus.path("out")).unwrap();
        }
        *ended.entry(found.is_some()).or_insert(0) += 1;
    }
    assert!(ended.contains_key(&false), "{ended:?}");
    corpus.dedup(&["unique", "-q", "in", "-o", "out"]).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.names(), ["in", "out", "whole"]);
}

#[test]
fn a_run_that_is_killed_leaves_nothing_of_one_file() {
    use rustix::fs::{Mode, OFlags};
    let record = |number: usize| format!("{{\"text\":\"{}\"}}\n", format!("{} ", number % 3000 * 7919).repeat(40));
    let corpus = Workspace::new("unique_killed_file").file("in.jsonl", (0..6000).map(record).collect::<String>());
    fs::create_dir(corpus.path("tmp")).unwrap();
    // Some file systems have no files without names.
    if rustix::fs::open(corpus.path("tmp"), OFlags::TMPFILE | OFlags::RDWR, Mode::RUSR).is_err() {
        return;
    }
    let unique = |output: &'static str| {
        let mut command = corpus.command(&["unique", "-q", "in.jsonl", "-o", output]);
        command.env("TMPDIR", corpus.path("tmp")).stdout(std::process::Stdio::null());
        command
    };
    assert!(unique("whole.jsonl").status().unwrap().success());
    let whole = corpus.read("whole.jsonl");
    let missing = "dedup: -: cannot keep a copy of the clean corpus in /nowhere: No such file or directory; set TMPDIR to a \
                   writable folder with enough space\n";
    let run = corpus.dedup_with(&["unique", "-q", "in.jsonl", "-o", "-"], "TMPDIR", "/nowhere");
    run.stdout("").stderr(missing).exit_code(2);
    for round in 0..16 {
        let output = if round % 2 == 0 { "out.jsonl" } else { "-" };
        let mut child = unique(output).spawn().unwrap();
        let (start, most) = (std::time::Instant::now(), 10 * round);
        while child.try_wait().unwrap().is_none() && start.elapsed().as_millis() < most {
            std::thread::yield_now();
        }
        let _ = child.kill();
        wait(&mut child);
        assert!(tree(&corpus, "tmp").is_empty(), "{round}: {:?}", tree(&corpus, "tmp"));
        if corpus.path("out.jsonl").exists() {
            assert!(corpus.read("out.jsonl") == whole, "{round}");
            fs::remove_file(corpus.path("out.jsonl")).unwrap();
        }
        assert_eq!(corpus.names(), ["in.jsonl", "tmp", "whole.jsonl"], "{round}");
    }
}

fn signal_if_alive(child: &mut std::process::Child) {
    if child.try_wait().unwrap().is_none() {
        let _ = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    }
}

/// Everything in a folder, each with what it is.
fn tree(corpus: &Workspace, folder: &str) -> Vec<String> {
    let root = corpus.path(folder);
    let entries = walkdir::WalkDir::new(&root).min_depth(1).sort_by_file_name().into_iter().map(|entry| entry.unwrap());
    let shown = |entry: walkdir::DirEntry| {
        let kind = if entry.file_type().is_dir() { "/" } else { "" };
        format!("{}{kind}", entry.path().strip_prefix(&root).unwrap().to_str().unwrap())
    };
    entries.map(shown).collect()
}

#[test]
fn empty_folders_stay_and_links_that_lead_nowhere_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let corpus = Workspace::new("unique_empty_folders")
        .file("in/a.txt", FOX)
        .file("in/all/gone.txt", FOX)
        .file("in/logs/x.log", "x")
        .file("in/skipped/y.txt", LOREM)
        .file("in/.hidden", "x")
        .folder("in/empty/inside")
        .folder("other")
        .link("in/to-a", "a.txt")
        .link("in/to-gone", "all/../all/gone.txt")
        .link("in/to-nothing", "nothing")
        .link("in/to-other", "../other");
    let closed = fs::Permissions::from_mode(0o750);
    fs::set_permissions(corpus.path("in/empty/inside"), closed).unwrap();
    let flags = ["unique", "in", "--exclude", "*.log", "--exclude", "skipped", "--summary", "s.json"];
    let told = |stderr: &str| {
        let told = "\n  passed   3 over: hidden, or by --exclude, --include or --gitignore; not in the output\n  links    4 symbolic \
                    links copied as they are, 2 of which lead nowhere from there; --follow-links reads what they name\n";
        assert!(stderr.ends_with(told), "{stderr}");
    };
    corpus.dedup(&[&flags[..], &["-o", "out"]].concat()).stdout("").stderr_with(told).exit_code(0);
    let expected = ["a.txt", "empty/", "empty/inside/", "to-a", "to-gone", "to-nothing", "to-other"];
    assert_eq!(tree(&corpus, "out"), expected);
    assert_eq!(fs::metadata(corpus.path("out/empty/inside")).unwrap().permissions().mode() & 0o777, 0o750);
    let summary: serde_json::Value = serde_json::from_str(&corpus.read("s.json")).unwrap();
    let numbers =
        ["passed_over", "links", "links_nowhere", "files", "skipped"].map(|key| summary["unique"][key].as_u64());
    assert_eq!(numbers, [Some(3), Some(4), Some(2), Some(5), Some(4)]);
    // From a folder elsewhere, a link out of the tree leads nowhere too.
    let deeper = corpus.folder("deep/er");
    let told = |stderr: &str| assert!(stderr.contains(", 3 of which lead nowhere from there;"), "{stderr}");
    deeper.dedup(&[&flags[..], &["-o", "deep/er/out"]].concat()).stdout("").stderr_with(told).exit_code(0);
    let told = |stderr: &str| {
        assert!(stderr.contains("4 symbolic links would be copied as they are; --follow-links"), "{stderr}")
    };
    deeper.dedup(&[&flags[..], &["-n"]].concat()).stdout("").stderr_with(told).exit_code(0);
    // With several inputs an empty folder has its name.
    unique(&deeper, &["in", "other", "-o", "both"], 0);
    assert!(deeper.path("both/other").is_dir() && deeper.path("both/in/empty/inside").is_dir());
}

#[cfg(target_os = "linux")]
#[test]
fn hard_links_to_another_file_system_are_refused_before_the_run() {
    let corpus = Workspace::new("unique_devices").file("in/a.txt", FOX);
    let memory = std::path::Path::new("/dev/shm");
    let device = |path: &std::path::Path| fs::metadata(path).map(|metadata| metadata.dev()).ok();
    let Some(elsewhere) = tempfile::tempdir_in(memory).ok().filter(|_| device(memory) != device(&corpus.path("in")))
    else {
        return;
    };
    let output = elsewhere.path().join("out");
    let shown = output.to_str().unwrap();
    let says = format!(
        "dedup: in: --link cannot make hard links to it in {shown}, which is on another file system; choose an --output on the same one, or remove --link\n"
    );
    corpus.dedup(&["unique", "-q", "in", "--link", "-o", shown]).stdout("").stderr(&says).exit_code(2);
    assert!(fs::read_dir(elsewhere.path()).unwrap().next().is_none());
    corpus.dedup(&["unique", "-q", "in", "-o", shown]).stdout("").stderr("").exit_code(0);
}

#[cfg(unix)]
#[test]
fn a_pipe_or_device_is_never_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let corpus = Workspace::new("unique_special").file("c.jsonl", "{\"id\":1,\"text\":\"a text\"}\n").fifo("pipe");
    let refused = "dedup: pipe: is a device, a pipe or a socket, which is never replaced; give --output a file, a folder, or - for standard output\n";
    for force in [&[][..], &["--force"]] {
        let arguments = [&["unique", "-q", "c.jsonl", "-o", "pipe"], force].concat();
        corpus.dedup(&arguments).stdout("").stderr(refused).exit_code(2);
        assert!(fs::metadata(corpus.path("pipe")).unwrap().file_type().is_fifo());
    }
}
