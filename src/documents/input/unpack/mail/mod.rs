//! Mail: reads a message as a document with its body as text, and each attachment as a separate document with the name
//! `message!attachment`.
//!
//! The crate `mail_parser` finds the parts of a message and decodes them (MIME, RFC 2045 to 2049; the body as RFC 8621
//! says). A message that is attached to another one is an attachment that is a message.

pub(super) mod mbox;
mod parts;
mod quotes;

use std::io::Read;
use std::time::{Duration, SystemTime};

use encoding_rs::Encoding;
use mail_parser::{
    Encoding as TransferEncoding, HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType,
};
use memchr::memmem;

use self::parts::{MOST_FIELDS, MOST_PARTS, MOST_SCANNED, PartCounts, attachment_name, is_of_protocol};
use super::archive::Members;
use super::batch_writer::{BatchWriter, ReadOn};
use super::content::{Bytes, Content};
use crate::base::flat::offset_map::NoTrace;
use crate::base::problem::{Problem, Reason};
use crate::documents::input::bytes::decode::{DecodedBy, Decoding, detected_note};
use crate::documents::input::bytes::html;
use crate::documents::input::formats::mail_kinds::{FROM, has_field};
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::panic_guard::{Panicked, contain};
use crate::documents::input::paths::{path_of, unusable};
use crate::documents::input::settings::{HtmlMode, MailQuotes};

/// The start of a text that PGP has encrypted.
const PGP: &str = "-----BEGIN PGP MESSAGE-----";
/// The bytes of U+FFFD in UTF-8.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Reads one message.
pub(super) fn read(out: &mut BatchWriter, content: Content, bytes: &mut Bytes, read: ReadOn) {
    let (limit, mut raw) = (out.inputs().unpacked_bytes(), Vec::new());
    match bytes.take(limit + 1).read_to_end(&mut raw) {
        Err(error) if content.depth == 0 => return out.problem(unusable(path_of(content.name), &error)),
        Err(error) => return out.damaged(content, &error, "skipped"),
        Ok(_) if raw.len() as u64 > limit => return out.too_large(content, limit),
        Ok(_) => {}
    }
    if raw.trim_ascii().is_empty() {
        let detail = "empty, where a mail message was expected; skipped";
        return out.problem(Problem::error(content.place(), Reason::Damaged, detail));
    }
    // Some programs keep the line that separates messages of a mailbox.
    let start = raw.strip_prefix(UTF8_MARK).unwrap_or(&raw);
    let end = memchr::memchr(b'\n', start).filter(|_| start.starts_with(FROM));
    let raw = end.map_or(start, |end| &start[end + 1..]);
    let raw = emlx_message(raw).unwrap_or(raw).trim_ascii_start();
    match parse(raw) {
        Ok(message) => add(out, content, &message, raw, read),
        Err(fault) => out.problem(Problem::error(content.place(), fault.reason(), fault.detail())),
    }
}

/// The message in a file of Apple Mail, which begins with a line that has the length of the message.
fn emlx_message(raw: &[u8]) -> Option<&[u8]> {
    let (line, rest) = raw.split_at(memchr::memchr(b'\n', raw)?);
    let len: usize = std::str::from_utf8(line).ok()?.trim().parse().ok()?;
    rest.get(1..1 + len)
}

/// Why bytes are not a message that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MailFault {
    /// It does not begin with a header.
    NotMail,
    /// It has more parts or header fields than any useful message.
    TooManyParts,
    /// The library cannot parse it.
    Inconsistent,
}

impl MailFault {
    fn reason(self) -> Reason {
        if self == Self::TooManyParts { Reason::TooLarge } else { Reason::Damaged }
    }

    fn detail(self) -> &'static str {
        match self {
            Self::NotMail => "not a mail message, which begins with a header; skipped (--input-format text reads it)",
            Self::TooManyParts => "a mail message with too many parts, attached messages or header fields; skipped",
            Self::Inconsistent => "a mail message with inconsistent data; skipped (--input-format text reads it)",
        }
    }
}

