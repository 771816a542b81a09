//! CSV, TSV and the fields of records: which are the text, and what is wrong with a row.

use crate::support::*;

#[test]
fn rows_are_documents_named_by_their_id_or_their_line() {
    let corpus = Workspace::new("csv")
        .file("a.csv", format!("id,lang,text\nx,en,{FOX}\n,en,\"{FOX}\"\r\n7,en,\"Said \"\"{LOREM}\"\", twice\"\n"))
        .file("b.TSV", format!("\u{FEFF}text\tid\n{FOX}\ty\n\n{FOX}\t\n"));
    corpus
        .dedup(&["scan", "-q", ".", "--collapse-exact"])
        .pairs(&["x a.csv:3", "x y", "x b.TSV:4"])
        .stderr("")
        .exit_code(0);
    let corpus =
        Workspace::new("line_ends").file("a.csv", format!("\r\ntext,id\r\n\r\n\n{FOX},\r\n\"{FOX}\",\"\"\r\n{FOX},"));
    corpus
        .dedup(&["scan", "-q", ".", "--collapse-exact"])
        .pairs(&["a.csv:5 a.csv:6", "a.csv:5 a.csv:7"])
        .stderr("")
        .exit_code(0);
    let corpus = Workspace::new("csv_text").file("a.csv", "text\n\"\n\"").file("b.csv", "text\n\"\n\"");
    corpus.dedup(&["scan", "-q", ".", "--input-format", "text"]).pairs(&["a.csv b.csv"]).stderr("").exit_code(0);
}

#[test]
fn a_row_over_several_lines_is_named_by_its_first() {
    let corpus = Workspace::new("quoted").file("a.csv", format!("id,text\n,\"{FOX}\n\n\"\n,\"\n{FOX}\"\n1,2,3\n"));
    corpus
        .dedup(&["scan", "-q", "a.csv"])
        .stdout(&copies("a.csv:2", "a.csv:5", 36))
        .stderr("dedup: a.csv:7: malformed row: 3 fields where the header has 2; skipped\n")
        .exit_code(3);
}

#[test]
fn what_is_wrong_with_a_table_is_named() {
    let corpus = Workspace::new("bad_tables")
        .file("empty.csv", "")
        .file("header.csv", "id,text\n")
        .file("missing.csv", "id,body,lang\n1,2,3\n")
        .file("nul.csv", "id,text\n1,\0\n")
        .file("utf16.csv", b"\xFF\xFEi\0d\0")
        .file("utf8.csv", b"id,text\n1,caf\xE9\n2,\xFF\n")
        .file("z.csv", format!("text,id\n{FOX},1\n\"{LOREM}\n{LOREM}\n"));
    let messages = "dedup: missing.csv:1: the header has no field `text`; give the field of the text with --text-field \
         (there are: `id`, `body`, `lang`)\n\
         dedup: nul.csv: binary, with a NUL at byte 10; skipped\n\
         dedup: utf16.csv:1: the header has no field `text`; give the field of the text with --text-field (there are: `id`)\n\
         dedup: utf8.csv:2: the text is not valid UTF-8 at its byte 3; read it with --encoding LABEL or --invalid replace\n\
         dedup: utf8.csv:3: the text is not valid UTF-8 at its byte 0; read it with --encoding LABEL or --invalid replace\n\
         dedup: z.csv:3: a quotation mark is opened and never closed; skipped (--csv-escape '\\' reads \\\" as a quotation mark in a field, --no-quoting reads quotation marks as ordinary characters)\n";
    corpus.dedup(&["scan", "-q", "."]).stdout("").stderr(messages).exit_code(3);
}

const AS_THEY_ARE: &str = "skipped (--csv-escape '\\' reads \\\" as a quotation mark in a field, --no-quoting reads quotation marks as ordinary characters)";

#[test]
fn a_missing_quotation_mark_costs_a_line() {
    let corpus = Workspace::new("unclosed")
        .file("a.csv", format!("id,text\n1,\"{FOX}\n2,{FOX}\n3,{FOX}\n"))
        .file("b.csv", format!("id,text\n4,\"{FOX}\n5,\"{FOX}\"\r\n6,\"{FOX}\" \n\"7\",{FOX}"))
        .file("c.csv", format!("\n\"id,text\n8,{FOX}\n"));
    let messages = format!(
        "dedup: a.csv:2: a quotation mark is opened and never closed; {AS_THEY_ARE}\n\
         dedup: b.csv:2: there is text after a closing quotation mark; {AS_THEY_ARE}\n\
         dedup: b.csv:4: there is text after a closing quotation mark; {AS_THEY_ARE}\n\
         dedup: c.csv:2: the header: a quotation mark is opened and never closed; {AS_THEY_ARE}\n"
    );
    corpus.dedup(&["scan", "-q", ".", "--collapse-exact"]).pairs(&["2 3", "2 5", "2 7"]).stderr(&messages).exit_code(3);
    let run = corpus.dedup(&["scan", "-q", "a.csv", "--no-quoting", "--threshold", "0.9"]);
    run.pairs(&["1 2", "1 3", "2 3"]).stderr("").exit_code(0);
}

