//! Inputs that were replaced after a result was saved or an index was built: commands that read them again neither wait for a
//! FIFO nor read or print a file outside.

use std::fs;
use std::process::Stdio;

use crate::support::*;

/// The text of a file that no command may print.
const OUTSIDE: &str = "root:x:0:0: a text of another person";

/// Each way to replace `in/a.txt`.
const WAYS: [&str; 8] = ["link", "same length", "other text", "FIFO", "zero", "folder", "passwd", "nothing"];

fn replace(workspace: Workspace, way: &str) -> Workspace {
    let path = workspace.path("in/a.txt");
    let modified = path.metadata().unwrap().modified().unwrap();
    let length = usize::try_from(path.metadata().unwrap().len()).unwrap();
    fs::remove_file(&path).unwrap();
    match way {
        "link" => workspace.file("outside", OUTSIDE).link("in/a.txt", "../outside"),
        "same length" => {
            let workspace = workspace.file("outside", format!("{OUTSIDE:.<length$}"));
            let outside = fs::File::options().write(true).open(workspace.path("outside")).unwrap();
            outside.set_modified(modified).unwrap();
            workspace.link("in/a.txt", "../outside")
        }
        "other text" => workspace.file("in/a.txt", OUTSIDE),
        "FIFO" => workspace.fifo("in/a.txt"),
        "zero" => workspace.link("in/a.txt", "/dev/zero"),
        "folder" => workspace.folder("in/a.txt"),
        "passwd" => workspace.link("in/a.txt", "/etc/passwd"),
        _ => workspace,
    }
}

fn corpus(name: &'static str) -> Workspace {
    Workspace::new(name).file("in/a.txt", FOX).file("in/b.txt", FOX).file("q.txt", FOX)
}

/// Runs a command, which must report the replaced file and print nothing of another.
fn refused(workspace: &Workspace, args: &[&str], way: &str, exit_codes: &[i32]) {
    let mut command = workspace.command(args);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(command);
    let status = wait(&mut child);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(exit_codes.contains(&status.code().unwrap()), "{way}: {args:?}: {status}: {text}");
    assert!(text.contains("dedup: in/a.txt: "), "{way}: {args:?}: {text}");
    assert!(!text.contains("root:"), "{way}: {args:?}: {text}");
}

#[test]
fn a_saved_result_leads_to_no_other_file() {
    for way in WAYS {
        let workspace = corpus("replaced_saved");
        workspace.dedup(&["scan", "in", "-q", "--save", "r"]).stdout_with(|_| ()).stderr("").exit_code(0);
        let workspace = replace(workspace, way);
        refused(&workspace, &["unique", "in", "--from", "r", "--output", "out"], way, &[2]);
        assert!(!workspace.path("out").exists(), "{way}");
        refused(&workspace, &["review", "r"], way, &[2]);
        refused(&workspace, &["cluster", "--from", "r"], way, &[2]);
        for format in ["text", "markdown", "sarif", "github"] {
            refused(&workspace, &["report", "r", "--format", format], way, &[2]);
        }
        refused(&workspace, &["report", "r", "--format", "html=page.html"], way, &[2, 3]);
        let page = workspace.path("page.html");
        assert!(!page.exists() || !workspace.read("page.html").contains("root:"), "{way}");
    }
}

#[test]
fn an_index_of_places_leads_to_no_other_file() {
    for way in WAYS {
        let workspace = corpus("replaced_referred");
        workspace
            .dedup(&["index", "build", "x.index", "in", "--texts", "refer", "-q"])
            .stdout("")
            .stderr("")
            .exit_code(0);
        let workspace = replace(workspace, way);
        for args in [
            &["query", "x.index", "q.txt"][..],
            &["query", "x.index", "q.txt", "--show-passages"],
            &["index", "check", "x.index"],
            &["index", "export", "x.index"],
            &["index", "rebuild", "y.index", "x.index"],
            &["index", "merge", "z.index", "x.index"],
        ] {
            refused(&workspace, args, way, &[3]);
        }
    }
}
