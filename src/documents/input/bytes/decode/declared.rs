//! Determines the encoding that a document declares.
//!
//! HTML pages and XML declare it by the rules of the HTML standard, style sheets by `@charset`, and program sources by
//! a coding cookie: PEP 263 for Python, whose form Ruby and Emacs share, and the mode line of vim.

use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use regex::bytes::Regex;

use crate::documents::input::charset::Charset;

/// Bytes at the start of a page in which the declaration is searched for (HTML standard, 13.2.3.2).
const PRESCANNED: usize = 1024;
/// Maximum bytes of a line in which a cookie is searched for.
const MOST_LINE: usize = 1024;

/// The encoding that a document without a byte order mark declares.
///
/// * `is_page`: whether the document's name says that it is an HTML page. Otherwise a document that begins with `<` may
///   be a page.
pub(super) fn declared(bytes: &[u8], is_page: bool) -> Option<Charset> {
    let start = &bytes[..bytes.len().min(PRESCANNED)];
    match start {
        [b'<', 0, b'?', 0, b'x', 0, ..] => return Some(UTF_16LE.into()),
        [0, b'<', 0, b'?', 0, b'x', ..] => return Some(UTF_16BE.into()),
        _ => {}
    }
    if let Some(label) = start.strip_prefix(b"@charset \"") {
        return label.split(|&byte| byte == b'"').next().and_then(of_markup).map(Charset::Web);
    }
    let is_markup = is_page || start.trim_ascii_start().starts_with(b"<");
    let in_markup = is_markup.then(|| of_xml_declaration(start).or_else(|| prescan(start))).flatten();
    in_markup.map(Charset::Web).or_else(|| cookie(bytes))
}

/// The encoding of a label in markup. The markup was read as ASCII bytes, so a label of UTF-16 must be wrong.
fn of_markup(label: &[u8]) -> Option<&'static Encoding> {
    match Encoding::for_label(label)? {
        encoding if encoding == UTF_16LE || encoding == UTF_16BE => Some(UTF_8),
        encoding if encoding.name() == "x-user-defined" => Some(WINDOWS_1252),
        encoding => Some(encoding),
    }
}

fn of_xml_declaration(start: &[u8]) -> Option<&'static Encoding> {
    static ENCODING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?s-u)\A<\?xml[^>]*?encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^">]*)"|'([^'>]*)')"#)
            .expect("a pattern")
    });
    let found = ENCODING.captures(start)?;
    of_markup(found.get(1).or(found.get(2))?.as_bytes())
}

/// "Prescan a byte stream to determine its encoding" of the HTML standard.
fn prescan(start: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while at < start.len() {
        let rest = &start[at..];
        if rest.starts_with(b"<!--") {
            // The two dashes may belong to the opening `<!--`.
            at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 2;
        } else if rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<meta") && (is_space(rest[5]) || rest[5] == b'/') {
            at += 5;
            if let Some(encoding) = meta(start, &mut at) {
                return Some(encoding);
            }
        } else if matches!(rest, [b'<', b'/', b'a'..=b'z' | b'A'..=b'Z', ..] | [b'<', b'a'..=b'z' | b'A'..=b'Z', ..]) {
            at += rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
            while attribute(start, &mut at).is_some() {}
        } else if matches!(rest, [b'<', b'!' | b'/' | b'?', ..]) {
            at += memchr::memchr(b'>', rest)?;
        } else {
            at += 1;
            at += memchr::memchr(b'<', &start[at..])?;
            continue;
        }
        at += 1;
    }
    None
}

