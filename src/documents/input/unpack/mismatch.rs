//! `mismatch`: the first bytes of something and the format that its name says in, what it is instead out.

use std::fmt;

use crate::base::setting::Setting;
use crate::documents::input::bytes::decode::certain_kind;
use crate::documents::input::codec::Codec;
use crate::documents::input::formats::format::Format;
use crate::documents::input::marks::UTF8_MARK;

/// The message about content that cannot have the format that its name or a flag says; `None` when it may have it.
///
/// * `start`: its first bytes. Nothing follows when there are none.
pub(super) fn mismatch(format: Format, start: &[u8]) -> Option<String> {
    let name = match format {
        Format::Compressed(Codec::Gzip) => "gzip",
        Format::Compressed(Codec::Zstd) => "zstd",
        Format::Compressed(Codec::Bzip2) => "bzip2",
        Format::Compressed(Codec::Xz) => "xz",
        Format::Compressed(Codec::Lzma) => "lzma",
        Format::Parquet => "Parquet",
        Format::Arrow => "Arrow",
        Format::Zip => "zip",
        Format::Tar => "tar",
        _ => return None,
    };
    // An archive may begin with a program that unpacks it, or with the name of a member.
    if matches!(
        (format, start),
        (Format::Parquet, [b'P', b'A', b'R', ..])
            | (Format::Arrow, [0xFF, ..] | [b'A', b'R', b'R', ..] | [b'F', b'E', b'A', ..])
            | (Format::Zip, [b'P', b'K', ..])
    ) {
        return None;
    }
    let is_archive = matches!(format, Format::Zip | Format::Tar);
    if start.is_empty() && format != Format::Tar {
        return Some(format!("empty, where {name} was expected; skipped"));
    }
    let (found, remedy) = text_of(start)?;
    if is_archive && !matches!(found.as_str(), "an HTML page" | "JSON" | "XML") {
        return None;
    }
    // A flag does not change how a compressed file is read.
    let is_table = matches!(format, Format::Parquet | Format::Arrow);
    let remedy = remedy.map(|remedy| if is_table { remedy } else { MismatchRemedy::Rename });
    let remedy = remedy.map_or(String::new(), |remedy| format!(" ({remedy})"));
    Some(format!("{found}, where {name} was expected; skipped{remedy}"))
}

const PLAIN: &str = "plain text";

/// How to read content whose name says another format.
#[derive(Debug, Clone, Copy)]
enum MismatchRemedy {
    Rename,
    /// The values of [`Setting::Format`] that read it.
    Format(&'static str),
    /// A value of [`Setting::Format`], which depends on the text.
    AnyFormat,
}

impl fmt::Display for MismatchRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rename => f.write_str("give it a name that says its format"),
            Self::Format(values) => write!(f, "{} {values} reads it", Setting::Format),
            Self::AnyFormat => write!(f, "{} says how it is read", Setting::Format),
        }
    }
}

/// The format that the first bytes show, and how to read it; `None` when it is not known.
fn text_of(start: &[u8]) -> Option<(String, Option<MismatchRemedy>)> {
    match start {
        [b'P', b'K', 3, 4, ..] => return Some(("a zip archive".to_owned(), Some(MismatchRemedy::Format("zip")))),
        [b'P', b'A', b'R', b'1', ..] => return Some(("Parquet".to_owned(), Some(MismatchRemedy::Format("parquet")))),
        _ => {}
    }
    if let Some(kind) = certain_kind(start) {
        return Some((kind, Some(MismatchRemedy::Rename)));
    }
    let text = start.strip_prefix(UTF8_MARK).unwrap_or(start).trim_ascii_start();
    let whole = match std::str::from_utf8(text) {
        Ok(text) => text,
        // A character may be cut at the end.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&text[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    if whole.is_empty() || whole.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r')) {
        return None;
    }
    let lower = whole.to_ascii_lowercase();
    let begins = |starts: &[&str]| starts.iter().any(|start| lower.starts_with(start));
    Some(match () {
        () if begins(&["<!doctype html", "<html"]) => ("an HTML page".to_owned(), None),
        () if begins(&["<?xml"]) => ("XML".to_owned(), Some(MismatchRemedy::Rename)),
        () if begins(&["{", "[{", "[\n", "[\r"]) => ("JSON".to_owned(), Some(MismatchRemedy::Format("jsonl or json"))),
        () => (PLAIN.to_owned(), Some(MismatchRemedy::AnyFormat)),
    })
}
