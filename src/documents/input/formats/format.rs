//! `Format`: decides how content is read, by its name, the flags, or its first bytes.
//!
//! Files with an unknown extension are one text. A new format of records or archives needs a variant, a line in
//! `EXTENSIONS` and in `unpack/file_kind.rs`, and its `Shape` in `unpack/peel.rs`. `unpack` calls its reader, which is a file. Its
//! name is in `InputFormat` and in `cli/flags/file_reading.rs`. A document that is recognised by its bytes is a
//! format of `bytes/extract`. A markup of texts needs a variant and a row of `ALL` in `documents/document/markup.rs`, its
//! extensions in `EXTENSIONS`, and a file in `bytes/markup`.

use std::ffi::OsStr;

use super::array::{Beginning, beginning};
use super::binary_kinds::{OLE_START, is_office};
use super::mail_kinds::{MailPlace, begins_mail, begins_mbox, begins_warc, begins_web_archive};
use crate::documents::document::Markup;
use crate::documents::input::codec::Codec;
use crate::documents::input::marks::{UTF8_MARK, utf16_of_mark};
use crate::documents::input::panic_guard::contain;
use crate::documents::input::paths::path_of;
use crate::documents::input::settings::{InputFormat, Inputs};
use crate::documents::input::text_modes::{HtmlMode, MarkupMode};

/// How content is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// One document.
    Text {
        markup: Markup,
    },
    /// One document: the output of the filter with this number.
    Filtered(usize),
    /// JSON Lines: each line is a document.
    JsonLines,
    /// JSON: each element of an array, or each of several objects, is a document.
    Json,
    /// Like `Json` if all elements are records, otherwise one document.
    JsonOrText,
    /// Plain text where each line is a document, the set of its fields.
    SetLines,
    /// Plain text where each line is a document.
    TextLines,
    /// A table where each row is a document and this byte separates the fields.
    Delimited(u8),
    /// Parquet: each row is a document.
    Parquet,
    /// Arrow IPC, as a file or a stream: each row is a document.
    Arrow,
    /// A tar archive of members.
    Tar,
    Zip,
    /// One mail message: its text is a document, and so is each attachment.
    Mail,
    /// A mailbox in mbox format: each message is read like `Mail`.
    Mbox,
    /// A web crawl in WARC format: each record with a page or its text is a document.
    Warc,
    /// Compressed content in another format.
    Compressed(Codec),
}

/// Bytes at the start of a stream that are needed to determine its format: the length of a tar header, which contains
/// the magic bytes of tar.
pub(crate) const FORMAT_PREFIX: usize = 512;
const USTAR: usize = 257;

const HTML: Format = Format::Text { markup: Markup::Html };
const MARKDOWN: Format = Format::Text { markup: Markup::Markdown };
const LATEX: Format = Format::Text { markup: Markup::Latex };
/// The format of CSV with the default delimiter.
const CSV: Format = Format::Delimited(b',');

#[rustfmt::skip]
const EXTENSIONS: [(&str, Format); 42] = [
    ("jsonl", Format::JsonLines), ("ndjson", Format::JsonLines),
    ("ldjson", Format::JsonLines), ("jsonlines", Format::JsonLines),
    ("json", Format::JsonOrText),
    ("csv", CSV), ("tsv", Format::Delimited(b'\t')), ("tab", Format::Delimited(b'\t')),
    ("parquet", Format::Parquet),
    ("arrow", Format::Arrow), ("arrows", Format::Arrow), ("feather", Format::Arrow),
    ("html", HTML), ("htm", HTML), ("xhtml", HTML),
    ("md", MARKDOWN), ("markdown", MARKDOWN), ("mkd", MARKDOWN), ("tex", LATEX), ("latex", LATEX), ("ltx", LATEX),
    ("tar", Format::Tar), ("zip", Format::Zip),
    ("eml", Format::Mail), ("emlx", Format::Mail), ("mht", Format::Mail), ("mhtml", Format::Mail),
    ("mbox", Format::Mbox), ("mbx", Format::Mbox),
    ("warc", Format::Warc), ("wet", Format::Warc), ("wat", Format::Warc),
    ("gz", Format::Compressed(Codec::Gzip)), ("tgz", Format::Compressed(Codec::Gzip)),
    ("zst", Format::Compressed(Codec::Zstd)), ("tzst", Format::Compressed(Codec::Zstd)),
    ("bz2", Format::Compressed(Codec::Bzip2)), ("tbz2", Format::Compressed(Codec::Bzip2)),
    ("tbz", Format::Compressed(Codec::Bzip2)),
    ("xz", Format::Compressed(Codec::Xz)), ("txz", Format::Compressed(Codec::Xz)),
    ("lzma", Format::Compressed(Codec::Lzma)),
];

