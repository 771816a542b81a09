//! The targets of fuzzing: each takes any bytes, and panics if something is wrong.
//!
//! Mutated inputs (`cargo test --test fuzz`) and inputs that are guided by coverage (`tests/fuzz/coverage`) use the same list. A
//! reader must return or refuse any content. Where two functions compute the same, the target compares them.
//!
//! Readers read files, as the program does: the bytes are a file with the extension of the target.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use dedup_scan::compare::VerifiableSet;
use dedup_scan::compare::passages::{Aligner, PassageSettings};
use dedup_scan::documents::{HtmlMode, MarkupMode, read_path_list};
use dedup_scan::exchange::{ClusterBy, RowFormat, cluster_edges, sign_rows};
use dedup_scan::index::{check_index, export_index, index_info, names_in_index};
use dedup_scan::results::{Answers, Baseline, ResultHeader, SavedDocuments, SavedResult};
use dedup_scan::text::{ShingleHashes, Syntax, UnicodeForm};
use dedup_scan::{
    InputSettings, Normalization, Normalizer, Resources, Settings, ShingleKind, ShingleSet, Shingler, Threshold, Units,
    Unwatched, Verifier, jaccard, normalize, read_texts,
};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_128;

/// A target: its name, and its function.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets, in the order of the layers.
pub(crate) const TARGETS: &[Target] = &[
    ("txt", |bytes| read("txt", bytes)),
    ("html", |bytes| read("html", bytes)),
    ("md", |bytes| read("md", bytes)),
    ("tex", |bytes| read("tex", bytes)),
    ("srt", |bytes| read("srt", bytes)),
    ("vtt", |bytes| read("vtt", bytes)),
    ("ipynb", |bytes| read("ipynb", bytes)),
    ("jsonl", |bytes| read("jsonl", bytes)),
    ("csv", |bytes| read("csv", bytes)),
    ("tsv", |bytes| read("tsv", bytes)),
    ("eml", |bytes| read("eml", bytes)),
    ("mbox", |bytes| read("mbox", bytes)),
    ("msg", |bytes| read("msg", bytes)),
    ("warc", |bytes| read("warc", bytes)),
    ("tar", |bytes| read("tar", bytes)),
    ("zip", |bytes| read("zip", bytes)),
    ("gz", |bytes| read("txt.gz", bytes)),
    ("zst", |bytes| read("txt.zst", bytes)),
    ("bz2", |bytes| read("txt.bz2", bytes)),
    ("xz", |bytes| read("txt.xz", bytes)),
    ("docx", |bytes| read("docx", bytes)),
    ("odt", |bytes| read("odt", bytes)),
    ("pptx", |bytes| read("pptx", bytes)),
    ("epub", |bytes| read("epub", bytes)),
    ("fodt", |bytes| read("fodt", bytes)),
    ("rtf", |bytes| read("rtf", bytes)),
    #[cfg(feature = "parquet")]
    ("parquet", |bytes| read("parquet", bytes)),
    #[cfg(feature = "arrow")]
    ("arrow", |bytes| read("arrow", bytes)),
    #[cfg(feature = "pdf")]
    ("pdf", |bytes| read("pdf", bytes)),
    ("json_lines_twin", json_lines),
    ("path_list", path_list),
    ("normalize", folding),
    ("lexers", lexers),
    ("shingles", shingles),
    ("sets", sets),
    ("align", align),
    ("pairs", pairs),
    ("saved_result", saved_result),
    ("baseline", baseline),
    ("answers", answers),
    ("index", index),
    ("rows", rows),
];

thread_local! {
    /// The folder of this thread.
    static FOLDER: TempDir = tempfile::tempdir().expect("room for a folder");
}

/// Writes bytes to a file of this thread.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.with(|folder| folder.path().join(name));
    fs::write(&path, bytes).expect("room for a file");
    path
}

/// The first byte, which chooses settings, and the content.
fn choice(bytes: &[u8]) -> (u8, &[u8]) {
    bytes.split_first().map_or((0, bytes), |(&first, rest)| (first, rest))
}

fn resources() -> Resources {
    Resources { threads: NonZeroUsize::MIN, memory_bytes: Resources::LEAST_MEMORY_BYTES }
}

