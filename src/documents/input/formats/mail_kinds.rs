//! Recognises mail and web crawls by their first bytes.
//!
//! A plain text may begin with a word and a colon, or with the word "From". So a message is recognised only by several
//! fields that programs write, and a mailbox only by a separator line with a date.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::binary_kinds::OLE_START;
use crate::documents::input::marks::UTF8_MARK;

/// The start of a line that separates the messages of a mailbox.
pub(in crate::documents::input) const FROM: &[u8] = b"From ";
/// The start of a record of a web crawl.
const WARC: &[u8] = b"WARC/";
/// Maximum bytes of a separator line.
const MOST_FROM_LINE: usize = 1024;

/// Fields that people also write at the start of a plain text.
const COMMON: [&str; 9] = ["From", "Date", "Subject", "To", "Cc", "Reply-To", "Sender", "Organization", "Content-Type"];
/// Fields that only programs write.
const OF_PROGRAMS: [&str; 12] = [
    "Message-ID",
    "Received",
    "MIME-Version",
    "Return-Path",
    "Delivered-To",
    "In-Reply-To",
    "References",
    "Newsgroups",
    "DKIM-Signature",
    "X-Mailer",
    "Content-Transfer-Encoding",
    "Path",
];

/// The place of a file that may be a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MailPlace {
    /// In a folder of a Maildir.
    Maildir,
    Other,
}

/// Whether content begins with a record of a web crawl: a line with the version, and a header with the type of the
/// record.
pub(super) fn begins_warc(start: &[u8]) -> bool {
    let mut lines = start.split_inclusive(|&byte| byte == b'\n');
    let header = |line: &&[u8]| !line.trim_ascii().is_empty();
    let is_type = |line: &[u8]| field_name(line).is_some_and(|name| name.eq_ignore_ascii_case(b"WARC-Type"));
    lines.next().is_some_and(is_warc_version) && lines.take_while(header).any(is_type)
}

/// Whether a line is the first one of a record of a web crawl, such as `WARC/1.0`.
pub(in crate::documents::input) fn is_warc_version(line: &[u8]) -> bool {
    let Some(version) = line.strip_prefix(WARC).and_then(|rest| rest.strip_suffix(b"\n")) else { return false };
    matches!(version.trim_ascii_end(), [b'0'..=b'9', b'.', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
}

/// Whether content begins with a message of a mailbox: a separator line, and a field of a header.
pub(super) fn begins_mbox(start: &[u8]) -> bool {
    let start = text_of(start);
    let Some(end) = memchr::memchr(b'\n', start).filter(|_| start.starts_with(FROM)) else { return false };
    let next = &start[end + 1..];
    // A text may have such a line and a blank line after it.
    let is_blank = matches!(next.first(), Some(b'\n' | b'\r'));
    is_separator(&start[..end]) && !is_blank && begins_message(next)
}

/// Whether the bytes after a separator line are a message of a mailbox: a field of a header, a message without a header, or
/// nothing.
pub(in crate::documents::input) fn begins_message(next: &[u8]) -> bool {
    matches!(next.first(), None | Some(b'\n' | b'\r'))
        || field_name(first_line(next)).is_some()
        || next.starts_with(b">From ")
        || is_separator(first_line(next))
}

fn first_line(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())]
}

/// Whether a line separates messages: `From`, a sender and a date, as in `From ann@example.org Fri Jul  8 12:08:34 2011`.
/// The date distinguishes it from a sentence that begins with this word.
pub(in crate::documents::input) fn is_separator(line: &[u8]) -> bool {
    static DATE: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?-u)^From .*[ \t](?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ \t].*[0-9]{1,2}:[0-9]{2}.*[12][0-9]{3}|(?-u)^From .*[ \t](?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ \t].*[12][0-9]{3}.*[0-9]{1,2}:[0-9]{2}";
        Regex::new(pattern).expect("a pattern")
    });
    line.starts_with(FROM) && line.len() <= MOST_FROM_LINE && DATE.is_match(line)
}

/// Whether content may begin with mail or a web crawl, by a few bytes. It rules out most texts.
pub(in crate::documents::input) fn may_begin_container(start: &[u8]) -> bool {
    let start = text_of(start);
    let is_of_name = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let len = start.iter().take_while(|byte| is_of_name(byte)).count();
    let is_name = len > 1 && (len == start.len() || start[len] == b':');
    is_name || start.starts_with(FROM) || start.starts_with(WARC) || start.starts_with(OLE_START)
}

/// Whether content begins with the header of a message.
pub(super) fn begins_mail(start: &[u8], place: MailPlace) -> bool {
    let start = text_of(start);
    let (mut common, mut of_programs, mut is_whole) = (0_u32, 0_u32, false);
    let mut lines = start.split_inclusive(|&byte| byte == b'\n').peekable();
    let mut is_first = true;
    while let Some(line) = lines.next() {
        // The last line may be cut short.
        if lines.peek().is_none() && !line.ends_with(b"\n") {
            break;
        }
        if line.trim_ascii().is_empty() {
            is_whole = !is_first;
            break;
        }
        if matches!(line[0], b' ' | b'\t') && !is_first {
            continue;
        }
        let Some(name) = field_name(line) else { return false };
        let find = |names: &[&str]| names.iter().position(|other| name.eq_ignore_ascii_case(other.as_bytes()));
        common |= find(&COMMON).map_or(0, |at| 1 << at);
        of_programs |= find(&OF_PROGRAMS).map_or(0, |at| 1 << at);
        is_first = false;
    }
    let (common, is_from_or_date) = (common.count_ones(), common & 0b11 != 0);
    let (of_programs, is_received) = (of_programs.count_ones(), of_programs & 0b10 != 0);
    let is_known = of_programs > 0 && common + of_programs >= 3 && (is_from_or_date || is_received);
    is_known || place == MailPlace::Maildir && is_whole && is_from_or_date && common + of_programs >= 2
}

