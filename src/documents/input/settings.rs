//! `InputSettings`: which inputs are read, and how, with defaults and checks.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::against::Against;
use super::by_name::ByName;
use super::charset::Charset;
use super::member_times::MemberTimes;
use super::own_files::OwnFiles;
use super::path_glob::PathGlob;
use super::stored_input::StoredInput;
use super::text_modes::{HtmlMode, MailQuotes, MarkupMode, NotebookCells};
use crate::base::error::{Error, Result};
use crate::documents::document::{GroupSettings, UnitBy};

/// The inputs to read, and how to read them.
#[derive(Debug, Clone)]
pub struct InputSettings {
    /// Files and folders, in the order of the documents; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// More files and folders, from a list. Unlike arguments, a binary file or a device in the list is not an error.
    pub listed: Vec<PathBuf>,
    /// The paths among `paths` whose documents are stored, such as indexes. Default: none; an index without an entry is a
    /// binary file.
    pub stored: Vec<StoredInput>,
    /// A second corpus, with which the documents of `paths` and `listed` are compared instead of with each other.
    /// Default: none, all documents are compared with all.
    pub against: Option<Against>,
    /// The format of files.
    pub format: InputFormat,
    /// The format of standard input only. Default: the value of `format`, or by its first bytes.
    pub stdin_format: InputFormat,
    /// Whether tables of CSV and TSV have no header, so that the names of fields are their numbers, from 1. Default: no.
    pub no_header: bool,
    /// The byte of ASCII that separates the fields of CSV. TSV always uses tabs. Default: a comma.
    pub delimiter: u8,
    /// Whether quotation marks enclose fields in CSV and TSV.
    pub quoting: Quoting,
    /// The byte of ASCII that escapes the next character of a field in CSV and TSV: within quotation marks, and also
    /// outside them when quoting is off or the first rows show it. Default: none, unless the first rows show that
    /// backslashes escape.
    pub csv_escape: Option<u8>,
    /// The field of a record that holds its id, which becomes its name. Default: `id`, if present and usable.
    pub id_field: Option<String>,
    /// Prefix each id with the name of its file and a `#`: `a.jsonl#17`, for files that each number their records from
    /// 1. Default: ids are used unchanged.
    pub id_prefix: bool,
    /// The fields of a record that hold its text. The fields that are present are joined by line breaks. Default:
    /// `text`.
    pub text_fields: Vec<String>,
    /// End the run at the first input that cannot be used. Default: such an input is reported and skipped.
    pub strict: bool,
    /// The encoding of texts that are not UTF-8 and do not declare another encoding. Default: it is detected.
    pub encoding: TextEncoding,
    /// The treatment of bytes that are invalid in the encoding. Default: the document is skipped.
    pub invalid: InvalidBytes,
    /// Which documents are HTML pages, whose markup is ignored. Default: by extension.
    pub html: HtmlMode,
    /// Whether the markup of Markdown and LaTeX is part of the text. Default: yes.
    pub markup: MarkupMode,
    /// The cells of Jupyter notebooks that are read. Default: all.
    pub notebook_cells: NotebookCells,
    /// Whether the text of a mail message has the replies that it quotes, and its signature. Default: no.
    pub mail_quotes: MailQuotes,
    /// Whether the subject of a mail message is the first line of its text. Default: no.
    pub mail_subject: bool,
    /// Maximum size of one document, both as stored and as UTF-8, in bytes below 4 GiB. Default: 256 MiB for unpacked
    /// content, no limit for plain files.
    pub max_document_bytes: Option<u64>,
    /// Maximum window size of zstd and xz streams, in bytes; reading needs that much memory. Default: 128 MiB. The
    /// limit of xz is at least 1 GiB.
    pub max_window: u64,
    /// Maximum bytes that one file unpacks to, including everything packed inside. Default: 1000 times the file's own
    /// size, and at least 1 GiB.
    pub max_unpacked: Option<u64>,
    /// Programs that extract text from files with certain extensions.
    pub filters: Vec<Filter>,
    /// Maximum time that a filter may run for one document. Default: 60 seconds.
    pub filter_timeout: Duration,
    /// The rule that puts documents into groups, and which pairs are then looked for. Default: no groups, all pairs.
    pub groups: Option<GroupSettings>,
    /// Record where each document comes from, for [`Documents::origin`](crate::documents::Documents::origin) and for the lines of
    /// pairs: 12 bytes per document. Default: no.
    pub with_source: bool,
    /// The field of records by whose value they can be ordered, as [`Keep::Max`](crate::unique::Keep::Max) does: 24 bytes per
    /// document. Default: none. No effect if records are grouped by a field.
    pub value_field: Option<String>,
    /// The modification times of members of archives, for [`Keep::Newest`](crate::unique::Keep::Newest). Default: not
    /// collected.
    pub member_times: MemberTimes,
    /// The number of documents, and of parts that are not compared or only in part, in each mail message, mailbox and web
    /// crawl, for a run that writes a corpus. Default: not collected.
    pub container_items: ByName<u64>,
    /// The offsets of the records of web crawls in their unpacked files, for `with_source`. Collected by default.
    pub record_offsets: ByName<u64>,
    /// Store documents that cannot be read twice in their original bytes, where these differ from the text, so that
    /// offsets in them can be reported. They are decoded again at each reading. Default: no.
    pub with_offsets: bool,
    /// Files that the run itself writes, or reads as lists; the walk skips them. Default: none.
    pub own_files: OwnFiles,
    /// Include hidden files and folders.
    pub hidden: bool,
    /// Follow symbolic links.
    pub follow: bool,
    /// Join files to documents by this rule; `None` if each file or record is a document.
    pub unit: Option<UnitBy>,
    /// Skip files that `.gitignore` files ignore.
    pub gitignore: bool,
    /// When not empty, read only files that match one of these globs.
    pub include: Vec<PathGlob>,
    /// Skip files and folders that match one of these globs.
    pub exclude: Vec<PathGlob>,
}

