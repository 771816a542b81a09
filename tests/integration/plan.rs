//! `dedup plan`: the script does what it says on any names, once, and leaves what is not what was scanned.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::support::*;

/// Names that a shell or a terminal may take for something else.
const HOSTILE: [&[u8]; 12] = [
    b"-rf",
    b"--",
    b"!",
    b"a b\t*?[x]",
    b"$(touch x)`touch x`",
    b"it's \"so\"",
    b"\n#\nrm -rf y\n",
    b"\\n\\0101\\c%s",
    b"\xFF\xFE not UTF-8",
    b"\x1B[31m\x7F\xC2\x9B",
    "\u{202E}txt.exe".as_bytes(),
    b"~ & ; | > <",
];

fn path(folder: &str, name: &[u8]) -> PathBuf {
    PathBuf::from(folder).join(OsStr::from_bytes(name))
}

/// A folder `k` with a text for each name, and a near-duplicate of it in `n`.
fn hostile() -> Workspace {
    let workspace = Workspace::new("plan_hostile").file("k/plain", LOREM).file("n/plain", LOREM);
    HOSTILE.into_iter().enumerate().fold(workspace, |workspace, (number, name)| {
        let (fox, cat) = (FOX.replace(' ', &format!("{number}z")), CAT.replace(' ', &format!("{number}z")));
        workspace.file(path("k", name), fox).file(path("n", name), cat)
    })
}

/// Writes `plan.sh` for the folders `k` and `n`.
fn plan(workspace: &Workspace, args: &[&str]) {
    let args = [&["plan", "-q", "k", "n", "--threshold", "0.5", "-o", "plan.sh"], args].concat();
    workspace.dedup(&args).stdout("").stderr("").exit_code(0);
}

/// Runs the script; it must end with this line and this exit code.
fn run(workspace: &Workspace, args: &str, last: &str, exit_code: i32) {
    let look = |stdout: &str| assert_eq!(stdout.lines().last(), Some(last), "{stdout}");
    workspace.shell(&format!("sh plan.sh {args}")).stdout_with(look).stderr_with(|_| ()).exit_code(exit_code);
}

fn count(workspace: &Workspace, folder: &str) -> usize {
    let files = walkdir::WalkDir::new(workspace.path(folder)).into_iter().flatten();
    files.filter(|entry| entry.file_type().is_file()).count()
}

#[test]
fn a_script_does_what_it_says_on_any_names_and_once() {
    let all = HOSTILE.len() + 1;
    for (args, verb) in
        [(vec![], "remove"), (vec!["--action", "move", "--into", "o ut"], "move"), (vec!["--action", "link"], "link")]
    {
        let workspace = hostile();
        plan(&workspace, &args);
        let script = fs::read_to_string(workspace.path("plan.sh")).expect("UTF-8");
        assert!(!script.contains(|c: char| c != '\n' && (c.is_control() || c == '\u{202E}')));
        assert_eq!(script.lines().filter(|line| line.starts_with(&format!("{verb} '"))).count(), all, "{script}");
        // Dry: nothing changes.
        run(&workspace, "", &format!("{all} to do, 0 done before, 0 skipped"), 0);
        assert_eq!((count(&workspace, "k"), count(&workspace, "n")), (all, all));
        // From another folder too.
        let script = "cd / && sh \"$OLDPWD/plan.sh\" --run";
        workspace.shell(script).stdout_with(|_| ()).stderr("").exit_code(0);
        assert_eq!(count(&workspace, "k"), all);
        for (number, name) in HOSTILE.into_iter().enumerate() {
            let kept = fs::read(workspace.path(path("k", name))).unwrap();
            assert_eq!(kept, FOX.replace(' ', &format!("{number}z")).as_bytes());
            let gone = workspace.path(path("n", name));
            let moved = workspace.path(path("o ut/n", name));
            match verb {
                "link" => {
                    let inode = |path: PathBuf| fs::symlink_metadata(path).unwrap().ino();
                    assert_eq!(inode(gone), inode(workspace.path(path("k", name))));
                }
                _ => {
                    assert!(gone.symlink_metadata().is_err(), "{gone:?}");
                    assert_eq!(moved.exists(), verb == "move");
                }
            }
        }
        assert_eq!(count(&workspace, "n"), if verb == "link" { all } else { 0 });
        assert!(!workspace.path("x").exists() && !workspace.path("n/x").exists());
        // Twice is no more than once.
        run(&workspace, "--run", &format!("0 done, {all} done before, 0 skipped"), 0);
        assert_eq!(
            (count(&workspace, "k"), count(&workspace, ".")),
            (all, if verb == "remove" { all + 1 } else { 2 * all + 1 })
        );
    }
}

