//! Programs with a string or a comment that has no end are reported by name.

use crate::support::*;

#[test]
fn programs_with_a_string_that_has_no_end_are_reported_by_name() {
    let broken = |line: &str| format!("int a = 1;\n\nchar *s = {line}\nint b;\n");
    let workspace = Workspace::new("unclosed_programs")
        .file("in/a.c", broken("\"x;"))
        .file("in/b.js", "let a = `x ${1}\nlet b = 2\n")
        .file("in/c.go", "package x\n\n/* no end")
        .file("in/d.py", "a = 1  # it's whole\n");
    let args = ["scan", "-q", "--preset", "code", "in"];
    let report = |workspace: &Workspace| {
        let mut found = Vec::new();
        let run = workspace.dedup(&["scan", "--preset", "code", "in"]).stdout("");
        run.stderr_with(|stderr| {
            found.extend(stderr.lines().filter(|line| line.contains("has no end")).map(str::to_owned))
        })
        .exit_code(0);
        found
    };
    let line = |name: &str, line: u64| {
        format!(
            "dedup: in/{name}: line {line}: a string or comment has no end; what follows is compared as program text"
        )
    };
    assert_eq!(report(&workspace), [line("a.c", 3), line("b.js", 1), line("c.go", 3)]);
    workspace
        .dedup(&args)
        .pairs(&[])
        .stderr_with(|stderr| assert!(!stderr.contains("no end"), "{stderr}"))
        .exit_code(0);
    // The files of one person.
    let of_person =
        "dedup: in: in/a.c line 3: a string or comment has no end; what follows is compared as program text\n";
    workspace
        .dedup(&["scan", "--preset", "code", "in", "--unit", "path"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with(of_person), "{stderr}"))
        .exit_code(0);
    let workspace = workspace.file("in/e.rs", "let a = \"x\n").file("in/f.rb", "x = <<EOS\nhere\n");
    assert_eq!(
        report(&workspace),
        [
            "dedup: 5 programs with a string or comment that has no end: in/a.c, in/b.js, in/c.go and 2 more; what follows is \
          compared as program text (--list-documents lists each)"
        ]
    );
}