impl Format {
    /// The format of a file with this name. A member of an archive has the format of the settings, unless that is an
    /// archive format or mail or a web crawl.
    pub(crate) fn of(inputs: Inputs, name: &[u8], is_member: bool) -> Self {
        Self::chosen(inputs, inputs.format, name, is_member)
    }

    /// The format of a file with this name, with `format` instead of the format of the settings.
    fn chosen(inputs: Inputs, format: InputFormat, name: &[u8], is_member: bool) -> Self {
        let extension = extension(name);
        let matches = |other: &str| extension.is_some_and(|extension| extension.eq_ignore_ascii_case(other));
        if let Some(number) = inputs.filters.iter().rposition(|filter| matches(&filter.extension)) {
            return Self::Filtered(number);
        }
        let by_extension = EXTENSIONS.iter().find(|(other, _)| matches(other)).map(|&(_, format)| match format {
            CSV => Self::Delimited(inputs.delimiter),
            format => format,
        });
        let markup = if let Some(Self::Text { markup }) = by_extension { markup } else { Markup::None };
        let text = Self::text(inputs, markup);
        match (by_extension, format) {
            (Some(container @ Self::Compressed(_)), _) => container,
            (_, InputFormat::Tar) if !is_member => Self::Tar,
            (_, InputFormat::Zip) if !is_member => Self::Zip,
            (Some(archive @ (Self::Tar | Self::Zip)), _) => archive,
            (_, InputFormat::Text) => text,
            (_, InputFormat::Lines) if inputs.sets => Self::SetLines,
            (_, InputFormat::Lines) => Self::TextLines,
            (_, InputFormat::JsonLines) => Self::JsonLines,
            (_, InputFormat::Json) => Self::Json,
            (_, InputFormat::Csv) => Self::Delimited(inputs.delimiter),
            (_, InputFormat::Tsv) => Self::Delimited(b'\t'),
            (_, InputFormat::Parquet) => Self::Parquet,
            (_, InputFormat::Arrow) => Self::Arrow,
            (_, InputFormat::Mail) if !is_member => Self::Mail,
            (_, InputFormat::Mbox) if !is_member => Self::Mbox,
            (_, InputFormat::Warc) if !is_member => Self::Warc,
            (Some(Self::Text { .. }) | None, _) => text,
            (Some(format), _) => format,
        }
    }

    /// Whether the first values of the content decide if it holds records one after another, and whether on a line each. They
    /// decide for `.json`, for names without an extension of letters, such as `part-00000`, for `.txt` and its like, and for
    /// `.jsonl`. For all of these but JSON they also decide if it is a mailbox or a web crawl.
    pub(crate) fn may_be_values(self, inputs: Inputs, name: &[u8]) -> bool {
        let is_by_name = inputs.format == InputFormat::Auto || inputs.format.is_container();
        match self {
            Self::JsonOrText => true,
            Self::JsonLines => is_by_name,
            Self::Text { markup: Markup::None } => {
                let is_number = |it: &OsStr| it.as_encoded_bytes().iter().all(u8::is_ascii_digit);
                let is_open = || extension(name).is_none_or(is_number) || may_be_mail(name) || is_named_office(name);
                is_by_name && (is_named_a_text(name) || is_open())
            }
            _ => false,
        }
    }

    /// The format if the content turns out not to be JSON records: text instead of `JsonOrText`, otherwise unchanged.
    pub(crate) fn or_text(self, inputs: Inputs) -> Self {
        if self == Self::JsonOrText { Self::text(inputs, Markup::None) } else { self }
    }

    /// The format of a text.
    ///
    /// * `by_name`: the markup that the extension of its name says.
    fn text(inputs: Inputs, by_name: Markup) -> Self {
        let by_name = match by_name {
            Markup::None | Markup::Html => by_name,
            Markup::Markdown | Markup::Latex => match inputs.markup {
                MarkupMode::Keep => Markup::None,
                MarkupMode::Strip => by_name,
            },
        };
        let markup = match inputs.html {
            HtmlMode::Strip => Markup::Html,
            HtmlMode::Raw if by_name == Markup::Html => Markup::None,
            HtmlMode::Auto | HtmlMode::Main | HtmlMode::Raw => by_name,
        };
        if inputs.sets { Self::SetLines } else { Self::Text { markup } }
    }

    /// The format of a text without markup, or of a document that is recognised by its content.
    pub(crate) fn text_of(inputs: Inputs) -> Self {
        Self::text(inputs, Markup::None)
    }

