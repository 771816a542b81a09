//! JSON Lines: which fields count, how records are named, and which line is at fault.

use std::io::{Seek, SeekFrom, Write};

use crate::support::*;

/// A record with an id, ready-made JSON, and the fox as its text.
fn fox(id: &str) -> String {
    format!("{{\"id\":{id},\"text\":{FOX:?}}}\n")
}

#[test]
fn records_are_told_by_the_extension_or_the_format() {
    let line = fox("\"x\"");
    let corpus = ["a.jsonl", "b.ndjson", "c.JSONL", "d.json"]
        .iter()
        .zip(1..)
        .fold(Workspace::new("extensions"), |corpus, (path, id)| corpus.file(path, fox(&id.to_string())))
        .file("e.txt", FOX);
    let all = ["scan", "-q", ".", "--collapse-exact"];
    corpus.dedup(&all).pairs(&["1 2", "1 3", "1 4", "1 e.txt"]).stderr("").exit_code(0);
    let as_records = [&all[..], &["--input-format", "jsonl", "--exclude", "e.txt"]].concat();
    corpus.dedup(&as_records).pairs(&["1 2", "1 3", "1 4"]).stderr("").exit_code(0);
    let corpus = Workspace::new("as_text").file("a.jsonl", &line).file("b", line);
    corpus.dedup(&["scan", "-q", ".", "--input-format", "text"]).pairs(&["a.jsonl b"]).stderr("").exit_code(0);
}

#[test]
fn ids_may_be_strings_numbers_null_or_missing() {
    let lines = [&fox("\"é\\n\""), &fox("-7"), &fox("1.5"), &fox("null"), &format!("{{\"text\":{FOX:?}}}")];
    let corpus = Workspace::new("ids").file("d/r.jsonl", lines.map(String::as_str).concat());
    let expected = ["-7", "1.5", "d/r.jsonl:4", "d/r.jsonl:5"].map(|id| copies(r"é\n", id, 36)).concat();
    corpus.dedup(&["scan", "-q", "d", "--collapse-exact"]).stdout(&expected).stderr("").exit_code(0);
}

#[test]
fn a_repeated_id_is_compared_under_its_place() {
    let corpus = Workspace::new("repeated").file("a.jsonl", fox("1") + &fox("1")).file("b.jsonl", fox("\"1\""));
    corpus
        .dedup(&["scan", "-q", "."])
        .pairs(&["1 a.jsonl:2", "1 b.jsonl:1", "a.jsonl:2 b.jsonl:1"])
        .stderr(
            "dedup: a.jsonl:2: the id \"1\" is a duplicate; compared under this name\n\
             dedup: b.jsonl:1: the id \"1\" is a duplicate; compared under this name\n\
             dedup: warning: duplicate ids across files (1 record); --id-prefix file makes them distinct\n",
        )
        .exit_code(3);
}

#[test]
fn a_path_that_is_an_id_too_is_told() {
    let corpus = Workspace::new("path_id").file("a.jsonl", fox("\"b.txt\"")).file("b.txt", FOX);
    corpus
        .dedup(&["scan", "-q", "."])
        .pairs(&["b.txt ./b.txt"])
        .stderr("dedup: b.txt: this path is the id of a record before; compared as ./b.txt\n")
        .exit_code(3);
}

#[test]
fn an_id_that_looks_like_the_place_of_another_record_is_not_its_name() {
    // The second record has no id and is named by its place, which the first one claims.
    let corpus = Workspace::new("place_id").file("a.jsonl", fox("\"a.jsonl:2\"") + &format!("{{\"text\":{FOX:?}}}"));
    corpus
        .dedup(&["scan", "-q", "."])
        .pairs(&["a.jsonl:1 a.jsonl:2"])
        .stderr("dedup: a.jsonl:1: the id \"a.jsonl:2\" is the place of a record; compared under this name\n")
        .exit_code(3);
    let own = Workspace::new("own_place").file("a.jsonl", fox("\"a.jsonl:1\"") + &fox("\"b.jsonl:2\""));
    own.dedup(&["scan", "-q", "."]).pairs(&["a.jsonl:1 b.jsonl:2"]).stderr("").exit_code(0);
}