/// The encoding that the attributes of a `meta` element declare.
fn meta(start: &[u8], at: &mut usize) -> Option<&'static Encoding> {
    let (mut is_pragma, mut needs_pragma, mut charset, mut seen) = (false, None, None, Vec::new());
    while let Some((name, value)) = attribute(start, at) {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => is_pragma |= value == b"content-type",
            b"content" if charset.is_none() => {
                if let Some(found) = of_content(&value) {
                    (charset, needs_pragma) = (Some(found), Some(true));
                }
            }
            b"charset" => (charset, needs_pragma) = (of_markup(&value), Some(false)),
            _ => {}
        }
        seen.push(name);
    }
    let is_whole = start.get(*at) == Some(&b'>');
    charset.filter(|_| is_whole && needs_pragma.is_some_and(|needs| is_pragma || !needs))
}

/// "Extracting a character encoding from a meta element" of the HTML standard.
fn of_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        rest = &rest[memchr::memmem::find(rest, b"charset")? + b"charset".len()..];
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value.first()? {
            quote @ (b'"' | b'\'') => of_markup(&value[1..1 + memchr::memchr(*quote, &value[1..])?]),
            _ => of_markup(value.split(|&byte| is_space(byte) || byte == b';').next()?),
        };
    }
}

/// "Get an attribute" of the HTML standard: name and value in lower case, from `at` on; `None` at the end of the tag.
fn attribute(start: &[u8], at: &mut usize) -> Option<(Vec<u8>, Vec<u8>)> {
    let skip = |at: &mut usize, of: fn(u8) -> bool| {
        while start.get(*at).is_some_and(|&byte| of(byte)) {
            *at += 1;
        }
    };
    skip(at, |byte| is_space(byte) || byte == b'/');
    if matches!(start.get(*at), None | Some(b'>')) {
        return None;
    }
    let begin = *at;
    // An `=` may begin a name.
    *at += 1;
    skip(at, |byte| !is_space(byte) && !matches!(byte, b'=' | b'/' | b'>'));
    let name = start[begin..*at].to_ascii_lowercase();
    skip(at, is_space);
    if start.get(*at) != Some(&b'=') {
        return Some((name, Vec::new()));
    }
    *at += 1;
    skip(at, is_space);
    let value = match *start.get(*at)? {
        quote @ (b'"' | b'\'') => {
            let begin = *at + 1;
            let len = memchr::memchr(quote, &start[begin..])?;
            *at = begin + len + 1;
            &start[begin..begin + len]
        }
        _ => {
            let begin = *at;
            skip(at, |byte| !is_space(byte) && byte != b'>');
            &start[begin..*at]
        }
    };
    Some((name, value.to_ascii_lowercase()))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// The encoding of a coding cookie in the first two lines, or of a vim mode line in the first or last five lines.
fn cookie(bytes: &[u8]) -> Option<Charset> {
    /// PEP 263 has the cookie after `#`; Emacs has it between `-*-`, in a comment of any language.
    static COOKIE: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?-u)(?:^[ \t\x0C]*#.*?coding[:=]|-\*-.*?\bcoding:)[ \t]*([-_.a-zA-Z0-9]+)";
        Regex::new(pattern).expect("a pattern")
    });
    static MODE_LINE: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?-u)(?:^|[ \t])(?:vim?|ex):.*?\b(?:fileencoding|fenc)=([-_.a-zA-Z0-9]+)";
        Regex::new(pattern).expect("a pattern")
    });
    let found_in = |pattern: &Regex, line: &[u8]| {
        let line = &line[..line.len().min(MOST_LINE)];
        of_editor(pattern.captures(line)?.get(1)?.as_bytes())
    };
    let is_end = |&byte: &u8| matches!(byte, b'\n' | b'\r');
    let mut first = bytes.split(is_end).filter(|line| !line.is_empty()).take(5).enumerate();
    let in_first = first.find_map(|(number, line)| {
        (number < 2).then(|| found_in(&COOKIE, line)).flatten().or_else(|| found_in(&MODE_LINE, line))
    });
    in_first.or_else(|| {
        let end = &bytes[bytes.len().saturating_sub(5 * MOST_LINE)..];
        end.rsplit(is_end).filter(|line| !line.is_empty()).take(5).find_map(|line| found_in(&MODE_LINE, line))
    })
}

