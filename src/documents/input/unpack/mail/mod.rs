//! Mail: reads a message as a document with its body as text, and each attachment as a separate document with the name
//! `message!attachment`.
//!
//! The crate `mail_parser` finds the parts of a message and decodes them (MIME, RFC 2045 to 2049; the body as RFC 8621
//! says). A message that is attached to another one is an attachment that is a message. `outlook` reads the format of Outlook.

pub(super) mod mbox;
mod forwards;
mod mapi;
mod outlook;
mod parts;
mod quoted_elements;
mod quotes;
mod seven_bits;
mod sizes;
mod transfer;

use std::io::Read;
use std::time::{Duration, SystemTime};

use mail_parser::{HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use self::parts::{attachment_name, is_of_protocol};
use self::sizes::prepared;
use self::transfer::{PartBytes, attached, charset_of, decode};
use super::archive::Members;
use super::batch_writer::{BatchWriter, ReadOn};
use super::content::{Bytes, Content};
use crate::base::flat::offset_map::NoTrace;
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::documents::input::bytes::decode::{DecodedBy, detected_note};
use crate::documents::input::bytes::html;
use crate::documents::input::charset::Charset;
use crate::documents::input::formats::binary_kinds::OLE_START;
use crate::documents::input::formats::mail_kinds::{FROM, has_field};
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::panic_guard::{Panicked, contain};
use crate::documents::input::paths::{path_of, unusable};
use crate::documents::input::piece::ReadyText;
use crate::documents::input::text_modes::{HtmlMode, MailQuotes};

/// The start of a text that PGP has encrypted.
const PGP: &str = "-----BEGIN PGP MESSAGE-----";

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
    if raw.starts_with(OLE_START) {
        return outlook::read(out, content, &raw, read);
    }
    // Some programs keep the line that separates messages of a mailbox.
    let start = raw.strip_prefix(UTF8_MARK).unwrap_or(&raw);
    let end = memchr::memchr(b'\n', start).filter(|_| start.starts_with(FROM));
    let raw = end.map_or(start, |end| &start[end + 1..]);
    let raw = emlx_message(raw).unwrap_or(raw).trim_ascii_start();
    let prepared = prepared(raw);
    match prepared.as_deref().ok_or(MailFault::TooManyParts).and_then(parse) {
        Ok(message) => add(out, content, &message, raw, read),
        Err(fault) => out.problem(Problem::error(content.place(), fault.reason(), fault.detail())),
    }
}

/// The message in a file of Apple Mail, which begins with a line that has the length of the message.
fn emlx_message(raw: &[u8]) -> Option<&[u8]> {
    let (line, rest) = raw.split_at(memchr::memchr(b'\n', raw)?);
    let len: usize = std::str::from_utf8(line).ok()?.trim().parse().ok()?;
    rest.get(1..)?.get(..len)
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

    fn detail(self) -> String {
        let format = Setting::Format;
        match self {
            Self::NotMail => {
                format!("not a mail message, which begins with a header; skipped ({format} text reads it)")
            }
            Self::TooManyParts => {
                "a mail message with too many parts, attached messages or header fields; skipped".to_owned()
            }
            Self::Inconsistent => format!("a mail message with inconsistent data; skipped ({format} text reads it)"),
        }
    }
}

/// Parses a message.
///
/// * `raw`: the message, after [`prepared`].
fn parse(raw: &[u8]) -> Result<Message<'_>, MailFault> {
    // Without the transfer encodings, the library only finds the parts.
    let parser = MessageParser::new()
        .header_content_type(HeaderName::ContentType)
        .header_content_type(HeaderName::ContentDisposition)
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
    if let Some(time) = time_of(message) {
        out.inputs().member_times.add(content.name, time);
    }
    let of_body = parts_of_body(message);
    match body_of(out, message, &of_body, raw) {
        Ok(body) => {
            let note = body.detected.map(|charset| detected_note(content.name, charset));
            note.into_iter().for_each(|note| out.problem(note));
            if !body.is_whole {
                out.problem(incomplete(content.place()));
            }
            add_body(out, content, &body, raw.len() as u64);
        }
        Err(BodyFault::Encrypted) => return out.problem(encrypted(content.place(), &message.parts[0])),
        Err(BodyFault::Damaged) => out.problem(damaged(content.place())),
        Err(BodyFault::NotText(reason, detail)) => out.problem(Problem::error(content.place(), reason, detail)),
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
        let decoded = match &part.body {
            PartType::Multipart(_) => continue,
            // The bytes of an attached message that the library has found are part of the message.
            PartType::Message(_) => PartBytes::stored(part, raw),
            _ => PartBytes::of(part, raw),
        };
        if decoded.is_damaged() {
            out.problem(damaged(place()));
            continue;
        }
        if !decoded.is_whole {
            out.problem(incomplete(place()));
        }
        let bytes = attached(out, part, decoded.bytes);
        let count = members.count(name.as_bytes());
        out.member(content, name.as_bytes(), (count, None), Bytes::Stream(&mut &*bytes), read);
    }
}

/// The problem of a part that cannot be decoded.
fn damaged(place: String) -> Problem {
    let detail = "damaged or cut short (it cannot be decoded as its header says); skipped";
    Problem::error(place, Reason::Damaged, detail)
}