/// Parses a message.
fn parse(raw: &[u8]) -> Result<Message<'_>, MailFault> {
    let counts = PartCounts::of(raw);
    if counts.messages > MOST_PARTS / 200
        || counts.boundaries > MOST_PARTS
        || counts.fields > MOST_FIELDS
        || (counts.messages + counts.multiparts).saturating_mul(raw.len() as u64) > MOST_SCANNED
    {
        return Err(MailFault::TooManyParts);
    }
    let parser = MessageParser::new()
        .with_mime_headers()
        .header_date(HeaderName::Date)
        .header_text(HeaderName::Subject)
        .header_id(HeaderName::MessageId)
        .default_header_ignore();
    match contain(|| parser.parse(raw)) {
        Ok(Some(message)) if !message.parts.is_empty() && has_field(raw) => Ok(message),
        Ok(_) => Err(MailFault::NotMail),
        Err(Panicked) => Err(MailFault::Inconsistent),
    }
}

/// Adds the body of a message and its attachments to the batch.
///
/// * `content`: the message; its name is the name of the document.
fn add(out: &mut BatchWriter, content: Content, message: &Message, raw: &[u8], read: ReadOn) {
    let damaged = |place: String| {
        let detail = "damaged or cut short (it cannot be decoded as its header says); skipped";
        Problem::error(place, Reason::Damaged, detail)
    };
    let encrypted = |place: String, part: &MessagePart| {
        let is_signed = part
            .content_type()
            .and_then(|kind| kind.attribute("smime-type"))
            .is_some_and(|kind| kind.eq_ignore_ascii_case("signed-data"));
        let detail = if is_signed {
            "packed into its signature (S/MIME); skipped (unpack it first)"
        } else {
            "encrypted (S/MIME or PGP); skipped (decrypt it first)"
        };
        Problem::error(place, Reason::Unreadable, detail)
    };
    out.inputs().member_times.add(content.name, time_of(message));
    let of_body = parts_of_body(message);
    match body(out, message, &of_body, raw) {
        Ok((text, detected)) => {
            let note = detected.map(|encoding| detected_note(content.name, encoding));
            note.into_iter().for_each(|note| out.problem(note));
            add_body(out, content, &text, raw);
        }
        Err(BodyFault::Encrypted) => return out.problem(encrypted(content.place(), &message.parts[0])),
        Err(BodyFault::Damaged) => out.problem(damaged(content.place())),
    }
    let mut members = Members::default();
    for (number, &id) in (1_u32..).zip(&message.attachments) {
        if !out.is_open() {
            return;
        }
        let is_wanted = |part: &&MessagePart| !is_of_protocol(part) && of_body != [id];
        let Some(part) = message.parts.get(id as usize).filter(is_wanted) else { continue };
        let name = attachment_name(part, number);
        let place = || String::from_utf8_lossy(&content.member_name(name.as_bytes())).into_owned();
        if is_encrypted(part) {
            out.problem(encrypted(place(), part));
            continue;
        }
        let mut bytes: &[u8] = match &part.body {
            _ if is_damaged(part) => {
                out.problem(damaged(place()));
                continue;
            }
            PartType::Text(text) | PartType::Html(text) => text.as_bytes(),
            PartType::Binary(bytes) | PartType::InlineBinary(bytes) => bytes,
            // The bytes of an attached message that is not encoded are part of the message.
            PartType::Message(_) if part.encoding == TransferEncoding::None => {
                raw.get(part.offset_body as usize..part.offset_end as usize).unwrap_or_default()
            }
            PartType::Message(message) => &message.raw_message,
            PartType::Multipart(_) => continue,
        };
        let count = members.count(name.as_bytes());
        out.member(content, name.as_bytes(), (count, None), Bytes::Stream(&mut bytes), read);
    }
}

fn add_body(out: &mut BatchWriter, content: Content, text: &str, raw: &[u8]) {
    let limit = out.inputs().unpacked_bytes();
    let text = match out.inputs().mail_quotes {
        MailQuotes::Strip => quotes::strip(text),
        MailQuotes::Keep => text.to_owned(),
    };
    let text = text.replace('\0', "\u{FFFD}");
    if text.len() as u64 > limit {
        return out.too_large(content, limit);
    }
    let has = |bytes: &[u8]| memmem::find(bytes, REPLACEMENT).is_some();
    out.text(content.name, text.as_bytes(), raw.len() as u64, has(text.as_bytes()) && !has(raw));
}

