//! `InputSettings`: which inputs are read, and how, with defaults and checks.

use std::ops::Deref;
use std::path::PathBuf;
use std::time::Duration;

use globset::GlobMatcher;

use crate::document::GroupSettings;
use crate::error::{Error, Result};
use crate::input::member_times::MemberTimes;
use crate::input::own_files::OwnFiles;

/// What is read, and how.
#[derive(Debug, Clone)]
pub struct InputSettings {
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
    /// Whether quotation marks enclose fields in CSV and TSV.
    pub quoting: Quoting,
    /// A byte of ASCII that makes the next character of a field in CSV and TSV an ordinary one: within quotation marks, or
    /// anywhere when quotation marks mean nothing. Default: none, unless the first rows prove a backslash.
    pub csv_escape: Option<u8>,
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
    /// Maximum bytes of the window of what zstd or xz has packed, which reading it takes in memory. Default: 128 MiB; xz has 1 GiB
    /// in any case.
    pub max_window: u64,
    /// Maximum bytes that one file unpacks to, with all that is packed in it. Default: 1000 times its own size, and at least
    /// 1 GiB.
    pub max_unpacked: Option<u64>,
    /// Programs that make text of files with certain extensions.
    pub filters: Vec<Filter>,
    /// How long one of them may take for one document. Default: 60 seconds.
    pub filter_timeout: Duration,
    /// What puts documents into groups, and which pairs are looked for then. Default: none, and all are.
    pub groups: Option<GroupSettings>,
    /// Keep where each document comes from, for [`Documents::origin`](crate::Documents::origin) and the lines of pairs: 12
    /// bytes a document. Default: no.
    pub with_source: bool,
    /// The field of records by whose value they can be put in order, as [`Keep::Max`](crate::Keep::Max) does: 24 bytes a
    /// document. Default: none. Without effect where a field groups the records.
    pub value_field: Option<String>,
    /// When members of archives were modified, for [`Keep::Newest`](crate::Keep::Newest). Default: not collected.
    pub member_times: MemberTimes,
    /// Keep what cannot be read twice as it is stored, where that differs from its text, so that offsets in it can be
    /// reported. It is decoded again whenever it is read again. Default: no.
    pub with_offsets: bool,
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

impl Default for InputSettings {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            listed: Vec::new(),
            against: None,
            format: InputFormat::Auto,
            stdin_format: InputFormat::Auto,
            delimiter: b',',
            quoting: Quoting::Auto,
            csv_escape: None,
            id_field: None,
            id_prefix: false,
            text_fields: vec!["text".into()],
            strict: false,
            encoding: None,
            invalid: InvalidBytes::default(),
            html: HtmlMode::default(),
            max_document_bytes: None,
            max_window: Self::DEFAULT_MAX_WINDOW,
            max_unpacked: None,
            filters: Vec::new(),
            filter_timeout: Self::DEFAULT_FILTER_TIMEOUT,
            groups: None,
            with_source: false,
            value_field: None,
            with_offsets: false,
            member_times: MemberTimes::default(),
            own_files: OwnFiles::default(),
            hidden: false,
            follow: false,
            gitignore: false,
            include: Vec::new(),
            exclude: Vec::new(),
        }
    }
}

impl InputSettings {
    /// The settings of these files and folders.
    pub fn of(paths: Vec<PathBuf>) -> Self {
        Self { paths, ..Self::default() }
    }

    /// Maximum window of what zstd has packed when nothing else is said, as its own program has it.
    pub const DEFAULT_MAX_WINDOW: u64 = 128 << 20;
    /// Most bytes of a document that is unpacked when nothing else is said.
    pub const DEFAULT_UNPACKED_BYTES: u64 = 256 << 20;
    /// Most bytes of a document that is unpacked, whatever is asked for: lengths are kept in 32 bits.
    pub(crate) const MOST_UNPACKED_BYTES: u64 = u32::MAX as u64 - 1;
    /// How long a filter may take for one document when nothing else is said.
    pub const DEFAULT_FILTER_TIMEOUT: Duration = Duration::from_secs(60);

    /// Checks what no type can hold.
    ///
    /// # Errors
    /// When the delimiter cannot separate fields.
    pub fn check(&self) -> Result<()> {
        let byte = self.delimiter;
        let separates = byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0);
        if separates { Ok(()) } else { Err(Error::Delimiter { byte }) }
    }

    /// Most bytes of a document that is unpacked from something else.
    pub(crate) fn unpacked_bytes(&self) -> u64 {
        self.max_document_bytes.unwrap_or(Self::DEFAULT_UNPACKED_BYTES).min(Self::MOST_UNPACKED_BYTES)
    }
}

/// What the first pass reads: the settings, and what its documents are, which the kind of shingle decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) settings: &'a InputSettings,
    /// Documents are sets: each line of a text is one, of its fields, and the text of a record may be an array.
    pub(crate) sets: bool,
}

impl Deref for Inputs<'_> {
    type Target = InputSettings;

    fn deref(&self) -> &InputSettings {
        self.settings
    }
}

/// How files are read. Compressed files are unpacked first, whatever is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputFormat {
    /// By extension; what has no known one is one text. `.json` is one too, unless it is an array of objects that all have a
    /// text.
    #[default]
    Auto,
    /// Every file as one text.
    Text,
    /// Every file as JSON Lines, one document a line.
    #[serde(rename = "jsonl")]
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

/// Whether quotation marks enclose the fields of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quoting {
    /// In tables that tabs separate only when the first rows prove it, in all others always.
    #[default]
    Auto,
    /// Always.
    On,
    /// They are characters like any other.
    Off,
}

/// Which documents are HTML pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InvalidBytes {
    /// The document is skipped.
    #[default]
    Skip,
    /// They count as U+FFFD.
    Replace,
}

/// A character encoding of the Encoding Standard, by any of its labels: `latin1`, `shift_jis`, `utf-16le`, ….
///
/// It is the encoding of documents that are not UTF-8 and do not declare another one. With `!` behind the label it is the
/// encoding of all documents without a byte order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding {
    pub(crate) encoding: &'static encoding_rs::Encoding,
    pub(crate) is_forced: bool,
}

impl TextEncoding {
    /// The label that is read as this encoding.
    pub(crate) fn label(self) -> String {
        let mark = if self.is_forced { "!" } else { "" };
        self.encoding.name().to_ascii_lowercase() + mark
    }
}

impl std::str::FromStr for TextEncoding {
    type Err = Error;

    fn from_str(label: &str) -> Result<Self> {
        let (name, is_forced) = label.strip_suffix('!').map_or((label, false), |name| (name, true));
        let encoding = encoding_rs::Encoding::for_label_no_replacement(name.as_bytes());
        encoding.map(|encoding| Self { encoding, is_forced }).ok_or_else(|| Error::Encoding(label.to_owned()))
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
    pub(super) matcher: GlobMatcher,
    pub(super) whole_path: bool,
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