/// The problem of a part that cannot be decoded to its end.
fn incomplete(place: String) -> Problem {
    let detail = "not all of it can be decoded as its header says; the rest is compared";
    Problem::note(place, Reason::CutShort, detail)
}

/// The problem of a part that is encrypted, or packed into its signature.
fn encrypted(place: String, part: &MessagePart) -> Problem {
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
}

/// Adds the body of a message to the batch.
///
/// * `num_bytes`: the bytes of the message as stored.
fn add_body(out: &mut BatchWriter, content: Content, body: &MailBody, num_bytes: u64) {
    let limit = out.inputs().unpacked_bytes();
    let mut text = match out.inputs().mail_quotes {
        MailQuotes::Strip => quotes::strip(&body.text, body.is_forward()),
        MailQuotes::Keep => body.text.clone(),
    };
    if out.inputs().mail_subject && !body.subject.is_empty() {
        text.insert_str(0, &format!("{}\n\n", body.subject));
    }
    let was_replaced = body.was_replaced || text.contains('\0');
    let text = text.replace('\0', "\u{FFFD}");
    if text.len() as u64 > limit {
        return out.too_large(content, limit);
    }
    out.sources().see_extracted("mail", 1);
    out.text(content.name, text.as_bytes(), ReadyText::whole(num_bytes, was_replaced));
}

/// The body of a message.
#[derive(Default)]
struct MailBody {
    subject: String,
    text: String,
    /// The encoding of a part, if it was detected.
    detected: Option<Charset>,
    /// Whether invalid bytes were replaced.
    was_replaced: bool,
    /// Whether the transfer encoding of all parts was undone completely.
    is_whole: bool,
}

impl MailBody {
    /// A body without a text as yet.
    fn of_subject(subject: &str) -> Self {
        Self { subject: subject.to_owned(), is_whole: true, ..Self::default() }
    }

    /// Whether the subject says that the message is forwarded.
    fn is_forward(&self) -> bool {
        forwards::is_forward(&self.subject, &self.text)
    }
}

/// Why a message has no body that can be read.
enum BodyFault {
    Encrypted,
    Damaged,
    NotText(Reason, String),
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

/// The text of a message: its plain parts, or else its HTML parts as text. An HTML part
/// replaces a blank plain part for which it is the alternative.
fn body_of(out: &BatchWriter, message: &Message, of_body: &[u32], raw: &[u8]) -> Result<MailBody, BodyFault> {
    if is_encrypted(&message.parts[0]) {
        return Err(BodyFault::Encrypted);
    }
    let mut body = MailBody::of_subject(message.subject().unwrap_or_default());
    let mut texts = Vec::with_capacity(of_body.len());
    for &id in of_body {
        texts.push((id, text_of(out, message, id, raw, &mut body)?));
    }
    let is_in_both = |id: &u32| message.html_body.contains(id) && of_body.contains(id);
    let is_blank = |(id, text): &(u32, String)| is_in_both(id) || text.chars().all(is_invisible);
    if texts.iter().any(|(id, _)| !is_in_both(id))
        && texts.iter().all(is_blank)
        && message.html_body.iter().any(|id| !is_in_both(id))
    {
        texts.clear();
        for &id in &message.html_body {
            texts.push((id, text_of(out, message, id, raw, &mut body)?));
        }
    }
    for (_, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
        body.text.push_str(text);
        body.text.push('\n');
    }
    Ok(body)
}

/// Whether a character shows nothing: white space, and the marks of no width that programs put into empty bodies.
fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}')
}

/// The text of a part of the body; empty for any other part.
fn text_of(
    out: &BatchWriter,
    message: &Message,
    id: u32,
    raw: &[u8],
    body: &mut MailBody,
) -> Result<String, BodyFault> {
    let Some(part) = message.parts.get(id as usize) else { return Ok(String::new()) };
    let is_page = match &part.body {
        PartType::Text(_) => false,
        PartType::Html(_) => true,
        _ => return Ok(String::new()),
    };
    let decoded = PartBytes::of(part, raw);
    if decoded.is_damaged() {
        return Err(BodyFault::Damaged);
    }
    body.is_whole &= decoded.is_whole;
    let mut text = decoded.bytes.into_owned();
    let (by, _) = decode(out, &mut text, charset_of(part), is_page)
        .map_err(|(reason, detail)| BodyFault::NotText(reason, detail))?;
    match by {
        DecodedBy::Detection(charset) => body.detected = body.detected.or(Some(charset)),
        DecodedBy::Replacement => body.was_replaced = true,
        DecodedBy::Rule => {}
    }
    let text = String::from_utf8(text).map_err(|_| BodyFault::Damaged)?;
    if !is_page {
        return if text.trim_start().starts_with(PGP) { Err(BodyFault::Encrypted) } else { Ok(text) };
    }
    if out.inputs().html == HtmlMode::Raw {
        return Ok(text);
    }
    let page = match out.inputs().mail_quotes {
        MailQuotes::Strip => quoted_elements::strip_page(&text, forwards::is_forward(&body.subject, &text)),
        MailQuotes::Keep => text,
    };
    let mut stripped = Vec::new();
    html::strip(page.as_bytes(), &mut stripped, &mut NoTrace).map_err(|Panicked| BodyFault::Damaged)?;
    Ok(String::from_utf8_lossy(&stripped).into_owned())
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