/// Whether content begins with the header of a web archive (MHTML), as browsers and office programs write it.
pub(super) fn begins_web_archive(start: &[u8]) -> bool {
    let start = text_of(start).trim_ascii_start();
    let header = || start.split(|&byte| byte == b'\n').take_while(|line| !line.trim_ascii().is_empty());
    let has = |name: &[u8]| header().any(|line| field_name(line).is_some_and(|it| it.eq_ignore_ascii_case(name)));
    let is_related = |line: &[u8]| {
        let line = line.to_ascii_lowercase();
        [&b"multipart/related"[..], b"text/html"].iter().any(|kind| memchr::memmem::find(&line, kind).is_some())
    };
    field_name(first_line(start)).is_some() && has(b"MIME-Version") && has(b"Content-Type") && header().any(is_related)
}

/// Whether any of the first lines is a field of a header.
pub(in crate::documents::input) fn has_field(start: &[u8]) -> bool {
    /// Number of lines that are looked at, since some programs write other lines first.
    const LINES: usize = 10;
    start.split(|&byte| byte == b'\n').take(LINES).any(|line| field_name(line).is_some())
}

/// The name of the field that a line begins with; `None` for any other line.
fn field_name(line: &[u8]) -> Option<&[u8]> {
    // Old messages have a space before the colon (RFC 5322, 4.5).
    let name = line[..memchr::memchr(b':', line)?].trim_ascii_end();
    (!name.is_empty() && name.iter().all(|byte| byte.is_ascii_graphic())).then_some(name)
}

fn text_of(start: &[u8]) -> &[u8] {
    start.strip_prefix(UTF8_MARK).unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_like_a_message_is_not_one() {
        let is_mail = |text: &str| begins_mail(text.as_bytes(), MailPlace::Other);
        assert!(is_mail("From: a@b\nDate: today\nMessage-ID: <1@b>\n\ntext"));
        assert!(is_mail("From : a@b\nDate : today\nMessage-ID  : <1@b>\n\ntext"));
        assert!(is_mail("Return-Path: <a@b>\r\nReceived: from b\r\n by c\r\nSubject: hello\r\n\r\ntext"));
        for text in [
            "Subject: a story\n\nOnce upon a time",
            "From: me\nTo: you\nDate: today\nSubject: memo\n\ntext",
            "Message-ID: x\nFrom: y\nthis is a sentence\n",
            "Note: this is a text.\nMore: of it\n\n",
            "",
            "\n\nFrom: a@b\n",
        ] {
            assert!(!is_mail(text), "{text:?}");
        }
        assert!(begins_mail(b"From: a@b\nSubject: x\n\n", MailPlace::Maildir));
        assert!(!begins_mail(b"Subject: x\nTo: b\n\n", MailPlace::Maildir));
    }

    #[test]
    fn a_sentence_does_not_separate_messages() {
        for line in [
            "From ann@example.org Fri Jul  8 12:08:34 2011",
            "From - Tue Oct 01 12:00:00 2013",
            "From 1590@xxx Mon Mar 05 07:43:18 +0000 2018",
            "From bob at example.com  Mon, 1 Jan 2001 00:00:00 +0100",
        ] {
            assert!(is_separator(line.as_bytes()), "{line}");
        }
        for line in ["From time to time it rains.", "From: Fri Jul  8 12:08:34 2011", "From Monday on, 12:30 in 2011"] {
            assert!(!is_separator(line.as_bytes()), "{line}");
        }
        assert!(begins_mbox(b"From a@b Fri Jul  8 12:08:34 2011\nFrom: a\n"));
        assert!(!begins_mbox(b"From a@b Fri Jul  8 12:08:34 2011\nshe wrote this.\n"));
    }

    #[test]
    fn a_sentence_about_web_crawls_is_not_one() {
        for crawl in [
            "WARC/1.0\r\nWARC-Type: warcinfo\r\n",
            "WARC/1.1\nContent-Length: 0\nwarc-type: x\n\n",
            "WARC/0.18\nWARC-Type: ",
        ] {
            assert!(begins_warc(crawl.as_bytes()), "{crawl:?}");
        }
        for text in [
            "WARC/1.0 is a format.",
            "WARC/1.0 is a format.\nWARC-Type: is a field.\n",
            "WARC/1.0\nis a format.\n",
            "WARC/1.0\n\nWARC-Type: x\n",
            "WARC/1.\nWARC-Type: x\n",
            "WARC/1.0",
        ] {
            assert!(!begins_warc(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn a_few_bytes_rule_out_most_texts() {
        let may = |text: &str| may_begin_container(text.as_bytes());
        assert!(
            may("Return-Path: <a@b") && may("X-Mozilla-Status") && may("From ann@example") && may("WARC/1.0\r\nWARC-")
        );
        assert!(!may("Once upon a time") && !may("# Title\n") && !may("a: b") && !may("{\"a\":1}") && !may(""));
    }
}