#[test]
fn a_missing_quotation_mark_does_not_fill_the_memory() {
    let rest: String = (0..340_000).map(|number| format!("{},{LOREM}\n", number + 4)).collect();
    let corpus = Workspace::new("endless").file("a.csv", format!("id,text\n1,{FOX}\n2,{FOX}\n3,\"{LOREM}\n{rest}"));
    let unclosed = "a quotation mark is opened and not closed within 16MiB";
    let hint = AS_THEY_ARE.strip_prefix("skipped").unwrap();
    corpus
        .dedup(&["scan", "-q", "a.csv", "--max-document-bytes", "1000", "--strict"])
        .stdout("")
        .stderr(&format!("dedup: a.csv:4: {unclosed}{hint}; --strict stops the run\n"))
        .exit_code(2);
}

#[test]
fn a_row_that_is_too_large_is_skipped_with_all_its_lines() {
    let row = format!("3,\"{}\"\n", format!("x,{LOREM}\n").repeat(100));
    let corpus = Workspace::new("large_row").file("a.csv", format!("id,text\n1,{FOX}\n{row}2,{FOX}\n"));
    corpus
        .dedup(&["scan", "-q", "a.csv", "--max-document-bytes", "1000"])
        .pairs(&["1 2"])
        .stderr("dedup: a.csv:3: more than 1000 bytes; skipped (--max-document-bytes allows larger ones)\n")
        .exit_code(3);
}

#[test]
fn fields_are_separated_by_what_is_said() {
    let corpus = Workspace::new("delimiter")
        .file("a.csv", format!("id;text\n1;\"{FOX};\"\n2;{FOX},\n"))
        .file("b.csv", "id\ttext\n")
        .file("c.tsv", format!("id\ttext\n3\t{FOX};\n"));
    let hint = |place, names, hint| {
        format!(
            "dedup: {place}:1: the header has no field `text`; give the field of the text with --text-field \
             (there are: `{names}`); --delimiter '{hint}'?\n"
        )
    };
    corpus
        .dedup(&["scan", "-q", "a.csv", "b.csv"])
        .stdout("")
        .nothing_read(&(hint("a.csv", "id;text", ";") + &hint("b.csv", r"id\ttext", "\\t")));
    corpus
        .dedup(&["scan", "-q", "a.csv", "c.tsv", "--delimiter", ";", "--threshold", "0.9"])
        .pairs(&["1 2", "1 3", "2 3"])
        .stderr("")
        .exit_code(0);
    corpus
        .dedup(&["scan", "-q", "b.csv", "--delimiter", "\\t"])
        .stdout("")
        .stderr("dedup: warning: no documents were found; check the paths, --include and --exclude\n")
        .exit_code(0);
    corpus
        .dedup(&["scan", "a.csv", "--delimiter", "ab"])
        .stdout("")
        .stderr(
            "dedup: --delimiter ab: give one character of ASCII, as in ';' or '\\t', and no \
             quotation mark; see dedup scan --help\n",
        )
        .exit_code(2);
}

#[test]
fn a_column_that_is_there_twice_is_named() {
    let corpus = Workspace::new("twice")
        .file("a.csv", "id,text,text\n1,a,b\n")
        .file("b.csv", "\nid,id,text\n1,2,b\n")
        .file("c.csv", format!("id,x,x,text\n1,,,{FOX}\n2,,,{FOX}\n"));
    let twice =
        |place, name| format!("dedup: {place}: the header has more than one column `{name}`; rename all but one\n");
    corpus
        .dedup(&["scan", "-q", "."])
        .pairs(&["1 2"])
        .stderr(&(twice("a.csv:1", "text") + &twice("b.csv:2", "id")))
        .exit_code(3);
}

#[test]
fn texts_may_be_several_fields() {
    let corpus = Workspace::new("several")
        .file(
            "a.jsonl",
            "{\"id\":1,\"title\":\"The quick brown fox\",\"page\":{\"body\":[\"jumps over\",\"the lazy dog.\"]}}",
        )
        .file("b.csv", "id,page.body,title\n2,jumps over the lazy dog.,The quick brown fox\n")
        .file("c.jsonl", "{\"id\":3,\"title\":\"The quick brown fox jumps over the lazy dog.\"}");
    corpus
        .dedup(&["scan", "-q", ".", "--text-field", "title", "--text-field", "page.body"])
        .stdout(&[copies("1", "2", 36), copies("1", "3", 36), copies("2", "3", 36)].concat())
        .stderr(
            "dedup: warning: c.jsonl: there is no field `page.body` (--text-field); there are: `id`, `title`; compared without\n",
        )
        .exit_code(0);
    corpus.dedup(&["scan", "-q", "c.jsonl", "--text-field", "a", "--text-field", "b"]).stdout("").nothing_read(
        "dedup: c.jsonl: there is no field `a` (--text-field), `b` (--text-field); there are: `id`, `title`\n",
    );
    corpus
        .dedup(&["scan", "-q", "a.jsonl", "c.jsonl", "--id-field", "page.body", "--text-field", "title"])
        .stdout("")
        .stderr(
            "dedup: a.jsonl:1: malformed record, column 84: the id is neither a string nor a number; skipped\n\
             dedup: warning: c.jsonl: there is no field `page.body` (--id-field); there are: `id`, `title`; compared without\n",
        )
        .exit_code(3);
}

