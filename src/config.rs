//! `Config`: every setting of a run, typed and checked once; the defaults are here.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use globset::GlobMatcher;

use crate::banding::Banding;
use crate::error::{Error, Result};
use crate::group_by::GroupBy;
use crate::shingle::ShingleKind;
use crate::signature::SignatureMethod;
use crate::verify::Threshold;

/// Most worker threads.
pub(crate) const MAX_THREADS: usize = 1024;

/// All settings of one run.
#[derive(Debug, Clone)]
pub struct Config {
    /// What a shingle is made of. Default: characters.
    pub shingle_kind: ShingleKind,
    /// Tokens in a shingle. Default: 9 characters or 5 words.
    pub shingle_size: NonZeroUsize,
    /// How signatures are cut into bands. Default: 20 × 5.
    pub banding: Banding,
    /// Least Jaccard similarity reported, inclusive. Default: 0.8.
    pub threshold: Threshold,
    /// How signatures are made. Default: classic.
    pub signature: SignatureMethod,
    /// Where the hash functions' coefficients come from. Default: 42.
    pub seed: u64,
    /// Worker threads. Default: as many as the machine runs at once.
    pub threads: NonZeroUsize,
    /// Report each exact copy once, paired with the first document of its text. Default: all pairs.
    pub collapse_exact: bool,
    /// Files and folders of texts whose shingles are taken out of every document before it is compared.
    pub templates: Vec<PathBuf>,
    /// Shingles that are in more documents than this are taken out of every document too. Default: none.
    pub max_df: Option<MaxDf>,
    /// With [`InputConfig::group_by`]: look for pairs of one group only, in place of all others.
    pub within_groups: bool,
    /// Most bytes of shingle sets in memory during verification; less is slower and gives the same. Default: a quarter of
    /// the machine's memory.
    pub memory_bytes: u64,
    /// What is read, and how.
    pub input: InputConfig,
}

impl Config {
    /// The seed when none is given.
    pub const DEFAULT_SEED: u64 = 42;
    /// Least bytes of shingle sets.
    pub const LEAST_MEMORY_BYTES: u64 = 16 << 20;

    /// A quarter of the memory that the machine has, or that a control group allows.
    pub fn default_memory_bytes() -> u64 {
        let mut system = sysinfo::System::new();
        system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
        let allowed = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
        (system.total_memory().min(allowed) / 4).max(Self::LEAST_MEMORY_BYTES)
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
    /// When it is 0.
    pub fn checked_shingle_size(size: usize) -> Result<NonZeroUsize> {
        NonZeroUsize::new(size).ok_or(Error::ShingleSize)
    }
}

impl Default for Config {
    fn default() -> Self {
        let shingle_kind = ShingleKind::Char;
        Self {
            shingle_kind,
            shingle_size: NonZeroUsize::new(shingle_kind.default_size()).expect("defaults are above 0"),
            banding: Banding::default(),
            threshold: Threshold::default(),
            signature: SignatureMethod::Classic,
            seed: Self::DEFAULT_SEED,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            collapse_exact: false,
            templates: Vec::new(),
            max_df: None,
            within_groups: false,
            memory_bytes: Self::default_memory_bytes(),
            input: InputConfig::default(),
        }
    }
}

/// The most documents that a shingle may be in. Documents with equal texts count as one, and empty ones not at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaxDf {
    /// So many.
    Documents(u64),
    /// So many in a hundred; from 0 to 100.
    Percent(f64),
}

impl MaxDf {
    /// Whether a shingle in `count` of `num_documents` is in too many.
    pub(crate) fn is_exceeded(self, count: u64, num_documents: u64) -> bool {
        match self {
            Self::Documents(most) => count > most,
            Self::Percent(most) => count as f64 * 100.0 > most * num_documents as f64,
        }
    }
}

impl std::str::FromStr for MaxDf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("`{text}` is neither a number of documents of at least 1 nor a share such as 5%");
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim_end().parse().map_err(|_| fault())?;
            return if (0.0..=100.0).contains(&percent) { Ok(Self::Percent(percent)) } else { Err(fault()) };
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
    /// When not empty, the documents of `paths` and `listed` are compared with those of these alone. Each side is a corpus
    /// of its own, with its own names: a file that is on both sides is a document of both.
    pub against: Vec<PathBuf>,
    /// How files are read.
    pub format: InputFormat,
    /// The field of a record that names it. Default: `id`.
    pub id_field: String,
    /// The field of a record that holds its text. Default: `text`.
    pub text_field: String,
    /// What puts documents into groups. Given one, pairs of one group are not looked for. Default: none.
    pub group_by: Option<GroupBy>,
    /// Take hidden files and folders too.
    pub hidden: bool,
    /// Follow symbolic links.
    pub follow: bool,
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
            against: Vec::new(),
            format: InputFormat::Auto,
            id_field: "id".into(),
            text_field: "text".into(),
            group_by: None,
            hidden: false,
            follow: false,
            include: Vec::new(),
            exclude: Vec::new(),
        }
    }
}

/// How files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputFormat {
    /// `.jsonl` and `.ndjson` as JSON Lines, anything else as one text.
    #[default]
    Auto,
    /// Every file as one text.
    Text,
    /// Every file as JSON Lines, one document a line.
    JsonLines,
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
