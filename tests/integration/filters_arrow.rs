//! The filters of rows in Arrow IPC: the rows of TSV, in every form that strings and numbers have, and no stream that was cut off.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt8Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Float64Array, Int32Array, Int64Array, LargeBinaryArray, LargeStringArray,
    RecordBatch, StringArray, StringViewArray, UInt32Array,
};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Schema};

use crate::filters::{Row, documents, escaped, sorted};
use crate::support::{CAT, FOX, Random, Workspace};

/// How strings are kept.
#[derive(Debug, Clone, Copy)]
enum Form {
    Text,
    Large,
    View,
    Dictionary,
    /// Whole numbers, of strings that are some.
    Number,
}

fn column(form: Form, values: &[&str]) -> ArrayRef {
    match form {
        Form::Text => Arc::new(StringArray::from_iter_values(values)),
        Form::Large => Arc::new(LargeStringArray::from_iter_values(values)),
        Form::View => Arc::new(StringViewArray::from_iter_values(values)),
        Form::Dictionary => {
            let mut builder = StringDictionaryBuilder::<Int32Type>::new();
            values.iter().for_each(|value| builder.append_value(value));
            Arc::new(builder.finish())
        }
        Form::Number => Arc::new(values.iter().map(|value| value.parse::<i64>().unwrap()).collect::<Int64Array>()),
    }
}

/// A stream of columns, in batches of so many rows; none and empty ones come between.
fn stream(columns: &[(&str, ArrayRef)], batch: usize) -> Vec<u8> {
    let whole = RecordBatch::try_from_iter(columns.iter().map(|(name, array)| (*name, Arc::clone(array)))).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &whole.schema()).unwrap();
    for start in (0..whole.num_rows()).step_by(batch) {
        writer.write(&whole.slice(start, 0)).unwrap();
        writer.write(&whole.slice(start, batch.min(whole.num_rows() - start))).unwrap();
    }
    writer.into_inner().unwrap()
}

fn of_strings(names: &[&str], rows: &[Vec<&str>], form: Form, batch: usize) -> Vec<u8> {
    let columns: Vec<(&str, ArrayRef)> = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            // Counts are numbers, whatever strings are.
            let form = if *name == "shingles" { Form::Number } else { form };
            (*name, column(form, &rows.iter().map(|row| row[place]).collect::<Vec<_>>()))
        })
        .collect();
    stream(&columns, batch)
}

struct Ran {
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
}

fn run(workspace: &Workspace, args: &[&str], input: &[u8]) -> Ran {
    let output = assert_cmd::Command::from_std(workspace.command(args)).write_stdin(input).output().unwrap();
    workspace.assert_no_temporary_files();
    let stderr = String::from_utf8(output.stderr).unwrap();
    Ran { code: output.status.code(), stdout: output.stdout, stderr }
}

/// What a filter without a fault prints, as rows of TSV.
fn rows_of(workspace: &Workspace, args: &[&str], input: &[u8]) -> String {
    let ran = run(workspace, args, input);
    assert!(ran.code == Some(0) && ran.stderr.is_empty(), "{args:?}: {}", ran.stderr);
    if !args.contains(&"arrow") {
        return String::from_utf8(ran.stdout).unwrap();
    }
    assert!(ran.stdout.ends_with(&[255, 255, 255, 255, 0, 0, 0, 0]), "the stream has no end");
    let mut rows = String::new();
    for batch in StreamReader::try_new(&ran.stdout[..], None).unwrap() {
        let batch = batch.unwrap();
        for row in 0..batch.num_rows() {
            let fields: Vec<String> = batch.columns().iter().map(|column| field(column, row)).collect();
            rows += &(fields.join("\t") + "\n");
        }
    }
    rows
}

fn field(column: &ArrayRef, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Binary => column.as_binary::<i32>().value(row).iter().map(|byte| format!("{byte:02x}")).collect(),
        DataType::List(_) => {
            let list = column.as_list::<i32>().value(row);
            list.as_primitive::<Int64Type>()
                .iter()
                .map(|number| number.unwrap().to_string())
                .collect::<Vec<_>>()
                .join(",")
        }
        other => panic!("a column of {other}"),
    }
}

/// The line with which a filter refuses a stream.
fn refusal(workspace: &Workspace, args: &[&str], input: &[u8]) -> String {
    let Ran { code, stderr, .. } = run(workspace, args, input);
    assert!(code == Some(2) && stderr.lines().count() == 1, "{args:?}: {code:?} {stderr}");
    stderr
}