#[test]
fn strict_ends_the_run_at_the_first_error_in_document_order() {
    let good = format!("{{\"text\":{FOX:?}}}\n");
    let many = (0..40).fold(Workspace::new("strict"), |corpus, number| corpus.file(format!("d/{number:02}"), FOX));
    let corpus = many
        .file("a.jsonl", [&good, "{\n", &good, "[\n"].concat())
        .file("b.csv", "no\n")
        .file("bin", "\0")
        .file("repeated.jsonl", "{\"id\":1,\"text\":\"\"}\n{\"id\":1,\"text\":\"\"}\n");
    let malformed = "dedup: a.jsonl:2: malformed record, column 1: it ends within an object; --strict stops the run\n";
    for threads in ["1", "2", "16"] {
        let run = corpus.dedup(&["scan", "-q", "d", "a.jsonl", "b.csv", "nope", "--strict", "--threads", threads]);
        run.stdout("").stderr(malformed).exit_code(2);
    }
    let missing = "dedup: nope: no such file or folder; check the path; --strict stops the run\n";
    corpus.dedup(&["scan", "-q", "nope", "a.jsonl", "--strict"]).stdout("").stderr(missing).exit_code(2);
    let repeated =
        "dedup: repeated.jsonl:2: the id \"1\" is a duplicate; compared under this name; --strict stops the run\n";
    corpus.dedup(&["scan", "-q", "repeated.jsonl", "--strict"]).stdout("").stderr(repeated).exit_code(2);
    // A binary file in a folder does not end a strict run, which reports it by its exit code.
    let run = corpus.dedup(&[
        "scan",
        "-q",
        ".",
        "--strict",
        "--exclude",
        "*.jsonl",
        "--exclude",
        "*.csv",
        "--collapse-exact",
    ]);
    run.stdout_with(|stdout| assert_eq!(stdout.lines().count(), 39)).stderr("").exit_code(3);
}

#[test]
fn tables_come_from_standard_input_too() {
    let corpus = Workspace::new("csv_stdin").stdin(format!("text;id\n{FOX}"));
    corpus.dedup(&["scan", "-q", "-", "--input-format", "csv"]).stdout("").nothing_read(
        "dedup: -:1: the header has no field `text`; give the field of the text with --text-field (there are: `text;id`); \
             --delimiter ';'?\n",
    );
    // A field with a number as its name probably belongs to a row of data.
    let corpus = corpus.stdin(format!("1,{FOX}\n2,{FOX}\n"));
    corpus.dedup(&["scan", "-q", "-", "--input-format", "csv"]).stdout("").nothing_read(&format!(
        "dedup: -:1: the header has no field `text`; give the field of the text with --text-field (there are: `1`, `{FOX}`); \
         --no-header?\n"
    ));
    let corpus = corpus.stdin(format!("text\tid\n{FOX}\tx\n{FOX}\t"));
    corpus.dedup(&["scan", "-q", "-", "--input-format", "tsv"]).pairs(&["x -:3"]).stderr("").exit_code(0);
}

#[test]
fn a_long_table_is_read_in_pieces_and_texts_are_found_again() {
    let mut random = Random(7);
    let row = |random: &mut Random, number: usize| {
        let words: Vec<String> = (0..200).map(|_| random.below(1000).to_string()).collect();
        format!("{number},\"{}\"\n", words.join(if number.is_multiple_of(3) { "\n" } else { " " }))
    };
    let rows: Vec<String> = (0..5000).map(|number| row(&mut random, number)).collect();
    let copy = rows[17].replacen("17,", "copy,", 1);
    let corpus = Workspace::new("long_table").file("a.csv", format!("id,text\n{}{copy}", rows.concat()));
    corpus.dedup(&["scan", "-q", "a.csv"]).pairs(&["17 copy"]).stderr("").exit_code(0);
}

#[test]
fn a_field_that_was_asked_for_and_is_nowhere_is_warned_of() {
    let corpus = Workspace::new("asked").file("a.csv", format!("id,text\n1,{FOX}\n2,{FOX}\n"));
    corpus
        .dedup(&["scan", "-q", "a.csv", "--id-field", "uid", "--text-field", "title", "--text-field", "text"])
        .pairs(&["a.csv:2 a.csv:3"])
        .stderr(
            "dedup: warning: a.csv:1: there is no field `uid` (--id-field), `title` (--text-field); there are: `id`, `text`; \
             compared without\n",
        )
        .exit_code(0);
}
