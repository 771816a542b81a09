//! `FileReadingFlags`: turns the flags about formats, encodings and fields of files into input settings without paths.

use std::time::Duration;

use clap::{ArgAction, Args};
use dedup_scan::documents::{
    Filter, HtmlMode, InputFormat, InvalidBytes, MailQuotes, MarkupMode, PathGlob, Quoting, TextEncoding,
};
use dedup_scan::{InputSettings, Summary};

use super::preset::Preset;
use super::values::{Choices, choice, encoding, filter, glob, size, whole};

/// How files are read, and which files of a folder are read.
#[derive(Debug, Args)]
pub(crate) struct FileReadingFlags {
    /// The format of files: by extension, or one format for all. Compressed files are unpacked first [default: auto;
    /// lines with --preset logs]
    #[arg(long, value_parser = choice(FORMATS), value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<InputFormat>,

    /// The format of `-`, standard input, independent of --input-format; auto looks at the first bytes and the first
    /// line
    #[arg(long, value_parser = choice(FORMATS), value_name = "FORMAT", default_value = "auto", hide_possible_values = true,
        help_heading = "Input")]
    stdin_format: InputFormat,

    /// Tables of CSV and TSV have no header; a field's name is its number, as in --text-field 2
    #[arg(long, help_heading = "Input")]
    no_header: bool,

    /// The ASCII character between fields of CSV, such as ';' or '\t' [default: ,]
    #[arg(long, value_name = "CHAR", value_parser = delimiter, help_heading = "Input")]
    delimiter: Option<u8>,

    /// In CSV and TSV quotation marks are characters like any other [default: in TSV, unless the first rows prove that they
    /// enclose fields]
    #[arg(long, help_heading = "Input", conflicts_with = "quoted")]
    no_quoting: bool,

    /// In CSV and TSV quotation marks enclose fields [default: in CSV]
    #[arg(long, help_heading = "Input")]
    quoted: bool,

    /// The ASCII character that escapes a quotation mark, a delimiter or a line end within a field of CSV or TSV, as in
    /// '\' for Spark, Hive and MySQL [default: none, unless the first rows prove '\']
    #[arg(long, value_name = "CHAR", value_parser = escape, help_heading = "Input")]
    csv_escape: Option<u8>,

    /// Field of a record that holds its id; a record without it has the id `file:line` [default: id]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    id_field: Option<String>,

    /// The prefix of each id: `file` adds the name of the file and a `#`, as in a.jsonl#17, for files that each number
    /// their records from 1
    #[arg(long, action = ArgAction::Set, value_parser = choice(ID_PREFIXES), value_name = "WHAT", default_value = "none",
        help_heading = "Input")]
    id_prefix: bool,

    /// Field of a record that holds its text or a list of texts; `a.b` is the field b of a. Repeatable: fields that
    /// exist are joined by line breaks [default: text]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    text_field: Vec<String>,

    /// Which documents are HTML pages, whose markup is removed [default: auto; main with --preset web]
    #[arg(long, value_parser = choice(HTML), value_name = "WHICH", help_heading = "Input")]
    html: Option<HtmlMode>,

    /// Whether the markup of Markdown (.md, .markdown, .mkd) and LaTeX (.tex, .latex, .ltx) is part of the text
    #[arg(long, value_parser = choice(MARKUP), value_name = "WHAT", default_value = "keep", help_heading = "Input")]
    markup: MarkupMode,

    /// Whether the text of a mail message has the replies that it quotes (`> ...`, and the line `On ... wrote:` before
    /// them) and the signature after `-- ` [default: strip; keep for unique and plan]
    #[arg(long, value_parser = choice(MAIL_QUOTES), value_name = "WHAT", help_heading = "Input")]
    mail_quotes: Option<MailQuotes>,

    /// Read the subject of a mail message as the first line of its text
    #[arg(long, help_heading = "Input")]
    mail_subject: bool,

    /// Convert files with this extension to text by a command that reads the file from standard input and prints text,
    /// such as pdf='pdftotext - -'; repeatable
    #[arg(long, value_name = "EXT=CMD", value_parser = filter, help_heading = "Input")]
    filter: Vec<Filter>,

    /// The time limit of a filter for one document
    #[arg(long, value_name = "SECONDS", default_value_t = InputSettings::DEFAULT_FILTER_TIMEOUT.as_secs(),
        value_parser = whole::<u64>(1..=86_400), allow_negative_numbers = true, help_heading = "Input")]
    filter_timeout: u64,

    /// The encoding of texts that are not UTF-8 and declare no other, such as latin1, shift_jis or cp850; auto detects it for
    /// each file; with ! at the end, as in latin1!, the encoding of all texts without a byte order mark
    #[arg(long, value_name = "LABEL", value_parser = encoding, default_value = "auto", help_heading = "Input")]
    encoding: TextEncoding,

    /// How to handle a document that has bytes invalid in its encoding
    #[arg(long, value_parser = choice(INVALID), value_name = "WHAT", default_value = "skip", help_heading = "Input")]
    invalid: InvalidBytes,

    /// Maximum size of a document, as stored and as UTF-8, such as 10MiB, below 4GiB; larger ones are skipped and
    /// reported [default: 256MiB for unpacked documents, none for plain files]
    #[arg(long, value_name = "SIZE", value_parser = size(1..=u64::from(u32::MAX) - 1, "from 1 byte to 4294967294 bytes"),
        allow_negative_numbers = true, help_heading = "Input")]
    max_document_bytes: Option<u64>,

    /// Maximum window of .zst and .xz files, such as 2GiB; reading such a file needs as much memory. xz has 1GiB in any case
    #[arg(long, value_name = "SIZE", value_parser = size(1024..=4 << 30, "from 1KiB to 4GiB"), allow_negative_numbers = true,
        default_value = "128MiB", help_heading = "Input")]
    max_window: u64,

    /// Maximum that one compressed file or archive unpacks to, with all that is packed in it, such as 50GiB; the rest of it is
    /// skipped and reported [default: 1000 times its own size, and at least 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = size(1..=1 << 60, "from 1 byte to 1EiB"), allow_negative_numbers = true,
        help_heading = "Input")]
    max_unpacked: Option<u64>,

    /// Stop with exit code 2 at the first input that cannot be read. Documents and records without a text, and binary files in
    /// folders, are counted and make the exit code 3
    #[arg(long, help_heading = "Input")]
    strict: bool,

    /// Read only files that match; repeatable. A glob without `/` matches the file name, other globs match the path
    /// inside the folder
    #[arg(long, value_name = "GLOB", value_parser = glob, help_heading = "Input")]
    pub(super) include: Vec<PathGlob>,

    /// Skip files and folders that match; repeatable
    #[arg(long, value_name = "GLOB", value_parser = glob, help_heading = "Input")]
    pub(super) exclude: Vec<PathGlob>,

    /// Read hidden files and folders too
    #[arg(long, help_heading = "Input")]
    hidden: bool,

    /// Follow symbolic links inside folders
    #[arg(short = 'L', long, alias = "follow", help_heading = "Input")]
    follow_links: bool,

    /// Skip files that .gitignore files exclude
    #[arg(long, help_heading = "Input")]
    gitignore: bool,
}

