//! Parquet: strings, nested columns and lists; ids; nulls; what is wrong with a file.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::packing::{tar, zip};
use crate::support::*;

/// A column of strings: values, definition levels and repetition levels.
type Strings<'a> = (&'a [&'a str], &'a [i16], &'a [i16]);

/// A file of as many row groups, with the columns in order.
fn parquet(schema: &str, groups: &[(&[i64], &[Strings])]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for (ids, columns) in groups {
        let mut group = writer.next_row_group().unwrap();
        if !ids.is_empty() {
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<Int64Type>().write_batch(ids, None, None).unwrap();
            column.close().unwrap();
        }
        for (values, definitions, repetitions) in *columns {
            let repetitions = Some(*repetitions).filter(|levels| !levels.is_empty());
            let values: Vec<ByteArray> = values.iter().map(|&value| value.into()).collect();
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<ByteArrayType>().write_batch(&values, Some(definitions), repetitions).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

const PLAIN: &str = "message m { required int64 id; optional binary text (UTF8); }";

#[test]
fn rows_are_documents_named_by_their_id_or_their_number() {
    let group = |ids: &'static [i64]| (ids, [([FOX, FOX], [1, 0, 1])]);
    let (first, second) = (group(&[1, -2, 3]), group(&[4, 5, 3]));
    fn column<'a>(group: &'a [([&'a str; 2], [i16; 3]); 1]) -> [Strings<'a>; 1] {
        [(&group[0].0, &group[0].1, &[])]
    }
    let file = parquet(PLAIN, &[(first.0, &column(&first.1)), (second.0, &column(&second.1))]);
    let corpus = Workspace::new("parquet").file("a.parquet", &file).file("b.txt", FOX);
    let messages = "dedup: a.parquet:6: the id \"3\" is a duplicate; compared under this name\n";
    corpus
        .dedup(&["scan", "-q", ".", "--collapse-exact"])
        .stdout(&["3", "4", "a.parquet:6", "b.txt"].map(|name| copies("1", name, 36)).concat())
        .stderr(messages)
        .exit_code(3);
    let corpus = corpus.stdin(file);
    corpus
        .dedup(&["scan", "-q", "-", "--input-format", "parquet", "--id-field", "none", "--collapse-exact"])
        .pairs(&["-:1 -:3", "-:1 -:4", "-:1 -:6"])
        .stderr("dedup: warning: -: there is no field `none` (--id-field); there are: `id`, `text`; compared without\n")
        .exit_code(0);
}

#[test]
fn texts_may_be_nested_lists_and_several() {
    let schema = "message m { optional group page { required binary title (UTF8); \
         optional group parts (LIST) { repeated group list { optional binary element (UTF8); } } } }";
    // Three rows: title and two parts; title and an empty list; no page at all.
    let titles: Strings = (&["The quick brown fox", FOX], &[1, 1, 0], &[]);
    let parts: Strings = (&["jumps over", "the lazy dog."], &[4, 4, 2, 0], &[0, 1, 0, 0]);
    let file = parquet(schema, &[(&[], &[titles, parts])]);
    let corpus = Workspace::new("nested_parquet").file("a.parquet", file);
    corpus
        .dedup(&["scan", ".", "--text-field", "page.title", "--text-field", "page.parts"])
        .stdout(&copies("a.parquet:1", "a.parquet:2", 36))
        .stderr_with(|stderr| {
            assert!(stderr.starts_with("dedup: a.parquet:3: the text is null; skipped\n"), "{stderr}")
        })
        .exit_code(0);
}

/// A file of one row group with a column of other values than strings, and levels as in `Strings`, and one of texts.
fn with_column<T: DataType>(
    schema: &str,
    values: &[T::T],
    levels: Option<(&[i16], &[i16])>,
    texts: &[&str],
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let (definitions, repetitions) = levels.unzip();
    column.typed::<T>().write_batch(values, definitions, repetitions).unwrap();
    column.close().unwrap();
    if !texts.is_empty() {
        let texts: Vec<ByteArray> = texts.iter().map(|&text| text.into()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.into_inner().unwrap()
}

fn list_of(kind: &str, logical: &str) -> String {
    let element = format!("required {kind} element {logical};");
    format!("message m {{ optional group text (LIST) {{ repeated group list {{ {element} }} }} }}")
}

#[test]
fn a_set_is_the_same_as_in_json_lines() {
    // Two rows each: three elements, one of them twice, and one element.
    let levels = Some((&[2, 2, 2, 2][..], &[0, 1, 1, 0][..]));
    let strings = with_column::<ByteArrayType>(
        &list_of("binary", ""),
        &["olive oil".into(), "a\nb".into(), "".into(), "salt".into()],
        levels,
        &[],
    );
    let corpus = Workspace::new("parquet_sets")
        .file("a.parquet", strings)
        .file("b.parquet", with_column::<Int64Type>(&list_of("int64", ""), &[1, -2, 1, i64::MIN], levels, &[]))
        .file("c.parquet", with_column::<Int64Type>(&list_of("int64", "(UINT_64)"), &[1, 2, 3, -1], levels, &[]))
        .file("d.parquet", with_column::<DoubleType>(&list_of("double", ""), &[1.5, 0.1, 2.0, -1e300], levels, &[]))
        .file("a.jsonl", "{\"text\":[\"olive oil\",\"a b\",\"\"]}\n{\"text\":[\"salt\"]}\n")
        .file("b.jsonl", "{\"text\":[1,-2,1]}\n{\"text\":[-9223372036854775808]}\n")
        .file("c.jsonl", "{\"text\":[1,2,3]}\n{\"text\":[18446744073709551615]}\n")
        .file("d.jsonl", "{\"text\":[1.5,0.1,2.0]}\n{\"text\":[-1e+300]}\n");
    for (name, sizes) in [("a", [2, 1]), ("b", [2, 1]), ("c", [3, 1]), ("d", [3, 1])] {
        let (json, parquet) = (format!("{name}.jsonl"), format!("{name}.parquet"));
        let pair = |row: usize| copies(&format!("{json}:{row}"), &format!("{parquet}:{row}"), sizes[row - 1]);
        let run = corpus.dedup(&["scan", "-q", "--shingle", "set", &json, &parquet]);
        run.stdout(&(pair(1) + &pair(2))).stderr("").exit_code(0);
    }
    let message = "dedup: b.parquet: the column `text` is of type INT64; only strings are read as text; choose another \
         with --text-field\n";
    corpus.dedup(&["scan", "-q", "b.parquet"]).stdout("").nothing_read(message);
}

#[test]
fn rows_of_one_value_of_a_dictionary_are_bounded() {
    let text = FOX.repeat(2000);
    let texts = vec![text.as_str(); 300];
    let bytes = parquet("message m { optional binary text (UTF8); }", &[(&[], &[(&texts, &[1; 300], &[])])]);
    assert!(bytes.len() < 200_000, "{}", bytes.len());
    let corpus = Workspace::new("bomb_parquet").file("a.parquet", bytes);
    let message = "dedup: a.parquet: the file unpacks to more than 1MiB; the rest of it is skipped (--max-unpacked SIZE reads \
                   more)\n";
    let args = ["scan", "-q", "a.parquet", "--collapse-exact", "--max-unpacked", "1MiB"];
    corpus.dedup(&args).stdout_with(|stdout| assert!(stdout.lines().count() < 20)).stderr(message).exit_code(3);
    let args = ["scan", "-q", "a.parquet", "--collapse-exact", "--top", "1"];
    corpus.dedup(&args).stdout_with(|_| ()).stderr("").exit_code(0);
}

#[test]
fn encrypted_files_are_reported_as_such() {
    let mut bytes = parquet(PLAIN, &[(&[1], &[(&[FOX], &[1], &[])])]);
    let end = bytes.len();
    bytes[..4].copy_from_slice(b"PARE");
    bytes[end - 4..].copy_from_slice(b"PARE");
    let corpus = Workspace::new("encrypted_parquet").file("a.parquet", bytes);
    corpus
        .dedup(&["scan", "-q", "a.parquet"])
        .stdout("")
        .nothing_read("dedup: a.parquet: encrypted; decrypt it first; skipped\n");
}

#[test]
fn a_boolean_may_be_an_id() {
    let schema = "message m { required boolean id; required binary text; }";
    let corpus =
        Workspace::new("bool_id").file("a.parquet", with_column::<BoolType>(schema, &[true, false], None, &[FOX, FOX]));
    corpus.dedup(&["scan", "-q", "a.parquet"]).pairs(&["true false"]).stderr("").exit_code(0);
    corpus.dedup(&["scan", "-q", "a.parquet", "--id-field", "id"]).pairs(&["true false"]).stderr("").exit_code(0);
}

#[test]
fn a_column_may_be_the_group() {
    let schema =
        "message m { required int64 id; optional binary text (UTF8); optional group meta { optional binary by; } }";
    let texts: Strings = (&[FOX, FOX, FOX, FOX], &[1, 1, 1, 1], &[]);
    let groups: Strings = (&["ann", "ann"], &[2, 1, 0, 2], &[]);
    let corpus =
        Workspace::new("parquet_groups").file("a.parquet", parquet(schema, &[(&[1, 2, 3, 4], &[texts, groups])]));
    let scan = |key, pairs: &[&str], stderr| {
        corpus.dedup(&["scan", "-q", ".", "--group-by", key]).pairs(pairs).stderr(stderr).exit_code(0);
    };
    scan("field:meta.by", &["1 2", "1 3", "2 3", "2 4", "3 4"], "");
    scan("field:id", &["1 2", "1 3", "1 4", "2 3", "2 4", "3 4"], "");
    let warning =
        "dedup: warning: --group-by field:none: no document has the field `none`; each document is its own group\n";
    scan("field:none", &["1 2", "1 3", "1 4", "2 3", "2 4", "3 4"], warning);
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    let file = parquet(PLAIN, &[(&[1], &[(&[FOX], &[1], &[])])]);
    let corpus = Workspace::new("bad_parquet").file("a.parquet", &file).file("b.parquet", "PAR1");
    corpus
        .dedup(&["scan", "-q", "a.parquet", "--text-field", "body"])
        .stdout("")
        .nothing_read(
            "dedup: a.parquet: the file has no field `body`; give the field of the text with --text-field (there are: `id`, `text`)\n",
        );
    corpus.dedup(&["scan", "-q", "a.parquet", "--text-field", "id"]).stdout("").nothing_read(
        "dedup: a.parquet: the column `id` is of type INT64; only strings are read as text; \
             choose another with --text-field\n",
    );
    corpus
        .dedup(&["scan", "-q", "b.parquet"])
        .stdout("")
        .nothing_read("dedup: b.parquet: damaged or cut short (it ends too early); skipped\n");
}

/// `evening.parquet` of the examples with one bit flipped, over which the library panics.
fn flipped() -> Vec<u8> {
    let mut file = std::fs::read("examples/formats/evening.parquet").unwrap();
    file[68] ^= 1 << 6;
    file
}

#[test]
fn damage_over_which_the_library_panics_is_named_wherever_the_file_lies() {
    let file = flipped();
    let most_skipped = "dedup: warning: most of the input was skipped: 4 inputs (4 damaged), and 3 documents were read; --list-documents shows why\n";
    let corpus = Workspace::new("flipped")
        .file("a.txt", FOX)
        .file("b.parquet", &file)
        .file("c.parquet.xz", liblzma::encode_all(file.as_slice(), 1).unwrap())
        .file("d.zip", zip(&[("m.parquet", &file), ("n.txt", FOX.as_bytes())], Default::default()))
        .file("e.tar", tar(&[("m.parquet", &file), ("n.txt", FOX.as_bytes())]))
        .stdin(&file);
    let named =
        |name| format!("dedup: {name}: damaged or cut short (inconsistent data); the rows before that are compared\n");
    corpus
        .dedup(&["scan", "-q", ".", "--collapse-exact"])
        .stdout(&(copies("a.txt", "d.zip!n.txt", 36) + &copies("a.txt", "e.tar!n.txt", 36)))
        .stderr(
            &(["b.parquet", "c.parquet.xz", "d.zip!m.parquet", "e.tar!m.parquet"].map(named).concat() + most_skipped),
        )
        .exit_code(3);
    corpus.dedup(&["scan", "-q", "-"]).stdout("").nothing_read(&named("-"));
    let strict = "dedup: b.parquet: damaged or cut short (inconsistent data); the rows before that are \
         compared; --strict stops the run\n";
    corpus.dedup(&["scan", "-q", ".", "--strict"]).stdout("").stderr(strict).exit_code(2);
    let template = format!("dedup: --template: {}", named("b.parquet").strip_prefix("dedup: ").unwrap());
    corpus.dedup(&["scan", "-q", "a.txt", "--template", "b.parquet"]).stdout("").stderr(&template).exit_code(2);
}

/// A file of one row group with a nullable column, a list and an id, in an encoding of strings.
fn encoded(encoding: Option<Encoding>) -> Vec<u8> {
    let schema = "message m { required int64 id; optional binary text (UTF8); \
         optional group tags (LIST) { repeated group list { optional binary element (UTF8); } } }";
    let mut properties = WriterProperties::builder().set_dictionary_enabled(encoding.is_none());
    if let Some(encoding) = encoding {
        properties =
            properties.set_column_encoding("text".into(), encoding).set_writer_version(WriterVersion::PARQUET_2_0);
    }
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<Int64Type>().write_batch(&[1, 2, 3], None, None).unwrap();
    column.close().unwrap();
    let texts: (&[&str], _, _) = (&[FOX, CAT], &[1, 0, 1][..], None);
    let tags: (&[&str], _, _) = (&["x", "y"], &[3, 3, 0, 1][..], Some(&[0, 1, 0, 0][..]));
    for (values, definitions, repetitions) in [texts, tags] {
        let values: Vec<ByteArray> = values.iter().map(|&value| value.into()).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&values, Some(definitions), repetitions).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn damage_at_any_place_costs_no_other_document() {
    let encodings = [Encoding::PLAIN, Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY];
    let mut corpus = Workspace::new("damage").file("0", LOREM).file("1", LOREM);
    for (number, encoding) in [None].into_iter().chain(encodings.map(Some)).enumerate() {
        let file = encoded(encoding);
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            corpus = corpus.file(format!("d/{number}.{at:04}.parquet"), damaged);
        }
    }
    let output = corpus
        .command(&["scan", "-q", ".", "--collapse-exact", "--text-field", "text", "--text-field", "tags"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with(&copies("0", "1", 48)));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("inconsistent data"), "no file makes the library panic any more");
    let is_usual = |line: &&str| ["d/", "warning: ", "and "].iter().any(|what| line[7..].starts_with(what));
    let strange: Vec<_> = stderr.lines().filter(|line| !is_usual(line)).collect();
    assert!(strange.is_empty(), "{strange:#?}");
}
