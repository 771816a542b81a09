//! The files that CI systems read: their shell parts run here, with the environments that runners make.

use std::path::Path;

use crate::support::*;

fn any(_: &str) {}

fn file(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A shell in the workspace, in which `dedup` is the program.
fn with_program(script: &str) -> String {
    format!(
        "mkdir -p \"$TMPDIR/bin\" && ln -s \"$D\" \"$TMPDIR/bin/dedup\" && PATH=\"$TMPDIR/bin:$PATH\"\n{script}\nstatus=$?\nrm -r \"$TMPDIR/bin\"\nexit $status"
    )
}

#[test]
fn the_action_annotates_sums_up_and_fails() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci/github.sh");
    let files = Workspace::new("action")
        .file("in/a b.txt", FOX)
        .file("in/b.txt", CAT)
        .file("in/d.txt", LOREM)
        .file("more/e.txt", FOX)
        .folder("run");
    let run = |settings: &str| {
        let runner =
            "export RUNNER_TEMP=\"$PWD/run\" GITHUB_STEP_SUMMARY=\"$PWD/summary\" GITHUB_OUTPUT=\"$PWD/output\"";
        let clean = "rm -rf run/* summary output";
        files.shell(&with_program(&format!("{clean}\n{runner}\n{settings} sh '{}' 2>messages", script.display())))
    };
    let annotation = |text: &str| assert!(text.starts_with("::warning file=in/a b.txt,line=1,"), "{text}");
    run("DEDUP_PATH=in").stdout_with(annotation).stderr("").exit_code(1);
    let sarif =
        || files.read("output").lines().find_map(|line| line.strip_prefix("sarif=").map(str::to_owned)).unwrap();
    assert_eq!(files.read("output"), format!("pairs=1\nsarif={}\n", sarif()));
    assert!(files.read(&sarif()).contains("\"results\":["), "{}", sarif());
    assert!(files.read("summary").contains("| 80 % | `in/a b.txt`, line 1 | `in/b.txt`"), "{}", files.read("summary"));
    run("DEDUP_PATH=in DEDUP_FAIL_OVER=1").stdout_with(any).stderr("").exit_code(0);
    run("DEDUP_PATH='in/b.txt in/d.txt' DEDUP_ARGS='--threads 1'").stdout_with(any).stderr("").exit_code(0);
    assert!(files.read("output").starts_with("pairs=0\n"));
    run("DEDUP_PATH=in DEDUP_THRESHOLD=0.9 DEDUP_FAIL_OVER=").stdout_with(any).stderr("").exit_code(0);
    run("DEDUP_PATH='in more' DEDUP_ARGS='--top 1'").stdout_with(any).stderr("").exit_code(1);
    assert!(files.read("output").starts_with("pairs=3\n"), "{}", files.read("output"));
    assert!(files.read("summary").contains("; the first is shown."), "{}", files.read("summary"));
    // Nothing of a setting is a command.
    run("DEDUP_PATH=in DEDUP_ARGS='$(touch x) ; touch y'").stdout_with(any).stderr("").exit_code(3);
    run("DEDUP_PATH=nowhere").stdout_with(any).stderr("").exit_code(2);
    assert!(!files.path("output").exists() && files.read("messages").contains("nowhere"));
    let baseline = "dedup scan in -q --save .r > /dev/null; dedup baseline .r -q -o base";
    files.shell(&with_program(baseline)).stdout("").stderr("").exit_code(0);
    run("DEDUP_PATH=in DEDUP_BASELINE=base").stdout_with(any).stderr("").exit_code(0);
}

