//! `dedup unique --cut`: repeated parts leave the texts, and everything else stays as it is stored.

use std::fs;

use crate::packing::{packed, tar, unpacked};
use crate::support::*;
use crate::unique::unique;

pub(crate) const MENU: &str = "Home | About | Contact";
const FOOT: &str = "Copyright 2024 Example Inc.";

/// Cuts and returns the output.
fn cut(name: &'static str, file: &str, content: impl AsRef<[u8]>, args: &[&str]) -> Vec<u8> {
    let corpus = Workspace::new(name).file(file, content);
    let output = format!("out-{file}");
    unique(&corpus, &[&[file, "-o", &output], args].concat(), 0);
    fs::read(corpus.path(&output)).unwrap()
}

#[track_caller]
fn check(name: &'static str, file: &str, before: &str, args: &[&str], after: &str) {
    let output = cut(name, file, before, args);
    assert_eq!(String::from_utf8(output).unwrap(), after, "{args:?}");
}

#[test]
fn the_text_of_records_is_cut_where_it_is_stored() {
    let line = &["--cut", "line"][..];
    let json = format!(
        "{{\"id\":1, \"text\" : \"{MENU}\\nOne caf\\u00e9.\\n{FOOT}\",\"n\":[1,2]}}\n{{\"text\":\"{MENU}\\nTwo \\u201chere\\u201d.\\n{FOOT}\" , \"n\":2}}\r\n"
    );
    let after =
        json.replacen(&format!("\"{MENU}\\nTwo \\u201chere\\u201d.\\n{FOOT}\""), "\"Two \\u201chere\\u201d.\"", 1);
    check("cut_jsonl", "a.jsonl", &json, line, &after);
    let wide = json.replace("\\u00e9", "é").replace("\\u201c", "“").replace("\\u201d", "”");
    check(
        "cut_utf8",
        "a.jsonl",
        &wide,
        line,
        &after.replace("\\u00e9", "é").replace("\\u201c", "“").replace("\\u201d", "”"),
    );
    let array = |second: &str| format!("[ {{\"text\":\"{MENU}\\nOne\"}} ,\n {{\"text\":{second}}}]\n");
    check("cut_array", "a.json", &array(&format!("\"{MENU}\\nTwo\"")), line, &array("\"Two\""));
    let csv = |second: &str| format!("id,text\n1,\"{MENU}\nsays \"\"one\"\"\"\r\n2,{second}\n3,x\n");
    check("cut_csv", "a.csv", &csv(&format!("\"{MENU}\nsays \"\"two\"\"\"")), line, &csv("\"says \"\"two\"\"\""));
    let tsv = |second: &str| format!("id\ttext\n1\tone two three four\n2\t{second}\n");
    check("cut_tsv", "a.tsv", &tsv("zero one two three four five"), &["--cut", "passages:4"], &tsv("zero five"));
    let packed_json = packed(".gz", json.as_bytes());
    assert_eq!(unpacked(".gz", &cut("cut_gz", "a.jsonl.gz", packed_json, line)), after.as_bytes());
}

#[test]
fn several_fields_lists_and_nested_fields_are_cut_each_where_it_is() {
    let before = "{\"t\":\"zero one two\",\"a\":{\"b\":[\"three four\",\"five six\"]}}\n{\"t\":\"one two\",\"a\":{\"b\":[\"three four\",\"seven\"]}}\n";
    let after = "{\"t\":\"zero one two\",\"a\":{\"b\":[\"three four\",\"five six\"]}}\n{\"t\":\"\",\"a\":{\"b\":[\"\",\"seven\"]}}\n";
    let fields = ["--cut", "passages:3", "--text-field", "t", "--text-field", "a.b", "--id-field", "t"];
    check("cut_fields", "a.jsonl", before, &fields, after);
}

