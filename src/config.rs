//! `Config`: every setting of a run, typed and checked once; the defaults are here.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use globset::GlobMatcher;

use crate::banding::Banding;
use crate::error::{Error, Result};
use crate::group_by::GroupBy;
use crate::memory;
use crate::normalize::{Normalization, Normalizer, Units};
use crate::own_files::OwnFiles;
use crate::shingle::{ShingleKind, Shingler, StopWords};
use crate::signature::SignatureMethod;
use crate::verify::Threshold;

/// Most worker threads.
pub(crate) const MAX_THREADS: usize = 1024;

/// All settings of one run.
#[derive(Debug, Clone)]
pub struct Config {
    /// What a shingle is made of. Default: characters.
    pub shingle_kind: ShingleKind,
    /// Tokens in a shingle. Default: 9 characters, 5 words, a stop word and 2 more, or 1 of anything else.
    pub shingle_size: NonZeroUsize,
    /// Compare multisets of shingles, not sets. Default: sets.
    pub bag: bool,
    /// Which words begin a shingle, when stop words do. Default: those of the language each text is found to be in.
    pub stop_words: StopWords,
    /// What is folded or left out before texts are compared. Default: white space is folded.
    pub normalization: Normalization,
    /// Documents with fewer tokens are left out. Default: 0, none is.
    pub min_tokens: u64,
    /// How signatures are cut into bands. Default: 20 × 5.
    pub banding: Banding,
    /// Least Jaccard similarity reported, inclusive. Default: 0.8.
    pub threshold: Threshold,
    /// How signatures are made. Default: classic.
    pub signature: SignatureMethod,
    /// Where the hash functions' coefficients come from. Default: 42.
    pub seed: u64,
    /// Worker threads. Default: as many as the machine runs at once. [`useful_threads`](crate::useful_threads) says how many of
    /// them have anything to do.
    pub threads: NonZeroUsize,
    /// Report each exact copy once, paired with the first document of its text. Default: all pairs.
    pub collapse_exact: bool,
    /// Keep where each document comes from, for [`Documents::origin`](crate::Documents::origin) and the lines of pairs: 12
    /// bytes a document. Default: no.
    pub with_source: bool,
    /// Files and folders of texts whose shingles are taken out of every document before it is compared.
    pub templates: Vec<PathBuf>,
    /// Shingles that are in more documents than this are taken out of every document too. Default: none.
    pub max_df: Option<MaxDf>,
    /// With [`InputConfig::group_by`]: look for pairs of one group only, in place of all others.
    pub within_groups: bool,
    /// Most bytes of shingle sets in memory during verification; less is slower and gives the same. Default: a quarter of
    /// the memory that the process may take.
    pub memory_bytes: u64,
    /// What is read, and how.
    pub input: InputConfig,
}

impl Config {
    /// The seed when none is given.
    pub const DEFAULT_SEED: u64 = 42;
    /// Most worker threads.
    pub const MOST_THREADS: usize = MAX_THREADS;
    /// Least bytes of shingle sets.
    pub const LEAST_MEMORY_BYTES: u64 = 16 << 20;

    /// A quarter of the memory that the process may take: that of the machine, or what its control groups or the limit of
    /// its address space allow. 512 MiB when none of these can be told.
    pub fn default_memory_bytes() -> u64 {
        memory::limit().map_or(512 << 20, |bytes| bytes / 4).max(Self::LEAST_MEMORY_BYTES)
    }

    /// The defaults, with so many bytes of shingle sets; nothing is asked of the machine but how many threads it runs.
    pub fn with_memory_bytes(memory_bytes: u64) -> Self {
        let shingle_kind = ShingleKind::Char;
        Self {
            shingle_kind,
            shingle_size: NonZeroUsize::new(shingle_kind.default_size()).expect("defaults are above 0"),
            bag: false,
            stop_words: StopWords::Detect,
            normalization: Normalization::default(),
            min_tokens: 0,
            banding: Banding::default(),
            threshold: Threshold::default(),
            signature: SignatureMethod::Classic,
            seed: Self::DEFAULT_SEED,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            collapse_exact: false,
            with_source: false,
            templates: Vec::new(),
            max_df: None,
            within_groups: false,
            memory_bytes,
            input: InputConfig::default(),
        }
    }

    /// The bytes of shingle sets, checked.
    ///
    /// # Errors
    /// When it is below [`LEAST_MEMORY_BYTES`](Self::LEAST_MEMORY_BYTES).
    pub fn checked_memory_bytes(bytes: u64) -> Result<u64> {
        if bytes >= Self::LEAST_MEMORY_BYTES { Ok(bytes) } else { Err(Error::Memory { bytes }) }
    }

    /// The number of worker threads, checked.
    ///
    /// # Errors
    /// When it is 0 or above 1,024.
    pub fn checked_threads(threads: usize) -> Result<NonZeroUsize> {
        NonZeroUsize::new(threads).filter(|_| threads <= MAX_THREADS).ok_or(Error::Threads { threads })
    }