/// The encoding of a name that programs and editors use, which is a label or similar to one.
fn of_editor(name: &[u8]) -> Option<Charset> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase().replace('_', "-");
    let ends = ["-unix", "-dos", "-mac"];
    let name = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    let label = match name {
        "latin-1" | "iso-latin-1" => "latin1",
        "latin-2" | "iso-latin-2" => "latin2",
        "latin-5" | "latin5" | "iso-latin-5" => "windows-1254",
        "latin-9" | "latin9" | "iso-latin-9" | "latin-0" => "iso-8859-15",
        "cp932" | "sjis" => "shift_jis",
        "cp936" => "gbk",
        "cp949" => "euc-kr",
        "cp950" => "big5",
        "mac-roman" => "macintosh",
        name => name,
    };
    Charset::of_label(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(document: &str, is_page: bool) -> &'static str {
        declared(document.as_bytes(), is_page).map_or("", Charset::name)
    }

    #[test]
    fn pages_declare_it_by_the_rules_of_the_standard() {
        for (page, expected) in [
            ("<!DOCTYPE html><META  CharSet='Windows-1251'>", "windows-1251"),
            ("<meta name=a content=x charset=koi8-r/>", ""),
            ("<meta charset=koi8-r >", "KOI8-R"),
            ("<meta http-equiv=Content-Type content=\"text/html; charset = 'shift_jis' \">", "Shift_JIS"),
            ("<meta content=\"text/html; charset=gb2312;x\" http-equiv=content-type>", "GBK"),
            ("<meta content='text/html; charset=gbk'>", ""),
            ("<!-- <meta charset=koi8-r> --><meta/charset=big5>", "Big5"),
            ("<!--><meta charset=big5>", "Big5"),
            ("<a title='<meta charset=koi8-r>'><p><meta charset=big5>", "Big5"),
            ("<meta charset=nonsense><meta charset=euc-kr>", "EUC-KR"),
            ("<meta charset=utf-16le>", "UTF-8"),
            ("<meta charset=x-user-defined>", "windows-1252"),
            ("<?xml version='1.0' encoding='koi8-r'?><html>", "KOI8-R"),
            ("<?xml version=\"1.0\" standalone=\"yes\"?><html><meta charset=big5>", "Big5"),
            ("</p x='>'><?x><meta charset=big5", ""),
            ("text <meta charset=big5> text", "Big5"),
        ] {
            assert_eq!(name(page, true), expected, "{page}");
        }
        assert_eq!(name(&format!("{}<meta charset=big5>", " ".repeat(1010)), true), "", "beyond 1024 bytes");
        assert_eq!(name("text <meta charset=big5> text", false), "");
        assert_eq!(name("<svg><meta charset=big5></svg>", false), "Big5");
    }

    #[test]
    fn programs_declare_it_by_cookies() {
        for (program, expected) in [
            ("#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", "windows-1252"),
            ("# vim: set fileencoding=koi8_r :\n", "KOI8-R"),
            ("# encoding: Shift_JIS\nputs 1\n", "Shift_JIS"),
            ("\n\t# coding=euc_jp\n", "EUC-JP"),
            (";; x -*- mode: lisp; coding: iso-latin-1-unix; -*-\n", "windows-1252"),
            ("/* -*- coding: cp1251 -*- */\n", "windows-1251"),
            ("1\n2\n# coding: koi8-r\n", ""),
            ("x = 1 # encode\ny = 'coding: koi8-r'\n", ""),
            ("1\n2\n3\n4\n5\n6\n7\n/* vim: set ts=4 fenc=cp1250: */\n", "windows-1250"),
            ("@charset \"koi8-r\";\np {}", "KOI8-R"),
            ("# coding: rot13\n", ""),
        ] {
            assert_eq!(name(program, false), expected, "{program}");
        }
    }
}