#[test]
fn what_is_not_what_was_scanned_is_named_and_left() {
    for action in [&["--action", "remove"][..], &["--action", "move", "--into", "out"], &["--action", "link"]] {
        let workspace = hostile();
        plan(&workspace, action);
        // Of one length, of another length, gone, and a link to the same bytes.
        fs::write(workspace.path("n/!"), CAT.replace(' ', "2z").replace("cat", "cow")).unwrap();
        fs::write(workspace.path("k/--"), "longer than it was, by far, and other bytes").unwrap();
        fs::remove_file(workspace.path("k/-rf")).unwrap();
        fs::rename(workspace.path("n/plain"), workspace.path("aside")).unwrap();
        let workspace = workspace.link("n/plain", "../aside");
        let before: Vec<Vec<u8>> =
            ["n/!", "n/--", "n/-rf", "n/plain"].map(|file| fs::read(workspace.path(file)).unwrap()).into();
        let stderr = "dedup plan: n/-rf: k/-rf, which is kept for it, is gone; skipped\n\
                      dedup plan: n/--: k/--, which is kept for it, changed after the scan; skipped\n\
                      dedup plan: n/!: it changed after the scan; skipped\n\
                      dedup plan: n/plain: it changed after the scan; skipped\n";
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let done = HOSTILE.len() - 3;
        let look = |stdout: &str| {
            let last = format!("{done} done, 0 done before, 4 skipped");
            assert_eq!(stdout.lines().last(), Some(last.as_str()), "{stdout}");
        };
        let look_at_messages = |found: &str| assert_eq!(sorted(found), sorted(stderr));
        workspace.shell("sh plan.sh --run").stdout_with(look).stderr_with(look_at_messages).exit_code(1);
        let after: Vec<Vec<u8>> =
            ["n/!", "n/--", "n/-rf", "n/plain"].map(|file| fs::read(workspace.path(file)).unwrap()).into();
        assert_eq!(before, after);
        workspace.shell("sh plan.sh --go").stdout("").stderr_with(|_| ()).exit_code(2);
    }
}

/// The only file of a text stays, by whatever way its names became those of one file after the scan.
#[test]
fn the_last_name_of_a_file_stays() {
    let shells: Vec<&str> = ["sh", "dash", "bash"].into_iter().filter(|shell| is_there(shell)).collect();
    let ways = [
        ("a link to a folder", "rm -r k && ln -s n k"),
        ("a link to a folder above", "rm -r k && mkdir up && mv n up/k && ln -s up/k k && ln -s up/k n"),
        ("a hard link", "ln -f n/x k/x && ln -f n/! k/!"),
    ];
    for (way, commands) in ways {
        for (action, shell) in [["remove"].as_slice(), &["move", "--into", "out"]]
            .into_iter()
            .flat_map(|action| shells.iter().map(move |shell| (action, shell)))
        {
            let workspace = ["k", "n"].into_iter().fold(Workspace::new("plan_last"), |workspace, folder| {
                workspace.file(format!("{folder}/x"), FOX).file(format!("{folder}/!"), LOREM)
            });
            let left = "dedup plan: n/!: k/!, which is kept for it, is the same file; skipped\n\
                        dedup plan: n/x: k/x, which is kept for it, is the same file; skipped\n";
            plan(&workspace, &[&["--action"], action].concat());
            workspace.shell(commands).stdout("").stderr("").exit_code(0);
            for (run, last) in
                [("", "0 to do, 0 done before, 2 skipped\n"), ("--run", "0 done, 0 done before, 2 skipped\n")]
            {
                let script = format!("{shell} plan.sh {run}");
                workspace.shell(&script).stdout(last).stderr(left).exit_code(1);
            }
            assert_eq!((workspace.read("n/x"), workspace.read("n/!")), (FOX.to_owned(), LOREM.to_owned()), "{way}");
            assert!(!workspace.path("out").exists());
        }
    }
    // One file by two names is in no plan.
    let workspace = Workspace::new("plan_one_file").file("n/x", FOX).link("k", "n").file("m/x", FOX);
    let workspace = workspace.hard_link("h", "n/x");
    let why = "it and the file that is kept are the same file under two names; not in the plan, use dedup unique";
    let left = format!("dedup: h: {why}\n");
    let steps =
        |script: &str| assert_eq!(script.lines().filter(|line| line.starts_with("remove '")).count(), 1, "{script}");
    workspace.dedup(&["plan", "-q", "k/x", "n/x", "h", "m"]).stdout_with(steps).stderr(&left).exit_code(0);
}

/// The kept file is looked at before each step, not only before the first of its group.
#[test]
fn a_kept_file_that_changes_during_the_script_ends_its_steps() {
    let workspace = Workspace::new("plan_meanwhile").file("a", FOX).file("b", FOX).file("c", FOX);
    workspace.dedup(&["plan", "-q", ".", "-o", "../plan.sh"]).stdout("").stderr("").exit_code(0);
    let same_length = FOX.replace("fox", "cow");
    let edit = format!("sed \"s/^remove 'c'/printf %s '{same_length}' >a; &/\" ../plan.sh >../edited.sh");
    workspace.shell(&edit).stdout("").stderr("").exit_code(0);
    let left = "dedup plan: c: a, which is kept for it, changed after the scan; skipped\n";
    let done = "remove b: a is kept\n1 done, 0 done before, 1 skipped\n";
    workspace.shell("sh ../edited.sh --run").stdout(done).stderr(left).exit_code(1);
    assert_eq!(workspace.names(), ["a", "c"]);
}

