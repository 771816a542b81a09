//! Mailboxes in mbox format: reads a stream message by message.
//!
//! A line `From SENDER DATE` begins a message. A line of a message that would begin with `From ` has a `>` before it,
//! which is removed, also from several (`mboxo` and `mboxrd`).

use std::io::{self, BufRead, BufReader, Read};

use super::super::batch_writer::{BatchWriter, ReadOn};
use super::super::content::{Bytes, Content};
use super::super::item_names::ItemNames;
use super::sizes::prepared;
use super::{MailFault, add, parse};
use crate::base::problem::{Problem, Reason};
use crate::documents::input::formats::mail_kinds::{FROM, is_separator};
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::messages::too_large;

/// Bytes read at a time, and maximum bytes of a line that can begin a message.
const CHUNK: usize = 256 << 10;

/// Reads a mailbox. Its messages have the names `mailbox!Message-ID`, or `mailbox!:line` by the line on which they
/// begin.
pub(in crate::documents::input::unpack) fn read(
    out: &mut BatchWriter,
    content: Content,
    bytes: &mut Bytes,
    read: ReadOn,
) {
    let mut messages = Messages::new(bytes, out.inputs().unpacked_bytes());
    let (mut names, mut has_messages) = (ItemNames::default(), false);
    while out.is_open() {
        let next = messages.next();
        has_messages |= next.is_err() || !messages.raw.trim_ascii().is_empty();
        match next {
            // Only a separator line.
            Ok(Some(_)) if messages.raw.trim_ascii().is_empty() => {}
            Ok(Some(place)) => message(out, content, (&messages, place), &mut names, read),
            Ok(None) => break,
            Err(error) => {
                out.damaged(content, &error, "the messages before that are compared");
                break;
            }
        }
    }
    if messages.has_other_start {
        out.not_a(content, "a mailbox, which begins with a line `From SENDER DATE`");
    } else if !has_messages {
        out.problem(Problem::note(content.place(), Reason::NoText, "a mailbox without messages; skipped"));
    }
    names.report(out, content, ("message has a Message-ID that was", "messages have a Message-ID that was"));
}

fn message<R: Read>(
    out: &mut BatchWriter,
    content: Content,
    (messages, place): (&Messages<R>, u64),
    names: &mut ItemNames,
    read: ReadOn,
) {
    let item = |name| Content { name, named: false, depth: content.depth + 1, ..content };
    if messages.is_too_large {
        let name = names.next(content, None, place);
        return out.problem(Problem::error(item(&name).place(), Reason::TooLarge, too_large(messages.limit)));
    }
    let prepared = prepared(&messages.raw);
    match prepared.as_deref().ok_or(MailFault::TooManyParts).and_then(parse) {
        Ok(message) => {
            let name = names.next(content, message.message_id(), place);
            add(out, item(&name), &message, &messages.raw, read);
        }
        Err(fault) => {
            let name = names.next(content, None, place);
            out.problem(Problem::error(item(&name).place(), fault.reason(), fault.detail()));
        }
    }
}

/// Cuts a mailbox into messages.
struct Messages<R> {
    lines: BufReader<R>,
    /// The message that was read last, without the line that separates it.
    raw: Vec<u8>,
    /// Maximum bytes of a message; of a longer one, `raw` has only the beginning.
    limit: u64,
    is_too_large: bool,
    /// The part of a line that was read last.
    line: Vec<u8>,
    /// The number of lines that were read to their end.
    num_lines: u64,
    /// Whether `line` separates the message that was read last from the next one.
    is_at_separator: bool,
    /// Whether anything but blank lines was found before the first message.
    has_other_start: bool,
}

impl<R: Read> Messages<R> {
    fn new(bytes: R, limit: u64) -> Self {
        Self {
            lines: BufReader::with_capacity(CHUNK, bytes),
            raw: Vec::new(),
            limit,
            is_too_large: false,
            line: Vec::new(),
            num_lines: 0,
            is_at_separator: false,
            has_other_start: false,
        }
    }

    /// Reads the next message; returns the line on which it begins, from 1.
    fn next(&mut self) -> io::Result<Option<u64>> {
        self.raw.clear();
        self.is_too_large = false;
        if !self.is_at_separator && !self.find_first()? {
            return Ok(None);
        }
        let place = self.num_lines;
        self.is_at_separator = false;
        let mut begins_line = true;
        while self.read_line()? {
            if begins_line && is_separator(&self.line) {
                self.is_at_separator = true;
                break;
            }
            let quoted = self.line.iter().take_while(|&&byte| byte == b'>').count();
            let is_quoted = begins_line && quoted > 0 && self.line[quoted..].starts_with(FROM);
            begins_line = self.line.ends_with(b"\n");
            if (self.raw.len() + self.line.len()) as u64 > self.limit {
                self.is_too_large = true;
            } else if !self.is_too_large {
                self.raw.extend_from_slice(&self.line[usize::from(is_quoted)..]);
            }
        }
        Ok(Some(place))
    }

    /// Reads on to the first message; returns `false` for a mailbox without messages.
    fn find_first(&mut self) -> io::Result<bool> {
        if self.num_lines > 0 || self.has_other_start {
            return Ok(false);
        }
        while self.read_line()? {
            let line =
                if self.num_lines <= 1 { self.line.strip_prefix(UTF8_MARK).unwrap_or(&self.line) } else { &self.line };
            // The first line needs no date, since nothing else can be meant.
            if line.starts_with(FROM) {
                return Ok(true);
            }
            if !line.trim_ascii().is_empty() {
                self.has_other_start = true;
                break;
            }
        }
        Ok(false)
    }

    /// Reads a line, or the next part of a long one; returns `false` at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let count = (&mut self.lines).take(CHUNK as u64).read_until(b'\n', &mut self.line)?;
        self.num_lines += u64::from(self.line.ends_with(b"\n"));
        Ok(count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(mailbox: &str, limit: u64) -> Vec<(u64, String)> {
        let mut messages = Messages::new(mailbox.as_bytes(), limit);
        let mut all = Vec::new();
        while let Some(place) = messages.next().unwrap() {
            let raw = if messages.is_too_large { "too large" } else { std::str::from_utf8(&messages.raw).unwrap() };
            all.push((place, raw.to_owned()));
        }
        all
    }

    #[test]
    fn a_mailbox_is_cut_into_messages() {
        let line = "From a@b Fri Jul  8 12:08:34 2011\n";
        let mailbox = format!("\n{line}Subject: 1\n\n>From x\n>>From y\n> z\nFrom here on\n\n{line}Subject: 2\n\nend");
        let first = "Subject: 1\n\nFrom x\n>From y\n> z\nFrom here on\n\n".to_owned();
        assert_eq!(messages(&mailbox, 1 << 20), [(2, first), (10, "Subject: 2\n\nend".to_owned())]);
        assert_eq!(messages(&mailbox, 30), [(2, "too large".to_owned()), (10, "Subject: 2\n\nend".to_owned())]);
        assert_eq!(messages("", 9), []);
        assert_eq!(messages("Subject: x\n", 9), []);
        assert_eq!(messages("From nobody\n", 9), [(1, String::new())]);
    }

    #[test]
    fn a_line_of_any_length_is_part_of_a_message() {
        let line = "From a@b Fri Jul  8 12:08:34 2011\n";
        let long = "x".repeat(3 * CHUNK) + line;
        assert_eq!(messages(&format!("{line}{long}{line}"), 1 << 20), [(1, long), (3, String::new())]);
    }
}
