//! Typing errors and words of other programs: the message reports what was meant, and nothing where that is in doubt.

use crate::support::*;

#[test]
fn what_may_have_been_meant_is_named() {
    let workspace = Workspace::new("typos").file("a.txt", FOX);
    for (args, message) in [
        (vec!["scna", "."], "scna: no such command; scan is similar"),
        (vec!["index", "chek", "x.index"], "chek: no such command; check is similar"),
        (vec!["index", "zap", "x.index"], "zap: no such command; give "),
        (vec!["SCAN", "."], "SCAN: no such command; scan is similar"),
        (vec!["scan", "--thresh", "0.8", "."], "--thresh: no such flag; --threshold is similar"),
        (vec!["scan", "--treshold", "0.8", "."], "--treshold: no such flag; --threshold is similar"),
        (
            vec!["scan", "--shingle", "wrod", "."],
            "--shingle wrod: give char, word, line, sentence, paragraph, code, stopword or set; word is similar",
        ),
        (
            vec!["scan", "--preset", "porse", "."],
            "--preset porse: give prose, revisions, code, clones, sentences, web, mail, logs or records; prose is similar",
        ),
        (vec!["scan", "--format", "serif", "."], "--format serif: give text, "),
        (vec!["unique", "--keep", "longset", "-n", "."], "--keep longset: give first, last, longest, "),
        (vec!["scan", "--encoding", "shiftjis9", "."], "--encoding shiftjis9: give auto, or the label of an encoding"),
    ] {
        let look = |stderr: &str| assert!(stderr.starts_with(&format!("dedup: {message}")), "{stderr}");
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(2);
    }
    for (args, similar) in [(["--format", "serif"], "sarif"), (["--syntax", "pyton"], "python")] {
        let look = |stderr: &str| assert!(stderr.contains(&format!("; {similar} is similar; see ")), "{stderr}");
        workspace.dedup(&["scan", args[0], args[1], "."]).stdout("").stderr_with(look).exit_code(2);
    }
    let look = |stderr: &str| assert!(stderr.contains("; longest is similar; see "), "{stderr}");
    workspace.dedup(&["unique", "--keep", "longset", "-n", "."]).stdout("").stderr_with(look).exit_code(2);
}