#[test]
fn fields_are_chosen_by_flags() {
    let line = |name, body| format!("{{\"id\":1,\"url\":{name:?},\"body\":{body:?},\"text\":7}}\n");
    let corpus = Workspace::new("fields").file("r.jsonl", line("x", FOX) + &line("y", FOX));
    corpus
        .dedup(&["scan", "-q", "r.jsonl", "--id-field", "url", "--text-field", "body"])
        .stdout(&copies("x", "y", 36))
        .stderr("")
        .exit_code(0);
    corpus.dedup(&["scan", "-q", "r.jsonl", "--text-field", "content"]).stdout("").nothing_read(
        "dedup: r.jsonl: there is no field `content` (--text-field); there are: `id`, `url`, `body`, `text`\n",
    );
}

#[test]
fn a_wanted_field_that_is_there_twice_costs_the_record() {
    let twice = format!("{{\"id\":2,\"text\":{FOX:?},\"text\":{LOREM:?}}}\n");
    let other = format!("{{\"id\":3,\"x\":1,\"x\":2,\"text\":{FOX:?}}}\n");
    let corpus = Workspace::new("twice").file("r.jsonl", fox("1") + &twice + &other);
    corpus
        .dedup(&["scan", "-q", "r.jsonl"])
        .pairs(&["1 3"])
        .stderr("dedup: r.jsonl:2: malformed record, column 68: more than one field `text`; skipped\n")
        .exit_code(3);
}

#[test]
fn a_field_that_was_asked_for_and_that_no_record_of_a_file_has_is_warned_of_once() {
    let record = |number: usize| format!("{{\"id\":{number},\"page\":{{\"title\":\"t\"}},\"text\":{:?}}}\n", FOX);
    // Several pieces of each file, and one in which a record has the field.
    let long: String = (0..1500).map(record).collect();
    let has_it = long.clone() + "{\"uid\":null,\"title\":\"x\",\"text\":\"y\"}\n";
    let corpus = Workspace::new("asked").file("a.jsonl", &long).file("b.jsonl", has_it);
    let corpus = corpus.file("c.jsonl.gz", crate::packing::gzip(&long)).file("d.jsonl", "\n");
    let asked = ["--id-field", "uid", "--text-field", "title", "--text-field", "text"];
    let flags = [&["scan", "-q", "--collapse-exact", "--threads", "2"], &asked[..]].concat();
    let note = |file| {
        format!(
            "dedup: warning: {file}: there is no field `uid` (--id-field), `title` (--text-field); there are: `id`, \
             `page.title`, `text`; compared without\n"
        )
    };
    let look = |stdout: &str| assert_eq!(records(stdout).len(), 4_499);
    corpus
        .dedup(&[&flags[..], &["."]].concat())
        .stdout_with(look)
        .stderr(&(note("a.jsonl") + &note("c.jsonl.gz")))
        .exit_code(0);
    // Templates are records too.
    corpus
        .dedup(&[&flags[..], &["b.jsonl", "--template", "a.jsonl"]].concat())
        .stdout("")
        .stderr(&note("a.jsonl"))
        .exit_code(0);
}

#[test]
fn a_wrong_field_for_the_text_is_told_of_twenty_records_and_counted() {
    let corpus = Workspace::new("wrong_text").file("r.jsonl", fox("1").repeat(100)).file("s.jsonl", "{\"text\":null}");
    let corpus = corpus.file("t.jsonl", "{\"body\":\"x\"}");
    let none = |file, names| format!("dedup: {file}: there is no field `body` (--text-field); there are: {names}\n");
    let expected = none("r.jsonl", "`id`, `text`") + &none("s.jsonl", "`text`");
    let run =
        corpus.dedup(&["scan", "-q", ".", "--text-field", "body", "--summary", "sum.txt", "--exclude", "sum.txt"]);
    run.stdout("").stderr(&expected).exit_code(3);
    let summary = std::fs::read_to_string(corpus.path("sum.txt")).unwrap();
    assert!(summary.contains("\"skipped\":{\"missing_field\":2,\"no_text\":101},\"errors\":2"), "{summary}");
    let look = |list: &str| assert_eq!(list.matches("\"reason\":\"no_text\"").count(), 101);
    let list =
        corpus.dedup(&["scan", "-q", "r.jsonl", "s.jsonl", "t.jsonl", "--text-field", "body", "--list-documents"]);
    list.stdout_with(look).stderr(&expected).exit_code(3);
}