#[test]
fn plain_texts_keep_every_other_byte_in_any_encoding() {
    let text = |second: &str| format!("Größe {MENU}\r\nerste Zeile\r\n\r\n{second}zweite  Zeile \r\n");
    let (before, after) = (text(&format!("Größe {MENU}\r\n")), text(""));
    let document = &["--cut", "line", "--scope", "document"][..];
    check("cut_plain", "a.txt", &before, document, &after);
    check("cut_marked", "a.txt", &format!("\u{FEFF}{before}"), document, &format!("\u{FEFF}{after}"));
    let wide =
        |text: &str| -> Vec<u8> { format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect() };
    assert_eq!(cut("cut_utf16", "a.txt", wide(&before), document), wide(&after));
    let latin = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<u8>>();
    let given = [document, &["--encoding", "latin1"]].concat();
    assert_eq!(cut("cut_latin", "a.txt", latin(&before), &given), latin(&after));
    // The space or line break at a seam is written in the encoding of the text.
    let passages = |second: &str| format!("eins zwei drei vier \n{second}\nfünf");
    let words = &["--cut", "passages:3", "--scope", "document"][..];
    let (before, after) = (passages("ö eins zwei drei ü"), passages("ö ü"));
    assert_eq!(cut("cut_utf16_seam", "a.txt", wide(&before), words), wide(&after));
    let given = [words, &["--encoding", "latin1"]].concat();
    assert_eq!(cut("cut_latin_seam", "a.txt", latin(&before), &given), latin(&after));
}

#[test]
fn units_are_passages_lines_paragraphs_and_sentences() {
    let before =
        "Alpha beta gamma delta. Echo.\n\nOne.\nTwo.\n\n\nAlpha beta gamma delta. Foxtrot.\n\nOne.\nTwo.\n\nEnd.\n";
    let check = |args: &[&str], after: &str| {
        check("cut_units", "a.txt", before, &[args, &["--scope", "document"]].concat(), after);
    };
    check(&["--cut", "passages:4"], "Alpha beta gamma delta. Echo.\n\nOne.\nTwo.\n. Foxtrot.\n\nOne.\nTwo.\n\nEnd.\n");
    check(
        &["--cut", "line"],
        "Alpha beta gamma delta. Echo.\n\nOne.\nTwo.\n\n\nAlpha beta gamma delta. Foxtrot.\n\n\nEnd.\n",
    );
    check(
        &["--cut", "paragraph"],
        "Alpha beta gamma delta. Echo.\n\nOne.\nTwo.\n\n\nAlpha beta gamma delta. Foxtrot.\n\nEnd.\n",
    );
    check(&["--cut", "sentence:1"], "Alpha beta gamma delta. Echo.\n\nOne.\nTwo.\nFoxtrot.\nEnd.\n");
    check(&["--cut", "sentence:3"], before);
    let chars = &["--cut", "passages:20", "--shingle", "char"][..];
    check(chars, "Alpha beta gamma delta. Echo.\n\nOne.\nTwo.\nFoxtrot.\n\nOne.\nTwo.\n\nEnd.\n");
    // White space is folded, so the blank lines make no difference; case does.
    check(&["--cut", "line", "--min-unit", "5"], before);
    check(
        &["--cut", "line", "--keep", "none"],
        "Alpha beta gamma delta. Echo.\n\n\n\nAlpha beta gamma delta. Foxtrot.\n\n\nEnd.\n",
    );
}

#[test]
fn folding_scope_and_numbers_of_documents_decide_what_is_repeated() {
    let corpus = |name| {
        Workspace::new(name)
            .file("in/x/a.txt", "Common line\nonce\n")
            .file("in/x/b.txt", "common LINE\nOnly here\nOnly here\n")
            .file("in/y/c.txt", "common line!\nOther\n")
    };
    let texts = |corpus: &Workspace| ["x/a", "x/b", "y/c"].map(|file| corpus.read(&format!("out/{file}.txt")));
    let check = |name, args: &[&str], expected: [&str; 3]| {
        let corpus = corpus(name);
        unique(&corpus, &[&["in", "-o", "out", "--cut", "line"], args].concat(), 0);
        assert_eq!(texts(&corpus), expected, "{args:?}");
    };
    let [a, b, c] = ["Common line\nonce\n", "common LINE\nOnly here\nOnly here\n", "common line!\nOther\n"];
    check("cut_case", &[], [a, b, c]);
    check("cut_lower", &["--lowercase"], [a, "Only here\nOnly here\n", c]);
    check("cut_folded", &["--lowercase", "--strip-punctuation"], [a, "Only here\nOnly here\n", "Other\n"]);
    let folded = ["--lowercase", "--strip-punctuation", "--min-df", "3"];
    check("cut_df", &folded, [a, "Only here\nOnly here\n", "Other\n"]);
    check("cut_df_4", &["--lowercase", "--strip-punctuation", "--min-df", "4"], [a, b, c]);
    check("cut_df_1", &["--min-df", "1"], [a, "common LINE\nOnly here\n", c]);
    check("cut_document", &["--lowercase", "--scope", "document"], [a, "common LINE\nOnly here\n", c]);
    let group = ["--lowercase", "--strip-punctuation", "--scope", "group", "--group-by", "dir"];
    check("cut_group", &group, [a, "Only here\nOnly here\n", c]);
}