    /// The shingle size, checked.
    ///
    /// # Errors
    /// When it is 0, or above 1 for the elements of sets.
    pub fn checked_shingle_size(kind: ShingleKind, size: usize) -> Result<NonZeroUsize> {
        if kind == ShingleKind::Set && size > 1 {
            return Err(Error::SetShingleSize { size });
        }
        NonZeroUsize::new(size).ok_or(Error::ShingleSize)
    }

    /// Makes the normalised text that is hashed and cut into shingles.
    pub fn normalizer(&self) -> Normalizer {
        Normalizer::new(&self.normalization, self.shingle_kind.units())
    }

    /// Cuts normalised texts into shingles.
    pub fn shingler(&self) -> Shingler {
        Shingler::new(self.shingle_kind, self.shingle_size.get())
            .with_stop_words(self.stop_words.clone(), Normalizer::new(&self.normalization, Units::Text))
            .with_bag(self.bag)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::with_memory_bytes(Self::default_memory_bytes())
    }
}

/// The most documents that a shingle may be in. Documents with equal texts count as one, and empty ones not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaxDf {
    /// So many.
    Documents(u64),
    /// So many in a hundred; above 0 and at most 100.
    Percent(f64),
}

impl MaxDf {
    /// The most of so many documents.
    pub(crate) fn most(self, num_documents: u64) -> u64 {
        match self {
            Self::Documents(most) => most,
            Self::Percent(share) => {
                let is_exceeded = |most: u64| most as f64 * 100.0 > share * num_documents as f64;
                // At most one off by rounding.
                let most = (share * num_documents as f64 / 100.0) as u64;
                if is_exceeded(most) { most.saturating_sub(1) } else { most + u64::from(!is_exceeded(most + 1)) }
            }
        }
    }
}

impl std::str::FromStr for MaxDf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || {
            let most = u64::MAX;
            format!(
                "give a number of documents from 1 to {most}, or a share of them above 0% and up to 100%, such as 5%"
            )
        };
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim_end().parse().map_err(|_| fault())?;
            return if percent > 0.0 && percent <= 100.0 { Ok(Self::Percent(percent)) } else { Err(fault()) };
        }
        text.parse().ok().filter(|&most| most > 0).map(Self::Documents).ok_or_else(fault)
    }
}

/// What is read, and how.
#[derive(Debug, Clone)]
pub struct InputConfig {
    /// Files and folders, in the order of the documents; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// More of them, from a list: unlike arguments, a binary file or a device among these is no error.
    pub listed: Vec<PathBuf>,
    /// What the documents of `paths` and `listed` are compared against, and not among themselves. Default: nothing, all are
    /// compared with all.
    pub against: Option<Against>,
    /// How files are read.
    pub format: InputFormat,
    /// How standard input is read, and nothing else. Default: as `format` says, or as its first bytes tell.
    pub stdin_format: InputFormat,
    /// What separates the fields of CSV, one byte of ASCII; TSV has its own. Default: a comma.
    pub delimiter: u8,
    /// In CSV and TSV quotation marks are characters like any other. Default: they enclose fields.
    pub no_quoting: bool,
    /// The field of a record that names it. Default: `id`, where there is one that can.
    pub id_field: Option<String>,
    /// Put the name of its file before each id, with a `#` between: `a.jsonl#17`. For files that each number their records
    /// from 1. Default: ids are names as they are.
    pub id_prefix: bool,
    /// The fields of a record that hold its text; those that are there are joined by line breaks. Default: `text`.
    pub text_fields: Vec<String>,
    /// Let the first input that cannot be used end the run. Default: it is named and skipped.
    pub strict: bool,
    /// What a text without a byte order mark is. Default: UTF-8.
    pub encoding: Option<TextEncoding>,
    /// What becomes of bytes that are not of the encoding. Default: they cost the document.
    pub invalid: InvalidBytes,
    /// Which documents are pages, of which the text without markup counts. Default: by extension.
    pub html: HtmlMode,
    /// Most bytes of one document, as it is stored and as UTF-8, below 4 GiB. Default: 256 MiB for what is unpacked, no limit for plain files.
    pub max_document_bytes: Option<u64>,
    /// Programs that make text of files with certain extensions.
    pub filters: Vec<Filter>,
    /// How long one of them may take for one document. Default: 60 seconds.
    pub filter_timeout: Duration,
    /// Documents are sets: each line of a text is one, of its fields, and the text of a record may be an array. Meant for
    /// [`ShingleKind::Set`].
    pub sets: bool,
    /// What puts documents into groups. Given one, pairs of one group are not looked for. Default: none.
    pub group_by: Option<GroupBy>,
    /// Files that the run itself writes, or reads as lists: they are left out. Default: none.
    pub own_files: OwnFiles,
    /// Take hidden files and folders too.
    pub hidden: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Leave out what `.gitignore` files leave out.
    pub gitignore: bool,
    /// When not empty, only files that match one of these are read.
    pub include: Vec<PathGlob>,
    /// Files and folders that match one of these are left out.
    pub exclude: Vec<PathGlob>,
}

