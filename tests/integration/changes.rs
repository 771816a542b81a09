//! `--changed-since`: pairs of files that were changed in git, and what is said where git does not know.

use crate::support::*;

fn any(_: &str) {}

/// A repository with two pairs, and a `main` that it left.
fn repository(name: &'static str) -> Workspace {
    let files = Workspace::new(name)
        .file("a.txt", FOX)
        .file("b.txt", CAT)
        .file("sub/c.txt", LOREM)
        .file("sub/d e.txt", format!("{LOREM}!"));
    git(&files, "init -q -b main . && git add . && git commit -q -m one && git switch -q -c topic");
    files
}

/// Runs git, with settings of nobody.
fn git(files: &Workspace, script: &str) {
    let settings = "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b \
                    GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_ALLOW_PROTOCOL=file";
    files.shell(&format!("{settings}\ngit {script}")).stdout_with(any).stderr_with(any).exit_code(0);
}

fn since(revision: &str) -> [&str; 6] {
    ["scan", ".", "-q", "--exit-code", "--changed-since", revision]
}

#[test]
fn only_pairs_with_a_changed_file_are_left() {
    let files = repository("changed");
    files.dedup(&["scan", ".", "-q"]).pairs(&["a.txt b.txt", "sub/c.txt sub/d e.txt"]).stderr("").exit_code(0);
    files.dedup(&since("main")).stdout("").stderr("").exit_code(0);
    // In the working tree, in the index, in a commit: all of them count.
    std::fs::write(files.path("sub/d e.txt"), format!("{LOREM}?")).unwrap();
    for step in ["status", "add .", "commit -q -m two"] {
        git(&files, step);
        files.dedup(&since("main")).pairs(&["sub/c.txt sub/d e.txt"]).stderr("").exit_code(1);
    }
    files.dedup(&since("HEAD")).stdout("").stderr("").exit_code(0);
    // What main changed meanwhile is not of this branch.
    git(&files, "switch -q main && echo more >> a.txt && git commit -q -a -m three && git switch -q topic");
    files.dedup(&since("main")).pairs(&["sub/c.txt sub/d e.txt"]).stderr("").exit_code(1);
    // A new file counts before git knows it, unless git ignores it.
    let files = files.file("new.txt", FOX).file(".gitignore", "ignored*\n").file("ignored.txt", CAT);
    let look = ["a.txt new.txt", "b.txt new.txt", "ignored.txt new.txt", "sub/c.txt sub/d e.txt"];
    files.dedup(&since("main")).pairs(&look).stderr("").exit_code(1);
    files
        .shell("cd sub && $D scan .. -q --changed-since main | wc -l")
        .stdout_with(|out| assert_eq!(out.trim(), "4"))
        .stderr("")
        .exit_code(0);
    // The repository is that of the input, wherever it is seen from.
    files
        .shell("cd / && $D scan \"$OLDPWD/sub\" \"$OLDPWD/a.txt\" \"$OLDPWD/new.txt\" -q --changed-since main | wc -l")
        .stdout_with(|out| assert_eq!(out.trim(), "2"))
        .stderr("")
        .exit_code(0);
    files
        .dedup(&["scan", ".", "-q", "--changed-since", "main", "--fail-over", "4"])
        .stdout_with(any)
        .stderr("")
        .exit_code(0);
    // The annotation is on the file that was changed.
    let args = ["scan", "a.txt", "new.txt", "-q", "--changed-since", "main", "--format", "github"];
    files
        .dedup(&args)
        .stdout_with(|text| assert!(text.starts_with("::warning file=new.txt,"), "{text}"))
        .stderr("")
        .exit_code(0);
    // A saved result is filtered as well, from wherever it is read.
    files.dedup(&["scan", ".", "-q", "--save", ".r"]).stdout_with(any).stderr("").exit_code(0);
    files
        .shell("cd / && $D report \"$OLDPWD/.r\" --changed-since main --format csv | wc -l")
        .stdout_with(|out| assert_eq!(out.trim(), "5"))
        .stderr("unchanged  3 pairs hidden\n")
        .exit_code(0);
}