    /// The format of a stream whose name says nothing about it, by its first [`FORMAT_PREFIX`] bytes unless a format
    /// was chosen. Compression is always recognised by these bytes. `None` for a text or records, which need more bytes
    /// to distinguish.
    ///
    /// * `is_stdin`: whether the stream is standard input.
    pub(crate) fn of_start(inputs: Inputs, is_stdin: bool, start: &[u8]) -> Option<Self> {
        let chosen = Some(inputs.stdin_format).filter(|&format| is_stdin && format != InputFormat::Auto);
        match (Codec::of_magic(start), chosen.unwrap_or(inputs.format), start) {
            (Some(codec), ..) => Some(Self::Compressed(codec)),
            (None, InputFormat::Auto, start) if is_office(start) => None,
            (None, InputFormat::Auto, start) => Self::of_magic(start),
            (None, chosen, _) => Some(Self::chosen(inputs, chosen, b"-", false)),
        }
    }

    /// The binary format whose files begin with these bytes.
    pub(crate) fn of_magic(start: &[u8]) -> Option<Self> {
        match start {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', 0, 0, ..] => Some(Self::Arrow),
            // The first message of a stream, with a length below 16 MiB.
            [0xFF, 0xFF, 0xFF, 0xFF, _, _, _, 0, 0x10, 0, 0, 0, ..] => Some(Self::Arrow),
            start => start.get(USTAR..).filter(|rest| rest.starts_with(b"ustar")).map(|_| Self::Tar),
        }
    }

    /// The format of a stream of text or records: JSON Lines when its first line is an object, or a page.
    ///
    /// * `line`: the first line, possibly truncated.
    pub(crate) fn of_first_line(inputs: Inputs, line: &[u8]) -> Self {
        match beginning(line) {
            Some(Beginning::Object) if is_json(line) => Self::JsonLines,
            Some(Beginning::ArrayOfObjects) => Self::JsonOrText,
            _ if begins_as_page(line) => Self::text(inputs, Markup::Html),
            _ => Self::text(inputs, Markup::None),
        }
    }

    /// The container of documents that content is, by its first bytes: mail or a web crawl. Only content whose name
    /// leaves its format open is looked at.
    ///
    /// * `name`: of the content. A plain text may begin with lines that look like the header of a message, so a name that
    ///   says that it is a text is an objection to mail.
    pub(crate) fn of_container(name: &[u8], start: &[u8]) -> Option<Self> {
        let is_outlook = || extension(name).is_some_and(|extension| extension.eq_ignore_ascii_case("msg"));
        if is_named_office(name) {
            return begins_web_archive(start).then_some(Self::Mail);
        }
        if start.starts_with(OLE_START) && is_outlook() {
            Some(Self::Mail)
        } else if begins_warc(start) {
            Some(Self::Warc)
        } else if begins_mbox(start) {
            Some(Self::Mbox)
        } else {
            let place = if is_in_maildir(name) { MailPlace::Maildir } else { MailPlace::Other };
            (!is_named_a_text(name) && begins_mail(start, place)).then_some(Self::Mail)
        }
    }

    /// Whether a file with this name is an archive, whose members are selected by globs like the files of a folder.
    pub(crate) fn is_archive(inputs: Inputs, name: &[u8]) -> bool {
        match Self::of(inputs, name, false) {
            Self::Tar | Self::Zip => true,
            Self::Compressed(_) => matches!(Self::of(inputs, &name_inside(name), false), Self::Tar | Self::Zip),
            _ => false,
        }
    }
}

/// The codec that belongs to the extension of a name.
pub(crate) fn codec_of_name(name: &[u8]) -> Option<Codec> {
    let extension = extension(name)?;
    let (_, format) = EXTENSIONS.iter().find(|(other, _)| extension.eq_ignore_ascii_case(other))?;
    if let Format::Compressed(codec) = format { Some(*codec) } else { None }
}

/// Whether the name says anything of the format.
pub(crate) fn has_extension(name: &[u8]) -> bool {
    extension(name).is_some()
}

/// The name of the compressed content: `a.txt` for `a.txt.gz`, `a.tar` for `a.tgz`.
pub(crate) fn name_inside(name: &[u8]) -> Vec<u8> {
    let Some(extension) = extension(name) else { return name.to_owned() };
    let mut inside = name[..name.len() - extension.len() - 1].to_owned();
    if extension.as_encoded_bytes()[0].eq_ignore_ascii_case(&b't') {
        inside.extend_from_slice(b".tar");
    }
    inside
}

/// Whether the name says that the content is a text, of lines that may be records.
pub(crate) fn is_named_a_text(name: &[u8]) -> bool {
    const NAMES: [&str; 6] = ["txt", "text", "log", "dat", "data", "jl"];
    extension(name).is_some_and(|extension| NAMES.iter().any(|name| extension.eq_ignore_ascii_case(name)))
}

