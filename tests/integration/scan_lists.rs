//! `--list-documents` and `--gitignore`: which inputs become documents.

use dedup_scan::records::DocumentRecord;

use crate::support::*;

#[test]
fn every_document_is_listed_with_what_became_of_it() {
    let lines =
        format!("{{\"id\":\"r\",\"text\":{FOX:?}}}\n{{\n{{\"text\":\"é ü\"}}\n{{\"id\":\"r\",\"text\":\"x\"}}\n");
    let corpus = Workspace::new("list")
        .file("a.txt", format!("{FOX}\n"))
        .file("bin", "\0")
        .file("c.txt", " \n")
        .file("r.jsonl", &lines)
        .file("z.html", "<p>aaaaaaaaaaaaaaa aaaaaaaaa")
        .file("bad", b"\xFF");
    let list = "{\"name\":\"a.txt\",\"treated\":\"used\",\"bytes\":45,\"tokens\":44,\"shingles\":36}\n\
         {\"name\":\"bad\",\"treated\":\"skipped\",\"reason\":\"not_utf8\",\
         \"detail\":\"not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\"}\n\
         {\"name\":\"bin\",\"treated\":\"binary\",\"reason\":\"binary\",\"detail\":\"binary, with a NUL at byte 0; skipped\"}\n\
         {\"name\":\"c.txt\",\"treated\":\"empty\",\"bytes\":2,\"tokens\":0,\"shingles\":0}\n\
         {\"name\":\"r\",\"treated\":\"copy\",\"bytes\":64,\"tokens\":44,\"shingles\":36,\"copy_of\":\"a.txt\"}\n\
         {\"name\":\"r.jsonl:2\",\"treated\":\"skipped\",\"reason\":\"malformed\",\
         \"detail\":\"malformed record, column 1: it ends within an object; skipped\"}\n\
         {\"name\":\"r.jsonl:3\",\"treated\":\"short\",\"bytes\":16,\"tokens\":3,\"shingles\":1}\n\
         {\"name\":\"r.jsonl:4\",\"treated\":\"short\",\"bytes\":21,\"tokens\":1,\"shingles\":1}\n\
         {\"name\":\"z.html\",\"treated\":\"used\",\"bytes\":28,\"tokens\":25,\"shingles\":10}\n";
    let stderr = "dedup: bad: not valid UTF-8 at byte 0; read it with --encoding LABEL or --invalid replace\n\
         dedup: r.jsonl:2: malformed record, column 1: it ends within an object; skipped\n\
         dedup: r.jsonl:4: the id \"r\" is a duplicate; compared under this name\n";
    for threads in ["1", "4"] {
        let run = corpus.dedup(&["scan", "-q", ".", "--list-documents", "--threads", threads]);
        run.stdout(list).stderr(stderr).exit_code(3);
    }
    for line in list.lines() {
        let record: DocumentRecord = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), line);
    }
    corpus
        .dedup(&["scan", "a.txt", "--list-documents", "--shingle", "word"])
        .stdout("{\"name\":\"a.txt\",\"treated\":\"used\",\"bytes\":45,\"tokens\":9,\"shingles\":5}\n")
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_document_that_is_warned_of_is_listed_once_and_one_that_is_left_out_with_the_reason() {
    let corpus = Workspace::new("list_sparse").file("a.txt", FOX).file("x.txt", "x".repeat(1000));
    let list = "{\"name\":\"a.txt\",\"treated\":\"used\",\"bytes\":44,\"tokens\":9,\"shingles\":5}\n\
         {\"name\":\"x.txt\",\"treated\":\"short\",\"bytes\":1000,\"tokens\":1,\"shingles\":1}\n";
    let args = ["scan", "-q", ".", "--list-documents", "--shingle", "word"];
    corpus
        .dedup(&args)
        .stdout(list)
        .stderr("dedup: warning: x.txt: 1 word in 1000 characters; try --shingle char\n")
        .exit_code(0);
    let left_out = "{\"name\":\"x.txt\",\"treated\":\"skipped\",\"reason\":\"few_tokens\",\
         \"detail\":\"1 token, fewer than --min-tokens 2; skipped\"}\n";
    let first = list.split_inclusive('\n').next().unwrap();
    let args = [&args[..], &["--min-tokens", "2"]].concat();
    corpus.dedup(&args).stdout(&format!("{first}{left_out}")).stderr("").exit_code(0);
}

#[test]
fn a_list_and_pairs_exclude_each_other() {
    Workspace::new("list_misuse")
        .dedup(&["scan", ".", "--list-documents", "--exit-code"])
        .stdout("")
        .stderr("dedup: --list-documents: cannot be used with --exit-code; remove one of them; see dedup scan --help\n")
        .exit_code(2);
}

#[test]
fn gitignore_files_leave_out_what_git_would() {
    let corpus = Workspace::new("gitignore")
        .folder(".git/info")
        .file(".git/info/exclude", "secret\n")
        .file(".gitignore", "/top.txt\n*.log\nbuild/\n!kept.log\n")
        .file("top.txt", FOX)
        .file("secret", FOX)
        .file("a.log", FOX)
        .file("kept.log", FOX)
        .file("build/x", FOX)
        .file("d/top.txt", FOX)
        .file("d/a.log", FOX)
        .file("d/.gitignore", "!a.log\ne.txt\n")
        .file("d/e.txt", FOX)
        .file("d/deep/e.txt", FOX)
        .file("f/e.txt", FOX);
    let flags = ["scan", "-q", ".", "--gitignore", "--collapse-exact"];
    corpus.dedup(&flags).pairs(&["d/a.log d/top.txt", "d/a.log f/e.txt", "d/a.log kept.log"]).stderr("").exit_code(0);
    // The files above count, and what is named was meant.
    let flags = ["scan", "-q", "d", "f", "a.log", "--gitignore", "--collapse-exact"];
    corpus.dedup(&flags).pairs(&["d/a.log d/top.txt", "d/a.log f/e.txt", "d/a.log a.log"]).stderr("").exit_code(0);
    // Without the flag the summary counts what git would ignore: secret, top.txt, a.log, build/x, d/e.txt and d/deep/e.txt.
    let note = "dedup: note: 6 files that .gitignore excludes were read; --gitignore skips such files";
    corpus.dedup(&["scan", ".", "-o", "all.jsonl"]).stdout("").stderr_with_line(note).exit_code(0);
    let no_note = |stderr: &str| assert!(!stderr.contains("gitignore"), "{stderr}");
    // A path that the user gives is read, also a folder.
    for args in [&["scan", "--gitignore", "-o", "few.jsonl", "."][..], &["scan", "build", "a.log", "-o", "few.jsonl"]] {
        corpus.dedup(args).stdout("").stderr_with(no_note).exit_code(0);
    }
    let flags = ["scan", "-q", ".", "--gitignore", "--hidden", "--list-documents"];
    corpus.dedup(&flags).stdout_with(|list| assert!(!list.contains(".git/"), "{list}")).stderr("").exit_code(0);
    // Outside of a repository git ignores nothing.
    std::fs::rename(corpus.path(".git"), corpus.path("git")).unwrap();
    corpus.dedup(&["scan", ".", "-o", "all.jsonl"]).stdout("").stderr_with(no_note).exit_code(0);
}
