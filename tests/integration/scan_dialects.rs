//! CSV and TSV as Spark, Hive, MySQL, R and pandas write them: how quotation marks and escape characters are read, and that
//! `unique` cuts no record in two.

use crate::packing::gzip;
use crate::support::*;

/// Two equal rows over two lines, as Spark writes them, and another.
fn escaped() -> String {
    let text = format!("Said \\\"{FOX}\\\"\n{FOX} Once, twice");
    format!("id,text\na,\"{text}\"\nb,\"{text}\"\nc,x\n")
}

#[test]
fn escaped_quotation_marks_are_recognised_and_unique_keeps_records_whole() {
    let first = escaped().lines().take(3).collect::<Vec<_>>().join("\n") + "\nc,x\n";
    let workspace = Workspace::new("csv_escapes").file("a.csv", escaped()).file("b.csv.gz", gzip(escaped().as_bytes()));
    for file in ["a.csv", "b.csv.gz"] {
        workspace.dedup(&["scan", "-q", file]).pairs(&["a b"]).stderr("").exit_code(0);
    }
    workspace.dedup(&["unique", "-q", "a.csv", "-o", "c.csv"]).stdout("").stderr("").exit_code(0);
    assert_eq!(workspace.read("c.csv"), first);
    workspace.dedup(&["scan", "-q", "a.csv", "--csv-escape", "\\"]).pairs(&["a b"]).stderr("").exit_code(0);
    let workspace = workspace.stdin(escaped());
    workspace.dedup(&["scan", "-q", "-", "--input-format", "csv"]).pairs(&["a b"]).stderr("").exit_code(0);
}

#[test]
fn a_backslash_and_n_are_null_where_backslashes_escape() {
    let table = format!("id\ttext\n1\t{FOX}\\\n{LOREM}\n\\N\t{FOX}\\\n{LOREM}\n3\t\\N\n4\t\\N\n5\t\\\\N\n6\t\\\\N\n");
    let plain = format!("id\ttext\n\\N\t{FOX}\n2\t{FOX}\n");
    let workspace = Workspace::new("mysql_null").file("a.tsv", &table).file("b.tsv", plain);
    let note = "dedup: a.tsv:6: the text is null; skipped\ndedup: a.tsv:7: the text is null; skipped\n";
    workspace.dedup(&["scan", "a.tsv"]).pairs(&["1 a.tsv:4", "5 6"]).notes(note).exit_code(0);
    workspace.dedup(&["scan", "-q", "b.tsv"]).pairs(&["\\N 2"]).stderr("").exit_code(0);
}

#[test]
fn an_escape_character_beyond_the_first_rows_costs_no_record_of_a_copy() {
    let row = |number: usize| format!("{number},\"text number {number}\"\n");
    let rows: String = (0..20_000).map(row).collect();
    let table = format!("id,text\n{rows}{}", escaped().split_once('\n').unwrap().1);
    assert!(table.len() > 300 << 10);
    let workspace = Workspace::new("late_escapes").file("a.csv", &table);
    let look = |stderr: &str| {
        assert!(stderr.contains("dedup: a.csv:20002: there is text after a closing quotation mark"), "{stderr}");
        assert!(
            stderr
                .contains("a.csv:20002: the ends of records are uncertain from this line on; the whole file is copied")
        );
    };
    workspace.dedup(&["unique", "-q", "a.csv", "-o", "b.csv"]).stdout("").stderr_with(look).exit_code(3);
    assert_eq!(workspace.read("b.csv"), table);
}

#[test]
fn a_table_in_which_rows_end_somewhere_is_copied_whole() {
    // No way of reading has every row right.
    let table = escaped() + "d,y,z\n";
    let workspace = Workspace::new("uncertain_rows").file("a.csv", &table).file("b.csv.gz", gzip(table.as_bytes()));
    for (file, copy) in [("a.csv", "c.csv"), ("b.csv.gz", "d.csv.gz")] {
        let look = |stderr: &str| {
            let note = format!(
                "dedup: {file}:2: the ends of records are uncertain from this line on; the whole file is copied"
            );
            assert!(stderr.contains(&note), "{stderr}");
            assert!(stderr.contains("--csv-escape"), "{stderr}");
        };
        workspace
            .dedup(&["unique", "-q", file, "-o", copy, "--removed", "-"])
            .stdout("")
            .stderr_with(look)
            .exit_code(3);
        let bytes = |path: &str| std::fs::read(workspace.path(path)).unwrap();
        assert_eq!(bytes(file), bytes(copy));
    }
    let look =
        |stderr: &str| assert_eq!(stderr, "dedup: a.csv:7: malformed row: 3 fields where the header has 2; skipped\n");
    let args = ["unique", "-q", "a.csv", "-o", "e.csv", "--csv-escape", "\\"];
    workspace.dedup(&args).stdout("").stderr_with(look).exit_code(3);
    assert!(workspace.read("e.csv").ends_with("twice\"\nc,x\nd,y,z\n"));
    // Lines that a text goes on in, without any quotation mark.
    let table = format!("id\ttext\n1\t{FOX}\n{LOREM}\n2\t{FOX}\n{LOREM}\n");
    let workspace = Workspace::new("uncertain_lines").file("a.tsv", &table);
    let look = |stderr: &str| assert!(stderr.contains("a.tsv:3: the ends of records are uncertain"), "{stderr}");
    workspace.dedup(&["unique", "-q", "a.tsv", "-o", "b.tsv"]).stdout("").stderr_with(look).exit_code(3);
    assert_eq!(workspace.read("b.tsv"), table);
}