#[test]
fn documents_of_which_too_little_is_left_go() {
    let corpus = Workspace::new("cut_short")
        .file("a.jsonl", "{\"id\":1,\"text\":\"one two three four five\"}\n{\"id\":2,\"text\":\"one two three four six\"}\n{\"id\":3,\"text\":\"seven\"}\n{\"id\":4,\"text\":\"one two three four five\"}\n");
    let run = |args: &[&str]| {
        corpus
            .dedup(&[&["unique", "a.jsonl", "-o", "b.jsonl", "--force", "--cut", "passages:4"], args].concat())
            .stdout("")
            .stderr_with(|stderr| {
                assert!(stderr.contains("cut        9 of 16 words") == args.is_empty(), "{stderr}");
                assert!(
                    stderr.contains("1 document without a word left; --drop-shorter 1 removes them") == args.is_empty()
                );
            })
            .exit_code(0);
        corpus.read("b.jsonl")
    };
    let first = "{\"id\":1,\"text\":\"one two three four five\"}\n";
    assert_eq!(
        run(&[]),
        format!("{first}{{\"id\":2,\"text\":\"six\"}}\n{{\"id\":3,\"text\":\"seven\"}}\n{{\"id\":4,\"text\":\"\"}}\n")
    );
    assert_eq!(
        run(&["--drop-shorter", "1"]),
        format!("{first}{{\"id\":2,\"text\":\"six\"}}\n{{\"id\":3,\"text\":\"seven\"}}\n")
    );
    assert_eq!(run(&["--drop-shorter", "2", "--removed", "removed.jsonl"]), first);
    let removed = "{\"removed\":\"2\",\"left\":1}\n{\"removed\":\"3\",\"left\":1}\n{\"removed\":\"4\",\"left\":0}\n";
    assert_eq!(corpus.read("removed.jsonl"), removed);
    // A document that is too short from the start cuts nothing out of others.
    let short = "{\"id\":1,\"text\":\"a b c\"}\n{\"id\":2,\"text\":\"a b c d\"}\n";
    check("cut_shorter", "a.jsonl", short, &["--cut", "passages:3", "--drop-shorter", "4"], &short[24..]);
    check(
        "cut_shorter_lines",
        "a.jsonl",
        &short.replace(" d", "\\nd"),
        &["--cut", "line", "--drop-shorter", "4"],
        &short[24..].replace(" d", "\\nd"),
    );
    // Lines: the words that are left count.
    let lines = Workspace::new("cut_short_lines")
        .file("in/a.txt", "menu\none two three\n")
        .file("in/b.txt", "menu\none two\n")
        .file("in/c.txt", "menu\n");
    unique(&lines, &["in", "-o", "out", "--cut", "line", "--drop-shorter", "3"], 0);
    let mut left: Vec<_> = fs::read_dir(lines.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.txt"]);
}

#[test]
fn archives_keep_their_members_and_lose_only_parts_of_texts() {
    let jsonl = format!("{{\"text\":\"{MENU}\\nthree\"}}\n");
    let members: Vec<(&str, &[u8])> = vec![
        ("a.txt", b"Home | About | Contact\none\n"),
        ("b.txt", b"Home | About | Contact\ntwo\n"),
        ("c.bin", b"\0"),
        ("d.jsonl", jsonl.as_bytes()),
    ];
    let archive = cut("cut_tar", "a.tar", tar(&members), &["--cut", "line"]);
    let mut found = Vec::new();
    for entry in ::tar::Archive::new(archive.as_slice()).entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut text).unwrap();
        found.push((entry.path().unwrap().to_str().unwrap().to_owned(), text));
    }
    let expected: [(&str, &[u8]); 4] =
        [("a.txt", members[0].1), ("b.txt", b"two\n"), ("c.bin", b"\0"), ("d.jsonl", b"{\"text\":\"three\"}\n")];
    assert_eq!(found, expected.map(|(name, text)| (name.to_owned(), text.to_vec())));
}

