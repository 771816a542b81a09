//! The records of `dedup decontaminate`: a JSON line for each benchmark document, and the numbers of a run.

use serde::{Deserialize, Serialize};

use crate::records::Name;

/// How much of a benchmark document was found in other documents. Later versions only add keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchmarkRecord<'a> {
    /// Name of the benchmark document.
    #[serde(borrow)]
    pub benchmark: Name<'a>,
    /// File of the benchmark document.
    #[serde(borrow)]
    pub file: Name<'a>,
    /// Whether a document contains enough of the benchmark document.
    pub contaminated: bool,
    /// Its texts: one, or one for each field that was searched for separately.
    #[serde(borrow)]
    pub texts: Vec<FieldRecord<'a>>,
}

/// How much of a benchmark text was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldRecord<'a> {
    /// Field of the text, if fields were searched for separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Number of its words.
    pub words: u64,
    /// Whether it has too few words to be found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_short: bool,
    /// The most of its words that one document contains in runs.
    pub matched: u64,
    /// `matched` as a share of its words.
    pub coverage: f64,
    /// Number of documents that contain enough of it.
    pub documents: u64,
    /// The first 100 of these documents, in document order.
    #[serde(borrow, skip_serializing_if = "Vec::is_empty", default)]
    pub found_in: Vec<FoundInRecord<'a>>,
}

/// A document that contains enough of a benchmark text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundInRecord<'a> {
    /// Name of the document.
    #[serde(borrow)]
    pub name: Name<'a>,
    /// Number of words of the benchmark text that it contains in runs.
    pub matched: u64,
    /// The runs, by position in the benchmark text.
    pub spans: Vec<SpanRecord>,
}

/// Words that a benchmark text and a document have in common. Bytes are counted in the decoded texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpanRecord {
    /// Number of words.
    pub words: u64,
    /// First byte in the benchmark text, and the byte after the last.
    pub benchmark: [u64; 2],
    /// First byte in the document, and the byte after the last.
    pub document: [u64; 2],
    /// The bytes of the next positions where the document has the same words again, up to 10.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<[u64; 2]>,
}

/// The mark of a contaminated document: the benchmark text with the largest share in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkRecord<'a> {
    /// Name of the benchmark document.
    #[serde(borrow)]
    pub benchmark: Name<'a>,
    /// Share of the words of its text that the document contains in runs.
    pub coverage: f64,
    /// Number of these words.
    pub matched: u64,
    /// Number of benchmark texts that the document contains to a sufficient part.
    pub texts: u64,
}

impl MarkRecord<'_> {
    /// The name of the field.
    pub const FIELD: &'static str = "dedup_contaminated";
}

/// The numbers of the benchmark documents of a file, or of a folder of texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BenchmarkFile {
    /// The file or folder, with U+FFFD instead of bytes that are not UTF-8.
    pub file: String,
    /// Number of documents.
    pub documents: u64,
    /// Number of documents that another document contains to a sufficient part.
    pub contaminated: u64,
    /// Number of documents whose texts are found completely, apart from texts that are too short.
    pub wholly: u64,
    /// Number of documents with a text that is too short to be found.
    pub too_short: u64,
    /// Number of documents whose texts are all too short to be found.
    pub not_searched: u64,
}

/// The numbers of a search for benchmarks in a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContaminationSummary {
    /// Minimum number of consecutive words in common.
    pub min_run: usize,
    /// Minimum number of words of a benchmark text that is found as a whole.
    pub min_whole: usize,
    /// Minimum share of a benchmark text.
    pub coverage: f64,
    /// Number of words of a benchmark text that is always enough.
    pub min_matched: u64,
    /// Fields that were searched for separately.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// Number of words in the corpus.
    pub words: u64,
    /// Number of documents that contain a common run.
    pub touched: u64,
    /// Number of documents that contain enough of a benchmark text.
    pub contaminated: u64,
    /// Number of benchmark inputs that could not be used because of an error.
    pub benchmark_errors: u64,
    /// Bytes of memory for the benchmarks.
    pub benchmark_memory: u64,
    /// Each benchmark file or folder of texts.
    pub benchmarks: Vec<BenchmarkFile>,
}
