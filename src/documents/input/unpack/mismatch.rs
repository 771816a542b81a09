//! `mismatch`: the first bytes of something and the format that its name says in, what it is instead out.

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
    let remedy = if matches!(format, Format::Parquet | Format::Arrow) || remedy.is_empty() { remedy } else { RENAME };
    Some(format!("{found}, where {name} was expected; skipped{remedy}"))
}

const RENAME: &str = " (give it a name that says its format)";
const ZIP: &str = " (--input-format zip reads it)";
const PARQUET: &str = " (--input-format parquet reads it)";
const JSON: &str = " (--input-format jsonl or json reads it)";
const TEXT: &str = " (--input-format says how it is read)";
const PLAIN: &str = "plain text";

/// The format that the first bytes show, and how to read it; `None` when it is not known.
fn text_of(start: &[u8]) -> Option<(String, &'static str)> {
    match start {
        [b'P', b'K', 3, 4, ..] => return Some(("a zip archive".to_owned(), ZIP)),
        [b'P', b'A', b'R', b'1', ..] => return Some(("Parquet".to_owned(), PARQUET)),
        _ => {}
    }
    if let Some(kind) = certain_kind(start) {
        return Some((kind, RENAME));
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
        () if begins(&["<!doctype html", "<html"]) => ("an HTML page".to_owned(), ""),
        () if begins(&["<?xml"]) => ("XML".to_owned(), RENAME),
        () if begins(&["{", "[{", "[\n", "[\r"]) => ("JSON".to_owned(), JSON),
        () => (PLAIN.to_owned(), TEXT),
    })
}