fn tsv(rows: &[Vec<&str>], texts: &[usize]) -> String {
    let field = |place: usize, value: &str| if texts.contains(&place) { escaped(value) } else { value.to_owned() };
    let line = |row: &Vec<&str>| {
        let fields: Vec<String> = row.iter().enumerate().map(|(place, value)| field(place, value)).collect();
        fields.join("\t") + "\n"
    };
    rows.iter().map(line).collect()
}

const FORMS: [Form; 4] = [Form::Text, Form::Large, Form::View, Form::Dictionary];

#[test]
fn rows_of_arrow_are_those_of_tsv() {
    for (seed, form) in (0..).zip(FORMS) {
        let workspace = Workspace::new("arrow_rows");
        let mut random = Random(seed);
        let given: Vec<Row> = sorted(documents(seed));
        let batch = [1, 7, 40, 1000][seed as usize % 4];
        let mut by_group: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
        for row in &given {
            by_group.entry(format!("g{}", random.below(3))).or_default().push(row);
        }
        let of_group: Vec<Vec<&str>> = by_group
            .iter()
            .flat_map(|(group, rows)| {
                rows.iter().map(move |row| vec![group.as_str(), row.0.as_str(), row.1.as_str(), row.2.as_str()])
            })
            .collect();
        let of_pair: Vec<Vec<&str>> = given
            .windows(2)
            .enumerate()
            .map(|(at, two)| {
                // Every other pair has the same text twice.
                let text_b = if at % 2 == 0 { &two[0].2 } else { &two[1].2 };
                [&two[0].1, &two[1].1, &two[0].0, &two[1].0, &two[0].2, text_b].map(String::as_str).to_vec()
            })
            .collect();
        let of_copy: Vec<Vec<&str>> = of_pair.iter().map(|row| [&row[..4], &["36"]].concat()).collect();
        let of_text: Vec<Vec<&str>> = given.iter().map(|row| vec![row.1.as_str(), row.2.as_str()]).collect();
        let of_document: Vec<Vec<&str>> = given.iter().map(|row| vec![&*row.0, &*row.1, &*row.2]).collect();
        let with_copies: Vec<Vec<&str>> = of_group.iter().map(|row| [&row[..], &[""]].concat()).collect();
        let edges: Vec<Vec<&str>> = of_pair.iter().step_by(3).map(|row| row[..2].to_vec()).collect();
        let keyed: Vec<Vec<&str>> = (0..of_pair.len()).map(|at| vec![of_pair[at / 3 * 3][0], of_pair[at][0]]).collect();
        for (args, names, rows, texts) in [
            (&["sign"][..], &["id", "text"][..], &of_text, &[1][..]),
            (&["sign", "--values", "--shingle", "word"], &["id", "text"], &of_text, &[1]),
            (&["verify", "--by", "group", "--ends"], &["group", "ord", "id", "text"], &of_group, &[3]),
            (&["verify", "--by", "pair"], &["a", "b", "ord_a", "ord_b", "text_a", "text_b"], &of_pair, &[4, 5]),
            (&["verify", "--by", "copy", "--ends"], &["a", "b", "ord_a", "ord_b", "shingles"], &of_copy, &[]),
            (&["sign", "--blocks", "5"], &["ord", "id", "text"], &of_document, &[2]),
            (&["verify", "--by", "group", "--copies"], &["group", "ord", "id", "text", "copy_of"], &with_copies, &[3]),
            (&["cluster", "--edges"], &["a", "b"], &edges, &[]),
            (&["cluster", "--edges", "--by-key"], &["key", "node"], &keyed, &[]),
        ] {
            let expected = rows_of(&workspace, &[args, &["--pipe", "tsv"]].concat(), tsv(rows, texts).as_bytes());
            assert!(expected.lines().count() > 3, "{args:?}");
            let found = of_strings(names, rows, form, batch);
            let args = [args, &["--pipe", "arrow"]].concat();
            assert!(rows_of(&workspace, &args, &found) == expected, "{args:?} {form:?}");
        }
    }
}