/// Reads a file. Its first byte chooses flags for reading, and does not belong to the content.
fn read(extension: &str, bytes: &[u8]) {
    let (flags, content) = choice(bytes);
    let path = file(&format!("input.{extension}"), content);
    let mut input = InputSettings::of(vec![path]);
    input.max_document_bytes = Some(1 << 20);
    input.max_unpacked = Some(4 << 20);
    if flags & 1 != 0 {
        input.markup = MarkupMode::Strip;
    }
    if flags & 2 != 0 {
        input.html = HtmlMode::Strip;
    }
    if flags & 4 != 0 {
        input.with_offsets = true;
    }
    let texts = read_texts(&input, resources(), &Unwatched);
    if let Ok(texts) = texts {
        let again = read_texts(&input, resources(), &Unwatched).expect("it could be read");
        assert!(texts == again, "a second reading gives other texts");
    }
}

/// JSON Lines compared with a tree: a line that has one text in a plain object gives that text.
fn json_lines(bytes: &[u8]) {
    let path = file("twin.jsonl", bytes);
    let Ok(texts) = read_texts(&InputSettings::of(vec![path]), resources(), &Unwatched) else { return };
    // Files in other encodings or with a mark are decoded first.
    let Ok(content) = std::str::from_utf8(bytes) else { return };
    if content.starts_with('\u{FEFF}') || content.contains('\0') || !content.starts_with('{') {
        return;
    }
    let trees = content.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let expected: Vec<String> = trees.filter_map(|tree| tree.get("text")?.as_str().map(str::to_owned)).collect();
    for text in &texts {
        assert!(
            expected.contains(&text.text) || content.matches("\"text\"").count() != expected.len(),
            "{:?} is not the text of any line",
            text.text
        );
    }
}

fn path_list(bytes: &[u8]) {
    let (flags, content) = choice(bytes);
    let _ = read_path_list(&file("paths", content), flags & 1 != 0);
}

/// Folding a text with and without the places of its bytes.
fn folding(bytes: &[u8]) {
    let (flags, content) = choice(bytes);
    let text = String::from_utf8_lossy(content);
    let is = |bit: u8| flags & 1 << bit != 0;
    let settings = Normalization {
        form: [None, None, Some(UnicodeForm::Nfc), Some(UnicodeForm::Nfkc)][usize::from(flags & 3)],
        lowercase: is(2),
        strip_accents: is(3),
        strip_punctuation: is(4),
        disguises: is(5),
        ..Normalization::default()
    };
    let units = [Units::Text, Units::Lines, Units::Sentences, Units::Paragraphs][usize::from(flags >> 6)];
    same_with_offsets(&mut Normalizer::new(&settings, units), &text);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(normalize(&text), words, "white space");
}

fn lexers(bytes: &[u8]) {
    let (language, content) = choice(bytes);
    let text = String::from_utf8_lossy(content);
    let mut normalizer = Normalizer::new(&Normalization::default(), ShingleKind::Code.units());
    normalizer.set_syntax(Syntax::ALL.get(usize::from(language) % (Syntax::ALL.len() + 1)).copied());
    same_with_offsets(&mut normalizer, &text);
}

/// The folded text is the same with offsets, and each part of it has a place in the text.
fn same_with_offsets(normalizer: &mut Normalizer, text: &str) {
    let folded = normalizer.normalize(text);
    let (traced, offsets) = normalizer.normalize_with_offsets(text);
    assert_eq!(folded, traced, "offsets change the text");
    assert_eq!(offsets.made_len(), folded.len(), "the map is of another text");
}

/// Every kernel makes the same shingles.
fn shingles(bytes: &[u8]) {
    let (size, content) = choice(bytes);
    let text = normalize(&String::from_utf8_lossy(content));
    let size = usize::from(size) % 20 + 1;
    for kind in [ShingleKind::Char, ShingleKind::Word] {
        let mut first = None;
        for (kernel, mut shingler) in Shingler::by_kernel(kind, size) {
            let mut hashes = Vec::new();
            shingler.shingles(&text).for_each_block(&mut |block| hashes.extend_from_slice(block));
            let first = first.get_or_insert_with(|| hashes.clone());
            assert!(*first == hashes, "{kind:?}, {kernel}");
        }
    }
}

/// Two sets of shingles of one byte: verification decides as the similarity of the sets does.
fn sets(bytes: &[u8]) {
    let (percent, content) = choice(bytes);
    let (a, b) = content.split_at(content.len() / 2);
    let set = |bytes: &[u8]| ShingleSet::new(bytes.chunks(2).map(hash).collect::<Vec<u64>>().as_slice());
    let (a, b) = (set(a), set(b));
    if a.is_empty() {
        return; // texts without shingles are never candidates
    }
    let Ok(threshold) = Threshold::new(f64::from(percent % 101) / 100.0) else { return };
    let similarity = jaccard(&a, &b);
    let is_met = Verifier::new(&VerifiableSet::new(a)).verify(&VerifiableSet::new(b), threshold).is_some();
    assert_eq!(is_met, similarity >= threshold.value(), "{similarity}");
}