#[test]
fn names_that_test_could_take_for_operators_are_files() {
    let names = ["!", "(", ")", "-ef", "-f", "="];
    let workspace =
        names.into_iter().fold(Workspace::new("plan_operators"), |workspace, name| workspace.file(name, FOX));
    workspace.dedup(&["plan", "-q", ".", "-o", "../plan.sh"]).stdout("").stderr("").exit_code(0);
    let last = |stdout: &str| assert!(stdout.ends_with("\n5 done, 0 done before, 0 skipped\n"), "{stdout}");
    workspace.shell("sh ../plan.sh --run").stdout_with(last).stderr("").exit_code(0);
    assert_eq!(workspace.names().len(), 1);
}

#[test]
fn what_can_be_read_once_has_no_plan() {
    let workspace = Workspace::new("plan_dash").file("a", FOX).fifo("pipe");
    for (args, name) in [(&["-"][..], "-"), (&["a", "-"], "-"), (&["a", "pipe"], "pipe")] {
        let why = "a plan is for files, and this is standard input, a pipe or a device; save it as a file first";
        let message = format!("dedup: {name}: {why}\n");
        workspace.dedup(&[&["plan", "-q"], args].concat()).stdout("").stderr(&message).exit_code(2);
    }
}

fn is_there(shell: &str) -> bool {
    std::process::Command::new(shell).args(["-c", "exit"]).status().is_ok_and(|status| status.success())
}

#[test]
fn nothing_is_moved_over_what_is_there() {
    let workspace = Workspace::new("plan_taken").file("k/a", FOX).file("n/a", FOX).file("out/n/a", "mine");
    plan(&workspace, &["--action", "move", "--into", "out"]);
    run(&workspace, "--run", "0 done, 0 done before, 1 skipped", 1);
    assert_eq!((workspace.read("out/n/a").as_str(), workspace.read("n/a").as_str()), ("mine", FOX));
}

#[test]
fn records_links_and_other_endings_are_named_and_left() {
    let record = format!("{{\"text\":\"{FOX}\"}}\n");
    let workspace = Workspace::new("plan_left")
        .file("a.txt", FOX)
        .file("b.jsonl", &record)
        .file("c.txt", FOX)
        .file("d.md", FOX)
        .link("e.txt", "d.md");
    let left =
        "dedup: b.jsonl:1: it is a record or a member of an archive, not a file; not in the plan, use dedup unique\n";
    let args = ["plan", "-q", "a.txt", "b.jsonl", "c.txt", "d.md", "-o", "plan.sh"];
    workspace.dedup(&args).stdout("").stderr(left).exit_code(0);
    assert_eq!(workspace.read("plan.sh").lines().filter(|line| line.starts_with("remove '")).count(), 2);
    let left = "dedup: d.md: its extension differs from the file that is kept, so a link may have another format; not in the plan, use dedup unique\n";
    let args = ["plan", "-q", "a.txt", "c.txt", "d.md", "--action", "link", "-o", "plan.sh"];
    workspace.dedup(&args).stdout("").stderr(left).exit_code(0);
    let left = "dedup: e.txt: it, or the file that is kept, is a symbolic link; not in the plan, use dedup unique\n";
    workspace.dedup(&["plan", "-q", "a.txt", "e.txt"]).stdout_with(|_| ()).stderr(left).exit_code(0);
    let unused = "dedup: --into: only applies to --action move; add it, or remove the flag\n";
    workspace.dedup(&["plan", "a.txt", "--into", "x"]).stdout("").stderr(unused).exit_code(2);
}

#[test]
fn a_saved_result_gives_the_plan_of_a_run() {
    let workspace = hostile();
    let save = ["scan", "-q", "k", "n", "--threshold", "0.5", "--save", "saved"];
    workspace.dedup(&save).stdout_with(|_| ()).stderr("").exit_code(0);
    for keep in ["first", "last", "path-order", "newest", "longest", "shortest", "matching:n/*"] {
        for linkage in ["star", "components", "complete"] {
            plan(&workspace, &["--keep", keep, "--linkage", linkage]);
            let run = workspace.read("plan.sh");
            let from = ["plan", "-q", "--from", "saved", "--keep", keep, "--linkage", linkage];
            workspace.dedup(&from).stdout(&run).stderr("").exit_code(0);
        }
    }
    let fault = "dedup: saved: it does not have what --keep max:score needs; give the PATHs instead of it\n";
    workspace.dedup(&["plan", "--from", "saved", "--keep", "max:score"]).stdout("").stderr(fault).exit_code(2);
    let fault = "dedup: saved/pairs.jsonl: it does not say which files were read; name a folder that --save wrote\n";
    workspace.dedup(&["plan", "--from", "saved/pairs.jsonl"]).stdout("").stderr(fault).exit_code(2);
    fs::write(workspace.path("n/!"), "other").unwrap();
    let look = |stderr: &str| assert!(stderr.starts_with("dedup: n/!: it had "), "{stderr}");
    workspace.dedup(&["plan", "--from", "saved"]).stdout("").stderr_with(look).exit_code(2);
}