#[test]
fn nodes_that_are_numbers_stay_numbers() {
    let workspace = Workspace::new("arrow_nodes");
    let mut random = Random(7);
    let number = |random: &mut Random| (random.below(500) as i64 - 100) * [1, 1_000_000_007][random.below(2)];
    let edges: Vec<(String, String)> =
        (0..400).map(|_| (number(&mut random).to_string(), number(&mut random).to_string())).collect();
    let rows: Vec<Vec<&str>> = edges.iter().map(|(a, b)| vec![&**a, &**b]).collect();
    let expected = rows_of(&workspace, &["cluster", "--edges"], tsv(&rows, &[]).as_bytes());
    let args = ["cluster", "--edges", "--pipe", "arrow"];
    for form in [Form::Number, Form::Text, Form::Dictionary] {
        let found = of_strings(&["a", "b"], &rows, form, 13);
        assert!(rows_of(&workspace, &args, &found) == expected, "{form:?}");
        let stdout = run(&workspace, &args, &found).stdout;
        let schema = StreamReader::try_new(&stdout[..], None).unwrap().schema();
        let is_number = matches!(form, Form::Number);
        assert_eq!(schema.field(0).data_type(), if is_number { &DataType::Int64 } else { &DataType::Utf8 });
    }
    // Numbers of other widths, whose order is that of their digits.
    let (small, unsigned) = (Int32Array::from(vec![-5, 100]), UInt32Array::from(vec![9, 9]));
    let columns: [(&str, ArrayRef); 2] = [("b", Arc::new(small)), ("a", Arc::new(unsigned))];
    let small = stream(&columns, 1);
    assert_eq!(rows_of(&workspace, &args, &small), "-5\t-5\n100\t-5\n9\t-5\n");
}

#[test]
fn columns_are_found_by_their_names() {
    let workspace = Workspace::new("arrow_columns");
    let columns: [(&str, ArrayRef); 3] = [
        ("more", Arc::new(Float64Array::from(vec![0.5]))),
        ("text", column(Form::View, &[FOX])),
        ("id", column(Form::Number, &["-7"])),
    ];
    let expected = rows_of(&workspace, &["sign", "--pipe", "tsv"], format!("-7\t{FOX}\n").as_bytes());
    assert_eq!(rows_of(&workspace, &["sign", "--pipe", "arrow"], &stream(&columns, 5)), expected);
}

#[test]
fn a_stream_without_rows_gives_one() {
    let workspace = Workspace::new("arrow_nothing");
    let empty = of_strings(&["id", "text"], &[], Form::Text, 1);
    let ran = run(&workspace, &["sign", "--pipe", "arrow"], &empty);
    assert_eq!(ran.code, Some(0));
    let schema: Arc<Schema> = StreamReader::try_new(&ran.stdout[..], None).unwrap().schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["id", "shingles", "text_hash", "keys"]);
    assert_eq!(rows_of(&workspace, &["sign", "--pipe", "arrow"], &empty), "");
}

#[test]
fn every_stream_that_is_cut_off_or_goes_on_is_refused() {
    let workspace = Workspace::new("arrow_cut");
    let rows = [vec!["a", FOX], vec!["b", CAT], vec!["c", FOX]];
    let args = ["sign", "--pipe", "arrow", "--bands", "1", "--rows", "1", "--threshold", "1"];
    let whole = of_strings(&["id", "text"], &rows, Form::Text, 2);
    assert_eq!(rows_of(&workspace, &args, &whole).lines().count(), 3);
    // The last eight bytes are the marker: without them the stream ends where a batch does.
    let mut cuts: Vec<usize> = (0..whole.len()).step_by(61).collect();
    cuts.extend([whole.len() - 9, whole.len() - 8, whole.len() - 7, whole.len() - 4, whole.len() - 1]);
    for cut in cuts {
        let said = refusal(&workspace, &args, &whole[..cut]);
        assert!(said.starts_with("dedup: the rows cannot be read: "), "{cut}: {said}");
    }
    let said = refusal(&workspace, &args, &whole[..whole.len() - 8]);
    assert!(said.contains("the stream has no marker of its end; the input was cut off"), "{said}");
    let said = refusal(&workspace, &args, &[&whole[..], &whole].concat());
    assert!(said.contains("there is data after the end of the stream"), "{said}");
}

#[test]
fn a_damaged_stream_is_no_panic() {
    let workspace = Workspace::new("arrow_damaged");
    let whole = of_strings(&["id", "text"], &[vec!["a", FOX], vec!["b", CAT]], Form::Dictionary, 1);
    let mut random = Random(3);
    for _ in 0..60 {
        let mut damaged = whole.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len());
            damaged[at] = [0, 255, 128, damaged[at] ^ 1][random.below(4)];
        }
        let ran =
            run(&workspace, &["sign", "--pipe", "arrow", "--bands", "1", "--rows", "1", "--threshold", "1"], &damaged);
        assert!(ran.code == Some(0) || ran.code == Some(2), "{:?} {}", ran.code, ran.stderr);
        assert!(ran.stderr.is_empty() || ran.stderr.starts_with("dedup: "), "{}", ran.stderr);
    }
}