#[test]
fn cuts_are_listed_with_their_places_and_first_occurrences() {
    let corpus = Workspace::new("cut_list")
        .file("in/a.txt", "zero\none two three four\n")
        .file("in/b.txt", "one two\nthree four five\none two three four");
    let expected = [
        r#"{"document":"in/b.txt","lines":[1,2],"bytes":[0,18],"tokens":4,"first":{"document":"in/a.txt","lines":[2,2],"bytes":[5,18]}}"#,
        r#"{"document":"in/b.txt","lines":[3,3],"bytes":[24,42],"tokens":4,"first":{"document":"in/a.txt","lines":[2,2],"bytes":[5,18]}}"#,
    ];
    let cut = ["unique", "in", "-o", "out", "--cut", "passages:3"];
    corpus.dedup(&[&cut[..], &["--cuts", "cuts.jsonl", "-q"]].concat()).stdout("").stderr("").exit_code(0);
    assert_eq!(corpus.read("cuts.jsonl").lines().collect::<Vec<_>>(), expected);
    assert_eq!(corpus.read("out/b.txt"), "five");
    corpus
        .dedup(&["unique", "in", "-n", "--cut", "passages:3"])
        .stdout("")
        .stderr_with(|stderr| {
            let line = "  in/b.txt:1-2: 4 words, first in in/a.txt:2: one two three four\n";
            assert!(stderr.contains(line), "{stderr}");
        })
        .exit_code(0);
    corpus
        .dedup(&["unique", "in", "-n", "-q", "--cut", "passages:3", "--cuts", "-"])
        .stdout(&(expected.join("\n") + "\n"))
        .stderr("")
        .exit_code(0);
    // Every occurrence is cut, and the first one has no earlier one.
    let none = ["unique", "in", "-n", "-q", "--cut", "passages:3", "--keep", "none", "--cuts", "-"];
    corpus
        .dedup(&none)
        .stdout_with(|cuts| assert_eq!((cuts.lines().count(), cuts.matches("first").count()), (3, 2)))
        .stderr("")
        .exit_code(0);
}

#[cfg(feature = "parquet")]
#[test]
fn rows_of_parquet_keep_their_other_columns() {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema = "message m { required int64 id; optional binary text (UTF8); optional binary title (UTF8); }";
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(parse_message_type(schema).unwrap()), Default::default())
            .unwrap();
    let rows: Vec<(String, Option<String>)> = (0..2500)
        .map(|row| (format!("own {row} words {}", row * 7), (row % 3 != 0).then(|| format!("{MENU} {row}\n{FOOT}"))))
        .collect();
    for group_rows in rows.chunks(1500) {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let ids: Vec<i64> =
            (0..group_rows.len() as i64).map(|id| id + 10_000 * i64::from(group_rows.len() == 1000)).collect();
        column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
        column.close().unwrap();
        let texts: Vec<ByteArray> = group_rows.iter().map(|row| ByteArray::from(row.0.as_str())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&vec![1; texts.len()]), None).unwrap();
        column.close().unwrap();
        let titles: Vec<ByteArray> =
            group_rows.iter().filter_map(|row| row.1.as_deref()).map(ByteArray::from).collect();
        let levels: Vec<i16> = group_rows.iter().map(|row| i16::from(row.1.is_some())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&titles, Some(&levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    let corpus = Workspace::new("cut_parquet").file("a.parquet", writer.into_inner().unwrap());
    let fields = ["--text-field", "title", "--text-field", "text"];
    unique(&corpus, &[&["a.parquet", "-o", "b.parquet", "--cut", "line"], &fields[..]].concat(), 0);
    let read = |path: &str| -> Vec<String> {
        let reader = SerializedFileReader::new(fs::File::open(corpus.path(path)).unwrap()).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), 2);
        reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
    };
    let (before, after) = (read("a.parquet"), read("b.parquet"));
    assert_eq!(before.len(), after.len());
    for (row, (before, after)) in before.iter().zip(&after).enumerate() {
        // The second row is the first one with a title.
        let expected = if row % 3 == 0 || row == 1 { before.clone() } else { before.replace(&format!("\n{FOOT}"), "") };
        assert_eq!(*after, expected, "{row}");
    }
}