/// The formats of files.
const FORMATS: Choices<InputFormat> = &[
    (
        "auto",
        InputFormat::Auto,
        "By extension, and by the first values of .json, .jsonl, .txt and names without an extension. A file with an unknown \
         extension is one text, and so is .json whose objects do not all have a text",
    ),
    ("text", InputFormat::Text, "One text a file"),
    ("lines", InputFormat::Lines, "One text a line, as in logs and lists of sentences or titles"),
    ("jsonl", InputFormat::JsonLines, "One document a line"),
    ("json", InputFormat::Json, "An array of objects, or objects one after another, one document each"),
    ("csv", InputFormat::Csv, "Comma-separated values with a header, one document a row"),
    ("tsv", InputFormat::Tsv, "Tab-separated values with a header, one document a row"),
    ("parquet", InputFormat::Parquet, "One document a row"),
    ("arrow", InputFormat::Arrow, "Arrow IPC or Feather, one document a row"),
    ("tar", InputFormat::Tar, "An archive whose members are read by extension"),
    ("zip", InputFormat::Zip, "An archive whose members are read by extension"),
    ("mail", InputFormat::Mail, "One mail message a file, and its attachments"),
    ("mbox", InputFormat::Mbox, "A mailbox of mail messages"),
    ("warc", InputFormat::Warc, "A web crawl: one document a page"),
];

/// Whether ids have a prefix.
const ID_PREFIXES: Choices<bool> = &[("none", false, "No prefix"), ("file", true, "The name of the file")];

const HTML: Choices<HtmlMode> = &[
    ("auto", HtmlMode::Auto, "Files with the extension .html, .htm or .xhtml"),
    ("strip", HtmlMode::Strip, "All documents, and the texts of records too"),
    ("raw", HtmlMode::Raw, "No document"),
    ("main", HtmlMode::Main, "The files of auto and the texts of records, each page without its menus and sidebars"),
];

const MARKUP: Choices<MarkupMode> = &[
    ("keep", MarkupMode::Keep, "Compare the text with its markup"),
    ("strip", MarkupMode::Strip, "Remove markup, comments and front matter"),
];