/// The text of a body, and its encoding if that was detected.
type Body = (String, Option<&'static Encoding>);

/// Why a message has no body that can be read.
enum BodyFault {
    Encrypted,
    Damaged,
}

/// The numbers of the parts that are the body. The library takes a text that is cut short for an attachment.
fn parts_of_body(message: &Message) -> Vec<u32> {
    let is_text = |&id: &u32| message.parts.get(id as usize).is_some_and(MessagePart::is_text);
    if message.text_body.iter().any(is_text) {
        return message.text_body.clone();
    }
    let is_inline = |id: &u32| {
        message.parts.get(*id as usize).is_some_and(|part| {
            part.attachment_name().is_none() && part.content_disposition().is_none_or(|kind| !kind.is_attachment())
        })
    };
    message.attachments.iter().copied().find(|id| is_text(id) && is_inline(id)).into_iter().collect()
}

/// The text of a message: its plain parts, or else its HTML parts as text.
fn body(out: &BatchWriter, message: &Message, of_body: &[u32], raw: &[u8]) -> Result<Body, BodyFault> {
    if is_encrypted(&message.parts[0]) {
        return Err(BodyFault::Encrypted);
    }
    let (mut body, mut detected) = (String::new(), None);
    if let Some(subject) = message.subject().filter(|_| out.inputs().mail_subject) {
        body.push_str(subject);
        body.push_str("\n\n");
    }
    for part in of_body.iter().filter_map(|&id| message.parts.get(id as usize)) {
        if is_damaged(part) {
            return Err(BodyFault::Damaged);
        }
        match &part.body {
            PartType::Text(text) if text.trim_start().starts_with(PGP) => return Err(BodyFault::Encrypted),
            PartType::Text(text) => match decoded(out, part, raw) {
                Some((text, by)) => {
                    body.push_str(&text);
                    detected = detected.or(by);
                }
                None => body.push_str(text),
            },
            PartType::Html(page) if out.inputs().html == HtmlMode::Raw => body.push_str(page),
            PartType::Html(page) => {
                let mut text = Vec::new();
                let page = match out.inputs().mail_quotes {
                    MailQuotes::Strip => quotes::strip_page(page),
                    MailQuotes::Keep => page.to_string(),
                };
                html::strip(page.as_bytes(), &mut text, &mut NoTrace).map_err(|Panicked| BodyFault::Damaged)?;
                body.push_str(&String::from_utf8_lossy(&text));
            }
            _ => continue,
        }
        body.push('\n');
    }
    Ok((body, detected))
}

/// The text of a part that is not UTF-8 and has no charset, by the encoding of the settings or of its bytes.
fn decoded(out: &BatchWriter, part: &MessagePart, raw: &[u8]) -> Option<Body> {
    let is_open = part.encoding == TransferEncoding::None
        && part.content_type().is_none_or(|kind| !kind.has_attribute("charset"));
    let bytes = raw.get(part.offset_body as usize..part.offset_end as usize).filter(|_| is_open)?;
    if std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let mut text = bytes.to_vec();
    let decoding = Decoding::new(out.inputs());
    let detected = match decoding.document(&mut text, false, out.inputs().unpacked_bytes(), &mut NoTrace).ok()? {
        DecodedBy::Detection(encoding) => Some(encoding),
        DecodedBy::Rule | DecodedBy::Replacement => None,
    };
    Some((String::from_utf8(text).ok()?, detected))
}

/// Whether a part could not be decoded, so that it is the noise of its transfer encoding.
fn is_damaged(part: &MessagePart) -> bool {
    let is_encoded = part.content_transfer_encoding().is_some_and(|encoding| {
        ["base64", "quoted-printable"].iter().any(|other| encoding.trim().eq_ignore_ascii_case(other))
    });
    part.is_encoding_problem && is_encoded && !part.is_message()
}

/// Whether a part is encrypted, or a signed message that only its signature holds.
fn is_encrypted(part: &MessagePart) -> bool {
    let is = |kind, subtype| part.is_content_type(kind, subtype);
    is("multipart", "encrypted") || is("application", "pkcs7-mime") || is("application", "x-pkcs7-mime")
}

/// When a message was sent, for messages after 1970.
fn time_of(message: &Message) -> Option<SystemTime> {
    let date = message.date().filter(|date| date.is_valid())?;
    let seconds = u64::try_from(date.to_timestamp()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}