#[test]
fn malformed_lines_are_named_and_the_rest_is_compared() {
    let lines = [
        fox("1"),
        "{\"id\":2,\"text\":\"cut\n".into(),
        "[]\n".into(),
        "{\"id\":true,\"text\":\"\"}\n".into(),
        "{\"text\":null}\n".into(),
        "{\"text\":\"a\"} {}\n".into(),
        "\"x at line 7\"\n".into(),
        "\n \t\r\n".into(),
        "not json\n".into(),
        fox("10"),
    ];
    let corpus = Workspace::new("malformed").file("r.jsonl", lines.concat());
    let malformed =
        |line, column, what| format!("dedup: r.jsonl:{line}: malformed record, column {column}: {what}; skipped\n");
    let expected = [
        malformed(2, 19, "it ends within a string"),
        "dedup: r.jsonl:3: malformed record: an array, where a JSON object is read; skipped\n".into(),
        malformed(6, 14, "there is text after the object"),
        "dedup: r.jsonl:7: malformed record: a string, where a JSON object is read; skipped\n".into(),
        malformed(10, 2, "a word is not true, false or null: `not`"),
    ];
    corpus.dedup(&["scan", "-q", "r.jsonl"]).stdout(&copies("1", "10", 36)).stderr(&expected.concat()).exit_code(3);
}

#[test]
fn bytes_that_are_not_utf8_cost_one_record() {
    let corpus = Workspace::new("bytes")
        .file("r.jsonl", [fox("1").as_bytes(), b"{\"text\":\"\xFF\"}\n", fox("3").as_bytes()].concat());
    corpus
        .dedup(&["scan", "-q", "r.jsonl"])
        .stdout(&copies("1", "3", 36))
        .stderr(
            "dedup: r.jsonl:2: the record is not valid UTF-8 at its byte 9; read it with --encoding LABEL or --invalid replace\n",
        )
        .exit_code(3);
}

#[test]
fn a_message_does_not_quote_a_long_value() {
    let corpus = Workspace::new("long").file("r.jsonl", format!("\"{}\"", "a".repeat(100_000)));
    corpus
        .dedup(&["scan", "-q", "r.jsonl"])
        .stdout("")
        .nothing_read("dedup: r.jsonl:1: malformed record: a string, where a JSON object is read; skipped\n");
}

#[test]
fn line_ends_blank_lines_and_a_mark_are_no_matter() {
    let lines = format!("\u{FEFF}{}\r\n\r\n\n{}\r\n  \n{}", fox("null").trim(), fox("null").trim(), fox("null").trim());
    let corpus = Workspace::new("line_ends").file("r.jsonl", lines);
    corpus
        .dedup(&["scan", "-q", "r.jsonl", "--collapse-exact"])
        .pairs(&["r.jsonl:1 r.jsonl:4", "r.jsonl:1 r.jsonl:6"])
        .stderr("")
        .exit_code(0);
}

#[test]
fn line_numbers_are_right_in_every_piece_of_a_long_file() {
    // Lines of 1 to 300,000 bytes over 10 MiB: pieces of 2 MiB begin inside lines, at their ends, and some lines
    // reach across a whole boundary. Every 7th line is malformed, every 11th is blank.
    let mut random = Random(5);
    let (mut text, mut malformed, mut names) = (String::new(), String::new(), Vec::new());
    let mut number = 0;
    while text.len() < 10 << 20 {
        number += 1;
        if number % 7 == 0 {
            text += "{\n";
            malformed +=
                &format!("dedup: r.jsonl:{number}: malformed record, column 1: it ends within an object; skipped\n");
        } else if number % 11 == 0 {
            text += "\r\n";
        } else {
            let padding = "p".repeat(random.below(if number % 5 == 0 { 300_000 } else { 2_000 }));
            text += &format!("{{\"padding\":\"{padding}\",\"text\":{FOX:?}}}\n");
            names.push(format!("r.jsonl:{number}"));
        }
    }
    let pairs: Vec<String> = names[1..].iter().map(|other| format!("r.jsonl:1 {other}")).collect();
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    let corpus = Workspace::new("long_file").file("r.jsonl", &text);
    // The summary stands behind what is named.
    let named = |malformed: String| {
        move |stderr: &str| {
            assert!(stderr.starts_with(&malformed) && stderr[malformed.len()..].contains(" similar pair"), "{stderr}")
        }
    };
    let run = corpus.dedup(&["scan", "r.jsonl", "--collapse-exact"]);
    run.pairs(&pairs).stderr_with(named(malformed.clone())).exit_code(3);
    let corpus = corpus.stdin(text);
    let pairs: Vec<String> = pairs.iter().map(|pair| pair.replace("r.jsonl", "-")).collect();
    let pairs: Vec<&str> = pairs.iter().map(String::as_str).collect();
    corpus
        .dedup(&["scan", "-", "--input-format", "jsonl", "--collapse-exact"])
        .pairs(&pairs)
        .stderr_with(named(malformed.replace("r.jsonl", "-")))
        .exit_code(3);
}