/// Runs command lines, each of which is refused with the advice behind it.
fn refused(name: &'static str, cases: &[(&str, &str)]) {
    let workspace = Workspace::new(name).file("a.txt", FOX).file("b.txt", FOX);
    for (args, message) in cases {
        let words: Vec<&str> = args.split(' ').collect();
        let look = |stderr: &str| {
            assert!(stderr.starts_with(&format!("dedup: {message}; see dedup ")), "{args}: {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
        };
        workspace.dedup(&words).stdout("").stderr_with(look).exit_code(2);
    }
}

#[test]
fn flags_of_other_programs_are_answered_with_our_own() {
    refused(
        "foreign_flags",
        &[
            ("scan . --ignore-case", "--ignore-case: no such flag; give --lowercase"),
            ("scan . -i", "-i: no such flag; give --lowercase"),
            ("scan -g*.py .", "-g*.py: no such flag; give --include '*.py'"),
            ("scan -x.git .", "-x.git: no such flag; give --exclude '.git'"),
            ("scan --version", "--version: no such flag; dedup -V prints the version"),
            ("explain a.txt b.txt -V", "-V: no such flag; dedup -V prints the version"),
            ("report S1 --html", "--html: no such flag; write: dedup report RESULT --format html=out.html"),
            (
                "plan . --dry-run",
                "--dry-run: no such flag; the script does nothing until you run it; read it, and run it with sh",
            ),
            (
                "plan . --simulate",
                "--simulate: no such flag; the script does nothing until you run it; read it, and run it with sh",
            ),
            ("scan . --dry-run", "--dry-run: no such flag; this command changes no document; remove the flag"),
            (
                "query a.txt",
                "PATH: missing; write: dedup query INDEX PATH, where INDEX is a file that dedup index build INDEX PATH has \
                 written",
            ),
            ("scan . --similarity 0.8", "--similarity: no such flag; give --threshold"),
            ("scan . --similarity=0.8", "--similarity: no such flag; give --threshold"),
            (
                "scan . --num_perm 128",
                "--num_perm: no such flag; a signature has bands x rows values; give --bands and --rows",
            ),
            ("scan . --ngram 5", "--ngram: no such flag; give --k"),
            ("scan . --jobs 4", "--jobs: no such flag; give --threads"),
            ("scan . --column body", "--column: no such flag; give --text-field"),
            ("scan . --reporters html", "--reporters: no such flag; give --format"),
            ("scan . -r", "-r: no such flag; folders are read with all folders in them; remove the flag"),
            ("scan . -bc base", "-bc: no such flag; give --template"),
            ("scan . --limit 5", "--limit: no such flag; give --top"),
            ("scan . --json", "--json: no such flag; each line is a JSON object without a flag; remove the flag"),
            ("scan . --no-color", "--no-color: no such flag; give --color never"),
            (
                "scan . --delete",
                "--delete: no such flag; dedup plan writes a script that removes duplicates, and dedup unique writes a corpus \
                 without them",
            ),
            ("unique . --top-k 5", "--top-k: no such flag; dedup query has --best"),
            ("query x.index a.txt --top-k 5", "--top-k: no such flag; give --best"),
            ("index build x.index . --workers 2", "--workers: no such flag; give --threads"),
            ("scan . --zebra", "--zebra: no such flag; remove it"),
            ("scan . --ignoreCase", "--ignoreCase: no such flag; give --lowercase"),
            ("scan . --b 20", "--b: no such flag; give --bands"),
            ("scan . -rn", "-rn: no such flag; folders are read with all folders in them; remove the flag"),
            ("scan . -iname x", "-iname: no such flag; give --include"),
            ("explain a.txt b.txt -U3", "-U3: no such flag; give --context"),
            ("scan . -M90%", "-M90%: no such flag; give --threshold"),
            ("scan . -vv", "-vv: no such flag; give --stats"),
            ("scan . --cached", "--cached: no such flag; give --changed-since"),
            ("scan . --gpu", "--gpu: no such flag; dedup uses processors, as many as --threads says; remove the flag"),
            ("scan . --scan", "--scan: scan is a command, not a flag; write dedup scan"),
            ("scan . --stdin", "--stdin: no such flag; give the path `-` to read standard input"),
            (
                "cluster . --save r",
                "--save: no such flag; save pairs by dedup scan PATH --save DIR, and group them by dedup cluster --from DIR",
            ),
            (
                "index build x.index . --force",
                "--force: no such flag; delete the old index or choose another name; dedup index add adds documents to an index",
            ),
            (
                "explain --from r",
                "--from: no such flag; give both names and the files that have them, as in: dedup explain A B --in PATH",
            ),
            (
                "scan . --preset java",
                "--preset java: give prose, revisions, code, clones, sentences, web, mail, logs or records; write --preset code",
            ),
            (
                "cluster . --linkage single",
                "--linkage single: give components, star or complete; write --linkage components",
            ),
            ("curve 0.8", "0.8: `dedup curve` accepts no paths; write --threshold 0.8"),
            ("explain a.txt b.txt a.txt", "a.txt: `dedup explain` compares two documents; give two"),
            (
                "explain a.txt",
                "A, B: give two documents to compare, as in: dedup explain A B; `dedup PATH` finds pairs",
            ),
            (
                "explain --in . a.txt b.txt",
                "--in: it accepts all paths up to the next flag; write it after A and B: dedup explain A B --in PATH",
            ),
            ("scan . --deliminate", "--deliminate: no such flag; remove it"),
            (
                "scan . --html out.html",
                "--html out.html: it selects which documents are HTML pages; write a report with --format html=out.html",
            ),
            (
                "scan . --format out.html",
                "--format out.html: a file follows the name of its format; write --format html=out.html",
            ),
            (
                "report r -f pairs.csv",
                "--format pairs.csv: a file follows the name of its format; write --format csv=pairs.csv",
            ),
        ],
    );
}

/// Flags of grep, ripgrep, fd, jq, datasketch, text-dedup, jscpd, JPlag and Dolos, each with a word of the advice.
#[test]
fn no_flag_of_a_similar_tool_is_only_to_be_removed() {
    let workspace = Workspace::new("similar_tools").file("a.txt", FOX).file("b.txt", FOX);
    for (flags, advice) in [
        ("--save_dir=x", "give --save"),
        ("--hashfunc=sha1", "xxh3"),
        ("--fail-on error", "give --exit-code"),
        ("--subdirectory src", "--include"),
        ("--min-tokens-match 9", "give --match passages --min-run TOKENS"),
        ("--normalize", "--lowercase"),
        ("--frequency", "give --weights idf"),
        ("--search-zip", "without a flag"),
        ("--type-add web:*.html", "give --include"),
        ("--binary-files=text", "--filter"),
        ("--changed-within 2d", "--changed-since"),
        ("--size +1k", "--max-document-bytes"),
        ("--exit-status", "give --exit-code"),
        ("--sort-keys", "fixed order"),
        ("--line-number", "--show-passages"),
        ("--no-heading", "one line"),
        ("--absolute-path", "an absolute path"),
        ("--max-lines 10", "give --max-document-bytes"),
        ("--store redis", "--memory"),
        ("--gitignore-file x", "give --gitignore"),
        ("--params", "give --bands and --rows"),
        ("--one-file-system", "--exclude"),
        ("--indent 2", "jq"),
        ("--gap-size 3", "give --max-gap"),
        ("-w", "--shingle word"),
        ("-a", "binary files"),
        ("-S", "give --lowercase"),
        ("-Z", "give --null"),
        ("-N", "--show-passages"),
        ("-X rm", "dedup plan"),
        ("-t py", "--include '*.py' reads only such files"),
        ("-t Python", "--include '*.py' reads only such files"),
    ] {
        let words: Vec<&str> = ["scan", "a.txt", "b.txt"].into_iter().chain(flags.split(' ')).collect();
        let look = |stderr: &str| {
            assert!(stderr.contains(advice) && stderr.lines().count() == 1, "{flags}: {stderr}");
            assert!(!stderr.contains("no such flag; remove it"), "{flags}: {stderr}");
        };
        workspace.dedup(&words).stdout("").stderr_with(look).exit_code(2);
    }
}

#[test]
fn commands_that_people_try_are_answered_with_our_own() {
    refused(
        "foreign_commands",
        &[
            ("version", "version: no such command; write dedup --version"),
            (
                "nothing-of-this-name",
                "nothing-of-this-name: no such command, file or folder; check the path, or choose a command",
            ),
            ("index create x.index .", "create: no such command; write dedup index build INDEX PATH"),
            ("index search x.index .", "search: no such command; write dedup query INDEX PATH"),
            ("compare a.txt a.txt", "--against: missing; write: dedup compare a.txt --against a.txt"),
            ("find .", "find: no such command; write dedup scan PATH"),
            ("similar .", "similar: no such command; write dedup scan PATH"),
            ("lint .", "lint: no such command; write dedup scan PATH --exit-code"),
            ("dedupe .", "dedupe: no such command; write dedup unique PATH --output CLEAN"),
            (
                "diff a.txt b.txt",
                "diff: no such command; write dedup explain A B, or for folders dedup compare A --against B",
            ),
            (
                "remove .",
                "remove: no such command; write dedup plan PATH, which writes a script that removes duplicates",
            ),
            ("groups .", "groups: no such command; write dedup cluster PATH"),
            ("compare a.txt b.txt", "--against: missing; write: dedup compare a.txt --against b.txt"),
            ("compare a.txt -q b.txt", "--against: missing; write: dedup compare a.txt -q --against b.txt"),
            ("compare x y", "--against: missing; write: dedup compare x --against y"),
            ("compare a.txt", "--against: missing; write: dedup compare A --against B"),
        ],
    );
}

#[test]
fn paths_that_lead_to_nothing_are_answered_by_what_they_look_like() {
    let workspace = Workspace::new("no_paths").file("a.txt", FOX).folder("empty");
    for (args, fault) in [
        (
            &["*.md"][..],
            "*.md: no such file or folder, and the shell did not expand the pattern; give the folder, and the pattern to --include",
        ),
        (
            &["scan", "x/**/[ab].txt"],
            "x/**/[ab].txt: no such file or folder, and the shell did not expand the pattern; give the folder, and the pattern to \
             --include",
        ),
        (&["s3://bucket/x"], "s3://bucket/x: files are not downloaded; download it, and give the file"),
        (&["b.txt"], "b.txt: no such file or folder; check the path"),
    ] {
        workspace.dedup(args).stdout("").nothing_read(&format!("dedup: {fault}\n"));
    }
    for (args, fault) in [
        (
            &["report", "empty"][..],
            "empty: it is a folder without a saved result; save one by dedup scan PATH --save DIR",
        ),
        (
            &["index", "build", "empty", "a.txt"],
            "empty: it is a folder; the index comes first, and its documents after it",
        ),
    ] {
        workspace.dedup(args).stdout("").stderr(&format!("dedup: {fault}\n")).exit_code(2);
    }
}

#[test]
fn records_without_a_source_are_no_missing_files() {
    let record = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"{FOX}\"}}\n");
    let workspace = Workspace::new("records_of_pairs").file("r.jsonl", record("x") + &record("y"));
    let pairs = |flags: &[&str]| workspace.command(&[&["scan", "r.jsonl", "-q"], flags].concat()).status().unwrap();
    assert!(pairs(&["-o", "pairs.jsonl"]).success() && pairs(&["--with-source", "-o", "sources.jsonl"]).success());
    let fault = |id: &str| {
        format!(
            "dedup: {id}: no file has this name, so the report lacks its text; for a record, save the pairs with --save, or scan with \
             --with-source\n"
        )
    };
    let faults = fault("x") + &fault("y");
    workspace.dedup(&["report", "pairs.jsonl", "-f", "html=x.html"]).stdout("").stderr(&faults).exit_code(3);
    workspace.dedup(&["report", "sources.jsonl", "-f", "html=y.html"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn what_the_view_and_other_commands_need_is_answered_for_them() {
    refused(
        "foreign_view",
        &[
            (". --json", "--json: no such flag; write dedup scan PATH, or -f jsonl"),
            (". -p", "-p: no such flag; this is the output without a flag; remove it"),
            ("scan . --json", "--json: no such flag; each line is a JSON object without a flag; remove the flag"),
            (
                ". --min-lines 5",
                "--min-lines: no such flag; the length of a passage is counted in tokens; give --match passages --min-run \
                 TOKENS",
            ),
            (
                ". -l java",
                "-l java: no such flag; give --preset code, which knows the language of each file by its name",
            ),
            ("scan -rf .", "-rf: no such flags; for -r: folders are read with all folders in them; remove the flag"),
            ("scan -iv .", "-iv: no such flags; for -i: give --lowercase"),
            (
                "unique . --verify",
                "--verify: no such flag; each pair is verified by its exact similarity; remove the flag",
            ),
            ("unique .", "--output: missing; write: dedup unique . --output CLEAN, or --dry-run"),
            ("unique a.txt out.txt", "--output: missing; write: dedup unique a.txt --output out.txt"),
            (
                "report",
                "RESULT: missing; write: dedup report RESULT, where dedup scan PATH --save RESULT has saved the pairs",
            ),
        ],
    );
}

#[test]
fn an_input_that_cannot_be_meant_is_answered_with_the_command_for_it() {
    let workspace = Workspace::new("not_meant").file("d/a.txt", FOX).file("e/b.txt", FOX).file("e/c.txt", FOX);
    workspace.dedup(&["scan", "d", "e", "--save", "saved", "-q", "-o", "p.jsonl"]).stdout("").stderr("").exit_code(0);
    let report = |stderr: &str| {
        assert!(
            stderr.contains("dedup: warning: saved: is a saved result, not documents; write: dedup report saved\n"),
            "{stderr}"
        );
    };
    workspace.dedup(&["scan", "saved", "-qq"]).stdout("").stderr_with(report).exit_code(0);
    let folders = "dedup: d: is a folder, but explain compares two documents; write: dedup compare d --against e, or add --unit path to compare all their files as two documents\n";
    workspace.dedup(&["explain", "d", "e"]).stdout("").stderr(folders).exit_code(2);
    let empty = "dedup: \"\": an empty argument is not a path; give a file, a folder or a command; see dedup --help\n";
    workspace.dedup(&[""]).stdout("").stderr(empty).exit_code(2);
}

#[test]
fn a_file_without_the_field_of_the_text_is_one_line() {
    let records: String = (0..30).map(|id| format!("{{\"id\":{id},\"text\":\"text number {id}\"}}\n")).collect();
    let workspace = Workspace::new("without_field").file("r.jsonl", records);
    let lines = "dedup: r.jsonl: there is no field `body` (--text-field); there are: `id`, `text`\n\
                 dedup: none of the inputs could be read; nothing was compared\n";
    workspace.dedup(&["scan", "r.jsonl", "--text-field", "body"]).stdout("").stderr(lines).exit_code(2);
}