#[test]
fn a_second_use_of_the_action_leaves_the_first_alone() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci/github.sh");
    let files = Workspace::new("action_twice").file("in/a.txt", FOX).file("in/b.txt", CAT).folder("run");
    let runner =
        "export RUNNER_TEMP=\"$PWD/run\"; export GITHUB_STEP_SUMMARY=\"$PWD/summary\" GITHUB_OUTPUT=\"$PWD/output\"";
    let run = |path: &str| {
        let clean = "rm -f summary output";
        files
            .shell(&with_program(&format!("{clean}; {runner}; DEDUP_PATH={path} sh '{}' 2>messages", script.display())))
    };
    let sarif =
        || files.read("output").lines().find_map(|line| line.strip_prefix("sarif=").map(str::to_owned)).unwrap();
    run("in").stdout_with(any).stderr("").exit_code(1);
    let first = sarif();
    // One that fails has no outputs, and not those of the first.
    run("nowhere").stdout_with(any).stderr("").exit_code(2);
    assert!(!files.path("output").exists() && !files.path("summary").exists());
    run("in/a.txt").stdout_with(any).stderr("").exit_code(0);
    assert_ne!(sarif(), first);
    assert!(files.read(&first).contains("\"pairs\":1}") && files.read(&sarif()).contains("\"pairs\":0}"));
}

#[test]
fn every_input_of_the_action_reaches_its_script() {
    let (action, script) = (file("action.yml"), file("examples/ci/github.sh"));
    let inputs = action.split("\ninputs:\n").nth(1).unwrap().split("\noutputs:").next().unwrap();
    let inputs: Vec<&str> = inputs
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '))
        .collect();
    assert!(inputs.len() > 5, "{inputs:?}");
    for input in inputs.into_iter().filter(|&input| input != "upload-sarif") {
        let variable = format!("DEDUP_{}", input.to_uppercase().replace('-', "_"));
        assert!(
            action.contains(&format!("{variable}: ${{{{ inputs.{input} }}}}")) && script.contains(&variable),
            "{input}"
        );
    }
}

#[test]
fn the_job_of_gitlab_writes_its_artifacts() {
    let template = file("examples/ci/gitlab.yml");
    let script = template.split("    - >-\n").nth(1).unwrap().split("  artifacts:").next().unwrap();
    let script = script.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let files = Workspace::new("gitlab").file("a.txt", FOX).file("b.txt", CAT);
    let text = |text: &str| assert!(text.starts_with("Near-duplicates: 1 pair of 2 documents"), "{text}");
    files
        .shell(&with_program(&format!("DEDUP_FLAGS='--fail-over 0'\n{script}")))
        .stdout_with(text)
        .stderr("")
        .exit_code(1);
    for artifact in ["gl-code-quality-report.json", "dedup.xml"] {
        assert!(template.contains(&format!(": {artifact}\n")) && files.path(artifact).exists(), "{artifact}");
    }
    let git = "export GIT_CONFIG_GLOBAL=/dev/null; git init -q -b main . && git -c user.name=a -c user.email=b add a.txt b.txt && git -c user.name=a -c \
               user.email=b commit -q -m one";
    files.shell(git).stdout_with(any).stderr("").exit_code(0);
    let of_request = format!("DEDUP_FLAGS='--fail-over 0' CI_MERGE_REQUEST_DIFF_BASE_SHA=main\n{script}");
    let none = |text: &str| assert!(text.starts_with("Near-duplicates: 0 pairs; "), "{text}");
    files.shell(&with_program(&of_request)).stdout_with(none).stderr("").exit_code(0);
}

#[test]
fn the_hook_fails_for_what_is_about_to_be_committed() {
    let hooks = file(".pre-commit-hooks.yaml");
    let entry = hooks.lines().find_map(|line| line.trim().strip_prefix("entry: ")).unwrap();
    let git = "export GIT_CONFIG_GLOBAL=/dev/null; git init -q -b main . && git add . && git -c user.name=a -c user.email=b commit -q -m one";
    let files = Workspace::new("hook").file("a.txt", FOX).file("b.txt", CAT);
    files.shell(git).stdout_with(any).stderr("").exit_code(0);
    files.shell(&with_program(entry)).stdout_with(any).stderr("").exit_code(0);
    let files = files.file("c.txt", FOX);
    files.shell("git add c.txt").stdout("").stderr("").exit_code(0);
    let text = |text: &str| {
        assert!(
            text.starts_with("Near-duplicates: 2 pairs of 3 documents")
                && text.contains("1 pair of unchanged files left out"),
            "{text}"
        )
    };
    files.shell(&with_program(entry)).stdout_with(text).stderr("").exit_code(1);
}