/// Whether the name says that an office program wrote the content. Such programs also write pages and web archives under these
/// names.
pub(crate) fn is_named_office(name: &[u8]) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 15] = [
        "doc", "docm", "docx", "dot", "odt", "pps", "ppt", "pptx", "rtf", "wpd", "wps", "xls", "xlsm", "xlsx", "xlt",
    ];
    extension(name).is_some_and(|extension| NAMES.iter().any(|name| extension.eq_ignore_ascii_case(name)))
}

/// Whether a file with this name may be mail, although its extension is not one of mail only.
fn may_be_mail(name: &[u8]) -> bool {
    const NAMES: [&str; 4] = ["msg", "mail", "email", "news"];
    let is_mbox = path_of(name)
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"mbox")));
    let has_name = || extension(name).is_some_and(|it| NAMES.iter().any(|name| it.eq_ignore_ascii_case(name)));
    is_mbox || is_in_maildir(name) || has_name()
}

/// Whether a file is in a folder of a Maildir, whose file names say nothing about their format.
fn is_in_maildir(name: &[u8]) -> bool {
    let folder = path_of(name).parent().and_then(|parent| parent.file_name());
    folder.is_some_and(|folder| ["cur", "new", "tmp"].iter().any(|other| folder == *other))
}

/// Whether a page of an unknown type begins like HTML.
pub(in crate::documents::input) fn begins_as_page(body: &[u8]) -> bool {
    let start = body.strip_prefix(UTF8_MARK).unwrap_or(body).trim_ascii_start();
    let begins = |tag: &[u8]| start.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    begins(b"<!doctype html") || begins(b"<html")
}

/// Whether a file with the name of an office document is a page.
pub(in crate::documents::input) fn is_office_page(name: &[u8], bytes: &[u8]) -> bool {
    /// Number of first bytes that show it.
    const START: usize = 1024;
    if !is_named_office(name) {
        return false;
    }
    let start = &bytes[..bytes.len().min(START)];
    let decoded = utf16_of_mark(start).and_then(|encoding| contain(|| encoding.decode(start).0.into_owned()).ok());
    let start = decoded.as_deref().map_or(start, str::as_bytes);
    let start = start.strip_prefix(UTF8_MARK).unwrap_or(start).trim_ascii_start();
    let is_xml = start.starts_with(b"<?xml");
    let end = memchr::memmem::find(start, b"?>").filter(|_| is_xml).map_or(0, |end| end + 2);
    begins_as_page(&start[end..])
}

/// Whether a line is a single JSON value.
pub(crate) fn is_json(line: &[u8]) -> bool {
    contain(|| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()).unwrap_or(false)
}

/// The extension of a name, unless it is empty.
pub(crate) fn extension(name: &[u8]) -> Option<&OsStr> {
    // On systems where the name cannot be a path, it has no extension either.
    path_of(name).extension().filter(|extension| !extension.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::settings::InputSettings;

    #[test]
    fn what_is_inside_is_named_without_the_outer_extension() {
        for (name, inside) in
            [("a/b.txt.gz", "a/b.txt"), ("a.tgz", "a.tar"), ("a.TXZ", "a.tar"), ("b.zst", "b"), ("none", "none")]
        {
            assert_eq!(name_inside(name.as_bytes()), inside.as_bytes(), "{name}");
        }
    }

    #[test]
    fn a_filter_counts_for_more_than_the_extension_and_the_format_chosen_for_more_than_both() {
        let mut settings = InputSettings::default();
        let of =
            |settings: &InputSettings, name: &str| Format::of(Inputs { settings, sets: false }, name.as_bytes(), false);
        assert_eq!(of(&settings, "a.CSV"), Format::Delimited(b','));
        assert_eq!(of(&settings, "a.htm"), HTML);
        assert_eq!(of(&settings, ".csv"), Format::Text { markup: Markup::None }, "a hidden file without an extension");
        settings.delimiter = b';';
        assert_eq!(of(&settings, "a.csv"), Format::Delimited(b';'));
        assert_eq!(of(&settings, "a.tsv"), Format::Delimited(b'\t'));
        settings.format = InputFormat::JsonLines;
        assert_eq!(of(&settings, "a.csv"), Format::JsonLines);
        assert_eq!(of(&settings, "a.csv.gz"), Format::Compressed(Codec::Gzip));
        assert_eq!(of(&settings, "a.zip"), Format::Zip);
        settings.format = InputFormat::Tar;
        assert_eq!(of(&settings, "a.zip"), Format::Tar);
        assert_eq!(Format::of(Inputs { settings: &settings, sets: false }, b"a.zip", true), Format::Zip);
        settings.filters.push("CSV=cat".parse().unwrap());
        assert_eq!(of(&settings, "a.csv"), Format::Filtered(0));
    }
}
