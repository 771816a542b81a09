//! Walks through folders: globs and hidden files.

use crate::support::*;

fn tree(name: &'static str) -> Workspace {
    ["a.md", "a.txt", "build/b.txt", "src/build/c.txt", "src/d.txt", "src/sub/e.txt"]
        .iter()
        .fold(Workspace::new(name), |corpus, path| corpus.file(path, FOX))
}

/// The documents of a scan, told by the pairs of the first with all others.
fn assert_documents(corpus: &Workspace, args: &[&str], documents: &[&str]) {
    let pairs: Vec<String> = documents[1..].iter().map(|other| format!("{} {other}", documents[0])).collect();
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    corpus.dedup(&[&["scan", "-q", "--collapse-exact"], args].concat()).pairs(&pairs).stderr("").exit_code(0);
}

#[test]
fn include_takes_files_by_name_or_by_path() {
    let corpus = tree("include");
    assert_documents(
        &corpus,
        &[".", "--include", "[a-d].txt"],
        &["a.txt", "build/b.txt", "src/build/c.txt", "src/d.txt"],
    );
    assert_documents(&corpus, &[".", "--include", "*.md", "--include", "e.*"], &["a.md", "src/sub/e.txt"]);
    assert_documents(&corpus, &[".", "--include", "src/*.txt", "--include", "*.md"], &["a.md", "src/d.txt"]);
    assert_documents(&corpus, &[".", "--include", "/src/**"], &["src/build/c.txt", "src/d.txt", "src/sub/e.txt"]);
    assert_documents(&corpus, &[".", "--include", "**/build/*"], &["build/b.txt", "src/build/c.txt"]);
    assert_documents(&corpus, &[".", "--include", "{a,d}.{md,txt}"], &["a.md", "a.txt", "src/d.txt"]);
}

#[test]
fn globs_with_a_slash_are_matched_inside_the_folder_that_is_walked() {
    let corpus = tree("inside");
    for folder in ["src", "./src", "src/"] {
        let [c, d] = ["build/c.txt", "d.txt"].map(|path| format!("{}/{path}", folder.trim_end_matches('/')));
        assert_documents(&corpus, &[folder, "--exclude", "sub/*"], &[&c, &d]);
    }
    assert_documents(&corpus, &["src", "--exclude", "src/*"], &["src/build/c.txt", "src/d.txt", "src/sub/e.txt"]);
    assert_documents(
        &corpus,
        &["./src/d.txt", "./a.md", "a.txt", "--include", "src/*", "--include", "*.md"],
        &["./src/d.txt", "./a.md"],
    );
}

#[test]
fn exclude_leaves_out_files_and_whole_folders() {
    let corpus = tree("exclude");
    assert_documents(&corpus, &[".", "--exclude", "build"], &["a.md", "a.txt", "src/d.txt", "src/sub/e.txt"]);
    assert_documents(
        &corpus,
        &[".", "--exclude", "/build/"],
        &["a.md", "a.txt", "src/build/c.txt", "src/d.txt", "src/sub/e.txt"],
    );
    assert_documents(&corpus, &[".", "--exclude", "src/*", "--exclude", "*.md"], &["a.txt", "build/b.txt"]);
    assert_documents(&corpus, &[".", "--exclude", "src", "--include", "*.txt"], &["a.txt", "build/b.txt"]);
    assert_documents(&corpus, &["src", "--exclude", "src", "--exclude", "sub"], &["src/build/c.txt", "src/d.txt"]);
    assert_documents(&corpus, &["a.md", "a.txt", "src/d.txt", "--exclude", "*.md"], &["a.txt", "src/d.txt"]);
}

#[test]
fn an_excluded_folder_is_not_even_opened() {
    let corpus = tree("pruned");
    corpus.forbid("build");
    assert_documents(
        &corpus,
        &[".", "--exclude", "build", "--exclude", "*.md"],
        &["a.txt", "src/d.txt", "src/sub/e.txt"],
    );
}

#[test]
fn hidden_files_and_folders_need_a_flag_or_their_name() {
    let corpus =
        Workspace::new("hidden").file(".a", FOX).file(".git/b", FOX).file("c", FOX).file("d/.e", FOX).file("f", FOX);
    assert_documents(&corpus, &["."], &["c", "f"]);
    assert_documents(&corpus, &[".", "--hidden"], &[".a", ".git/b", "c", "d/.e", "f"]);
    assert_documents(&corpus, &[".git", ".a"], &[".git/b", ".a"]);
}

#[test]
fn a_bad_glob_is_wrong_usage() {
    for flag in ["--include", "--exclude"] {
        let message = format!("dedup: {flag} a[: a [ is never closed; correct the glob; see dedup scan --help\n");
        Workspace::new("bad_glob").dedup(&["scan", ".", flag, "a["]).stdout("").stderr(&message).exit_code(2);
    }
}