#[test]
fn a_record_may_be_longer_than_a_piece() {
    let long = "word ".repeat(1 << 20);
    let record = |id| format!("{{\"id\":{id},\"text\":{long:?}}}\n");
    let corpus = Workspace::new("long_record").file("r.jsonl", record(1) + &fox("2") + &record(3) + &fox("4"));
    corpus.dedup(&["scan", "-q", "r.jsonl"]).pairs(&["1 3", "2 4"]).stderr("").exit_code(0);
}

#[test]
fn a_long_line_is_read_or_refused_without_being_held() {
    // A sparse line of zeros in the midst; the system gives the program less memory than it is long.
    // Not so near to the beginning that it makes the file a binary one.
    let corpus = Workspace::new("long_line").file("r.jsonl", " ".repeat(1 << 16) + &fox("1"));
    let mut file = std::fs::File::options().write(true).open(corpus.path("r.jsonl")).unwrap();
    file.seek(SeekFrom::Start(3 << 30)).unwrap();
    file.write_all(format!("\n{}", fox("2")).as_bytes()).unwrap();
    drop(file);
    let refused = "dedup: r.jsonl:2: more than 20MiB; skipped (--max-document-bytes allows larger ones)\n";
    let args = ["scan", "-q", "r.jsonl", "--max-document-bytes", "20MiB", "--memory", "16MiB"];
    corpus.dedup_limited("-v 1000000", &args).pairs(&["1 2"]).stderr(refused).exit_code(3);

    let long = format!("{{\"id\":7,\"text\":\"{}\"}}\n", "lorem ipsum dolor ".repeat(1_500_000));
    assert!(long.len() > 25 << 20);
    let corpus = Workspace::new("longer_line").file("r.jsonl", [fox("1"), long, fox("2")].concat());
    for (limit, is_read) in [("26MiB", true), ("25MiB", false)] {
        let args = ["scan", "r.jsonl", "-q", "--max-document-bytes", limit, "--list-documents"];
        let listed = String::from_utf8(corpus.command(&args).output().unwrap().stdout).unwrap();
        assert_eq!(listed.contains(r#""name":"7""#), is_read, "{limit}: {listed}");
        assert!(listed.contains(r#""name":"2""#), "{limit}: {listed}");
    }
}

#[test]
fn a_path_that_reads_as_the_place_of_a_record_is_told() {
    let corpus = Workspace::new("place_path").file("a.jsonl", r#"{"text":""}"#).file("a.jsonl:1", FOX);
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout("")
        .stderr("dedup: a.jsonl:1: this path reads as the place of a record; compared as ./a.jsonl:1\n")
        .exit_code(3);
}

#[test]
fn quiet_names_twenty_records_of_each_kind_and_counts_the_others() {
    let corpus = Workspace::new("quiet_records")
        .file("a.jsonl", "no\n{\"id\":1}\n".repeat(25) + &format!("{{\"text\":\"{FOX}\"}}\n"))
        .file("b.jsonl", "no\n");
    let says = |stderr: &str| {
        let is_record = |line: &&str| line.contains("malformed record") && !line.contains(" more ");
        let named: Vec<&str> = stderr.lines().filter(is_record).collect();
        let expected: Vec<String> = (0..20).map(|at| format!("dedup: a.jsonl:{}: ", 1 + 2 * at)).collect();
        let are_these = expected.iter().zip(&named).all(|(start, line)| line.starts_with(start));
        assert!(named.len() == 20 && are_these, "{stderr}");
        let more = ["dedup: and 6 more (malformed records); --list-documents lists each"];
        assert_eq!(stderr.lines().collect::<Vec<_>>()[20..], more, "{stderr}");
    };
    corpus.dedup(&["scan", "a.jsonl", "b.jsonl", "-q"]).stdout("").stderr_with(says).exit_code(3);
    let says = |stderr: &str| {
        assert_eq!(stderr.lines().filter(|line| line.contains("malformed record")).count(), 26 + 1, "{stderr}");
        assert!(stderr.contains("dedup: b.jsonl:1: malformed record"), "{stderr}");
    };
    corpus.dedup(&["scan", "a.jsonl", "b.jsonl"]).stdout("").stderr_with(says).exit_code(3);
}
