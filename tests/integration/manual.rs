//! The manual and the completions: complete, and as their readers want them.

use std::process::{Command, Stdio};

use crate::for_people::seen_with;
use crate::support::*;

/// Whether a program is installed.
fn has(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

#[test]
fn every_command_has_a_page_that_the_linter_has_nothing_to_say_of() {
    let workspace = Workspace::new("manual");
    workspace.dedup(&["man", "--into", "man1"]).stdout("").stderr("").exit_code(0);
    let mut pages: Vec<String> = std::fs::read_dir(workspace.path("man1"))
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort_unstable();
    assert!(
        pages.len() == 33
            && pages.contains(&"dedup-index-build.1".to_owned())
            && pages[0] == "dedup-baseline.1"
            && pages.contains(&"dedup.1".to_owned()),
        "{pages:?}"
    );
    let scan = workspace.read("man1/dedup-scan.1");
    for part in
        [".TH \"DEDUP-SCAN\" 1", ".SH \"EXIT CODES\"", ".SH \"EXAMPLES\"", "\\-\\-threshold", "dedup scan notes"]
    {
        assert!(scan.contains(part), "{part}\n{}", &scan[..600]);
    }
    // Where it is not installed the pages are checked by CI alone, which installs it.
    if has("mandoc") {
        for page in &pages {
            let lint = Command::new("mandoc")
                .args(["-T", "lint", "-W", "warning"])
                .arg(workspace.path("man1").join(page))
                .output();
            let lint = lint.unwrap();
            let said = String::from_utf8_lossy(&lint.stdout).into_owned() + &String::from_utf8_lossy(&lint.stderr);
            assert!(said.is_empty(), "{page}: {said}");
        }
    }
}

#[test]
fn a_page_can_be_printed() {
    let workspace = Workspace::new("manual_print");
    let look = |page: &str| assert!(page.contains(".SH NAME\n") && page.contains("dedup"), "{page}");
    workspace.dedup(&["man"]).stdout_with(look).stderr("").exit_code(0);
    workspace.dedup(&["man", "cluster"]).stdout_with(look).stderr("").exit_code(0);
    let unknown = workspace.dedup(&["man", "clutser"]).stdout("");
    let folder = "dedup: ./man1: no such command; --into ./man1 writes all pages there\n";
    workspace.dedup(&["man", "./man1"]).stdout("").stderr(folder).exit_code(2);
    let inner = |page: &str| assert!(page.contains("DEDUP-INDEX-BUILD"), "{page}");
    let recipe = |page: &str| {
        let page = page.replace('\\', "");
        assert!(page.contains("dedup compare new.jsonl --against old.jsonl | jq .a > had.json"), "{page}");
        assert!(page.contains("had.json new.jsonl > unseen.jsonl"), "{page}");
    };
    workspace.dedup(&["man", "compare"]).stdout_with(recipe).stderr("").exit_code(0);
    for command in ["build", "merge", "rebuild"] {
        let left = |help: &str| assert!(help.contains(".building-..."), "{help}");
        workspace.dedup(&["index", command, "--help"]).stdout_with(left).stderr("").exit_code(0);
    }
    workspace.dedup(&["man", "index", "build"]).stdout_with(inner).stderr("").exit_code(0);
    unknown.stderr_with(|stderr| assert!(stderr.contains("cluster is similar"), "{stderr}")).exit_code(2);
}

#[test]
fn shells_take_their_completions() {
    let workspace = Workspace::new("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let look = |script: &str| assert!(script.contains("cluster") && script.contains("threshold"), "{shell}");
        workspace.dedup(&["completions", shell]).stdout_with(look).stderr("").exit_code(0);
    }
    let script = "\"$D\" completions bash > dedup.bash && bash -c '. ./dedup.bash; COMP_WORDS=(dedup scan --thres); COMP_CWORD=2; _dedup dedup --thres scan; echo \"${COMPREPLY[@]}\"'";
    workspace.shell(script).stdout("--threshold\n").stderr("").exit_code(0);
    let unknown = workspace.dedup(&["completions", "basch"]).stdout("");
    let folder = "dedup: ./man1: no such command; --into ./man1 writes all pages there\n";
    workspace.dedup(&["man", "./man1"]).stdout("").stderr(folder).exit_code(2);
    let inner = |page: &str| assert!(page.contains("DEDUP-INDEX-BUILD"), "{page}");
    workspace.dedup(&["man", "index", "build"]).stdout_with(inner).stderr("").exit_code(0);
    unknown.stderr_with(|stderr| assert!(stderr.contains("bash is similar"), "{stderr}")).exit_code(2);
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_the_page_by_man_or_the_help() {
    use std::os::unix::fs::PermissionsExt;
    let workspace =
        Workspace::new("shown_page").file("bin/man", "#!/bin/sh\necho \"man $*\"; read -r line; echo \"$line\"\n");
    std::fs::set_permissions(workspace.path("bin/man"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = workspace.path("bin").to_str().unwrap().to_owned();
    let (shown, code) = seen_with(&workspace, &["man", "scan"], 80, &[("PATH", &path)], &[]);
    assert!(shown.starts_with("man -l -\n.TH \"DEDUP-SCAN\" 1 "), "{shown}");
    assert_eq!(code, Some(0));
    std::fs::remove_file(workspace.path("bin/man")).unwrap();
    let (shown, code) = seen_with(&workspace, &["man", "scan"], 80, &[("PATH", &path)], &[]);
    assert!(shown.contains("Usage: dedup scan [OPTIONS] [PATH]...") && !shown.contains(".TH"), "{shown}");
    assert_eq!(code, Some(0));
}