const MAIL_QUOTES: Choices<MailQuotes> = &[
    ("strip", MailQuotes::Strip, "Ignore quoted replies and signatures"),
    ("keep", MailQuotes::Keep, "Compare the whole text"),
];

const INVALID: Choices<InvalidBytes> = &[
    ("skip", InvalidBytes::Skip, "Skip and report it"),
    ("replace", InvalidBytes::Replace, "Replace the bytes by U+FFFD"),
];

fn delimiter(given: &str) -> Result<u8, String> {
    match given.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0) => Ok(*byte),
        _ => Err("give one character of ASCII, as in ';' or '\\t', and no quotation mark".into()),
    }
}

fn escape(given: &str) -> Result<u8, String> {
    match given.as_bytes() {
        [byte] if byte.is_ascii_punctuation() && *byte != b'"' => Ok(*byte),
        _ => Err("give one punctuation character of ASCII, as in '\\', and no quotation mark".into()),
    }
}

impl FileReadingFlags {
    /// Compares the whole texts of mail, unless the command line says otherwise, for commands that remove documents: messages
    /// with the same reply may quote different texts.
    pub(super) fn keep_mail_quotes(&self, input: &mut InputSettings) {
        if self.mail_quotes.is_none() {
            input.mail_quotes = MailQuotes::Keep;
        }
    }

    /// Warnings about flags that had no effect, because no input had a format that they apply to.
    pub(super) fn without_effect(&self, summary: &Summary) -> Vec<String> {
        const TABLE: &str = "no CSV or TSV";
        const RECORDS: &str = "no JSON Lines, CSV, TSV, Parquet or Arrow";
        [
            ("--no-header", self.no_header, summary.has_delimited, TABLE),
            ("--delimiter", self.delimiter.is_some(), summary.has_delimited, TABLE),
            ("--no-quoting", self.no_quoting, summary.has_delimited, TABLE),
            ("--quoted", self.quoted, summary.has_delimited, TABLE),
            ("--csv-escape", self.csv_escape.is_some(), summary.has_delimited, TABLE),
            ("--id-field", self.id_field.is_some(), summary.has_records, RECORDS),
            ("--id-prefix", self.id_prefix, summary.has_records, RECORDS),
            ("--text-field", !self.text_field.is_empty(), summary.has_records, RECORDS),
        ]
        .into_iter()
        .filter(|&(_, is_given, has_effect, _)| is_given && !has_effect)
        .map(|(flag, .., what)| {
            format!("{flag}: {what} was read, so it had no effect; remove it, or check --input-format")
        })
        .collect()
    }

    /// The given flags that choose files and the bytes and fields of their texts.
    pub(super) fn of_files(&self) -> impl Iterator<Item = &'static str> {
        let flags = [
            ("--text-field", !self.text_field.is_empty()),
            ("--encoding", self.encoding != TextEncoding::default()),
            ("--include", !self.include.is_empty()),
            ("--exclude", !self.exclude.is_empty()),
        ];
        flags.into_iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// The commands of `--filter`.
    pub(super) fn filters(&self) -> &[Filter] {
        &self.filter
    }

    /// The input settings without paths.
    ///
    /// * `preset`: supplies the format and the part of pages that are not given.
    pub(crate) fn settings(&self, preset: Option<Preset>) -> InputSettings {
        InputSettings {
            format: self.input_format.or(preset.and_then(Preset::input_format)).unwrap_or_default(),
            stdin_format: self.stdin_format,
            no_header: self.no_header,
            delimiter: self.delimiter.unwrap_or(InputSettings::default().delimiter),
            quoting: match (self.no_quoting, self.quoted) {
                (true, _) => Quoting::Off,
                (false, true) => Quoting::On,
                (false, false) => Quoting::Auto,
            },
            csv_escape: self.csv_escape,
            id_field: self.id_field.clone(),
            id_prefix: self.id_prefix,
            text_fields: match self.text_field.as_slice() {
                [] => InputSettings::default().text_fields,
                fields => fields.to_vec(),
            },
            strict: self.strict,
            encoding: self.encoding,
            invalid: self.invalid,
            html: self.html.or(preset.and_then(Preset::html)).unwrap_or_default(),
            markup: self.markup,
            mail_quotes: self.mail_quotes.unwrap_or_default(),
            mail_subject: self.mail_subject,
            max_document_bytes: self.max_document_bytes,
            max_window: self.max_window,
            max_unpacked: self.max_unpacked,
            filters: self.filter.clone(),
            filter_timeout: Duration::from_secs(self.filter_timeout),
            hidden: self.hidden,
            follow: self.follow_links,
            gitignore: self.gitignore,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            ..InputSettings::default()
        }
    }
}
