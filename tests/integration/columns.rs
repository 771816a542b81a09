//! The value of a column: ids, groups and the values of `--keep`, of every type that Parquet has, and what is no value.

use std::sync::Arc;

use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, Int32Type,
    Int64Type,
};
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnChunkMetaDataBuilder, FileMetaData, ParquetMetaDataBuilder, ParquetMetaDataReader,
    ParquetMetaDataWriter,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::support::*;

/// A file with the column `v` of this type, and two rows of one text.
fn with_values<T: DataType>(kind: &str, values: &[T::T]) -> Vec<u8> {
    let schema = format!("message m {{ required {kind}; required binary text (UTF8); }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, None, None).unwrap();
    column.close().unwrap();
    let texts = vec![ByteArray::from(FOX); values.len()];
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}

fn bytes(values: [&[u8]; 2]) -> [FixedLenByteArray; 2] {
    values.map(|value| ByteArray::from(value.to_vec()).into())
}

#[test]
fn a_value_of_any_type_is_an_id_a_group_and_an_order() {
    let uuids: [[u8; 16]; 2] = [[0x10; 16], [0xAB; 16]];
    let cases = [
        ("columns_float", with_values::<DoubleType>("double v", &[0.5, 0.25]), "0.5", "0.25"),
        ("columns_bool", with_values::<BoolType>("boolean v", &[true, false]), "true", "false"),
        ("columns_date", with_values::<Int32Type>("int32 v (DATE)", &[19_727, 19_723]), "2024-01-05", "2024-01-01"),
        (
            "columns_time",
            with_values::<Int64Type>("int64 v (TIMESTAMP(MILLIS,true))", &[1_500, 0]),
            "1970-01-01T00:00:01.500Z",
            "1970-01-01T00:00:00Z",
        ),
        ("columns_decimal", with_values::<Int32Type>("int32 v (DECIMAL(9,2))", &[1_000, 950]), "10.00", "9.50"),
        (
            "columns_big",
            with_values::<FixedLenByteArrayType>(
                "fixed_len_byte_array(2) v (DECIMAL(4,1))",
                &bytes([&[0, 100], &[0, 99]]),
            ),
            "10.0",
            "9.9",
        ),
        (
            "columns_uuid",
            with_values::<FixedLenByteArrayType>("fixed_len_byte_array(16) v (UUID)", &bytes([&uuids[1], &uuids[0]])),
            "abababab-abab-abab-abab-abababababab",
            "10101010-1010-1010-1010-101010101010",
        ),
    ];
    for (name, file, more, less) in cases {
        let corpus = Workspace::new(name).file("a.parquet", file);
        corpus
            .dedup(&["scan", "-q", "a.parquet", "--id-field", "v", "--collapse-exact"])
            .stdout(&copies(more, less, 36))
            .stderr("")
            .exit_code(0);
        corpus
            .dedup(&["scan", "-q", "a.parquet", "--group-by", "field:v", "--within-groups"])
            .stdout("")
            .stderr("")
            .exit_code(0);
        for (keep, kept) in [("max:v", more), ("min:v", less)] {
            let gone = if kept == more { less } else { more };
            corpus
                .dedup(&["unique", "-qn", "a.parquet", "--id-field", "v", "--keep", keep, "--removed", "-"])
                .stdout(&format!("{{\"removed\":\"{gone}\",\"kept\":\"{kept}\",\"jaccard\":1.0}}\n"))
                .stderr("")
                .exit_code(0);
        }
    }
}

#[test]
fn what_is_no_number_among_numbers_comes_last_and_is_counted() {
    let rows: String = ["nan", "0.9", "N/A", "10", "high", ""].iter().map(|value| format!("{value},{FOX}\n")).collect();
    let corpus = Workspace::new("columns_no_number").file("a.csv", format!("v,text\n{rows}"));
    for (keep, kept) in [("max:v", 5), ("min:v", 3)] {
        let others = (2..=7).filter(|&line| line != kept);
        let line = |line| format!("{{\"removed\":\"a.csv:{line}\",\"kept\":\"a.csv:{kept}\",\"jaccard\":1.0}}\n");
        corpus
            .dedup(&["unique", "-qn", "a.csv", "--keep", keep, "--removed", "-"])
            .stdout(&others.map(line).collect::<String>())
            .stderr(
                "dedup: warning: --keep: the field `v` has 2 numbers; put last: 3 documents with something else in it, \
                 such as nan or N/A, and 1 document without it\n",
            )
            .exit_code(0);
    }
}

#[test]
fn a_column_of_nulls_is_null() {
    let schema = "message m { required int32 id; optional int32 text (UNKNOWN); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for (values, levels) in [(&[7, 8][..], None), (&[], Some(&[0, 0][..]))] {
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(values, levels, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    let corpus = Workspace::new("columns_null").file("a.parquet", writer.into_inner().unwrap());
    let null = |row| format!("dedup: a.parquet:{row}: the text is null; skipped\n");
    corpus
        .dedup(&["scan", "a.parquet"])
        .stdout("")
        .stderr_with(|stderr| assert!(stderr.starts_with(&(null(1) + &null(2))), "{stderr}"))
        .exit_code(0);
}

/// The file with columns of other metadata, and perhaps another writer.
fn with_metadata(
    file: &[u8],
    writer: Option<&str>,
    change: impl Fn(ColumnChunkMetaData) -> ColumnChunkMetaDataBuilder,
) -> Vec<u8> {
    let footer = u32::from_le_bytes(file[file.len() - 8..][..4].try_into().unwrap()) as usize;
    let (data, footer) = file[..file.len() - 8].split_at(file.len() - 8 - footer);
    let metadata = ParquetMetaDataReader::decode_metadata(footer).unwrap();
    let old = metadata.file_metadata();
    let writer = writer.or(old.created_by()).map(str::to_owned);
    let new = FileMetaData::new(old.version(), old.num_rows(), writer, None, old.schema_descr_ptr(), None);
    let mut builder = ParquetMetaDataBuilder::new(new);
    for group in metadata.row_groups() {
        let columns = group.columns().iter().map(|column| change(column.clone()).build().unwrap()).collect();
        builder = builder.add_row_group(group.clone().into_builder().set_column_metadata(columns).build().unwrap());
    }
    let (mut changed, metadata) = (data.to_vec(), builder.build());
    ParquetMetaDataWriter::new(&mut changed, &metadata).finish().unwrap();
    changed
}

#[test]
fn what_other_readers_accept_is_not_damaged() {
    let file = with_values::<ByteArrayType>("binary id (UTF8)", &["one", "two", "three"].map(ByteArray::from));
    let at_zero = with_metadata(&file, None, |column| {
        let dictionary = column.dictionary_page_offset().expect("strings have dictionaries");
        column.into_builder().set_dictionary_page_offset(Some(0)).set_data_page_offset(dictionary)
    });
    let short = with_metadata(&file, Some("parquet-mr version 1.2.8"), |column| {
        let len = column.compressed_size();
        column.into_builder().set_total_compressed_size(len - 12)
    });
    let corpus = Workspace::new("columns_quirks").file("zero.parquet", at_zero).file("short.parquet", short);
    for name in ["zero.parquet", "short.parquet"] {
        corpus
            .dedup(&["scan", "-q", name, "--collapse-exact"])
            .stdout(&["two", "three"].map(|id| copies("one", id, 36)).concat())
            .stderr("")
            .exit_code(0);
        let output = format!("clean-{name}");
        corpus.dedup(&["unique", "-q", name, "-o", &output]).stdout("").stderr("").exit_code(0);
        corpus.dedup(&["unique", "-qn", &output, "--removed", "-"]).stdout("").stderr("").exit_code(0);
    }
    // Without a duplicate the row group is copied as it is packed.
    let one = with_values::<ByteArrayType>("binary id (UTF8)", &["one"].map(ByteArray::from));
    let at_zero = with_metadata(&one, None, |column| {
        let dictionary = column.dictionary_page_offset().expect("strings have dictionaries");
        column.into_builder().set_dictionary_page_offset(Some(0)).set_data_page_offset(dictionary)
    });
    let corpus = corpus.file("one.parquet", &at_zero);
    corpus.dedup(&["unique", "-q", "one.parquet", "-o", "same.parquet"]).stdout("").stderr("").exit_code(0);
    assert_eq!(std::fs::read(corpus.path("same.parquet")).unwrap(), at_zero);
}
