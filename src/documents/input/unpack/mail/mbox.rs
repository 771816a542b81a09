//! Mailboxes in mbox format: reads a stream message by message.
//!
//! A line `From SENDER DATE`, with a header or a blank line after it, begins a message. A line of a message that would begin
//! with `From ` has a `>` before it, which is removed, also from several (`mboxo` and `mboxrd`). Other programs write the
//! length of the body instead (`mboxcl2`); the length counts if the body ends there.

use std::io::{self, BufRead, BufReader, Read};

use super::super::batch_writer::{BatchWriter, ReadOn};
use super::super::content::{Bytes, Content};
use super::super::item_names::ItemNames;
use super::sizes::prepared;
use super::{MailFault, add, parse};
use crate::base::problem::{Problem, Reason};
use crate::documents::input::formats::mail_kinds::{FROM, begins_message, is_separator};
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::messages::too_large;

/// Bytes read at a time, and maximum bytes of a line that can begin a message.
const CHUNK: usize = 256 << 10;
/// Maximum bytes of a body that are read ahead to check its length.
const MOST_AHEAD: u64 = 16 << 20;
/// Number of wrong lengths after which the lengths of a mailbox are ignored, so that no mailbox is read many times.
const MOST_WRONG: u32 = 8;

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
            // The names of attachments follow a `!`.
            let id = message.message_id().filter(|id| !id.contains('!'));
            let name = names.next(content, id, place);
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
    /// Bytes that were read ahead, and the number of them that were used.
    ahead: Vec<u8>,
    used: usize,
    /// The number of messages whose header has a wrong length.
    num_wrong: u32,
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
            ahead: Vec::new(),
            used: 0,
            num_wrong: 0,
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
        let (mut begins_line, mut body) = (true, BodyLength::default());
        while self.read_line()? {
            let is_at_separator = begins_line && is_separator(&self.line);
            if is_at_separator && !self.is_in_body(&body)? && self.begins_next()? {
                self.is_at_separator = true;
                break;
            }
            body.add(&self.line, begins_line);
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

    /// Whether the line that was read last is within a body, by the length in the header. The length is right if the body
    /// ends at a line that separates messages or at the end of the mailbox.
    fn is_in_body(&mut self, body: &BodyLength) -> io::Result<bool> {
        let rest = body.rest().saturating_sub(self.line.len() as u64);
        if body.rest() < self.line.len() as u64 || rest > MOST_AHEAD.min(self.limit) || self.num_wrong == MOST_WRONG {
            return Ok(false);
        }
        let rest = usize::try_from(rest).unwrap_or(usize::MAX);
        self.read_ahead(rest + MOST_SEPARATOR)?;
        let behind = self.ahead.get(self.used + rest..);
        let is_right = behind.is_some_and(|behind| {
            let next = behind.trim_ascii_start();
            next.is_empty() || next.starts_with(FROM)
        });
        self.num_wrong += u32::from(!is_right);
        Ok(is_right)
    }

    /// Whether a message begins after the line that was read last, or nothing follows.
    fn begins_next(&mut self) -> io::Result<bool> {
        self.read_ahead(MOST_SEPARATOR)?;
        Ok(begins_message(&self.ahead[self.used..]))
    }

    /// Reads until some bytes after the line that was read last are known, unless the mailbox ends before.
    fn read_ahead(&mut self, num_bytes: usize) -> io::Result<()> {
        // Bytes are only moved when more are needed, so that many separators do not move them each time.
        if self.ahead.len() - self.used >= num_bytes {
            return Ok(());
        }
        self.ahead.drain(..self.used);
        self.used = 0;
        let missing = num_bytes.saturating_sub(self.ahead.len()) as u64;
        (&mut self.lines).take(missing).read_to_end(&mut self.ahead).map(drop)
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
        let ahead = &self.ahead[self.used..];
        let end = memchr::memchr(b'\n', ahead).map_or(ahead.len(), |at| at + 1).min(CHUNK);
        self.line.extend_from_slice(&ahead[..end]);
        self.used += end;
        if !self.line.ends_with(b"\n") && self.line.len() < CHUNK {
            let room = (CHUNK - self.line.len()) as u64;
            (&mut self.lines).take(room).read_until(b'\n', &mut self.line)?;
        }
        self.num_lines += u64::from(self.line.ends_with(b"\n"));
        Ok(!self.line.is_empty())
    }
}

/// Bytes after a line or a body in which the next message is looked for.
const MOST_SEPARATOR: usize = 1024;

/// The length of the body that the header of a message has.
#[derive(Debug, Default)]
struct BodyLength {
    /// The number in the field `Content-Length`.
    len: Option<u64>,
    is_header_over: bool,
    /// The number of bytes of the body so far.
    num_bytes: u64,
}

impl BodyLength {
    /// Adds a line of the message.
    ///
    /// * `begins_line`: `false` for the rest of a long line.
    fn add(&mut self, line: &[u8], begins_line: bool) {
        if self.is_header_over {
            self.num_bytes += line.len() as u64;
        } else if begins_line && line.trim_ascii().is_empty() {
            self.is_header_over = true;
        } else if begins_line
            && let Some(at) = memchr::memchr(b':', line)
            && line[..at].trim_ascii_end().eq_ignore_ascii_case(b"Content-Length")
        {
            self.len = std::str::from_utf8(line[at + 1..].trim_ascii()).ok().and_then(|len| len.parse().ok());
        }
    }

    /// The number of bytes of the body that follow, by its length; 0 without one.
    fn rest(&self) -> u64 {
        self.len.filter(|_| self.is_header_over).unwrap_or(0).saturating_sub(self.num_bytes)
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
    fn a_body_ends_where_its_length_says_if_a_message_follows() {
        let line = "From a@b Fri Jul  8 12:08:34 2011\n";
        let body = format!("text\n{line}Subject: inside\n\nmore\n");
        for (len, count) in [(body.len(), 2), (body.len() + 1, 2), (body.len() - 3, 3), (9, 3), (1 << 40, 3)] {
            let mailbox = format!("{line}content-length : {len}\n\n{body}\n{line}Subject: 2\n\nend");
            let found = messages(&mailbox, 1 << 20);
            assert_eq!(found.len(), count, "{len}: {found:?}");
        }
        let last = format!("{line}Content-Length: {}\n\n{body}", body.len());
        assert_eq!(messages(&last, 1 << 20), [(1, format!("Content-Length: {}\n\n{body}", body.len()))]);
        let many = format!("{line}Content-Length: 99999\n\ntext\n\n").repeat(20);
        assert_eq!(messages(&many, 1 << 20).len(), 20);
    }

    #[test]
    fn a_line_without_a_header_after_it_does_not_separate_messages() {
        let line = "From a@b Fri Jul  8 12:08:34 2011\n";
        let mailbox = format!("{line}Subject: 1\n\nHe wrote:\n{line}I am well.\n{line}\n{line}Subject: 2\n\n{line}");
        let texts: Vec<usize> = messages(&mailbox, 1 << 20).iter().map(|(_, text)| text.len()).collect();
        assert_eq!(texts, ["Subject: 1\n\nHe wrote:\nI am well.\n".len() + line.len(), 1, 12, 0]);
    }

    #[test]
    fn a_line_of_any_length_is_part_of_a_message() {
        let line = "From a@b Fri Jul  8 12:08:34 2011\n";
        let long = "x".repeat(3 * CHUNK) + line;
        assert_eq!(messages(&format!("{line}{long}{line}"), 1 << 20), [(1, long), (3, String::new())]);
    }
}
