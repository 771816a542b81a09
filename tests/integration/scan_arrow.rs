//! Arrow IPC and Feather: the rows of files and streams, and files that are damaged or hostile.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, StructArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Fields};
use dedup_scan::{InputSettings, Resources, Unwatched, read_texts};

use crate::packing::{gzip, zip};
use crate::support::*;

/// Two batches of two rows: ids, texts, lists of texts, texts in a dictionary, and texts inside a column.
fn batches() -> Vec<RecordBatch> {
    let batch = |first: i64, texts: [Option<&str>; 2]| {
        let (mut lists, mut words) =
            (ListBuilder::new(StringBuilder::new()), StringDictionaryBuilder::<Int32Type>::new());
        for text in texts {
            text.into_iter().flat_map(|text| text.split(' ')).for_each(|word| lists.values().append_value(word));
            lists.append(text.is_some());
            words.append_option(text);
        }
        let strings: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        let inner = StructArray::new(
            Fields::from(vec![Field::new("body", DataType::Utf8, true)]),
            vec![Arc::clone(&strings)],
            None,
        );
        RecordBatch::try_from_iter([
            ("id", Arc::new(Int64Array::from(vec![first, first + 1])) as ArrayRef),
            ("text", strings),
            ("list", Arc::new(lists.finish())),
            ("words", Arc::new(words.finish())),
            ("page", Arc::new(inner)),
        ])
        .unwrap()
    };
    vec![batch(7, [Some(FOX), None]), batch(9, [Some(LOREM), Some(FOX)])]
}

fn file(compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let batches = batches();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).unwrap();
    writer.write(&batches[0]).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn stream() -> Vec<u8> {
    let batches = batches();
    let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn rows_of_files_and_streams_are_documents() {
    let corpus = Workspace::new("arrow").file("data.arrow", stream()).file("o.txt", FOX);
    let null = "dedup: data.arrow:2: the text is null; skipped\n";
    let pairs = ["7 10", "7 o.txt", "10 o.txt"];
    for column in ["text", "list", "words", "page.body"] {
        let flags = ["scan", ".", "--text-field", column];
        corpus.dedup(&flags).pairs(&pairs).notes(null).exit_code(0);
    }
    let names = |lines: &str| assert!(lines.contains("\"name\":\"data.arrow:1\""), "{lines}");
    let flags = ["scan", "-q", "data.arrow", "--id-field", "none", "--list-documents"];
    corpus.dedup(&flags).stdout_with(names).stderr_with(|_| {}).exit_code(0);
    // The same rows in other forms, packed, in an archive and under another name.
    let each: Vec<_> = [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)].map(file).to_vec();
    let corpus = Workspace::new("arrow_forms")
        .file("a.arrow", &each[0])
        .file("b.feather", &each[1])
        .file("c.arrow.gz", gzip(&each[2]))
        .file("d.zip", zip(&[("d.arrow", &stream())], Default::default()));
    corpus
        .dedup(&["scan", "-q", ".", "--id-field", "none", "--collapse-exact"])
        .stdout_with(|pairs| {
            for name in ["b.feather:1", "c.arrow.gz:1", "d.zip!d.arrow:1", "d.zip!d.arrow:4"] {
                assert!(pairs.contains(&format!("\"a\":\"a.arrow:1\",\"b\":\"{name}\"")), "{name}: {pairs}");
            }
        })
        .stderr_with(|_| {})
        .exit_code(0);
    let unknown = Workspace::new("arrow_unknown").file("a.arrow", stream());
    unknown
        .dedup(&["scan", "-q", "a.arrow", "--text-field", "id"])
        .stdout("")
        .nothing_read("dedup: a.arrow: the column `id` has the type Int64; only strings are read as text; choose another with --text-field\n");
}

#[test]
fn arrow_that_cannot_be_read_is_reported() {
    let stream = stream();
    // The first batch is whole.
    let cut = stream[..stream.len() - 200].to_vec();
    let corpus = Workspace::new("arrow_faults")
        .file("cut.arrow", cut)
        .file("empty.arrow", "")
        .file("old.feather", b"FEA1....")
        .file("text.arrow", "not one at all, but a text")
        .file("z.txt", FOX);
    corpus
        .dedup(&["scan", "-q", "."])
        .stdout_with(|pairs| assert!(pairs.contains("\"a\":\"7\",\"b\":\"z.txt\""), "{pairs}"))
        .stderr_with(|stderr| {
            for line in [
                "dedup: cut.arrow: damaged or cut short (it ends too early); the rows before that are compared\n",
                "dedup: empty.arrow: empty, where Arrow was expected; skipped\n",
                "dedup: old.feather: Feather version 1, which is not read; write it again with a current version of pyarrow or R\n",
                "dedup: text.arrow: plain text, where Arrow was expected; skipped (--input-format says how it is read)\n",
            ] {
                assert!(stderr.contains(line), "{line}\n{stderr}");
            }
        })
        .exit_code(3);
    let whole = Workspace::new("arrow_unique").file("d/a.arrow", &stream);
    whole
        .dedup(&["unique", "-q", "d", "-o", "out"])
        .stdout("")
        .stderr_with(|stderr| {
            assert!(
                stderr.contains("the rows of Arrow files are not removed; convert it to Parquet or JSON Lines first"),
                "{stderr}"
            );
        })
        .exit_code(2);
}

#[test]
fn mutated_arrow_files_are_rows_or_reported() {
    let mut random = Random(5);
    let seeds = [stream(), file(None), file(Some(CompressionType::LZ4_FRAME)), file(Some(CompressionType::ZSTD))];
    let mut corpus = Workspace::new("mutated_arrow");
    for archive in 0..400 {
        let files: Vec<(String, Vec<u8>)> = (0..50)
            .map(|number| {
                let mut bytes = seeds[number % seeds.len()].clone();
                for _ in 0..1 + random.below(3) {
                    let at = random.below(bytes.len());
                    match random.below(4) {
                        0 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
                        1 => bytes[at] ^= 1 << random.below(8),
                        2 => drop(bytes.drain(at..(at + random.below(9)).min(bytes.len()))),
                        _ => bytes.truncate(at.max(40)),
                    }
                }
                (format!("{number}.arrow"), bytes)
            })
            .collect();
        let members: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
        corpus = corpus.file(format!("{archive}.zip"), zip(&members, Default::default()));
    }
    let input = InputSettings::of(vec![corpus.path("")]);
    let read = read_texts(&input, Resources::default(), &Unwatched).unwrap().len();
    assert!(read > 5000, "{read}");
}