#[test]
fn objects_over_several_lines_are_not_cut() {
    let inner = format!("{{\"text\":\"{FOX}\"}}");
    let lines = format!("{inner}\n{{\n \"id\": 1, \"all\": [\n{inner}\n]\n}}\n");
    let workspace = Workspace::new("uncertain_objects").file("a.jsonl", &lines);
    let look = |stderr: &str| assert!(stderr.contains("a.jsonl:2: the ends of records are uncertain"), "{stderr}");
    workspace.dedup(&["unique", "-q", "a.jsonl", "-o", "b.jsonl"]).stdout("").stderr_with(look).exit_code(3);
    assert_eq!(workspace.read("b.jsonl"), lines);
    // A line that was cut short costs no other.
    let lines = format!("{inner}\n{{\"text\":\"x\n{inner}\n");
    let workspace = Workspace::new("cut_object").file("a.jsonl", &lines);
    workspace.dedup(&["unique", "-q", "a.jsonl", "-o", "b.jsonl"]).stdout("").stderr_with(|_| ()).exit_code(3);
    assert_eq!(workspace.read("b.jsonl"), format!("{inner}\n{{\"text\":\"x\n"));
}

#[test]
fn rows_that_a_quotation_mark_may_have_joined_are_reported() {
    let note = "dedup: a.csv:3: 1 row with a quoted field of several lines, each with as many fields as the header; if that \
                quotation mark is an ordinary character, use --no-quoting, otherwise --quoted\n";
    // The text has delimiters, and ids have letters.
    for table in [
        format!("id,text,lang\nx1,{FOX},en\nx2,\"so, {LOREM},en\nx3,a,en\nx4,end\",en\n"),
        format!("id,text,lang\nx1,{FOX},en\nx2,\"so, {LOREM},en\nx3,end\",en\n"),
        format!("id,text,lang\n1,{FOX},en\n2,\"a, b, {LOREM},en\n3,end\",en\n"),
    ] {
        let workspace = Workspace::new("joined_rows").file("a.csv", table);
        workspace.dedup(&["scan", "a.csv"]).pairs(&[]).notes(note).exit_code(0);
    }
    let verse = format!("id,text,lang\nx1,\"{FOX}, he said,\nand so, she said\",en\nx2,other,en\n");
    Workspace::new("verse").file("a.csv", verse).dedup(&["scan", "a.csv"]).pairs(&[]).notes("").exit_code(0);
}

#[test]
fn a_table_with_rows_that_may_be_joined_is_copied_whole() {
    let mark = |codec: &str, table: &str| [codec.as_bytes(), table.as_bytes()].concat();
    let table = format!("id,text\n1,{FOX}\n2,{FOX}\n3,\"so they say\n4,another text\n5,end\"\n");
    let unique = |workspace: &Workspace, flags: &[&str], removed: &str, exit_code: i32| {
        let copied = "dedup: a.csv:4: the ends of records are uncertain from this line on; the whole file is copied, with 1 record \
             that would be removed (repair the file, or give the flags that read all of it)\n";
        let look = |stderr: &str| assert_eq!(stderr.contains(copied), exit_code == 3, "{flags:?}: {stderr}");
        let args = [&["unique", "-q", "a.csv", "-o", "b.csv", "--force"], flags].concat();
        workspace.dedup(&args).stdout("").stderr_with(look).exit_code(exit_code);
        let expected = table.replace(removed, "");
        assert!(workspace.read("b.csv").ends_with(&expected), "{flags:?}: {}", workspace.read("b.csv"));
    };
    let second = format!("2,{FOX}\n");
    for start in ["", "\u{FEFF}"] {
        let workspace = Workspace::new("unique_joined_rows").file("a.csv", mark(start, &table));
        unique(&workspace, &[], "nothing", 3);
        unique(&workspace, &["--no-quoting"], &second, 0);
        unique(&workspace, &["--quoted"], &second, 0);
    }
    // Nothing is lost in a conversion either.
    let workspace = Workspace::new("unique_joined_converted").file("a.csv", &table);
    let look = |stderr: &str| assert!(stderr.contains("a.csv:4: "), "{stderr}");
    workspace.dedup(&["unique", "-q", "a.csv", "-o", "b.jsonl"]).stdout("").stderr_with(look).exit_code(2);
    assert_eq!(workspace.names(), ["a.csv"]);
}

