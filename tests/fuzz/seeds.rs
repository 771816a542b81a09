//! The files to mutate: those of `examples/`, and files of every format that this module makes.

use std::io::Write;
use std::path::Path;

use crate::office;
use crate::random::Random;

/// A file that the program reads without a word.
#[derive(Debug, Clone)]
pub(crate) struct Seed {
    /// The extensions, such as `jsonl.gz`.
    pub(crate) extension: String,
    pub(crate) bytes: Vec<u8>,
}

/// Wrappers around any file.
pub(crate) const CODECS: [&str; 5] = ["gz", "zst", "bz2", "xz", "lzma"];

const TEXT: &str = "The ferry to Osterby leaves at nine, and the clock of the old town hall strikes ten before it is out of \
     sight. Nobody knows why; the keeper, who is said to set it by his own watch, does not say.\n";
const OTHER_SCRIPTS: &str = "渡し船は九時に出る。Паром уходит в девять; العبّارة تغادر في التاسعة — e\u{301}, 😀.\r\n";

/// All seeds, in a fixed order.
pub(crate) fn all() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for folder in ["examples/formats", "examples/corpus", "examples/sets"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
        for file in files.filter(|file| file.file_type().is_file()) {
            let name = file.file_name().to_str().expect("examples have plain names");
            let (_, extension) = name.split_once('.').unwrap_or((name, "txt"));
            let bytes = std::fs::read(file.path()).expect("examples can be read");
            seeds.push(Seed { extension: extension.to_owned(), bytes });
        }
    }
    seeds.extend(
        office::each_format(&[TEXT.trim(), OTHER_SCRIPTS.trim()])
            .into_iter()
            .map(|(ending, bytes)| Seed::new(ending, bytes)),
    );
    let plain = plain_seeds();
    seeds.extend(plain.iter().cloned());
    for (seed, codec) in plain.iter().flat_map(|seed| CODECS.map(|codec| (seed, codec))) {
        seeds.push(seed.packed(codec));
    }
    #[cfg(feature = "parquet")]
    seeds.extend(parquet_seeds());
    #[cfg(feature = "arrow")]
    seeds.extend(arrow_seeds());
    seeds.extend(more_seeds());
    seeds
}

impl Seed {
    fn new(extension: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { extension: extension.to_owned(), bytes: bytes.into() }
    }

    /// Inside a codec of [`CODECS`].
    pub(crate) fn packed(&self, codec: &str) -> Self {
        Self { extension: format!("{}.{codec}", self.extension), bytes: pack(codec, &self.bytes) }
    }
}

pub(crate) fn pack(codec: &str, bytes: &[u8]) -> Vec<u8> {
    let written = "memory takes all";
    match codec {
        "gz" => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            writer.write_all(bytes).expect(written);
            writer.finish().expect(written)
        }
        "zst" => zstd::encode_all(bytes, 3).expect(written),
        "bz2" => {
            let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            writer.write_all(bytes).expect(written);
            writer.finish().expect(written)
        }
        "xz" => liblzma::encode_all(bytes, 1).expect(written),
        _ => {
            let options = liblzma::stream::LzmaOptions::new_preset(1).expect("a preset");
            let stream = liblzma::stream::Stream::new_lzma_encoder(&options).expect("an encoder");
            let mut writer = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
            writer.write_all(bytes).expect(written);
            writer.finish().expect(written)
        }
    }
}