/// The other side of a comparison, a corpus of its own, with its own names: a file that is on both sides is a document of
/// both. It is read as the first side is, but for its own globs.
#[derive(Debug, Clone, Default)]
pub struct Against {
    /// Files and folders, in the order of the documents; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// More of them, from a list.
    pub listed: Vec<PathBuf>,
    /// When not empty, only files that match one of these are read.
    pub include: Vec<PathGlob>,
    /// Files and folders that match one of these are left out.
    pub exclude: Vec<PathGlob>,
}

impl Default for InputConfig {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            listed: Vec::new(),
            against: None,
            format: InputFormat::Auto,
            stdin_format: InputFormat::Auto,
            delimiter: b',',
            no_quoting: false,
            id_field: None,
            id_prefix: false,
            text_fields: vec!["text".into()],
            strict: false,
            encoding: None,
            invalid: InvalidBytes::default(),
            html: HtmlMode::default(),
            max_document_bytes: None,
            filters: Vec::new(),
            filter_timeout: Self::DEFAULT_FILTER_TIMEOUT,
            sets: false,
            group_by: None,
            own_files: OwnFiles::default(),
            hidden: false,
            follow: false,
            gitignore: false,
            include: Vec::new(),
            exclude: Vec::new(),
        }
    }
}

impl InputConfig {
    /// Most bytes of a document that is unpacked when nothing else is said.
    pub const DEFAULT_UNPACKED_BYTES: u64 = 256 << 20;
    /// Most bytes of a document that is unpacked, whatever is asked for: lengths are kept in 32 bits.
    pub(crate) const MOST_UNPACKED_BYTES: u64 = u32::MAX as u64 - 1;
    /// How long a filter may take for one document when nothing else is said.
    pub const DEFAULT_FILTER_TIMEOUT: Duration = Duration::from_secs(60);

    /// Most bytes of a document that is unpacked from something else.
    pub(crate) fn unpacked_bytes(&self) -> u64 {
        self.max_document_bytes.unwrap_or(Self::DEFAULT_UNPACKED_BYTES).min(Self::MOST_UNPACKED_BYTES)
    }
}

/// How files are read. Compressed files are unpacked first, whatever is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputFormat {
    /// By extension; what has no known one is one text. `.json` is one too, unless it is an array of objects that all have a
    /// text.
    #[default]
    Auto,
    /// Every file as one text.
    Text,
    /// Every file as JSON Lines, one document a line.
    JsonLines,
    /// Every file as JSON: an array of objects, or objects one after another, each a document.
    Json,
    /// Every file as comma-separated values with a header, one document a row.
    Csv,
    /// Every file as tab-separated values with a header, one document a row.
    Tsv,
    /// Every file as Parquet, one document a row.
    Parquet,
    /// Every file as a tar archive, its members by extension.
    Tar,
    /// Every file as a zip archive, its members by extension.
    Zip,
}

/// Which documents are HTML pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HtmlMode {
    /// `.html`, `.htm` and `.xhtml`.
    #[default]
    Auto,
    /// All, records as well.
    Strip,
    /// None.
    Raw,
}

/// What becomes of bytes that are not of a document's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InvalidBytes {
    /// The document is skipped.
    #[default]
    Skip,
    /// They count as U+FFFD.
    Replace,
}

/// A character encoding of the Encoding Standard, by any of its labels: `latin1`, `shift_jis`, `utf-16le`, ….
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding(pub(crate) &'static encoding_rs::Encoding);

impl std::str::FromStr for TextEncoding {
    type Err = Error;

    fn from_str(label: &str) -> Result<Self> {
        let encoding = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes());
        encoding.map(Self).ok_or_else(|| Error::Encoding(label.to_owned()))
    }
}

/// A program that makes text of files with an extension: the file on its standard input, text on its standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// Without the dot; upper and lower case are the same.
    pub extension: String,
    /// Run by the shell.
    pub command: String,
}

impl std::str::FromStr for Filter {
    type Err = Error;

    /// Reads `EXT=CMD`.
    fn from_str(filter: &str) -> Result<Self> {
        let (extension, command) = filter.split_once('=').unwrap_or_default();
        let extension = extension.trim_start_matches('.');
        if extension.is_empty() || extension.contains(['.', '/']) || command.trim().is_empty() {
            return Err(Error::Filter(filter.to_owned()));
        }
        Ok(Self { extension: extension.to_owned(), command: command.to_owned() })
    }
}

/// A glob for paths. Without a `/` it is matched against the file name, with one against the path inside the folder
/// that is walked; `*` does not cross a `/`, `**` does.
#[derive(Debug, Clone)]
pub struct PathGlob {
    pub(crate) matcher: GlobMatcher,
    pub(crate) whole_path: bool,
}

impl std::str::FromStr for PathGlob {
    type Err = globset::Error;

    fn from_str(glob: &str) -> Result<Self, globset::Error> {
        let anchored = glob.strip_prefix('/').unwrap_or(glob);
        let anchored = anchored.strip_suffix('/').unwrap_or(anchored);
        let matcher = globset::GlobBuilder::new(anchored).literal_separator(true).build()?.compile_matcher();
        Ok(Self { matcher, whole_path: glob.trim_end_matches('/').contains('/') })
    }
}
