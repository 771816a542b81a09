//! The flags of what is read, and how.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use dedup::{
    Error, Filter, HtmlMode, InputConfig, InputFormat, InvalidBytes, PathGlob, Result, TextEncoding, read_path_list,
};

#[derive(Debug, Args)]
pub(super) struct InputFlags {
    /// Files, folders, data sets (JSON Lines, CSV, TSV, Parquet) and archives (tar, zip), also compressed; `-` is
    /// standard input
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<PathBuf>,

    /// How files are read: by extension, or all in one way. Compressed files are unpacked first
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Auto, help_heading = "Input")]
    input_format: Format,

    /// How `-`, standard input, is read, whatever --input-format says of files; auto looks at its first bytes
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Auto, hide_possible_values = true,
        help_heading = "Input")]
    stdin_format: Format,

    /// What separates the fields of CSV, a character of ASCII, as in ';' or '\t' [default: ,]
    #[arg(long, value_name = "CHAR", value_parser = delimiter, hide_default_value = true,
        default_value = ",", help_heading = "Input")]
    delimiter: u8,

    /// In CSV and TSV quotation marks are characters like any other, as in many TSV files
    #[arg(long, help_heading = "Input")]
    no_quoting: bool,

    /// Field of a record that names it; records without it are named `file:line` [default: id]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    id_field: Option<String>,

    /// Field of a record that holds its text, or a list of texts; `a.b` is the field b of a. Repeatable: those that are
    /// there are joined by line breaks
    #[arg(long, value_name = "NAME", default_value = "text", help_heading = "Input")]
    text_field: Vec<String>,

    /// Which documents are HTML pages, of which the text without markup counts
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Html::Auto, help_heading = "Input")]
    html: Html,

    /// Make text of the files with an extension by a command that reads the file on its standard input and prints text,
    /// as in pdf='pdftotext - -'; repeatable
    #[arg(long, value_name = "EXT=CMD", help_heading = "Input")]
    filter: Vec<Filter>,

    /// How long a filter may take for one document
    #[arg(long, value_name = "SECONDS", default_value_t = InputConfig::DEFAULT_FILTER_TIMEOUT.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..=86_400), help_heading = "Input")]
    filter_timeout: u64,

    /// What texts without a byte order mark are, by a label such as latin1 or shift_jis [default: utf-8]
    #[arg(long, value_name = "LABEL", help_heading = "Input")]
    encoding: Option<TextEncoding>,

    /// What becomes of a document with bytes that are not of its encoding
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Invalid::Skip, help_heading = "Input")]
    invalid: Invalid,

    /// Most bytes of one document, as stored and as UTF-8, below 4 GiB; larger ones are skipped and named [default: 268435456 for what is
    /// unpacked, none for plain files]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..u64::from(u32::MAX)),
        help_heading = "Input")]
    max_document_bytes: Option<u64>,

    /// Let the first input that cannot be read end the run, with 2
    #[arg(long, help_heading = "Input")]
    strict: bool,

    /// Read more paths from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    files_from: Option<PathBuf>,

    /// The paths of --files-from are separated by NUL bytes, as by `find -print0`
    #[arg(short = '0', long, requires = "files_from", help_heading = "Input")]
    null: bool,

    /// Read only files that match; repeatable. Without `/` the file name is matched, else the path inside the folder
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    include: Vec<PathGlob>,

    /// Leave out files and folders that match; repeatable
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    exclude: Vec<PathGlob>,

    /// Read hidden files and folders too
    #[arg(long, help_heading = "Input")]
    hidden: bool,

    /// Follow symbolic links inside folders
    #[arg(long, help_heading = "Input")]
    follow: bool,

    /// Leave out what .gitignore files leave out
    #[arg(long, help_heading = "Input")]
    gitignore: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// By extension; what has no known one is one text
    Auto,
    /// One text a file
    Text,
    /// One document a line
    Jsonl,
    /// Comma-separated values with a header, one document a row
    Csv,
    /// Tab-separated values with a header, one document a row
    Tsv,
    /// One document a row
    Parquet,
    /// An archive whose members are read by extension
    Tar,
    /// An archive whose members are read by extension
    Zip,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Html {
    /// .html, .htm and .xhtml
    Auto,
    /// All, records too
    Strip,
    /// None
    Raw,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Invalid {
    /// It is skipped and named
    Skip,
    /// The bytes count as U+FFFD
    Replace,
}

impl From<Format> for InputFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Auto => Self::Auto,
            Format::Text => Self::Text,
            Format::Jsonl => Self::JsonLines,
            Format::Csv => Self::Csv,
            Format::Tsv => Self::Tsv,
            Format::Parquet => Self::Parquet,
            Format::Tar => Self::Tar,
            Format::Zip => Self::Zip,
        }
    }
}

fn delimiter(given: &str) -> Result<u8, String> {
    match given.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0) => Ok(*byte),
        _ => Err("give one character of ASCII, as in ';' or '\\t', and no quotation mark".into()),
    }
}

impl InputFlags {
    pub(super) fn config(&self, against: Vec<PathBuf>, templates: &[PathBuf]) -> Result<InputConfig> {
        let stdin = Path::new("-");
        let check_stdin = |listed: &[PathBuf]| {
            let num_sources = {
                let paths = self.paths.iter().chain(listed).chain(&against).chain(templates);
                paths.filter(|path| *path == stdin).count()
            };
            if num_sources + usize::from(self.files_from.as_deref() == Some(stdin)) > 1 {
                return Err(Error::StdinTwice);
            }
            Ok(())
        };
        // Before standard input is read as a list, and again with what a list names.
        check_stdin(&[])?;
        let listed = self.files_from.as_deref().map(|list| read_path_list(list, self.null)).transpose()?;
        check_stdin(listed.as_deref().unwrap_or_default())?;
        Ok(InputConfig {
            sets: false,
            paths: self.paths.clone(),
            listed: listed.unwrap_or_default(),
            against,
            format: self.input_format.into(),
            stdin_format: self.stdin_format.into(),
            delimiter: self.delimiter,
            no_quoting: self.no_quoting,
            id_field: self.id_field.clone(),
            text_fields: self.text_field.clone(),
            strict: self.strict,
            encoding: self.encoding,
            invalid: match self.invalid {
                Invalid::Skip => InvalidBytes::Skip,
                Invalid::Replace => InvalidBytes::Replace,
            },
            html: match self.html {
                Html::Auto => HtmlMode::Auto,
                Html::Strip => HtmlMode::Strip,
                Html::Raw => HtmlMode::Raw,
            },
            max_document_bytes: self.max_document_bytes,
            group_by: None,
            filters: self.filter.clone(),
            filter_timeout: Duration::from_secs(self.filter_timeout),
            hidden: self.hidden,
            follow: self.follow,
            gitignore: self.gitignore,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
        })
    }
}