fn plain_seeds() -> Vec<Seed> {
    let text = format!("{TEXT}{OTHER_SCRIPTS}{TEXT}");
    let utf16 = |mark: u16, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        std::iter::once(mark).chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    let page = format!(
        "<!DOCTYPE html><html><head><title>A &amp; B</title><style>p {{ x: 1 }}</style></head><body class=\"x>y\">\
         <p>{TEXT}<b>bold</b>&#x20AC;<svg><path d=\"M1\"/><text>no</text></svg><!-- no --><ul><li>{OTHER_SCRIPTS}</ul>"
    );
    let records: String = (0..6)
        .map(|number| {
            let id = if number % 2 == 0 { format!("{number}") } else { format!("\"id {number}\"") };
            let text = serde_json::to_string(&format!("{number} {text}")).expect("a string");
            format!("{{\"id\":{id},\"text\":{text},\"a\":{{\"b\":[{text},null,[{text}]],\"c\":1e3}}}}\n")
        })
        .collect();
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["id", "text", "other"]).expect("memory takes all");
    for number in 0..6 {
        let text = format!("{number} \"{TEXT}\", {OTHER_SCRIPTS}");
        table.write_record([&number.to_string(), &text, ""]).expect("memory takes all");
    }
    let table = table.into_inner().expect("memory takes all");
    let tsv = format!("id\ttext\n1\t{}\n2\t{}\n", TEXT.trim(), OTHER_SCRIPTS.trim());
    let mut seeds = vec![
        Seed::new("txt", text.as_bytes()),
        Seed::new("txt", format!("\u{FEFF}{text}")),
        Seed::new("txt", utf16(0xFEFF, u16::to_le_bytes)),
        Seed::new("md", utf16(0xFEFF, u16::to_be_bytes)),
        Seed::new("html", page),
        Seed::new("jsonl", records.as_bytes()),
        Seed::new("ndjson", records.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        Seed::new("csv", table),
        Seed::new("tsv", tsv),
    ];
    let message = format!("From: a@b\nDate: Mon, 1 Jan 2024 09:00:00 +0100\nMessage-ID: <1@b>\n\n{text}");
    let response = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>{text}</p>");
    let crawl = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Length: {}\r\n\r\n{response}\r\n\r\n",
        response.len()
    );
    seeds.push(Seed::new("eml", message.as_bytes()));
    seeds.push(Seed::new("mbox", format!("From a@b Mon Jan  1 09:00:00 2024\n{message}\n").repeat(3)));
    seeds.push(Seed::new("warc", crawl.repeat(2)));
    let members = seeds.clone();
    let tar = tar_of(&members);
    let inner = Seed::new("tar", tar.clone()).packed("gz");
    seeds.push(Seed::new("tar", tar));
    seeds.push(Seed::new("zip", zip_of(&members)));
    seeds.push(Seed::new("zip", zip_of(&[inner, members[5].packed("zst")])));
    seeds
}

/// Files that are recognised by their first bytes or need a flag.
fn more_seeds() -> Vec<Seed> {
    let cue =
        |start: u32, text: &str| format!("00:00:{start:02},000 --> 00:00:{:02},500\n<i>{text}</i>\n\n", start + 2);
    let srt = format!("1\n{}2\n{}", cue(1, TEXT.trim()), cue(4, OTHER_SCRIPTS.trim()));
    let vtt = format!("WEBVTT\n\nNOTE x\n\nSTYLE\n::cue {{}}\n\n{}", cue(1, TEXT.trim()).replace(',', "."));
    let flat = format!(
        "<?xml version=\"1.0\"?>\n<office:document office:mimetype=\"application/vnd.oasis.opendocument.text\"><office:body>\
         <text:p>{}</text:p><text:p>{}</text:p></office:body></office:document>",
        TEXT.trim(),
        OTHER_SCRIPTS.trim()
    );
    let markdown =
        format!("---\na: b\n---\n\n# {TEXT}\n* [{}](x)\n\n| a | b |\n|---|---|\n| `c` | d |\n", OTHER_SCRIPTS.trim());
    let latex = format!("\\begin{{document}}\\section{{{}}}% x\n\\'e {OTHER_SCRIPTS}\\end{{document}}", TEXT.trim());
    vec![
        Seed::new("srt", srt),
        Seed::new("vtt", vtt),
        Seed::new("fodt", flat),
        Seed::new("md", markdown),
        Seed::new("tex", latex),
        Seed::new("msg", outlook_message()),
    ]
}

/// A message of Outlook with an attachment.
fn outlook_message() -> Vec<u8> {
    let written = "memory takes all";
    let mut file = cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).expect(written);
    let text: Vec<u8> = format!("{TEXT}{OTHER_SCRIPTS}").repeat(20).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let name: Vec<u8> = "a.txt".encode_utf16().flat_map(u16::to_le_bytes).collect();
    file.create_storage("/__attach_version1.0_#00000000").expect(written);
    for (path, bytes) in [
        ("/__properties_version1.0", &[0; 64][..]),
        ("/__substg1.0_1000001F", &text),
        ("/__attach_version1.0_#00000000/__properties_version1.0", &[0; 24]),
        ("/__attach_version1.0_#00000000/__substg1.0_3707001F", &name),
        ("/__attach_version1.0_#00000000/__substg1.0_37010102", TEXT.as_bytes()),
    ] {
        file.create_stream(path).expect(written).write_all(bytes).expect(written);
    }
    file.into_inner().into_inner()
}

/// Tables of Arrow as a file and as a stream.
#[cfg(feature = "arrow")]
fn arrow_seeds() -> Vec<Seed> {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use arrow_ipc::writer::{FileWriter, StreamWriter};

    let written = "memory takes all";
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some(TEXT), Some(OTHER_SCRIPTS)]));
    let batch = RecordBatch::try_from_iter([("id", ids), ("text", texts)]).expect(written);
    let mut file = FileWriter::try_new(Vec::new(), &batch.schema()).expect(written);
    let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema()).expect(written);
    for _ in 0..2 {
        file.write(&batch).expect(written);
        stream.write(&batch).expect(written);
    }
    file.finish().expect(written);
    stream.finish().expect(written);
    vec![
        Seed::new("arrow", file.into_inner().expect(written)),
        Seed::new("arrows", stream.into_inner().expect(written)),
    ]
}