#[test]
fn columns_and_rows_that_cannot_be_used_are_refused() {
    let workspace = Workspace::new("arrow_refused");
    let text = || column(Form::Text, &[FOX, FOX]);
    let ids = || column(Form::Text, &["a", "b"]);
    let nulls = |values: [Option<&str>; 2]| -> ArrayRef { Arc::new(values.into_iter().collect::<StringArray>()) };
    let mut absent = StringDictionaryBuilder::<UInt8Type>::new();
    absent.append_nulls(2);
    let absent: ArrayRef = Arc::new(absent.finish());
    let binary: ArrayRef = Arc::new(BinaryArray::from_iter_values(["x", "y"]));
    let floats: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    let counts = |counts: [i64; 2]| -> ArrayRef { Arc::new(Int64Array::from(counts.to_vec())) };
    let copies = |shingles: ArrayRef| {
        vec![
            ("a", ids()),
            ("b", column(Form::Text, &["b", "c"])),
            ("ord_a", nulls([Some(""); 2])),
            ("ord_b", nulls([Some(""); 2])),
            ("shingles", shingles),
        ]
    };
    let (sign, copy) = (&["sign", "--pipe", "arrow"][..], &["verify", "--by", "copy", "--pipe", "arrow"][..]);
    for (args, columns, fault) in [
        (sign, vec![("id", ids())], "the rows cannot be read: missing column `text`; add it"),
        (
            sign,
            vec![("id", ids()), ("text", binary)],
            "the rows cannot be read: the column `text` has the type Binary, not strings",
        ),
        (
            sign,
            vec![("id", floats), ("text", text())],
            "the rows cannot be read: the column `id` has the type Float64, not strings or whole numbers",
        ),
        (
            sign,
            vec![("id", ids()), ("text", counts([1, 2]))],
            "the rows cannot be read: the column `text` has the type Int64",
        ),
        (sign, vec![("id", ids()), ("text", nulls([Some("x"), None]))], "row 2: the field `text` is null"),
        (sign, vec![("id", absent), ("text", text())], "row 1: the field `id` is null"),
        (sign, vec![("id", nulls([Some("x"), Some("")])), ("text", text())], "row 2: the field id is empty"),
        (copy, copies(ids()), "the rows cannot be read: the column `shingles` has the type Utf8, not whole numbers"),
        (copy, copies(counts([5, -1])), "row 2: the field shingles is no whole number"),
        (copy, copies(counts([5, 0])), "row 2: a text without shingles"),
    ] {
        let said = refusal(&workspace, args, &stream(&columns, 1));
        assert!(said.starts_with(&format!("dedup: {fault}")), "{said}");
    }
    let said = refusal(&workspace, sign, b"a\tThe quick brown fox\n");
    assert!(said.contains("not a stream of Arrow IPC"), "{said}");
}

#[test]
fn blocks_of_bytes_are_those_of_hexadecimal_digits() {
    let workspace = Workspace::new("arrow_blocks");
    let given: Vec<Row> = documents(9);
    let rows: Vec<Vec<&str>> = given.iter().map(|row| vec![&*row.0, &*row.1, &*row.2]).collect();
    let signed = rows_of(&workspace, &["sign", "--pipe", "tsv", "--blocks", "2"], tsv(&rows, &[2]).as_bytes());
    let blocks: Vec<&str> =
        signed.lines().map(|row| row.rsplit('\t').next().unwrap()).filter(|block| !block.is_empty()).collect();
    let args = ["cluster", "--edges", "--by-block"];
    let expected = rows_of(&workspace, &args, (blocks.join("\n") + "\n").as_bytes());
    assert!(blocks.len() == 2 && expected.lines().count() > 20);
    let bytes = |block: &str| -> Vec<u8> {
        (0..block.len()).step_by(2).map(|at| u8::from_str_radix(&block[at..at + 2], 16).unwrap()).collect()
    };
    let args = [&args[..], &["--pipe", "arrow"]].concat();
    let values: Vec<Vec<u8>> = blocks.iter().map(|block| bytes(block)).collect();
    let small: ArrayRef = Arc::new(BinaryArray::from_iter_values(&values));
    let large: ArrayRef = Arc::new(LargeBinaryArray::from_iter_values(&values));
    for array in [small, large] {
        assert_eq!(rows_of(&workspace, &args, &stream(&[("block", array)], 1)), expected);
    }
    let words: ArrayRef = Arc::new(StringArray::from_iter_values(&blocks));
    assert!(refusal(&workspace, &args, &stream(&[("block", words)], 1)).contains("not bytes without a dictionary"));
}