impl Default for InputSettings {
    fn default() -> Self {
        Self {
            paths: Vec::new(),
            listed: Vec::new(),
            stored: Vec::new(),
            against: None,
            unit: None,
            format: InputFormat::Auto,
            stdin_format: InputFormat::Auto,
            no_header: false,
            delimiter: b',',
            quoting: Quoting::Auto,
            csv_escape: None,
            id_field: None,
            id_prefix: false,
            text_fields: vec!["text".into()],
            strict: false,
            encoding: TextEncoding::default(),
            invalid: InvalidBytes::default(),
            html: HtmlMode::default(),
            markup: MarkupMode::default(),
            notebook_cells: NotebookCells::default(),
            mail_quotes: MailQuotes::default(),
            mail_subject: false,
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
            container_items: ByName::default(),
            record_offsets: ByName::collected(),
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
    /// Default settings for these files and folders.
    pub fn of(paths: Vec<PathBuf>) -> Self {
        Self { paths, ..Self::default() }
    }

    /// Default maximum window of zstd streams, in bytes; the `zstd` program has the same default.
    pub const DEFAULT_MAX_WINDOW: u64 = 128 << 20;
    /// Default maximum size of an unpacked document, in bytes.
    pub const DEFAULT_UNPACKED_BYTES: u64 = 256 << 20;
    /// Highest possible limit for an unpacked document, in bytes, because lengths are stored in 32 bits.
    pub(crate) const MOST_UNPACKED_BYTES: u64 = u32::MAX as u64 - 1;
    /// Default maximum time that a filter may run for one document.
    pub const DEFAULT_FILTER_TIMEOUT: Duration = Duration::from_secs(60);

    /// Checks the settings that their types do not restrict.
    ///
    /// # Errors
    /// When the delimiter cannot separate fields.
    pub fn check(&self) -> Result<()> {
        let byte = self.delimiter;
        let separates = byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0);
        if separates { Ok(()) } else { Err(Error::Delimiter { byte }) }
    }

    /// The input whose stored documents are read for a path.
    ///
    /// * `is_against`: whether the path is one of the second side.
    pub(crate) fn stored_input(&self, path: &Path, is_against: bool) -> Option<&StoredInput> {
        let stored = if is_against { &self.against.as_ref()?.stored } else { &self.stored };
        stored.iter().find(|stored| stored.path() == path)
    }

    /// Maximum size of an unpacked document, in bytes.
    pub(crate) fn unpacked_bytes(&self) -> u64 {
        self.max_document_bytes.unwrap_or(Self::DEFAULT_UNPACKED_BYTES).min(Self::MOST_UNPACKED_BYTES)
    }
}

/// The input of the first pass: the settings, and whether documents are sets, which depends on the kind of shingle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) settings: &'a InputSettings,
    /// Whether documents are sets: each line of a text file is a set of fields, and the text of a record may be an
    /// array.
    pub(crate) sets: bool,
}

impl Deref for Inputs<'_> {
    type Target = InputSettings;

    fn deref(&self) -> &InputSettings {
        self.settings
    }
}