/// Members with long names, and a folder, a link and a device between them.
pub(crate) fn tar_of(members: &[Seed]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (number, member) in members.iter().enumerate() {
        let folder = if number % 3 == 0 { "a long folder name/".repeat(8) } else { "./x/".to_owned() };
        let mut header = tar::Header::new_gnu();
        header.set_size(member.bytes.len() as u64);
        header.set_mode(0o644);
        let name = format!("{folder}{number}.{}", member.extension);
        tar.append_data(&mut header, name, member.bytes.as_slice()).expect("memory takes all");
    }
    use tar::EntryType::{Char, Directory, Fifo, Link, Symlink};
    for kind in [Directory, Symlink, Link, Char, Fifo] {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_path(format!("special-{}", kind.as_byte())).expect("a short name");
        header.set_link_name("x/1.txt").expect("a short name");
        header.set_cksum();
        tar.append(&header, std::io::empty()).expect("memory takes all");
    }
    tar.into_inner().expect("memory takes all")
}

/// Members packed by every method.
pub(crate) fn zip_of(members: &[Seed]) -> Vec<u8> {
    use zip::CompressionMethod::{Bzip2, Deflated, Stored, Zstd};
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.add_directory("folder", options).expect("memory takes all");
    for (number, member) in members.iter().enumerate() {
        let method = [Stored, Deflated, Bzip2, Zstd][number % 4];
        let name = format!("folder/é{number}.{}", member.extension);
        zip.start_file(name, options.compression_method(method)).expect("memory takes all");
        zip.write_all(&member.bytes).expect("memory takes all");
    }
    zip.finish().expect("memory takes all").into_inner()
}

/// Tables in every encoding of strings and every compression that is read.
#[cfg(feature = "parquet")]
fn parquet_seeds() -> Vec<Seed> {
    use std::sync::Arc;

    use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;

    let schema = "message m { required int64 id; optional binary text (UTF8); }";
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
    ];
    let encodings =
        [None, Some(Encoding::PLAIN), Some(Encoding::DELTA_LENGTH_BYTE_ARRAY), Some(Encoding::DELTA_BYTE_ARRAY)];
    let mut seeds = Vec::new();
    for (number, compression) in compressions.into_iter().enumerate() {
        let mut properties = WriterProperties::builder().set_compression(compression);
        // Without an encoding of its own a column has a dictionary.
        if let Some(encoding) = encodings[number % encodings.len()] {
            properties = properties.set_dictionary_enabled(false).set_encoding(encoding);
            properties = properties.set_column_encoding("id".into(), Encoding::DELTA_BINARY_PACKED);
        }
        let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).expect("a schema"));
        let mut writer =
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).expect("memory takes all");
        for group in 0..2 {
            let mut columns = writer.next_row_group().expect("memory takes all");
            let mut column = columns.next_column().expect("memory takes all").expect("the ids");
            let ids: Vec<i64> = (0..6).map(|row| group * 6 + row).collect();
            column.typed::<Int64Type>().write_batch(&ids, None, None).expect("memory takes all");
            column.close().expect("memory takes all");
            let mut column = columns.next_column().expect("memory takes all").expect("the texts");
            let texts: Vec<ByteArray> =
                ids[1..].iter().map(|id| format!("{} {TEXT}{OTHER_SCRIPTS}", id % 4).as_str().into()).collect();
            let written = column.typed::<ByteArrayType>().write_batch(&texts, Some(&[0, 1, 1, 1, 1, 1]), None);
            written.expect("memory takes all");
            column.close().expect("memory takes all");
            columns.close().expect("memory takes all");
        }
        seeds.push(Seed::new("parquet", writer.into_inner().expect("memory takes all")));
    }
    seeds
}

/// A seed by chance, every extension as often as any other.
pub(crate) fn pick<'s>(seeds: &'s [Seed], random: &mut Random) -> &'s Seed {
    let mut extensions: Vec<&str> = seeds.iter().map(|seed| seed.extension.as_str()).collect();
    extensions.sort_unstable();
    extensions.dedup();
    let extension = extensions[random.below(extensions.len())];
    let of_extension: Vec<&Seed> = seeds.iter().filter(|seed| seed.extension == extension).collect();
    of_extension[random.below(of_extension.len())]
}
