//! Names of flags: short ones, percentages, and names of earlier versions.

use crate::support::*;

fn two_copies(name: &'static str) -> Workspace {
    Workspace::new(name).file("d/a.txt", FOX).file("d/b.txt", FOX)
}

#[test]
fn short_flags_and_percentages_are_the_long_ones() {
    let workspace = two_copies("short_flags");
    let long = ["scan", "d", "-q", "--threshold", "0.8", "--k", "7", "--threads", "1", "--follow-links"];
    workspace.dedup(&long).pairs(&["d/a.txt d/b.txt"]).stderr("").exit_code(0);
    for threshold in ["80%", ".8", "80 %", "0.8"] {
        let short = ["scan", "d", "-q", "-t", threshold, "-k", "7", "-j1", "-L", "-f", "csv"];
        let same = |stdout: &str| assert!(stdout.lines().count() == 2 && stdout.starts_with("a,b,"), "{stdout}");
        workspace.dedup(&short).stdout_with(same).stderr("").exit_code(0);
    }
    for flags in [["--coverage", "10%", "--match", "passages"], ["--recall", "99%", "--min-containment", "50%"]] {
        let found = |stdout: &str| assert_eq!(stdout.lines().count(), 1, "{stdout}");
        workspace.dedup(&[&["scan", "d", "-q"][..], &flags].concat()).stdout_with(found).stderr("").exit_code(0);
    }
    let wrong = "dedup: --threshold 80: give a similarity from 0 to 1 or a percentage, such as 0.8 or 80%; see dedup scan --help\n";
    workspace.dedup(&["scan", "d", "-t", "80"]).stdout("").stderr(wrong).exit_code(2);
}

#[test]
fn names_of_earlier_versions_are_understood() {
    let workspace = two_copies("earlier_names");
    let same = |old: &[&str], new: &[&str]| {
        let [old_run, new_run] = [old, new].map(|args| workspace.command(args).output().expect("it runs"));
        assert_eq!(
            (old_run.status.code(), new_run.status.code()),
            (Some(0), Some(0)),
            "{old:?}: {old_run:?} {new_run:?}"
        );
        assert_eq!(old_run.stdout, new_run.stdout, "{old:?}");
    };
    same(&["scan", "d", "-q", "--follow"], &["scan", "d", "-q", "--follow-links"]);
    same(&["scan", "d", "-q", "--passages"], &["scan", "d", "-q", "--show-passages"]);
    same(&["scan", "d", "-q", "--fold", "plagiarism"], &["scan", "d", "-q", "--undisguise"]);
    same(&["scan", "d", "-q", "--save", "r"], &["scan", "d", "-q"]);
    for command in [&["report", "-q"][..], &["baseline", "-q"]] {
        same(&[command, &["--from", "r"]].concat(), &[command, &["r"]].concat());
    }
    for result in [&["r"][..], &["--from", "r"]] {
        let none =
            |stderr: &str| assert!(stderr.starts_with("dedup: r.answers.jsonl: cannot read the answers: "), "{stderr}");
        workspace.dedup(&[&["review", "--report"], result].concat()).stdout("").stderr_with(none).exit_code(2);
    }
    workspace.dedup(&["index", "build", "old", "d", "-q", "--containment"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "build", "new", "d", "-q", "--for-containment"]).stdout("").stderr("").exit_code(0);
    same(&["query", "old", "d", "-q", "--containment", "90%"], &["query", "new", "d", "-q", "--containment", "0.9"]);
    same(&["query", "new", "--follow"], &["query", "new", "--stdin"]);
    let links = ["query", "new", "d", "-q", "--follow-links", "--passages"];
    same(&links, &["query", "new", "d", "-q", "-L", "--show-passages"]);
    let twice = "dedup: RESULT: cannot be used with --from; remove one of them; see dedup report --help\n";
    workspace.dedup(&["report", "r", "--from", "r"]).stdout("").stderr(twice).exit_code(2);
    workspace
        .dedup(&["report"])
        .stdout("")
        .stderr("dedup: RESULT: missing; write: dedup report RESULT, where dedup scan PATH --save RESULT has saved the pairs; see dedup report --help\n")
        .exit_code(2);
}

#[test]
fn settings_files_may_have_names_of_earlier_versions() {
    let workspace =
        two_copies("earlier_keys").file("dedup.toml", "passages = true\nfollow = true\nfold = \"plagiarism\"\n");
    let has_passages = |stdout: &str| assert!(stdout.contains("\"passages\":[{"), "{stdout}");
    // A file that was found follows no links, so this one is given.
    let given = ["--config", "dedup.toml", "d"];
    workspace.dedup(&[&["scan", "-q"], &given[..]].concat()).stdout_with(has_passages).stderr("").exit_code(0);
    let none = |stdout: &str| assert!(!stdout.contains("\"passages\""), "{stdout}");
    for opposite in ["--no-passages", "--no-show-passages"] {
        workspace
            .dedup(&[&["scan", "-q", opposite, "--no-fold"], &given[..]].concat())
            .stdout_with(none)
            .stderr("")
            .exit_code(0);
    }
    let listed =
        |stdout: &str| assert!(stdout.contains("show-passages") && stdout.contains("follow-links"), "{stdout}");
    workspace.dedup(&[&["config", "scan"], &given[..]].concat()).stdout_with(listed).stderr("").exit_code(0);
    let both = workspace.file("dedup.toml", "passages = true\n\n[scan]\nshow-passages = false\n");
    both.dedup(&["scan", "d", "-q"]).stdout_with(none).stderr("").exit_code(0);
}
