//! `dedup report` and `--format`: the same pairs in other forms, of a run and of a saved result, to files and to standard output.

use serde_json::Value;

use crate::support::*;

/// Two pairs: fox and cat are alike by 0.8, and the fox has a copy.
fn corpus(name: &'static str) -> Workspace {
    Workspace::new(name).file("a,1.txt", FOX).file("b.txt", CAT).file("sub/=c.txt", FOX).file("d.txt", LOREM)
}

fn any(_: &str) {}

/// Every format with the file that it goes to.
const FORMATS: [&str; 11] =
    ["text", "markdown", "html", "github", "gitlab", "sarif", "junit", "csv", "tsv", "dot", "graphml"];

#[test]
fn every_format_of_a_run_is_that_of_its_saved_result() {
    let corpus = corpus("formats");
    let flags = |folder: &str| FORMATS.map(|format| format!("--format={format}={folder}/{format}"));
    std::fs::create_dir(corpus.path("run")).unwrap();
    std::fs::create_dir(corpus.path("saved")).unwrap();
    let scan = [
        "scan",
        ".",
        "--exclude",
        "run",
        "--exclude",
        "saved",
        "--threshold",
        "0.7",
        "--show-passages",
        "-q",
        "--save",
        "r",
    ];
    let scan: Vec<String> = scan.map(str::to_owned).into_iter().chain(flags("run")).collect();
    corpus.dedup(&scan).pairs(&["a,1.txt b.txt", "a,1.txt sub/=c.txt", "b.txt sub/=c.txt"]).stderr("").exit_code(0);
    let report: Vec<String> = ["report", "r"].map(str::to_owned).into_iter().chain(flags("saved")).collect();
    corpus.dedup(&report).stdout("").stderr("").exit_code(0);
    for format in FORMATS {
        let text = corpus.read(&format!("run/{format}"));
        assert!(text.len() > 100, "{format}: {text}");
        assert_eq!(text, corpus.read(&format!("saved/{format}")), "{format}");
        corpus.dedup(&["report", "r", "--format", format]).stdout(&text).stderr("").exit_code(0);
        corpus.dedup(&["scan", "--from", "r", "--format", format]).stdout(&text).stderr("").exit_code(0);
        corpus.dedup(&["report", "r", "--format", format, "-o", "out"]).stdout("").stderr("").exit_code(0);
        assert_eq!(corpus.read("out"), text);
    }
    let csv = corpus.read("run/csv");
    assert!(csv.lines().nth(2).unwrap().starts_with("\"a,1.txt\",sub/=c.txt,1,1,1,36,36,36,1,"), "{csv}");
    let sarif: Value = serde_json::from_str(&corpus.read("run/sarif")).unwrap();
    let first = &sarif["runs"][0]["results"][0];
    assert_eq!(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%2C1.txt");
    let region = serde_json::json!({"startLine": 1, "endLine": 1, "startColumn": 1, "endColumn": 40});
    assert_eq!(first["locations"][0]["physicalLocation"]["region"], region);
}

#[test]
fn a_report_takes_the_place_of_lines_and_text_is_the_default() {
    let corpus = corpus("report_default");
    corpus
        .dedup(&["scan", ".", "-q", "--save", "r", "--format", "github"])
        .stdout_with(|text| {
            assert_eq!(text.lines().count(), 4, "{text}");
            assert!(text.starts_with(
                "::warning file=a%2C1.txt,line=1,endLine=1,title=Near-duplicate::a,1.txt is 80 %25 similar to b.txt\n"
            ));
        })
        .stderr("")
        .exit_code(0);
    let text = "Near-duplicates: 3 pairs of 3 documents in 1 group; 4 documents compared, at or above 80 %\n  \
                100 %  3 documents, 80 to 100 % similar\n           a,1.txt\n     80 %  b.txt\n    100 %  sub/=c.txt\n";
    corpus.dedup(&["report", "r"]).stdout(text).stderr("").exit_code(0);
    let above = "Near-duplicates: 1 pair of 2 documents in 1 group; 4 documents compared, at or above 90 %\n  100 %  a,1.txt  sub/=c.txt\n";
    corpus.dedup(&["report", "r", "--threshold", "0.9", "--exit-code"]).stdout(above).stderr("").exit_code(1);
    let note = "dedup: note: --format github: the pairs have no passages, so documents are shown by their first lines; scan with \
                --show-passages\n";
    corpus.dedup(&["report", "r", "--format", "github"]).stdout_with(any).stderr(note).exit_code(0);
    // A file of pairs does not say what was compared.
    let piped = corpus.shell("$D scan . -q --exclude r | $D report - --top 1");
    let first =
        "Near-duplicates: 3 pairs of 3 documents in 1 group; the first is shown\n  100 %  a,1.txt  sub/=c.txt\n";
    piped.stdout(first).stderr("").exit_code(0);
    corpus
        .dedup_with(&["report", "r"], "LINES", "4")
        .stdout_with(|text| {
            // What is no terminal gets all, whatever its lines.
            assert!(text.ends_with("b.txt\n    100 %  sub/=c.txt\n"), "{text}");
        })
        .stderr("")
        .exit_code(0);
}

#[test]
fn an_order_that_is_asked_for_is_that_of_reports() {
    let corpus = corpus("report_order");
    let args = ["scan", ".", "-q", "--sort", "shared", "--top", "2", "--format", "csv=t.csv"];
    corpus.dedup(&args).pairs(&["a,1.txt sub/=c.txt", "a,1.txt b.txt"]).stderr("").exit_code(0);
    let names: Vec<String> =
        corpus.read("t.csv").lines().skip(1).map(|line| line.split(',').nth(2).unwrap().to_owned()).collect();
    assert_eq!(names, ["sub/=c.txt", "b.txt"]);
    corpus.dedup(&["report", "-"]).stdout("Near-duplicates: 0 pairs\n").stderr("").exit_code(0);
}

#[test]
fn a_report_is_whole_or_not_there() {
    let corpus = corpus("report_whole").file("old.txt", "not ours\n");
    for (args, says) in [
        (
            &["--format", "csv", "--format", "tsv"][..],
            "dedup: --format: csv and tsv would both go to standard output; give a file to one of them, as in --format tsv=FILE\n",
        ),
        (
            &["--format", "csv=nowhere/x"],
            "dedup: nowhere/x: cannot write a report: No such file or directory; check --format\n",
        ),
        (
            &["--format", "csv=x", "--format", "tsv=x"],
            "dedup: x: --format would overwrite what a report goes to; choose another file\n",
        ),
        (
            &["--format", "csv=x", "-o", "x"],
            "dedup: x: --format would overwrite what the output goes to; choose another file\n",
        ),
        (
            &["--format", "csv=/dev/full"],
            "dedup: /dev/full: cannot write a report: No space left on device; check --format\n",
        ),
        (&["--format", "csv=d.txt"], "dedup: d.txt: --format would overwrite an input; choose another file\n"),
    ] {
        let args: Vec<&str> = ["scan", ".", "--threshold", "0.7"].iter().chain(args).copied().collect();
        corpus
            .dedup(&args)
            .stdout_with(any)
            .stderr_with(|stderr| assert_eq!(stderr.lines().last().unwrap(), says.trim_end()))
            .exit_code(2);
        assert_eq!(corpus.names(), ["a,1.txt", "b.txt", "d.txt", "old.txt", "sub"], "{args:?}");
    }
    assert_eq!(corpus.read("old.txt"), "not ours\n");
    // A report of an earlier run is no document, and is replaced.
    for _ in 0..2 {
        corpus
            .dedup(&["scan", ".", "-q", "--format", "gitlab=q.json", "--format", "github=g"])
            .stdout_with(any)
            .stderr_with(any)
            .exit_code(0);
    }
    let issues: Value = serde_json::from_str(&corpus.read("q.json")).unwrap();
    assert_eq!(issues.as_array().unwrap().len(), 3);
    let piped =
        corpus.shell("$D scan . -q --format csv 2>/dev/null | head -n 1; $D scan . -q --format sarif > /dev/full");
    let full = "dedup: standard output: cannot write: No space left on device; the output is incomplete, run again\n";
    piped.stdout_with(any).stderr_with(|stderr| assert!(stderr.ends_with(full), "{stderr}")).exit_code(2);
}

#[test]
fn formats_that_are_not_there_are_named() {
    let look = |stderr: &str| {
        assert!(
            stderr.starts_with(
                "dedup: --format xml: give text, jsonl, markdown, github, gitlab, sarif, junit, html, csv, "
            ),
            "{stderr}"
        );
        assert!(
            stderr.ends_with(
                " or graphml, with =FILE to write it to a file; write --format junit (JUnit XML, a failed test for each pair); see dedup report --help\n"
            ),
            "{stderr}"
        );
    };
    Workspace::new("no_format").dedup(&["report", "r", "--format", "xml"]).stdout("").stderr_with(look).exit_code(2);
}

#[test]
fn groups_are_reported_in_formats_that_show_them() {
    let corpus = corpus("report_groups");
    let args = ["cluster", ".", "-q", "--format", "csv"];
    corpus
        .dedup(&args)
        .stdout(
            "group,size,name,representative,joined_by,jaccard,coverage_name,coverage_by,side,time\n\
             1,3,\"a,1.txt\",\"a,1.txt\",,,,,,\n\
             1,3,b.txt,\"a,1.txt\",\"a,1.txt\",0.8,,,,\n\
             1,3,sub/=c.txt,\"a,1.txt\",\"a,1.txt\",1,,,,\n",
        )
        .stderr("")
        .exit_code(0);
    let members = "           a,1.txt\n     80 %  b.txt\n    100 %  sub/=c.txt\n";
    let text = format!(
        "Near-duplicates: 1 group of 3 documents; 4 documents compared, at or above 80 %\n   80 %  3 documents\n{members}"
    );
    corpus.dedup(&["cluster", ".", "-q", "--format", "text"]).stdout(&text).stderr("").exit_code(0);
    corpus.dedup(&["scan", ".", "-q", "--save", ".r"]).stdout_with(any).stderr("").exit_code(0);
    let from = [
        "cluster",
        "--from",
        ".r",
        "-q",
        "--exit-code",
        "--format",
        "dot",
        "--format",
        "markdown=m",
        "--format",
        "graphml=g",
    ];
    let dot = |text: &str| {
        assert!(
            text.contains("  subgraph cluster_1 {\n    label=\"group 1 (3)\";\n    n0 [label=\"a,1.txt\"];\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "    n0 -- n2 [weight=1, label=\"100 %\"];\n    n0 -- n1 [weight=0.8, label=\"80 %\"];\n  }\n}\n"
            ),
            "{text}"
        );
    };
    corpus.dedup(&from).stdout_with(dot).stderr("").exit_code(1);
    assert!(
        corpus.read("m").ends_with("| 3 | 80 % | `a,1.txt`, `b.txt` 80 %, `sub/=c.txt` 100 % |\n"),
        "{}",
        corpus.read("m")
    );
    assert_eq!((corpus.read("g").matches("<node ").count(), corpus.read("g").matches("<edge ").count()), (3, 2));
    let table = if cfg!(feature = "parquet") { "parquet, " } else { "" };
    let says = format!(
        "dedup: --format sarif: shows pairs, not groups; use it with dedup scan, or choose csv, dot, graphml, html, jsonl, markdown, \
         {table}text or tsv\n"
    );
    corpus.dedup(&["cluster", ".", "--format", "sarif"]).stdout("").stderr(&says).exit_code(2);
}

#[test]
fn totals_are_of_all_pairs_whatever_top_leaves() {
    let corpus = corpus("report_totals");
    corpus.dedup(&["scan", ".", "-q", "--save", ".r"]).stdout_with(any).stderr("").exit_code(0);
    let all = "3 pairs of 3 documents in 1 group; 4 documents compared, at or above 80 %";
    for from in [&["scan", "."][..], &["report", ".r"]] {
        let formats = ["--format", "text", "--format", "markdown=.m", "--format", "github=.g", "--format", "sarif=.s"];
        let args = [from, &["-q", "--fail-over", "2", "--top", "1"], &formats].concat();
        let text = format!("Near-duplicates: {all}; the first is shown\n  100 %  a,1.txt  sub/=c.txt\n");
        corpus.dedup(&args).stdout(&text).stderr_with(any).exit_code(1);
        let comment = corpus.read(".m");
        assert!(comment.starts_with(&format!("## Near-duplicates\n\n{all}; the first is shown.\n")), "{comment}");
        assert!(comment.ends_with(" |\n"), "{comment}");
        let notice = format!("::notice title=dedup::{}; the first is shown\n", all.replace('%', "%25"));
        assert!(corpus.read(".g").ends_with(&notice), "{}", corpus.read(".g"));
        let sarif: Value = serde_json::from_str(&corpus.read(".s")).unwrap();
        assert_eq!((&sarif["runs"][0]["properties"]["pairs"], results(&sarif).len()), (&Value::from(3), 1));
        // An order alone leaves out nothing.
        let sorted = [from, &["-q", "--sort", "jaccard", "--format", "markdown"]].concat();
        corpus
            .dedup(&sorted)
            .stdout_with(|text| assert!(text.contains(&format!("\n{all}.\n")), "{text}"))
            .stderr("")
            .exit_code(0);
    }
    let corpus = corpus.file("e.txt", LOREM);
    let first = "Near-duplicates: 2 groups of 5 documents; 5 documents compared, at or above 80 %; the first is shown\n   80 %  3 documents\n           a,1.txt\n     80 %  b.txt\n    100 %  sub/=c.txt\n";
    let args = ["cluster", ".", "-q", "--top", "1", "--format", "text"];
    corpus.dedup(&args).stdout(first).stderr("").exit_code(0);
}

#[test]
fn a_page_says_of_which_pairs_its_charts_and_groups_are() {
    let corpus = corpus("page-of-some");
    let page = |limit: &str| {
        let output = corpus.command(&["scan", ".", "-q", limit, "1", "--format", "html"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let of_first = page("--top");
    assert!(
        of_first.contains("The charts, the table, the groups and the graph are of 1 pair, the first of all."),
        "{of_first}"
    );
    assert!(of_first.contains("The largest of the pairs shown"));
    let of_all = page("--max-pairs");
    assert!(of_all.contains("The table and the graph are of 1 pair, the most similar; --max-pairs shows more."));
    assert!(of_all.contains("<h3>The largest</h3>") && of_all.contains("<td>3</td>"), "{of_all}");
}

#[test]
fn the_page_says_how_documents_were_compared() {
    let corpus = corpus("report_method");
    let scan = ["scan", ".", "-q", "--skip-lines", "</dl><script>", "--save", ".r", "--format", "html=.p"];
    corpus.dedup(&scan).stdout_with(any).stderr("").exit_code(0);
    corpus.dedup(&["report", ".r", "-q", "--format", "html=.q"]).stdout("").stderr("").exit_code(0);
    for page in [corpus.read(".p"), corpus.read(".q")] {
        for row in ["<dt>k</dt><dd>9</dd>", "<dt>skip lines</dt><dd>&lt;&#x2f;dl&gt;&lt;script&gt;</dd>"] {
            assert!(page.contains(row), "{row}");
        }
        assert!(!page.contains("<dt>bag</dt>") && !page.contains("<dt>weights</dt>"));
    }
}

#[test]
fn a_report_of_text_is_coloured_as_asked() {
    let corpus = corpus("report_color");
    let text = |when: &str| {
        let mut printed = String::new();
        let run = corpus.dedup(&["scan", ".", "-q", "--format", "text", "--color", when]);
        run.stdout_with(|stdout| stdout.clone_into(&mut printed)).stderr("").exit_code(0);
        printed
    };
    let plain = text("never");
    assert!(!plain.contains('\u{1b}') && plain == text("auto"), "{plain}");
    assert!(text("always").contains("\u{1b}["));
}

pub(crate) fn results(sarif: &Value) -> &Vec<Value> {
    sarif["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn a_report_that_cannot_wait_names_the_temporary_folder() {
    let corpus = corpus("report_waits");
    corpus.dedup(&["scan", ".", "-q", "--save", ".r"]).stdout_with(any).stderr("").exit_code(0);
    let formats = if cfg!(feature = "parquet") { &["junit", "parquet"][..] } else { &["junit"] };
    for format in formats {
        let says = format!(
            "dedup: {format}: cannot keep a copy of the report in /nowhere: there is no such folder; set TMPDIR to a writable folder with enough space\n"
        );
        for to in ["", "=o"] {
            let to = format!("{format}{to}");
            let args = ["report", ".r", "-q", "--format", &to];
            corpus.dedup_with(&args, "TMPDIR", "/nowhere").stdout("").stderr(&says).exit_code(2);
            let args = ["scan", ".", "-q", "--format", &to];
            corpus.dedup_with(&args, "TMPDIR", "/nowhere").stdout_with(any).stderr(&says).exit_code(2);
        }
    }
    assert!(!corpus.path("o").exists());
}

#[cfg(feature = "parquet")]
#[test]
fn a_table_of_parquet_is_read_as_an_input() {
    let corpus = corpus("report_parquet");
    corpus.dedup(&["scan", ".", "-q", "--format", "parquet=p.parquet"]).stdout_with(any).stderr("").exit_code(0);
    let args = ["scan", "p.parquet", "--text-field", "a", "--text-field", "b", "--list-documents", "-q"];
    corpus.dedup(&args).stdout_with(|lines| assert_eq!(lines.lines().count(), 3, "{lines}")).stderr("").exit_code(0);
    corpus
        .dedup(&["cluster", ".", "-q", "--exclude", "*.parquet", "--format", "parquet=g.parquet"])
        .stdout_with(any)
        .stderr("")
        .exit_code(0);
    let args = ["scan", "g.parquet", "--id-field", "name", "--text-field", "representative", "--list-documents", "-q"];
    let look = |lines: &str| {
        let names = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].clone());
        assert_eq!(names.collect::<Vec<_>>(), ["a,1.txt", "b.txt", "sub/=c.txt"], "{lines}");
    };
    corpus.dedup(&args).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn files_are_links_where_the_terminal_follows_them() {
    let corpus = corpus("report_links");
    let shell = |environment: &str| {
        let mut printed = String::new();
        let run = corpus.shell(&format!("{environment} $D scan . --quiet --format text"));
        run.stdout_with(|stdout| stdout.clone_into(&mut printed)).stderr("").exit_code(0);
        printed
    };
    let plain = shell("FORCE_HYPERLINK=0");
    assert!(!plain.contains('\u{1b}') && plain == shell(""), "{plain}");
    let linked = shell("FORCE_HYPERLINK=1");
    let link =
        regex::Regex::new("\u{1b}\\]8;;(file://[^/]*/[^\u{1b}]+)\u{1b}\\\\([^\u{1b}]+)\u{1b}\\]8;;\u{1b}\\\\").unwrap();
    let (_, [address, name]) = link.captures(&linked).expect("a link").extract();
    assert!(address.ends_with(&name.trim_start_matches("./").replace(',', "%2C")), "{address} {name}");
    assert_eq!(link.replace_all(&linked, "$2"), plain);
}