/// The format of files. Compressed files are always unpacked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputFormat {
    /// The extension determines the format. A file with an unknown extension is one text. So is a `.json` file, unless
    /// it is an array of objects that all have a text.
    #[default]
    Auto,
    /// Every file is one text.
    Text,
    /// Every file is text: each line is a document.
    Lines,
    /// Every file is JSON Lines: each line is a document.
    #[serde(rename = "jsonl")]
    JsonLines,
    /// Every file is JSON: an array of objects, or objects one after another. Each object is a document.
    Json,
    /// Every file is comma-separated values with a header: each row is a document.
    Csv,
    /// Every file is tab-separated values with a header: each row is a document.
    Tsv,
    /// Every file is Parquet: each row is a document.
    Parquet,
    /// Every file is Arrow IPC, as a file or a stream: each row is a document.
    Arrow,
    /// Every file is a tar archive; the extension determines the format of each member.
    Tar,
    /// Every file is a zip archive; the extension determines the format of each member.
    Zip,
    /// Every file is one mail message.
    Mail,
    /// Every file is a mailbox in mbox format.
    Mbox,
    /// Every file is a web crawl in WARC format.
    Warc,
}

impl InputFormat {
    /// Whether files in this format hold members in other formats, which are decided by their names.
    pub(crate) fn is_container(self) -> bool {
        matches!(self, Self::Tar | Self::Zip | Self::Mail | Self::Mbox | Self::Warc)
    }
}

/// Whether quotation marks enclose the fields of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quoting {
    /// Quotation marks enclose fields, except in tab-separated tables whose first rows do not prove it.
    #[default]
    Auto,
    /// Quotation marks always enclose fields.
    On,
    /// Quotation marks are ordinary characters.
    Off,
}

/// The treatment of bytes that are invalid in a document's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InvalidBytes {
    /// Skip the document.
    #[default]
    Skip,
    /// Replace them by U+FFFD.
    Replace,
}

/// A character encoding of the Encoding Standard, by any of its labels: `latin1`, `shift_jis`, `utf-16le`, …; a code page of
/// DOS such as `cp437` or `cp850`; or `auto`,
/// the default, for the encoding that the bytes of each document show.
///
/// The encoding applies to documents that are not UTF-8 and do not declare another encoding. With `!` after the label
/// it applies to all documents without a byte order mark. An encoding is detected for whole documents only; a record is
/// UTF-8 unless an encoding is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding {
    pub(crate) encoding: Charset,
    pub(crate) is_forced: bool,
    /// Whether the encoding of whole documents that are not in `encoding`, which is UTF-8 then, is detected.
    pub(crate) is_detected: bool,
}

/// The label of the encoding that is detected.
const DETECTED: &str = "auto";

impl Default for TextEncoding {
    fn default() -> Self {
        Self { is_detected: true, ..Self::UTF_8 }
    }
}

impl TextEncoding {
    /// UTF-8: a document that is not valid UTF-8 and declares no encoding is skipped.
    pub(crate) const UTF_8: Self = Self { encoding: Charset::UTF_8, is_forced: false, is_detected: false };

    /// A label that parses as this encoding.
    pub(crate) fn label(self) -> String {
        if self.is_detected {
            return DETECTED.to_owned();
        }
        let mark = if self.is_forced { "!" } else { "" };
        self.encoding.name().to_ascii_lowercase() + mark
    }
}

impl std::str::FromStr for TextEncoding {
    type Err = Error;

    fn from_str(label: &str) -> Result<Self> {
        if label.eq_ignore_ascii_case(DETECTED) {
            return Ok(Self::default());
        }
        let (name, is_forced) = label.strip_suffix('!').map_or((label, false), |name| (name, true));
        Charset::of_label(name)
            .map(|encoding| Self { encoding, is_forced, is_detected: false })
            .ok_or_else(|| Error::Encoding(label.to_owned()))
    }
}

/// A program that extracts text from files with an extension. It reads the file on standard input and writes text to
/// standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The extension without the dot, in upper or lower case.
    pub extension: String,
    /// The command, run by the shell.
    pub command: String,
}

impl std::str::FromStr for Filter {
    type Err = Error;

    /// Parses `EXT=CMD`.
    fn from_str(filter: &str) -> Result<Self> {
        let (extension, command) = filter.split_once('=').unwrap_or_default();
        let extension = extension.trim_start_matches('.');
        if extension.is_empty() || extension.contains(['.', '/']) || command.trim().is_empty() {
            return Err(Error::Filter(filter.to_owned()));
        }
        Ok(Self { extension: extension.to_owned(), command: command.to_owned() })
    }
}