#[test]
fn single_quotation_marks_of_tsv_are_characters() {
    let table = format!("id\ttext\n1\t{FOX}\n2\t\"{LOREM}\n3\t{FOX}\n4\tend\"\n");
    let workspace = Workspace::new("tsv_quotes").file("a.tsv", &table);
    workspace.dedup(&["scan", "-q", "a.tsv"]).pairs(&["1 3"]).stderr("").exit_code(0);
    // The flag says that they enclose fields.
    workspace.dedup(&["scan", "a.tsv", "--quoted"]).pairs(&[]).notes("").exit_code(0);
    // What pandas and R write is read with quotation marks.
    let pandas = format!("id\ttext\n1\t{FOX}\n2\t\"{FOX}\n\"\n3\t\"a \"\"b\"\"\"\n");
    let r = format!("\"id\"\t\"text\"\n\"1\"\t\"{FOX}\"\n\"2\"\t\"{FOX}\"\n");
    let workspace = Workspace::new("tsv_quoted").file("pandas.tsv", pandas).file("r.tsv", r);
    for file in ["pandas.tsv", "r.tsv"] {
        workspace.dedup(&["scan", "-q", file]).pairs(&["1 2"]).stderr("").exit_code(0);
    }
}

/// MySQL without `ENCLOSED BY` and Hive write a backslash before a line end or a delimiter of a text, and each line may look like a row.
#[test]
fn escapes_without_quotation_marks_keep_records_whole() {
    let record =
        |id: u32, name: &str, delimiter: char| format!("{id}{delimiter}Dear {name}\\\nyes\\{delimiter} {FOX}\n");
    for (file, copy, delimiter) in [("a.csv", "b.csv", ','), ("a.tsv", "b.tsv", '\t')] {
        let table =
            format!("id{delimiter}text\n{}{}", record(1, "Ann", delimiter), record(2, "Bob and all others", delimiter));
        let workspace = Workspace::new("unquoted_escapes").file(file, &table);
        for flags in [&[][..], &["--csv-escape", "\\"]] {
            let unique = [&["unique", "-q", file, "-o", copy, "--force", "--threshold", "0.9"], flags].concat();
            workspace.dedup(&unique).stdout("").stderr("").exit_code(0);
            assert_eq!(workspace.read(copy), table, "{unique:?}");
            workspace
                .dedup(&[&["scan", "-q", file, "--threshold", "0.5"], flags].concat())
                .pairs(&["1 2"])
                .stderr("")
                .exit_code(0);
        }
    }
}

#[test]
fn a_table_whose_records_may_span_rows_in_another_dialect_is_copied_whole() {
    let repeated = "the owner paid the mason roofer and joiner before snow fell in the valley";
    let rows = |begin: &str, end: &str, delimiter: char| {
        let row = |id: u32| {
            let (second, third) = (80 + id, 90 + id);
            format!("{id}{delimiter}{begin}\n{second}{delimiter}{repeated}\n{third}{delimiter}{end}\n")
        };
        format!("id{delimiter}text\n{}{}", row(1), row(2))
    };
    for (file, table) in [
        ("a.tsv", rows("\"first row", "other end\"", '\t')),
        ("b.csv", rows("\"first \\\"", "other \\\" end\"", ',')),
        ("c.csv", rows(" \"first row", "other end\"", ',')),
        ("d.csv", rows("'first row", "other end'", ',')),
    ] {
        let workspace = Workspace::new("doubtful_quotes").file(file, &table);
        let copied =
            format!("dedup: {file}:2: the ends of records are uncertain from this line on; the whole file is copied");
        let says = |stderr: &str| assert!(stderr.contains(&copied), "{stderr}");
        let output = format!("out-{file}");
        workspace.dedup(&["unique", file, "-o", &output]).stdout("").stderr_with(says).exit_code(3);
        assert_eq!(workspace.read(&output), table, "{file}");
        let names = |stderr: &str| {
            assert!(stderr.contains(&format!("{file}:2: the record may end in a later row")), "{stderr}")
        };
        let any = |_: &str| {};
        workspace.dedup(&["scan", file]).stdout_with(any).stderr_with(names).exit_code(0);
    }
}