/// A hash of a few bytes, as different as shingles are.
fn hash(bytes: &[u8]) -> u64 {
    let number = bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
    (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Two texts, split by a NUL byte: exact passages have the same tokens, and passages are in order and do not overlap.
fn align(bytes: &[u8]) {
    let (min_run, content) = choice(bytes);
    let text = String::from_utf8_lossy(content);
    let (a, b) = text.split_once('\0').unwrap_or((&text, &text));
    let kind = if min_run & 1 == 0 { ShingleKind::Word } else { ShingleKind::Char };
    let mut shingler = Shingler::new(kind, 1);
    let [a, b] = [a, b].map(|text| shingler.tokens(normalize(text)));
    let settings = PassageSettings::new(1 + usize::from(min_run >> 6), 4, 3).expect("an anchor that is not shorter");
    let alignment = Aligner::new(settings).align(&a, &b);
    let mut end = 0;
    for passage in &alignment.passages {
        assert!(passage.a.start >= end && passage.a.start < passage.a.end && passage.a.end <= a.len(), "{alignment:?}");
        assert!(passage.b.start < passage.b.end && passage.b.end <= b.len(), "{alignment:?}");
        assert!(passage.matched <= passage.a.len().min(passage.b.len()), "{alignment:?}");
        end = passage.a.end;
        if passage.is_exact {
            assert_eq!(passage.a.len(), passage.b.len(), "{alignment:?}");
        }
    }
    if a.text() == b.text() && !a.is_empty() {
        assert_eq!(alignment.matched(), a.len(), "equal texts");
    }
}

fn pairs(bytes: &[u8]) {
    let Ok(mut result) = SavedResult::open(&file("pairs.jsonl", bytes)) else { return };
    let _ = result.for_each_pair(&Unwatched, &mut |_, _| Ok(()));
}

/// A header without its hash, and documents, split by a NUL byte.
fn saved_result(bytes: &[u8]) {
    let at = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let folder = FOLDER.with(|folder| folder.path().join("result"));
    fs::create_dir_all(&folder).expect("room for a folder");
    // The hash at the end of the header is right, or nothing after it would be reached.
    let mut header = bytes[..at].to_vec();
    let check = format!(",\"check\":\"{:032x}\"}}\n", xxh3_128(&header));
    header.extend_from_slice(check.as_bytes());
    file("result/header.json", &header);
    file("result/documents.jsonl", &bytes[(at + 1).min(bytes.len())..]);
    file("result/pairs.jsonl", b"");
    let _ = ResultHeader::read_unchecked(&folder);
    if let Ok(result) = SavedResult::open_without_inputs(&folder) {
        let _ = SavedDocuments::read(&result, true);
    }
}

/// A baseline that was read is written, and read again.
fn baseline(bytes: &[u8]) {
    let Ok(baseline) = Baseline::read(&file("baseline.jsonl", bytes)) else { return };
    let mut written = Vec::new();
    baseline.write(&mut written, &[]).expect("a Vec takes every line");
    let again = Baseline::read(&file("baseline.jsonl", &written)).expect("it was written");
    assert_eq!(baseline.len(), again.len());
}

fn answers(bytes: &[u8]) {
    let _ = Answers::read(&file("answers.jsonl", bytes));
}

fn index(bytes: &[u8]) {
    let path = file("input.index", bytes);
    let _ = index_info(&path);
    let _ = names_in_index(&path, b"");
    let _ = check_index(&path, &Unwatched);
    let _ = export_index(&path, &Unwatched, &mut |_| Ok(()));
}

/// Rows of other programs.
fn rows(bytes: &[u8]) {
    let (kind, mut content) = choice(bytes);
    let mut output = io::sink();
    let settings = Settings { resources: resources(), ..Settings::default() };
    let _ = match kind % 3 {
        0 => sign_rows(&settings, RowFormat::JsonLines, true, &mut content, &mut output),
        1 => cluster_edges(ClusterBy::Edge, RowFormat::Tsv, true, &mut content, &mut output),
        _ => cluster_edges(ClusterBy::Edge, RowFormat::JsonLines, false, &mut content, &mut output),
    };
}
