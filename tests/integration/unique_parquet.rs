//! `dedup unique` over Parquet: the same rows without some, with the same schema, metadata, row groups and codecs.

use std::fs;
use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::support::*;

const SCHEMA: &str = "message m { required int64 id; optional binary text (UTF8); optional group tags (LIST) { repeated \
                      group list { optional binary element (UTF8); } } optional double score; }";

/// A row: its text, tags and score.
type Row<'a> = (Option<&'a str>, &'a [&'a str], Option<f64>);

/// A file of these row groups; ids count on.
fn file(groups: &[&[Row]], compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let metadata = vec![KeyValue::new("huggingface".to_owned(), "{\"x\": 1}".to_owned())];
    let properties = WriterProperties::builder().set_compression(compression).set_key_value_metadata(Some(metadata));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut id = 0;
    for rows in groups {
        let mut group = writer.next_row_group().unwrap();
        let ids: Vec<i64> = (id..id + rows.len() as i64).collect();
        id += rows.len() as i64;
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
        column.close().unwrap();
        let texts: Vec<ByteArray> = rows.iter().filter_map(|row| row.0).map(ByteArray::from).collect();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.0.is_some())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&levels), None).unwrap();
        column.close().unwrap();
        let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        for row in *rows {
            if row.1.is_empty() {
                definitions.push(1);
                repetitions.push(0);
            }
            for (number, &tag) in row.1.iter().enumerate() {
                values.extend((!tag.is_empty()).then(|| ByteArray::from(tag)));
                definitions.push(if tag.is_empty() { 2 } else { 3 });
                repetitions.push(i16::from(number > 0));
            }
        }
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&values, Some(&definitions), Some(&repetitions)).unwrap();
        column.close().unwrap();
        let scores: Vec<f64> = rows.iter().filter_map(|row| row.2).collect();
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row.2.is_some())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&scores, Some(&levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// The number of rows of a row group, and the codecs of its columns.
type RowGroup = (i64, Vec<Compression>);

/// All rows as text, and for each row group its number of rows and the codecs of its columns.
fn read(path: std::path::PathBuf) -> (Vec<String>, Vec<RowGroup>, SerializedFileReader<fs::File>) {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    let groups = reader.metadata().row_groups().iter();
    let groups = groups.map(|group| (group.num_rows(), group.columns().iter().map(|c| c.compression()).collect()));
    let groups = groups.collect();
    (rows, groups, reader)
}

#[test]
fn rows_that_stay_keep_their_values_row_groups_and_codecs() {
    let own = |number: usize| format!("row {number} has words {} of its own {}", number * 7919 % 1013, number * 31);
    let texts: Vec<String> = (0..3000).map(own).collect();
    // The second group loses nothing, the third everything, the first every third row.
    let first: Vec<Row> = (0..3000)
        .map(|at| {
            let text = if at % 3 == 2 { &texts[at - 2] } else { &texts[at] };
            let tags: &[&str] = [&["a", "", "c"][..], &[], &["x"]][at % 7 % 3];
            (Some(text.as_str()).filter(|_| at % 10 != 9), tags, (at % 4 != 0).then_some(at as f64 / 3.0))
        })
        .collect();
    let second: [Row; 2] = [(Some(FOX), &["tag"], None), (None, &[], Some(0.5))];
    let third: [Row; 2] = [(Some(FOX), &[], None), (Some(FOX), &["y"], Some(1.0))];
    // A file that loses nothing is byte for byte what it was, beside one that does.
    let whole = file(&[&second], Compression::SNAPPY);
    let corpus = Workspace::new("unique_parquet_kept").file("in/a.parquet", &whole).file("in/b.txt", FOX);
    corpus.dedup(&["unique", "-q", "in", "-o", "out"]).stdout("").stderr("").exit_code(0);
    assert_eq!(fs::read(corpus.path("out/a.parquet")).unwrap(), whole);
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(Default::default())] {
        let corpus = Workspace::new("unique_parquet")
            .file("in/a-0-of-2.parquet", file(&[&first, &second, &third], compression))
            .file("in/a-1-of-2.parquet", file(&[&third], compression));
        let args = ["unique", "-q", "in", "-o", "out", "--threshold", "1", "--renumber", "--id-field", "none"];
        corpus.dedup(&args).stdout("").stderr_with(|_| ()).exit_code(0);
        assert_eq!(fs::read_dir(corpus.path("out")).unwrap().count(), 1, "a shard without rows is not written");
        let (before, groups_before, old) = read(corpus.path("in/a-0-of-2.parquet"));
        let (after, groups, new) = read(corpus.path("out/a-0-of-1.parquet"));
        // A null text is not compared, and stays.
        let stays = |at: usize| at >= 3000 || first[at].0.is_none() || at % 3 != 2 || first[at - 2].0.is_none();
        let expected: Vec<&String> =
            before.iter().take(3002).enumerate().filter(|(at, _)| stays(*at)).map(|(_, row)| row).collect();
        assert_eq!(after.iter().collect::<Vec<_>>(), expected, "{compression:?}");
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[1], groups_before[1]);
        assert_eq!(groups[0].1, groups_before[0].1);
        let (old, new) = (old.metadata().file_metadata(), new.metadata().file_metadata());
        assert_eq!(old.schema_descr().root_schema(), new.schema_descr().root_schema());
        assert_eq!(old.key_value_metadata(), new.key_value_metadata());
    }
}