#[test]
fn a_renamed_file_is_not_changed_unless_it_was_edited() {
    let files = repository("renamed");
    git(&files, "mv a.txt z.txt && git mv sub moved && git commit -q -m two");
    files.dedup(&since("main")).stdout("").stderr("").exit_code(0);
    // A mode is no content.
    git(&files, "update-index --chmod=+x z.txt");
    files.shell("chmod +x z.txt").stdout("").stderr("").exit_code(0);
    files.dedup(&since("main")).stdout("").stderr("").exit_code(0);
    std::fs::write(files.path("z.txt"), format!("{FOX}!")).unwrap();
    files
        .dedup(&[&since("main")[..], &["--threshold", "0.7"]].concat())
        .pairs(&["b.txt z.txt"])
        .stderr("")
        .exit_code(1);
    // Whatever the settings of the user are.
    git(&files, "config diff.renames false && git config diff.relative true && git config core.quotePath true");
    files
        .shell("cd moved && $D scan .. -q --changed-since main --threshold 0.7")
        .pairs(&["../b.txt ../z.txt"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn files_of_submodules_links_and_archives_count() {
    let inner = repository("inner");
    let files = repository("outer").link("link.txt", "sub/c.txt");
    let path = inner.path("");
    git(
        &files,
        &format!(
            "submodule add -q '{}' mod && git add . && git commit -q -m two && git branch -f main",
            path.display()
        ),
    );
    files.dedup(&["scan", ".", "-q", "--changed-since", "main"]).stdout("").stderr("").exit_code(0);
    std::fs::write(files.path("mod/b.txt"), format!("{CAT}!")).unwrap();
    let args = ["scan", "b.txt", "mod", "-q", "--changed-since", "main", "--threshold", "0.7"];
    files.dedup(&args).pairs(&["b.txt mod/b.txt", "mod/a.txt mod/b.txt"]).stderr("").exit_code(0);
    git(&files, "-C mod commit -q -a -m two && git commit -q -a -m three");
    files.dedup(&args).pairs(&["b.txt mod/b.txt", "mod/a.txt mod/b.txt"]).stderr("").exit_code(0);
    // A new submodule is new as a whole.
    git(&files, &format!("submodule add -q '{}' other && git commit -q -m four", path.display()));
    let args = ["compare", "other", "--against", "a.txt", "-q", "--changed-since", "main"];
    files.dedup(&args).pairs(&["other/a.txt a.txt", "other/b.txt a.txt"]).stderr("").exit_code(0);
    // The file behind a link, and the archive that a member is in.
    std::fs::write(files.path("sub/c.txt"), format!("{LOREM}?")).unwrap();
    files
        .dedup(&["scan", "link.txt", "sub/d e.txt", "-q", "--changed-since", "main"])
        .pairs(&["link.txt sub/d e.txt"])
        .stderr("")
        .exit_code(0);
    files
        .shell("tar cf t.tar a.txt && $D scan t.tar b.txt -q --changed-since main")
        .pairs(&["t.tar!a.txt b.txt"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn what_git_does_not_know_is_one_line() {
    let files = repository("unknown");
    let says = |args: &[&str], line: &str| {
        files.dedup(args).stdout("").stderr_with(|stderr| assert!(stderr.starts_with(line), "{stderr}")).exit_code(2);
    };
    says(
        &since("nowhere"),
        "dedup: --changed-since: unknown revision nowhere; fetch it, as in git fetch origin nowhere\n",
    );
    says(&["scan", ".", "-q", "--changed-since=--output=x"], "dedup: --changed-since: unknown revision --output=x; ");
    git(&files, "switch -q --orphan lone && git commit -q --allow-empty -m lone && git restore --source main .");
    says(
        &since("main"),
        "dedup: --changed-since: HEAD and main have no commit in common here; give a revision that HEAD is based on\n",
    );
    let outside = Workspace::new("outside").file("x.txt", FOX);
    let look = |stderr: &str| {
        assert!(stderr.contains("is not inside a git work tree; run it in one, or remove the flag"), "{stderr}")
    };
    outside.dedup_with(&since("main"), "GIT_CEILING_DIRECTORIES", "/").stdout("").stderr_with(look).exit_code(2);
    let no_git = "dedup: --changed-since: git was not found; install it, or remove the flag\n";
    outside.dedup_with(&since("main"), "PATH", "/nowhere").stdout("").stderr(no_git).exit_code(2);
    // What lies outside of the repository is said, and counts as unchanged.
    let there = outside.path("x.txt").canonicalize().unwrap();
    git(&files, "switch -q -f topic");
    let args = ["scan", "a.txt", there.to_str().unwrap(), "-q", "--changed-since", "main"];
    let look = |stderr: &str| {
        assert!(
            stderr.starts_with("dedup: warning: --changed-since: 1 of the files are outside of the repository "),
            "{stderr}"
        );
    };
    files.dedup(&args).stdout("").stderr_with(look).exit_code(0);
}

#[test]
fn a_shallow_clone_says_what_to_fetch() {
    let origin = repository("origin");
    git(
        &origin,
        "commit -q --allow-empty -m two && git commit -q --allow-empty -m three && git switch -q main && git commit -q --allow-empty -m four",
    );
    let clone = Workspace::new("shallow");
    let path = origin.path("");
    git(&clone, &format!("clone -q --depth 1 --branch topic 'file://{}' c", path.display()));
    let deepen = "this clone is shallow; run git fetch --unshallow, or check out with fetch-depth: 0\n";
    let look = |args: &str, line: &str| {
        clone
            .shell(&format!("cd c && $D scan . -q --changed-since {args}"))
            .stdout("")
            .stderr(&format!("dedup: --changed-since: {line}; {deepen}"))
            .exit_code(2);
    };
    look("origin/main", "unknown revision origin/main");
    git(&clone, "-C c fetch -q --depth 1 origin main:refs/remotes/origin/main");
    look("origin/main", "HEAD and origin/main have no commit in common here");
    git(&clone, "-C c fetch -q --unshallow origin");
    clone.shell("cd c && $D scan . -q --changed-since origin/main").stdout("").stderr("").exit_code(0);
}

#[test]
fn what_git_has_not_stored_is_changed_by_its_content_alone() {
    let files = repository("unstored");
    // Added, and edited since; added in name alone.
    let files = files.file("new.txt", FOX).file("named.txt", FOX);
    git(&files, "add new.txt && git add -N named.txt && echo more >> new.txt");
    let with_new = ["a.txt named.txt", "a.txt new.txt", "b.txt named.txt", "named.txt new.txt"];
    files.dedup(&since("HEAD")).pairs(&with_new).stderr("").exit_code(1);
    git(&files, "rm -q -f --cached new.txt named.txt");
    std::fs::remove_file(files.path("new.txt")).unwrap();
    std::fs::remove_file(files.path("named.txt")).unwrap();
    // Another mode, or another name that git was not told of.
    git(&files, "config core.fileMode true && chmod +x a.txt && mv sub/c.txt moved.txt");
    files.dedup(&since("HEAD")).stdout("").stderr("").exit_code(0);
    git(&files, "config diff.orderFile /no/such/file && echo >> b.txt");
    files.dedup(&since("HEAD")).pairs(&["a.txt b.txt"]).stderr("").exit_code(1);
}

#[test]
fn all_is_new_before_the_first_commit() {
    let files = Workspace::new("unborn").file("a.txt", FOX).file("b.txt", CAT);
    git(&files, "init -q -b main . && git add a.txt");
    files.dedup(&since("HEAD")).pairs(&["a.txt b.txt"]).stderr("").exit_code(1);
    for range in ["", "HEAD..HEAD"] {
        let why = format!(
            "dedup: --changed-since: '{range}' is not a revision; give one revision, such as origin/main, not a range\n"
        );
        files.dedup(&since(range)).stdout("").stderr(&why).exit_code(2);
    }
}

#[test]
fn a_hook_of_a_linked_work_tree_looks_into_submodules() {
    let files = Workspace::new("hooked").file("inner/a.txt", FOX).file("outer/b.txt", CAT);
    git(&files, "-C inner init -q -b main && git -C inner add . && git -C inner commit -q -m one");
    git(
        &files,
        "-C outer init -q -b main && git -C outer -c protocol.file.allow=always submodule add -q ../inner sub && git -C outer add . \
         && git -C outer commit -q -m one",
    );
    std::fs::write(files.path("outer/sub/a.txt"), format!("{FOX} more")).unwrap();
    // As git calls a hook.
    let run = files.shell(
        "cd outer && GIT_DIR=$PWD/.git GIT_INDEX_FILE=$PWD/.git/index GIT_PREFIX= $D scan . -q --threshold 0.5 --changed-since HEAD | wc -l",
    );
    run.stdout_with(|out| assert_eq!(out.trim(), "1")).stderr("").exit_code(0);
}

/// Programs that the configuration of a repository names, each of which would leave a file.
const HOSTILE: &str = "run() { printf '#!/bin/sh\\ntouch \"%s/ran-%s\"\\ncat\\n' \"$top\" $1 > \"$top/.git/$1\"; chmod +x \"$top/.git/$1\"; }
    top=$PWD
    for name in monitor clean process smudge hook textconv pager pack ssh; do run $name; done
    for r in . sub; do
      git -C $r config core.fsmonitor \"$top/.git/monitor\"
      git -C $r config filter.x.clean \"$top/.git/clean\"
      git -C $r config filter.x.smudge \"$top/.git/smudge\"
      git -C $r config diff.external \"$top/.git/textconv\"
      git -C $r config core.pager \"$top/.git/pager\"
      git -C $r config core.sshCommand \"$top/.git/ssh\"
      hooks=$(git -C $r rev-parse --git-path hooks)
      (cd $r && mkdir -p $hooks && cp \"$top/.git/hook\" $hooks/post-index-change && cp \"$top/.git/hook\" $hooks/post-checkout)
    done
    git config extensions.partialClone origin && git config remote.origin.promisor true
    git config remote.origin.url ssh://x/y && git config remote.origin.uploadpack \"$top/.git/pack\"
    git config core.repositoryFormatVersion 1
    touch a.txt b.txt sub/c.txt 'sub/d e.txt'";

#[cfg(unix)]
#[test]
fn the_configuration_of_a_repository_runs_nothing() {
    let files = Workspace::new("changed_hostile")
        .file("a.txt", FOX)
        .file("b.txt", FOX)
        .file(".gitattributes", "* filter=x diff=x\n");
    let files = files.file("sub/c.txt", LOREM).file("sub/d e.txt", format!("{LOREM}!"));
    git(
        &files,
        "-C sub init -q -b main && git -C sub add . && git -C sub commit -q -m one && git init -q -b main && \
                 git -c protocol.file.allow=always submodule --quiet add ./sub sub && git add . && git commit -q -m one",
    );
    files.shell(HOSTILE).stdout_with(any).stderr_with(any).exit_code(0);
    files.dedup(&since("HEAD")).pairs(&[]).stderr("").exit_code(0);
    std::fs::write(files.path("a.txt"), format!("{FOX}!")).unwrap();
    std::fs::write(files.path("sub/d e.txt"), format!("{LOREM}?")).unwrap();
    files.dedup(&since("HEAD")).pairs(&["a.txt b.txt", "sub/c.txt sub/d e.txt"]).stderr("").exit_code(1);
    // An object that is not there is not fetched by a program of the configuration.
    files.dedup(&since("0123456789012345678901234567890123456789")).stdout("").stderr_with(any).exit_code(2);
    let look = |found: &str| assert_eq!(found, "", "these programs ran");
    files.shell("ls | grep '^ran-'; true").stdout_with(look).stderr("").exit_code(0);
    // Git itself would have run them.
    files
        .shell("git status > /dev/null 2>&1; ls | grep -c '^ran-'")
        .stdout_with(|n| assert_ne!(n.trim(), "0"))
        .stderr("")
        .exit_code(0);
}

#[cfg(unix)]
#[test]
fn an_embedded_bare_repository_is_not_used() {
    let files = Workspace::new("changed_bare").file("a.txt", FOX).file("b.txt", FOX);
    git(&files, "init -q --bare inner");
    let script = "git -C inner config core.bare false && git -C inner config core.worktree .. && \
                  git -C inner config core.fsmonitor 'touch ../ran'; cd inner && $D scan .. -q --changed-since HEAD";
    let look = |text: &str| assert!(text.starts_with("dedup: ") && text.lines().count() == 1, "{text}");
    files.shell(script).stdout("").stderr_with(look).exit_code(2);
    assert!(!files.path("ran").exists());
}

#[test]
fn line_ends_of_the_work_tree_and_large_files_elsewhere_are_no_change() {
    let files =
        Workspace::new("changed_line_ends").file(".gitattributes", "* text\n").file("a.txt", format!("{FOX}\r\n"));
    let files = files.file("b.txt", format!("{FOX}\r\nx\r\n"));
    git(&files, "init -q -b main && git add . && git commit -q -m one");
    files.dedup(&since("HEAD")).pairs(&[]).stderr("").exit_code(0);
    std::fs::write(files.path("a.txt"), format!("{FOX}\r\n\r\n")).unwrap();
    files.dedup(&since("HEAD")).pairs(&["a.txt b.txt"]).stderr("").exit_code(1);
}
