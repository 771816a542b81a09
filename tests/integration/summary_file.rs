//! The file of `--summary`: written as a whole when the run is complete, wherever the path leads.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Stdio;

use crate::support::*;

const START: &str = "{\"documents\":";

fn foxes(name: &'static str) -> Workspace {
    Workspace::new(name).file("a", FOX).file("b", FOX)
}

/// Runs a scan of `a` and `b` with a summary, and returns that.
fn summary(corpus: &Workspace, path: &str) -> String {
    corpus.dedup(&["scan", "-q", "a", "b", "--summary", path]).pairs(&["a b"]).stderr("").exit_code(0);
    let summary = corpus.read(path);
    assert!(summary.starts_with(START) && summary.ends_with("}\n") && summary.lines().count() == 1, "{summary}");
    summary
}

#[test]
fn a_summary_has_the_permissions_of_any_new_file_or_of_the_one_before() {
    let corpus = foxes("permissions").file("other", "");
    let mode = |path: &str| fs::metadata(corpus.path(path)).unwrap().permissions().mode();
    summary(&corpus, "s.json");
    assert_eq!(mode("s.json"), mode("other"));
    fs::set_permissions(corpus.path("s.json"), fs::Permissions::from_mode(0o640)).unwrap();
    let before = fs::metadata(corpus.path("s.json")).unwrap().ino();
    summary(&corpus, "s.json");
    assert_eq!(mode("s.json") & 0o777, 0o640);
    assert_ne!(fs::metadata(corpus.path("s.json")).unwrap().ino(), before, "replaced, not overwritten");
    assert_eq!(corpus.names(), ["a", "b", "other", "s.json"]);
}

#[test]
fn a_link_to_a_summary_stays_a_link() {
    let corpus =
        foxes("summary_link").folder("d").file("d/old.json", "old").link("new", "d/new.json").link("old", "d/old.json");
    for link in ["new", "old"] {
        let text = summary(&corpus, link);
        assert!(fs::symlink_metadata(corpus.path(link)).unwrap().is_symlink());
        assert_eq!(corpus.read(&format!("d/{link}.json")), text);
    }
    let corpus = foxes("summary_circle").link("x", "y").link("y", "x");
    let message = "dedup: x: cannot write the summary: Too many levels of symbolic links; check --summary\n";
    corpus.dedup(&["scan", "a", "b", "--summary", "x"]).stdout("").stderr(message).exit_code(2);
}

#[test]
fn an_interrupted_run_leaves_the_summary_as_it_was() {
    for old in [None, Some("old")] {
        let corpus = foxes("interrupted_summary").fifo("f");
        let corpus = if let Some(old) = old { corpus.file("s.json", old) } else { corpus };
        let stamp = || fs::metadata(corpus.path("s.json")).map(|file| (file.ino(), file.modified().unwrap())).ok();
        let (names, before) = (corpus.names(), stamp());
        let args = ["scan", "f", "a", "--input-format", "text", "--summary", "s.json"];
        let mut child = corpus.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Opened when the program has opened the other end.
        let fifo = File::options().write(true).open(corpus.path("f")).unwrap();
        assert_eq!((corpus.names(), stamp()), (names.clone(), before), "nothing is there while it runs");
        signal(&child, "INT");
        assert_eq!(wait(&mut child).code(), Some(130));
        drop(fifo);
        assert_eq!((corpus.names(), stamp()), (names, before));
        assert_eq!(old.map(|_| corpus.read("s.json")).as_deref(), old);
    }
}

#[test]
fn a_run_that_fails_while_it_writes_leaves_no_summary() {
    let corpus = foxes("full_summary");
    let message = "dedup: standard output: cannot write: No space left on device; \
                   the output is incomplete, run again\n";
    corpus.shell("$D scan -q a b --summary s.json > /dev/full").stdout("").stderr(message).exit_code(2);
    assert_eq!(corpus.names(), ["a", "b"]);
}

#[test]
fn a_summary_goes_to_descriptors_and_pipes() {
    let corpus = foxes("summary_streams").fifo("f");
    let starts =
        |text: &str| assert!(text.starts_with(START) && text.ends_with("}\n") && text.lines().count() == 1, "{text}");
    corpus.shell("$D scan -q a --summary /dev/stdout").stdout_with(starts).stderr("").exit_code(0);
    corpus.shell("$D scan -q a --summary /dev/fd/1").stdout_with(starts).stderr("").exit_code(0);
    corpus.shell("$D scan -q a --summary /dev/stderr 2>&1 > pairs").stdout_with(starts).stderr("").exit_code(0);
    corpus.shell("$D scan -q a --summary /dev/fd/3 3>&1 > pairs").stdout_with(starts).stderr("").exit_code(0);
    corpus.shell("$D scan -q a --summary /dev/fd/3 3> s.json").stdout("").stderr("").exit_code(0);
    starts(&corpus.read("s.json"));
    // One opening of a FIFO: whoever reads it gets the whole.
    corpus.shell("cat f & $D scan -q a --summary f && wait").stdout_with(starts).stderr("").exit_code(0);
    let closed = "dedup: /dev/fd/9: cannot write the summary: No such file or directory; check --summary\n";
    corpus.shell("$D scan -q a --summary /dev/fd/9 9>&-").stdout("").stderr(closed).exit_code(2);
}

#[test]
fn a_dash_is_standard_output_and_a_folder_is_refused() {
    let corpus = foxes("summary_dash");
    for (args, num_lines) in [
        (&["scan", "-q", "a", "b"][..], 2),
        (&["scan", "-q", "a", "b", "-o", "/dev/null"], 1),
        (&["compare", "-q", "a", "--against", "b"], 2),
        (&["cluster", "-q", "a", "b"], 2),
        (&["unique", "-q", "-n", "a", "b"], 1),
    ] {
        let look = |stdout: &str| {
            let lines: Vec<&str> = stdout.lines().collect();
            let summary: serde_json::Value = serde_json::from_str(lines[lines.len() - 1]).unwrap();
            assert_eq!((summary["documents"].as_u64(), lines.len()), (Some(2), num_lines), "{args:?}");
        };
        corpus.dedup(&[args, &["--summary", "-"]].concat()).stdout_with(look).stderr("").exit_code(0);
    }
    let both = "dedup: --summary -: goes where the list of removed documents goes";
    let look = |stderr: &str| assert!(stderr.starts_with("dedup: ") && stderr.contains("--summary"), "{both} {stderr}");
    let args = ["unique", "-q", "-n", "a", "b", "--removed", "-", "--summary", "-"];
    corpus.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    let folder = "dedup: new/: cannot write the summary: is a directory; check --summary\n";
    corpus.dedup(&["scan", "a", "b", "--summary", "new/"]).stdout("").stderr(folder).exit_code(2);
    assert_eq!(corpus.names(), ["a", "b"]);
}