const RANDOM_SCHEMA: &str = "message m { optional group nest { repeated group rows { required int32 x; optional binary y; } \
                             } required binary id (UTF8); optional binary text (UTF8); required boolean flag; optional \
                             fixed_len_byte_array(3) key; optional double score; required int96 old; }";

/// A file of rows with these ids and texts, in several row groups, with nested values, nulls and any codecs.
pub(crate) fn at_random(rows: &[(String, String)], random: &mut Random) -> Vec<u8> {
    use parquet::data_type::{BoolType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int96, Int96Type};
    use parquet::schema::types::ColumnPath;
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::BROTLI(Default::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
    ];
    let mut properties = WriterProperties::builder().set_data_page_row_count_limit(3).set_write_batch_size(2);
    for column in ["nest.rows.x", "nest.rows.y", "id", "text", "flag", "key", "score", "old"] {
        let path = ColumnPath::new(column.split('.').map(str::to_owned).collect());
        properties = properties
            .set_column_compression(path.clone(), codecs[random.below(codecs.len())])
            .set_column_dictionary_enabled(path, random.percent(50));
    }
    let schema = Arc::new(parse_message_type(RANDOM_SCHEMA).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    for rows in rows.chunks(1 + random.below(12)) {
        let mut group = writer.next_row_group().unwrap();
        let bytes = |text: &str| ByteArray::from(text);
        // No nest, an empty one, or some rows in it, each with or without a `y`.
        let nests: Vec<Option<Vec<bool>>> = (rows.iter())
            .map(|_| random.percent(80).then(|| (0..random.below(4)).map(|_| random.percent(70)).collect()))
            .collect();
        for is_y in [false, true] {
            let (mut definitions, mut repetitions, mut num_values) = (Vec::new(), Vec::new(), 0);
            for nest in &nests {
                let inner = nest.as_deref().unwrap_or_default();
                if inner.is_empty() {
                    definitions.push(i16::from(nest.is_some()));
                    repetitions.push(0);
                }
                for (at, &has_y) in inner.iter().enumerate() {
                    definitions.push(2 + i16::from(is_y && has_y));
                    repetitions.push(i16::from(at > 0));
                    num_values += usize::from(!is_y || has_y);
                }
            }
            let mut column = group.next_column().unwrap().unwrap();
            let levels = (Some(definitions.as_slice()), Some(repetitions.as_slice()));
            if is_y {
                let values: Vec<ByteArray> = (0..num_values).map(|at| bytes(&format!("y{}", at % 5))).collect();
                column.typed::<ByteArrayType>().write_batch(&values, levels.0, levels.1).unwrap();
            } else {
                let values: Vec<i32> = (0..num_values as i32).collect();
                column.typed::<Int32Type>().write_batch(&values, levels.0, levels.1).unwrap();
            }
            column.close().unwrap();
        }
        let flags: Vec<bool> = rows.iter().map(|_| random.percent(50)).collect();
        let levels: Vec<i16> = flags.iter().map(|&flag| i16::from(flag)).collect();
        let num_set = flags.iter().filter(|&&flag| flag).count();
        macro_rules! column {
            ($type:ty, $values:expr, $levels:expr) => {
                let mut column = group.next_column().unwrap().unwrap();
                column.typed::<$type>().write_batch($values, $levels, None).unwrap();
                column.close().unwrap();
            };
        }
        let ids: Vec<ByteArray> = rows.iter().map(|(id, _)| bytes(id)).collect();
        let texts: Vec<ByteArray> = rows.iter().map(|(_, text)| bytes(text)).collect();
        let keys: Vec<FixedLenByteArray> = (0..num_set).map(|at| vec![b'k', at as u8, 0].into()).collect();
        let scores: Vec<f64> = (0..num_set).map(|at| at as f64 / 7.0).collect();
        let old: Vec<Int96> = (0..rows.len() as u32).map(|at| Int96::from(vec![at, 1, 2_400_000])).collect();
        let all = vec![1; rows.len()];
        column!(ByteArrayType, &ids, None);
        column!(ByteArrayType, &texts, Some(&all));
        column!(BoolType, &flags, None);
        column!(FixedLenByteArrayType, &keys, Some(&levels));
        column!(DoubleType, &scores, Some(&levels));
        column!(Int96Type, &old, None);
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// The rows of a file as text.
pub(crate) fn rows_of(bytes: Vec<u8>) -> Vec<String> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect()
}
